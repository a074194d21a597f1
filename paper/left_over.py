"""What of the names that identify is still in a file: in texts, packed parts, and pictures."""

from __future__ import annotations

import bz2
import gzip
import html
import io
import lzma
import re
import unicodedata
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from urllib.parse import unquote

PNG, PDF, ZIP, GZIP = b"\x89PNG\r\n\x1a\n", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b"
XZ, BZIP = b"\xfd7zXZ\0", re.compile(rb"BZh[1-9]1AY&SY")
HEADS = 8  # bytes of a chunk's length and kind, and of a PNG's own head
# base64 of 15 bytes and more, in lines that may be strings of JSON
LINE, NEXT = rb"[A-Za-z0-9+/]{60,}", rb"(?:(?:\\r)?\\n[\"',]*\s*|[\"',]*\s*\n\s*)[\"']?"
ENCODED = re.compile(
    rb"(?<![A-Za-z0-9+/])(?:%b(?:%b%b)*+(?:%b[A-Za-z0-9+/]+)?|[A-Za-z0-9+/]{20,})"
    % (LINE, NEXT, LINE, NEXT)
)
NO_CODE = re.compile(rb"\\[nr]|[^A-Za-z0-9+/]")
# what may part the words of a name: one sign of an address, or blanks and breaks, where a line may
# begin with the marks of a quote or comment, or be a string of its own
GAP = (
    r"(?:[_+-]|%20|"
    r"(?:[^\S\n]|[\u00ad\u200b\u2060\ufeff]|&nbsp;|&\#160;|\\[rt]"
    r"|(?:\n|\\n(?![\"'])|(?:\\n[\"'],?|[\"'])\n\s*[\"'])(?:[^\S\n]*[>*\#/;%|-])*)++)"
)


def left_over(data: bytes, names: Iterable[str]) -> set[str]:
    """Names that stand as words in a file, whatever their case, or in what is packed in it."""
    texts = [text for part in _parts(data) for text in _texts(part)]
    return {name for text in texts for name in within(text, names) if as_words(name).search(text)}


def within(text: str, names: Iterable[str]) -> Iterator[str]:
    """Names of which all words are somewhere in a text: no others can stand there."""
    folded = _folded(text)
    return (name for name in names if all(word in folded for word in _words(name)))


@cache
def _words(name: str) -> list[str]:
    return _folded(name).split()


def _folded(text: str) -> str:
    """A text in which the same letters are those that a pattern takes as the same."""
    return text.replace("\u0131", "i").replace("\u0130", "i").casefold()


@cache
def as_words(name: str) -> re.Pattern[str]:
    """A name where no letter goes on before or after it, whatever its case and its blanks.

    >>> as_words("Ana").findall("ana, analysis, Ana")
    ['ana', 'Ana']
    >>> as_words("Ana Ox").findall("Ana  Ox, ana_ox, Ana - Ox")
    ['Ana  Ox', 'ana_ox']
    """
    before, after = r"(?<![^\W_])" * name[:1].isalnum(), r"(?![^\W_])" * name[-1:].isalnum()
    words = GAP.join(map(re.escape, name.split()))
    return re.compile(f"{before}{words}{after}", re.IGNORECASE)


def _texts(data: bytes) -> Iterator[str]:
    """A text as it stands and as it is shown, or bytes as the texts that they may be."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        yield from (data.decode(errors="ignore"), data.decode("latin-1"))
    else:
        yield text
        if (shown := _shown(text)) != text:
            yield shown
        if b"\0" not in data:  # UTF-16 has it beside every letter of English
            return
    for start in (0, 1):
        yield data[start:].decode("utf-16-le", errors="ignore")


def _shown(text: str) -> str:
    """A text without the ways in which JSON, HTML and addresses write letters, and composed."""
    if "\\u" in text:
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda each: chr(int(each[1], 16)), text)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if "%" in text:
        text = unquote(text)
    return unicodedata.normalize("NFC", html.unescape(text))


def _parts(data: bytes) -> Iterator[bytes]:
    """A file, and what can be unpacked of it."""
    yield data
    for part in _unpacked(data):
        yield from _parts(part)
    for run in ENCODED.findall(data):  # pictures in notebooks and pages
        code = NO_CODE.sub(b"", run)
        yield from _parts(b64decode(code[: len(code) - (len(code) % 4 == 1)] + b"=="))


def _unpacked(data: bytes) -> Iterator[bytes]:
    if data.startswith(PNG):
        yield from _texts_of_picture(data)
    elif data.startswith(GZIP):
        yield gzip.decompress(data)
    elif data.startswith(XZ):
        yield lzma.decompress(data)
    elif BZIP.match(data):
        yield bz2.decompress(data)
    elif data.startswith(ZIP):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            yield packed.comment
            for each in packed.infolist():
                yield from (each.filename.encode(), each.comment, packed.read(each))
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
        if kind in (b"tEXt", b"zTXt", b"iTXt", b"eXIf"):
            yield chunk
            for start in range(chunk.find(b"\0") + 1, len(chunk)):
                with suppress(zlib.error):
                    yield zlib.decompress(chunk[start:])
                    break
        at += HEADS + length + 4
