"""Which sessions are listed, in which order, their curves, and what each of their queries did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.questions.individual_sessions.inspector import has_parts, shortfall_of
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import brought
from sdcg_explorer.scoring.ratings import RATING, ratings_of_sessions
from sdcg_explorer.scoring.scores import named, session_topics, shown_in_top
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

    def passing(self, only: str) -> Bools:
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
    rows = np.flatnonzero(chosen.sample.judged & Gaining(chosen).passing(only))
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


SHADES = {  # by what cells are shaded, and what that is
    "dcg": "DCG of the query, before the query discount",
    "relevant found": "relevant documents not shown earlier in the session",
    "change of dcg": "change of DCG from the query before",
    "repeated": "relevant documents that an earlier query had shown",
    "still missing": "relevant documents of the topic not shown so far",
    "behind the ideal": "how much the query loses against the ideal",
}
OF_PARTS = {"parts found": "share of the parts of the task found so far"}
LACKS = {  # by shade: its column in what queries lack (shortfall.py)
    "repeated": "repeated",
    "still missing": "missing",
    "behind the ideal": "behind",
    "parts found": "parts_found",
}
# states of a cell: beyond the session's end, a value, and what has none
BEYOND, VALUE, NOBODY, NO_RESULTS, FIRST = range(-1, 4)
MOST_ROWS = 2000  # sessions from which on the page opens on one system and topic
MOST_CELLS, MOST_QUERIES = 100_000, 40  # that are coloured; each colour is a rule of style
MOST_SHOWN = 2_000_000  # numbers that a browser is sent; the table to take away has all


@dataclass(frozen=True, eq=False)
class Wall:
    """Sessions in an order, and what each of their queries brought.

    names, searchers, topics (N,); systems (N,): places in `system_names`; queries (N,)
    scores : by name of the first of ``SHADES``, and of `shade`, (N, Q), nan where undefined or
    beyond the session
    states (N, Q) : what each cell of `shade` has; results (N, Q) : of each query, in the top X
    ends (N,) : how each ended, as in ``ENDS``, −1 where that is undefined
    by_end : sessions, of those that `only` keeps · by_filter : of all it chose from
    """

    names: tuple[str, ...]
    searchers: tuple[str, ...]
    topics: tuple[str, ...]
    systems: Ints
    system_names: tuple[str, ...]
    queries: Ints
    scores: dict[str, Floats]
    states: Ints
    results: Ints
    ends: Ints
    shade: str
    only: str
    by_end: dict[str, int]
    by_filter: dict[str, int]
    not_whole: int
    without_judgments: int

    @property
    def values(self) -> Floats:
        """What cells are shaded by, (N, Q)."""
        return np.where(self.states == VALUE, self.scores[self.shade], np.nan)

    @property
    def ended_so(self) -> list[str]:
        """How each ended, in words."""
        words = {UNKNOWN_END: "undefined", **dict(enumerate(ENDS))}
        return [words[place] for place in self.ends.tolist()]

    @property
    def shown_queries(self) -> int:
        """Queries that have a column where the wall is shown: all, unless they are very many."""
        room = max(MOST_QUERIES, MOST_SHOWN // max(1, len(self.names)))
        return min(int(self.queries.max(initial=1)), room)

    @property
    def shown_values(self) -> Floats:
        """What these columns show, (N, shown queries): 0 for a list without results, too."""
        undefined = np.isin(self.states, (BEYOND, NOBODY, FIRST))
        return np.where(undefined, np.nan, self.scores[self.shade])[:, : self.shown_queries]

    @property
    def is_coloured(self) -> bool:
        """Whether its cells are coloured where it is shown, and drawn as a figure."""
        queries = int(self.queries.max(initial=1))
        return queries <= MOST_QUERIES and len(self.names) * queries <= MOST_CELLS

    def table(self) -> pd.DataFrame:
        """One row per session and query, in the order of the wall."""
        row, query = (place.astype(np.int32) for place in np.nonzero(self.states != BEYOND))
        names = {"session": self.names, "searcher": self.searchers, "topic": self.topics}
        coded = {name: pd.factorize(np.array(each, dtype=object)) for name, each in names.items()}
        coded |= {
            "system": (self.systems, self.system_names),
            "end": (self.ends % (len(ENDS) + 1), (*ENDS, "")),
        }
        order = "session", "system", "searcher", "topic", "end"
        return pd.DataFrame(
            {
                **{
                    name: named(coded[name][0].astype(np.int32)[row], coded[name][1])
                    for name in order
                },
                "query_number": query + 1,
                "results": self.results[row, query],
                **{_column(name): each[row, query] for name, each in self.scores.items()},
            },
            copy=False,
        )


def _column(shade: str) -> str:
    """Name of a shade as a column, as queries.csv has it.

    >>> [_column(name) for name in SHADES]
    ['dcg', 'relevant_found', 'change_dcg', 'repeated', 'missing', 'behind']
    """
    return {"change of dcg": "change_dcg", **LACKS}.get(shade, shade.replace(" ", "_"))


def shades_of(study: Study) -> dict[str, str]:
    """What cells of a study's wall can be shaded by, and what each is."""
    return SHADES | (OF_PARTS if has_parts(study) else {})


def wall(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    topic: str | None = None,
    shade: str = "dcg",
    order: str = "worth",
    only: str = ALL,
) -> Wall:
    """What each query of each session brought; of one system or all, on one topic or all.

    order : one of `orders_of` the study · only : one of ``ONLY`` · shade : one of `shades_of` it

    Raises
    ------
    ValueError : an order, filter or shade that is none
    """
    if shade not in shades_of(study):
        raise ValueError(f"no shade {shade!r}; there are {', '.join(shades_of(study))}")
    chosen = select(study, definition, filters.of(system, topic))
    sample, gaining = chosen.sample, Gaining(chosen)
    rows = listed_rows(study, chosen, order, only)
    lacks = {shade: LACKS[shade]} if shade in LACKS else {}
    short = shortfall_of(study, chosen).columns if lacks else {}
    scores = _scores(chosen) | {name: short[column] for name, column in lacks.items()}
    scores = {name: each[rows] for name, each in scores.items()}
    shown = shown_in_top(study, chosen)[0][rows]
    searchers = [*sample.block.searcher_names, ""]
    topics = session_topics(sample)
    ended = Counter(gaining.ends[rows].tolist())
    return Wall(
        names=tuple(study.sessions["session"].astype("str").iloc[sample.sessions[rows]].tolist()),
        searchers=tuple(searchers[code] for code in sample.block.searchers[sample.sessions[rows]]),
        topics=tuple(topics[row] for row in rows.tolist()),
        systems=sample.systems[rows],
        system_names=sample.block.system_names,
        queries=sample.queries[rows],
        scores=scores,
        states=_states(scores[shade], shown, sample.asked_at[rows], shade),
        results=shown,
        ends=gaining.ends[rows],
        shade=shade,
        only=only,
        by_end={end: ended[place] for place, end in enumerate(ENDS)},
        by_filter={each: _count(gaining, each) for each in (NOTHING, GAVE_UP, LAST_ONLY)},
        not_whole=int((sample.judged & ~gaining.is_whole).sum()),
        without_judgments=int((~sample.judged).sum()),
    )


def _count(gaining: Gaining, only: str) -> int:
    return int((gaining.passing(only) & gaining.chosen.sample.judged).sum())


def _scores(chosen: Selection) -> dict[str, Floats]:
    """What each query brought, (S, Q)."""
    found = np.where(chosen.sample.judged_at, brought(chosen), np.nan)
    dcg, change = (chosen.query_scores[name] for name in ("dcg", "change_dcg"))
    return dict(zip(SHADES, (dcg, found, change), strict=False))


def _states(values: Floats, shown: Ints, asked: Bools, shade: str) -> Ints:
    """How each cell looks: what it lacks, if it lacks anything, (N, Q)."""
    first = (np.arange(values.shape[1]) == 0) & (shade == "change of dcg")
    silent = (shown == 0) & (shade not in LACKS)  # what a query lacks it lacks without results, too
    cases = [~asked, first, np.isnan(values), silent]
    return np.select(cases, [BEYOND, FIRST, NOBODY, NO_RESULTS], VALUE)
