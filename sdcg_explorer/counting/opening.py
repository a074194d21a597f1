"""A counts folder opened like a log, and the sample of whole sessions that lies beside it."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sdcg_explorer.counting.counted_study import TABLES, CountedStudy
from sdcg_explorer.counting.kept import open_counts
from sdcg_explorer.counting.place import SAMPLE, SIGN
from sdcg_explorer.reading.own_study import About
from sdcg_explorer.reading.read import Files, read_study
from sdcg_explorer.reading.sources import Given, Source, sources_of
from sdcg_explorer.reading.steps import tables_of
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.observed import Observed

FILES = {SIGN, *(f"{name}.parquet" for name in TABLES)}


def is_counts(path: Path) -> bool:
    """Whether a path is a counts folder."""
    return (path / SIGN).is_file()


def open_study(log: Files, judgments: Given | None = None, **asked: Any) -> Observed:
    """The study of files, as `read_study` reads them, or of a counts folder.

    Raises
    ------
    UnusableInputError : everything that keeps the files from being used, each with its place
    """
    if judgments is None and isinstance(log, Path) and is_counts(log):
        return open_counts(log)
    return read_study(log, judgments, **asked)


def sample_beside(folder: Path) -> Observed | None:
    """The whole sessions that were kept beside counts, where any were.

    Raises
    ------
    UnusableInputError : a sample that can't be read
    """
    log, judgments = (folder / name for name in SAMPLE)
    if not log.is_file():
        return None
    name = f"{open_counts(folder).name}, a sample of its sessions"
    return read_study(log, judgments, name=name)


def counts_among(files: Iterable[Source]) -> CountedStudy | None:
    """The counts that files are, loose or in a zip; None where they are something else.

    Raises
    ------
    UnusableInputError : counts that are not as they were written, or beyond what a page holds
    """
    given = list(files)
    if not any(_has_sign(file) for file in given):
        return None
    with TemporaryDirectory() as unpacked, TemporaryDirectory() as folder:
        sources = [each for each in sources_of(given, Path(unpacked)) if not each.unread]
        signs = [source.name.rpartition("/")[0] for source in sources if _is_sign(source.name)]
        if not signs:  # one that lies hidden
            return None
        for source in sources:
            place, _, name = source.name.rpartition("/")
            if place == signs[0] and name in FILES:
                shutil.copyfile(source.path, Path(folder) / name)
        return open_counts(Path(folder), signs[0], bounded=True)


def counts_or_tables(files: Sequence[Source]) -> CountedStudy | tuple[About, list[Part]]:
    """What was uploaded: counts, or tables that are looked over.

    Raises
    ------
    UnusableInputError : a file that can't be read, or counts that are not as they were written
    """
    return counts_among(files) or tables_of(files)


def _is_sign(name: str) -> bool:
    return name.rpartition("/")[2] == SIGN


def _has_sign(file: Source) -> bool:
    """Whether a file is counts.json, or a zip that has one."""
    if _is_sign(file.name) or not zipfile.is_zipfile(file.path):
        return _is_sign(file.name)
    try:
        with zipfile.ZipFile(file.path) as archive:
            return any(map(_is_sign, archive.namelist()))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
        return False  # whoever reads it says what is wrong
