"""Sources: plain files behind what was given; folders opened, archives unpacked within limits."""

from __future__ import annotations

import bz2
import glob
import gzip
import lzma
import os
import re
import shutil
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from stat import S_ISDIR
from typing import Any, BinaryIO, NoReturn, Protocol

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


def _open_zst(path: Path) -> Any:
    pyarrow: Any = import_module("pyarrow")  # it ships no types
    return pyarrow.input_stream(str(path), compression="zstd")


CHUNK = 1 << 20
HEAD = 512  # bytes by which it is known how a file is packed
LEAST = 4_096  # bytes that a file in an archive counts as: archives within archives come to an end
ZIP = b"PK\x03\x04"
# by the first bytes of what is packed alone: how it is opened, and endings of its name
ALONE: dict[re.Pattern[bytes], tuple[Callable[[Path], Any], dict[str, str]]] = {
    re.compile(rb"\x1f\x8b"): (gzip.open, {".gz": "", ".tgz": ".tar"}),
    re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"): (bz2.open, {".bz2": "", ".tbz2": ".tar"}),
    re.compile(rb"\xfd7zXZ\0"): (lzma.open, {".xz": "", ".txz": ".tar"}),
    re.compile(rb"\x28\xb5\x2f\xfd"): (_open_zst, {".zst": "", ".zstd": "", ".tzst": ".tar"}),
}
PACKED = (  # endings of what is unpacked
    *("zip", "tar"),
    *(ending.removeprefix(".") for _, endings in ALONE.values() for ending in endings),
)
HIDDEN = (".", "__MACOSX")
# what libraries say of packed data that is broken, or of a method that they don't know
BROKEN = (
    *(EOFError, OSError, ValueError, OverflowError, NotImplementedError, RecursionError),
    *(zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError),
)


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


def _look_for(_: str) -> int:
    return 0


@dataclass(frozen=True)
class Source:
    """A plain file: the name that is shown, and where it lies.

    within : the archive or folder that it was in · unread : why it is not read, "" where it is ·
    counter : of what all files stand for that are read together · header_of : the line of the
    header of a table by its name, 0 where it is looked for
    """

    name: str
    path: Path
    within: str = ""
    unread: str = ""
    counter: ReadCounter = field(default_factory=ReadCounter, compare=False, repr=False)
    header_of: Callable[[str], int] = _look_for


Given = Path | Source


def path_of(given: Given) -> Path:
    """Where what was given lies."""
    return given if isinstance(given, Path) else given.path


def sources_of(given: Iterable[Given], folder: Path) -> list[Source]:
    """Plain files behind files, folders, patterns and archives, by name whatever their order was.

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

    def plain(self, given: Source) -> list[Source]:
        """The source itself, or what it holds, however deep that is packed."""
        plain: list[Source] = []
        packed = [given]
        while packed:
            source = packed.pop()
            with source.path.open("rb") as data:
                head = data.read(HEAD)
            own = next((how for sign, how in ALONE.items() if sign.match(head)), None)
            if own:
                packed.append(self._alone(source, *own))
            elif head.startswith(ZIP) and not is_workbook(source.path):
                packed += self._members(source, "zip", _in_zip, plain)
            elif is_tar(head):
                packed += self._members(source, "tar", _in_tar, plain)
            else:
                plain.append(source)
        return plain

    def _alone(
        self, source: Source, opener: Callable[[Path], Any], endings: Mapping[str, str]
    ) -> Source:
        """A file that was packed by itself, without the ending that says so."""
        name = source.name
        for ending, left in endings.items():
            if name.lower().endswith(ending):
                name = name[: -len(ending)] + left
                break
        found, rule = "packed data that can't be read", "packed data is whole"
        with self._whole(source.name, found, rule), opener(source.path) as data:
            return replace(source, name=name, path=self._written(data, source.name))

    def _members(
        self, source: Source, kind: str, members_of: Callable[[Path], Members], plain: list[Source]
    ) -> list[Source]:
        """Copies of the files of an archive; those that are hidden are `plain`, and unread."""
        copied: list[Source] = []
        hidden: list[PurePosixPath] = []
        with (
            self._whole(source.name, f"a {kind} that can't be read", f"a {kind} is whole"),
            ExitStack() as stack,
        ):
            members = stack.enter_context(members_of(source.path))
            for number, (called, opened) in enumerate(members, start=1):
                if number > MOST_ENTRIES:
                    rule = f"a {kind} has at most {MOST_ENTRIES:,} files"
                    self.refuse(source.name, f"more than {MOST_ENTRIES:,} files", rule)
                path = self._path_of(source, kind, called)
                if path.parts and is_hidden(path):
                    hidden.append(path)
                elif path.parts:
                    copy = self._member(str(path), kind, opened)
                    copied.append(Source(str(path), copy, source.name, counter=source.counter))
        if not copied:
            self.refuse(source.name, "no file in it", f"a {kind} holds the files of a study")
        plain += _unread(hidden, source.name)
        return copied

    def _path_of(self, source: Source, kind: str, called: str) -> PurePosixPath:
        """The path of a file in an archive, which stays within its folder."""
        path = PurePosixPath(called.replace("\\", "/"))
        if not path.parts or is_hidden(path):
            return path
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            rule = f"names in a {kind} stay within its folder"
            self.refuse(source.name, f"a file named {called[:80]!r}", rule)
        if len(called) > LONGEST_NAME:
            rule = f"names in a {kind} have at most {LONGEST_NAME} characters"
            self.refuse(source.name, f"a name of {len(called):,}, {called[:80]}…", rule)
        return path

    def _member(self, name: str, kind: str, opened: Callable[[], Any]) -> Path:
        """A copy of a file in an archive."""
        found, rule = f"a file of a {kind} that can't be read", f"a {kind} is whole"
        with self._whole(name, found, rule):
            try:
                data = opened()
            except NotImplementedError:
                raise
            except RuntimeError:  # zipfile's word for a password
                rule = f"a {kind} opens without one"
                self.refuse(name, f"a file of a {kind} with a password", rule)
            with data:
                return self._written(data, name)

    def _written(self, data: Readable, name: str) -> Path:
        """Copy what is unpacked, as long as it stays within the limits."""
        self.files += 1
        path = self.folder / f"{self.files}"
        size = 0
        with path.open("wb") as copy:
            while chunk := data.read(CHUNK):
                self.counter.unpack(name, len(chunk))
                copy.write(chunk)
                size += len(chunk)
        self.counter.unpack(name, max(0, LEAST - size))
        return path

    @contextmanager
    def _whole(self, name: str, found: str, rule: str) -> Generator[None]:
        """Refuse what is packed and broken."""
        try:
            yield
        except UnusableInputError:
            raise
        except BROKEN as fault:
            self.refuse(name, f"{found} ({in_words(fault)})", rule)

    def refuse(self, name: str, found: str, rule: str) -> NoReturn:
        """Refuse an archive."""
        shutil.rmtree(self.folder, ignore_errors=True)
        raise UnusableInputError([error(name, None, found, rule, UNPACK)])


Members = AbstractContextManager[Iterable[tuple[str, Callable[[], Any]]]]


@contextmanager
def _in_zip(path: Path) -> Generator[Iterable[tuple[str, Callable[[], Any]]]]:
    """Names of the files in a zip, and how each is opened."""
    with zipfile.ZipFile(path) as archive:
        entries = (entry for entry in archive.infolist() if not entry.is_dir())
        yield ((entry.filename, partial(archive.open, entry)) for entry in entries)


@contextmanager
def _in_tar(path: Path) -> Generator[Iterable[tuple[str, Callable[[], Any]]]]:
    """Names of the files in a tar, and how each is opened; links and devices are none."""
    with tarfile.open(path, "r:") as archive:
        entries = (entry for entry in archive if entry.isreg())
        yield ((entry.name, partial(archive.extractfile, entry)) for entry in entries)


def is_tar(head: bytes) -> bool:
    """Whether bytes are the head of a tar's first file, by the sum that they hold of themselves."""
    try:
        tarfile.TarInfo.frombuf(head[:HEAD], "utf-8", "surrogateescape")
    except tarfile.TarError:
        return False
    return True


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
