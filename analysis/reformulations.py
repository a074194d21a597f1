"""What does asking again bring? Changes of DCG from query to query, across the study."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import Floats, Ints
from analysis.definition.definition import Definition, Filters
from analysis.other_measures import Measured
from analysis.registry import QUERY_SCORES
from analysis.sample import Sample
from analysis.selection import select
from analysis.wording import counted, left_out
from study.study import Study

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
EQUAL = 1e-12
BY_QUERY = ("found", "novelty", "coverage")


@dataclass(frozen=True)
class SystemSteps:
    """What one system's reformulations did, and which of its queries are the best.

    reformulations : those from a query on a judged topic to another · several : sessions with a
    last query and others on judged topics · last_best : those whose last is worth most
    """

    system: str
    reformulations: int
    gained: int
    lost: int
    several: int
    last_best: int
    first_with_queries: float

    def said(self) -> str:
        """The system in half a sentence."""
        share = f"{self.gained / self.reformulations:.0%}"
        lost = f"{self.lost / self.reformulations:.0%}"
        steps = counted(self.reformulations, "reformulation")
        said = f"in {self.system} {share} of {steps} gain and {lost} lose"
        if not self.several:
            return said
        best = f"{self.last_best / self.several:.0%}"
        return f"{said}, and the last query is the best in {best} of the sessions with several"


@dataclass(frozen=True, eq=False)
class Reformulations:
    """Changes by step, means by query number, and worth of the first query, each by system.

    changes, first : quantiles, one row per system and step (or number of queries) ·
    by_query : means of `BY_QUERY` over the sessions that have the query, with their number
    """

    systems: tuple[SystemSteps, ...]
    changes: pd.DataFrame
    by_query: pd.DataFrame
    first: pd.DataFrame
    without_judgments: int

    def answer(self) -> str:
        """The page's first line."""
        told = [system.said() for system in self.systems if system.reformulations]
        if not told:
            return "No session with several judged queries is left: widen the filters under Show."
        said = "; ".join(told)
        return f"{said[0].upper()}{said[1:]}."

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
            f"the 95th, systems in the legend's order. Change of DCG, so that the same list issued "
            f"again is no change."
            f"{left_out(self.without_judgments)}"
        )

    def advice(self) -> list[str]:
        """Plain sentences where a reader could be misled."""
        said = [
            f"In {s.system} a session's first query is worth "
            f"{'more' if s.first_with_queries > 0 else 'less'} the more queries follow "
            f"(rank correlation {s.first_with_queries:.2f})."
            for s in self.systems
            if abs(s.first_with_queries) >= 0.1
        ]
        return [
            *said,
            "Means by query number run over the sessions that go on so far: later ones "
            "are other sessions, not later moments of the same.",
        ]


def reformulations(study: Study, definition: Definition, filters: Filters) -> Reformulations:
    """What each reformulation of the sessions within the filters did."""
    chosen = select(study, definition, filters)
    sample = chosen.sample
    each, of = chosen.query_scores, Measured(chosen)
    worth, change = each["dcg"], each["change_dcg"]
    means = {"found": np.where(np.isnan(worth), np.nan, np.cumsum(of.brought, axis=1))}
    means |= {name: QUERY_SCORES[name].function(of) for name in BY_QUERY[1:]}
    return Reformulations(
        systems=_systems(sample, worth, each["sdcg"], change),
        changes=_quantiles(sample, change, "step"),
        by_query=_by_query(sample, means),
        first=_first(sample, worth[:, 0]),
        without_judgments=int((~sample.judged).sum()),
    )


def _systems(
    sample: Sample, worth: Floats, sdcg: Floats, change: Floats
) -> tuple[SystemSteps, ...]:
    names, told = sample.block.system_names, []
    several = sample.has_last & (sample.others > 0)
    number = np.arange(1, sample.most_queries + 1)
    earlier = sample.judged_at & (number < sample.queries[:, None])
    before = np.max(sdcg, axis=1, where=earlier, initial=-np.inf)
    last = np.take_along_axis(sdcg, sample.queries[:, None] - 1, axis=1)[:, 0]
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
    """Quantiles of the first query's DCG by the session's number of queries."""
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
