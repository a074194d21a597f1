"""Where did it go wrong? What each query brought anew, repeated and missed, and where it fell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import ROUNDING, Sample, Selection, select
from sdcg_explorer.analysis.sessions.other_measures import Measured
from sdcg_explorer.analysis.sessions.scores import named, session_topics
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.study.result_rows import codes
from sdcg_explorer.study.study import PART, PARTED, Study


def has_parts(study: object) -> bool:
    """Whether the judgments say which part of its task a document answers."""
    return isinstance(study, Study) and PART in study.judgments


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
