"""What is added in one place is named in the others that need it, each named by the message."""

import re

import pytest

from sdcg_explorer.questions.bibliography import OF_REFERENCES
from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.columns import WORDS
from sdcg_explorer.scoring.definition import AUTHORS, CHOICES, DEFAULT, NUMBERS
from sdcg_explorer.scoring.measures import QUERY_SCORES, SESSION_SCORES
from sdcg_explorer.screen import keys
from tests.app.test_definition import SOURCES
from tests.app.test_views import UNDER_FULL
from tests.golden.computed import options
from tests.support.plain_files import ROOT

LINES = {path.stem: path.read_text("utf-8").splitlines() for path in ROOT.glob("pages/[a-z]*.py")}
PAGES = {*LINES}
FOLDERS = {path.parent.name for path in ROOT.glob("sdcg_explorer/questions/*/__init__.py")}
TRIED = options().values()
README, GUIDE = ((ROOT / path).read_text("utf-8") for path in ("README.md", "docs/guide.md"))
OURS = ROOT / "sdcg_explorer"

NAMED: dict[str, tuple[set[str], set[str]]] = {  # what there is, and what is named
    "QUESTIONS in questions/catalogue.py: pages": (PAGES, {each.name for each in QUESTIONS}),
    "QUESTIONS in questions/catalogue.py: folders": (FOLDERS, {each.name for each in QUESTIONS}),
    "pages/, a file with its name": ({each.name for each in QUESTIONS}, PAGES),
    "its page as docstring, word for word": (
        {f'pages/{each.name}.py: """{each.words}"""' for each in QUESTIONS},
        {f"pages/{page}.py: {lines[0]}" for page, lines in LINES.items()},
    ),
    "its page as the last line": (
        {f'pages/{page}.py: show.run_page("{page}", view' for page in PAGES - {"data"}},
        {
            f"pages/{page}.py: {lines[-1].partition(', view')[0]}, view"
            for page, lines in LINES.items()
        },
    ),
    "README.md, the list of pages": (
        {f"| {each.title} | {each.words} |" for each in QUESTIONS},
        {*README.splitlines()},
    ),
    "docs/guide.md, as a section": (
        {f"## {each.title}" for each in QUESTIONS},
        {*GUIDE.splitlines()},
    ),
    "OF_REFERENCES in questions/bibliography.py": ({*AUTHORS}, {*OF_REFERENCES}),
    "where a source of OF_REFERENCES appeared, which ends in its year": (
        {each.where for each in OF_REFERENCES.values()},
        {each.where for each in OF_REFERENCES.values() if re.search(r", \d{4}$", each.where)},
    ),
    "WORDS in questions/columns.py": ({*SESSION_SCORES, *QUERY_SCORES}, {*WORDS}),
    "UNDER_FULL in tests/app/test_views.py": (PAGES - {"data"}, {*UNDER_FULL}),
    "`own` in tests/golden/computed.py": (
        {"top", *NUMBERS} - {"read_seconds"},
        {
            name
            for name in (*NUMBERS, "top")
            for d in TRIED
            if getattr(d, name) != getattr(DEFAULT, name)
        },
    ),
    "SOURCES in tests/app/test_definition.py": ({*CHOICES} - {"last_click"}, {*SOURCES}),
}


@pytest.mark.parametrize("where", NAMED)
def test_what_there_is_is_named(where: str) -> None:
    there, named = NAMED[where]
    assert there - named == set(), f"add it to {where}"


def test_each_key_has_a_name_and_a_text_of_its_own() -> None:
    text = (OURS / "screen" / "keys.py").read_text("utf-8")
    lefts = re.findall(r"^((?:[A-Z][A-Z_\d]*(?:, | = ))+)", text, re.MULTILINE)
    names = [name for left in lefts for name in re.findall(r"[A-Z][A-Z_\d]*", left)]
    texts = [getattr(keys, name) for name in names]
    assert len(names) > 100
    for each in (names, texts):
        assert [one for one in each if each.count(one) > 1] == [], "twice in screen/keys.py"
