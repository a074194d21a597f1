"""Sources: plain files behind what was given; folders opened, archives unpacked within limits."""

from __future__ import annotations

import glob
import gzip
import lzma
import os
import re
import shutil
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from stat import S_ISDIR
from typing import BinaryIO, NoReturn, Protocol

from sdcg_explorer.reading.limits import LONGEST_NAME, MOST_ENTRIES, UNPACK, ReadCounter
from sdcg_explorer.study.problems import UnusableInputError, error, in_words

PREFIX = "sdcg-"
PIECE = 1 << 20  # bytes that are copied at a time, so that others' turns come between
LEFT_OVER = 3_600.0  # seconds after which what lies there is nobody's work, whoever made it
OPENED = Path(f"/proc/{os.getpid()}/fd")  # which processes beside this one can read, too


@contextmanager
def aside(contents: Iterable[BinaryIO]) -> Generator[list[Path]]:
    """Paths by which contents can be read within the block; they are copied from their starts.

    On Linux the files are unlinked while they are open: no crash leaves anything of them. Elsewhere
    they have names in a folder of ours, which goes with the block, or by `remove_left`.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(own_folder()))
        yield [_written(folder / str(i), one, stack) for i, one in enumerate(contents)]


def own_folder(within: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """A folder for what is read or made on the way, by a name that a later start knows."""
    return tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", dir=within)


def remove_left() -> int:
    """Remove folders that processes which are no more left behind; return how many.

    It is for the start: what bears this process's number is of an earlier one of that number.
    """
    left = [path for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*") if _is_left(path)]
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
    return len(left)


def _is_left(path: Path) -> bool:
    """Whether a folder is one of ours, and its process is no more."""
    number = path.name.removeprefix(PREFIX).partition("-")[0]
    try:
        status = path.lstat()
    except OSError:
        return False
    own = os.name == "nt" or status.st_uid == os.getuid()
    if not (own and number.isdecimal() and S_ISDIR(status.st_mode)):
        return False
    lives = Path(f"/proc/{number}").exists() if OPENED.is_dir() else None
    gone = time.time() - status.st_mtime > LEFT_OVER if lives is None else not lives
    return gone or int(number) == os.getpid()


def _written(path: Path, content: BinaryIO, stack: ExitStack) -> Path:
    """Write a file; where an open one can be read without its name, take the name away."""
    data = stack.enter_context(path.open("w+b"))
    content.seek(0)
    shutil.copyfileobj(content, data, PIECE)
    data.flush()
    if not OPENED.is_dir():
        return path
    path.unlink()
    return OPENED / str(data.fileno())


CHUNK = 1 << 20
ZIP = b"PK\x03\x04"
PACKED = ("gz", "zip")  # endings of what is unpacked
HIDDEN = (".", "__MACOSX")


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


@dataclass(frozen=True)
class Source:
    """A plain file: the name that is shown, and where it lies.

    within : the archive or folder that it was in · unread : why it is not read, "" where it is ·
    counter : of what all files stand for that are read together
    """

    name: str
    path: Path
    within: str = ""
    unread: str = ""
    counter: ReadCounter = field(default_factory=ReadCounter, compare=False, repr=False)


Given = Path | Source


def path_of(given: Given) -> Path:
    """Where what was given lies."""
    return given if isinstance(given, Path) else given.path


def sources_of(given: Iterable[Given], folder: Path) -> list[Source]:
    """Plain files behind files, folders, patterns, gz and zip, by name whatever their order was.

    Hidden files, which systems leave about, stand there unread.

    Parameters
    ----------
    given : paths; a folder stands for its files, a pattern for what it matches
    folder : an empty folder for what is unpacked

    Raises
    ------
    UnusableInputError : no such file, two of one name, or an archive beyond the limits or broken
    """
    listed = list(given)
    loose = [file for one in listed if isinstance(one, Path) for file in _loose(one)]
    files = [one for one in listed if isinstance(one, Source)] + _below(_shared(loose), loose)
    for one in listed:
        files += _inside(one) if isinstance(one, Path) and one.is_dir() else []
    counter = ReadCounter(sum(source.path.stat().st_size for source in files if not source.unread))
    unpacked = _Unpacked(folder, counter)
    files = [replace(source, counter=counter) for source in files]
    plain = [
        each for source in files for each in ([source] if source.unread else unpacked.plain(source))
    ]
    return sorted(_told_apart(plain), key=lambda source: PurePosixPath(source.name).parts)


def files_of(path: Given) -> list[Source]:
    """Files of a path, which may be a folder or a pattern.

    Raises
    ------
    UnusableInputError : there is none
    """
    if isinstance(path, Source):
        return [path]
    loose = _loose(path)
    return _inside(path) if path.is_dir() else _below(_shared(loose), loose)


def _loose(path: Path) -> list[Path]:
    """Files of a path that is none of a folder: the file, or those that a pattern matches."""
    if path.is_dir():
        return []
    files = (
        [path] if path.is_file() else [p for p in map(Path, glob.glob(str(path))) if p.is_file()]
    )
    if not files:
        raise _nothing(path, "no such file")
    return files


def _inside(folder: Path) -> list[Source]:
    """Files of a folder, the hidden ones unread."""
    named = _below(folder, sorted(path for path in folder.rglob("*") if path.is_file()))
    hidden = [path for path in (PurePosixPath(each.name) for each in named) if is_hidden(path)]
    files = [source for source in named if not is_hidden(PurePosixPath(source.name))]
    if not files:
        raise _nothing(folder, "an empty folder")
    return [replace(each, within=folder.name) for each in files] + _unread(hidden, folder.name)


def _shared(files: Sequence[Path]) -> Path:
    """The folder that files share."""
    return Path(os.path.commonpath([os.path.abspath(path.parent) for path in files] or ["."]))


def _below(folder: Path, files: Iterable[Path]) -> list[Source]:
    """Files by their names below a folder.

    Raises
    ------
    UnusableInputError : a name that is not in UTF-8, which no report or store could write
    """
    named = [Source(Path(os.path.relpath(path, folder)).as_posix(), path) for path in files]
    for source in named:
        try:
            os.fspath(source.path).encode()
        except UnicodeEncodeError:
            found, rule = "a name that is not in UTF-8", "names of files and folders are text"
            raise UnusableInputError(
                [error(source.name, None, found, rule, "Rename it.")]
            ) from None
    return named


def _unread(hidden: Iterable[PurePosixPath], within: str) -> list[Source]:
    """What is hidden: a file, or a folder for all that lies in it."""
    tops = Counter(_top(path) for path in hidden)
    one = "a hidden file, which is not read"
    several = {top: f"{n:,} hidden files, which are not read" for top, n in tops.items() if n > 1}
    return [Source(top, Path(), within, several.get(top, one)) for top in tops]


def _top(path: PurePosixPath) -> str:
    """The first hidden part of a path, with what stands before it; / after a folder's name."""
    parts = path.parts
    end = next(i for i in range(1, len(parts) + 1) if is_hidden(PurePosixPath(*parts[:i])))
    return "/".join(parts[:end]) + "/" * (end < len(parts))


def _told_apart(sources: Sequence[Source]) -> list[Source]:
    """Sources, those of one name in several archives or folders by that one's name too.

    Places, systems and the report name a file by its name, so that two can't share one.
    """
    times = Counter(source.name for source in sources)
    apart = [
        replace(source, name=f"{source.within}/{source.name}")
        if times[source.name] > 1 and source.within
        else source
        for source in sources
    ]
    for name, n in Counter(source.name for source in apart).items():
        if n > 1:
            rule, remedy = "each file has a name of its own", "Leave one out, or rename it."
            raise UnusableInputError([error(name, None, f"{n:,} files of this name", rule, remedy)])
    return apart


def _nothing(path: Path, what: str) -> UnusableInputError:
    rule, remedy = "each file to be read exists", "Check the path."
    return UnusableInputError([error(str(path), None, what, rule, remedy)])


def literal(path: Path) -> str:
    """A path as DuckDB has it where nothing of it is a pattern.

    >>> literal(Path("log[1].csv")), literal(Path("l*.csv"))
    ('log[[]1].csv', 'l[*].csv')
    """
    return re.sub(r"([*?\[])", r"[\1]", str(path))


@dataclass
class _Unpacked:
    """A folder that fills with what archives hold, within the limits of all of them together."""

    folder: Path
    counter: ReadCounter
    files: int = 0

    def plain(self, source: Source, depth: int = 0) -> list[Source]:
        """The source itself, or what it holds."""
        with source.path.open("rb") as data:
            head = data.read(4)
        if head[:2] == b"\x1f\x8b":
            with gzip.open(source.path) as data:
                path = self._written(data, source.name)
            name = source.name.removesuffix(".gz").removesuffix(".GZ")
            source = replace(source, name=name, path=path)
            return self.plain(source, depth + 1) if depth < 2 else [source]
        if head == ZIP and not is_workbook(source.path):
            if depth:
                self.refuse(source.name, "an archive within an archive", "one level is unpacked")
            return self._entries(source)
        return [source]

    def _entries(self, source: Source) -> list[Source]:
        try:
            with zipfile.ZipFile(source.path) as archive:
                return self._extracted(source, archive)
        except UnusableInputError:
            raise
        except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, OSError) as fault:
            self.refuse(
                source.name, f"a zip that can't be read ({in_words(fault)})", "a zip is whole"
            )

    def _extracted(self, source: Source, archive: zipfile.ZipFile) -> list[Source]:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_ENTRIES:
            rule = f"a zip has at most {MOST_ENTRIES:,} files"
            self.refuse(source.name, f"{len(entries):,} files", rule)
        plain: list[Source] = []
        hidden: list[PurePosixPath] = []
        for entry in entries:
            path = PurePosixPath(entry.filename.replace("\\", "/"))
            if not path.parts:
                continue
            if is_hidden(path):
                hidden.append(path)
                continue
            if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
                rule = "names in a zip stay within its folder"
                self.refuse(source.name, f"a file named {entry.filename[:80]!r}", rule)
            if len(entry.filename) > LONGEST_NAME:
                rule = f"names in a zip have at most {LONGEST_NAME} characters"
                what = f"a name of {len(entry.filename):,}, {entry.filename[:80]}…"
                self.refuse(source.name, what, rule)
            copied = self._entry(source, archive, entry, path)
            plain += self.plain(replace(source, name=str(path), path=copied, within=source.name), 1)
        if not plain:
            self.refuse(source.name, "no file in it", "a zip holds the files of a study")
        return [*plain, *_unread(hidden, source.name)]

    def _entry(
        self, source: Source, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: PurePosixPath
    ) -> Path:
        """A copy of a file in a zip."""
        try:
            with archive.open(entry) as data:
                return self._written(data, str(path))
        except UnusableInputError:
            raise
        # NotImplementedError is zipfile's word for a method or version that it does not know
        except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, OSError) as fault:
            self.refuse(
                str(path),
                f"a file of a zip that can't be read ({in_words(fault)})",
                "a zip is whole",
            )
        except RuntimeError:  # zipfile's word for a password
            self.refuse(str(path), "a file of a zip with a password", "a zip opens without one")

    def _written(self, data: Readable, name: str) -> Path:
        """Copy what is unpacked, as long as it stays within the limits."""
        self.files += 1
        path = self.folder / f"{self.files}"
        try:
            with path.open("wb") as copy:
                while chunk := data.read(CHUNK):
                    self.counter.unpack(name, len(chunk))
                    copy.write(chunk)
        except (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as fault:
            self.refuse(
                name, f"packed data that can't be read ({in_words(fault)})", "an archive is whole"
            )
        return path

    def refuse(self, name: str, found: str, rule: str) -> NoReturn:
        """Refuse an archive."""
        shutil.rmtree(self.folder, ignore_errors=True)
        raise UnusableInputError([error(name, None, found, rule, UNPACK)])


def is_hidden(path: PurePosixPath) -> bool:
    """Whether a file is one that systems leave about, such as .DS_Store."""
    return any(part.startswith(HIDDEN) and part != ".." for part in path.parts)


def is_workbook(path: Path) -> bool:
    """Whether a file is a zip, and the zip an Excel workbook."""
    with path.open("rb") as data:
        if data.read(len(ZIP)) != ZIP:
            return False
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, OSError):
        return False  # whatever is wrong with it, it is told where it is unpacked


LOOKED_AT = 65_536  # bytes
MOST_LINES = 1_000


@dataclass(frozen=True)
class Head:
    """What readers look at in a file before they read it; `own` where it is a table of ours."""

    source: Source
    own: bool = False

    @cached_property
    def data(self) -> bytes:
        """Its first bytes."""
        with self.source.path.open("rb") as data:
            return data.read(LOOKED_AT)

    @cached_property
    def text(self) -> str:
        """Its first bytes as text, without blanks before; not every letter is the right one."""
        if self.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            whole = self.data[: len(self.data) // 2 * 2]
            return whole.decode("utf-16", errors="ignore").lstrip()
        plain = self.data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()
        return plain.replace("\0", "")  # UTF-16 without its mark is refused, but not set aside

    @cached_property
    def lines(self) -> list[str]:
        """Its first whole lines that are not blank."""
        cut = len(self.text) >= LOOKED_AT // 2
        whole = self.text[: self.text.rfind("\n") + 1] if cut else self.text
        return [line for line in whole.splitlines() if line.strip()][:MOST_LINES]
