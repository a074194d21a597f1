"""Where did it go wrong? What each query brought anew, repeated and missed, and where it fell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.metrics import concatenated, session_score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import Measured
from sdcg_explorer.scoring.residuals import highest_worth
from sdcg_explorer.scoring.scores import named, session_topics
from sdcg_explorer.scoring.selection import ROUNDING, Sample, Selection, select, select_one
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.result_rows import codes
from sdcg_explorer.study.study import PART, PARTED, Study, came_along


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
    sample = chosen.sample
    judged = _judged_parts(study, chosen)
    known = _by_topic(study, chosen, judged.drop_duplicates(["topic", "part"])["topic"])
    number = over_topics(sample, known)
    shown = _shown(study, chosen).merge(judged, on=["topic", "doc"])
    first = shown.groupby(["row", "topic", "part"])["query"].min().reset_index()
    found = np.zeros(sample.topics.shape)
    np.add.at(found, (first["row"], first["query"]), 1)
    whole = np.where(sample.asked_at & (number > 0)[:, None], number[:, None], np.nan)
    return np.cumsum(found, axis=1) / whole, number


def _judged_parts(study: Study, chosen: Selection) -> pd.DataFrame:
    """Topic, document and part of each judgment that gains, as codes."""
    table = study.judged_by(chosen.definition.arrangement)
    gains = chosen.definition.gains(study.labels)
    worth = gains[np.searchsorted(study.labels, table["grade"].to_numpy(dtype=float))]
    pairs = pd.DataFrame({"topic": codes(table["topic"]), "doc": codes(table["doc"])})
    pairs["part"] = table[PART].astype("str").str.split(PARTED).to_numpy()
    pairs = pairs[worth > 0].drop_duplicates(["topic", "doc"]).explode("part")
    pairs = pairs[pairs["part"] != ""]
    return pairs.assign(part=pd.factorize(pairs["part"])[0])


def _shown(study: Study, chosen: Selection) -> pd.DataFrame:
    """Row, query, topic and document of each result in the sessions' cells."""
    sample, shown = chosen.sample, study.looked_at(chosen.definition.arrangement)
    place = np.full(len(study.sessions), -1)
    place[sample.sessions] = np.arange(sample.sessions.size)
    row = place[shown.session]
    near = np.flatnonzero(row >= 0)
    near = near[shown.rank[near] <= sample.cells[row[near], shown.number[near]]]
    topic, doc = codes(study.queries["topic"]), codes(study.results["doc"])
    return pd.DataFrame(
        {
            "row": row[near],
            "query": shown.number[near],
            "topic": topic[shown.query[near]],
            "doc": doc[shown.row[near]],
        }
    )


def _by_topic(study: Study, chosen: Selection, of_parts: pd.Series[Any]) -> Ints:
    """Parts of each topic that a query is on, (T,); the topic of each part is given."""
    names = study.queries["topic"].cat.categories
    known = np.bincount(of_parts, minlength=len(names))
    return known[names.get_indexer(pd.Index(chosen.sample.block.topic_names))]


def over_topics(sample: Sample, values: Ints) -> Ints:
    """What the topics of each session come to, each topic once, (S,); `values` are theirs, (T,)."""
    row, query = np.nonzero(sample.asked_at)
    pairs = pd.DataFrame({"row": row, "topic": sample.topics[row, query]}).drop_duplicates()
    sums = np.bincount(pairs["row"], values[pairs["topic"]], sample.sessions.size)
    return sums.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Shortfall:
    """What queries of sessions brought, and lacked; (S, Q) each, nan where nobody judged the topic.

    new, repeated : relevant documents that no earlier query of the session had shown, and that one
    had · missing : relevant documents of its topic that the session has not shown so far · behind :
    by how much farther the curve lies beneath its ideal at the query's end than before it · parts :
    share of the parts of the session's topics found so far, None where judgments name none ·
    left (S,) : relevant documents of the session's topics that it never showed, nan where nobody
    judged them · whole (S,) : parts of the session's topics
    """

    new: Floats
    repeated: Floats
    missing: Floats
    behind: Floats
    parts: Floats | None
    left: Floats
    whole: Ints

    @property
    def worst(self) -> Ints:
        """Query at which each session falls behind most, from 1, the first of several; (S,).

        0 where it never falls behind.
        """
        behind = np.where(np.isnan(self.behind), -np.inf, self.behind)
        most = behind.max(axis=1, keepdims=True)
        first = (behind >= most - ROUNDING).argmax(axis=1) + 1
        return np.where(most[:, 0] > ROUNDING, first, 0)

    @property
    def complete_at(self) -> Floats:
        """Query at which all parts were found, (S,); nan where they never were, or are none."""
        if self.parts is None:
            return np.full(self.whole.size, np.nan)
        whole = self.parts >= 1 - ROUNDING
        return np.where(whole.any(axis=1), whole.argmax(axis=1) + 1.0, np.nan)

    def take(self, rows: Ints) -> Shortfall:
        """Of some sessions."""
        known = {name: each for name, each in vars(self).items() if each is not None}
        return replace(self, **{name: each[rows] for name, each in known.items()})

    @property
    def columns(self) -> dict[str, Floats]:
        """What is known of each query, by name, (S, Q)."""
        found = {} if self.parts is None else {"parts_found": self.parts}
        own = {"new": self.new, "repeated": self.repeated, "missing": self.missing}
        return {**own, "behind": self.behind, **found}


def shortfall_of(study: Study, chosen: Selection) -> Shortfall:
    """The shortfall of the sessions of a selection."""
    sample = chosen.sample
    each = [_of_part(part) for part in chosen.parts()]
    new, repeated, missing, behind = (np.concatenate(values) for values in zip(*each, strict=True))
    relevant = over_topics(sample, Measured(chosen).relevant_judged)
    left = np.maximum(relevant - np.nansum(new, axis=1), 0)
    parts, whole = None, np.zeros(sample.sessions.size, dtype=np.int64)
    if has_parts(study):
        parts, whole = parts_found(study, chosen)
    left = np.where(sample.judged, left, np.nan)
    return Shortfall(new, repeated, missing, behind, parts, left, whole)


def _of_part(chosen: Selection) -> list[Floats]:
    """What is new, repeated, missing and behind, of some of the sessions."""
    of, sample = Measured(chosen), chosen.sample
    relevant = np.append(of.relevant_judged, 0)[sample.topics]
    missing = np.maximum(relevant - _so_far(of.brought, sample.topics), 0)
    ends = chosen.ideals[sample.layouts[1]][:, :, -1]
    behind = np.diff(ends, axis=1, prepend=0.0) - chosen.query_scores["sdcg"]
    each = of.brought, of.repeated, missing, behind
    return [np.where(sample.judged_at, values, np.nan) for values in each]


def _so_far(brought: Ints, topics: Ints) -> Ints:
    """Documents that a session's queries on one topic brought, up to each of them, (S, Q)."""
    session, query = np.nonzero(topics >= 0)
    strand = session * (topics.max(initial=0) + 1) + topics[session, query]
    found = np.zeros(topics.shape, dtype=np.int64)
    found[session, query] = pd.Series(brought[session, query]).groupby(strand).cumsum()
    return found


@dataclass(frozen=True, eq=False)
class Shortfalls:
    """The shortfall of sessions with their names; N of them, all judged.

    names, systems : of each · topics, queries (N,)
    """

    of: Shortfall
    names: pd.Categorical
    systems: pd.Categorical
    topics: tuple[str, ...]
    queries: Ints

    def table(self) -> pd.DataFrame:
        """A row per query of each session; worst marks the one at which it falls behind most."""
        row, query = np.nonzero(np.less(np.arange(self.of.new.shape[1]), self.queries[:, None]))
        return pd.DataFrame(
            {
                "session": self.names[row],
                "system": self.systems[row],
                "topic": np.array(self.topics, dtype=object)[row],
                "query_number": query + 1,
                **{name: values[row, query] for name, values in self.of.columns.items()},
                "worst": (query + 1 == self.of.worst[row]).astype(int),
            }
        )


def shortfall(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    topic: str | None = None,
) -> Shortfalls:
    """Where sessions on judged topics fell short; of one system or all, on one topic or all."""
    chosen = select(study, definition, filters.of(system, topic))
    sample = chosen.sample
    rows = np.flatnonzero(sample.judged)
    topics = session_topics(sample)
    return Shortfalls(
        of=shortfall_of(study, chosen).take(rows),
        names=named(sample.sessions[rows], study.sessions["session"].cat.categories),
        systems=named(sample.systems[rows], sample.block.system_names),
        topics=tuple(topics[row] for row in rows.tolist()),
        queries=sample.queries[rows],
    )


THING = ["topic", "doc"]
PLACE = ["query_number", "rank"]


@dataclass(frozen=True, eq=False)
class Missed:
    """What a session missed, and opened in vain.

    queries : query_number, text, new, repeated, missing, behind, and parts_found where parts are
    known · worst : the query at which its curve falls behind its ideal most, 0 where it never
    does · worst_by, behind : by how much it falls there, and in all; nan where nobody judged its
    topics · stalled : first and last of the longest stretch of queries that brought nothing new
    while something was missing, the first of several; 0 and 0 for none · relevant : relevant
    documents of its topics · never_shown : those that stand in none of its cells, best first ·
    unopened : those that stand there and were never clicked · in_vain : documents that were clicked
    and gain nothing; both as they first stood, and None where the log knows of no clicks · parts :
    parts of its topics · complete_at : query at which all were found, nan where they never were
    """

    queries: pd.DataFrame
    worst: int
    worst_by: float
    behind: float
    stalled: tuple[int, int]
    relevant: int
    never_shown: pd.DataFrame
    unopened: pd.DataFrame | None
    in_vain: pd.DataFrame | None
    parts: int
    complete_at: float


def missed(study: Study, definition: Definition, filters: Filters, *, session: str) -> Missed:
    """What a session missed; `filters` change nothing here.

    Raises
    ------
    ValueError : the study has no such session
    """
    chosen = select_one(study, definition, session)
    short = shortfall_of(study, chosen)
    asked = np.arange(int(chosen.sample.queries[0]))
    rows = study.queries[study.queries["session"] == session].sort_values("query_number")
    columns = {name: values[0, asked] for name, values in short.columns.items()}
    worst, behind = int(short.worst[0]), short.behind[0, asked]
    logged = _logged(study, chosen)
    judged, shown = _relevant(study, chosen), logged[logged["judged"]]
    standing = shown[shown["inside"]].drop_duplicates(THING)
    left = judged.merge(standing[THING], on=THING, how="left", indicator=True)
    left = left[left["_merge"] == "left_only"].drop(columns="_merge")
    return Missed(
        queries=pd.DataFrame({"query_number": asked + 1, "text": rows["text"].array, **columns}),
        worst=worst,
        worst_by=float(behind[worst - 1]) if worst else 0.0,
        behind=_sum(behind),
        stalled=_longest((short.new[0, asked] == 0) & (short.missing[0, asked] > 0)),
        relevant=len(judged),
        never_shown=left.reset_index(drop=True),
        unopened=_clicked(shown, standing[standing["weight"] > 0], opened=False),
        in_vain=_clicked(shown, shown[shown["weight"] == 0], opened=True),
        parts=int(short.whole[0]),
        complete_at=float(short.complete_at[0]),
    )


def _sum(values: Floats) -> float:
    return float("nan") if np.isnan(values).all() else float(np.nansum(values))


def _longest(in_vain: Bools) -> tuple[int, int]:
    """First and last of the longest stretch of queries, from 1; 0 and 0 where there is none."""
    ended = np.flatnonzero(np.append(~in_vain, True))  # the queries between lie in a stretch
    lengths = np.diff(ended, prepend=-1) - 1
    last = int(ended[lengths.argmax()])
    return (last - int(lengths.max()) + 1, last) if lengths.max() else (0, 0)


def _relevant(study: Study, chosen: Selection) -> pd.DataFrame:
    """Relevant documents of the session's topics: topic, doc, grade, part; the best first."""
    table = study.judged_by(chosen.definition.arrangement)
    asked = np.array(chosen.sample.block.topic_names, dtype=object)[chosen.sample.topics[0]]
    own = table[table["topic"].isin(asked)]
    grades = own["grade"].to_numpy(dtype=float)
    gains = chosen.weights[np.searchsorted(study.labels, grades)]
    texts = {name: own[name].astype("str").array for name in THING}
    parts = {"part": own[PART].array} if PART in own else {}
    found = pd.DataFrame({**texts, "grade": [*map(label, grades)], **parts, "gain": gains})
    found = found[found["gain"] > 0].sort_values(["gain", *THING], ascending=[False, True, True])
    return found.drop_duplicates(THING).drop(columns="gain")


def _logged(study: Study, chosen: Selection) -> pd.DataFrame:
    """Each logged result of a session, by query and rank.

    grade : as the definition reads it · weight : what that grade is worth, 0 where nobody judged
    it · counted, place : whether the result counts at all, and at which rank · inside : whether it
    stands in the session's cells · judged : whether its query's topic is · repeat, again : whether
    a query had shown it before, and the same list
    """
    sample, how = chosen.sample, chosen.definition.arrangement
    own, cells = int(sample.sessions[0]), sample.cells[0]
    kept, logged = study.looked_at(how), study.looked_at()
    rows = np.flatnonzero(logged.session == own)
    rows = rows[np.lexsort((logged.rank[rows], logged.number[rows]))]
    near = np.flatnonzero(kept.session == own)
    places = pd.Series(kept.rank[near], index=kept.row[near]).reindex(logged.row[rows])
    query, place = logged.number[rows], places.fillna(0).to_numpy(dtype=np.int64)
    grade = (logged.own if how.own else logged.label)[rows]
    names = np.array([*map(label, study.labels), "unjudged"], dtype=object)
    table, topics = study.results.iloc[logged.row[rows]], study.queries["topic"].array
    return pd.DataFrame(
        {
            "query_number": query + 1,
            "rank": logged.rank[rows],
            "topic": topics.categories[topics.codes[logged.query[rows]]].astype("str"),
            "doc": table["doc"].astype("str").to_numpy(),
            "grade": names[grade],
            "weight": chosen.weights[grade],
            "unjudged": grade == logged.unjudged,
            "counted": places.notna().to_numpy(),
            "place": place,
            "inside": (place > 0) & (place <= cells[query]),
            "judged": sample.judged_at[0][query],
            "repeat": logged.before[rows] <= chosen.definition.top,
            "again": logged.within[rows] < logged.rank[rows],
            "clicked": table["clicked"].array,
        }
    )


def _clicked(shown: pd.DataFrame, of: pd.DataFrame, *, opened: bool) -> pd.DataFrame | None:
    """Documents of some results that were clicked, or never were; None where nothing says so."""
    if shown["clicked"].isna().all():
        return None
    clicked = shown[shown["clicked"].fillna(False).astype(bool)]
    joined = of.drop_duplicates(THING).merge(clicked[THING].drop_duplicates(), how="left",
                                          on=THING, indicator=True)  # fmt: skip
    joined = joined[joined["_merge"] == ("both" if opened else "left_only")]
    return joined[[*PLACE, *THING, "grade"]].reset_index(drop=True)


def to_judge(study: Study, session: str, number: int) -> tuple[str, list[str]]:
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
    own = {doc for of, doc in study.layer if of == topic}
    others = {*judged} - own
    return topic, [doc for doc in shown if doc not in others]


COLUMNS = (  # of the queries of a session
    *("query_number", "query", "topic", "text", "time", "results", "clicked"),
    *("dcg", "sdcg", "change_dcg", "in words", "tags"),
)


@dataclass(frozen=True, eq=False)
class Inspected:
    """A session under a definition.

    queries : a row per query · results : a row per logged result, `contribution` adding up to
    `final` · vector, ideal (P,) : V and I over the session's own cells · ends (Q,) : last cell of
    each query · worst : the query at which the curve falls behind its ideal most, 0 where it never
    does · highest : `final` were all unjudged results worth the highest gain, nan where that can't
    be said · along : what came along with the log of the session, by column
    """

    session: str
    system: str
    searcher: str
    queries: pd.DataFrame
    results: pd.DataFrame
    vector: Floats
    ideal: Floats
    ends: tuple[int, ...]
    worst: int
    final: float
    share: float
    highest: float
    along: dict[str, str]

    def of_query(self, number: int) -> pd.DataFrame:
        """Results of one query."""
        rows = self.results[self.results["query_number"] == number]
        return rows.drop(columns="query_number").reset_index(drop=True)


def inspector(study: Study, definition: Definition, filters: Filters, *, session: str) -> Inspected:
    """What each query and each result of a session contributed; `filters` change nothing here.

    Raises
    ------
    ValueError : the study has no such session
    """
    chosen = select_one(study, definition, session)
    sample, block = chosen.sample, chosen.sample.block
    own = int(sample.sessions[0])
    final, part = (session_score(name, chosen.worth) for name in ("final", "final_normalised"))
    cells = sample.cells
    count = int(cells.sum())
    searcher = int(block.searchers[own])
    return Inspected(
        session=session,
        system=block.system_names[int(block.systems[own])],
        searcher=block.searcher_names[searcher] if searcher >= 0 else "",
        queries=_queries(study, chosen, session),
        results=_results(study, chosen),
        vector=chosen.worth.vector[0, :count],
        ideal=concatenated(chosen.ideals, cells)[0, :count],
        ends=tuple(np.cumsum(cells[0]).tolist()),
        worst=int(shortfall_of(study, chosen).worst[0]),
        final=float(final[0]),
        share=float(part[0]),
        highest=float(highest_worth(study, chosen)[0]),
        along=_along(study.sessions.iloc[own]),
    )


def _along(row: pd.Series) -> dict[str, str]:
    """Ratings and whatever else came along with a session; nothing where it has no value."""
    values = {name: row[name] for name in came_along(row.to_frame().T)}
    return {
        name: f"{value:g}" if isinstance(value, float | int) else str(value)
        for name, value in values.items()
        if not pd.isna(value) and value != ""
    }


def _queries(study: Study, chosen: Selection, session: str) -> pd.DataFrame:
    """Text, time, results, clicks, worth and change of each query."""
    rows = study.queries[study.queries["session"] == session].sort_values("query_number")
    shown = study.results[study.results["session"] == session]
    counts = shown.groupby("query_number").size()
    clicks = shown[shown["clicked"].fillna(False)].groupby("query_number").size()
    number = rows["query_number"].to_numpy()
    worth = {name: chosen.query_scores[name][0] for name in ("dcg", "sdcg", "change_dcg")}
    unknown = bool(shown["clicked"].isna().all())
    return pd.DataFrame(
        {
            "query_number": number,
            "topic": rows["topic"].astype("str").to_numpy(),
            "text": rows["text"].to_numpy(),
            "time": rows["time"].to_numpy(),
            "results": counts.reindex(number, fill_value=0).to_numpy(),
            "clicked": np.nan if unknown else clicks.reindex(number, fill_value=0).to_numpy(),
            **worth,
            **_rated(rows),
        }
    )


def _rated(rows: pd.DataFrame) -> dict[str, NDArray[Any]]:
    """Ratings and whatever else came along with queries, under names that no other column has."""
    own = {*COLUMNS}
    return {
        f"{name} (rating)" if name in own else name: rows[name].to_numpy()
        for name in came_along(rows)
    }


def _results(study: Study, chosen: Selection) -> pd.DataFrame:
    """Each logged result of the session, where it was counted, and what it contributed."""
    logged = _logged(study, chosen)
    inside = logged["inside"].to_numpy()
    query = logged["query_number"].to_numpy() - 1
    rank = np.where(inside, logged["place"], 1) - 1
    gain = np.where(inside, chosen.gains[0][query, rank], 0.0)
    gain = np.where(logged["judged"], gain, np.nan)
    discount = np.where(inside, chosen.discount()[rank], np.nan)
    marks = {
        "repeat": logged["repeat"],
        "again in this list": logged["again"],
        "unjudged": logged["unjudged"],
        "clicked": logged["clicked"].fillna(False).astype(bool),
        "left out": ~logged["counted"],
        "not counted": logged["counted"] & ~inside,
    }
    each = zip(*marks.values(), strict=True)
    return logged[["query_number", "rank", "doc", "grade"]].assign(
        **{
            "gain": gain,
            "d(r)": discount,
            "contribution": gain * np.nan_to_num(discount) * chosen.factors[query],
            "marks": [", ".join(compress(marks, holds)) for holds in each],
        }
    )
