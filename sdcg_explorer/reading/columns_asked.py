"""Whether what was said of columns fits the files: roles by --map, names by --columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdcg_explorer.reading.mapping import (
    CORRECT,
    FOLD,
    NONE,
    ROLE_NAMES,
    ROLES,
    is_called,
    unknown_roles,
)
from sdcg_explorer.reading.table_kinds import Part, of_kind
from sdcg_explorer.study.problems import Problem, Remedy, error, refuse
from sdcg_explorer.study.wording import counted


def check_mapping(mapping: dict[str, str], parts: list[Part]) -> None:
    """Each role that is given a column exists, and so does the column, in some file or the named.

    A role that a table needs can't be taken from all its columns.
    """
    if not parts:
        return
    problems = unknown_roles(mapping, parts[0].raw.file)
    for key, column in mapping.items():
        name, _, role = key.rpartition(":")
        meant = [part for part in parts if not name or is_called(part.raw.file, name)]
        there = [column for part in meant for column in part.raw.header]
        if not meant:
            rule = f"the files are {', '.join(part.raw.file for part in parts)}"
            problems.append(error("--map", None, f"no file {name!r}", rule, CORRECT))
        elif column and column not in there and role in ROLE_NAMES:
            rule = f"the file's columns are {', '.join(meant[0].raw.header)}"
            file = meant[0].raw.file
            problems.append(error(file, 1, f"no column {column!r}", rule, CORRECT))
        elif not column and role in ROLE_NAMES:
            problems += _needed(meant if name else of_kind(meant, "log"), role)
    refuse(problems)


def check_columns(
    columns: Mapping[str, Sequence[str]], bare: Sequence[tuple[str, Sequence[str]]]
) -> None:
    """Refuse names of columns that fit none of the `bare` tables: file, and first row."""
    remedy = Remedy("Correct --columns.", f"Give each column its role: “{FOLD}”.")
    problems: list[Problem] = []
    for file, names in columns.items():
        meant = [(name, first) for name, first in bare if not file or is_called(name, file)]
        if not any(first and len(first) == len(names) for _, first in meant):
            there = [f"{name} has {len(first)}" for name, first in meant if first]
            rule = "they name the columns of a table without a header row, one each"
            has = f", and {', '.join(there)}" if there else ""
            found = f"{counted(len(names), 'name')}{f' for {file}' * bool(file)}"
            problems.append(error("--columns", None, found, f"{rule}{has}", remedy))
    refuse(problems)


def _needed(parts: list[Part], role: str) -> list[Problem]:
    """Errors for a role that tables can't do without."""
    needing = [
        part.raw.file
        for part in parts
        if any(each.name == role and each.required for each in ROLES.get(part.kind, ()))
    ]
    rule = f"a table of its kind needs a column for {role}"
    return [error(file, None, f"{role}={NONE}", rule, CORRECT) for file in needing]
