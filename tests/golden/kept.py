"""The file of numbers: reading, writing, and the rule by which a number in it may change."""

import csv
import io
import math
import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("numbers.csv")
RULE = 'a changed number needs a major version and a line under "Numbers" of the changelog'
HEAD = re.compile(r"# Numbers since version (\d+)\.(\d+)\.(\d+)\b")
LEAST = 1e-12  # what differs by less is the same, also beside 0
Numbers = dict[str, tuple[float, str]]


class RefusedError(Exception):
    """Numbers that may not be written, with the rule."""


@dataclass(frozen=True)
class Release:
    """Version of the package, and the top section of its changelog."""

    version: str
    top: str

    @property
    def major(self) -> int:
        """The first number of the version."""
        return int(self.version.partition(".")[0])

    @property
    def numbers(self) -> str:
        """What stands under **Numbers** at the top: its paragraphs up to the next bold word."""
        heading = self.top.strip().splitlines()[0]
        parts = re.findall(r"^\*\*Numbers.*?(?=^\*\*(?!Numbers)|\Z)", self.top, re.M | re.S)
        return "".join(parts) if self.version in heading else ""

    @property
    def is_out(self) -> bool:
        """Whether the top section has a date."""
        return "(unreleased)" not in self.top.strip().splitlines()[0]


def release(root: Path, version: str) -> Release:
    """What the changelog at a root says at its top."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    return Release(version, text.split("\n## ")[1])


def changed(old: Numbers, new: Numbers) -> list[str]:
    """Names of numbers that are another, or no more, or held by another tolerance."""
    return [
        name
        for name, (value, tolerance) in old.items()
        if name not in new or new[name][1] != tolerance or not _same(value, new[name][0], tolerance)
    ]


def _same(one: float, other: float, tolerance: str) -> bool:
    if math.isnan(one) or math.isnan(other) or tolerance == "exact":
        return one == other or (math.isnan(one) and math.isnan(other))
    return math.isclose(one, other, rel_tol=float(tolerance), abs_tol=LEAST)


def read(text: str) -> tuple[str, Numbers]:
    """The version since which the numbers hold, and the numbers."""
    head, rest = text.split("\n", 1)
    since = HEAD.match(head)
    if not since:
        raise ValueError(f"numbers.csv, line 1: {head!r}; it says since which version.")
    rows = csv.DictReader(io.StringIO(rest))
    numbers = {row["name"]: (float(row["value"]), row["tolerance"]) for row in rows}
    return ".".join(since.groups()), numbers


def written(old: str, new: Numbers, now: Release) -> str:
    """The text of the file with new numbers; added ones are free.

    One that is the same stays as it stands, or many small steps would lead it anywhere. The version
    at its head moves once a release is out, so that several changes may come before it.

    Raises
    ------
    RefusedError : a number changed within a major version, or the changelog does not name it
    """
    since, before = read(old)
    names = changed(before, new)
    if names and now.major <= int(since.partition(".")[0]):
        raise RefusedError(f"{said(names)} since {since}, and this is {now.version}: {RULE}.")
    unsaid = {name.rpartition("/")[2] for name in names if not _named(name, now.numbers)}
    silent = [f"`{name}`" for name in sorted(unsaid)]
    if silent:
        raise RefusedError(
            f"{said(names)}; the changelog's Numbers of {now.version} name no {', '.join(silent)}: "
            f"{RULE}."
        )
    head = now.version if now.is_out else since
    file = io.StringIO()
    file.write(
        f"# Numbers since version {head}; tolerances are relative, and what differs by less than "
        f"{LEAST:g} is the same. {RULE[0].upper()}{RULE[1:]}.\n"
    )
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("name", "value", "tolerance"))
    kept = {name: at for name, at in before.items() if name in new and name not in names}
    rows = {**new, **kept}
    writer.writerows((name, repr(value), tolerance) for name, (value, tolerance) in rows.items())
    return file.getvalue()


def said(names: list[str]) -> str:
    """How many changed, and the first of them."""
    more = f" and {len(names) - 12:,} more" if len(names) > 12 else ""
    return f"{len(names):,} numbers changed ({'; '.join(names[:12])}{more})"


def _named(name: str, numbers: str) -> bool:
    """Whether a text has a name, or its last part, in code style: most are common words, too."""
    spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", numbers))
    return any(f"/{name}".endswith(f"/{span}") for span in spans)
