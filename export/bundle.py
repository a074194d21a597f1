"""Everything of one study and view in one zip, with the line that makes its tables again."""

from __future__ import annotations

import platform
import tempfile
from importlib.metadata import version
from pathlib import Path

import plotly.graph_objects as go

from analysis.compare_systems import Comparison, compare_systems
from analysis.definition import Definition, Filters
from analysis.individual_sessions import individual_sessions
from analysis.query_order import query_order
from analysis.sentence import sentence
from analysis.session_curves import session_curves
from export.comparison import write_comparison
from export.figure_files import NO_BROWSER, Paper, browser_path, figure_bytes
from export.scores import write_scores
from export.study_zip import study_files, zipped
from figures.compare_systems import draw_compare_systems
from figures.individual_sessions import draw_individual_sessions
from figures.query_order import draw_query_order
from figures.session_curves import draw_session_curves
from study.study import Study

DEPTH = 100
PAPER_FORMS = ("svg", "pdf")
PACKAGES = ("sdcg-explorer", "numpy", "pandas", "scipy", "statsmodels", "plotly")
LINE = "sdcg score study --definition scores/definition.toml --out again"
README = """{name}
{note}
Definition in force: {definition}

study/        the study as tidy tables, digest {digest}
scores/       queries.csv, sessions.csv, session_curves.csv, query_order.csv, definition.toml (with
              the filters) and methods.txt, a paragraph for a paper
comparison/   comparison.csv and compare.txt, where two systems or more can be compared
figures/      the figures of these tables for a paper, 84 mm wide{figures}

With sDCG Explorer installed, this line, given in this folder, makes the tables of scores/ again:

    {line}
{link}
Made with {versions}.
"""


def bundle(study: Study, definition: Definition, filters: Filters, *, link: str = "") -> bytes:
    """Bytes of the zip; `link` is the address of the view, where there is one.

    Raises
    ------
    ValueError : the filters leave no session
    """
    asked = study, definition, filters
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        write_scores(*asked, depth=DEPTH, out=out / "scores")
        compared = compare_systems(*asked)
        if compared.pairs:
            write_comparison(*asked, score=compared.score, out=out / "comparison")
            for twice in ("definition.toml", "methods.txt"):  # they are in scores/
                (out / "comparison" / twice).unlink()
        files = {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*.*"))}
    files |= {f"study/{each}": content for each, content in study_files(*asked).items()}
    drawn = browser_path()
    for each, figure in _figures(*asked, compared).items() if drawn else ():
        for form in PAPER_FORMS:
            files[f"figures/{each}.{form}"] = figure_bytes(figure, form, Paper())
    files["README.txt"] = README.format(
        name=study.name,
        note=f"{study.note}\n" if study.note else "",
        definition=sentence(definition.named(study.labels), study.labels),
        digest=study.digest,
        figures="" if drawn else f" (none: {NO_BROWSER})",
        line=LINE,
        link=f"\nThe view: {link}\n" if link else "",
        versions=", ".join(
            [f"Python {platform.python_version()}", *(f"{p} {version(p)}" for p in PACKAGES)]
        ),
    ).encode()
    return zipped(files)


def _figures(
    study: Study, definition: Definition, filters: Filters, compared: Comparison
) -> dict[str, go.Figure]:
    """The figures by the names of their pages."""
    asked = study, definition, filters
    systems = study.block().system_names
    order = query_order(*asked, depth=DEPTH)
    curves = session_curves(*asked, bands=True)
    drawn = {
        "query_order": draw_query_order(order, systems),
        "session_curves": draw_session_curves(curves, systems),
        "session_curves_raw": draw_session_curves(curves, systems, measure="raw"),
    }
    each = individual_sessions(*asked)
    if each.names:
        drawn["individual_sessions"] = draw_individual_sessions(each, systems)
    if compared.names:
        drawn["compare_systems"] = draw_compare_systems(compared, systems)
    return drawn
