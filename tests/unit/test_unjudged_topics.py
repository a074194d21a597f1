"""Queries on topics nobody judged, in sessions judged elsewhere: undefined, counted, in no mean."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.by_hand.numbers import LINEAR, Example, by_hand
from sdcg_explorer.questions.by_hand.words import formulas
from sdcg_explorer.questions.data.numbers import tagged
from sdcg_explorer.questions.individual_sessions.inspector import inspector
from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.questions.individual_sessions.words import listed
from sdcg_explorer.questions.reformulations import words as step_words
from sdcg_explorer.questions.reformulations.numbers import reformulations
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of, written
from tests.support.plain_loop import PlainSession, PlainStudy, Query
from tests.support.screen import Choose, first_line, opened, paragraphs, small_print
from tests.support.tables import read

ALL = Filters()
JUDGED = {("t", "a"): 1.0, ("t", "b"): 3.0}
A: Query = ("t", {1: "a"})
B: Query = ("t", {1: "b"})
NOBODY: Query = ("u", {1: "a", 2: "b"})
D2, D3 = 1 / 1.5, 1 / (1 + math.log(3, 4))
SAID = (
    "1 query in judged sessions is on unjudged topics: it adds nothing to the session and is left "
    "out of comparisons of queries."
)


def plain_of(*sessions: list[Query]) -> PlainStudy:
    return PlainStudy([PlainSession(f"s{i}", each) for i, each in enumerate(sessions)], JUDGED)


def study(*sessions: list[Query]) -> Study:
    return study_of(plain_of(*sessions))


def third() -> Study:
    """A session whose third turn is on a topic nobody judged."""
    return study([A, B, NOBODY])


def test_it_is_no_reformulation_and_no_last_query() -> None:
    alone = reformulations(third(), LINEAR, ALL)
    assert step_words.answer(alone) == (
        "With A, 100% of 1 reformulation gain and 0% lose (undiscounted)."
    )
    (system,) = reformulations(study([A, B, NOBODY], [A, NOBODY, B]), LINEAR, ALL).systems
    assert (system.reformulations, system.gained) == (1, 1)
    assert (system.several, system.last_best) == (1, 1)  # the second: 2 against 1


def test_only_known_queries_are_silent() -> None:
    nothing: Query = ("t", {1: "x"})
    shown = individual_sessions(study([NOBODY, B], [nothing, NOBODY, B], [A, NOBODY]), LINEAR, ALL)
    assert (shown.silent, shown.several) == (1, 2)


def test_the_inspector_has_no_worth_and_no_change_in_words() -> None:
    shown = inspector(study([A, NOBODY, B]), LINEAR, ALL, session="s0")
    said = ["", "topic unjudged", "no score before"]
    assert listed(shown, {})["in words"].tolist() == said
    assert np.isnan(shown.query_results(2)[["gain", "contribution"]].to_numpy(float)).all()
    assert shown.results["contribution"].sum() == pytest.approx(shown.final)


def test_tags_average_what_is_known() -> None:
    tags = {("s0", 2): ("odd",), ("s0", 3): ("odd",)}
    table = tagged(third(), LINEAR, ALL, tags=tags).table
    assert table[["queries", "mean dcg"]].to_numpy().tolist() == [[2, 3]]


def test_by_hand_undefined_is_no_0() -> None:
    judged = tuple((topic, doc, grade) for (topic, doc), grade in JUDGED.items())
    example = Example("odd", judged, (("a",), ("a", "b"), ("b",)), ("t", "u", "t"), LINEAR, "")
    shown = by_hand(example, LINEAR)
    own = ["gain", "CG", "discounted gain", "DCG", "ideal DCG", "nDCG"]
    steps = shown.steps[shown.steps["query"] == 2]
    assert np.isnan(steps[own].to_numpy(float)).all()
    assert steps["added"].tolist() == [0] * 10
    assert shown.queries["sDCG"].tolist() == pytest.approx([1, math.nan, 3 * D3], nan_ok=True)
    assert shown.averages["cg"][0] == (1 + 3) / 2
    assert formulas(shown)[2] == (r"\mathrm{sDCG}(2) \text{ is undefined (topic unjudged)}")
    assert formulas(shown)[4].startswith("V = 1 + 1.674 = 2.674")


def test_a_topic_that_no_searcher_graded_is_undefined_under_their_grades(tmp_path: Path) -> None:
    log = "session,query_number,topic,rank,doc,grade\n"
    of = read(
        tmp_path,
        log_csv=f"{log}s,1,t,1,a,1\ns,2,u,1,a,\n",
        judgments_csv="topic,doc,grade\nu,a,1\nu,b,3\n",
    )
    table = scores(of, Definition(weights="linear", grades="searcher"), ALL)
    assert table.sessions[["final", "relevant_found"]].to_numpy().tolist() == [[1, 1]]
    assert table.queries["dcg"].tolist() == pytest.approx([1, math.nan], nan_ok=True)


def test_they_are_counted_beneath_every_figure(choose_study: Choose) -> None:
    assert advice(third(), DEFAULT, ALL)[0] == SAID
    unjudged = advice(study([A], [NOBODY, NOBODY]), DEFAULT, ALL)  # not judged elsewhere either
    assert not any("in judged sessions" in said for said in unjudged)
    again = Definition(repeats="first")  # no second query on a judged topic: 1 can be reached
    assert advice(study([B, NOBODY, NOBODY]), again, ALL)[0].startswith(
        "2 queries in judged sessions"
    )
    choose_study(plain_of([A, B, NOBODY], [B, A]))
    for page in ("query_order", "session_curves", "individual_sessions", "reformulations"):
        app = opened(page)
        assert SAID in " ".join(small_print(app.main)), page
    said = "With A, 50% of 2 reformulations gain and 50% lose"
    assert first_line(app).startswith(said)


@pytest.mark.parametrize("page", ["overview", "compare_systems", "query_order", "cost", "data"])
def test_grades_of_searchers_that_are_not_logged_are_said(page: str, choose_study: Choose) -> None:
    choose_study(plain_of([A, B], [B, A]))
    app = opened(page, {"grades": "searcher"})
    assert not app.exception
    assert "nobody judged" not in " ".join([*paragraphs(app), *small_print(app.main)])
    refused = (
        "log: no grades by searchers in the log; the definition takes the searchers' grades. Add "
        "a column "
        "grade to the log, or choose the assessors' under Grades."
    )
    assert [each.value for each in app.error] == [refused] * (page != "data")


def test_grades_that_are_not_logged_are_refused_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = "session,query_number,topic,rank,doc\ns,1,t,1,a\n"
    paths = written(tmp_path, log_csv=table, judgments_csv="topic,doc,grade\nt,a,1\n").values()
    given = [*map(str, paths), "--grades", "searcher", "--out", str(tmp_path / "x")]
    assert sdcg.main(["score", *given]) == 2
    assert "or take the assessors' grades: --grades judgments." in capsys.readouterr().err
