"""How does gain grow over a session, and in which system faster? ECIR 2008, Figures 2, 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.definition import Definition, Filters
from analysis.selection import Selection, select
from analysis.wording import counted, left_out, share
from metrics import (
    bootstrap_interval,
    concatenated,
    group_sums,
    normalised,
    session_vector,
)
from study.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
FEW = 10


@dataclass(frozen=True)
class MeanCurve:
    """A mean over sessions at each position, its interval, and how many sessions it runs over."""

    mean: Floats
    low: Floats
    high: Floats
    sessions: Ints


@dataclass(frozen=True)
class SystemCurves:
    """Curves of one system's sessions with at least so many queries."""

    system: str
    at_least: int
    raw: MeanCurve
    normalised: MeanCurve
    running: Ints

    def curve(self, measure: str) -> MeanCurve:
        """The raw or the normalised curve."""
        return self.raw if measure == "raw" else self.normalised


@dataclass(frozen=True, eq=False)
class SessionCurves:
    """Mean session curves, system by system.

    Positions run over the cells of the longest session; `per_query` cells belong to each query
    under pad, and None where short lists make them differ. `running` is (Q,) under pad, else by
    position.
    """

    curves: tuple[SystemCurves, ...]
    positions: int
    per_query: int | None
    most_queries: int
    sessions: int
    without_judgments: int
    above_one: int

    def table(self) -> pd.DataFrame:
        """One row per system, least number of queries and position."""
        frames = [self._rows(curves) for curves in self.curves]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

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
                "sessions_normalised": of.normalised.sessions,
                "normalised": of.normalised.mean,
                "normalised_low": of.normalised.low,
                "normalised_high": of.normalised.high,
                "at_least": of.at_least,
            }
        )

    def answer(self, measure: str) -> str:
        """The page's first line."""
        if not any(of.curve(measure).sessions.any() for of in self.curves):
            return "No session is left by the filters with a defined value."
        number = min(3, self.most_queries)
        place = (number * self.per_query if self.per_query else self.positions) - 1
        least = min(of.at_least for of in self.curves)
        told = [
            (float(of.curve(measure).mean[place]), of, _value(of.curve(measure), place, measure))
            for of in self.curves
            if of.at_least == least and of.curve(measure).sessions[place]
        ]
        ordered = [(of.system, text) for _, of, text in sorted(told, key=lambda t: -t[0])]
        when = f"After the {_ordinal(number)} query" if self.per_query else "At the end"
        (first, value), *rest = ordered
        of_what = " of the ideal" if measure == "normalised" else ""
        verb = "has reached" if measure == "normalised" else "has gained"
        others = "".join(f", {system} {text}" for system, text in rest)
        return f"{when} {first} {verb} {value}{of_what}{others}."

    def behind(self, measure: str) -> str:
        """What stands behind the picture: sessions per mean, and what was left out."""
        counts = "; ".join(
            f"{of.system}{f', at least {of.at_least} queries' if of.at_least > 1 else ''}: "
            f"{counted(int(of.curve(measure).sessions.max(initial=0)), 'session')}"
            for of in self.curves
        )
        left = left_out(self.without_judgments)
        return f"{counts}. After its last query a session keeps its value.{left}"

    def advice(self, measure: str) -> list[str]:
        """Plain sentences where a reader could be misled."""
        said = []
        if self.above_one and measure == "normalised":
            said.append(
                f"{counted(self.above_one, 'session')} above 1 somewhere: repeats count in the "
                "session and not in the ideal. Count a repeat once, or let the ideal repeat."
            )
        thin = [self._thin(of) for of in self.curves if self.per_query]
        said += [sentence for sentence in thin if sentence]
        return said

    def _thin(self, of: SystemCurves) -> str:
        few = np.flatnonzero(of.running < FEW)
        if not few.size or few[0] == 0:
            return ""
        return (
            f"From query {few[0] + 1} on fewer than {FEW} sessions of {of.system} are still "
            f"running; the others keep the value of their last query."
        )


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}[number]


def _value(curve: MeanCurve, place: int, measure: str) -> str:
    def short(number: float) -> str:
        return share(number) if measure == "normalised" else f"{number:.3g}"

    low, high = curve.low[place], curve.high[place]
    value = short(curve.mean[place])
    return value if np.isnan(low) else f"{value} (95 % interval {short(low)} to {short(high)})"


def session_curves(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    at_least: tuple[int, ...] = (1,),
    bands: bool = False,
) -> SessionCurves:
    """Mean raw and normalised session curves of each system.

    `at_least` asks for the curves of the sessions with at least so many queries, one set for each
    number given; `bands` adds bootstrap intervals, searchers resampled.
    """
    chosen = select(study, definition, filters)
    curves = [_curves(chosen, least, bands) for least in at_least] if chosen.sessions.size else []
    top = definition.top
    return SessionCurves(
        curves=tuple(of for group, _ in curves for of in group),
        positions=chosen.most_queries * top,
        per_query=top if definition.short_lists == "pad" else None,
        most_queries=chosen.most_queries,
        sessions=int(chosen.judged.sum()),
        without_judgments=int((~chosen.judged).sum()),
        above_one=max((above for _, above in curves), default=0),
    )


def _curves(chosen: Selection, least: int, bands: bool) -> tuple[list[SystemCurves], int]:
    """Curves per system of sessions with at least so many queries, and how many pass 1.

    Sessions of one system, layout (and cluster, for bands) share their ideal, so their gains are
    added up before anything is cumulated or divided: the mean of ratios over a common ideal is
    the ratio of the sums.
    """
    first, layout = chosen.layouts
    clusters = chosen.clusters if bands else np.zeros_like(chosen.systems)
    systems = len(chosen.block.system_names)
    rows = np.flatnonzero(chosen.judged & (chosen.queries >= least))
    key = (clusters[rows] * systems + chosen.systems[rows]) * first.size + layout[rows]
    order = np.argsort(key, kind="stable")
    keys, group = np.unique(key[order], return_inverse=True)
    owner, of_layout = np.divmod(keys, first.size)
    gains = group_sums(chosen.gains(chosen.definition.top, rows[order]), group, keys.size)
    cells = chosen.cells[first]
    running = session_vector(gains, chosen.discount(chosen.definition.top), chosen.factors)
    vector = concatenated(running, cells[of_layout])
    ideal = concatenated(chosen.ideals, cells)[of_layout]
    numbers = np.bincount(group, minlength=keys.size)[:, None]
    shape = (int(clusters.max(initial=0)) + 1, systems)
    raw = _summary(vector, numbers, owner, shape, bands)
    shares = _summary(normalised(vector, ideal), numbers, owner, shape, bands)
    still = _running(chosen, rows)
    shown = sorted(set(chosen.systems.tolist()))
    names = chosen.block.system_names
    made = [SystemCurves(names[i], least, raw[i], shares[i], still[i]) for i in shown]
    return made, _above_one(chosen, rows)


def _summary(
    values: Floats, numbers: Ints, owner: Ints, shape: tuple[int, int], bands: bool
) -> list[MeanCurve]:
    """Mean curve of each system from sums per (cluster, system, layout)."""
    defined = ~np.isnan(values)
    size = shape[0] * shape[1]
    sums = group_sums(np.where(defined, values, 0.0), owner, size).reshape(*shape, -1)
    counts = group_sums(defined * numbers, owner, size).reshape(*shape, -1)
    total, sessions = sums.sum(axis=0), counts.sum(axis=0)
    mean = np.divide(total, sessions, out=np.full(total.shape, np.nan), where=sessions > 0)
    low = high = np.full(mean.shape, np.nan)
    if bands:
        low, high = bootstrap_interval(sums, counts.astype(float))
    return [MeanCurve(*row) for row in zip(mean, low, high, sessions, strict=True)]


def _running(chosen: Selection, rows: Ints) -> Ints:
    """Sessions of each system that have each query; by position where cells differ."""
    extent, most = chosen.queries[rows], chosen.most_queries
    if chosen.definition.short_lists != "pad":
        extent, most = chosen.cells[rows].sum(axis=1), most * chosen.definition.top
    systems = len(chosen.block.system_names)
    ends = np.bincount(chosen.systems[rows] * (most + 1) + extent, minlength=systems * (most + 1))
    return ends.reshape(systems, -1)[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]


def _above_one(chosen: Selection, rows: Ints) -> int:
    """Sessions whose normalised curve passes 1 somewhere; only (every, spread) can."""
    d = chosen.definition
    if (d.repeats, d.ideal) != ("every", "spread"):
        return 0
    _, layout = chosen.layouts
    vector = session_vector(chosen.gains(d.top, rows), chosen.discount(d.top), chosen.factors)
    share = normalised(vector, chosen.ideals[layout[rows]])
    inside = np.arange(d.top) < chosen.cells[rows][:, :, None]
    return int(((share > 1 + 1e-12) & inside).any(axis=(1, 2)).sum())
