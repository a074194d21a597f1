"""What is cited exists: links and their headings, files, modules, names within them, decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.plain_files import ROOT

FOLDERS = (
    *("benchmarks", "docs", "metrics", "pages", "sample_sessions", "sdcg_explorer", "tests"),
    ".ci",
)
ROOMS = sorted(path.name for path in (ROOT / "sdcg_explorer").iterdir() if path.is_dir())
TOP = "|".join([*FOLDERS[:-1], *(room for room in ROOMS if room.isidentifier())])
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(rf"(?<![\w/.-])((?:{TOP})/[\w/-]+\.(?:py|md|toml|html|svg))\b")
QUOTED = re.compile(rf"`((?:{TOP})(?:/[\w.-]+)*/?)`")
MODULE = re.compile(rf"`({TOP})\.(?!json)([\w.]+)`")
NAME_IN_FILE = re.compile(r"`(\w+)`,? (?:in )?\(?`([\w/]+\.py)`")
SECTION = re.compile(r"docs/(\w+)\.md, (?=[A-Z])")
BUNDLED = "study/study.toml"  # in the zip of a study, whose folder is called as ours is
DECISION = re.compile(r"\bdecisions? (\d+)")
# documents that are not here, and threads that nobody can open; written so as not to find itself
NOWHERE = re.compile(r"\b(?:METHOD[S]|DESIG[N]|SCREEN[S]|STYL[E])\b|\b[Ii]ssues? #?\d")


@cache
def texts() -> dict[str, str]:
    """Code, pages of text and settings, by their path."""
    inside = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    files = [path for path in (*ROOT.glob("*"), *inside) if path.is_file()]
    read = [
        path
        for path in files
        if path.suffix in {".py", ".md", ".toml", ".html"} or path.name in {"Makefile", "run"}
    ]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in read}


def pages() -> dict[str, str]:
    """Pages of text without their examples."""
    return {name: FENCE.sub("", text) for name, text in texts().items() if name.endswith(".md")}


@cache
def headings(page: str) -> list[str]:
    """Headings of a page, as they are written."""
    return re.findall(r"^#+ (.+?)$", texts()[page], re.MULTILINE)


def anchor(heading: str) -> str:
    """A heading as links spell it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def leads_nowhere(page: str, link: str) -> bool:
    """Whether a relative link names no file, or no heading of it."""
    name, _, place = link.partition("#")
    target = (ROOT / page).parent / name if name else ROOT / page
    if not target.exists():
        return True
    known = headings(str(target.resolve().relative_to(ROOT))) if place else []
    return bool(place) and place not in map(anchor, known)


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    links = [(page, link) for page, text in pages().items() for link in LINK.findall(text)]
    ours = [(page, link) for page, link in links if "://" not in link]
    assert len(ours) > 20
    assert [each for each in ours if leads_nowhere(*each)] == []


def placed(path: str) -> Path:
    """Where a cited file or folder is: from the top, or from the package."""
    inside = ROOT / "sdcg_explorer" / path
    return inside if inside.exists() else ROOT / path


def missing_paths() -> Iterator[tuple[str, str]]:
    """Cited files and folders that do not exist."""
    for name, text in texts().items():
        for path in (*FILE.findall(text), *QUOTED.findall(text)):
            if path != BUNDLED and not placed(path).exists():
                yield name, path


def missing_names() -> Iterator[tuple[str, str]]:
    """Names that the module or file they are cited with does not have."""
    for name, text in texts().items():
        for top, rest in MODULE.findall(text):
            folder, (*parts, last) = placed(top), rest.split(".")
            for part in parts:
                folder = folder / part
            own = [folder / f"{last}.py", folder.with_suffix(".py"), folder / "__init__.py"]
            there = [path.read_text(encoding="utf-8") for path in own[1:] if path.exists()]
            inside = any(re.search(rf"\b{last}\b", code) for code in there)
            if not (own[0].exists() or (folder / last).is_dir() or inside):
                yield name, f"{top}.{rest}"
        for cited, path in NAME_IN_FILE.findall(text) if name.endswith(".md") else ():
            if not re.search(rf"\b{cited}\b", placed(path).read_text(encoding="utf-8")):
                yield name, f"{cited} in {path}"


def test_every_cited_file_module_and_name_exists() -> None:
    assert [*missing_paths(), *missing_names()] == []


def test_every_cited_section_and_decision_exists() -> None:
    numbers = {heading.partition(".")[0] for heading in headings("docs/decisions.md")}
    missing = []
    for name, text in texts().items():
        plain = re.sub(r"\s*\n\s*(?:# )?", " ", text)
        for cited in SECTION.finditer(plain):
            known = headings(f"docs/{cited[1]}.md")
            if not any(plain.startswith(heading, cited.end()) for heading in known):
                missing.append((name, plain[cited.start() :][:60]))
        missing += [(name, number) for number in DECISION.findall(text) if number not in numbers]
    assert missing == []


def test_nothing_cites_what_is_not_here() -> None:
    cited = [(name, each[0]) for name, text in texts().items() for each in NOWHERE.finditer(text)]
    assert cited == []
