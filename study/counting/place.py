"""The place of a counts folder: written aside, then renamed, so that it is whole or not there."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from study.problems import UnusableInputError, error
from study.store.disk import sync

SIGN = "counts.json"  # by which a counts folder is known
SAMPLE = ("sample/log.parquet", "sample/judgments.parquet")


def check_place(out: Path) -> None:
    """Refuse a place that holds anything but counts.

    Raises
    ------
    UnusableInputError : a file, or a folder of something else
    """
    if out.is_file() or (out.is_dir() and any(out.iterdir()) and not (out / SIGN).is_file()):
        rule = "counts take the place of nothing but counts"
        refused = error(str(out), None, "something else is there", rule, "Name another folder.")
        raise UnusableInputError([refused])


@contextmanager
def folder_aside(out: Path) -> Generator[Path]:
    """A hidden folder beside `out`, gone at the end; those of counting that was killed go first."""
    out.parent.mkdir(parents=True, exist_ok=True)
    pattern = f".{out.name}.{platform.node()}."
    for left in out.parent.glob(f"{pattern}*.part"):
        if not _runs(left.name.removeprefix(pattern).removesuffix(".part")):
            shutil.rmtree(left, ignore_errors=True)
    aside = out.parent / f"{pattern}{os.getpid()}.part"
    aside.mkdir()
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def put(aside: Path, out: Path) -> None:
    """Give a folder that was written aside its place; counts that were there are gone then."""
    for path in [*aside.rglob("*"), aside]:
        sync(path)
    old = aside.with_name(f"{aside.name}.old.part")
    if out.exists():
        out.rename(old)
    aside.rename(out)
    sync(out.parent)
    shutil.rmtree(old, ignore_errors=True)


def _runs(number: str) -> bool:
    """Whether a process may still run; where nobody can tell, it may."""
    if os.name == "nt" or not number.isdecimal():
        return os.name == "nt"
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
