"""Is the last query better than the others of its session? Tested within sessions, per system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.definition import Definition, Filters
from analysis.effects import rounding
from analysis.permutation import permutation_p
from analysis.selection import select
from analysis.wording import counted, p_value, short
from metrics import query_scores
from study.study import Study

COLUMNS = (
    *("system", "sessions", "searchers", "last", "others", "difference", "low", "high"),
    "p_permutation",
)


@dataclass(frozen=True, eq=False)
class LastAgainstOthers:
    """A row per system: sdcg of last queries less the mean of the others, within sessions."""

    systems: pd.DataFrame
    single: int

    def sentences(self) -> list[str]:
        """What each system's last queries are worth more, or less."""
        told: list[str] = []
        for row in self.systems.to_dict("records"):
            more = "more" if row["difference"] >= 0 else "less"
            sign = 1 if row["difference"] >= 0 else -1
            ends = sorted((sign * row["low"], sign * row["high"]))
            between = f"95 % interval {short(ends[0])} to {short(ends[1])}"
            interval = "no interval" if np.isnan(row["low"]) else between
            test = "" if np.isnan(row["p_permutation"]) else f", {p_value(row['p_permutation'])}"
            worth = f"{short(abs(row['difference']))} sDCG {more}"
            told.append(
                f"{row['system']}: the last query is worth {worth} "
                f"than the others of its session ({interval}{test}; "
                f"{counted(row['sessions'], 'session')} by "
                f"{counted(row['searchers'], 'searcher')})."
            )
        if self.single:
            told.append(
                f"{counted(self.single, 'session')} with a single query can't be asked; where the "
                "best query is last because searchers stop once they have found, this says how "
                "they stop, not what asking again brings."
            )
        return told


def last_against_others(
    study: Study, definition: Definition, filters: Filters
) -> LastAgainstOthers:
    """Difference within sessions that have both, searchers as units, for every system."""
    chosen = select(study, definition, filters)
    sample = chosen.sample
    rows = np.flatnonzero(sample.judged & (sample.queries > 1))
    worth = query_scores(chosen.gains(), chosen.discount(), chosen.factors, sample.queries)["sdcg"]
    worth, number = worth[rows], sample.queries[rows]
    last = worth[np.arange(rows.size), number - 1]
    others = (np.nansum(worth, axis=1) - last) / np.maximum(number - 1, 1)
    told: list[dict[str, Any]] = []
    for system, name in enumerate(sample.block.system_names):
        own = sample.systems[rows] == system
        if own.any():
            unit = np.unique(sample.clusters[rows][own], return_inverse=True)[1]
            told.append({"system": name, **_tested(last[own], others[own], unit)})
    single = int((sample.judged & (sample.queries == 1)).sum())
    return LastAgainstOthers(pd.DataFrame(told, columns=list(COLUMNS)), single)


def _tested(last: np.ndarray, others: np.ndarray, unit: np.ndarray) -> dict[str, Any]:
    """Means, difference with its t interval, and p with last and others changing places."""
    from scipy import stats

    count = np.bincount(unit)
    each = np.stack([np.bincount(unit, weights=v) / count for v in (others, last)])
    step = rounding(each.ravel()) or 1.0
    d = np.round((each[1] - each[0]) / step) * step
    low = high = float("nan")
    if d.size > 1 and np.ptp(d) > 0:
        interval = stats.ttest_1samp(d, 0.0).confidence_interval()
        low, high = float(interval.low), float(interval.high)
    labels, strata = np.repeat([0, 1], d.size), np.tile(np.arange(d.size), 2)
    return {
        "sessions": int(last.size),
        "searchers": int(d.size),
        "last": float(last.mean()),
        "others": float(others.mean()),
        "difference": float(d.mean()),
        "low": low,
        "high": high,
        "p_permutation": permutation_p(each.ravel(), labels, strata)[0],
    }
