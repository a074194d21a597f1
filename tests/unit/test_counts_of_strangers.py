"""Counts that were uploaded may come from anybody: what was never counted is refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sdcg_explorer.counting import counted, files
from sdcg_explorer.counting.counted_study import CountedStudy
from sdcg_explorer.counting.kept import open_counts
from sdcg_explorer.counting.opening import counts_or_tables
from sdcg_explorer.reading.sources import Source
from tests.support.formats import Files
from tests.support.fuzz_counts import counts_files, saying, with_cells, with_table
from tests.support.fuzz_parquet import parquet
from tests.support.refusals import refused

AGAIN = "Count again."
WHOLE = f"a counts folder is whole, as `sdcg counts` wrote it. {AGAIN}"
MANY = "1,000,000,000,000"
ODD: dict[str, tuple[Callable[[], Files], str]] = {
    "JSON nested 100,000 deep": (
        lambda: counts_files() | {"counts.json": b"[" * 100_000},
        "counts.json: depth limit exceeded: line 1 column 1026 (char 1025); " + WHOLE,
    ),
    "half a pair of surrogates as a name": (
        lambda: {
            name: content.replace(b'"name": "', rb'"name": "\ud800')
            for name, content in counts_files().items()
        },
        "counts.json: no low surrogate in string: line 1 column 24 (char 23); " + WHOLE,
    ),
    "no documents judged": (
        lambda: with_cells("judged", "documents", 0, -1),
        f"judged.parquet, line 7: documents 0; here it is from 1 to {MANY}. {AGAIN}",
    ),
    "more documents than an array holds": (
        lambda: with_cells("judged", "documents", 2**62, -1),
        f"judged.parquet, line 7: documents {2**62}; here it is from 1 to {MANY}. {AGAIN}",
    ),
    "a rank that is not there": (
        lambda: with_cells("shown", "rank", 11, -1),
        f"shown.parquet, line 24: rank 11; here it is from 1 to 10. {AGAIN}",
    ),
    "a count that is not there": (
        lambda: with_cells("lists", "counts", 9, -1),
        "lists.parquet: 136 lists of 259 counts; groups have 136 queries, and 255 counts are "
        "there. " + AGAIN,
    ),
    "counts of a query that nobody judged": (
        lambda: with_cells("layouts", "topic", -1),
        "counts.parquet, line 1: rank 2 (and 254 more); nobody judged the topic of its query. "
        + AGAIN,
    ),
    "counts in no order": (
        lambda: with_cells("counts", "rank", 1),
        "counts.parquet, line 3: repeat 0 (and 77 more); rows ascend by list, rank, code, repeat. "
        + AGAIN,
    ),
    "a layout that is not there": (
        lambda: with_cells("groups", "layout", 2**31 - 1, -1),
        f"groups.parquet, line 54: layout {2**31 - 1}; here it is from 0 to 25. {AGAIN}",
    ),
    "an empty cell": (
        lambda: with_cells("counts", "code", None, -1),
        f"counts.parquet, line 255: no code; each row of counts has every number. {AGAIN}",
    ),
    "another kind": (
        lambda: with_cells("shown", "rank", 1.5),
        "shown.parquet: rank double; its columns are system int16, rank int16, results int64. "
        + AGAIN,
    ),
    "more shown than counted": (
        lambda: with_cells("counts", "results", 2, -1),
        "counts.parquet, line 255: results 2; a session has one at a place. " + AGAIN,
    ),
    "a top as text": (
        lambda: saying("top", "10"),
        f"counts.json: top '10'; it is a whole number from 1 to 100. {AGAIN}",
    ),
    "names that are none": (
        lambda: saying("systems", [["A"]]),
        f"counts.json: systems as they stand; they are different texts, 1 to 32,768. {AGAIN}",
    ),
    "a newer format": (
        lambda: saying("format", 3),
        "counts.json: format 3; this version reads format 2. Update sDCG Explorer, or count again.",
    ),
    "an older format": (
        lambda: saying("format", 1),
        f"counts.json: format 1; this version reads format 2. {AGAIN}",
    ),
    "another digest": (
        lambda: saying("digest", "0"),
        "counts.json: digest '0'; counts have the digest that they were written with. " + AGAIN,
    ),
    "a file elsewhere": (
        lambda: saying("files", {"/dev/zero": "", "../secret": ""}),
        f"layouts.parquet: not as counted; {WHOLE}",
    ),
}


def sources(given: Files, folder: Path) -> list[Source]:
    """The files of a folder, as they are dropped on the page."""
    for name, content in given.items():
        (folder / name).write_bytes(content)
    return [Source(f"counts/{name}", folder / name) for name in given]


def test_whole_counts_go_from_a_process_to_another(tmp_path: Path) -> None:
    found = counts_or_tables(sources(counts_files(), tmp_path))
    assert isinstance(found, CountedStudy)
    assert pickle.loads(pickle.dumps(found)).digest == found.digest


@pytest.mark.parametrize("what", ODD)
def test_what_was_never_counted_is_refused_with_its_place(what: str, tmp_path: Path) -> None:
    make, line = ODD[what]
    (found, *_) = refused(lambda: counts_or_tables(sources(make(), tmp_path)))
    assert found == f"counts/{line}"


@pytest.mark.parametrize(
    ("module", "name", "most", "said"),
    [
        (files, "MOST_COUNTED", 10_000, "counts.parquet: 255 rows, with which counts take 0 MB; "),
        (files, "ALWAYS_DECODED", 0, "counts.parquet: 255 rows in "),
        (counted, "MOST_NAMED", 10, "counts.json: "),
    ],
)
def test_strangers_counts_stay_within_memory_and_ones_own_need_not(
    module: Any, name: str, most: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = sources(counts_files(), tmp_path)
    monkeypatch.setattr(module, name, most)
    monkeypatch.setattr(files, "MOST_RATIO", 1)
    assert any(
        line.startswith(f"counts/{said}") for line in refused(lambda: counts_or_tables(given))
    )
    assert open_counts(tmp_path).digest


def test_columns_are_refused_before_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files.pq.ParquetFile, "read", lambda _: pytest.fail("a table was read"))
    more = parquet({f"c{i}": pa.array(np.zeros(9, np.int8)) for i in range(100)})
    (line,) = refused(lambda: counts_or_tables(sources(with_table("counts", more), tmp_path)))
    assert line.startswith("counts/counts.parquet: c0 int8, c1 int8, ")


def test_places_that_counts_are_laid_out_by_are_few(tmp_path: Path, monkeypatch: Any) -> None:
    given = sources(counts_files(), tmp_path)
    monkeypatch.setattr("sdcg_explorer.counting.validation.places_of", lambda rows: rows)
    (line,) = refused(lambda: counts_or_tables(given))
    assert line == (
        "counts/groups.parquet: 5,360 places: groups × queries of the longest × ranks; here 255 "
        "fit. Read a part of it."
    )
