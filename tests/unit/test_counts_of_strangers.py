"""Counts that were uploaded may come from anybody: what was never counted is refused."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.definition.definition import DEFAULT, Filters
from export.study_zip import study_files
from study.bounds import ALWAYS_PLACES
from study.counting import opening
from study.counting.counted_study import CountedStudy
from study.counting.opening import counts_or_tables
from study.reading.sources import Source
from study.store.disk import sum_of
from tests.support.plain_counts import plain_counts
from tests.support.refusals import refused
from tests.support.studies import small

Change = Callable[[pd.DataFrame], pd.DataFrame]
LARGE = 2**31 - 1
TABLES: dict[str, tuple[str, Change]] = {
    "layouts.layout": ("layouts", lambda table: table.assign(layout=LARGE)),
    "layouts.query_number": ("layouts", lambda table: table.assign(query_number=LARGE)),
    "layouts.topic": ("layouts", lambda table: table.assign(topic=-9)),
    "groups.system": ("groups", lambda table: table.assign(system=7)),
    "counts.group": ("counts", lambda table: table.assign(group=-1)),
    "counts.rank": ("counts", lambda table: table.assign(rank=99)),
    "counts.code": ("counts", lambda table: table.assign(code=99)),
    "judged.topic": ("judged", lambda table: table.assign(topic=9)),
    "shown": ("shown", lambda table: table.rename(columns={"rank": "place"})),
}
WORDS: dict[str, dict[str, Any]] = {
    "top": {"top": "10"},
    "grades": {"grades": [1e99, 2e99]},
    "systems": {"systems": [["A"]]},
    "totals": {"totals": {"results": "all"}},
}


@pytest.fixture
def sources(tmp_path: Path) -> list[Source]:
    files = study_files(CountedStudy(plain_counts(small(), 4)), DEFAULT, Filters())
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return [Source(f"counts/{name}", tmp_path / name) for name in files]


def say(folder: Path, **words: Any) -> None:
    """Have counts.json say other words, with the sums of the files as they are."""
    about = json.loads((folder / "counts.json").read_text())
    sums = {name: sum_of(folder / name) for name in about["files"] if (folder / name).is_file()}
    (folder / "counts.json").write_text(json.dumps({**about, "files": sums, **words}))


def found(sources: list[Source]) -> str:
    (line,) = refused(lambda: counts_or_tables(sources))
    return line.split("; ")[0].rpartition(": ")[2]


def test_whole_counts_go_from_a_process_to_another(sources: list[Source]) -> None:
    counted = counts_or_tables(sources)
    assert isinstance(counted, CountedStudy)
    assert pickle.loads(pickle.dumps(counted)).digest == counted.digest


@pytest.mark.parametrize("what", TABLES)
def test_a_place_that_is_not_there_is_refused(
    what: str, sources: list[Source], tmp_path: Path
) -> None:
    name, change = TABLES[what]
    path = tmp_path / f"{name}.parquet"
    table = pd.read_parquet(path)
    kinds = table.dtypes.to_dict()
    other = change(table)
    other.astype({name: kinds[name] for name in other if name in kinds}).to_parquet(path)
    say(tmp_path)
    assert found(sources) == what


@pytest.mark.parametrize("what", WORDS)
def test_words_of_another_kind_are_refused(
    what: str, sources: list[Source], tmp_path: Path
) -> None:
    say(tmp_path, **WORDS[what])
    assert found(sources) == what


def test_no_file_elsewhere_is_read(sources: list[Source], tmp_path: Path) -> None:
    say(tmp_path, files={"/dev/zero": "", "../secret": ""})
    assert found(sources) == "'layouts.parquet'"


def test_more_than_a_page_holds_is_refused(
    sources: list[Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "ALWAYS_PLACES", 1)
    assert "rows of" in found(sources)
    assert ALWAYS_PLACES > 1_000_000
