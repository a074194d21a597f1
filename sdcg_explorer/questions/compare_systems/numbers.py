"""Two systems on one score: difference, interval and tests, in whatever design."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import Score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.questions.overview.numbers import positions, whole
from sdcg_explorer.scoring.definition import NAMES, Definition, Filters, not_of, usual_definition
from sdcg_explorer.scoring.measures import (
    USUAL,
    Footing,
    Measured,
    between_systems,
    footing,
    measured,
    queries_left_out,
    require_score,
    session_score_of,
    under,
)
from sdcg_explorer.scoring.named_scores import full_score_name, may_have, score_of
from sdcg_explorer.scoring.scored_sessions import (
    Scored,
    group_means,
    means_of,
    permuted,
    points_of,
    scored_of,
)
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.statistics.crossed_model import Crossed, crossed_model
from sdcg_explorer.statistics.effect_sizes import hedges_g, rounding, superiority
from sdcg_explorer.statistics.permutation import DRAWS, FEWEST_ARRANGEMENTS, is_clear
from sdcg_explorer.statistics.two_way import Sessions, TwoWay, sums_by
from sdcg_explorer.study.study import Study

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
    units differ by rounding alone, so that there is no interval · with_order : whether the model
    has the place of sessions in their searchers' sequences
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
    shared: int
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
    with_order: bool = False

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


def pair_with_random_topics(pair: Pair, scored: Scored) -> Pair:
    """The same pair, its difference that of searchers and topics drawn from many.

    What speaks for the topics of the study alone, tests and intervals of sizes, is left out.
    """
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    both = scored.take(np.isin(scored.system, (a, b)))
    crossed = crossed_model(
        both.score, both.system == b, both.unit, both.topic, is_named=both.names_searchers
    )
    low, high = crossed.interval()
    ends = {"low": low, "high": high, "df": crossed.df, "p_t": crossed.p}
    fixed = ("p_permutation", "hedges_g", "superiority_low", "superiority_high")
    without = dict.fromkeys(fixed, math.nan) | {"arrangements": 0}
    return replace(pair, difference=crossed.value, crossed=crossed, **ends, **without)


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
        model = Fitted(rows, *_topic_units(pair))
        effects = TwoWay(model.scores(scored.score[:, None])[:, 0], model.sessions)
    effects = effects or effects_of(scored)
    level = rounding(scored.score)
    whole = effects.difference(a, b)
    found = whole.without_rounding(level)
    known = not math.isnan(found.value)
    low, high = found.interval()
    shared = np.intersect1d(pair.topic[is_b], pair.topic[~is_b]).size
    crossed = shared == np.unique(pair.topic).size
    labelled = _labelled(pair, is_b.astype(np.int64), 2, crossed=crossed or design == PAIRED)
    p, others = permuted(*labelled, draws=draws, observed=found.t)
    over = (np.nan,) * 3
    if known:
        groups = pair.unit if used.all(axis=1).sum() > 1 else np.zeros_like(pair.unit)
        scores = pair.score if design == PAIRED else effects.without_topics[rows]
        over = superiority(scores, is_b, pair.unit, groups, level, found.error)
    both, of = int(used.all(axis=1).sum()), tuple(used.sum(axis=0).tolist())
    mean_a, mean_b = group_means(pair.score, is_b.astype(np.int64), 2).tolist()
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
        shared=shared,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=found.value,
        low=low,
        high=high,
        df=found.df,
        p_t=found.p,
        p_permutation=p if others and known else np.nan,
        arrangements=others if known else 0,
        hedges_g=hedges_g(found.value, pair.score[~is_b], pair.score[is_b], units - 2),
        **dict(zip(("superiority", *ENDS), over, strict=True)),
        is_level=whole.error <= level,
        with_order=scored.place.size > 0,
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
        return Fitted(rows, *_topic_units(pair))
    every = Sessions(scored.system, scored.unit, scored.topic)
    return Fitted(np.ones_like(rows), every, np.zeros(0, dtype=np.int64))


def session_weights(every: Scored, pair: Pair, baseline: str = "") -> Floats:
    """What each session's score (N,) weighs in the difference of a pair, their weighted sum.

    How much searchers' own sessions are alike, by which the model weighs, is held.
    """
    scored = in_model(every, baseline)
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    model, place = fitted(scored, a, b), scored.place
    if pair.design == PAIRED:
        place = np.zeros(0)
    scores = model.scores(scored.score[:, None])[:, 0]
    own = TwoWay(scores, model.sessions, place).weights(a, b)
    if model.cell.size:
        own = (own / np.bincount(model.cell))[model.cell]
    weights = np.zeros(every.score.size)
    weights[np.flatnonzero(sessions_in_model(every, baseline))[model.rows]] = own
    return weights


def _topic_units(pair: Scored) -> tuple[Sessions, Ints]:
    """Sessions of a pair whose units are topics, or means of several; of which each is a part."""
    unit = np.unique(pair.unit, return_inverse=True)[1]
    system, cell = pair.system, np.zeros(0, dtype=np.int64)
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
    is_paired = bool(pair.is_on_paired_topic.any())
    if is_paired:
        rows[rows] = pair.is_on_paired_topic
        pair = scored.take(rows, unit=scored.topic)
    used = np.zeros((int(pair.unit.max(initial=-1)) + 1, 2), dtype=bool)
    used[pair.unit, (pair.system == b).astype(int)] = True
    used = used[used.any(axis=1)]
    both = used.all(axis=1)
    design = WITHIN if both.all() else BOTH if both.any() else BETWEEN
    return PAIRED if is_paired else design, rows, pair, used


def _labelled(
    scored: Scored, system: Ints, size: int, *, crossed: bool
) -> tuple[Floats, Ints, Ints]:
    """Mean centred score of each searcher with each system, its system, and its stratum.

    Systems change places within searchers of several. Searchers of one change systems with all
    their sessions, where not every system met every topic among those on the same topics.
    """
    keys, cell = np.unique(scored.unit * size + system, return_inverse=True)
    unit, label = np.divmod(keys, size)
    alone = np.bincount(unit)[unit] == 1
    among = np.zeros_like(unit)
    if not crossed:  # the set of topics of each, by its code
        met = np.zeros((unit.size, int(scored.topic.max(initial=-1)) + 1), dtype=bool)
        met[cell, scored.topic] = True
        among = np.unique(met, axis=0, return_inverse=True)[1].ravel()
    strata = np.where(alone, unit.max(initial=0) + 1 + among, unit)
    return group_means(scored.centred, cell), label, strata


def _named(scored: Scored, rows: Bools, system: int) -> int:
    """Searchers who are named, of the compared sessions of one system."""
    named = rows & (scored.system == system)
    if scored.alone.size:
        named &= ~scored.alone
    return int(np.unique(scored.unit[named]).size)


def _has_same_topics(scored: Scored) -> bool:
    """Whether all systems met the same topics."""
    met = [np.unique(scored.topic[scored.system == code]) for code in np.unique(scored.system)]
    return all(np.array_equal(topics, met[0]) for topics in met)


def holm(p: Floats) -> Floats:
    """P of several pairs, (pairs,), corrected; undefined ones stay so and do not count.

    Source: Holm (1979).
    """
    corrected, known = p.copy(), np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = np.arange(known.size, 0, -1) * p[order]
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


MOST_TESTED = 100  # systems of one test: each takes its share of time, and its code is int8


def omnibus(scored: Scored) -> tuple[float, int]:
    """Whether systems differ at all: labels change places within searchers of several systems.

    Searchers of one system each change systems among themselves, or where not every system met
    every topic among those on the same topics. Where topics are the units, within topics. There is
    none of two systems, or of more than ``MOST_TESTED``.
    """
    if not 2 < np.unique(scored.system).size <= MOST_TESTED:
        return float("nan"), 0
    if (shared := scored.is_on_paired_topic).any():
        model = Fitted(shared, *_topic_units(scored.take(shared, unit=scored.topic)))
        values = model.scores(scored.centred[:, None])[:, 0]
        return permuted(values, model.sessions.system, model.sessions.unit)
    crossed = _has_same_topics(scored)
    return permuted(*_labelled(scored, scored.system, len(scored.names), crossed=crossed))


MOST_PAIRED = 20  # systems: pairs grow with their square, and take some 10 ms each
MOST = np.iinfo(np.int64).max
ENDS = ("superiority_low", "superiority_high")
COLUMNS = (
    *("system_a", "system_b", "score", "design", "n_a", "n_b", "unit", "units", "mean_a"),
    *("mean_b", "difference", "low", "high", "p_t", "p_permutation", "arrangements", "p_holm"),
    *("hedges_g", "superiority", *ENDS),
)
WIDE = ("score", "design", "n_a", "n_b", "mean_a", "mean_b", "arrangements", *ENDS)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two systems compared on one score, as Compare systems has it with topics fixed.

    names : of systems with a session
    """

    scored: Scored
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]

    @cached_property
    def p_holm(self) -> Floats:
        """P of each pair, corrected after Holm."""
        return holm(np.array([pair.p for pair in self.pairs]))

    @cached_property
    def clearest_place(self) -> int:
        """Place of the pair with the smallest p, of equal ones with the largest difference."""
        p = np.nan_to_num(self.p_holm, nan=2.0)
        apart = np.nan_to_num(np.abs([pair.difference for pair in self.pairs]), nan=-1.0)
        return int(np.lexsort((-apart, p))[0])

    def chosen(self, systems: tuple[str, str] | None) -> Pair | None:
        """The pair of two systems, in whichever order, or else the clearest.

        Raises
        ------
        ValueError : no such pair
        """
        if systems is None:
            return self.pairs[self.clearest_place] if self.pairs else None
        for pair in self.pairs:
            if {pair.system_a, pair.system_b} == {*systems}:
                return pair
        known = ", ".join(self.names)
        few = f", of which {MOST_PAIRED} are compared" if len(self.names) > MOST_PAIRED else ""
        raise ValueError(f"no pair {' and '.join(systems)}; systems are {known}{few}.")


def compare_scored_pairs(scored: Scored, baseline: str = "") -> tuple[Pair, ...]:
    """Compare every two systems, or each with a baseline, which is then the first of every pair."""
    scored = in_model(scored, baseline)
    codes = np.unique(scored.system)
    effects = effects_of(scored) if codes.size else None
    pairs = system_pairs(codes.tolist(), scored.names, baseline)
    return tuple(compare(scored, a, b, effects=effects) for a, b in pairs)


def one_pair(scored: Scored, systems: tuple[str, str]) -> Pair | None:
    """One of the pairs without its permutation test; None where either has no session."""
    scored = in_model(scored)
    a, b = (scored.names.index(name) for name in systems)
    if not {a, b} <= {*scored.system.tolist()}:
        return None
    return compare(scored, a, b, effects=effects_of(scored), draws=1)


def in_model(scored: Scored, baseline: str = "") -> Scored:
    """The sessions that the model of all pairs is fitted to, centred by themselves."""
    rows = sessions_in_model(scored, baseline)
    return scored if rows.all() else replace(scored.take(rows))


def sessions_in_model(scored: Scored, baseline: str = "") -> Bools:
    """Sessions (N,) that the model of all pairs is fitted to.

    Of more than ``MOST_PAIRED`` systems the baseline, and those with the most sessions, are
    compared; others are then out of the model, as if they were not shown.
    """
    codes, sessions = np.unique(scored.system, return_counts=True)
    if codes.size > MOST_PAIRED:
        sessions = np.where([scored.names[code] == baseline for code in codes], MOST, sessions)
        codes = np.sort(codes[np.argsort(-sessions, kind="stable")[:MOST_PAIRED]])
    return np.isin(scored.system, codes)


def system_pairs(
    codes: Sequence[int], names: Sequence[str], baseline: str = ""
) -> list[tuple[int, int]]:
    """Every two of some systems, or a baseline and each other one; none without the baseline.

    >>> system_pairs([0, 1, 2], "ABC", "B"), system_pairs([0, 2], "ABC", "B")
    ([(1, 0), (1, 2)], [])
    """
    if not baseline:
        return [*combinations(codes, 2)]
    first = names.index(baseline)
    return [(first, code) for code in codes if code != first] if first in codes else []


def every_pair(study: Study, definition: Definition, filters: Filters, score: str) -> Pairs:
    """Compare every two systems on a score.

    Raises
    ------
    ValueError : no such score
    """
    require_score(score)
    score = between_systems(score, definition)
    chosen = select(study, definition, filters)
    values = session_score_of(score, chosen)
    scored = scored_of(chosen, values, chosen.sample.judged & np.isfinite(values))
    names = tuple(scored.names[code] for code in np.unique(scored.system).tolist())
    return Pairs(scored, names, compare_scored_pairs(scored))


TOPICS_ARE = {"fixed": "these topics", "sample": "topics like these"}
MOST_POINTS = 5_000  # sessions of all systems that are drawn, each so-manieth


@dataclass(frozen=True, eq=False)
class Comparison(Pairs):
    """Systems compared on one score, and all that stands on the page.

    omnibus : p over all systems, nan with two, and its arrangements · systems, by_topic : means ·
    points : a row per session · undefined, without_judgments : sessions that were left out ·
    left_out : queries that a mean of queries leaves out of the sessions compared ·
    is_usual : whether it is of a preset, all sessions and the usual choices ·
    topics_are : for which it answers · places : of each session among those of its searcher, nan
    where unknown · baseline : with which each other system is compared, "" where every two are ·
    rows : place of each session among those that pass the filters · footing : what a further
    measure stands on
    """

    score: str
    measure: Score[Measured]
    omnibus: tuple[float, int]
    systems: pd.DataFrame
    by_topic: pd.DataFrame
    points: pd.DataFrame
    undefined: int
    without_judgments: int
    left_out: int
    withheld: int
    is_usual: bool
    topics_are: str
    places: Floats
    baseline: str
    rows: Ints
    footing: Footing | None

    @property
    def unit(self) -> str:
        """What a difference is counted in."""
        return self.measure.unit

    @property
    def words(self) -> str:
        """The score in words."""
        return self.measure.words

    @property
    def has_several_pairs(self) -> bool:
        """Whether p are corrected for several pairs."""
        return len(self.pairs) > 1

    @property
    def has_difference(self) -> bool:
        """Whether any pair has a difference."""
        return any(not math.isnan(pair.difference) for pair in self.pairs)

    @property
    def clear(self) -> tuple[bool, ...]:
        """Whether each pair differs clearly."""
        return tuple(
            is_clear(pair.low, pair.high, lambda p=p: p)
            for pair, p in zip(self.pairs, self.p_holm.tolist(), strict=True)
        )

    @property
    def one_in(self) -> int:
        """Of how many sessions of a system one is drawn as a point; means are of all."""
        return max(1, -(-len(self.points) // MOST_POINTS))

    def table(self) -> pd.DataFrame:
        """One row per pair."""
        rows = [
            {name: getattr(pair, name, None) for name in COLUMNS}
            | {"score": self.score, "p_holm": float(p)}
            for pair, p in zip(self.pairs, self.p_holm, strict=True)
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def short_table(self) -> pd.DataFrame:
        """What of the table fits a screen."""
        return self.table().drop(columns=[*WIDE])


def require_answerable(topics_are: str, *, with_order: bool) -> None:
    """Refuse choices that no model answers.

    Raises
    ------
    ValueError : no such choice of topics, or an order to be taken off where topics are a sample
    """
    if topics_are not in TOPICS_ARE:
        raise ValueError(f"topics are {topics_are!r}; they can be {' or '.join(TOPICS_ARE)}.")
    if with_order and topics_are == "sample":
        raise ValueError("the order of sessions can be adjusted for only where topics are fixed.")


def _is_usual(study: Study, definition: Definition, filters: Filters, score: str) -> bool:
    """Whether a view is of a preset, all sessions and the score that the study opens with."""
    usual = usual_definition(study)
    own = [name for name in NAMES if name not in not_of(score)]
    moved = any(getattr(definition, name) != getattr(usual, name) for name in own)
    is_usual = score == between_systems(USUAL, usual) and filters == Filters()
    return is_usual and not (definition.nearest_preset()[1] or moved)


def compare_systems(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = USUAL,
    topics_are: str = "fixed",
    with_order: bool = False,
    baseline: str = "",
) -> Comparison:
    """Compare every two systems within the filters on one score (one of ``scores_of``).

    `topics_are` (a key of ``TOPICS_ARE``) says for which topics an answer is to hold,
    `with_order` takes off what a later place among a searcher's sessions adds; with a `baseline`
    each other system is compared with that one alone.

    Raises
    ------
    ValueError : no such score, choice of topics or baseline, or an order that is not known
    """
    require_answerable(topics_are, with_order=with_order)
    score = full_score_name(study, between_systems(score, definition))
    measure = under(definition, score, score_of(study, score))
    chosen = select(study, definition, filters)
    judged, values = may_have(score, chosen), measured(chosen, {score: measure})[score]
    known = judged & np.isfinite(values)
    scored = scored_of(chosen, values, known)
    places = positions(study, chosen.sample)[known]
    if with_order:
        scored = replace(scored, place=whole(places, scored.unit))
    points = points_of(study, chosen, known, values)
    if baseline and baseline not in scored.names:
        raise ValueError(f"baseline {baseline!r}; systems are {', '.join(scored.names)}.")
    pairs = compare_scored_pairs(scored, baseline)
    if sample := topics_are == "sample":
        pairs = tuple(pair_with_random_topics(pair, scored) for pair in pairs)
    systems, by_topic = means_of(scored, sorted({*points["topic"]}))
    chose = sample or with_order or (baseline and len(pairs) > 1)
    return Comparison(
        score=score,
        measure=measure,
        is_usual=_is_usual(study, definition, filters, score) and not chose,
        baseline=baseline,
        footing=footing(chosen, score),
        rows=np.flatnonzero(known),
        topics_are=topics_are,
        places=places,
        scored=scored,
        names=tuple(systems["system"]),
        pairs=pairs,
        omnibus=(float("nan"), 0) if sample else omnibus(scored),
        systems=systems,
        by_topic=by_topic,
        points=points,
        undefined=int((judged & ~known).sum()),
        without_judgments=int((~judged).sum()),
        left_out=int(queries_left_out(score, chosen)[known].sum()),
        withheld=study.report.withheld,
    )


OUTCOMES = ("lost", "tied", "won")  # by the second system, against the first
BY_TOPIC_COLUMNS = (
    *("system_a", "system_b", "score", "topic", "n_a", "n_b", "mean_a", "mean_b", "difference"),
    *("result", "session_a", "session_b"),
)
NAMED = ("system_a", "system_b", "score")  # the same in every row of two systems


@dataclass(frozen=True, eq=False)
class ByTopic:
    """Topics of both systems (K,), the one that the second lost worst first.

    table : a row per topic, ``COLUMNS``; where a system has several sessions on a topic the one
    named is nearest to their mean · apart : sessions on topics of one of the two alone
    """

    pair: Pair
    table: pd.DataFrame
    apart: int

    def number(self, result: str) -> int:
        """Topics of one of ``OUTCOMES``."""
        return int((self.table["result"] == result).sum())

    @property
    def is_of_runs(self) -> bool:
        """Whether a system has several sessions on a topic."""
        return bool((self.table[["n_a", "n_b"]] > 1).any(axis=None))

    def short_table(self) -> pd.DataFrame:
        """What of the table is not the same in every row."""
        return self.table.drop(columns=list(NAMED))


def pairs_topics(compared: Comparison, place: int) -> bool:
    """Whether a pair is looked at topic by topic: nobody of a name stands between the systems."""
    return compared.pairs[place].design == PAIRED or not compared.scored.names_searchers


def by_topic(compared: Comparison, place: int) -> ByTopic:
    """Topics of a pair of systems by difference, second less first."""
    pair, scored = compared.pairs[place], compared.scored
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    names = np.unique(compared.points["topic"].astype(str))
    rows = np.flatnonzero(np.isin(scored.system, (a, b)))
    cell = 2 * scored.topic[rows] + (scored.system[rows] == b)
    counts = np.bincount(cell, minlength=2 * names.size).reshape(-1, 2)
    shared = np.flatnonzero(counts.min(axis=1))
    inside = np.isin(cell // 2, shared)
    rows, cell = rows[inside], cell[inside]
    means = group_means(scored.score[rows], cell, 2 * names.size).reshape(-1, 2)[shared]
    apart = means[:, 1] - means[:, 0]
    apart[np.abs(apart) <= rounding(scored.score)] = 0.0
    shown = compared.points["session"].to_numpy()[_nearest(scored, rows, cell)].reshape(-1, 2)
    table = pd.DataFrame(
        {
            "system_a": pair.system_a,
            "system_b": pair.system_b,
            "score": compared.score,
            "topic": names[shared],
            **dict(zip(("n_a", "n_b"), counts[shared].T, strict=True)),
            **dict(zip(("mean_a", "mean_b"), means.T, strict=True)),
            "difference": apart,
            "result": np.array(OUTCOMES, dtype=object)[np.sign(apart).astype(np.int64) + 1],
            **dict(zip(("session_a", "session_b"), shown.T, strict=True)),
        },
        columns=list(BY_TOPIC_COLUMNS),
    ).sort_values("difference", kind="stable", ignore_index=True)
    return ByTopic(pair, table, int((~inside).sum()))


def _nearest(scored: Scored, rows: Ints, cell: Ints) -> Ints:
    """Of each cell's sessions that nearest to their mean, the first of equals, cell by cell."""
    score = scored.score[rows]
    far = np.abs(score - group_means(score, cell)[cell])
    step = rounding(score)
    order = np.lexsort((rows, np.round(far / step) if step else far, cell))
    return rows[order[np.unique(cell[order], return_index=True)[1]]]
