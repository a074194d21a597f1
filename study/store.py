"""The store: a folder per study, written aside and renamed, so that a study is whole or not there.

`<digest>/` holds four Parquet files, `study.json` (format, sha256 of each file, import report) and
`about.json` (name and note, which may change).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import platformdirs

from study.checks import UnusableInputError, error
from study.report import report_from
from study.study import KEYS, Study
from study.table_files import read_parquet_table, shared, write_parquet_table

FORMAT = 1
LEFT_OVER = 600.0  # seconds after which a folder aside is nobody's work
SHORTEST = 8
NO_ROOM = "Free some room there, and accept the study again: nothing of it was kept."
NEWER = "Update sDCG Explorer: a newer one wrote it."


@dataclass(frozen=True)
class Kept:
    """A study in the store: its digest, and what it is called."""

    digest: str
    name: str
    note: str = ""


def default_folder() -> Path:
    """Where studies are kept unless a folder is named."""
    return platformdirs.user_data_path("sdcg-explorer") / "studies"


class Store(Protocol):
    """Where accepted studies are kept; `removed` counts what a crash had left unfinished."""

    removed: int

    def save(self, study: Study) -> Kept:
        """Keep a study; one that is there already stays as it is."""
        ...

    def load(self, digest: str) -> Study:
        """The study of a digest, which may be cut short."""
        ...

    def kept(self) -> list[Kept]:
        """All studies, the oldest first."""
        ...

    def rename(self, digest: str, name: str, note: str) -> None:
        """Call a study otherwise."""
        ...

    def delete(self, digest: str) -> None:
        """Forget a study."""
        ...


class FolderStore:
    """Studies in a folder on disk.

    Raises
    ------
    UnusableInputError : what can't be written or read, with the place and what to do
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        _attempt(folder, lambda: folder.mkdir(parents=True, exist_ok=True))
        self.removed = self._clear()

    def save(self, study: Study) -> Kept:
        """Write aside, sync, rename: a crash leaves the study whole, or nothing of it."""
        aside = self.folder / f".tmp-{uuid.uuid4().hex}"
        target = self.folder / study.digest
        try:
            _attempt(aside, lambda: _write(study, aside))
            if target.exists() and not self._is_whole(study.digest):
                _attempt(target, lambda: self._trash(target))
            _attempt(target, lambda: _put(aside, target))
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        return _about(target)

    def load(self, digest: str) -> Study:
        """Check format and sums, then read."""
        folder = self._find(digest)
        fields = self._checked(folder)
        tables = shared({name: read_parquet_table(folder / f"{name}.parquet") for name in KEYS})
        about = _about(folder)
        report = report_from(fields["report"])
        return Study(about.name, **tables, report=report, note=about.note)

    def kept(self) -> list[Kept]:
        """Every study by name; what has no name can't be told, but stays."""
        folders = [p for p in self.folder.glob("*/about.json") if not p.parent.name.startswith(".")]
        return [_about(path.parent) for path in sorted(folders, key=lambda p: _age(p.parent))]

    def rename(self, digest: str, name: str, note: str) -> None:
        """Replace about.json at once."""
        folder = self._find(digest)
        fields = {"name": name, "note": note}
        _attempt(folder, lambda: _replace_json(folder / "about.json", fields))

    def delete(self, digest: str) -> None:
        """Rename aside, then remove."""
        folder = self._find(digest)
        _attempt(folder, lambda: self._trash(folder))

    def _find(self, digest: str) -> Path:
        known = digest.isalnum() and len(digest) >= SHORTEST
        found = sorted(self.folder.glob(f"{digest}*")) if known else []
        if not found:
            rule, remedy = "a link opens a study that is here", "Upload its files again."
            raise UnusableInputError([error("store", None, f"no study {digest}", rule, remedy)])
        return found[0]

    def _checked(self, folder: Path) -> dict[str, Any]:
        """study.json of a folder whose files are as they were written."""
        rule, remedy = "a kept study is as it was written", "Delete it, and upload its files again."
        try:
            fields = json.loads((folder / "study.json").read_text(encoding="utf-8"))
            if fields["format"] > FORMAT:
                found, rule = f"format {fields['format']}", f"this version reads format {FORMAT}"
                raise UnusableInputError([error(folder.name, None, found, rule, NEWER)])
            broken = [name for name, sum in fields["sums"].items() if _sum(folder / name) != sum]
        except (OSError, ValueError, KeyError, TypeError) as fault:
            if isinstance(fault, UnusableInputError):
                raise
            raise UnusableInputError(
                [error(folder.name, None, f"unreadable ({fault})", rule, remedy)]
            ) from None
        if broken:
            found = f"{', '.join(broken)} changed"
            raise UnusableInputError([error(folder.name, None, found, rule, remedy)])
        return fields

    def _is_whole(self, digest: str) -> bool:
        try:
            self._checked(self.folder / digest)
        except UnusableInputError:
            return False
        return True

    def _trash(self, folder: Path) -> None:
        trash = self.folder / f".trash-{uuid.uuid4().hex}"
        folder.rename(trash)
        shutil.rmtree(trash, ignore_errors=True)

    def _clear(self) -> int:
        """Remove what a crash left aside; return how many folders."""
        old = time.time() - LEFT_OVER
        aside = [*self.folder.glob(".tmp-*"), *self.folder.glob(".trash-*")]
        left = [path for path in aside if _age(path) < old]
        for path in left:
            shutil.rmtree(path, ignore_errors=True)
        return len(left)


class MemoryStore:
    """Studies in memory alone, at most so many, each for so long: for public demos."""

    def __init__(self, most: int = 20, seconds: float = 7_200.0) -> None:
        self.most, self.seconds, self.removed = most, seconds, 0
        self._studies: dict[str, tuple[float, Study]] = {}

    def save(self, study: Study) -> Kept:
        """Keep a study; the oldest gives way."""
        self._studies.setdefault(study.digest, (time.monotonic(), study))
        while len(self._current()) > self.most:
            del self._studies[next(iter(self._studies))]
        return self._kept(study.digest)

    def load(self, digest: str) -> Study:
        """The study itself."""
        return self._current()[self._find(digest)][1]

    def kept(self) -> list[Kept]:
        """All studies that still live."""
        return [self._kept(digest) for digest in self._current()]

    def rename(self, digest: str, name: str, note: str) -> None:
        """Call a study otherwise."""
        found = self._find(digest)
        since, study = self._studies[found]
        self._studies[found] = since, replace(study, name=name, note=note)

    def delete(self, digest: str) -> None:
        """Forget a study."""
        del self._studies[self._find(digest)]

    def _current(self) -> dict[str, tuple[float, Study]]:
        old = time.monotonic() - self.seconds
        self._studies = {d: kept for d, kept in self._studies.items() if kept[0] > old}
        return self._studies

    def _find(self, digest: str) -> str:
        found = [known for known in self._current() if digest and known.startswith(digest)]
        if not found:
            rule, remedy = "studies live for a while here", "Upload its files again."
            raise UnusableInputError([error("store", None, f"no study {digest}", rule, remedy)])
        return found[0]

    def _kept(self, digest: str) -> Kept:
        study = self._studies[digest][1]
        return Kept(digest, study.name, study.note)


def _attempt(path: Path, act: Callable[[], object]) -> None:
    """Do something on disk; where it can't be done, say so."""
    try:
        act()
    except OSError as fault:
        rule = "studies are kept on disk before they are shown as kept"
        found = fault.strerror or str(fault)
        raise UnusableInputError([error(str(path.parent), None, found, rule, NO_ROOM)]) from None


def _write(study: Study, aside: Path) -> None:
    aside.mkdir()
    for name in KEYS:
        write_parquet_table(getattr(study, name), aside / f"{name}.parquet")
    sums = {f"{name}.parquet": _sum(aside / f"{name}.parquet") for name in KEYS}
    fields = {"format": FORMAT, "digest": study.digest, "sums": sums}
    _write_json(aside / "study.json", {**fields, "report": study.report.as_dict()})
    _write_json(aside / "about.json", {"name": study.name, "note": study.note})
    for path in (*aside.iterdir(), aside):
        _sync(path)


def _put(aside: Path, target: Path) -> None:
    """Rename into place, unless it is there already."""
    try:
        aside.rename(target)
    except OSError:
        if not target.is_dir():
            raise
    _sync(target.parent)


def _about(folder: Path) -> Kept:
    try:
        fields = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        return Kept(folder.name, str(fields["name"]), str(fields["note"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Kept(folder.name, folder.name[:SHORTEST])


def _write_json(path: Path, fields: dict[str, Any]) -> None:
    path.write_text(json.dumps(fields, ensure_ascii=False), encoding="utf-8")


def _replace_json(path: Path, fields: dict[str, Any]) -> None:
    aside = path.with_name(f".{uuid.uuid4().hex}.json")
    try:
        _write_json(aside, fields)
        _sync(aside)
        aside.replace(path)
        _sync(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Have the disk take it; folders can't be synced on Windows."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sum(path: Path) -> str:
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
