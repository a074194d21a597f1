"""Figure 4 with the sessions of all systems: whose is which, in how many traces and what colour."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Any

import pytest

from sdcg_explorer.figures.style import COLOURS, MARKS
from sdcg_explorer.questions.individual_sessions.figure import (
    MOST_SYSTEMS,
    draw_individual_sessions,
)
from sdcg_explorer.questions.individual_sessions.numbers import (
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.large_studies import random_study

SYSTEMS = (1, 3, 8, 9)
FEW, MANY = 30, 510
LINEAR = Definition(weights="linear")
counts = pytest.mark.parametrize("number", SYSTEMS)
sizes = pytest.mark.parametrize("sessions", [FEW, MANY])


@cache
def study(sessions: int, number: int) -> Study:
    """A study of so many sessions and systems, whose names are not in the order of the log."""
    made = random_study(sessions, seed=number)
    names = [f"System {i % number + 1:02}" for i in range(sessions)][::-1]
    random.Random(number).shuffle(names)
    return replace(made, sessions=made.sessions.assign(system=names))


@cache
def every(sessions: int, number: int) -> IndividualSessions:
    return individual_sessions(study(sessions, number), LINEAR, Filters())


def names_of(sessions: int, number: int) -> tuple[str, ...]:
    return study(sessions, number).block().system_names


def drawn(sessions: int, number: int, **choices: Any) -> Any:
    return draw_individual_sessions(every(sessions, number), names_of(sessions, number), **choices)


def whose(of: Study) -> dict[str, str]:
    """System of each session."""
    return dict(zip(of.sessions["session"].astype(str), of.sessions["system"], strict=True))


@counts
def test_medians_are_those_of_each_systems_sessions(number: int) -> None:
    seen = every(MANY, number)
    traces = {trace.name: trace.y for trace in drawn(MANY, number, length=3).data}
    groups = seen.rows_by_system()
    if number > MOST_SYSTEMS:
        groups = {"all systems": range(len(seen.names))}
    for system, rows in groups.items():
        curve = traces[f"{system}, median"]
        assert len(curve) == 30
        for place in (0, 9, 10, 29):
            expected = median(float(seen.vectors[row, place]) for row in rows)
            assert curve[place] == pytest.approx(expected, rel=1e-12)


@counts
def test_marks_carry_the_sessions_name_and_look(number: int) -> None:
    seen, systems, length = every(FEW, number), names_of(FEW, number), 4
    of = whose(study(FEW, number))
    *_, quits, steps = drawn(FEW, number, length=length).data
    end = 10 * length
    expected = {name: int(last) for name, last in zip(seen.names, seen.ends, strict=True)}
    assert dict(zip(quits.customdata, (10 * round(x / 10) for x in quits.x), strict=True)) == {
        name: last for name, last in expected.items() if last <= end
    }
    pairs = sorted(zip(steps.customdata, map(int, steps.x), strict=True))
    assert pairs == sorted(
        (name, place)
        for name, last in expected.items()
        for place in range(10, min(last - 1, end) + 1, 10)
    )
    for trace in (quits, steps):
        assert list(trace.text) == list(trace.customdata)
        colours, symbols = trace.marker.color, trace.marker.symbol
        if number == 1:
            colours, symbols = [colours] * len(trace.x), [symbols] * len(trace.x)
        for i, name in enumerate(trace.customdata):
            own = systems.index(of[name]) % len(COLOURS)
            assert (colours[i], symbols[i]) == (COLOURS[own], MARKS[own])
            assert (
                trace.y[i] == seen.vectors[seen.names.index(name), 10 * round(trace.x[i] / 10) - 1]
            )


@sizes
def test_systems_left_by_a_filter_keep_their_colours(sessions: int) -> None:
    of, left = study(sessions, 8), ("System 03", "System 07")
    seen = individual_sessions(of, LINEAR, Filters(systems=left))
    figure: Any = draw_individual_sessions(seen, of.block().system_names)
    lines = {each.name.split(",")[0]: each.line.color for each in figure.data if each.line.color}
    assert lines == {"System 03": COLOURS[2], "System 07": COLOURS[0]}
    assert {whose(of)[name] for name in seen.names} == {*left}
