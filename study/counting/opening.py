"""A counts folder opened like a log, and the sample of whole sessions that lies beside it."""

from __future__ import annotations

from pathlib import Path

from study.counting.counted_study import CountedStudy
from study.counting.place import SIGN
from study.reading.read import read_study
from study.study import Study

SAMPLE = ("log.parquet", "judgments.parquet")


def is_counts(path: Path) -> bool:
    """Whether a path is a counts folder."""
    return (path / SIGN).is_file()


def open_counts(folder: Path) -> CountedStudy:
    """The counts of a folder as a study.

    Raises
    ------
    UnusableInputError : a folder that is not as it was written
    """
    from study.counting.counted import read_counted

    return CountedStudy(read_counted(folder))


def sample_beside(folder: Path) -> Study | None:
    """The whole sessions that were kept beside counts, where any were.

    Raises
    ------
    UnusableInputError : a sample that can't be read
    """
    log, judgments = (folder / "sample" / name for name in SAMPLE)
    if not log.is_file():
        return None
    name = f"{open_counts(folder).name}, a sample of its sessions"
    return read_study(log, judgments, name=name)
