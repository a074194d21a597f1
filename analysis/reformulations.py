"""What does asking again bring? Changes of a measure from query to query, across the study."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import Floats, Ints
from analysis.definition.definition import Definition, Filters
from analysis.other_measures import Measured
from analysis.registry import OF_SINGLE_QUERIES, QUERY_SCORES
from analysis.sample import Sample
from analysis.selection import select
from analysis.wording import counted, left_out
from study.study import Study

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
EQUAL = 1e-12
BY_QUERY = ("found", "novelty", "coverage")
MEASURES = {"dcg": "DCG", **OF_SINGLE_QUERIES}  # in words
USUAL = "dcg"


@dataclass(frozen=True)
class SystemSteps:
    """What one system's reformulations did, and which of its queries are the best.

    reformulations : those from a query that has the measure to another · several : sessions of
    which the last query and others have it · last_best : those whose last has most of it, under
    DCG most of sDCG
    """

    system: str
    reformulations: int
    gained: int
    lost: int
    several: int
    last_best: int
    first_with_queries: float

    def steps(self) -> str:
        """How many of the system's reformulations gain, and how many lose."""
        share = f"{self.gained / self.reformulations:.0%}"
        lost = f"{self.lost / self.reformulations:.0%}"
        steps = counted(self.reformulations, "reformulation")
        return f"in {self.system} {share} of {steps} gain and {lost} lose"

    def said(self) -> str:
        """The system in half a sentence."""
        said = self.steps()
        if not self.several:
            return said
        best = f"{self.last_best / self.several:.0%}"
        return f"{said}, and the last query is the best in {best} of the sessions with several"


@dataclass(frozen=True, eq=False)
class Reformulations:
    """Changes by step, means by query number, and first queries, each by system.

    changes, first : quantiles of the measure, one row per system and step (or number of queries) ·
    by_query : means of `shown_by_query` over the sessions that have the query, with their number ·
    undefined : queries on judged topics that do not have the measure
    """

    systems: tuple[SystemSteps, ...]
    changes: pd.DataFrame
    by_query: pd.DataFrame
    first: pd.DataFrame
    without_judgments: int
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

    def answer(self) -> str:
        """The page's first line."""
        told = [system.said() for system in self.systems if system.reformulations]
        if not told and self.undefined:
            have = f"No two queries in a row have {self.words}"
            return f"{have}: choose another measure, or widen the filters under Show."
        if not told:
            return "No session with several judged queries is left: widen the filters under Show."
        said = "; ".join(told)
        if self.measure != USUAL:
            return f"By {self.words}, {said}."
        return f"{said[0].upper()}{said[1:]}."

    def in_short(self) -> str:
        """The same without the best queries."""
        told = "; ".join(system.steps() for system in self.systems if system.reformulations)
        return f"{told[0].upper()}{told[1:]}." if told else self.answer()

    def table(self) -> pd.DataFrame:
        """One row per system: what its reformulations did, and how often the last query is best."""
        return pd.DataFrame([asdict(system) for system in self.systems])

    def behind(self) -> str:
        """What stands behind the pictures."""
        counts = "; ".join(
            f"{s.system}: {counted(s.several, 'session')} with several queries"
            for s in self.systems
        )
        return (
            f"{counts}. Boxes run from the 25th to the 75th percentile, whiskers from the 5th to "
            f"the 95th, systems in the legend's order. {self._changes()}"
            f"{left_out(self.without_judgments)}{self._undefined()}"
        )

    def _changes(self) -> str:
        if self.measure == "relative_recall":
            return "What was found stays found: relative recall never falls on a topic."
        if self.measure == "recall_effort":
            return "Later queries have examined more: recall effort never rises on a topic."
        return f"Change of {self.words}, so that the same list issued again is no change."

    def _undefined(self) -> str:
        if not self.undefined:
            return ""
        return f" Left out: {counted(self.undefined, 'query')} without {self.words}."

    def _has(self, more: bool) -> str:
        if self.measure == USUAL:
            return f"is worth {'more' if more else 'less'}"
        return f"has {'more' if more else 'less'} {self.words}"

    def advice(self) -> list[str]:
        """Plain sentences where a reader could be misled."""
        said = [
            f"In {s.system} a session's first query {self._has(s.first_with_queries > 0)} the more "
            f"queries follow "
            f"(rank correlation {s.first_with_queries:.2f})."
            for s in self.systems
            if abs(s.first_with_queries) >= 0.1
        ]
        return [
            *said,
            "Means by query number run over the sessions that go on so far: later ones "
            "are other sessions, not later moments of the same.",
        ]


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
    sample, of = chosen.sample, Measured(chosen)
    known = sample.judged_at
    found = np.cumsum(of.brought, axis=1)
    means = {"found": np.where(known, found, np.nan)}
    means |= {name: QUERY_SCORES[name].function(of) for name in BY_QUERY[1:]}
    worth = np.where(known, QUERY_SCORES[measure].function(of), np.nan)
    if measure != USUAL:
        means = {measure: worth, **means}
    change = np.diff(worth, axis=1, prepend=np.nan)
    ranked = chosen.query_scores["sdcg"] if measure == USUAL else worth
    return Reformulations(
        systems=_systems(sample, worth, ranked, change),
        changes=_quantiles(sample, change, "step"),
        by_query=_by_query(sample, means),
        first=_first(sample, worth[:, 0]),
        without_judgments=int((~sample.judged).sum()),
        measure=measure,
        undefined=int((known & np.isnan(worth)).sum()),
    )


def _systems(
    sample: Sample, worth: Floats, ranked: Floats, change: Floats
) -> tuple[SystemSteps, ...]:
    names, told = sample.block.system_names, []
    number = np.arange(1, sample.most_queries + 1)
    earlier = ~np.isnan(ranked) & (number < sample.queries[:, None])
    before = np.max(ranked, axis=1, where=earlier, initial=-np.inf)
    last = np.take_along_axis(ranked, sample.queries[:, None] - 1, axis=1)[:, 0]
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
            )
        )
    return tuple(told)


def _rank_correlation(one: Floats, other: Ints) -> float:
    """Spearman's; 0 where it is undefined, as for equal numbers of queries."""
    pairs = pd.DataFrame({"one": np.round(one, 12), "other": other.astype(float)}).dropna()
    value = pairs.corr(method="spearman").to_numpy()[0, 1] if len(pairs) > 2 else np.nan
    return 0.0 if np.isnan(value) else float(value)


def _quantiles(sample: Sample, values: Floats, place: str) -> pd.DataFrame:
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


def _first(sample: Sample, worth: Floats) -> pd.DataFrame:
    """Quantiles of the first query's measure by the session's number of queries."""
    spread = np.full((worth.size, sample.most_queries), np.nan)
    spread[np.arange(worth.size), sample.queries - 1] = worth
    return _quantiles(sample, spread, "queries")


def _by_query(sample: Sample, means: dict[str, Floats]) -> pd.DataFrame:
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
