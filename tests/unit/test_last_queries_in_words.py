"""Is the last query better than the others? In words, worked by hand."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.questions.query_order import words
from sdcg_explorer.questions.query_order.numbers import (
    Difference,
    LastAgainstOthers,
    last_against_others,
    query_order,
)
from sdcg_explorer.questions.wording import plus
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query
from tests.support.studies import at_hand, real_logs
from tests.unit.test_last_against_others import LINEAR, compared, random_study


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
    behind = "95 % interval 1.07 to 2.10", "7 sessions by 6 searchers"
    # B: 3 and 2 less: 2.5 ± 12.71 × √½ / √2; t = -5
    unclear = "95 % interval −8.85 to 3.85"
    shown = compared(study(*sessions), LINEAR)
    assert words.sentences(shown) == [
        "A: the last query is worth more than the others of its session, last − others = 1.58 DCG "
        f"({behind[0]}, p = .031; {behind[1]}).",
        "B: no clear difference between the last query and the others of its session, last − "
        f"others = −2.50 DCG ({unclear}, p = .126; 2 sessions by 2 searchers).",
        "C: no session has a last query and others on judged topics.",
        "A query is the last partly because of what it was worth: a search ends when enough was "
        "found, or is given up.",
        "2 sessions with a single query can't be asked.",
    ]
    assert words.headline(shown) == (
        "Within sessions that have both, over the top 10 and before the query discount, each "
        "searcher counting once, the last query less the mean of the others is 1.58 DCG with A "
        f"(a clear difference; {behind[0]}) and −2.50 DCG with B (no clear difference; {unclear}); "
        "no session has both with C."
    )


def test_equal_lists_are_no_difference_before_the_query_discount() -> None:
    same: list[Query] = [("t", {1: "d3", 4: "d1"})] * 4  # the second is worth a third: it rounds
    sessions = [PlainSession(f"s{i}", same, "A") for i in range(12)]
    shown = compared(PlainStudy(sessions, {("t", "d3"): 3.0, ("t", "d1"): 1.0}), LINEAR)
    assert words.sentences(shown) == [
        "A: no clear difference between the last query and the others of its session, last − "
        "others = 0 DCG (no interval, p = 1; 12 sessions).",
    ]
    assert words.headline(shown).endswith(" is 0 DCG with A (no clear difference; no interval).")
    dcg, sdcg = shown.table().to_dict("records")
    assert (dcg["difference"], dcg["searchers"], dcg["unnamed"]) == (0, 0, 12)
    sides = fmean([1, 1 / 1.5, 1 / (1 + math.log(3, 4))]), 1 / 2  # D(q)
    assert sdcg["difference"] == pytest.approx((sides[1] - sides[0]) * (3 + 1 / 3))


def test_alike_by_all_is_clear_without_an_interval() -> None:
    (told,) = sentences(*(("A", f"p{i}", "12") for i in range(12)))
    # 2 of 4,096 arrangements
    assert told.startswith("A: the last query is worth more than the others of its session")
    assert "1.00 DCG (no interval, p < .001; 12 sessions by 12 searchers)" in told


def test_t_leads_where_searchers_are_too_few_to_permute() -> None:
    d = [324.0, 382.0, 353.0, 340.0, 366.0]  # 353 ± 2.776 × 22.4 / √5: 325.2 to 380.8; t = 35.3
    few = Difference("A", "dcg", np.ones(5, dtype=int), 5, np.zeros(5), np.array(d))
    assert words.said(few) == (
        "A: the last query is worth more than the others of its session, last − others = 353 DCG "
        "(95 % interval 325 to 381, p < .001; 5 sessions by 5 searchers)."
    )
    assert words.brief(few) == "353 DCG with A (a clear difference; 95 % interval 325 to 381)"
    row = few.row()
    assert (row["p_permutation"], row["arrangements"]) == (2 / 32, 31)
    assert row["p_t"] == pytest.approx(stats.ttest_1samp(d, 0.0)[1])
    six = replace(few, sessions=np.ones(6, dtype=int), last=np.array([*d, 353]), others=np.zeros(6))
    assert ", p = .031; " in words.said(six)
    alike = replace(few, last=np.full(5, 353.0))  # without spread there is no t to lead
    assert "no interval, p = .062; " in words.said(alike)


def test_of_many_systems_those_that_are_clear_are_named() -> None:
    def like(name: str, change: float) -> Difference:
        d = change + np.array([-0.2, 0.1, 0.3, -0.1, 0.2, -0.3, 0.4])
        return Difference(name, "dcg", np.ones(7, dtype=int), 7, np.zeros(7), d)

    def headline(**change: float) -> str:
        of = tuple(like(name, each) for name, each in change.items())
        return words.headline(LastAgainstOthers(of, tuple(change), 0, 0, 10)).split(" others is ")[
            1
        ]

    assert headline(A=0, B=-2, C=3, D=-1) == (  # each 0.0571 more than it was planted with
        "3.06 DCG with C, −1.94 DCG with B, 2 others lie between; clearly above 0 with C, below 0 "
        "with B and D."
    )
    assert headline(A=0, B=0.01, C=-0.01).endswith("; clearly above or below 0 with none.")
    many = {name: float(i + 1) for i, name in enumerate("ABCDEFG")}
    assert headline(**many).endswith("; clearly above 0 with G, F, E, D, C and 2 more.")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("measure", ["rbp", "ndcg"])
def test_curves_are_told_apart_as_the_table_has_them(seed: int, measure: str) -> None:
    view = study_of(random_study(seed)), Definition(weights="linear"), Filters()
    order = query_order(*view, measure=measure)
    drawn = order.table().query(f"rank == {min(order.shown_rank, order.longest)} and queries > 0")
    table = drawn.pivot(index="system", columns="group", values="mean")
    gaps = (table["last"] - table["other"]).sort_values(ascending=False)
    by = [f"{system} {plus(gap)}" for system, gap in gaps.dropna().items()]
    told, lacking = words.answer(order), gaps.size - len(by)
    if by:  # no direction: of the figure's differences there is no interval
        what = "Last queries less the others" + " in nDCG" * (measure == "ndcg")
        assert told.startswith(f"{what} at rank {order.shown_rank}: {', '.join(by)}")
        assert not {"more", "higher", "lower"} & {*told.replace(".", "").split()}
    assert ("one of the two" in told) == (0 < lacking < gaps.size)


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
        "Last queries gain more in A before the query discount (A +0.47, B +0.25), less in A after "
        "it (−0.39, −0.50; Figure 1: −0.38, −0.50).",
    ),
    "all one way": (
        RISING,
        "Last queries gain more than the others of their sessions before the query discount (+1.8; "
        "Figure 1: +1.0).",
    ),
    "one-query sessions turn the figure": (
        (*RISING, *(("A", f"q{i}", "0") for i in range(10))),
        "Last queries gain more before the query discount (+1.8), and more after it (+1.0; Figure "
        "1: −0.042).",
    ),
    "none clear": (
        TURNING[6:],
        "Last queries don't clearly gain more or less before the query discount (+0.25), nor after "
        "it (−0.50; Figure 1: −0.50).",
    ),
    "no spread, no interval": (
        [("A", f"p{i}", "12") for i in range(12)],
        "Last queries don't clearly gain more or less than the others of their sessions before the "
        "query discount (+1.0; Figure 1: +0.33).",
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
        return f"{words.answer(order)} {words.within(order)}".strip()

    assert answer(("A", "p", "1x"), ("A", "q", "2xx")) == (
        "No system has both last queries and others whose worth is known."
    )
    # curves run over both sessions, of which neither has both: 3 / (1 + log_4 2) − 1
    assert answer(("A", "p", "1x"), ("A", "q", "x3"), ("B", "q", "1")) == (
        "Last queries less the others at rank 10: A +1.0; B lacks one of the two. "
        "No session has a last query and others on judged topics."
    )


def test_one_searcher_has_no_interval_and_nothing_is_clear() -> None:
    (told,) = sentences(("A", "p", "13"), ("A", "p", "03"))
    assert told.startswith("A: no clear difference between the last query and the others of its s")
    assert "= 2.50 DCG (no interval, p = 1; 2 sessions by 1 searcher)" in told


def test_queries_on_topics_nobody_judged_are_neither_last_nor_others() -> None:
    odd = ("A", "", "1x3"), ("A", "", "13x"), ("A", "", "xx3")
    shown = compared(study(*odd), LINEAR)
    assert shown.table()["difference"].tolist()[0] == 3 - 1
    told = "2 sessions whose last query, or every other, is on a topic nobody judged"
    assert words.sentences(shown)[-1] == f"{told} can't be asked."
    assert (shown.single, shown.undefined) == (0, 2)
    assert sentences(*odd, ("A", "", "1"))[-2:] == [
        "1 session with a single query can't be asked.",
        f"Nor can {told}.",
    ]


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
    for told in (
        " ".join(words.sentences(shown)),
        words.headline(shown),
        words.method(shown) or ".",
    ):
        assert told.endswith(".")
        assert not re.search(r"\b(nan|inf|None)\b|e-", told)
    named = any(searcher for _, searcher, _ in ODD[name])
    assert named or "searcher" not in f"{words.sentences(shown)} {words.headline(shown)}"


def test_some_sessions_without_a_searcher_are_said() -> None:
    told = sentences(*ODD["some searchers"])[0]
    assert "; 4 sessions, of which 2 name no searcher, the others by 1 searcher)" in told


def test_no_session_left_says_nothing() -> None:
    shown: LastAgainstOthers = compared(study(("A", "p", "12")), LINEAR, Filters(min_queries=5))
    assert (len(shown.table()), words.sentences(shown)) == (0, [])
    assert words.headline(shown) == "No session has a last query and others on judged topics."


def test_filters_narrow_the_systems() -> None:
    plain = study(("A", "p", "12"), ("B", "q", "13"), ("B", "p", "31"))
    shown = compared(plain, LINEAR, Filters(systems=("B",)))
    assert shown.table()["system"].tolist() == ["B", "B"]
    assert shown.table()["difference"].tolist()[0] == 0


@real_logs
def test_log_without_searchers_names_none() -> None:
    shown = last_against_others(at_hand("trec-session-2013"), Definition(), Filters())
    said = [*words.sentences(shown), words.headline(shown)]
    assert "p = .109; 67 sessions)" in said[0]
    assert not any("searcher" in text for text in said)
