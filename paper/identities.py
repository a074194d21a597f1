"""What says who made this: names, addresses and places, each with what stands in its place."""

from __future__ import annotations

import re
import subprocess
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

NOBODY, NOWHERE = "Anonymous authors", "anonymous.invalid"  # a domain that can't exist (RFC 2606)
HOSTING = ("github.com", "gitlab.com", "codeberg.org")


def identities(root: Path) -> dict[str, str]:
    """What identifies by what replaces it, the longest first.

    From pyproject.toml (authors, addresses), CITATION.cff, the paper's head, the history's authors,
    and the folders of this machine.
    """
    found = {**dict(_of_history(root)), **dict(_of_papers(root)), **dict(_of_project(root))}
    # a folder of one part, as /src and /root, is everybody's
    found |= {str(each): "." for each in (root, Path.home()) if len(each.parts) > 2}
    composed = {unicodedata.normalize("NFC", name): instead for name, instead in found.items()}
    return dict(sorted(composed.items(), key=lambda each: -len(each[0])))


def _of_project(root: Path) -> Iterator[tuple[str, str]]:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    for person in (*project.get("authors", ()), *project.get("maintainers", ())):
        yield from _of_person(person.get("name", ""), person.get("email", ""))
    for what, address in project.get("urls", {}).items():
        parts = urlsplit(address)
        path = "/".join(parts.path.split("/")[:3]) if parts.netloc in HOSTING else ""
        yield parts.netloc + path, f"{NOWHERE}/{'repository' if path else what.lower()}"
        if path:  # owner and repository, as badges and the journal's forms have them
            yield path.strip("/"), "anonymous/repository"


def _of_person(name: str, mail: str) -> Iterator[tuple[str, str]]:
    if name:
        yield name, NOBODY
        given, _, family = name.rpartition(" ")
        if given and not name.startswith("The "):
            yield f"{family}, {given}", NOBODY
    if mail:
        yield mail, f"nobody@{NOWHERE}"


def _of_papers(root: Path) -> Iterator[tuple[str, str]]:
    """Authors, affiliations and ORCID of the paper's head, and of CITATION.cff."""
    head = (root / "paper" / "paper.md").read_text("utf-8").split("---\n")[1]
    people, _, places = head.partition("\naffiliations:")
    for name in re.findall(r"^ +-? *name: *(.+)$", people, re.MULTILINE):
        yield from _of_person(_bare(name), "")
    for name in re.findall(r"^ +-? *name: *(.+)$", places, re.MULTILINE):
        yield _bare(name), "Anonymous affiliation"
    cited = (root / "CITATION.cff").read_text("utf-8").partition("\nauthors:\n")[2]
    cited = re.split(r"^\w", cited, maxsplit=1, flags=re.MULTILINE)[0]
    for person in re.split(r"^ +- ", cited, flags=re.MULTILINE):
        of = {k: _bare(v) for k, v in re.findall(r"([\w-]+): *(.+)$", person, re.MULTILINE)}
        whole = f"{of.get('given-names', '')} {of.get('family-names', '')}".strip()
        yield from _of_person(of.get("name", whole), of.get("email", ""))
        if "affiliation" in of:
            yield of["affiliation"], "Anonymous affiliation"
    for orcid in re.findall(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]", people + cited):
        yield orcid, "0000-0000-0000-0000"


def _bare(value: str) -> str:
    return value.strip().strip("\"'")


def _of_history(root: Path) -> Iterator[tuple[str, str]]:
    asked = ["git", "log", "--format=%an%x09%ae%n%cn%x09%ce"]
    said = subprocess.run(asked, cwd=root, check=True, capture_output=True, text=True).stdout
    for line in sorted(set(said.splitlines())):
        yield from _of_person(*line.split("\t"))
