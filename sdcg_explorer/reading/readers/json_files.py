"""JSON files, and trees of objects as tables, those of other forms too.

Of JSON: an object per line, or one list or object of records, or numbers by query and document. Of
trees: each list of objects is a table, its rows with what stands outside.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, islice, repeat
from json import JSONDecoder
from typing import Any, cast

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading import mapping, raw_table, sources
from sdcg_explorer.reading.limits import DEEPEST, LONGEST_LINE, ReadCounter
from sdcg_explorer.reading.raw_table import MAP, FaultError, Object, RawTable, Row, cell, texts_of
from sdcg_explorer.reading.readers import agents
from sdcg_explorer.reading.readers.agents import as_list, as_object, as_objects
from sdcg_explorer.study.columns import plain_name
from sdcg_explorer.study.problems import Causes, UnusableInputError, refusal, refuse

Lists = tuple[str, ...]  # around an object, by name, the outermost first
Places = dict[Lists, int]  # of an object and of those around it, each in its list
NEARER = "Write the objects that hold documents nearer to the top."
MOST_LISTS = 50  # of objects, in the objects of one file
ONE_TEXT = re.compile(r'\["?([^"\\,]+)"?\]')
MOST_CHOICES = 30
LOOKED_AT = 2_000  # objects at one place of a tree, by which it is known what stands there
SAMPLE = 50  # objects, of whose keys it is known what they are
KEYS_OF_MAP = 30  # more are no names of fields


@dataclass
class Shape:
    """What stands where in a tree.

    lists : innermost lists of objects, each as the lists around its objects · maps : objects whose
    keys are data, not names of fields: the lists around them, and their own name; whether the
    things in them are maps, too · scores : objects of numbers by document, which stay one cell
    """

    lists: dict[Lists, None]
    maps: dict[tuple[Lists, str], bool]
    scores: set[tuple[Lists, str]] = field(default_factory=set[tuple[Lists, str]])

    def beneath(self, lists: Lists) -> dict[str, list[Lists]]:
        """Innermost lists beneath others, by the name of the next on the way to each."""
        below: dict[str, list[Lists]] = defaultdict(list)
        for each in self.lists:
            if each[: len(lists)] == lists != each:
                below[each[len(lists)]].append(each)
        return below

    def add(self, lists: Lists) -> None:
        """One more innermost list.

        Raises
        ------
        FaultError : more lists than any study has
        """
        if any(each[: len(lists)] == lists for each in self.lists):
            return
        self.lists = {each: None for each in self.lists if lists[: len(each)] != each}
        self.lists[lists] = None
        if len(self.lists) > MOST_LISTS:
            rule = f"objects of a file have at most {MOST_LISTS} lists of objects"
            raise FaultError("more lists of objects", rule, "Write what names them as a field.")


def shape_of_objects(objects: Sequence[Object], *, whole: bool) -> Shape:
    """Lists and maps in objects of one kind; `whole` where it is the one value of a file.

    Raises
    ------
    FaultError : more lists than any study has
    """
    shape = Shape({(): None}, {})
    level: dict[tuple[Lists, str], list[Object]] = {((), ""): [*objects]}
    for depth in range(DEEPEST):
        deeper: dict[tuple[Lists, str], list[Object]] = defaultdict(list)
        for (lists, name), every in level.items():
            some = every[:LOOKED_AT]
            if name and are_scores_by_id(some):
                shape.scores.add((lists, name))
                continue
            if (name or (whole and not depth)) and are_maps_by_key(some):
                things = [v for each in some for v in each.values()]
                are_maps = are_objects(things) and are_maps_by_key(things)
                shape.maps[lists, name] = are_maps
                inside = *lists, map_name(name)
                shape.add(inside)
                for each in some:
                    deeper[inside, ""] += elements_of_map(each, name, are_maps)
                continue
            for key, value in ((k, v) for each in some for k, v in each.items()):
                own = f"{name}_{key}" if name else key
                if isinstance(value, dict):
                    deeper[lists, own].append(cast("Object", value))
                elif are_objects(value):
                    shape.add((*lists, own))
                    deeper[(*lists, own), ""] += value
        level = deeper
    return shape


def map_name(name: str) -> str:
    """What the list of a map's things is called."""
    return f"{name}.{MAP}" if name else MAP


KEYS = {  # of maps by their name, and what these are called
    **{"sessions": "session", "users": "user", "participants": "participant", "topics": "topic"},
    **{"queries": "query_id", "searches": "query_id", "tasks": "task", "systems": "system"},
    **{"documents": "doc", "docs": "doc", "references": "doc", "runs": "run"},
}


def elements_of_map(given: Object, name: str = "", maps: bool = False) -> list[Object]:
    """Things of a map of this name, each with its key; `maps` where they are such, too.

    >>> elements_of_map({"s1": {"hits": 2}}, "sessions"), elements_of_map({"q1": [1.5]})
    ([{'session': 's1', 'hits': 2}], [{'key': 'q1', 'value': [1.5]}])
    >>> elements_of_map({"q1": {"hits": 2}, "q2": [1.5]})
    [{'key': 'q1', 'hits': 2}, {'key': 'q2', 'value': [1.5]}]
    """
    things: list[Object] = []
    for key, value in given.items():
        is_object = isinstance(value, dict) and not maps
        own: Object = cast("Object", value) if is_object else {"value": value}
        called = KEYS.get(name.rpartition("_")[2].lower(), "key")
        things.append({called if called not in own else "key of map": key, **own})
    return things


def are_objects(value: Any) -> bool:
    """Whether a value is a list of objects."""
    return bool(as_list(value)) and all(isinstance(one, dict) for one in as_list(value))


PAIRS = {"key", "value"}, {"name", "value"}


def with_pairs_as_fields(value: Any, depth: int = 0) -> Any:
    """A tree in which lists of names with values are objects; a value that tells its kind is plain.

    >>> with_pairs_as_fields([{"a": [{"key": "q", "value": {"string_value": "x", "int": None}}]}])
    [{'a': {'q': 'x'}}]
    """
    if depth > 2 * DEEPEST:  # which is refused
        return value
    if isinstance(value, dict):
        given = cast("Object", value)
        return {name: with_pairs_as_fields(one, depth + 1) for name, one in given.items()}
    if not isinstance(value, list):
        return value
    every = cast("list[Any]", value)
    if not are_objects(every) or any({*one} not in PAIRS for one in every):
        return [with_pairs_as_fields(one, depth + 1) for one in every]
    pairs = [(one.get("key", one.get("name")), _plain_value(one["value"], depth)) for one in every]
    names = {name for name, _ in pairs if isinstance(name, str)}
    scores = all(type(one["value"]) in (int, float) for one in every)
    are_docs = scores or _look_like_ids(names)  # by their names
    return every if are_docs or len(names) < len(pairs) else dict(pairs)


def _plain_value(value: Any, depth: int) -> Any:
    kinds = [*cast("Object", value).values()] if isinstance(value, dict) else [value]
    told = [one for one in kinds if one is not None]
    return with_pairs_as_fields(told[0] if len(told) == 1 else value, depth + 1)


def are_maps_by_key(objects: Sequence[Object]) -> bool:
    """Whether objects at one place have things by their keys, and no fields.

    Their values are of one kind, and their keys look like ids or differ from object to object.
    """
    some = [each for each in objects if each][:SAMPLE]
    keys = [{*each} for each in some]
    values = [v for each in some for v in [*each.values()][:20] if v is not None]
    every = set[str]().union(*keys)
    lists = [isinstance(value, list) for value in values]
    if not values or not (all(lists) or all(isinstance(value, dict) for value in values)):
        return False
    is_field = not every.isdisjoint(mapping.LISTS) or any(map(_names_a_query, some))
    if all(map(_lists_queries, values)) and not is_field:
        return True
    stems = {key.rstrip("0123456789") for key in every}
    if len(stems) == 1 and len(every) > 1 and every.isdisjoint(stems):
        return True
    if len(some) > 1 and 2 * len(keys[0].intersection(*keys)) >= len(every) and len(every) < 12:
        return False
    return _look_like_ids(every) or len(every) > KEYS_OF_MAP or (_keys_differ(keys) and all(lists))


def _lists_queries(value: Any) -> bool:
    """Whether a value is a list of queries, or an object with one."""
    lists = [*cast("Object", value).values()] if isinstance(value, dict) else [value]
    return any(are_objects(one) and all(map(_names_a_query, one)) for one in lists)


def _names_a_query(given: Object) -> bool:
    """Whether a field of an object has a query's text, by its name."""
    return not OF_QUERIES.isdisjoint(map(mapping.joined_name, given))


def are_scores_by_id(objects: Sequence[Object]) -> bool:
    """Whether objects at one place are numbers by ids, which differ from object to object."""
    some = [each for each in objects if each][:SAMPLE]
    keys = [{*each} for each in some]
    numbers = all(type(value) in (int, float) for each in some for value in [*each.values()][:20])
    return bool(some) and numbers and _keys_differ(keys) and _look_like_ids(set[str]().union(*keys))


def _keys_differ(keys: Sequence[set[str]]) -> bool:
    return len(keys) > 1 and len(set[str]().union(*keys)) > 2 * max(map(len, keys))


def _look_like_ids(keys: Collection[str]) -> bool:
    """Whether half of the keys have a digit or a blank, as names of fields have not."""
    return 2 * sum(any(sign.isdigit() or sign == " " for sign in key) for key in keys) >= len(keys)


OF_QUERIES = {*map(mapping.joined_name, mapping.TEXT.names)}
OF_THINGS = {*map(mapping.joined_name, {*mapping.DOC.names} - {*mapping.LISTS}), "id", "score"}


class NewListError(Exception):
    """A list of objects that no object before had."""


@dataclass
class _Table(raw_table.GrowingColumns):
    """Rows of one innermost list as they grow.

    places : of each row in each list, 0 where it is in none
    """

    places: dict[Lists, array[int]] = field(default_factory=dict[Lists, "array[int]"])

    def place(self, within: Places) -> None:
        """The places of the next row; of none, those of all rows are completed."""
        for name in within or self.places:
            known = self.places.setdefault(name, array("i"))
            known.extend([0] * (self.rows - len(known)))
            known.extend([within[name]] if within else [])


class TreeTables:
    """Tables of the innermost lists in objects of one file, as these are read one by one.

    An object without anything in a list that others have keeps a row there: a query without
    results. Of two fields of one name the inner keeps it; the outer is named after its own list
    too.
    """

    def __init__(self, file: str, counter: ReadCounter, shape: Shape) -> None:
        self._file, self._counter, self._shape = file, counter, shape
        self._tables = {lists: _Table(file, counter) for lists in shape.lists}
        self._beneath = cache(shape.beneath)
        self._fields: dict[Lists, dict[str, None]] = defaultdict(dict)  # of objects in each list
        self._last: dict[str, str] = {}  # name of a field in an inner object → its last part

    def add(self, value: Object, outer: Row, within: Places, line: int) -> None:
        """The rows of an object, which stands within lists at these places.

        Raises
        ------
        FaultError : an object that makes no row · NewListError : a list that no object before had
        UnusableInputError : beyond the limits
        """
        lists = max(within, key=len, default=())
        for innermost, row, places in self._rows(value, outer, lists, within):
            self._tables[innermost].place(places)
            self._tables[innermost].add(row, line)
        if len(self._tables) > 1:
            every = self._tables.values()
            cells = sum(own.rows * len(own.columns) for own in every)
            self._counter.check(self._file, cells, sum(own.text for own in every))

    def _rows(
        self, value: Object, outer: Row, lists: Lists, places: Places
    ) -> Iterator[tuple[Lists, Row, Places]]:
        row, nested = self.split(value, outer, lists)
        beneath = self._beneath(lists)
        for name in nested:
            if name not in beneath:
                self._shape.add((*lists, name))
                raise NewListError
        if not beneath:
            yield lists, row, places
        for name, innermost in beneath.items():
            inside = (*lists, name)
            objects = nested.get(name, ())
            for place, inner in enumerate(objects, start=1):
                yield from self._rows(inner, row, inside, {**places, inside: place})
            if not objects:
                every = self._flat(value, "", len(lists), lists)
                is_there = any(own == name and given == [] for own, given in every)
                at = {**places, inside: raw_table.EMPTY} if is_there else places
                yield from ((each, row, at) for each in innermost)

    def split(self, value: Object, outer: Row, lists: Lists) -> tuple[Row, dict[str, list[Object]]]:
        """Plain fields of an object and of what stands outside it, and its lists of objects."""
        around = lists[-2] if len(lists) > 1 else ""
        outside = around.removesuffix(MAP).removesuffix(".") or "outer"
        own: Row = {}
        nested: dict[str, list[Object]] = {}
        for name, given in self._flat(value, "", len(lists), lists):
            if name in own or name in nested:
                rule, remedy = "each field has its own name", "Rename one."
                raise FaultError(f"two fields named {name}", rule, remedy)
            if are_objects(given):
                nested[name] = given
            elif given != []:  # an empty list says nothing of its kind
                own[name] = cell(given)
        if lists:  # most files have none, and many rows
            self._fields[lists].update(dict.fromkeys(own))
        named = {f"{outside}_{name}" if name in own else name: text for name, text in outer.items()}
        return named | own, nested

    def _flat(
        self, value: Object, before: str, depth: int, lists: Lists
    ) -> Iterator[tuple[str, Any]]:
        """Fields of an object; those of an object within it named after both."""
        if depth > DEEPEST:
            raise FaultError("objects nested deeper", f"at most {DEEPEST} levels are read", NEARER)
        own = before.removesuffix("_")
        if (maps := self._shape.maps.get((lists, own))) is not None:
            yield map_name(own), elements_of_map(value, own, maps)
            return
        if (lists, own) in self._shape.scores:
            yield own, orjson.dumps(value).decode()
            return
        for name, given in value.items():
            if isinstance(given, dict):
                yield from self._flat(cast("Object", given), f"{before}{name}_", depth + 1, lists)
            else:
                whole = " ".join(f"{before}{name}".splitlines())
                if before:
                    self._last[whole] = " ".join(name.splitlines())
                yield whole, given

    def tables(self) -> list[RawTable]:
        """A table for each innermost list, named after it where there are several."""
        several = len(self._tables) > 1
        made: list[RawTable] = []
        for innermost, table in self._tables.items():
            rows = table.table()
            short = mapping.short_names({name: self._last.get(name, name) for name in rows.columns})
            short |= self._passage([*rows.columns], innermost)
            around = {
                short.get(name, name): innermost[:depth]
                for depth in range(1, len(innermost) + 1)
                for name in self._fields[innermost[:depth]]
            }
            path = ".".join(innermost) if several else ""
            table.place({})
            places = {name: np.frombuffer(own, np.intc) for name, own in table.places.items()}
            nested = raw_table.Nested(around, places, path) if places or path else None
            name = f"{self._file} [{path}]" if path else self._file
            named = rows.rename(columns=short).apply(_chosen_texts)
            made.append(RawTable(name, named, table.lines, nested=nested))
        return made

    def _passage(self, names: Sequence[str], innermost: Lists) -> Row:
        """The text of each thing in a list beside one of the query around it, by another name."""
        own = {name: self._last.get(name, name) for name in self._fields[innermost]}
        is_query = any(mapping.joined_name(name) in OF_QUERIES for name in names if name not in own)
        around = (innermost[:depth] for depth in range(1, len(innermost) + 1))
        fields = [self._last.get(name, name) for lists in around for name in self._fields[lists]]
        is_thing = not OF_THINGS.isdisjoint(map(mapping.joined_name, fields))
        texts = [n for n, last in own.items() if last == "text" and innermost]
        named = {name: name if name != "text" else f"{innermost[-1]}_text" for name in texts}
        return named if is_query and is_thing else {}


def _chosen_texts(column: pd.Series) -> pd.Series:
    """A column of lists of one text each, of few, as these texts: what somebody chose."""
    texts = [text for text in texts_of(column) if text]
    fits = {text: ONE_TEXT.fullmatch(text) for text in texts}
    few = len(texts) < min(MOST_CHOICES, len(column))
    known = mapping.joined_name(str(column.name)) in mapping.KNOWN - {*mapping.GRADE.names}
    if known or not (texts and few and all(fits.values())):
        return column
    chosen = [fit[1] if (fit := fits.get(t)) else t for t in texts_of(column)]
    return raw_table.with_texts(column, chosen)


def shape_in(file: str, objects: Sequence[Object], *, whole: bool = False) -> Shape:
    """Lists and maps in objects of a file.

    Raises
    ------
    UnusableInputError : more lists than any study has
    """
    try:
        return shape_of_objects(objects, whole=whole)
    except FaultError as fault:
        raise refusal(file, None, *fault.args) from None


# line, what reads the object there, what stands around it, and its place in the list it stands in
Placed = tuple[int, Callable[[], Object], Row, Places]


def tables_of(
    file: str, counter: ReadCounter, shape: Shape, objects: Callable[[], Iterable[Placed]]
) -> list[RawTable]:
    """Tables of objects; they are read anew where one has a list that those before lack.

    Raises
    ------
    UnusableInputError : objects that make no rows, the first of each cause with its line
    """
    while True:
        made, causes = TreeTables(file, counter, shape), Causes(file)
        try:
            for line, read, around, within in objects():
                try:
                    made.add(read(), around, within, line)
                except FaultError as fault:
                    causes.add(line, *fault.args)
        except NewListError:
            continue
        refuse(causes.problems)
        return made.tables()


RULE = "each line is one JSON object"
OF_LISTS = "each element of the list is an object"


RANK_EVAL = "it is of Elasticsearch's ranking evaluation"
# by the list that holds its rows, what a tree of that form is, and how its columns are read
FORMS: dict[tuple[str, ...], tuple[str, dict[str, str]]] = {
    ("details.*", "hits"): ("log", {"key": "query_id", "hit__id": "doc", "rating": "grade"}),
    ("requests", "ratings"): ("judgments", {"id": "topic", "_id": "doc", "rating": "grade"}),
}


def in_known_form(raw: RawTable) -> RawTable:
    """A table as its form has it; as it is where none is known."""
    nested = raw.nested
    lists = max(nested.places, key=len, default=()) if nested else ()
    kind, columns = FORMS.get(lists, ("", {}))
    if nested is None or not kind or not columns.keys() <= {*raw.header}:
        return raw
    around = {columns.get(name, name): own for name, own in nested.lists.items()}
    rows = raw.rows.rename(columns=columns)
    nested = replace(nested, lists=around)
    return replace(raw, rows=rows, nested=nested, known=raw_table.Known(kind, RANK_EVAL))


def read_json_lines(text: sources.Text) -> list[RawTable]:
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


def _objects_by_line(text: sources.Text) -> Iterator[Placed]:
    for number, line in text.filled_lines():
        yield number, partial(_parse_object_line, line), {}, {}


def _parse_object_line(line: bytes) -> Object:
    if len(line) > LONGEST_LINE:
        rule = f"a line has at most {LONGEST_LINE:,} bytes"
        raise FaultError("a longer line", rule, "Split the object into several.")
    try:
        value = _parsed(line)
    except orjson.JSONDecodeError as fault:
        raise FaultError(f"not JSON ({fault})", RULE, "Correct the line.") from None
    return _checked(value, RULE, "in each line")


def _parsed(data: bytes) -> Any:
    value = orjson.loads(data)
    return with_pairs_as_fields(value) if b'"value"' in data else value


AFTER_ONE = re.compile(rb"(?<=\n)\}\s*\n(?=\{)")  # of several objects in a file
SIGNS = re.compile(r"[ \t\n]*[,:]?[ \t\n]*")
DECODER = JSONDecoder()
FORM = "a list of records, an object with one, or numbers by query and document"


def read_json(source: sources.Source) -> list[RawTable]:
    """Rows of a file of JSON: an object per line, or one value.

    One value is a list of objects (results, queries with results, sessions with queries), an
    object that holds such a list, or numbers by query and document: scores or grades.

    Raises
    ------
    UnusableInputError : no JSON (with the line), beyond the limits, or nothing of these
    """
    with sources.open_text(source, by_lines=False) as text:
        runs = agents.RunFiles()
        if agents.has_mark(text.data) and agents.add_runs(text, runs):
            return runs.tables()
        tables = _read_value(text) if agents.is_one_value(text) else read_json_lines(text)
        return [replace(in_known_form(raw), notes=text.notes) for raw in tables]


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
        return {name: _parsed(t.encode()) if name in names else t for name, t in row.items() if t}

    every = zip(raw.every_line().tolist(), rows, strict=True)
    placed: list[Placed] = [(line, partial(record, row), {}, {}) for line, row in every]
    with suppress(UnusableInputError):  # else they stay as they are
        shape = shape_in(raw.file, [*map(record, rows[:LOOKED_AT])])
        return tables_of(raw.file, counter, shape, lambda: placed)
    return [raw]


def _are_objects_with_fields(name: str, texts: list[str]) -> bool:
    """Whether all texts of a column are objects, and most have a field that a study's may be."""
    in_braces = all(text[0] + text[-1] == "{}" for text in texts)
    if plain_name(name) in mapping.DOC.names or not in_braces:
        return False
    with suppress(orjson.JSONDecodeError):
        fields = [[*as_object(orjson.loads(text))] for text in texts]
        return 2 * sum(map(mapping.looks_like_header, fields)) > len(fields)
    return False


def names_roles(head: sources.Head) -> bool:
    """Whether fields are called as a study's columns are, or as those of agents' runs."""
    fields = re.findall(r'"([^"]{1,40})"\s*:', head.text)
    return agents.has_mark(head.data) or mapping.looks_like_header(fields, least=2)


def _read_value(text: sources.Text) -> list[RawTable]:
    """The tables of a file that is one JSON value."""
    text.counter.check(text.name, sum(text.count(sign) for sign in (b",", b"{", b"[")))
    try:
        value: Any = _concatenated_values(text.data) or _parsed(text.data)
    except orjson.JSONDecodeError as fault:
        rule, remedy = "a JSON file is one value, or one object per line", "Correct it there."
        raise refusal(text.name, fault.lineno, f"not JSON ({fault})", rule, remedy) from None
    if _is_scores_by_query(value):
        return [_score_table(text, value)]
    value = _rows_of_columns(value)
    if not isinstance(value, dict | list):
        found, rule = f"a {type(value).__name__}", f"a JSON file holds {FORM}"
        raise refusal(text.name, 1, found, rule, "Check that it is the right file.")
    whole = isinstance(value, dict)
    every: list[Any] = [value] if whole else as_list(value)
    shape = shape_in(text.name, as_objects(every), whole=whole)
    try:
        own, opened = TreeTables(text.name, text.counter, shape).split(as_object(value), {}, ())
    except FaultError as fault:
        raise refusal(text.name, 1, *fault.args) from None
    around, lists = (own, opened) if opened else (Row(), {"": every})
    records = partial(placed_records, lists, around, partial(_element_lines, text))
    return tables_of(text.name, text.counter, shape, records)


def _concatenated_values(data: bytes) -> list[Any]:
    """Objects that stand below one another, over several lines each; none where a file is one."""
    parts = AFTER_ONE.split(data.strip().removesuffix(b"}"))
    with suppress(orjson.JSONDecodeError):
        return [_parsed(each + b"}") for each in parts] if parts[1:] else []
    return []


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
        if len(kinds) == 1 and any(kinds) and mapping.looks_like_header(header, least=2):
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
            yield line, partial(_checked, record), around, {(name,): place} if name else {}


def _checked(value: Any, rule: str = OF_LISTS, where: str = "for each") -> Object:
    if not isinstance(value, dict):
        raise FaultError(f"a {type(value).__name__}", rule, f'Write {{"name": value, …}} {where}.')
    return cast("Object", value)


def _element_lines(text: sources.Text, name: str) -> Iterator[int]:
    """Line on which each element of the list starts; that of the value where it can't be told."""
    whole = text.data.decode("utf-8")
    at = _next_start(whole, 0)
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
    at = _next_start(whole, at + 1)
    while whole[at] not in "]}":
        if is_object:
            name, end = DECODER.raw_decode(whole, at)
            at = _next_start(whole, end)
        yield name, at
        at = _next_start(whole, DECODER.raw_decode(whole, at)[1])


def _next_start(whole: str, at: int) -> int:
    """Where the signs and blanks between two values end."""
    found = SIGNS.match(whole, at)
    return found.end() if found else at


def _is_scores_by_query(value: Any) -> bool:
    """Whether a value is numbers by query and document."""
    inner = [*as_object(value).values()]
    numbers = [number for one in as_objects(inner) for number in one.values()]
    are_numbers = all(type(number) in (int, float) for number in numbers)
    return are_objects(inner) and bool(numbers) and are_numbers


def _score_table(text: sources.Text, value: Object) -> RawTable:
    """A row per query and document, with its number."""
    whole = text.data.decode("utf-8")
    names, places = zip(*_names_and_places_of_values(whole, _next_start(whole, 0)), strict=True)
    lines, causes = list(_line_numbers_at_places(whole, places)), Causes(text.name)
    for i in np.flatnonzero(pd.Series(names).duplicated()).tolist():
        rule, remedy = "each query appears once", "Join its documents in one object."
        causes.add(lines[i], f"query {names[i]!r} again", rule, remedy)
    rows = raw_table.GrowingColumns(text.name, text.counter)
    for line, (query, numbers) in zip(lines, value.items(), strict=False):
        try:
            for doc, number in numbers.items():
                rows.add({"query_id": query, "doc": doc, "score": cell(number)}, line)
        except FaultError as fault:
            causes.add(line, *fault.args)
    refuse(causes.problems)
    return RawTable(text.name, rows.table(), rows.lines, known=raw_table.SCORED)
