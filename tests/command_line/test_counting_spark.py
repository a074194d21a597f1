"""Counts by Spark: those of plain loops, row by row; the faults and the sample are DuckDB's.

One session of Spark, and one log that holds all samples and random sessions: Spark takes seconds
to begin, and a second for a step, whatever the size.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from study.counting.by_duckdb import DuckDBEngine
from study.counting.by_spark import NO_JAVA, NO_SPARK, SparkEngine, start
from study.counting.counted import read_counted
from study.problems import UnusableInputError
from study.reading.read import read_study
from tests.support.counting import assert_alike, counted, everything
from tests.support.plain_counts import plain_counts

MISSING = not (importlib.util.find_spec("pyspark") and shutil.which("java"))
needs_spark = pytest.mark.skipif(
    MISSING and not os.environ.get("REQUIRE_SPARK"),
    reason="no Spark or no Java: pip install '.[cluster]', apt-get install default-jre-headless",
)
SMALL = {  # what runs once is interpreted sooner than it is compiled
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.ui.enabled": "false",
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
    engine = SparkEngine(start("local[2]", SMALL))
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


@needs_spark
def test_names_that_look_like_patterns_are_names(engine: SparkEngine, tmp_path: Path) -> None:
    log, judgments = everything(tmp_path)
    odd = tmp_path / "d[1]{a,b} %20"
    odd.mkdir()
    named = odd / "l*?.csv"
    shutil.copy(log, named)
    (odd / "log1.csv").write_text(log.read_text().splitlines()[0] + "\n")  # which the name matches
    counts = counted(engine, tmp_path / "one", named, judgments, top=4)
    assert_alike(counts, counted(engine, tmp_path / "plain", log, judgments, top=4))
    assert_alike(counted(engine, tmp_path / "all", odd, judgments, top=4), counts)


@needs_spark
def test_what_breaks_a_rule_is_refused_as_by_duckdb(engine: SparkEngine, tmp_path: Path) -> None:
    log, judgments = tmp_path / "log.csv", tmp_path / "judgments.csv"
    log.write_text(
        "session,system,topic,query_number,rank,doc\n"
        "s1,A,t,1,1,a\ns1,A,t,1,1,b\ns1,B,t,2,1,a\ns2,A,t,1,x,a\ns2,A,t,2,2,\n"
    )
    judgments.write_text("topic,doc,grade\nt,a,1\nt,a,2\nt,b,good\n")
    with_duckdb = DuckDBEngine("500MB", tmp_path / "spill")
    said = []
    for name, each in (("spark", engine), ("duckdb", with_duckdb)):
        with pytest.raises(UnusableInputError) as refused:
            counted(each, tmp_path / name, log, judgments)
        said.append(refused.value.lines())
    with_duckdb.close()
    assert said[0] == said[1]
    assert len(said[0]) == 6


def test_without_java_or_spark_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    missing = NO_JAVA if importlib.util.find_spec("pyspark") else NO_SPARK
    with pytest.raises(ValueError, match=r"^Spark") as said:
        start("local[1]")
    assert str(said.value) == missing
