"""Spark: reads where its executors can, and brings nothing but counts here (decision 118)."""

# pyright: basic
# pyspark's types leave open what it hands out.

from __future__ import annotations

import os
import re
import shutil
import unicodedata
import uuid
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial, reduce
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.counting.engine import ENDINGS, SPARK, Opened, not_installed
from sdcg_explorer.counting.texts import RULE, Table, alike, open_tables, opened_as, plain_files
from sdcg_explorer.reading.sources import own_folder
from sdcg_explorer.study.problems import UnusableInputError, error, refuse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SIGNS = re.compile(r"([{}\[\]*?\\])")  # by which Hadoop knows a pattern
ENCODINGS = {
    **{"utf-8": "UTF-8", "utf-8-sig": "UTF-8"},
    **{"utf-16": "UTF-16", "latin-1": "ISO-8859-1"},
}
BY_DUCKDB = "Write it otherwise, or count by DuckDB: --engine duckdb."
WHOLE = {"tinyint", "smallint", "int", "bigint"}
NO_SPARK = not_installed(*SPARK)
NO_JAVA = (
    "Spark did not start: it runs on Java, 17 or later, found by JAVA_HOME or PATH "
    "(Debian, Ubuntu: apt-get install default-jre-headless)."
)


# Of one machine, that begins for one count: half of its time went to compiling well what runs
# once, and to more parts than it has cores.
LOCAL = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": str(os.cpu_count()),
    "spark.ui.enabled": "false",
}


def start(master: str = "", settings: Mapping[str, str] | None = None) -> SparkSession:
    """A Spark session; without a master that of spark-submit, or this machine's.

    Raises
    ------
    ValueError : Spark or Java is missing
    """
    try:
        with warnings.catch_warnings():  # Spark warns of pandas, which is not asked here
            warnings.simplefilter("ignore")
            from pyspark.errors import PySparkException
            from pyspark.sql import SparkSession
    except ImportError:
        raise ValueError(NO_SPARK) from None
    builder: Any = SparkSession.builder.appName("sdcg counts")
    builder = builder.master(master) if master else builder
    running = "PYSPARK_GATEWAY_PORT" in os.environ  # spark-submit has begun it
    own = {} if running or not (master or "local").startswith("local") else LOCAL
    for name, value in {**own, **(settings or {})}.items():
        builder = builder.config(name, value)
    if not (running or os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise ValueError(NO_JAVA)
    try:
        session = builder.getOrCreate()
    except (PySparkException, OSError, RuntimeError):
        raise ValueError(NO_JAVA) from None
    session.sparkContext.setLogLevel("ERROR")
    return session


def _beyond_spark(table: Table) -> str:
    """What of a text Spark's SQL would not read as readers do."""
    with table.file.open(encoding=table.text.encoding) as lines:
        if any(line.strip("\n") for line in islice(lines, table.top.blank)):
            return "a line of blanks above the header"
        if not all(unicodedata.is_normalized("NFC", line) for line in lines):
            return "letters not in NFC"
        return "line ends of several kinds" if isinstance(lines.newlines, tuple) else ""


class SparkEngine:
    """An engine of a Spark session, whose tables executors keep in memory and on their disks."""

    quote = "`"
    each = "monotonically_increasing_id()"
    composed = "{}"

    def __init__(self, session: SparkSession, *, ours: bool = True) -> None:
        self._session, self._ours = session, ours
        self._stack = ExitStack()
        self._later = dict[str, str]()  # the SQL of what an executor writes, by its name
        session.conf.set("spark.sql.ansi.enabled", "true")

    def open(self, name: str, place: str, columns: Mapping[str, Sequence[str]]) -> Opened:
        """Name the table of a file, a folder or a pattern; `columns` name those of bare files."""
        from pyspark.errors import PySparkException

        try:
            tables, opened = self._tables(place, columns)
            read = self._texts(tables) if tables else self._as_it_is(place)
        except PySparkException as fault:
            found = str(fault).strip().splitlines()[0]
            remedy = "Correct the path, or the file."
            raise UnusableInputError([error(place, None, found, RULE, remedy)]) from None
        read.createOrReplaceTempView(name)
        whole = {column: kind in WHOLE for column, kind in read.dtypes}
        return opened or Opened(whole, Path(place).name)

    def _tables(
        self, place: str, columns: Mapping[str, Sequence[str]]
    ) -> tuple[list[Table], Opened | None]:
        """Texts of this machine, checked as readers do; none for Parquet, and of other places."""
        if "://" in place or self._hadoop(place)[1].getScheme() != "file":
            return [], None
        unpacked = self._stack.enter_context(own_folder())
        sources, form = plain_files(place, Path(unpacked))
        if form != "table":
            return [], None
        with (
            ExitStack() as stack,
            duckdb.connect() as connection,
        ):  # executors decode the files themselves
            tables = open_tables(sources, columns, stack)
            for table in tables:
                table.refuse_misfits(connection)
                if found := _beyond_spark(table):
                    rule = "Spark takes a text as it is"
                    refuse([error(table.text.name, None, found, rule, BY_DUCKDB)])
            return tables, opened_as(tables)

    def _texts(self, tables: Sequence[Table]) -> Any:
        """Rows of texts, each decoded and parted as it was found to be."""
        from pyspark.sql import DataFrame

        read: list[Any] = []
        for group in alike(tables):
            top, encoding = group[0].top, ENCODINGS[group[0].text.encoding]
            names = ", ".join(f"`{name.replace('`', '``')}` string" for name in top.header)
            form: Any = {"header": not top.first, "sep": top.delimiter, "encoding": encoding}
            files = [SIGNS.sub(r"\\\1", str(each.file)) for each in group]
            rows = self._session.read.schema(names)
            read.append(rows.csv(files, multiLine=True, escape='"', **form))
        return reduce(partial(DataFrame.unionByName, allowMissingColumns=True), read)

    def _as_it_is(self, place: str) -> Any:
        """Rows of a place that Spark alone reaches, or of Parquet."""
        ending = next((e for e in ENDINGS if place.lower().endswith(f".{e}")), "")
        kind = ending or self._kind_of_folder(place)
        path, system = self._hadoop(place)
        plain = SIGNS.sub(r"\\\1", place) if system.exists(path(place)) else place  # else a pattern
        reader = self._session.read
        if kind == "parquet":
            return reader.parquet(plain)
        form: Any = {"header": True, "sep": "\t" if kind.startswith("tsv") else ",", "escape": '"'}
        if plain != place:  # names of columns would be looked for by the pattern again
            reader = reader.schema(reader.csv(plain, **form).schema)
        return reader.csv(plain, multiLine=True, **form)

    def view(self, name: str, sql: str) -> None:
        """Name a query, which is run whenever it is asked for."""
        self._session.sql(sql).createOrReplaceTempView(name)

    def table(self, name: str, sql: str) -> None:
        """Name a query's rows, which are kept: by executors, or in `spark.checkpoint.dir`."""
        rows = self._session.sql(sql)
        reliable = self._session.sparkContext.getCheckpointDir() is not None
        kept = rows.checkpoint() if reliable else rows.localCheckpoint()
        # under names of their own: columns of what was kept are still those that they came from,
        # and a join of both is ambiguous to Spark
        kept.toDF(*kept.columns).createOrReplaceTempView(name)

    def rows(self, sql: str) -> pa.Table:
        """The rows of a query, here."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._session.sql(sql).toArrow()

    def batches(self, sql: str) -> Iterator[pa.RecordBatch]:
        """The rows of a query, here, as executors send them."""
        return iter(self.rows(sql).to_batches())

    def drop(self, *names: str) -> None:
        """Keep these tables no longer."""
        for name in names:
            self._session.catalog.dropTempView(name)

    def write(self, sql: str, aside: Path, name: str) -> None:
        """Have a query's rows written when the folder is put: by an executor, where it can."""
        self._later[name] = sql

    def put(self, aside: Path, out: str) -> None:
        """Write the rest aside, or give all its place where Hadoop's paths lead."""
        if "://" not in out:
            for name, sql in self._later.items():
                (aside / name).parent.mkdir(exist_ok=True)
                pq.write_table(self.rows(sql), aside / name, compression="zstd")
            return
        path, system = self._hadoop(out)
        target = path(out)
        beside = path(target.getParent(), f".{target.getName()}.{uuid.uuid4().hex}.part")
        system.copyFromLocalFile(False, True, path(str(aside)), beside)
        for name, sql in self._later.items():
            self._write_there(sql, path(beside, name))
        system.delete(target, True)
        if not system.rename(beside, target):
            raise OSError(f"{out}: the counts can't be put there; they are in {beside.toString()}")

    def close(self) -> None:
        """Leave nothing behind."""
        self._stack.close()
        if self._ours:
            self._session.stop()

    def _write_there(self, sql: str, target: Any) -> None:
        """Have one executor write a query's rows as one file."""
        folder = f"{target.toString()}.parts"
        self._session.sql(sql).coalesce(1).write.parquet(folder, compression="zstd")
        path, system = self._hadoop(folder)
        parts = [status.getPath() for status in system.listStatus(path(folder))]
        (part,) = [each for each in parts if each.getName().endswith(".parquet")]
        if not system.rename(part, target):
            raise OSError(f"{target.toString()}: the sample can't be put there")
        system.delete(path(folder), True)

    def _hadoop(self, place: str) -> tuple[Any, Any]:
        """Hadoop's class of paths, and the file system of one."""
        session: Any = self._session
        path = session._jvm.org.apache.hadoop.fs.Path
        return path, path(place).getFileSystem(session._jsc.hadoopConfiguration())

    def _kind_of_folder(self, place: str) -> str:
        """What a folder holds: Parquet, unless some file of it is CSV."""
        path, system = self._hadoop(place)
        there = path(place)
        if system.exists(there):
            found = system.listStatus(there)
        else:
            found = system.globStatus(path(f"{place.rstrip('/')}/*"))
        names = [status.getPath().getName().lower() for status in found or ()]
        if any(name.endswith(".parquet") for name in names):
            return "parquet"
        return next((e for e in ENDINGS for n in names if n.endswith(f".{e}")), "parquet")
