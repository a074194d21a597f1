"""Tables whose rows are no results yet: wide ones, events, cells that hold a result list."""

import json
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, permutations
from typing import Any, cast

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading import mapping, raw_table
from sdcg_explorer.reading.cells import NO, NOTHING, NUMBER, WHOLE, Findings, blank, coded
from sdcg_explorer.reading.mapping import DOC, GRADE, LISTS, LOG_ROLES, TEXT, Roles
from sdcg_explorer.reading.patterns import COLUMN, MEANINGS
from sdcg_explorer.reading.raw_table import RawTable, category, texts_of
from sdcg_explorer.study import arrays, grades, problems
from sdcg_explorer.study.columns import plain_name, seconds_of
from sdcg_explorer.study.wording import counted

CUT = re.compile(r"\[.*(\s|,)\.\.\.(\s|,|\])", re.DOTALL)
OF_NUMPY = re.compile(  # as it writes one value
    r"""\b(?:np|numpy)\.\w+\(('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|[^()'"]*+)\)"""
)
OF_TYPE = re.compile(  # as Python writes lists and objects of other types
    r"(?:\w+\.)?(?:array|list|tuple|dict|deque|OrderedDict|Counter)"
    r"\(([\[{(].*[\]})])(?:,\s*\w+=[^()\[\]{}]*+)?\)",  # keywords hold no brackets
    re.DOTALL,
)
OF_R = re.compile(r"^c\((.*[\"',].*)\)$", re.DOTALL)  # a vector; c(1) may be an id
OBJECTS = re.compile(  # an id such as {7} is none
    r"\{[^:,'\"]*+[:,'\"].*\}|\([^,'\"]*+[,'\"].*\)|\[\s*+[\[{(].*\]|\{\s*+\}|\(\s*+\)", re.DOTALL
)
# a quote that never closes runs to the end: nothing is scanned twice
QUOTED = r""" "([^"\\]*+(?:\\.?[^"\\]*+)*+)("?) | '([^'\\]*+(?:\\.?[^'\\]*+)*+)('?) | """
WORD = re.compile(QUOTED + r"([^\s,\"'][^\s,]*)", re.VERBOSE | re.DOTALL)
COMMA_WORD = re.compile(QUOTED + r"([^\s,\"'][^,]*)", re.VERBOSE | re.DOTALL)
ESCAPED = re.compile(r"\\(.)")
SIGNS = re.compile(r"[;,]?\s+|;")
BEFORE_URL = re.compile(r";?\s+|;(?=https?://)")
PLACE = re.compile(r"(?:(?:rank|position|pos)[ _-]?|#)?([0-9]{1,9})[.]?", re.IGNORECASE)
CLOSING = ("]", "}", ")")  # of an object, a tuple or a list
READ = "a cell holds every document: alone, in an object that names it, or with a rank or score"
PARTING = (" ", "\n", "|", ";")
MARKS = ("clicked", "examined", "saved")
PARALLEL = ("rank", *MARKS, "grade")
FIELDS = mapping.KNOWN | {"score", "title", "snippet"}  # of a result, and no document's id
RESULT_NAMES = {role.name: role.names for role in LOG_ROLES} | {"doc": (*DOC.names, "id")}

Result = dict[str, str]  # role → text, the document's among them
Pair = tuple[Any, Any]


def spread_lists(raw: RawTable, columns: Roles, found: Findings) -> tuple[RawTable, Roles]:
    """Table with a row per result, where documents stand as lists in cells; else as it is.

    Cells read `["d1","d2"]`, `d1 d2`, `d1;d2` or `d1|d2`, or hold objects or pairs. Other columns
    may hold lists of the same length or, for clicked and examined, the documents that were.
    """
    name = columns.get("doc")
    if name is None or not is_in_lists(raw, columns):
        return _with_marks(raw, columns), columns
    lists = read_lists(raw, name, found, listed=is_listed(raw, columns))
    shown = [lists[int(code)] for code in coded(raw.rows[name])]
    every = [one for results in shown for one in results or [{}]]  # one without keeps its row
    texts = {name: [one.get("doc", "") for one in every]}
    for role in PARALLEL:
        if (column := columns.get(role)) is not None:
            given = zip(shown, raw.rows[column].astype("str"), strict=True)
            first = _first_place(raw, column)
            cells = (_list_places(_doc_ids(own), text, role, first) for own, text in given)
            texts[column] = [*chain(*cells)]
        elif any(role in one for one in every):
            columns = {**columns, role: role}
            texts[role] = [one.get(role, "") for one in every]
    if "rank" not in columns:
        columns = {**columns, "rank": "rank"}
        texts["rank"] = [str(i) for own in shown for i in [*range(1, len(own) + 1)] or [""]]
    row = np.repeat(np.arange(len(shown)), [max(len(own), 1) for own in shown])
    return _with_texts(raw.take(row), texts), columns


def _with_marks(raw: RawTable, columns: Roles) -> RawTable:
    """A table whose queries list documents, or ranks, that were opened: a mark for each result."""
    made: dict[str, list[str]] = {}
    for role in (role for role in MARKS if columns.get(role) and "doc" in columns):
        texts = texts_of(raw.rows[columns[role]])
        if not any(map(is_bracketed, texts)):
            continue
        lists = [_texts_of_list_cell(text) or [] for text in texts]
        every = {*chain(*lists)}
        given = [raw.rows[columns[own]].astype("str") for own in ("doc", "rank") if own in columns]
        named: list[Any] = [texts.str.strip() for texts in given]
        nested = raw.nested
        place = nested.places.get(nested.lists.get(columns["doc"], ())) if nested else None
        if place is not None and PLACE_NAME.search(plain_name(columns[role])):
            named.insert(0, (place - ("0" in every)).astype(str))
        names = next((own for own in named if every <= {*own}), None)
        if names is not None:  # else, whatever they name, it isn't told
            beside = zip(names, coded(raw.rows[columns[role]]), strict=True)
            made[columns[role]] = [str(int(each in lists[int(code)])) for each, code in beside]
    return _with_texts(raw, made) if made else raw


def is_in_lists(raw: RawTable, columns: Roles) -> bool:
    """Whether documents of a log stand as lists in cells; (7) and {7} are ids."""
    texts = texts_of(raw.rows[columns["doc"]])
    values = (_parsed_cell_value(text) for text in texts if text.rstrip().endswith(CLOSING))
    return is_listed(raw, columns) or any(isinstance(one, dict | list | tuple) for one in values)


def documents_of(raw: RawTable, columns: Roles) -> tuple[arrays.Ints, np.ndarray]:
    """Row (M,) and document (M,) of all results of a log, those in lists too."""
    texts, codes = texts_of(raw.rows[columns["doc"]]), coded(raw.rows[columns["doc"]])
    lists = [[text.strip()] if text.strip() else [] for text in texts]
    if is_in_lists(raw, columns):
        read, _ = _results_in_cells(texts, listed=is_listed(raw, columns))
        lists = [_doc_ids(results or []) for results in read]
    row = np.repeat(np.arange(codes.size), np.array([*map(len, lists)], dtype=int)[codes])
    return row, np.array([doc for code in codes for doc in lists[int(code)]], dtype=object)


MOST_LOOKED_AT = 2_000  # rows whose lists are compared
NO_DOCUMENTS = re.compile(  # what lists in columns of these names hold
    r"token|term|word|vector|embed|feature|categor|tag|facet|filter|author|score|price|option"
)


def lists_by_content(raw: RawTable) -> Roles:
    """Columns of documents, and of clicked ones, where lists of ids stand in few columns alone.

    Of two columns the one whose lists hold those of the other has the documents. Vectors, words and
    tags are none. Nothing where it can't be told.
    """
    rows = raw.rows.iloc[:MOST_LOOKED_AT]
    lists: dict[str, list[set[str]]] = {}
    for name in raw.header:
        texts = [text.strip() for text in rows[name].astype("str")]
        distinct = [*{*texts} - {""}]
        several = _share_of_lists(distinct) >= 1 / 2 or are_comma_lists(distinct)
        several |= meaning_of(name) == "click"  # of which most lists have but one
        if NO_DOCUMENTS.search(plain_name(name)) or not distinct or not several:
            continue
        read = zip(distinct, _results_in_cells(distinct, listed=True)[0], strict=True)
        docs = {text: {*_doc_ids(results)} for text, results in read if results is not None}
        fractions = any(FRACTION.fullmatch(one) or " " in one for one in chain(*docs.values()))
        if len(docs) == len(distinct) and not fractions:
            lists[name] = [docs.get(text, set()) for text in texts]
    differ = [(a, b) for a, b in permutations(lists, 2) if lists[a] != lists[b]]
    within = {b for a, b in differ if all(map(set[str].issubset, lists[b], lists[a]))}
    shown = [n for n, own in lists.items() if n not in within and any(len(d) > 1 for d in own)]
    clicked = [name for name in within if meaning_of(name) == "click"]
    if len(shown) != 1 or len(within) > len(clicked) or len(clicked) > 1:
        return {}
    return dict(zip((DOC.name, "clicked"), (*shown, *clicked), strict=False))


def read_lists(
    raw: RawTable, name: str, found: Findings, *, listed: bool = True
) -> list[list[Result]]:
    """Results in each distinct cell of a column; cells that can't be read are refused.

    listed : whether a plain text is a list, and no one document
    """
    column = raw.rows[name]
    read, ranks = _results_in_cells(texts_of(column), listed=listed)
    bad = np.array([results is None for results in read], dtype=bool)

    def said(row: int) -> str:
        return f"results that can't be read, {str(column.iloc[row])[:80]!r}"

    rows = np.flatnonzero(bad[coded(column)])
    found.refuse(raw, rows, said, READ, "Write a row, or an object, for each result.")
    if ranks is not None:
        beside = "ranks" if ranks else "scores"
        rule = "they are the documents' ranks" if ranks else "in an object they rank the documents"
        found.note(raw.file, f"{beside} beside documents in {name}", rule)
    return [results or [] for results in read]


def _results_in_cells(
    texts: Sequence[str], *, listed: bool
) -> tuple[list[list[Result] | None], bool | None]:
    """Results in each cell of a column, None where they can't be told.

    And whether ranks stand beside documents, or scores: the whole column tells; None where
    neither does.
    """
    read: list[Any] = []  # results, or None
    paired: dict[int, tuple[list[Pair], bool]] = {}
    commas = listed and are_comma_lists(texts)
    for i, text in enumerate(texts):
        value = _parsed_cell_value(text)
        if commas:
            parts = [] if text.strip().casefold() in NOTHING else text.split(",")
            read.append([{"doc": part.strip()} for part in parts if part.strip()])
        elif isinstance(value, str) or (value is None and not listed):
            words = _texts_of_list_cell(str(value)) if listed else [text] if text.strip() else []
            read.append(None if words is None else [{"doc": word} for word in words])
        else:
            read.append(_results_or_pairs(value))
            if read[i] and isinstance(read[i][0], tuple):
                paired[i] = read[i], not isinstance(value, dict)
                read[i] = None
    told = _read_pairs([*paired.values()]) if paired else None
    if told is None:
        return read, None
    for i, results in zip(paired, told[0], strict=True):
        read[i] = results
    return read, told[1]


FRACTION = re.compile(r"[+-]?[0-9]*[.][0-9]+([eE][+-]?[0-9]+)?")
THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")
NO_ID = re.compile(r"[\s'\"(){}\[\]:/]")


def are_comma_lists(texts: Sequence[str]) -> bool:
    """Whether cells are ids with a comma between two, where a comma may be part of an id, too.

    Ids are alike, and a cell has three or more; fractions are a vector.

    >>> are_comma_lists(["1,2,3", "7"]), are_comma_lists(["d1,d22", "d7,d8,d9"])
    (True, True)
    >>> are_comma_lists(["1,234,567"]), are_comma_lists(["0.1,0.2,0.5"]), are_comma_lists(["a,7"])
    (False, False, False)
    """
    filled = [text.strip() for text in texts if text.strip().casefold() not in {"", *NOTHING}]
    several = [text for text in filled if "," in text]
    if 2 * len(several) < max(1, len(filled)) or not any(t.count(",") > 1 for t in several):
        return False
    ids = [part.strip() for text in filled for part in text.split(",")]
    forms = {re.sub(r"[0-9]+", "0", re.sub(r"[^\W\d_]+", "a", one)) for one in ids}
    if len(forms) > 1 or all(map(THOUSANDS.fullmatch, several)):
        return False
    return not any(not one or NO_ID.search(one) or FRACTION.fullmatch(one) for one in ids)


def documents_in_cell(text: str) -> list[str]:
    """Documents in a cell: in brackets (JSON, Python, numpy), or parted by signs or blanks.

    >>> documents_in_cell('["d1", "d2"]'), documents_in_cell("d1 d2")
    (['d1', 'd2'], ['d1', 'd2'])
    >>> documents_in_cell("['a' 'b']"), documents_in_cell("d1, d2;d3")
    (['a', 'b'], ['d1', 'd2', 'd3'])
    >>> documents_in_cell('{"2": "d2", "1": "d1"}'), documents_in_cell("[('d1', 9.5), ('d2', 8.5)]")
    (['d1', 'd2'], ['d1', 'd2'])
    """
    return _doc_ids(_results_in_cells([text], listed=True)[0][0] or [])


def _share_of_lists(texts: Iterable[str], signs: Sequence[str] = PARTING[1:]) -> float:
    """Share of texts that hold several, in brackets or by signs; blanks may be a sentence's."""
    filled = [text.strip() for text in texts if text.strip()]
    several = [is_bracketed(text) or any(sign in text for sign in signs) for text in filled]
    return sum(several) / max(len(several), 1)


def _doc_ids(results: Sequence[Result]) -> list[str]:
    return [result["doc"] for result in results]


def _is_list(plain: str) -> bool:
    return plain.startswith("[") and plain.endswith("]")


def is_bracketed(text: str) -> bool:
    """Whether a cell is written as a list, an object or a tuple."""
    return _is_list(text.strip()) or not isinstance(_parsed_cell_value(text), str)


def _parsed_cell_value(text: str) -> Any:
    """A cell's object or tuple, or list of such, in Python; None where it can't be read.

    The text where it is none.
    """
    plain = text.strip()
    if not plain.endswith(CLOSING):
        return plain
    if "(" in plain:
        plain = OF_R.sub(r"[\1]", plain)
        plain = OF_NUMPY.sub(r"\1", plain)
        typed = OF_TYPE.fullmatch(plain)
        plain = typed[1] if typed else plain
    if not OBJECTS.fullmatch(plain):
        return plain
    if "\\u0000" in plain or "\\x00" in plain:
        return None
    for read in (partial(json.loads, object_pairs_hook=_object_with_distinct_names), literal_eval):
        try:
            return read(plain)
        except LookupError:
            return None
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return None


def _object_with_distinct_names(pairs: list[Pair]) -> dict[Any, Any]:
    """An object of JSON; of a document that stands twice in it, both would be one.

    Raises
    ------
    LookupError
    """
    if len(dict(pairs)) < len(pairs):
        raise LookupError("a name twice")
    return dict(pairs)


def _results_or_pairs(value: Any) -> list[Any] | None:
    """Results that a value names, in its order, or its pairs; None where it has neither.

    Pairs are those of an object, or of a list of pairs.
    """
    if isinstance(value, dict):
        given = cast("dict[Any, Any]", value)
        lists: list[Any] = [v for name, v in given.items() if plain_name(str(name)) in DOC.names]
        if one := _result_from_object(given):
            return [one]
        is_named = [isinstance(one, list | tuple) for one in lists] == [True]
        return _results_or_pairs(lists[0]) if is_named else [*given.items()]
    if not isinstance(value, list | tuple):
        return None  # a set
    items = cast("list[Any]", [*value])
    if all(isinstance(one, dict) for one in items):
        results = [_result_from_object(one) for one in items]
        return None if None in results else results
    if len({*map(type, items)}) == 1 and isinstance(items[0], str | int):
        return [{"doc": _value_as_text(one)} for one in items]
    are_pairs = all(type(one) in (list, tuple) and len(one) == 2 for one in items)
    return [(one[0], one[1]) for one in items] if are_pairs else None


def _result_from_object(value: Any) -> Result | None:
    """The document that an object names, with what else it says by role; None without one."""
    given = cast("dict[Any, Any]", value) if isinstance(value, dict) else {}
    named = {plain_name(str(name)): inner for name, inner in given.items()}
    result: Result = {}
    for role in ("doc", *PARALLEL):
        inner = next((named[name] for name in RESULT_NAMES[role] if name in named), None)
        if isinstance(inner, str | int | float):
            result[role] = _value_as_text(inner)
    return result if result.get("doc") else None


def _value_as_text(value: float | str) -> str:
    """A value as text; whole numbers without a point, true as 1."""
    is_whole = isinstance(value, bool) or (isinstance(value, float) and value.is_integer())
    return str(int(value)) if is_whole else str(value)


def _read_pairs(cells: Sequence[tuple[list[Pair], bool]]) -> tuple[list[list[Result]], bool] | None:
    """Results of a column's cells of pairs, each with whether its pairs have an order.

    And whether the numbers beside the documents are ranks. None where it can't be told: whole
    numbers that fall may be scores of documents called 1, 2, … as well as documents by rank; a
    field's name is neither.
    """
    keys, values = ([[pair[k] for pair in pairs] for pairs, _ in cells] for k in (0, 1))
    every = [*chain(*values)]
    plain = all(type(one) in (str, int, float) for one in every)
    if not (plain or all(map(_result_from_object, every))):
        return None
    for key in chain(*keys):
        if not isinstance(key, str | int | float) or mapping.joined_name(str(key)) in FIELDS:
            return None
    places = [[_rank_from_key(key) for key in own] for own in keys]
    ranked = all(not np.isnan(own).any() and len({*own}) == len(own) for own in places)
    numbers = [[_number_or_nan(value) for value in own] for own in values]
    scored = not np.isnan([*chain(*numbers)]).any()
    docs, beside, ranks, told = values, places, True, False
    if ranked and (not scored or all(isinstance(one, str) for one in every)):
        told = True
    elif ranked and _are_consecutive(places) and all(one.is_integer() for one in chain(*numbers)):
        told = not _are_decreasing_numbers(numbers)
    elif scored:
        docs, beside, ranks = keys, numbers, _are_consecutive(numbers)
        told = not (ranks and _are_decreasing_numbers(numbers) and max(map(len, numbers)) > 1)
    elif plain:
        beside, ranks = [[_number_or_nan(key) for key in own] for own in keys], False
        told = not np.isnan([*chain(*beside)]).any()
    if not told:
        return None
    listed = zip(docs, beside, cells, strict=True)
    return [_sort_results(own, at, ranks, ordered) for own, at, (_, ordered) in listed], ranks


def _sort_results(
    docs: Sequence[Any], numbers: Sequence[float], ranks: bool, ordered: bool
) -> list[Result]:
    """Results by their ranks; or as they stand, or by score and name, descending, as runs are."""
    named = [_result_from_object(doc) or {"doc": _value_as_text(doc)} for doc in docs]
    beside = [*zip(numbers, named, strict=True)]
    if ranks:
        beside.sort(key=lambda one: one[0])
        return [{**result, "rank": str(int(number))} for number, result in beside]
    if not ordered:
        beside.sort(key=lambda one: (one[0], one[1]["doc"]), reverse=True)
    return [result for _, result in beside]


def _are_consecutive(cells: Sequence[Sequence[float]]) -> bool:
    """Whether the numbers of each cell are 1, 2, … or, in each, 0, 1, … in any order."""
    return any(all(sorted(own) == [*range(b, b + len(own))] for own in cells) for b in (0, 1))


def _are_decreasing_numbers(cells: Sequence[Sequence[float]]) -> bool:
    """Whether numbers fall in every cell."""
    return all(a > b for own in cells for a, b in pairwise(own))


def _rank_from_key(value: float | str) -> float:
    """The rank that a key names; nan where it names none."""
    fit = PLACE.fullmatch(str(value).strip())
    return float(fit[1]) if fit else np.nan


def _number_or_nan(value: Any) -> float:
    """A number, as one or as text; nan where it is none."""
    if isinstance(value, str):
        return float(value) if NUMBER.fullmatch(value.strip()) else np.nan
    return float(value) if type(value) in (int, float) and np.isfinite(value) else np.nan


def _texts_of_list_cell(text: str) -> list[str] | None:
    """Texts of a list without objects in it; None where one was cut, or stands in two words."""
    plain = text.strip()
    if CUT.match(plain):
        return None
    if plain.casefold() in NOTHING:
        return []
    if _is_list(plain):
        inner = plain[1:-1]
        fits = (COMMA_WORD if "," in WORD.sub("", inner) else WORD).findall(inner)
        closed = all(closed or also or bare for _, closed, _, also, bare in fits)
        bare = [bare for *_, bare in fits]
        return [_element(*fit) for fit in fits] if closed and _brackets_whole(bare, inner) else None
    signs = BEFORE_URL if "://" in plain else SIGNS
    parts = plain.split("|") if "|" in plain else signs.split(plain)
    places = [str(i) for i in range(1, len(parts) // 2 + 1)]
    if [part.strip("#.):") for part in parts[::2]] == places != parts[::2]:
        parts = parts[1::2]  # 1. d1 2. d2
    whole = [part.strip() for part in parts if part or "|" in plain]
    return whole if _brackets_whole(parts, plain) else None


def _brackets_whole(parts: Sequence[str], text: str) -> bool:
    """Whether no part of a text begins or ends within its brackets."""
    return all(map(_closes, {*parts})) or not (text.startswith(("{", "(", "[")) or _closes(text))


def _closes(text: str) -> bool:
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))


def _element(double: str, _: str, single: str, __: str, bare: str) -> str:
    """One text of a list; nothing where it reads null."""
    if double:
        try:
            return str(orjson.loads(f'"{double}"'))
        except orjson.JSONDecodeError:
            return double
    if single:
        return ESCAPED.sub(r"\1", single)
    return "" if bare.strip() in ("null", "None", "nan") else bare.strip()


def is_listed(raw: RawTable, columns: Roles) -> bool:
    """Whether documents stand as lists: in most cells, or no rank and lists by name."""
    if "rank" in columns:  # [7] beside a rank is an id
        return any(text.startswith("[") for text in texts_of(raw.rows[columns["rank"]]))
    texts = texts_of(raw.rows[columns["doc"]])
    named = plain_name(columns["doc"]) in LISTS
    return named or _share_of_lists(texts, PARTING) > 1 / 2 or are_comma_lists(texts)


PLACE_NAME = re.compile("rank|position|ind(ex|ices)")


def _first_place(raw: RawTable, column: str) -> int | None:
    """What the first place of a list is called in a column of places; None where it isn't told."""
    texts = texts_of(raw.rows[column])
    cells = [re.findall("[0-9]+", text) for text in texts]
    places = {*chain(*cells)}
    if fit := PLACE_NAME.search(plain_name(column)):
        from_0 = "0" in places and not places <= {"0", "1"}  # these may say no and yes
        return 0 if from_0 else None if fit[1] else 1
    are_lists = any(len(cell) > 1 for cell in cells) and all(map(ONLY_PLACES.fullmatch, texts))
    return 1 if are_lists and "0" not in places and not places <= {"1"} else None


ONLY_PLACES = re.compile(r"[0-9\s,;|\"\[\]]*")
WHOLES = re.compile(r"\s*[0-9]{1,3}(\s*,\s*[0-9]{1,3})+\s*")


def _list_places(docs: list[str], text: str, role: str, first: int | None) -> list[str]:
    """Cells of another column, which may name places from `first` on, beside a list's documents."""
    if not docs:
        return [""]
    value = _parsed_cell_value(text)
    if role in MARKS and len(docs) > 1 and WHOLES.fullmatch(text):
        value = text.replace(",", " ")  # places with a comma between
    refused = [f"{text} beside {counted(len(docs), 'document')}"] * len(docs)
    values = _texts_of_list_cell(value) if isinstance(value, str) else None
    if values is None:
        return refused
    none = not values or (len(docs) > 1 and text.strip().lower() in NO)
    if none and text.strip() and role in MARKS:
        return ["0"] * len(docs)  # an empty list, or no: none was
    is_list = _is_list(text.strip()) and len(values) != len(docs)  # of documents called 0 or 1
    marks = role in MARKS and (first is not None or is_list or not {*values} <= {"0", "1"})
    places = [] if first is None else [str(first + place) for place in range(len(docs))]
    for names in (docs, places) if marks else ():
        if {*values} <= {*names}:
            return [str(int(name in values)) for name in names]
    if len(values) == len(docs):
        return values
    return [text] * len(docs) if not values or len(docs) == 1 else refused


def _with_texts(raw: RawTable, texts: dict[str, list[str]], spent: Iterable[str] = ()) -> RawTable:
    """The same table with columns of other texts, and without those that are spent."""
    rows: pd.DataFrame = raw.rows.drop(columns=[*texts, *spent], errors="ignore")
    return replace(raw, rows=pd.concat([rows, raw_table.category_columns(texts)], axis=1))


MOST_VALUES, FEW_NAMES = 200, 50  # of a column that names events; of one by another name
EVENT_NAME = re.compile(r"[A-Za-z]+([_.:-][A-Za-z]+)*")
# by what an event is: words in its name, the first that fits
WORDS = [
    (re.compile(words), meaning)
    for words, meaning in (
        ("hover(enter|leave)?|scroll|(mouse)?move|focus|blur", ""),
        ("close|leave|start(ed)?|stop(ped)?|(remove|delete)d?|unbookmark|unmark", ""),
        ("sess|end|context|hide|suggest(ions?)?|autocomplete|typing|key(press)?|change", ""),
        ("click(ed|s)?|klicks?|geklickt|clic[ck]?at[aeio]|clicad[ao]s?|select(ed)?|visit", "click"),
        ("open(ed)?|apert[aeio]|abiert[ao]s?|abert[ao]s?|ouverte?s?|geoffnet|geopend", "click"),
        ("(book)?mark(ed|s)?|saved?|star(red)?|favou?rite|collect(ed)?", "bookmark"),
        ("(search)?results?|impressions?|snippet|brief|hits?|shown?|display(ed)?", "result"),
        ("q|query|queries|search(ed|es)?|serp|pagination|anfrage|suche|requete|recherche", "query"),
        ("consulta|busqueda|查询|搜索", "query"),
        ("view(ed)?|read|download(ed)?|details?|full", "click"),  # of a record, and of no list
    )
]
# Google Analytics 4, "Recommended events" (support.google.com/analytics/answer/9267735)
ANALYTICS = {"view_search_results": "query", "view_item_list": "result"}
ENDS = "", "_name", "_type", "_details_name", "_label", "_kind"
NAMES = (
    *(of + end for of in ("event", "action", "activity") for end in ENDS),
    *("operation", "method", "type", "name", "kind"),
)


@dataclass(frozen=True)
class Events:
    """Column that names the events of a log, and what its values mean; others are not used."""

    column: str
    meanings: dict[str, str]


def meaning_of(value: str, otherwise: str = "") -> str:
    """What an event is, by the words of its name; "" where they say that it is not used.

    otherwise : what it is where they don't say

    >>> meaning_of("SEARCHRESULT_CLICK_URL"), meaning_of("QUERY_SUBMITTED"), meaning_of("scroll")
    ('click', 'query', '')
    """
    plain = plain_name(value if not value.isupper() else value.lower())
    if plain in ANALYTICS:
        return ANALYTICS[plain]
    words = plain.split("_")
    return next((means for known, means in WORDS if any(map(known.fullmatch, words))), otherwise)


def events_of_log(said: str, raw: RawTable) -> Events | None:
    """The column that names events, and what they mean; None where this is no log of them.

    A guess by names needs some that mean a query, and some a result or a click; or some that mean
    results and a query at once, since they have its text or its list, and clicks. Others that hold
    lists show results.

    said : as in event=action,query=gesucht,none=open, in addition to what names say
    """
    pairs = [each.partition("=")[::2] for each in said.split(",") if each]
    known = {value.strip(): name.strip() for name, value in pairs}
    named = next((value for value, name in known.items() if name == COLUMN), "")
    plain = {plain_name(column): column for column in reversed(raw.header)}
    usual = [plain[name] for name in NAMES if name in plain]
    for column in [named] if named else [*usual, *_columns_of_few_names(raw, usual)]:
        values = texts_of(raw.rows[column])[: MOST_VALUES + 1] if column in raw.header else []
        lists = dict.fromkeys(_events_with_lists(raw, column), "result")
        meanings = {v: known.get(v.strip(), meaning_of(v, lists.get(v, ""))) for v in values}
        meant = {value: meaning for value, meaning in meanings.items() if meaning in MEANINGS}
        found = {*meant.values()}
        shown = {"result", "click"} <= found and "query" not in found
        if shown and _have_queries(raw, lists_around(raw, Events(column, meant))):
            meant = {value: meaning.replace("result", "query") for value, meaning in meant.items()}
        sure = "query" in meant.values() and found & {"result", "click"}
        if values and (named or (sure and len(values) <= MOST_VALUES)):
            return Events(column, meant)
    return None


def _columns_of_few_names(raw: RawTable, others: Sequence[str]) -> list[str]:
    """Further columns that may name events: a few names of several rows, some of two words."""
    texts = {name: texts_of(raw.rows[name]) for name in raw.header if name not in others}
    most = min(FEW_NAMES, len(raw.rows) // 2)
    few = [name for name, own in texts.items() if 1 < len(own) <= most]
    named = [name for name in few if all(map(EVENT_NAME.fullmatch, texts[name]))]
    return [name for name in named if any("_" in plain_name(text) for text in texts[name])]


def _events_with_lists(raw: RawTable, column: str) -> set[str]:
    """Events of a column most of which hold a list of documents in a cell."""
    none = np.zeros(len(raw.rows), dtype=bool)
    held = np.any([none, *(~blank(raw.rows[name]) for name in list_columns(raw))], axis=0)
    share = pd.Series(held).groupby(raw.rows[column].astype("str").to_numpy(object)).mean()
    return {*share.index[share > 1 / 2]}


def _have_queries(raw: RawTable, around: tuple[str, ...]) -> bool:
    """Whether results tell of their query themselves, by its text or as a list.

    around : the lists that events stand in
    """
    paths = raw.nested.lists.values() if raw.nested else ()
    deeper = any(len(path) > len(around) for path in paths)
    return deeper or "text" in event_roles(raw, {}) or bool(list_columns(raw))


MORE_NAMES = {
    "time": ("date", "event_timestamp", "client_timestamp", "server_timestamp", "ts"),
    "searcher": ("actor", "person", "who", "user_pseudo_id", "uid", "pid", "subject"),
    "system": ("arm", "treatment", "ui"),  # of an experiment
    "query_number": ("search_id", "request_id", "query_key", "query_uuid"),
    "text": ("q", "txt", "keywords", "search_term", "search_terms", "search_text", "terms"),
}
# columns of a table that Big Brother writes, which names none (github.com/hscells/bigbro)
BIG_BROTHER = (
    *("time", "actor", "method", "target", "name", "id", "location"),
    *("x", "y", "screen_width", "screen_height", "comment"),
)
GO_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{8,20} [+-][0-9]{4}.{0,60}")
CLICK_TIMES = ("click_time", "click_timestamp", "clicked_at")
LIST_ENDS = tuple(f"_{name}" for name in LISTS)


def with_known_names(raw: RawTable) -> RawTable:
    """A table with the names of a known logger where it has none, or with clicks; else as it is.

    Each document of a table that has those that were clicked alone was clicked, and each with a
    time of its click.
    """
    plain = {plain_name(column): column for column in raw.header}
    words = {fit[1] for name in plain if (fit := NUMBERED.fullmatch(name))}  # url_1, url_2, …
    alone = {*DOC.names, "clicked"} & (plain.keys() | words) <= {*mapping.CLICKED_DOCS}
    names = mapping.CLICKED_DOCS if alone else () if "clicked" in plain else CLICK_TIMES
    clicked = [plain[name] for name in names if name in plain]
    if len(clicked) == 1:
        column, texts = raw.rows[clicked[0]], map(str.strip, texts_of(raw.rows[clicked[0]]))
        filled = [text if text.casefold() not in NOTHING else "" for text in texts]
        marks = raw_table.with_texts(column, ["1" * bool(text) for text in filled])
        rows = raw.rows.assign(clicked=marks)
        if names == CLICK_TIMES:
            rows[raw_table.CLICK_TIME] = raw_table.with_texts(column, filled)
        return replace(raw, rows=rows)
    cells = [*map(str.strip, raw.first)]
    are_known = len(cells) == len(BIG_BROTHER) and GO_TIME.fullmatch(cells[0])
    if not (are_known and all(map(WHOLE.fullmatch, cells[7:11]))):
        return raw
    return replace(raw, rows=raw.rows.set_axis([*BIG_BROTHER], axis="columns"))


def event_roles(raw: RawTable, given: Roles) -> Roles:
    """Role → column of a log of events, those too whose names merely end as a role is called."""
    plain = {plain_name(column): column for column in reversed(raw.header)}
    columns = {role: column for role, column in given.items() if column in raw.header}
    listed = {*raw.nested.lists} if raw.nested else set[str]()
    for role in (role for role in LOG_ROLES if role.name not in given):
        inner = {"id"} & listed if role is DOC and listed.isdisjoint(DOC.names) else ()
        names = [*inner, *role.names, *MORE_NAMES.get(role.name, ())]
        names = [name for name in names if name not in LISTS]
        ends = [o for name in names for o in plain if o.endswith(f"_{name}") and o not in NAMES]
        fit = [plain[name] for name in (*names, *ends) if name in plain]
        free = [column for column in fit if column not in columns.values()]
        if role is mapping.QUERY_NUMBER:
            free = [column for column in free if not _is_text_in_short(raw, column)]
        columns |= {role.name: free[0]} if free else {}
    if DOC.name in columns and DOC.name not in given:
        columns[DOC.name] = _shown_column(raw, columns[DOC.name])
    return columns


def _shown_column(raw: RawTable, named: str) -> str:
    """The one column of the innermost list that holds all documents that events name; or itself."""
    lists = {**raw.nested.lists} if raw.nested else dict[str, tuple[str, ...]]()
    inner = max(lists.values(), key=len, default=())
    docs = {*texts_of(raw.rows[named])} - {""}
    there = [name for name, path in lists.items() if path == inner != lists.get(named)]
    holds = [name for name in there if docs <= {*texts_of(raw.rows[name])}]
    return holds[0] if docs and len(holds) == 1 else named


def _is_text_in_short(raw: RawTable, column: str) -> bool:
    """Whether a column called q, as in an address, holds what was typed, not numbers or ids."""
    texts = texts_of(raw.rows[column]) if plain_name(column).rpartition("_")[2] == "q" else []
    return any(" " in text.strip() for text in texts) or not any(map(WHOLE.fullmatch, texts or "1"))


def list_columns(raw: RawTable) -> list[str]:
    """Columns of lists of documents, by their names; one of counts (of hits) is none."""
    plain = {column: plain_name(column) for column in raw.header}
    named = [c for c, name in plain.items() if name in LISTS or name.endswith(LIST_ENDS)]
    return [c for c in named if not all(map(WHOLE.fullmatch, filter(None, texts_of(raw.rows[c]))))]


def spread_events(
    raw: RawTable, doc: str, found: Findings
) -> tuple[RawTable, np.ndarray, arrays.Ints, arrays.Bools]:
    """A row for each document of a list; documents (N,); its row before; which are listed."""
    count = len(raw.rows)
    own = raw.rows[doc].astype("str").str.strip().to_numpy(object) if doc else np.full(count, "")
    lists: list[list[str]] = [[] for _ in range(count)]
    for name in list_columns(raw):
        parted = [[one["doc"] for one in results] for results in read_lists(raw, name, found)]
        lists = [parted[c] or old for c, old in zip(coded(raw.rows[name]), lists, strict=True)]
    for row, text in enumerate(own):
        if not lists[row] and is_bracketed(str(text)):
            lists[row] = documents_in_cell(str(text))
    sizes = np.array([len(docs) for docs in lists], dtype=np.int64)
    row = np.repeat(np.arange(count), np.maximum(sizes, 1))
    listed = (sizes > 0)[row]
    docs = own.astype(object)[row]
    docs[listed] = [doc for docs in lists for doc in docs]
    return (raw.take(row) if sizes.any() else raw), docs, row, listed


def event_starts(raw: RawTable, around: tuple[str, ...]) -> arrays.Bools:
    """Rows (N,) that begin an event, of those that its inner lists of objects were spread over.

    around : the lists that events themselves stand in
    """
    places: Any = raw.nested.places if raw.nested else {}
    within = [place <= 1 for lists, place in places.items() if len(lists) > len(around)]
    return np.all([np.ones(len(raw.rows), dtype=bool), *within], axis=0)


def lists_around(raw: RawTable, events: Events | None) -> tuple[str, ...]:
    """The lists that events stand in."""
    return raw.nested.lists.get(events.column, ()) if raw.nested and events else ()


Counts = list[tuple[str, int, str]]  # of events: name, how many, meaning


def event_counts(raw: RawTable, events: Events, new: arrays.Bools | None = None) -> Counts:
    """Each event's name, how many there are, and what it means; the most frequent first.

    new (N,) : where each begins, of those that were spread over rows
    """
    new = event_starts(raw, lists_around(raw, events)) if new is None else new
    counts = Counter(raw.rows[events.column].astype("str")[new])
    return [(name, n, events.meanings.get(name, "")) for name, n in counts.most_common()]


def events_table(raw: RawTable, events: Events) -> pd.DataFrame:
    """Events of a log, how many there are, and what they mean."""
    cells = [(name, n, means or "not used") for name, n, means in event_counts(raw, events)]
    return pd.DataFrame(cells, columns=["event", "how many", "means"])


NUMBERED = re.compile(r"([^0-9]*[^0-9_])_?([0-9]{1,3})(?:_([^0-9]+))?")
OF_RESULTS = (DOC.name, "clicked", "examined", "grade")
ROLE_OF = {name: role.name for role in LOG_ROLES for name in role.names} | {"result": DOC.name}
# Q1, Query 2: what stands beneath says which
OF_QUERIES = {*mapping.QUERY_NUMBER.names, *mapping.EITHER, "q"}
LONGEST_WORD = 40  # letters of a grade in words
BY = "|".join((*mapping.ASSESSOR.names, *GRADE.names))
MARKED = re.compile(rf"(?:{BY})(?:_.+|[0-9]+)|.+_(?:{BY})")  # an assessor's name before or behind
COUNTED = re.compile(rf"(?:{BY})(?:_?[0-9]+|_[a-z])?")

Wide = dict[str, list[str]]  # role → a column for each place


def with_usual_columns(raw: RawTable) -> RawTable:
    """A table whose rows are results, events or judgments."""
    if raw.exact or raw.first:
        return raw
    if raw.nested is None and not raw.known.kind:  # as trees have it
        dotted = (name for name in raw.header if ". " not in name)  # and no "N. query"
        last = {name: name.removesuffix(".id").rpartition(".")[2] for name in dotted}
        raw = replace(raw, rows=raw.rows.rename(columns=mapping.short_names(last)))
    raw = spread_numbered(_turns_that_show(_clicks_in_lists(raw)))
    others = {ROLE_OF.get(plain_name(column), "") for column in raw.header}
    if DOC.name not in others or others & {"rank", "query_number"}:
        return raw
    return spread_columns(raw, columns_of_assessors(raw))


def _clicks_in_lists(raw: RawTable) -> RawTable:
    """Queries with a list of texts as results: clicks that are objects as a list, too."""
    nested = raw.nested
    inner = max(nested.places, key=len, default=()) if nested else ()
    if not nested or not inner or meaning_of(inner[-1]) != "click":
        return raw
    own = [name for name, lists in nested.lists.items() if lists == inner]
    which = [n for role in (DOC.name, "rank") for n in own if ROLE_OF.get(plain_name(n)) == role]
    if not which or {*list_columns(raw)} <= {*own}:
        return raw
    starts = event_starts(raw, inner[:-1])
    rows, texts = np.flatnonzero(starts), raw.rows[which[0]].astype("str").str.strip()
    clicked = texts[texts != ""].groupby(np.cumsum(starts)[texts != ""] - 1).agg(list)
    lists = [orjson.dumps(clicked.get(query, [])).decode() for query in range(rows.size)]
    made = raw.take(rows)
    around = {name: path for name, path in nested.lists.items() if name not in own}
    places = {path: place[rows] for path, place in nested.places.items() if path != inner}
    cells = made.rows.drop(columns=own).assign(**{inner[-1]: category(lists)})
    return replace(made, rows=cells, nested=replace(nested, lists=around, places=places))


WHO = ("role", "speaker", "sender", "author", "from")  # whose turn it is in a conversation
ASKING = {"user", "human", "searcher", "participant", "client", "questioner"}
ANSWERING = {"assistant", "system", "bot", "chatbot", "agent", "ai", "model"}
TALKS = {*mapping.SESSION.names, "conversation", "dialogue", "dialog", "chat", "chat_id"}
SAID = ("text", "content", "message", "utterance")


def _turns_that_show(raw: RawTable) -> RawTable:
    """A conversation's turns as queries: those of the side whose turns hold lists of results.

    The text of a query is that which was searched for, or else the last turn of those who ask.
    """
    as_given, raw = raw, _messages_as_turns(raw)
    nested, who, doc = raw.nested, *_speaker_and_document(raw)
    if not nested or not who:
        return as_given
    side: Any = raw.rows[who].astype("str").str.strip().str.casefold()
    shows, turns = ~blank(raw.rows[doc]), nested.lists[who]
    if (list_of_docs := nested.lists.get(doc, ())) in nested.places:
        shows |= nested.places[list_of_docs] == raw_table.EMPTY  # nothing was found, but asked for
    listing = {*side[shows]}
    both = any(listing <= one for one in (ASKING, ANSWERING))  # else either may be a query
    if not (both and listing and {*side} & ASKING and {*side} <= {"", *ASKING, *ANSWERING}):
        return as_given
    file = np.zeros(len(raw.rows), dtype=np.int32)
    within = [file, *(nested.places[turns[:n]] for n in range(1, len(turns) + 1))]
    begins = np.diff(within, prepend=-1) != 0  # a row of it for each list
    new = begins.any(axis=0)
    turn, talk = np.cumsum(new), np.cumsum(begins[:-1].any(axis=0))
    words = [c for c in raw.header if c != who and plain_name(c).rpartition("_")[2] in SAID]
    around = nested.lists
    words.sort(key=lambda c: around.get(c) != turns)  # a turn's own before its documents'
    searched = [c for c in raw.header if plain_name(c) in TEXT.names and c not in words]
    asked: Any = _first_text(raw, words).where(new & side.isin(ASKING)).groupby(talk).ffill()
    own: Any = _first_text(raw, searched)
    is_query: Any = (own.notna() | shows).groupby(turn).transform("max") & side.isin(listing)
    kept = np.flatnonzero(is_query)
    text = category(own.fillna(asked).fillna("").to_numpy(object)[kept])
    number: Any = pd.Series(turn[kept]).groupby(talk[kept]).rank("dense").to_numpy(np.int32)
    table = raw.take(kept)
    rows = table.rows.drop(columns=words).assign(text=text)
    lists = {name: path for name, path in nested.lists.items() if name in rows}
    places = {path: place[kept] for path, place in nested.places.items()}
    nested = replace(nested, lists=lists | {"text": turns}, places=places | {turns: number})
    what = f"{counted(int(turn[-1]), 'turn')} of conversations"
    rule = f"those of {', '.join(sorted(listing))} with results are queries, by what was asked"
    notes = (*raw.notes, problems.note(raw.file, what, rule))
    return replace(table, rows=rows, nested=nested, notes=notes)


def _messages_as_turns(raw: RawTable) -> RawTable:
    """Messages in no list that name their conversation, as turns in a list of each."""
    nested: Any = raw.nested
    alone = [name for name in raw.header if nested and not nested.lists.get(name)]
    talk = next((name for name in alone if plain_name(name) in TALKS), "")
    if not talk or not any(plain_name(name) in WHO for name in alone):
        return raw
    code, times = coded(raw.rows[talk]), [n for n in alone if plain_name(n) in mapping.TIME.names]
    seconds = np.array([seconds_of(raw.rows[name]) for name in times[:1]])
    order = np.lexsort((*(s for s in seconds if not np.isnan(s).any()), code))
    talks, turns = ("conversations",), ("conversations", "turns")
    turn = pd.Series(np.cumsum(event_starts(raw, ())[order]))
    number = turn.groupby(code[order]).rank("dense").to_numpy(np.int32)
    lists = {name: (*turns, *nested.lists.get(name, ())) for name in raw.header} | {talk: talks}
    places = {(*turns, *path): place[order] for path, place in nested.places.items()}
    places |= {talks: code[order] + 1, turns: number}
    return replace(raw.take(order), nested=replace(nested, lists=lists, places=places))


def _speaker_and_document(raw: RawTable) -> tuple[str, str]:
    """Columns of whose turn it is, and of documents in lists of turns; "" where there are none."""
    lists: Mapping[str, tuple[str, ...]] = raw.nested.lists if raw.nested else {}
    named = (name for name in lists if plain_name(name) in DOC.names)
    doc = next(named, "") or (lists_by_content(raw).get(DOC.name, "") if lists else "")
    doc = doc or next((n for n, path in lists.items() if plain_name(n) == "id" and path[1:]), "")
    for name, path in lists.items():
        is_around = path == lists.get(doc, ())[: len(path)]
        if path and is_around and plain_name(name).rpartition("_")[2] in WHO:
            return name, doc
    return "", ""


def _first_text(raw: RawTable, columns: Sequence[str]) -> Any:
    """What the first of some columns says that says anything, row by row (N,); else missing."""
    made: Any = pd.Series(None, index=raw.rows.index, dtype=object)
    for column in columns:
        texts: Any = raw.rows[column].astype("str").str.strip()
        made = made.fillna(texts.where(texts != ""))
    return made


def spread_numbered(raw: RawTable, doc: str = "") -> RawTable:
    """A row for each result, or query, where each rank, or query, has a column of its own.

    doc : a column that was said to hold documents; those that are numbered alike do, too, where
    each holds some that another has
    """
    fits = ((column, NUMBERED.fullmatch(plain_name(column))) for column in raw.header)
    named = {column: fit for column, fit in fits if fit}
    word = named[doc][1] if doc in named else ""
    own = [column for column, fit in named.items() if fit[1] == word]
    scales = {column: {*texts_of(raw.rows[column])} - {""} for column in own}
    numbered = bool(own) and on_one_scale(scales) == own
    roles = {**ROLE_OF, word: DOC.name} if numbered else ROLE_OF
    marks = {c: ROLE_OF_MARK[n] for c in raw.header if (n := plain_name(c)) in ROLE_OF_MARK}
    others = {ROLE_OF.get(plain_name(column), "") for column in raw.header if column not in marks}
    if others & {*OF_RESULTS, "rank"}:
        return raw
    counted: dict[tuple[str, str], dict[int, str]] = {}  # by the words before and after a number
    for column, fit in named.items():
        places = counted.setdefault((fit[1], fit[3] or ""), {})
        if places.setdefault(int(fit[2]), column) != column:
            return raw  # two would be one
    found: dict[str, dict[int, str]] = {}
    if numbered or others & {"query_number", "text"}:
        for (word, end), columns in counted.items():
            role, every = roles.get(word, ""), (texts_of(raw.rows[c]) for c in columns.values())
            cells = {text.strip() for texts in every for text in texts} - {""}
            if word in OF_PLACES and not all(map(NUMBER.fullmatch, cells)):
                role = DOC.name
            if word == "c" and cells <= {"0", "1"}:
                role = "clicked"
            if end and word in OF_LISTED:  # result1_url, result1_clicked, …
                role, end = DOC.name if end == "id" else roles.get(end, ""), ""
            if not end and role in OF_RESULTS:
                found.setdefault(role, {}).update(columns)
        if wide := _complete_wide_columns(found, DOC.name):
            rule = "each holds the document at the rank that its name ends in"
            if marks:
                return _in_one_list(raw, wide[DOC.name], marks, rule)
            long = unpivot(raw, wide, "rank", rule)
            return long if "query_number" in others else _with_query_key(long)
    if marks or "query_number" in others or not others & {"session", "searcher", "topic"}:
        return raw
    by_name: dict[str, dict[int, str]] = {}
    for (word, end), columns in counted.items():
        by_name.setdefault(end if word in OF_QUERIES and end else word, {}).update(columns)
    found = {}
    for name, columns in by_name.items():
        beside = name in DOC.names and not OF_QUERIES.isdisjoint(by_name)
        may_list = name in OF_QUERIES or name in DOC.names
        texts = chain.from_iterable(texts_of(raw.rows[column]) for column in columns.values())
        listed = beside or name in LISTS or (may_list and _share_of_lists(texts) > 1 / 2)
        role = LISTS[0] if listed else TEXT.name if name in OF_QUERIES else ROLE_OF.get(name, "")
        if listed or role in (TEXT.name, "time", "clicked"):
            found[role] = columns
    rule = "each holds the documents of the query that its name counts"
    return unpivot(raw, _complete_wide_columns(found, LISTS[0]), "query_number", rule)


OF_PLACES = {"r", "rank", "pos", "position", "place", "top", "hit"}  # r1, r2, … by rank
OF_LISTED = OF_PLACES | {"result", "doc", "document", "item"}
# by name of a column, what it says of the documents of a row that it names
CLICKED = dict.fromkeys(mapping.CLICKED_DOCS, "clicked")
ROLE_OF_MARK = {name: role for name, role in ROLE_OF.items() if role in MARKS} | CLICKED
RANKS = re.compile(r"[\[(]?(?:\s*[1-9][0-9]{0,2}\b[,;|]?)*\s*[\])]?|0")


def _in_one_list(raw: RawTable, names: Sequence[str], marks: dict[str, str], rule: str) -> RawTable:
    """A table with the documents of a row in one list, and beside it lists of the marked ones.

    marks : column → role; cells name a document, or ranks where some have several, as a number
        alone may count clicks
    """
    rows = [*zip(*(raw.rows[name].astype("str").str.strip() for name in names), strict=True)]
    lists = [[*filter(None, docs)] for docs in rows]
    if any(own != [*docs[: len(own)]] for own, docs in zip(lists, rows, strict=True)):
        return raw  # a list has no gaps
    texts = {LISTS[0]: [orjson.dumps(own).decode() for own in lists]}
    for column, role in marks.items():
        texts[role] = raw.rows[column].astype("str").str.strip().to_list()
        ranks = [re.findall("[1-9][0-9]*", text) for text in texts[role]]
        several = any(len(own) > 1 for own in ranks) and all(map(RANKS.fullmatch, texts[role]))
        called = [{str(i + 1): doc for i, doc in enumerate(docs) if doc} for docs in rows]
        if not several:
            ranks = [[text] * bool(text) for text in texts[role]]
            called = [{doc: doc for doc in docs if doc} for docs in rows]
        if all({*own} <= by.keys() for own, by in zip(ranks, called, strict=True)):
            pairs = zip(ranks, called, strict=True)
            texts[role] = [orjson.dumps([by[each] for each in own]).decode() for own, by in pairs]
    said = problems.note(raw.file, f"columns {names[0]} to {names[-1]}", rule)
    long = _with_texts(raw, texts, [*names, *marks])
    return replace(long, notes=(*raw.notes, said), spent=(*raw.spent, *names))


QUERY_KEY = "query key (row)"  # by which queries go that have no number, and had a row each


def _with_query_key(long: RawTable) -> RawTable:
    """A table of results with a column that tells apart the rows that they stood in."""
    said = [name for name in long.header if ROLE_OF.get(plain_name(name)) in ("doc", "text")]
    is_query = ~np.all([blank(long.rows[name]) for name in said], axis=0)
    key = np.where(is_query, long.file_rows().astype(str), "")
    return replace(long, rows=long.rows.assign(**{QUERY_KEY: category(key)}))


def columns_of_assessors(raw: RawTable) -> list[str]:
    """Columns whose names say that each has an assessor's grades, and that have one scale."""
    named = {column: plain_name(column) for column in raw.header}
    plain = [column for column, name in named.items() if name in GRADE.names]
    columns = [c for c, name in named.items() if c in plain or MARKED.fullmatch(name)]
    if len(plain) > 1 or (plain and not all(COUNTED.fullmatch(named[c]) for c in columns)):
        return []  # a grade, and something else of the same words
    columns = on_one_scale({column: _distinct_grades(raw, column) for column in columns})
    return columns if len(columns) > 1 else []


def on_one_scale(scales: Mapping[str, set[str]], least: float = 0.0) -> list[str]:
    """Columns whose grades another has, too, and so much of all that both have."""
    alike = set[str]()
    for one, other in permutations(scales, 2):
        both = scales[one] & scales[other]
        alike |= {one} if both and len(both) >= least * len(scales[one] | scales[other]) else set()
    return [name for name in scales if name in alike]


def spread_columns(raw: RawTable, columns: Sequence[str]) -> RawTable:
    """A row for each grade, where each of some columns holds those of one assessor."""
    rule = "each holds the grades of one assessor"
    return unpivot(raw, {GRADE.name: [*columns]}, mapping.ASSESSOR.name, rule, columns)


def unpivot(raw: RawTable, wide: Wide, by: str, rule: str, names: Sequence[str] = ()) -> RawTable:
    """A table with a row for each place that is filled, and one for a row that has none.

    by : the role that says the place, by its name or, from 1, its number
    """
    if not any(wide.values()):
        return raw
    cells = {
        role: np.column_stack([raw.rows[name].astype("str").str.strip() for name in own])
        for role, own in wide.items()
    }
    first = next(iter(wide))
    counted = [first] if by == "rank" else [*wide]  # a click without a document is none
    filled = np.any([cells[role] != "" for role in counted], axis=0)
    shown = filled.copy()
    shown[~filled.any(axis=1), 0] = True
    row, place = np.nonzero(shown)
    called = np.array([*names] or [str(i + 1) for i in range(filled.shape[1])], dtype=object)
    texts = {role: own[row, place].tolist() for role, own in cells.items()}
    texts[by] = np.where(filled[row, place], called[place], "").tolist()
    spent = [name for own in wide.values() for name in own]
    long = _with_texts(raw.take(row), texts, spent)
    what = f"columns {spent[0]} to {wide[first][-1]}" if spent[1:] else f"column {spent[0]}"
    said = problems.note(raw.file, what, rule)
    return replace(long, notes=(*raw.notes, said), spent=(*raw.spent, *spent))


def _complete_wide_columns(found: dict[str, dict[int, str]], needed: str) -> Wide:
    """Columns by role and place, of those roles that have each place from 1; the needed first."""
    places = [*range(1, len(found.get(needed, ())) + 1)]
    if len(places) < 2 or sorted(found[needed]) != places:
        return {}
    every = sorted(found, key=lambda role: role != needed)
    return {r: [found[r][i] for i in places] for r in every if sorted(found[r]) == places}


def _distinct_grades(raw: RawTable, column: str) -> set[str]:
    """Distinct grades of a column, numbers or a few words; none where it holds something else."""
    texts = {text.strip().casefold() for text in texts_of(raw.rows[column])} - {""}
    are_numbers = all(NUMBER.fullmatch(text.replace(",", ".")) for text in texts)
    are_words = len(texts) <= grades.FEW_GRADES and all(len(text) <= LONGEST_WORD for text in texts)
    return texts if are_numbers or are_words else set()
