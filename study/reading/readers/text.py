"""Text of a file as UTF-8 with plain line ends, whatever it was written in."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from study.problems import Problem, UnusableInputError, error, note
from study.reading.aside import own_folder
from study.reading.sources import Source

MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")


@dataclass(frozen=True)
class Text:
    """A text: the name of its file, its bytes in UTF-8, a file that holds just these, and notes."""

    name: str
    data: bytes
    path: Path
    notes: tuple[Problem, ...] = ()


@contextmanager
def open_text(source: Source) -> Generator[Text]:
    """Text of a file in UTF-8, UTF-16 (with byte order mark) or Latin-1; a copy where it differs.

    Raises
    ------
    UnusableInputError : an empty or a binary file
    """
    data, name = source.path.read_bytes(), source.name
    text, notes = _decoded(data, name)
    plain = data if text is None else text.encode("utf-8", errors="replace")
    if not plain.strip():
        rule, remedy = "a table has a header and rows", "Export it again, or choose another file."
        raise UnusableInputError([error(name, 1, "an empty file", rule, remedy)])
    if b"\0" in plain:
        rule, remedy = "a table is text", "Export it as CSV in UTF-8."
        raise UnusableInputError([error(name, None, "binary content", rule, remedy)])
    if text is None and b"\r" not in plain:
        yield Text(name, plain, source.path, notes)
        return
    plain = re.sub(rb"\r\n?", b"\n", plain)
    with own_folder() as folder:
        copy = Path(folder) / "table.txt"
        copy.write_bytes(plain)
        yield Text(name, plain, copy, notes)


def _decoded(data: bytes, name: str) -> tuple[str | None, tuple[Problem, ...]]:
    """Text of bytes that are not plain UTF-8 (None for those that are), and what to note."""
    if data.startswith(MARKS[:2]):
        try:
            return data.decode("utf-16"), ()
        except UnicodeDecodeError:
            rule, remedy = "a text that starts as UTF-16 is UTF-16 to its end", "Export it again."
            raise UnusableInputError(
                [error(name, None, "bytes that are not UTF-16", rule, remedy)]
            ) from None
    try:
        if data.startswith(MARKS[2]):
            return data[3:].decode("utf-8"), ()
        if not data.isascii():
            data.decode("utf-8")
    except UnicodeDecodeError:
        rule = "a text that is not UTF-8 is read as Latin-1"
        remedy = "Check letters with accents, or save it as UTF-8."
        return data.decode("latin-1"), (note(name, "bytes that are not UTF-8", rule, remedy),)
    return None, ()
