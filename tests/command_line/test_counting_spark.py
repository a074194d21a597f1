"""Counts by Spark: those of plain loops, row by row; the faults and the sample are DuckDB's.

One session of Spark, and one log that holds all samples and random sessions: Spark takes seconds
to begin, and a second for a step, whatever the size.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from sdcg_explorer.counting.by_duckdb import DuckDBEngine
from sdcg_explorer.counting.by_spark import LOCAL, NO_JAVA, NO_SPARK, SparkEngine, start
from sdcg_explorer.counting.counted import read_counted
from sdcg_explorer.counting.engine import Engine
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.counting import CELLS, assert_alike, assert_cells_alike, counted, everything
from tests.support.odd_tables import ODD
from tests.support.plain_counts import plain_counts
from tests.support.thorough import THOROUGH

Columns = Mapping[str, Sequence[str]]
MISSING = not (importlib.util.find_spec("pyspark") and shutil.which("java"))
needs_spark = pytest.mark.skipif(
    MISSING and not os.environ.get("REQUIRE_SPARK"),
    reason="no Spark or no Java: pip install '.[cluster]', apt-get install default-jre-headless",
)
READ = (
    *("UTF-16, little end first", "carriage returns", "cell of several lines", "semicolons"),
    *("packed Latin-1", "no header, named", "columns without names", "signs of SQL"),
)
REFUSED = (
    *("NUL", "title line", "unpaired quote", "backslash before a quote", "column twice"),
    "one too few and an empty one too many",
)
if THOROUGH > 1:  # a second each
    READ = (
        *READ,
        *("plain", "byte order mark", "Latin-1", "two lines' ends", "UTF-16, big end first"),
        *("blank lines between", "doubled quotes", "quoted empty cells", "tabs", "packed"),
        *("blanks around ids", "long ids"),
    )
    REFUSED = (
        *REFUSED,
        *("empty", "header alone", "a cell too few", "a cell too many", "blank behind a quote"),
        *("delimiter at the end of a row", "UTF-16 without its mark"),
    )
SMALL = {  # what runs once is interpreted sooner than it is compiled
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "600m",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.default.parallelism": "2",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
}


@pytest.fixture(scope="module")
def engine() -> Iterator[SparkEngine]:
    session = start("local[2]", SMALL)
    assert {name: session.conf.get(name) for name in LOCAL} == LOCAL | {
        name: of for name, of in SMALL.items() if name in LOCAL
    }
    engine = SparkEngine(session)
    yield engine
    engine.close()


@needs_spark
def test_every_log_is_counted_as_by_loops(engine: SparkEngine, tmp_path: Path) -> None:
    log, judgments = everything(tmp_path)
    counts = counted(engine, tmp_path, log, judgments, top=4, sample=9)
    assert_alike(counts, plain_counts(read_study(log, judgments), 4))
    place = tmp_path / "place"
    engine.put(tmp_path / "counts", f"file://{place}")
    assert_alike(read_counted(place), counts)
    with_duckdb = DuckDBEngine("500MB", tmp_path / "spill")
    assert_alike(counted(with_duckdb, tmp_path / "duckdb", log, judgments, top=4, sample=9), counts)
    with_duckdb.close()
    samples = [folder / "sample/log.parquet" for folder in (place, tmp_path / "duckdb/counts")]
    spark, duckdb = (sorted(map(str, pq.read_table(path).to_pylist())) for path in samples)
    assert spark == duckdb


def texts_of(engine: Engine, place: Path, columns: Columns | None = None) -> list[list[str]]:
    """Names of the columns that an engine reads, and its rows in order."""
    opened = engine.open("texts", str(place), columns or {})
    names = ", ".join(f"{engine.quote}{name}{engine.quote}" for name in opened.whole)
    rows = engine.rows(f"select {names} from texts").to_pylist()
    return [[*opened.whole], *sorted([text or "" for text in row.values()] for row in rows)]


@needs_spark
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_names_that_look_like_patterns_are_names(
    engine: SparkEngine, tmp_path: Path, ending: str
) -> None:
    table = pd.DataFrame({"session": ["s1", "s2"], "a[1]": ["x", "y"]})
    odd = tmp_path / "d[1]{a,b} %20"
    odd.mkdir()
    named, decoy = odd / f"l*?.{ending}", odd / f"log1.{ending}"  # which the name matches
    for rows, path in ((table, named), (table[:0], decoy)):
        rows.to_csv(path, index=False) if ending == "csv" else rows.to_parquet(path)
    expected = [["session", "a[1]"], ["s1", "x"], ["s2", "y"]]
    assert texts_of(engine, named) == expected
    decoy.unlink()
    assert texts_of(engine, odd) == expected


@needs_spark
def test_what_breaks_a_rule_is_refused_as_by_duckdb(engine: SparkEngine, tmp_path: Path) -> None:
    log, judgments = tmp_path / "log.csv", tmp_path / "judgments.csv"
    log.write_text(
        "session,system,topic,query_number,rank,doc,clicked,grade\n"
        "s1,A,t,1,1,a,1,2\ns1,A,t,1,1,b,,2\ns1,B,t,2,1,a,,\ns2,A,t,1,x,a,,\ns2,A,t,2,2,,,\n"
        ",A,t,,1,a,maybe,x\ns3,A,t,1e1,1,a,,310\ns3,A,t,1,,a,,\ns4,A,t,1,1,a,0,1\n"
        "s4,A,t,1,1,a,yes,2\ns5,A,u,1,1,a,,\ns5,A,t,1,2,b,,\n"
    )
    judgments.write_text("topic,doc,grade\nt,a,1\nt,a,2\nt,b,good\nt,c,310\n")
    with_duckdb = DuckDBEngine("500MB", tmp_path / "spill")
    said = []
    for name, each in (("spark", engine), ("duckdb", with_duckdb)):
        with pytest.raises(UnusableInputError) as refused:
            counted(each, tmp_path / name, log, judgments)
        said.append(refused.value.lines())
    with_duckdb.close()
    assert said[0] == said[1]
    assert len(said[0]) == 16


@needs_spark
def test_cells_are_read_as_by_readers(engine: SparkEngine) -> None:
    texts = engine._session.createDataFrame([(text,) for text in CELLS], "x string")
    texts.createOrReplaceTempView("texts")
    assert_cells_alike(engine.rows)


@needs_spark
@pytest.mark.parametrize("name", [*READ, *REFUSED])
def test_texts_are_those_that_duckdb_reads(engine: SparkEngine, tmp_path: Path, name: str) -> None:
    odd = ODD[name]
    files = odd.written(tmp_path)
    with_duckdb = DuckDBEngine("500MB", tmp_path / "spill")
    found = []
    for each in (engine, with_duckdb):
        try:
            found.append(texts_of(each, files[0], odd.columns))
        except UnusableInputError as refused:
            found.append(refused.lines())
    with_duckdb.close()
    assert found[0] == found[1]
    assert isinstance(found[0][0], str) == (name in REFUSED)


@needs_spark
@pytest.mark.parametrize("name", ["letters in pieces", "blank lines above", "mixed line ends"])
def test_what_spark_reads_otherwise_is_refused(
    engine: SparkEngine, tmp_path: Path, name: str
) -> None:
    log, _ = ODD[name].written(tmp_path)
    with pytest.raises(UnusableInputError, match=r"count by DuckDB: --engine duckdb\.$"):
        engine.open("texts", str(log), {})


def test_without_java_or_spark_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    missing = NO_JAVA if importlib.util.find_spec("pyspark") else NO_SPARK
    with pytest.raises(ValueError, match=r"^Spark") as said:
        start("local[1]")
    assert str(said.value) == missing
