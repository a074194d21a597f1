"""Pages of text don't count what may become more, or count it right."""

from __future__ import annotations

import math
import re

from sdcg_explorer.metrics import WEIGHTINGS
from sdcg_explorer.metrics.discount import FORMS

from sdcg_explorer.analysis.definition.definition import PRESETS
from sdcg_explorer.analysis.robustness.all_definitions import VARIED
from sdcg_explorer.study.store.memory import MemoryStore
from tests.support.plain_files import ROOT

WORDS = (
    *("two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)
# what the house has several of, and may have more of soon
OURS = (
    *("pages", "questions", "lessons", "steps", "files", "folders", "floors", "rooms"),
    *("commands", "ways to", "presets", "forms", "discount forms", "weightings", "definitions"),
    *("readers", "measures", "metrics", "options", "choices", "modes", "tests", "hours"),
    "studies, in memory",
)
COUNT = re.compile(
    rf"(?<![\w,.–-])({'|'.join(WORDS)}|\d[\d,]*) ({'|'.join(OURS)})\b", re.IGNORECASE
)
DEMO = MemoryStore()
COUNTED = {
    "definitions": math.prod(map(len, VARIED.values())),
    "discount forms": len(FORMS),
    "weightings": len(WEIGHTINGS),
    "presets": len(PRESETS),
    "studies, in memory": DEMO.most,
    "hours": DEMO.seconds / 3600,
}


def test_what_is_counted_is_so_many() -> None:
    known = {(what, round(number)) for what, number in COUNTED.items()}
    found: set[tuple[str, int]] = set()
    # changes, and decisions that hold no longer, are of their day
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        if path.name in ("CHANGELOG.md", "archive.md"):
            continue
        text = re.sub(r"^ *>.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for number, what in COUNT.findall(" ".join(text.split())):
            word = number.lower()
            value = 2 + WORDS.index(word) if word in WORDS else int(word.replace(",", ""))
            found.add((what.lower(), value))
    assert found == known


def test_lessons_take_the_minutes_that_the_readme_says() -> None:
    readme, teaching = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/teaching.md")
    )
    lessons = re.findall(r"^## .* \((\d+) minutes\)$", teaching, re.MULTILINE)
    said = re.findall(r"Lessons of ([^m]*) minutes", readme)
    assert [re.findall(r"\d+", each) for each in said] == [lessons]
