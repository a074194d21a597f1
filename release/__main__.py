"""Build dist/ of the last commit, twice, and try what was built: `make release`."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from release.environment import Environment, materials
from release.front_page import front_page
from release.packing import packed

ROOT = Path(__file__).parents[1]


def git(*asked: str) -> bytes:
    """What git says of the project."""
    return subprocess.run(["git", "-C", str(ROOT), *asked], check=True, capture_output=True).stdout


def exported(folder: Path) -> Path:
    """The files of the last commit, in a folder; its README as a package index shows it."""
    with tarfile.open(fileobj=BytesIO(git("archive", "HEAD"))) as files:
        files.extractall(folder, filter=lambda member, _: member)
    readme = folder / "README.md"
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    readme.write_text(front_page(readme.read_text(encoding="utf-8"), project), encoding="utf-8")
    return folder


def built(out: Path, aside: Path, epoch: int) -> Environment:
    """Everything but the sums, in `out`; and the environment in which it is installed."""
    source = exported(aside / "source")
    _, wheel = packed(source, out, epoch)
    environment = Environment(aside / "environment")
    environment.install(wheel, source / "constraints.txt")
    materials(environment, source / "pyproject.toml", wheel, epoch)
    return environment


def sums(out: Path) -> str:
    """A line for each file of a folder, as sha256sum reads them."""
    files = sorted(path for path in out.iterdir() if path.name != "SHA256SUMS")
    return "".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in files)


def main() -> None:
    """Write dist/, or end with what differs or does not run."""
    if git("status", "--porcelain", "--untracked-files=no"):
        sys.stderr.write("Not committed: changes of this folder are left out.\n")
    epoch, out = int(git("log", "-1", "--format=%ct")), ROOT / "dist"
    shutil.rmtree(out, ignore_errors=True)
    with TemporaryDirectory() as one, TemporaryDirectory(prefix="other place") as other:
        environment = built(out, Path(one), epoch)
        before, zone = os.umask(0o077), os.environ.get("TZ")
        os.environ["TZ"] = "Pacific/Auckland"
        built(Path(other) / "dist", Path(other), epoch)
        os.umask(before)
        os.environ["TZ"] = zone or "UTC"
        if sums(out) != sums(Path(other) / "dist"):
            sys.exit(f"Two builds differ:\n{sums(out)}{sums(Path(other) / 'dist')}")
        environment.tried(Path(one) / "source" / "sample_sessions" / "three_sessions")
    (out / "SHA256SUMS").write_text(sums(out), encoding="utf-8")
    sys.stdout.write((out / "SHA256SUMS").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
