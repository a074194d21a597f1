"""The inspector: what it shows of a session adds up to what the session is worth."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.questions.individual_sessions.inspector import Inspected, inspector
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy

ALL = Filters()
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
LINEAR = Definition(weights="linear")


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


def test_what_is_left_out_or_beyond_the_top_is_marked() -> None:
    condensed = t2(unjudged="condense").results
    assert condensed["marks"].tolist()[4] == "unjudged, left out"
    assert condensed["contribution"].tolist() == t2().results["contribution"].tolist()
    cut = inspector(study_of(T2), replace(LINEAR, top=1), ALL, session="T-2").results
    assert cut["marks"].tolist()[1] == "not counted"
    assert cut["contribution"].tolist()[1] == 0


def test_session_on_topics_nobody_judged_is_worth_no_number() -> None:
    plain = PlainStudy([PlainSession("s", [("t", {1: "a"})])], {("u", "a"): 1.0})
    shown = inspector(study_of(plain), LINEAR, ALL, session="s")
    assert math.isnan(shown.final)
    assert np.isnan(shown.results["contribution"]).all()
    assert session_words.title(shown) == "s, A: 1 query on unjudged topics"
