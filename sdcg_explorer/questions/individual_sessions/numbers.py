"""Which sessions are listed, and in which order: one list for wall, curves and table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.ratings import RATING, ratings_of_sessions
from sdcg_explorer.scoring.scores import session_topics
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.study.study import Study

# how a session ended, and what that means: exclusive, and one of them wherever both are known
ENDS = {
    "found and stopped": "the last query gained, the one before it didn't (or there was none)",
    "still gaining": "the last two queries gained",
    "stopped without gain": "the last query gained nothing",
}
UNKNOWN_END = -1
ALL = "all"
NOTHING = "gained nothing"
GAVE_UP = "gave up after a first success"
LAST_ONLY = "only the last gained"
ONLY = {  # filters, and which sessions each keeps
    ALL: "every session",
    NOTHING: "no query gained",
    GAVE_UP: "one query gained, and none of those that followed it to the end",
    LAST_ONLY: "of several queries the last one gained, and no other",
}


@dataclass(frozen=True, eq=False)
class Gaining:
    """Which queries of a selection's sessions gained: dcg above 0; b and bq change nothing here."""

    chosen: Selection

    @cached_property
    def gained(self) -> Floats:
        """1 where a query gained, 0 where not, (S, Q); nan where nobody judged it or none is."""
        dcg = self.chosen.query_scores["dcg"]
        return np.where(np.isnan(dcg), np.nan, dcg > 0)

    @cached_property
    def is_whole(self) -> Bools:
        """Whether every query of each session is on a topic that somebody judged, (S,)."""
        sample = self.chosen.sample
        return np.asarray(sample.judged_at.sum(axis=1) == sample.queries)

    @cached_property
    def first(self) -> Floats:
        """Number of the first query that gained, (S,); nan where none did."""
        some = self.gained == 1
        return np.where(some.any(axis=1), some.argmax(axis=1) + 1.0, np.nan)

    @cached_property
    def ends(self) -> Ints:
        """Place of each session's end among ``ENDS``, (S,); −1 where nobody judged its queries."""
        last, before = self._from_last(1), self._from_last(2)
        before = np.where(self.chosen.sample.queries > 1, before, 0.0)
        cases = [last == 0, (last == 1) & (before == 1), (last == 1) & (before == 0)]
        return np.select(cases, [2, 1, 0], UNKNOWN_END)

    def kept(self, only: str) -> Bools:
        """Sessions that a filter keeps, (S,): but for `all`, of those alone that are whole.

        Raises
        ------
        ValueError : a filter that is none
        """
        count, last = np.nansum(self.gained, axis=1), self._from_last(1)
        once, several = count == 1, self.chosen.sample.queries > 1
        filters = {
            ALL: np.ones(count.size, dtype=bool),
            NOTHING: self.is_whole & (count == 0),
            GAVE_UP: self.is_whole & once & (last == 0),
            LAST_ONLY: self.is_whole & once & (last == 1) & several,
        }
        if only not in filters:
            raise ValueError(f"no filter {only!r}; there are {', '.join(filters)}")
        return filters[only]

    def _from_last(self, place: int) -> Floats:
        """Whether the last query gained, or one so many places from the end, (S,)."""
        at = np.maximum(self.chosen.sample.queries - place, 0)[:, None]
        return np.take_along_axis(self.gained, at, axis=1)[:, 0]


ORDERS = {  # of sessions, and what each means
    "worth": "sDCG of the session (final), highest first",
    "length": "number of queries, most first",
    "first gain": "first query that gained, earliest first; last if none",
    "searcher": "alphabetical",
    "topic": "alphabetical",
    "system": "alphabetical",
    "log": "order of the log",
}


def orders_of(study: Study) -> list[str]:
    """Orders that a study's sessions can have: ``ORDERS``, and each rating."""
    return [*ORDERS, *(f"{RATING}{name}" for name in ratings_of_sessions(study))]


def listed_rows(study: Study, chosen: Selection, order: str, only: str = ALL) -> Ints:
    """Judged sessions of a selection that a filter keeps, as an order has them; equals by the log.

    Raises
    ------
    ValueError : an order that the study does not have, or a filter that is none
    """
    if order not in orders_of(study):
        raise ValueError(f"no order {order!r}; there are {', '.join(orders_of(study))}")
    rows = np.flatnonzero(chosen.sample.judged & Gaining(chosen).kept(only))
    return rows[np.argsort(_sorted_by(study, chosen, order)[rows], kind="stable")]


def rating(study: Study, chosen: Selection, name: str) -> Floats:
    """A number that came along, of each session, (S,); nan where there is none."""
    values = pd.to_numeric(study.sessions[name]).to_numpy(dtype=float, na_value=np.nan)
    return values[chosen.sample.sessions]


def _sorted_by(study: Study, chosen: Selection, order: str) -> Floats:
    """What sessions are sorted by, lowest first, (S,); nan comes last."""
    sample = chosen.sample
    if order.startswith(RATING):
        return -rating(study, chosen, order.removeprefix(RATING))
    searchers = sample.block.searchers[sample.sessions]
    keys = {
        "worth": lambda: -chosen.session_score("final"),
        "length": lambda: -sample.queries,
        "first gain": lambda: Gaining(chosen).first,
        "searcher": lambda: np.where(searchers < 0, np.nan, searchers),
        "topic": lambda: _places(study.topics, sample.block.topic_names)[sample.topics[:, 0]],
        "system": lambda: sample.systems,
        "log": lambda: sample.sessions,
    }
    return np.asarray(keys[order](), dtype=float)


def _places(order: Sequence[str], names: Sequence[str]) -> Ints:
    """Place of each name in an order that has them all, or at its end."""
    place = {name: i for i, name in enumerate(order)}
    return np.array([place.get(name, len(place)) for name in names])


MOST_LINES = 400  # beyond them sessions are drawn as bands


@dataclass(frozen=True, eq=False)
class IndividualSessions:
    """Curves V of single sessions, one row each, and their scores.

    system: whose they are, "" for those of all; systems (S,): place of each session's among
    `system_names`;
    vectors (S, P): V at each position, level after the session's end; ends (S,): its last
    position, from 1; steps (S, Q): the last position of each of its queries; places (S,): each
    among the sessions that the filters leave, in the log's order; `scores` has one row per
    session, in the same order, and so does `ratings`, numbers that came along with the log.
    """

    names: tuple[str, ...]
    system: str
    systems: Ints
    system_names: tuple[str, ...]
    vectors: Floats
    ends: Ints
    steps: Ints
    places: Ints
    scores: pd.DataFrame
    ratings: pd.DataFrame
    per_query: int | None
    top: int
    silent: int
    several: int
    without_judgments: int
    only: str = ALL

    def end(self, length: int) -> int:
        """Last position of an axis that is cut at so many queries."""
        return min(self.vectors.shape[1], length * self.top)

    def listed(self, *, with_curves: bool = True) -> pd.DataFrame:
        """The list to choose from: scores, ratings, and V at the ends of queries as a curve."""
        whose = [] if self.system else ["system"]
        columns = ["session", *whose, "topic", "queries", "final", "last", "final_normalised"]
        table = self.scores[columns].copy()
        if with_curves:
            steps = np.arange(self.top - 1, self.vectors.shape[1], self.top)
            lasts = np.maximum(self.ends - 1, 0)[:, None]
            small = np.take_along_axis(self.vectors, np.minimum(steps, lasts), axis=1)
            table["curve"] = small.round(3).tolist()
        for name in self.ratings.columns:
            own = name if name not in table.columns else f"{name} (rating)"
            table[own] = self.ratings[name].to_numpy()
        return table

    @property
    def longest(self) -> int:
        """Queries of the longest session, at least 1."""
        return int(self.scores["queries"].max()) if self.names else 1

    def quits(self, length: int) -> Ints:
        """Sessions whose end is on the axis, (N,)."""
        return np.flatnonzero((self.ends <= self.end(length)) & (self.ends > 0))

    def on_the_way(self, length: int) -> tuple[Ints, Ints]:
        """Session and last position of each query that another follows, (M,) each."""
        row, query = np.nonzero((self.steps < self.ends[:, None]) & (self.steps > 0))
        place = self.steps[row, query]
        shown = place <= self.end(length)
        return row[shown], place[shown]

    def values(self) -> pd.DataFrame:
        """One row per session and position of its own cells."""
        width = self.vectors.shape[1]
        own = np.less(np.arange(width), self.ends[:, None])
        row = np.repeat(np.arange(len(self.names), dtype=np.int32), self.ends)
        place = np.arange(1, width + 1, dtype=np.min_scalar_type(width))  # as few bytes as hold it
        names, systems = (pd.Index(each, dtype="str") for each in (self.names, self.system_names))
        return pd.DataFrame(
            {
                "session": pd.Categorical.from_codes(row, names),
                "system": pd.Categorical.from_codes(self.systems.astype(np.int16)[row], systems),
                "position": np.broadcast_to(place, own.shape)[own],
                "value": self.vectors[own],
            },
            copy=False,
        )

    def rows_of_systems(self) -> dict[str, Ints]:
        """Rows of each system that has any, by name, in the study's order."""
        return {
            self.system_names[i]: np.flatnonzero(self.systems == i) for i in np.unique(self.systems)
        }


def individual_sessions(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    topic: str | None = None,
    order: str = "worth",
    only: str = ALL,
) -> IndividualSessions:
    """Curves of the sessions of one system or all, on one topic or all, within the filters.

    order : one of `orders_of` the study · only : one of the filters ``ONLY``

    Raises
    ------
    ValueError : an order or a filter that is none
    """
    chosen = select(study, definition, filters.of(system, topic))
    sample, worth = chosen.sample, chosen.query_scores["dcg"]
    several = sample.others > 0
    rows = listed_rows(study, chosen, order, only)
    names = study.sessions["session"].astype(str).to_numpy()[sample.sessions[rows]]
    scores = pd.DataFrame(
        {
            "session": names,
            "system": np.array(sample.block.system_names, dtype=object)[sample.systems[rows]],
            "topic": np.array(session_topics(sample), dtype=object)[rows],
            "queries": sample.queries[rows],
            **{name: score[rows] for name, score in chosen.session_scores.items()},
        },
        copy=False,
    )
    ratings = study.sessions[[*ratings_of_sessions(study)]].iloc[sample.sessions[rows]]
    return IndividualSessions(
        names=tuple(map(str, names)),
        system=system or "",
        systems=sample.systems[rows],
        system_names=sample.block.system_names,
        vectors=_vectors(chosen, rows),
        ends=sample.cells.sum(axis=1)[rows],
        steps=(np.cumsum(sample.cells, axis=1) * sample.asked_at)[rows],
        places=rows,
        scores=scores,
        ratings=ratings.reset_index(drop=True),
        per_query=definition.top if definition.short_lists == "pad" else None,
        top=definition.top,
        silent=int((several & _silent(worth, sample.queries))[rows].sum()),
        several=int(several[rows].sum()),
        without_judgments=int((~sample.judged).sum()),
        only=only,
    )


def _vectors(chosen: Selection, rows: Ints) -> Floats:
    """V of each session at each position, of these rows."""
    place = np.full(chosen.sample.sessions.size, -1)
    place[rows] = np.arange(rows.size)
    vectors = np.empty((rows.size, chosen.sample.most_queries * chosen.definition.top))
    first = 0
    for part in chosen.parts():
        own = place[first : first + part.sample.sessions.size]
        vectors[own[own >= 0]] = part.worth.vector[own >= 0]
        first += own.size
    return vectors


def _silent(worth: Floats, queries: Ints) -> NDArray[Any]:
    """Whether each session gains nothing before its last query; undefined worth is no gain."""
    before = np.less(np.arange(1, worth.shape[1] + 1), queries[:, None])
    return np.logical_not(np.any((worth > 0) & before, axis=1))
