"""Tables of clicks: which results were opened, logged beside the queries that showed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER, Findings, coded
from sdcg_explorer.reading.query_tables import cell_texts
from sdcg_explorer.reading.raw_table import in_order, texts_of
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.reading.shapes import NAMES, documents_of, is_in_lists, meaning_of
from sdcg_explorer.reading.table_kinds import Part, events_of, last_of, of_kind, stem, taken_as
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.columns import as_numbers, is_dwell_time, plain_name
from sdcg_explorer.study.problems import error, note, refuse

CLICKED = "clicked by rows of clicks"
OF_CLICKS = "session of clicks"
MOSTLY = 0.9  # of rows, at least
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
    keys = _keyed(log, [own for own, _ in met.keys]), _keyed(part, [own for _, own in met.keys])
    session = part.raw.rows[part.columns["session"]].astype("str").str.strip()
    named = pd.Series(session.tolist(), index=keys[1])
    named = named[(named != "").to_numpy() & ~named.index.duplicated()]
    texts = named.reindex(keys[0]).fillna("").tolist()
    made = replace(log.raw, rows=log.raw.rows.assign(**{OF_CLICKS: in_order(texts)}))
    return replace(log, raw=made, given={**log.given, "session": OF_CLICKS})


def _keyed(part: Part, columns: Sequence[str]) -> pd.MultiIndex:
    return pd.MultiIndex.from_arrays([cell_texts(part, column) for column in columns])


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
