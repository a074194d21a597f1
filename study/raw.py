"""What every reader hands on: cells of text in named columns, each row with its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from study.checks import Problem


@dataclass(frozen=True)
class RawTable:
    """A table of text as found in a file.

    `rows` holds one column of categories per column of the file, the distinct texts in order of
    appearance, "" where a cell is empty; `lines` the line of each row, or None where row k (from
    0) stands on line k + 2. `withheld` counts queries that the file names but whose results it
    keeps back, `notes` what a reader had to assume.
    """

    file: str
    rows: pd.DataFrame
    lines: list[int] | None = None
    withheld: int = 0
    notes: tuple[Problem, ...] = ()

    def line(self, row: int) -> int:
        """Line of a row (from 0) in the file."""
        return self.lines[row] if self.lines is not None else int(row) + 2


def encoded(columns: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Columns of text as categories in order of appearance."""
    texts = {name: pd.Series(column, dtype="str") for name, column in columns.items()}
    return _frame({name: pd.factorize(column) for name, column in texts.items()})


def encoded_arrow(table: Any) -> pd.DataFrame:
    """Columns of a pyarrow Table of text as categories in order of appearance."""
    coded = {name: _one_dictionary(table.column(name)) for name in table.column_names}
    return _frame(
        {name: (c.indices.to_numpy(), c.dictionary.to_pandas()) for name, c in coded.items()}
    )


def _one_dictionary(column: Any) -> Any:
    """A chunked column as one array of codes into one dictionary."""
    if hasattr(column.type, "index_type"):
        return column.unify_dictionaries().combine_chunks()
    return column.combine_chunks().dictionary_encode()


def _frame(columns: Mapping[str, tuple[Any, Any]]) -> pd.DataFrame:
    """Categories from codes and distinct texts."""
    categories: dict[str, Any] = {}
    for name, (codes, texts) in columns.items():
        distinct: pd.Index[str] = pd.Index(texts, dtype="str")
        categories[name] = pd.Categorical.from_codes(codes, distinct)
    return pd.DataFrame(categories)
