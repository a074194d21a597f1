"""Is the last query better than the others of its session? Tested within sessions, per system."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import best_gains, bootstrap_interval, dcg, group_sums, levels_off, ndcg
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.live import Packed, graded, packed
from sdcg_explorer.scoring.mean_curves import (
    QueryCounts,
    Sums,
    query_counts,
)
from sdcg_explorer.scoring.measures import QUERY_SCORES, query_score
from sdcg_explorer.scoring.scored_sessions import permuted
from sdcg_explorer.scoring.selection import (
    ADDITIVE,
    FURTHER_CURVES,
    SDCG,
    Sample,
    Selection,
    select,
)
from sdcg_explorer.statistics.effect_sizes import rounding
from sdcg_explorer.statistics.permutation import FEWEST_ARRANGEMENTS, is_clear
from sdcg_explorer.statistics.two_way import Estimate
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.study import Study

LAST_MEASURES = {
    name: QUERY_SCORES[name].unit for name in ("dcg", "sdcg")
}  # before and after the query discount (decision 57)
LAST_COLUMNS = (
    *("system", "measure", "sessions", "searchers", "unnamed", "last", "others"),
    *("difference", "low", "high", "p_t", "p_permutation", "arrangements"),
)
SURE = 0.03  # a bound of p from which on no drawn p passes LEVEL


@dataclass(frozen=True, eq=False)
class Difference:
    """Last queries of one system less the mean of the others, within sessions, on one measure.

    sessions (U,) : of each unit, a searcher or a session that names none · named : units that are
    searchers · others, last (U,) : mean worth over the sessions of each unit
    """

    system: str
    measure: str
    sessions: Ints
    named: int
    others: Floats
    last: Floats

    @cached_property
    def rounding(self) -> float:
        """What differences are by rounding alone."""
        return rounding(np.concatenate([self.others, self.last]))

    @cached_property
    def each(self) -> Floats:
        """Difference of each unit, (U,); 0 where rounding alone makes one."""
        d = self.last - self.others
        return np.where(np.abs(d) <= self.rounding, 0.0, d)

    @property
    def difference(self) -> float:
        """Mean over the units."""
        mean = float(self.each.mean())
        return 0.0 if abs(mean) <= self.rounding else mean

    @cached_property
    def by_unit(self) -> Estimate[float]:
        """The difference with its error over the units; none with one, or without spread."""
        size = self.each.size
        if size < 2 or np.ptp(self.each) <= self.rounding:
            return Estimate(self.difference, math.nan, math.nan)
        return Estimate(self.difference, float(self.each.std(ddof=1)) / math.sqrt(size), size - 1)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """95 % by t."""
        return self.by_unit.interval()

    @cached_property
    def permuted(self) -> tuple[float, int]:
        """P of the permutation test, and its arrangements: both change places within units."""
        size = self.each.size
        labels, strata = np.repeat([0, 1], size), np.tile(np.arange(size), 2)
        return permuted(np.concatenate([self.others, self.last]), labels, strata)

    @property
    def t_leads(self) -> bool:
        """Whether so few units have too few arrangements, which double with each."""
        few = self.each.size < math.log2(FEWEST_ARRANGEMENTS + 1)
        return few and not math.isnan(self.by_unit.p)

    @property
    def p(self) -> float:
        """The p that leads."""
        return self.by_unit.p if self.t_leads else self.permuted[0]

    @cached_property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0 and p is at most .05."""
        return is_clear(*self.interval, self._p_or_bound)

    def _p_or_bound(self) -> float:
        """A bound of p, where that is sure to be small, or else p, which takes long to draw.

        Source: Hoeffding (1963): p ≤ 2 exp(−(Σd)² / 2 Σd²).
        """
        most = 2 * math.log(2 / SURE) * float((self.each**2).sum())
        return SURE if float(self.each.sum()) ** 2 > most else self.p

    @property
    def unnamed(self) -> int:
        """Units that are sessions without a searcher."""
        return self.each.size - self.named

    def row(self) -> dict[str, Any]:
        """A row of the table; last and others are means over the sessions."""
        means = [float(np.average(v, weights=self.sessions)) for v in (self.last, self.others)]
        number = int(self.sessions.sum()), self.named, self.unnamed
        found = self.difference, *self.interval, self.by_unit.p, *self.permuted
        return dict(
            zip(LAST_COLUMNS, (self.system, self.measure, *number, *means, *found), strict=True)
        )


GIVEN = ("budget", "max_queries", "scripted", "turn", "turn_id")  # columns that say who ends it


@dataclass(frozen=True, eq=False)
class LastAgainstOthers:
    """Differences by system and measure.

    systems : all that have a judged session · single : sessions of one query · undefined :
    sessions of several whose last query, or every other, is on a topic nobody judged · top :
    results of each query that count · ends_given : whether a script or a budget ends sessions, and
    no searcher
    """

    differences: tuple[Difference, ...]
    systems: tuple[str, ...]
    single: int
    undefined: int
    top: int
    ends_given: bool = False

    @property
    def by_system(self) -> dict[str, Difference]:
        """Each system's difference before the query discount."""
        return self.of("dcg")

    def of(self, measure: str) -> dict[str, Difference]:
        """Each system's difference before the query discount (dcg) or after it (sdcg)."""
        return {each.system: each for each in self.differences if each.measure == measure}

    def table(self) -> pd.DataFrame:
        """A row per system and measure."""
        return pd.DataFrame([each.row() for each in self.differences], columns=list(LAST_COLUMNS))


@dataclass(frozen=True, eq=False)
class _Sides:
    """The queries of sessions that have a last one and others, on judged topics.

    session, query (N,) : of each · side (N,) : 2 × its unit, and 1 more for a last query · share
    (N,) : its weight in the unit's mean · sessions, named (U,) : of each unit, which is a searcher
    (or a session that names none) with one system · own : units of each system, which stand
    together · systems : that have a judged session · undefined : sessions of several queries that
    lack a last one or others
    """

    session: Ints
    query: Ints
    side: Ints
    share: Floats
    sessions: Ints
    named: Bools
    own: dict[int, slice]
    systems: tuple[str, ...]
    undefined: int


def last_against_others(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    measures: tuple[str, ...] = tuple(LAST_MEASURES),
) -> LastAgainstOthers:
    """Difference within sessions that have both, searchers as units, for every system.

    `measures` are dcg, each query's worth before the query discount, and sdcg, after it: of equal
    lists the later one is worth less.
    """
    chosen = select(study, definition, filters)
    sample = chosen.sample
    sides = sample.kept(("sides",), lambda: _sides(sample))
    names = sample.block.system_names
    worth = {measure: _worth(chosen, sides, measure) for measure in measures}
    found = [
        Difference(
            system=names[system],
            measure=measure,
            sessions=sides.sessions[own],
            named=int(sides.named[own].sum()),
            others=values[own, 0],
            last=values[own, 1],
        )
        for system, own in sides.own.items()
        for measure, values in worth.items()
    ]
    about = int(sample.of_one_query.sum()), sides.undefined, definition.top
    return LastAgainstOthers(tuple(found), sides.systems, *about, _ends_given(study, definition))


def _ends_given(study: Study, definition: Definition) -> bool:
    """Whether all sessions of the study are of one length, or a column says who ends them."""
    lengths = select(study, definition, Filters()).sample.queries
    named = any(name.lower() in GIVEN for name in study.extras)
    return named or (lengths.size > 1 and bool((lengths == lengths[0]).all()))


def _sides(sample: Sample) -> _Sides:
    rows = np.flatnonzero(sample.has_last & (sample.others > 0))
    key = sample.systems[rows] * (sample.sessions.size + 1) + sample.clusters[rows]
    _, first, unit = np.unique(key, return_index=True, return_inverse=True)
    sessions = np.bincount(unit, minlength=first.size)
    system = sample.systems[rows][first]
    codes, starts, units = np.unique(system, return_index=True, return_counts=True)
    own = zip(codes.tolist(), starts.tolist(), (starts + units).tolist(), strict=True)
    names, judged = sample.block.system_names, sample.systems[sample.judged]
    named = sample.block.searchers[sample.sessions[rows[first]]] >= 0
    place = np.full(sample.sessions.size, -1)
    place[rows] = unit
    session, query = sample.known
    kept = place[session] >= 0
    session, query = session[kept], query[kept]
    last = query == sample.queries[session] - 1
    number = np.where(last, 1, sample.others[session])
    return _Sides(
        session=session,
        query=query,
        side=2 * place[session] + last,
        share=1 / (number * sessions[place[session]]),
        sessions=sessions,
        named=named,
        own={code: slice(start, end) for code, start, end in own},
        systems=tuple(names[code] for code in np.unique(judged).tolist()),
        undefined=int(sample.judged.sum() - sample.of_one_query.sum() - sessions.sum()),
    )


def _worth(chosen: Selection, sides: _Sides, measure: str) -> Floats:
    """Mean worth of the others and of the last queries of each unit, (U, 2).

    Before the query discount grades are counted once for all weights and b.
    """
    sample, units = chosen.sample, sides.sessions.size

    def tally(share: Floats) -> Floats:
        place = (sides.session, sides.query), sample.top
        return sample.graded(*place, sides.side, share, 2 * units)[..., : len(sample.block.labels)]

    if measure == "dcg":
        counts = sample.kept(("tally of sides",), lambda: tally(sides.share).copy())
    else:
        counts = tally(sides.share * chosen.factors[sides.query])
    _, ranks, labels = counts.shape
    worth = chosen.discount(ranks)[:, None] * chosen.weights[:labels]
    return (counts.reshape(2 * units, ranks * labels) @ worth.ravel()).reshape(units, 2)


TIE = 1e-12  # equal lists may differ in a sum's last bits
# what a curve shows of its queries
MEASURES = {
    "sdcg": "worth (sDCG)",
    "ndcg": "share (nDCG)",
    **{name: ADDITIVE[name].words for name in FURTHER_CURVES},
}
SPLITS = {"last": ("last", "other"), "best": ("best", "rest")}


@dataclass(frozen=True)
class QueryCurve:
    """Mean worth by rank of one group of one system's queries.

    queries : those it runs over · undefined : those of the group whose worth is undefined
    """

    system: str
    group: str
    queries: int
    mean: Floats
    low: Floats
    high: Floats
    undefined: int = 0

    @property
    def name(self) -> str:
        """The system and the group."""
        return f"{self.system}, {self.group}"

    @property
    def levels_off(self) -> float:
        """Rank at which 99 % of the end is reached; nan where there is no gain."""
        return float(levels_off(self.mean))


@dataclass(frozen=True)
class Drawn:
    """How the curves are drawn; as in the paper unless said.

    depth : ranks · several : only sessions with several queries · discounted : by query · measure :
    of ``MEASURES``; nDCG, a share of the ideal list, is the same whether discounted by query or
    not, and RBP weighs queries alike
    """

    depth: int
    several: bool = False
    discounted: bool = True
    measure: str = "sdcg"

    @property
    def shares(self) -> bool:
        """Whether curves are shares of ideal lists."""
        return self.measure == "ndcg"

    @property
    def weighs(self) -> str:
        """Which of ``ADDITIVE`` weighs cells: of shares sDCG, whose discount they have."""
        return SDCG if self.shares else self.measure

    def factors(self, chosen: Selection) -> Floats:
        """Factor of each query, (Q,)."""
        return chosen.factors if self.discounted else np.ones_like(chosen.factors)


def full_lists(study: Study, definition: Definition, filters: Filters, depth: int) -> Selection:
    """A selection whose lists are known to `depth`, whatever top and short lists say."""
    return select(study, with_full_lists(definition), filters, max(depth, DEPTH))


def with_full_lists(definition: Definition) -> Definition:
    """A definition whose lists are known below the deepest rank that was noticed."""
    observed = definition.short_lists == "observed"
    return replace(definition, short_lists="pad") if observed else definition


def query_curves(chosen: Selection, split: str, drawn: Drawn, bands: bool) -> list[QueryCurve]:
    """Two curves per system: the queries that stand alone in their sessions, and all others."""
    counts = query_counts_of(chosen, split, drawn)
    shares = counts.shares[:, None]
    total = _sums(chosen, counts, drawn)
    undefined = np.zeros_like(counts.queries)
    if drawn.shares:
        undefined = _counted(chosen, split, drawn, None).queries - counts.queries
    means = np.divide(total, shares, out=np.full(total.shape, np.nan), where=shares > 0)
    low = high = np.full(means.shape, np.nan)
    if bands:
        sums = query_sums(chosen, counts, drawn)
        low, high = bootstrap_interval(sums.values, sums.over)
    curves = {"mean": means, "low": low, "high": high}
    return [
        QueryCurve(
            system=chosen.sample.block.system_names[i // 2],
            group=SPLITS[split][i % 2],
            queries=int(counts.queries[i]),
            undefined=int(undefined[i]),
            **{name: _level(curve[i], drawn.depth) for name, curve in curves.items()},
        )
        for system in chosen.sample.shown_systems
        for i in (2 * system, 2 * system + 1)
    ]


def query_counts_of(chosen: Selection, split: str, drawn: Drawn) -> QueryCounts:
    """Counts of a split; those of last and others are kept for as long as the sample is.

    Shares run over the queries whose ideal list gains, which the weights decide.
    """
    if drawn.shares:
        return _counted(chosen, split, drawn, _has_ideal(chosen))
    if split == "last":
        key = split, drawn.depth, drawn.several, chosen.definition.others
        return chosen.sample.kept(key, lambda: _counted(chosen, split, drawn, None))
    return _counted(chosen, split, drawn, None)


def _counted(chosen: Selection, split: str, drawn: Drawn, among: Bools | None) -> QueryCounts:
    return query_counts(
        chosen.sample,
        _alone(chosen, split, drawn),
        drawn.depth,
        several=drawn.several,
        per_session=chosen.definition.others == "per-session",
        among=among,
    )


def _alone(chosen: Selection, split: str, drawn: Drawn) -> Ints:
    """The query of each session, from 0, that stands alone: its last, or its best, (S,)."""
    sample = chosen.sample
    if split == "last":
        return sample.queries - 1
    name = "dcg" if not (drawn.discounted or drawn.shares) else drawn.measure
    if drawn.weighs in FURTHER_CURVES:
        worth = chosen.gains @ chosen.discount() * drawn.factors(chosen)
    else:
        worth = query_score(name, chosen)
    worth = np.where(sample.judged_at, worth, np.nan)
    best = np.max(worth, axis=1, keepdims=True, where=~np.isnan(worth), initial=0.0)
    return np.argmax(worth >= best * (1 - TIE), axis=1)


def _has_ideal(chosen: Selection) -> Bools:
    """Whether the topic of each query has a document that gains, (S, Q)."""
    return chosen.best_lists[chosen.sample.topics, 0] > 0


def _sums(chosen: Selection, counts: QueryCounts, drawn: Drawn) -> Floats:
    """Worth by rank of each group's queries added up, weighted, (G, R)."""
    if drawn.shares:
        rows = _shares_of(chosen, counts, drawn) * counts.share[:, None]
        return group_sums(rows, counts.group, counts.size)
    gains = np.einsum("gqr,q->gr", counts.gains(chosen.weights), drawn.factors(chosen))
    return dcg(gains, chosen.discount(gains.shape[1]))


def _shares_of(chosen: Selection, counts: QueryCounts, drawn: Drawn) -> Floats:
    """The nDCG of each query by rank, (N, depth): beyond its list's end the ideal still grows."""
    place = counts.session, counts.query
    gains = chosen.sample.gained(place, drawn.depth, chosen.weights)
    gains = np.pad(gains, ((0, 0), (0, drawn.depth - gains.shape[1])))
    block = chosen.sample.block
    worth = block.worth_judged(chosen.weights[: len(block.labels)])
    best = best_gains(block.judged, worth, drawn.depth)
    return ndcg(gains, best[chosen.sample.topics[place]], chosen.discount(drawn.depth))


def _level(curve: Floats, depth: int) -> Floats:
    """A curve that stays level from its end (the deepest list) to `depth`."""
    return np.pad(curve, (0, depth - curve.size), mode="edge")


def query_sums(chosen: Selection, counts: QueryCounts, drawn: Drawn) -> Sums:
    """Worth by rank added up by cluster and group, (C, G, R); its queries, and what divides it."""
    session, query = counts.session, counts.query
    size = counts.size
    clusters = int(chosen.sample.clusters.max(initial=0)) + 1
    place = chosen.sample.clusters[session] * size + counts.group
    if drawn.shares:
        rows = _shares_of(chosen, counts, drawn) * counts.share[:, None]
        sums = group_sums(rows, place, clusters * size)
    else:
        gains = chosen.sample.gained((session, query), drawn.depth, chosen.weights)
        gains *= (drawn.factors(chosen)[query] * counts.share)[:, None]
        sums = dcg(group_sums(gains, place, clusters * size), chosen.discount(gains.shape[1]))
    shares = np.bincount(place, counts.share, clusters * size).astype(float)
    shape = clusters, size, sums.shape[1]
    queries = counts.queries[None, :, None].astype(float)
    return Sums(sums.reshape(shape), queries, shares.reshape(*shape[:2], 1))


EACH = 10  # ranks that an axis is longer by
SHOWN_RANK = 20  # at which the curves are read
COLUMNS = ["system", "group", "rank", "queries", "mean", "low", "high"]


def curves_table(curves: Iterable[QueryCurve], longest: int) -> pd.DataFrame:
    """One row per system, group and rank, as far as the longest list."""
    each = [
        pd.DataFrame({**vars(c), "rank": np.arange(1, c.mean.size + 1)}, columns=COLUMNS)
        for c in curves
    ]
    return pd.concat([rows[: max(1, longest)] for rows in each], ignore_index=True)


@dataclass(frozen=True, eq=False)
class QueryOrder:
    """The curves of one split of the queries, system by system.

    reach : ranks that are drawn, as the lists end there · single : sessions of one query, by
    system · paired : last against others within sessions,
    where that is the split
    """

    curves: tuple[QueryCurve, ...]
    drawn: Drawn
    sessions: int
    without_judgments: int
    reach: int
    longest: int
    single: dict[str, int]
    paired: LastAgainstOthers | None = None
    bands: bool = False
    withheld: int = 0

    @property
    def depth(self) -> int:
        """Ranks of the curves."""
        return self.drawn.depth

    @property
    def drawn_curves(self) -> list[QueryCurve]:
        """Curves that any query stands behind."""
        return [curve for curve in self.curves if curve.queries]

    def curve(self, system: str, group: str) -> QueryCurve:
        """Curve of one system and group."""
        return next(c for c in self.curves if (c.system, c.group) == (system, group))

    def table(self) -> pd.DataFrame:
        """One row per system, group and rank, as far as the longest list."""
        return curves_table(self.curves, self.longest)

    def at_ranks(self, ranks: Sequence[int]) -> pd.DataFrame:
        """The rows of a few ranks, of queries that there are."""
        rows = self.table()
        return rows[rows["rank"].isin(ranks) & (rows["queries"] > 0)]

    @property
    def unit(self) -> str:
        """What the curves are counted in."""
        if self.drawn.shares:
            return "nDCG (share of the ideal list)"
        if self.drawn.weighs in FURTHER_CURVES:
            return f"{ADDITIVE[self.drawn.weighs].words} (gain over the highest)"
        return "sDCG (gain)" if self.drawn.discounted else "DCG (gain)"

    @property
    def shown_rank(self) -> int:
        """Rank at which the curves are read."""
        return min(SHOWN_RANK, self.reach)

    @cached_property
    def apart(self) -> list[tuple[str, float]]:
        """How much higher the first curve of each system is at the rank, where it has both."""
        names = [curve.system for curve in self.curves[::2]]
        means = np.array([curve.mean[self.shown_rank - 1] for curve in self.curves]).reshape(-1, 2)
        gaps = means[:, 0] - means[:, 1]
        gaps[np.abs(gaps) <= rounding(means[np.isfinite(means)])] = 0.0
        found = zip(names, gaps.tolist(), strict=True)
        return sorted([each for each in found if np.isfinite(each[1])], key=lambda each: -each[1])


def query_order(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    splits: tuple[str, ...] = ("last",),
    depth: int = DEPTH,
    bands: bool = False,
    several: bool = False,
    discounted: bool = True,
    measure: str = "sdcg",
) -> QueryOrder:
    """Mean sDCG(q), or nDCG, by rank of last queries against others, or of best against the rest.

    Full lists to `depth`, whatever top and short lists say; the best query of a session is the
    one with the highest sDCG(q) at top, the earliest on ties. `splits` are keys of ``SPLITS``
    (questions/query_order/numbers.py); `bands` adds bootstrap intervals, searchers resampled;
    `several` draws sessions with several queries alone; without `discounted` sDCG(q) is DCG, D(q)
    being 1. With the `measure` ndcg each query's DCG is a share of its ideal list's; the best query
    is then that of the highest nDCG at top, and queries whose ideal gains nothing are left out.
    With rbp or srbp cells weigh as these say, and the best query is that of the most by them.

    Raises
    ------
    ValueError : a measure that is not in ``MEASURES`` (questions/query_order/numbers.py)
    """
    if measure not in MEASURES:
        raise ValueError(f"measure {measure!r}; known are {', '.join(MEASURES)}.")
    view = study, definition, filters
    drawn = Drawn(depth, several, discounted, measure)
    within = splits == ("last",) and measure == SDCG
    chosen = full_lists(*view, depth).by(drawn.weighs)
    sample = chosen.sample
    return QueryOrder(
        curves=tuple(c for split in splits for c in query_curves(chosen, split, drawn, bands)),
        drawn=drawn,
        sessions=int(sample.judged.sum()),
        without_judgments=int((~sample.judged).sum()),
        longest=sample.ranks(depth),
        reach=min(depth, EACH * -(-sample.ranks(depth) // EACH)),
        single={
            sample.block.system_names[i]: int(sample.of_one_query[i]) for i in sample.shown_systems
        },
        paired=last_against_others(*view) if within else None,
        bands=bands,
        withheld=study.report.withheld,
    )


def live_queries(
    study: Study, definition: Definition, filters: Filters, *, split: str, drawn: Drawn
) -> Packed | None:
    """Counts behind Figure 1; none for best against the rest, where sliders move the groups.

    Nor for nDCG, a ratio of each query that is not linear in counts, nor for measures whose weights
    no slider moves.
    """
    if split != "last" or drawn.measure != SDCG:
        return None
    chosen = full_lists(study, definition, filters, drawn.depth)
    counts = query_counts_of(chosen, split, drawn)
    if not counts.are_few:
        return None
    grades = graded(counts.grades)
    return {
        "kind": "queries",
        "shape": list(grades.shape),
        "grades": packed(grades),
        "over": counts.shares.tolist(),
        "depth": drawn.depth,
        "discounted": drawn.discounted,
    }
