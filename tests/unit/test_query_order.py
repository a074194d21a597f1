"""Query order: the best query, shares, the last query against the others, worked by hand."""

import math
from typing import Any

import pytest

from sdcg_explorer.questions.query_order import numbers, words
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query

LINEAR = Definition(weights="linear")
NDCG: dict[tuple[str, str], float] = {("t", "a"): 1, ("t", "b"): 2, ("t", "c"): 3, ("u", "z"): 0}
ASKED: dict[str, list[Query]] = {
    "one": [("t", {1: "a", 2: "b"}), ("t", {2: "c"})],
    "two": [("t", {}), ("u", {1: "z"}), ("t", {1: "c"})],
    "three": [("u", {1: "z"})],
}


def shares(*names: str) -> numbers.QueryOrder:
    plain = PlainStudy([PlainSession(name, ASKED[name]) for name in names], NDCG)
    drawn = numbers.CurveChoices(4, measure="ndcg")
    return numbers.query_order(study_of(plain), LINEAR, Filters(), drawn=drawn)


def test_nothing_that_gains_leaves_no_share_and_an_unknown_measure_is_refused() -> None:
    order = shares("one", "two", "three")
    assert [(c.queries, c.undefined) for c in order.curves] == [(2, 1), (2, 1)]
    assert " Left out: 2 queries whose ideal list gains nothing." in words.figure_notes(order)
    assert order.paired is None
    plain = study_of(PlainStudy([PlainSession("one", ASKED["one"])], NDCG))
    off = numbers.query_order(plain, LINEAR, Filters(), drawn=numbers.CurveChoices(1))
    assert words.figure_notes(off).startswith("Curves follow whole lists to at most 1 rank, ")
    assert "last queries gain neither clearly more nor less (A " in words.headline(
        numbers.query_order(plain, Definition(bq=math.inf), Filters())
    )
    assert words.headline(shares("three")) == words.NO_IDEAL
    with pytest.raises(ValueError, match=r"^measure 'map'; choose one of sdcg, ndcg, srbp, rbp\.$"):
        numbers.CurveChoices(measure="map")


def compared(plain: PlainStudy) -> Any:
    return numbers.last_against_others(study_of(plain), LINEAR, Filters())


def study(*sessions: tuple[str, str, str]) -> PlainStudy:
    """System, searcher and what each query shows first: grades 0 to 3, x on no judged topic."""
    made: list[PlainSession] = []
    for i, (system, searcher, grades) in enumerate(sessions):
        queries: list[Query] = [("u" if g == "x" else "t", {1: f"d{g}"}) for g in grades]
        made.append(PlainSession(f"s{i:02}", queries, system, searcher))
    return PlainStudy(made, {("t", f"d{grade}"): float(grade) for grade in range(4)})


def sentences(*sessions: tuple[str, str, str]) -> list[str]:
    return words.sentences(compared(study(*sessions)))


def test_sentences_in_full() -> None:
    sessions = (
        *(("A", "p", "13"), ("A", "q", "113"), ("A", "q", "01"), ("A", "r", "01")),
        *(("A", "s", "02"), ("A", "o", "01"), ("A", "n", "113")),
        *(("B", "p", "30"), ("B", "q", "20"), ("B", "q", "2"), ("C", "p", "1")),
    )
    # A: 2, (2 + 1) / 2, 1, 2, 1, 2: mean 9.5 / 6, sd √(1.2083 / 5), ± 2.571 sd / √6
    # B: 3 and 2 less: 2.5 ± 12.71 × √½ / √2; t = -5
    shown = compared(study(*sessions))
    assert words.sentences(shown) == [
        "A: last − others = 1.58 DCG (95% interval 1.07 to 2.10, p = .031; 7 sessions by 6 "
        "searchers).",
        "B: last − others = −2.50 DCG (95% interval −8.85 to 3.85, p = .126; 2 sessions by 2 "
        "searchers).",
        "C: no session has both a last query and others on judged topics.",
        words.CAVEAT,
        "Left out: 2 sessions with one query.",
    ]
    assert words.last_query_headline(shown) == (
        "Compared with others of their session, last queries gain clearly more with A in DCG "
        "(A +1.6, B −2.5) and in sDCG (A +0.88, B −2.5)."
    )


def test_what_can_not_be_compared_is_said_so() -> None:
    def answer(*sessions: tuple[str, str, str]) -> str:
        order = numbers.query_order(study_of(study(*sessions)), LINEAR, Filters())
        return f"{words.headline(order)} {words.cautions(order)[0]}"

    assert answer(("A", "p", "1x"), ("A", "q", "2xx")) == (
        "There is nothing to compare: no system has both last queries and others on judged topics. "
        "No session has both a last query and others on judged topics."
    )
    # curves run over both sessions, of which neither has both: 3 / (1 + log_4 2) − 1
    assert answer(("A", "p", "1x"), ("A", "q", "x3"), ("B", "q", "1")) == (
        "Last queries against the others at rank 10: A +1.0. No session has both a last query and "
        "others on judged topics."
    )


def test_queries_on_topics_nobody_judged_are_neither_last_nor_others() -> None:
    odd = ("A", "", "1x3"), ("A", "", "13x"), ("A", "", "xx3")
    shown = compared(study(*odd))
    assert shown.table()["difference"].tolist()[0] == 3 - 1
    assert (shown.single, shown.undefined) == (0, 2)
    assert sentences(*odd, ("A", "", "1"))[-1] == (
        "Left out: 1 session with one query and 2 sessions whose last query, or all others, are on "
        "unjudged topics."
    )
