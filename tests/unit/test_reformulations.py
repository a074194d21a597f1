"""What is said of reformulations where the golden answers have no such study."""

import math
from dataclasses import replace

import pytest

from sdcg_explorer.questions.reformulations import answer, words
from sdcg_explorer.questions.reformulations.numbers import Reformulations, reformulations
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query

ALL, LINEAR = Filters(), Definition(weights="linear")
GRADES = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0}
A, B, C = (("t", {1: doc}) for doc in "abc")
NOTHING: Query = ("t", {})


def asked(*sessions: list[Query], measure: str = "dcg") -> Reformulations:
    """Linear gain: DCG is 1 for A, 2 for B, 3 for C, at rank 1."""
    plain = [PlainSession(f"s{i}", queries) for i, queries in enumerate(sessions)]
    study = study_of(PlainStudy(plain, GRADES))
    return reformulations(study, LINEAR, ALL, measure=measure)


@pytest.mark.parametrize(
    ("known", "low", "high", "said"),
    [
        (-0.3, -0.5, -0.1, "lower|−.30 with A (95% interval −.50 to −.10)"),
        (0.3, 0.1, 0.5, "higher|.30 with A (95% interval .10 to .50)"),
        (0.5, -0.1, 0.9, ""),
        (0.5, math.nan, math.nan, ""),
    ],
)
def test_first_queries_are_said_to_foretell_more_where_the_interval_excludes_0(
    known: float, low: float, high: float, said: str
) -> None:
    shown = asked([C], [B, A])
    (of,) = shown.systems
    of = replace(of, first_with_queries=known, first_interval=(low, high))
    word, _, around = said.partition("|")
    first = f"The more queries follow, the {word} the DCG of the first query: rank correlation"
    advised = words.advice(replace(shown, systems=(of,)))
    assert advised == [*([f"{first} {around}."] if said else []), words.LATER]
    other = replace(of, system="B", first_interval=(math.nan, math.nan))
    advised = words.advice(replace(shown, systems=(of, other)))
    first = f"With A, t{first[1:]}"
    assert advised == [
        *([f"{first} {around.replace(' with A', '')}."] if said else []),
        words.LATER,
    ]


def test_without_reformulations_the_answer_says_what_to_change() -> None:
    assert words.answer(asked([A], [B])) == (
        "No session has several scored queries, so there are no reformulations."
    )
    study = study_of(PlainStudy([PlainSession("s", [A, B])], GRADES))
    nothing = reformulations(study, LINEAR, replace(ALL, min_queries=9))
    said = "The filters leave no session on a judged topic: widen them."
    assert words.answer(nothing) == said
    shown = asked([A, NOTHING, B], [NOTHING, A], measure="ldcg")  # of no list it is undefined
    assert words.behind(shown).endswith(" Left out: 2 queries without length-adjusted DCG.")
    same = StudyView(study_of(PlainStudy([PlainSession("s", [C, C])], GRADES)), LINEAR, ALL)
    for repeats, how in (("every", "no better"), ("first", "worse")):
        told = answer(same.under(replace(LINEAR, repeats=repeats)))
        assert told.headline.startswith(f"With A, the one reformulation does {how}")
        assert ("The same list" in told.behind) == (repeats == "every")
    assert words.answer(shown) == (
        "Length-adjusted DCG is never defined for two queries in a row. Choose another measure."
    )


def test_many_systems_are_named_by_how_often_they_gain_and_none_where_all_gain_alike() -> None:
    for better, said in {
        "WXYZ": "",
        "WX": ": most often better with W and X (100%), least often with Y and Z (0%)",
        "": "",
    }.items():
        each = [PlainSession(s, [A, B] if s in better else [B, A], s) for s in "WXYZ"]
        steps = reformulations(study_of(PlainStudy(each, GRADES)), LINEAR, ALL)
        shares = f"{len(better) or 'none'} do better and {4 - len(better) or 'none'} worse"
        than = " than the query before (DCG before the query discount)"
        assert words.answer(steps) == f"Of 4 reformulations, {shares}{than}{said}."
