"""What the heads of files tell of the options, before any of them is read whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sdcg_explorer.reading.formats import reader_of
from sdcg_explorer.reading.head import LOOKED_AT, Head
from sdcg_explorer.reading.mapping import ROLES, map_columns
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.reading.run_order import no_scores
from sdcg_explorer.reading.sources import Given, Source, files_of
from sdcg_explorer.reading.table_kinds import Part, of_kind, recognised, taken_as
from sdcg_explorer.reading.topics import no_key
from sdcg_explorer.study.problems import Problem, UnusableInputError, refuse

PACKED = (b"\x1f\x8b", b"PK", b"\xff\xfe", b"\xfe\xff")  # or of two bytes a letter
TREC = ("run", "qrels")


def look_first(
    paths: Sequence[Given],
    judgments: Given | None,
    ratings: Sequence[Given],
    mapping: Mapping[str, str],
    rules: Rules,
) -> list[Part]:
    """The heads as parts, where all columns can be known by them; else nothing.

    Raises
    ------
    UnusableInputError : a file that is not there, or an option that no such files can meet; a
        large file alone whose head shows what no further line sets right
    """
    beside = [path for path in (judgments,) if path]
    every = [files_of(path) for path in (*ratings, *beside, *paths)]
    of_judged = every[len(ratings) : len(every) - len(paths)]
    for kind, given in (("judgments", of_judged), ("log", every[-len(paths) :])):
        if [len(sources) for sources in given] == [1]:
            refuse(_told_at_once(given[0][0], kind, mapping))
    if not (mapping or rules.judged_by or rules.order == "score"):
        return []
    rated = _heads(every[: len(ratings)], mapping, "ratings")
    judged = _heads(of_judged, mapping, "judgments")
    given = _heads(every[len(every) - len(paths) :], mapping)
    known = judged if beside else given and of_kind(given, "judgments")
    refuse(_key_missing(rules.judged_by, known or [], given or [] if not ratings else []))
    if rules.order == "score" and given:
        logs = of_kind(given, "log")
        refuse([no_scores(logs[0].raw.file)] if logs and not _scored(logs) else [])
    parts = [given, judged, rated]
    return [] if None in parts else [part for some in parts for part in some or ()]


def _key_missing(by: str, judged: Sequence[Part], given: Sequence[Part]) -> list[Problem]:
    """What judgments are to go by is a column of neither all judgments nor all logs."""
    if not by:
        return []
    tables = [part for part in of_kind(given, "log") if "session" in part.columns]
    for parts in (judged, tables):
        ids = [part for part in parts if "query_number" in part.columns and by == "topic"]
        if parts and not ids and not any(by in part.columns for part in parts):
            file = (judged or parts)[0].raw.file
            return [no_key(by, parts[0].raw.file, file)]
    return []


def _scored(logs: Iterable[Part]) -> bool:
    return any(part.raw.known.scored for part in logs)


def _heads(
    every: Sequence[Sequence[Source]], mapping: Mapping[str, str], kind: str = ""
) -> list[Part] | None:
    """Parts that the heads of files make, of one kind where they were given as such.

    None where a head does not tell all columns.
    """
    parts: list[Part] = []
    for source in (each for sources in every for each in sources if not each.unread):
        raw = _head_of(source, mapping)
        if raw is None:
            return None
        parts += [taken_as(part, kind, "it was given so") for part in raw] if kind else raw
    return parts


def _told_at_once(source: Source, kind: str, mapping: Mapping[str, str]) -> list[Problem]:
    """What is wrong with a large file by its head, whatever follows.

    Lines of a run or qrels without their parts; no documents, and no column that could hold any.
    """
    if source.unread or source.path.stat().st_size <= LOOKED_AT:  # which is soon read
        return []
    try:
        tables = _tables_of_head(source)
    except UnusableInputError as refused:
        return refused.problems if reader_of(Head(source)).name in TREC else []
    problems: list[Problem] = []
    for part in (taken_as(recognised(raw, dict(mapping)), kind, "") for raw in tables or ()):
        problems += _without_docs(part)
    return problems


def _without_docs(part: Part) -> list[Problem]:
    """The error of a table whose columns all play a role, and none that of documents."""
    raw = part.raw
    columns, lacking = map_columns(raw.header, ROLES[part.kind], part.given, raw.file)
    if "doc" in columns or {*raw.header} - {*columns.values()} or raw.exact or raw.first:
        return []
    return lacking


def _head_of(source: Source, mapping: Mapping[str, str]) -> list[Part] | None:
    """Parts of the whole lines that a file begins with."""
    try:
        tables = _tables_of_head(source)
    except UnusableInputError:  # which is said once the whole is read
        return None
    return None if tables is None else [recognised(raw, dict(mapping)) for raw in tables]


def _tables_of_head(source: Source) -> list[RawTable] | None:
    """Tables of the whole lines that a file begins with; None where it does not go by lines.

    Raises
    ------
    UnusableInputError : lines that are not as their form has them
    """
    head = Head(source)
    reader = reader_of(head)
    if not reader.by_lines or head.data.startswith(PACKED) or b"\n" not in head.data:
        return None
    with TemporaryDirectory() as folder:
        aside = Path(folder) / "head"
        aside.write_bytes(head.data[: head.data.rfind(b"\n") + 1])
        return reader.tables(replace(source, path=aside))
