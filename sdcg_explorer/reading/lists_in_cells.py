"""Cells that hold a whole result list: one row per result, ranks by place in the list."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, cast

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER, Findings, coded
from sdcg_explorer.reading.mapping import DOC, KNOWN, LISTS, LOG_ROLES, joined_name, plain_name
from sdcg_explorer.reading.raw_table import RawTable, category_columns, texts_of
from sdcg_explorer.study.distinct_texts import begin_with
from sdcg_explorer.study.problems import note
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
OBJECTS = re.compile(  # an id such as {7} is none
    r"\{[^:,'\"]*+[:,'\"].*\}|\([^,'\"]*+[,'\"].*\)|\[\s*+[\[{(].*\]|\{\s*+\}|\(\s*+\)", re.DOTALL
)
# a quote that never closes runs to the end: nothing is scanned twice
WORD = re.compile(
    r""" "([^"\\]*+(?:\\.?[^"\\]*+)*+)("?) | '([^'\\]*+(?:\\.?[^'\\]*+)*+)('?)
    | ([^\s,"'][^\s,]*) """,
    re.VERBOSE | re.DOTALL,
)
COMMA_WORD = re.compile(
    r""" "([^"\\]*+(?:\\.?[^"\\]*+)*+)("?) | '([^'\\]*+(?:\\.?[^'\\]*+)*+)('?)
    | ([^\s,"'][^,]*) """,
    re.VERBOSE | re.DOTALL,
)
ESCAPED = re.compile(r"\\(.)")
SIGNS = re.compile(r"[;,]?\s+|;")
BEFORE_URL = re.compile(r";?\s+|;(?=https?://)")
PLACE = re.compile(r"(?:(?:rank|position|pos)[ _-]?|#)?([0-9]{1,9})[.]?", re.IGNORECASE)
A_ROW_EACH = "Write a row, or an object, for each result."
READ = "a cell holds every document: alone, in an object that names it, or with a rank or score"
PARTING = (" ", "\n", "|", ";")
PARALLEL = ("rank", "clicked", "examined", "grade")
FIELDS = KNOWN | {"score", "title", "snippet"}  # of a result, and no document's id
NAMES = {role.name: role.names for role in LOG_ROLES} | {"doc": (*DOC.names, "id")}

Result = dict[str, str]  # role → text, the document's among them
Pair = tuple[Any, Any]


def spread_lists(
    raw: RawTable, columns: dict[str, str], found: Findings
) -> tuple[RawTable, dict[str, str]]:
    """Table with a row per result, where documents stand as lists in cells; else as it is.

    Cells read `["d1","d2"]`, `d1 d2`, `d1;d2` or `d1|d2`, or hold objects or pairs. Other columns
    may hold lists of the same length, values by document, or, for clicked and examined, the
    documents that were.
    """
    name = columns.get("doc")
    if name is None:
        return raw, columns
    docs, listed = raw.rows[name], _is_listed(raw, columns)
    if not listed and not _has_objects(docs):
        return raw, columns
    lists = read_lists(raw, name, found, listed=listed)
    sizes = np.array([len(results) for results in lists], dtype=np.int64)[coded(docs)]
    rows = np.maximum(sizes, 1)  # a query without results keeps its row
    row = np.repeat(np.arange(len(docs)), rows)
    place = np.arange(row.size) - np.repeat(np.cumsum(rows) - rows, rows)
    spread = raw.take(row)
    shown = [lists[int(code)] for code in coded(docs)]
    texts = {name: [one.get("doc", "") for results in shown for one in (results or [{}])]}
    for role in PARALLEL:
        column = columns.get(role)
        if column is not None:
            given = zip(shown, raw.rows[column].astype("str"), strict=True)
            texts[column] = [c for own, text in given for c in _beside(_docs(own), text, role)]
        elif any(role in one for results in lists for one in results):
            columns = {**columns, role: role}
            texts[role] = [one.get(role, "") for results in shown for one in (results or [{}])]
    if "rank" not in columns:
        columns = {**columns, "rank": "rank"}
        ranks = np.where(sizes[row] > 0, place + 1, 0).tolist()
        texts["rank"] = [str(rank) if rank else "" for rank in ranks]
    return _with(spread, texts), columns


def read_lists(
    raw: RawTable, name: str, found: Findings, *, listed: bool = True
) -> list[list[Result]]:
    """Results in each distinct cell of a column; cells that can't be read are refused.

    listed : whether a plain text is a list, and no one document
    """
    column = raw.rows[name]
    read, ranks = _results_of(texts_of(column), listed=listed)
    bad = np.array([results is None for results in read], dtype=bool)
    found.refuse(
        raw,
        np.flatnonzero(bad[coded(column)]),
        lambda i: f"results that can't be read, {str(column.iloc[i])[:80]!r}",
        rule=READ,
        remedy=A_ROW_EACH,
    )
    if ranks is not None:
        beside = "ranks" if ranks else "scores"
        rule = "they are the documents' ranks" if ranks else "in an object they rank the documents"
        what = f"{beside} beside documents in {name}"
        found.problems.append(note(raw.file, what, rule, "Nothing to do, if so."))
    return [results or [] for results in read]


def _results_of(
    texts: Sequence[str], *, listed: bool
) -> tuple[list[list[Result] | None], bool | None]:
    """Results in each cell of a column, None where they can't be told.

    And whether ranks stand beside documents, or scores: the whole column tells; None where
    neither does.
    """
    read: list[list[Result] | None] = []
    paired: dict[int, tuple[list[Pair], bool]] = {}
    for i, text in enumerate(texts):
        value = _value(text)
        if isinstance(value, str) or (value is None and not listed):
            words = _words(str(value)) if listed else [text] if text.strip() else []
            read.append(None if words is None else [{"doc": word} for word in words])
        elif (pairs := _pairs(value)) is None:
            read.append(_results(value))
        else:
            read.append(None)
            paired[i] = pairs, not isinstance(value, dict)
    told, ranks = _told([*paired.values()]) if paired else (None, None)
    for i, results in zip(paired, told or [None] * len(paired), strict=True):
        read[i] = results
    return read, ranks


def list_of(text: str) -> list[str]:
    """Documents in a cell: in brackets (JSON, Python, numpy), or parted by signs or blanks.

    >>> list_of('["d1", "d2"]'), list_of("d1 d2"), list_of("['a' 'b']"), list_of("d1, d2;d3")
    (['d1', 'd2'], ['d1', 'd2'], ['a', 'b'], ['d1', 'd2', 'd3'])
    >>> list_of('{"2": "d2", "1": "d1"}'), list_of("[('d1', 9.5), ('d2', 8.5)]")
    (['d1', 'd2'], ['d1', 'd2'])
    """
    return _docs(_results_of([text], listed=True)[0][0] or [])


def is_several(text: str) -> bool:
    """Whether a cell holds several texts by signs that sentences lack; blanks may be theirs."""
    return is_bracketed(text) or any(sign in text.strip() for sign in PARTING[1:])


def _docs(results: Sequence[Result]) -> list[str]:
    return [result["doc"] for result in results]


def _is_list(plain: str) -> bool:
    return plain.startswith("[") and plain.endswith("]")


def is_bracketed(text: str) -> bool:
    """Whether a cell is written as a list, an object or a tuple."""
    return _is_list(text.strip()) or not isinstance(_value(text), str)


def _value(text: str) -> Any:
    """A cell's object or tuple, or list of such, in Python; None where it can't be read.

    The text where it is none.
    """
    plain = text.strip()
    if not plain.endswith(("]", "}", ")")):
        return plain
    if "(" in plain:
        plain = OF_NUMPY.sub(r"\1", plain)
        typed = OF_TYPE.fullmatch(plain)
        plain = typed[1] if typed else plain
    if not OBJECTS.fullmatch(plain):
        return plain
    if "\\u0000" in plain or "\\x00" in plain:
        return None
    for read in (partial(json.loads, object_pairs_hook=_object), literal_eval):
        try:
            return read(plain)
        except LookupError:
            return None
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return None


def _object(pairs: list[Pair]) -> dict[Any, Any]:
    """An object of JSON; of a document that stands twice in it, both would be one.

    Raises
    ------
    LookupError
    """
    if len(dict(pairs)) < len(pairs):
        raise LookupError("a name twice")
    return dict(pairs)


def _results(value: Any) -> list[Result] | None:
    """Results that a value names, in its order; None where it names none, or has no order."""
    if isinstance(value, dict):
        given = cast("dict[Any, Any]", value)
        one, inner = _result(given), _list_in(given)
        return [one] if one else None if inner is None and value else _results(inner or [])
    if not isinstance(value, list | tuple):
        return None  # a set
    items = cast("list[Any]", [*value])
    if len({*map(type, items)}) == 1 and isinstance(items[0], str | int):
        return [{"doc": _text(one)} for one in items]
    if all(isinstance(one, dict) for one in items):
        results = [_result(one) for one in items]
        return None if None in results else cast("list[Result]", results)
    if not all(isinstance(one, list | tuple) for one in items) or len({*map(len, items)}) != 1:
        return None
    docs = [k for k in range(len(items[0])) if all(_is_name(one[k]) for one in items)]
    return [{"doc": one[docs[0]]} for one in items] if len(docs) == 1 else None


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and not NUMBER.fullmatch(value.strip())


def _list_in(value: dict[Any, Any]) -> Any:
    """The list of documents that an object has under a name of such; None where it has none."""
    lists: list[Any] = [v for name, v in value.items() if plain_name(str(name)) in DOC.names]
    return lists[0] if [isinstance(one, list | tuple) for one in lists] == [True] else None


def _result(value: Any) -> Result | None:
    """The document that an object names, with what else it says by role; None without one."""
    given = cast("dict[Any, Any]", value) if isinstance(value, dict) else {}
    named = {plain_name(str(name)): inner for name, inner in given.items()}
    result: Result = {}
    for role in ("doc", *PARALLEL):
        inner = next((named[name] for name in NAMES[role] if name in named), None)
        if isinstance(inner, str | int | float):
            result[role] = _text(inner)
    return result if result.get("doc") else None


def _text(value: float | str) -> str:
    """A value as text; whole numbers without a point, true as 1."""
    is_whole = isinstance(value, bool) or (isinstance(value, float) and value.is_integer())
    return str(int(value)) if is_whole else str(value)


def _pairs(value: Any) -> list[Pair] | None:
    """Pairs of an object, of a list of pairs, or one pair; None where it is something else."""
    if isinstance(value, dict):
        given = cast("dict[Any, Any]", value)
        is_named = not given or _result(given) is not None or _list_in(given) is not None
        return None if is_named else [*given.items()]
    items: list[Any] = [*value] if isinstance(value, list | tuple) else []
    if isinstance(value, tuple) and len(items) == 2 and {*map(_is_name, items)} == {True, False}:
        return [(items[0], items[1])]
    lists = all(isinstance(one, list | tuple) for one in items)
    of_two = lists and {*map(len, items)} == {2}
    return [(one[0], one[1]) for one in items] if of_two else None


def _told(
    cells: Sequence[tuple[list[Pair], bool]],
) -> tuple[list[list[Result]] | None, bool | None]:
    """Results of a column's cells of pairs, each with whether its pairs have an order.

    And whether the numbers beside the documents are ranks. None where it can't be told.
    """
    keys = [[key for key, _ in pairs] for pairs, _ in cells]
    values = [[value for _, value in pairs] for pairs, _ in cells]
    if not all(_is_id(key) for key in chain(*keys)):
        return None, None
    if (docs := _docs_and_numbers(keys, values)) is None:
        return None, None
    listed = zip(docs[0], docs[1], cells, strict=True)
    return [_in_order(own, at, docs[2], ordered) for own, at, (_, ordered) in listed], docs[2]


def _docs_and_numbers(
    keys: list[list[Any]], values: list[list[Any]]
) -> tuple[list[list[Any]], list[list[float]], bool] | None:
    """Which of both are documents, the numbers beside them, and whether these are ranks.

    None where it can't be told: whole numbers that fall may be scores of documents called 1, 2, …
    as well as documents by rank.
    """
    every = [*chain(*values)]
    places = [[_place(key) for key in own] for own in keys]
    ranked = all(not np.isnan(own).any() and len({*own}) == len(own) for own in places)
    if ranked and all(map(_result, every)):
        return values, places, True
    if not all(type(one) in (str, int, float) for one in every):
        return None
    numbers = [[_number(value) for value in own] for own in values]
    scored = not np.isnan([*chain(*numbers)]).any()
    if ranked and (not scored or all(isinstance(one, str) for one in every)):
        return values, places, True
    whole = all(number.is_integer() for number in chain(*numbers))
    if ranked and _count(places) and whole:
        return None if _fall(numbers) else (values, places, True)
    if scored:
        ranks = _count(numbers)
        doubtful = ranks and _fall(numbers) and max(map(len, numbers)) > 1
        return None if doubtful else (keys, numbers, ranks)
    first = [[_number(key) for key in own] for own in keys]
    return None if np.isnan([*chain(*first)]).any() else (values, first, False)


def _is_id(key: Any) -> bool:
    """Whether the key of a pair may be a document, a rank or a score, and is no field's name."""
    return isinstance(key, str | int | float) and joined_name(str(key)) not in FIELDS


def _in_order(
    docs: Sequence[Any], numbers: Sequence[float], ranks: bool, ordered: bool
) -> list[Result]:
    """Results by their ranks; or as they stand, or by score and name, descending, as runs are."""
    named = [_result(doc) or {"doc": _text(doc)} for doc in docs]
    beside = [*zip(numbers, named, strict=True)]
    if ranks:
        beside.sort(key=lambda one: one[0])
        return [{**result, "rank": str(int(number))} for number, result in beside]
    if not ordered:
        beside.sort(key=lambda one: (one[0], one[1]["doc"]), reverse=True)
    return [result for _, result in beside]


def _count(cells: Sequence[Sequence[float]]) -> bool:
    """Whether the numbers of each cell are 1, 2, … or, in each, 0, 1, … in any order."""
    return any(
        all(sorted(own) == [*range(base, base + len(own))] for own in cells) for base in (0, 1)
    )


def _fall(cells: Sequence[Sequence[float]]) -> bool:
    """Whether numbers fall in every cell."""
    return all(a > b for own in cells for a, b in pairwise(own))


def _place(value: float | str) -> float:
    """The rank that a key names; nan where it names none."""
    fit = PLACE.fullmatch(str(value).strip())
    return float(fit[1]) if fit else np.nan


def _number(value: Any) -> float:
    """A number, as one or as text; nan where it is none."""
    if isinstance(value, str):
        return float(value) if NUMBER.fullmatch(value.strip()) else np.nan
    return float(value) if type(value) in (int, float) and np.isfinite(value) else np.nan


def _words(text: str) -> list[str] | None:
    """Texts of a list without objects in it; None where one was cut, or stands in two words."""
    plain = text.strip()
    if CUT.match(plain):
        return None
    if _is_list(plain):
        inner = plain[1:-1]
        fits = (COMMA_WORD if "," in WORD.sub("", inner) else WORD).findall(inner)
        closed = all(closed or also or bare for _, closed, _, also, bare in fits)
        bare = [bare for *_, bare in fits]
        return [_word(*fit) for fit in fits] if closed and _are_whole(bare, inner) else None
    signs = BEFORE_URL if "://" in plain else SIGNS
    parts = plain.split("|") if "|" in plain else signs.split(plain)
    return (
        [part.strip() for part in parts if part or "|" in plain]
        if _are_whole(parts, plain)
        else None
    )


def _are_whole(parts: Sequence[str], text: str) -> bool:
    """Whether no part of a text begins or ends within its brackets."""
    return all(map(_closes, parts)) or not (text.startswith(("{", "(", "[")) or _closes(text))


def _closes(text: str) -> bool:
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))


def _word(double: str, _: str, single: str, __: str, bare: str) -> str:
    """One text of a list; nothing where it reads null."""
    if double:
        try:
            return str(orjson.loads(f'"{double}"'))
        except orjson.JSONDecodeError:
            return double
    if single:
        return ESCAPED.sub(r"\1", single)
    return "" if bare.strip() in ("null", "None", "nan") else bare.strip()


def _has_objects(docs: pd.Series[Any]) -> bool:
    """Whether some cell beside a rank holds an object or a tuple; (7) and {7} are ids."""
    begins = begin_with(docs, "{") | begin_with(docs, "(") | begin_with(docs, "[")
    texts = texts_of(docs)
    values = (_value(texts[i]) for i in np.flatnonzero(begins))
    return any(isinstance(value, dict | list | tuple) for value in values)


def _is_listed(raw: RawTable, columns: dict[str, str]) -> bool:
    """Whether documents stand as lists: brackets in most cells, or no rank and lists by name."""
    if "rank" in columns:  # [7] beside a rank is an id
        return bool(begin_with(raw.rows[columns["rank"]], "[").any())
    texts = [text.strip() for text in texts_of(raw.rows[columns["doc"]])]
    texts = [text for text in texts if text]
    bracketed = sum(map(is_bracketed, texts))
    if texts and 2 * bracketed > len(texts):
        return True
    several = sum(any(sign in text for sign in PARTING) for text in texts)
    return plain_name(columns["doc"]) in LISTS or 2 * several > len(texts) > 0


def _beside(docs: list[str], text: str, role: str) -> list[str]:
    """Cells of another column beside the documents of a list."""
    if not docs:
        return [""]
    value = _value(text)
    by_doc = _pairs(value)
    if by_doc is not None and {str(key) for key, _ in by_doc} <= {*docs}:
        given = {str(key): _text(value) for key, value in by_doc if value is not None}
        return [given.get(doc, "" if role in ("rank", "grade") else "0") for doc in docs]
    refused = [f"{text} beside {counted(len(docs), 'document')}"] * len(docs)
    values = _words(value) if isinstance(value, str) else _texts(value)
    if values is None:
        return refused
    if not values and text.strip() and role in ("clicked", "examined"):
        return ["0"] * len(docs)  # an empty list: none was
    marked = set(values)
    marks = role in ("clicked", "examined") and not marked <= {"0", "1"}
    if marks and marked <= set(docs):
        return [str(int(doc in marked)) for doc in docs]
    if len(values) == len(docs):
        return values
    if not values or len(docs) == 1:
        return [text] * len(docs)
    return refused


def _texts(value: Any) -> list[str] | None:
    """Texts of a tuple or set; None where it holds anything else, or is none."""
    if not isinstance(value, list | tuple | set):
        return None
    items = cast("list[Any]", [*value])
    return (
        [*map(_text, items)] if all(isinstance(one, str | int | float) for one in items) else None
    )


def _with(raw: RawTable, texts: dict[str, list[str]]) -> RawTable:
    """The same table with columns of other texts."""
    rows: pd.DataFrame = raw.rows.drop(columns=[name for name in texts if name in raw.rows])
    return replace(raw, rows=pd.concat([rows, category_columns(texts)], axis=1))
