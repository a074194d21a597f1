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
from scipy.stats import t as students_t

from sdcg_explorer.scoring.scored_sessions import Scored
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.plain_permutation import exact_p, mean, spread
from tests.support.plain_two_way import PlainTwoWay

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
    on = {row.topic: {r.system for r in rows if r.topic == row.topic} for row in rows}
    shared = {topic for topic, systems in on.items() if len(systems) == 2}
    held = sum(row.topic in shared for row in rows)
    runs = F(len(rows), sum(map(len, on.values())))
    enough = len(shared) > 1 if runs == 1 else len(shared) >= 8 and len(shared) > runs
    return shared if enough and 2 * held >= len(rows) else set()


class PlainPair:
    """Two systems among rows of several, by the specification alone."""

    def __init__(self, rows: Sequence[Row], a: str, b: str) -> None:
        self.rows, self.a, self.b = rows, a, b
        self.unit, topics, among = units(rows), [row.topic for row in rows], range(len(rows))
        own = [i for i in among if rows[i].system in (a, b)]
        self.kept, self.design = own, ""
        if shared := shared_topics([rows[i] for i in own], [self.unit[i] for i in own]):
            self.design, self.unit = "paired by topic", topics
            self.kept = [i for i in own if rows[i].topic in shared]
            among, topics = self.kept, [""] * len(rows)
        self.apart = len(own) - len(self.kept)
        used = {u: {rows[i].system for i in self.kept if self.unit[i] == u} for u in self.unit}
        used = {unit: systems for unit, systems in used.items() if systems}
        self.both = [unit for unit, systems in used.items() if len(systems) == 2]
        self.single = [unit for unit, systems in used.items() if len(systems) == 1]
        kind = "mixed" if self.both and self.single else "within" if self.both else "between"
        self.design = self.design or kind
        self.centred = topic_centred(rows)
        scores = [float(rows[i].score) for i in among]
        given = [(rows[i].system, self.unit[i], topics[i]) for i in among]
        if self.design == "paired by topic":  # several sessions of a system on a topic are one
            pairs = list(zip(scores, given, strict=True))
            given = sorted({*given})
            scores = [float(np.mean([s for s, of in pairs if of == each])) for each in given]
        self.model = PlainTwoWay(scores, *map(list, zip(*given, strict=True)))
        if self.design != "paired by topic":
            self.adjusted = dict(zip(among, self.model.without_topics, strict=True))
        self.value, self.error, self.df = self.model.difference(a, b)
        self.value = 0.0 if abs(self.value) < 1e-12 else self.value

    @property
    def within(self) -> bool:
        """Whether every unit has both systems."""
        return not self.single

    @property
    def has_spread(self) -> bool:
        """Whether there is a standard error."""
        return self.error > 1e-12 * max(abs(float(row.score)) for row in self.rows)

    def of(self, system: str) -> list[int]:
        """Places of a system's sessions that are compared."""
        return [i for i in self.kept if self.rows[i].system == system]

    def units_of(self, *systems: str) -> int:
        """Units that used any of the systems."""
        return len({self.unit[i] for system in systems for i in self.of(system)})

    def cells(self) -> dict[Cell, F]:
        """Mean of the topic-centred scores of each searcher with each system."""
        held: dict[Cell, list[F]] = {}
        for i in self.kept:
            held.setdefault((self.unit[i], self.rows[i].system), []).append(self.centred[i])
        return {cell: mean(held[cell]) for cell in sorted(held)}

    def interval(self) -> tuple[float, float]:
        """95 % by t."""
        if not self.has_spread:
            return NAN, NAN
        reach = float(students_t.ppf(0.975, self.df)) * self.error
        return self.value - reach, self.value + reach

    def p_t(self) -> float:
        """Two-sided, by t."""
        if not self.has_spread:
            return NAN
        return float(2 * students_t.sf(abs(self.value) / self.error, self.df))

    def topics(self, places: Sequence[int]) -> frozenset[str]:
        """Topics of some sessions."""
        return frozenset(self.rows[i].topic for i in places)

    @property
    def is_crossed(self) -> bool:
        """Whether both systems met every topic."""
        return self.topics(self.of(self.a)) == self.topics(self.of(self.b))

    def strata(self) -> list[object]:
        """Within what systems change places: a unit of both, or all of one (on the same topics)."""
        found: list[object] = []
        for unit, _ in self.cells():
            own = self.topics([i for i in self.kept if self.unit[i] == unit])
            found.append(unit if unit in self.both else 0 if self.is_crossed else own)
        return found

    def permutation(self) -> tuple[float, int]:
        """P and the number of arrangements, all of them gone through."""
        cells = self.cells()
        labels = [system for _, system in cells]
        t = self.value / self.error if self.has_spread else NAN
        return exact_p(list(cells.values()), labels, self.strata(), t)

    def hedges_g(self) -> float:
        """The difference over the pooled standard deviation of sessions, corrected."""
        scores = [[self.rows[i].score for i in self.of(s)] for s in (self.a, self.b)]
        return hedges_g(self.value, *scores, df=self.units_of(self.a, self.b) - 2)

    def superiority(self) -> tuple[float, float, float]:
        """P(b > a) + ½ P(a = b): over all pairs, or the mean of the units' own; its interval."""
        groups = [self.kept]
        if len(self.both) > 1:
            groups = [[i for i in self.kept if self.unit[i] == unit] for unit in self.both]
        adjusted = {i: float(self.rows[i].score) for i in self.kept}
        if self.design != "paired by topic":
            adjusted = self.adjusted
        shares, apart = list[float](), list[float]()
        parts, plain = dict[str, float](), dict[str, float]()
        for group in groups:
            of_a, of_b = ([i for i in group if self.rows[i].system == s] for s in (self.a, self.b))
            won = {(i, k): beats(adjusted[i], adjusted[k]) for i in of_b for k in of_a}
            shares.append(sum(won.values()) / len(won))
            gaps = {(i, k): adjusted[i] - adjusted[k] for i, k in won}
            apart.append(sum(gaps.values()) / len(gaps))
            for found, into, middle in ((won, parts, shares[-1]), (gaps, plain, apart[-1])):
                for pair, each in found.items():
                    for one in pair:
                        unit = self.unit[one]
                        into[unit] = into.get(unit, 0.0) + (each - middle) / len(found)
        theta = sum(shares) / len(shares)
        if len(groups) > 1:
            errors = [float(np.var(each, ddof=1)) / len(each) for each in (shares, apart)]
            df = len(shares) - 1.0
        else:
            (_, df), *_ = found = [self.by_unit(each) for each in (parts, plain)]
            errors = [error for error, _ in found]
        if self.has_spread and errors[1] > 0:
            errors[0] *= max(1.0, self.error**2 / errors[1])
        return theta, *share_interval(theta, float(errors[0]), df)

    def by_unit(self, parts: dict[str, float]) -> tuple[float, float]:
        """Squared error of a sum of units' parts, and df; units of the same systems are alike."""
        kinds: dict[str, list[float]] = {}
        for unit, part in parts.items():
            used = {self.rows[i].system for i in self.kept if self.unit[i] == unit}
            kinds.setdefault("".join(sorted(used)), []).append(part**2)
        if min(map(len, kinds.values())) < 2:
            kinds = {"": [part for of in kinds.values() for part in of]}
        many = [of for of in kinds.values() if len(of) > 1]
        errors = [(sum(of) * len(of) / (len(of) - 1), len(of) - 1) for of in many]
        total = sum(error for error, _ in errors)
        terms = sum(error**2 / free for error, free in errors)
        return total, total**2 / terms if terms else 0.0


def share_interval(theta: float, variance: float, df: float) -> tuple[float, float]:
    """95 % by t on the log odds."""
    if not variance > 1e-20 or not 0 < theta < 1:
        return NAN, NAN
    reach = float(students_t.ppf(0.975, df)) * math.sqrt(variance) / (theta * (1 - theta))
    odds = math.log(theta / (1 - theta))
    low, high = 1 / (1 + math.exp(min(reach - odds, 700))), 1 / (1 + math.exp(-reach - odds))
    return low, high


def beats(one: float, other: float) -> float:
    """Whether the one is larger, half where they are tied."""
    return 0.5 if abs(one - other) < 1e-9 else float(one > other)


def hedges_g(difference: float, of_a: Sequence[F], of_b: Sequence[F], df: int) -> float:
    """Undefined with fewer than two degrees of freedom, or sessions that do not differ."""
    if df < 2 or min(len(of_a), len(of_b)) < 2:
        return NAN
    pooled = (spread(of_a) + spread(of_b)) / (len(of_a) + len(of_b) - 2)
    if not pooled:
        return NAN
    log = math.lgamma(df / 2) - math.lgamma((df - 1) / 2) - math.log(df / 2) / 2
    return difference / math.sqrt(pooled) * math.exp(log)


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


def rows_of(*lines: str) -> list[Row]:
    """Sessions as words: score, system, searcher (- for none), topic; "× 3" for three of them."""
    rows: list[Row] = []
    for line in lines:
        told, _, times = line.partition(" × ")
        score, system, searcher, topic = told.split()
        for i in range(int(times or 1)):
            name = {"-": ""}.get(searcher, searcher.replace("*", str(i)))
            rows.append(Row(F(score), system, name, topic))
    return rows
