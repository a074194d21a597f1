"""The files of a paper: tables as LaTeX and CSV, figures, methods, BibTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.export.figure_files import (
    CONTROL,
    CSS,
    INCH,
    TEXT,
    WIDTHS,
    Pictures,
    paper_figure,
)
from sdcg_explorer.export.link import ADDRESS, page_link
from sdcg_explorer.export.tables import table_bytes, versions
from sdcg_explorer.figures import style
from sdcg_explorer.metrics.arrays import Bools
from sdcg_explorer.questions.paper import Paper, table_pages
from sdcg_explorer.questions.paper.bibliography import NAMED, OF_REFERENCES, bibtex, cited_sources
from sdcg_explorer.questions.view import View
from sdcg_explorer.questions.wording import note_with_question

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

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
    definition = [source.key for source in cited_sources(paper.methods) if source in DEFINITIONS]
    for name, table in paper.tables.items():
        files[f"{name}.csv"] = table_bytes(table.numbers)
        printed = paper_latex_table(name, table.cells, table.caption, table.best, definition)
        files[f"{name}.tex"] = (_latex_compiler_comment(printed) + printed).encode()
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


def _latex_compiler_comment(printed: str) -> str:
    """What must be known to compile a text, as a comment: letters that pdfLaTeX lacks."""
    odd = sorted({sign for sign in printed if ord(sign) > LATIN} - KNOWN)
    return f"% compile with LuaLaTeX or XeLaTeX, for {' '.join(odd[:SHOWN])}\n" if odd else ""


def _figures(paper: Paper, tell: Callable[[str], None]) -> dict[str, bytes]:
    """Figures at one column's width, and what sets them beside each other over both."""
    screen = {name: exhibit.figure for name, exhibit in paper.figures.items() if exhibit.figure}
    if not screen:
        return {}
    laid = {name: paper_figure(figure) for name, figure in screen.items()}
    joined = draw_pair(*screen.values()) if len(screen) == len("ab") else None
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


WIDTH = WIDTHS[1] / INCH * CSS  # pixels
LEFT, RIGHT, SIGN, BOTTOM = 6.6 * TEXT, 0.8 * TEXT, 1.8 * TEXT, 4.6 * TEXT  # around, pixels
BETWEEN = LEFT + 2 * RIGHT  # the axes of the two
HIGH = 20 * TEXT  # of the axes
Parts = dict[str, Any]
LEGEND: Parts = {
    **{"orientation": "h", "x": 0.5, "xanchor": "center", "font": {"size": TEXT}},
    **{"y": 1, "yanchor": "top", "yref": "container"},
}
AT_TOP: Parts = {"y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}


def draw_pair(first: go.Figure, second: go.Figure) -> go.Figure | None:
    """Two figures in the style of a paper, (a) and (b), under one legend, over both columns.

    None where either has panels, or one legend is not enough. It has the systems by their colours
    and marks, and the first's groups by their dashes.
    """
    parts = [paper_figure(figure).to_plotly_json() for figure in (first, second)]
    named = [  # curves that a legend would name
        [t for t in of["data"] if "markers" in t.get("mode", "") and t.get("showlegend", True)]
        for of in parts
    ]
    colours = [{trace["line"]["color"] for trace in traces} for traces in named]
    is_one = colours[0] == colours[1] and len({t["line"]["dash"] for t in named[1]}) == 1
    if any("panels" in of["layout"].get("meta", {}) for of in parts) or not is_one:
        return None
    traces, across = _legend_entries(*named), WIDTH - LEFT - RIGHT
    above = style.legend(traces, across, (TEXT,))[1] + SIGN
    layout: Parts = {
        **{name: parts[0]["layout"][name] for name in ("paper_bgcolor", "plot_bgcolor", "font")},
        **{"width": WIDTH, "height": HIGH + above + BOTTOM, "legend": LEGEND, "template": {}},
        **{"margin": {"l": LEFT, "r": RIGHT, "t": above, "b": BOTTOM}},
        **{"annotations": [], "shapes": []},
    }
    half = (across - BETWEEN) / 2 / across
    for place, (of, sign) in enumerate(zip(parts, "ab", strict=True)):
        start, more = place * (1 - half), 2 * place
        for trace in of["data"]:
            axes = {f"{x}axis": _axis(trace.get(f"{x}axis") or x, more) for x in "xy"}
            traces.append({**trace, **axes, "showlegend": False})
        for name, axis in of["layout"].items():
            if name.startswith(("xaxis", "yaxis")):
                anchor = _axis(axis.get("anchor") or ("y" if name[0] == "x" else "x"), more)
                domain = {"domain": (start, start + half)} if name[0] == "x" else {}
                layout[_axis(name, more)] = axis | {"automargin": False, "anchor": anchor} | domain
        layout["annotations"].append(
            {**AT_TOP, "x": start, "text": f"({sign})", "showarrow": False}
        )
        refs = {"xref": f"{_axis('x', more)} domain", "yref": _axis("y", more)}
        layout["shapes"] += [shape | refs for shape in of["layout"].get("shapes", [])]
    return go.Figure({"data": traces, "layout": layout})


def _legend_entries(first: list[Parts], second: list[Parts]) -> list[Parts]:
    """Entries of a legend: systems by colour and mark, and the first figure's groups by dash.

    A group's name follows that of its system, its line is black.
    """
    nowhere = {"x": style.NOTHING, "y": style.NOTHING}
    entries: list[Parts] = [
        {name: trace[name] for name in ("name", "type", "mode", "marker")}
        | {"line": {"color": trace["marker"]["color"]}, **nowhere}
        for trace in second
    ]
    system = f"{second[0]['name']}, "
    for trace in (trace for trace in first if trace["name"].startswith(system)):
        group, dash = trace["name"].removeprefix(system), trace["line"]["dash"]
        name = f"(a) {group}{', (b) mean' * (dash == style.DASHES[0])}"
        line = {"color": "#000000", "dash": dash}
        entries.append({"name": name, "mode": "lines", "line": line, **nowhere})
    return entries


def _axis(name: str, more: int) -> str:
    """Name of an axis, so many further.

    >>> _axis("x", 0), _axis("y2", 2), _axis("xaxis", 2), _axis("yaxis2", 2)
    ('x', 'y4', 'xaxis3', 'yaxis4')
    """
    word = name.rstrip("0123456789")
    number = int(name[len(word) :] or 1) + more
    return word if number == 1 else f"{word}{number}"


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
    """A number with a true minus."""
    if math.isinf(value):
        return f"${'-' if value < 0 else ''}\\infty$"
    rounded = f"{abs(value):.{decimals}f}"
    negative = value < 0 and float(rounded) != 0
    return f"$-${rounded}" if negative else rounded
