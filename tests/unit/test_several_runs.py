"""Several sessions of one system on one topic: their spread beside that of topics."""

from __future__ import annotations

import math

import pytest

from sdcg_explorer.questions.overview.numbers import several_runs
from sdcg_explorer.questions.overview.words import spread
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy

# gain = grade, no discount, one result counts: a session's share is its document's grade / 10
SHARES = Definition(weights="linear", b=math.inf, bq=math.inf, top=1)
JUDGED = {(topic, f"d{grade}"): float(grade) for topic in "tu" for grade in range(11)}
RUNS = {"t": (2, 4), "u": (6, 8)}


def runs(searcher: str = "") -> PlainStudy:
    sessions = [
        PlainSession(f"{topic}{grade}", [(topic, {1: f"d{grade}"})], "A", searcher)
        for topic, grades in RUNS.items()
        for grade in grades
    ]
    once = [PlainSession(f"B{topic}", [(topic, {1: "d1"})], "B", searcher) for topic in RUNS]
    return PlainStudy([*sessions, *once], JUDGED)


def test_spread_of_runs_is_told_from_that_of_tasks() -> None:
    found = several_runs(study_of(runs()), SHARES, Filters())
    assert found["system"].tolist() == ["A"]  # B has one session on each topic
    row = found.iloc[0]
    # within: (.1² · 4) / 2 = .02; between: (2 · (.2² + .2²) / 1 − .02) / 2 = .07
    assert [row["sd_sessions"] ** 2, row["sd_topics"] ** 2] == pytest.approx([0.02, 0.07])
    assert spread(found) == [
        "A: the share of the ideal varies by .14 between sessions on the same topic and by .26 "
        "between topics (standard deviations; 4 sessions on 2 topics)."
    ]
    assert several_runs(study_of(runs("p")), SHARES, Filters()).empty
