"""The definition's sentence and the methods text: what they owe to a study, said where it is so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.methods import methods_text, sentence
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy

VIEW = Definition(), Filters()


def study(*searchers: str, withheld: int = 0) -> Study:
    sessions = [PlainSession(f"s{i}", [("t", {1: "a"})], "A", p) for i, p in enumerate(searchers)]
    read = study_of(PlainStudy(sessions, {("t", "a"): 1.0}))
    return replace(read, report=replace(read.report, withheld=withheld))


@pytest.mark.parametrize(
    ("labels", "beyond"),
    [
        ((-2.0, 0.0, 1.0, 3.0), "(paper)"),
        ((0.0, 4.0), "(paper; grade 4, not in the paper, gains 10^(g − 1))"),
        ((0.5, 1.0, 4.0), "(paper; grades 0.5 and 4, not in the paper, gain 10^(g − 1))"),
    ],
)
def test_grades_that_the_paper_does_not_have_are_named(
    labels: tuple[float, ...], beyond: str
) -> None:
    assert f"Gain by grade {beyond}: " in sentence(Definition(), labels)
    assert "beyond" not in sentence(Definition(weights="linear"), labels)


def test_withheld_queries_stand_in_methods_and_comparison() -> None:
    said = "The log withholds the results of 2 final queries; "
    for number in (0, 2):
        own = study("p", "q", withheld=number)
        assert (said in methods_text(own, *VIEW)) == bool(number)
        assert (said in words.sentences(compare_systems(own, *VIEW))) == bool(number)


@pytest.mark.parametrize(
    ("searchers", "whom"),
    [
        (("p", "q"), "searchers"),
        (("p", ""), "searchers, and of sessions that name none"),
        (("", ""), "sessions"),
    ],
)
def test_methods_say_what_is_resampled(searchers: tuple[str, ...], whom: str) -> None:
    assert f"1,000 resamples of {whom}, fixed seed" in methods_text(study(*searchers), *VIEW)
