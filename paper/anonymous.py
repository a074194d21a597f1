"""`make anonymous`: repository and paper without what says who made them.

It is build/paper/anonymous.zip: the last commit without its history. Names, mails and addresses are
replaced in every text, and what is left of them is an error wherever it stands: also a name that is
found and can't be replaced, as one that HTML or a zip hides. With ``--try`` it
is unpacked, installed and tested, too.
"""

from __future__ import annotations

import io
import stat
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from paper.draft import DIST, draft, missing
from paper.identities import identities
from paper.left_over import as_words, left_over, within

ROOT = Path(__file__).resolve().parent.parent
OUT = DIST / "anonymous.zip"
DROPPED = (".github/", ".mailmap", "CODEOWNERS")  # of the place where it is developed
TRIED = ("tests/unit", "-q", "-k", "metrics")

Entry = tuple[ZipInfo, bytes]


def entries(root: Path) -> list[Entry]:
    """Files and links of the last commit, with what replaces the names in texts."""
    asked = ["git", "archive", "--format=zip", "HEAD"]
    packed = subprocess.run(asked, cwd=root, check=True, capture_output=True).stdout
    names = identities(root)
    with ZipFile(io.BytesIO(packed)) as archive:
        kept = [each for each in archive.infolist() if not each.filename.startswith(DROPPED)]
        return [(_undated(each), replaced(archive.read(each), names)) for each in kept]


def _undated(entry: ZipInfo) -> ZipInfo:
    made = ZipInfo(entry.filename)  # of 1980: commits are dated
    made.external_attr, made.create_system = entry.external_attr, entry.create_system
    made.compress_type = ZIP_DEFLATED
    return made


def replaced(data: bytes, names: dict[str, str]) -> bytes:
    """A text with others in place of the names; what is no text stays as it is.

    >>> replaced(b"By THE MAKERS.", {"The Makers": "Anonymous authors"})
    b'By Anonymous authors.'
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    for name in [*within(text, names)]:
        text = as_words(name).sub(lambda _, to=names[name]: to, text)
    return text.encode()


def with_draft(found: list[Entry]) -> list[Entry]:
    """The same with the anonymous paper as a PDF, where one can be made."""
    if missing():
        return found
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for entry, data in found:
            if entry.filename in ("paper/paper.md", "paper/paper.bib"):
                (folder / Path(entry.filename).name).write_bytes(data)
        draft(folder, folder / "paper.pdf")
        made = ZipInfo("paper/paper.pdf")
        made.external_attr = (stat.S_IFREG | 0o644) << 16
        return [*found, (made, (folder / "paper.pdf").read_bytes())]


def faults(found: list[Entry], names: dict[str, str]) -> list[str]:
    """Where something is left that says who made it: by a file's name, or within it."""
    left = {
        each.filename: left_over(data, names) | left_over(each.filename.encode(), names)
        for each, data in found
    }
    return [f"{name}: {each}" for name, here in left.items() for each in sorted(here)]


def unpack(archive: Path, folder: Path) -> None:
    """Unpack with links, which Python's own unpacking makes files of."""
    with ZipFile(archive) as packed:
        for entry in packed.infolist():
            place = folder / entry.filename
            if stat.S_ISLNK(entry.external_attr >> 16):
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(packed.read(entry).decode())
            else:
                packed.extract(entry, folder)


def try_out(archive: Path) -> None:
    """Install what was unpacked into an environment of its own, and run some of its tests.

    Raises
    ------
    subprocess.CalledProcessError : it can't be installed, or a test fails
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(archive, folder)
        venv.create(folder / ".venv", with_pip=True)
        python = str(folder / ".venv" / "bin" / "python")
        install = [python, "-m", "pip", "install", "-q", "-c", "constraints.txt", "-e", ".[dev]"]
        for command in (install, [python, "-m", "pytest", *TRIED]):
            subprocess.run(command, cwd=folder, check=True)


def main() -> int:
    """Write the archive; where a name is left, say where, and write none."""
    found = with_draft(entries(ROOT))
    if why := missing():
        sys.stdout.write(f"{why}\n")
    if left := faults(found, identities(ROOT)):
        sys.stdout.write("".join(f"{line}\n" for line in left))
        return 1
    OUT.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(OUT, "w", ZIP_DEFLATED) as archive:
        for entry, data in found:
            archive.writestr(entry, data)
    sys.stdout.write(f"{OUT.relative_to(ROOT)}: {len(found):,} files, nobody's name\n")
    if "--try" in sys.argv[1:]:
        try_out(OUT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
