"""Whether the numbers of a bundle are those of its study: all are made again and compared."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice, takewhile, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters, read_definition
from sdcg_explorer.export.bundle import write_bundle
from sdcg_explorer.export.versions import changed_since_1, made_by
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.own_study import OTHER_DIGEST, SUMS
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.sources import sources_of
from sdcg_explorer.reading.worker import read_apart, size_of
from sdcg_explorer.study.problems import Problem, UnusableInputError, cut, error

DEFINITION = "scores/definition.toml"
FOLDERS = ("scores", "comparison", "agreement", "figures")
ENDINGS = (".csv", ".txt", ".toml")
BEFORE = 40  # characters of a line that are shown before the first that differs
MOST_TOLD = 1_000  # of one file
KEY = 2  # columns that name a row
NOTHING, UNMADE = "no line", "a file that is not made of the study"
EQUAL = 1e-9  # relative: machines round the last digits otherwise
NOTHING_LEFT = 1e-12  # a difference that is 0 but for that
SEARCHED = {"figures/fits.csv": 1e-5}  # minima, which a search finds to fewer digits
RULE = "numbers of a bundle are those of its study under its definition"
REMEDY = "Take the bundle as it was downloaded, or export it again."


@dataclass(frozen=True)
class Verified:
    """What was made again of a bundle: files, numbers in tables, and each thing that differs.

    The first of these is the study, where its tables were changed since. Of a bundle that an older
    major version made (`made_by`), `changed` says why columns are not compared, by column.
    """

    files: int
    numbers: int
    differing: tuple[Problem, ...]
    changed: dict[str, str] = field(default_factory=dict[str, str])
    made_by: str = ""


def verify(bundle: Path) -> Verified:
    """Make the tables and texts of a bundle again, of its own study, and compare them.

    Pictures, report.html and README.txt, which show the same numbers, are left out. Of a bundle
    that an older major version made, the tables are compared in the columns that both have.

    Raises
    ------
    UnusableInputError : no bundle, or one whose study can't be read
    """
    with TemporaryDirectory() as unpacked, TemporaryDirectory() as folder:
        files = _files_of(bundle, Path(unpacked))
        older = made_by(files.get("README.txt"))
        listed = files[SUMS].read_text(errors="replace") if SUMS in files else ""
        given = {name: path for name, path in files.items() if _is_compared(name, older)}
        study = read_apart(read_study, bundle, where=bundle.name, size=size_of([bundle]))
        again = Path(folder) / "again.zip"
        view = StudyView(study, *_definition_of(bundle, files[DEFINITION]))
        grades = view.definition.grades
        with again.open("wb") as sink:
            write_bundle(sink, view, numbers_alone=True)
        with zipfile.ZipFile(again) as made:
            names = {name: None for name in made.namelist() if _is_compared(name, older)}
            found = [
                _compared(name, given.get(name), made.read(name), older and grades)
                for name in names
                if not older or name in given or f"  {name}\n" in listed
            ]
    more = () if older else given.keys() - names
    unmade = [error(name, None, UNMADE, RULE, REMEDY) for name in sorted(more)]
    changed = [each for each in study.problems if each.found == OTHER_DIGEST]
    differing = [*changed, *(problem for each in found for problem in each.differing), *unmade]
    moved = {column: why for each in found for column, why in each.changed.items()}
    numbers = sum(each.numbers for each in found)
    return Verified(len(found), numbers, tuple(differing), moved, older)


def _definition_of(bundle: Path, path: Path) -> tuple[Definition, Filters]:
    """Definition and filters of a bundle, its faults with the place that they have there."""
    try:
        return read_definition(path)
    except ValueError as fault:
        place = f"{bundle.name}, {DEFINITION}"
        raise ValueError(f"{place}{str(fault).removeprefix(str(path))}") from None


def _files_of(bundle: Path, folder: Path) -> dict[str, Path]:
    """The files of a bundle, by their names there, wherever the bundle's folder lies.

    Raises
    ------
    UnusableInputError : no bundle
    """
    files = {each.name: each.path for each in sources_of([bundle], folder) if not each.unread}
    around = next((n.removesuffix(DEFINITION) for n in files if n.endswith(DEFINITION)), None)
    if around is None:
        rule, remedy = f"a bundle has {DEFINITION}", "Give the zip that sdcg export wrote."
        raise UnusableInputError([error(bundle.name, None, "no bundle", rule, remedy)])
    return {n.removeprefix(around): path for n, path in files.items() if n.startswith(around)}


def _is_compared(name: str, older: str) -> bool:
    """Whether a file is made again; the sentences of an older version may be worded otherwise."""
    endings = ".csv" if older else ENDINGS
    return name.partition("/")[0] in FOLDERS and name.endswith(endings)


def _compared(name: str, given: Path | None, again: bytes, older: str) -> Verified:
    """One file as it was given, and as it is made again.

    older : the grades that count in a bundle of an older version; "" in one of this
    """
    if given is None:
        return Verified(1, 0, (error(name, None, "no such file", RULE, REMEDY),))
    content = given.read_bytes()
    was, made = (_table(each) if name.endswith(".csv") else None for each in (content, again))
    numbers = 0 if made is None else int(np.isfinite(_numbers(made)).sum())
    if content == again:
        return Verified(1, numbers, ())
    if older and was is not None and made is not None:
        changed = changed_since_1(name, older)
        was, made, changed = _in_common(was, made, changed)
        if was.shape == made.shape:
            moved = {f"{column} of {name}": why for column, why in changed.items()}
            return Verified(1, numbers, tuple(_first(name, _cells(name, was, made))), moved)
    if was is None or made is None or was.shape != made.shape or [*was.iloc[0]] != [*made.iloc[0]]:
        return Verified(1, numbers, tuple(_first(name, _lines(name, content, again))))
    return Verified(1, numbers, tuple(_first(name, _cells(name, was, made))))


def _in_common(
    was: pd.DataFrame, made: pd.DataFrame, changed: dict[str, str]
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, str]]:
    """Two tables in the columns that both have; why others of them are left out.

    Ranks beyond the longest list, which 1.0 wrote as well, are left out.
    """
    one, other = ([*map(str, table.iloc[0])] for table in (was, made))
    both = [name for name in other if name in one]
    changed = {name: why for name, why in changed.items() if name in both}
    if "rank" in both:
        is_rank = was[one.index("rank")].isin(made[other.index("rank")])
        was = was[is_rank].reset_index(drop=True)
    kept = [name for name in both if name not in changed]
    was, made = was[[one.index(name) for name in kept]], made[[other.index(name) for name in kept]]
    for table in (was, made):
        table.columns = pd.RangeIndex(len(kept))
    return was, made, changed


def _first(name: str, differing: Iterator[Problem]) -> Iterator[Problem]:
    """As many as a reader may want of one file, and how many more there are."""
    yield from islice(differing, MOST_TOLD)
    if more := sum(1 for _ in differing):
        yield error(name, None, f"{more:,} more that differ", RULE, REMEDY)


def _table(content: bytes) -> pd.DataFrame | None:
    """Cells of a CSV as texts, its header the first row; None where it is no table."""
    try:
        table = pd.read_csv(BytesIO(content), header=None, dtype=str, keep_default_na=False)
    except ValueError:
        return None
    return table if len(table) else None


def _numbers(table: pd.DataFrame) -> Floats:
    """Numbers of a table's cells, (rows, columns); nan where a cell is none."""
    columns = [pd.to_numeric(table[name], errors="coerce") for name in table]
    return np.column_stack([np.asarray(column, dtype=float) for column in columns])


def _cells(name: str, was: pd.DataFrame, now: pd.DataFrame) -> Iterator[Problem]:
    """Each cell of two tables of one form that differs, and by more than machines round."""
    apart = was.to_numpy() != now.to_numpy()
    bound = SEARCHED.get(name, EQUAL)
    apart &= ~np.isclose(_numbers(was), _numbers(now), rtol=bound, atol=NOTHING_LEFT)
    head, texts = [*now.iloc[0]], [table.to_numpy(dtype=str) for table in (was, now)]
    for row, column in np.argwhere(apart).tolist():
        key = ", ".join(f"{what} {cut(str(texts[1][row, i]))}" for i, what in enumerate(head[:KEY]))
        old, new = (repr(cut(str(table[row, column]))) for table in texts)
        found = f"row {row:,} ({key}): {head[column]} is {old}, made again {new}"
        yield error(name, None, found, RULE, REMEDY)


def _lines(name: str, was: bytes, now: bytes) -> Iterator[Problem]:
    """Each line of two texts that differs."""
    both = (each.decode("utf-8", "replace").splitlines() for each in (was, now))
    for number, (old, new) in enumerate(zip_longest(*both), start=1):
        if old != new:
            both_have = zip(old or "", new or "", strict=False)
            same = sum(1 for _ in takewhile(lambda signs: signs[0] == signs[1], both_have))
            said = [_around(each, same) for each in (old, new)]
            yield error(name, number, f"{said[0]}, made again {said[1]}", RULE, REMEDY)


def _around(text: str | None, place: int) -> str:
    """What stands around a place of a line."""
    if text is None:
        return NOTHING
    first = max(0, place - BEFORE)
    return repr(f"{'…' * (first > 0)}{cut(text[first:])}")
