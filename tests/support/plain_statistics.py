"""The reference for comparing systems: docs/statistics.md as slow loops, exact where scores are.

Scores are fractions, so that ties are ties; only roots and the t distribution leave them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np

from analysis.comparing.scored_sessions import Scored
from tests.support.plain_intervals import plain_absorbed, t_interval, variance, welch_interval
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.plain_permutation import exact_p, mean

F: TypeAlias = Fraction
Cell: TypeAlias = tuple[str, str]  # searcher, system
NAN = math.nan
SYSTEMS = ("A", "B", "C")


class Row(NamedTuple):
    """One session; without a searcher it stands for itself."""

    score: Fraction
    system: str
    searcher: str
    topic: str


def topic_centred(rows: Sequence[Row], values: Sequence[F] | None = None) -> list[F]:
    """Each score less the mean of all sessions on its topic, of all systems."""
    values = [row.score for row in rows] if values is None else values
    on: dict[str, list[F]] = {}
    for row, value in zip(rows, values, strict=True):
        on.setdefault(row.topic, []).append(value)
    return [value - mean(on[row.topic]) for row, value in zip(rows, values, strict=True)]


def units(rows: Sequence[Row]) -> list[str]:
    """The searcher of each session, or the session itself."""
    return [row.searcher or f"session {i:03}" for i, row in enumerate(rows)]


def shared_topics(rows: Sequence[Row], unit: Sequence[str]) -> set[str]:
    """Topics that are the units of two systems' sessions; none where searchers or sessions are."""
    of_unit = {u: [r for r, own in zip(rows, unit, strict=True) if own == u] for u in unit}
    of_system = {row.system: set[str]() for row in rows}
    for row, own in zip(rows, unit, strict=True):
        of_system[row.system].add(own)
    single = all(len(own) == 1 for own in of_unit.values())
    alone = all(len(own) == 1 for own in of_system.values())
    if not (single or alone) or any(len({r.system for r in own}) > 1 for own in of_unit.values()):
        return set()
    on = {row.topic: [r.system for r in rows if r.topic == row.topic] for row in rows}
    if any(len(systems) > len({*systems}) for systems in on.values()):
        return set()
    shared = {topic for topic, systems in on.items() if len(systems) == 2}
    held = sum(row.topic in shared for row in rows)
    return shared if len(shared) > 1 and 2 * held >= len(rows) else set()


class PlainPair:
    """Two systems among rows of several, by the specification alone."""

    def __init__(self, rows: Sequence[Row], a: str, b: str) -> None:
        self.rows, self.a, self.b = rows, a, b
        self.unit = units(rows)
        used: dict[str, set[str]] = {}
        for row, unit in zip(rows, self.unit, strict=True):
            if row.system in (a, b):
                used.setdefault(unit, set()).add(row.system)
        several = [unit for unit, systems in used.items() if len(systems) == 2]
        single = [unit for unit, systems in used.items() if len(systems) == 1]
        self.several, self.single = len(several), len(single)
        self.within = len(several) >= len(single) and bool(several)
        compared = several if self.within else single
        own = [i for i, row in enumerate(rows) if row.system in (a, b)]
        self.kept = [i for i in own if self.unit[i] in compared]
        self.centred = topic_centred(rows)
        self.design = "within" if self.within else "between"
        if shared := shared_topics([rows[i] for i in own], [self.unit[i] for i in own]):
            self.design, self.within, self.several = "paired by topic", True, 0
            self.kept = [i for i in own if rows[i].topic in shared]
            self.unit = [row.topic for row in rows]
        self.apart = len(own) - len(self.kept) if self.design == "paired by topic" else 0

    def of(self, system: str) -> list[int]:
        """Places of a system's sessions that are compared."""
        return [i for i in self.kept if self.rows[i].system == system]

    def cells(self, values: Sequence[F] | None = None) -> dict[Cell, F]:
        """Mean of the sessions of each searcher with each system."""
        values = self.centred if values is None else values
        held: dict[Cell, list[F]] = {}
        for i in self.kept:
            held.setdefault((self.unit[i], self.rows[i].system), []).append(values[i])
        return {cell: mean(held[cell]) for cell in sorted(held)}

    def by_system(self, values: Sequence[F] | None = None) -> tuple[list[F], list[F]]:
        """Searchers' means with a and with b, by searcher."""
        cells = self.cells(values)
        of_a = [value for (_, system), value in cells.items() if system == self.a]
        return of_a, [value for (_, system), value in cells.items() if system == self.b]

    def searcher_differences(self) -> list[F]:
        """Mean with b less mean with a, of each searcher of both."""
        return [b - a for a, b in zip(*self.by_system(), strict=True)]

    def difference(self, values: Sequence[F] | None = None) -> F:
        """Mean of b's searchers less mean of a's; within, the mean of their differences."""
        of_a, of_b = self.by_system(values)
        return mean(of_b) - mean(of_a)

    def met(self) -> F:
        """What centring by topic leaves of a planted difference of 1, half of it at either end."""
        ends = [[F(row.system == system) for row in self.rows] for system in (self.a, self.b)]
        of_a, of_b = (self.difference(topic_centred(self.rows, planted)) for planted in ends)
        return (of_b - of_a) / 2

    def absorbed(self) -> tuple[float, float]:
        """Ratio of variances and df that topic means leave, by dense matrices."""
        places = sorted({self.unit[i] for i in self.kept})
        parts: dict[str, list[np.ndarray]] = {self.a: [], self.b: []}
        for unit in places:
            for system in (self.a, self.b):
                own = [i for i in self.of(system) if self.unit[i] == unit]
                row = np.zeros(len(self.rows))
                row[own] = 1 / len(own) if own else 0
                if own:
                    parts[system].append(row)
        of_a, of_b = (np.array(parts[system]) for system in (self.a, self.b))
        groups = [of_b - of_a] if self.within else [of_a, of_b]
        ratio, most = plain_absorbed(groups, [row.topic for row in self.rows])
        return (ratio, most) if ratio > 1.1 else (1.0, math.inf)

    def interval(self) -> tuple[float, float]:
        """95 % by t on searchers' differences, or Welch's on searchers' means."""
        if min(map(len, self.by_system())) < 2:
            return NAN, NAN
        ratio, most = self.absorbed()
        if self.within:
            return t_interval(self.searcher_differences(), ratio, most)
        return welch_interval(*self.by_system(), ratio, most)

    def topics(self, places: Sequence[int]) -> frozenset[str]:
        """Topics of some sessions."""
        return frozenset(self.rows[i].topic for i in places)

    @property
    def is_crossed(self) -> bool:
        """Whether both systems met every topic."""
        return self.topics(self.of(self.a)) == self.topics(self.of(self.b))

    def strata(self) -> list[object]:
        """Within what each searcher's systems change places."""
        cells = list(self.cells())
        if self.within:
            return [unit for unit, _ in cells]
        if self.is_crossed:
            return [0] * len(cells)
        own = [[i for i in self.kept if self.unit[i] == unit] for unit, _ in cells]
        return [self.topics(places) for places in own]

    def permutation(self) -> tuple[float, int]:
        """P and the number of arrangements, all of them gone through."""
        cells = self.cells()
        labels = [system for _, system in cells]
        alone = min(map(len, self.by_system())) < 2
        widened = 1.0 if alone else math.sqrt(self.absorbed()[0])
        return exact_p(list(cells.values()), labels, self.strata(), widened)

    def hedges_g(self) -> float:
        """The difference over the pooled standard deviation of sessions, corrected."""
        scores = [[self.rows[i].score for i in self.of(s)] for s in (self.a, self.b)]
        searchers = len({self.unit[i] for i in self.kept})
        return hedges_g(self.difference(), *scores, df=searchers - 2)

    def superiority(self) -> float:
        """P(b > a) + ½ P(a = b): over all pairs, or the mean of the units' own."""
        if not self.within:
            return float(beats(*([self.centred[i] for i in self.of(s)] for s in (self.b, self.a))))
        shares: list[F] = []
        for unit in sorted({self.unit[i] for i in self.kept}):
            own = [
                [self.centred[i] for i in self.of(s) if self.unit[i] == unit]
                for s in (self.b, self.a)
            ]
            shares.append(beats(*own))
        return float(mean(shares))


def hedges_g(difference: F, of_a: Sequence[F], of_b: Sequence[F], df: int) -> float:
    """Undefined with fewer than two degrees of freedom, or sessions that do not differ."""
    if df < 2 or min(len(of_a), len(of_b)) < 2:
        return NAN
    pooled = sum((len(of) - 1) * variance(of) for of in (of_a, of_b))
    pooled /= len(of_a) + len(of_b) - 2
    if not pooled:
        return NAN
    log = math.lgamma(df / 2) - math.lgamma((df - 1) / 2) - math.log(df / 2) / 2
    return float(difference) / math.sqrt(pooled) * math.exp(log)


def beats(one: Sequence[F], other: Sequence[F]) -> F:
    """Share of pairs in which one's is larger, ties half."""
    won = [F(1) if a > b else F(1, 2) if a == b else F(0) for a in one for b in other]
    return mean(won)


def scored(rows: Sequence[Row], names: tuple[str, ...] = SYSTEMS) -> Scored:
    """The same sessions as the product holds them."""

    def coded(texts: Sequence[str]) -> np.ndarray:
        return np.unique(np.array(texts, dtype=str), return_inverse=True)[1]

    return Scored(
        score=np.array([float(row.score) for row in rows]),
        system=np.array([names.index(row.system) for row in rows], dtype=np.int64),
        unit=coded(units(rows)),
        topic=coded([row.topic for row in rows]),
        queries=np.ones(len(rows), dtype=np.int64),
        names=names,
        alone=np.array([not row.searcher for row in rows]),
    )


def as_study(rows: Sequence[Row]) -> PlainStudy:
    """Sessions of one query each, whose `final` under plain linear is their (whole) score."""
    sessions = [
        PlainSession(f"s{i:03}", [(row.topic, {1: f"d{row.score}"})], row.system, row.searcher)
        for i, row in enumerate(rows)
    ]
    judged = {(row.topic, f"d{row.score}"): float(row.score) for row in rows}
    return PlainStudy(sessions, judged)


def random_scores(chance: random.Random) -> Callable[[], F]:
    """Scores that often tie, or hardly ever."""
    if chance.random() < 0.6:
        return lambda: F(chance.randint(0, 12), 10)
    return lambda: F(chance.random())
