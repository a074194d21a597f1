"""The sum by which a file is known to be as it was written."""

from __future__ import annotations

import hashlib
from pathlib import Path


def sum_of(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
