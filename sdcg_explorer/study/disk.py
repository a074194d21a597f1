"""Files on disk: the sum by which one is known, and having the disk take it."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

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
