"""Rows of a delimited file without quotes; pyarrow makes categories while it reads."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import csv

from sdcg_explorer.reading.raw_table import encoded_arrow
from sdcg_explorer.reading.readers.table_top import Top

LONGEST_BLOCK = 4_000_000


def plain_rows(path: Path, top: Top) -> pd.DataFrame:
    """Every row below blank lines and the header, if any; columns named c0, c1 and so on.

    Raises
    ------
    ValueError : rows with too few or too many cells, or too long
    """
    names = [f"c{i}" for i in range(len(top.header))]
    above = top.blank + (not top.first)
    table = csv.read_csv(
        path,
        csv.ReadOptions(column_names=names, skip_rows=above, block_size=LONGEST_BLOCK),
        csv.ParseOptions(delimiter=top.delimiter, quote_char=False),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())),
            strings_can_be_null=False,
        ),
    )
    return encoded_arrow(table)
