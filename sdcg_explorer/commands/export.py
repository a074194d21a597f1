"""`sdcg export`: a study, its scores, comparison and figures in one zip."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sdcg_explorer.commands.choosing import choosing
from sdcg_explorer.commands.options import Force, may_write, printed, reading, takes
from sdcg_explorer.commands.printing import print_lines, print_warnings
from sdcg_explorer.study.wording import counted

SMALL = 10_000_000  # bytes of a result that is kept for the other parts
LARGE = 100_000_000  # bytes of all results that are kept within a part


@takes(reading, choosing)
def export(
    given: Any,
    chosen: Any,
    out: Annotated[Path, typer.Option(help="The zip to write.")],
    force: Force = False,
) -> None:
    """Write a study, its scores, comparison and figures into one zip."""
    from sdcg_explorer.analysis.selection.results import RESULTS
    from sdcg_explorer.export.bundle import write_bundle
    from sdcg_explorer.export.into import writing_zip
    from sdcg_explorer.questions.view import StudyView
    from sdcg_explorer.study.memory import give_back

    RESULTS.hold_to(min(RESULTS.budget, LARGE))

    def tell(said: str) -> None:
        print_lines(said, err=True)
        RESULTS.let_go(SMALL)
        give_back()

    with writing_zip(out, may_write(force=force), printed) as file:
        study = given()
        write_bundle(file, StudyView(study, *chosen), tell=tell)
    print_lines(f"{counted(len(study.sessions), 'session')} read: {out}")
    print_warnings(study)
