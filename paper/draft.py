"""A PDF of paper.md to read, by pandoc and WeasyPrint; the journal makes its own."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIST = HERE.parent / "build" / "paper"
PROGRAMS = ("pandoc", "weasyprint")


def missing() -> str:
    """What is not installed here, in a line; empty where a PDF can be made."""
    lacking = [name for name in PROGRAMS if not shutil.which(name)]
    return f"no PDF: {' and '.join(lacking)} not installed (Debian has both)." * bool(lacking)


def draft(folder: Path, out: Path) -> None:
    """Write the PDF of the paper that stands in a folder.

    Raises
    ------
    subprocess.CalledProcessError : pandoc or WeasyPrint finds a fault
    """
    out.parent.mkdir(exist_ok=True)
    given = ["paper.md", "--standalone", "--citeproc", "--metadata=lang:en-GB"]
    # authors and their affiliations, which the journal's head of YAML has as objects
    names = re.findall(r"^  - name: (.*)$", (folder / "paper.md").read_text("utf-8"), re.MULTILINE)
    given += [f"--metadata=author:{name}" for name in names]
    look = [f"--css={HERE / 'draft.css'}", "--pdf-engine=weasyprint", "--pdf-engine-opt=--quiet"]
    subprocess.run(["pandoc", *given, *look, f"--output={out}"], cwd=folder, check=True)


def main() -> None:
    """Make build/paper/paper.pdf, or say why there is none."""
    why, out = missing(), DIST / "paper.pdf"
    if not why:
        draft(HERE, out)
    sys.stdout.write(f"{why or out.relative_to(HERE.parent)}\n")


if __name__ == "__main__":
    main()
