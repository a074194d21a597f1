"""`sdcg plan`: what is to be done with the data, before there are any, as a text and as TOML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sdcg_explorer.commands.choosing import choosing
from sdcg_explorer.commands.options import Force, Out, may_write, printed, reading, takes
from sdcg_explorer.commands.printing import print_lines
from sdcg_explorer.study.written import PLAN

Plan = Annotated[Path | None, typer.Option("--plan", help="A plan.toml, made before the data.")]


def planned(plan: Path | None, given: Any) -> Any:
    """What gives the study, with what was planned before the data where a plan is given."""
    if plan is None:
        return given
    from sdcg_explorer.analysis.systems.registered import read_plan

    text = read_plan(plan).to_toml()

    def with_plan() -> Any:
        study = given()
        return study.put(written=study.written | {PLAN: text})

    return with_plan


@takes(reading, choosing)
def plan(
    given: Any,
    chosen: Any,
    out: Out,
    score: Annotated[str, typer.Option(help="A score of sessions.csv.")] = "final_normalised",
    plan_for: Annotated[
        float | None, typer.Option(help="The difference that is to be found; else the one seen.")
    ] = None,
    topics_are: Annotated[
        str, typer.Option(help="fixed: for these topics; sample: for topics like these.")
    ] = "fixed",
    force: Force = False,
) -> None:
    """Write a plan of the next study, made with this one: plan.txt to register, and plan.toml."""
    from sdcg_explorer.analysis.sessions.registry import require_score
    from sdcg_explorer.analysis.systems.compare_systems import compare_systems, require_answerable
    from sdcg_explorer.analysis.systems.next_study import require_difference
    from sdcg_explorer.analysis.systems.registered import registered
    from sdcg_explorer.export.into import writing
    from sdcg_explorer.export.tables import write_files
    from sdcg_explorer.questions.compare_systems import plan_of
    from sdcg_explorer.questions.view import StudyView
    from sdcg_explorer.questions.words.registered import plan_text

    require_score(score)
    require_answerable(topics_are, with_order=False)
    require_difference(plan_for)
    with writing("plan", out, may_write(force=force), printed) as folder:
        view = StudyView(given(), *chosen)
        compared = view.ask(compare_systems, score=score, topics_are=topics_are)
        if not compared.pairs:
            raise ValueError("fewer than two systems pass the filters; a plan compares two.")
        next_one = plan_of(compared, compared.most, plan_for=plan_for)
        made = registered(compared, next_one, view.definition, view.filters)
        text = plan_text(made, view.study.labels)
        write_files(folder, {"plan.toml": made.to_toml().encode(), "plan.txt": text.encode()})
    print_lines(text.rstrip("\n"))
