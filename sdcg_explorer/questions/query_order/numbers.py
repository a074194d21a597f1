"""How last queries differ from the others: within sessions, tested, and by rank (Figure 1)."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import best_gains, dcg, group_sums, levels_off, ndcg
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.scoring import live, measures, scored_sessions
from sdcg_explorer.scoring.definition import FURTHER, Definition, Filters
from sdcg_explorer.scoring.mean_curves import MOST_COUNTED, MeanCurve, Sums, curves_of
from sdcg_explorer.scoring.selection import FURTHER_CURVES, SDCG, Sample, Selection, select
from sdcg_explorer.statistics import effect_sizes, permutation, two_way
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.study import Study

UNITS = {"dcg": "DCG", "sdcg": "sDCG (discounted)"}  # before and after the query discount
LAST_COLUMNS = (
    *("system", "measure", "sessions", "searchers", "unnamed", "last", "others"),
    *("difference", "low", "high"),
)
TIE = 1e-12  # equal lists may differ in a sum's last bits
# what a curve shows of its queries
MEASURES = {"sdcg": "sDCG", "ndcg": "nDCG"} | {m: FURTHER[m].words for m in FURTHER_CURVES}
SPLITS = {"last": ("last", "other"), "best": ("best", "rest")}
TEN = 10  # ranks that an axis is longer by
READ_AT = 20  # rank at which the curves are read
CURVE_COLUMNS = ["system", "group", "rank", "queries", "mean", "low", "high"]


@dataclass(frozen=True, eq=False)
class Difference:
    """Last queries of one system less the mean of the others, within sessions, on one measure.

    sessions (U,) : of each unit, a searcher or a session that names none · named : units that are
    searchers · others, last (U,) : mean over the sessions of each unit
    """

    system: str
    measure: str
    sessions: Ints
    named: int
    others: Floats
    last: Floats

    @cached_property
    def estimate(self) -> two_way.Estimate[float]:
        """Mean over the units, with its error; none with one unit, or where nothing varies."""
        d, size = self.last - self.others, self.last.size
        error = float(d.std(ddof=1)) / math.sqrt(size) if size > 1 else math.nan
        level = effect_sizes.rounding(np.concatenate([self.others, self.last]))
        return two_way.Estimate(float(d.mean()), error, size - 1).without_rounding(level)

    @property
    def difference(self) -> float:
        """Mean over the units."""
        return self.estimate.value

    @cached_property
    def interval(self) -> tuple[float, float]:
        """95% by t."""
        return self.estimate.interval()

    @cached_property
    def permutation_test(self) -> tuple[float, int]:
        """P of the permutation test, and its arrangements: both change places within units."""
        size = self.last.size
        labels, strata = np.repeat([0, 1], size), np.tile(np.arange(size), 2)
        return scored_sessions.permuted(np.concatenate([self.others, self.last]), labels, strata)

    @property
    def p(self) -> float:
        """The p that leads: by t where units are so few that they have too few arrangements."""
        few, by_t = self.last.size < math.log2(permutation.FEWEST_ARRANGEMENTS + 1), self.estimate.p
        return by_t if few and not math.isnan(by_t) else self.permutation_test[0]

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0; a drawn p would take seconds on a card."""
        return self.interval[0] * self.interval[1] > 0

    def row(self) -> tuple[Any, ...]:
        """Values of ``LAST_COLUMNS``; last and others are means over the sessions."""
        number = int(self.sessions.sum()), self.named, self.last.size - self.named
        means = [np.average(each, weights=self.sessions) for each in (self.last, self.others)]
        return self.system, self.measure, *number, *means, self.difference, *self.interval


@dataclass(frozen=True, eq=False)
class LastAgainstOthers:
    """Differences by system and measure.

    systems : all that have a judged session · single : sessions of one query · undefined :
    sessions of several whose last query, or every other, is on a topic nobody judged · top :
    results of each query that count
    """

    differences: tuple[Difference, ...]
    systems: tuple[str, ...]
    single: int
    undefined: int
    top: int

    def of(self, measure: str) -> dict[str, Difference]:
        """Each system's difference before the query discount (dcg) or after it (sdcg)."""
        return {of.system: of for of in self.differences if of.measure == measure}

    def table(self) -> pd.DataFrame:
        """A row per system and measure, with tests."""
        rows = [(*of.row(), of.estimate.p, *of.permutation_test) for of in self.differences]
        return pd.DataFrame(rows, columns=[*LAST_COLUMNS, "p_t", "p_permutation", "arrangements"])

    def short_table(self) -> pd.DataFrame:
        """The same without the tests, which take long for thousands of searchers."""
        rows = pd.DataFrame([of.row() for of in self.differences], columns=list(LAST_COLUMNS))
        rows = rows.rename(columns={"difference": "last − others"})
        columns = ["system", "measure", "sessions", "searchers", "last − others", "low", "high"]
        return rows.assign(measure=rows["measure"].map(UNITS))[columns]


def last_against_others(
    study: Study, definition: Definition, filters: Filters
) -> LastAgainstOthers:
    """Difference within sessions that have both, searchers as units, for every system.

    On dcg, each query's gain before the query discount, and on sdcg, after it: of equal lists the
    later one then has less.
    """
    chosen = select(study, definition, filters)
    sample = chosen.sample
    rows = np.flatnonzero(sample.has_last & (sample.others > 0))
    systems, clusters = sample.systems[rows], sample.clusters[rows]
    searchers, names = sample.block.searchers[sample.sessions[rows]], sample.block.system_names
    last = sample.queries[rows, None] - 1
    is_other = sample.is_judged_query[rows] & (np.arange(sample.most_queries) < last)
    sides: dict[str, tuple[Floats, Floats]] = {}
    for measure in UNITS:
        gain = measures.query_score(measure, chosen)[rows]
        others = np.where(is_other, gain, 0.0).sum(axis=1) / sample.others[rows]
        sides[measure] = others, np.take_along_axis(gain, last, axis=1)[:, 0]
    differences: list[Difference] = []
    for code in np.unique(systems).tolist():
        own = systems == code
        _, first, unit, sessions = np.unique(clusters[own], True, True, True)
        named = int((searchers[own][first] >= 0).sum())
        for measure, side in sides.items():
            means = (np.bincount(unit, gain[own]) / sessions for gain in side)
            differences.append(Difference(names[code], measure, sessions, named, *means))
    single, judged = sample.one_query_count, sample.systems[sample.judged]
    judged_systems = tuple(names[code] for code in np.unique(judged).tolist())
    undefined = judged.size - single - rows.size
    return LastAgainstOthers(tuple(differences), judged_systems, single, undefined, definition.top)


@dataclass(frozen=True)
class QueryCurve(MeanCurve):
    """Mean by rank of one group of one system's queries.

    queries : those it runs over · undefined : those of the group whose measure is undefined
    """

    system: str
    group: str
    queries: int
    undefined: int = 0

    @property
    def name(self) -> str:
        """The system and the group."""
        return f"{self.system}, {self.group}"

    @property
    def plateau_rank(self) -> float:
        """Rank at which 99% of the end is reached; nan without gain, or where it gains last."""
        gains = np.flatnonzero(np.diff(self.mean, prepend=0.0) > 0)
        rank = float(levels_off(self.mean))
        return rank if gains.size and rank < 1 + gains[-1] else math.nan


@dataclass(frozen=True)
class CurveChoices:
    """How the curves are drawn; as in the paper unless said.

    depth : ranks, whatever top and short lists say · splits : keys of ``SPLITS`` · several : only
    sessions with several queries · discounted : by query; sDCG(q) is DCG otherwise, D(q) being 1 ·
    measure : of ``MEASURES``; nDCG, a share of the ideal list, is the same whether discounted by
    query or not, and RBP weighs queries alike

    Raises
    ------
    ValueError : a measure that is not in ``MEASURES``
    """

    depth: int = DEPTH
    splits: tuple[str, ...] = ("last",)
    several: bool = False
    discounted: bool = True
    measure: str = SDCG

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise ValueError(f"measure {self.measure!r}; choose one of {', '.join(MEASURES)}.")

    @property
    def shares(self) -> bool:
        """Whether curves are shares of ideal lists."""
        return self.measure == "ndcg"

    @property
    def weighting_measure(self) -> str:
        """Which of ``ADDITIVE`` weighs cells: of shares sDCG, whose discount they have."""
        return SDCG if self.shares else self.measure

    def factors(self, chosen: Selection) -> Floats:
        """Factor of each query, (Q,)."""
        return chosen.factors if self.discounted else np.ones_like(chosen.factors)


AS_IN_PAPER = CurveChoices()


def with_full_lists(definition: Definition) -> Definition:
    """A definition whose lists are known below the deepest rank that was noticed."""
    observed = definition.short_lists == "observed"
    return replace(definition, short_lists="pad") if observed else definition


@dataclass(frozen=True, eq=False)
class QueryCounts:
    """Queries in groups, two of each system, in the order of the block.

    session, query, group, share (N,) : of each query on a judged topic its group, and its weight
    in the group's mean
    """

    sample: Sample
    depth: int
    session: Ints
    query: Ints
    group: Ints
    share: Floats

    @property
    def group_count(self) -> int:
        """Number of groups."""
        return 2 * len(self.sample.block.system_names)

    @cached_property
    def queries(self) -> Ints:
        """Queries of each group, (G,)."""
        return np.bincount(self.group, minlength=self.group_count)

    @cached_property
    def grades(self) -> Floats:
        """Cells of each group by query number, rank and grade code, weighted, (G, Q, R, L + 3)."""
        most, at = self.sample.most_queries, (self.session, self.query)
        owner = self.group * most + self.query
        grades = self.sample.graded(at, self.depth, owner, self.share, self.group_count * most)
        return grades.reshape(self.group_count, most, *grades.shape[1:])


def count_query_groups(
    chosen: Selection, split: str, drawn: CurveChoices, *, with_ideal: bool = True
) -> QueryCounts:
    """Queries grouped by whether they are the one that stands alone in its session.

    Shares run over the queries whose ideal list gains, which the weights decide, unless all are
    asked for. Those of last and others are kept for as long as the sample is.
    """
    sample, per_session = chosen.sample, chosen.definition.others == "per-session"
    needs_ideal = drawn.shares and with_ideal

    def counted() -> QueryCounts:
        session, query = sample.known
        wanted = sample.queries[session] > drawn.several
        if needs_ideal:
            wanted &= chosen.ideal_lists[sample.pools[session, query], 0] > 0
        session, query = session[wanted], query[wanted]
        alone = sample.queries - 1 if split == "last" else _best_query_positions(chosen, drawn)
        is_alone = query == alone[session]
        share = np.ones(session.size)
        if per_session:  # the other queries of a session share its one voice
            others = np.bincount(session[~is_alone], minlength=sample.sessions.size)
            share = np.where(is_alone, 1.0, 1.0 / np.maximum(others[session], 1))
        group = sample.systems[session] * 2 + ~is_alone
        return QueryCounts(sample, drawn.depth, session, query, group, share)

    if split == "last" and not needs_ideal:
        return sample.kept((split, drawn.depth, drawn.several, per_session), counted)
    return counted()


def _best_query_positions(chosen: Selection, drawn: CurveChoices) -> Ints:
    """The query of each session, from 0, that has most of a measure at top, (S,)."""
    values = chosen.gains @ chosen.discount() * drawn.factors(chosen)
    if drawn.shares:
        values = measures.query_score(drawn.measure, chosen)
    values = np.where(chosen.sample.is_judged_query, values, np.nan)
    best = np.max(values, axis=1, keepdims=True, where=~np.isnan(values), initial=0.0)
    return np.argmax(values >= best * (1 - TIE), axis=1)


def query_sums(
    chosen: Selection, counts: QueryCounts, drawn: CurveChoices, *, by_cluster: bool = True
) -> Sums:
    """Measure by rank added up by cluster (or over all) and group, (C, G, R); what divides it."""
    sample, place, size = chosen.sample, (counts.session, counts.query), counts.group_count
    cluster = sample.clusters if by_cluster else np.zeros_like(sample.clusters)
    clusters = int(cluster.max(initial=0)) + 1
    owner = cluster[counts.session] * size + counts.group
    gains = sample.gained(place, drawn.depth, chosen.weights)
    if drawn.shares:  # beyond its list's end the ideal still grows
        block, discount = sample.block, chosen.discount(drawn.depth)
        gains = np.pad(gains, ((0, 0), (0, drawn.depth - gains.shape[1])))
        judged = block.judged_gains(chosen.weights[: len(block.labels)])
        ideal = best_gains(block.judged, judged, drawn.depth)[sample.pools[place]]
        shares = ndcg(gains, ideal, discount) * counts.share[:, None]
        sums = group_sums(shares, owner, clusters * size)
    else:
        gains *= (drawn.factors(chosen)[counts.query] * counts.share)[:, None]
        sums = dcg(group_sums(gains, owner, clusters * size), chosen.discount(gains.shape[1]))
    over = np.bincount(owner, counts.share, clusters * size).astype(float)
    queries = counts.queries[None, :, None].astype(float)
    return Sums(sums.reshape(clusters, size, -1), queries, over.reshape(clusters, size, 1))


def query_curves(chosen: Selection, drawn: CurveChoices, bands: bool) -> Iterator[QueryCurve]:
    """Two curves per system: the queries that stand alone in their sessions, and all others."""
    sample = chosen.sample
    for split in drawn.splits:
        counts = every = count_query_groups(chosen, split, drawn)
        if drawn.shares:
            every = count_query_groups(chosen, split, drawn, with_ideal=False)
        sums = query_sums(chosen, counts, drawn, by_cluster=bands)
        curves = curves_of(sums.to(drawn.depth), bands=bands)  # level from the deepest list's end
        for system in sample.shown_systems:
            for i, group in enumerate(SPLITS[split], start=2 * system):
                name, queries = sample.block.system_names[system], int(counts.queries[i])
                undefined = int(every.queries[i]) - queries
                own: dict[str, Any] = {"queries": queries, "undefined": undefined}
                yield QueryCurve(**vars(curves[i]), system=name, group=group, **own)


def curves_table(curves: Iterable[QueryCurve], longest: int) -> pd.DataFrame:
    """One row per system, group and rank, as far as the longest list."""
    rows = pd.concat([pd.DataFrame(vars(curve))[: max(1, longest)] for curve in curves])
    return rows.assign(rank=rows.index + 1).reset_index(drop=True)[CURVE_COLUMNS]


@dataclass(frozen=True, eq=False)
class QueryOrder:
    """The curves of one split of the queries, system by system.

    axis_end : ranks that are drawn, as the lists end there · single : sessions of one query ·
    paired : last against others within sessions, where that is the split
    """

    curves: tuple[QueryCurve, ...]
    drawn: CurveChoices
    without_judgments: int
    axis_end: int
    longest: int
    single: int
    paired: LastAgainstOthers | None = None
    bands: bool = False
    withheld: int = 0

    @property
    def nonempty_curves(self) -> list[QueryCurve]:
        """Curves that any query stands behind."""
        return [curve for curve in self.curves if curve.queries]

    def table(self) -> pd.DataFrame:
        """One row per system, group and rank, as far as the longest list."""
        return curves_table(self.curves, self.longest)

    def rows_at_ranks(self, ranks: Sequence[int]) -> pd.DataFrame:
        """The rows of a few ranks, of queries that there are."""
        rows = self.table()
        return rows[rows["rank"].isin(ranks) & (rows["queries"] > 0)]

    def reading_rank_table(self) -> pd.DataFrame:
        """A row per curve: what it is at the rank where curves are read, and where it levels off.

        A curve that still rises where it gains last levels off nowhere: beyond, it is flat whatever
        its searchers would have found. Nor does a share, which may fall.
        """
        levels = [math.nan if self.drawn.shares else c.plateau_rank for c in self.nonempty_curves]
        rows = self.rows_at_ranks((min(self.reading_rank, self.longest),))
        return rows.assign(**{"levels off at rank": levels})

    @property
    def unit(self) -> str:
        """What the curves are counted in."""
        if self.drawn.shares:
            return "nDCG (share of the ideal list)"
        if self.drawn.weighting_measure in FURTHER_CURVES:
            return f"{FURTHER[self.drawn.weighting_measure].words} (gain / highest gain)"
        return "sDCG (gain)" if self.drawn.discounted else "DCG (gain)"

    @property
    def reading_rank(self) -> int:
        """Rank at which the curves are read."""
        return min(READ_AT, self.axis_end)

    @cached_property
    def gaps(self) -> dict[str, float]:
        """How much higher the first curve of each system is there, where it has both."""
        means = np.array([c.mean[self.reading_rank - 1] for c in self.curves]).reshape(-1, 2)
        gaps = means[:, 0] - means[:, 1]
        gaps[np.abs(gaps) <= effect_sizes.rounding(means[np.isfinite(means)])] = 0.0
        found = zip((c.system for c in self.curves[::2]), gaps.tolist(), strict=True)
        return {name: gap for name, gap in found if math.isfinite(gap)}


def query_order(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    drawn: CurveChoices = AS_IN_PAPER,
    bands: bool = False,
) -> QueryOrder:
    """Mean of a measure by rank of last queries against others, or of best against the rest.

    The best query of a session is the one with the most of the measure at top, the earliest on
    ties. Of nDCG, queries whose ideal gains nothing are left out. `bands` adds bootstrap intervals,
    searchers resampled.
    """
    view, depth = (study, definition, filters), drawn.depth
    within = drawn.splits == ("last",) and drawn.measure == SDCG
    chosen = _full_lists(*view, depth).with_measure(drawn.weighting_measure)
    sample = chosen.sample
    return QueryOrder(
        curves=tuple(query_curves(chosen, drawn, bands)),
        drawn=drawn,
        without_judgments=int((~sample.judged).sum()),
        longest=sample.ranks(depth),
        axis_end=min(depth, TEN * -(-sample.ranks(depth) // TEN)),
        single=sample.one_query_count,
        paired=last_against_others(*view) if within else None,
        bands=bands,
        withheld=study.report.withheld,
    )


def _full_lists(study: Study, definition: Definition, filters: Filters, depth: int) -> Selection:
    """A selection whose lists are known to `depth`, whatever top and short lists say."""
    return select(study, with_full_lists(definition), filters, max(depth, DEPTH))


def live_queries(
    study: Study, definition: Definition, filters: Filters, *, drawn: CurveChoices
) -> live.Packed | None:
    """Counts behind Figure 1; none for best against the rest, where sliders move the groups.

    Nor for nDCG, a ratio of each query that is not linear in counts, nor for measures whose weights
    no slider moves.
    """
    if drawn.splits != ("last",) or drawn.measure != SDCG:
        return None
    counts = count_query_groups(_full_lists(study, definition, filters, drawn.depth), "last", drawn)
    groups = counts.group_count * counts.sample.most_queries
    if counts.sample.counted(drawn.depth, groups) > MOST_COUNTED:
        return None
    grades = live.graded(counts.grades)
    return {
        "kind": "queries",
        "shape": list(grades.shape),
        "grades": live.packed(grades),
        "over": np.bincount(counts.group, counts.share, counts.group_count).astype(float).tolist(),
        "depth": drawn.depth,
        "discounted": drawn.discounted,
    }
