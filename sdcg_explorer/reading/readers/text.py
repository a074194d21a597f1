"""Text of a file as UTF-8 with plain line ends, whatever it was written in."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from sdcg_explorer.reading.limits import LONGEST_LINE, ReadCounter
from sdcg_explorer.reading.sources import Source, own_folder
from sdcg_explorer.study.problems import Problem, UnusableInputError, error, note

MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
WHOLE_LINES = re.compile(rb"(?:[^\n]{0,%d}+\n)*+" % LONGEST_LINE)  # that are not too long
LOW = re.compile(rb"[\x80-\xa0]")  # no letters of Latin-1, nor bytes of Chinese signs
LOOKED_AT = 1_000_000  # bytes that tell an older encoding
PIECE = LONGEST_LINE // 2  # bytes that are looked at at once


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
        start = data.read(3)
    if start.startswith(MARKS[:2]):
        return "utf-16", ()
    try:
        with source.path.open(encoding="utf-8", newline="") as text:
            while text.read(PIECE):
                pass
    except UnicodeDecodeError:
        with source.path.open("rb") as file:
            first = file.read(LOOKED_AT)
        encoding = _older_encoding(first[: first.rfind(b"\n") + 1 or None])
        rule = f"a text that is not UTF-8 is read as {encoding}"
        remedy = "Check letters with accents, or save it as UTF-8."
        return encoding, (note(source.name, "bytes that are not UTF-8", rule, remedy),)
    return "utf-8-sig" if start == MARKS[2] else "utf-8", ()


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
            found = [error(source.name, None, "bytes that are not UTF-16", rule, remedy)]
            raise UnusableInputError(found) from None


def _refuse_unusable_text(name: str, path: Path, *, by_lines: bool) -> None:
    """Refuse a text with nothing but blanks, one that is none, and a line that is too long."""
    data = path.read_bytes()
    if not data or data.isspace():
        rule, remedy = "a table has a header and rows", "Export it again, or choose another file."
        raise UnusableInputError([error(name, 1, "an empty file", rule, remedy)])
    if b"\0" in data:
        rule, remedy = "a table is text", "Export it as CSV in UTF-8."
        raise UnusableInputError([error(name, None, "binary content", rule, remedy)])
    end = next(WHOLE_LINES.finditer(data)).end()
    if by_lines and len(data) - end > LONGEST_LINE:
        rule, line = f"a line has at most {LONGEST_LINE:,} bytes", 1 + data[:end].count(b"\n")
        raise UnusableInputError([error(name, line, "a longer line", rule, "Check the file.")])
