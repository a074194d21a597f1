"""The store: a folder per study, written aside and renamed, so that a study is whole or not there.

`<digest>/` holds four Parquet files `study.json` (format, sha256 of
each file, import report), and what is said of the study: `about.json` (name and note, which may
change), `tags.jsonl` (tags of queries, a line a change), `own_judgments.jsonl` and `written.jsonl`
(likewise), or these in a place for each owner (sdcg_explorer/study/store/words.py).
"""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import platformdirs

from sdcg_explorer.study.bounds import refuse_beyond
from sdcg_explorer.study.own_judgments import Layer
from sdcg_explorer.study.problems import NEWER, UnusableInputError, error, in_words
from sdcg_explorer.study.report import report_from
from sdcg_explorer.study.store.disk import age_of, attempt, read_json, sync, write_json
from sdcg_explorer.study.store.judgment_log import append_judgment
from sdcg_explorer.study.store.memory import MemoryStore
from sdcg_explorer.study.store.table_files import read_parquet_table, shared, write_parquet_table
from sdcg_explorer.study.store.tag_log import append_tags
from sdcg_explorer.study.store.words import (
    ABOUT,
    JUDGMENTS,
    SHORTEST,
    TAGS,
    WRITTEN,
    Kept,
    are_left,
    called,
    layer_at,
    place,
    said_at,
    say,
    tags_at,
    take_along,
    written_at,
)
from sdcg_explorer.study.store.written_log import append_written
from sdcg_explorer.study.study import KEYS, Study
from sdcg_explorer.study.sums import sum_of
from sdcg_explorer.study.tags import Tags
from sdcg_explorer.study.written import Written

FORMAT = 1
FILES = tuple(f"{name}.parquet" for name in KEYS)
LEFT_OVER = 600.0  # seconds after which a folder aside is nobody's work
OTHERWISE = (  # what fields of other kinds than ours end in
    *(ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError),
)


def default_folder() -> Path:
    """Where studies are kept unless a folder is named."""
    return platformdirs.user_data_path("sdcg-explorer") / "studies"


class FolderStore:
    """Studies in a folder on disk; `removed` counts what a crash had left unfinished.

    `of` is whose words are meant, name, note, tags and judgments: "" on a machine of one person. A
    digest may be cut short.

    Raises
    ------
    UnusableInputError : what can't be written or read, with the place and what to do
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.RLock()  # an owner who comes while the last one goes
        attempt(folder, lambda: folder.mkdir(parents=True, exist_ok=True))
        self.removed = self._clear()

    def save(self, study: Study, of: str = "", *, by: str = "") -> Kept:
        """Write aside, sync, rename: a crash leaves the study whole, or nothing of it.

        Tags of a study that is there already join those it has.
        """
        aside = self.folder / f".tmp-{uuid.uuid4().hex}"
        target = self.folder / study.digest
        try:
            attempt(self.folder, lambda: _write(study, aside, of))
            with self._lock:
                if target.exists() and not self._is_whole(study.digest):
                    attempt(self.folder, lambda: take_along(target, aside))
                    attempt(self.folder, lambda: self._trash(target))
                attempt(self.folder, lambda: _put(aside, target))
                if said_at(target, of) is None:
                    attempt(self.folder, lambda: say(target, of, study.name, study.note))
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        has = self.tags(study.digest, of) if study.tags else {}
        for query, given in study.tags.items():
            if not {*given} <= {*has.get(query, ())}:
                self.tag(study.digest, *query, (*given, *has.get(query, ())), of=of)
        return called(target, of)

    def load(self, digest: str, of: str = "") -> Study:
        """Check format, sums and bounds, which an older version may not have known."""
        folder = self._find(digest)
        fields, about = self._checked(folder), called(folder, of)
        try:
            tables = shared({name: read_parquet_table(folder / f"{name}.parquet") for name in KEYS})
            report = report_from(fields["report"])
        except (OSError, MemoryError, *OTHERWISE):
            found = "unreadable tables"
            rule, remedy = "a kept study has its tables", "Delete it, and upload its files again."
            raise UnusableInputError([error(folder.name, None, found, rule, remedy)]) from None
        refuse_beyond(tables)
        tags = self.tags(folder.name, of)
        return Study(about.name, **tables, report=report, note=about.note, tags=tags)

    def find(self, digest: str, of: str = "") -> Kept | None:
        """Look for its folder."""
        folders = self._folders(digest)
        return called(folders[0], of) if folders else None

    def holds(self, digest: str, of: str) -> bool:
        """Look for the owner's place."""
        return any((place(folder, of) / ABOUT).is_file() for folder in self._folders(digest)[:1])

    def kept(self) -> list[Kept]:
        """Every study by name; what has no name can't be told, but stays."""
        folders = [p.parent for p in self.folder.glob("*/study.json") if p.parent.name[0] != "."]
        return [called(path) for path in sorted(folders, key=lambda p: age_of(p / "study.json"))]

    def rename(self, digest: str, name: str, note: str, of: str = "") -> None:
        """Replace about.json at once."""
        folder = self._find(digest, of)
        attempt(self.folder, lambda: say(folder, of, name, note))

    def tag(
        self, digest: str, session: str, number: int, tags: Iterable[str], of: str = ""
    ) -> None:
        """Add a line to tags.jsonl, as several processes may at once."""
        path = place(self._find(digest, of), of) / TAGS
        attempt(self.folder, lambda: append_tags(path, session, number, tags))

    def tags(self, digest: str, of: str = "") -> Tags:
        """Read tags.jsonl."""
        folders, tags = self._folders(digest), list[Tags]()
        attempt(self.folder, lambda: tags.extend(tags_at(path, of) for path in folders[:1]))
        return tags[0] if tags else {}

    def judge(self, digest: str, topic: str, doc: str, grade: float | None, of: str = "") -> None:
        """Add a line to own_judgments.jsonl; None takes a judgment of one's own back."""
        path = place(self._find(digest, of), of) / JUDGMENTS
        attempt(self.folder, lambda: append_judgment(path, topic, doc, grade))

    def layer(self, digest: str, of: str = "") -> Layer:
        """Read own_judgments.jsonl."""
        folders, layer = self._folders(digest), Layer()
        attempt(self.folder, lambda: [layer.update(layer_at(path, of)) for path in folders[:1]])
        return layer

    def write(self, digest: str, about: str, text: str, of: str = "") -> None:
        """Add a line to written.jsonl; an empty text takes back what was written of a question."""
        path = place(self._find(digest, of), of) / WRITTEN
        attempt(self.folder, lambda: append_written(path, about, text))

    def written(self, digest: str, of: str = "") -> Written:
        """Read written.jsonl."""
        folders, texts = self._folders(digest), Written()
        attempt(self.folder, lambda: [texts.update(written_at(path, of)) for path in folders[:1]])
        return texts

    def delete(self, digest: str, of: str = "") -> None:
        """Rename aside, then remove."""
        with self._lock:
            folder = self._find(digest, of)
            attempt(self.folder, lambda: self._trash(place(folder, of)))
            if of and not are_left(folder):
                attempt(self.folder, lambda: self._trash(folder))

    def _folders(self, digest: str) -> list[Path]:
        known = digest.isalnum() and len(digest) >= SHORTEST
        return sorted(self.folder.glob(f"{digest}*")) if known else []

    def _find(self, digest: str, of: str = "") -> Path:
        """The folder of a study, in which an owner who is named has a place."""
        folders = self._folders(digest)
        if not folders or (of and not self.holds(digest, of)):
            rule, remedy = "a link opens a study that is here", "Upload its files again."
            raise UnusableInputError([error("store", None, f"no study {digest}", rule, remedy)])
        return folders[0]

    def _checked(self, folder: Path) -> dict[str, Any]:
        """study.json of a folder whose files are as they were written."""
        rule, remedy = "a kept study is as it was written", "Delete it, and upload its files again."
        try:
            fields = read_json(folder / "study.json")
            if fields["format"] > FORMAT:
                raise _newer(folder, fields["format"])
            whole = fields["digest"] == folder.name and fields.pop("sum") == _record_sum(fields)
            changed = [] if whole else ["study.json"]
            changed += [name for name in FILES if sum_of(folder / name) != fields["sums"][name]]
        except UnusableInputError:
            raise
        except (OSError, *OTHERWISE) as fault:
            file = getattr(fault, "filename", None)
            found = f"unreadable ({f'{Path(file).name}: ' if file else ''}{in_words(fault)})"
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
        return True

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


Store = FolderStore | MemoryStore  # where accepted studies are kept


def _write(study: Study, aside: Path, of: str) -> None:
    aside.mkdir()
    for name, table in study.tables.items():
        write_parquet_table(table, aside / f"{name}.parquet")
    sums = {name: sum_of(aside / name) for name in FILES}
    fields = {"format": FORMAT, "digest": study.digest, "sums": sums}
    fields["report"] = study.report.as_dict()
    write_json(aside / "study.json", {**fields, "sum": _record_sum(fields)})
    say(aside, of, study.name, study.note)
    for path in (*aside.rglob("*"), aside):
        sync(path)


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
