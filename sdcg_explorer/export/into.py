"""Where a command writes: what a former run of it wrote is replaced, all else only if asked to.

A folder that is not there, is empty, or holds what sdcg wrote takes the files, whatever else lies
in it; a zip takes the place of a zip of ours. All is written aside, synced and
renamed, so that it is there whole, or as it was before. Links, devices, fifos and sockets are never
replaced.
"""

import hashlib
import os
import platform
import shutil
import stat
import zipfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from errno import ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR
from pathlib import Path
from typing import BinaryIO

from sdcg_explorer.questions.wording import enumerated
from sdcg_explorer.study.machine import FULL, sum_of, sync
from sdcg_explorer.study.problems import cut

WRITTEN = ".sdcg_written"  # in each folder: digest and name of what commands wrote there
COMMENT = b"sdcg export"  # of each zip
ELSE = "Name another place for --out"
PAPER_TABLES = ("results", "last_against_others", "agreement")
_KEPT = ("definition.toml", "methods.txt")
OF_PARTS = ("sessions.parquet", "scores.csv", "sample.zip")  # with an engine alone
FILES = {  # that each command may write
    "score": (
        *("queries.csv", "sessions.csv", "session_curves.csv", "query_order.csv", *_KEPT),
        *OF_PARTS,
    ),
    "compare": (
        *("comparison.csv", "last_against_others.csv", "next_study.csv", "compare.txt"),
        *("summary.csv", "order.csv", "order_effects.csv"),
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
        *("query_order.pdf", "query_order.svg", "session_curves.pdf", "session_curves.svg"),
        *("methods.txt", "sentences.txt", "references.bib", "notes.txt", "links.txt"),
    ),
    "robustness": (
        *("robustness.csv", "all_definitions.csv", "judges.csv", "assessors.csv", "robustness.txt"),
        *("sample.zip", *_KEPT),
    ),
    "fit": ("fits.csv", "cells.csv", "fit.txt", *_KEPT),
}
ENDING = ".part"
LONG = 100  # bytes of a name
KINDS = {"l": "link", "d": "folder", "-": "file", "p": "fifo", "s": "socket"}  # as ls has them
Ask = Callable[[str, str], bool]
Tell = Callable[[str], None]


@contextmanager
def output_folder(command: str, out: Path, may: Ask, tell: Tell) -> Iterator[Path]:
    """A folder to write a command's files to, which are in `out` when they are whole.

    may : whether to go on, as a sentence and a question ask · tell : hears what was tidied up

    Raises
    ------
    ValueError : the place can't be, or may not be, written to; the disk is full
    """
    with _disk_faults_in_words(out):
        place = Path(os.path.realpath(out))  # a link to a folder stays one
        _check_folder(command, place, out, may)
    with _disk_faults_in_words(out), temporary_path_beside(place, tell) as folder:
        folder.mkdir()
        yield folder
        _move_files_into_place(command, folder, place)


def _move_files_into_place(command: str, folder: Path, place: Path) -> None:
    """Put files in their place, and with them what says which sdcg wrote."""
    known, there = _recorded_names_and_digests(place), [*place.iterdir()] if place.is_dir() else []
    new = {(path.name, sum_of(path)) for path in folder.iterdir() if path.is_file()}
    beside = [path for path in there if path.name not in (*FILES[command], WRITTEN)]
    moves = (not there or can_be_renamed(place)) and all(_is_recorded(p, known) for p in beside)
    stay = beside if moves else there  # until the last of the new has its place
    still = {(path.name, sum_of(path)) for path in stay if _is_recorded(path, known)}
    lines = [f"{digest}  {name}\n" for name, digest in sorted(still | new)]
    (folder / WRITTEN).write_text("".join(lines), encoding="utf-8")
    if moves:
        replace_folder(folder, place, beside)
        return
    kept = {WRITTEN, *(path.name for path in folder.iterdir())}
    stale = [path for path in there if path not in beside and path.name not in kept]
    replace_files(folder, place, [p for p in stale if p.is_dir() or _is_recorded(p, known)])


def _is_recorded(path: Path, known: set[tuple[str, str]]) -> bool:
    return path_kind(path) == "file" and (path.name, sum_of(path)) in known


@contextmanager
def output_zip(out: Path, may: Ask, tell: Tell) -> Iterator[BinaryIO]:
    """A file to write a zip to, which takes its place when it is whole.

    Raises
    ------
    ValueError : the place can't be, or may not be, written to; the disk is full
    """
    with _disk_faults_in_words(out):
        _check_kind("export", out, "file")
        _ask_before_replacing([out] if out.exists() and not _is_ours(out) else [], "export", may)
    with _disk_faults_in_words(out), temporary_path_beside(out.absolute(), tell) as aside:
        with aside.open("xb") as file:
            yield file
        sync(aside)
        aside.replace(out)
        sync(out.parent)


def _check_folder(command: str, place: Path, out: Path, may: Ask) -> None:
    """Refuse a place that is no folder, that holds something else, or files that are not ours."""
    _check_kind(command, place if out.is_dir() else out, "folder")
    known = _recorded_names_and_digests(place)
    names = {each.name for each in place.iterdir()} if place.is_dir() else set[str]()
    files = [out / name for name in FILES[command] if name in names]
    for path in files:
        _check_kind(command, path, "file")
    _ask_before_replacing([path for path in files if not _is_recorded(path, known)], command, may)
    if any(not name.endswith(ENDING) for name in names) and not (known or files):
        rule = "there are files already, none written by sdcg"
        if not may(f"{out}: {rule}.", "Add to them?"):
            raise ValueError(f"{out}: {rule}. {ELSE}, or add to them by --force.")


def _check_kind(command: str, path: Path, kind: str) -> None:
    """Refuse what a command can't put a file or folder in the place of."""
    room = next(each for each in path.absolute().parents if path_kind(each))
    for place, wanted in ((path, kind), (Path(os.path.realpath(room)), "folder")):
        if (found := path_kind(place)) not in ("", wanted):
            rule = f"sdcg {command} writes and replaces only a {wanted} there"
            raise ValueError(f"{place}: a {found}; {rule}. {ELSE}.")


def _ask_before_replacing(others: list[Path], command: str, may: Ask) -> None:
    if not others:
        return
    said = cut(enumerated([str(path) for path in others]), 200)
    rule = f"there already, and not as sdcg {command} wrote it"
    if not may(f"{said}: {rule}.", "Replace?"):
        raise ValueError(f"{said}: {rule}. {ELSE}, or overwrite it: --force.")


@contextmanager
def _disk_faults_in_words(out: Path) -> Iterator[None]:
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
        rule = "files are first written beside it, and what exceeds memory, too"
        do = "Free some disk space" if fault.errno in FULL else "Check that it can be written to"
        said = f"{out}: {fault.strerror or fault}; {rule}. {do}, or name another place for --out"
        raise ValueError(f"{said}: nothing was kept.") from None


def _is_ours(path: Path) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return archive.comment == COMMENT


def _recorded_names_and_digests(folder: Path) -> set[tuple[str, str]]:
    """Names and digests of what was written there."""
    path = folder / WRITTEN
    if path_kind(path) != "file":
        return set()
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return {(name, digest) for digest, _, name in (line.partition("  ") for line in lines)}


def path_kind(path: Path) -> str:
    """What is at a path itself, which may be a link; "" where nothing is."""
    try:
        mode = path.lstat().st_mode
    except OSError as fault:
        if fault.errno in (ENOENT, ENOTDIR, ELOOP):  # the last: a folder above leads back to itself
            return ""
        raise
    return KINDS.get(stat.filemode(mode)[0], "device")


@contextmanager
def temporary_path_beside(out: Path, tell: Tell) -> Generator[Path]:
    """A hidden name to write under beside `out`, gone at the end; what killed runs left goes first.

    Beside what stands in a folder that can't change places, it is within it.
    """
    room = out.parent if not out.is_dir() or can_be_renamed(out) else out
    room.mkdir(parents=True, exist_ok=True)
    # a name may be as long as names can be, and what is written beside it has a longer one
    own = os.fsencode(out.name)
    name = out.name if len(own) <= LONG else hashlib.sha256(own).hexdigest()[:32]
    pattern = f".{name}.{platform.node()}."
    for left in sorted(room.iterdir()):
        owner = left.name.removeprefix(pattern).partition(".")[0]
        ours = left.name.startswith(pattern) and left.name.endswith(ENDING)
        if ours and not _is_process_running(owner):
            _remove_file_or_folder(left)
            tell(f"{left}: left over from an interrupted run, and removed.")
    aside = room / f"{pattern}{os.getpid()}{ENDING}"
    try:
        yield aside
    finally:
        _remove_file_or_folder(aside)


def can_be_renamed(folder: Path) -> bool:
    """Whether a folder may be renamed without being missed: nobody is in it, nothing is mounted."""
    is_room = os.access(folder.parent, os.W_OK) and not os.path.ismount(folder)
    return is_room and not Path.cwd().is_relative_to(folder)


def replace_folder(aside: Path, out: Path, beside: list[Path]) -> None:
    """Give a folder that was written aside its place at once, with the files of `out` that stay."""
    for path in beside:
        shutil.copy2(path, aside / path.name)
    _sync_all(aside)
    old = aside.with_name(f"{aside.name}.old{ENDING}")
    if out.exists():
        shutil.copymode(out, aside)
        out.rename(old)
    aside.rename(out)
    sync(out.parent)
    _remove_file_or_folder(old)


def replace_files(aside: Path, out: Path, stale: list[Path]) -> None:
    """The same file by file, where a folder can't change places; what is `stale` goes."""
    _sync_all(aside)
    old = aside.with_name(f"{aside.name}.old{ENDING}")
    old.mkdir()
    for path in sorted(aside.iterdir()):
        target = out / path.name
        if target.is_dir():
            target.rename(old / path.name)
        path.replace(target)
    for path in stale:
        path.rename(old / path.name)
    sync(out)
    _remove_file_or_folder(old)


def _sync_all(folder: Path) -> None:
    for path in [*folder.rglob("*"), folder]:
        sync(path)


def _remove_file_or_folder(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _is_process_running(number: str) -> bool:
    """Whether a process may still run; where nobody can tell, it may."""
    if os.name == "nt" or not number.isdecimal():
        return os.name == "nt"
    with suppress(ProcessLookupError):
        with suppress(PermissionError):
            os.kill(int(number), 0)
        return True
    return False
