"""Studies for notebooks: of paths, DataFrames and open files, by the readers of files."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import IO, Any, TypedDict, TypeVar

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.reading import sources, worker
from sdcg_explorer.reading.read import read_study, sample_studies
from sdcg_explorer.reading.recipe import DEFAULT, Recipe, read_recipe
from sdcg_explorer.study.problems import UnusableInputError, error
from sdcg_explorer.study.study import Study

Made = TypeVar("Made")


class FilterChoices(TypedDict, total=False):
    """Which sessions are looked at; fields of `Filters` (scoring/definition.py)."""

    systems: Sequence[str]
    topics: Sequence[str]
    searchers: Sequence[str]
    min_queries: int
    max_queries: int | None


def checked_choices(kind: type[Made], called: str, given: Mapping[str, Any]) -> Made:
    """Filters or a recipe of choices by name.

    Raises
    ------
    ValueError : a name that is not known, with those that are, or a value that is not offered
    """
    known = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
    for name in given:
        if name not in known:
            raise ValueError(f"{called} {name!r}; choose one of {', '.join(known)}.")
    return kind(**{name: _list_as_tuple(value) for name, value in given.items()})


def _list_as_tuple(value: Any) -> Any:
    """A list of names as filters have it."""
    is_several = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    return tuple(value) if is_several else value


File = str | os.PathLike[str] | pd.DataFrame | IO[str] | IO[bytes]
ROWS = 65_536  # of a group in Parquet


def samples() -> dict[str, Study]:
    """The studies that come with the explorer, by name, the one to begin with first."""
    return {study.name: study for study in sample_studies()}


def read(
    *files: File,
    judgments: File | None = None,
    ratings: File | Sequence[File] = (),
    name: str | None = None,
    recipe: Recipe | str | os.PathLike[str] = DEFAULT,
    **choices: Any,
) -> Study:
    """Study of a log and its judgments, as `sdcg` and the Data page read them.

    Parameters
    ----------
    files : paths (a file, a folder, a pattern, a zip), DataFrames with a row
        per result or judgment, or open files; log, judgments and ratings are known by content. Ids
        are text; a DataFrame's index comes along where it has names. Errors call a DataFrame by its
        place among all that is given, and its first row line 1
    judgments : judgments that are given as such, in place of any among the files
    ratings : one table or several, by session, by session and query number, or by searcher
    name : of the study; that of the first file unless given
    recipe : how files are read, or a recipe.toml that says so
    choices : fields of `Recipe`, which beat it: ``mapping={"session": "Sess"}``, ``rank_base=0``

    Returns
    -------
    the study: tables `sessions` (S rows), `queries`, `results` and `judgments`, and `problems`

    Raises
    ------
    UnusableInputError : everything that keeps it from being used, in its list `problems`
    ValueError : a choice or value that is not known, or something that is not a file

    Source: docs/formats.md.
    """
    chosen = recipe if isinstance(recipe, Recipe) else read_recipe(Path(recipe))
    chosen = checked_choices(Recipe, "choice", {**vars(chosen), **choices})
    asked: dict[str, Any] = {"name": name, "recipe": chosen}
    rated = list(ratings) if isinstance(ratings, list | tuple) else [ratings]
    beside = [] if judgments is None else [judgments]
    with sources.own_folder() as folder:
        every = enumerate([*files, *beside, *rated], 1)
        given = [_path_or_copied_file(file, Path(folder), place) for place, file in every]
        log, asked["ratings"] = given[: len(files)], given[len(given) - len(rated) :]
        judged = given[len(files)] if beside else None
        size = worker.size_of(map(sources.path_of, given))
        first = log[0] if len(log) == 1 else log
        where = log[0].name if log else "files"
        return worker.read_apart(read_study, first, judged, where=where, size=size, **asked)


def _path_or_copied_file(file: Any, folder: Path, place: int) -> sources.Given:
    """A path as it is; of all else the file that its readers read."""
    if isinstance(file, str | os.PathLike):
        return Path(file)
    own = folder / str(place) / "file"
    own.parent.mkdir()
    if isinstance(file, pd.DataFrame):
        name = f"DataFrame {place}"
        _write_frame(file, own, name)
    elif hasattr(file, "read"):
        called = getattr(file, "name", "")
        name = Path(called).name if isinstance(called, str) and called else f"file {place}"
        _copy_open_file(file, own)
    else:
        rule = "a study is read of paths, DataFrames and open files"
        raise ValueError(f"argument {place} is of type {type(file).__name__}; {rule}.")
    return sources.Source(name, own, within=str(place))


def _write_frame(frame: pd.DataFrame, path: Path, name: str) -> None:
    """Write a DataFrame as Parquet, which keeps text text, and whole numbers without a point."""
    try:
        if any(each is not None for each in frame.index.names):
            frame = frame.reset_index()
        table = pa.Table.from_pandas(frame, preserve_index=False)
        pq.write_table(table, path, ROWS, compression="none", use_dictionary=False)
    except (pa.ArrowException, TypeError, ValueError) as fault:
        found = " ".join(map(str, fault.args))
        rule = "each column has a name of its own, and values of one kind"
        remedy = 'Rename it, or make it text: frame[name].astype("str").'
        raise UnusableInputError([error(name, None, found, rule, remedy)]) from None


def _copy_open_file(file: IO[Any], path: Path) -> None:
    """Copy an open file from its start, or from where it stands if it can't go back."""
    if file.seekable():
        file.seek(0)
    with path.open("wb") as data:
        while chunk := file.read(sources.PIECE):
            data.write(chunk.encode("utf-8", "surrogatepass") if isinstance(chunk, str) else chunk)
