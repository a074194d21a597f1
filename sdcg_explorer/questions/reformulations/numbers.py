"""What does asking again bring? Changes of a measure from query to query, across the study."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.mean_curves import THIN, axis_end
from sdcg_explorer.scoring.measures import OF_SINGLE_QUERIES, QUERY_SCORES, brought, measured
from sdcg_explorer.scoring.selection import Sample, select
from sdcg_explorer.statistics.correlations import between
from sdcg_explorer.study.study import Study

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
EQUAL = 1e-12
DID = ("gained", "stayed", "lost")  # what a reformulation did to the measure


def shares(sample: Sample, change: Floats) -> pd.DataFrame:
    """Reformulations of each system by step, and how many of them gained, stayed and lost."""
    did = (~np.isnan(change), change > EQUAL, np.abs(change) <= EQUAL, change < -EQUAL)
    shown = np.array(sample.shown_systems, dtype=np.int64)
    of = (sample.systems == shown[:, None]).astype(np.int64)  # (G, S)
    counts = [(of @ each).ravel() for each in did]
    names = np.array(sample.block.system_names, dtype=object)[shown]
    steps = {
        "system": np.repeat(names, change.shape[1]),
        "step": np.tile(np.arange(1, change.shape[1] + 1), shown.size),
        **dict(zip(("number", *DID), counts, strict=True)),
    }
    table = pd.DataFrame(steps)
    return table[table["number"] > 0].reset_index(drop=True)


def quantiles(sample: Sample, values: Floats, place: str) -> pd.DataFrame:
    """Quantiles of each column of (S, Q) values by system, with the number they run over."""
    rows: list[dict[str, Any]] = []
    for own in sample.shown_systems:
        for q, column in enumerate(values[sample.systems == own].T, start=1):
            known = column[~np.isnan(column)]
            if known.size:
                told = dict(zip(_named_quantiles(), np.quantile(known, QUANTILES), strict=True))
                name = sample.block.system_names[own]
                rows.append({"system": name, place: q, "number": known.size, **told})
    return pd.DataFrame(rows, columns=["system", place, "number", *_named_quantiles()])


def _named_quantiles() -> list[str]:
    return [f"p{100 * q:g}" for q in QUANTILES]


def first_queries(sample: Sample, worth: Floats) -> pd.DataFrame:
    """Quantiles of the first query's measure by the session's number of queries."""
    spread = np.full((worth.size, sample.most_queries), np.nan)
    spread[np.arange(worth.size), sample.queries - 1] = worth
    return quantiles(sample, spread, "queries")


def by_query(sample: Sample, means: dict[str, Floats]) -> pd.DataFrame:
    """Mean of each measure by system and query number, and how many sessions it runs over."""
    frames: list[pd.DataFrame] = []
    for own in sample.shown_systems:
        rows = sample.systems == own
        table: dict[str, Any] = {
            "system": sample.block.system_names[own],
            "query_number": np.arange(1, sample.most_queries + 1),
        }
        for name, values in means.items():
            known = ~np.isnan(values[rows])
            number = known.sum(axis=0)
            total = np.where(known, values[rows], 0.0).sum(axis=0)
            table[name] = np.divide(
                total, number, out=np.full(total.shape, np.nan), where=number > 0
            )
            table[f"{name}_sessions"] = number
        frames.append(pd.DataFrame(table))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


BY_QUERY = ("found", "novelty", "coverage")
MEASURES = {"dcg": "DCG", **OF_SINGLE_QUERIES}  # in words
USUAL = "dcg"


@dataclass(frozen=True)
class SystemSteps:
    """What one system's reformulations did, and which of its queries are the best.

    reformulations : those from a query that has the measure to another · several : sessions of
    which the last query and others have it · last_best : those whose last has most of it
    """

    system: str
    reformulations: int
    gained: int
    lost: int
    several: int
    last_best: int
    first_with_queries: float
    first_interval: tuple[float, float] = (np.nan, np.nan)

    @property
    def share(self) -> float:
        """Share of the reformulations that gain."""
        return self.gained / self.reformulations


@dataclass(frozen=True, eq=False)
class Reformulations:
    """Changes by step, means by query number, and first queries, each by system.

    changes, first : quantiles of the measure, one row per system and step (or number of queries) ·
    shares : how many reformulations gained, stayed and lost, a row per system and step · running
    (Q,) : sessions on judged topics that have each query ·
    by_query : means of `shown_by_query` over the sessions that have the query, with their number ·
    undefined : queries on judged topics that do not have the measure
    """

    systems: tuple[SystemSteps, ...]
    changes: pd.DataFrame
    by_query: pd.DataFrame
    first: pd.DataFrame
    without_judgments: int
    shares: pd.DataFrame
    running: Ints
    measure: str = USUAL
    undefined: int = 0

    @property
    def words(self) -> str:
        """The measure in words."""
        return MEASURES[self.measure]

    @property
    def unit(self) -> str:
        """What the measure is counted in, where its words do not say so."""
        unit = QUERY_SCORES[self.measure].unit
        unit = "gain" if self.measure == USUAL else unit
        return "" if unit in ("share", *self.words.split()) else f" ({unit})"

    @property
    def shown_by_query(self) -> tuple[str, ...]:
        """Whose means by query number are drawn: the measure's too, where it is not the usual."""
        return BY_QUERY if self.measure == USUAL else (self.measure, *BY_QUERY)

    def table(self) -> pd.DataFrame:
        """One row per system: what its reformulations did, and how often the last query is best."""
        return pd.DataFrame([asdict(system) for system in self.systems]).drop(
            columns="first_interval", errors="ignore"
        )

    def end(self, *, every: bool = False) -> int:
        """Last query of the axes: of all, or while enough sessions of several queries run."""
        return self.running.size if every else 1 + axis_end(self.running[1:])

    @property
    def is_cut(self) -> bool:
        """Whether axes end before the longest session, unless all of them is asked for."""
        return self.end() < self.running.size

    def boxes(self, quantiles: pd.DataFrame) -> pd.DataFrame:
        """Rows of `changes` or `first` that stand for enough values to be a box."""
        return quantiles[quantiles["number"] >= THIN]


def reformulations(
    study: Study, definition: Definition, filters: Filters, *, measure: str = USUAL
) -> Reformulations:
    """What each reformulation of the sessions within the filters did to a measure.

    Raises
    ------
    ValueError : a measure that is no key of ``MEASURES``
    """
    if measure not in MEASURES:
        raise ValueError(f"measure {measure!r}; known are {', '.join(MEASURES)}.")
    chosen = select(study, definition, filters)
    sample, known = chosen.sample, chosen.sample.judged_at
    found = np.cumsum(brought(chosen), axis=1)
    each = measured(chosen, {name: QUERY_SCORES[name] for name in (*BY_QUERY[1:], measure)})
    means = {"found": np.where(known, found, np.nan)}
    means |= {name: each[name] for name in BY_QUERY[1:]}
    worth = np.where(known, each[measure], np.nan)
    if measure != USUAL:
        means = {measure: worth, **means}
    change = np.diff(worth, axis=1, prepend=np.nan)
    return Reformulations(
        systems=_systems(sample, worth, change),
        changes=quantiles(sample, change, "step"),
        shares=shares(sample, change),
        running=(sample.judged[:, None] & sample.asked_at).sum(axis=0),
        by_query=by_query(sample, means),
        first=first_queries(sample, worth[:, 0]),
        without_judgments=int((~sample.judged).sum()),
        measure=measure,
        undefined=int((known & np.isnan(worth)).sum()),
    )


def _systems(sample: Sample, worth: Floats, change: Floats) -> tuple[SystemSteps, ...]:
    names, told = sample.block.system_names, []
    number = np.arange(1, sample.most_queries + 1)
    earlier = ~np.isnan(worth) & (number < sample.queries[:, None])
    before = np.max(worth, axis=1, where=earlier, initial=-np.inf)
    last = np.take_along_axis(worth, sample.queries[:, None] - 1, axis=1)[:, 0]
    several = ~np.isnan(last) & earlier.any(axis=1)
    best = several & (last > before + EQUAL)  # of equals the earliest is the best
    for own in sample.shown_systems:
        rows = sample.systems == own
        steps = change[rows]
        told.append(
            SystemSteps(
                system=names[own],
                reformulations=int((~np.isnan(steps)).sum()),
                gained=int((steps > EQUAL).sum()),
                lost=int((steps < -EQUAL).sum()),
                several=int((several & rows).sum()),
                last_best=int((best & rows).sum()),
                first_with_queries=_rank_correlation(worth[rows, 0], sample.queries[rows]),
                first_interval=_interval(
                    worth[rows, 0], sample.queries[rows], sample.clusters[rows]
                ),
            )
        )
    return tuple(told)


def _interval(one: Floats, other: Ints, unit: Ints) -> tuple[float, float]:
    """95 % interval of Spearman's, searchers (or sessions without one) resampled."""
    known = ~np.isnan(one)
    found = between("spearman", one[known], other[known].astype(float), unit[known])
    return found.low, found.high


def _rank_correlation(one: Floats, other: Ints) -> float:
    """Spearman's; 0 where it is undefined, as for equal numbers of queries."""
    pairs = pd.DataFrame({"one": np.round(one, 12), "other": other.astype(float)}).dropna()
    value = pairs.corr(method="spearman").to_numpy()[0, 1] if len(pairs) > 2 else np.nan
    return 0.0 if np.isnan(value) else float(value)
