"""Where did it go wrong? What each query brought anew, repeated and missed, and where it fell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.metrics import concatenated, session_score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import Measured
from sdcg_explorer.scoring.residuals import highest_worth
from sdcg_explorer.scoring.scores import named, session_topics
from sdcg_explorer.scoring.selection import ROUNDING, Selection, select, select_one, stacked
from sdcg_explorer.study.arrays import category_codes
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import PART, PARTED, Study, extra_columns


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
    number = _over_topics(chosen, np.bincount(topics, minlength=len(sample.block.topic_names)))
    shown = study.arranged_results(chosen.definition.arrangement)
    place = np.full(len(study.sessions), -1)
    place[sample.sessions] = np.arange(sample.sessions.size)
    near = np.flatnonzero(place[shown.session] >= 0)
    row, query = place[shown.session[near]], shown.number[near]
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


def _over_topics(chosen: Selection, values: Ints) -> Ints:
    """What the topics of each session come to, each topic once, (S,); `values` are theirs, (T,)."""
    return np.append(values, 0)[Measured(chosen).own_topics].sum(axis=1)


@dataclass(frozen=True, eq=False)
class Shortfall:
    """What queries of sessions (S,) brought, and lacked; nan where nobody judged the topic.

    new, repeated (S, Q) : relevant documents that no earlier query of the session had shown, and
    that one had · missing (S, Q) : relevant documents of its topic that the session has not shown
    so far · behind (S, Q) : by how much farther the curve lies beneath its ideal at the query's end
    than before it · parts (S, Q) : share of the parts of the session's topics found so far, None
    where judgments name none · left (S,) : relevant documents of the session's topics that it never
    showed, nan where nobody judged them · whole (S,) : parts of the session's topics · has_ideal
    (S,) : whether its ideal gains anything
    """

    names: pd.Categorical
    systems: pd.Categorical
    topics: NDArray[np.object_]
    queries: Ints
    new: Floats
    repeated: Floats
    missing: Floats
    behind: Floats
    parts: Floats | None
    left: Floats
    whole: Ints
    has_ideal: Bools

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

    def table(self) -> pd.DataFrame:
        """A row per query of each session; worst marks the one at which it falls behind most."""
        row, query = np.nonzero(np.less(np.arange(self.new.shape[1]), self.queries[:, None]))
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
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    topic: str | None = None,
) -> Shortfall:
    """Where sessions on judged topics fell short; of one system or all, on one topic or all."""
    chosen = select(study, definition, filters.of(system, topic))
    return shortfall_of(study, chosen).take(np.flatnonzero(chosen.sample.judged))


def shortfall_of(study: Study, chosen: Selection) -> Shortfall:
    """The shortfall of the sessions of a selection."""
    sample = chosen.sample
    each = stacked(map(_of_part, chosen.parts()))
    relevant = _over_topics(chosen, Measured(chosen).relevant_document_counts)
    left = np.maximum(relevant - np.nansum(each["new"], axis=1), 0)
    parts, whole = None, np.zeros(sample.sessions.size, dtype=np.int64)
    if has_parts(study):
        parts, whole = parts_found(study, chosen)
    return Shortfall(
        names=named(sample.sessions, study.sessions["session"].cat.categories),
        systems=named(sample.systems, sample.block.system_names),
        topics=np.array(session_topics(sample), dtype=object),
        queries=sample.queries,
        **each,
        parts=parts,
        left=np.where(sample.judged, left, np.nan),
        whole=whole,
        has_ideal=chosen.layout_ideals[:, -1, -1][sample.ideal_layouts[1]] > 0,
    )


def _of_part(chosen: Selection) -> dict[str, Floats]:
    """What is new, repeated, missing and behind, of some of the sessions."""
    of, sample = Measured(chosen), chosen.sample
    relevant = np.append(of.relevant_document_counts, 0)[sample.pools]
    ends = chosen.layout_ideals[sample.ideal_layouts[1]][:, :, -1]
    each = {
        "new": of.brought,
        "repeated": of.repeated,
        "missing": np.maximum(relevant - _so_far(of.brought, sample.pools), 0),
        "behind": np.diff(ends, axis=1, prepend=0.0) - chosen.query_scores["sdcg"],
    }
    return {name: np.where(sample.is_judged_query, values, np.nan) for name, values in each.items()}


def _so_far(brought: Ints, topics: Ints) -> Ints:
    """Documents that a session's queries on one topic brought, up to each of them, (S, Q)."""
    session, query = np.nonzero(topics >= 0)
    strand = session * (topics.max(initial=0) + 1) + topics[session, query]
    found = np.zeros(topics.shape, dtype=np.int64)
    found[session, query] = pd.Series(brought[session, query]).groupby(strand).cumsum()
    return found


THING = ["topic", "doc"]
RESULTS = ("query_number", "rank", "doc", "grade", "gain", "d(r)", "contribution", "marks")
COLUMNS = (  # of the queries of a session
    *("query_number", "query", "topic", "text", "time", "results", "clicked"),
    *("dcg", "sdcg", "change_dcg", "in words", "tags"),
)


@dataclass(frozen=True, eq=False)
class Inspected:
    """A session under a definition, and what it missed and opened in vain.

    queries : a row per query · results : a row per logged result, `contribution` adding up to
    `final` · vector, ideal (P,) : V and I over the session's own cells · ends (Q,) : last cell of
    each query · highest : `final` were all unjudged results worth the highest gain, nan where that
    can't be said · along : what came along with the log of the session, by column

    brought : query_number, text, new, repeated, missing, behind, and parts_found where parts are
    known · worst : the query at which its curve falls behind its ideal most, 0 where it never
    does · worst_by, behind : by how much it falls there, and in all; nan where nobody judged its
    topics · stalled : first and last of the longest stretch of queries that brought nothing new
    while something was missing, the first of several; 0 and 0 for none · relevant : relevant
    documents of its topics · never_shown : those that stand in none of its cells, best first ·
    unopened : those that stand there and were never clicked · in_vain : documents that were clicked
    and gain nothing; both as they first stood, and None where the log knows of no clicks · parts :
    parts of its topics · complete_at : query at which all were found, nan where they never were
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
    worst_by: float
    behind: float
    stalled: tuple[int, int]
    relevant: int
    never_shown: pd.DataFrame
    unopened: pd.DataFrame | None
    in_vain: pd.DataFrame | None
    parts: int
    complete_at: float

    def query_results(self, number: int) -> pd.DataFrame:
        """Results of one query."""
        rows = self.results[self.results["query_number"] == number]
        return rows.drop(columns="query_number").reset_index(drop=True)


def inspector(study: Study, definition: Definition, filters: Filters, *, session: str) -> Inspected:
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
    worst, behind = int(short.worst[0]), lacks["behind"]
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
        results=logged[[*RESULTS]],
        vector=chosen.worth.vector[0, :cells],
        ideal=concatenated(chosen.layout_ideals, sample.cells)[0, :cells],
        ends=tuple(np.cumsum(sample.cells[0]).tolist()),
        final=float(final[0]),
        share=float(part[0]),
        highest=float(highest_worth(study, chosen)[0]),
        along=_extra_session_values(study.sessions.iloc[own]),
        brought=pd.concat([queries[["query_number", "text"]], lacks], axis=1),
        worst=worst,
        worst_by=float(behind[worst - 1]) if worst else 0.0,
        behind=float(behind.sum(min_count=1)),
        stalled=_longest((lacks["new"] == 0).to_numpy() & (lacks["missing"] > 0).to_numpy()),
        relevant=len(relevant),
        never_shown=relevant[~_is_among_documents(relevant, standing)].reset_index(drop=True),
        unopened=_first(gaining[~_is_among_documents(gaining, clicked)]) if is_known else None,
        in_vain=_first(vain[_is_among_documents(vain, clicked)]) if is_known else None,
        parts=int(short.whole[0]),
        complete_at=float(short.complete_at[0]),
    )


def _is_among_documents(documents: pd.DataFrame, others: pd.DataFrame) -> Bools:
    """Whether each document, on its topic, is among others."""
    known = {*zip(others["topic"], others["doc"], strict=True)}
    each = zip(documents["topic"], documents["doc"], strict=True)
    return np.array([thing in known for thing in each], dtype=bool)


def _first(results: pd.DataFrame) -> pd.DataFrame:
    """Documents as they first stood."""
    place = ["query_number", "rank", *THING, "grade"]
    return results.drop_duplicates(THING)[place].reset_index(drop=True)


def _longest(in_vain: Bools) -> tuple[int, int]:
    """First and last of the longest stretch of queries, from 1; 0 and 0 where there is none."""
    ended = np.flatnonzero(np.append(~in_vain, True))  # the queries between lie in a stretch
    lengths = np.diff(ended, prepend=-1) - 1
    last = int(ended[lengths.argmax()])
    return (last - int(lengths.max()) + 1, last) if lengths.max() else (0, 0)


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
    own, logged = int(sample.sessions[0]), study.arranged_results()
    kept = study.arranged_results(how)
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
    rated = {f"{name} (rating)" if name in COLUMNS else name: name for name in extra_columns(rows)}
    return pd.DataFrame(
        {
            "query_number": number,
            "topic": rows["topic"].astype("str").to_numpy(),
            "text": rows["text"].to_numpy(),
            "time": rows["time"].to_numpy(),
            "results": shown["size"].to_numpy(),
            "clicked": np.nan if unknown else shown["sum"].to_numpy(dtype=np.int64),
            **{name: chosen.query_scores[name][0] for name in ("dcg", "sdcg", "change_dcg")},
            **{called: rows[name].to_numpy() for called, name in rated.items()},
        }
    )


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
    others = {*judged} - {doc for of, doc in study.layer if of == topic}
    return topic, [doc for doc in shown if doc not in others]
