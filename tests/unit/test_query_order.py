"""Query order: shares by rank, the best query, the last one and the others, by plain loops."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.questions.query_order import words
from sdcg_explorer.questions.query_order.numbers import (
    LAST_COLUMNS,
    Difference,
    LastAgainstOthers,
    QueryOrder,
    last_against_others,
    query_order,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import (
    Choices,
    PlainSession,
    PlainStudy,
    Query,
    is_judged,
    query_scores,
)
from tests.support.plain_statistics import exact_p
from tests.support.random_studies import random_judgments, random_session
from tests.support.studies import SAMPLES, at_hand
from tests.support.thorough import THOROUGH


def test_best_is_chosen_before_the_discount_where_it_is_left_out() -> None:
    # 3 then 4: sDCG 3 against 4 / 1.5
    queries: list[Query] = [("t", {1: "three"}), ("t", {1: "four"})]
    judged = {("t", "three"): 3.0, ("t", "four"): 4.0}
    plain = study_of(PlainStudy([PlainSession("s", queries)], judged))
    linear = definition_of(Choices({3.0: 3.0, 4.0: 4.0}))
    for discounted, best in ((True, 3.0), (False, 4.0)):
        order = query_order(plain, linear, Filters(), splits=("best",), discounted=discounted)
        assert order.curve("A", "best").mean[0] == best


NDCG: dict[tuple[str, str], float] = {("t", "a"): 1, ("t", "b"): 2, ("t", "c"): 3, ("u", "z"): 0}
ASKED: dict[str, list[Query]] = {
    "one": [("t", {1: "a", 2: "b"}), ("t", {2: "c"})],
    "two": [("t", {}), ("u", {1: "z"}), ("t", {1: "c"})],
    "three": [("u", {1: "z"})],
}


def shares(*names: str) -> QueryOrder:
    plain = PlainStudy([PlainSession(name, ASKED[name]) for name in names], NDCG)
    linear = Definition(weights="linear")
    return query_order(study_of(plain), linear, Filters(), measure="ndcg", depth=4)


def test_nothing_that_gains_leaves_no_share_and_an_unknown_measure_is_refused() -> None:
    order = shares("one", "two", "three")
    assert [(c.queries, c.undefined) for c in order.curves] == [(2, 1), (2, 1)]
    assert " Left out: 2 queries whose ideal list gains nothing." in words.behind(order)
    assert order.paired is None
    assert words.answer(shares("three")) == words.NO_IDEAL
    with pytest.raises(ValueError, match=r"^measure 'map'; choose one of sdcg, ndcg, srbp, rbp\.$"):
        query_order(at_hand(SAMPLES[0]), Definition(), Filters(), measure="map")


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
    low = high = p_t = math.nan
    if len(d) > 1 and max(d) - min(d) > 1e-9:
        tested = stats.ttest_1samp(d, 0.0)
        p_t, (low, high) = tested[1], tested.confidence_interval()
    # decimals make ties of what loops and arrays round apart
    exact = [Fraction(round(value, 9)).limit_denominator(10**9) for pair in each for value in pair]
    strata = [i // 2 for i in range(len(exact))]
    p, others = exact_p(exact, [1, 0] * len(each), strata)
    unnamed = sum(unit.startswith("session ") for unit in of)
    row = {"system": system, "measure": measure, "sessions": len(every)}
    row |= {"searchers": len(of) - unnamed, "unnamed": unnamed}
    row |= {"last": fmean(last for last, _ in every), "others": fmean(o for _, o in every)}
    row |= {"difference": fmean(d), "low": low, "high": high, "p_t": p_t}
    return row | {"p_permutation": p, "arrangements": others}


def compared(plain: PlainStudy, choices: Choices, filters: Filters | None = None) -> Any:
    return last_against_others(study_of(plain), definition_of(choices), filters or Filters())


@pytest.mark.parametrize("seed", range(10 * THOROUGH))
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
                row["low"] = row["high"] = row["p_t"] = math.nan
            for name, value in own.items():
                near = pytest.approx(value, nan_ok=True, abs=1e-9)
                assert row[name] == (value if isinstance(value, str) else near), name
    judged = [s for s in plain.sessions if is_judged(s.queries, plain.judgments)]
    assert shown.single == sum(len(s.queries) == 1 for s in judged)
    assert shown.undefined == len(judged) - shown.single - sessions


def study(*sessions: tuple[str, str, str]) -> PlainStudy:
    """System, searcher and what each query shows first: grades 0 to 3, x on no judged topic."""
    made: list[PlainSession] = []
    for i, (system, searcher, grades) in enumerate(sessions):
        queries: list[Query] = [("u" if g == "x" else "t", {1: f"d{g}"}) for g in grades]
        made.append(PlainSession(f"s{i:02}", queries, system, searcher))
    return PlainStudy(made, {("t", f"d{grade}"): float(grade) for grade in range(4)})


def sentences(*sessions: tuple[str, str, str]) -> list[str]:
    return words.sentences(compared(study(*sessions), LINEAR))


def test_sentences_in_full() -> None:
    sessions = (
        *(("A", "p", "13"), ("A", "q", "113"), ("A", "q", "01"), ("A", "r", "01")),
        *(("A", "s", "02"), ("A", "o", "01"), ("A", "n", "113")),
        *(("B", "p", "30"), ("B", "q", "20"), ("B", "q", "2"), ("C", "p", "1")),
    )
    # A: 2, (2 + 1) / 2, 1, 2, 1, 2: mean 9.5 / 6, sd √(1.2083 / 5), ± 2.571 sd / √6
    # B: 3 and 2 less: 2.5 ± 12.71 × √½ / √2; t = -5
    shown = compared(study(*sessions), LINEAR)
    assert words.sentences(shown) == [
        "A: last − others = 1.58 DCG (95% interval 1.07 to 2.10, p = .031; 7 sessions by 6 "
        "searchers).",
        "B: last − others = −2.50 DCG (95% interval −8.85 to 3.85, p = .126; 2 sessions by 2 "
        "searchers).",
        "C: no session has both a last query and others on judged topics.",
        words.CAVEAT,
        "2 sessions with one query are left out.",
    ]
    assert words.headline(shown) == (
        "Within sessions, the last query gains clearly more with A before the query discount (A "
        "+1.6, B −2.5) and after it (+0.88, −2.5)."
    )


def test_t_leads_where_searchers_are_too_few_to_permute() -> None:
    d = [324.0, 382.0, 353.0, 340.0, 366.0]  # 353 ± 2.776 × 22.4 / √5: 325.2 to 380.8; t = 35.3
    few = Difference("A", "dcg", np.ones(5, dtype=int), 5, np.zeros(5), np.array(d))
    assert words.difference(few) == (
        "A: last − others = 353 DCG (95% interval 325 to 381, p < .001; 5 sessions by 5 searchers)."
    )
    row = dict(zip(LAST_COLUMNS, few.row(), strict=True))
    assert (row["p_permutation"], row["arrangements"]) == (2 / 32, 31)
    assert row["p_t"] == pytest.approx(stats.ttest_1samp(d, 0.0)[1])
    six = replace(few, sessions=np.ones(6, dtype=int), last=np.array([*d, 353]), others=np.zeros(6))
    assert ", p = .031; " in words.difference(six)
    alike = replace(few, last=np.full(5, 353.0))  # without spread there is no t to lead
    assert "(no interval, p = .062; " in words.difference(alike)


def of_systems(**change: float) -> LastAgainstOthers:
    """Systems whose last queries differ by so much before the discount, and by 1 less after it."""
    spread = np.array([-0.2, 0.1, 0.3, -0.1, 0.2, -0.3, 0.0])

    def like(name: str, measure: str, by: float) -> Difference:
        return Difference(name, measure, np.ones(7, dtype=int), 7, np.zeros(7), by + spread)

    each = [like(name, "dcg", by) for name, by in change.items()]
    each += [like(name, "sdcg", by - 1) for name, by in change.items()]
    return LastAgainstOthers(tuple(each), tuple(change), 0, 0, 10)


def test_where_last_queries_differ_clearly_is_said_by_name_or_number() -> None:
    assert words.headline(of_systems(A=1, B=2)) == (
        "Within sessions, the last query gains more than the others before the query discount (B "
        "+2.0, A +1.0), and clearly more with B after it (+1.0, ±0)."
    )
    assert words.headline(of_systems(A=3, B=0, C=-1)) == (
        "Within sessions, the last query gains clearly more with A and clearly less with C before "
        "the query discount, and clearly more with A and clearly less with B and C after it."
    )
    many = {name: float(i) for i, name in enumerate("ABCDE")}
    assert words.headline(of_systems(**many)) == (
        "Within sessions, the last query gains clearly more with 4 of 5 systems before the query "
        "discount, and clearly more with 3 of 5 systems and clearly less with A after it."
    )


TURNING = (  # A: .5 or .33; after the discount 3 / 1.79 less 2 or 2.17, and 1.5 less 1.89
    *((("A", f"p{i}", "233")) for i in range(3)),
    *(("A", "p3", "323"), ("A", "p4", "323"), ("A", "p5", "2333")),
    *(("B", "p0", "13"), ("B", "p1", "31"), ("B", "p2", "23"), ("B", "p3", "22")),
)
LED = {
    "signs differ": (
        TURNING,
        "Within sessions, the last query gains clearly more with A before the query discount (A "
        "+0.47, B +0.25), and clearly less with A after it (−0.39, −0.50).",
    ),
    "no spread, no interval": (
        [("A", f"p{i}", "12") for i in range(12)],
        "Within sessions, the last query doesn't differ clearly from the others, before the query "
        "discount (+1.0) or after it (+0.33). The figure pools all queries: +0.33.",
    ),
}


@pytest.mark.parametrize("name", LED)
def test_a_direction_is_said_where_its_interval_excludes_0_and_both_where_signs_differ(
    name: str,
) -> None:
    sessions, said = LED[name]
    order = query_order(study_of(study(*sessions)), Definition(weights="linear"), Filters())
    assert words.answer(order) == said


def test_what_can_not_be_compared_is_said_so() -> None:
    def answer(*sessions: tuple[str, str, str]) -> str:
        view = study_of(study(*sessions)), Definition(weights="linear"), Filters()
        order = query_order(*view)
        return f"{words.answer(order)} {words.note(order)}".strip()

    assert answer(("A", "p", "1x"), ("A", "q", "2xx")) == (
        "There is nothing to compare: no system has judged last queries and others."
    )
    # curves run over both sessions, of which neither has both: 3 / (1 + log_4 2) − 1
    assert answer(("A", "p", "1x"), ("A", "q", "x3"), ("B", "q", "1")) == (
        "At rank 10, last queries differ from the others by A +1.0; B has only one kind of query. "
        "No session has both a last query and others on judged topics."
    )


def test_one_searcher_has_no_interval_and_nothing_is_clear() -> None:
    (told,) = sentences(("A", "p", "13"), ("A", "p", "03"))
    assert told == "A: last − others = 2.50 DCG (no interval; 2 sessions by 1 searcher)."


def test_queries_on_topics_nobody_judged_are_neither_last_nor_others() -> None:
    odd = ("A", "", "1x3"), ("A", "", "13x"), ("A", "", "xx3")
    shown = compared(study(*odd), LINEAR)
    assert shown.table()["difference"].tolist()[0] == 3 - 1
    told = (
        "2 sessions are left out because their last query, or all others, are on unjudged topics."
    )
    assert words.sentences(shown)[-1] == told
    assert (shown.single, shown.undefined) == (0, 2)
    assert sentences(*odd, ("A", "", "1"))[-2:] == ["1 session with one query is left out.", told]
