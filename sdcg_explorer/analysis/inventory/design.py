"""How was the study designed? Who searched with which system, on which topics; their features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Ints
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.inventory.session_order import spans_of
from sdcg_explorer.analysis.selection.selection import Sample, select
from sdcg_explorer.analysis.sessions.scores import session_topics
from sdcg_explorer.analysis.systems.scored_sessions import topics_to_pair
from sdcg_explorer.study.counts import OWN_OF_SESSIONS
from sdcg_explorer.study.study import Study

WITHIN, BETWEEN, MIXED, UNKNOWN = "within", "between", "mixed", "unknown"


@dataclass(frozen=True, eq=False)
class Design:
    """Who did what, over the sessions that pass the filters.

    kind : within (each searcher used several systems), between (each one), mixed, or unknown ·
    is_paired : topics are the units, met once with each system ·
    cells : sessions per system and topic · features : one row per numeric feature of searchers ·
    began : searchers of several systems by the system they began with, where times tell
    """

    kind: str
    is_paired: bool
    searchers: int
    with_several: int
    systems: int
    cells: pd.DataFrame
    features: pd.DataFrame
    began: dict[str, int]

    @property
    def is_balanced(self) -> bool:
        """Whether each cell of system and topic has as many sessions."""
        return int(self.cells["sessions"].min()) == int(self.cells["sessions"].max())

    def crossed(self) -> pd.DataFrame:
        """Sessions of each system on each topic, one row per system."""
        table = self.cells.pivot(index="system", columns="topic", values="sessions")
        first = "system"
        while first in table.columns:  # a topic may be called so
            first += "_"
        return table.rename_axis(columns=None).reset_index(names=first)


def design(study: Study, definition: Definition, filters: Filters) -> Design:
    """The design of the sessions within the filters, judged or not."""
    sample = select(study, definition, filters).sample
    searchers = sample.block.searchers[sample.sessions]
    known = searchers >= 0
    pairs = np.unique(np.column_stack([searchers, sample.systems])[known], axis=0)
    used = np.unique(pairs[:, 0], return_counts=True)[1]
    several = int((used > 1).sum())
    kind = MIXED
    if not known.all():
        kind = UNKNOWN
    elif several == used.size:
        kind = WITHIN
    elif not several:
        kind = BETWEEN
    topic = np.unique(session_topics(sample), return_inverse=True)[1]
    return Design(
        kind=kind,
        is_paired=bool(topics_to_pair(sample.clusters, sample.systems, topic).any()),
        searchers=int(used.size),
        with_several=several,
        systems=len(sample.shown_systems),
        cells=_cells(sample),
        features=_features(study, sample, searchers),
        began=_began(study, sample, searchers),
    )


def _began(study: Study, sample: Sample, searchers: Ints) -> dict[str, int]:
    """How many searchers of several systems began with each.

    Where a searcher's first session overlaps one with another system (as where each session counts
    from its own start), or a time is lacking, the order is not known.
    """
    spans = spans_of(study, sample)
    each = spans.assign(who=searchers, system=sample.systems)
    each = each[each["who"] >= 0].sort_values("min", kind="stable")
    timed = each["min"].notna().groupby(each["who"]).all()
    first = each.drop_duplicates("who").set_index("who")
    others = each[each["system"] != each["who"].map(first["system"])]
    others = others.groupby("who")["min"].min()
    first = first.loc[others.index]
    told = timed.loc[others.index] & (others > first["max"])
    begun = first["system"][told].to_numpy(dtype=np.int64)
    counts = np.bincount(begun, minlength=len(sample.block.system_names)).tolist()
    return {name: n for name, n in zip(sample.block.system_names, counts, strict=True) if n}


def _cells(sample: Sample) -> pd.DataFrame:
    """Sessions per system and topic; a session on several topics is on their combination."""
    topics = np.array(session_topics(sample), dtype=object)
    systems = np.array(sample.block.system_names, dtype=object)
    crossing = pd.crosstab(systems[sample.systems], topics)
    systems, topics = crossing.index.to_numpy(), crossing.columns.to_numpy()
    return pd.DataFrame(
        {
            "system": np.tile(systems, topics.size),
            "topic": np.repeat(topics, systems.size),
            "sessions": crossing.to_numpy().T.ravel(),
        }
    )


def _features(study: Study, sample: Sample, searchers: Ints) -> pd.DataFrame:
    """Mean and standard deviation of what is one number for each searcher (Table 1)."""
    extras = [name for name in study.sessions.columns if name not in OWN_OF_SESSIONS]
    own = study.sessions.iloc[sample.sessions].assign(who=searchers)
    own = own[own["who"] >= 0]
    rows: list[dict[str, Any]] = []
    for name in extras:
        if not pd.api.types.is_numeric_dtype(own[name]) or own.empty:
            continue
        each = own.groupby("who")[name].agg(["nunique", "first"])
        values = each["first"].dropna()
        if (each["nunique"] > 1).any() or values.empty:
            continue
        row = {"feature": name, "mean": values.mean(), "sd": values.std(ddof=1)}
        rows.append({**row, "least": values.min(), "most": values.max(), "searchers": len(values)})
    return pd.DataFrame(rows, columns=["feature", "mean", "sd", "least", "most", "searchers"])
