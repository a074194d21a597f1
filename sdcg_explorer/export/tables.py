"""Tables as CSV: ten significant digits, undefined empty, no cell that a spreadsheet would run.

Those of `sdcg score`, the files of what commands find, and what says how numbers were made.
"""

import csv as plain_csv
import io
import platform
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from sdcg_explorer.questions.methods import definition_text, methods_text
from sdcg_explorer.questions.query_order.numbers import CurveChoices, query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import CommandResult, once
from sdcg_explorer.scoring.definition import DEEPEST, Definition, Filters, to_toml
from sdcg_explorer.scoring.residuals import highest_scores, with_highest
from sdcg_explorer.scoring.scores import Scores, scores
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import as_html

DIGITS = 10
ROWS = 200_000  # that are made into text at once
Content = pd.DataFrame | str | bytes | Iterable[bytes]  # of a file
_APOSTROPHE = pc.ReplaceSubstringOptions("^('*[=+@\t\r-])", r"'\1")


def write_files(folder: Path, files: Mapping[str, Content]) -> None:
    """Write files by name into a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        with (folder / name).open("wb") as file:
            file.writelines(content_parts(content))


def content_parts(content: Content) -> Iterable[bytes]:
    """What a file is made of, part by part: a table as CSV, a text as UTF-8, bytes as they are."""
    if isinstance(content, pd.DataFrame):
        return table_parts(content)
    content = content.encode() if isinstance(content, str) else content
    return [content] if isinstance(content, bytes) else content


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
        rows, sink = table.iloc[first : first + ROWS], io.BytesIO()
        columns = {str(name): _csv_cells(rows[name], digits) for name in rows.columns}
        csv.write_csv(pa.table(columns), sink, csv.WriteOptions(include_header=False))
        yield sink.getvalue()


def _csv_cells(column: pd.Series, digits: int | None) -> pa.Array | pa.ChunkedArray:
    if pd.api.types.is_float_dtype(column.dtype):
        values = column.to_numpy(dtype=float)
        return pa.array(significant(values, digits) if digits else values, from_pandas=True)
    cells = pa.array(column, from_pandas=True)
    if pa.types.is_dictionary(cells.type):
        names = csv_safe(cells.dictionary)
        return pa.DictionaryArray.from_arrays(cells.indices, names).cast(pa.string())
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


def write_result(result: CommandResult, folder: Path) -> None:
    """Write what a command found, definition.toml and methods.txt."""
    write_files(folder, {**result.found, **view_files(*result.view, methods=result.methods)})


def view_files(
    study: Study, definition: Definition, filters: Filters, *, methods: Iterable[str] = ()
) -> dict[str, str]:
    """What says how numbers were made: definition.toml, and methods.txt with more paragraphs."""
    return {
        "definition.toml": to_toml(definition.named(study.labels), filters),
        "methods.txt": methods_text(study, definition, filters, *methods),
    }


PACKAGES = ("sdcg-explorer", "numpy", "pandas", "scipy", "plotly")


def versions() -> str:
    """What made an export: Python and what the numbers depend on, with versions, in a row."""
    packages = [f"{name} {version(name)}" for name in PACKAGES]
    return ", ".join([f"Python {platform.python_version()}", *packages])


SCORE_TABLES = ("queries", "sessions", "query_order", "session_curves")


class ScoreTables:
    """Scores and mean curves of a study, each table made when it is asked for.

    Undefined is nan (docs/metrics.md has every score's formula, unit and source). With `residuals`
    sessions have their scores were unjudged results worth the highest gain, too.

    Raises
    ------
    ValueError : the filters leave no session, a grade without a gain, no such depth, or residuals
        under a definition that has none
    """

    def __init__(
        self,
        study: Study,
        definition: Definition,
        filters: Filters,
        *,
        depth: int,
        residuals: bool = False,
    ) -> None:
        if not 1 <= depth <= DEEPEST:
            raise ValueError(f"depth {depth}; Figure 1 has from 1 to {DEEPEST} ranks.")
        study = definition.graded(study)
        self.view, self.depth = (study, definition, filters), depth
        definition.gains(study.labels)
        chosen = select(*self.view)
        if not chosen.sample.sessions.size:
            raise ValueError("the filters leave no session; widen them.")
        self.highest = highest_scores(study, chosen) if residuals else {}

    @cached_property
    def _scores(self) -> Scores:
        return scores(*self.view)

    @property
    def queries(self) -> pd.DataFrame:
        """A row for each query, with every score of queries."""
        return self._scores.queries

    @property
    def sessions(self) -> pd.DataFrame:
        """A row for each session, with every score of sessions."""
        return with_highest(self._scores.sessions, self.highest)

    @cached_property
    def query_order(self) -> pd.DataFrame:
        """Mean sDCG(q) by system, group of queries and rank, with intervals, to `depth`."""
        drawn = CurveChoices(self.depth, ("last", "best"))
        return query_order(*self.view, drawn=drawn, bands=True).table()

    @cached_property
    def session_curves(self) -> pd.DataFrame:
        """Mean gain and share of the ideal by system and position, with intervals."""
        return once(session_curves, *self.view, bands=True).table()

    @property
    def files(self) -> dict[str, pd.DataFrame]:
        """The tables by the names of their files."""
        return {f"{name}.csv": getattr(self, name) for name in SCORE_TABLES}

    def write(self, out: Path) -> None:
        """Write the tables, definition.toml and methods.txt into a folder."""
        with ThreadPoolExecutor(max_workers=1) as aside:  # digests take as long as curves
            about, tables = aside.submit(view_files, *self.view), self.files
        write_files(out, {**tables, **about.result()})

    def _repr_html_(self) -> str:
        study, definition, _ = self.view
        said = definition_text(definition.named(study.labels), study)
        return as_html(study.name, [said], {name: getattr(self, name) for name in SCORE_TABLES})
