"""Where a command writes: what a former run of it wrote is replaced, all else only if asked to.

A folder that is not there, is empty, or holds what sdcg wrote takes the files, whatever else lies
in it; a zip takes the place of a zip of ours. All is written aside and put in place when it is
whole (study/store/write_aside.py). Links, devices, fifos and sockets are never replaced
(decision 138).
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import ENAMETOOLONG
from pathlib import Path
from typing import BinaryIO

from sdcg_explorer.questions.words.wording import enumerated
from sdcg_explorer.study.problems import cut
from sdcg_explorer.study.store.disk import FULL
from sdcg_explorer.study.store.write_aside import (
    ENDING,
    Tell,
    aside_of,
    can_move,
    kind_of,
    put_file,
    put_files,
    put_folder,
)
from sdcg_explorer.study.sums import sum_of

WRITTEN = ".sdcg_written"  # in each folder: digest and name of what commands wrote there
COMMENT = b"sdcg export"  # of each zip
ELSE = "Name another place for --out"
FORMS = ("pdf", "svg")  # of its figures
PAPER_TABLES = ("results", "last_against_others", "agreement")
_KEPT = ("definition.toml", "methods.txt")
FILES = {  # that each command may write
    "score": (
        *("queries.csv", "sessions.csv", "session_curves.csv", "query_order.csv", *_KEPT),
        *("sessions.parquet", "scores.csv", "sample.zip"),
    ),
    "compare": (
        *("comparison.csv", "last_against_others.csv", "next_study.csv", "compare.txt"),
        *("topics.csv", "outcomes.csv", "outcome_corners.csv", "outcome_pairs.csv", *_KEPT),
        *("judge_next.csv", "judge_next.qrels"),
    ),
    "agreement": (
        *("agreement.csv", "agreement_map.csv", "agreement_apart.csv", "agreement_systems.csv"),
        *("agreement.txt", *_KEPT),
    ),
    "paper": (
        *(f"{each}.csv" for each in PAPER_TABLES),
        *(f"{each}.tex" for each in (*PAPER_TABLES, "figures", "methods")),
        *(
            f"{each}.{form}"
            for each in ("query_order", "session_curves", "figures")
            for form in ("pdf", "svg")
        ),
        *("methods.txt", "sentences.txt", "references.bib", "notes.txt", "links.txt"),
    ),
    "robustness": (*("robustness.csv", "all_definitions.csv", "robustness.txt", *_KEPT),),
    "fit": ("fits.csv", "cells.csv", "fit.txt", *_KEPT),
}
Ask = Callable[[str, str], bool]


@contextmanager
def writing(command: str, out: Path, may: Ask, tell: Tell) -> Iterator[Path]:
    """A folder to write a command's files to, which are in `out` when they are whole.

    may : whether to go on, as a sentence and a question ask · tell : hears what was tidied up

    Raises
    ------
    ValueError : the place can't be, or may not be, written to; the disk is full
    """
    with _in_words(out):
        place = _resolved(out)  # a link to a folder stays one
        _check_folder(command, place, out, may)
    with _in_words(out), aside_of(place, tell) as folder:
        folder.mkdir()
        yield folder
        _put(command, folder, place)


def _put(command: str, folder: Path, place: Path) -> None:
    """Put files in their place, and with them what says which sdcg wrote."""
    known, there = _known(place), [*place.iterdir()] if place.is_dir() else []
    new = {(path.name, sum_of(path)) for path in folder.iterdir() if path.is_file()}
    beside = [path for path in there if path.name not in (*FILES[command], WRITTEN)]
    moves = not there or (can_move(place) and all(_is_known(path, known) for path in beside))
    stay = beside if moves else there  # until the last of the new has its place
    still = {(path.name, sum_of(path)) for path in stay if _is_known(path, known)}
    lines = [f"{digest}  {name}\n" for name, digest in sorted(still | new)]
    (folder / WRITTEN).write_text("".join(lines), encoding="utf-8")
    if moves:
        put_folder(folder, place, beside)
        return
    kept = {WRITTEN, *(path.name for path in folder.iterdir())}
    stale = [path for path in there if path not in beside and path.name not in kept]
    put_files(folder, place, [p for p in stale if p.is_dir() or _is_known(p, known)])


def _is_known(path: Path, known: set[tuple[str, str]]) -> bool:
    return kind_of(path) == "file" and (path.name, sum_of(path)) in known


@contextmanager
def writing_zip(out: Path, may: Ask, tell: Tell) -> Iterator[BinaryIO]:
    """A file to write a zip to, which takes its place when it is whole.

    Raises
    ------
    ValueError : the place can't be, or may not be, written to; the disk is full
    """
    with _in_words(out):
        _check_kind("export", out, "file")
        _refuse([out] if out.exists() and not _is_ours(out) else [], "export", may)
    with _in_words(out), aside_of(out.absolute(), tell) as aside:
        with aside.open("xb") as file:
            yield file
        put_file(aside, out)


def _check_folder(command: str, place: Path, out: Path, may: Ask) -> None:
    """Refuse a place that is no folder, that holds something else, or files that are not ours."""
    _check_kind(command, place if out.is_dir() else out, "folder")
    known = _known(place)
    names = {each.name for each in place.iterdir()} if place.is_dir() else set[str]()
    files = [out / name for name in FILES[command] if name in names]
    for path in files:
        _check_kind(command, path, "file")
    _refuse([path for path in files if not _is_known(path, known)], command, may)
    if any(not name.endswith(ENDING) for name in names) and not (known or files):
        rule = "files are there already, none of which sdcg wrote"
        if not may(f"{out}: {rule}.", "Write beside them?"):
            raise ValueError(f"{out}: {rule}. {ELSE}, or write beside them by --force.")


def _check_kind(command: str, path: Path, kind: str) -> None:
    """Refuse what a command can't put a file or folder in the place of."""
    room = next(each for each in path.absolute().parents if kind_of(each))
    for place, wanted in ((path, kind), (_resolved(room), "folder")):
        if (found := kind_of(place)) not in ("", wanted):
            rule = f"sdcg {command} writes a {wanted} there, in the place of no other thing"
            raise ValueError(f"{place}: a {found}; {rule}. {ELSE}.")


def _resolved(path: Path) -> Path:
    """Where links lead; one that leads back to itself stays what it is."""
    try:
        return path.resolve()
    except RuntimeError:
        return path.absolute()


def _refuse(others: list[Path], command: str, may: Ask) -> None:
    if not others:
        return
    said = cut(enumerated([str(path) for path in others]), 200)
    rule = f"there already, and not as sdcg {command} wrote it"
    if not may(f"{said}: {rule}.", "Replace?"):
        raise ValueError(f"{said}: {rule}. {ELSE}, or replace it by --force.")


@contextmanager
def _in_words(out: Path) -> Iterator[None]:
    """A disk that is full, or can't be written to, as a sentence."""
    try:
        yield
    except OSError as fault:
        if fault.errno == ENAMETOOLONG:
            raise ValueError(f"{cut(str(out), 200)}: the name is too long. {ELSE}.") from None
        place = str(fault.filename)
        own = ENDING in place or place in map(str, (out, *out.absolute().parents))
        if fault.errno not in FULL and not own:
            raise
        rule = "all is written beside it first, and what passes the memory, too"
        do = "Free some room" if fault.errno in FULL else "Check that it can be written to"
        said = f"{out}: {fault.strerror or fault}; {rule}. {do}, or name another place for --out"
        raise ValueError(f"{said}: nothing of it was kept.") from None


def _is_ours(path: Path) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return archive.comment == COMMENT


def _known(folder: Path) -> set[tuple[str, str]]:
    """Names and digests of what was written there."""
    path = folder / WRITTEN
    if kind_of(path) != "file":
        return set()
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return {(name, digest) for digest, _, name in (line.partition("  ") for line in lines)}
