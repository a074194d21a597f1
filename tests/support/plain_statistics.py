"""The reference for comparing systems: docs/statistics.md as slow loops, exact where scores are."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as students_t

from sdcg_explorer.scoring.scored_sessions import Scored
from sdcg_explorer.statistics.crossed_model import Crossed, crossed_model
from tests.support.plain_loop import PlainSession, PlainStudy

F: TypeAlias = Fraction
Labels: TypeAlias = Sequence[object]


def mean(values: Sequence[F]) -> F:
    """Their sum over their number."""
    return sum(values, F(0)) / len(values)


def spread(values: Sequence[F]) -> F:
    """Sum of squares about the mean."""
    return sum(((value - mean(values)) ** 2 for value in values), F(0))


def orders(labels: Labels) -> Iterator[tuple[object, ...]]:
    """Every order of labels, equal ones not told apart."""
    if not labels:
        yield ()
    for first in dict.fromkeys(labels):
        rest = list(labels)
        rest.remove(first)
        for order in orders(rest):
            yield first, *order


def arrangements(labels: Labels, strata: Labels) -> list[tuple[object, ...]]:
    """Every way in which labels may stand when they change places within strata."""
    places = {s: [i for i, of in enumerate(strata) if of == s] for s in dict.fromkeys(strata)}
    each = [list(orders([labels[i] for i in group])) for group in places.values()]
    found: list[tuple[object, ...]] = []
    for parts in product(*each):
        at: dict[int, object] = {}
        for group, part in zip(places.values(), parts, strict=True):
            at |= dict(zip(group, part, strict=True))
        found.append(tuple(at[i] for i in range(len(labels))))
    return found


def groups_of(values: Sequence[F], labels: Labels, kinds: Labels) -> list[list[F]]:
    """Values of each kind of label."""
    pairs = list(zip(values, labels, strict=True))
    return [[value for value, of in pairs if of == kind] for kind in kinds]


def errors_of(groups: Sequence[Sequence[F]]) -> list[F]:
    """Squared standard error of each mean; one value alone has the spread of all others."""
    free = sum(len(group) - 1 for group in groups if group)
    pooled = sum(map(spread, groups), F(0)) / max(free, 1) if free else F(1)
    variances = [spread(g) / (len(g) - 1) if len(g) > 1 else pooled for g in groups]
    return [of / max(len(g), 1) for of, g in zip(variances, groups, strict=True)]


def over(square: F, error: F) -> F | float:
    """A square in squared errors; without bounds where there is no error."""
    return square / error if error else math.inf if square else F(0)


def parted(values: Sequence[F], labels: Labels, strata: Labels) -> F | float:
    """t² of two labels, by pairs where a stratum has one of either and by Welch else.

    Of more labels the sum of their squared means in squared errors. Strata's means are taken off.
    """
    kinds = sorted({*labels}, key=str)
    held = {s: [i for i, of in enumerate(strata) if of == s] for s in strata}
    middles = {s: mean([values[i] for i in places]) for s, places in held.items()}
    values = [value - middles[s] for value, s in zip(values, strata, strict=True)]
    if len(kinds) > 2:
        groups = groups_of(values, labels, kinds)
        every = zip(groups, errors_of(groups), strict=True)
        return sum((over(mean(group) ** 2, error) for group, error in every), F(0))
    pairs = [i for i in held.values() if len(i) == 2 and len({labels[k] for k in i}) == 2]
    alone = [i for i in range(len(values)) if not any(i in pair for pair in pairs)]
    apart, error = F(0), F(0)
    groups = groups_of([values[i] for i in alone], [labels[i] for i in alone], kinds)
    if all(groups):
        own = [values[i] for i in alone]
        weight = 1 / (spread(own) / len(own) * sum(F(1, len(g)) for g in groups) or F(1))
        apart += weight * (mean(groups[1]) - mean(groups[0]))
        error += weight**2 * sum(errors_of(groups), F(0))
    if pairs:
        d = [
            values[i] - values[k] if labels[i] == kinds[1] else values[k] - values[i]
            for i, k in pairs
        ]
        weight = 1 / (mean([each**2 for each in d]) / len(d) or F(1))
        apart += weight * mean(d)
        error += weight**2 * spread(d) / max(len(d) * (len(d) - 1), 1)
    return over(apart**2, error)


def exact_p(
    values: Sequence[F], labels: Labels, strata: Labels, observed: float = math.nan
) -> tuple[float, int]:
    """P = (1 + k) / (1 + N) over all N arrangements besides the one observed."""
    own = parted(values, labels, strata) if math.isnan(observed) else observed**2 * (1 - 1e-9)
    others = [order for order in arrangements(labels, strata) if order != tuple(labels)]
    far = sum(parted(values, order, strata) >= own for order in others)
    return (1 + far) / (1 + len(others)), len(others)


def holm(p: Sequence[float]) -> list[float]:
    """Smallest p times their number, the next times one less, never falling, at most 1."""
    corrected = [math.nan] * len(p)
    worst = 0.0
    known = sorted((i for i, each in enumerate(p) if not math.isnan(each)), key=lambda i: p[i])
    for rank, i in enumerate(known):
        worst = max(worst, min(1.0, (len(known) - rank) * p[i]))
        corrected[i] = worst
    return corrected


Matrix = np.ndarray
NOTHING = (math.nan, math.nan, math.nan)


def dummies(names: Sequence[str]) -> Matrix:
    """A column of 0 and 1 for each name, in their order."""
    return np.array([[float(name == each) for each in sorted({*names})] for name in names])


def off(matrix: Matrix, columns: Matrix) -> Matrix:
    """What is left of a matrix once columns are fitted."""
    return matrix - columns @ np.linalg.lstsq(columns, matrix, rcond=1e-10)[0]


def variance(scores: Matrix, columns: Matrix) -> float:
    """Of what is left once columns are fitted; without bounds where nothing is free."""
    left, free = off(scores, columns), len(scores) - int(np.linalg.matrix_rank(columns, tol=1e-8))
    return float(left @ left) / free if free else math.inf


def alike(scores: Matrix, systems: Matrix, units: Sequence[str], topics: Matrix) -> float:
    """Part of the variance that is searchers' own."""
    both = np.column_stack([systems, topics])
    whole, within = (
        variance(scores, both),
        variance(scores, np.column_stack([both, dummies(units)])),
    )
    return min(1 - within / whole, 0.999) if whole > within else 0.0


class PlainTwoWay:
    """Scores = system + topic + searcher + rest."""

    def __init__(
        self,
        scores: Sequence[float],
        systems: Sequence[str],
        units: Sequence[str],
        topics: Sequence[str],
    ) -> None:
        self.names, self.units, self.systems = sorted({*systems}), units, systems
        score, of, on = np.array(scores, dtype=float), dummies(systems), dummies(topics)
        ratio = alike(score, of, units, on)
        ratio /= 1 - ratio
        same = np.array([[float(a == b) for b in units] for a in units])
        white = np.linalg.inv(np.linalg.cholesky(np.eye(len(units)) + ratio * same))
        given, self.given = white @ np.column_stack([of, on]), np.column_stack([of, on])
        self.inverse = np.linalg.pinv(given, rcond=1e-9)
        self.hat = given @ self.inverse
        self.effects = self.inverse @ (white @ score)
        self.left = white @ score - self.hat @ (white @ score)
        self.without_topics = score - on @ self.effects[of.shape[1] :]

    def contrast(self, a: str, b: str) -> Matrix:
        """1 for b, −1 for a."""
        found = np.zeros(self.given.shape[1])
        found[self.names.index(b)], found[self.names.index(a)] = 1, -1
        return found

    def difference(self, a: str, b: str) -> tuple[float, float, float]:
        """Value, standard error and df; nan where the data can't tell."""
        contrast = self.contrast(a, b)
        if np.abs(np.linalg.pinv(self.given) @ self.given @ contrast - contrast).max() > 1e-6:
            return NOTHING
        value, part = float(contrast @ self.effects), contrast @ self.inverse
        rest = np.eye(len(part)) - self.hat
        rows: dict[str, Matrix] = {}
        for unit in sorted({*self.units}):
            own = [i for i, name in enumerate(self.units) if name == unit]
            values, vectors = np.linalg.eigh(rest[np.ix_(own, own)])
            row = np.zeros(len(part))
            for size, vector in zip(values, vectors.T, strict=True):
                if size > 1e-6:
                    row[own] += vector * float(vector @ part[own]) / math.sqrt(size)
            rows[unit] = row
        expected = {unit: float(row @ rest @ row) for unit, row in rows.items()}
        if sum(expected.values()) < (1 - 1e-6) * float(part @ part):
            return value, math.nan, math.nan
        squares = {unit: float(row @ self.left) ** 2 for unit, row in rows.items()}
        scale = self.scales(squares, expected)
        wide = np.diag([scale[unit] for unit in self.units])
        every = rest @ np.array(list(rows.values())).T
        both = every.T @ wide @ every
        df = float(np.trace(both) ** 2 / np.trace(both @ both)) if both.any() else math.nan
        return value, math.sqrt(sum(squares.values())), df

    def scales(self, squares: dict[str, float], expected: dict[str, float]) -> dict[str, float]:
        """Spread of each searcher's rest, one for three and more who used the same systems."""
        used = {
            unit: frozenset(s for s, u in zip(self.systems, self.units, strict=True) if u == unit)
            for unit in squares
        }
        many = {kind for kind in used.values() if [*used.values()].count(kind) >= 3}
        kinds = {unit: kind if kind in many else None for unit, kind in used.items()}
        found: dict[str, float] = {}
        for unit, kind in kinds.items():
            own = [other for other in kinds if kinds[other] == kind]
            of = sum(expected[other] for other in own)
            found[unit] = sum(squares[other] for other in own) / of if of > 0 else 0.0
        return found


Floats = NDArray[np.float64]
NAMES = ("A", "B")
SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)


def study(score: Any, system: Any, unit: Any, topic: Any, **more: Any) -> Scored:
    codes = [np.asarray(of, dtype=np.int64) for of in (system, unit, topic)]
    values = np.asarray(score, dtype=np.float64)
    return Scored(values, codes[0], codes[1], codes[2], np.ones_like(codes[0]), NAMES, **more)


def paired(first: Any, second: Any) -> Scored:
    """A session of each system on each topic, each by somebody else."""
    size = len(first)
    topics = np.tile(np.arange(size), 2)
    return study([*first, *second], np.repeat([0, 1], size), np.arange(2 * size), topics)


def simulated(seed: int, searchers: int = 9, topics: int = 8) -> Scored:
    """Each searcher on each topic, with either system by chance; all parts vary."""
    rng = np.random.default_rng(seed)
    unit, topic = (of.ravel() for of in np.indices((searchers, topics)))
    system = rng.permuted(np.arange(unit.size) % 2)
    score = rng.normal(0, 0.5, unit.size) + 3 + 0.4 * system
    for codes, size in ((unit, searchers), (topic, topics)):
        own = rng.normal(0, 0.8, (size, 3))
        score += own[codes, 0] + own[codes, 1 + system]
    return study(score, system, unit, topic)


def of(scored: Scored) -> Crossed:
    """The model of the first two systems."""
    codes = scored.system == 1, scored.unit, scored.topic
    return crossed_model(scored.score, *codes, is_named=scored.names_searchers)


Cell: TypeAlias = tuple[str, str]  # searcher, system
NAN = math.nan
SYSTEMS = ("A", "B", "C")


class Row(NamedTuple):
    """One session; without a searcher it stands for itself."""

    score: Fraction
    system: str
    searcher: str
    topic: str


def topic_centred(rows: Sequence[Row]) -> list[F]:
    """Each score less the mean of all sessions on its topic, of all systems."""
    on: dict[str, list[F]] = {}
    for row in rows:
        on.setdefault(row.topic, []).append(row.score)
    return [row.score - mean(on[row.topic]) for row in rows]


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
        """95% by t."""
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
    def shared(self) -> int:
        """Topics that both systems met."""
        return len(self.topics(self.of(self.a)) & self.topics(self.of(self.b)))

    def strata(self) -> list[object]:
        """Within what systems change places: a unit of both, or all of one (on the same topics)."""
        found: list[object] = []
        is_crossed = self.shared == len(self.topics(self.kept))
        for unit, _ in self.cells():
            own = self.topics([i for i in self.kept if self.unit[i] == unit])
            found.append(unit if unit in self.both else 0 if is_crossed else own)
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
            gaps = {(i, k): adjusted[i] - adjusted[k] for i in of_b for k in of_a}
            # half where they are tied
            won = {k: 0.5 if abs(gap) < 1e-9 else float(gap > 0) for k, gap in gaps.items()}
            shares.append(sum(won.values()) / len(won))
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
    """95% by t on the log odds."""
    if not variance > 1e-20 or not 0 < theta < 1:
        return NAN, NAN
    reach = float(students_t.ppf(0.975, df)) * math.sqrt(variance) / (theta * (1 - theta))
    odds = math.log(theta / (1 - theta))
    low, high = 1 / (1 + math.exp(min(reach - odds, 700))), 1 / (1 + math.exp(-reach - odds))
    return low, high


def hedges_g(difference: float, of_a: Sequence[F], of_b: Sequence[F], df: int) -> float:
    """Undefined with fewer than two degrees of freedom, or sessions that do not differ."""
    if df < 2 or min(len(of_a), len(of_b)) < 2:
        return NAN
    pooled = (spread(of_a) + spread(of_b)) / (len(of_a) + len(of_b) - 2)
    if not pooled:
        return NAN
    log = math.lgamma(df / 2) - math.lgamma((df - 1) / 2) - math.log(df / 2) / 2
    return difference / math.sqrt(pooled) * math.exp(log)


def scored(rows: Sequence[Row]) -> Scored:
    """The same sessions as the product holds them."""

    def coded(texts: Sequence[str]) -> np.ndarray:
        return np.unique(np.array(texts, dtype=str), return_inverse=True)[1]

    return Scored(
        score=np.array([float(row.score) for row in rows]),
        system=np.array([SYSTEMS.index(row.system) for row in rows], dtype=np.int64),
        unit=coded(units(rows)),
        topic=coded([row.topic for row in rows]),
        queries=np.ones(len(rows), dtype=np.int64),
        names=SYSTEMS,
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
