"""Wide tables: a row per query, and a column per rank: doc1 … doc10, clicked1 … clicked10."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.event_tables import with_named_values
from sdcg_explorer.reading.file_names import with_own_session
from sdcg_explorer.reading.limits import MOST_CELLS
from sdcg_explorer.reading.lists_in_cells import A_ROW_EACH
from sdcg_explorer.reading.mapping import DOC, LOG_ROLES, plain_name
from sdcg_explorer.reading.raw_table import RawTable, encoded
from sdcg_explorer.study.problems import error, note, refuse

NUMBERED = re.compile(r"([^0-9]*[^0-9_])_?([0-9]{1,3})")
OF_RESULTS = (DOC.name, "clicked", "examined", "grade")


def with_usual_columns(raw: RawTable) -> RawTable:
    """A table whose rows are results or events, and whose session is named, as other tables are."""
    return with_own_session(with_rank_columns(with_named_values(raw)))


def with_rank_columns(raw: RawTable) -> RawTable:
    """A table with a row per result, where each rank has a column of its own; else as it is.

    A rank without a document is left out; a query without any keeps a row.

    Raises
    ------
    UnusableInputError : more cells than a sheet may have
    """
    wide = {} if raw.exact or raw.first else _columns_by_role(raw)
    if not wide:
        return raw
    size = len(raw.rows) * sum(map(len, wide.values()))
    if size > MOST_CELLS:
        rule = f"columns of ranks have at most {MOST_CELLS:,} cells"
        refuse([error(raw.file, None, f"{size:,} cells", rule, A_ROW_EACH)])
    cells = {role: _cells(raw, names) for role, names in wide.items()}
    filled = cells[DOC.name] != ""
    shown = filled.copy()
    shown[~filled.any(axis=1), 0] = True
    row, place = np.nonzero(shown)
    ranks = np.where(filled[row, place], place + 1, 0).tolist()
    texts = {role: own[row, place].tolist() for role, own in cells.items()}
    texts["rank"] = [str(rank) if rank else "" for rank in ranks]
    long, spent = raw.take(row), [name for names in wide.values() for name in names]
    rows = pd.concat([long.rows.drop(columns=spent), encoded(texts)], axis="columns")
    first, *_, last = wide[DOC.name]
    rule = "each holds the document at the rank that its name ends in"
    said = note(raw.file, f"columns {first} to {last}", rule, "Nothing to do, if so.")
    return replace(long, rows=rows, notes=(*raw.notes, said))


def _cells(raw: RawTable, names: list[str]) -> Any:
    """Texts (rows × ranks) of columns, without blanks around."""
    return np.column_stack([raw.rows[n].astype("str").str.strip().to_numpy(object) for n in names])


def _columns_by_role(raw: RawTable) -> dict[str, list[str]]:
    """Role → column of each rank; nothing where no query is named, or results have others."""
    roles = {name: role.name for role in LOG_ROLES for name in role.names} | {"result": DOC.name}
    found: dict[str, dict[int, str]] = {}
    others = {roles.get(plain_name(column), "") for column in raw.header}
    if others & {*OF_RESULTS, "rank"} or not others & {"query_number", "text"}:
        return {}
    for column in raw.header:
        fit = NUMBERED.fullmatch(plain_name(column))
        if fit and roles.get(fit[1]) in OF_RESULTS:
            found.setdefault(roles[fit[1]], {})[int(fit[2])] = column
    ranks = [*range(1, len(found.get(DOC.name, ())) + 1)]
    if len(ranks) < 2 or sorted(found[DOC.name]) != ranks:
        return {}
    return {r: [own[rank] for rank in ranks] for r, own in found.items() if sorted(own) == ranks}
