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
from sdcg_explorer.questions.individual_sessions.words import heatmap_note, listed
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of, written
from tests.support.plain_loop import PlainSession, PlainStudy, Query
from tests.support.tables import read

ALL = Filters()
JUDGED = {("t", "a"): 1.0, ("t", "b"): 3.0}
A: Query = ("t", {1: "a"})
B: Query = ("t", {1: "b"})
NOBODY: Query = ("u", {1: "a", 2: "b"})
D3 = 1 / (1 + math.log(3, 4))
SAID = (
    "1 query in judged sessions is on unjudged topics: it adds nothing to the session and is left "
    "out of comparisons of queries."
)


def study(*sessions: list[Query]) -> Study:
    plain = [PlainSession(f"s{i}", each) for i, each in enumerate(sessions)]
    return study_of(PlainStudy(plain, JUDGED))


def test_sessions_the_inspector_and_tags_know_what_is_known() -> None:
    nothing: Query = ("t", {1: "x"})
    shown = individual_sessions(study([NOBODY, B], [nothing, NOBODY, B], [A, NOBODY]), LINEAR, ALL)
    assert (shown.silent, shown.several) == (1, 2)
    assert heatmap_note(shown).endswith(
        " no defined end: the last topic is unjudged. 3 sessions with a query on an unjudged topic "
        "appear only under “all”."
    )
    looked = inspector(study([A, NOBODY, B]), LINEAR, ALL, session="s0")
    said = ["", "topic unjudged", "no score before"]
    assert listed(looked, {})["in words"].tolist() == said
    assert np.isnan(looked.query_results(2)[["gain", "contribution"]].to_numpy(float)).all()
    assert looked.results["contribution"].sum() == pytest.approx(looked.final)
    tags = {("s0", 2): ("odd",), ("s0", 3): ("odd",)}
    table = tagged(study([A, B, NOBODY]), LINEAR, ALL, tags=tags).table
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


def test_a_topic_that_no_searcher_graded_is_undefined_and_no_grades_at_all_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = "session,query_number,topic,rank,doc,grade\n"
    of = read(
        tmp_path,
        log_csv=f"{log}s,1,t,1,a,1\ns,2,u,1,a,\n",
        judgments_csv="topic,doc,grade\nu,a,1\nu,b,3\n",
    )
    table = scores(of, Definition(weights="linear", grades="searcher"), ALL)
    assert table.sessions[["final", "relevant_found"]].to_numpy().tolist() == [[1, 1]]
    assert table.queries["dcg"].tolist() == pytest.approx([1, math.nan], nan_ok=True)
    bare = "session,query_number,topic,rank,doc\ns,1,t,1,a\n"
    paths = written(tmp_path, log_csv=bare, judgments_csv="topic,doc,grade\nt,a,1\n").values()
    given = [*map(str, paths), "--grades", "searcher", "--out", str(tmp_path / "x")]
    assert sdcg.main(["score", *given]) == 2
    assert "or take the assessors' grades: --grades judgments." in capsys.readouterr().err


def test_they_are_counted_beneath_every_figure() -> None:
    assert advice(study([A, B, NOBODY]), DEFAULT, ALL)[0] == SAID
    unjudged = advice(study([A], [NOBODY, NOBODY]), DEFAULT, ALL)  # not judged elsewhere either
    assert not any("in judged sessions" in said for said in unjudged)
    again = Definition(repeats="first")  # no second query on a judged topic: 1 can be reached
    assert advice(study([B, NOBODY, NOBODY]), again, ALL)[0].startswith(
        "2 queries in judged sessions"
    )
