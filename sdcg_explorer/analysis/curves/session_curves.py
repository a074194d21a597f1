"""How does gain grow over a session, and in which system faster? ECIR 2008, Figures 2, 3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.curves.mean_curves import THIN, MeanCurve, axis_end, mean_curves
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import SDCG, Sample, Selection, select
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.study.study import Study

SAW_TOOTH = "saw-tooth"


@dataclass(frozen=True)
class SystemCurves:
    """Curves of one system's sessions with at least so many queries."""

    system: str
    at_least: int
    raw: MeanCurve
    normalised: MeanCurve
    running: Ints
    saw: MeanCurve | None = None

    @property
    def name(self) -> str:
        """The system, and the least number of queries if not all sessions count."""
        return self.system + (f", at least {self.at_least} queries" if self.at_least > 1 else "")

    @property
    def group(self) -> str:
        """Which of its sessions, in words."""
        return "all" if self.at_least == 1 else f"at least {self.at_least} queries"

    def curve(self, measure: str) -> MeanCurve:
        """The raw or the normalised curve, or the saw-tooth of query after query."""
        if measure == SAW_TOOTH and self.saw is not None:
            return self.saw
        return self.normalised if measure == "normalised" else self.raw

    @property
    def still(self) -> Floats:
        """Share of the sessions that still run, where `running` counts them."""
        return self.running / max(1, int(self.raw.sessions.max(initial=0)))

    def to(self, end: int) -> SystemCurves:
        """The curves to the longest session's last cell, where lists are not padded."""
        saw = self.saw and self.saw.to(end)
        raw, share = self.raw.to(end), self.normalised.to(end)
        return replace(self, raw=raw, normalised=share, saw=saw, running=self.running[:end])


@dataclass(frozen=True, eq=False)
class SessionCurves:
    """Mean session curves, system by system.

    Positions run over the cells of the longest session; `per_query` cells belong to each query
    under pad, and None where short lists make them differ. `running` is (Q,) under pad, else by
    position; cells weigh as the measure says that curves are `by`.
    """

    curves: tuple[SystemCurves, ...]
    positions: int
    per_query: int | None
    most_queries: int
    sessions: int
    without_judgments: int
    bands: bool = False
    continues: bool = False
    by: str = SDCG

    def table(self) -> pd.DataFrame:
        """One row per system, least number of queries and position."""
        frames = [self._rows(curves) for curves in self.curves]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    def at_query_ends(self, measure: str) -> pd.DataFrame:
        """Means of a measure where each query's list ends; at every position where lists differ."""
        shares = {"normalised": "normalised", SAW_TOOTH: "saw_tooth"}
        means = ("sessions", "mean", "low", "high")
        if name := shares.get(measure):
            means = (f"sessions_{name}", name, f"{name}_low", f"{name}_high")
        rows = self.table()
        place = "query_number" if self.per_query else "position"
        ends = rows["position"] % (self.per_query or 1) == 0
        kept = rows[ends & (rows[means[0]] > 0)]
        return kept[["system", "at_least", place, *means]]

    def _rows(self, of: SystemCurves) -> pd.DataFrame:
        place = np.arange(self.positions)
        step = self.per_query
        nothing = np.full(place.size, np.nan)
        return pd.DataFrame(
            {
                "system": of.system,
                "position": place + 1,
                "query_number": nothing if step is None else place // step + 1,
                "rank": nothing if step is None else place % step + 1,
                "running": of.running if step is None else of.running[place // step],
                "sessions": of.raw.sessions,
                "mean": of.raw.mean,
                "low": of.raw.low,
                "high": of.raw.high,
                **_edges(of.normalised, "normalised"),
                "at_least": of.at_least,
                **_edges(of.saw, "saw_tooth"),
            }
        )

    @property
    def running(self) -> Ints:
        """Sessions of all systems that have each query; by position where lists are not padded."""
        least = min((of.at_least for of in self.curves), default=1)
        each = [of.running for of in self.curves if of.at_least == least]
        return sum(each, start=np.zeros_like(each[0] if each else [], dtype=np.int64))

    def end(self, length: int | None = None) -> int:
        """Last position of an axis to so many queries, or else while enough sessions run."""
        if length is None:
            return axis_end(self.running) * (self.per_query or 1)
        queries = min(length, self.most_queries)
        return -(-self.positions * queries // self.most_queries)

    @property
    def is_cut(self) -> bool:
        """Whether the axis ends before the longest session, unless all of it is asked for."""
        return self.end() < self.positions

    def few_from(self, of: SystemCurves) -> int:
        """First position (from 0) at which fewer than ``THIN`` sessions of a curve still run."""
        running = of.running >= THIN
        return int(running.sum()) * (self.per_query or 1)  # running never rises


def _edges(curve: MeanCurve | None, name: str) -> dict[str, Any]:
    """Columns of a curve; none where it was not asked for."""
    if curve is None:
        return {}
    columns = f"sessions_{name}", name, f"{name}_low", f"{name}_high"
    edges = curve.sessions, curve.mean, curve.low, curve.high
    return dict(zip(columns, edges, strict=True))


def session_curves(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    at_least: tuple[int, ...] = (1,),
    bands: bool = False,
    saw: bool = False,
    by: str = SDCG,
) -> SessionCurves:
    """Mean raw and normalised session curves of each system.

    `at_least` asks for the curves of the sessions with at least so many queries, one set for each
    number given; `bands` adds bootstrap intervals, searchers resampled; `saw` the normalised
    vectors of single queries, one after the other; `by`, of ``ADDITIVE``, is whose weights cells
    have: of RBP, which weighs queries alike, curves are what queries bring, added up.

    Raises
    ------
    KeyError : a measure without such weights
    """
    chosen = select(study, definition, filters).by(by)
    sample, top = chosen.sample, definition.top
    curves = (
        [_curves(chosen, least, bands, saw) for least in at_least] if sample.sessions.size else []
    )
    positions = sample.most_queries * top
    if definition.short_lists != "pad":
        positions = max(1, int(sample.cells.sum(axis=1).max(initial=0)))
    return SessionCurves(
        curves=tuple(of.to(positions) for group in curves for of in group),
        positions=positions,
        per_query=top if definition.short_lists == "pad" else None,
        most_queries=sample.most_queries,
        sessions=int(sample.judged.sum()),
        without_judgments=int((~sample.judged).sum()),
        bands=bands,
        continues=chosen.continues,
        by=by,
    )


def _curves(chosen: Selection, least: int, bands: bool, saw: bool) -> list[SystemCurves]:
    """Curves per system of sessions with at least so many queries."""
    sample = chosen.sample
    (raw, shares, *more), rows = mean_curves(chosen, least, bands, saw)
    saws = more[0] if more else [None] * len(raw)
    still = sample.kept(("running", least), lambda: running_of(sample, rows))
    names = sample.block.system_names
    shown = sample.shown_systems
    return [SystemCurves(names[i], least, raw[i], shares[i], still[i], saws[i]) for i in shown]


def running_of(sample: Sample, rows: Ints) -> Ints:
    """Sessions of each system that have each query; by position where cells differ."""
    extent, most = sample.queries[rows], sample.most_queries
    if sample.short_lists != "pad":
        extent, most = sample.cells[rows].sum(axis=1), most * sample.top
    systems = len(sample.block.system_names)
    place = sample.systems[rows] * (most + 1) + extent
    ends = np.bincount(place, minlength=systems * (most + 1))
    ends = ends.reshape(systems, -1)
    return ends[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
