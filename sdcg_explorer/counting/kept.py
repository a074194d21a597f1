"""A counts folder, opened."""

from __future__ import annotations

from pathlib import Path

from sdcg_explorer.counting.counted_study import CountedStudy


def open_counts(folder: Path, called: str | None = None, *, bounded: bool = False) -> CountedStudy:
    """The counts of a folder as a study, as `read_counted` reads them.

    Raises
    ------
    UnusableInputError : a folder that is not as it was written
    """
    from sdcg_explorer.counting.counted import read_counted

    return CountedStudy(read_counted(folder, called, bounded=bounded))
