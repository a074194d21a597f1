"""What reads a log beyond memory and hands out whole sessions: DuckDB here, or Spark on many.

Both run the same SQL on a view `log` of text whose columns go by their roles.
"""

# pyright: basic
# pyarrow and pyspark ship no types, or leave open what they hand out.

import errno
import glob
import os
import pickle
import re
import shutil
import sys
import unicodedata
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.reading.sources import files_of
from sdcg_explorer.scale.log import FILE, Plan, Result, score_part
from sdcg_explorer.study.problems import refusal

MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])i?B?", re.IGNORECASE)
OF_ENGINE = 0.4  # of the memory; the rest is for the part that is scored, and Python
FULL = ("no space left", "failed to offload", "max_temp_directory_size", "file too large")
RULE = "with --engine a log must be Parquet or CSV that the engine reads"
OTHER = re.compile(r"(?i)\.(jsonl?|ndjson|xls[xm]?|ods|xml|ya?ml|sav|dta)(\.[a-z0-9]+)?$")
HEAD = 1_000  # rows by which columns are known
NO_SPARK = 'Spark is not installed. Add it: pip install "sdcg-explorer[cluster]".'
NO_DUCKDB = 'DuckDB is not installed. Add it: pip install "sdcg-explorer[scale]".'
NO_JAVA = (
    "Spark did not start: it runs on Java, 17 or later, found by JAVA_HOME or PATH "
    "(Debian, Ubuntu: apt-get install default-jre-headless)."
)
LOCAL = {  # of a Spark on this machine alone, which compiles and parts as little as it can
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": str(os.cpu_count()),
    "spark.ui.enabled": "false",
}


def parse_memory(memory: str) -> int:
    """Bytes of what `--memory` says.

    Raises
    ------
    ValueError : it says something else

    >>> parse_memory("500MB")
    500000000
    """
    if not (found := MEMORY.fullmatch(memory.strip())):
        raise ValueError(f"--memory {memory!r}; write it like 4GB or 500MB.")
    return int(float(found[1]) * 1000 ** ("KMGT".index(found[2].upper()) + 1))


def _sql_string(quoted: str) -> str:
    return "'" + quoted.replace("'", "''") + "'"


class Engine:
    """What reads a log: views of its rows, tables and queries of them, whole sessions by part.

    key : SQL of a number by the md5 of a text · remote : whether it reads paths with a scheme
    """

    key, remote = "", False
    sql: Callable[[str], Any]  # runs a statement
    rows: Callable[[str], pa.Table]  # of a query, here
    _create_raw_view: Callable[..., None]

    def open(self, log: str) -> tuple[pa.Table, list[str]]:
        """Name the log's rows as they are; its first ones as text, and its files.

        Hidden and empty files, which engines leave beside their parts, are none of the log.
        """
        if self.remote and "://" in log:
            names, paths, parquet = [log], [log], True
        else:
            read = [each for each in files_of(Path(log)) if not each.unread]
            read = [each for each in read if each.path.stat().st_size] or read
            names, paths = [each.name for each in read], [str(each.path) for each in read]
            parquet = names[0].lower().endswith((".parquet", ".pq"))
            if fit := OTHER.search(names[0]):
                what, remedy = f"a file of {fit[1].lower()}", "Write it as Parquet or CSV."
                raise refusal(names[0], None, what, RULE, remedy)
        self._create_raw_view(paths, parquet=parquet)
        return self.rows(f"select * from raw_log limit {HEAD}").drop_columns([FILE]), names

    def name_log(self, columns: Mapping[str, str]) -> None:
        """Name the rows as text by role, ids in NFC, each with its file."""
        said = [f'"{FILE}"']
        for role, column in columns.items():
            named = '"' + column.replace('"', '""') + '"'
            text = f"coalesce(cast({named} as string), '')"
            text = f"nfc_normalize({text})" if role in ("session", "searcher", "system") else text
            said.append(f'{text} as "{role}"')
        self.sql(f"create or replace temporary view log as select {', '.join(said)} from raw_log")


class DuckDB(Engine):
    """An engine on this machine whose rows stay within a part of the memory, else on disk."""

    key = "cast('0x' || substr(md5({}), 1, 8) as bigint)"

    def __init__(self, memory: int, folder: Path) -> None:
        try:
            import duckdb
        except ModuleNotFoundError:
            raise ValueError(NO_DUCKDB) from None
        self._error, self.folder = duckdb.Error, folder
        settings = {
            "memory_limit": f"{int(memory * OF_ENGINE / 2**20)}MiB",
            "temp_directory": str(folder / "spill"),
            "preserve_insertion_order": False,
            "partitioned_write_max_open_files": 64,
        }
        self._connection = self._with_errors_told(lambda: duckdb.connect(config=settings))

    def _create_raw_view(self, paths: Sequence[str], *, parquet: bool) -> None:
        listed = ", ".join(_sql_string(glob.escape(path)) for path in paths)
        form = f"union_by_name = true, filename = {_sql_string(FILE)}"
        csv = f"read_csv([{listed}], all_varchar = true, header = true, quote = '\"', {form})"
        read = f"read_parquet([{listed}], {form})" if parquet else csv
        named = f'parse_filename("{FILE}") as "{FILE}"'
        self.sql(f"create temp view raw_log as select * replace ({named}) from {read}")

    def sql(self, sql: str) -> Any:
        """Run a statement."""
        return self._with_errors_told(lambda: self._connection.execute(sql))

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which are kept."""
        self.sql(f"create temp table {name} as {sql}")

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        return self._with_errors_told(lambda: self._connection.sql(sql).to_arrow_table())

    def results(self, sql: str, plan: Plan) -> Iterator[Result]:
        """What each part of rows comes to."""
        parts = self.folder / "parts"
        self.sql(f"copy ({sql}) to {_sql_string(str(parts))} (format parquet, partition_by (part))")
        for part in sorted(parts.iterdir(), key=lambda each: int(each.name.partition("=")[2])):
            table = pa.concat_tables([pq.read_table(file) for file in sorted(part.iterdir())])
            shutil.rmtree(part)
            yield score_part(table, plan)

    def close(self) -> None:
        """Leave nothing behind."""
        self._connection.close()

    def _with_errors_told(self, act: Any) -> Any:
        try:
            return act()
        except self._error as fault:
            found = str(fault).strip().splitlines()[0]
            if any(words in found.lower() for words in FULL):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.folder)) from None
            remedy = "Correct the file, or give more memory: --memory."
            raise refusal("log", None, found, RULE, remedy) from None


class Spark(Engine):
    """An engine of many machines: executors score the parts, and hand back scores and sums."""

    key = "cast(conv(substr(md5({}), 1, 8), 16, 10) as bigint)"
    remote = True

    def __init__(self, memory: int, master: str) -> None:
        warnings.simplefilter("ignore")  # which Spark has of its own doings
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise ValueError(NO_SPARK) from None
        builder: Any = SparkSession.builder.appName("sdcg score")
        builder = builder.master(master) if master else builder
        running = "PYSPARK_GATEWAY_PORT" in os.environ  # spark-submit has begun it
        if not (running or os.environ.get("JAVA_HOME") or shutil.which("java")):
            raise ValueError(NO_JAVA)
        if not running and (master or "local").startswith("local"):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the one that has this package
            heap = max(1024, int(memory * OF_ENGINE / 2**20))  # Spark's own, at least
            builder = builder.config(map=LOCAL | {"spark.driver.memory": f"{heap}m"})
        try:
            self.session = session = builder.getOrCreate()
        except (OSError, RuntimeError):
            raise ValueError(NO_JAVA) from None
        session.sparkContext.setLogLevel("ERROR")
        session.conf.set("spark.sql.ansi.enabled", "true")
        session.conf.set("spark.sql.ansi.doubleQuotedIdentifiers", "true")
        session.udf.register("nfc_normalize", lambda text: unicodedata.normalize("NFC", text))

    def _create_raw_view(self, paths: Sequence[str], *, parquet: bool) -> None:
        from pyspark.errors import PySparkException

        reader = self.session.read
        try:
            csv = {"header": True, "multiLine": True, "escape": '"'}
            rows = reader.parquet(*paths) if parquet else reader.csv([*paths], **csv)
        except PySparkException as fault:
            found, remedy = str(fault).strip().splitlines()[0], "Correct the path, or the file."
            raise refusal(paths[0], None, found, RULE, remedy) from None
        rows = rows.selectExpr("*", f"_metadata.file_name as `{FILE}`")
        rows.createOrReplaceTempView("raw_log")

    def sql(self, sql: str) -> Any:
        """Run a statement."""
        return self.session.sql(sql)

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which executors keep."""
        self.sql(sql).localCheckpoint().createOrReplaceTempView(name)

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        return self.sql(sql).toArrow()

    def results(self, sql: str, plan: Plan) -> Iterator[Result]:
        """What each part of rows comes to, scored where its rows are."""

        def score(rows: pd.DataFrame) -> pd.DataFrame:
            table = pa.Table.from_pandas(rows.drop(columns="part"), preserve_index=False)
            result = pickle.dumps(score_part(table, plan))
            return pd.DataFrame({"result": [zlib.compress(result, 1)]})  # a fifth of it

        # what comes of a task is in the driver's memory at once: a part a task, or nearly so
        self.session.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
        self.session.conf.set("spark.sql.shuffle.partitions", str(plan.parts))
        parts = self.sql(sql).groupBy("part").applyInPandas(score, "result binary")
        for row in parts.toLocalIterator():
            yield pickle.loads(zlib.decompress(row["result"]))

    def close(self) -> None:
        """End what was begun here."""
        if "PYSPARK_GATEWAY_PORT" not in os.environ:
            self.session.stop()
