"""Why did queries fail? Tags that were given to them, counted by system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.tags import SUGGESTED, Tags, tags_table

LAST_QUERY = 10**9  # of a session, by far


@dataclass(frozen=True, eq=False)
class Tagged:
    """Counts of tags over the queries that pass the filters.

    table : a row per tag and system · tagged, queries : queries with a tag, and all · elsewhere :
    tagged queries that the filters leave out
    """

    table: pd.DataFrame
    tagged: int
    queries: int
    elsewhere: int


def tagged(study: Study, definition: Definition, filters: Filters, *, tags: Tags) -> Tagged:
    """How many queries of each system have each tag, and what they were worth on average."""
    chosen = select(study, definition, filters)
    sample = chosen.sample
    each = tags_table({query: given for query, given in tags.items() if query[1] <= LAST_QUERY})
    places = np.full(len(study.sessions), -1)
    places[sample.sessions] = np.arange(sample.sessions.size)
    names = study.sessions["session"].cat.categories
    own = names.get_indexer(pd.Index(each["session"], dtype=names.dtype))
    place = np.where(own >= 0, np.append(places, -1)[own], -1)
    number = each["query_number"].to_numpy(dtype=np.int64) - 1
    queries = np.append(sample.queries, 0)[place]
    kept = (place >= 0) & (number >= 0) & (number < queries)
    each, place, number = each[kept], place[kept], number[kept]
    worth = chosen.query_scores["dcg"]
    systems = np.array(sample.block.system_names, dtype=object)
    each = each.assign(system=systems[sample.systems[place]], dcg=worth[place, number])
    of_system = np.zeros(len(systems), dtype=np.int64)
    np.add.at(of_system, sample.systems, sample.queries)
    count = len(each.drop_duplicates(["session", "query_number"]))
    return Tagged(
        _counts(each, dict(zip(systems, of_system.tolist(), strict=True))),
        tagged=count,
        queries=int(sample.queries.sum()),
        elsewhere=len(tags) - count,
    )


def _counts(each: pd.DataFrame, of_system: dict[str, int]) -> pd.DataFrame:
    """One row per tag and system; the suggested tags first."""
    order = [*SUGGESTED, *sorted({*each["tag"]}.difference(SUGGESTED))]
    tag = pd.Categorical(each["tag"], order)
    counts = each.assign(tag=tag).groupby(["tag", "system"], observed=True)["dcg"]
    table = counts.agg(queries="size", dcg="mean").reset_index().astype({"tag": "str"})
    share = table["queries"] / table["system"].map(of_system).astype(float)
    table.insert(3, "share of its queries", share)
    return table.rename(columns={"dcg": "mean dcg"})
