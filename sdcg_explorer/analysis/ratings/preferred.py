"""Whether a score prefers the system that its searchers preferred."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.systems.scored_sessions import group_means


class Preferred(NamedTuple):
    """Searchers who used both systems of a pair, by whether score and rating prefer the same.

    ties : whose mean score or mean rating is the same with both, left out of the share · low,
    high : exact 95 % interval of the share (Clopper & Pearson 1934)
    """

    system_a: str
    system_b: str
    same: int
    other: int
    ties: int
    share: float
    low: float
    high: float


def preferred(
    score: Floats, rating: Floats, searcher: Ints, system: Ints, names: tuple[str, ...]
) -> list[Preferred]:
    """Every two systems that any searcher used both of; values (N,) with known searchers."""
    if not score.size:
        return []
    size, both = len(names), []
    cell = searcher * size + system
    whole = (int(searcher.max()) + 1) * size
    means = [group_means(each, cell, whole).reshape(-1, size) for each in (score, rating)]
    steps = [rounding(values) for values in (score, rating)]
    for a, b in combinations(range(size), 2):
        apart = [each[:, b] - each[:, a] for each in means]
        known = ~np.isnan(apart[0])
        if known.any():
            signs = [
                np.sign(each[known]) * (np.abs(each[known]) > step)
                for each, step in zip(apart, steps, strict=True)
            ]
            both.append(_counted(names[a], names[b], signs[0] * signs[1]))
    return both


def _counted(a: str, b: str, agree: Floats) -> Preferred:
    from scipy.stats import beta

    same, other = int((agree > 0).sum()), int((agree < 0).sum())
    number = same + other
    if not number:
        return Preferred(a, b, 0, 0, int(agree.size), *([float("nan")] * 3))
    low = float(beta.ppf(0.025, same, other + 1)) if same else 0.0
    high = float(beta.ppf(0.975, same + 1, other)) if other else 1.0
    return Preferred(a, b, same, other, int(agree.size) - number, same / number, low, high)
