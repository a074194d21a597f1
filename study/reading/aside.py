"""Uploads on disk while they are read: files without a name, where the system has such."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

PREFIX = "sdcg-"
LEFT_OVER = 3_600.0  # seconds after which what lies there is nobody's work
OPENED = Path("/proc/self/fd")


@contextmanager
def aside(contents: Iterable[bytes | memoryview]) -> Iterator[list[Path]]:
    """Paths by which contents can be read within the block.

    On Linux the files are unlinked while they are open: no crash leaves anything of them. Elsewhere
    they have names in a folder of ours, which goes with the block, or by `remove_left`.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(own_folder()))
        yield [_written(folder / str(i), one, stack) for i, one in enumerate(contents)]


def own_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for what is read or made on the way, by a name that a later start knows."""
    return tempfile.TemporaryDirectory(prefix=PREFIX)


def remove_left() -> int:
    """Remove folders that a crash left behind; return how many."""
    old, left = time.time() - LEFT_OVER, list[Path]()
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            whose = path.lstat()
        except OSError:
            continue
        own = not hasattr(os, "getuid") or whose.st_uid == os.getuid()
        if own and whose.st_mtime < old and path.is_dir() and not path.is_symlink():
            left.append(path)
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
    return len(left)


def _written(path: Path, content: bytes | memoryview, stack: ExitStack) -> Path:
    """Write a file; where an open one can be read without its name, take the name away."""
    data = stack.enter_context(path.open("w+b"))
    data.write(content)
    data.flush()
    if not OPENED.is_dir():
        return path
    path.unlink()
    return OPENED / str(data.fileno())
