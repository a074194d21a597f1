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
CITED = re.compile(r"\bdecisions? (\d+(?:(?:, | and )\d+)*)")
DECIDED = re.compile(
    r"^### (\d+)\. (.+) \(\d{4}-\d\d(?:, supersedes .+)?\)\n((?:.+\n)+)", re.MULTILINE
)
OVERTAKEN = re.compile(r"^\| (\d+) \| (.+?) \| .+ \| (\d+(?:, \d+)*) \|$", re.MULTILINE)
NEVER_GIVEN = 105
BUILT = "_build"  # the site, made of these pages
# documents that are not here, and threads that nobody can open; written so as not to find itself
NOWHERE = re.compile(r"\b(?:METHOD[S]|DESIG[N]|SCREEN[S]|STYL[E])\b|\b[Ii]ssues? #?\d")


@cache
def texts() -> dict[str, str]:
    """Code, pages of text and settings, by their path."""
    inside = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    files = [
        path for path in (*ROOT.glob("*"), *inside) if path.is_file() and BUILT not in path.parts
    ]
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


def in_one_line(text: str) -> str:
    """A text without its line ends, in which what is cited may be broken."""
    return re.sub(r"\s*\n\s*(?:# )?", " ", text)


def test_every_cited_section_exists() -> None:
    missing = []
    for name, text in texts().items():
        plain = in_one_line(text)
        for cited in SECTION.finditer(plain):
            known = headings(f"docs/{cited[1]}.md")
            if not any(plain.startswith(heading, cited.end()) for heading in known):
                missing.append((name, plain[cited.start() :][:60]))
    assert missing == []


@cache
def decisions() -> dict[str, str]:
    """Pages of decisions, by name: those of a theme, the index and the archive."""
    paths = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


def holding() -> list[tuple[int, str, str, str]]:
    """Number, question, page and text of each decision that holds."""
    return [
        (int(number), question, page, said)
        for page in decisions().keys() - {"README", "archive"}
        for number, question, said in DECIDED.findall(decisions()[page])
    ]


def overtaken() -> dict[int, tuple[str, list[int]]]:
    """Question of each decision in the archive, and what took its place, by number."""
    rows = OVERTAKEN.findall(decisions()["archive"])
    return {int(number): (asked, [*map(int, now.split(", "))]) for number, asked, now in rows}


def test_each_decision_stands_once_with_its_reason_and_its_cost() -> None:
    hold = [number for number, *_ in holding()]
    assert sorted([*hold, *overtaken()]) == [
        number for number in range(1, max(hold) + 1) if number != NEVER_GIVEN
    ]
    assert {now for _, places in overtaken().values() for now in places} <= {*hold}
    told = sum(text.count("\n### ") for text in decisions().values())
    assert told == len(hold)  # none is written otherwise
    for number, _, _, said in holding():
        assert re.fullmatch(
            r".+\*\*Because\*\* .+\*\*Costs us\*\* .+", in_one_line(said.strip())
        ), number
    for page, text in decisions().items():
        lines = text.splitlines()
        assert (len(lines) <= 200, max(map(len, lines)) <= 140) == (True, True), page


def test_the_index_leads_to_every_decision() -> None:
    rows = {n: f"| {n} | {asked} | [{page}]({page}.md) |" for n, asked, page, _ in holding()}
    rows |= {
        n: f"| {n} | {asked} | [archive](archive.md), now {', '.join(map(str, places))} |"
        for n, (asked, places) in overtaken().items()
    }
    index = [line for line in decisions()["README"].splitlines() if line.startswith("| ")]
    assert index[1:] == [rows[number] for number in sorted(rows)]


def test_every_cited_decision_holds() -> None:
    hold = {str(number) for number, *_ in holding()}
    cited = [
        (name, number, overtaken().get(int(number), ("", []))[1])  # and what took its place
        for name, text in texts().items()
        for numbers in CITED.findall(in_one_line(text))
        for number in re.findall(r"\d+", numbers)
    ]
    assert len(cited) > 20
    assert [each for each in cited if each[1] not in hold] == []


def test_nothing_cites_what_is_not_here() -> None:
    cited = [(name, each[0]) for name, text in texts().items() for each in NOWHERE.finditer(text)]
    assert cited == []
