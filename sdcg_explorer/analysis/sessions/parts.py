"""Parts of a task: how many of them each query of a session has found, and when all were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import Selection
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
