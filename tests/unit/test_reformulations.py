"""What is said of reformulations where the golden answers have no such study."""

from dataclasses import replace

from sdcg_explorer.questions.reformulations import numbers, words
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query

ALL, LINEAR = Filters(), Definition(weights="linear")
GRADES = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0}
A, B, C = (("t", {1: doc}) for doc in "abc")
NOTHING: Query = ("t", {})


def asked(*sessions: list[Query], measure: str = "dcg") -> numbers.Reformulations:
    """Linear gain: DCG is 1 for A, 2 for B, 3 for C, at rank 1."""
    plain = [PlainSession(f"s{i}", queries) for i, queries in enumerate(sessions)]
    study = study_of(PlainStudy(plain, GRADES))
    return numbers.reformulations(study, LINEAR, ALL, measure=measure)


def test_without_reformulations_the_answer_says_what_to_change() -> None:
    assert words.headline(asked([A], [B])) == (
        "No session has several scored queries, so there are no reformulations."
    )
    study = study_of(PlainStudy([PlainSession("s", [A, B])], GRADES))
    nothing = numbers.reformulations(study, LINEAR, replace(ALL, min_queries=9))
    said = "The filters leave no session on a judged topic: widen them."
    assert words.headline(nothing) == said
    shown = asked([A, NOTHING, B], [NOTHING, A], measure="ldcg")  # of no list it is undefined
    assert words.figure_notes(shown).endswith(" Left out: 2 queries without length-adjusted DCG.")
    assert words.headline(asked([A, B], [C, C, A])) == (
        "Reformulations with more DCG than the query before: 33% of 3 with A (less: 33%)."
    )
    assert words.headline(shown) == (
        "Length-adjusted DCG is never defined for two queries in a row. Choose another measure."
    )
