"""Reading in two steps, between which whoever brings the files looks over what they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from sdcg_explorer.reading.assemble import add_ratings, assemble
from sdcg_explorer.reading.cells import NUMBER, WHOLE
from sdcg_explorer.reading.mapping import ROLES, SESSION
from sdcg_explorer.reading.own_study import About
from sdcg_explorer.reading.raw_table import KINDS, SCORE
from sdcg_explorer.reading.read import read_parts
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.reading.table_kinds import Part, events_of
from sdcg_explorer.study.grades import FEW_GRADES
from sdcg_explorer.study.study import Study

LOOKED_AT = 2_000  # rows


def proposed(part: Part, known: Collection[str] = ()) -> Part:
    """A part as it could be meant: its missing roles, and if need be its kind, by content.

    `known` are the kinds that are there already, and need no guess.
    """
    if events_of(part):  # whose sessions and queries come of them
        return part
    missing = [kind for kind in ("log", "judgments") if kind not in known]
    kinds = missing if part.kind == "other" and part.raw.header else (part.kind,)
    for kind in kinds:
        taken = replace(part, kind=kind)
        taken = replace(taken, given={**taken.columns, **guessed(taken)})
        needed = {role.name for role in ROLES.get(kind, ()) if role.required}
        if kind == part.kind:
            return taken
        if needed <= set(taken.columns):
            return replace(taken, why="guessed from what its columns hold")
    return part


def guessed(part: Part) -> dict[str, str]:
    """Role → column for roles that are needed and missing, by what the columns hold.

    A guess is shown to whoever accepts the study; the command line makes none.
    """
    if part.kind not in ("log", "judgments"):
        return {}
    named = part.columns
    needed = [role.name for role in ROLES[part.kind] if role.required and role.name not in named]
    free = {
        name: _cells(part, name)
        for name in part.raw.header
        if name not in named.values() and not (part.raw.known.scored and name == SCORE)
    }
    columns: dict[str, str] = {}
    searchers = _cells(part, named["searcher"]) if "searcher" in named else []
    for role in ("rank", "grade", "query_number", "session", "doc"):
        if role in needed and free:
            scores = {name: FITS[role](cells) for name, cells in free.items()}
            if role == SESSION.name and searchers:
                scores |= {
                    name: 0.0 for name, of in free.items() if not _each_of_one(of, searchers)
                }
            best = max(scores, key=lambda name: scores[name])
            if scores[best] > 0:
                columns[role] = best
                del free[best]
    if part.raw.nested and part.raw.nested.ranks({**named, **columns}) is not None:
        columns.pop("rank", None)  # results stand in the order of their list
    return columns


def _cells(part: Part, name: str) -> list[str]:
    """The first cells of a column, as text."""
    return part.raw.rows[name].astype("str").iloc[:LOOKED_AT].tolist()


def _each_of_one(cells: list[str], searchers: list[str]) -> bool:
    """Whether each value stands beside one searcher alone, as a session does, and no condition."""
    return len({*zip(cells, searchers, strict=True)}) == len({*cells})


def _steps(cells: list[str]) -> list[int] | None:
    """Differences from row to row of whole numbers; None where a cell is none."""
    if not all(WHOLE.fullmatch(cell.strip()) for cell in cells) or len(cells) < 2:
        return None
    numbers = [int(float(cell)) for cell in cells]
    return [b - a for a, b in pairwise(numbers)]


def _as_rank(cells: list[str]) -> float:
    """Share of rows that count on from the row before."""
    filled = [cell for cell in cells if cell.strip()]
    steps = _steps(filled)
    share = sum(step == 1 for step in steps) / len(steps) if steps else 0.0
    restarts = any(step < 0 for step in steps or [])
    return share if share >= 0.5 and restarts else 0.0


def _as_query_number(cells: list[str]) -> float:
    """Share of rows that stay or go one further, in a column that starts anew."""
    steps = _steps(cells)
    share = sum(step in (0, 1) for step in steps) / len(steps) if steps else 0.0
    moved = any(steps or [])
    return share if share >= 0.7 and moved and min(steps or [0]) < 0 else 0.0


def _as_session(cells: list[str]) -> float:
    """One over the runs per value: 1 where each value stands in one run of rows; 0 below ½."""
    runs = 1 + sum(a != b for a, b in pairwise(cells))
    values = len(set(cells))
    fits = 1 < values < len(cells) and 2 * values >= runs and all(map(str.strip, cells))
    return values / runs if fits else 0.0


def _as_doc(cells: list[str]) -> float:
    """Share of distinct texts; numbers are less likely ids."""
    filled = [cell for cell in cells if cell.strip()]
    if not filled:
        return 0.0
    plain = all(NUMBER.fullmatch(cell.strip()) for cell in filled)
    return len(set(filled)) / len(filled) / (4 if plain else 1)


def _as_grade(cells: list[str]) -> float:
    """One over the distinct numbers, where they are few."""
    values = {cell.strip() for cell in cells if cell.strip()}
    few = 0 < len(values) <= FEW_GRADES
    return 1 / len(values) if few and all(NUMBER.fullmatch(value) for value in values) else 0.0


FITS: dict[str, Callable[[list[str]], float]] = {
    "rank": _as_rank,
    "query_number": _as_query_number,
    "session": _as_session,
    "doc": _as_doc,
    "grade": _as_grade,
}


def tables_of(sources: Sequence[Source]) -> tuple[About, list[Part]]:
    """Tables of files, each as what it is or could be meant: what is asked first, then logs.

    Raises
    ------
    UnusableInputError : a file that can't be read
    """
    about, parts = read_parts(sources)
    known = {part.kind for part in parts}
    seen = [proposed(part, known) for part in parts]
    return about, sorted(seen, key=lambda part: ("", *KINDS).index(part.kind))


def study_of_tables(about: About, parts: list[Part], *, name: str, rules: Rules) -> Study:
    """The study that tables make, with all that is known of it already.

    Raises
    ------
    UnusableInputError : everything that keeps the tables from being a study
    """
    return _known(about.checked(assemble(parts, name=about.name or name, rules=rules)))


def study_with_ratings(
    about: About, study: Study, parts: list[Part], rules: Rules | None = None
) -> Study:
    """A study that is there already, with the ratings of these tables.

    about : what lies beside the tables

    Raises
    ------
    UnusableInputError : everything that keeps the ratings from joining
    """
    joined = add_ratings(study, parts, rules)
    joined.report.files.extend(about.files)
    return _known(joined)


def _known(study: Study) -> Study:
    """A study whose digest and warnings are counted, and go with it to another process."""
    _ = study.digest, study.problems
    return study
