"""Reading: the Study that files make together, whatever form each of them has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from study.problems import Problem, UnusableInputError, error, refuse
from study.reading.aside import own_folder
from study.reading.assemble import assemble
from study.reading.formats import reader_of
from study.reading.head import Head
from study.reading.lists_in_cells import list_of
from study.reading.mapping import CORRECT, LOG_ROLES, NONE, ROLES, is_called
from study.reading.own_study import About, is_beside, own_table, read_about
from study.reading.raw_table import RawTable, texts_of
from study.reading.rules import Rules
from study.reading.scored_tables import SCORED, kind_of_scored
from study.reading.sources import Source, sources_of
from study.reading.table_kinds import Part, of_kind, recognised, stem, taken_as
from study.study import Study

Files = Path | Sequence[Path]


def read_study(
    log: Files,
    judgments: Path | None = None,
    *,
    ratings: Sequence[Path] = (),
    name: str | None = None,
    mapping: dict[str, str] | None = None,
    rules: Rules | None = None,
) -> Study:
    """Study of a log and its judgments, in any of the forms that are read.

    Parameters
    ----------
    log : a file, several, a folder, a pattern, a zip; judgments and ratings may be among them
    judgments : without them (here or among the files) the grades in the log serve
    ratings : tables keyed by session, by session and query number, or by searcher
    name : of the study; the log's name without its ending unless given
    mapping : role → column, where a column goes by a name that is not known; FILE:ROLE → column
        reaches one file, and "" stands for no column
    rules : how doubtful input is taken

    Raises
    ------
    UnusableInputError : everything that keeps the files from being used, each with its place
    """
    given = mapping or {}
    paths = [log] if isinstance(log, Path) else list(log)
    alone = len(paths) == 1 and paths[0].is_file()
    about, parts = read_parts(paths, mapping=given)
    if alone and len(parts) == 1:
        parts = _as_kind(parts, "log")
    if judgments is not None:
        parts = [part for part in parts if part.kind != "judgments"]
        parts += _as_kind(read_parts([judgments], mapping=given)[1], "judgments")
    for path in ratings:
        parts += _as_kind(read_parts([path], mapping=given)[1], "ratings")
    _check_mapping(given, parts)
    first = paths[0].name if paths[0].exists() else parts[0].raw.file
    called = name or about.name or stem(first)
    return about.checked(assemble(parts, name=called, rules=rules))


def read_parts(
    given: Iterable[Path | Source],
    *,
    mapping: dict[str, str] | None = None,
    said: Callable[[str], None] | None = None,
) -> tuple[About, list[Part]]:
    """What each file is, and what a study written by us says about itself.

    Parameters
    ----------
    said : is told the name of each file before it is read

    Raises
    ------
    UnusableInputError : a file that looks like a table or log and can't be read
    """
    about, parts = About(), list[Part]()
    with own_folder() as folder:
        sources = sources_of(given, Path(folder))
        named = [source for source in sources if source.name.rpartition("/")[2] == "study.toml"]
        if len(named) > 1:
            rule, remedy = "files make one study", "Give one of them."
            raise UnusableInputError([error(named[1].name, None, "a second study", rule, remedy)])
        for source in named:
            about = read_about(source)
        for source in sources:
            if source in named or (about.file and is_beside(source.name, about.file)):
                continue
            if said is not None:
                said(source.name)
            own = bool(about.file and own_table(source.name, about.file))
            parts += _parts(Head(source, own), mapping or {}, alone=len(sources) == 1)
    if not parts:
        rule, remedy = "a study needs a log and judgments", "Give their files."
        raise UnusableInputError([error("files", None, "no table", rule, remedy)])
    about, parts = about.with_parts(parts)
    return about, _beside(parts)


def _check_mapping(mapping: dict[str, str], parts: list[Part]) -> None:
    """Each role that is given a column exists, and so does the column, in some file or the named.

    A role that a table needs can't be taken from all its columns.
    """
    known = [role.name for role in LOG_ROLES]
    first = parts[0].raw.file
    problems: list[Problem] = []
    for key, column in mapping.items():
        name, _, role = key.rpartition(":")
        meant = [part for part in parts if not name or is_called(part.raw.file, name)]
        there = [column for part in meant for column in part.raw.header]
        if not meant:
            rule = f"the files are {', '.join(part.raw.file for part in parts)}"
            problems.append(error("--map", None, f"no file {name!r}", rule, CORRECT))
        elif role not in known:
            rule = f"the roles are {', '.join(known)}"
            problems.append(error(first, None, f"role {role!r}", rule, CORRECT))
        elif column and column not in there:
            rule = f"the file's columns are {', '.join(meant[0].raw.header)}"
            file = meant[0].raw.file
            problems.append(error(file, 1, f"no column {column!r}", rule, CORRECT))
        elif not column:
            problems += _needed(meant if name else of_kind(meant, "log"), role)
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


def _as_kind(parts: list[Part], kind: str) -> list[Part]:
    """Parts as what they were given as."""
    as_given = f"it was given as {kind}"
    if len(parts) == 1:
        return [taken_as(parts[0], kind, as_given)]
    return [p if p.kind == kind else taken_as(p, "other", as_given) for p in parts]


def _beside(parts: list[Part]) -> list[Part]:
    """Parts, where those that hold numbers by query and document are what the others leave."""
    taken = list(parts)
    for i, part in enumerate(parts):
        if part.raw.known == SCORED and len(parts) > 1:
            others = [other for other in taken if other is not part and other.kind != "other"]
            docs = {doc for other in others for doc in _docs(other)}
            kinds = {other.kind for other in others}
            taken[i] = taken_as(part, *kind_of_scored(part.raw, docs, kinds))
    return taken


def _docs(part: Part) -> Iterator[str]:
    """Documents of a part, those in lists too."""
    for text in texts_of(part.raw.rows[part.columns["doc"]]) if "doc" in part.columns else ():
        yield text
        yield from list_of(text)


def _parts(head: Head, mapping: dict[str, str], *, alone: bool) -> list[Part]:
    """Tables of a file; one that is neither log nor table is set aside, not refused."""
    reader, file = reader_of(head), head.source.name
    try:
        return [recognised(raw, mapping) for raw in reader.read(head.source)]
    except MemoryError:
        rule, remedy = "a file fits into memory as it is read", "Split it, or use a larger machine."
        refused = [error(file, None, "more than memory holds", rule, remedy)]
        raise UnusableInputError(refused) from None
    except UnusableInputError as refused:
        if alone or reader.seems_ours(head):
            raise
        found = refused.problems[0]
        return [Part(RawTable(file, pd.DataFrame()), "other", f"{found.found}; {found.rule}")]
