"""The files of a paper: tables as LaTeX and CSV, figures, methods, BibTeX."""

from __future__ import annotations

from collections.abc import Callable

from sdcg_explorer.export.figure_files import Paper as Sheet
from sdcg_explorer.export.figure_files import Pictures, on_paper
from sdcg_explorer.export.figures_beside import beside
from sdcg_explorer.export.latex import cite, latex_safe, printed_table
from sdcg_explorer.export.link import ADDRESS, page_link
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.export.versions import versions
from sdcg_explorer.questions.paper import Paper, pages_of
from sdcg_explorer.questions.paper.bibliography import NAMED, OF_REFERENCES, bibtex, sources_of
from sdcg_explorer.questions.view import View
from sdcg_explorer.questions.wording import note_on

LATIN, SHOWN = 0x17F, 10  # the last letter that pdfLaTeX knows; letters that are named
KNOWN = frozenset("…“”‘’„‚†‡•‰€™")  # beyond it
FIGURES = r"""\begin{figure*}
\centering
%s
\caption{%s}
\end{figure*}
"""
DEFINITIONS = [*OF_REFERENCES.values()]
BOTH = r"\includegraphics[width=\textwidth]{figures}"
ONE = r"""\begin{minipage}{.49\textwidth}
\includegraphics[width=\linewidth]{%s}
\centering (%s)
\end{minipage}"""


def paper_files(
    paper: Paper, view: View, *, at: str = ADDRESS, tell: Callable[[str], None] = lambda _: None
) -> dict[str, bytes]:
    """Contents of the files by name, links to where the app is.

    tell : hears which figures could not be drawn
    """
    files: dict[str, bytes] = {}
    definition = [source.key for source in sources_of(paper.methods) if source in DEFINITIONS]
    for name, table in paper.tables.items():
        files[f"{name}.csv"] = table_bytes(table.numbers)
        printed = printed_table(name, table.cells, table.caption, table.best, definition)
        files[f"{name}.tex"] = (_needs(printed) + printed).encode()
    methods = f"{paper.methods}\nComputed with {versions()}.\n"
    texts = {
        "methods.txt": methods,
        "methods.tex": _cited("\n\n".join(map(latex_safe, methods.split("\n\n")))),
        "sentences.txt": "".join(f"{line}\n" for line in paper.said),
        "links.txt": "".join(
            f"{' '.join(filter(None, (name, score)))}: {page_link(page, view, score, at=at)}\n"
            for name, page, score in pages_of(paper)
        ),
        "references.bib": bibtex(methods + " ".join(t.caption for t in paper.tables.values())),
    }
    if paper.notes:
        texts["notes.txt"] = "\n\n".join(note_on(*each) for each in paper.notes.items())
    return files | {name: text.encode() for name, text in texts.items()} | _figures(paper, tell)


def _cited(text: str) -> str:
    """A text in LaTeX, which cites each source where it is first named."""
    for name, source in NAMED.items():
        named = latex_safe(name)
        text = text.replace(named, f"{named}{cite([source.key])}", 1)
    return text


def _needs(printed: str) -> str:
    """What must be known to compile a text, as a comment: letters that pdfLaTeX lacks."""
    odd = sorted({sign for sign in printed if ord(sign) > LATIN} - KNOWN)
    return f"% compile with LuaLaTeX or XeLaTeX, for {' '.join(odd[:SHOWN])}\n" if odd else ""


def _figures(paper: Paper, tell: Callable[[str], None]) -> dict[str, bytes]:
    """Figures at one column's width, and what sets them beside each other over both."""
    screen = {name: exhibit.figure for name, exhibit in paper.figures.items() if exhibit.figure}
    if not screen:
        return {}
    laid = {name: on_paper(figure, Sheet()) for name, figure in screen.items()}
    joined = beside(*screen.values()) if len(screen) == len("ab") else None
    laid |= {"figures": joined} if joined else {}
    pictures, files = Pictures(), dict[str, bytes]()
    for name, figure in laid.items():
        files |= pictures.files(name, figure)
    if pictures.missing:
        pictures.missing.append("figures.tex")
        tell(pictures.said)
        return files
    apart = "\\hfill\n".join(ONE % each for each in zip(screen, "ab", strict=False))
    both = BOTH if joined else apart
    return files | {"figures.tex": (FIGURES % (both, latex_safe(paper.caption))).encode()}
