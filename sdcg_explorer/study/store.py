"""The store: accepted studies, and what people say of them, in one SQLite file of the workspace.

`studies.db` has the tables `studies`, `tables` (the four of each study as Parquet, in pieces) and
`annotations` (names, notes, tags, judgments and texts: what a thing was given by an owner). Its
daily copy, `studies.copy.db`, is opened where the file itself can't be read. For public demos the
same tables are in memory alone.
"""

# pyright: basic
# pyarrow ships no types.

import hashlib
import io
import json
import math
import os
import shutil
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import orjson
import pandas as pd
import platformdirs
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.study import bounds, machine
from sdcg_explorer.study.annotations import RENAMED, Layer, Tags, Written, cleaned_tags, written_of
from sdcg_explorer.study.problems import NEWER, UnusableInputError, in_words, refusal
from sdcg_explorer.study.report import Report, report_from
from sdcg_explorer.study.study import KEYS, Study
from sdcg_explorer.study.wording import counted

FILE, COPY, PART = "studies.db", "studies.copy.db", "studies.{}.part"
FORMAT = 1
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS format AS SELECT {FORMAT} AS number;
CREATE TABLE IF NOT EXISTS studies (digest TEXT, saved REAL, report TEXT, sha256 TEXT);
CREATE TABLE IF NOT EXISTS tables (
    study TEXT, name TEXT, piece INTEGER, sha256 TEXT, bytes BLOB,
    PRIMARY KEY (study, name, piece)
);
CREATE TABLE IF NOT EXISTS annotations (
    study TEXT, owner TEXT, kind TEXT, thing TEXT, value TEXT,
    PRIMARY KEY (study, owner, kind, thing)
);
COMMIT;
"""
DIGEST = {"studies": "digest", "tables": "study", "annotations": "study"}  # column of each table
LOOK = (  # of tables all but their bytes; and the keys by which rows are found
    *("format", "studies", "annotations", "(SELECT study, name, piece, sha256 FROM tables)"),
    "(SELECT study, name, piece FROM tables INDEXED BY sqlite_autoindex_tables_1)",
    "(SELECT study, thing FROM annotations INDEXED BY sqlite_autoindex_annotations_1)",
)
PIECE = 64 << 20  # bytes
WAIT = 10.0  # seconds for another app that writes
DAY = 86_400.0
SHORTEST = 8  # characters of a digest by which a study is found
NO_ROOM = "Free some disk space, and try again; nothing was saved."
NO_WAY = "Check that the folder can be written to; nothing was changed."
AGAIN = "Delete it, and upload its files again."
# the last one: a table that is no longer there
DAMAGED = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR
REMEDIES = {
    sqlite3.SQLITE_FULL: NO_ROOM,
    sqlite3.SQLITE_BUSY: "Another app is writing to it; try again in a moment.",
    **dict.fromkeys(DAMAGED, "Restart the app: it opens what can be read, or the daily copy."),
}
# what fields of other kinds than ours end in
OTHERWISE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
SHARED = {  # categories, and the tables that share them
    "session": ("sessions", "queries", "results"),
    "topic": ("queries", "judgments"),
    "doc": ("results", "judgments"),
}
OLD_LOGS: dict[str, tuple[str, tuple[str, ...], str, Any]] = {  # of version 1.0, by kind
    "tag": ("tags.jsonl", ("session", "query_number"), "tags", list),
    "judgment": ("own_judgments.jsonl", ("topic", "doc"), "grade", (int, float)),
    "text": ("written.jsonl", ("about",), "text", str),
}
TAKEN = f" of version 1.0 copied into {FILE}; the old folders stay, and are no longer needed."
LEFT = (
    " of version 1.0: too little disk space to copy the tables, which are read from the old "
    "folders. Free some, and restart the app."
)
NOT_TAKEN = " of version 1.0 was not copied: "
OLD_STUDY = 1  # its format; a folder of counts has another
OLD_COUNTS = "it holds counts. Score its log: sdcg score LOG JUDGMENTS --engine duckdb --out DIR"
# by kind of annotation, what names a thing, and what it is given
KINDS: dict[str, tuple[tuple[type, ...], Callable[[Any], Any]]] = {
    "name": ((), str),
    "note": ((), str),
    "tag": ((str, int), cleaned_tags),
    "judgment": ((str, str), float),
    "text": ((str,), str),
}
Said = tuple[str, tuple[Any, ...], Any]  # kind, thing and value of an annotation
Pieces = list[tuple[str, bytes | None]]  # each after its sum; None: it lies in a file of 1.0
Value = TypeVar("Value")


@dataclass(frozen=True)
class Kept:
    """A study in the store: its digest, and what it is called."""

    digest: str
    name: str
    note: str = ""


def default_folder() -> Path:
    """Where studies are kept unless a folder is named."""
    return platformdirs.user_data_path("sdcg-explorer") / "studies"


class Store:
    """Studies in a file of a folder, or in memory alone where none is given.

    A method's `of` is whose words are meant, name, note, tags, judgments and texts: "" on a machine
    of one person. A digest may be cut short. At most `most` studies are kept, each for so many
    `seconds`, with tables of `room` bytes; the oldest gives way. `old` is a folder of version 1.0
    (the folder itself, unless said), whose studies are taken over.

    trouble : what every page says of it · said : what else was done at the start

    Raises
    ------
    UnusableInputError : what can't be written or read, with the place and what to do
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        old: Path | None = None,
        most: float = math.inf,
        seconds: float = math.inf,
        room: float = math.inf,
    ) -> None:
        self.most, self.seconds, self.room = most, seconds, room
        self.trouble, self.said = list[str](), list[str]()
        self._old = old or folder
        self._lock = threading.RLock()
        self._memory = None if folder else _connect_or_create(":memory:")
        self.path = (folder or Path()) / FILE
        self._copy = self.path.with_name(COPY)
        if folder:
            self._open(folder)
        if self._old:
            self._import_version_1(self._old)
        self._copy_daily()

    def save(self, study: Study, of: str = "") -> Kept:
        """Keep a study; tags of one that is there already join those it has."""
        digest, report = study.digest, json.dumps(study.report.as_dict(), ensure_ascii=False)
        tables = {name: _chunks(_to_parquet(table)) for name, table in study.tables.items()}
        self._remove_damaged(digest)

        def put(db: sqlite3.Connection) -> Kept:
            _insert(db, digest, report, tables, time.time())
            if of not in _who_named_study(db, digest):
                _annotate(db, digest, of, _name_and_note_annotations(study.name, study.note))
            has = _tags_by_query(db, digest, of)
            joined = {q: cleaned_tags((*tags, *has.get(q, ()))) for q, tags in study.tags.items()}
            _annotate(db, digest, of, [("tag", query, tags) for query, tags in joined.items()])
            self._remove_oldest_studies(db, digest)
            return _study_name_and_note(db, digest, of)

        kept = self._write(put)
        self._copy_daily()
        return kept

    def load(self, digest: str, of: str = "") -> Study:
        """Check sums and bounds, which an older version may not have known."""
        with self._read_connection() as db:
            digest = self._full_digest(db, digest)
            kept, tags = _study_name_and_note(db, digest, of), _tags_by_query(db, digest, of)
            try:
                report, content = self._report_and_tables(db, digest)
                tables = _unified({name: _read_table(parquet) for name, parquet in content.items()})
            except (OSError, MemoryError, sqlite3.Error, *OTHERWISE) as fault:
                found, rule = in_words(fault), "a saved study must be as it was written"
                raise refusal(digest, None, found, rule, AGAIN) from None
        bounds.refuse_beyond(tables)
        return Study(kept.name, **tables, report=report, note=kept.note, tags=tags)

    def find(self, digest: str, of: str = "") -> Kept | None:
        """What a study is called; None for one that is not here."""
        return self._of(digest, _study_name_and_note, of)

    def holds(self, digest: str, of: str) -> bool:
        """Whether somebody has words about a study."""
        return of in (self._of(digest, _who_named_study) or ())

    def kept(self) -> list[Kept]:
        """Every study in the order of saving; what has no name can't be told, but stays."""
        with self._read_connection() as db:
            rows = db.execute("SELECT digest FROM studies ORDER BY saved, rowid").fetchall()
            return [_study_name_and_note(db, digest, "") for (digest,) in rows]

    def rename(self, digest: str, name: str, note: str, of: str = "") -> None:
        """Call a study otherwise."""
        self._say(digest, of, *_name_and_note_annotations(name, note))

    def tag(self, digest: str, session: str, query: int, tags: Iterable[str], of: str = "") -> None:
        """Give a query, by its number, these tags, and no others."""
        self._say(digest, of, ("tag", (session, query), cleaned_tags(tags)))

    def tags(self, digest: str, of: str = "") -> Tags:
        """Tags of every tagged query."""
        return self._of(digest, _tags_by_query, of) or {}

    def judge(self, digest: str, topic: str, doc: str, grade: float | None, of: str = "") -> None:
        """Give a document this grade; None takes a judgment of one's own back."""
        self._say(digest, of, ("judgment", (topic, doc), grade))

    def layer(self, digest: str, of: str = "") -> Layer:
        """Judgments of one's own."""
        return self._of(digest, _stored, of, "judgment") or {}

    def write(self, digest: str, about: str, text: str, of: str = "") -> None:
        """Have a question this text; an empty one takes it back."""
        before = [("text", (old,), "") for old, new in RENAMED.items() if new == about]
        self._say(digest, of, ("text", (about,), text), *before)

    def written(self, digest: str, of: str = "") -> Written:
        """Notes beneath answers."""
        texts = self._of(digest, _stored, of, "text") or {}
        return written_of({about: text for (about,), text in texts.items()})

    def delete(self, digest: str, of: str = "") -> None:
        """Forget a study; an owner's words alone, as long as another owner has some."""
        with self._read_connection() as db:
            digest = self._full_digest(db, digest, of)
            others = of and _who_named_study(db, digest) != {of}
        if not others:
            self._remove_damaged(digest)
        gone = self._write(lambda db: _remove_annotations_and_study(db, digest, of))
        if not self._memory and self._copy.is_file():
            try:
                with closing(_connect(self._copy)) as db, _write_transaction(db):
                    _remove_annotations_and_study(db, digest, of)
            except sqlite3.Error:
                self._copy.unlink()
        if self._old and (self._old / digest / "study.json").is_file():  # of version 1.0
            place = self._old / digest
            shutil.rmtree(place if gone else place / "owners" / of, ignore_errors=True)

    def _of(self, digest: str, read: Callable[..., Value], *asked: Any) -> Value | None:
        """What is read of a study, if it is there."""
        with self._read_connection() as db:
            return next((read(db, known, *asked) for known in _full_digests(db, digest)), None)

    def _say(self, digest: str, of: str, *given: Said) -> None:
        self._write(lambda db: _annotate(db, self._full_digest(db, digest, of), of, given))

    def _full_digest(self, db: sqlite3.Connection, digest: str, of: str = "") -> str:
        """The whole digest of a study, of which an owner who is named has words."""
        for known in _full_digests(db, digest):
            if not of or of in _who_named_study(db, known):
                return known
        rule = "a link opens only a study that is stored here"
        rule = rule if math.isinf(self.seconds) else "studies are kept here for a limited time"
        raise refusal("store", None, f"no study {digest}", rule, "Upload its files again.")

    def _report_and_tables(
        self, db: sqlite3.Connection, digest: str
    ) -> tuple[Report, dict[str, bytes]]:
        """Report and tables of a study, as they were written; whatever is raised, they are not."""
        record = db.execute("SELECT report, sha256 FROM studies WHERE digest = ?", (digest,))
        report, known = record.fetchone()
        changed = [] if _sha256(f"{digest} {report}".encode()) == known else ["report"]
        content = dict.fromkeys(KEYS, b"")
        for name in KEYS:
            pieces = "SELECT sha256, bytes FROM tables WHERE study = ? AND name = ? ORDER BY piece"
            for known, inside in db.execute(pieces, (digest, name)):
                outside = (self._old or Path()) / digest / f"{name}.parquet"  # of version 1.0
                piece: bytes = outside.read_bytes() if inside is None else inside
                changed += [name] if _sha256(piece) != known else []
                content[name] += piece
        changed += [name for name, parquet in content.items() if not parquet]
        if changed:
            raise ValueError(f"{', '.join(dict.fromkeys(changed))} changed")
        return report_from(orjson.loads(report)), content

    def _remove_oldest_studies(self, db: sqlite3.Connection, last: str) -> None:
        """Let the oldest go until the others fit; the last one stays."""
        if not self._memory:
            return
        sizes = "SELECT study, total(length(bytes)) FROM tables JOIN studies ON digest = study"
        order = "WHERE bytes IS NOT NULL GROUP BY study ORDER BY study = ?, saved, studies.rowid"
        rows = db.execute(f"{sizes} {order}", (last,)).fetchall()
        while rows[1:] and (len(rows) > self.most or sum(size for _, size in rows) > self.room):
            _remove_annotations_and_study(db, rows.pop(0)[0])

    @contextmanager
    def _read_connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for a block; faults in words, and in memory one thread at a time."""
        with _faults_in_words(), ExitStack() as stack:
            if self._memory:
                stack.enter_context(self._lock)
                until = time.time() - self.seconds
                old = self._memory.execute("SELECT digest FROM studies WHERE saved <= ?", (until,))
                for (digest,) in old.fetchall():
                    _remove_annotations_and_study(self._memory, digest)
                yield self._memory
            else:
                db = stack.enter_context(closing(_connect(self.path)))
                db.execute("BEGIN")
                yield db

    def _write(self, act: Callable[[sqlite3.Connection], Value]) -> Value:
        """Do something that is kept whole, or not at all.

        Where the file is damaged, it is done to what can be read of it.
        """
        if self._memory:
            with self._read_connection() as db, _write_transaction(db):
                return act(db)

        def done() -> Value:
            while True:
                there = _inode(self.path)
                with closing(_connect(self.path)) as db, _write_transaction(db):
                    if _inode(self.path) == there:  # else another app put one there
                        return act(db)

        with _faults_in_words():
            with _suppressed_damage():
                return done()
            self._rebuild()
            return done()

    def _open(self, folder: Path) -> None:
        """Look the file through, or make it; one that can't be read is set aside."""
        with _faults_in_words(folder.name):
            folder.mkdir(parents=True, exist_ok=True)
            for left in folder.glob(PART.format("*") + "*"):  # of runs that were cut off
                if _modification_time(left) < time.time() - DAY:
                    left.unlink(missing_ok=True)
        with _faults_in_words():
            opens = None
            with _suppressed_damage():
                opens = self.path.is_file() and _has_readable_content(self.path)
            if opens is None or (not opens and self._copy.is_file()):
                self._rebuild()
            elif not opens:
                _connect_or_create(self.path).close()
        try:
            self._write(lambda db: db.execute(f"PRAGMA user_version = {FORMAT}"))
        except UnusableInputError as refused:
            then = "Until then saved studies open, but none can be added."
            self.trouble.append(f"{refused.problems[0]} {then}")

    def _remove_damaged(self, digest: str) -> None:
        """Make the file anew without the tables of a study that are not as they were written.

        To delete them where they lie could take along what is another's.
        """
        with self._read_connection() as db, suppress(OSError, sqlite3.Error, *OTHERWISE):
            if _full_digests(db, digest):
                self._report_and_tables(db, digest)
            return
        if not self._memory:
            with _faults_in_words():
                self._rebuild(without=digest)

    def _rebuild(self, without: str = "") -> None:
        """Put a file of what can be read in the place of this one: from it, else from its copy.

        It is set aside where not all of it can be read. Of `without` there are words alone.
        """
        there, part = _inode(self.path), self.path.with_name(PART.format(uuid.uuid4().hex))
        with ExitStack() as stack:
            stack.callback(part.unlink, missing_ok=True)
            if os.name != "nt":  # where nothing takes the place of an open file
                with suppress(sqlite3.Error):  # nobody writes meanwhile
                    stack.enter_context(closing(_connect(self.path))).execute("BEGIN IMMEDIATE")
            with closing(_connect_or_create(part)) as new:
                missed = lost = _copy_studies(new, self.path, None, without)
                if missed != [] and self._copy.is_file():
                    lost = _copy_studies(new, self._copy, missed, without)
            machine.sync(part)
            if _inode(self.path) == there:  # else another app was faster
                if missed != []:
                    self.trouble.append(self._move_file_away(missed, lost))
                part.replace(self.path)
                machine.sync(self.path.parent)

    def _move_file_away(self, missed: list[str] | None, lost: list[str] | None) -> str:
        """Move the file away; in words what is opened instead, and what is lost."""
        said = f"{FILE} was not there. "
        if self.path.is_file():
            aside = self.path.with_name(f"studies.damaged-{time.strftime('%Y%m%d-%H%M%S')}.db")
            self.path.replace(aside)
            said = f"{FILE} was damaged, and was renamed to {aside.name}. "
        if lost is None:
            return f"{said}No copy of it can be read, so the store starts empty."
        when = time.strftime("%Y-%m-%d, %H:%M", time.localtime(_modification_time(self._copy)))
        said += f"Its copy of {when} was opened; later changes are missing."
        names = ", ".join(digest[:SHORTEST] for digest in lost)
        return f"{said} Neither has {names}: upload the files again." if names else said

    def _copy_daily(self) -> None:
        """Copy the file, where the last copy is older than a day."""
        if self._memory or _modification_time(self._copy) > time.time() - DAY:
            return
        part = self.path.with_name(PART.format(uuid.uuid4().hex))
        try:
            with closing(_connect(self.path)) as db:
                if not db.execute("SELECT 1 FROM studies").fetchone():
                    return
                db.execute("VACUUM INTO ?", (str(part),))
            machine.sync(part)
            part.replace(self._copy)
        except (OSError, sqlite3.Error) as fault:
            said = f"The daily copy of the studies could not be made: {in_words(fault)}."
            self.said += [said] if said not in self.said else []
        finally:
            part.unlink(missing_ok=True)

    def _import_version_1(self, old: Path) -> None:
        """Take over the studies of version 1.0, a folder each, which are left where they are."""
        with self._read_connection() as db:
            outside = "EXISTS (SELECT 1 FROM tables WHERE study = digest AND bytes IS NULL)"
            here = dict(db.execute(f"SELECT digest, {outside} FROM studies").fetchall())
        found = [each.parent for each in old.glob("*/study.json") if each.parent.name[0] != "."]
        folders = [folder for folder in found if here.get(folder.name, True)]
        sizes = (path.stat().st_size for folder in folders for path in folder.glob("*.parquet"))
        # a copy takes as much again
        room = not self._memory and shutil.disk_usage(old).free > 2 * sum(sizes)
        taken = left = 0
        for folder in sorted(folders, key=lambda each: _modification_time(each / "study.json")):
            try:
                fields = _old_record(folder)
                room = room and self._import_old_study(folder, fields, inside=True)
                if not room and folder.name not in here:
                    self._import_old_study(folder, fields, inside=False)
                taken, left = taken + room, left + (not room)
            except (OSError, *OTHERWISE) as fault:
                why = in_words(fault).rstrip(".")
                self.said.append(f"{folder.name[:SHORTEST]}{NOT_TAKEN}{why}.")
        if taken:
            self.said.append(f"{counted(taken, 'study')}{TAKEN}")
        if left:
            self.trouble.append(f"{counted(left, 'study')}{LEFT}")

    def _import_old_study(self, folder: Path, fields: dict[str, Any], *, inside: bool) -> bool:
        """Take a study over, its tables inside or as they lie there; whether there was room."""
        report = json.dumps(fields["report"], ensure_ascii=False)
        files = {name: folder / f"{name}.parquet" for name in KEYS}
        tables: dict[str, Pieces] = {
            name: _chunks(path.read_bytes()) if inside else [(fields["sums"][path.name], None)]
            for name, path in files.items()
        }

        def put(db: sqlite3.Connection) -> None:
            new = not _full_digests(db, folder.name)
            db.execute("DELETE FROM tables WHERE study = ? AND bytes IS NULL", (folder.name,))
            _insert(db, folder.name, report, tables, _modification_time(folder / "study.json"))
            for of, given in _old_annotations_by_owner(folder) if new else ():
                _annotate(db, folder.name, of, given)

        try:
            self._write(put)
        except UnusableInputError as refused:
            if inside and refused.problems[0].remedy == NO_ROOM:
                return False
            raise
        return True


def _connect(path: Path | str, mode: str = "rw") -> sqlite3.Connection:
    """A connection that commits at once unless it is told to begin."""
    place = f"{path.absolute().as_uri()}?mode={mode}" if isinstance(path, Path) else path
    db = sqlite3.connect(place, WAIT, isolation_level=None, check_same_thread=False, uri=True)
    db.text_factory = lambda text: text.decode("utf-8", "replace")  # of a damaged file
    for setting in ("synchronous = EXTRA", "secure_delete = ON", "cell_size_check = ON"):
        db.execute(f"PRAGMA {setting}")
    return db


def _connect_or_create(path: Path | str) -> sqlite3.Connection:
    """The same to a file with our tables, which is made unless it is there."""
    db = _connect(path, "rwc")
    db.execute("PRAGMA auto_vacuum = FULL")  # what is deleted leaves the file
    db.executescript(SCHEMA)
    return db


def _has_readable_content(path: Path) -> bool:
    """Read all but the tables' bytes; whether there is anything.

    Raises
    ------
    sqlite3.Error : it can't be read · UnusableInputError : it is of a newer version
    """
    with closing(_connect(path)) as db:
        db.execute("BEGIN")
        if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
            return False
        rows = [db.execute(f"SELECT * FROM {each}").fetchall() for each in LOOK]
        number = rows[0][0][0] if rows[0] else FORMAT
        if isinstance(number, int) and number > FORMAT:
            rule = f"this version reads format {FORMAT}"
            raise refusal(path.name, None, f"format {number}", rule, NEWER)
        names = "page_count", "page_size", "auto_vacuum"
        pages, size, vacuum = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
        if pages * size != path.stat().st_size or vacuum != 1:
            raise sqlite3.DatabaseError("another size than its header says")
    return True


def _copy_studies(
    new: sqlite3.Connection, source: Path, wanted: list[str] | None, without: str
) -> list[str] | None:
    """Take studies (None: all) over from a file; those that it does not have, or can't be read.

    None : the file can't be read at all
    """
    try:
        new.execute("ATTACH ? AS old", (f"{source.absolute().as_uri()}?mode=ro",))
    except sqlite3.Error:
        return wanted
    missed = wanted
    with _suppressed_damage():
        rows = new.execute("SELECT digest FROM old.studies ORDER BY saved, rowid").fetchall()
        listed, missed = [digest for (digest,) in rows], list[str]()
        for digest in listed if wanted is None else wanted:
            missed.append(digest)
            with _suppressed_damage():
                with _write_transaction(new):
                    for table, of in DIGEST.items():
                        if digest != without or table == "annotations":
                            rows = f"SELECT * FROM old.{table} WHERE {of} = ?"
                            new.execute(f"INSERT OR IGNORE INTO main.{table} {rows}", (digest,))
                if digest in listed:
                    missed.pop()
    new.execute("DETACH old")
    return missed


@contextmanager
def _suppressed_damage() -> Iterator[None]:
    """What of a file can't be read is passed over; other faults aren't."""
    try:
        yield
    except sqlite3.Error as fault:
        if _sqlite_error_code(fault) not in DAMAGED:
            raise


@contextmanager
def _write_transaction(db: sqlite3.Connection) -> Iterator[None]:
    """What is done in a block is kept whole, or not at all; nobody else writes meanwhile."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def _faults_in_words(place: str = FILE) -> Iterator[None]:
    """A fault of the disk or the file, without the folders above it."""
    try:
        yield
    except (sqlite3.Error, OSError) as fault:
        remedy = REMEDIES.get(_sqlite_error_code(fault), NO_WAY)
        found = "the disk is full" if remedy == NO_ROOM else in_words(fault)
        rule = "a study must be on disk before it counts as saved"
        raise refusal(place, None, found, rule, remedy) from None


def _sqlite_error_code(fault: Exception) -> int:
    """SQLite's number of a fault; without the rest of it, but for what a full disk may be."""
    code = getattr(fault, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_IOERR_WRITE or getattr(fault, "errno", None) in machine.FULL:
        return sqlite3.SQLITE_FULL
    damaged = sqlite3.SQLITE_CORRUPT if isinstance(fault, sqlite3.Error) else 0
    return damaged if code is None else code & 0xFF


def _inode(path: Path) -> int:
    """The number that the system has for a file, by which another in its place is told apart."""
    with suppress(FileNotFoundError):
        return path.stat().st_ino
    return 0


def _modification_time(path: Path) -> float:
    """Seconds since the epoch at which a file was last changed; 0 where there is none."""
    return path.stat().st_mtime if path.exists() else 0.0


def _full_digests(db: sqlite3.Connection, digest: str) -> list[str]:
    """The whole digest of a study, if it is there."""
    if not digest.isalnum() or len(digest) < SHORTEST:
        return []
    first = "SELECT digest FROM studies WHERE substr(digest, 1, ?) = ? ORDER BY digest LIMIT 1"
    return [known for (known,) in db.execute(first, (len(digest), digest)).fetchall()]


def _who_named_study(db: sqlite3.Connection, digest: str) -> set[str]:
    """Who has given a study a name."""
    rows = db.execute("SELECT owner FROM annotations WHERE study = ? AND kind = 'name'", (digest,))
    return {owner for (owner,) in rows.fetchall()}


def _study_name_and_note(db: sqlite3.Connection, digest: str, of: str) -> Kept:
    """What a study is called."""
    name, note = (_stored(db, digest, of, kind).get((), "") for kind in ("name", "note"))
    return Kept(digest, name or digest[:SHORTEST], note)


def _name_and_note_annotations(name: str, note: str) -> list[Said]:
    return [("name", (), name), ("note", (), note)]


def _tags_by_query(db: sqlite3.Connection, digest: str, of: str) -> Tags:
    return {query: tags for query, tags in _stored(db, digest, of, "tag").items() if tags}


def _stored(db: sqlite3.Connection, digest: str, of: str, kind: str) -> dict[Any, Any]:
    """What an owner gave to each thing of a study; what a damaged file made of it is left out."""
    given_to = "SELECT thing, value FROM annotations WHERE study = ? AND owner = ? AND kind = ?"
    (parts, value), given = KINDS[kind], dict[Any, Any]()
    for key, text in db.execute(f"{given_to} ORDER BY rowid", (digest, of, kind)).fetchall():
        with suppress(*OTHERWISE):
            named = zip(parts, orjson.loads(key), strict=True)
            given[tuple(part(each) for part, each in named)] = value(orjson.loads(text))
    return given


def _annotate(db: sqlite3.Connection, digest: str, of: str, given: Iterable[Said]) -> None:
    """Give things their values; an empty one takes it back."""
    for kind, thing, value in given:
        key = digest, of, kind, json.dumps(thing, ensure_ascii=False)
        if value in (None, "", ()) and kind != "name":
            same = "study = ? AND owner = ? AND kind = ? AND thing = ?"
            db.execute(f"DELETE FROM annotations WHERE {same}", key)
            continue
        row = (*key, json.dumps(value, ensure_ascii=False))
        db.execute("INSERT OR REPLACE INTO annotations VALUES (?, ?, ?, ?, ?)", row)


def _insert(
    db: sqlite3.Connection, digest: str, report: str, tables: dict[str, Pieces], saved: float
) -> None:
    """Put a study in, unless it is there."""
    record = digest, saved, report, _sha256(f"{digest} {report}".encode())
    if digest not in _full_digests(db, digest):
        db.execute("INSERT INTO studies VALUES (?, ?, ?, ?)", record)
    for name, pieces in tables.items():
        rows = ((digest, name, i, *piece) for i, piece in enumerate(pieces))
        db.executemany("INSERT OR IGNORE INTO tables VALUES (?, ?, ?, ?, ?)", rows)


def _remove_annotations_and_study(db: sqlite3.Connection, digest: str, of: str = "") -> bool:
    """Take an owner's words out, and the study once nobody has any; whether that is so."""
    db.execute("DELETE FROM annotations WHERE study = ? AND owner = ?", (digest, of))
    if of and _who_named_study(db, digest):
        return False
    for table, column in DIGEST.items():
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (digest,))
    return True


def _old_record(folder: Path) -> dict[str, Any]:
    """study.json of version 1.0; whatever is raised, the folder is not as it was written."""
    fields: dict[str, Any] = orjson.loads((folder / "study.json").read_bytes())
    known = fields.pop("sum")
    own = _sha256(json.dumps(fields, sort_keys=True).encode())
    if (fields["digest"], own) != (folder.name, known):
        raise ValueError("study.json changed")
    if fields["format"] != OLD_STUDY:
        raise ValueError(OLD_COUNTS)
    files = [f"{name}.parquet" for name in KEYS]
    changed = [name for name in files if machine.sum_of(folder / name) != fields["sums"][name]]
    if changed:
        raise ValueError(f"{', '.join(changed)} changed")
    return fields


def _old_annotations_by_owner(folder: Path) -> Iterator[tuple[str, list[Said]]]:
    """What each owner had said of a study in version 1.0: the last line of a thing counts."""
    for place in (folder, *folder.glob("owners/*")):
        given = list[Said]()
        with suppress(OSError, *OTHERWISE):
            about = orjson.loads((place / "about.json").read_bytes())
            given += _name_and_note_annotations(str(about["name"]), str(about["note"]))
        for kind, (file, keys, value, types) in OLD_LOGS.items():
            with suppress(OSError):
                for line in (place / file).read_bytes().split(b"\n"):
                    with suppress(*OTHERWISE):  # one that a crash cut short
                        fields = orjson.loads(line)
                        if fields[value] is None or isinstance(fields[value], types):
                            given.append((kind, tuple(fields[key] for key in keys), fields[value]))
        yield ("" if place == folder else place.name), given


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _chunks(data: bytes) -> Pieces:
    """Bytes in pieces that a row holds, each after its sum."""
    parts = [data[i : i + PIECE] for i in range(0, len(data), PIECE)]
    return [(_sha256(part), part) for part in parts]


def _to_parquet(table: pd.DataFrame) -> bytes:
    """A table as Parquet; ids as text, numbers and marks as they are, missing as null."""
    texts = table.columns.difference(table.select_dtypes(["number", "bool", "boolean"]).columns)
    sink = io.BytesIO()
    table.astype(dict.fromkeys(texts, "str")).to_parquet(sink, compression="zstd", index=False)
    return sink.getvalue()


def _read_table(parquet: bytes) -> pd.DataFrame:
    """The same back; ids are text."""
    table = pq.read_table(pa.BufferReader(parquet)).to_pandas(ignore_metadata=True)
    marks = table.columns.intersection(["clicked", "examined"])
    return table.astype(dict.fromkeys(marks, "boolean"))


def _unified(tables: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """The four tables, with session, topic and doc as categories that they share."""
    for column, names in SHARED.items():
        known = pd.Index(pd.concat([tables[name][column].astype("str") for name in names]).unique())
        for name in names:
            tables[name][column] = pd.Categorical(tables[name][column].astype("str"), known)
    return tables
