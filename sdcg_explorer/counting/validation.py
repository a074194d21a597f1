"""Whether what says that it is counts could have been counted: it may come from anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import numpy as np
import pandas as pd

from sdcg_explorer.counting.counted_study import BUCKETS
from sdcg_explorer.counting.place import SIGN
from sdcg_explorer.study.arrays import Bools, Ints
from sdcg_explorer.study.bounds import (
    LARGEST_GRADE,
    MOST_GRADES,
    MOST_JUDGED_PLACES,
    MOST_QUERIES,
    MOST_RANKS,
    PART,
    places_of,
)
from sdcg_explorer.study.grades import AGAIN, NO_GRADE, code_of
from sdcg_explorer.study.problems import Problem, cut, error
from sdcg_explorer.study.wording import counted

COUNT_AGAIN = "Count again."
MOST_SYSTEMS = 2**15  # places of a system in two bytes
MOST_TOLD = 100  # totals, rules, files
MOST_IN_ALL = 10**12  # sessions, results or documents in all: any products of them are numbers
NUMBERS = {"groups": "sessions", "counts": "results", "judged": "documents", "shown": "results"}
ORDER = {
    "counts": ("list", "rank", "code", "repeat"),
    "judged": ("topic", "code"),
    "shown": ("system", "rank"),
}
Tables = Mapping[str, pd.DataFrame]


def _whole(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _list(value: Any) -> list[Any]:
    """A list of JSON; nothing where it is something else."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def _are_names(value: Any) -> bool:
    texts = [each for each in _list(value) if isinstance(each, str)]
    return isinstance(value, list) and len({*texts}) == len(_list(value))


def _all(value: Any, is_sound: Callable[[Any], bool]) -> bool:
    if not isinstance(value, dict) or len(cast("dict[str, Any]", value)) > MOST_TOLD:
        return False
    return all(map(is_sound, cast("dict[str, Any]", value).values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_grades(value: Any) -> bool:
    grades = [each for each in _list(value) if type(each) in (int, float)]
    near = all(abs(each) <= LARGEST_GRADE for each in grades)
    return near and len(grades) <= MOST_GRADES and sorted({*grades}) == value


FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (_is_text, "it is a text"),
    "digest": (_is_text, "it is a text"),
    "top": (_whole(1, MOST_RANKS), f"it is a whole number from 1 to {MOST_RANKS}"),
    "short_lists": (
        lambda value: value in ("pad", "as-is") or _whole(0, MOST_IN_ALL)(value),
        "they are pad, as-is, or a whole number",
    ),
    "buckets": (
        lambda value: type(value) is int and value in (1, BUCKETS),
        f"they are {BUCKETS}, or 1 without intervals",
    ),
    "systems": (
        lambda value: _are_names(value) and 0 < len(value) <= MOST_SYSTEMS,
        f"they are different texts, 1 to {MOST_SYSTEMS:,}",
    ),
    "topics": (_are_names, "they are different texts"),
    "grades": (
        _are_grades,
        f"they are ascending numbers to ±{LARGEST_GRADE}, at most {MOST_GRADES}",
    ),
    "rules": (lambda value: _all(value, _is_text), f"they are texts by name, at most {MOST_TOLD}"),
    "totals": (
        lambda value: _all(value, _whole(0, MOST_IN_ALL)),
        f"they are whole numbers by name, at most {MOST_TOLD}",
    ),
    "files": (lambda value: _all(value, _is_text), f"they are texts by name, at most {MOST_TOLD}"),
}


def unsound_fields(about: Mapping[str, Any]) -> list[Problem]:
    """Fields of `counts.json` that are none of what is written there."""
    odd = {
        name: about.get(name) for name, (sound, _) in FIELDS.items() if not sound(about.get(name))
    }
    said = {
        name: cut(repr(each)) for name, each in odd.items() if not isinstance(each, list | dict)
    }
    return [
        error(SIGN, None, f"{name} {said.get(name, 'as they stand')}", FIELDS[name][1], COUNT_AGAIN)
        for name in odd
    ]


def odd_rows(tables: Tables, about: Mapping[str, Any]) -> list[Problem]:
    """Rows that nobody counted, the first of each rule; a rule is asked where those before hold."""
    for asked in (
        _beyond_ends,
        _too_many,
        _out_of_order,
        _lists_amiss,
        _not_ascending,
        _of_nothing,
    ):
        if found := [*asked(tables, about)]:
            return found
    return []


def too_wide(tables: Tables, about: Mapping[str, Any]) -> list[Problem]:
    """Places that pages lay counts out by, where there are more than fit."""
    top, grades, topics = (about[name] for name in ("top", "grades", "topics"))
    longest = int(tables["layouts"]["query_number"].max())
    rows = len(tables["groups"]) + len(tables["layouts"]) + len(topics)
    graded = len(about["systems"]) * (len(grades) + len(NO_GRADE))
    allowed, judged = places_of(len(tables["counts"])), len(topics) * len(grades)
    if judged > MOST_JUDGED_PLACES:
        found, rule = (
            counted(judged, "place"),
            f"topics × grades are at most {MOST_JUDGED_PLACES:,}",
        )
        return [error(SIGN, None, found, rule, PART)]
    if (places := max(rows, graded) * longest * top) > allowed:
        found = f"{places:,} places: groups × queries of the longest × ranks"
        return [error("groups.parquet", None, found, f"here {allowed:,} fit", PART)]
    return []


def _beyond_ends(tables: Tables, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Values below the least or above the highest of their column."""
    for name, columns in _ends(tables, about).items():
        for column, (low, high) in columns.items():
            values = tables[name][column].to_numpy()
            rule = f"here it is from {low:,} to {high:,}"
            yield from _first(tables, name, column, (values < low) | (values > high), rule)


def _too_many(tables: Tables, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Numbers of more than any log has, all of a column together; and none of sessions."""
    for name, column in NUMBERS.items():
        total = float(tables[name][column].to_numpy().sum(dtype=float))
        if total > MOST_IN_ALL:
            rule = f"in all they are at most {MOST_IN_ALL:,}"
            yield error(f"{name}.parquet", None, f"{total:.0f} {column}", rule, COUNT_AGAIN)
    if tables["groups"].empty:
        yield error("groups.parquet", None, "no row", "a log has a session", COUNT_AGAIN)


def _ends(tables: Tables, about: Mapping[str, Any]) -> dict[str, dict[str, tuple[int, int]]]:
    """The least and the highest value of each column."""
    last = {name: len(about[name]) - 1 for name in ("systems", "topics", "grades")}
    top, many = about["top"], (1, MOST_IN_ALL)
    place = {"query_number": (1, MOST_QUERIES)}
    system = {"system": (0, last["systems"])}
    return {
        "layouts": {**place, "topic": (-1, last["topics"]), "cells": (0, top)},
        "groups": {"bucket": (0, about["buckets"] - 1), **system, "sessions": many},
        "lists": {"counts": (0, len(tables["counts"]))},
        "counts": {
            **{"rank": (1, top), "repeat": (0, 1)},
            **{"code": (0, code_of(AGAIN, about["grades"])), "results": many},
        },
        "judged": {"topic": (0, last["topics"]), "code": (0, last["grades"]), "documents": many},
        "shown": {**system, "rank": (1, top), "results": many},
    }


def _out_of_order(tables: Tables, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Rows that don't follow the one before as they are written, or that are there twice."""
    layout, number = (_ints(tables["layouts"], name) for name in ("layout", "query_number"))
    step = np.diff(layout, prepend=-1)
    follows: Bools = np.where(step == 0, np.diff(number, prepend=0), number) == 1
    rule = "layouts count from 0, and the queries of each from 1"
    yield from _first(tables, "layouts", "layout", ~(follows & ((step == 0) | (step == 1))), rule)
    groups, layouts = _ints(tables["groups"], "group"), int(layout.max(initial=-1)) + 1
    wrong = groups != np.arange(groups.size)
    yield from _first(tables, "groups", "group", wrong, "groups count from 0")
    of = _ints(tables["groups"], "layout")
    wrong, rule = (of < 0) | (of >= layouts), f"here it is from 0 to {layouts - 1:,}"
    yield from _first(tables, "groups", "layout", wrong, rule)


def _lists_amiss(tables: Tables, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Lists that are not one for each query of each group, or not of all counts."""
    layout, of = (_ints(tables[name], "layout") for name in ("layouts", "groups"))
    counts, queries = _ints(tables["lists"], "counts"), int(np.bincount(layout)[of].sum())
    if (counts.size, counts.sum()) != (queries, len(tables["counts"])):
        found = f"{counted(counts.size, 'list')} of {counted(int(counts.sum()), 'count')}"
        there = counted(len(tables["counts"]), "count is", "counts are")
        rule = f"groups have {counted(queries, 'query')}, and {there} there"
        yield error("lists.parquet", None, found, rule, COUNT_AGAIN)


def _not_ascending(tables: Tables, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Rows whose key is not above that of the row before."""
    for name, keys in ORDER.items():
        rule, table = f"rows ascend by {', '.join(keys)}", tables[name]
        columns = [
            _list_of_each(tables) if key == "list" else table[key].to_numpy() for key in keys
        ]
        yield from _first(tables, name, keys[-1], _not_above(columns), rule)


def _list_of_each(tables: Tables) -> Ints:
    """The list of each count, (C,)."""
    return np.repeat(np.arange(len(tables["lists"])), _ints(tables["lists"], "counts"))


def _not_above(columns: list[Ints]) -> Bools:
    """Whether each row's key is not above that of the row before, (N,)."""
    rows = columns[0].size
    above, equal = np.zeros(max(rows - 1, 0), bool), np.ones(max(rows - 1, 0), bool)
    for values in columns:
        above |= equal & (values[1:] > values[:-1])
        equal &= values[1:] == values[:-1]
    return np.append(np.zeros(min(rows, 1), bool), ~above)


def _of_nothing(tables: Tables, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Counts of places that no session has, and topics that nobody asked or judged."""
    layouts, counts = tables["layouts"], tables["counts"]
    grades, again = len(about["grades"]), code_of(AGAIN, about["grades"])
    code, results = (counts[name].to_numpy() for name in ("code", "results"))
    wrong, rule = (code >= grades) & (code < again), f"here it is below {grades}, or {again}"
    yield from _first(tables, "counts", "code", wrong, rule)
    of, row = _lists_of(tables)
    each = _list_of_each(tables)
    wrong, rule = _ints(layouts, "topic")[row][each] < 0, "nobody judged the topic of its query"
    yield from _first(tables, "counts", "rank", wrong, rule)
    wrong = counts["rank"].to_numpy() > _ints(layouts, "cells")[row][each]
    yield from _first(tables, "counts", "rank", wrong, "the query has fewer cells")
    wrong = results > _ints(tables["groups"], "sessions")[of][each]
    yield from _first(tables, "counts", "results", wrong, "a session has one at a place")
    for name, done in {"layouts": "asked", "judged": "judged"}.items():
        known = {*tables[name]["topic"].unique().tolist()}
        for topic in [i for i in range(len(about["topics"])) if i not in known][:1]:
            found, rule = f"nothing of topic {about['topics'][topic]!r}", f"its topics were {done}"
            yield error(f"{name}.parquet", None, found, rule, COUNT_AGAIN)
    yield from _more_than_shown(tables, about)


def _lists_of(tables: Tables) -> tuple[Ints, Ints]:
    """The group of each list, and the row of its query among the layouts, (N,)."""
    layout, of = _ints(tables["layouts"], "layout"), _ints(tables["groups"], "layout")
    starts, queries = np.flatnonzero(np.diff(layout, prepend=-1)), np.bincount(layout)[of]
    first: Ints = starts[of] - (np.cumsum(queries) - queries)
    group = np.repeat(np.arange(of.size), queries)
    return group, first[group] + np.arange(group.size)


def _more_than_shown(tables: Tables, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Places of a system at which more results were judged than shown."""
    counts, shown, top = tables["counts"], tables["shown"], about["top"]
    system = _ints(tables["groups"], "system")[_lists_of(tables)[0]][_list_of_each(tables)]
    place = system * top + _ints(counts, "rank") - 1
    judged = np.bincount(place, counts["results"], minlength=len(about["systems"]) * top)
    judged[_ints(shown, "system") * top + _ints(shown, "rank") - 1] -= shown["results"]
    for at in np.flatnonzero(judged > 0)[:1].tolist():
        found = f"system {at // top}, rank {at % top + 1}"
        rule = "at each rank as many results are shown as are judged, or more"
        yield error("shown.parquet", None, found, rule, COUNT_AGAIN)


def _first(tables: Tables, name: str, column: str, wrong: Bools, rule: str) -> Iterator[Problem]:
    """An error for the first row that is wrong, with how many there are."""
    rows = np.flatnonzero(wrong)
    if rows.size:
        found = f"{column} {tables[name][column].iloc[int(rows[0])]}"
        file, row = f"{name}.parquet", int(rows[0]) + 1
        yield error(file, row, found, rule, COUNT_AGAIN, rows.size)


def _ints(table: pd.DataFrame, column: str) -> Ints:
    return table[column].to_numpy(dtype=np.int64)
