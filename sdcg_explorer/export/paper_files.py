"""The files of a paper: tables as LaTeX and CSV, figures, methods, BibTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from sdcg_explorer.export.figure_files import CONTROL, Pictures, paper_figure
from sdcg_explorer.export.link import ADDRESS, page_link
from sdcg_explorer.export.tables import table_bytes, versions
from sdcg_explorer.metrics.arrays import Bools
from sdcg_explorer.questions.bibliography import NAMED, OF_REFERENCES, bibtex, cited_sources
from sdcg_explorer.questions.paper import Paper, table_pages
from sdcg_explorer.questions.view import View
from sdcg_explorer.questions.wording import note_with_question

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

FIGURES = r"""\begin{figure*}
\centering
%s
\caption{%s}
\end{figure*}
"""
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
    of, named = OF_REFERENCES.values(), cited_sources(paper.methods)
    definition = [source.key for source in named if source in of]
    for name, table in paper.tables.items():
        files[f"{name}.csv"] = table_bytes(table.numbers)
        printed = paper_latex_table(name, table.cells, table.caption, table.best, definition)
        files[f"{name}.tex"] = printed.encode()
    methods = f"{paper.methods}\nComputed with {versions()}.\n"
    texts = {
        "methods.txt": methods,
        "methods.tex": _add_citations("\n\n".join(map(latex_safe, methods.split("\n\n")))),
        "sentences.txt": "".join(f"{line}\n" for line in paper.said),
        "links.txt": "".join(
            f"{' '.join(filter(None, (name, score)))}: {page_link(page, view, score, at=at)}\n"
            for name, page, score in table_pages(paper)
        ),
        "references.bib": bibtex(methods + " ".join(t.caption for t in paper.tables.values())),
    }
    if paper.notes:
        texts["notes.txt"] = "\n\n".join(note_with_question(*each) for each in paper.notes.items())
    return files | {name: text.encode() for name, text in texts.items()} | _figures(paper, tell)


def _add_citations(text: str) -> str:
    """A text in LaTeX, which cites each source where it is first named."""
    for name, source in NAMED.items():
        named = latex_safe(name)
        text = text.replace(named, f"{named}{cite([source.key])}", 1)
    return text


def _figures(paper: Paper, tell: Callable[[str], None]) -> dict[str, bytes]:
    """Figures at one column's width, and what sets them beside each other over both."""
    screen = {name: exhibit.figure for name, exhibit in paper.figures.items() if exhibit.figure}
    if not screen:
        return {}
    pictures, files = Pictures(), dict[str, bytes]()
    for name, figure in screen.items():
        files |= pictures.files(name, paper_figure(figure))
    if pictures.missing:
        pictures.missing.append("figures.tex")
        tell(pictures.said)
        return files
    both = "\\hfill\n".join(ONE % each for each in zip(screen, "ab", strict=False))
    return files | {"figures.tex": (FIGURES % (both, latex_safe(paper.caption))).encode()}


# the table is pandas'; its own escaping leaves < > − → and line ends, and the caption, as they are
ESCAPED = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "−": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
}
NAMES = ("Score", "System", "Queries")  # columns of words
UNDEFINED = "--"
LATEX_DIGITS = 3  # significant, of a column's largest number


def latex_table(table: pd.DataFrame, caption: str) -> str:
    r"""A table to \input into a paper that loads booktabs; undefined cells show a dash.

    >>> print(latex_table(pd.DataFrame({"a_b": ["x"], "n": [1.5]}), "Two & more"))
    \begin{table}
    \centering
    \caption{Two \& more}
    \begin{tabular}{lr}
    \toprule
    a\_b & n \\
    \midrule
    x & 1.50 \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    named = table.set_axis([str(name) for name in table.columns], axis=1)
    written: Any = {name: _cell_formatter(column) for name, column in named.items()}
    sides = ["r" if pd.api.types.is_numeric_dtype(named[name]) else "l" for name in named]
    styled = named.reset_index(drop=True).style.format(written, na_rep=UNDEFINED)
    return _styled_latex(styled, sides, caption)


def paper_latex_table(
    name: str, cells: pd.DataFrame, caption: str, best: Bools, sources: Sequence[str] = ()
) -> str:
    r"""A table of texts as a paper prints it, small; its label for \ref is tab: and its name.

    best : (N,) rows whose mean is in bold · sources : keys that the caption cites
    """
    bold = pd.DataFrame("", index=cells.index, columns=cells.columns)
    bold.loc[best, [str(name) for name in cells if "[" in str(name)]] = "textbf:--rwrap;"
    sides = ["l" if name in NAMES else "r" for name in cells]
    styled = cells.style.format(latex_safe).apply(lambda _: bold, axis=None)
    printed = _styled_latex(styled, sides, caption, label=f"tab:{name}", cited=cite(sources))
    return printed.replace(r"\centering", "\\centering\\small\n\\setlength{\\tabcolsep}{3pt}")


def _styled_latex(
    styled: Styler, sides: list[str], caption: str, label: str | None = None, cited: str = ""
) -> str:
    """A styled table as LaTeX, with rules, and its columns on their sides."""
    return (
        styled.hide(axis="index")
        .format_index(latex_safe, axis="columns")
        .to_latex(
            hrules=True,
            position_float="centering",
            column_format="".join(sides),
            caption=f"{latex_safe(caption)}{cited}",
            label=label,
        )
    )


def cite(sources: Sequence[str]) -> str:
    r"""What cites sources by their keys.

    >>> cite(["a2008", "b2011"]), cite([])
    ('~\\cite{a2008,b2011}', '')
    """
    return f"~\\cite{{{','.join(sources)}}}" if sources else ""


def latex_safe(text: object) -> str:
    r"""Text as LaTeX prints it, on one line: commands, comments and math would act otherwise.

    After the end of a row a bracket or a star would be its argument; what no font prints is a ?.

    >>> latex_safe("50 % of a_b"), latex_safe("[5] x")
    ('50 \\% of a\\_b', '{}[5] x')
    """
    plain = re.sub(CONTROL, "?", str(text))
    line = " ".join(plain.translate(str.maketrans(ESCAPED)).split())
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


def _cell_formatter(column: pd.Series) -> Callable[[Any], str]:
    """How a column's cells are written."""
    if not pd.api.types.is_float_dtype(column.dtype):
        return latex_safe
    values = column.to_numpy(dtype=float, na_value=np.nan)
    known = np.abs(values[np.isfinite(values)])
    whole = bool((known == np.round(known)).all())
    top = float(known.max(initial=0.0))
    decimals = 0 if whole or not top else max(0, LATEX_DIGITS - 1 - math.floor(math.log10(top)))
    return partial(_latex_number, decimals=decimals)


def _latex_number(value: float, decimals: int) -> str:
    """A number with a true minus, none before what is rounded to 0."""
    return latex_safe(f"{value:z.{decimals}f}".replace("-", "−").replace("inf", "∞"))
