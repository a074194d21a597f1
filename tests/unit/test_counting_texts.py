"""Texts that are counted: opened as readers do, copied only where they must be, one log of many."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from pathlib import Path

import pytest

from sdcg_explorer.counting.by_duckdb import DuckDBEngine
from sdcg_explorer.counting.texts import open_tables, plain_files
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.counting import counted
from tests.support.odd_tables import JUDGED, LOG

HEAD, *ROWS = LOG.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("content", "copied"),
    [
        (LOG.encode(), False),
        (LOG.replace("\n", "\r\n").encode(), False),
        (LOG.replace("a,t", "é,t").encode(), False),
        (LOG.replace("a,t", "é,t").encode("latin-1"), True),
        (LOG.replace("\n", "\r").encode(), True),
    ],
)
def test_only_what_is_no_plain_utf_8_is_copied(
    tmp_path: Path, content: bytes, copied: bool
) -> None:
    (tmp_path / "log.csv").write_bytes(content)
    spill = tmp_path / "spill"
    spill.mkdir()
    with ExitStack() as stack:
        sources, _ = plain_files(str(tmp_path / "log.csv"), spill)
        (table,) = open_tables(sources, {}, stack, spill)
        assert (table.text.path != tmp_path / "log.csv") == copied == any(spill.iterdir())
    assert not any(spill.iterdir())


def folder_of(tmp_path: Path, last: str = "s2,1,1,c,u\n") -> Path:
    """The usual log in four files, each written in another way."""
    folder = tmp_path / "log"
    folder.mkdir()
    (folder / "1.csv").write_text(HEAD + ROWS[0])
    (folder / "2.csv.gz").write_bytes(gzip.compress((HEAD + ROWS[1]).encode()))
    (folder / "3.csv").write_text(("\n" + HEAD + ROWS[2]).replace(",", ";"), encoding="utf-16")
    order = "doc,topic,session,rank,query_number\n"
    session, number, rank, doc, topic = last.strip().split(",")
    cells = f'"{doc}","{topic}",{session},{rank},{number}'
    (folder / "4.csv").write_bytes(f"{order}{cells}\n".encode("latin-1"))
    (tmp_path / "judgments.csv").write_text(JUDGED)
    return folder


def test_files_that_are_written_otherwise_are_one_log(tmp_path: Path) -> None:
    engine = DuckDBEngine("500MB", tmp_path / "spill")
    (tmp_path / "log.csv").write_text(LOG)
    log = folder_of(tmp_path)
    many = counted(engine, tmp_path, log, tmp_path / "judgments.csv")
    engine.close()
    engine = DuckDBEngine("500MB", tmp_path / "spill")
    one = counted(engine, tmp_path / "one", tmp_path / "log.csv", tmp_path / "judgments.csv")
    engine.close()
    assert (many.digest, many.totals) == (one.digest, one.totals)
    assert not any((tmp_path / "spill").iterdir())


def test_each_file_that_does_not_fit_is_named_with_its_line(tmp_path: Path) -> None:
    engine = DuckDBEngine("500MB", tmp_path / "spill")
    log = folder_of(tmp_path)
    (log / "1.csv").write_text(HEAD + ROWS[0] + "s1,1\n" + "s1,1,1,a,t,,,\n")
    with pytest.raises(UnusableInputError) as refused:
        counted(engine, tmp_path, log, tmp_path / "judgments.csv")
    engine.close()
    (found,) = refused.value.lines()
    assert found.startswith("1.csv, line 3: 2 cells (and 1 more: line 4); the header has 5 columns")
