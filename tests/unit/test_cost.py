"""What sessions cost, and what gain they had for it: by hand, and by laws."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.questions import cost as question
from sdcg_explorer.questions.cost.numbers import CostCurves, cost, cost_points
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring import costs, scores
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.costly import FILES
from tests.support.tables import read

LINEAR = Definition(weights="linear")
ALL = Filters()
TOKENS = "tokens (of queries)"


def curve(of: CostCurves, system: str) -> Any:
    return next(each for each in of.curves if each.system == system)


def test_agents_by_hand(tmp_path: Path) -> None:
    study = read(tmp_path, **{name.replace(".", "_"): text for name, text in FILES.items()})
    known = costs.study_costs(study)
    assert [*known] == ["queries", "results", "opened", "money", TOKENS]
    assert costs.usual_cost(study) == "queries"
    names = study.sessions["session"].astype("str").tolist()
    assert dict(zip(names, np.nan_to_num(costs.spent_of(study, TOKENS)).tolist(), strict=True)) == {
        **{"a1": [1, 4], "b1": [2, 0], "a2": [1, 0], "b2": [4, 0]}  # 0: nobody knows
    }
    second = 1.5 + 1 / (1 + np.log(2) / np.log(4))  # 3/2, then 1·D(2)
    shown = cost(study, LINEAR, ALL, spent=TOKENS)
    assert shown.amounts.tolist() == [0, 1, 2, 3, 4]
    a, b = (curve(shown, name) for name in "AB")
    assert a.raw.mean == pytest.approx([0, (1.5 + 2) / 2, 1.5, 1.5, second])
    assert a.raw.sessions.tolist() == [2, 2, 1, 1, 1]  # a2 leaves: nobody knows its second call's
    assert a.running.tolist() == [2, 2, 1, 1, 1]
    assert a.curve("normalised").mean[0] == 0  # of what a first query could bring
    assert b.raw.mean == pytest.approx([0, 0, 0.5, 0.5, 0.5])
    assert b.running.tolist() == [2, 2, 2, 1, 1]
    counted = shown.usual, shown.beyond, shown.unknown, shown.in_part
    assert counted == (3, 2, 0, 1)
    each = cost_points(study, LINEAR, ALL, spent=TOKENS, score="final")
    assert dict(zip(each.points["session"], each.points["spent"], strict=True)) == {
        **{"a1": 4, "b1": 2, "b2": 4}
    }
    assert (each.without_score, each.without_cost) == (0, 1)
    with pytest.raises(
        ValueError,
        match=r"^cost 'x'; choose one of queries, results, opened, "
        "money, ",
    ):
        cost(study, LINEAR, ALL, spent="x")


NO_ENDS = """session,searcher,system,topic,query_number,time,rank,doc,dwell,satisfaction
s1,p,A,t,1,10,1,d1,{0},3
s1,p,A,t,2,40,1,d2,{1},3
s1,p,A,t,2,40,2,d3,{2},3
s2,q,A,t,1,5,1,d2,{3},7
"""


def timed(folder: Path, *dwell: str) -> Study:
    """Two sessions with times, of which the log has no end."""
    return read(folder, log_csv=NO_ENDS.format(*dwell), judgments_csv=FILES["judgments.csv"])


def test_last_query_takes_as_long_as_its_results_were_looked_at(tmp_path: Path) -> None:
    study = timed(tmp_path, "9", "2.5", "4", "0")
    spent = costs.spent_of(study, "seconds")
    assert spent[0].tolist() == [30, 36.5]  # to the next query; its two results, 2.5 + 4
    assert np.isnan(spent[1]).all()  # looked at for no time at all is not known
    assert costs.usual_cost(study) == "queries"  # of half of the sessions
    assert costs.usual_cost(timed(tmp_path / "all", "9", "2.5", "4", "3")) == "seconds"
    assert study.report.repaired == {"'dwell' is added up over the results of a query": 4}
    assert study.queries["dwell"].tolist() == [9, 6.5, 0]
    assert "dwell (of queries)" in costs.study_costs(study)
    amounts = cost(study, LINEAR, ALL, spent="seconds").amounts
    assert amounts == pytest.approx(np.linspace(0, 36.5, 101))
    odd = timed(tmp_path / "odd", "9", "2.5", "ns", "0").report.left_out
    assert odd == {"column 'dwell' has 'ns', which is no time in seconds or as 1:35": 1}
    in_ms = replace(study, queries=study.queries.rename(columns={"dwell": "dwell_ms"}))
    assert costs.spent_of(in_ms, "seconds")[0].tolist() == pytest.approx([30, 30.0065])


def test_sessions_without_an_end_are_counted_and_a_remedy_is_given(tmp_path: Path) -> None:
    nobody = StudyView(timed(tmp_path / "no", "", "", "", ""), LINEAR, ALL)
    shown = question.cost_answer(nobody, spent="seconds", bands=True)
    assert shown.headline.startswith("At a cost of ")
    assert shown.headline.endswith("; known to cost more: 0 of 2 sessions.")
    why = (
        " The log doesn't say when the last query of 2 sessions ended: log each session's seconds, "
        "or how long its results were viewed (dwell)."
    )
    assert shown.behind.endswith(f" Cost known only in part: 1 session.{why}")
    both = (
        question.points_answer(nobody, spent="seconds"),
        question.rate_answer(nobody, spent="seconds"),
    )
    none = "No session has both a known cost in seconds and this score."
    assert [each.headline for each in both] == [f"{none}{why}"] * 2
    assert not [name for name in scores.scores_of(nobody.study) if "seconds" in name]
    files = {"log_csv": NO_ENDS.replace("t,1,10", "t,1,").format("", "4", "", "3")}
    gap = read(tmp_path / "gap", **files, judgments_csv=FILES["judgments.csv"])  # in the middle
    points = question.points_answer(StudyView(gap, LINEAR, ALL), spent="seconds").behind
    assert points.endswith("Left out: 1 session with unknown total cost.")
