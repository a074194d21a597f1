"""Do scores agree with what searchers said? Coefficients, sessions that disagree, systems."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, SEED
from sdcg_explorer.questions.robustness.numbers import query_scores_over, session_scores_over
from sdcg_explorer.questions.side_by_side.numbers import most_differing_ranks
from sdcg_explorer.scoring import base_grid, costs, measures, ratings, scored_sessions, selection
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import names_of, session_topics
from sdcg_explorer.statistics.correlations import KINDS, VERSIONS, Found, Paired, estimates, folds
from sdcg_explorer.statistics.effect_sizes import rounding
from sdcg_explorer.study.study import Study

FOLDS = 5  # of searchers, each judged at the others' best point, or it flatters itself


def map_coefficient(coefficient: str) -> str:
    """The coefficient of the map: τ-b of all points would take long, so Spearman's stands in."""
    return "pearson" if coefficient == "pearson" else "spearman"


@dataclass(frozen=True)
class RatingChoices:
    """Which rating is compared with scores, and how.

    rating : its label · score : the one that map, doors and systems are about, "" for the usual ·
    low_is_good : whether low ratings are good, as for difficulty or effort

    Raises
    ------
    ValueError : no such coefficient or version
    """

    rating: str
    score: str = ""
    coefficient: str = "pearson"
    version: str = "raw"
    low_is_good: bool = False

    def __post_init__(self) -> None:
        for name, known in (("coefficient", KINDS), ("version", VERSIONS)):
            if (value := getattr(self, name)) not in known:
                raise ValueError(f"{name} {value!r}; choose one of {', '.join(known)}.")

    @property
    def words(self) -> str:
        """The coefficient in words."""
        return KINDS[self.coefficient].words


@dataclass(frozen=True, eq=False)
class RatedRows:
    """Sessions or queries (N,) that have a rating and are on judged topics, in the log's order.

    session (N,) : row in the sample · query (N,) : from 0, for queries; empty for sessions ·
    values (N,) : the rating, less it where low is good · left_out : those without a rating
    """

    asked: RatingChoices
    rating: ratings.Rating
    chosen: selection.Selection
    session: Ints
    query: Ints
    values: Floats
    left_out: int

    @property
    def score(self) -> str:
        """The score that is asked for, or the usual one."""
        name = self.asked.score or ratings.FIRST[self.rating.of]
        return measures.compared_score(name, self.chosen.definition)

    @cached_property
    def has_searcher(self) -> Bools:
        """Whether each names its searcher."""
        sample = self.chosen.sample
        return sample.block.searchers[sample.sessions[self.session]] >= 0

    @cached_property
    def searcher(self) -> Ints:
        """Searcher of each, coded from 0; all that name none are one."""
        codes = np.where(self.has_searcher, self.chosen.sample.clusters[self.session], -1)
        return np.unique(codes, return_inverse=True)[1]

    @cached_property
    def topic_names(self) -> NDArray[np.str_]:
        """Topic of each, or its session's topics together, (N,)."""
        sample = self.chosen.sample
        if not self.query.size:
            return np.array(session_topics(sample, in_order=False), dtype=str)[self.session]
        topics = sample.topics[self.session, self.query]
        return np.array(sample.block.topic_names, dtype=str)[topics]

    @property
    def queries(self) -> Floats:
        """Number of queries of each one's session, (N,)."""
        return self.chosen.sample.queries[self.session].astype(float)

    @cached_property
    def paired(self) -> Paired:
        """The rating as coefficients take it."""
        clusters = self.chosen.sample.clusters[self.session], self.topic_names
        cluster, topic = (np.unique(each, return_inverse=True)[1] for each in clusters)
        return Paired(self.values, self.queries, cluster, self.searcher, topic)

    def coefficients(self, values: Floats) -> Floats:
        """The coefficient that a map shows, of each column of values (N, P), (P,).

        Rows that are undefined at some point are left out.
        """
        rows = np.flatnonzero(~np.isnan(values).any(axis=1))
        return self._adjusted_coefficients(self.paired.take(rows), values[rows])

    def cross_validated(self, values: Floats) -> tuple[float, int]:
        """Mean coefficient of the folds, each of the column that is best on the others.

        Also how many folds have one.
        """
        rows = np.flatnonzero(~np.isnan(values).any(axis=1))
        own, values = self.paired.take(rows), values[rows]
        if np.unique(own.cluster).size < FEWEST_CLUSTERS:
            return float("nan"), 0
        fold, found = folds(own.cluster, FOLDS, SEED), np.full(FOLDS, np.nan)
        for k, held in enumerate(fold == np.arange(FOLDS)[:, None]):
            fit = np.zeros(1)  # one column is the best of them
            if values.shape[1] > 1:
                fit = self._adjusted_coefficients(own.take(~held), values[~held])
            if not np.isnan(fit).all():
                best = values[held][:, [int(np.nanargmax(fit))]]
                found[k] = self._adjusted_coefficients(own.take(held), best)[0]
        sizes, known = np.bincount(fold, minlength=FOLDS), ~np.isnan(found)
        mean = np.average(found[known], weights=sizes[known]) if known.any() else np.nan
        return float(mean), int(known.sum())

    def _adjusted_coefficients(self, paired: Paired, values: Floats) -> Floats:
        return paired.over(map_coefficient(self.asked.coefficient), self.asked.version, values)

    @property
    def units(self) -> str:
        """What intervals resample, and folds share out, in words."""
        return scored_sessions.resampled_units(~self.has_searcher)

    def scores(self) -> dict[str, Floats]:
        """Every score of those rated, (N,) each, and their length; nan where undefined."""
        place = (self.session, self.query) if self.query.size else self.session
        each = measures.measured(self.chosen, self.rating.scores)
        return {name: values[place] for name, values in each.items()} | {LENGTH: self.queries}


def rated_rows(study: Study, chosen: selection.Selection, asked: RatingChoices) -> RatedRows:
    """What is rated of a selection, and how much on judged topics is not.

    Raises
    ------
    ValueError : no such rating, or no such score of what it rates
    """
    sample, rating = chosen.sample, ratings.rating_by_name(study, asked.rating)
    if asked.score and asked.score not in rating.scores:
        raise ValueError(f"score {asked.score!r}; choose one of {', '.join(rating.scores)}.")
    if rating.of == "session":
        column, known = study.sessions[rating.column], sample.judged
        given = column.to_numpy(float, na_value=np.nan)[sample.sessions]
    else:
        column, known = study.queries[rating.column], sample.is_judged_query
        every = costs.per_query(study, column.to_numpy(float, na_value=np.nan))
        given = every[sample.sessions, : sample.most_queries]
    place = np.nonzero(known & np.isfinite(given))
    values = -given[place] if asked.low_is_good else given[place]
    left_out = int(known.sum()) - values.size
    session, query = (*place, np.zeros(0, dtype=np.int64))[:2]
    return RatedRows(asked, rating, chosen, session, query, values, left_out)


class Preferred(NamedTuple):
    """Searchers who used both systems of a pair, by whether score and rating prefer the same.

    ties : whose mean score or mean rating is the same with both, left out of the share · low,
    high : exact 95% interval of the share (Clopper & Pearson 1934)
    """

    system_a: str
    system_b: str
    same: int
    other: int
    ties: int
    share: float
    low: float
    high: float


def system_preferences(
    score: Floats, rating: Floats, searcher: Ints, system: Ints, names: tuple[str, ...]
) -> list[Preferred]:
    """Every two systems that any searcher used both of; values (N,) with known searchers."""
    from scipy.special import betaincinv

    if not score.size:
        return []
    size, both = len(names), list[Preferred]()
    cell, whole = searcher * size + system, (int(searcher.max()) + 1) * size
    first, second = np.triu_indices(size, 1)
    agree = np.ones(1)  # 1 where both prefer the same, −1 the other, 0 where either ties
    for values in (score, rating):
        means = scored_sessions.group_means(values, cell, whole).reshape(-1, size)
        apart = means[:, second] - means[:, first]
        agree = agree * np.sign(apart) * (np.abs(apart) > rounding(values))
    for a, b, each in zip(first.tolist(), second.tolist(), agree.T, strict=True):
        known = each[~np.isnan(each)].tolist()
        if known:
            same, other = known.count(1), known.count(-1)
            low = float(betaincinv(same, other + 1, 0.025)) if same else 0.0
            high = float(betaincinv(same + 1, other, 0.975)) if other else 1.0
            number = same + other
            share = (same / number, low, high) if number else (np.nan,) * 3
            both.append(Preferred(names[a], names[b], same, other, len(known) - number, *share))
    return both


MOST = 10  # sessions or queries that are named
LENGTH = "queries"  # the number of queries, beside the scores
MANY = {"session": "sessions", "query": "queries"}


@dataclass(frozen=True, eq=False)
class Agreement:
    """Every score beside one rating.

    found : each score's name, values, clusters, and its coefficient by version · disagreements :
    a row for each, the largest first · systems : pairs of systems that searchers used both of
    """

    asked: RatingChoices
    score: str
    of: str
    found: Found
    disagreements: pd.DataFrame
    systems: tuple[Preferred, ...]
    units: str
    number: int
    without_rating: int
    without_judgments: int = 0

    @property
    def rated_noun(self) -> str:
        """What is rated: sessions or queries."""
        return MANY[self.of]

    def table(self) -> pd.DataFrame:
        """One row per score, versions beside each other."""
        return pd.DataFrame(
            {"score": name, **{v: of.value for v, of in versions.items()}, self.rated_noun: n}
            for name, (n, _, versions) in self.found.items()
        )


def agreement(
    study: Study, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> Agreement:
    """How far every score goes with a rating, over what passes the filters and is rated.

    Raises
    ------
    ValueError : no such rating or score
    """
    of = rated_rows(study, selection.select(study, definition, filters), asked)
    scores = of.scores()
    chosen = scores[of.score]
    own = ~np.isnan(chosen) & of.has_searcher
    sample = of.chosen.sample
    each = chosen[own], of.values[own], of.searcher[own], sample.systems[of.session[own]]
    return Agreement(
        asked=asked,
        score=of.score,
        of=of.rating.of,
        found=estimates(asked.coefficient, scores, of.paired),
        disagreements=_largest_disagreements(study, of, chosen),
        systems=tuple(system_preferences(*each, sample.block.system_names)),
        units=of.units,
        number=of.values.size,
        without_rating=of.left_out,
        without_judgments=int((~sample.judged).sum()),
    )


def coefficients(
    study: Study, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> pd.DataFrame:
    """Every coefficient, version and score, one row each."""
    of = rated_rows(study, selection.select(study, definition, filters), asked)
    rows = [
        (of.asked.rating, name, kind, version, *estimate, number, clusters)
        for kind in KINDS
        for name, (number, clusters, versions) in estimates(kind, of.scores(), of.paired).items()
        for version, estimate in versions.items()
    ]
    columns = ["rating", "score", "coefficient", "version", "value", "low", "high"]
    return pd.DataFrame(rows, columns=[*columns, MANY[of.rating.of], "units"])


def _largest_disagreements(study: Study, of: RatedRows, score: Floats) -> pd.DataFrame:
    """Sessions or queries whose ranks by score and by rating differ most, of equals the first.

    A row for each, with its query number where queries were rated; both ranks are shares of the
    others that lie below.
    """
    rows, ranks = most_differing_ranks(score, of.values, MOST)
    table = names_of(study, of.chosen.sample, of.session[rows]).assign(topic=of.topic_names[rows])
    if of.rating.of == "query":
        table.insert(1, "query_number", of.query[rows] + 1)
    rated = -of.values if of.asked.low_is_good else of.values  # as it came
    by_score = {"score": score[rows], "score_rank": ranks[:, 0]}
    return table.assign(**by_score, rating=rated[rows], rating_rank=ranks[:, 1])


@dataclass(frozen=True, eq=False)
class AgreementMap:
    """A coefficient of score and rating over b × bq, and its best point.

    asked : with the coefficient that is mapped · values (B, K) : at each b and bq of ``GRID``, nan
    where undefined · best : its b and bq, None where nothing is defined · left_out : mean
    coefficient in each fold of the point that is best on the other folds, nan where nothing can be
    left out · folds : that have it · units : what folds share out
    """

    asked: RatingChoices
    values: Floats
    best: tuple[float, float] | None
    left_out: float
    folds: int
    units: str

    @property
    def is_flat(self) -> bool:
        """Whether every point has the same, or nothing."""
        known = self.values[~np.isnan(self.values)]
        return not known.size or float(np.ptp(known)) < 1e-9

    @property
    def highest(self) -> float:
        """The coefficient of the best point."""
        return float(np.nanmax(self.values)) if self.best else float("nan")

    def table(self) -> pd.DataFrame:
        """One row per point."""
        b, bq = np.meshgrid(base_grid.GRID, base_grid.GRID, indexing="ij")
        columns = {"b": b.ravel(), "bq": bq.ravel(), "value": self.values.ravel()}
        names = ("rating", "score", "version", "coefficient")
        return pd.DataFrame({**{name: getattr(self.asked, name) for name in names}, **columns})


def agreement_map(
    study: Study, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> AgreementMap:
    """A score's agreement with a rating at every point of b and bq, whichever are in force.

    Raises
    ------
    ValueError : no such rating, score, coefficient or version
    """
    of = rated_rows(study, selection.select(study, definition, filters), asked)
    plane = base_grid.BaseGrid(of.chosen)
    points = [*product(base_grid.GRID, base_grid.GRID)]
    if of.rating.of == "query":
        values = query_scores_over(plane, of.score, of.session, of.query)
    else:
        values = session_scores_over(plane, of.score)[of.session]
    values = values.reshape(-1, len(points))
    found = of.coefficients(values)
    left_out, used = of.cross_validated(values)
    best = None if np.isnan(found).all() else points[int(np.nanargmax(found))]
    mapped = replace(asked, score=of.score, coefficient=map_coefficient(asked.coefficient))
    values = found.reshape(len(base_grid.GRID), -1)
    return AgreementMap(mapped, values, best, left_out, used, of.units)


def coefficient_in_force(
    study: Study, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> tuple[float, float]:
    """The same coefficient at the b and bq in force, on all and as the mean of the folds."""
    of = rated_rows(study, selection.select(study, definition, filters), asked)
    values = of.scores()[of.score][:, None]
    return float(of.coefficients(values)[0]), of.cross_validated(values)[0]
