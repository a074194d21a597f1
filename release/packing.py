"""An sdist and a wheel whose bytes follow from the files alone: no path, time, owner or umask."""

from __future__ import annotations

import gzip
import os
import sys
import tarfile
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

UMASK = 0o022
# of the build backend; standard output is the tools' own
ASK = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"


def packed(source: Path, out: Path, epoch: int) -> tuple[Path, Path]:
    """The sdist of a folder, and the wheel that is built of the sdist, in the folder `out`.

    Parameters
    ----------
    source : a copy of the project's files, which building adds to
    epoch : seconds since 1970, the time of every file within

    Raises
    ------
    subprocess.CalledProcessError : what setuptools refuses
    """
    out.mkdir(parents=True, exist_ok=True)
    _ask("build_sdist", source, out, epoch)
    (sdist,) = out.glob("*.tar.gz")
    _level(sdist, epoch)
    return sdist, wheel_of(sdist, out, epoch)


def wheel_of(sdist: Path, out: Path, epoch: int) -> Path:
    """The wheel that is built of an sdist."""
    with TemporaryDirectory() as folder, tarfile.open(sdist) as files:
        files.extractall(folder, filter=lambda member, _: member)  # our own, with its modes
        (source,) = Path(folder).iterdir()
        _ask("build_wheel", source, out, epoch)
    (wheel,) = out.glob("*.whl")
    return wheel


def _ask(what: str, source: Path, out: Path, epoch: int) -> None:
    """Ask the build backend, in a process whose folder is the source."""
    command = [sys.executable, "-c", ASK, what, str(out.resolve())]
    timed = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    done = run(command, cwd=source, env=timed, umask=UMASK, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        done.check_returncode()


def _level(sdist: Path, epoch: int) -> None:
    """Take from an sdist what setuptools leaves of this machine.

    See https://github.com/pypa/setuptools/issues/2133.
    """
    with tarfile.open(sdist) as old:
        files = [
            (member, old.extractfile(member) if member.isfile() else None)
            for member in sorted(old.getmembers(), key=lambda member: member.name)
        ]
        with (
            (sdist.with_suffix(".new")).open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=epoch) as packed_bytes,
            tarfile.open(fileobj=packed_bytes, mode="w", format=tarfile.PAX_FORMAT) as new,
        ):
            for member, content in files:
                member.uid = member.gid = 0
                member.uname = member.gname = ""
                member.mtime, member.pax_headers = epoch, {}
                member.mode = 0o755 if member.isdir() else 0o644
                new.addfile(member, content)
    sdist.with_suffix(".new").replace(sdist)
