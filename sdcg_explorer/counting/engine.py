"""What runs the SQL of the counts: DuckDB on one machine, Spark on many (decision 117)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from sdcg_explorer.study.problems import Problem

if TYPE_CHECKING:
    from sdcg_explorer.counting.by_duckdb import DuckDBEngine
    from sdcg_explorer.counting.by_spark import SparkEngine

DUCKDB, SPARK = ("DuckDB", "counts"), ("Spark", "cluster")  # what runs it, and the extra it is in
ENDINGS = ("parquet", "csv", "csv.gz", "tsv", "tsv.gz", "txt")


def not_installed(program: str, extra: str) -> str:
    """What is said where what an extra of the package brings is missing."""
    return f'{program} is not installed. Add it: pip install "sdcg-explorer[{extra}]".'


@dataclass(frozen=True)
class Opened:
    """What is known of a table that was opened.

    whole : its columns, whole numbers or not · file : as problems name it · bare : the first rows
    of files whose columns nothing names, by file · notes : what readers assumed · is_ascii :
    whether all letters are known to be plain
    """

    whole: dict[str, bool]
    file: str
    bare: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    notes: tuple[Problem, ...] = ()
    is_ascii: bool = False


# Tables by name, made by SQL that both read. Each says its own words of SQL: `quote` stands round
# the name of a column, `each` is a whole number that no other row of a table has, and `composed` a
# text in NFC, where {} is the text.
Engine: TypeAlias = "DuckDBEngine | SparkEngine"
