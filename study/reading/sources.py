"""Sources: plain files behind what was given; folders opened, archives unpacked within limits."""

from __future__ import annotations

import glob
import gzip
import lzma
import shutil
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NoReturn, Protocol

from study.problems import UnusableInputError, error
from study.reading.limits import LONGEST_NAME, MOST_BYTES, MOST_ENTRIES, MOST_RATIO

CHUNK = 1 << 20
ZIP = b"PK\x03\x04"
PACKED = ("gz", "zip")  # endings of what is unpacked
HIDDEN = (".", "__MACOSX")
UNPACK = "Unpack it, and give the files themselves."


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


@dataclass(frozen=True)
class Source:
    """A plain file: the name that is shown, and where it lies."""

    name: str
    path: Path


def sources_of(given: Iterable[Path | Source], folder: Path) -> list[Source]:
    """Plain files behind files, folders, patterns, gz and zip.

    Parameters
    ----------
    given : paths; a folder stands for its files, a pattern for what it matches
    folder : an empty folder for what is unpacked

    Raises
    ------
    UnusableInputError : no such file, or an archive beyond the limits or broken
    """
    unpacked = _Unpacked(folder)
    return [
        plain
        for one in given
        for source in ([one] if isinstance(one, Source) else _files(one))
        for plain in unpacked.plain(source)
    ]


def _files(path: Path) -> list[Source]:
    """Files of a path, which may be a folder or a pattern."""
    if path.is_dir():
        inside = [p for p in sorted(path.rglob("*")) if p.is_file()]
        named = [Source(str(PurePosixPath(p.relative_to(path))), p) for p in inside]
        files = [source for source in named if not is_hidden(PurePosixPath(source.name))]
    elif path.is_file():
        files = [Source(path.name, path)]
    else:
        matched = sorted(p for p in map(Path, glob.glob(str(path))) if p.is_file())
        alone = len({p.name for p in matched}) == len(matched)
        files = [Source(p.name if alone else str(p), p) for p in matched]
    if not files:
        rule, remedy = "each file to be read exists", "Check the path."
        what = "an empty folder" if path.is_dir() else "no such file"
        raise UnusableInputError([error(str(path), None, what, rule, remedy)])
    return files


@dataclass
class _Unpacked:
    """A folder that fills with what archives hold, within the limits of all of them together."""

    folder: Path
    bytes: int = 0
    files: int = 0

    def plain(self, source: Source, depth: int = 0) -> list[Source]:
        """The source itself, or what it holds."""
        with source.path.open("rb") as data:
            head = data.read(4)
        if head[:2] == b"\x1f\x8b":
            with gzip.open(source.path) as data:
                path = self._written(data, source.name, source.path.stat().st_size)
            name = source.name.removesuffix(".gz").removesuffix(".GZ")
            return self.plain(Source(name, path), depth + 1) if depth < 2 else [Source(name, path)]
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
            self.refuse(source.name, f"a zip that can't be read ({fault})", "a zip is whole")

    def _extracted(self, source: Source, archive: zipfile.ZipFile) -> list[Source]:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_ENTRIES:
            rule = f"a zip has at most {MOST_ENTRIES:,} files"
            self.refuse(source.name, f"{len(entries):,} files", rule)
        plain: list[Source] = []
        for entry in entries:
            path = PurePosixPath(entry.filename.replace("\\", "/"))
            if not path.parts or is_hidden(path):
                continue
            if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
                rule = "names in a zip stay within its folder"
                self.refuse(source.name, f"a file named {entry.filename[:80]!r}", rule)
            if len(entry.filename) > LONGEST_NAME:
                rule = f"names in a zip have at most {LONGEST_NAME} characters"
                what = f"a name of {len(entry.filename):,}, {entry.filename[:80]}…"
                self.refuse(source.name, what, rule)
            plain += self.plain(Source(str(path), self._entry(source, archive, entry, path)), 1)
        if not plain:
            self.refuse(source.name, "no file in it", "a zip holds the files of a study")
        return plain

    def _entry(
        self, source: Source, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: PurePosixPath
    ) -> Path:
        """A copy of a file in a zip."""
        packed = min(max(entry.compress_size, 1), source.path.stat().st_size)
        try:
            with archive.open(entry) as data:
                return self._written(data, str(path), packed)
        except UnusableInputError:
            raise
        # NotImplementedError is zipfile's word for a method or version that it does not know
        except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, OSError) as fault:
            self.refuse(
                str(path), f"a file of a zip that can't be read ({fault})", "a zip is whole"
            )
        except RuntimeError:  # zipfile's word for a password
            self.refuse(str(path), "a file of a zip with a password", "a zip opens without one")

    def _written(self, data: Readable, name: str, packed: int) -> Path:
        """Copy what is unpacked, as long as it stays within the limits."""
        self.files += 1
        path = self.folder / f"{self.files}"
        size = 0
        try:
            with path.open("wb") as copy:
                while chunk := data.read(CHUNK):
                    size += len(chunk)
                    self.bytes += len(chunk)
                    if self.bytes > MOST_BYTES:
                        rule = f"all that is unpacked has at most {MOST_BYTES // 10**6:,} MB"
                        self.refuse(name, "more than that", rule)
                    if size > CHUNK and size > MOST_RATIO * packed:
                        rule = f"what is packed grows at most {MOST_RATIO} times"
                        self.refuse(name, "a larger ratio", rule)
                    copy.write(chunk)
        except (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as fault:
            self.refuse(name, f"packed data that can't be read ({fault})", "an archive is whole")
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
