"""Tables as CSV: ten significant digits, undefined empty, no cell that a spreadsheet would run.

Beside them the files of what commands find, and what says how numbers were made.
"""

from __future__ import annotations

import csv as plain_csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from sdcg_explorer.questions.methods import methods_text
from sdcg_explorer.questions.view import CommandResult
from sdcg_explorer.scoring.definition import Definition, Filters, to_toml
from sdcg_explorer.study.study import Study

DIGITS = 10
ROWS = 200_000  # that are made into text at once
_APOSTROPHE = pc.ReplaceSubstringOptions("^('*[=+@\t\r-])", r"'\1")


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as UTF-8 CSV with a header."""
    with path.open("wb") as file:
        file.writelines(table_parts(table))


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by name into a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def table_bytes(table: pd.DataFrame) -> bytes:
    """Bytes of a table as UTF-8 CSV with a header."""
    return b"".join(table_parts(table))


def table_parts(table: pd.DataFrame, digits: int | None = DIGITS) -> Iterator[bytes]:
    """The same in parts, of which a large table needs but one at a time.

    digits : significant ones of numbers; None for all
    """
    names = io.StringIO()
    header = csv_safe(pa.array([str(name) for name in table.columns], pa.string())).to_pylist()
    plain_csv.writer(names, lineterminator="\n").writerow(header)
    yield names.getvalue().encode()
    for first in range(0, len(table), ROWS):
        yield _csv_rows(table.iloc[first : first + ROWS], digits)


def _csv_rows(table: pd.DataFrame, digits: int | None) -> bytes:
    columns = {str(name): _csv_cells(table[name], digits) for name in table.columns}
    sink = io.BytesIO()
    options = csv.WriteOptions(include_header=False, quoting_style="needed")
    csv.write_csv(pa.table(columns), sink, options)
    return sink.getvalue()


def _csv_cells(column: pd.Series, digits: int | None) -> pa.Array | pa.ChunkedArray:
    if pd.api.types.is_float_dtype(column.dtype):
        values = column.to_numpy(dtype=float)
        return pa.array(significant(values, digits) if digits else values, from_pandas=True)
    cells = pa.array(column, from_pandas=True)
    if pa.types.is_dictionary(cells.type):
        return pa.DictionaryArray.from_arrays(cells.indices, csv_safe(cells.dictionary)).cast(
            pa.string()
        )
    text = pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)
    return csv_safe(cells) if text else cells


def csv_safe(text: pa.Array) -> pa.Array:
    """Texts as a spreadsheet shows them; some beginnings would make a formula, and run it.

    A leading =, +, -, @, tab or return gets an apostrophe before it; after apostrophes, one more.
    """
    return pc.call_function("replace_substring_regex", [text], _APOSTROPHE)


def significant(values: np.ndarray, digits: int = DIGITS) -> np.ndarray:
    """Values rounded to so many significant digits.

    >>> significant(np.array([1 / 3, 0.0]), 3).tolist()
    [0.333, 0.0]
    """
    size = np.abs(np.where(np.isfinite(values) & (values != 0), values, 1.0))
    scale = 10.0 ** (digits - 1 - np.floor(np.log10(size)))
    return np.round(values * scale) / scale


def result_files(result: CommandResult) -> dict[str, bytes]:
    """Contents of the files by name: tables as CSV, sentences as they are."""
    return {
        name: each.encode() if isinstance(each, str) else table_bytes(each)
        for name, each in result.found.items()
    }


def write_result(result: CommandResult, folder: Path) -> None:
    """Write these files, definition.toml and methods.txt."""
    write_files(folder, result_files(result) | view_files(*result.view, methods=result.methods))


def view_files(
    study: Study, definition: Definition, filters: Filters, *, methods: Iterable[str] = ()
) -> dict[str, bytes]:
    """What says how numbers were made: definition.toml, and methods.txt with more paragraphs."""
    text = to_toml(definition.named(study.labels), filters)
    paragraphs = methods_text(study, definition, filters, *methods)
    return {"definition.toml": text.encode(), "methods.txt": paragraphs.encode()}
