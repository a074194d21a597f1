"""Uploads on disk while they are read: files without a name, where the system has such."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from pathlib import Path
from stat import S_ISDIR
from typing import BinaryIO

PREFIX = "sdcg-"
PIECE = 1 << 20  # bytes that are copied at a time, so that others' turns come between
LEFT_OVER = 3_600.0  # seconds after which what lies there is nobody's work, whoever made it
OPENED = Path(f"/proc/{os.getpid()}/fd")  # which processes beside this one can read, too


@contextmanager
def aside(contents: Iterable[BinaryIO]) -> Generator[list[Path]]:
    """Paths by which contents can be read within the block; they are copied from their starts.

    On Linux the files are unlinked while they are open: no crash leaves anything of them. Elsewhere
    they have names in a folder of ours, which goes with the block, or by `remove_left`.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(own_folder()))
        yield [_written(folder / str(i), one, stack) for i, one in enumerate(contents)]


def own_folder(within: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """A folder for what is read or made on the way, by a name that a later start knows."""
    return tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", dir=within)


def remove_left() -> int:
    """Remove folders that processes which are no more left behind; return how many.

    It is for the start: what bears this process's number is of an earlier one of that number.
    """
    left = [path for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*") if _is_left(path)]
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
    return len(left)


def _is_left(path: Path) -> bool:
    """Whether a folder is one of ours, and its process is no more."""
    number = path.name.removeprefix(PREFIX).partition("-")[0]
    try:
        status = path.lstat()
    except OSError:
        return False
    own = os.name == "nt" or status.st_uid == os.getuid()
    if not (own and number.isdecimal() and S_ISDIR(status.st_mode)):
        return False
    lives = Path(f"/proc/{number}").exists() if OPENED.is_dir() else None
    gone = time.time() - status.st_mtime > LEFT_OVER if lives is None else not lives
    return gone or int(number) == os.getpid()


def _written(path: Path, content: BinaryIO, stack: ExitStack) -> Path:
    """Write a file; where an open one can be read without its name, take the name away."""
    data = stack.enter_context(path.open("w+b"))
    content.seek(0)
    shutil.copyfileobj(content, data, PIECE)
    data.flush()
    if not OPENED.is_dir():
        return path
    path.unlink()
    return OPENED / str(data.fileno())
