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
    # a document at each rank of 1 to 10; B's later, so that it is behind by a little
    near = [("A", {r: "b"}) for r in range(1, 11)] + [("B", {r + 1: "b"}) for r in range(1, 10)]
    assert order(compared(study(*near))) == "Of 4 definitions, all put A first (none clearly)"
    one = compared(study(*near), presets=())
    assert order(one) == "This definition puts A first (not clearly)"
    pairs = study(*((name, {1 + place // 2: "c"}) for place, name in enumerate("ABCD")))
    assert order(compared(pairs)) == "Of 4 definitions, all put A and B equal first"
    # all there is of a topic where little is to be had, and a part of where more is
    plain = PlainStudy([*starmap(PlainSession, SESSIONS)], {**JUDGMENTS, ("u", "x"): 1.0})
    found = compare_measures(in_files(plain), DEFAULT, Filters())
    assert beside_words.compare_measures_headline(found) == (
        "Measures that order systems differently from final_normalised: 7 of 8 (final, mean_ldcg, "
        "rbp, srbp, inst, err and esndcg)."
    )


def test_equal_systems_are_no_order_and_of_many_those_compared_are_spoken_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alike = [(name, {1: "c"}) for name in "ABAB"] + [("C", {1: "a"})] * 2
    found = compare_measures(in_files(study(*alike)), DEFAULT, Filters())
    assert found.table["order"].iloc[0] == "A = B > C"
    first, *_ = two = ("relevant_found", ""), ("final", "")  # each finds one, A at the first rank
    found = [
        compare_measures(in_files(study(("A", {1: "c"}), ("B", {2: "c"}))), *under, entries=entries)
        for under in [(DEFAULT, Filters())]
        for entries in (two, (first, ("union_recall", "")))
    ]
    assert [*map(beside_words.compare_measures_headline, found)] == [
        "Measures that order systems differently from relevant_found: 1 of 1 (final).",
        "Measures that order systems differently from relevant_found: 0 of 1.",
    ]
    monkeypatch.setattr(compare_numbers, "MOST_PAIRED", 4)
    many = study(*((name, {1 + i % 3: "c"}) for i, name in enumerate("ABCDEABCDE")))
    of = compare_numbers.compare_systems(in_files(many), DEFAULT, Filters())
    assert compare_words.headline(of).startswith("No compared pair of systems differs clearly")
    assert no_range_reason(DEFAULT, None) == "rising"  # a rating


def runs(searcher: str, *systems: str) -> PlainStudy:
    """Systems A, B, …: each one's single result on each of eight topics."""
    sessions = [
        PlainSession(f"{name}{t}", [(f"t{t}", {1 + t % 3: doc})], name, searcher and name)
        for name, documents in zip("ABC", systems, strict=False)
        for t, doc in enumerate(documents)
    ]
    return PlainStudy(sessions, {(f"t{t}", "abc"[g]): 1.0 + g for t in range(8) for g in range(3)})


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        # each system has one searcher, so that topics are the units: p = 2 / 2⁸
        (runs("its", "a" * 8, "b" * 8), "Of 4 definitions, all put B first (4 clearly)"),
        # the intervals exclude 0, but p = 2 / 2⁵
        (runs("its", "a" * 8, "bbbbbaaa"), "Of 4 definitions, all put B first (none clearly)"),
        # p of C and B 2 / 2⁶, the largest of three, and after Holm as it is
        (runs("", "a" * 8, "b" * 8, "ccccccbb"), "Of 4 definitions, all put C first (4 clearly)"),
        # p of each pair 2 / 2⁶, and after Holm three times that
        (
            runs("", "a" * 8, "bbbbbbaa", "ccccccaa"),
            "Of 4 definitions, all put C first (none clearly)",
        ),
    ],
)
def test_a_lead_is_clear_where_compare_systems_calls_it_so(plain: PlainStudy, said: str) -> None:
    shown = compared(plain)
    assert order(shown) == said
    for under in shown.definitions:
        of = compare_numbers.compare_systems(in_files(plain), under.definition, Filters())
        pair, ends = of.pairs[-1], under.lead_columns(under.ranked[0])  # of it the second is first
        expected = [of.clear[-1], pair.difference, pair.low, pair.high]
        assert [under.is_clear, *ends.values()] == expected
