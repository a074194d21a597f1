"""Tables of queries: what a log says of its queries in a table of its own, beside their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sdcg_explorer.reading.mapping import is_called
from sdcg_explorer.reading.raw_table import aligned, in_order, joined
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.reading.table_kinds import Part, columns_of, part_of, stem, taken_as
from sdcg_explorer.study.columns import plain_name
from sdcg_explorer.study.problems import note

MOSTLY = 0.9  # of the ids of queries, at least
TOLD = {"session", "searcher", "system", "topic", "query_number", "text", "time"}
NO_QUERY = ("session", "searcher", "system", "topic", "doc", "rank", "clicked", "time")


def with_tables_of_queries(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts, where results that name their queries by an id have what another table says of these.

    As in a database: each row of the results has the id of its query, the table of queries has a
    row for each id; so have queries the id of their session. Tables of which something was said by
    hand stay as they are.
    """
    made, said = [*parts], [*recipe.kinds, *(key.rpartition(":")[0] for key in recipe.mapping)]
    free = {
        i: columns_of(part.raw, "log", part.given)
        for i, part in enumerate(parts)
        if _is_plain_unmapped_table(part, said)
    }
    of_queries = [k for k, told in free.items() if "doc" not in told]
    for i, log in free.items():
        if "rank" not in log:
            continue
        for k in (k for k in free if not {"doc", "rank"} & {*free[k]}):
            made[k] = _with_documents_of_results(parts[k], parts[i], log, recipe)
        for k in (k for k in 2 * of_queries if k != i and made[k] is parts[k]):
            log = columns_of(made[i].raw, "log", made[i].given)
            key = _key(made[i], parts[k], {log[role] for role in NO_QUERY if role in log})
            of_searchers = bool(key) and key[0] == log.get("searcher")
            if key and (of_searchers or ({*free[k]} & TOLD) - {*log}):
                queries = parts[k]
                if of_searchers and (time := free[k].get("time")):  # no query's
                    own = queries.raw.rows.rename(columns={time: f"{key[0]}_{time}"})
                    queries = replace(queries, raw=replace(queries.raw, rows=own))
                made[i] = _joined(made[i], queries, *key, recipe, whole="text" in free[k])
                why = f"its columns are joined to {parts[i].raw.file} by {key[1]}"
                made[k] = taken_as(parts[k], "queries", why)
    return made


def _is_plain_unmapped_table(part: Part, said: Sequence[str]) -> bool:
    """Whether a table is a plain one, of which nothing was said."""
    raw = part.raw
    is_plain = not (raw.exact or raw.first or raw.known.kind or (raw.nested and raw.nested.path))
    return is_plain and len(raw.rows) > 0 and not any(is_called(raw.file, each) for each in said)


def _with_documents_of_results(
    part: Part, results: Part, log: dict[str, str], recipe: Recipe
) -> Part:
    """A table whose rows name a result by its id, as clicks do, with its query and document."""
    key = _key(part, results, set())
    if not key or plain_name(key[1]) != "id":
        return part
    told = [log[role] for role in ("session", "query_number", "doc") if role in log]
    rows = results.raw.rows[[key[1], *told]]
    results = replace(results, raw=replace(results.raw, rows=rows))
    return _joined(part, results, *key, recipe, whole=False)


def _key(results: Part, queries: Part, others: set[str]) -> tuple[str, str] | None:
    """Columns that hold the ids of queries, of results and of queries; None where there is none.

    others : columns of the results that say something else
    """
    one = stem(queries.raw.file).rpartition("[")[2].strip("]").lower()
    one = plain_name(f"{one[:-3]}y" if one.endswith("ies") else one.removesuffix("s"))
    named = {plain_name(name): name for name in queries.raw.header}
    if "id" in named:  # of a query, or of what a program calls app_query
        named |= {f"{each}_id": named["id"] for each in (one, one.rpartition("_")[2])}
    for own in results.raw.header:
        other = named.get(plain_name(own), "")
        if not other or (own in others and other != named.get("id")):
            continue  # what is no query's goes by an id alone
        ids, asked = cell_texts(queries, other), pd.unique(cell_texts(results, own))
        if plain_name(own) == "id" and asked.size == len(results.raw.rows):
            continue  # the id of each row itself
        if ids.size == np.unique(ids).size and np.isin(asked, ids).mean() >= MOSTLY:
            return own, other
    return None


def cell_texts(part: Part, column: str) -> np.ndarray:
    """Texts of a column of a part, row by row (N,), without blanks around."""
    return part.raw.rows[column].astype("str").str.strip().to_numpy(object)


def _joined(
    results: Part, queries: Part, own: str, other: str, recipe: Recipe, *, whole: bool
) -> Part:
    """Results with the columns of queries that they don't have; if `whole`, all queries, too."""
    rows, known = results.raw.rows, pd.Index(cell_texts(queries, other))
    place = known.get_indexer(pd.Index(cell_texts(results, own)))
    texts = {
        name: np.where(place < 0, "", queries.raw.rows[name].astype("str").to_numpy(object)[place])
        for name in queries.raw.header
        if name not in (other, *rows.columns)
    }
    rule = f"results take these from {queries.raw.file}, by {own}"
    said = note(results.raw.file, ", ".join(texts), rule, "Check one of them.")
    added = rows.assign(**{name: in_order(column) for name, column in texts.items()})
    made = replace(results.raw, rows=added, notes=(*results.raw.notes, said))
    if whole and (silent := ~np.isin(np.arange(len(known)), place)).any():
        named = queries.raw.rows.rename(columns={other: own})
        made = joined(aligned([made, replace(queries.raw, rows=named).without(~silent)]))
    return part_of(made, recipe)
