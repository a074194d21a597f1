"""JSON files: an object per line, or one list or object of records, or numbers by query and doc."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from json import JSONDecoder
from typing import Any, cast

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading.limits import LONGEST_LINE, ReadCounter
from sdcg_explorer.reading.mapping import DOC, looks_like_header
from sdcg_explorer.reading.raw_table import MAP, SCORED, Known, RawTable, texts_of
from sdcg_explorer.reading.readers.agents import (
    RunFiles,
    add_runs,
    as_list,
    as_object,
    as_objects,
    has_mark,
)
from sdcg_explorer.reading.readers.trees import (
    LOOKED_AT,
    SAMPLE,
    FaultError,
    GrowingColumns,
    Object,
    Placed,
    Row,
    TreeTables,
    cell,
    shape_in,
    tables_of,
    with_pairs_as_fields,
)
from sdcg_explorer.reading.sources import Head, Source, Text, open_text
from sdcg_explorer.study.columns import plain_name
from sdcg_explorer.study.problems import Causes, UnusableInputError, error, refuse

RULE = "each line is one JSON object"
OF_LISTS = "each element of the list is an object"


RANK_EVAL = "it is of Elasticsearch's ranking evaluation"
# by the list that holds its rows, what a tree of a known form is, and how its columns are read
FORMS: dict[tuple[str, ...], tuple[Known, dict[str, str]]] = {
    ("details.*", "hits"): (
        Known("log", RANK_EVAL),
        {"key": "query_id", "hit__id": "doc", "rating": "grade"},
    ),
    ("requests", "ratings"): (
        Known("judgments", RANK_EVAL),
        {"id": "topic", "_id": "doc", "rating": "grade"},
    ),
}


def in_form(raw: RawTable) -> RawTable:
    """A table as its form has it; as it is where none is known."""
    nested = raw.nested
    lists = max(nested.places, key=len, default=()) if nested else ()
    known, columns = FORMS.get(lists, (raw.known, {}))
    if nested is None or not columns.keys() <= {*raw.header}:
        return raw
    around = {columns.get(name, name): own for name, own in nested.lists.items()}
    rows = raw.rows.rename(columns=columns)
    return replace(raw, rows=rows, nested=replace(nested, lists=around), known=known)


def read_json_lines(text: Text) -> list[RawTable]:
    """One row per innermost object; what stands outside it is repeated.

    A list of objects is nested rows (queries of a session, results of a query); a list of texts
    stays one cell, as a list. A field within an object is named after both, where it must be.

    Raises
    ------
    UnusableInputError : lines that are no JSON objects, the first of each cause with its number
    """
    some: list[Object] = []
    for _, line in islice(text.filled_lines(), LOOKED_AT):
        with suppress(FaultError):
            some.append(_parse_object_line(line))
    shape = shape_in(text.name, some)
    return tables_of(text.name, text.counter, shape, partial(_objects_by_line, text))


def _objects_by_line(text: Text) -> Iterator[Placed]:
    for number, line in text.filled_lines():
        yield number, partial(_parse_object_line, line), {}, ()


def _parse_object_line(line: bytes) -> Object:
    if len(line) > LONGEST_LINE:
        rule = f"a line has at most {LONGEST_LINE:,} bytes"
        raise FaultError("a longer line", rule, "Split the object into several.")
    try:
        value = _loaded(line)
    except orjson.JSONDecodeError as fault:
        raise FaultError(f"not JSON ({fault})", RULE, "Correct the line.") from None
    return _record(value, RULE, "in each line")


def _loaded(data: bytes) -> Any:
    value = orjson.loads(data)
    return with_pairs_as_fields(value) if b'"value"' in data else value


AFTER_ONE = re.compile(rb"(?<=\n)\}\s*\n(?=\{)")  # of several objects in a file
SIGNS = re.compile(r"[ \t\n]*[,:]?[ \t\n]*")
DECODER = JSONDecoder()
FORM = "a list of records, an object with one, or numbers by query and document"


def read_json(source: Source) -> list[RawTable]:
    """Rows of a file of JSON: an object per line, or one value.

    One value is a list of objects (results, queries with results, sessions with queries), an
    object that holds such a list, or numbers by query and document: scores or grades.

    Raises
    ------
    UnusableInputError : no JSON (with the line), beyond the limits, or nothing of these
    """
    with open_text(source, by_lines=False) as text:
        runs = RunFiles()
        if has_mark(text.data) and add_runs(text, runs):
            return runs.tables()
        tables = _read_value(text) if _is_one_value(text) else read_json_lines(text)
        return [replace(in_form(raw), notes=text.notes) for raw in tables]


def with_objects_in_columns(raw: RawTable, counter: ReadCounter) -> list[RawTable]:
    """A table whose cells of a column are JSON objects with a study's fields, each a column.

    So databases and tools of experiments write what belongs to a row (payload, data).
    """
    texts = {name: [*filter(None, texts_of(raw.rows[name]))] for name in raw.header}
    names = [name for name, own in texts.items() if _are_objects_with_fields(name, own)]
    if raw.nested or raw.exact or not names:
        return [raw]
    rows = cast("list[dict[str, str]]", raw.rows.astype("str").to_dict("records"))

    def record(row: dict[str, str]) -> Object:
        return {name: _loaded(t.encode()) if name in names else t for name, t in row.items() if t}

    def placed() -> Iterator[Placed]:
        lines = raw.every_line().tolist()
        return ((n, partial(record, row), {}, ()) for n, row in zip(lines, rows, strict=True))

    with suppress(UnusableInputError):  # else they stay as they are
        shape = shape_in(raw.file, [*map(record, rows[:LOOKED_AT])])
        return tables_of(raw.file, counter, shape, placed)
    return [raw]


def _are_objects_with_fields(name: str, texts: list[str]) -> bool:
    """Whether all texts of a column are objects, and most have a field that a study's may be."""
    if plain_name(name) in DOC.names or not all(text[0] + text[-1] == "{}" for text in texts):
        return False
    with suppress(orjson.JSONDecodeError):
        fields = [[*as_object(orjson.loads(text))] for text in texts]
        return 2 * sum(map(looks_like_header, fields)) > len(fields)
    return False


def names_roles(head: Head) -> bool:
    """Whether fields are called as a study's columns are, or as those of agents' runs."""
    return has_mark(head.data) or looks_like_header(
        re.findall(r'"([^"]{1,40})"\s*:', head.text), least=2
    )


def _is_one_value(text: Text) -> bool:
    """Whether the file is one JSON value: it has one line, or its first line alone is none."""
    lines = (line.strip() for _, line in text.filled_lines())
    first, second = next(lines, b""), next(lines, b"")
    if not second or first[:1] not in b"{[":
        return not second
    if len(first) > LONGEST_LINE:
        return first[:1] == b"["
    return not (_is_json(first) or (first[:1] == b"{" and _is_json(second[:LONGEST_LINE])))


def _is_json(line: bytes) -> bool:
    with suppress(orjson.JSONDecodeError):
        orjson.loads(line)
        return True
    return False


def _read_value(text: Text) -> list[RawTable]:
    """The tables of a file that is one JSON value."""
    text.counter.check(text.name, sum(text.count(sign) for sign in (b",", b"{", b"[")))
    try:
        value: Any = _several_values(text.data) or _loaded(text.data)
    except orjson.JSONDecodeError as fault:
        rule, remedy = "a JSON file is one value, or one object per line", "Correct it there."
        refused = [error(text.name, fault.lineno, f"not JSON ({fault})", rule, remedy)]
        raise UnusableInputError(refused) from None
    if _is_scores_by_query(value):
        return [_score_table(text, value)]
    value = _rows_of_columns(value)
    if not isinstance(value, dict | list):
        found, rule = f"a {type(value).__name__}", f"a JSON file holds {FORM}"
        refused = [error(text.name, 1, found, rule, "Check that it is the right file.")]
        raise UnusableInputError(refused)
    around: Row = {}
    whole = isinstance(value, dict)
    lists: dict[str, list[Any]] = {"": [value] if whole else as_list(value)}
    shape = shape_in(text.name, as_objects(lists[""]), whole=whole)
    try:
        own, opened = TreeTables(text.name, text.counter, shape).opened(as_object(value), {}, ())
    except FaultError as fault:
        raise UnusableInputError([error(text.name, 1, *fault.args)]) from None
    if opened:
        around, lists = own, opened
    records = partial(placed_records, lists, around, partial(_lines, text))
    return tables_of(text.name, text.counter, shape, records)


def _several_values(data: bytes) -> list[Any]:
    """Objects that stand below one another, over several lines each; none where a file is one."""
    found = list[Any]()
    if AFTER_ONE.search(data):
        with suppress(orjson.JSONDecodeError):
            found = [
                _loaded(each + b"}") for each in AFTER_ONE.split(data.strip().removesuffix(b"}"))
            ]
    return found


def _rows_of_columns(value: Any) -> Any:
    """A table as records, where it is written by columns, or as rows beneath their names.

    >>> _rows_of_columns({"doc": {"0": "a", "1": "b"}, "rank": {"0": 1, "1": 2}})
    [{'doc': 'a', 'rank': 1}, {'doc': 'b', 'rank': 2}]
    >>> _rows_of_columns({"columns": ["doc", "rank"], "data": [["a", 1]]})
    [{'doc': 'a', 'rank': 1}]
    """
    given = as_object(value)
    header, every = as_list(given.get("columns")), as_list(given.get("data", given.get("rows")))
    if not header:
        header, columns = [*given], [*given.values()]
        kinds = {(*as_object(one),) or len(as_list(one)) for one in columns}
        if len(kinds) == 1 and any(kinds) and looks_like_header(header, least=2):
            cells = ([*as_object(one).values()] or as_list(one) for one in columns)
            every = [[*row] for row in zip(*cells, strict=True)]
    plain = all(len(as_list(row)) == len(header) for row in every)
    named = all(isinstance(name, str) for name in header)
    objects = any(isinstance(cell, dict) for row in every[:SAMPLE] for cell in as_list(row))
    is_table = every and plain and named and not objects
    return [dict(zip(header, row, strict=True)) for row in every] if is_table else value


def placed_records(
    lists: Mapping[str, list[Any]], around: Row, lines: Callable[[str], Iterable[int]]
) -> Iterator[Placed]:
    """Records of lists by name, each on the line where it starts, with what stands around them."""
    for name, records in lists.items():
        for place, (record, line) in enumerate(zip(records, lines(name), strict=False), start=1):
            yield line, partial(_record, record), around, (((name,), place),) if name else ()


def _record(value: Any, rule: str = OF_LISTS, where: str = "for each") -> Object:
    if not isinstance(value, dict):
        remedy = f'Write {{"name": value, …}} {where}.'
        raise FaultError(f"a {type(value).__name__}", rule, remedy)
    return cast("Object", value)


def _lines(text: Text, name: str) -> Iterator[int]:
    """Line on which each element of the list starts; that of the value where it can't be told."""
    whole = text.data.decode("utf-8")
    at = _after(whole, 0)
    first = 1 + whole.count("\n", 0, at)
    if "\n" not in whole[at:].rstrip():
        return repeat(first)
    if whole[at] == "{" and name != MAP:  # −1: within an object, or no list at all
        at = dict(_names_and_places_of_values(whole, at)).get(name.removesuffix(f".{MAP}"), -1)
    places = (place for _, place in _names_and_places_of_values(whole, at)) if at >= 0 else ()
    return chain(_line_numbers_at_places(whole, places), repeat(first))


def _line_numbers_at_places(whole: str, places: Iterable[int]) -> Iterator[int]:
    """Line of each place, as far as it can be found."""
    line, before = 1, 0
    try:
        for at in places:
            line += whole.count("\n", before, at)
            before = at
            yield line
    except RecursionError:  # nested deeper than is read, which is said of the record itself
        return


def _names_and_places_of_values(whole: str, at: int) -> Iterator[tuple[str, int]]:
    """Place of each value in the list or object that opens at `at`, and its name in an object."""
    name, is_object = "", whole[at] == "{"
    at = _after(whole, at + 1)
    while whole[at] not in "]}":
        if is_object:
            name, end = DECODER.raw_decode(whole, at)
            at = _after(whole, end)
        yield name, at
        at = _after(whole, DECODER.raw_decode(whole, at)[1])


def _after(whole: str, at: int) -> int:
    """Where the signs and blanks between two values end."""
    found = SIGNS.match(whole, at)
    return found.end() if found else at


def _is_scores_by_query(value: Any) -> bool:
    """Whether a value is numbers by query and document."""
    inner = list(cast("Object", value).values()) if isinstance(value, dict) else []
    objects = [cast("Object", one) for one in inner if isinstance(one, dict)]
    numbers = chain.from_iterable(one.values() for one in objects)
    plain = any(inner) and len(objects) == len(inner)
    return plain and all(type(number) in (int, float) for number in numbers)


def _score_table(text: Text, value: Object) -> RawTable:
    """A row per query and document, with its number."""
    whole = text.data.decode("utf-8")
    names, places = zip(*_names_and_places_of_values(whole, _after(whole, 0)), strict=True)
    lines, causes = list(_line_numbers_at_places(whole, places)), Causes(text.name)
    for i in np.flatnonzero(pd.Series(names).duplicated()).tolist():
        rule, remedy = "each query appears once", "Join its documents in one object."
        causes.add(lines[i], f"query {names[i]!r} again", rule, remedy)
    rows = GrowingColumns(text.name, text.counter)
    for line, (query, numbers) in zip(lines, value.items(), strict=False):
        try:
            for doc, number in numbers.items():
                rows.add({"query_id": query, "doc": doc, "score": cell(number)}, line)
        except FaultError as fault:
            causes.add(line, *fault.args)
    refuse(causes.problems)
    return RawTable(text.name, rows.table(), np.frombuffer(rows.lines, np.int64), known=SCORED)
