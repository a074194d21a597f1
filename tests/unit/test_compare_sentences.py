"""What a comparison says: small studies in full, and odd ones in words."""

from __future__ import annotations

import re
from functools import cache

import pytest

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_permutation import exact_p, holm
from tests.support.plain_statistics import PlainPair, as_study
from tests.unit.test_compare_odd import rows_of

LINEAR = Definition(weights="linear")
NOT_EQUAL = (
    "This doesn't show that the systems are equal: the interval leaves room for either to lead."
)
GROWS = "This score grows with the number of queries."

# score, system, searcher (- for none), topic of each session
STUDIES = {
    "within": "2 A p t, 4 B p t, 1 A q t, 5 B q t, 3 A r u, 4 B r u, 0 A s u, 5 B s u",
    "between": "2 A p t, 3 A q t, 1 A r t, 5 B s t, 4 B v t, 9 B w t, "
    "4 A p u, 5 A q u, 3 A r u, 6 B s u, 5 B v u, 8 B w u",
    "mixed": "1 A p t, 2 B p t, 1 A q t, 4 B q t, 2 A r u, 5 B r u, 9 A s t, 8 A v t",
    "unbalanced": "1 A p t × 2, 3 A q t, 2 A q u, 6 B r t, 4 B s u × 3, 5 B v u",
    "one topic": "1 A p t, 2 A q t, 4 B r t, 6 B s t",
    "missing searchers": "1 A - t, 3 A - t, 6 B - t, 4 B - t, 2 A - u, 3 B - u",
    "one session per cell": "1 A p t, 3 B p u, 2 A q u, 6 B q t, "
    "1 A r v, 3 B r w, 2 A s w, 5 B s v",
    "three systems": "1 A p t, 2 B p t, 6 C p t, 0 A q t, 3 B q t, 5 C q t, "
    "2 A r t, 2 B r t, 8 C r t",
}
NO_CLEAR = "A and B don't differ clearly: B − A ="
ANSWERS = {
    # differences 2, 4, 1, 5, on which topics have no say: 3 ± 3.182 × √(10/3 / 4)
    "within": "B is ahead of A by 3.00 sDCG (95 % interval 0.0948 to 5.91, p = .046).",
    "mixed": "A and B don't differ clearly: B − A = 2.21 sDCG (95 % interval "
    "−0.727 to 5.14, p = .084).",
    "one topic": "A and B don't differ clearly: B − A = 3.50 sDCG (95 % interval "
    "−1.31 to 8.31, p = .089).",
    "missing searchers": "A and B don't differ clearly: B − A = 2.33 sDCG (95 % interval "
    "−1.15 to 5.82, p = .121).",
    "three systems": "C is ahead of A (by 5.33 sDCG, p = .012); B doesn't differ clearly from "
    "either.",
}
SAID = {
    "within": [
        "Within-searcher comparison: each of 4 searchers used both systems. Topic effects are "
        "removed; the result holds for these 2 topics only.",
        "Interval and p are from a t test (df = 3): there are too few searchers to rely on a "
        "permutation test. Effect size (B − A): Hedges' g = 1.69. For the same searcher, a "
        "session with B scores higher than one with A in 100 % of pairs (topic effects removed, "
        "ties count half).",
    ],
    "mixed": [
        "Mixed design: 3 searchers used both systems, 2 only one; all count. Topic effects "
        "are removed; the result holds for these 2 topics only.",
        "Interval and p are from a t test (df = 2.03): there are too few searchers to rely on a "
        "permutation test. Effect size (B − A): Hedges' g = 0.476. For the same searcher, a "
        "session with B scores higher than one with A in 100 % of pairs (topic effects removed, "
        "ties count half).",
    ],
    "one topic": [
        "Between-searcher comparison: 2 searchers with A, 2 searchers with B. The result "
        "holds for this one topic only.",
        "Interval and p are from a t test (df = 2): there are too few searchers to rely on a "
        "permutation test. Effect size (B − A): Hedges' g = 1.77. A session with B scores higher "
        "than one with A in 100 % of pairs (ties count half).",
    ],
    "missing searchers": [
        "Between-session comparison: 3 sessions with A, 3 sessions with B. The log names no "
        "searchers, so each session counts on its own. Topic effects are removed; the result "
        "holds for these 2 topics only.",
        "Interval and p are from a t test (df = 2.88): there are too few sessions to rely on a "
        "permutation test. Effect size (B − A): Hedges' g = 1.44. A session with B scores higher "
        "than one with A in 100 % of pairs (topic effects removed, ties count half).",
    ],
    "three systems": [
        "A and B don't differ clearly: B − A = 1.33 sDCG (95 % interval −2.46 to 5.13, p = "
        ".270 after Holm).",
        "Within-searcher comparison: each of 3 searchers used both systems. The result holds "
        "for this one topic only.",
        "Interval and p are from a t test (df = 2): there are too few searchers to rely on a "
        "permutation test. For the same searcher, a session with B scores higher than one with A "
        "in 83 % of pairs (95 % interval 3 to 100 %; ties count half).",
        "p is corrected for 3 pairs (Holm), on this score only; intervals are not corrected.",
    ],
}
LOOKED = (
    "This view isn't the usual one. Each further view adds a chance of a false finding (about 1 in "
    "20): report how many you looked at."
)
BARE = "Some means have no interval: their data are too few or too alike."
SOME_BARE = ("mixed", "unbalanced", "missing searchers", "one session per cell")
ADVICE = {
    **{name: [NOT_EQUAL, GROWS, LOOKED] for name in STUDIES},
    **{name: [NOT_EQUAL, BARE, GROWS, LOOKED] for name in SOME_BARE},
    "within": [GROWS, LOOKED],
}


@cache
def read(told: str) -> Study:
    """Sessions of one query whose gain at the first rank is their score."""
    return study_of(as_study(rows_of(*told.split(", "))))


@cache
def compared(told: str, *, score: str = "final", filters: Filters | None = None) -> Comparison:
    return compare_systems(read(told), LINEAR, filters or Filters(), score=score)


def test_how_often_a_session_beats_another_says_that_topics_are_taken_off() -> None:
    # B is 1 worse on either topic, u is 4 richer: three of four searchers have more with B, on u
    told = "2 A p t, 5 B p u, 3 A q t, 6 B q u, 1 A r t, 4 B r u, 7 A s u, 2 B s t"
    said = (
        "For the same searcher, a session with B scores higher than one with A in 0 % of pairs "
        "(topic effects removed, ties count half)."
    )
    assert words.details(compared(told))[1].endswith(said)


@pytest.mark.parametrize("name", ANSWERS)
def test_answer_in_full(name: str) -> None:
    assert words.answer(compared(STUDIES[name])) == ANSWERS[name]


@pytest.mark.parametrize("name", SAID)
def test_design_and_test_in_full(name: str) -> None:
    assert words.details(compared(STUDIES[name])) == SAID[name]


@pytest.mark.parametrize("name", STUDIES)
def test_advice_and_what_stands_behind_in_full(name: str) -> None:
    shown = compared(STUDIES[name])
    assert words.advice(shown) == ADVICE[name]
    rows = rows_of(*STUDIES[name].split(", "))
    counts = {system: sum(row.system == system for row in rows) for system in shown.names}
    told = re.findall(r"(\w): (\d+) sessions", words.behind(shown))
    assert {system: int(number) for system, number in told} == counts


def test_three_systems_are_corrected_together() -> None:
    shown, rows = compared(STUDIES["three systems"]), rows_of(*STUDIES["three systems"].split(", "))
    pairs = [PlainPair(rows, a, b) for a, b in ("AB", "AC", "BC")]
    expected = [pair.permutation()[0] for pair in pairs]
    assert shown.table()["p_permutation"].tolist() == pytest.approx(expected)
    by_t = [pair.p_t() for pair in pairs]  # of 7 arrangements each
    assert shown.p_holm.tolist() == pytest.approx(holm(by_t))
    cells = {(row.searcher, row.system): row.score for row in rows}
    labels, strata = [system for _, system in cells], [who for who, _ in cells]
    assert shown.omnibus == exact_p(list(cells.values()), labels, strata)
    assert [pair.system_a + pair.system_b for pair in shown.pairs] == ["AB", "AC", "BC"]
    assert words.pair_sentence(shown, 1).startswith("C is ahead of A by 5.33 ")
    assert "C − B = 4.00 " in words.pair_sentence(shown, 2)
    assert shown.clearest_place == 1


ODD = {
    "all scores equal": "2 A p t, 2 A q t, 2 B p t, 2 B q t",
    "all scores equal, one each": "2 A p t, 2 B q t, 2 B r t",
    "all scores 0": "0 A p t, 0 A q t, 0 B r t, 0 B s t",
    "one searcher per system": "1 A p t × 2, 4 B q t × 3",
    "one searcher of one system": "1 A p t × 2, 4 B q t, 3 B r t, 5 B s t",
    "one searcher at all": "1 A p t, 3 B p t × 2",
    "one session of each": "1 A p t, 2 B q t",
    "two without searchers": "1 A - t, 2 B - t",
    "nested topics": "1 A p t, 2 A q t, 4 B r u, 5 B s u",
    "nested topics within searchers": "1 A p t, 2 B p u, 3 A q t, 7 B q u",
    "one searcher on one topic": "1 A p t, 2 B p u, 3 A q t",
    "single ones of one system": "1 A p t, 2 B p t, 3 A q t, 4 A r t",
    "one system": "1 A p t, 2 A q t",
    "one session": "1 A p t",
    "three, one session of each": "1 A p t, 2 B q t, 3 C r t",
    "three, no topic shared": "1 A p t, 2 B q u, 3 C r v, 4 C s v",
    "equal differences": "1 A p t, 2 B p t, 4 A q t, 5 B q t",
}
CHOICES = {
    "as it is": ("final", Filters()),
    "share": ("final_normalised", Filters()),
    "one system": ("final", Filters(systems=("A",))),
    "no session": ("final", Filters(min_queries=9)),
}


def everything(shown: Comparison) -> str:
    """All that is said of a comparison, however little there is."""
    told = [words.behind(shown), words.sentences(shown), words.answer(shown)]
    told += words.advice(shown)
    for place in range(len(shown.pairs)):
        told += [
            words.pair_sentence(shown, place),
            *words.details(shown, place),
            *words.advice(shown, place),
        ]
    return "\n".join(told)


@pytest.mark.parametrize("name", ODD)
def test_odd_study_is_told_in_words(name: str) -> None:
    for score, filters in CHOICES.values():
        shown = compared(ODD[name], score=score, filters=filters)
        told = everything(shown)
        assert not re.search(r"\b(nan|inf|None|NaN)\b|e-\d\d", told), told
        assert words.answer(shown).endswith(".")


def test_odd_answers() -> None:
    told = {name: words.answer(compared(ODD[name])) for name in ODD}
    assert told["all scores equal"] == f"{NO_CLEAR} 0 sDCG (no interval, p = 1)."
    assert told["one searcher per system"] == (f"{NO_CLEAR} 3.00 sDCG (no interval, p = 1).")
    never = "A and B can't be compared: they were not used on the same topics."
    assert told["nested topics"] == told["one searcher on one topic"] == never
    assert words.details(compared(ODD["one system"])) == []
    one = "Only A has sessions with this score, so there is nothing to compare."
    assert told["one system"].startswith(one)
    assert told["one session"] == told["one system"]
    parted = "Only one searcher used A, so its effect can't be separated from that searcher's."
    assert parted in words.advice(compared(ODD["one searcher per system"]))
    alone = "Only one searcher used both systems, so the result says nothing about others."
    assert alone in words.advice(compared(ODD["one searcher at all"]))


def test_no_session_and_no_score_are_said() -> None:
    nothing = compared(STUDIES["within"], filters=Filters(min_queries=9))
    undefined = compared(ODD["all scores 0"], score="final_normalised")
    said = "The filters leave no session with this score: widen them."
    assert words.answer(nothing) == said
    assert words.answer(undefined) == (
        "There is no session with this score: in 4 sessions no judged document gains."
    )
    assert words.behind(nothing) == ""
    assert words.behind(undefined) == "Left out: 4 sessions whose score is undefined."
