"""Matrices of grades: a row for each topic and a column for each document, or the other way."""

import re
from collections import ChainMap
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sdcg_explorer.reading import raw_table
from sdcg_explorer.reading.alike import id_difference
from sdcg_explorer.reading.cells import NOTHING, NUMBER
from sdcg_explorer.reading.grade_words import are_levels, numbers_of_words
from sdcg_explorer.reading.mapped_table import TOTALS
from sdcg_explorer.reading.propose import fit
from sdcg_explorer.reading.raw_table import RawTable, category, in_appearance, texts_of
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.reading.shapes import documents_in_cell, is_bracketed, unpivot
from sdcg_explorer.reading.table_kinds import SAID, Part, as_kind, columns_of, of_kind, part_of
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.columns import plain_ids, plain_name
from sdcg_explorer.study.grades import FEW_GRADES
from sdcg_explorer.study.wording import listed

WORDS = {"topic": "topic", "doc": "document"}
PEOPLE = ("session", "searcher")  # who may be the rows of a questionnaire
NO_ROW = (*PEOPLE, "system", "assessor", "rank", "time")
WHY = "its cells are grades by topic and document"

Ids = Mapping[str, str]  # what is left of an id where case and zeros don't count → the id


def with_grade_matrices(
    parts: Sequence[Part], docs_of: Callable[[Part], set[str]], recipe: Recipe
) -> list[Part]:
    """Parts, where a matrix of grades has a row for each grade.

    Its header and a column name topics and documents of other tables; where it was said to be
    judgments, its header is enough. None is looked for beside other judgments.
    """
    made = [*parts]
    said = of_kind(parts, "judgments")
    lacking = [part for part in said if not {"doc", "grade"} <= part.columns.keys()]
    unknown = [part for part in of_kind(parts, "other") if part.raw.header and part.why != SAID]
    free = lacking if len(lacking) < len(said) else [*lacking, *unknown]
    named = [_ids_of(part, docs_of) for part in parts] if free else []
    for part in free:
        i, is_said = parts.index(part), part.kind == "judgments"
        others = [ids for k, ids in enumerate(named) if k != i]
        known = {role: ChainMap(*(ids[role] for ids in others)) for role in named[i]}
        found, cells = _row_per_grade(part.raw, known, is_said=is_said)
        is_sure = len(cells) > 1 and _are_grades(cells)
        if found and (is_said or is_sure):
            made[i] = as_kind(part_of(found, recipe), "judgments", part.why if is_said else WHY)
        elif found:  # and no other table, either
            why = f"it has topics and documents, but its cells are no grades ({listed(cells)})"
            known_now = raw_table.Known("other", why)
            made[i] = replace(part, raw=replace(part.raw, known=known_now), why=why)
    return made


ENDS_OF_LIST = re.compile("_(doc(ument)?s?|ids|doc_?ids|document_ids|urls|passages|items)$")


def with_listed_grades(raw: RawTable) -> RawTable:
    """Judgments with a row for each grade, where columns are called as grades and list documents.

    A column alone lists what is relevant. Beside other lists, these may have been shown: then the
    table stays as it is.
    """
    words = {name: ENDS_OF_LIST.sub("", plain_name(name)).replace("_", " ") for name in raw.header}
    columns = [name for name, word in words.items() if are_levels([word]) and name != "key"]
    if raw.exact or not columns:
        return raw
    listing = {name for name in raw.header if any(map(is_bracketed, texts_of(raw.rows[name])))}
    keyed = columns_of(raw, "judgments", {"topic": "key"} if "key" in raw.header else {})
    is_keyed = not {"topic", "text"}.isdisjoint(keyed)
    alone = [words[name] for name in columns] == ["relevant"]
    if not (listing and listing <= {*columns} and is_keyed and (alone or len(columns) > 1)):
        return raw
    lists = {name: raw.rows[name].astype("str").map(documents_in_cell) for name in columns}
    row = [i for own in lists.values() for i, docs in enumerate(own) for _ in docs]
    docs = [doc for own in lists.values() for docs in own for doc in docs]
    grades = [words[name] for name, own in lists.items() for docs in own for _ in docs]
    made = raw.take(np.array(row, dtype=np.int64))
    cells = {"doc": category(docs), "grade": category(["1"] * len(row) if alone else grades)}
    rows = made.rows.drop(columns=columns).rename(columns={"key": "topic"}).assign(**cells)
    notes = (*raw.notes, *([raw_table.lists_without_grades_note(raw.file)] if alone else []))
    return replace(made, rows=rows, notes=notes, spent=(*raw.spent, *columns))


def _ids_of(part: Part, docs_of: Callable[[Part], set[str]]) -> dict[str, dict[str, str]]:
    """What a table names, by role, as if it were a log.

    Each goes by what is left of it where case and zeros don't count.
    """
    rows, columns = part.raw.rows, columns_of(part.raw, "log", part.given)
    roles = ("topic", *PEOPLE)
    ids = {role: texts_of(rows[columns[role]]) if role in columns else [] for role in roles}
    ids["doc"] = [*docs_of(as_kind(part, "log", ""))]
    return {role: dict(zip(plain_ids(own), own, strict=True)) for role, own in ids.items()}


def _row_per_grade(
    raw: RawTable, known: Mapping[str, Ids], *, is_said: bool
) -> tuple[RawTable | None, list[str]]:
    """A matrix with a row for each grade, and its distinct cells; None for another table.

    known : ids that other tables name, by role
    """
    first = raw.first
    if first and len({*first}) == len(first):  # ids may name its columns
        below = raw.take(np.arange(1, len(raw.rows)))
        columns = {a: in_appearance(below.rows[b]) for a, b in zip(first, raw.header, strict=True)}
        raw = replace(below, rows=pd.DataFrame(columns), first=())

    def texts(*names: str) -> list[str]:
        cells = [text.strip() for name in names for text in texts_of(raw.rows[name])]
        return [*dict.fromkeys(filter(None, cells))]

    for role, by in (("topic", "doc"), ("doc", "topic")):
        names = [name for name in raw.header if name not in WORDS]
        columns = _ids_among(names, known[by], by, lambda name: _are_grades(texts(name)))
        cells = texts(*columns)
        others = [name for name in raw.header if name not in columns] if columns else []
        ids = {name: _ids_among(texts(name), known[role], role) for name in others}
        keys = [name for name in others if ids[name] and _may_name_rows(name, ids[name], known)]
        key = next(iter([*keys, *others[: is_said and not first]]), None)
        if key is None:
            continue
        own = ids[key] or texts(key)
        clash = [name for name in (role, by, "grade") if name in others and name != key]
        rows = raw.rows.drop(columns=clash).rename(columns={key: role})
        is_row = raw.rows[key].astype("str").str.strip().isin(own)
        plain = replace(raw, rows=rows).take(np.flatnonzero(is_row))
        beside = [name for name in others if name != key]
        beside += _unknown_ids(texts(key), {*plain_ids(own)})
        new = _unknown_ids([*columns, *own], known["topic"], known["doc"])
        rule = f"columns are {WORDS[by]}s, rows {WORDS[role]}s; empty cells are unjudged"
        rule += f"; left out: {listed(beside)}" * bool(beside)
        rule += f"; in no other table: {listed(new)}" * bool(new)
        made = unpivot(plain, {"grade": columns}, by, rule, columns)
        return replace(made, spent=(*made.spent, key)), cells
    return None, []


def _may_name_rows(name: str, ids: Sequence[str], known: Mapping[str, Ids]) -> bool:
    """Whether a column of ids has no other role by its name, and without one is not of people."""
    fits = max(fit("topic", name), fit("doc", name))
    is_id = not _unknown_ids([name], known["topic"], known["doc"])  # and no name of a column
    is_other = is_id or any(fit(role, name) > fits for role in NO_ROW)
    return not is_other and (fits > 0 or bool(_unknown_ids(ids, *(known[each] for each in PEOPLE))))


def _unknown_ids(texts: Sequence[str], *known: Container[str]) -> list[str]:
    """Texts that are no known ids, even where case and zeros don't count."""
    pairs = zip(texts, plain_ids(texts), strict=True)
    return [text for text, plain in pairs if not any(plain in ids for ids in known)]


def _ids_among(
    texts: Sequence[str], known: Ids, role: str, may_be: Callable[[str], bool] = bool
) -> list[str]:
    """Texts that are ids, and those of their form that may be; none where too few are known.

    Topics may differ from those that are known as a remedy says.
    """
    met = {*texts} - {*_unknown_ids(texts, known), ""}
    near = id_difference([*known.values()], texts, role) if role == "topic" and not met else None
    forms = {_kinds_of_characters(text) for text in (near.pair[1:] if near else met)}
    more = {text for text in texts if _kinds_of_characters(text) in forms and may_be(text)} - met
    ids = [t for t in texts if t in met or (t in more and t.casefold().strip(" :") not in TOTALS)]
    least = min(len(ids), 2) if role == "doc" else len(ids) / 2  # of pools, logs show few
    enough = near.pair[1] in ids and len(ids) > 1 if near else len(met) >= least
    return ids if enough else []


def _kinds_of_characters(text: str) -> tuple[bool, bool, bool]:
    """Whether a text has digits, letters, and blanks."""
    return any(map(str.isdigit, text)), any(map(str.isalpha, text)), " " in text


def _are_grades(cells: Collection[str]) -> bool:
    """Whether cells are a few numbers, or words of which scales of relevance know most."""
    texts = {text.strip().casefold() for text in cells} - {""} - NOTHING
    numbers = [text.replace(",", ".") for text in texts]
    if not all(map(NUMBER.fullmatch, numbers)):
        return bool(numbers_of_words([*texts])) or are_levels(texts)
    return len(texts) <= FEW_GRADES and all(abs(float(text)) <= LARGEST_GRADE for text in numbers)
