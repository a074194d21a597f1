"""Simulated studies: how often is a difference found where there is none, or an interval wrong?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from sdcg_explorer.questions.compare_systems import numbers as pairs
from sdcg_explorer.questions.compare_systems.numbers import compare
from sdcg_explorer.scoring.scored_sessions import Scored
from tests.support.thorough import THOROUGH

Ints: TypeAlias = NDArray[np.int64]
Layout: TypeAlias = tuple[Ints, Ints, Ints]  # searcher, system and topic of each session
Draw: TypeAlias = Callable[[np.random.Generator, Layout], NDArray[np.float64]]

DRAWS = 99


@pytest.fixture(autouse=True)
def no_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes of a difference are not asked for, and take most of the time."""
    monkeypatch.setattr(pairs, "superiority", lambda *_: (np.nan,) * 3)


def s08(searchers: int = 30, topics: int = 4) -> Layout:
    """Each searcher on every topic, half of them with either system, all ways in turn."""
    ways = list(combinations(range(topics), topics // 2))
    with_b = [ways[i % len(ways)] for i in range(searchers)]
    system = [int(topic in own) for own in with_b for topic in range(topics)]
    unit, topic = np.divmod(np.arange(searchers * topics), topics)
    return unit, np.array(system), topic


def between(searchers: int = 30, topics: int = 4) -> Layout:
    """Each searcher on every topic with one system."""
    unit, topic = np.divmod(np.arange(searchers * topics), topics)
    return unit, unit % 2, topic


def single_sessions(topics: int, each: int) -> Layout:
    """Sessions without searchers: so many of each system on each topic."""
    place = np.arange(2 * topics * each)
    return place, place % 2, place // (2 * each)


def two_sessions(searchers: int) -> Layout:
    """As many topics as searchers: one with a, the next with b; each topic has two sessions."""
    unit, second = np.divmod(np.arange(2 * searchers), 2)
    return unit, second, (unit + second) % searchers


def normal(rng: np.random.Generator, layout: Layout) -> NDArray[np.float64]:
    """Topics differ by 2, searchers by .7, sessions by 1."""
    unit, _, topic = layout
    of_topics, of_searchers = rng.normal(0, 2, 100), rng.normal(0, 0.7, unit.max() + 1)
    return of_topics[topic] + of_searchers[unit] + rng.normal(size=unit.size)


def gains(rng: np.random.Generator, layout: Layout) -> NDArray[np.float64]:
    """Sums of gains 0, 1, 10, 100 over three queries of ten ranks, hard topics and able searchers.

    In units of the sessions' standard deviation.
    """
    unit, _, topic = layout
    chance = 0.05 * np.exp(rng.normal(0, 0.5, 100))[topic]
    chance *= np.exp(rng.normal(0, 0.3, unit.max() + 1))[unit]
    grades = rng.choice([1, 10, 100], p=[0.6, 0.3, 0.1], size=(unit.size, 3, 10))
    found = rng.random((unit.size, 3, 10)) < chance[:, None, None]
    of_ranks, of_queries = (
        1 / (1 + np.log(np.arange(1, n)) / np.log(b)) for n, b in ((11, 2), (4, 4))
    )
    score = (found * grades * of_ranks * of_queries[:, None]).sum(axis=(1, 2))
    return score / score.std()


def rates(layout: Layout, draw: Draw, studies: int) -> tuple[int, int]:
    """Studies of no lead that p ≤ .05 calls different, and whose interval covers that."""
    rng = np.random.default_rng(2008)
    unit, system, topic = layout
    called = covered = 0
    for _ in range(studies):
        flat = Scored(draw(rng, layout), system, unit, topic, np.ones_like(unit), ("A", "B"))
        found = compare(flat, 0, 1, draws=DRAWS)
        called += found.p_permutation <= 0.05
        covered += found.low <= 0 <= found.high
    return called, covered


NORMAL, FEW = 200 * THOROUGH, 150 * THOROUGH
DESIGNS = {  # layout, scores, studies, and whether as many are called different as promised
    "S08, normal": (s08(), normal, NORMAL, True),
    "S08, sums of gains": (s08(), gains, NORMAL, True),
    "between, sums of gains": (between(), gains, NORMAL, True),
    "sessions as units, two per topic": (single_sessions(12, 1), normal, FEW, False),
    "topics as units, three runs each": (single_sessions(12, 3), normal, FEW, False),
    "within, two sessions per topic": (two_sessions(20), normal, FEW, False),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_5_percent_of_harmless_studies_are_called_different_and_95_covered(design: str) -> None:
    layout, draw, studies, is_exact = DESIGNS[design]
    called, covered = rates(layout, draw, studies)
    assert called <= binom.ppf(0.9995, studies, 0.05)
    assert not is_exact or called >= binom.ppf(0.0005, studies, 0.05)
    low, high = binom.ppf([0.0005, 0.9995], studies, 0.95)
    assert low <= covered <= high
