"""Readers: what a file is, found by its content, and the Study that a log and judgments make."""

from __future__ import annotations

from pathlib import Path

from study.assemble import assemble
from study.checks import UnusableInputError, error
from study.mapping import looks_like_header
from study.raw import RawTable
from study.readers.tables import read_table
from study.readers.trec import read_qrels, read_session_log
from study.study import Study

__all__ = ["read_study"]


def read_study(
    log: Path,
    judgments: Path | None = None,
    *,
    name: str | None = None,
    mapping: dict[str, str] | None = None,
) -> Study:
    """Study of a log and its judgments.

    Parameters
    ----------
    log : CSV (comma, semicolon or tab), or TREC Session Track XML
    judgments : CSV, or TREC qrels; without it the grades in the log serve
    name : of the study; the log's name without its ending unless given
    mapping : role → column, where a column goes by a name that is not known

    Raises
    ------
    UnusableInputError : everything that keeps the files from being used, each with its place
    """
    for path in (log, judgments):
        if path is not None and not path.is_file():
            rule, remedy = "each file to be read exists", "Check the path."
            raise UnusableInputError([error(str(path), None, "no such file", rule, remedy)])
    tables = _read(log), None if judgments is None else _read(judgments)
    return assemble(*tables, name=name or log.stem, mapping=mapping or {})


def _read(path: Path) -> RawTable:
    with path.open("rb") as data:
        head = data.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        return read_session_log(path)
    lines = [line for line in head.decode("latin-1").splitlines() if line.strip()]
    qrels = lines and 2 * sum(_is_qrel(line) for line in lines) >= len(lines)
    if qrels and not looks_like_header(lines[0].split()):
        return read_qrels(path)
    return read_table(path)


def _is_qrel(line: str) -> bool:
    parts = line.split()
    return len(parts) == 4 and parts[3].lstrip("+-").replace(".", "").isdecimal()
