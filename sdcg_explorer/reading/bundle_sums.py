"""The sums of a bundle, by which is told what in it was not made of its study."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.disk import sum_of
from sdcg_explorer.study.problems import Problem, note, warning

SUMS = "sums.txt"
STUDY = "# study "  # begins the line with the digest; `sha256sum -c` passes it over
LINE = re.compile(r"([0-9a-f]{64})  (.{1,200})")
LONGEST = 100_000  # bytes that are read
TABLES = ("scores/", "comparison/", "agreement/")
RULE = "what lies beside a study in its bundle was made of it"
REMEDY = "Make it again by the lines in README.txt, or take the bundle as it was downloaded."


def sums_text(digest: str, sums: Mapping[str, str]) -> str:
    """What `sums.txt` says: the digest of the study, and the sha256 of each file."""
    lines = [f"{found}  {name}\n" for name, found in sums.items()]
    return f"{STUDY}{digest}\n{''.join(lines)}"


@dataclass(frozen=True)
class Beside:
    """What lies beside a study in its bundle.

    digest : of the study that it was made of, "" where no sums say so · made : files that are made
    of a study · changed : those that are not as the sums have them
    """

    digest: str = ""
    made: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def problems(self, digest: str) -> list[Problem]:
        """What was not made of the study of this digest."""
        if not self.digest:
            found = f"no {SUMS} that says of which study it was made"
            tables = [name for name in self.made if name.startswith(TABLES)]
            return [note(name, found, RULE, REMEDY) for name in tables]
        if self.digest != digest:
            found = f"made of another study, whose digest begins with {self.digest[:12]}"
            return [warning(name, found, RULE, REMEDY) for name in self.made]
        return [warning(name, "not as it was made", RULE, REMEDY) for name in self.changed]


def beside_of(around: str, sources: Iterable[Source]) -> Beside:
    """What sources lie beside a study; `around` is the folder of its bundle, with its slash."""
    files = {source.name.removeprefix(around): source.path for source in sources}
    digest, sums = "", dict[str, str]()
    if path := files.pop(SUMS, None):
        with path.open(encoding="utf-8", errors="replace") as file:
            head, *lines = file.read(LONGEST).split("\n")
        digest = head.removeprefix(STUDY) if head.startswith(STUDY) else ""
        sums = {found[2]: found[1] for line in lines if (found := LINE.fullmatch(line))}
    made = {name: path for name, path in sorted(files.items()) if not name.startswith("again/")}
    changed = [name for name, path in made.items() if digest and sums.get(name) != sum_of(path)]
    return Beside(digest, tuple(made), tuple(changed))
