"""The inspector: what it shows of a session adds up to what the session is worth."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.questions.individual_sessions.inspector import Inspected, inspector
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import DEFAULT, PRESETS, Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy

ALL = Filters()
DEFINITIONS = {
    "ECIR 2008": DEFAULT,
    "Dynamic Domain": PRESETS["dynamic-domain"],
    "condensed": Definition(weights="exponential", unjudged="condense", short_lists="as-is", top=4),
    "Session track, three of a list": replace(PRESETS["session-track"], top=3),
}
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


@cache
def samples() -> dict[str, Study]:
    return {study.name: study for study in sample_studies()}


def t2(**choices: str) -> Inspected:
    return inspector(study_of(T2), replace(LINEAR, **choices), ALL, session="T-2")


@pytest.mark.parametrize("name", DEFINITIONS)
@pytest.mark.parametrize("sample", ["ECIR 2008 (reconstructed)", "Three toy sessions"])
def test_contributions_add_up_to_the_final_value_of_every_session(sample: str, name: str) -> None:
    study, definition = samples()[sample], DEFINITIONS[name]
    finals = scores(study, definition, ALL).sessions.set_index("session")["final"]
    assert len(finals) in (120, 3)
    many, turn = len(finals) > len(DEFINITIONS), [*DEFINITIONS].index(name)
    mine = finals.iloc[turn :: len(DEFINITIONS)] if many else finals  # each under one, in turn
    for session, final in mine.items():
        shown = inspector(study, definition, ALL, session=str(session))
        assert shown.results["contribution"].sum() == pytest.approx(final, rel=1e-12, abs=1e-12)
        assert shown.queries["sdcg"].sum() == pytest.approx(final, rel=1e-12, abs=1e-12)
        assert shown.final == pytest.approx(final, rel=1e-12)


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
    cut = inspector(study_of(T2), replace(LINEAR, top=1), ALL, session="T-2").results
    assert cut["marks"].tolist()[1] == "not counted"
    assert cut["contribution"].tolist()[1] == 0


def test_session_on_topics_nobody_judged_is_worth_no_number() -> None:
    plain = PlainStudy([PlainSession("s", [("t", {1: "a"})])], {("u", "a"): 1.0})
    shown = inspector(study_of(plain), LINEAR, ALL, session="s")
    assert math.isnan(shown.final)
    assert np.isnan(shown.results["contribution"]).all()
    assert session_words.title(shown) == "s, A: 1 query on unjudged topics"
