"""`sdcg counts` on DuckDB beside DuckDB's bare `count(*) … group by session` of the same files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq

SIZES = (2_800_000, 28_000_000, 100_000_000)
MEMORIES = ("2GB", "4GB")
BARE = """
import duckdb, sys
files, memory, spill = sys.argv[1:]
connection = duckdb.connect(config={"memory_limit": memory, "temp_directory": spill})
sql = f"select count(*) from (select session, count(*) from '{files}' group by session)"
connection.sql(sql).fetchall()
"""


def write_large_log(folder: Path, results: int) -> None:
    """Write a log in the order of time, sessions of 1 to 7 queries interleaved, and judgments.

    A tenth of the sessions take up another topic with every second query.
    """
    session = "md5(i::varchar) as session, 1 + (hash(i) % 7)::int as n, i // 5000 as block"
    topic = (
        "hash(i + 1000000000) % 37 as topic, hash(i * 3) % 2 as system, hash(i * 7) % 10 as kind"
    )
    asked = "'topic-' || case when kind = 0 then hash(i * 11 + q // 2) % 37 else topic end as topic"
    doc = "'clueweb12-' || lpad(((hash(i * 100 + q) % 40 + rank * 41))::varchar, 6, '0')"
    judged = "'clueweb12-' || lpad(d::varchar, 6, '0') as doc, (hash(t * 1000 + d) % 4)::int"
    settings: Any = {"memory_limit": "2GB", "temp_directory": str(folder / "spill")}
    with duckdb.connect(config=settings) as connection:
        connection.execute(
            f"""
            copy (
                with sessions as (
                    select i, {session}, {topic} from range({results} // 40) as r(i)
                ),
                queries as (select *, unnest(range(1, n + 1))::int as q from sessions),
                ordered as (select * from queries order by block, q, i),
                results as (select *, unnest(range(1, 11))::int as rank from ordered)
                select session, case system when 0 then 'A' else 'B' end as system, {asked},
                    q as query_number, rank, {doc} as doc
                from results
            ) to '{folder}/log.parquet' (format parquet, row_group_size 250000)
            """
        )
        connection.execute(
            f"""
            copy (
                select 'topic-' || t as topic, {judged} as grade
                from range(37) as a(t), range(460) as b(d)
                where hash(t * 77 + d) % 10 < 7
            ) to '{folder}/judgments.parquet' (format parquet)
            """
        )


def spent(*command: str) -> tuple[float, float, float]:
    """Seconds, seconds of processors, and peak memory, in GB, of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    used = usage.ru_utime + usage.ru_stime
    return time.perf_counter() - start, used, usage.ru_maxrss / 2**20


def rows_of(folder: Path) -> str:
    """How many counts a folder has, and its size."""
    rows = pq.read_metadata(folder / "counts.parquet").num_rows
    size = sum(path.stat().st_size for path in folder.iterdir())
    return f"{rows:,} counts, {size / 1e6:.1f} MB"


def bench_counting() -> None:
    """Seconds and peak memory by size and `--memory`; SDCG_LOGS=2800000,28000000 names sizes."""
    named = os.environ.get("SDCG_LOGS", "")
    for results in map(int, named.split(",")) if named else SIZES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_large_log(folder, results)
            log, judged = (str(folder / f"{kind}.parquet") for kind in ("log", "judgments"))
            print(f"{results:,} results, {Path(log).stat().st_size / 1e6:.0f} MB")
            for memory, more in product(MEMORIES, ([], ["--no-intervals"])):
                bare, *_ = spent(sys.executable, "-c", BARE, log, memory, str(folder / "bare"))
                out = ["--out", str(folder / "counts"), "--memory", memory, "--force", *more]
                ours, used, peak = spent(
                    sys.executable, "-m", "sdcg_explorer", "counts", log, judged, *out
                )
                print(
                    f"  {' '.join(out[2:])}: {ours:.1f} s, {used:.1f} of processors, peak "
                    f"{peak:.2f} GB, {rows_of(folder / 'counts')}; bare count(*) {bare:.2f} s"
                )
