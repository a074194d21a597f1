"""The machine: files that the disk has taken, and memory that goes back to the system."""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyarrow ships no types.

import atexit
import ctypes
import errno
import gc
import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path

import pyarrow as pa

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def sum_of(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Have the disk take it; folders can't be synced on Windows."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


atexit.register(gc.unfreeze)  # the end takes down everything


def collect() -> None:
    """Undo cycles of Python's; what is alive is left out of rounds until the next time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def free_memory(*, cycles: bool = True) -> None:
    """Give back what Arrow and glibc hold for nobody, once `cycles` of Python's are undone."""
    if cycles:  # takes long where much is alive
        collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library has no such thing
            ctypes.CDLL(None).malloc_trim(0)
