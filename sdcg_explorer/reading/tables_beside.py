"""Tables beside a log that say more of it: of its queries, and of which results were opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER, Findings, coded
from sdcg_explorer.reading.mapping import is_called
from sdcg_explorer.reading.raw_table import in_order, joined, texts_of
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.reading.shapes import NAMES, documents_of, is_in_lists, meaning_of
from sdcg_explorer.reading.table_kinds import (
    Part,
    columns_of,
    events_of,
    last_of,
    of_kind,
    part_of,
    stem,
    taken_as,
)
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.columns import as_numbers, is_dwell_time, plain_name
from sdcg_explorer.study.problems import error, note, refuse

MOSTLY = 0.9  # of the ids of queries, or of clicks, at least
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
        made = joined([made, replace(queries.raw, rows=named).without(~silent)])
    return part_of(made, recipe)


CLICKED = "clicked by rows of clicks"
OF_CLICKS = "session of clicks"
WHY = "its rows are documents that the queries of {} showed, and a name says clicks or reading"


@dataclass(frozen=True, eq=False)
class _Met:
    """Clicks as they meet a log.

    row (C,) : of each click in its table, and place (C,) of the result among the log's (M,), -1
    where it shows none · of (M,) : row of each result of the log · keys : columns that both have,
    of the log and of the clicks
    """

    row: Ints
    place: Ints
    of: Ints
    keys: list[tuple[str, str]]


def with_kinds_of_clicks(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts, where those that say which results were opened are known as such.

    A log that names no session has those that the clicks, or other events, of its queries name.
    """
    made = [*parts]
    for i, part in enumerate(parts):
        free = part.kind in ("other", "ratings", "log") and part.raw.file not in recipe.kinds
        ranked = "rank" in part.columns and not last_of(part)  # each may be a result
        marked, read = _is_marked(part), _dwell_column(part)
        if not free or ranked or part.raw.known.kind or not (marked or read):
            continue
        taken = taken_as(part, "clicks", WHY)
        for log in (log for log in _unclicked(made) if log is not part and not _is_marked(log)):
            if not marked and _dwell_column(log):
                continue  # two logs, both with times
            if (met := _clicks_matched_to_log(log, taken)) is not None:
                made[i] = replace(taken, why=WHY.format(log.raw.file))
                made[made.index(log)] = _with_sessions(log, taken, met)
                break
    return made


def _unclicked(parts: Sequence[Part]) -> list[Part]:
    """Logs of results that don't say themselves which were clicked."""
    logs = [(part, part.columns) for part in of_kind(parts, "log") if not events_of(part)]
    return [part for part, columns in logs if "doc" in columns and "clicked" not in columns]


def _is_marked(part: Part) -> bool:
    """Whether the name of a file, of a list, or of events says that these are clicks."""
    name = last_of(part) or stem(part.raw.file)
    return meaning_of(name) == "click" or bool(_click_events(part)[1])


def _dwell_column(part: Part) -> str:
    """The column that says how long a document was read; "" without one."""
    return part.columns.get("dwell", "") or next(filter(is_dwell_time, part.raw.header), "")


def _click_events(part: Part) -> tuple[str, list[str]]:
    """The column that names events, and its values that mean a click; "" where there is none."""
    named = next((column for column in part.raw.header if plain_name(column) in NAMES), "")
    texts = texts_of(part.raw.rows[named]) if named else []
    return named, [text for text in texts if meaning_of(text) == "click"]


def with_clicks(parts: Sequence[Part], found: Findings) -> list[Part]:
    """Parts, where logs say which of their results were opened by the tables of clicks beside.

    Raises
    ------
    UnusableInputError : clicks that meet no log
    """
    made = [part for part in parts if part.kind != "clicks"]
    for part in of_kind(parts, "clicks"):
        for log in _unclicked(made):
            if (met := _clicks_matched_to_log(log, part)) is not None:
                made[made.index(log)] = _with_click_marks(log, part, met, found)
                break
        else:
            rule = "clicks name a query or session of the log, and a document that it showed"
            remedy = "Check that it belongs to this log, or leave it out."
            refuse([error(part.raw.file, None, "clicks that match no shown result", rule, remedy)])
    return made


def _with_click_marks(log: Part, part: Part, met: _Met, found: Findings) -> Part:
    lost = met.row[met.place < 0]
    found.leave_out(part.raw, "a click on a document that no list shows", lost)
    others = np.setdiff1d(np.arange(len(part.raw.rows)), met.row)
    if named := _click_events(part)[0]:
        found.leave_out(part.raw, f"rows whose {named} is not a click", others)
    clicked = np.zeros(met.of.size, dtype=bool)
    clicked[met.place[met.place >= 0]] = True
    rows = log.raw.rows
    if is_in_lists(log.raw, log.columns):
        flags: list[list[int]] = [[] for _ in range(len(rows))]
        for row, flag in zip(met.of, clicked, strict=True):
            flags[int(row)].append(int(flag))
        texts = [orjson.dumps(own).decode() if own else "" for own in flags]
    else:
        own = np.zeros(len(rows), dtype=bool)
        own[met.of[clicked]] = True
        texts = own.astype(int).astype(str).tolist()
        if (dwell := _dwell_column(part)) and not _dwell_column(log):
            column = part.raw.rows[dwell]
            seconds = as_numbers(column, NUMBER)[coded(column)][met.row]
            known = (met.place >= 0) & ~np.isnan(seconds)
            of = met.of[met.place[known]]
            read = np.bincount(of, seconds[known], len(rows)), np.bincount(of, minlength=len(rows))
            cells = [f"{total:.10g}" * bool(n) for total, n in zip(*read, strict=True)]
            rows = rows.assign(**{dwell: in_order(cells)})
    added = replace(log.raw, rows=rows.assign(**{CLICKED: in_order(texts)}))
    log = replace(log, raw=added, given={**log.given, "clicked": CLICKED})
    keys = ", ".join(own for own, _ in met.keys)
    rule = f"{int((met.place >= 0).sum()):,} of them open a result, matched by {keys} and document"
    found.problems.append(note(part.raw.file, "clicks", rule, "Check one of them."))
    return _with_sessions(log, part, met)


def _with_sessions(log: Part, part: Part, met: _Met) -> Part:
    """A log with the session that clicks, or other events, of each query name; or as it is."""
    if "session" in log.columns or "session" not in part.columns:
        return log
    of_log, of_part = (
        pd.MultiIndex.from_arrays([cell_texts(own, pair[i]) for pair in met.keys])
        for i, own in enumerate((log, part))
    )
    session = part.raw.rows[part.columns["session"]].astype("str").str.strip()
    named = pd.Series(session.tolist(), index=of_part)
    named = named[(named != "").to_numpy() & ~named.index.duplicated()]
    texts = named.reindex(of_log).fillna("").tolist()
    made = replace(log.raw, rows=log.raw.rows.assign(**{OF_CLICKS: in_order(texts)}))
    return replace(log, raw=made, given={**log.given, "session": OF_CLICKS})


def _clicks_matched_to_log(log: Part, part: Part) -> _Met | None:
    """How clicks meet a log, if most of them do: by the columns that both have, and a document."""
    of, doc = documents_of(log.raw, log.columns)
    named, clicks = _click_events(part)
    row = np.arange(len(part.raw.rows))
    if clicks:
        row = row[np.isin(cell_texts(part, named), clicks)]
    keys = _shared_key_columns(log, part, row)
    if not keys or not row.size or not of.size:
        return None
    shown = pd.DataFrame({i: cell_texts(log, own)[of] for i, (own, _) in enumerate(keys)})
    shown = shown.assign(doc=doc, place=np.arange(of.size))
    by = [*range(len(keys)), "doc"]
    if shown.duplicated(by).mean() > 1 - MOSTLY:  # it could not be told which list was meant
        return None
    shown = shown.drop_duplicates(by)
    spent = {own for _, own in keys}
    own_doc = part.columns.get("doc")
    columns = [own_doc] if own_doc else [c for c in part.raw.header if c not in spent]
    for column in columns:
        docs = cell_texts(part, column)
        filled = row[docs[row] != ""]  # a list of none keeps its row
        asked = pd.DataFrame({i: cell_texts(part, own)[filled] for i, (_, own) in enumerate(keys)})
        about = asked.assign(doc=docs[filled]).merge(shown, on=by, how="left")
        place = about["place"].fillna(-1).to_numpy().astype(np.int64)
        if filled.size and (place >= 0).mean() >= MOSTLY:
            return _Met(filled, place, of, keys)
    return None


def _shared_key_columns(log: Part, part: Part, row: Ints) -> list[tuple[str, str]]:
    """Columns that both have, of which the log knows most of what rows of clicks say."""
    doc = {log.columns.get("doc"), part.columns.get("doc")}
    roles = [r for r in ("session", "query_number") if r in log.columns and r in part.columns]
    pairs = {log.columns[role]: part.columns[role] for role in roles}
    plain = {plain_name(column): column for column in part.raw.header}
    for column in log.raw.header:
        if column not in pairs and plain_name(column) in plain:
            pairs[column] = plain[plain_name(column)]
    known: list[tuple[str, str]] = []
    for own, other in pairs.items():
        if own in doc or other in doc:
            continue
        said = cell_texts(part, other)[row]
        if plain_name(other) == "id" and np.unique(said).size == row.size:
            continue  # the id of each click itself
        if (said != "").all() and np.isin(said, cell_texts(log, own)).mean() >= MOSTLY:
            known.append((own, other))
    return known
