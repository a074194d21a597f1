"""Is the last query better than the others? Against plain loops, and in words."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.comparing.last_against_others import CAVEAT, LastAgainstOthers, last_against_others
from analysis.comparing.within_sessions import Difference
from analysis.definition.definition import Definition, Filters
from analysis.query_order import query_order
from tests.support.plain_files import ECIR2008, definition_of, read_plain, study_of
from tests.support.plain_loop import (
    Choices,
    PlainSession,
    PlainStudy,
    Query,
    is_judged,
    query_scores,
)
from tests.support.plain_permutation import exact_p
from tests.support.random_studies import random_judgments, random_session
from tests.support.studies import SAMPLES, absent, at_hand

GAINS = {-1.0: 0.0, 0.0: 0.5, 1.0: 1.0, 2.0: 3.0, 3.0: 10.0}
LINEAR = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})
Pairs = list[tuple[float, float]]  # last, mean of the others


def random_study(seed: int) -> PlainStudy:
    """Many sessions of three systems by few searchers, some of one query or on no judged topic."""
    chance = random.Random(seed)
    sessions = [random_session(chance, f"s{i:02}") for i in range(chance.randint(4, 14))]
    shown = PlainSession("shown", [("t1", {1: "a"}), ("t1", {2: "b"})], "A", "p")
    return PlainStudy([*sessions, shown], random_judgments(chance) | {("t1", "a"): 1.0})


def asked(plain: PlainStudy, choices: Choices, measure: str) -> dict[str, dict[str, Pairs]]:
    """By system and searcher (or session): last and others of each session that has both."""
    found: dict[str, dict[str, Pairs]] = {}
    for session in plain.sessions:
        rows = query_scores(session.queries, plain.judgments, choices)
        *others, last = [row[measure] for row in rows]
        others = [value for value in others if not math.isnan(value)]
        if not others or math.isnan(last):
            continue
        of = found.setdefault(session.system, {})
        unit = session.searcher or f"session {session.name}"
        of.setdefault(unit, []).append((last, fmean(others)))
    return found


def expected_of(system: str, measure: str, of: dict[str, Pairs]) -> dict[str, Any]:
    """A row of the table."""
    every = [pair for pairs in of.values() for pair in pairs]
    each = [tuple(fmean(values) for values in zip(*pairs, strict=True)) for pairs in of.values()]
    d = [last - others for last, others in each]
    low = high = math.nan
    if len(d) > 1 and max(d) - min(d) > 1e-9:
        low, high = stats.ttest_1samp(d, 0.0).confidence_interval()
    # decimals make ties of what loops and arrays round apart
    exact = [Fraction(round(value, 9)).limit_denominator(10**9) for pair in each for value in pair]
    strata = [i // 2 for i in range(len(exact))]
    p, _ = exact_p(exact, [1, 0] * len(each), strata)
    unnamed = sum(unit.startswith("session ") for unit in of)
    row = {"system": system, "measure": measure, "sessions": len(every)}
    row |= {"searchers": len(of) - unnamed, "unnamed": unnamed}
    row |= {"last": fmean(last for last, _ in every), "others": fmean(o for _, o in every)}
    return row | {"difference": fmean(d), "low": low, "high": high, "p_permutation": p}


def compared(plain: PlainStudy, choices: Choices, filters: Filters | None = None) -> Any:
    return last_against_others(study_of(plain), definition_of(choices), filters or Filters())


@pytest.mark.parametrize("seed", range(30))
def test_table_is_that_of_plain_loops(seed: int) -> None:
    chance, plain = random.Random(seed), random_study(seed)
    choices = Choices(
        GAINS,
        b=chance.choice([2.0, 5.0]),
        bq=chance.choice([4.0, math.inf]),
        top=chance.choice([3, 10]),
        repeats=chance.choice(["every", "first"]),
        short=chance.choice(["pad", "as-is"]),
    )
    shown = compared(plain, choices)
    found = shown.table().to_dict("records")
    rows = {(row["system"], row["measure"]): row for row in found}
    sessions = 0
    for measure in ("dcg", "sdcg"):
        expected = asked(plain, choices, measure)
        assert [s for s, of in rows if of == measure] == sorted(expected)
        sessions = sum(len(pairs) for of in expected.values() for pairs in of.values())
        for system, of in expected.items():
            own, row = expected_of(system, measure, of), rows[system, measure]
            if math.isnan(own["low"]):  # differences that are all alike, or one
                row["low"] = row["high"] = math.nan
            for name, value in own.items():
                near = pytest.approx(value, nan_ok=True, abs=1e-9)
                assert row[name] == (value if isinstance(value, str) else near), name
    judged = [s for s in plain.sessions if is_judged(s.queries, plain.judgments)]
    assert shown.single == sum(len(s.queries) == 1 for s in judged)
    assert shown.undefined == len(judged) - shown.single - sessions


@pytest.mark.parametrize("seed", range(0, 30, 3))
def test_query_order_and_compare_say_the_same(seed: int) -> None:
    study, definition = study_of(random_study(seed)), definition_of(replace(LINEAR, gains=GAINS))
    shown = last_against_others(study, definition, Filters())
    order = query_order(study, definition, Filters())
    headline = shown.headline()
    assert order.answer() == headline
    assert CAVEAT in order.advice()
    every = len({of.system for of in shown.differences}) <= 2
    for of in shown.differences:
        if of.measure == "sdcg":
            continue
        told = next(said for said in shown.sentences() if said.startswith(f"{of.system}: "))
        numbers = told[told.index("(") : told.index("; permutation test p ")]
        assert numbers in headline or not every
        assert of.counts() in order.behind()
        assert ("no clear difference" in told) == (not of.is_clear)
        low, high = of.interval
        assert of.is_clear == (not low <= 0 <= high and of.p <= 0.05)


def test_clear_is_what_interval_and_permutation_test_both_say() -> None:
    verdicts: list[tuple[bool, bool]] = []
    for seed in range(40):  # from no difference to one that needs no drawing
        rng = np.random.default_rng(seed)
        d = rng.exponential(size=3 + seed) - 1 + rng.choice([0, 0.4, 0.7, 3])
        of = Difference("A", "dcg", np.ones_like(d, dtype=int), d.size, np.zeros_like(d), d)
        low, high = of.interval
        clear = not low <= 0 <= high and of.p <= 0.05
        assert of.is_clear == clear, seed
        verdicts.append((clear, not low <= 0 <= high))
    assert {*verdicts} == {(True, True), (False, True), (False, False)}


def test_sample_equals_the_loops() -> None:
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    choices = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
    shown = last_against_others(at_hand(SAMPLES[0]), Definition(), Filters()).table()
    for row in shown.to_dict("records"):
        of = asked(plain, choices, row["measure"])[row["system"]]
        d = [fmean(last - others for last, others in pairs) for pairs in of.values()]
        low, high = stats.ttest_1samp(d, 0.0).confidence_interval()
        found = [row["difference"], row["low"], row["high"]]
        assert found == pytest.approx([fmean(d), low, high])
        assert 1 / 10_001 <= row["p_permutation"] <= 1


def study(*sessions: tuple[str, str, str]) -> PlainStudy:
    """System, searcher and what each query shows first: grades 0 to 3, x on no judged topic."""
    made: list[PlainSession] = []
    for i, (system, searcher, grades) in enumerate(sessions):
        queries: list[Query] = [("u" if g == "x" else "t", {1: f"d{g}"}) for g in grades]
        made.append(PlainSession(f"s{i:02}", queries, system, searcher))
    return PlainStudy(made, {("t", f"d{grade}"): float(grade) for grade in range(4)})


def sentences(*sessions: tuple[str, str, str]) -> list[str]:
    return compared(study(*sessions), LINEAR).sentences()


def test_sentences_in_full() -> None:
    sessions = (
        *(("A", "p", "13"), ("A", "q", "113"), ("A", "q", "01"), ("A", "r", "01")),
        *(("A", "s", "02"), ("A", "o", "01"), ("A", "n", "113")),
        *(("B", "p", "30"), ("B", "q", "20"), ("B", "q", "2"), ("C", "p", "1")),
    )
    # A: 2, (2 + 1) / 2, 1, 2, 1, 2: mean 9.5 / 6, sd √(1.2083 / 5), ± 2.571 sd / √6
    behind = "95 % interval 1.07 to 2.10 by t", "7 sessions by 6 searchers"
    # B: 3 and 2 less: 2.5 ± 12.71 × √½ / √2
    unclear = "2.50 DCG less; 95 % interval -3.85 to 8.85 by t"
    shown = compared(study(*sessions), LINEAR)
    assert shown.sentences() == [
        "A: the last query is worth 1.58 DCG more than the others of its session "
        f"({behind[0]}; permutation test p = .031; {behind[1]}).",
        "B: no clear difference between the last query and the others of its session "
        f"({unclear}; permutation test p = .500; 2 sessions by 2 searchers).",
        "C: no session has a last query and others on judged topics.",
        "A query is the last partly because of what it was worth: a search ends when enough was "
        "found, or is given up.",
        "2 sessions with a single query can't be asked.",
    ]
    assert shown.headline() == (
        "A: the last query is worth 1.58 DCG more than the others of its session "
        f"({behind[0]}). B: no clear difference ({unclear}). "
        "C: no session has a last query and others on judged topics."
    )


def test_equal_lists_are_no_difference_before_the_query_discount() -> None:
    same: list[Query] = [("t", {1: "d3", 4: "d1"})] * 4  # the second is worth a third: it rounds
    sessions = [PlainSession(f"s{i}", same, "A") for i in range(12)]
    shown = compared(PlainStudy(sessions, {("t", "d3"): 3.0, ("t", "d1"): 1.0}), LINEAR)
    assert shown.sentences() == [
        "A: no clear difference between the last query and the others of its session (a "
        "difference of 0 DCG; no interval; permutation test p = 1; 12 sessions).",
        CAVEAT,
    ]
    assert shown.headline().startswith("A: no clear difference between the last query and the ")
    dcg, sdcg = shown.table().to_dict("records")
    assert (dcg["difference"], dcg["searchers"], dcg["unnamed"]) == (0, 0, 12)
    sides = fmean([1, 1 / 1.5, 1 / (1 + math.log(3, 4))]), 1 / 2  # D(q)
    assert sdcg["difference"] == pytest.approx((sides[1] - sides[0]) * (3 + 1 / 3))


def test_alike_by_all_is_clear_without_an_interval() -> None:
    (told, _) = sentences(*(("A", f"p{i}", "12") for i in range(12)))
    # 2 of 4,096 arrangements
    assert told.startswith("A: the last query is worth 1.00 DCG more than the others")
    assert "(no interval; permutation test p < .001; 12 sessions by 12 searchers)" in told


def test_one_searcher_has_no_interval_and_nothing_is_clear() -> None:
    told, _ = sentences(("A", "p", "13"), ("A", "p", "03"))
    assert told.startswith("A: no clear difference between the last query and the others of its s")
    assert "(2.50 DCG more; no interval; permutation test p = 1; 2 sessions by 1 searcher)" in told


def test_queries_on_topics_nobody_judged_are_neither_last_nor_others() -> None:
    shown = compared(study(("A", "", "1x3"), ("A", "", "13x"), ("A", "", "xx3")), LINEAR)
    assert shown.table()["difference"].tolist()[0] == 3 - 1
    *_, said = shown.sentences()
    assert said == (
        "Nor can 2 sessions whose last query, or every other, is on a topic nobody judged."
    )
    assert (shown.single, shown.undefined) == (0, 2)


ODD = {
    "one session": [("A", "p", "12")],
    "no searchers": [("A", "", "12"), ("A", "", "13"), ("B", "", "11")],
    "some searchers": [("A", "", "12"), ("A", "p", "13"), ("A", "p", "11"), ("A", "", "21")],
    "last as the others": [("A", "p", "11"), ("A", "q", "22")],
    "single queries alone": [("A", "p", "1"), ("B", "q", "2")],
    "nothing relevant": [("A", "p", "00"), ("A", "q", "000")],
}


@pytest.mark.parametrize("name", ODD)
def test_odd_study_is_told_in_words(name: str) -> None:
    shown = compared(study(*ODD[name]), LINEAR)
    for told in (" ".join(shown.sentences()), shown.headline()):
        assert told.endswith(".")
        assert not re.search(r"\b(nan|inf|None)\b|e-", told)
    named = any(searcher for _, searcher, _ in ODD[name])
    assert named or "searcher" not in f"{shown.sentences()} {shown.headline()}"


def test_some_sessions_without_a_searcher_are_said() -> None:
    told = sentences(*ODD["some searchers"])[0]
    assert "; 4 sessions, of which 2 name no searcher, the others by 1 searcher)" in told


def test_no_session_left_says_nothing() -> None:
    shown: LastAgainstOthers = compared(study(("A", "p", "12")), LINEAR, Filters(min_queries=5))
    assert (len(shown.table()), shown.sentences()) == (0, [])
    assert shown.headline() == "No session has a last query and others on judged topics."


def test_filters_narrow_the_systems() -> None:
    plain = study(("A", "p", "12"), ("B", "q", "13"), ("B", "p", "31"))
    shown = compared(plain, LINEAR, Filters(systems=("B",)))
    assert shown.table()["system"].tolist() == ["B", "B"]
    assert shown.table()["difference"].tolist()[0] == 0


@absent
def test_log_without_searchers_names_none() -> None:
    shown = last_against_others(at_hand("trec-session-2013"), Definition(), Filters())
    said = [*shown.sentences(), shown.headline()]
    assert "; 67 sessions)" in said[0]
    assert not any("searcher" in text for text in said)
