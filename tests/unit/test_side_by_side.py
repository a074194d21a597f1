"""Side by side: means, order and rank correlations of the same sessions by several definitions."""

from itertools import starmap
from typing import Any

import pytest

from sdcg_explorer.questions.compare_systems import numbers as compare_numbers
from sdcg_explorer.questions.compare_systems import words as compare_words
from sdcg_explorer.questions.side_by_side import words as beside_words
from sdcg_explorer.questions.side_by_side.numbers import SideBySide, compare_measures, side_by_side
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.residuals import no_range_reason
from tests.support.plain_files import in_files
from tests.support.plain_loop import PlainSession, PlainStudy

JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0}


SESSIONS = [("s1", [("u", {1: "x"})], "A"), ("s2", [("t", {1: "c"})], "B")]


def study(*sessions: tuple[str, dict[int, str]]) -> PlainStudy:
    """Sessions of one query each: a system, and documents by rank."""
    made = [
        PlainSession(f"s{i}", [("t", results)], system)
        for i, (system, results) in enumerate(sessions, start=1)
    ]
    return PlainStudy(made, JUDGMENTS)


def compared(plain: PlainStudy, definition: Definition = DEFAULT, **more: Any) -> SideBySide:
    return side_by_side(in_files(plain), definition, more.pop("filters", Filters()), **more)


def order(shown: SideBySide) -> str:
    """What the answer says of the systems."""
    return beside_words.headline(shown).removesuffix(".")


def test_under_how_many_definitions_the_lead_is_clear_is_said() -> None:
    # a document at each rank of 1 to 10; B's later, so that it is behind by a little, or far
    near = [("A", {r: "b"}) for r in range(1, 11)] + [("B", {r + 1: "b"}) for r in range(1, 10)]
    far = [("A", {1 + r % 2: "c"}) for r in range(10)] + [
        ("B", {9 + r % 2: "a"}) for r in range(10)
    ]
    assert order(compared(study(*near))) == "All 4 definitions put A first (none of them clearly)"
    assert order(compared(study(*far))) == "All 4 definitions put A first (all of them clearly)"
    one = compared(study(*near), presets=())
    assert order(one) == "The one definition shown puts A first (not clearly)"
    five = [(name, {rank: "c"}) for rank, name in enumerate("ABCDE", 1)]
    assert order(compared(study(*five, ("F", {5: "c"})))).endswith(
        " first (no intervals) and 2 systems last, and agree on the 3 between"
    )
    # all there is of a topic where little is to be had, and a part of where more is
    plain = PlainStudy([*starmap(PlainSession, SESSIONS)], {**JUDGMENTS, ("u", "x"): 1.0})
    found = compare_measures(in_files(plain), DEFAULT, Filters())
    assert beside_words.compare_measures_headline(found) == (
        "final, mean_ldcg, rbp, srbp, inst and err order systems otherwise than final_normalised."
    )


def test_equal_systems_are_no_order_and_of_many_those_compared_are_spoken_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alike = [(name, {1: "c"}) for name in "ABAB"] + [("C", {1: "a"})] * 2
    found = compare_measures(in_files(study(*alike)), DEFAULT, Filters())
    assert found.table["order"].iloc[0] == "A = B > C"
    monkeypatch.setattr(compare_numbers, "MOST_PAIRED", 4)
    many = study(*((name, {1 + i % 3: "c"}) for i, name in enumerate("ABCDEABCDE")))
    of = compare_numbers.compare_systems(in_files(many), DEFAULT, Filters())
    assert compare_words.headline(of).startswith("The 4 systems compared don't differ clearly")
    assert no_range_reason(DEFAULT, None) == "own"  # a rating: no score of judgments


TOPICS = "opqrstuv"


def runs(documents: dict[str, str], searchers: bool) -> PlainStudy:
    """Each system's one result on each of eight topics, at any of three ranks."""
    sessions = [
        PlainSession(
            f"{system}{i}", [(TOPICS[i], {1 + i % 3: doc})], system, f"{system}'s" * searchers
        )
        for system, of_topics in documents.items()
        for i, doc in enumerate(of_topics)
    ]
    grades = {"a": 1.0, "b": 2.0, "c": 3.0}
    return PlainStudy(sessions, {(t, doc): grades[doc] for t in TOPICS for doc in grades})


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        # each system has one searcher, so that topics are the units: p = 2 / 2⁸
        (runs({"A": "a" * 8, "B": "b" * 8}, True), "put B first (all of them clearly)"),
        # the intervals exclude 0, but p = 2 / 2⁵
        (runs({"A": "a" * 8, "B": "bbbbbaaa"}, True), "put B first (none of them clearly)"),
        # p of C and B 2 / 2⁶, the largest of three, and after Holm as it is
        (
            runs({"A": "a" * 8, "B": "b" * 8, "C": "ccccccbb"}, False),
            "put C first (all of them clearly), then B and A",
        ),
        # p of each pair 2 / 2⁶, and after Holm three times that
        (
            runs({"A": "a" * 8, "B": "bbbbbbaa", "C": "ccccccaa"}, False),
            "put C first (none of them clearly), then B and A",
        ),
    ],
)
def test_a_lead_is_clear_where_compare_systems_calls_it_so(plain: PlainStudy, said: str) -> None:
    shown = compared(plain)
    assert order(shown) == f"All 4 definitions {said}"
    for under in shown.definitions:
        of = compare_numbers.compare_systems(in_files(plain), under.definition, Filters())
        pair = of.pairs[-1]  # its second system is the one that is first
        assert under.is_clear == of.clear[-1]
        ends = under.lead_columns(under.ranked[0])
        assert [*ends.values()] == [pair.difference, pair.low, pair.high]
