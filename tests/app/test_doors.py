"""Overview's cards: each says the numbers that the page says which it opens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.robustness import ON_ITS_PAGE
from sdcg_explorer.screen import library as kept
from tests.support.many_systems import many_systems
from tests.support.plain_files import in_files
from tests.support.screen import first_line, opened, without_escapes
from tests.support.studies import SAMPLES, at_hand

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("own_samples")
CARDED = {question.name for question in QUESTIONS if question.card}
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def leaves(block: Any) -> Iterator[Any]:
    """Everything that is shown, in its order."""
    for each in block.children.values():
        yield from leaves(each) if hasattr(each, "children") else [each]


def cards(app: AppTest) -> dict[str, str]:
    """What each card says, by the name of the page that it opens."""
    assert not app.exception
    shown = [*leaves(app.main)]
    return {
        door.proto.page: without_escapes(said.value).removeprefix(":small[").removesuffix("]")
        for door, said in pairwise(shown)
        if door.type == "page_link"
        and door.proto.page in CARDED
        and "see=" not in door.proto.query_string
    }


@pytest.mark.parametrize("name", [*SAMPLES, "five systems"])
def test_each_card_says_the_numbers_of_its_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = at_hand(name) if name in SAMPLES else in_files(many_systems(tuple("ABCDE")))
    digest = study.digest[: kept.SHORT]
    monkeypatch.setattr(kept, "fixed", lambda: {digest: study})
    before = cards(opened("overview", {"study": digest}))
    said = {page: first_line(opened(page, {"study": digest})) for page in before}
    carded = [question.name for question in QUESTIONS[1:] if question.answer]
    assert [*said] == carded, "each row of questions/catalogue.py with an answer has a card"
    for page, card in before.items():
        numbers = {*NUMBER.findall(card)}
        whole = said[page].startswith(card.removesuffix("."))  # where other measures count as well
        assert whole or card.endswith(ON_ITS_PAGE)
        assert numbers <= {*NUMBER.findall(said[page])}
    for page, card in cards(opened("overview", {"study": digest})).items():  # all is counted now
        assert said[page].startswith(card.removesuffix("."))
