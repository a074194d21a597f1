"""Ratings: numbers that came with the log, one of each session or query, beside their scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.metrics import Score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.costs import RATE, cost_named, rate_of, rates_of
from sdcg_explorer.scoring.measures import (
    ALL_SESSION_SCORES,
    OF_SESSIONS,
    QUERY_SCORES,
    SCORES,
    SESSION_SCORES,
    USUAL,
    Measured,
    measured,
)
from sdcg_explorer.scoring.scores import session_topics
from sdcg_explorer.scoring.selection import Selection
from sdcg_explorer.statistics.correlations import KINDS, VERSIONS, Paired
from sdcg_explorer.study.study import OWN_OF_QUERIES, OWN_OF_SESSIONS, Study

OF_QUERIES = " (of queries)"
RATING = "rating: "  # before a column's name, which may be that of a score
FIRST = {"session": USUAL, "query": "sdcg"}  # the score that is looked at first


@dataclass(frozen=True)
class Rating:
    """A column of numbers that came with the log; `of` is session or query."""

    column: str
    of: str

    @property
    def label(self) -> str:
        """The column's name, and whose it is where that is a query."""
        return f"{self.column}{OF_QUERIES}" if self.of == "query" else self.column

    @property
    def scores(self) -> dict[str, Score[Measured]]:
        """Scores that it is compared with, by name."""
        return {"session": SESSION_SCORES, "query": QUERY_SCORES}[self.of]


def ratings_of(study: Study) -> dict[str, Rating]:
    """Every rating of a study by its label, those of sessions first; no features of searchers."""

    def found() -> dict[str, Rating]:
        known = _numbers_of(study)
        return {label: of for label, of in known.items() if not _is_feature(study, of)}

    return RESULTS.of(("ratings", study), found)


def ratings_of_sessions(study: Study) -> tuple[str, ...]:
    """Columns of the ratings of sessions that are not all alike, in the study's order."""

    def found() -> tuple[str, ...]:
        columns = [each.column for each in ratings_of(study).values() if each.of == "session"]
        return tuple(name for name in columns if study.sessions[name].nunique() > 1)

    return RESULTS.of(("ratings of sessions", study), found)


def _numbers_of(study: Study) -> dict[str, Rating]:
    """Every column of numbers that came with the log, by its label."""
    tables = {
        "session": (study.sessions, OWN_OF_SESSIONS),
        "query": (study.queries, OWN_OF_QUERIES),
    }
    found: dict[str, Rating] = {}
    for of, (table, own) in tables.items():
        for name in table.columns:
            if name not in own and _is_number(table[name]):
                rating = Rating(str(name), of)
                found.setdefault(rating.label, rating)
    return found


def _is_feature(study: Study, rating: Rating) -> bool:
    """Whether it is one number for each searcher, some of whom have several: as an age is."""
    if rating.of == "query":
        return False
    each = study.sessions.groupby("searcher")[rating.column].agg(["nunique", "count"])
    return bool((each["count"] > 1).any() and (each["nunique"] <= 1).all())


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def rating_named(study: Study, name: str) -> Rating:
    """A rating by its label, or any column of numbers; of queries also by the bare column.

    Raises
    ------
    ValueError : no such rating
    """
    known = _numbers_of(study)
    for label in (name, f"{name}{OF_QUERIES}"):
        if label in known:
            return known[label]
    offered = f"known are {', '.join(known)}" if known else "the study has no column of numbers"
    raise ValueError(f"rating {name!r}; {offered}.")


@dataclass(frozen=True)
class RatingChoices:
    """Which rating is compared with scores, and how.

    rating : its label · score : the one that map, doors and systems are about, "" for the usual ·
    low_is_good : of the rating, as of difficulty or effort

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
                raise ValueError(f"{name} {value!r}; known are {', '.join(known)}.")


@dataclass(frozen=True, eq=False)
class Rated:
    """Sessions or queries (N,) that have a rating and are on judged topics, in the log's order.

    session (N,) : row in the sample · query (N,) : from 0, for queries; empty for sessions ·
    values (N,) : the rating, less it where low is good · left_out : those without a rating
    """

    asked: RatingChoices
    rating: Rating
    chosen: Selection
    session: Ints
    query: Ints
    values: Floats
    left_out: int

    @property
    def score(self) -> str:
        """The score that is asked for, or the usual one."""
        return self.asked.score or FIRST[self.rating.of]

    @property
    def given(self) -> Floats:
        """The rating as it came, (N,)."""
        return -self.values if self.asked.low_is_good else self.values

    @cached_property
    def cluster(self) -> Ints:
        """Searcher of each, or else its session, coded from 0."""
        return np.unique(self.chosen.sample.clusters[self.session], return_inverse=True)[1]

    @cached_property
    def named(self) -> Bools:
        """Whether each names its searcher."""
        sample = self.chosen.sample
        return sample.block.searchers[sample.sessions[self.session]] >= 0

    @cached_property
    def searcher(self) -> Ints:
        """Searcher of each, coded from 0; all that name none are one."""
        codes = np.where(self.named, self.cluster, -1)
        return np.unique(codes, return_inverse=True)[1]

    @cached_property
    def topic(self) -> Ints:
        """Topic of each, or its session's topics together, coded from 0."""
        return np.unique(self.topic_names, return_inverse=True)[1]

    @cached_property
    def topic_names(self) -> NDArray[np.str_]:
        """Topic of each, or its session's topics together, (N,)."""
        sample = self.chosen.sample
        if not self.query.size:
            return np.array(session_topics(sample), dtype=str)[self.session]
        topics = sample.topics[self.session, self.query]
        return np.array(sample.block.topic_names, dtype=str)[topics]

    @property
    def queries(self) -> Floats:
        """Number of queries of each one's session, (N,)."""
        return self.chosen.sample.queries[self.session].astype(float)

    @cached_property
    def paired(self) -> Paired:
        """The rating as coefficients take it."""
        return Paired(self.values, self.queries, self.cluster, self.searcher, self.topic)

    @property
    def units(self) -> str:
        """What intervals resample, and folds share out, in words."""
        if self.named.all():
            return "searchers"
        return "searchers (or sessions without one)" if self.named.any() else "sessions"

    @property
    def systems(self) -> Ints:
        """Code of each one's system, (N,)."""
        return self.chosen.sample.systems[self.session]

    def scores(self) -> dict[str, Floats]:
        """Every score of those rated, (N,) each; nan where undefined."""
        place = (self.session, self.query) if self.query.size else self.session
        each = measured(self.chosen, self.rating.scores)
        return {name: values[place] for name, values in each.items()}


def rated(study: Study, chosen: Selection, asked: RatingChoices) -> Rated:
    """What is rated of a selection, and how much on judged topics is not.

    Raises
    ------
    ValueError : no such rating, or no such score of what it rates
    """
    sample, rating = chosen.sample, rating_named(study, asked.rating)
    if asked.score and asked.score not in rating.scores:
        raise ValueError(f"score {asked.score!r}; known are {', '.join(rating.scores)}.")
    nothing = np.zeros(0, dtype=np.int64)
    if rating.of == "session":
        given = study.sessions[rating.column].to_numpy(float, na_value=np.nan)[sample.sessions]
        known = sample.judged
        session, query = np.flatnonzero(known & np.isfinite(given)), nothing
        values = given[session]
    else:
        given, known = _spread(study, chosen, rating.column), sample.judged_at
        session, query = np.nonzero(known & np.isfinite(given))
        values = given[session, query]
    values = -values if asked.low_is_good else values
    left_out = int(known.sum()) - values.size
    return Rated(asked, rating, chosen, session, query, values, left_out)


def _spread(study: Study, chosen: Selection, column: str) -> Floats:
    """A rating of queries by session and query number, (S, Q)."""
    sample = chosen.sample
    table = study.queries[["session", "query_number", column]]
    names = pd.Index(study.sessions["session"].astype(str))
    row = names.get_indexer(pd.Index(table["session"].astype(str)))
    whole = np.full((len(names), int(table["query_number"].max())), np.nan)
    whole[row, table["query_number"] - 1] = table[column].to_numpy(float, na_value=np.nan)
    return whole[sample.sessions, : sample.most_queries]


def scores_of(study: Study) -> list[str]:
    """Scores of sessions to choose from: shares first, the study's ratings last."""
    ratings = (f"{RATING}{name}" for name in ratings_of_sessions(study))
    return [*dict.fromkeys([*SCORES, *OF_SESSIONS, *rates_of(study)]), *ratings]


def named_score(study: Study, name: str) -> str:
    """A score by its whole name; a rating goes by its column's, too, and a rate by any cost's.

    Raises
    ------
    ValueError : the study has no such score
    """
    if name.startswith(RATE):
        return cost_named(study, name.removeprefix(RATE)).score
    known = scores_of(study)
    if name not in known and f"{RATING}{name}" not in known:
        raise ValueError(f"score {name!r}; known are {', '.join(known)}.")
    return name if name in known else f"{RATING}{name}"


def score_of(study: Study, name: str) -> Score[Measured]:
    """A score by its whole name."""
    if name.startswith(RATE):
        return rate_of(study, name)
    known = ALL_SESSION_SCORES.get(name)
    return known or _rated(study, name)


def _rated(study: Study, name: str) -> Score[Measured]:
    column = name.removeprefix(RATING)
    ratings = study.sessions[column].to_numpy(dtype=float, na_value=float("nan"))

    def rated(of: Measured) -> Floats:
        return ratings[of.chosen.sample.sessions]

    words = "the rating of the sessions"
    unit = f"points of {column}"
    return Score(rated, words, unit, "", "the study's own", "where there is no such rating")


def may_have(name: str, chosen: Selection) -> Bools:
    """Sessions that a score could be defined for: judged ones, or of a rating all, (S,)."""
    judged = chosen.sample.judged
    return judged | name.startswith(RATING)
