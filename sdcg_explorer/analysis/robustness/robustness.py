"""Does the answer hold? A difference, or a score, over the whole plane of b and bq."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.robustness.base_grid import GRID, Plane
from sdcg_explorer.analysis.robustness.base_grid_scores import session_scores_over
from sdcg_explorer.analysis.robustness.win_counts import Lead
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import Selection, select
from sdcg_explorer.analysis.sessions.family import under
from sdcg_explorer.analysis.sessions.other_measures import Measured
from sdcg_explorer.analysis.sessions.registry import (
    ALL_SESSION_SCORES,
    USUAL,
    session_score_of,
)
from sdcg_explorer.analysis.statistics.correlations import of_columns
from sdcg_explorer.analysis.statistics.many_scores import compared
from sdcg_explorer.analysis.systems.pairs import every_pair
from sdcg_explorer.analysis.systems.two_systems import Pair
from sdcg_explorer.metrics import Score
from sdcg_explorer.study.study import Study

ROOM = 4_000_000  # scores that are held at once


@dataclass(frozen=True, eq=False)
class Robustness:
    """A score over b (B,) and bq (K,): how far two systems differ, or what one is worth.

    measure : the score as it is said under the definition · systems : the two that are compared,
    or the one · value (B, K) : difference second less first with the 95 % interval low, high of
    these two alone and its p by t, nan where there is none; of one system the mean · correlation
    (B, K) : of its sessions' ranks with those at the definition in force, nan with two · sessions :
    of each system that are compared · undefined, without_judgments : of them, left out · pairs : of
    systems, of which these are one · compared : these two as Compare systems has them, None of one
    """

    score: str
    measure: Score[Measured]
    systems: tuple[str, ...]
    b: tuple[float, ...]
    bq: tuple[float, ...]
    value: Floats
    low: Floats
    high: Floats
    p: Floats
    correlation: Floats
    sessions: tuple[int, ...]
    undefined: int
    without_judgments: int
    pairs: int = 1
    compared: Pair | None = None

    @property
    def unit(self) -> str:
        """What a difference is counted in."""
        return self.measure.unit

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two systems that are compared."""
        return (self.systems[0], self.systems[1]) if len(self.systems) > 1 else None

    @property
    def lead(self) -> Lead:
        """Who of two systems is ahead where, and where clearly."""
        return Lead((self.systems[0], self.systems[1]), self.value, self.p, self.pairs)

    @property
    def words(self) -> str:
        """The score in words."""
        return self.measure.words

    @property
    def is_known(self) -> bool:
        """Whether there is a number at any point."""
        return any(self.sessions) and not np.isnan(self.value).all()

    @property
    def has_order(self) -> bool:
        """Whether one system's sessions have an order to be kept."""
        return not np.isnan(self.correlation).all()

    @property
    def has_no_interval(self) -> bool:
        """Whether there is no interval anywhere."""
        return bool(np.isnan(self.low).all())

    def table(self) -> pd.DataFrame:
        """One row per point."""
        b, bq = np.meshgrid(self.b, self.bq, indexing="ij")
        columns = {"b": b, "bq": bq}
        if len(self.systems) > 1:
            columns |= {"difference": self.value, "low": self.low, "high": self.high}
        else:
            columns |= {"mean": self.value, "rank_correlation": self.correlation}
        names = dict(zip(("system_a", "system_b"), self.systems, strict=False))
        numbers = {name: values.ravel() for name, values in columns.items()}
        return pd.DataFrame({"score": self.score, **names, **numbers})


def robustness(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = USUAL,
    pair: tuple[str, str] | None = None,
    grid: tuple[float, ...] = GRID,
) -> Robustness:
    """A score over b × bq: the difference of a pair of systems, or of those that differ most.

    Raises
    ------
    ValueError : no such score, or no such two systems
    """
    chosen = select(study, definition, filters)
    systems, values, about = _asked(study, filters, chosen, score, pair)
    parts = [_at(chosen, score, systems, b, grid) for b in _blocks(chosen, grid)]
    names = "value", "low", "high", "p", "correlation"
    numbers = map(np.concatenate, zip(*parts, strict=True))
    arrays: dict[str, Any] = dict(zip(names, numbers, strict=True))
    about = _behind(chosen.sample, values, systems) | about
    measure = under(definition, score, ALL_SESSION_SCORES[score])
    return Robustness(score, measure, systems, grid, grid, **arrays, **about)


def _asked(
    study: Study, filters: Filters, chosen: Selection, score: str, pair: tuple[str, str] | None
) -> tuple[tuple[str, ...], Floats, dict[str, Any]]:
    """The systems that are compared, the score of each session, and what is known of the pair."""
    now = every_pair(study, chosen.definition, filters, score)
    own, values = now.chosen(pair), session_score_of(score, chosen)
    if own is None:
        return now.names, values, {}
    known = {"pairs": len(now.pairs), "compared": own}
    return (own.system_a, own.system_b), values, known | {"sessions": (own.n_a, own.n_b)}


def _behind(sample: Sample, values: Floats, systems: tuple[str, ...]) -> dict[str, Any]:
    """Sessions of each of some systems, and which of them are left out; of none, of all."""
    codes = [sample.block.system_names.index(name) for name in systems]
    known = sample.judged & np.isfinite(values)
    own = np.isin(sample.systems, codes) | (not codes)
    return {
        "sessions": tuple(int((known & (sample.systems == code)).sum()) for code in codes),
        "undefined": int((own & sample.judged & ~known).sum()),
        "without_judgments": int((own & ~sample.judged).sum()),
    }


def _blocks(chosen: Selection, grid: tuple[float, ...]) -> Iterator[tuple[float, ...]]:
    """Values of b whose scores are held at once; what a b makes of queries serves every bq."""
    step = max(1, ROOM // max(1, chosen.sample.sessions.size * len(grid)))
    return (grid[i : i + step] for i in range(0, len(grid), step))


def _at(
    chosen: Selection,
    score: str,
    systems: tuple[str, ...],
    b: tuple[float, ...],
    bq: tuple[float, ...],
) -> tuple[Floats, ...]:
    """Value, both ends of its interval, p, and rank correlation with the present, (B, K) each."""
    scores, shape = session_scores_over(Plane(chosen, b, bq), score), (len(b), len(bq))
    flat, nowhere = scores.reshape(len(scores), len(b) * len(bq)), np.full(shape, np.nan)
    if len(systems) > 1:
        found = compared(chosen, flat, (systems[0], systems[1]))
        numbers = found.value, *found.interval(), found.p
        return *(each.reshape(shape) for each in numbers), nowhere
    known = np.isfinite(flat).all(axis=1)
    if not known.any():
        return (nowhere,) * 5
    mean = flat[known].mean(axis=0).reshape(shape)
    now = session_score_of(score, chosen)[known]
    return mean, *(nowhere,) * 3, of_columns("spearman", flat[known], now).reshape(shape)
