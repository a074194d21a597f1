"""Individual sessions: parts and falls by hand, orders, ends, filters, marks and colours."""

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.figures.style import COLOURS, FAINT, GREY
from sdcg_explorer.questions.individual_sessions import numbers, words
from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.questions.individual_sessions.figure import (
    HUES,
    STRENGTHS,
    draw_individual_sessions,
    spread,
    wall_colours,
    zero_mark_counts,
)
from sdcg_explorer.questions.individual_sessions.inspector import Inspected, inspector, shortfall
from sdcg_explorer.questions.individual_sessions.numbers import (
    ORDERS,
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.ratings import session_rating_columns
from sdcg_explorer.study.study import Study
from tests.support.large_studies import random_study
from tests.support.plain_files import study_of, written
from tests.support.plain_loop import (
    PlainSession,
    PlainStudy,
)
from tests.support.refusals import refusal

ALL = Filters()
LINEAR = Definition(weights="linear")


# b = bq = inf and gain = grade, so that numbers are sums; X = 2
PLAIN = Definition(
    weights="linear", b=math.inf, bq=math.inf, top=2, repeats="first", ideal="spread"
)
LOG = """session,system,query_number,topic,rank,doc,clicked
s,A,1,t,1,a,1
s,A,1,t,2,n,1
s,A,2,t,1,a,0
s,A,2,t,2,b,0
s,A,3,t,,,
r,A,1,t,1,a,0
r,A,1,t,2,b,0
r,A,2,t,1,c,1
"""
JUDGMENTS = """topic,doc,grade,answers
t,a,2,when
t,b,1,where
t,b,0,when
t,c,3,when;who
t,n,0,who
"""


def by_hand(folder: Path) -> Study:
    files = written(folder, log_csv=LOG, judgments_csv=JUDGMENTS)
    return read_study(*files.values(), recipe=Recipe(parts="answers"))


def test_a_study_worked_by_hand(tmp_path: Path) -> None:
    study = by_hand(tmp_path)
    judged = study.judgments.set_index("doc")
    assert judged["part"].to_dict() == {"a": "when", "b": "where", "c": "when;who", "n": ""}
    assert judged["grade"].to_dict() == {"a": 2, "b": 1, "c": 3, "n": 0}
    of = inspector(study, PLAIN, ALL, session="s")
    # the ideal shows c and a, then b: 5 · 1 · 0; the session gains 2 · 1 (a again) · 0
    assert of.brought["behind"].tolist() == [5 - 2, 1 - 1, 0]
    assert of.brought["new"].tolist() == [1, 1, 0]
    assert of.brought["repeated"].tolist() == [0, 1, 0]
    assert of.brought["missing"].tolist() == [2, 1, 1]
    assert of.brought["parts_found"].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert of.stalled == (3, 3)
    less = replace(PLAIN, weights=((0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 3.0)))
    found = inspector(study, less, ALL, session="s").brought["parts_found"]
    assert found.tolist() == [1 / 2] * 3  # b, which answers where, gains nothing
    none = replace(PLAIN, weights=tuple((float(grade), 0.0) for grade in range(4)))
    assert inspector(study, none, ALL, session="s").brought["parts_found"].isna().all()
    assert words.went_wrong(replace(of, stalled=(3, 4)))[1] == (
        "From Q3 to Q4 it showed no new relevant document."
    )
    assert words.went_wrong(of) == [
        "It lost most against its ideal at Q1: 3.00 of 3.00 in all.",
        "It never showed 1 of 3 relevant documents.",
        "It found .67 of the 3 parts of its task.",
        "1 relevant document was shown but not opened: b (1).",
        "1 opened document gained nothing: n (0).",
    ]
    one = replace(of, queries=of.queries[:1])
    assert words.went_wrong(one)[0] == "It lost 3.00 against its ideal."
    files = written(tmp_path, log_csv=f"{LOG}e,A,1,t,,,\n", judgments_csv=JUDGMENTS)
    more = read_study(*files.values(), recipe=Recipe(parts="answers"))
    empty = words.went_wrong(inspector(more, PLAIN, ALL, session="e"))
    assert not [said for said in empty if "opened" in said]  # where nothing was shown
    whole = inspector(study, PLAIN, ALL, session="r")
    assert words.went_wrong(whole)[1:3] == [
        "It showed all 3 relevant documents.",
        "It had found all 3 parts by Q2.",
    ]
    assert "It had found the 1 part by Q2." in words.went_wrong(replace(whole, parts=1))
    assert words.shortfall_headline(shortfall(study, PLAIN, ALL)) == (
        "Both sessions lose most against their ideal at Q1. The median session misses 0.5 of its "
        "topic's relevant documents; 1 session misses none. 1 of 2 sessions found all parts "
        "of the task, at the median by Q2."
    )
    fell = shortfall(study, PLAIN, ALL)  # a session without an ideal is not one that keeps up
    fell = replace(fell, behind=fell.behind * [[1], [0]], has_ideal=np.array([True, False]))
    assert "behind" not in words.shortfall_headline(fell)
    seen = individual_sessions(study, PLAIN, ALL, shade="parts found", order="log")
    assert seen.shown_values[0].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert "parts_found" in seen.table()


def test_parts_are_those_of_qrels_and_of_no_other_column(tmp_path: Path) -> None:
    files = written(tmp_path, log_csv=LOG, qrels_txt="t 1 a 1\nt 2 a 1\nt 2 b 1\nt 3 c 0\n")
    study = read_study(*files.values(), recipe=Recipe(parts="iteration"))
    parts = dict(zip(study.judgments["doc"], study.judgments["part"], strict=True))
    assert parts == {"a": "1;2", "b": "2", "c": ""}
    assert inspector(study, PLAIN, ALL, session="s").complete_at == 1
    files = written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)
    assert "no column 'odd'; columns of the judgments are topic, doc, grade, answers" in refusal(
        lambda: read_study(*files.values(), recipe=Recipe(parts="odd"))
    )


def test_by_their_own_grades_only_what_a_searcher_graded_is_missing(tmp_path: Path) -> None:
    log = "session,system,query_number,topic,rank,doc,grade\ns,A,1,t,1,a,0\ns,A,2,t,1,n,1\n"
    log += "r,A,1,t,1,a,1\nr,A,1,t,2,b,1\nr,A,2,t,1,b,2\nr,A,2,t,2,c,\n"
    files = written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    study = read_study(*files.values(), recipe=Recipe(parts="answers"))
    of = inspector(study, replace(PLAIN, grades="searcher"), ALL, session="s")
    # a, b and n have gain with somebody; c, the assessors' best, with nobody
    assert of.never_shown.to_numpy().tolist() == [["t", "b", "2", "where"]]
    assert of.relevant == 3
    assert of.brought["parts_found"].tolist() == [1 / 2, 1 / 2]  # when, and never where


@cache
def toys() -> Study:
    """Sessions that gained at 2 · 1, 3 · never · 1 of 2, by three searchers on two topics."""
    wins = {"late": "012", "none": "00", "gave": "10", "only": "01"}
    sessions = [
        PlainSession(
            name,
            [(f"t{i % 2}", {1: "hit" if w != "0" else "miss"}) for w in won],
            "BA"[i % 2],
            f"p{3 - i}",
        )
        for i, (name, won) in enumerate(wins.items())
    ]
    study = study_of(PlainStudy(sessions, {("t0", "hit"): 1.0, ("t1", "hit"): 1.0}))
    study.sessions["mood"] = [3.0, math.nan, 1.0, 2.0]
    study.sessions["words"] = ["x"] * 4
    return study


def test_orders_are_those_they_are_called() -> None:
    study = toys()
    assert session_rating_columns(study) == ("mood",)
    expected = {
        "length": ["late", "none", "gave", "only"],
        "first gain": ["gave", "late", "only", "none"],
        "searcher": ["only", "gave", "none", "late"],
        "topic": ["late", "gave", "none", "only"],
        "system": ["none", "only", "late", "gave"],
        "log": ["late", "none", "gave", "only"],
        "rating: mood": ["late", "only", "gave", "none"],
        "worth": ["late", "gave", "only", "none"],
    }
    assert {*expected} == {*ORDERS, "rating: mood"}
    for order, names in expected.items():
        assert list(individual_sessions(study, LINEAR, ALL, order=order).names) == names, order


def test_a_cell_shows_its_query_and_only_what_is_unknown_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hits = {("t", "hit"): 1.0}
    asked = {
        "gains": [("t", {1: "hit"}), ("t", {})],  # the second list is empty, which is worth 0
        "unknown": [("u", {1: "hit"}), ("t", {1: "hit"}), ("t", {1: "miss"})],
    }
    sessions = [PlainSession(name, queries) for name, queries in asked.items()]
    study = study_of(PlainStudy(sessions, hits))
    seen = individual_sessions(study, LINEAR, ALL, order="log")
    assert seen.shown_values.tolist() == [
        pytest.approx([1, 0, math.nan], nan_ok=True),
        pytest.approx([math.nan, 1, 0], nan_ok=True),
    ]
    strong, grey = f"rgba({HUES[0]},{STRENGTHS[-1]})", FAINT
    assert grounds(seen) == [[strong, "", ""], [grey, strong, ""]]
    assert words.heatmap_note(seen).startswith(
        "Each row is a session, Q1, Q2 … its queries. Cells show DCG: DCG of the query, before the "
        "query discount. Grey: topic unjudged."
    )
    changes = individual_sessions(study, LINEAR, ALL, order="log", shade="change of dcg")
    lost = f"rgba({HUES[1]},{STRENGTHS[-1]})"
    # of a first query, and of one after an unknown one, there is no change
    assert grounds(changes)[0] == ["", lost, ""]
    assert grounds(changes)[1][-1] == lost
    monkeypatch.setattr(numbers, "MOST_CELLS", 2)
    large = individual_sessions(study, LINEAR, ALL)
    assert not large.is_coloured
    assert "The table is too large to colour." in words.heatmap_note(large)


def grounds(seen: IndividualSessions) -> list[list[str]]:
    """The colour of each cell."""
    return [[css.partition(": ")[2] for css in row] for row in wall_colours(seen).tolist()]


def test_marks_on_each_other_are_spread_and_those_at_0_counted() -> None:
    x, y = np.array([10, 10, 10, 10, 20, 20]), np.array([0.0, 0.0, 0.2, 0.0, 5.0, 0.0])
    at = spread(x, y, 100.0, 10)
    assert at == pytest.approx([8.8, 10, 10, 11.2, 20, 20])
    counts = zero_mark_counts(x, y, np.arange(6))
    assert counts is not None
    assert (counts["text"], counts["x"].tolist()) == (["×3 at 0"], [10])
    assert zero_mark_counts(x[4:], y[4:], np.arange(2)) is None
    many = spread(np.full(50, 10), np.zeros(50), 100.0, 10)
    assert (many.min(), many.max()) == pytest.approx((7, 13))
    assert np.diff(many) == pytest.approx(6 / 49)


@pytest.mark.parametrize("count", [1, 3, 7])
def test_no_session_on_top_takes_the_colour_of_a_system(count: int) -> None:
    made = random_study(30, seed=8)
    systems = [f"System {i % count + 1:02}" for i in range(30)]
    of = replace(made, sessions=made.sessions.assign(system=systems))
    seen = individual_sessions(of, LINEAR, Filters(systems=("System 01",)))
    names, chosen = of.block().system_names, seen.names[:4]
    figure: Any = draw_individual_sessions(seen, names, chosen=chosen)
    on_top = [each for each in figure.data if each.name.startswith("session ")]
    free = [*COLOURS[count:], *[GREY] * 4]
    assert [each.line.color for each in on_top] == free[:4]
    looks = [(each.line.color, each.line.dash, each.marker.symbol) for each in on_top]
    assert len({*looks}) == len({each[:2] for each in looks}) == 4


# T-2 of docs/methods.md, linear gain: a3 a1 · a3 a2 u1 · nothing · a2 u2
T2 = PlainStudy(
    [
        PlainSession(
            "T-2",
            [
                ("2", {1: "a3", 2: "a1"}),
                ("2", {1: "a3", 2: "a2", 3: "u1"}),
                ("2", {}),
                ("2", {1: "a2", 2: "u2"}),
            ],
        )
    ],
    {("2", "a1"): 1.0, ("2", "a2"): 2.0, ("2", "a3"): 3.0},
)


def t2(**choices: str) -> Inspected:
    return inspector(study_of(T2), replace(LINEAR, **choices), ALL, session="T-2")


def test_results_of_a_toy_session_are_worked_out() -> None:
    results = t2().results
    assert results["doc"].tolist() == ["a3", "a1", "a3", "a2", "u1", "a2", "u2"]
    assert results["grade"].tolist() == ["3", "1", "3", "2", "unjudged", "2", "unjudged"]
    # D = 1, 1/1.5, 1/(1 + log4 3), 1/2; d = 1, 1/2, 1/(1 + log2 3)
    expected = [3, 1 / 2, 3 / 1.5, 2 / 2 / 1.5, 0, 2 / 2, 0]
    assert results["contribution"].tolist() == pytest.approx(expected)
    marks = ["", "", "repeat", "", "unjudged", "repeat", "unjudged"]
    assert results["marks"].tolist() == marks


def test_session_on_topics_nobody_judged_is_worth_no_number() -> None:
    plain = PlainStudy([PlainSession("s", [("t", {1: "a"})])], {("u", "a"): 1.0})
    shown = inspector(study_of(plain), LINEAR, ALL, session="s")
    assert math.isnan(shown.final)
    assert np.isnan(shown.results["contribution"]).all()
    assert session_words.title(shown) == "s, A: 1 query on unjudged topics"
