"""A counted study as a counts folder: read from one, and the files that make one again."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from sdcg_explorer.counting.counted_study import CountedStudy


def open_counts(folder: Path, called: str | None = None, *, bounded: bool = False) -> CountedStudy:
    """The counts of a folder as a study, as `read_counted` reads them.

    Raises
    ------
    UnusableInputError : a folder that is not as it was written
    """
    from sdcg_explorer.counting.counted import read_counted

    return CountedStudy(read_counted(folder, called, bounded=bounded))


def folder_files(study: CountedStudy) -> dict[str, bytes]:
    """Contents of a counts folder by name."""
    from sdcg_explorer.counting.counted import write_counted

    with TemporaryDirectory() as folder:
        write_counted(study.counted, Path(folder))
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
