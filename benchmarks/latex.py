"""`make latex`: what `sdcg paper` writes of the sample, compiled in two classes of papers."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sdcg_explorer.commands import main as sdcg

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "sample_sessions" / "ecir2008"
RATINGS = ROOT / "sample_sessions" / "ecir2008_rated" / "ratings.csv"
CLASSES = {  # the document's class, style of references, and what it needs beside it
    "acmart": (r"\documentclass[sigconf,nonacm]{acmart}", "ACM-Reference-Format", ""),
    "llncs": (r"\documentclass{llncs}", "splncs04", r"\usepackage{booktabs,graphicx}"),
}
PAGE = r"""%s
%s
\title{A study}
\author{Nobody}
\begin{document}
\maketitle
\section{Methods}
\sloppy
\input{methods}
\nocite{*}
\section{Results}
\input{results}
\input{last_against_others}
\input{agreement}
\input{figures}
\bibliographystyle{%s}
\bibliography{references}
\end{document}
"""
WITHOUT = (
    "pdflatex is not installed here. Install Debian's texlive-publishers, texlive-latex-extra, "
    "texlive-fonts-extra and texlive-plain-generic."
)
ODD = re.compile(r"^(?:Overfull \\hbox|!|LaTeX Warning: (?:Citation|Reference)).*$", re.MULTILINE)


def main() -> int:
    """Compile each class; the number of those that have errors or boxes that are too full."""
    if not shutil.which("pdflatex"):
        print(WITHOUT)
        return len(CLASSES)
    return sum(_fails(name) for name in CLASSES)


def _fails(name: str) -> bool:
    head, style, packages = CLASSES[name]
    with TemporaryDirectory() as folder:
        out = Path(folder) / "paper"
        given = ["paper", str(SAMPLE), "--ratings", str(RATINGS), "--out", str(out)]
        if sdcg.main(given):
            return True
        (out / "page.tex").write_text(PAGE % (head, packages, style), encoding="utf-8")
        for command in ("pdflatex", "bibtex", "pdflatex", "pdflatex"):
            asked = ["-interaction=nonstopmode"] if command == "pdflatex" else []
            subprocess.run([command, *asked, "page"], cwd=out, check=False, capture_output=True)
        log = (out / "page.log").read_text(encoding="utf-8", errors="replace")
        found = ODD.findall(log)
        made = (out / "page.pdf").exists()
        print(f"{name}: {'compiled' if made else 'no PDF'}, {len(found)} lines to mend")
        print("".join(f"  {line}\n" for line in found), end="")
        if made and len(sys.argv) > 1:
            shutil.copy(out / "page.pdf", Path(sys.argv[1]) / f"{name}.pdf")
    return bool(found) or not made


if __name__ == "__main__":
    sys.exit(main())
