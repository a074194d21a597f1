"""Overview's cards: each says the numbers that the page says which it opens."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.robustness import ON_ITS_PAGE
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from tests.support.many_systems import many_systems
from tests.support.plain_files import in_files
from tests.support.screen import leaves, opened, without_escapes
from tests.support.studies import SAMPLES, at_hand

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("own_samples")
CARDED = [question for question in QUESTIONS if question.card]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
ASKED = DEFAULT, Filters()


def cards(app: AppTest) -> dict[str, str]:
    """What each card says, by the name of the page that it opens."""
    assert not app.exception
    names = {question.name for question in CARDED}
    return {
        door.proto.page: without_escapes(said.value).removeprefix(":small[").removesuffix("]")
        for door, said in pairwise(leaves(app.main))
        if door.type == "page_link" and door.proto.page in names
        if "see=" not in door.proto.query_string
    }


@pytest.mark.parametrize("name", [*SAMPLES, "five systems"])
def test_each_card_says_the_numbers_of_its_page(name: str) -> None:
    study = at_hand(name) if name in SAMPLES else in_files(many_systems(tuple("ABCDE")))
    view = StudyView(study, *ASKED)
    for question in CARDED:
        assert question.card
        assert question.answer
        card, said = question.card(view).headline, question.answer(view).headline
        assert {*NUMBER.findall(card)} <= {*NUMBER.findall(said)}


def test_overview_has_each_card() -> None:
    view = StudyView(at_hand(SAMPLES[0]), *ASKED)
    shown = cards(opened("overview"))
    assert [*shown] == [question.name for question in QUESTIONS[1:] if question.answer]
    for question in CARDED:
        assert question.card
        said = shown[question.name]
        assert said == question.card(view).headline or said.endswith(ON_ITS_PAGE)
