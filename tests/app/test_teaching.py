"""docs/teaching.md: each link opens, answers word for word what stands beneath it, and no else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qs, urlsplit

import pytest

from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.export.link import ADDRESS
from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.words import session_curves as curve_words
from sdcg_explorer.screen.library import study_of
from tests.support.plain_files import ROOT
from tests.support.screen import opened, paragraphs, without_escapes
from tests.support.studies import SAMPLES
from tests.support.uploads import sample

pytestmark = pytest.mark.usefixtures("own_samples")
TEXT = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
LINK = re.compile(rf"\[[^\]]+\]\(({ADDRESS}[^)]*)\)")
QUOTE = re.compile(r"(?:^ *> .+\n)+", re.MULTILINE)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?|\.\d+")
PARAGRAPH = "**Paragraph.** "
# of what is no answer: lists, times, names, code
NO_ANSWER = re.compile(
    r"^ *\d+\. |\(\d+ min(?:utes)?\)|ECIR 2008|System [12]|`[^`]+`", re.MULTILINE
)


@dataclass(frozen=True)
class Expected:
    """What a page is said to answer, and the links before it in its lesson, the last its own."""

    links: tuple[str, ...]
    said: str


def lessons() -> list[str]:
    """The lessons, without what runs as code."""
    prose = re.sub(r"^```.*?^```", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    return prose.split("\n## ")[1:]


def expected() -> list[Expected]:
    found: list[Expected] = []
    for lesson in lessons():
        for quote in QUOTE.finditer(lesson):
            said = " ".join(line.strip().removeprefix("> ") for line in quote[0].splitlines())
            found.append(Expected((*LINK.findall(lesson[: quote.start()]),), said))
    return found


@cache
def on_page(link: str) -> str:
    """All that a page says, as it reads."""
    address = urlsplit(link)
    page = address.path.strip("/") or QUESTIONS[0].name
    asked = dict(parse_qs(address.query))
    assert asked["study"] == [sample(SAMPLES[0])]
    app = opened(page, dict(asked))
    assert not app.exception
    return "\n".join(without_escapes(body) for body in paragraphs(app))


@pytest.mark.parametrize("each", expected(), ids=lambda each: each.said[:40])
def test_page_answers_what_the_lesson_expects(each: Expected) -> None:
    if each.said.startswith(PARAGRAPH):  # its words are the group's, its numbers the pages'
        known = {n for link in each.links for n in NUMBER.findall(on_page(link))}
        numbers = NUMBER.findall(re.sub(r",(?= )", "", each.said))
        assert len(numbers) > 15
        assert [number for number in numbers if number.rstrip(",") not in known] == []
    else:
        assert each.said in on_page(each.links[-1])


def test_every_link_has_an_answer_and_every_number_is_one() -> None:
    links = {link for lesson in lessons() for link in LINK.findall(lesson)}
    assert len(LINK.findall(TEXT)) == TEXT.count(ADDRESS) > 15
    assert links == {each.links[-1] for each in expected()}
    prose = [NO_ANSWER.sub("", LINK.sub("", QUOTE.sub("", lesson))) for lesson in lessons()]
    titles = [re.sub(r"^.*\n", "", lesson) for lesson in prose]
    assert [number for lesson in titles for number in re.findall(r"\d+", lesson)] == []


def test_every_lesson_fills_its_minutes() -> None:
    for lesson in lessons():
        (minutes,) = re.findall(r"^.*\((\d+) minutes\)\n", lesson)
        assert sum(map(int, re.findall(r"\((\d+) min\)", lesson))) == int(minutes)


def test_no_turn_of_b_and_bq_makes_the_other_system_lead() -> None:
    study = study_of(sample(SAMPLES[0]))
    for b in (1.1, 2.0, 10.0):
        for bq in (1.1, 4.0, 10.0):
            answer = curve_words.answer(
                session_curves(study, Definition(b=b, bq=bq), Filters()), "normalised"
            )
            assert answer.startswith("After the third query System 2 has reached")
