"""Two systems on one score: difference, interval and tests, in whatever design.

Then what else is asked of them: topics by difference, learning and fatigue, whether answers were
right, what unjudged documents leave open, a row per system as papers print it, the next study.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from sdcg_explorer.metrics import Score, interval
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.questions.overview.numbers import all_known, is_whole, positions
from sdcg_explorer.scoring import cache, measures, ratings, scored_sessions
from sdcg_explorer.scoring.costs import OPENED, TIME, is_cost, study_costs, totals_of
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.residuals import Residuals
from sdcg_explorer.scoring.scored_sessions import Scored, group_means, means_of, scored_of
from sdcg_explorer.scoring.scores import full_score_name, may_have, score_of
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.statistics.crossed_model import Crossed, crossed_model
from sdcg_explorer.statistics.effect_sizes import hedges_g, rounding, superiority
from sdcg_explorer.statistics.permutation import DRAWS, FEWEST_ARRANGEMENTS, LEVEL, is_clear
from sdcg_explorer.statistics.shares import mcnemar, share_of
from sdcg_explorer.statistics.two_way import Sessions, TwoWay, sums_by, t_quantile
from sdcg_explorer.study.study import Study, extra_columns

WITHIN, BETWEEN, BOTH, PAIRED = "within", "between", "mixed", "paired by topic"
FEWEST_APART = 10  # units of each system between which permutations keep their promise


@dataclass(frozen=True)
class Pair:
    """Two systems compared; every size is b over a, every difference b − a.

    design : within or between searchers, mixed, or paired by topic · both : searchers of
    both systems · apart : sessions left out because no session with the other system is
    on their topic · alone : sessions that name no searcher · units, units_of : searchers (sessions
    that name none, or topics), all and of each system · searchers_of : named searchers of each
    system · difference, low, high, df, p_t : of the two-way model, by t · arrangements : behind
    p_permutation · superiority : P(b > a), ties half, with its interval · crossed : the model by
    which difference, low, high, df and p_t are, where topics are a sample · with_order : whether
    the model has the place of sessions in their searchers' sequences · topic_noun : as of `Scored`
    """

    system_a: str
    system_b: str
    design: str
    both: int
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
    with_order: bool = False
    topic_noun: str = "topic"

    @property
    def unit(self) -> str:
        """What the units are: searchers, sessions where none names its searcher, or topics."""
        if self.design == PAIRED:
            return self.topic_noun
        return "session" if self.alone == self.n_a + self.n_b else "searcher"

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


def model_of_all(scored: Scored) -> TwoWay:
    """The model of all systems that are compared."""
    return TwoWay(scored.score, Sessions(scored.system, scored.unit, scored.topic), scored.place)


def compare(
    scored: Scored, a: int, b: int, *, effects: TwoWay | None = None, draws: int = DRAWS
) -> Pair:
    """Compare two systems (codes); `effects` of all systems, which several pairs share."""
    design, rows, pair, used = _design_and_sessions(scored, a, b)
    is_b = pair.system == b
    if design == PAIRED:
        effects = Fitted(rows, *_topic_units(pair)).effects(scored.score)
    effects = effects or model_of_all(scored)
    level = rounding(scored.score)
    found = effects.difference(a, b).without_rounding(level)
    known = not math.isnan(found.value)
    low, high = found.interval()
    labelled = _searcher_means(pair, is_b.astype(np.int64), 2)
    p, others = scored_sessions.permuted(*labelled, draws=draws, observed=found.t)
    over, both = (np.nan,) * 3, int(used.all(axis=1).sum())
    if known:
        groups = pair.unit if both > 1 else np.zeros_like(pair.unit)
        scores = pair.score if design == PAIRED else effects.without_topics[rows]
        over = superiority(scores, is_b, pair.unit, groups, level, found.error)
    of_a, of_b = used.sum(axis=0).tolist()
    mean_a, mean_b = group_means(pair.score, is_b.astype(np.int64), 2).tolist()
    units, named = len(used), ~pair.alone if pair.alone.size else np.ones_like(is_b)
    searchers_a, searchers_b = (
        np.unique(scored.unit[rows][named & own]).size for own in (~is_b, is_b)
    )
    return Pair(
        system_a=scored.names[a],
        system_b=scored.names[b],
        design=design,
        both=both,
        n_a=int((~is_b).sum()),
        n_b=int(is_b.sum()),
        apart=int(np.isin(scored.system, (a, b)).sum() - rows.sum()),
        alone=int(pair.alone.sum()),
        units=units,
        units_of=(of_a, of_b),
        searchers_of=(searchers_a, searchers_b),
        topics=int(np.unique(pair.topic).size),
        shared=np.intersect1d(pair.topic[is_b], pair.topic[~is_b]).size,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=found.value,
        low=low,
        high=high,
        df=found.df,
        p_t=found.p,
        p_permutation=p if others > 1 and known else np.nan,  # one alone is no test
        arrangements=others if known else 0,
        hedges_g=hedges_g(found.value, pair.score[~is_b], pair.score[is_b], units - 2),
        **dict(zip(("superiority", *ENDS), over, strict=True)),
        with_order=scored.place.size > 0,
        topic_noun=scored.topic_noun,
    )


@dataclass(frozen=True, eq=False)
class Fitted:
    """What the model of two systems is fitted to.

    rows (N,) : sessions that it takes · sessions : what these are of; where topics are the units,
    those of a system on a topic are one, at their mean · cell : which of these each that is taken
    belongs to, empty where each is one · place : as of `Scored`; none where topics are the units
    """

    rows: Bools
    sessions: Sessions
    cell: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    place: Floats = field(default_factory=lambda: np.zeros(0))

    def scores(self, scores: Floats) -> Floats:
        """Scores (N, P) of all sessions as the model takes them."""
        own = scores if self.rows.all() else scores[self.rows]
        if not self.cell.size:
            return own
        counts = np.bincount(self.cell)
        return sums_by(own, self.cell, counts.size) / counts[:, None]

    def effects(self, scores: Floats) -> TwoWay:
        """The model, fitted to a score (N,) of all sessions."""
        return TwoWay(self.scores(scores[:, None])[:, 0], self.sessions, self.place)


def pair_model(scored: Scored, a: int, b: int) -> Fitted:
    """What the difference of two systems is fitted to."""
    design, rows, pair, _ = _design_and_sessions(scored, a, b)
    if design == PAIRED:
        return Fitted(rows, *_topic_units(pair))
    every = Sessions(scored.system, scored.unit, scored.topic)
    return Fitted(np.ones_like(rows), every, place=scored.place)


def session_weights(every: Scored, pair: Pair, baseline: str = "") -> Floats:
    """What each session's score (N,) weighs in the difference of a pair, their weighted sum.

    How much searchers' own sessions are alike, by which the model weighs, is held.
    """
    scored = scored_in_model(every, baseline)
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    model = pair_model(scored, a, b)
    own = model.effects(scored.score).weights(a, b)
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


def _design_and_sessions(scored: Scored, a: int, b: int) -> tuple[str, Bools, Scored, Bools]:
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


def _searcher_means(scored: Scored, system: Ints, size: int) -> tuple[Floats, Ints, Ints]:
    """Mean centred score of each searcher with each system, its system, and its stratum.

    Systems change places within searchers of several. Searchers of one change systems with all
    their sessions, where not every system met every topic among those on the same topics.
    """
    keys, cell = np.unique(scored.unit * size + system, return_inverse=True)
    unit, label = np.divmod(keys, size)
    alone = np.bincount(unit)[unit] == 1
    among = np.zeros_like(unit)
    used, topics = (np.unique(each).size for each in (system, scored.topic))
    if np.unique(scored.topic * size + system).size < used * topics:  # the set of topics of each
        met = np.zeros((unit.size, int(scored.topic.max(initial=-1)) + 1), dtype=bool)
        met[cell, scored.topic] = True
        among = np.unique(met, axis=0, return_inverse=True)[1].ravel()
    strata = np.where(alone, unit.max(initial=0) + 1 + among, unit)
    return group_means(scored.centred, cell), label, strata


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
        return scored_sessions.permuted(values, model.sessions.system, model.sessions.unit)
    return scored_sessions.permuted(*_searcher_means(scored, scored.system, len(scored.names)))


MOST_PAIRED = 20  # systems: pairs grow with their square, and take some 10 ms each
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
        """Place of the pair with the smallest p, of equals with the largest difference; else 0."""
        p = np.nan_to_num(self.p_holm, nan=2.0)
        apart = np.nan_to_num(np.abs([pair.difference for pair in self.pairs]), nan=-1.0)
        return int(np.lexsort((-apart, p))[0]) if self.pairs else 0

    def chosen(self, systems: tuple[str, str] | None) -> Pair | None:
        """The pair of two systems, in whichever order, or else the clearest; else a ValueError."""
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
    scored = scored_in_model(scored, baseline)
    codes = np.unique(scored.system)
    effects = model_of_all(scored) if codes.size else None
    pairs = system_pairs(codes.tolist(), scored.names, baseline)
    return tuple(compare(scored, a, b, effects=effects) for a, b in pairs)


def pair_without_test(scored: Scored, systems: tuple[str, str]) -> Pair | None:
    """One of the pairs without its permutation test; None where either has no session."""
    scored = scored_in_model(scored)
    a, b = (scored.names.index(name) for name in systems)
    if not {a, b} <= {*scored.system.tolist()}:
        return None
    return compare(scored, a, b, effects=model_of_all(scored), draws=1)


def differ_clearly(scored: Scored, systems: tuple[str, str]) -> bool:
    """Whether two systems differ clearly, of every two that are compared; not where they aren't.

    Other pairs are tested only where Holm's correction needs more than their number.
    """
    scored = scored_in_model(scored)
    pairs = system_pairs(np.unique(scored.system).tolist(), scored.names)
    a, b = sorted(scored.names.index(name) for name in systems)
    if (a, b) not in pairs:
        return False
    pair = compare(scored, a, b, effects=model_of_all(scored))

    def p_holm() -> float:
        if pair.p > LEVEL or pair.p * len(pairs) <= LEVEL:
            return pair.p
        every = np.array([of.p for of in compare_scored_pairs(scored)])
        return float(holm(every)[pairs.index((a, b))])

    return is_clear(pair.low, pair.high, p_holm)


def scored_in_model(scored: Scored, baseline: str = "") -> Scored:
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
        sessions = np.where([scored.names[code] == baseline for code in codes], math.inf, sessions)
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


def compare_pairs(study: Study, definition: Definition, filters: Filters, score: str) -> Pairs:
    """Compare every two systems on a score; a ValueError where there is no such score."""
    of = ScoredBy.of(study, definition, filters, measures.compared_score(score, definition))
    return Pairs(of.scored, (*of.scored.means,), compare_scored_pairs(of.scored))


TOPICS_ARE = {"fixed": "these topics", "sample": "topics like these"}


@dataclass(frozen=True, eq=False)
class Comparison(Pairs):
    """Systems compared on one score, and all that stands on the page.

    omnibus : p over all systems, nan with two, and its arrangements · systems, by_topic : means ·
    points : a row per session · undefined, without_judgments : sessions that were left out ·
    left_out : queries that a mean of queries leaves out of the sessions compared ·
    topics_are : for which it answers · places : of each session among those of its searcher, nan
    where unknown · baseline : with which each other system is compared, "" where every two are ·
    rows : place of each session among those that pass the filters · footing : what a further
    measure stands on
    """

    score: str
    measure: Score[measures.Measured]
    omnibus: tuple[float, int]
    systems: pd.DataFrame
    by_topic: pd.DataFrame
    points: pd.DataFrame
    undefined: int
    without_judgments: int
    left_out: int
    withheld: int
    topics_are: str
    places: Floats
    baseline: str
    rows: Ints
    footing: measures.Footing | None

    @property
    def unit(self) -> str:
        """What a difference is counted in."""
        return self.measure.unit

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

    def table(self) -> pd.DataFrame:
        """One row per pair."""
        columns = {name: [getattr(pair, name, None) for pair in self.pairs] for name in COLUMNS}
        return pd.DataFrame(columns | {"score": self.score, "p_holm": self.p_holm})


def require_answerable(topics_are: str, *, with_order: bool) -> None:
    """Raise a ValueError of choices that no model answers."""
    if topics_are not in TOPICS_ARE:
        raise ValueError(f"topics are {topics_are!r}; they can be {' or '.join(TOPICS_ARE)}.")
    if with_order and topics_are == "sample":
        raise ValueError("the order of sessions can be adjusted for only where topics are fixed.")


def compare_systems(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = measures.USUAL,
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
    score = full_score_name(study, measures.compared_score(score, definition))
    measure = measures.under(definition, score, score_of(study, score))
    chosen = select(study, definition, filters)
    judged, values = may_have(score, chosen), measures.measured(chosen, {score: measure})[score]
    known = judged & np.isfinite(values)
    scored = scored_of(chosen, values, known)
    places = positions(study, chosen.sample)[known]
    if with_order:
        scored = replace(scored, place=all_known(places, scored.unit))
    points = scored_sessions.points_of(study, chosen, known, values)
    if baseline and baseline not in scored.names:
        raise ValueError(f"no baseline {baseline!r}; systems are {', '.join(scored.names)}.")
    pairs = compare_scored_pairs(scored, baseline)
    if sample := topics_are == "sample":
        pairs = tuple(pair_with_random_topics(pair, scored) for pair in pairs)
    systems, by_topic = means_of(scored, sorted({*points["topic"]}))
    return Comparison(
        score=score,
        measure=measure,
        baseline=baseline,
        footing=measures.footing(chosen, score),
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
        left_out=int(measures.queries_left_out(score, chosen)[known].sum()),
        withheld=study.report.withheld,
    )


DIGITS = 12  # beyond them lies rounding, which makes no order


@dataclass(frozen=True, eq=False)
class ScoredBy:
    """A score of each session, (S,), nan where it is not defined; sessions that have it."""

    score: str
    chosen: Selection
    values: Floats

    @classmethod
    def of(cls, study: Study, definition: Definition, filters: Filters, score: str) -> ScoredBy:
        """One score under one definition."""
        measures.require_score(score)
        chosen = select(study, definition, filters)
        values = measures.session_score_of(score, chosen)
        values = np.where(chosen.sample.judged & np.isfinite(values), values, np.nan)
        return cls(score, chosen, values)

    @cached_property
    def scored(self) -> Scored:
        """Sessions that have the score, by system, searcher and topic."""
        return scored_of(self.chosen, self.values, ~np.isnan(self.values))


def leaders(means: dict[str, float]) -> tuple[str, ...]:
    """The system with the highest mean, or all that tie.

    >>> leaders({"A": 0.1, "B": 0.3, "C": 0.1 + 0.2})
    ('B', 'C')
    """
    highest = max(means.values())
    near = abs(highest) * 10.0**-DIGITS
    return tuple(name for name, mean in means.items() if mean >= highest - near)


def main_measures(
    study: Study, definition: Definition, filters: Filters, *, but: str = measures.USUAL
) -> dict[str, tuple[str, ...]]:
    """The systems first by each of ``MAIN_SCORES`` but one, where two or more have a mean."""
    but = measures.compared_score(but, definition)
    each = {
        score: ScoredBy.of(study, definition, filters, score).scored.means
        for score in measures.MAIN_SCORES
        if score != but and not (definition.behaviour and measures.is_of_ideal(score))
    }
    return {score: leaders(means) for score, means in each.items() if len(means) > 1}


OUTCOMES = ("lost", "tied", "won")  # by the second system, against the first
NAMED = ("system_a", "system_b", "score")  # the same in every row of two systems
TOPIC_COLUMNS = (
    *(*NAMED, "topic", "n_a", "n_b", "mean_a", "mean_b", "difference", "result"),
    *("session_a", "session_b"),
)


def pairs_topics(compared: Comparison, place: int) -> bool:
    """Whether a pair is looked at topic by topic: nobody of a name stands between the systems."""
    return compared.pairs[place].design == PAIRED or not compared.scored.names_searchers


def by_topic(compared: Comparison, place: int) -> pd.DataFrame:
    """Topics of both systems of a pair, a row each, the one that the second lost worst first.

    Where a system has several sessions on a topic, the one named is nearest to their mean, of
    equals the first.
    """
    pair, step, cell = compared.pairs[place], rounding(compared.scored.score), ["topic", "system"]
    systems, points = [pair.system_a, pair.system_b], compared.points
    scores = points.groupby(cell)["score"]
    far = (points["score"] - scores.transform("mean")).abs()
    ranked = points.assign(far=np.round(far / step) if step else far)
    nearest = ranked.sort_values("far", kind="stable").drop_duplicates(cell).set_index(cell)
    cells = scores.agg(n="size", mean="mean").join(nearest["session"])
    of_a, of_b = (cells.xs(system, level="system") for system in systems)
    table = of_a.add_suffix("_a").join(of_b.add_suffix("_b"), how="inner").reset_index()
    apart = table["mean_b"] - table["mean_a"]
    apart[apart.abs() <= step] = 0.0
    result = np.array(OUTCOMES, dtype=object)[np.sign(apart).astype(int) + 1]
    named = dict(zip(NAMED, (*systems, compared.score), strict=True))
    table = table.assign(**named, difference=apart, result=result)
    return table.sort_values("difference", kind="stable", ignore_index=True)[[*TOPIC_COLUMNS]]


ALL_SYSTEMS = "all systems"
PLACE, BY_PLACE = "per place", "difference per place"
WITHOUT, WITH = "difference without place", "difference with place"
EFFECTS = ("effect", "system_a", "system_b", "value", "low", "high", "df", "p_t")


def session_order(compared: Comparison) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What a session's place among those of its searcher does to its score, where that is known.

    Means, a row per place, of all systems and then of each; and effects: what each place more adds,
    and of each pair the difference without and with the place in the model, and what each place
    more adds to it.
    """
    every = replace(compared.scored, place=compared.places)
    number, place = np.unique(every.place, return_inverse=True)
    one = replace(every, system=np.zeros_like(every.system), names=(ALL_SYSTEMS,), topic=place)
    names = [f"{n:g}" for n in number.tolist()]
    tables = [means_of(scored, names)[1] for scored in (one, replace(every, topic=place))]
    means = pd.concat(tables, ignore_index=True).rename(columns={"topic": "place"})
    pairs = [(pair.system_a, pair.system_b) for pair in compared.pairs]
    effects = order_effects(scored_in_model(every, compared.baseline), pairs)
    return means.astype({"place": float}), effects


def why_no_order(compared: Comparison) -> str:
    """Why places of sessions are unknown or of no use, a key of words; "" where they are known."""
    scored = compared.scored
    if any(pair.design == PAIRED for pair in compared.pairs):
        return "by topic"
    if np.bincount(scored.unit).max() < 2:
        return "single"
    return "" if is_whole(compared.places, scored.unit) else "untold"


def order_effects(scored: Scored, pairs: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Effects of the place, and of pairs of systems, by the model of all, linear in the place.

    A row for each, ``EFFECTS``; nan where systems or topics came in the same order for all.
    """
    level, systems = rounding(scored.score), np.arange(int(scored.system.max()) + 1)
    of_each: Floats = np.equal.outer(scored.system, systems) * scored.place[:, None]
    without, placed, apart = (
        model_of_all(replace(scored, place=place)) for place in (np.zeros(0), scored.place, of_each)
    )
    found = [(PLACE, "", "", placed.change_per_place(np.ones(1)))]
    for pair in pairs:
        a, b = (scored.names.index(name) for name in pair)
        turned = apart.change_per_place((systems == b) * 1.0 - (systems == a) * 1.0)
        each = (without.difference(a, b), placed.difference(a, b), turned)
        names = (WITHOUT, WITH, BY_PLACE)
        found += [(name, *pair, of) for name, of in zip(names, each, strict=True)]
    known = [(names, of.without_rounding(level)) for *names, of in found]
    rows = [(*names, of.value, *of.interval(), of.df, of.p) for names, of in known]
    return pd.DataFrame(rows, columns=list(EFFECTS))


# what columns of an answer's being right are called, in logs of agents and in their evaluations
RIGHT_NAMES = (
    *("correct", "is_correct", "answer_correct", "judged_correct", "right", "success", "solved"),
    *("passed", "resolved", "accuracy", "score", "match", "includes", "exact"),
    *("model_graded_qa", "model_graded_fact"),
)
YES_OR_NO: dict[str, float] = dict.fromkeys(("1", "1.0", "true", "yes"), 1.0)
YES_OR_NO |= dict.fromkeys(("0", "0.0", "false", "no"), 0.0)
CORNERS = ("found_right", "found_wrong", "not_found_right", "not_found_wrong")


@dataclass(frozen=True, eq=False)
class Outcome:
    """Whether sessions were right, by a column of theirs that says 1 or 0.

    shares : a row per system: sessions that have it, those that were right, their share and its
    95% interval, and sessions without it · corners : a row per system: sessions by whether their
    lists showed a relevant document and whether they were right, and those on topics nobody judged
    · pairs : a row per two systems: topics that both, either alone or neither got right, and p ·
    is_paired : whether topics pair systems, so that there is a p · is_of_runs : whether a system
    has several sessions on a topic · alike : what such sessions share that an interval counts as
    one case, topics or searchers · topic_noun : as of `Scored`
    """

    column: str
    shares: pd.DataFrame
    corners: pd.DataFrame
    pairs: pd.DataFrame
    is_paired: bool
    is_of_runs: bool
    alike: tuple[str, ...]
    topic_noun: str


@cache.kept
def outcome_columns(study: Study) -> tuple[str, ...]:
    """Columns of sessions that say yes or no, those of usual names first, in their order."""
    columns = [name for name in extra_columns(study.sessions) if _is_yes_no_column(study, name)]
    usual_first = {name: place for place, name in enumerate(RIGHT_NAMES)}
    return tuple(sorted(columns, key=lambda name: usual_first.get(name.lower(), len(usual_first))))


def usual_outcome(study: Study) -> str:
    """The column that is looked at unless another is chosen; "" where none has a usual name."""
    return next((name for name in outcome_columns(study) if name.lower() in RIGHT_NAMES), "")


def _is_yes_no_column(study: Study, name: str) -> bool:
    """Both are there, or either of a usual name: all counts may be 1, and all answers wrong."""
    values = study.sessions[name].dropna().unique()
    if not 0 < len(values) <= len(YES_OR_NO):
        return False
    answers = {YES_OR_NO.get(str(value).lower()) for value in values}
    return None not in answers and (len(answers) > 1 or name.lower() in RIGHT_NAMES)


def right_answers(study: Study, column: str) -> Floats:
    """1 for a yes of each session of a study, 0 for a no, (S,); nan where it says neither."""
    if column not in (known := outcome_columns(study)):
        offered = ", ".join(known) or "none"
        raise ValueError(f"outcome {column!r}; columns of sessions that say yes or no: {offered}.")
    texts = study.sessions[column].astype(str).str.lower()
    return np.asarray(texts.map(YES_OR_NO), dtype=np.float64)


def compare_outcomes(
    study: Study, definition: Definition, filters: Filters, *, column: str, baseline: str = ""
) -> Outcome:
    """Shares of the sessions within the filters that were right, by one of ``outcomes_of``.

    Every two systems are compared, or each with a baseline.

    Raises
    ------
    ValueError : no such column
    """
    values, chosen = right_answers(study, column), select(study, definition, filters)
    right = values[chosen.sample.sessions]
    known = ~np.isnan(right)
    scored = scored_of(chosen, right, known)
    alike = _units_shared_by_sessions(scored)
    return Outcome(
        column,
        _right_answer_shares(chosen, scored, known, alike),
        _found_and_right_counts(chosen, right),
        paired_outcomes(scored, baseline),
        is_paired=bool(scored.is_on_paired_topic.any()),
        is_of_runs=_has_repeats(scored, scored.topic),
        alike=(*alike,),
        topic_noun=scored.topic_noun,
    )


def _has_repeats(scored: Scored, unit: Ints) -> bool:
    """Whether a system has several sessions in one of these, (N,)."""
    return np.unique(unit * len(scored.names) + scored.system).size < unit.size


def _units_shared_by_sessions(scored: Scored) -> dict[str, Ints]:
    """What sessions of a system share, (N,) each: topics, whether or not these pair the systems.

    Several searchers of a name are people, whose sessions resemble each other, too. Few topics that
    people met are fixed, as where systems are compared, and so is a single one.
    """
    topics, searchers = (np.unique(each).size for each in (scored.topic, scored.unit))
    are_people = scored.names_searchers and searchers > np.unique(scored.system).size
    are_few = topics < (scored_sessions.FEWEST_OF_RUNS if are_people else 2)
    alike = {} if are_few and not scored.is_on_paired_topic.any() else {"topics": scored.topic}
    alike |= {"searchers": scored.unit} if are_people else {}
    return {name: unit for name, unit in alike.items() if _has_repeats(scored, unit)}


def _right_answer_shares(
    chosen: Selection, scored: Scored, known: Bools, alike: dict[str, Ints]
) -> pd.DataFrame:
    """Share of each system that was right, its interval by what its sessions share."""
    systems, rows = chosen.sample.systems, list[tuple[object, ...]]()
    for code in np.unique(systems).tolist():
        own = scored.system == code
        right, lacking = scored.score[own], int((~known & (systems == code)).sum())
        share = share_of(right, *(unit[own] for unit in alike.values()))
        rows.append((scored.names[code], right.size, int(right.sum()), *share, lacking))
    columns = ("system", "sessions", "right", "share", "low", "high", "unknown")
    return pd.DataFrame(rows, columns=list(columns))


def _found_and_right_counts(chosen: Selection, right: Floats) -> pd.DataFrame:
    """Sessions of each system by whether they found anything, and whether they were right."""
    systems, names = chosen.sample.systems, chosen.sample.block.system_names
    found = measures.session_score_of("relevant_found", chosen)
    corner = np.where(found >= 1, 0, 2) + (right == 0)
    corner[np.isnan(found)] = len(CORNERS)
    has, size = ~np.isnan(right), len(CORNERS) + 1
    rows = [
        (names[code], *np.bincount(corner[has & (systems == code)], minlength=size).tolist())
        for code in np.unique(systems).tolist()
    ]
    return pd.DataFrame(rows, columns=["system", *CORNERS, "unjudged_sessions"])


def paired_outcomes(scored: Scored, baseline: str = "") -> pd.DataFrame:
    """Every two systems, or each with a baseline, on topics that both met; scores are 1 or 0."""
    codes = np.unique(scored.system).tolist()
    rows = [_right_topics(scored, a, b) for a, b in system_pairs(codes, scored.names, baseline)]
    columns = ("system_a", "system_b", "topics", "both", "only_a", "only_b", "neither", "p")
    table = pd.DataFrame(rows, columns=list(columns))
    return table.assign(p_holm=holm(table["p"].to_numpy(np.float64)))


def _right_topics(scored: Scored, a: int, b: int) -> tuple[object, ...]:
    """Two systems on the topics that both met: which got a topic right, by its share of sessions.

    Their names, topics: all, those that both, either alone, or neither got right; and p. Shares
    that differ are the higher one's; equal ones are both's from a half on.
    """
    pair = scored.take(np.isin(scored.system, (a, b)))
    cell = 2 * pair.topic + (pair.system == b)
    share = group_means(pair.score, cell, 2 * (int(pair.topic.max()) + 1)).reshape(-1, 2)
    share = share[~np.isnan(share).any(axis=1)]
    more = np.sign(share[:, 1] - share[:, 0])
    only_a, only_b = int((more < 0).sum()), int((more > 0).sum())
    both = int(((more == 0) & (share[:, 0] >= 0.5)).sum())
    can_test = scored_sessions.paired_topic_mask(pair.unit, pair.system, pair.topic).any()
    p = mcnemar(only_a, only_b) if can_test else float("nan")
    neither = len(share) - both - only_a - only_b
    return scored.names[a], scored.names[b], len(share), both, only_a, only_b, neither, p


RANGE_COLUMNS = ("difference_lowest", "difference_highest")
JUDGE_NEXT_COLUMNS = ("topic", "doc", "grade", "moves", "sessions_a", "sessions_b")


@dataclass(frozen=True, eq=False)
class LeftOpen:
    """What the unjudged documents of a pair of systems could do to its difference.

    why : why nothing can be given, a key of words; "" where something is · results, without :
    results of both systems in cells that count, and unjudged ones · moves (T,) : by how much each
    document moves the difference, were it worth the highest gain · documents : its topic and name,
    and how many sessions of either system show it · unit : in which differences are counted ·
    left_out : sessions of any system without a judged topic, which judging could bring in
    """

    pair: Pair
    why: str
    results: int
    without: int
    moves: Floats = field(default_factory=lambda: np.zeros(0))
    documents: pd.DataFrame = field(default_factory=pd.DataFrame)
    unit: str = ""
    left_out: int = 0

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The difference were all documents worth the most against the second system, and for it.

        0 where rounding alone is left.
        """
        parts = (np.minimum(self.moves, 0.0), np.maximum(self.moves, 0.0))
        low, high = (self.pair.difference + float(part.sum()) for part in parts)
        least = rounding(np.array([self.pair.difference]))
        return low if abs(low) > least else 0.0, high if abs(high) > least else 0.0

    @property
    def is_leader_certain(self) -> bool:
        """Whether the same system is ahead whatever the unjudged documents are worth."""
        low, high = self.ends
        return low > 0 or high < 0 or low == high

    @cached_property
    def table(self) -> pd.DataFrame:
        """Documents that move the difference, those first that do so most, without their grades.

        Each makes a part of the range, so that who judges from the top narrows it fastest.
        """
        table = self.documents.assign(grade="", moves=self.moves)[list(JUDGE_NEXT_COLUMNS)]
        order = np.lexsort((table["doc"], table["topic"], -np.abs(self.moves)))
        least = rounding(self.moves)
        return table.iloc[order[np.abs(self.moves[order]) > least]].reset_index(drop=True)


def left_open(compared: Comparison, residuals: Residuals, place: int) -> LeftOpen:
    """What could become of the difference of a pair of those compared, by its place."""
    pair, of = compared.pairs[place], residuals.unjudged
    system = np.full(residuals.results.size, -1)
    system[compared.rows] = compared.scored.system
    both = [compared.scored.names.index(name) for name in (pair.system_a, pair.system_b)]
    own = np.isin(system, both)
    results, without = int(residuals.results[own].sum()), int(residuals.without[own].sum())
    if why := residuals.why or ("sample" if pair.crossed else ""):
        return LeftOpen(pair, why, results, without)
    if np.isnan(pair.difference):
        return LeftOpen(pair, "untold", results, without)
    shown = [of.thing[system[of.session] == code] for code in both]
    counts = [np.bincount(things, minlength=len(of.names)) for things in shown]
    documents = of.names.assign(**dict(zip(JUDGE_NEXT_COLUMNS[-2:], counts, strict=True)))
    weights = np.zeros(system.size)
    weights[compared.rows] = session_weights(compared.scored, pair, compared.baseline)
    known = weights[of.session] != 0  # others may have no score at all
    moved = (weights[of.session] * residuals.added)[known]
    moves = np.bincount(of.thing[known], moved, len(of.names)).astype(np.float64)
    theirs = (np.sum(counts, axis=0) > 0) | (np.abs(moves) > rounding(moves))  # not others' alone
    of_theirs = moves[theirs], documents[theirs]
    left = compared.without_judgments
    return LeftOpen(pair, "", results, without, *of_theirs, compared.unit, left)


def with_ranges(table: pd.DataFrame, compared: Comparison, residuals: Residuals) -> pd.DataFrame:
    """A table of pairs with the range of each difference beside it; nan where there is none."""
    each = [left_open(compared, residuals, place) for place in range(len(table))]
    ends = [(np.nan, np.nan) if one.why else one.ends for one in each]
    ranges = pd.DataFrame(ends, table.index, list(RANGE_COLUMNS))
    behind = [*table].index("difference") + 1
    return pd.concat([table.iloc[:, :behind], ranges, table.iloc[:, behind:]], axis=1)


MEAN = "_mean"  # endings of the names of a mean's columns
MEAN_ENDS = (MEAN, "_low", "_high")


def summary(study: Study, definition: Definition, filters: Filters) -> pd.DataFrame:
    """Sessions, queries per session, and each mean with its interval by searchers, by system.

    Time, clicks and ratings have columns where the study has them; every mean is of the sessions
    for which its value is known.
    """
    chosen = select(study, definition, filters)
    sample = chosen.sample
    costs = [cost.name for cost in (TIME, OPENED) if cost.name in study_costs(study)]
    scores = {
        name: np.where(sample.judged, measures.session_score_of(name, chosen), np.nan)
        for name in measures.MAIN_SCORES[:3]
        if not (chosen.definition.behaviour and measures.is_of_ideal(name))
    }
    others = {name: totals_of(study, name) for name in costs} | {
        f"{ratings.RATING}{name}": study.sessions[name].to_numpy(dtype=float, na_value=np.nan)
        for name in ratings.session_rating_columns(study)
        if not is_cost(name)
    }
    within = {name: values[sample.sessions] for name, values in others.items()}
    known = {name: values for name, values in within.items() if np.isfinite(values).any()}
    table = _system_means(chosen, np.zeros(sample.sessions.size))[["sessions", "queries"]]
    for name, values in (scores | known).items():
        means = _system_means(chosen, values)[["mean", "low", "high"]]
        table = table.join(means.set_axis([f"{name}{end}" for end in MEAN_ENDS], axis=1))
    return table.reset_index()


def _system_means(chosen: Selection, values: Floats) -> pd.DataFrame:
    """Means of systems over the sessions (S,) whose value is known, whatever their topics."""
    scored = scored_of(chosen, values, np.isfinite(values))
    whole = replace(scored, topic=np.zeros_like(scored.topic))
    return means_of(whole, [""])[0].set_index("system")


MOST_UNITS = 10_000  # units, beyond which none are counted
STUDIES = 2_000
MOST_DRAWN = 2_000_000  # units of all studies that are drawn from one
FARTHEST = 60.0  # standard errors from 0, from where on power is 1 for any df


def t_power(apart: npt.ArrayLike, df: npt.ArrayLike) -> Floats:
    r"""Chance of p ≤ .05 in a two-sided t test where the truth is so many standard errors off.

    .. math:: P(|T'_{df, \delta}| > t_{.975, df})

    Both tails count, so that it is .05 at 0. Source: Cohen (1988), ch. 2; Faul et al. (2007).

    >>> round(float(t_power(0.5 * (64 / 2) ** 0.5, 126)), 3)  # d = .5, 64 of either group
    0.801
    """
    from scipy.special import nctdtr, stdtrit

    df, apart = np.minimum(df, 1e6), np.minimum(np.abs(apart), FARTHEST)  # t is normal from there
    far = stdtrit(df, 1 - LEVEL / 2)
    to_far, beneath = np.nan_to_num([nctdtr(df, apart, t) for t in (far, -far)])  # nan: all but 0
    return np.asarray(1 - to_far + beneath, dtype=np.float64)


def smallest_detectable(error: float, df: float, wanted: float) -> float:
    """The smallest difference that a test of this error and df finds with the power wanted."""
    from scipy import optimize

    if not (error > 0 and df >= 1):
        return float("nan")
    found = optimize.root_scalar(
        lambda apart: float(t_power(apart, df)) - wanted, bracket=(0.0, FARTHEST)
    )
    return float(found.root) * error


@dataclass(frozen=True, eq=False)
class Units:
    """How far units lie apart: paired differences (U,), or the units of either system.

    Numbers n are of each group; the groups of the next study are alike in size, and each keeps
    its spread, so that df are Welch's (2n − 2 where spreads are equal), or n − 1 of one group.
    """

    deviations: tuple[Floats, ...]

    @cached_property
    def variances(self) -> Floats:
        """Of each group, (G,)."""
        return np.array([each.var(ddof=1) for each in self.deviations])

    @property
    def group_count(self) -> int:
        """1 of paired differences, 2 of systems apart."""
        return len(self.deviations)

    @property
    def spread(self) -> float:
        """Standard deviation, that of both groups where there are two."""
        return float(np.sqrt(self.variances.mean()))

    @property
    def error(self) -> float:
        """Standard error of the difference, by as many units as there are."""
        sizes = np.array([each.size for each in self.deviations])
        return float(np.sqrt((self.variances / sizes).sum()))

    def power(self, difference: float, n: npt.ArrayLike) -> Floats:
        """Power of a study of n units in each group."""
        n, total = np.asarray(n, dtype=np.float64), self.variances.sum()
        df = (n - 1) / np.square(self.variances / total).sum()  # Welch's
        return t_power(abs(difference) / np.sqrt(total) * np.sqrt(n), df)

    def units_needed(self, difference: float, wanted: float) -> int:
        """Fewest units in all that give the power wanted; above ``MOST_UNITS`` where that is so."""
        sizes = range(2, MOST_UNITS // self.group_count + 1)
        place = bisect_left(sizes, wanted, key=lambda n: float(self.power(difference, n)))
        return (2 + place) * self.group_count

    def resampled_power(self, difference: float, n: int, *, studies: int = STUDIES) -> float:
        """Share of studies, n units drawn anew for each group, whose t test has p ≤ .05.

        Deviations are drawn with replacement about the difference, and widened by √(U / (U − 1)),
        for what is drawn from varies less than what it was drawn from. nan above ``MOST_DRAWN``,
        or where more than ``MOST_UNITS`` units are needed.
        """
        from scipy.special import stdtr

        if n * studies > MOST_DRAWN or n * self.group_count > MOST_UNITS:
            return float("nan")
        rng = np.random.default_rng(interval.SEED)
        drawn = [
            rng.choice(each * np.sqrt(each.size / (each.size - 1)), (studies, n))
            for each in self.deviations
        ]
        apart = difference + drawn[-1].mean(axis=1)
        apart -= drawn[0].mean(axis=1) if self.group_count > 1 else 0.0
        squares = np.array([each.var(axis=1, ddof=1) for each in drawn])
        total = squares.sum(axis=0)
        known = total > 0
        df = (n - 1) / np.square(squares[:, known] / total[known]).sum(axis=0)
        t = np.abs(apart[known]) / np.sqrt(total[known] / n)
        # without any spread nothing is tested
        return float((2 * stdtr(df, -t) <= LEVEL).sum() / studies)


FEWEST = 5  # units (of either system) by whose spread others are planned


def planning_units(pair: Pair, scored: Scored) -> tuple[Units, str]:
    """Units of this study by which the next is planned; or no groups, and by its name why.

    Their spread is that of their means with topics taken off, times the model's error over what
    that spread would make of it: fitting topics takes some of the spread along.
    """
    if pair.crossed:
        return Units(()), "topics"
    if math.isnan(pair.difference):
        return Units(()), "difference"
    groups, error = _unit_differences_or_means(pair, scored)
    if min(each.size for each in groups) < FEWEST:
        return Units(()), "few"
    found = Units(tuple(each - each.mean() for each in groups))
    level = rounding(scored.score)
    if not (error > level and found.error > level):
        return Units(()), "alike"
    return Units(tuple(each * (error / found.error) for each in found.deviations)), ""


def _unit_differences_or_means(pair: Pair, scored: Scored) -> tuple[list[Floats], float]:
    """Units' paired differences, or means of each system's, topics off; the model's error."""
    a, b = (scored.names.index(name) for name in (pair.system_a, pair.system_b))
    model = pair_model(scored, a, b)
    if pair.design == BOTH:
        of_a, of_b = (scored.unit[scored.system == code] for code in (a, b))
        rows = np.isin(scored.system, (a, b)) & np.isin(scored.unit, np.intersect1d(of_a, of_b))
        own = scored.take(rows)
        codes = np.unique(own.unit, return_inverse=True)[1]
        model = Fitted(rows, Sessions(own.system, codes, own.topic), place=own.place)
    effects, sessions = model.effects(scored.score), model.sessions
    error = effects.difference(a, b).error
    of_a, of_b = (
        group_means(effects.without_topics[own], sessions.unit[own], len(sessions.systems_used))
        for own in (sessions.system == a, sessions.system == b)
    )
    groups = [of_a, of_b] if pair.design == BETWEEN else [of_b - of_a]
    return [each[~np.isnan(each)] for each in groups], error


POWERS = (0.8, 0.9)
SEEN, HALF = "the difference seen", "half of it"
PLAN_COLUMNS = (
    *("system_a", "system_b", "score", "design", "unit", "planned_for", "difference"),
    *("standardised", "units_80", "units_90", "resampled_80", "resampled_90"),
)
WIDE_PLAN = ("system_a", "system_b", "score", "design")


@dataclass(frozen=True)
class Plan:
    """A difference to be found, and how many units in all give each of ``POWERS``."""

    words: str
    difference: float
    units: tuple[int, ...]


def unit_count_text(units: int) -> str:
    """A number of units, as far as they are counted."""
    return f"{units:,}" if units <= MOST_UNITS else f"more than {MOST_UNITS:,}"


@dataclass(frozen=True, eq=False)
class NextStudy:
    """What a next study of two systems needs.

    pair : of those compared · units : of this study, no groups where none are planned by · reason :
    why nothing is planned, of those that questions/compare_systems/words.py says · smallest :
    difference that this study had 80% power for · plans : for the difference seen, half of it, one
    entered
    """

    compared: Comparison
    pair: Pair
    units: Units
    reason: str
    smallest: float
    plans: tuple[Plan, ...]

    def table(self) -> pd.DataFrame:
        """A row for each difference."""
        pair, units, groups = self.pair, self.units, self.units.group_count
        rows = [
            (
                *(pair.system_a, pair.system_b, self.compared.score, pair.design, pair.unit),
                *(plan.words, plan.difference, plan.difference / units.spread),
                *(unit_count_text(n).replace(",", "") for n in plan.units),
                *(units.resampled_power(plan.difference, n // groups) for n in plan.units),
            )
            for plan in self.plans
        ]
        return pd.DataFrame(rows, columns=list(PLAN_COLUMNS))

    @cached_property
    def curve_sizes(self) -> Floats:
        """Numbers of units, of all systems together, that curves are drawn at."""
        groups = self.units.group_count
        counts = [n for plan in self.plans for n in plan.units if n <= MOST_UNITS] or [MOST_UNITS]
        end = min(MOST_UNITS, max(1.15 * max(*counts, self.pair.units), 12))
        return np.unique(np.geomspace(2, end / groups, 80).round()) * groups


def require_difference(entered: float | None) -> None:
    """Raise a ValueError of a difference to plan for that is not above 0."""
    if entered is not None and not 0 < entered < math.inf:
        raise ValueError(f"a difference of {entered:g} to plan for; it has to be above 0.")


def plan_study(compared: Comparison, place: int, *, plan_for: float | None = None) -> NextStudy:
    """The next study of one of the pairs that are compared, also for a difference of `plan_for`.

    Raises
    ------
    ValueError : a difference to plan for that is not above 0
    """
    require_difference(plan_for)
    pair = compared.pairs[place]
    units, reason = planning_units(pair, compared.scored)
    plans: list[Plan] = []
    if not reason:
        seen = abs(pair.difference)
        wanted = [(SEEN, seen), (HALF, seen / 2)] if seen else []
        wanted += [(f"{plan_for:g} {compared.unit}", plan_for)] if plan_for else []
        plans = [
            Plan(words, size, tuple(units.units_needed(size, power) for power in POWERS))
            for words, size in wanted
        ]
        reason = "" if seen else "equal"
    error = (pair.high - pair.low) / 2 / t_quantile(pair.df)  # which the interval is made of
    smallest = smallest_detectable(error, pair.df, POWERS[0])
    return NextStudy(compared, pair, units, reason, smallest, tuple(plans))
