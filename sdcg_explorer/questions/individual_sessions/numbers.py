"""Which sessions are listed, in which order, their curves, and what each of their queries did."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.questions.individual_sessions.inspector import has_parts, shortfall_of
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import brought
from sdcg_explorer.scoring.ratings import RATING, session_rating_columns
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
    """Which queries of sessions gained: dcg above 0; b and bq change nothing here.

    is_whole (S,) : whether every query of each session is on a topic that somebody judged · first
    (S,) : number of the first query that gained, nan where none did · ends (S,) : place of each
    session's end among ``ENDS``, −1 where nobody judged its queries · passing : sessions that each
    filter keeps, (S,): but for `all`, of those alone that are whole
    """

    is_whole: Bools
    first: Floats
    ends: Ints
    passing: dict[str, Bools]

    @classmethod
    def of(cls, chosen: Selection) -> Gaining:
        """Of the sessions of a selection."""
        sample, dcg = chosen.sample, chosen.query_scores["dcg"]
        queries, gained = sample.queries, np.where(np.isnan(dcg), np.nan, dcg > 0)
        at = np.maximum(np.column_stack([queries - 1, queries - 2]), 0)
        last, before = np.take_along_axis(gained, at, axis=1).T
        before = np.where(queries > 1, before, 0.0)
        cases = [last == 0, (last == 1) & (before == 1), (last == 1) & (before == 0)]
        count, some = np.nansum(gained, axis=1), gained == 1
        whole = np.equal(sample.is_judged_query.sum(axis=1), queries)
        once = whole & (count == 1)
        return cls(
            is_whole=whole,
            first=np.where(some.any(axis=1), some.argmax(axis=1) + 1.0, np.nan),
            ends=np.select(cases, [2, 1, 0], UNKNOWN_END),
            passing={
                ALL: np.ones(count.size, dtype=bool),
                NOTHING: whole & (count == 0),
                GAVE_UP: once & (last == 0),
                LAST_ONLY: once & (last == 1) & (queries > 1),
            },
        )


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
    return [*ORDERS, *(f"{RATING}{name}" for name in session_rating_columns(study))]


def listed_rows(
    study: Study, chosen: Selection, gaining: Gaining, order: str, only: str = ALL
) -> Ints:
    """Judged sessions of a selection that a filter keeps, as an order has them; equals by the log.

    Raises
    ------
    ValueError : an order that the study does not have, or a filter that is none
    """
    _check("order", order, orders_of(study))
    _check("filter", only, ONLY)
    rows = np.flatnonzero(chosen.sample.judged & gaining.passing[only])
    return rows[np.argsort(_sorted_by(study, chosen, gaining, order)[rows], kind="stable")]


def _check(what: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ValueError(f"no {what} {name!r}; there are {', '.join(known)}")


def _sorted_by(study: Study, chosen: Selection, gaining: Gaining, order: str) -> Floats:
    """What sessions are sorted by, lowest first, (S,); nan comes last."""
    sample, block = chosen.sample, chosen.sample.block
    if order.startswith(RATING):
        values = pd.to_numeric(study.sessions[order.removeprefix(RATING)])
        return -values.to_numpy(dtype=float, na_value=np.nan)[sample.sessions]
    searchers = block.searchers[sample.sessions]
    topics = pd.Index(study.topics).get_indexer(pd.Index(block.topic_names))
    keys = {
        "worth": lambda: -chosen.session_score("final"),
        "length": lambda: -sample.queries,
        "first gain": lambda: gaining.first,
        "searcher": lambda: np.where(searchers < 0, np.nan, searchers),
        "topic": lambda: topics[sample.topics[:, 0]],
        "system": lambda: sample.systems,
        "log": lambda: sample.sessions,
    }
    return np.asarray(keys[order](), dtype=float)


PARTS = "parts found"
SHADES = {  # by what cells are shaded: its column in tables, and what it is
    "dcg": ("dcg", "DCG of the query, before the query discount"),
    "relevant found": ("relevant_found", "relevant documents not shown earlier in the session"),
    "change of dcg": ("change_dcg", "change of DCG from the query before"),
    "repeated": ("repeated", "relevant documents that an earlier query had shown"),
    "still missing": ("missing", "relevant documents of the topic not shown so far"),
    "behind the ideal": ("behind", "how much the query loses against the ideal"),
    PARTS: ("parts_found", "share of the parts of the task found so far"),
}
MOST_LINES = 400  # beyond them sessions are drawn as bands
MOST_ROWS = 2000  # sessions from which on the page opens on one system and topic
MOST_CELLS, MOST_QUERIES = 100_000, 40  # that are coloured; each colour is a rule of style
MOST_SHOWN = 2_000_000  # numbers that a browser is sent; the table to take away has all


def cell_shades(study: Study) -> dict[str, str]:
    """What cells of a study's wall can be shaded by, and what each is."""
    every = {shade: about for shade, (_, about) in SHADES.items()}
    return every if has_parts(study) else {name: every[name] for name in every if name != PARTS}


@dataclass(frozen=True, eq=False)
class IndividualSessions:
    """Single sessions in an order, one row each: their curves V, and what each query brought.

    system: whose they are, "" for those of all; systems (N,): place of each session's among
    `system_names`;
    vectors (N, P): V at each position, level after the session's end; ends (N,): its last
    position, from 1; steps (N, Q): the last position of each of its queries; places (N,): each
    among the sessions that the filters leave, in the log's order; `scores` has one row per
    session, in the same order, and so does `ratings`, numbers that came along with the log

    brought : by column of ``SHADES``, the first three and that of `shade`, (N, Q), nan where
    undefined or beyond the session · results (N, Q) : of each query, in the top X · ended (N,) :
    how each ended, as in ``ENDS``, −1 where that is undefined · by_filter : sessions that each
    filter would keep of those it chose from
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
    only: str
    brought: dict[str, Floats]
    results: Ints
    ended: Ints
    shade: str
    by_filter: dict[str, int]
    not_whole: int

    def end(self, length: int) -> int:
        """Last position of an axis that is cut at so many queries."""
        return min(self.vectors.shape[1], length * self.top)

    def session_list_table(self, *, with_curves: bool = True) -> pd.DataFrame:
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
        return pd.DataFrame(
            {
                "session": named(row, self.names),
                "system": named(self.systems.astype(np.int16)[row], self.system_names),
                "position": np.broadcast_to(place, own.shape)[own],
                "value": self.vectors[own],
            },
            copy=False,
        )

    def rows_by_system(self) -> dict[str, Ints]:
        """Rows of each system that has any, by name, in the study's order."""
        return {
            self.system_names[i]: np.flatnonzero(self.systems == i) for i in np.unique(self.systems)
        }

    @property
    def ended_so(self) -> list[str]:
        """How each ended, in words."""
        return np.array([*ENDS, "undefined"])[self.ended].tolist()

    @property
    def by_end(self) -> dict[str, int]:
        """Sessions by how they ended."""
        return {end: int((self.ended == place).sum()) for place, end in enumerate(ENDS)}

    @property
    def shown_queries(self) -> int:
        """Queries that have a column where the wall is shown: all, unless they are very many."""
        return min(self.longest, max(MOST_QUERIES, MOST_SHOWN // max(1, len(self.names))))

    @property
    def shown_values(self) -> Floats:
        """What these columns show, (N, shown queries)."""
        return self.brought[SHADES[self.shade][0]][:, : self.shown_queries]

    @property
    def asked(self) -> Bools:
        """Whether a session has its q-th query, (N, Q)."""
        return np.less(np.arange(self.results.shape[1]), self.scores["queries"].to_numpy()[:, None])

    @property
    def unjudged(self) -> Bools:
        """Which of the values shown are undefined, but for changes of first queries."""
        unknown = self.asked[:, : self.shown_queries] & np.isnan(self.shown_values)
        unknown[:, 0] &= self.shade != "change of dcg"
        return unknown

    @property
    def is_coloured(self) -> bool:
        """Whether the wall's cells are coloured where it is shown, and drawn as a figure."""
        return self.longest <= MOST_QUERIES and len(self.names) * self.longest <= MOST_CELLS

    def table(self) -> pd.DataFrame:
        """One row per session and query, in the order of the wall."""
        row, query = (place.astype(np.int32) for place in np.nonzero(self.asked))
        sessions = self.scores[["session", "system", "searcher", "topic"]]
        sessions = sessions.assign(end=np.array([*ENDS, ""])[self.ended]).astype("category")
        numbers = {name: each[row, query] for name, each in self.brought.items()}
        return (
            sessions.iloc[row]
            .assign(query_number=query + 1, results=self.results[row, query], **numbers)
            .reset_index(drop=True)
        )


def individual_sessions(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    topic: str | None = None,
    order: str = "worth",
    only: str = ALL,
    shade: str = "dcg",
) -> IndividualSessions:
    """The sessions of one system or all, on one topic or all, within the filters.

    order : one of `orders_of` the study · only : one of ``ONLY`` · shade : one of `shades_of` it

    Raises
    ------
    ValueError : an order, filter or shade that is none
    """
    _check("shade", shade, cell_shades(study))
    chosen = select(study, definition, filters.of(system, topic))
    sample, gaining = chosen.sample, Gaining.of(chosen)
    block, several = sample.block, sample.others > 0
    rows = listed_rows(study, chosen, gaining, order, only)
    silent = several & ~(gaining.first < sample.queries)
    found = np.where(sample.is_judged_query, brought(chosen), np.nan)
    dcg, change = (chosen.query_scores[name] for name in ("dcg", "change_dcg"))
    each = {"dcg": dcg, "relevant_found": found, "change_dcg": change}
    if (column := SHADES[shade][0]) not in each:
        each[column] = shortfall_of(study, chosen).columns[column]
    sessions = sample.sessions[rows]
    names = study.sessions["session"].astype(str).to_numpy()[sessions]
    searchers = np.array([*block.searcher_names, ""], dtype=object)[block.searchers[sessions]]
    scores = pd.DataFrame(
        {
            "session": names,
            "system": np.array(block.system_names, dtype=object)[sample.systems[rows]],
            "searcher": searchers,
            "topic": np.array(session_topics(sample), dtype=object)[rows],
            "queries": sample.queries[rows],
            **{name: score[rows] for name, score in chosen.session_scores.items()},
        },
        copy=False,
    )
    ratings = study.sessions[[*session_rating_columns(study)]].iloc[sessions]
    passing = {name: int((own & sample.judged).sum()) for name, own in gaining.passing.items()}
    return IndividualSessions(
        names=tuple(map(str, names)),
        system=system or "",
        systems=sample.systems[rows],
        system_names=block.system_names,
        vectors=np.concatenate([part.worth.vector for part in chosen.parts()])[rows],
        ends=sample.cells.sum(axis=1)[rows],
        steps=(np.cumsum(sample.cells, axis=1) * sample.has_query)[rows],
        places=rows,
        scores=scores,
        ratings=ratings.reset_index(drop=True),
        per_query=definition.top if definition.short_lists == "pad" else None,
        top=definition.top,
        silent=int(silent[rows].sum()),
        several=int(several[rows].sum()),
        without_judgments=int((~sample.judged).sum()),
        only=only,
        brought={name: values[rows] for name, values in each.items()},
        results=shown_in_top(study, chosen)[0][rows],
        ended=gaining.ends[rows],
        shade=shade,
        by_filter={name: number for name, number in passing.items() if name != ALL},
        not_whole=int((sample.judged & ~gaining.is_whole).sum()),
    )
