"""What of the names that identify is still in a file: in texts, packed parts, and pictures."""

from __future__ import annotations

import binascii
import gzip
import io
import re
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

PNG, PDF, ZIP, GZIP = b"\x89PNG\r\n\x1a\n", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b"
HEADS = 8  # bytes of a chunk's length and kind, and of a PNG's own head
ENCODED = re.compile(rb"[A-Za-z0-9+/]{80,}={0,2}")


def left_over(data: bytes, names: Iterable[str]) -> set[str]:
    """Names that stand as words in a file, whatever their case, or in what is packed in it."""
    texts = [text for part in _parts(data) for text in _texts(part)]
    small = [text.lower() for text in texts]
    return {
        name
        for name in names
        for text, lower in zip(texts, small, strict=True)
        if name.lower() in lower and as_words(name).search(text)
    }


@cache
def as_words(name: str) -> re.Pattern[str]:
    """A name where no letter goes on before or after it, whatever its case.

    >>> as_words("Ana").findall("ana, analysis, Ana")
    ['ana', 'Ana']
    """
    before, after = r"(?<![^\W_])" * name[:1].isalnum(), r"(?![^\W_])" * name[-1:].isalnum()
    return re.compile(f"{before}{re.escape(name)}{after}", re.IGNORECASE)


def _texts(data: bytes) -> Iterator[str]:
    """A text, or bytes as the texts that they may be, without what is none of it."""
    try:
        yield data.decode()
    except UnicodeDecodeError:
        yield from (data.decode(errors="ignore"), data.decode("latin-1"))
    else:
        if b"\0" not in data:  # UTF-16 has it beside every letter of English
            return
    for start in (0, 1):
        yield data[start:].decode("utf-16-le", errors="ignore")


def _parts(data: bytes) -> Iterator[bytes]:
    """A file, and what can be unpacked of it."""
    yield data
    for part in _unpacked(data):
        yield from _parts(part)
    for run in ENCODED.findall(data):  # pictures in notebooks and pages
        with suppress(binascii.Error):
            decoded = b64decode(run)
            if decoded.startswith((PNG, ZIP, GZIP, PDF, b"\xff\xd8")):
                yield from _parts(decoded)


def _unpacked(data: bytes) -> Iterator[bytes]:
    if data.startswith(PNG):
        yield from _texts_of_picture(data)
    elif data.startswith(GZIP):
        yield gzip.decompress(data)
    elif data.startswith(ZIP):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            yield packed.comment
            yield from (packed.read(name) for name in packed.namelist())
    elif data.startswith(PDF):
        from pypdf import PdfReader

        read = PdfReader(io.BytesIO(data))
        yield str(read.metadata).encode()
        yield " ".join(" ".join(page.extract_text() for page in read.pages).split()).encode()


def _texts_of_picture(data: bytes) -> Iterator[bytes]:
    """Texts of a PNG, each by itself and unpacked: beside them stand sums that may be letters."""
    at = HEADS
    while at + HEADS <= len(data):
        length, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + HEADS]
        chunk = data[at + HEADS : at + HEADS + length]
        if kind in (b"tEXt", b"zTXt", b"iTXt"):
            yield chunk
            for start in range(chunk.find(b"\0") + 1, len(chunk)):
                with suppress(zlib.error):
                    yield zlib.decompress(chunk[start:])
                    break
        at += HEADS + length + 4
