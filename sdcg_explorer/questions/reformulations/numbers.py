"""What does asking again bring? Changes of a measure from query to query, across the study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property

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
OUTCOMES = ("gained", "stayed", "lost")  # what a reformulation did to the measure


def quantiles(rows: pd.DataFrame, name: str, place: str) -> pd.DataFrame:
    """Quantiles of a column by system and place, with the number they run over."""
    groups = rows.dropna(subset=name).groupby(["system", place], observed=True)[name]
    found = [(*at, len(group), *np.quantile(group, QUANTILES)) for at, group in groups]
    columns = ["system", place, "number", *(f"p{100 * q:g}" for q in QUANTILES)]
    return pd.DataFrame(found, columns=pd.Index(columns)).astype({"system": object})


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

    rows : a row per session and query number, with values and the change to it · starts : a row per
    session, with its first query's measure · running (Q,) : sessions on judged topics that have
    each query · undefined : queries on judged topics that do not have the measure
    """

    systems: tuple[SystemSteps, ...]
    rows: pd.DataFrame
    starts: pd.DataFrame
    without_judgments: int
    running: Ints
    measure: str = USUAL
    undefined: int = 0

    @cached_property
    def changes(self) -> pd.DataFrame:
        """Quantiles of the measure's change, one row per system and step."""
        return quantiles(self.rows.rename(columns={"query_number": "step"}), "change", "step")

    @cached_property
    def shares(self) -> pd.DataFrame:
        """How many reformulations gained, stayed and lost, a row per system and step."""
        known = self.rows.dropna(subset="change")
        change = known["change"]
        did = {"gained": change > EQUAL, "stayed": change.abs() <= EQUAL, "lost": change < -EQUAL}
        groups = known.assign(**did).groupby(["system", "query_number"], observed=True)
        table = groups[[*OUTCOMES]].sum()
        table.insert(0, "number", groups.size())
        return table.reset_index(names=["system", "step"]).astype({"system": object})

    @cached_property
    def by_query(self) -> pd.DataFrame:
        """Means of `shown_by_query` over the sessions that have the query, with their number."""
        names = [*self.measures_by_query]
        groups = self.rows.groupby(["system", "query_number"], observed=True)[names]
        table = groups.mean().join(groups.count().add_suffix("_sessions"))
        columns = [column for name in names for column in (name, f"{name}_sessions")]
        return table[columns].reset_index().astype({"system": object})

    @cached_property
    def first(self) -> pd.DataFrame:
        """Quantiles of the first query's measure, one row per system and number of queries."""
        return quantiles(self.starts, "first", "queries")

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
    def measures_by_query(self) -> tuple[str, ...]:
        """Whose means by query number are drawn: the measure's too, where it is not the usual."""
        return BY_QUERY if self.measure == USUAL else (self.measure, *BY_QUERY)

    def table(self) -> pd.DataFrame:
        """One row per system: what its reformulations did, and how often the last query is best."""
        rows = pd.DataFrame([asdict(system) for system in self.systems])
        return rows.drop(columns="first_interval", errors="ignore")

    def end(self, *, every: bool = False) -> int:
        """Last query of the axes: of all, or while enough sessions of several queries run."""
        return self.running.size if every else 1 + axis_end(self.running[1:])

    @property
    def axes_are_cut(self) -> bool:
        """Whether axes end before the longest session, unless all of them is asked for."""
        return self.end() < self.running.size

    def rows_with_boxes(self, quantiles: pd.DataFrame) -> pd.DataFrame:
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
        raise ValueError(f"measure {measure!r}; choose one of {', '.join(MEASURES)}.")
    chosen = select(study, definition, filters)
    sample, known = chosen.sample, chosen.sample.is_judged_query
    each = measured(chosen, {name: QUERY_SCORES[name] for name in (*BY_QUERY[1:], measure)})
    means = {"found": np.where(known, np.cumsum(brought(chosen), axis=1), np.nan)}
    means |= {name: each[name] for name in BY_QUERY[1:]}
    worth = np.where(known, each[measure], np.nan)
    if measure != USUAL:
        means = {measure: worth, **means}
    change = np.diff(worth, axis=1, prepend=np.nan)
    names, numbers = pd.Index([*sample.block.system_names]), np.arange(1, sample.most_queries + 1)
    system = pd.Categorical.from_codes(sample.systems.tolist(), names)
    place = {
        "system": system.repeat(numbers.size),
        "query_number": np.tile(numbers, sample.systems.size),
    }
    values = {name: of.ravel() for name, of in {**means, "change": change}.items()}
    start = {"system": system, "queries": sample.queries, "first": worth[:, 0]}
    return Reformulations(
        systems=tuple(_steps_by_system(sample, worth, change)),
        rows=pd.DataFrame(place | values),
        starts=pd.DataFrame(start),
        running=(sample.judged[:, None] & sample.has_query).sum(axis=0),
        without_judgments=int((~sample.judged).sum()),
        measure=measure,
        undefined=int((known & np.isnan(worth)).sum()),
    )


def _steps_by_system(sample: Sample, worth: Floats, change: Floats) -> Iterator[SystemSteps]:
    """What each system's reformulations did."""
    earlier = ~np.isnan(worth) & (np.arange(1, sample.most_queries + 1) < sample.queries[:, None])
    before = np.max(worth, axis=1, where=earlier, initial=-np.inf)
    last = np.take_along_axis(worth, sample.queries[:, None] - 1, axis=1)[:, 0]
    several = ~np.isnan(last) & earlier.any(axis=1)
    best = several & (last > before + EQUAL)  # of equals the earliest is the best
    for own in sample.shown_systems:
        is_own = sample.systems == own
        steps, known = change[is_own], is_own & ~np.isnan(worth[:, 0])
        first, queries = np.round(worth[known, 0], 12), sample.queries[known].astype(float)
        found = between("spearman", first, queries, sample.clusters[known])
        yield SystemSteps(
            system=sample.block.system_names[own],
            reformulations=int((~np.isnan(steps)).sum()),
            gained=int((steps > EQUAL).sum()),
            lost=int((steps < -EQUAL).sum()),
            several=int((several & is_own).sum()),
            last_best=int((best & is_own).sum()),
            first_with_queries=found.value if first.size > 2 else np.nan,
            first_interval=(found.low, found.high),
        )
