"""The store that was opened: on disk, or in memory alone where that was asked for or is all."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

from sdcg_explorer.analysis.selection.results import sizes_with_studies
from sdcg_explorer.reading.limits import MOST_KEPT
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store.disk import attempt, try_writing
from sdcg_explorer.study.store.folder import FolderStore, Store, default_folder
from sdcg_explorer.study.store.memory import MemoryStore

EPHEMERAL = "ephemeral"


def mode() -> str:
    """How the server was started: "" for one person, else shared or ephemeral."""
    return os.environ.get("SDCG_MODE", "")


@dataclass
class _Opened:
    """The store, once one was asked for; a visitor can empty Streamlit's caches, and not this."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    store: tuple[Store, str] | None = None


_opened = _Opened()


def opened_store() -> tuple[Store, str]:
    """Where accepted studies are kept, and why it is not the disk; "" where it is, or asked for."""
    with _opened.lock:
        _opened.store = _opened.store or _new_store()
        return _opened.store


def close_store() -> None:
    """Forget the store, as a server's end does."""
    with _opened.lock:
        _opened.store = None


def _new_store() -> tuple[Store, str]:
    if mode() == EPHEMERAL:
        return MemoryStore(room=MOST_KEPT, measure=sizes_with_studies), ""
    given = os.environ.get("SDCG_WORKSPACE")
    folder = Path(given) if given else default_folder()
    try:
        kept = FolderStore(folder)
    except UnusableInputError as refused:
        trouble = f"{refused.problems[0]} Until then studies live in memory alone."
        return MemoryStore(room=MOST_KEPT, measure=sizes_with_studies), trouble
    try:
        attempt(folder, lambda: try_writing(folder))
    except UnusableInputError as refused:
        return kept, f"{refused.problems[0]} Until then kept studies open, and none is added."
    return kept, ""


def store() -> Store:
    """Where accepted studies are kept."""
    return opened_store()[0]


def store_trouble() -> str:
    """Why studies can't be kept on disk, and live in memory alone; empty where they can."""
    return opened_store()[1]
