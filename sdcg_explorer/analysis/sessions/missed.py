"""Where did one session go wrong? What its queries missed, and what it opened in vain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Bools, Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import Selection, select_one
from sdcg_explorer.analysis.sessions.shortfall import shortfall_of
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.result_rows import codes
from sdcg_explorer.study.study import PART, Study

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
    judged, shown = _relevant(study, chosen), _shown(study, chosen)
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
        unopened=_clicked(shown, standing[standing["gain"] > 0], opened=False),
        in_vain=_clicked(shown, shown[shown["gain"] == 0], opened=True),
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


def _shown(study: Study, chosen: Selection) -> pd.DataFrame:
    """Each logged result of the session on a judged topic, by query and rank.

    inside : whether it stands in the session's cells · gain : what its grade is worth, 0 where
    nobody judged it
    """
    sample, how = chosen.sample, chosen.definition.arrangement
    own, cells = int(sample.sessions[0]), sample.cells[0]
    kept, logged = study.looked_at(how), study.looked_at()
    near = np.flatnonzero(kept.session == own)
    near = near[kept.rank[near] <= cells[kept.number[near]]]
    rows = np.flatnonzero(logged.session == own)
    rows = rows[sample.judged_at[0][logged.number[rows]]]
    grade = (logged.own if how.own else logged.label)[rows]
    table = study.results.iloc[logged.row[rows]]
    names = study.queries["topic"].cat.categories
    said = np.array([*map(label, study.labels), "unjudged"], dtype=object)
    shown = pd.DataFrame(
        {
            "topic": names[codes(study.queries["topic"])[logged.query[rows]]].astype("str"),
            "query_number": logged.number[rows] + 1,
            "rank": logged.rank[rows],
            "doc": table["doc"].astype("str").array,
            "grade": said[grade],
            "gain": chosen.weights[grade],
            "inside": np.isin(logged.row[rows], kept.row[near]),
            "clicked": table["clicked"].array,
        }
    )
    return shown.sort_values(PLACE, kind="stable")


def _clicked(shown: pd.DataFrame, of: pd.DataFrame, *, opened: bool) -> pd.DataFrame | None:
    """Documents of some results that were clicked, or never were; None where nothing says so."""
    if shown["clicked"].isna().all():
        return None
    clicked = shown[shown["clicked"].fillna(False).astype(bool)]
    joined = of.drop_duplicates(THING).merge(clicked[THING].drop_duplicates(), how="left",
                                          on=THING, indicator=True)  # fmt: skip
    joined = joined[joined["_merge"] == ("both" if opened else "left_only")]
    return joined[[*PLACE, *THING, "grade"]].reset_index(drop=True)
