"""Rows of a delimited file without quotes; pyarrow makes categories while it reads."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import csv

from study.reading.raw_table import encoded_arrow

LONGEST_BLOCK = 4_000_000


def plain_rows(
    path: Path, delimiter: str, columns: int, blank: int, *, header: bool
) -> pd.DataFrame:
    """Every row below blank lines and the header, if any; columns named c0, c1 and so on.

    Raises
    ------
    ValueError : rows with too few or too many cells, or too long
    """
    names = [f"c{i}" for i in range(columns)]
    table = csv.read_csv(
        path,
        csv.ReadOptions(column_names=names, skip_rows=blank + header, block_size=LONGEST_BLOCK),
        csv.ParseOptions(delimiter=delimiter, quote_char=False),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())),
            strings_can_be_null=False,
        ),
    )
    return encoded_arrow(table)
