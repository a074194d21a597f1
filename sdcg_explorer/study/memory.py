"""Memory that is free goes back to the system, which allocators keep for later otherwise."""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyarrow ships no types.

from __future__ import annotations

import atexit
import ctypes
import gc
import sys
from contextlib import suppress

import pyarrow as pa

atexit.register(gc.unfreeze)  # the end takes down everything


def collect() -> None:
    """Undo cycles of Python's; what is alive is left out of rounds until the next time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def give_back(*, cycles: bool = True) -> None:
    """Give back what Arrow and glibc hold for nobody, once `cycles` of Python's are undone."""
    if cycles:  # takes long where much is alive
        collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library has no such thing
            ctypes.CDLL(None).malloc_trim(0)
