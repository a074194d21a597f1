"""Robustness and Compare systems of several systems: one pair of many, corrected on both alike."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems.numbers import every_pair, holm
from sdcg_explorer.questions.robustness import words
from sdcg_explorer.questions.robustness.numbers import (
    Lead,
    robustness,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy

ALL, LINEAR = Filters(), Definition(weights="linear")
SYSTEMS = "VWXYZ"
GRID = (1.5, 100.0)


def drawn(seed: int, apart: float) -> Study:
    """Twenty searchers of five systems, of which the last finds its document further up."""
    chance = random.Random(seed)
    sessions = [
        PlainSession(f"{system}{who}", asked(chance, apart * (system == "Z")), system, f"p{who}")
        for system, who in product(SYSTEMS, range(20))
    ]
    graded = {("t", f"d{i}"): float(i % 3 + 1) for i in range(9)}
    return study_of(PlainStudy(sessions, graded))


def asked(chance: random.Random, apart: float) -> list[tuple[str, dict[int, str]]]:
    place = [min(10, max(1, round(chance.gauss(6 - apart, 2.5)))) for _ in range(3)]
    return [("t", {rank: f"d{chance.randrange(9)}"}) for rank in place]


@pytest.mark.parametrize(("seed", "apart"), [(2, 1.0), (4, 1.5)])
def test_no_page_calls_clear_what_the_other_does_not(
    seed: int, apart: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdcg_explorer.questions.robustness.numbers.GRID", GRID)
    study, alike = drawn(seed, apart), list[bool]()
    asked_of = None, ("V", "Z"), ("W", "X")
    maps = [robustness(study, LINEAR, ALL, score="final", pair=p) for p in asked_of]
    for i, k in product(range(len(GRID)), repeat=2):
        pairs = every_pair(study, replace(LINEAR, b=GRID[i], bq=GRID[k]), ALL, "final").pairs
        p_t = np.array([pair.p_t for pair in pairs])
        by_t, names = holm(p_t), [{pair.system_a, pair.system_b} for pair in pairs]
        for seen in maps:
            own, is_clear = names.index({*seen.systems}), bool(seen.clear[i, k])
            assert not is_clear or by_t[own] <= 0.05
            if own == p_t.argmin():
                assert is_clear == (by_t[own] <= 0.05)
                alike.append(is_clear)
    assert alike


def of(*values: float, p: float = 0.5, pairs: int = 1) -> Lead:
    return Lead(("A", "B"), np.array(values), np.full(len(values), p), pairs)


BOTH = {
    "both": (
        of(1, 1),
        of(1, 1),
        "B is ahead of A at all 2 values of b and bq and under all 2 definitions, but never cl",
    ),
    "not all": (
        of(1, 1),
        of(1, 0),
        " and under 1 of 2 definitions, but never clearly; they tie under 1.",
    ),
    "other": (
        of(-1, -1),
        of(1, -1),
        "A is ahead of B at all 2 values of b and bq and under 1 of 2 definitions, but never "
        "clearly; B leads under 1.",
    ),
    "either": (of(1, 1, -1), of(1, -1), "; A leads at 1 and under 1."),
    "clear": (
        of(1, p=0.01),
        of(1, 1, p=0.01),
        "at every value of b and bq (1 clearly) and under all 2 definitions (all clearly).",
    ),
    "clear once": (
        of(1, p=0.01),
        of(1, 1),
        "at every value of b and bq (1 clearly) and under all 2 definitions.",
    ),
    "corrected": (
        of(1, p=0.005, pairs=10),
        of(1, p=0.0051, pairs=10),
        "B is ahead of A at every value of b and bq (1 clearly) and under every definition.",
    ),
    "equal": (
        of(0, 0),
        of(1, 1),
        "A and B tie at all 2 values of b and bq. B is ahead of A under all 2 definitions",
    ),
    "no interval": (of(1, p=np.nan), of(1, p=np.nan), ", without any interval."),
    "none at points": (
        of(1, p=np.nan),
        of(1, 1, p=0.01),
        "at every value of b and bq and under all 2 definitions (all clearly).",
    ),
}


@pytest.mark.parametrize("case", BOTH)
def test_both_questions_are_answered_whoever_leads_where(case: str) -> None:
    points, under, said = BOTH[case]
    answer = words.who_leads((points, words.POINTS), (under, words.DEFINITIONS))
    assert said in answer
    assert "Holm" not in answer  # p is multiplied by the number of pairs at each point
