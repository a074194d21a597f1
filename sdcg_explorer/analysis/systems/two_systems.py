"""Two systems on one score: difference, interval and tests, in whatever design (decision 86)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sdcg_explorer.analysis.statistics.crossed_model import Crossed, crossed_model
from sdcg_explorer.analysis.statistics.effect_sizes import hedges_g, rounding, superiority
from sdcg_explorer.analysis.statistics.fit import Sessions, TwoWay, sums_by
from sdcg_explorer.analysis.statistics.permutation import DRAWS, FEWEST_ARRANGEMENTS, permutation_p
from sdcg_explorer.analysis.systems.scored_sessions import Scored, group_means
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints

WITHIN, BETWEEN, BOTH, PAIRED = "within", "between", "mixed", "paired by topic"
FEWEST_APART = 10  # units of each system between which permutations keep their promise


@dataclass(frozen=True)
class Pair:
    """Two systems compared; every size is b over a, every difference b − a.

    design : within or between searchers, mixed, or paired by topic · both, single : searchers of
    both systems and of one · apart : sessions left out because no session with the other system is
    on their topic · alone : sessions that name no searcher · units, units_of : searchers (sessions
    that name none, or topics), all and of each system · searchers_of : named searchers of each
    system · difference, low, high, df, p_t : of the two-way model, by t · arrangements : behind
    p_permutation · superiority : P(b > a), ties half, with its interval · crossed : the model by
    which difference, low, high, df and p_t are, where topics are a sample · is_level : whether
    units differ by rounding alone, so that there is no interval
    """

    system_a: str
    system_b: str
    design: str
    both: int
    single: int
    n_a: int
    n_b: int
    apart: int
    alone: int
    units: int
    units_of: tuple[int, int]
    searchers_of: tuple[int, int]
    topics: int
    is_crossed: bool
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    df: float
    p_t: float
    p_permutation: float
    arrangements: int
    hedges_g: float
    superiority: float
    superiority_low: float
    superiority_high: float
    crossed: Crossed | None = None
    is_level: bool = False

    @property
    def unit(self) -> str:
        """What the units are: searchers, sessions where none names its searcher, or topics."""
        if self.design == PAIRED:
            return "topic"
        return "session" if self.alone == self.n_a + self.n_b else "searcher"

    @property
    def pairs_of(self) -> str:
        """Whose own sessions superiority pairs: one searcher's, one topic's, or anybody's."""
        return "" if self.both < 2 else "topic" if self.design == PAIRED else "searcher"

    @property
    def is_of_runs(self) -> bool:
        """Whether topics are the units, and a system has several sessions on some."""
        return self.design == PAIRED and self.n_a + self.n_b > 2 * self.units

    @property
    def by_t(self) -> bool:
        """Whether t leads: too few arrangements, or too few searchers whose spreads may differ."""
        if self.crossed:
            return True
        few = self.arrangements < FEWEST_ARRANGEMENTS
        apart = self.design == BETWEEN and min(self.units_of) < FEWEST_APART
        return (few or apart) and not math.isnan(self.p_t)

    @property
    def p(self) -> float:
        """The p that leads."""
        return self.p_t if self.by_t else self.p_permutation


def for_topics_like_these(pair: Pair, scored: Scored) -> Pair:
    """The same pair, its difference that of searchers and topics drawn from many.

    What speaks for the topics of the study alone, tests and intervals of sizes, is left out.
    """
    names = scored.names
    crossed = crossed_model(scored, names.index(pair.system_a), names.index(pair.system_b))
    ends = {"low": crossed.low, "high": crossed.high, "df": crossed.df, "p_t": crossed.p}
    fixed = ("p_permutation", "hedges_g", "superiority_low", "superiority_high")
    without = dict.fromkeys(fixed, math.nan) | {"arrangements": 0}
    return replace(pair, difference=crossed.effect, crossed=crossed, **ends, **without)


def effects_of(scored: Scored) -> TwoWay:
    """The model of all systems that are compared."""
    return TwoWay(scored.score, Sessions(scored.system, scored.unit, scored.topic), scored.place)


def compare(
    scored: Scored, a: int, b: int, *, effects: TwoWay | None = None, draws: int = DRAWS
) -> Pair:
    """Compare two systems (codes); `effects` of all systems, which several pairs share."""
    design, rows, pair, used = _recognised(scored, a, b)
    is_b = pair.system == b
    if design == PAIRED:
        model = Fitted(rows, *_by_topic(pair))
        effects = TwoWay(model.scores(scored.score[:, None])[:, 0], model.sessions)
    effects = effects or effects_of(scored)
    level = rounding(scored.score)
    whole = effects.difference(a, b)
    found = whole.rounded(level)
    known = not math.isnan(found.value)
    low, high = found.interval()
    crossed = _is_crossed(pair, is_b)
    p, others = _permuted(pair, is_b, crossed or design == PAIRED, found.t, draws)
    over = (np.nan,) * 3
    if known:
        groups = pair.unit if used.all(axis=1).sum() > 1 else np.zeros_like(pair.unit)
        scores = pair.score if design == PAIRED else effects.without_topics[rows]
        over = superiority(scores, is_b, pair.unit, groups, level, found.error)
    both, of = int(used.all(axis=1).sum()), tuple(used.sum(axis=0).tolist())
    units = len(used)
    return Pair(
        system_a=scored.names[a],
        system_b=scored.names[b],
        design=design,
        both=both,
        single=units - both,
        n_a=int((~is_b).sum()),
        n_b=int(is_b.sum()),
        apart=int(np.isin(scored.system, (a, b)).sum() - rows.sum()),
        alone=int(pair.alone.sum()),
        units=units,
        units_of=(of[0], of[1]),
        searchers_of=(_named(scored, rows, a), _named(scored, rows, b)),
        topics=int(np.unique(pair.topic).size),
        is_crossed=crossed,
        mean_a=_mean(pair.score[~is_b]),
        mean_b=_mean(pair.score[is_b]),
        difference=found.value,
        low=low,
        high=high,
        df=found.df,
        p_t=found.p,
        p_permutation=p if others and known else np.nan,
        arrangements=others if known else 0,
        hedges_g=hedges_g(found.value, pair.score[~is_b], pair.score[is_b], units - 2),
        superiority=over[0],
        superiority_low=over[1],
        superiority_high=over[2],
        is_level=whole.error <= level,
    )


@dataclass(frozen=True, eq=False)
class Fitted:
    """What the model of two systems is fitted to.

    rows (N,) : sessions that it takes · sessions : what these are of; where topics are the units,
    those of a system on a topic are one, at their mean · cell : which of these each that is taken
    belongs to, empty where each is one
    """

    rows: Bools
    sessions: Sessions
    cell: Ints

    def scores(self, scores: Floats) -> Floats:
        """Scores (N, P) of all sessions as the model takes them."""
        own = scores if self.rows.all() else scores[self.rows]
        if not self.cell.size:
            return own
        counts = np.bincount(self.cell)
        return sums_by(own, self.cell, counts.size) / counts[:, None]


def fitted(scored: Scored, a: int, b: int) -> Fitted:
    """What the difference of two systems is fitted to."""
    design, rows, pair, _ = _recognised(scored, a, b)
    if design == PAIRED:
        return Fitted(rows, *_by_topic(pair))
    every = Sessions(scored.system, scored.unit, scored.topic)
    return Fitted(np.ones_like(rows), every, np.zeros(0, dtype=np.int64))


def session_weights(scored: Scored, pair: Pair) -> Floats:
    """What each session's score (N,) weighs in the difference of a pair, their weighted sum.

    How much searchers' own sessions are alike, by which the model weighs, is held.
    """
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    model, place = fitted(scored, a, b), scored.place
    if pair.design == PAIRED:
        place = np.zeros(0)
    scores = model.scores(scored.score[:, None])[:, 0]
    own = TwoWay(scores, model.sessions, place).weights(a, b)
    if model.cell.size:
        own = (own / np.bincount(model.cell))[model.cell]
    weights = np.zeros(scored.score.size)
    weights[model.rows] = own
    return weights


def _by_topic(pair: Scored) -> tuple[Sessions, Ints]:
    """Sessions of a pair whose units are topics, or means of several; of which each is a part."""
    unit, system, cell = _codes(pair.unit), pair.system, np.zeros(0, dtype=np.int64)
    size = int(system.max()) + 1
    keys, place = np.unique(unit * size + system, return_inverse=True)
    if keys.size < unit.size:
        (unit, system), cell = np.divmod(keys, size), place
    return Sessions(system, unit, np.zeros_like(unit)), cell


def _recognised(scored: Scored, a: int, b: int) -> tuple[str, Bools, Scored, Bools]:
    """Design of two systems, and which sessions (N,) are compared, with their units.

    And which of the two each unit used, (U, 2).
    """
    rows = np.isin(scored.system, (a, b))
    pair = scored.take(rows)
    is_paired = bool(pair.on_shared_topics.any())
    if is_paired:
        rows[rows] = pair.on_shared_topics
        pair = scored.take(rows, unit=scored.topic)
    used = np.zeros((int(pair.unit.max(initial=-1)) + 1, 2), dtype=bool)
    used[pair.unit, (pair.system == b).astype(int)] = True
    used = used[used.any(axis=1)]
    both = used.all(axis=1)
    design = WITHIN if both.all() else BOTH if both.any() else BETWEEN
    return PAIRED if is_paired else design, rows, pair, used


def _permuted(pair: Scored, is_b: Bools, crossed: bool, t: float, draws: int) -> tuple[float, int]:
    """P of the permutation test, and its arrangements.

    The two systems change places within units of both. Units of one change systems with all their
    sessions, where the systems did not meet on every topic among those on the same topics.
    """
    keys, cell = np.unique(pair.unit * 2 + is_b, return_inverse=True)
    unit, second = np.divmod(keys, 2)
    alone = np.bincount(unit)[unit] == 1
    among = np.zeros_like(unit) if crossed else topic_sets(pair.topic, cell)
    strata = np.where(alone, unit.max() + 1 + among, unit)
    values = group_means(pair.centred, cell)
    return permutation_p(values, second, strata, draws=draws, observed=t)


def _codes(values: Ints) -> Ints:
    return np.unique(values, return_inverse=True)[1]


def _named(scored: Scored, rows: Bools, system: int) -> int:
    """Searchers who are named, of the compared sessions of one system."""
    named = rows & (scored.system == system)
    if scored.alone.size:
        named &= ~scored.alone
    return int(np.unique(scored.unit[named]).size)


def _is_crossed(pair: Scored, is_b: Bools) -> bool:
    """Whether both systems met every topic."""
    return np.unique(pair.topic[is_b]).tolist() == np.unique(pair.topic[~is_b]).tolist()


def topic_sets(topic: Ints, cell: Ints) -> Ints:
    """Code of the set of topics of each cell, (C,), of topic and cell of each session (N,)."""
    met = np.zeros((int(cell.max(initial=-1)) + 1, int(topic.max(initial=-1)) + 1), dtype=bool)
    met[cell, topic] = True
    return np.unique(met, axis=0, return_inverse=True)[1].ravel()


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")


def holm(p: Floats) -> Floats:
    """P of several pairs, (pairs,), corrected; undefined ones stay so and do not count.

    Source: Holm (1979).
    """
    corrected, known = p.copy(), np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = np.arange(known.size, 0, -1) * p[order]
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def _means_by_topic(scored: Scored, shared: Bools) -> tuple[Floats, Ints, Ints]:
    """Centred scores, systems and topics of shared topics' sessions, or means of several."""
    values, system, topic = scored.centred[shared], scored.system[shared], scored.topic[shared]
    size = len(scored.names)
    keys, cell = np.unique(topic * size + system, return_inverse=True)
    if keys.size == values.size:
        return values, system, topic
    return group_means(values, cell), keys % size, keys // size


MOST_TESTED = 100  # systems of one test: each takes its share of time, and its code is int8


def omnibus(scored: Scored) -> tuple[float, int]:
    """Whether systems differ at all: labels change places within searchers of several systems.

    Searchers of one system each change systems among themselves, or where not every system met
    every topic among those on the same topics. Where topics are the units, within topics. There is
    none of two systems, or of more than ``MOST_TESTED``.
    """
    if not 2 < np.unique(scored.system).size <= MOST_TESTED:
        return float("nan"), 0
    if (shared := scored.on_shared_topics).any():
        return permutation_p(*_means_by_topic(scored, shared))
    keys, cell = np.unique(scored.unit * len(scored.names) + scored.system, return_inverse=True)
    unit, system = np.divmod(keys, len(scored.names))
    counts = np.bincount(cell)
    values = np.bincount(cell, weights=scored.centred) / counts
    alone = np.bincount(unit)[unit] == 1
    sets = topic_sets(scored.topic, cell)
    met = [np.unique(scored.topic[scored.system == s]).tolist() for s in np.unique(system)]
    among = sets if any(topics != met[0] for topics in met) else np.zeros_like(sets)
    strata = np.where(alone, unit.max(initial=0) + 1 + among, unit)
    return permutation_p(values, system, strata)
