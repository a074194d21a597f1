"""Zips of studies as bytes, and the studies that they read back to."""

import csv
import io
import re
import zipfile
from pathlib import Path

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading import own_study, read
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study

PLAIN = Definition(), Filters()
OF_IDS = ("session", "system", "searcher", "topic", "text", "time", "doc", "tag")


def tables(content: bytes) -> dict[str, list[list[str]]]:
    """Tables of a zip as they stand in it, headers first."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    return {
        name: list(csv.reader(io.StringIO(text, newline="")))
        for name, text in texts.items()
        if name.endswith(".csv")
    }


def unpacked(content: bytes, folder: Path) -> Path:
    """The folder, with all that is in a zip."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder


def read_back(folder: Path, content: bytes, **changed: tuple[bytes, bytes]) -> Study:
    """Study of a zip, in some of whose files a text was replaced."""
    path = folder / "study.zip"
    with (
        zipfile.ZipFile(io.BytesIO(content)) as whole,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as copy,
    ):
        for name in whole.namelist():
            old, new = changed.get(name.replace(".", "_"), (b"", b""))
            assert old in whole.read(name)
            copy.writestr(name, whole.read(name).replace(old, new) if old else whole.read(name))
    return read.read_study(path)


def assert_reads_back(study: Study, folder: Path) -> None:
    """Whatever a study holds, its zip holds, and no spreadsheet would run a cell of it."""
    content = study_zip(study, *PLAIN)
    back = read_back(folder, content)
    warned = [own_study.lasting_warnings(each.report.problems) for each in (back, study)]
    assert warned[0] == warned[1]
    assert "error" not in {problem.severity for problem in back.report.problems}
    told = [[each.name, each.note, each.digest, each.tags] for each in (back, study)]
    assert told[0] == told[1], f"{told[0]} is not {told[1]}"
    again = study_zip(back, *PLAIN)  # but for what was repaired when it was read first
    assert tables(again) == tables(content)
    assert study_zip(read_back(folder, again), *PLAIN) == again
    for name, (header, *rows) in tables(content).items():
        assert [cell for cell in header if cell.startswith(tuple("=+-@\t\r"))] == [], name
        for row in rows:
            for column, cell in zip(header, row, strict=True):
                assert is_harmless(cell, number=column not in OF_IDS), (name, column)


def is_harmless(cell: str, *, number: bool) -> bool:
    """Whether no spreadsheet would run a cell; a negative number may stand among numbers."""
    signed = number and re.fullmatch(r"-\d+(\.\d+)?(e-\d+)?", cell)
    return bool(signed) or not cell.startswith(tuple("=+-@\t\r"))
