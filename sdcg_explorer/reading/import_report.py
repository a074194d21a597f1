"""The import report that parts make: every file with its role and rows, and what to be wary of."""

from __future__ import annotations

from collections.abc import Sequence

from sdcg_explorer.reading.cells import Findings
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.scored_tables import SCORED
from sdcg_explorer.reading.table_kinds import Part, of_kind
from sdcg_explorer.study.problems import Problem, note
from sdcg_explorer.study.report import CLASHES, SET_ASIDE, FileRead, Report

NO_FILE = Problem(
    "warning",
    "judgments",
    None,
    "no judgments file",
    "the log's own grades serve, and the ideal is then the best of what was shown",
    "Give the judgments as a second file.",
)


def _set_aside(part: Part) -> Problem:
    remedy = "Nothing to do, unless it belongs to the study."
    return note(part.raw.file, "a file that was set aside", part.why.rstrip("."), remedy)


def _taken(part: Part) -> Problem:
    """Note what numbers by query and document were taken for."""
    what, other = ("a run", "judgments") if part.kind == "log" else ("judgments", "a run")
    remedy = f"If they are {other}, give the log first and the judgments second, or say so on Data."
    return note(part.raw.file, f"numbers read as {what}", part.why, remedy)


def import_report(raw: RawTable, parts: Sequence[Part], found: Findings, *, own: bool) -> Report:
    """What was changed, and what to be wary of, the readers' own remarks included."""
    notes = [note for part in parts for note in part.raw.notes] + [NO_FILE] * own
    notes += [_set_aside(part) for part in of_kind(parts, "other")]
    notes += [_taken(part) for part in parts if part.raw.known == SCORED and part.kind != "other"]
    changes = [change for part in parts for change in part.raw.changes] + found.changes
    files = files_read(parts, found)
    problems = [*found.problems, *notes]
    return Report(raw.file, problems, changes, raw.withheld, files, found.methods)


def files_read(parts: Sequence[Part], found: Findings) -> list[FileRead]:
    """Every table that was found: what it is, its rows, and those of them that were used."""
    read: list[FileRead] = []
    for part in parts:
        raw, role = part.raw, SET_ASIDE if part.kind == "other" else part.kind
        clashes = sum(each.lines.size for each in raw.changes if each.rule in CLASHES)
        for file, rows in raw.each_file():
            number = rows.stop - rows.start
            used = 0 if role == SET_ASIDE else number - found.unused[file]
            size = (number + clashes, used) if raw.header else (None, None)
            read.append(FileRead(file, role, *size, part.why.rstrip(".")))
    return read
