"""Sources: plain files behind what was given, unpacked within limits, and their text as UTF-8."""

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
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from stat import S_ISDIR
from typing import Any, BinaryIO, NoReturn

import numpy as np

from sdcg_explorer.reading import limits
from sdcg_explorer.reading.limits import LONGEST_LINE, MOST_ENTRIES, ReadCounter
from sdcg_explorer.study.problems import Problem, UnusableInputError, in_words, note, refusal

PREFIX = "sdcg-"
PIECE = 1 << 20  # bytes that are copied at a time, so that others' turns come between
LEFT_OVER = 3_600.0  # seconds after which what lies there is nobody's work, whoever made it
OPENED = Path(f"/proc/{os.getpid()}/fd")  # which processes beside this one can read, too


@contextmanager
def readable_paths(contents: Iterable[BinaryIO]) -> Generator[list[Path]]:
    """Paths by which contents can be read within the block; they are copied from their starts.

    On Linux the files are unlinked while they are open: no crash leaves anything of them. Elsewhere
    they have names in a folder of ours, which goes with the block, or by `remove_left`.
    """
    with ExitStack() as stack:
        folder, paths = Path(stack.enter_context(own_folder())), list[Path]()
        for i, content in enumerate(contents):
            path = folder / str(i)
            data = stack.enter_context(path.open("w+b"))
            content.seek(0)
            shutil.copyfileobj(content, data, PIECE)
            data.flush()
            if OPENED.is_dir():
                path.unlink()
            paths.append(OPENED / str(data.fileno()) if OPENED.is_dir() else path)
        yield paths


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


def _open_zst(path: Path) -> Any:
    return import_module("pyarrow").input_stream(str(path), compression="zstd")


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
# what libraries say of packed data that is broken, needs a password (RuntimeError), or is packed by
# a method that they don't know (NotImplementedError)
BROKEN = (
    *(EOFError, OSError, ValueError, OverflowError, RuntimeError),
    *(zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError),
)


def _no_header_line(_: str) -> int:  # a source goes to other processes, which know no lambda
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
    header_of: Callable[[str], int] = _no_header_line


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
    files = files_of(*given)
    counter = ReadCounter(sum(source.path.stat().st_size for source in files if not source.unread))
    unpacked = _Unpacked(folder, counter)
    plain: list[Source] = []
    for source in files:
        own = replace(source, counter=counter)
        plain += [own] if source.unread else unpacked.plain(own)
    return sorted(_with_distinct_names(plain), key=lambda source: PurePosixPath(source.name).parts)


def files_of(*given: Given) -> list[Source]:
    """Files of paths, which may be folders, or patterns.

    Raises
    ------
    UnusableInputError : there is none
    """
    files = [one for one in given if isinstance(one, Source)]
    loose: list[Path] = []
    for path in (one for one in given if isinstance(one, Path)):
        if path.is_dir():
            files += _sources_in_folder(path)
            continue
        every = [path] if path.is_file() else map(Path, glob.glob(str(path)))
        found = [one for one in every if one.is_file()]
        if not found:
            _refuse_path(path, "no such file")
        loose += found
    shared = os.path.commonpath([os.path.abspath(path.parent) for path in loose] or ["."])
    return files + _files_below(Path(shared), loose)


def _sources_in_folder(folder: Path) -> list[Source]:
    """Files of a folder, the hidden ones unread."""
    named = _files_below(folder, sorted(path for path in folder.rglob("*") if path.is_file()))
    hidden = [path for path in (PurePosixPath(each.name) for each in named) if is_hidden(path)]
    files = [source for source in named if not is_hidden(PurePosixPath(source.name))]
    if not files:
        _refuse_path(folder, "an empty folder")
    return [replace(each, within=folder.name) for each in files] + _hidden(hidden, folder.name)


def _files_below(folder: Path, files: Iterable[Path]) -> list[Source]:
    """Files by their names below a folder.

    Raises
    ------
    UnusableInputError : a name that is not in UTF-8, which no report or store could write
    """
    named = [Source(Path(os.path.relpath(path, folder)).as_posix(), path) for path in files]
    for name in (source.name for source in named):
        if name.encode(errors="ignore").decode() != name:
            found, rule = "a name that is not in UTF-8", "names of files and folders are text"
            raise refusal(name, None, found, rule, "Rename it.")
    return named


def _hidden(hidden: Iterable[PurePosixPath], within: str) -> list[Source]:
    """What is hidden: a file, or a folder for all that lies in it, with / after its name."""
    tops = list[str]()
    for path in hidden:
        first = next(i for i, part in enumerate(path.parts, 1) if is_hidden(PurePosixPath(part)))
        tops.append("/".join(path.parts[:first]) + "/" * (first < len(path.parts)))
    return [Source(top, Path(), within, "hidden, and not read") for top in dict.fromkeys(tops)]


def _with_distinct_names(sources: Sequence[Source]) -> list[Source]:
    """Sources, those of one name in several archives or folders by that one's name too.

    Places, systems and the report name a file by its name, so that two can't share one.
    """
    times = Counter(source.name for source in sources)
    apart: dict[str, Source] = {}
    for source in sources:
        longer = f"{source.within}/{source.name}"
        name = longer if times[source.name] > 1 and source.within else source.name
        if name in apart:
            rule, remedy = "each file needs a name of its own", "Leave one out, or rename it."
            raise refusal(name, None, "a second file of this name", rule, remedy)
        apart[name] = replace(source, name=name)
    return [*apart.values()]


def _refuse_path(path: Path, what: str) -> None:
    raise refusal(str(path), None, what, "each file to read must exist", "Check the path.")


Members = Iterator[tuple[str, Callable[[], Any]]]


@dataclass
class _Unpacked:
    """A folder that fills with what archives hold, within the limits of all of them together."""

    folder: Path
    counter: ReadCounter

    def plain(self, given: Source) -> list[Source]:
        """The source itself, or what it holds, however deep that is packed."""
        plain: list[Source] = []
        packed = [given]
        while packed:
            source = packed.pop()
            with source.path.open("rb") as data:
                head = data.read(HEAD)
            alone = next((how for sign, how in ALONE.items() if sign.match(head)), None)
            if alone:
                opener, endings = alone
                ending = PurePosixPath(source.name).suffix
                name = source.name.removesuffix(ending) + endings.get(ending.lower(), ending)
                copy = self._copy(source.name, "packed file", partial(opener, source.path))
                packed.append(replace(source, name=name, path=copy))
            elif head.startswith(ZIP) and not is_workbook(source.path):
                packed += self._unpacked_members(source, "zip", _files_in_zip, plain)
            elif is_tar(head):
                packed += self._unpacked_members(source, "tar", _files_in_tar, plain)
            else:
                plain.append(source)
        return plain

    def _unpacked_members(
        self, source: Source, kind: str, members_of: Callable[[Path], Members], plain: list[Source]
    ) -> list[Source]:
        """Copies of the files of an archive; those that are hidden are `plain`, and unread."""
        copied, hidden = list[Source](), list[PurePosixPath]()
        with self._whole(source.name, kind):
            for number, (called, opened) in enumerate(members_of(source.path), start=1):
                path = PurePosixPath(called.replace("\\", "/"))
                if number > MOST_ENTRIES:
                    rule = f"a {kind} has at most {MOST_ENTRIES:,} files"
                    self.refuse(source.name, f"more than {MOST_ENTRIES:,} files", rule)
                elif path.parts and is_hidden(path):
                    hidden.append(path)
                elif path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1]):
                    rule = f"names in a {kind} stay within its folder"
                    self.refuse(source.name, f"a file named {called[:80]!r}", rule)
                elif len(called) > limits.LONGEST_NAME:
                    rule = f"names in a {kind} have at most {limits.LONGEST_NAME} characters"
                    self.refuse(source.name, f"a name of {len(called):,}, {called[:80]}…", rule)
                elif path.parts:
                    copy = self._copy(str(path), kind, opened)
                    copied.append(Source(str(path), copy, source.name, counter=source.counter))
        if not copied:
            self.refuse(source.name, "no file in it", f"a {kind} holds the files of a study")
        plain += _hidden(hidden, source.name)
        return copied

    def _copy(self, name: str, kind: str, opened: Callable[[], Any]) -> Path:
        """What is unpacked, as long as it stays within the limits."""
        made = partial(tempfile.NamedTemporaryFile, dir=self.folder, delete=False)
        with self._whole(name, kind), opened() as data, made() as copy:
            while chunk := data.read(PIECE):
                self.counter.unpack(name, len(chunk))
                copy.write(chunk)
            self.counter.unpack(name, max(0, LEAST - copy.tell()))
        return Path(copy.name)

    @contextmanager
    def _whole(self, name: str, kind: str) -> Generator[None]:
        """Refuse what is packed and broken, or needs a password."""
        try:
            yield
        except UnusableInputError:
            raise
        except BROKEN as fault:
            found = f"a {kind} that can't be read ({in_words(fault)})"
            self.refuse(name, found, f"a {kind} must be complete and have no password")

    def refuse(self, name: str, found: str, rule: str) -> NoReturn:
        """Refuse an archive."""
        raise refusal(name, None, found, rule, limits.UNPACK)


def _files_in_zip(path: Path) -> Members:
    """Names of the files in a zip, and how each is opened."""
    with zipfile.ZipFile(path) as archive:
        entries = (entry for entry in archive.infolist() if not entry.is_dir())
        yield from ((entry.filename, partial(archive.open, entry)) for entry in entries)


def _files_in_tar(path: Path) -> Members:
    """Names of the files in a tar, and how each is opened; links and devices are none."""
    with tarfile.open(path, "r:") as archive:
        entries = (entry for entry in archive if entry.isreg())
        yield from ((entry.name, partial(archive.extractfile, entry)) for entry in entries)


def is_tar(head: bytes) -> bool:
    """Whether bytes are the head of a tar's first file, by the sum that they hold of themselves."""
    with suppress(tarfile.TarError):
        return bool(tarfile.TarInfo.frombuf(head[:HEAD], "utf-8", "surrogateescape"))
    return False


def is_hidden(path: PurePosixPath) -> bool:
    """Whether a file is one that systems leave about, such as .DS_Store."""
    return any(part.startswith((".", "__MACOSX")) and part != ".." for part in path.parts)


def is_workbook(path: Path) -> bool:
    """Whether a file is a zip, and the zip a workbook."""
    with path.open("rb") as data, suppress(*BROKEN):
        if data.read(len(ZIP)) == ZIP:
            names = {*zipfile.ZipFile(data).namelist()}
            return "xl/workbook.xml" in names or {"content.xml", "META-INF/manifest.xml"} <= names
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
            return self.data[: len(self.data) // 2 * 2].decode("utf-16", errors="ignore").lstrip()
        plain = self.data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()
        return plain.replace("\0", "")  # UTF-16 without its mark is refused, but not set aside

    @cached_property
    def lines(self) -> list[str]:
        """Its first whole lines that are not blank."""
        cut = len(self.text) >= LOOKED_AT // 2
        whole = self.text[: self.text.rfind("\n") + 1] if cut else self.text
        return [line for line in whole.splitlines() if line.strip()][:MOST_LINES]


MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
WHOLE_LINES = re.compile(rb"(?:[^\n]{0,%d}+\n)*+" % LONGEST_LINE)  # that are not too long
LOW = re.compile(rb"[\x80-\xa0]")  # no letters of Latin-1, nor bytes of Chinese signs
DECODED = 1_000_000  # bytes that tell an older encoding


@dataclass(frozen=True)
class Text:
    """A text in UTF-8: the name of its file, a file that holds just its bytes, and notes.

    counter : of what all files stand for · header : the line of its header, 0 where it is looked
    for
    """

    name: str
    path: Path
    notes: tuple[Problem, ...] = ()
    counter: ReadCounter = field(default_factory=ReadCounter, compare=False, repr=False)
    header: int = 0

    @property
    def data(self) -> bytes:
        """All of it, which takes as much memory as it is long."""
        return self.path.read_bytes()

    @cached_property
    def quoted(self) -> bool:
        """Whether it has quotes."""
        return b'"' in self.data

    def lines(self) -> Iterator[tuple[int, str]]:
        """Its lines with their numbers, one at a time."""
        with self.path.open(encoding="utf-8", newline="\n") as lines:
            yield from enumerate(lines, start=1)

    def filled_lines(self) -> Iterator[tuple[int, bytes]]:
        """Lines with something on them, with their numbers."""
        with self.path.open("rb") as lines:
            yield from ((number, line) for number, line in enumerate(lines, 1) if line.strip())

    def count(self, sign: bytes) -> int:
        """How often a byte comes; numpy counts it ten times as fast as bytes do."""
        return int(np.count_nonzero(np.frombuffer(self.data, np.uint8) == sign[0]))


@contextmanager
def open_text(source: Source, *, by_lines: bool = True) -> Generator[Text]:
    """Text of a file in UTF-8, UTF-16 (with byte order mark) or an older encoding; a copy if not.

    Parameters
    ----------
    by_lines : whether its lines stand for rows, and are within limits

    Raises
    ------
    UnusableInputError : an empty or a binary file, or a line that is too long
    """
    name, (encoding, notes) = source.name, _text_encoding(source)
    with own_folder() as own:
        path = source.path
        if encoding != "utf-8" or b"\r" in path.read_bytes():
            path = Path(own) / "table.txt"
            _write_utf8_copy(source, encoding, path)
        _refuse_unusable_text(name, path, by_lines=by_lines)
        yield Text(name, path, notes, source.counter, source.header_of(name))


def _text_encoding(source: Source) -> tuple[str, tuple[Problem, ...]]:
    """What a file's bytes are, and what to note."""
    with source.path.open("rb") as data:
        first = data.read(DECODED)
    if first.startswith(MARKS[:2]):
        return "utf-16", ()
    try:
        with source.path.open(encoding="utf-8", newline="") as text:
            while text.read(PIECE):
                pass
    except UnicodeDecodeError:
        encoding = _older_encoding(first[: first.rfind(b"\n") + 1 or None])
        rule = f"a text that is not UTF-8 is read as {encoding}"
        remedy = "Check its characters, or save it as UTF-8."
        return encoding, (note(source.name, "bytes that are not UTF-8", rule, remedy),)
    return "utf-8-sig" if first.startswith(MARKS[2]) else "utf-8", ()


def _older_encoding(data: bytes) -> str:
    """What a text is in that is not UTF-8: signs of two bytes each, several in a row, tell.

    >>> _older_encoding("größer".encode("latin-1")), _older_encoding("文書".encode("shift_jis"))
    ('Latin-1', 'Shift_JIS')
    >>> _older_encoding("会话,用户,茶,杯".encode("gb18030"))
    'GB18030'
    """
    runs = [len(run) for run in re.findall(rb"[\x80-\xff]+", data)]
    in_pairs = sum(size > 3 for size in runs) > 1 and not any(size % 2 for size in runs)
    encoding, fits = ("Shift_JIS", True) if LOW.search(data) else ("GB18030", in_pairs)
    with suppress(UnicodeDecodeError):
        if fits and re.search("[ぁ-ヺ一-鿿]{2}", data.decode(encoding)):
            return encoding
    return "Latin-1"


def _write_utf8_copy(source: Source, encoding: str, copy: Path) -> None:
    """Write a text in UTF-8, each line end as one sign."""
    plain = copy.open("w", encoding="utf-8", errors="replace", newline="")
    with source.path.open(encoding=encoding, newline=None) as text, plain:
        try:
            shutil.copyfileobj(text, plain, PIECE)
        except UnicodeDecodeError:
            rule, remedy = "a text that starts as UTF-16 is UTF-16 to its end", "Export it again."
            raise refusal(source.name, None, "bytes that are not UTF-16", rule, remedy) from None


def _refuse_unusable_text(name: str, path: Path, *, by_lines: bool) -> None:
    """Refuse a text with nothing but blanks, one that is none, and a line that is too long."""
    data = path.read_bytes()
    if not data or data.isspace():
        rule, remedy = "a table has a header and rows", "Export it again, or choose another file."
        raise refusal(name, 1, "an empty file", rule, remedy)
    if b"\0" in data:
        rule, remedy = "a table is text", "Export it as CSV in UTF-8."
        raise refusal(name, None, "binary content", rule, remedy)
    end = next(WHOLE_LINES.finditer(data)).end()
    if by_lines and len(data) - end > LONGEST_LINE:
        rule, line = f"a line has at most {LONGEST_LINE:,} bytes", 1 + data[:end].count(b"\n")
        raise refusal(name, line, "a longer line", rule, "Check the file.")
