"""`sdcg paper`: tables, figures, methods and BibTeX of a study, as a paper takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdcg_explorer.commands.choosing import choosing
from sdcg_explorer.commands.options import (
    Force,
    Out,
    may_write,
    printed,
    reading,
    takes,
)
from sdcg_explorer.commands.printing import print_lines, print_warnings

if TYPE_CHECKING:
    from collections.abc import Sequence


@takes(reading, choosing)
def paper(
    given: Any,
    chosen: Any,
    out: Out,
    score: Annotated[
        list[str] | None, typer.Option(help="A score of sessions.csv; may come again.")
    ] = None,
    rating: Annotated[
        str, typer.Option("--with", help="A column of ratings; else the first.")
    ] = "",
    baseline: Annotated[
        str, typer.Option(help="Set systems against this one, not against the best.")
    ] = "",
    force: Force = False,
) -> None:
    """Write what goes into a paper: short tables, Figures 1 and 2, methods, BibTeX."""
    from sdcg_explorer.analysis.sessions.registry import require_score
    from sdcg_explorer.export.into import writing
    from sdcg_explorer.export.paper_files import paper_files
    from sdcg_explorer.export.tables import write_files
    from sdcg_explorer.questions.paper import SCORES, paper
    from sdcg_explorer.questions.view import StudyView
    from sdcg_explorer.questions.words.paper import headline

    scores: Sequence[str] = score or SCORES
    for name in scores:
        require_score(name)
    with writing("paper", out, may_write(force=force), printed) as folder:
        view = StudyView(given(), *chosen)
        made = paper(view, scores=scores, rating=rating, baseline=baseline)
        files = paper_files(made, view, tell=printed)
        write_files(folder, files)
    for line in made.said:
        print_lines(line)
    drawn = sum(f"{name}.svg" in files for name in made.figures)
    print_lines(f"{out}: {headline(len(made.tables), drawn)}")
    print_warnings(view.study)
