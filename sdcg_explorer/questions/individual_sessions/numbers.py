"""Which sessions are listed, in which order, their curves, and what each of their queries did.

And where one went wrong: what each query brought anew, repeated and missed, and where it fell.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.metrics import SESSION_SCORES, concatenated, session_score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring import cache, ratings, residuals
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import Measured, brought, session_score_of
from sdcg_explorer.scoring.scores import named, names_of, session_topics, shown_in_top
from sdcg_explorer.scoring.selection import ROUNDING, Selection, select, select_one, stacked
from sdcg_explorer.study.annotations import JOINED, Tags, cleaned_tags
from sdcg_explorer.study.columns import category_codes
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import PART, PARTED, Study, extra_columns, in_order

# how a session ended, and what that means: exclusive, and one of them wherever both are known
ENDS = {
    "found and stopped": "the last query gained, the one before it didn't (or there was none)",
    "still gaining": "the last two queries gained",
    "stopped without gain": "the last query gained nothing",
}
ALL = "all"
NOTHING = "gained nothing"
GAVE_UP = "gave up after a first success"
LAST_ONLY = "only the last gained"
ONLY = {  # filters, and which sessions each keeps
    ALL: "every session",
    NOTHING: "no query gained",
    GAVE_UP: "one query gained, and it wasn't the last",
    LAST_ONLY: "of several queries the last one gained, and no other",
}


@dataclass(frozen=True, eq=False)
class Gaining:
    """Which queries of sessions gained: dcg above 0; b and bq change nothing here.

    is_whole (S,) : whether every query of each session is on a topic that somebody judged · first
    (S,) : number of the first query that gained, nan where none did, or one before it is unjudged ·
    early (S,) : whether any gained before the last, nan where unjudged ones may have · ends (S,) :
    place of each session's end among ``ENDS``, −1 where the queries that tell it are on unjudged
    topics · passing : sessions that each filter keeps, (S,): but for `all`, of whole ones alone
    """

    is_whole: Bools
    first: Floats
    early: Floats
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
        count, first = np.nansum(gained, axis=1), np.argmax(gained != 0, axis=1)
        has_gained = np.take_along_axis(gained, first[:, None], axis=1)[:, 0] == 1
        earlier = np.where(np.arange(gained.shape[1]) < queries[:, None] - 1, gained, 0.0)
        whole = np.equal(sample.is_judged_query.sum(axis=1), queries)
        once = whole & (count == 1)
        return cls(
            is_whole=whole,
            first=np.where(has_gained, first + 1.0, np.nan),
            early=np.where(np.any(earlier == 1, axis=1), 1.0, earlier.sum(axis=1)),
            ends=np.select(cases, [2, 1, 0], -1),
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
    "first gain": "first query that gained, earliest first; unknown or none last",
    "searcher": "alphabetical",
    "topic": "alphabetical",
    "system": "alphabetical",
    "log": "order of the log",
}


def sort_orders(study: Study) -> list[str]:
    """Orders that a study's sessions can have: ``ORDERS``, and each rating."""
    return [*ORDERS, *(f"{ratings.RATING}{name}" for name in ratings.session_rating_columns(study))]


UNGROUPED = "none"
NO_VALUE = "not known"
END, TAG = "end", "tag"
OWN_GROUPS = ("system", "topic", "searcher", END, TAG)
MOST_VALUES = 20  # of a column that came along, so that it groups sessions


@cache.kept
def _extra_columns(study: Study) -> dict[str, tuple[tuple[str, ...], Ints]]:
    """Values of the columns of sessions that came along with few, and each session's place there.

    By the column's name, which is marked where it is that of a group of our own; −1 is no value.
    """
    columns: dict[str, tuple[tuple[str, ...], Ints]] = {}
    for name in extra_columns(study.sessions):
        column = study.sessions[name]
        numbers = pd.api.types.is_numeric_dtype(column)
        texts = column.astype(str)
        empty = texts.isin(["", NO_VALUE])
        known = column.to_numpy(float, na_value=np.nan) if numbers else texts.mask(empty)
        codes, values = pd.factorize(known, sort=True)
        words = [label(each) if numbers else str(each) for each in values[: MOST_VALUES + 1]]
        if np.unique(codes).size > 1 and len(values) <= MOST_VALUES:
            own = f"{name} (of the log)" if name in (UNGROUPED, *OWN_GROUPS) else name
            columns[own] = (*words,), codes
    return columns


def facets_of(study: Study, tags: Tags) -> dict[str, tuple[str, ...]]:
    """What sessions can be narrowed by beyond the filters of every page, and all its values."""
    given = {tag for of_query in tags.values() for tag in of_query} - {NO_VALUE}
    own = {END: (*ENDS,), **({TAG: cleaned_tags(given)} if given else {})}
    along = {name: words for name, (words, _) in _extra_columns(study).items()}
    return {name: (*words, NO_VALUE) for name, words in (own | along).items()}


def groups_of(study: Study, tags: Tags) -> list[str]:
    """What sessions can be grouped by, first not at all."""
    searchers = ["searcher"] if study.block().searcher_names else []
    return [UNGROUPED, "system", "topic", *searchers, *facets_of(study, tags)]


def facet(name: str, value: str) -> str:
    """A value by which sessions are narrowed, as links have it; no two of different columns alike.

    >>> facet("end", "gave up"), facet("a: b", "c"), facet("a", "b: c")
    ('end: gave up', 'a:: b: c', 'a: b: c')
    """
    return f"{name.replace(':', '::')}: {value}"


def _group_values(
    study: Study, chosen: Selection, gaining: Gaining, tags: Tags, by: str
) -> pd.Series:
    """Values by which the sessions of a selection are grouped, ``NO_VALUE`` where none is known.

    Categories, by the row of the session, which with several tags has several.
    """
    sample, block = chosen.sample, chosen.sample.block
    if by == TAG:
        names = study.sessions["session"].astype(str).to_numpy()[sample.sessions].tolist()
        given = pd.Series(_tags_of(names, tags), dtype=object).str.split(JOINED).explode()
        kind = pd.CategoricalDtype([*facets_of(study, tags)[TAG]])
        return given.replace("", NO_VALUE).astype(kind)
    if by == "system":
        known, codes = block.system_names, sample.systems
    elif by == "searcher":
        known, codes = block.searcher_names, block.searchers[sample.sessions]
    elif by == "topic":
        topics = session_topics(sample)
        known = in_order(set(topics))
        codes = pd.Index(known).get_indexer(pd.Index(topics))
    elif by == END:
        known, codes = (*ENDS,), gaining.ends
    else:
        known, places = _extra_columns(study)[by]
        codes = places[sample.sessions]
    words = np.array([*known, NO_VALUE], dtype=object)  # code −1 is its last
    return pd.Series(pd.Categorical(words[codes], [*dict.fromkeys(words)]))


def filter_by_facets(
    values: dict[str, pd.Series], where: Collection[str], left: Bools
) -> tuple[Bools, dict[str, int]]:
    """Whether a session has a value that is asked for, and how many of those `left` have which.

    left (S,) : sessions that all other filters keep

    Returns
    -------
    (S,) whether it has, of each column of which some are asked for, one of them; and by `facet`
    the sessions that have a value, as all columns but its own are asked for
    """
    passing: dict[str, Bools] = {}
    for name, own in values.items():
        wanted = [word for word in own.cat.categories if facet(name, word) in where]
        passing[name] = np.full(left.size, not wanted)
        passing[name][own.index[own.isin(wanted)]] = True
    counts: dict[str, int] = {}
    for name, own in values.items():
        among = np.logical_and.reduce([left, *(passing[of] for of in values if of != name)])
        number = own[among[own.index]].value_counts(sort=False)
        counts |= {facet(name, str(word)): int(n) for word, n in number.items()}
    return np.logical_and.reduce([*passing.values()]), counts


def _tags_of(names: Sequence[str], tags: Tags) -> list[str]:
    """Tags of the queries of sessions, by session, each once."""
    by_session: dict[str, list[str]] = {}
    for (name, _), own in tags.items():
        by_session.setdefault(name, []).extend(own)
    return [JOINED.join(cleaned_tags(by_session.get(name, ()))) for name in names]


def _check_name(what: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ValueError(f"no {what} {name!r}; there are {', '.join(known)}")


def _sort_keys(study: Study, chosen: Selection, gaining: Gaining, order: str) -> Floats:
    """What sessions are sorted by, lowest first, (S,); nan comes last."""
    sample, block = chosen.sample, chosen.sample.block
    if order.startswith(ratings.RATING):
        values = pd.to_numeric(study.sessions[order.removeprefix(ratings.RATING)])
        return -values.to_numpy(dtype=float, na_value=np.nan)[sample.sessions]
    searchers = block.searchers[sample.sessions]
    topics = pd.Index(study.topics).get_indexer(pd.Index(block.topic_names))
    keys = {
        "worth": lambda: -session_score_of("final", chosen),
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
    "dcg": ("dcg", "not discounted by query"),
    "relevant found": ("relevant_found", "relevant documents in no earlier top X of the session"),
    "change of dcg": ("change_dcg", "change of DCG from the query before"),
    "repeated": ("repeated", "relevant documents that an earlier query had shown"),
    "still missing": ("missing", "relevant documents not found so far"),
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

    system : whose they are, "" for those of all · vectors (N, P) : V at each position, level after
    the session's end · ends (N,) : its last position, from 1 · steps (N, Q) : last position of each
    query · places (N,) : each among the sessions that the filters leave, in the log's order ·
    scores, along : a row per session: scores, and what came along with the log, where `rated` are
    ratings · early (N,) : as of `Gaining` · brought : by column of ``SHADES``, the first three and
    that of `shade`, (N, Q), nan where undefined or beyond the session · results (N, Q) : in the
    top X · ended (N,) : place in ``ENDS``, −1 where undefined · by_filter : sessions that each
    filter would keep ·
    gained_nothing (N,) : 1 where no query gained, 0 where one did, nan where some topic is unjudged
    · tags (N,) : of its queries, each once · where : values that sessions were narrowed by ·
    counts : sessions with each · grouped : their values of `group`
    """

    names: tuple[str, ...]
    system: str
    vectors: Floats
    ends: Ints
    steps: Ints
    places: Ints
    scores: pd.DataFrame
    along: pd.DataFrame
    rated: tuple[str, ...]
    per_query: int | None
    top: int
    early: Floats
    without_judgments: int
    only: str
    brought: dict[str, Floats]
    results: Ints
    ended: Ints
    shade: str
    by_filter: dict[str, int]
    not_whole: int
    gained_nothing: Floats
    tags: list[str]
    where: tuple[str, ...]
    counts: dict[str, int]
    group: str
    grouped: pd.Series | None

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
        taken = {name: f"{name} (rating)" for name in table}
        return table.join(self.along[[*self.rated]].rename(columns=taken))

    def all_columns(self) -> pd.DataFrame:
        """What is known of each session: whose it is, its scores, end, tags, and what came along.

        Columns that came along under a name of ours are marked.
        """
        table = self.scores.assign(end=self.ended_so, tags=self.tags)
        taken = {name: f"{name} (of the log)" for name in table.columns}
        return pd.concat([table, self.along.rename(columns=taken)], axis=1)

    def by_group(self) -> pd.DataFrame:
        """A row per group: sessions, their mean worth, and the share that gained nothing.

        A session with several tags is in several groups.
        """
        if (of := self.grouped) is None:
            return pd.DataFrame()
        columns = {
            "mean sDCG": self.scores["final"].to_numpy()[of.index],
            "share that gained nothing": self.gained_nothing[of.index],
        }
        each = pd.DataFrame(columns).groupby(of.array, observed=True)
        table = each.mean()
        table.insert(0, "sessions", each.size())
        return table.rename_axis(f"by {self.group}").reset_index()

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
                "system": pd.Categorical(self.scores["system"])[row],
                "position": np.broadcast_to(place, own.shape)[own],
                "value": self.vectors[own],
            },
            copy=False,
        )

    @property
    def ended_so(self) -> list[str]:
        """How each ended, in words."""
        return np.array([*ENDS, "undefined"])[self.ended].tolist()

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
        each = sessions.iloc[row].reset_index(drop=True)
        return each.assign(query_number=query + 1, results=self.results[row, query], **numbers)


def individual_sessions(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    order: str = "worth",
    only: str = ALL,
    shade: str = "dcg",
    group: str = UNGROUPED,
    where: Sequence[str] = (),
    tags: Tags | None = None,
) -> IndividualSessions:
    """The sessions of one system or all within the filters.

    order : one of `sort_orders` the study · only : one of ``ONLY`` · shade : one of `cell_shades`
    · group : one of `groups_of` it, by which they are sorted first · where : `facet`s; of those of
    one column a session has one, of several columns each · tags : of its queries

    Raises
    ------
    ValueError : an order, filter, shade, group or facet that is none
    """
    tags = tags or {}
    facets = facets_of(study, tags)
    _check_name("order", order, sort_orders(study))
    _check_name("shade", shade, cell_shades(study))
    _check_name("filter", only, ONLY)
    _check_name("group", group, groups_of(study, tags))
    for one in where:
        _check_name("facet", one, [facet(name, value) for name in facets for value in facets[name]])
    chosen = select(study, definition, filters.of(system))
    sample, gaining = chosen.sample, Gaining.of(chosen)
    values = {name: _group_values(study, chosen, gaining, tags, name) for name in facets}
    left = sample.judged & gaining.passing[only]
    passing, counts = filter_by_facets(values, where, left)
    rows = np.flatnonzero(left & passing)
    rows = rows[np.argsort(_sort_keys(study, chosen, gaining, order)[rows], kind="stable")]
    grouped = None
    if group != UNGROUPED:
        own = values.get(group)
        own = _group_values(study, chosen, gaining, tags, group) if own is None else own
        first = own.cat.codes.groupby(level=0).min().to_numpy()
        rows = rows[np.argsort(first[rows], kind="stable")]
        grouped = own[own.index.isin(rows)]
        grouped = grouped.set_axis(pd.Index(rows).get_indexer(grouped.index))
    found = np.where(sample.is_judged_query, brought(chosen), np.nan)
    dcg, change = (chosen.query_scores[name] for name in ("dcg", "change_dcg"))
    each = {"dcg": dcg, "relevant_found": found, "change_dcg": change}
    if (column := SHADES[shade][0]) not in each:
        each[column] = shortfall_of(study, chosen).columns[column]
    block = sample.block
    searchers = block.searchers[sample.sessions[rows]]
    scores = names_of(study, sample, rows).assign(
        queries=sample.queries[rows],
        **{name: session_score_of(name, chosen)[rows] for name in SESSION_SCORES},
    )
    scores.insert(2, "searcher", np.array([*block.searcher_names, ""], dtype=object)[searchers])
    along = study.sessions[extra_columns(study.sessions)].iloc[sample.sessions[rows]]
    names = tuple(scores["session"])
    kept = sample.judged & passing
    by_filter = {name: int((gaining.passing[name] & kept).sum()) for name in ONLY if name != ALL}
    return IndividualSessions(
        names=names,
        system=system or "",
        vectors=np.concatenate([part.worth.vector for part in chosen.parts()])[rows],
        ends=sample.cells.sum(axis=1)[rows],
        steps=(np.cumsum(sample.cells, axis=1) * sample.has_query)[rows],
        places=rows,
        scores=scores,
        along=along.reset_index(drop=True),
        rated=ratings.session_rating_columns(study),
        per_query=definition.top if definition.short_lists == "pad" else None,
        top=definition.top,
        early=gaining.early[rows],
        without_judgments=int((~sample.judged).sum()),
        only=only,
        brought={name: values[rows] for name, values in each.items()},
        results=shown_in_top(study, chosen)[0][rows],
        ended=gaining.ends[rows],
        shade=shade,
        by_filter=by_filter,
        not_whole=int((kept & ~gaining.is_whole).sum()),
        gained_nothing=np.where(gaining.is_whole, gaining.passing[NOTHING], np.nan)[rows],
        tags=_tags_of(names, tags),
        where=tuple(where),
        counts=counts,
        group=group,
        grouped=grouped,
    )


def has_parts(study: Study) -> bool:
    """Whether the judgments say which part of its task a document answers."""
    return PART in study.judgments


def parts_found(study: Study, chosen: Selection) -> tuple[Floats, Ints]:
    """Share of the parts of each session's topics that were found so far; and how many there are.

    A part is found where a relevant document that answers it stands in the session's cells.

    Returns
    -------
    (S, Q) shares, nan beyond the session and where its topics have no parts; (S,) parts
    """
    sample, known = chosen.sample, _judged_parts(study, chosen)
    topics = known.drop_duplicates(["topic", "part"])["topic"]
    number = Measured(chosen).sum_over_topics(
        np.bincount(topics, minlength=len(sample.block.topic_names))
    )
    shown = study.results_looked_at(chosen.definition.arrangement)
    near = np.flatnonzero(sample.places[shown.session] >= 0)
    row, query = sample.places[shown.session[near]], shown.number[near]
    topic, doc = sample.topics[row, query], category_codes(study.results["doc"])[shown.row[near]]
    results = pd.DataFrame({"row": row, "query": query, "topic": topic, "doc": doc})
    inside = results[shown.rank[near] <= sample.cells[row, query]].merge(known, on=["topic", "doc"])
    first = inside.sort_values("query").drop_duplicates(["row", "topic", "part"])
    found = np.zeros(sample.topics.shape)
    np.add.at(found, (first["row"], first["query"]), 1)
    whole = np.where(sample.has_query & (number > 0)[:, None], number[:, None], np.nan)
    return np.cumsum(found, axis=1) / whole, number


def _judged_parts(study: Study, chosen: Selection) -> pd.DataFrame:
    """Topic and document, as codes, and part of each judgment that gains."""
    table = study.judged_by(chosen.definition.arrangement)
    worth = chosen.weights[np.searchsorted(study.labels, table["grade"].to_numpy(dtype=float))]
    names = pd.Index(table["topic"].astype("str"))
    topic = pd.Index(chosen.sample.block.topic_names).get_indexer(names)
    pairs = pd.DataFrame({"topic": topic, "doc": category_codes(table["doc"])})
    pairs["part"] = table[PART].astype("str").str.split(PARTED).to_numpy()
    pairs = pairs[(worth > 0) & (topic >= 0)].drop_duplicates(["topic", "doc"]).explode("part")
    return pairs[pairs["part"] != ""]


@dataclass(frozen=True, eq=False)
class Shortfall:
    """What queries of sessions (S,) brought, and lacked; nan where nobody judged the topic.

    columns : what is known of each query, (S, Q). new, repeated : relevant documents that no
    earlier top X of the session had, and that one had · missing : relevant documents of its topic
    in no top X of the session so far · behind : by how much farther the curve lies beneath its
    ideal at the query's end than before it · parts_found : share of the parts of the session's
    topics found so far, where judgments name any

    left (S,) : relevant documents of the session's topics in none of its top
    X, nan where nobody judged them · whole (S,) : parts of the session's topics · has_ideal (S,) :
    whether its ideal gains anything
    """

    names: pd.Categorical
    systems: pd.Categorical
    topics: NDArray[np.object_]
    queries: Ints
    columns: dict[str, Floats]
    left: Floats
    whole: Ints
    has_ideal: Bools

    @property
    def worst(self) -> Ints:
        """Query at which each session falls behind most, from 1, the first of several; (S,).

        0 where it never falls behind.
        """
        behind = np.nan_to_num(self.columns["behind"], nan=-np.inf)
        most = behind.max(axis=1, keepdims=True)
        return np.where(most[:, 0] > ROUNDING, (behind >= most - ROUNDING).argmax(axis=1) + 1, 0)

    @property
    def complete_at(self) -> Floats:
        """Query at which all parts were found, (S,); nan where they never were, or are none."""
        whole = self.columns.get("parts_found", np.zeros((self.whole.size, 1))) >= 1 - ROUNDING
        return np.where(whole.any(axis=1), whole.argmax(axis=1) + 1.0, np.nan)

    def take(self, rows: Ints) -> Shortfall:
        """Of some sessions."""
        columns = {name: each[rows] for name, each in self.columns.items()}
        others = {name: each[rows] for name, each in vars(self).items() if name != "columns"}
        return replace(self, columns=columns, **others)

    def table(self) -> pd.DataFrame:
        """A row per query of each session; worst marks the one at which it falls behind most."""
        most = self.columns["new"].shape[1]
        row, query = np.nonzero(np.less(np.arange(most), self.queries[:, None]))
        return pd.DataFrame(
            {
                "session": self.names[row],
                "system": self.systems[row],
                "topic": self.topics[row],
                "query_number": query + 1,
                **{name: values[row, query] for name, values in self.columns.items()},
                "worst": (query + 1 == self.worst[row]).astype(int),
            }
        )


def shortfall(
    study: Study, definition: Definition, filters: Filters, *, system: str | None = None
) -> Shortfall:
    """Where sessions on judged topics fell short; of one system or all."""
    chosen = select(study, definition, filters.of(system))
    return shortfall_of(study, chosen).take(np.flatnonzero(chosen.sample.judged))


def shortfall_of(study: Study, chosen: Selection) -> Shortfall:
    """The shortfall of the sessions of a selection."""
    sample = chosen.sample
    each = stacked(map(_shortfall_counts, chosen.parts()))
    of = Measured(chosen)
    relevant = of.sum_over_topics(of.relevant_document_counts)
    left = np.maximum(relevant - np.nansum(each["new"], axis=1), 0)
    whole = np.zeros(sample.sessions.size, dtype=np.int64)
    if has_parts(study):
        each["parts_found"], whole = parts_found(study, chosen)
    return Shortfall(
        names=named(sample.sessions, study.sessions["session"].cat.categories),
        systems=named(sample.systems, sample.block.system_names),
        topics=np.array(session_topics(sample), dtype=object),
        queries=sample.queries,
        columns=each,
        left=np.where(sample.judged, left, np.nan),
        whole=whole,
        has_ideal=chosen.final_ideals > 0,
    )


def _shortfall_counts(chosen: Selection) -> dict[str, Floats]:
    """What is new, repeated, missing and behind, of some of the sessions."""
    of, sample = Measured(chosen), chosen.sample
    relevant = np.append(of.relevant_document_counts, 0)[sample.pools]
    ends = chosen.ideals()[:, :, -1]
    each = {
        "new": of.brought,
        "repeated": of.repeated,
        "missing": np.maximum(relevant - _documents_so_far(of.brought, sample.pools), 0),
        "behind": np.diff(ends, axis=1, prepend=0.0) - chosen.query_scores["sdcg"],
    }
    return {name: np.where(sample.is_judged_query, values, np.nan) for name, values in each.items()}


def _documents_so_far(brought: Ints, topics: Ints) -> Ints:
    """Documents that a session's queries on one topic brought, up to each of them, (S, Q)."""
    session, query = np.nonzero(topics >= 0)
    strand = session * (topics.max(initial=0) + 1) + topics[session, query]
    found = np.zeros(topics.shape, dtype=np.int64)
    found[session, query] = pd.Series(brought[session, query]).groupby(strand).cumsum()
    return found


THING = ["topic", "doc"]
RESULT_COLUMNS = ("query_number", "rank", "doc", "grade", "gain", "d(r)", "contribution", "marks")


@dataclass(frozen=True, eq=False)
class Inspected:
    """A session under a definition, and what it missed and opened in vain.

    queries : a row per query · results : a row per logged result, `contribution` adding up to
    `final` · vector, ideal (P,) : V and I over the session's own cells · ends (Q,) : last cell of
    each query · highest : `final` were all unjudged results worth the highest gain, nan where that
    can't be said · along : what came along with the log of the session, by column

    brought : query_number, text, new, repeated, missing, behind, and parts_found where parts are
    known · worst : the query at which its curve falls behind its ideal most, 0 where it never does
    · behind : by how much it does in all; nan where nobody judged its topics
    · relevant : relevant documents of its topics · top : ranks of each query that count ·
    never_shown : those that stand in none of its cells, best first · unopened : those that stand
    there and were never clicked · in_vain : documents that were clicked and gain nothing; both as
    they first stood, and None where the log knows of no clicks · parts : parts of its topics
    """

    session: str
    system: str
    searcher: str
    queries: pd.DataFrame
    results: pd.DataFrame
    vector: Floats
    ideal: Floats
    ends: tuple[int, ...]
    final: float
    share: float
    highest: float
    along: dict[str, str]
    brought: pd.DataFrame
    worst: int
    behind: float
    relevant: int
    top: int
    never_shown: pd.DataFrame
    unopened: pd.DataFrame | None
    in_vain: pd.DataFrame | None
    parts: int

    def query_results(self, number: int) -> pd.DataFrame:
        """Results of one query."""
        rows = self.results[self.results["query_number"] == number]
        return rows.drop(columns="query_number").reset_index(drop=True)


def inspect(study: Study, definition: Definition, filters: Filters, *, session: str) -> Inspected:
    """What each query and each result of a session contributed, and what the session missed.

    `filters` change nothing here.

    Raises
    ------
    ValueError : the study has no such session
    """
    chosen = select_one(study, definition, session)
    sample, block, short = chosen.sample, chosen.sample.block, shortfall_of(study, chosen)
    final, part = (session_score(name, chosen.worth) for name in ("final", "final_normalised"))
    cells, own = int(sample.cells.sum()), int(sample.sessions[0])
    logged = _logged_results(study, chosen)
    queries = _query_table(study, chosen, session, logged)
    lacks = pd.DataFrame({name: each[0, : len(queries)] for name, each in short.columns.items()})
    relevant, shown = _relevant_documents(study, chosen), logged[logged["judged"]]
    standing = shown[shown["inside"]].drop_duplicates(THING)
    is_known = logged.empty or not logged["clicked"].isna().all()
    clicked = shown[shown["clicked"].fillna(False).astype(bool)]
    gaining, vain = standing[standing["weight"] > 0], shown[shown["weight"] == 0]
    return Inspected(
        session=session,
        system=block.system_names[int(block.systems[own])],
        searcher=[*block.searcher_names, ""][int(block.searchers[own])],
        queries=queries,
        results=logged[[*RESULT_COLUMNS]],
        vector=chosen.worth.vector[0, :cells],
        ideal=concatenated(chosen.layout_ideals, sample.cells)[0, :cells],
        ends=tuple(np.cumsum(sample.cells[0]).tolist()),
        final=float(final[0]),
        share=float(part[0]),
        highest=float(residuals.highest_worth(study, chosen)[0]),
        along=_extra_session_values(study.sessions.iloc[own]),
        brought=pd.concat([queries[["query_number", "text"]], lacks], axis=1),
        worst=int(short.worst[0]),
        behind=float(lacks["behind"].sum(min_count=1)),
        relevant=len(relevant),
        top=definition.top,
        never_shown=relevant[~_is_among_documents(relevant, standing)].reset_index(drop=True),
        unopened=_first_seen(gaining[~_is_among_documents(gaining, clicked)]) if is_known else None,
        in_vain=_first_seen(vain[_is_among_documents(vain, clicked)]) if is_known else None,
        parts=int(short.whole[0]),
    )


def _is_among_documents(documents: pd.DataFrame, others: pd.DataFrame) -> Bools:
    """Whether each document, on its topic, is among others."""
    return pd.MultiIndex.from_frame(documents[THING]).isin(pd.MultiIndex.from_frame(others[THING]))


def _first_seen(results: pd.DataFrame) -> pd.DataFrame:
    """Documents as they first stood."""
    place = ["query_number", "rank", *THING, "grade"]
    return results.drop_duplicates(THING)[place].reset_index(drop=True)


def _relevant_documents(study: Study, chosen: Selection) -> pd.DataFrame:
    """Relevant documents of the session's topics: topic, doc, grade, part; the best first."""
    session = str(study.sessions["session"].iloc[int(chosen.sample.sessions[0])])
    table = study.judged_by(chosen.definition.arrangement, session)
    asked = np.array(chosen.sample.block.topic_names, dtype=object)[chosen.sample.topics[0]]
    own = table[table["topic"].isin(asked)]
    grades = own["grade"].to_numpy(dtype=float)
    gains = chosen.weights[np.searchsorted(study.labels, grades)]
    columns = [*THING, "grade", *([PART] if PART in own else [])]
    found = own[columns].astype(dict.fromkeys(THING, "str"))
    found = found.assign(grade=[*map(label, grades)], gain=gains)[gains > 0]
    found = found.sort_values(["gain", *THING], ascending=[False, True, True])
    return found.drop_duplicates(THING).drop(columns="gain")


def _logged_results(study: Study, chosen: Selection) -> pd.DataFrame:
    """Each logged result of a session, by query and rank, and what it contributed.

    grade : as the definition reads it · weight : what that grade is worth, 0 where nobody judged
    it · inside : whether it stands in the session's cells · judged : whether its query's topic is
    """
    sample, how = chosen.sample, chosen.definition.arrangement
    own, logged = int(sample.sessions[0]), study.results_looked_at()
    kept = study.results_looked_at(how)
    rows = np.flatnonzero(logged.session == own)
    rows = rows[np.lexsort((logged.rank[rows], logged.number[rows]))]
    near = np.flatnonzero(kept.session == own)
    places = pd.Series(kept.rank[near], index=kept.row[near]).reindex(logged.row[rows])
    query, place = logged.number[rows], places.fillna(0).to_numpy(dtype=np.int64)
    counted, inside = places.notna().to_numpy(), (place > 0) & (place <= sample.cells[0][query])
    grade = (logged.own if how.own else logged.label)[rows]
    names = np.array([*map(label, study.labels), study.ungraded], dtype=object)
    table, topics = study.results.iloc[logged.row[rows]], study.queries["topic"].array
    rank, judged = np.where(inside, place, 1) - 1, sample.is_judged_query[0][query]
    gain = np.where(judged, np.where(inside, chosen.gains[0][query, rank], 0.0), np.nan)
    discount = np.where(inside, chosen.discount()[rank], np.nan)
    marks = {
        "repeat": logged.before[rows] <= chosen.definition.top,
        "again in this list": logged.within[rows] < logged.rank[rows],
        study.ungraded: grade == logged.unjudged,
        "clicked": table["clicked"].fillna(False).astype(bool),
        "left out": ~counted,
        "not counted": counted & ~inside,
    }
    each = zip(*marks.values(), strict=True)
    return pd.DataFrame(
        {
            "query_number": query + 1,
            "rank": logged.rank[rows],
            "topic": topics.categories[topics.codes[logged.query[rows]]].astype("str"),
            "doc": table["doc"].astype("str").to_numpy(),
            "grade": names[grade],
            "gain": gain,
            "d(r)": discount,
            "contribution": gain * np.nan_to_num(discount) * chosen.factors[query],
            "marks": [", ".join(compress(marks, holds)) for holds in each],
            "weight": chosen.weights[grade],
            "inside": inside,
            "judged": judged,
            "clicked": table["clicked"].array,
        }
    )


def _extra_session_values(row: pd.Series) -> dict[str, str]:
    """Ratings and whatever else came along with a session; nothing where it has no value."""
    values = {name: row[name] for name in extra_columns(row.to_frame().T)}
    return {
        name: f"{value:g}" if isinstance(value, float | int) else str(value)
        for name, value in values.items()
        if not pd.isna(value) and value != ""
    }


def _query_table(
    study: Study, chosen: Selection, session: str, logged: pd.DataFrame
) -> pd.DataFrame:
    """Text, time, results, clicks, worth and change of each query, and what came along with it."""
    rows = study.queries[study.queries["session"] == session].sort_values("query_number")
    number = rows["query_number"].to_numpy()
    shown = logged.groupby("query_number")["clicked"].agg(["size", "sum"])
    shown = shown.reindex(number, fill_value=0)
    unknown = bool(logged["clicked"].isna().all())
    table = pd.DataFrame(
        {
            "query_number": number,
            "topic": rows["topic"].astype("str").to_numpy(),
            "text": rows["text"].to_numpy(),
            "time": rows["time"].to_numpy(),
            "results": shown["size"].to_numpy(),
            "clicked": np.nan if unknown else shown["sum"].to_numpy(dtype=np.int64),
            **{name: chosen.query_scores[name][0] for name in ("dcg", "sdcg", "change_dcg")},
        }
    )
    taken = {name: f"{name} (rating)" for name in (*table, "query", "tags")}
    return table.join(rows[extra_columns(rows)].reset_index(drop=True).rename(columns=taken))


def documents_to_judge(study: Study, session: str, number: int) -> tuple[str, list[str]]:
    """Topic of a query, and documents that it shows without a judgment but one's own, in order.

    Raises
    ------
    ValueError : the study has no such query
    """
    of_query = (study.queries["session"] == session) & (study.queries["query_number"] == number)
    if not of_query.any():
        raise ValueError(f"no query {number} of session {session!r} in the study")
    topic = str(study.queries.loc[of_query, "topic"].iloc[0])
    rows = (study.results["session"] == session) & (study.results["query_number"] == number)
    shown = study.results.loc[rows].sort_values("rank")["doc"].astype("str").drop_duplicates()
    judged = study.judgments.loc[study.judgments["topic"] == topic, "doc"].astype("str")
    others = {*judged} - {doc for of, doc in study.layer if of == topic}
    return topic, [doc for doc in shown if doc not in others]
