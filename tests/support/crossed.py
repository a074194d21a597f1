"""Studies for the crossed mixed model, and its matrices as they stand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.scoring.scored_sessions import Scored
from sdcg_explorer.statistics.crossed_model import Crossed, crossed_model

Floats = NDArray[np.float64]
NAMES = ("A", "B")
SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)


def study(score: Any, system: Any, unit: Any, topic: Any, **more: Any) -> Scored:
    codes = [np.asarray(of, dtype=np.int64) for of in (system, unit, topic)]
    values = np.asarray(score, dtype=np.float64)
    return Scored(values, codes[0], codes[1], codes[2], np.ones_like(codes[0]), NAMES, **more)


def paired(first: Any, second: Any) -> Scored:
    """A session of each system on each topic, each by somebody else."""
    size = len(first)
    topics = np.tile(np.arange(size), 2)
    return study([*first, *second], np.repeat([0, 1], size), np.arange(2 * size), topics)


def simulated(seed: int, searchers: int = 9, topics: int = 8, *, both: bool = False) -> Scored:
    """Each searcher on each topic, with either system by chance, or with both; all parts vary."""
    rng = np.random.default_rng(seed)
    unit, topic = (of.ravel() for of in np.indices((searchers, topics)))
    system = rng.permuted(np.arange(unit.size) % 2)
    if both:
        unit, topic, system = np.tile(unit, 2), np.tile(topic, 2), np.repeat([0, 1], unit.size)
    score = rng.normal(0, 0.5, unit.size) + 3 + 0.4 * system
    for codes, size in ((unit, searchers), (topic, topics)):
        own = rng.normal(0, 0.8, (size, 3))
        score += own[codes, 0] + own[codes, 1 + system]
    return study(score, system, unit, topic)


def of(scored: Scored) -> Crossed:
    """The model of the first two systems."""
    codes = scored.system == 1, scored.unit, scored.topic
    return crossed_model(scored.score, *codes, is_named=scored.names_searchers)
