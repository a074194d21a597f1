"""Whether what says that it is counts could have been counted: it may come from anybody."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from study.bounds import LARGEST_GRADE, MOST_GRADES
from study.grades import AGAIN, code_of

TEXTS = ("systems", "topics")


def beyond(folder: Path, names: Mapping[str, Any], most: int) -> str:
    """A table of more rows than so many, of which nothing is read; empty for none."""
    rows = {name: pq.read_metadata(folder / f"{name}.parquet").num_rows for name in names}
    name = max(rows, key=rows.__getitem__)
    return f"{rows[name]:,} rows of {name}" if rows[name] > most else ""


def wide(tables: Mapping[str, pd.DataFrame], most: int) -> str:
    """The places that groups are laid out by, if they are more than so many; else empty."""
    places = (len(tables["groups"]) + len(tables["layouts"])) * _longest(tables)
    return f"{places:,} places" if places > most else ""


def odd_words(about: Any) -> str:
    """The field of `counts.json` that is none of what is written there; empty for none."""
    grades, short = about["grades"], about["short_lists"]
    known = [isinstance(each, int | float) and abs(each) <= LARGEST_GRADE for each in grades]
    sound = {
        "name": isinstance(about["name"], str),
        "top": type(about["top"]) is int and about["top"] > 0,
        "short_lists": short in ("pad", "as-is") or (type(short) is int and short >= 0),
        **{name: all(isinstance(each, str) for each in about[name]) for name in TEXTS},
        "grades": len(grades) <= MOST_GRADES and all(known) and sorted({*grades}) == grades,
        "totals": all(type(number) is int for number in about["totals"].values()),
        "rules": all(isinstance(rule, str) for rule in about["rules"].values()),
    }
    return next((name for name, is_sound in sound.items() if not is_sound), "")


def odd_table(
    tables: Mapping[str, pd.DataFrame], kinds: Mapping[str, Mapping[str, str]], about: Any
) -> str:
    """The column that names a place which is not there; empty for none."""
    ends = _ends(tables, about)
    for name, columns in kinds.items():
        table = tables[name]
        if {str(each): str(kind) for each, kind in table.dtypes.items()} != {**columns}:
            return name
        for column in columns:
            low, high = ends.get((name, column)) or ends.get(("", column)) or (0, np.inf)
            values = table[column]
            if len(values) and not (low <= values.min() and values.max() <= high):
                return f"{name}.{column}"
    return ""


def _ends(tables: Mapping[str, pd.DataFrame], about: Any) -> dict[tuple[str, str], Any]:
    """The least and the highest value of a column, of one table or of every."""
    grades, topics = len(about["grades"]), len(about["topics"])
    return {
        ("", "layout"): (0, len(tables["layouts"]) - 1),
        ("", "group"): (0, len(tables["groups"]) - 1),
        ("", "system"): (0, len(about["systems"]) - 1),
        ("", "query_number"): (1, _longest(tables)),
        ("", "rank"): (1, np.inf),
        ("counts", "rank"): (1, about["top"]),
        ("layouts", "topic"): (-1, topics - 1),
        ("judged", "topic"): (0, topics - 1),
        ("counts", "code"): (0, code_of(AGAIN, about["grades"])),
        ("judged", "code"): (0, grades - 1),
        ("", "repeat"): (0, 1),
    }


def _longest(tables: Mapping[str, pd.DataFrame]) -> int:
    """Queries of the layout with the most."""
    return int(tables["layouts"]["layout"].value_counts().max()) if len(tables["layouts"]) else 0
