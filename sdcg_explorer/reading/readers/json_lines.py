"""JSON lines: an object per result, per query with its results, or per session with its queries."""

from __future__ import annotations

from array import array
from itertools import count
from typing import cast

import numpy as np
import orjson

from sdcg_explorer.reading.limits import LONGEST_LINE
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.readers.json_rows import FaultError, GrowingColumns, Object
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.study.problems import Causes, refuse

RULE = "each line is one JSON object"


def read_json_lines(text: Text) -> RawTable:
    """One row per innermost object; what stands outside it is repeated.

    A list of objects is nested rows (queries of a session, results of a query); a list of texts
    stays one cell, as a list. A field within an object is named after both, where it must be.

    Raises
    ------
    UnusableInputError : lines that are no JSON objects, the first of each cause with its number
    """
    columns, lines, causes = GrowingColumns(text.name, text.counter), array("q"), Causes(text.name)
    start = 0
    for number in count(1):
        end = text.data.find(b"\n", start)
        line = text.data[start : end if end >= 0 else None]
        try:
            if line.strip():
                lines.extend([number] * columns.add_all(_object(line), {}, {}))
        except FaultError as fault:
            causes.add(number, *fault.args)
        if end < 0:
            break
        start = end + 1
    refuse(causes.problems)
    numbers = np.frombuffer(lines, dtype=np.int64)
    return RawTable(text.name, columns.table(), numbers, notes=text.notes, nested=columns.nested())


def _object(line: bytes) -> Object:
    if len(line) > LONGEST_LINE:
        rule = f"a line has at most {LONGEST_LINE:,} bytes"
        raise FaultError("a longer line", rule, "Split the object into several.")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as fault:
        raise FaultError(f"no JSON ({fault})", RULE, "Correct the line.") from None
    if not isinstance(value, dict):
        remedy = 'Write {"name": value, …} in each line.'
        raise FaultError(f"a {type(value).__name__}", RULE, remedy)
    return cast("Object", value)
