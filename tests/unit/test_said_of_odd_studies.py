"""Every answer on studies of one thing, of none, of equals and of many: no absurd sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from sdcg_explorer.questions import compare_systems, robustness
from sdcg_explorer.questions import ratings as agreement
from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.catalogue import QUESTIONS, iterate_answers
from sdcg_explorer.questions.methods import methods_text
from sdcg_explorer.questions.ratings.numbers import RatingChoices
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.study.study import Study
from tests.support.odd_studies import ODD, rated
from tests.support.sentences import absurd


@cache
def said_of(name: str) -> list[tuple[str, str]]:
    """All that is said of one of these studies, by where."""
    return [*every_text(rated(name))]


def every_text(study: Study) -> Iterator[tuple[str, str]]:
    """All that pages, cards, report, methods text and commands say, by where they do."""
    view = StudyView(study, DEFAULT, Filters())
    for question, answer in iterate_answers(*view):
        parts = [answer.headline, *answer.figure_paragraphs, *answer.more, *answer.methods]
        for exhibit in answer.exhibits.values():
            parts += [exhibit.caption, exhibit.said, exhibit.alt]
        yield from ((question.name, part) for part in parts)
    cards = ((each.name, each.card) for each in QUESTIONS)
    yield from ((f"card of {name}", card(view).headline) for name, card in cards if card)
    yield from (("advice", line) for line in advice(*view))
    yield "methods", methods_text(*view)
    yield from (("warnings", str(problem)) for problem in study.problems)
    for name, asked in COMMANDS.items():
        try:
            yield f"sdcg {name}", asked(view).sentence
        except ValueError as fault:
            yield f"sdcg {name}", str(fault)


COMMANDS = {
    "compare": lambda view: compare_systems.result(view, with_residuals=True),
    "robustness": robustness.result,
    "agreement": lambda view: agreement.result(view, RatingChoices("satisfaction")),
}


FALSE = {  # what is said of other studies, and would be false of these
    "one system": ("Systems were compared on",),
    "topics as units": ("topics fixed", "taken as fixed", "answers for these topics"),
    "nothing relevant": ("widen",),
    "nothing judged that was asked": ("widen",),
    "all alike": ("Without effect on this score", "no interval excludes"),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_holds_of_others_is_not_said(name: str) -> None:
    texts = [text for _, text in said_of(name)]
    assert [text for text in texts for false in FALSE[name] if false in text] == []


@pytest.mark.parametrize("name", ODD)
def test_no_answer_is_absurd(name: str) -> None:
    wrong = [(where, fault) for where, text in said_of(name) for fault in absurd(text)]
    assert wrong == []
