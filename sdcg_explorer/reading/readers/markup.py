"""Markup read piece by piece: each byte is looked at a few times, however long a tag is."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn
from xml.parsers import expat

from sdcg_explorer.reading.limits import DEEPEST, LONGEST_LINE
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.readers.trees import (
    Object,
    Placed,
    TreeTables,
    shape_in,
    tables_of,
)
from sdcg_explorer.reading.sources import Readable, Source
from sdcg_explorer.study.problems import UnusableInputError, error

CHUNK = 1 << 20
CELLS = 4  # of a table, that take as much memory as an element
TOO_LONG = f"a tag or comment of more than {LONGEST_LINE:,} bytes"
WELL_FORMED = "an XML log is complete and well formed", "Copy the whole file again."


def parsed(parser: Any, data: Readable) -> None:
    """Have expat parse all that is read.

    It begins an unfinished tag anew with each piece that it is given, so that a tag as long as a
    file would be looked at as often as there are pieces.

    Raises
    ------
    ValueError : a tag, comment or instruction beyond LONGEST_LINE
    expat.ExpatError : not well formed
    """
    given = 0
    while piece := data.read(CHUNK):
        parser.Parse(piece, False)
        given += len(piece)
        if given - parser.CurrentByteIndex > LONGEST_LINE:
            raise ValueError(TOO_LONG)
    parser.Parse(b"", True)


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, the line where it begins, text, and what stands in it."""

    name: str
    given: dict[str, str]
    line: int
    texts: list[str] = field(default_factory=list[str])
    inner: list[Element] = field(default_factory=list["Element"])

    @property
    def text(self) -> str:
        """Its own text, without blanks around."""
        return "".join(self.texts).strip()

    def all(self) -> Iterator[Element]:
        """All elements that stand in it, at any depth, in the order of the file."""
        for each in self.inner:
            yield each
            yield from each.all()


def refused(file: str, line: int | None, found: str, rule: str) -> NoReturn:
    """Refuse an element.

    Raises
    ------
    UnusableInputError
    """
    remedy = "Correct the file, or export it again."
    raise UnusableInputError([error(file, line, found, rule, remedy)])


def read_elements(
    source: Source, name: str, texts: Collection[str], take: Callable[[Element], None]
) -> None:
    """Take each element of a name once it is whole, or the outermost for ""; others are not kept.

    texts : elements that hold text alone; tags in them are none

    Raises
    ------
    UnusableInputError : not well formed (with the line), a DOCTYPE, elements nested too deeply
    """
    with source.path.open("rb") as data:
        declared = re.match(rb"\s*<\?xml[^>]*encoding=['\"]utf8['\"]", data.read(200))
    parser = expat.ParserCreate("utf-8" if declared else None)  # expat knows utf-8, not utf8
    open_ones: list[Element] = []
    counted = 0
    kept: list[Element] = []  # of these, from the one that is taken on

    def start(called: str, given: dict[str, str]) -> None:
        nonlocal counted
        one = Element(called, given, parser.CurrentLineNumber)
        open_ones.append(one)
        if len(open_ones) > DEEPEST:
            rule = f"at most {DEEPEST} levels are read"
            refused(source.name, one.line, "elements nested deeper", rule)
        if kept and kept[-1].name in texts:
            kept.append(kept[-1])  # <em> in a text
        elif kept or name in ("", called):
            counted += CELLS * (not name)
            source.counter.check(source.name, counted)
            for around in kept[-1:]:
                around.inner.append(one)
            kept.append(one)

    def end(_: str) -> None:
        open_ones.pop()
        if kept and (whole := kept.pop()) and not kept:
            take(whole)

    def characters(text: str) -> None:
        if kept:
            kept[-1].texts.append(text)

    def doctype(*_: object) -> None:
        rule = "logs are read without document types or entities"
        refused(source.name, parser.CurrentLineNumber, "a DOCTYPE", rule)

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        with source.path.open("rb") as data:
            parsed(parser, data)
    except UnusableInputError:
        raise
    except (expat.ExpatError, LookupError, ValueError) as fault:  # an encoding of no name
        known = isinstance(fault, expat.ExpatError)
        found = expat.ErrorString(fault.code) if known else str(fault)
        line = fault.lineno if known else parser.CurrentLineNumber
        raise UnusableInputError([error(source.name, line, found, *WELL_FORMED)]) from None


def tables_of_elements(source: Source) -> list[RawTable]:
    """Tables of the lists of elements in a file, each with what stands outside it.

    Raises
    ------
    UnusableInputError : as `read_elements`, and beyond the limits
    """
    outermost: list[Element] = []
    read_elements(source, "", (), outermost.append)
    whole = _object_of(outermost[0])
    shape = shape_in(source.name, [whole])
    around, lists = TreeTables(source.name, source.counter, shape).opened(whole, {}, ())

    def every() -> Iterator[Placed]:
        for name in lists:
            own = (each for each in outermost[0].inner if each.name == name)
            for place, each in enumerate(own, start=1):
                yield each.line, partial(_object_of, each), around, (((name,), place),)

    return tables_of(source.name, source.counter, shape, every)


def _object_of(element: Element) -> Object:
    """Attributes, texts and lists of an element by their names."""
    inner: Object = {}
    for each in element.inner:
        plain = not each.inner and not each.given
        inner.setdefault(each.name, []).append(each.text if plain else _object_of(each))
    for name, values in inner.items():
        texts = all(isinstance(value, str) for value in values)
        if texts:
            inner[name] = values[0] if len(values) == 1 else values
        else:
            inner[name] = [v if isinstance(v, dict) else {"value": v} for v in values]
    own = {"text": element.text} if element.text and not element.inner else {}
    return {**own, **element.given, **inner}
