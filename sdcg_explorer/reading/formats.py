"""Formats: every form of file that is read, how it is recognised by its content, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sdcg_explorer.reading.limits import ReadCounter
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.readers.json_files import with_objects_in_columns
from sdcg_explorer.reading.sources import Head, Source, is_workbook, open_text
from sdcg_explorer.study.problems import UnusableInputError, error, refuse


def _fits_any_file(_: Head) -> bool:
    return True


@dataclass(frozen=True)
class Reader:
    """A form of file.

    name : by which its sample stands in the tests · recognises : whether a file has this form; the
    first reader that says so has it · read : its tables, of a Text whose lines are within limits,
    or of a Source · by_lines : whether of a Text; others keep to limits.py alone · seems_ours :
    whether a file that can't be read looks like what a study is made of, and is refused, not set
    aside · endings : of such files' names, by which none is recognised, but which are no part of
    what a file is called
    """

    name: str
    recognises: Callable[[Head], bool]
    read: Callable[[Any], list[RawTable]]
    by_lines: bool = True
    seems_ours: Callable[[Head], bool] = _fits_any_file
    endings: tuple[str, ...] = ()

    def tables(self, source: Source) -> list[RawTable]:
        """Tables of a file; limits of lines hold before anything is read, those of tables after.

        Raises
        ------
        UnusableInputError : beyond them, or not as the form has it
        """
        with in_words(source.name):
            if not self.by_lines:
                return within(self.read(source), source.counter)
            with open_text(source) as text:
                return within(self.read(text), source.counter)


@contextmanager
def in_words(file: str) -> Generator[None]:
    """What a reader did not think of, as a problem; no message has the name of an exception."""
    try:
        yield
    except UnusableInputError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        found, rule = "malformed", "its parts are not where its format has them"
        refuse([error(file, None, found, rule, "Export it again, or leave it out.")])


def within(tables: list[RawTable], counter: ReadCounter) -> list[RawTable]:
    """Tables, objects in their cells as columns, which count among all that is read."""
    made = [each for table in tables for each in with_objects_in_columns(table, counter)]
    for table in made:
        counter.hold(table)
    return made


def _from(name: str) -> Callable[[Any], Any]:
    """A function of a reader's module, which is loaded when it is called: some load slowly.

    Those that do are recognised without their module, for others are tried after them.
    """

    def call(given: Any) -> Any:
        module, _, function = name.partition(".")
        return getattr(import_module(f"sdcg_explorer.reading.readers.{module}"), function)(given)

    return call


TREC = "run or qrels"
FORMATS = (
    Reader("table of ours", lambda head: head.own, _from("tables.read_own")),
    Reader(
        "Parquet",
        lambda head: head.data.startswith((b"PAR1", b"ARROW1")),
        _from("parquet.read_parquet"),
        by_lines=False,
        endings=("parquet", "feather", "arrow"),
    ),
    Reader(
        "workbook",
        lambda head: is_workbook(head.source.path),
        _from("workbook.read_workbook"),
        by_lines=False,
        endings=("xlsx", "ods"),
    ),
    Reader(
        "database",
        lambda head: head.data.startswith(b"SQLite format 3\0"),
        _from("tables.read_database"),
        by_lines=False,
        endings=("db", "sqlite", "sqlite3"),
    ),
    Reader(
        "page",
        _from("tables.is_page"),
        _from("tables.read_page"),
        by_lines=False,
        endings=("html", "htm", "xls"),
    ),
    Reader(
        "session log in XML",
        lambda head: head.text.startswith("<"),
        _from("markup.read_session_log"),
        by_lines=False,
        seems_ours=_from("markup.has_session"),
        endings=("xml",),
    ),
    Reader(
        "JSON",
        lambda head: head.text.startswith(("{", "[")),
        _from("json_files.read_json"),
        by_lines=False,
        seems_ours=_from("json_files.names_roles"),
        endings=("json", "jsonl", "ndjson"),
    ),
    Reader(
        "SimIIR", _from("line_logs.is_simiir"), _from("line_logs.read_simiir"), endings=("log",)
    ),
    Reader("click log", _from("line_logs.is_click_log"), _from("line_logs.read_click_log")),
    Reader(
        TREC,
        _from("trec.is_trec"),
        _from("trec.read_trec"),
        endings=("qrels", "qrel", "run", "res", "trec"),
    ),
    Reader(
        "table",
        _fits_any_file,
        _from("tables.read_table"),
        seems_ours=_from("tables.has_header"),
        endings=("csv", "tsv", "txt"),
    ),
)


def reader_of(head: Head) -> Reader:
    """The first reader that recognises a file."""
    return next(reader for reader in FORMATS if reader.recognises(head))


def in_its_form(raw: RawTable) -> RawTable:
    """A table by the form of a run or qrels that its columns have; else as it is."""
    return _from("trec.in_its_form")(raw)
