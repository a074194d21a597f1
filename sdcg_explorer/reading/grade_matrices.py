"""Matrices of grades: a row for each topic and a column for each document, or the other way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdcg_explorer.reading.alike import difference
from sdcg_explorer.reading.candidates import fit
from sdcg_explorer.reading.cells import MISSING_WORDS, NUMBER
from sdcg_explorer.reading.grade_words import are_levels, numbers_of
from sdcg_explorer.reading.mapped_table import DASHES, TOTALS
from sdcg_explorer.reading.raw_table import RawTable, texts_of
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.reading.shapes import by_columns, documents_of
from sdcg_explorer.reading.table_kinds import SAID, Part, columns_of, of_kind, part_of, taken_as
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.distinct_texts import bare
from sdcg_explorer.study.grades import FEW_GRADES
from sdcg_explorer.study.wording import listed

LEAST = {"topic": 0.5, "doc": 0.1}  # share of the ids of a matrix that other tables name
NO_KEY = ("session", "searcher", "system", "assessor", "rank", "time")  # whose names are no ids
WHY = "its cells are grades, by topic and document"


@dataclass(frozen=True)
class _Matrix:
    """A column of ids that are a role, and columns that are called by those of the other."""

    role: str
    key: str
    ids: list[str]
    other: str
    columns: list[str]


def with_grade_matrices(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts, where a matrix of grades has a row for each grade.

    It is known by its header and one column, which name topics and documents of other tables; where
    it was said to be judgments, by its header. Beside other judgments it is set aside.
    """
    judged = any({"doc", "grade"} <= {*part.columns} for part in of_kind(parts, "judgments"))
    made = [*parts]
    for i, part in enumerate(parts):
        raw, is_said = part.raw, part.kind == "judgments"
        is_free = is_said or (part.kind == "other" and part.why != SAID)
        is_plain = not (raw.exact or raw.known.kind or (raw.nested and raw.nested.path))
        if not (is_free and is_plain) or {"doc", "grade"} <= {*columns_of(raw, "judgments", {})}:
            continue
        if raw.first:  # ids alone name its columns
            rows = raw.take(np.arange(1, len(raw.rows))).rows.set_axis([*raw.first], axis=1)
            raw = replace(raw.take(np.arange(1, len(raw.rows))), rows=rows, first=())
        others = [other for other in parts if other is not part]
        matrix = _matrix_of(raw, {role: _ids_of(others, role) for role in LEAST}, said=is_said)
        if matrix is None:
            continue
        cells = {text for name in matrix.columns for text in texts_of(raw.rows[name])}
        if not (is_said or (_are_grades(cells) and len(cells - {""}) > 1)):
            some = listed(sorted(cells - {""}))
            why = f"it has topics and documents, but its cells are no grades ({some})"
            made[i] = replace(part, why=why)
        elif judged and not is_said:
            made[i] = replace(part, why=f"{WHY}, but other judgments are given")
        else:
            found = part_of(_row_per_grade(raw, matrix), recipe)
            made[i] = taken_as(found, "judgments", part.why if is_said else WHY)
    return made


def _ids_of(parts: Sequence[Part], role: str) -> set[str]:
    """Topics, or documents, that tables name, those in lists too."""
    ids = set[str]()
    for part in parts:
        columns = columns_of(part.raw, "log", part.given)
        if role == "doc" and role in columns:
            ids |= {*documents_of(part.raw, columns)[1]}
        elif role in columns:
            ids |= {text.strip() for text in texts_of(part.raw.rows[columns[role]])}
    return ids - {""}


def _matrix_of(raw: RawTable, ids: dict[str, set[str]], *, said: bool) -> _Matrix | None:
    """How a table is a matrix of topics and documents with these ids; None where it is none."""
    for other, role in (("doc", "topic"), ("topic", "doc")):
        columns = _named(
            raw.header, ids[other], other, lambda c: _are_grades(texts_of(raw.rows[c]))
        )
        if not columns:
            continue
        keys = [name for name in raw.header if name not in columns]
        for key in keys:
            rows = _named([text.strip() for text in texts_of(raw.rows[key])], ids[role], role)
            own = max(fit("topic", key), fit("doc", key))
            if rows and all(fit(no_key, key) <= own for no_key in NO_KEY):
                return _Matrix(role, key, rows, other, columns)
        if said and keys:
            return _Matrix(role, keys[0], texts_of(raw.rows[keys[0]]), other, columns)
    return None


def _named(
    texts: Sequence[str], ids: set[str], role: str, may_be: Callable[[str], bool] = bool
) -> list[str]:
    """Texts that are ids of a role, up to what such ids may differ by, and others of their shape.

    None where too few are.
    """
    known = {*bare(ids)}
    met = [text for text, plain in zip(texts, bare(texts), strict=True) if plain in known]
    near = None if met else difference(ids, texts, role)
    shapes = {*map(_shape, [near.pair[1]] if near else met)}
    every = [
        text
        for text in texts
        if text in met or (_shape(text) in shapes and not _is_total(text) and may_be(text))
    ]
    enough = max(LEAST[role] * len(every), min(2, len(every)) * (role == "doc"))
    return every if near or len(met) >= enough else []


def _shape(text: str) -> tuple[bool, bool, bool]:
    """Whether a text has digits, letters, and blanks."""
    return any(map(str.isdigit, text)), any(map(str.isalpha, text)), " " in text.strip()


def _is_total(text: str) -> bool:
    return text.casefold().strip(" :") in TOTALS


def _are_grades(cells: Collection[str]) -> bool:
    """Whether a few numbers stand in cells, or words of which scales of relevance know most."""
    texts = {text.strip().casefold() for text in cells} - {""} - MISSING_WORDS - DASHES
    if not 0 < len(texts) <= FEW_GRADES:
        return False
    plain = [text.replace(",", ".") for text in texts]
    if all(map(NUMBER.fullmatch, plain)):
        return all(abs(float(text)) <= LARGEST_GRADE for text in plain)
    return bool(numbers_of([*texts])) or are_levels(texts)


def _row_per_grade(raw: RawTable, matrix: _Matrix) -> RawTable:
    """A matrix with a row for each grade; what stands beside it is left out, and said."""
    role, key, other, columns = matrix.role, matrix.key, matrix.other, matrix.columns
    texts = raw.rows[key].astype("str").str.strip()
    own = texts.isin(matrix.ids).to_numpy()
    aside = [name for name in raw.header if name not in (key, *columns)]
    lost = [*aside, *dict.fromkeys(text for text in texts[~own] if text)]
    rule = f"each holds the grades of one {other}, and each row those of one {role}"
    rule += "; empty cells are unjudged" + f"; left out: {listed(lost)}" * bool(lost)
    plain = raw.take(np.flatnonzero(own))
    rows = plain.rows.drop(columns=aside).rename(columns={key: role})
    made = by_columns(replace(plain, rows=rows), columns, other, rule)
    return replace(made, spent=(*made.spent, key))
