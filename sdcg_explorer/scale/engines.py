"""What reads a log beyond memory and hands out whole sessions: DuckDB here, or Spark on many.

Both run the same SQL on a view `log` of text whose columns go by their roles.
"""

# pyright: basic
# pyarrow and pyspark ship no types, or leave open what they hand out.

from __future__ import annotations

import errno
import os
import pickle
import re
import shutil
import sys
import unicodedata
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.reading.sources import Source, files_of, literal
from sdcg_explorer.scale.part import FILE, Added, Plan, scored_part
from sdcg_explorer.study.problems import Problem, UnusableInputError, error

MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])i?B?", re.IGNORECASE)
UNITS = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
PARQUET = "parquet", "pq"
OF_DUCKDB = 0.4  # of the memory; the rest is for the part that is scored, and Python
FULL = ("no space left", "failed to offload", "max_temp_directory_size", "file too large")
RULE = "a log at scale is Parquet or CSV that its engine reads"
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
Came = tuple[list[Added | None], list[Problem]]  # of each pass, as far as a part says it
RETURNED = "pass int, sessions binary, added binary, problems binary"


def bytes_of(memory: str) -> int:
    """Bytes of what `--memory` says.

    Raises
    ------
    ValueError : it says something else

    >>> bytes_of("500MB")
    500000000
    """
    if not (found := MEMORY.fullmatch(memory.strip())):
        raise ValueError(f"--memory {memory!r}; it reads 4GB or 500MB. Correct it.")
    return int(float(found[1]) * UNITS[found[2].upper()])


def _text(quoted: str) -> str:
    return "'" + quoted.replace("'", "''") + "'"


def view_of(columns: Mapping[str, str], nothing: str, more: str = "") -> str:
    """SQL of the rows as text by role, empty where there is nothing; names in NFC.

    nothing : the system of sessions that name none
    """
    said: dict[str, str] = {}
    for role, column in columns.items():
        named = '"' + column.replace('"', '""') + '"'
        text = f"coalesce(cast({named} as string), '')"
        said[role] = f"nfc_normalize({text})" if role in ("session", "searcher", "system") else text
    if "system" in said:
        said["system"] = (
            f"case when trim({said['system']}) = '' then {_text(nothing)} else {said['system']} end"
        )
    listed = ", ".join(f'{sql} as "{role}"' for role, sql in said.items())
    return f"select {listed}{more} from raw_log"


class DuckDB:
    """An engine on this machine whose rows stay within a part of the memory, else on disk."""

    key = "cast('0x' || substr(md5({}), 1, 8) as bigint)"

    def __init__(self, memory: int, folder: Path) -> None:
        try:
            import duckdb
        except ModuleNotFoundError:
            raise ValueError(NO_DUCKDB) from None
        self._error, self.folder = duckdb.Error, folder
        settings = {
            "memory_limit": f"{int(memory * OF_DUCKDB / 2**20)}MiB",
            "temp_directory": str(folder / "spill"),
            "preserve_insertion_order": False,
            "partitioned_write_max_open_files": 64,
        }
        self._connection = self._run(lambda: duckdb.connect(config=settings))

    def open(self, log: str) -> tuple[pa.Table, list[str]]:
        """Name the log's rows as they are; its first ones as text, and its files."""
        files = _files(log)
        listed = ", ".join(_text(literal(each.path)) for each in files)
        form = f"union_by_name = true, filename = {_text(FILE) if len(files) > 1 else 'false'}"
        if _is_parquet(files):
            read = f"read_parquet([{listed}], {form})"
        else:
            read = f"read_csv([{listed}], all_varchar = true, header = true, quote = '\"', {form})"
        self.sql(f"create temp view raw_log as select * from {read}")
        return self.rows(f"select * from raw_log limit {HEAD}"), [each.name for each in files]

    def name_log(self, columns: Mapping[str, str], nothing: str, *, several: bool) -> None:
        """Name the rows whose columns go by their roles; of `several` files with theirs."""
        more = f', parse_filename("{FILE}") as "{FILE}"' if several else ""
        self.sql(f"create or replace temp view log as {view_of(columns, nothing, more)}")

    def sql(self, sql: str) -> None:
        """Run a statement."""
        self._run(lambda: self._connection.execute(sql))

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which are kept."""
        self.sql(f"create temp table {name} as {sql}")

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        return self._run(lambda: self._connection.sql(sql).to_arrow_table())

    def results(self, sql: str, plan: Plan, out: Sequence[Path]) -> Iterator[Came]:
        """What each part of rows comes to; the sessions' scores are written on the way."""
        parts = self.folder / "parts"
        self.sql(f"copy ({sql}) to {_text(str(parts))} (format parquet, partition_by (part))")
        files = SessionFiles(out)
        for part in sorted(parts.iterdir(), key=lambda each: int(each.name.partition("=")[2])):
            table = pa.concat_tables([pq.read_table(file) for file in sorted(part.iterdir())])
            shutil.rmtree(part)
            result = scored_part(table, plan)
            for i, (sessions, _) in enumerate(result[0]):
                files.write(i, sessions)
            yield [added for _, added in result[0]], result[1]
        files.close()

    def close(self) -> None:
        """Leave nothing behind."""
        self._connection.close()

    def _run(self, act: Any) -> Any:
        try:
            return act()
        except self._error as fault:
            found = str(fault).strip().splitlines()[0]
            if any(words in found.lower() for words in FULL):
                text = "No space left on device"
                raise OSError(errno.ENOSPC, text, str(self.folder)) from None
            remedy = "Correct the file, or give more memory: --memory."
            raise UnusableInputError([error("log", None, found, RULE, remedy)]) from None


def _files(log: str) -> list[Source]:
    """Files of a log, without the hidden and empty ones that engines leave beside their parts."""
    files = [each for each in files_of(Path(log)) if not each.unread]
    return [each for each in files if each.path.stat().st_size] or files


def _is_parquet(files: Sequence[Source]) -> bool:
    return files[0].name.lower().rpartition(".")[2] in PARQUET


class SessionFiles:
    """Scores of sessions, a Parquet file for each pass, which begins with its first sessions."""

    def __init__(self, out: Sequence[Path]) -> None:
        self._out, self._writers = out, dict[int, Any]()

    def write(self, i: int, sessions: pd.DataFrame) -> None:
        """Add sessions of a pass: names as text, whatever a part has of them."""
        if len(sessions):
            names = dict.fromkeys(sessions.select_dtypes("category").columns, "str")
            rows = pa.Table.from_pandas(sessions.astype(names), preserve_index=False)
            if i not in self._writers:
                self._writers[i] = pq.ParquetWriter(self._out[i], rows.schema)
            self._writers[i].write_table(rows)

    def close(self) -> None:
        """End the files."""
        for writer in self._writers.values():
            writer.close()


def _start(master: str) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise ValueError(NO_SPARK) from None
    builder: Any = SparkSession.builder.appName("sdcg score")
    builder = builder.master(master) if master else builder
    running = "PYSPARK_GATEWAY_PORT" in os.environ  # spark-submit has begun it
    if not (running or os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise ValueError(NO_JAVA)
    local = not running and (master or "local").startswith("local")
    if local:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the one that has this package
        for name, value in LOCAL.items():
            builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except (OSError, RuntimeError):
        raise ValueError(NO_JAVA) from None
    session.sparkContext.setLogLevel("ERROR")
    session.conf.set("spark.sql.ansi.enabled", "true")
    session.conf.set("spark.sql.ansi.doubleQuotedIdentifiers", "true")
    session.udf.register("nfc_normalize", lambda text: unicodedata.normalize("NFC", text))
    return session


class Spark:
    """An engine of many machines: executors score the parts, and hand back scores and sums."""

    key = "cast(conv(substr(md5({}), 1, 8), 16, 10) as bigint)"

    def __init__(self, master: str = "") -> None:
        self.session = _start(master)

    def open(self, log: str) -> tuple[pa.Table, list[str]]:
        """Name the log's rows as they are; its first ones as text, and its files."""
        from pyspark.errors import PySparkException

        reader = self.session.read
        try:
            kind = "parquet" if "://" in log else ""
            files = [] if kind else _files(log)
            places = [str(each.path) for each in files] or [log]
            if kind or _is_parquet(files):
                rows = reader.parquet(*places)
            else:
                rows = reader.csv(places, header=True, multiLine=True, escape='"')
        except PySparkException as fault:
            found, remedy = str(fault).strip().splitlines()[0], "Correct the path, or the file."
            raise UnusableInputError([error(log, None, found, RULE, remedy)]) from None
        rows.createOrReplaceTempView("raw_log")
        return self.rows(f"select * from raw_log limit {HEAD}"), [each.name for each in files] or [
            log
        ]

    def name_log(self, columns: Mapping[str, str], nothing: str, *, several: bool) -> None:
        """Name the rows whose columns go by their roles; of `several` files with theirs."""
        more = f', _metadata.file_name as "{FILE}"' if several else ""
        self.session.sql(view_of(columns, nothing, more)).createOrReplaceTempView("log")

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which executors keep."""
        self.session.sql(sql).localCheckpoint().createOrReplaceTempView(name)

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.session.sql(sql).toArrow()

    def results(self, sql: str, plan: Plan, out: Sequence[Path]) -> Iterator[Came]:
        """What each part of rows comes to, scored where its rows are."""

        def score(rows: pd.DataFrame) -> pd.DataFrame:
            table = pa.Table.from_pandas(rows.drop(columns="part"), preserve_index=False)
            found, problems = scored_part(table, plan)
            passes = [(i, pickle.dumps(sessions), pickle.dumps(added), b"")
                      for i, (sessions, added) in enumerate(found)]  # fmt: skip
            if problems:
                passes.append((-1, b"", b"", pickle.dumps(problems)))
            return pd.DataFrame(passes, columns=["pass", "sessions", "added", "problems"])

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts = self.session.sql(sql).groupBy("part").applyInPandas(score, RETURNED)
            files = SessionFiles(out)
            for row in parts.toLocalIterator():
                if row["pass"] < 0:
                    yield [], pickle.loads(row["problems"])
                    continue
                files.write(row["pass"], pickle.loads(row["sessions"]))
                found: Any = [None for _ in out]
                found[row["pass"]] = pickle.loads(row["added"])
                yield found, []
            files.close()

    def close(self) -> None:
        """End what was begun here."""
        if "PYSPARK_GATEWAY_PORT" not in os.environ:
            self.session.stop()
