"""Parts of a task: which of them each judged document answers, by a column of the judgments."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import Findings, coded
from sdcg_explorer.reading.mapped_table import Mapped
from sdcg_explorer.reading.raw_table import texts_of
from sdcg_explorer.reading.rules import Rules, by_rule
from sdcg_explorer.reading.table_kinds import Part, of_kind
from sdcg_explorer.study.arrays import Floats, Ints
from sdcg_explorer.study.problems import cut, error, note
from sdcg_explorer.study.study import PART, PARTED
from sdcg_explorer.study.wording import counted


def with_parts(graded: Mapped | None, rules: Rules, found: Findings, file: str) -> Mapped | None:
    """Judgments with the parts of the task that a document answers, where a column names them.

    A cell may name several, with a semicolon between. Of a study that we wrote the column `part`
    does. file : that is named where there are no judgments
    """
    name = rules.parts
    if graded is None:
        if name:
            rule, remedy = "parts are a column of the judgments", "Give the judgments as a file."
            found.problems.append(error(file, None, "no judgments", rule, remedy))
        return None
    columns = [str(column) for column in graded.raw.header]
    if not name and graded.raw.exact and PART in columns:
        name = PART
    if not name:
        return graded
    if name not in columns:
        rule = f"columns of the judgments are {cut(', '.join(columns))}"
        remedy = by_rule("parts", columns[-1], "Name one of them:")
        found.problems.append(error(graded.raw.file, 1, f"no column {name!r}", rule, remedy))
        return graded
    graded = replace(graded, cells=graded.cells.assign(**{PART: graded.raw.rows[name]}))
    if not rules.parts:
        return graded
    number = len({part for text in texts_of(graded.cells[PART]) for part in _parts(text)})
    what = f"{counted(number, 'part of a task', 'parts of tasks')}, by the column {name!r}"
    rule = "a part is found where a relevant document that answers it is shown"
    found.problems.append(note(graded.raw.file, what, rule, "Nothing to do, if so."))
    return graded


def columns_of_parts(parts: Sequence[Part]) -> list[str]:
    """Columns of the judgments that have no role, and may name parts of tasks."""
    judged = of_kind(parts, "judgments")
    named = {str(name) for part in judged for name in part.raw.header}
    return sorted(named - {column for part in judged for column in part.columns.values()})


def parts_of_each(place: Ints, grade: Floats, parts: pd.Series[Any]) -> Any:
    """Parts that each document answers (G,), by rows of judgments (N,) and what each is of.

    A row of grade 0 or less says that it does not answer its part.
    """
    known = pd.Series([_parts(text) for text in texts_of(parts)], dtype=object).to_numpy()
    rows = pd.DataFrame({"place": place, "part": known[coded(parts)]})[grade > 0].explode("part")
    rows = rows.dropna().drop_duplicates().sort_values(["place", "part"])
    joined = rows.groupby("place")["part"].agg(PARTED.join)
    return joined.reindex(np.arange(int(place.max(initial=-1)) + 1), fill_value="").to_numpy(object)


def _parts(text: str) -> list[str]:
    plain = unicodedata.normalize("NFC", text)
    return [part.strip() for part in plain.split(PARTED) if part.strip()]
