"""Written aside, synced, renamed: what a command writes is there whole, or as it was before."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from errno import ELOOP
from pathlib import Path

from sdcg_explorer.study.store.disk import sync

ENDING = ".part"
LONG = 100  # bytes of a name
KINDS: dict[str, Callable[[int], bool]] = {
    "link": stat.S_ISLNK,
    "folder": stat.S_ISDIR,
    "file": stat.S_ISREG,
    "fifo": stat.S_ISFIFO,
    "socket": stat.S_ISSOCK,
    "device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode),
}
Tell = Callable[[str], None]


def kind_of(path: Path) -> str:
    """What is at a path itself, which may be a link; "" where nothing is."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as fault:
        if fault.errno == ELOOP:  # a folder above leads back to itself
            return ""
        raise
    return next((name for name, is_kind in KINDS.items() if is_kind(mode)), "device")


@contextmanager
def aside_of(out: Path, tell: Tell) -> Generator[Path]:
    """A hidden name to write under beside `out`, gone at the end; what killed runs left goes first.

    Beside what stands in a folder that can't change places, it is within it.
    """
    room = out.parent if not out.is_dir() or can_move(out) else out
    room.mkdir(parents=True, exist_ok=True)
    # a name may be as long as names can be, and what is written beside it has a longer one
    own = os.fsencode(out.name)
    name = out.name if len(own) <= LONG else hashlib.sha256(own).hexdigest()[:32]
    pattern = f".{name}.{platform.node()}."
    for left in sorted(room.iterdir()):
        owner = left.name.removeprefix(pattern).partition(".")[0]
        ours = left.name.startswith(pattern) and left.name.endswith(ENDING)
        if ours and not _runs(owner):
            _remove(left)
            tell(f"{left}: left over of a run that was cut off, and removed.")
    aside = room / f"{pattern}{os.getpid()}{ENDING}"
    try:
        yield aside
    finally:
        _remove(aside)


def can_move(folder: Path) -> bool:
    """Whether a folder may be renamed without being missed: nobody is in it, nothing is mounted."""
    is_room = os.access(folder.parent, os.W_OK) and not os.path.ismount(folder)
    return is_room and not Path.cwd().is_relative_to(folder)


def put_file(aside: Path, out: Path) -> None:
    """Give a file that was written aside its place."""
    sync(aside)
    aside.replace(out)
    sync(out.parent)


def put_folder(aside: Path, out: Path, beside: list[Path]) -> None:
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
    _remove(old)


def put_files(aside: Path, out: Path, stale: list[Path]) -> None:
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
    _remove(old)


def _sync_all(folder: Path) -> None:
    for path in [*folder.rglob("*"), folder]:
        sync(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _runs(number: str) -> bool:
    """Whether a process may still run; where nobody can tell, it may."""
    if os.name == "nt" or not number.isdecimal():
        return os.name == "nt"
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
