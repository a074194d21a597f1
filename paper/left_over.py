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

PNG, PDF, ZIP, GZIP = b"\x89PNG\r\n\x1a\n", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b"
HEADS = 8  # bytes of a chunk's length and kind, and of a PNG's own head
ENCODED = re.compile(rb"[A-Za-z0-9+/]{80,}={0,2}")


def left_over(data: bytes, names: Iterable[str]) -> set[str]:
    """Names that stand in a file, whatever their case, or in what is packed in it."""
    names = [*names]
    every = [each.lower() for each in _parts(data)]
    return {
        name
        for name in names
        for form in (name.lower().encode(), name.lower().encode("utf-16-le"))
        if any(form in part for part in every)
    }


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
    """Packed texts (zTXt, iTXt) of a PNG; plain ones stand in it as they are."""
    at = HEADS
    while at + HEADS <= len(data):
        length, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + HEADS]
        chunk = data[at + HEADS : at + HEADS + length]
        if kind in (b"zTXt", b"iTXt"):
            for start in range(chunk.find(b"\0") + 1, len(chunk)):
                with suppress(zlib.error):
                    yield zlib.decompress(chunk[start:])
                    break
        at += HEADS + length + 4
