"""The store: a folder per study, written aside and renamed, so that a study is whole or not there.

`<digest>/` holds four Parquet files (or those of a counts folder), `study.json` (format, sha256 of
each file, import report), `about.json` (name and note, which may change) and `tags.jsonl` (tags of
queries, a line a change).
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import platformdirs

from study.counting.counted_study import TABLES, CountedStudy
from study.counting.kept import folder_files, open_counts
from study.problems import UnusableInputError, error
from study.report import report_from
from study.store.disk import age_of, attempt, replace_json, sum_of, sync, write_json
from study.store.table_files import read_parquet_table, shared, write_parquet_table
from study.store.tag_log import append_tags, read_tags
from study.study import KEYS, Study
from study.tags import Tags

FORMAT = 2  # which counts have; a study has 1, and older versions read it
FILES = tuple(f"{name}.parquet" for name in KEYS)
COUNTED = tuple(f"{name}.parquet" for name in TABLES)
TAGS = "tags.jsonl"
LEFT_OVER = 600.0  # seconds after which a folder aside is nobody's work
SHORTEST = 8
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

    def find(self, digest: str) -> Kept | None:
        """What a study of this digest, which may be cut short, is called; None where none is."""
        ...

    def rename(self, digest: str, name: str, note: str) -> None:
        """Call a study otherwise."""
        ...

    def tag(self, digest: str, session: str, number: int, tags: Iterable[str]) -> None:
        """Give a query these tags, and no others."""
        ...

    def tags(self, digest: str) -> Tags:
        """Tags of every tagged query."""
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
        attempt(folder, lambda: folder.mkdir(parents=True, exist_ok=True))
        self.removed = self._clear()

    def save(self, study: Study) -> Kept:
        """Write aside, sync, rename: a crash leaves the study whole, or nothing of it.

        Tags of a study that is there already join those it has.
        """
        aside = self.folder / f".tmp-{uuid.uuid4().hex}"
        target = self.folder / study.digest
        try:
            attempt(self.folder, lambda: _write(study, aside))
            if target.exists() and not self._is_whole(study.digest):
                attempt(self.folder, lambda: _save_words(target, aside))
                attempt(self.folder, lambda: self._trash(target))
            attempt(self.folder, lambda: _put(aside, target))
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        has = self.tags(study.digest) if study.tags else {}
        for query, given in study.tags.items():
            if not {*given} <= {*has.get(query, ())}:
                self.tag(study.digest, *query, (*given, *has.get(query, ())))
        return _about(target)

    def load(self, digest: str) -> Study:
        """Check format and sums, then read."""
        folder = self._find(digest)
        fields, about = self._checked(folder), _about(folder)
        if fields["format"] == FORMAT:
            return open_counts(folder).put(name=about.name, note=about.note)
        tables = shared({name: read_parquet_table(folder / f"{name}.parquet") for name in KEYS})
        report = report_from(fields["report"])
        tags = self.tags(folder.name)
        return Study(about.name, **tables, report=report, note=about.note, tags=tags)

    def find(self, digest: str) -> Kept | None:
        """Look for its folder."""
        folders = self._folders(digest)
        return _about(folders[0]) if folders else None

    def kept(self) -> list[Kept]:
        """Every study by name; what has no name can't be told, but stays."""
        folders = [p.parent for p in self.folder.glob("*/study.json") if p.parent.name[0] != "."]
        return [_about(path) for path in sorted(folders, key=lambda p: age_of(p / "study.json"))]

    def rename(self, digest: str, name: str, note: str) -> None:
        """Replace about.json at once."""
        folder = self._find(digest)
        fields = {"name": name, "note": note}
        attempt(self.folder, lambda: replace_json(folder / "about.json", fields))

    def tag(self, digest: str, session: str, number: int, tags: Iterable[str]) -> None:
        """Add a line to tags.jsonl, as several processes may at once."""
        path = self._find(digest) / TAGS
        attempt(self.folder, lambda: append_tags(path, session, number, tags))

    def tags(self, digest: str) -> Tags:
        """Read tags.jsonl."""
        folders, tags = self._folders(digest), list[Tags]()
        attempt(self.folder, lambda: tags.extend(read_tags(path / TAGS) for path in folders[:1]))
        return tags[0] if tags else {}

    def delete(self, digest: str) -> None:
        """Rename aside, then remove."""
        folder = self._find(digest)
        attempt(self.folder, lambda: self._trash(folder))

    def _folders(self, digest: str) -> list[Path]:
        known = digest.isalnum() and len(digest) >= SHORTEST
        return sorted(self.folder.glob(f"{digest}*")) if known else []

    def _find(self, digest: str) -> Path:
        folders = self._folders(digest)
        if not folders:
            rule, remedy = "a link opens a study that is here", "Upload its files again."
            raise UnusableInputError([error("store", None, f"no study {digest}", rule, remedy)])
        return folders[0]

    def _checked(self, folder: Path) -> dict[str, Any]:
        """study.json of a folder whose files are as they were written."""
        rule, remedy = "a kept study is as it was written", "Delete it, and upload its files again."
        try:
            fields = json.loads((folder / "study.json").read_text(encoding="utf-8"))
            if fields["format"] > FORMAT:
                raise _newer(folder, fields["format"])
            whole = fields["digest"] == folder.name and fields.pop("sum") == _record_sum(fields)
            changed = [] if whole else ["study.json"]
            files = COUNTED if fields["format"] == FORMAT else FILES
            changed += [name for name in files if sum_of(folder / name) != fields["sums"][name]]
        except UnusableInputError:
            raise
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
            found = f"unreadable ({fault})"
            raise UnusableInputError([error(folder.name, None, found, rule, remedy)]) from None
        if changed:
            found = f"{', '.join(changed)} changed"
            raise UnusableInputError([error(folder.name, None, found, rule, remedy)])
        return fields

    def _is_whole(self, digest: str) -> bool:
        """Whether a folder can be read; one of a newer version is left to it."""
        try:
            self._checked(self.folder / digest)
        except UnusableInputError as refused:
            if refused.problems[0].remedy == NEWER:
                raise
            return False
        return (self.folder / digest / "about.json").is_file()

    def _trash(self, folder: Path) -> None:
        trash = self.folder / f".trash-{uuid.uuid4().hex}"
        folder.rename(trash)
        shutil.rmtree(trash, ignore_errors=True)

    def _clear(self) -> int:
        """Remove what a crash left aside; return how many folders."""
        old = time.time() - LEFT_OVER
        aside = [*self.folder.glob(".tmp-*"), *self.folder.glob(".trash-*")]
        left = [path for path in aside if age_of(path) < old]
        for path in left:
            shutil.rmtree(path, ignore_errors=True)
        return len(left)


def _write(study: Study, aside: Path) -> None:
    aside.mkdir()
    files, number = FILES, 1
    if isinstance(study, CountedStudy):
        files, number = COUNTED, FORMAT
        for name, content in folder_files(study).items():
            (aside / name).write_bytes(content)
    else:
        for name in KEYS:
            write_parquet_table(getattr(study, name), aside / f"{name}.parquet")
    sums = {name: sum_of(aside / name) for name in files}
    fields = {"format": number, "digest": study.digest, "sums": sums}
    fields["report"] = study.report.as_dict()
    write_json(aside / "study.json", {**fields, "sum": _record_sum(fields)})
    write_json(aside / "about.json", {"name": study.name, "note": study.note})
    for path in (*aside.iterdir(), aside):
        sync(path)


def _save_words(damaged: Path, aside: Path) -> None:
    """Take tags, name and note along to the folder that replaces a damaged one."""
    if (damaged / TAGS).is_file():
        shutil.copyfile(damaged / TAGS, aside / TAGS)
        sync(aside / TAGS)
    if known := _said_of(damaged):
        replace_json(aside / "about.json", {"name": known.name, "note": known.note})


def _record_sum(fields: dict[str, Any]) -> str:
    """sha256 of what study.json says."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def _newer(folder: Path, found: int) -> UnusableInputError:
    rule = f"this version reads format {FORMAT}"
    return UnusableInputError([error(folder.name, None, f"format {found}", rule, NEWER)])


def _put(aside: Path, target: Path) -> None:
    """Rename into place, unless it is there already."""
    try:
        aside.rename(target)
    except OSError:
        if not target.is_dir():
            raise
    sync(target.parent)


def _about(folder: Path) -> Kept:
    return _said_of(folder) or Kept(folder.name, folder.name[:SHORTEST])


def _said_of(folder: Path) -> Kept | None:
    """Name and note of a study; None where they can't be read."""
    try:
        fields = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        return Kept(folder.name, str(fields["name"]), str(fields["note"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
