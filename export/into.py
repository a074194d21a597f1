"""Where a command writes: what a former run of it wrote is replaced, all else only if asked to."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import BinaryIO

from analysis.wording import enumerated
from study.problems import cut

WRITTEN = ".sdcg_written"  # in each folder: digest and name of what commands wrote there
COMMENT = b"sdcg export"  # of each zip
_KEPT = ("definition.toml", "methods.txt")
FILES = {  # that each command may write
    "score": ("queries.csv", "sessions.csv", "session_curves.csv", "query_order.csv", *_KEPT),
    "compare": (
        *("comparison.csv", "last_against_others.csv", "next_study.csv", "compare.txt"),
        *_KEPT,
    ),
    "agreement": (
        *("agreement.csv", "agreement_map.csv", "agreement_apart.csv", "agreement_systems.csv"),
        *("agreement.txt", *_KEPT),
    ),
    "robustness": (*("robustness.csv", "all_definitions.csv", "robustness.txt", *_KEPT),),
}
Ask = Callable[[str], bool]


@contextmanager
def writing(command: str, out: Path, may: Ask) -> Iterator[None]:
    """Check a folder that a command writes into, and keep what it wrote.

    may : whether files, as a sentence says them, may be replaced

    Raises
    ------
    ValueError : they may not
    """
    known = _known(out)
    names = [name for name in FILES[command] if (out / name).exists()]
    _refuse([out / name for name in names if known.get(name) != _digest(out / name)], command, may)
    yield
    there = {name: _digest(out / name) for name in FILES[command] if (out / name).is_file()}
    lines = [f"{digest}  {name}\n" for name, digest in sorted((known | there).items())]
    (out / WRITTEN).write_text("".join(lines), encoding="utf-8")


@contextmanager
def writing_zip(out: Path, may: Ask) -> Iterator[BinaryIO]:
    """A file to write a zip to, which takes its place when it is whole.

    Raises
    ------
    ValueError : a file that is there may not be replaced
    """
    if out.is_dir():
        raise ValueError(f"{out} is a folder; a zip is written. Name a file.")
    _refuse([out] if out.exists() and not _is_ours(out) else [], "export", may)
    aside = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with aside.open("xb") as file:
            yield file
        aside.replace(out)
    finally:
        aside.unlink(missing_ok=True)


def _refuse(others: list[Path], command: str, may: Ask) -> None:
    if not others:
        return
    said = cut(enumerated([str(path) for path in others]), 200)
    rule = f"there already, and not as sdcg {command} wrote it"
    if not may(f"{said}: {rule}."):
        raise ValueError(f"{said}: {rule}. Name another place for --out, or replace it by --force.")


def _is_ours(path: Path) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return archive.comment == COMMENT


def _known(folder: Path) -> dict[str, str]:
    """Digests by name of what was written there."""
    path = folder / WRITTEN
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _digest(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
