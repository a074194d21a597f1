"""`sdcg score --engine duckdb` on generated logs: time, memory, and the same numbers as at once."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

SIZES = ("1000000", "3000000", "10000000", "30000000")
SDCG = (sys.executable, "-m", "sdcg_explorer")
BESIDE = 3_000_000  # results that plain `sdcg score` is given, too
MORE = {
    "linear": 'weights = "linear"\nb = 3.0\n',
    "as_is": 'short_lists = "as-is"\n',
    "first": 'repeats = "first"\nideal = "spread"\n',
    "goes_on": 'after_stop = "ideal-continues"\n',
    **{f"b{b}": f"b = {b}.0\n" for b in (4, 5, 6, 7, 8)},
    "measures": 'measures = ["rbp", "esndcg"]\n',
}


def write_large_log(folder: Path, results: int, longest: int = 5_000) -> tuple[Path, Path]:
    """Write a log in the order of time, sessions of 1 to 7 queries interleaved, and judgments.

    Of sessions a tenth changes topic with every second query; of each searcher there are three, a
    third of the sessions have gaps in their query numbers, a tenth of the queries repeat the list
    before, a twentieth find nothing; one session has `longest` queries.
    """
    settings: Any = {"memory_limit": "2GB", "temp_directory": str(folder / "spill")}
    with duckdb.connect(config=settings) as connection:
        connection.execute(
            f"""
            copy (
                with sessions as (
                    select i, md5(i::varchar) as session,
                        case when i = 7 then {longest} else 1 + (hash(i) % 7)::int end as n,
                        hash(i + 1000000000) % 37 as topic, hash(i * 3) % 2 as system,
                        hash(i * 7) % 10 as kind
                    from range({results} // 40) as r(i)
                ),
                queries as (select *, unnest(range(1, n + 1))::int as q from sessions),
                lists as (
                    select *, case when hash(i * 13 + q) % 10 = 0 then q - 1 else q end as own,
                        hash(i * 17 + q) % 20 = 0 as nothing
                    from queries
                ),
                results as (
                    select *, unnest(range(1, case when nothing then 2 else 11 end))::int as place
                    from lists
                ),
                rows as (
                    select session, case system when 0 then 'A' else 'B' end as system,
                        'p' || i // 3 as searcher,
                        'topic-' || case when kind = 0 then hash(i * 11 + q // 2) % 37 else topic
                            end as topic,
                        q * (1 + (i % 3 = 0)::int) as query_number,
                        case when nothing then null else place end as rank,
                        case when nothing then null else 'clueweb12-' ||
                            lpad((hash(i * 100 + own) % 40 + place * 41)::varchar, 6, '0')
                            end as doc,
                        i // 5000 as block, q, i
                    from results
                )
                select session, system, searcher, topic, query_number, rank, doc
                from rows order by block, q, i
            ) to '{folder}/log.parquet' (format parquet, row_group_size 250000)
            """
        )
        connection.execute(
            f"""
            copy (
                select 'topic-' || t as topic, 'clueweb12-' || lpad(d::varchar, 6, '0') as doc,
                    (hash(t * 1000 + d) % 4)::int as grade
                from range(37) as a(t), range(460) as b(d)
                where hash(t * 77 + d) % 10 < 7
            ) to '{folder}/judgments.parquet' (format parquet)
            """
        )
    return folder / "log.parquet", folder / "judgments.parquet"


def spent(*command: object) -> tuple[float, float, float]:
    """Seconds, seconds of processors, and peak memory, in GB, of a command."""
    given, start = [*map(str, command)], time.perf_counter()
    process = subprocess.Popen(given, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, given)
    used = usage.ru_utime + usage.ru_stime
    return time.perf_counter() - start, used, usage.ru_maxrss / 2**20


def bench_scale(*sizes: str) -> None:
    """Time and memory by number of results (of these sizes, if any) and of definitions."""
    for results in map(int, sizes or SIZES):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            log, judgments = write_large_log(folder, results)
            options: list[object] = []
            for called, text in MORE.items():
                (folder / f"{called}.toml").write_text(f"[definition]\n{text}", encoding="utf-8")
                options += ["--definition", folder / f"{called}.toml"]
            ways = {"one definition": [], "ten definitions": options}
            trials: dict[str, tuple[object, ...]] = {
                words: ("score", log, judgments, "--engine", "duckdb", "--memory", "2GB", *more)
                for words, more in ways.items()
            }
            if results <= BESIDE:  # with a long session it would not fit
                (folder / "plain").mkdir()
                plain = write_large_log(folder / "plain", results, 7)
                trials["at once"] = ("score", *plain)
            for words, command in trials.items():
                seconds, used, peak = spent(*SDCG, *command, "--out", folder / "out", "--force")
                print(
                    f"{results:,} results, {words}: {seconds:.0f} s, {used:.0f} of processors, "
                    f"{1e-6 * results / used:.2f} million a second of these, peak {peak:.2f} GB"
                )
