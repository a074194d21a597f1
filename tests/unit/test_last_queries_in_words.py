"""Is the last query better than the others? In words, worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.questions.query_order import words
from sdcg_explorer.questions.query_order.numbers import (
    LAST_COLUMNS,
    Difference,
    LastAgainstOthers,
    query_order,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query
from tests.unit.test_last_against_others import LINEAR, compared


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
        "A: last − others = 1.58 DCG (95 % interval 1.07 to 2.10, p = .031; 7 sessions by 6 "
        "searchers).",
        "B: last − others = −2.50 DCG (95 % interval −8.85 to 3.85, p = .126; 2 sessions by 2 "
        "searchers).",
        "C: no session has both a last query and others on judged topics.",
        words.CAVEAT,
        "2 sessions with one query are left out.",
    ]
    assert words.headline(shown) == (
        "Last queries gain clearly more with A before the query discount (A +1.6, B −2.5) and "
        "after it (+0.88, −2.5)."
    )


def test_equal_lists_are_no_difference_before_the_query_discount() -> None:
    same: list[Query] = [("t", {1: "d3", 4: "d1"})] * 4  # the second is worth a third: it rounds
    sessions = [PlainSession(f"s{i}", same, "A") for i in range(12)]
    shown = compared(PlainStudy(sessions, {("t", "d3"): 3.0, ("t", "d1"): 1.0}), LINEAR)
    assert words.sentences(shown) == [
        "A: last − others = 0 DCG (no interval, p = 1; 12 sessions).",
    ]
    dcg, sdcg = shown.table().to_dict("records")
    assert (dcg["difference"], dcg["searchers"], dcg["unnamed"]) == (0, 0, 12)
    sides = fmean([1, 1 / 1.5, 1 / (1 + math.log(3, 4))]), 1 / 2  # D(q)
    assert sdcg["difference"] == pytest.approx((sides[1] - sides[0]) * (3 + 1 / 3))


def test_alike_by_all_is_clear_without_an_interval() -> None:
    (told,) = sentences(*(("A", f"p{i}", "12") for i in range(12)))
    # 2 of 4,096 arrangements
    assert (
        told == "A: last − others = 1.00 DCG (no interval, p < .001; 12 sessions by 12 searchers)."
    )


def test_t_leads_where_searchers_are_too_few_to_permute() -> None:
    d = [324.0, 382.0, 353.0, 340.0, 366.0]  # 353 ± 2.776 × 22.4 / √5: 325.2 to 380.8; t = 35.3
    few = Difference("A", "dcg", np.ones(5, dtype=int), 5, np.zeros(5), np.array(d))
    assert words.difference(few) == (
        "A: last − others = 353 DCG (95 % interval 325 to 381, p < .001; 5 sessions by 5 "
        "searchers)."
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
        "Last queries gain more than the others of their session before the query discount (B "
        "+2.0, A +1.0), clearly more with B after it (+1.0, 0)."
    )
    assert words.headline(of_systems(A=3, B=0, C=-1)) == (
        "Last queries gain clearly more with A and clearly less with C before the query discount "
        "(A +3.0, B 0, C −1.0), clearly more with A and clearly less with B and C after it."
    )
    assert words.headline(of_systems(A=0.1, B=0, C=0)) == (
        "Last queries don't differ clearly from the others of their session before the query "
        "discount (A +0.10, B 0, C 0), but gain less after it (−0.90, −1.0, −1.0)."
    )
    many = {name: float(i) for i, name in enumerate("ABCDE")}
    assert words.headline(of_systems(**many)) == (
        "Last queries gain clearly more with 4 of 5 systems before the query discount (E +4.0 to A "
        "0), clearly more with 3 of 5 systems and clearly less with A after it (+3.0 to −1.0)."
    )


TURNING = (  # A: .5 or .33; after the discount 3 / 1.79 less 2 or 2.17, and 1.5 less 1.89
    *((("A", f"p{i}", "233")) for i in range(3)),
    *(("A", "p3", "323"), ("A", "p4", "323"), ("A", "p5", "2333")),
    *(("B", "p0", "13"), ("B", "p1", "31"), ("B", "p2", "23"), ("B", "p3", "22")),
)
RISING = tuple(
    ("A", f"p{i}", grades) for i, grades in enumerate(("13", "12", "03", "02", "12", "13"))
)
LED = {
    "signs differ": (
        TURNING,
        "Last queries gain clearly more with A before the query discount (A +0.47, B +0.25), "
        "clearly less with A after it (−0.39, −0.50; in the figure −0.38, −0.50).",
    ),
    "all one way": (
        RISING,
        "Last queries gain more than the others of their session before the query discount (+1.8) "
        "and after it (+1.0; in the figure +1.0).",
    ),
    "one-query sessions turn the figure": (
        (*RISING, *(("A", f"q{i}", "0") for i in range(10))),
        "Last queries gain more than the others of their session before the query discount (+1.8) "
        "and after it (+1.0; in the figure −0.042).",
    ),
    "none clear": (
        TURNING[6:],
        "Last queries don't differ clearly from the others of their session, before the query "
        "discount (+0.25) or after it (−0.50; in the figure −0.50).",
    ),
    "no spread, no interval": (
        [("A", f"p{i}", "12") for i in range(12)],
        "Last queries don't differ clearly from the others of their session, before the query "
        "discount (+1.0) or after it (+0.33; in the figure +0.33).",
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
    assert told == "A: last − others = 2.50 DCG (no interval, p = 1; 2 sessions by 1 searcher)."


def test_queries_on_topics_nobody_judged_are_neither_last_nor_others() -> None:
    odd = ("A", "", "1x3"), ("A", "", "13x"), ("A", "", "xx3")
    shown = compared(study(*odd), LINEAR)
    assert shown.table()["difference"].tolist()[0] == 3 - 1
    told = (
        "2 sessions are left out because their last query, or all others, are on unjudged topics."
    )
    assert words.sentences(shown)[-1] == told
    assert (shown.single, shown.undefined) == (0, 2)
    assert sentences(*odd, ("A", "", "1"))[-2:] == [
        "1 session with one query is left out.",
        told,
    ]
