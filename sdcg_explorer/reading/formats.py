"""Formats: every form of file that is read, how it is recognised by its content, and its reader."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sdcg_explorer.reading import raw_table, sources
from sdcg_explorer.reading.limits import ReadCounter
from sdcg_explorer.reading.readers.json_files import with_objects_in_columns
from sdcg_explorer.study.problems import UnusableInputError, refusal


@dataclass(frozen=True)
class Reader:
    """A form of file.

    endings : of such files' names, by which none is recognised, but which are no part of what a
    file is called · recognises : whether a file has this form; the first reader that says so has
    it · read : its tables · seems_ours : whether a file that can't be read looks like what a study
    is made of, and is refused, not set aside
    """

    endings: str
    recognises: Callable[[sources.Head], bool]
    read: Callable[[sources.Source], list[raw_table.RawTable]]
    seems_ours: Callable[[sources.Head], bool] = lambda _: True

    def tables(self, source: sources.Source) -> list[raw_table.RawTable]:
        """Tables of a file, which are within limits.

        Raises
        ------
        UnusableInputError : beyond them, or not as the form has it
        """
        with faults_as_problems(source.name):
            return in_limits(self.read(source), source.counter)


@contextmanager
def faults_as_problems(file: str) -> Generator[None]:
    """What a reader did not think of, as a problem; no message has the name of an exception."""
    try:
        yield
    except UnusableInputError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        found, rule = "malformed", "its parts are not where its format has them"
        raise refusal(file, None, found, rule, "Export it again, or leave it out.") from None


def in_limits(tables: list[raw_table.RawTable], counter: ReadCounter) -> list[raw_table.RawTable]:
    """Tables, objects in their cells as columns, which count among all that is read."""
    made = [each for table in tables for each in with_objects_in_columns(table, counter)]
    for table in made:
        counter.hold(table)
    return made


def _of(name: str) -> Callable[[Any], Any]:
    """A function of a reader's module, which is loaded when it is called: some load slowly.

    Those that do are recognised without their module, for others are tried after them.
    """

    def call(given: Any) -> Any:
        module, _, function = name.partition(".")
        return getattr(import_module(f"sdcg_explorer.reading.readers.{module}"), function)(given)

    return call


def _by_lines(name: str) -> Callable[[sources.Source], list[raw_table.RawTable]]:
    """A reader of a Text, whose lines are within limits before anything is read."""

    def read(source: sources.Source) -> list[raw_table.RawTable]:
        with sources.open_text(source) as text:
            return _of(name)(text)

    return read


def _begins(*signs: str) -> Callable[[sources.Head], bool]:
    return lambda head: head.text.startswith(signs)


FORMATS = (
    Reader("", lambda head: head.own, _by_lines("tables.read_own")),
    Reader("parquet feather arrow", _begins("PAR1", "ARROW1"), _of("parquet.read_parquet")),
    Reader(
        "xlsx ods",
        lambda head: sources.is_workbook(head.source.path),
        _of("workbook.read_workbook"),
    ),
    Reader("db sqlite sqlite3", _begins("SQLite format 3"), _of("tables.read_database")),
    Reader("html htm xls", _of("tables.is_page"), _of("tables.read_page")),
    Reader("xml", _begins("<"), _of("markup.read_session_log"), _of("markup.has_session")),
    Reader(
        "json jsonl ndjson",
        _begins("{", "["),
        _of("json_files.read_json"),
        _of("json_files.names_roles"),
    ),
    Reader("log", _of("trec.is_simiir"), _by_lines("trec.read_simiir")),
    Reader("", _of("trec.is_click_log"), _by_lines("trec.read_click_log")),
    Reader("qrels qrel run res trec", _of("trec.form_in"), _by_lines("trec.read_trec")),
    Reader("csv tsv txt", lambda _: True, _by_lines("tables.read_table"), _of("tables.has_header")),
)


def reader_of(head: sources.Head) -> Reader:
    """The first reader that recognises a file."""
    return next(reader for reader in FORMATS if reader.recognises(head))


in_trec_form = _of("trec.in_its_form")  # a run or qrels by its columns; another table as it is
parted_at_blanks = _of("trec.parted_at_blanks")  # lines that were read as a table of one column
