"""The command line: the same numbers as the screen, without a browser."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdcg_explorer.commands import options
from sdcg_explorer.commands.app import app
from sdcg_explorer.commands.options import Force, Option, Out, cli, command, print_lines, reading
from sdcg_explorer.commands.scale import AT_SCALE, at_scale
from sdcg_explorer.export.tables import versions
from sdcg_explorer.reading.recipe import option
from sdcg_explorer.study.problems import UnusableInputError, cut, together
from sdcg_explorer.study.wording import counted

if TYPE_CHECKING:
    from sdcg_explorer.questions.view import CommandResult, View

SMALL = 10_000_000  # bytes of a result that is kept for the other parts
LARGE = 100_000_000  # bytes of all results that are kept within a part
SCORE = "A score of sessions.csv{}; with gains from clicks, final replaces the default."


def _say_version(asked: bool) -> None:
    """The version, and what the numbers depend on, in a line."""
    if asked:
        print_lines(versions())
        raise typer.Exit


@cli.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_say_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Take what is asked of no command."""


cli.command()(app)


@command(reading, as_json=Option(False, "Print JSON.", names=("--json",)))
def check(given: Any, as_json: bool) -> None:
    """Read a study and report what was understood; exit 2 if it can't be used."""
    from sdcg_explorer.questions.data.words import design_sentences, report_words

    refused = None
    try:
        study = given()
    except UnusableInputError as fault:
        if fault.counted is None:
            raise
        study, refused = fault.counted, fault
    checked, design = study.checked(), design_sentences(study)
    # what follows from having no judgments is no warning of its own
    problems = study.report.problems if refused else study.problems
    if as_json:
        told = {"design": design, "problems": [problem.as_dict() for problem in problems]}
        text = json.dumps(checked | told, ensure_ascii=False, indent=2)
        # what a terminal would act on stands as JSON writes it in ASCII
        safe = (c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
        print_lines("".join(safe))
    else:
        lines = [f"{name}: {words}" for name, words in report_words(checked)]
        lines += [f"design: {sentence}" for sentence in design]
        lines += [f"file {file}" for file in sorted(study.report.files, key=lambda of: of.file)]
        # an error stands among those that it is refused by
        once = (problem for problem in together(problems) if problem.severity != "error")
        for line in [*lines, *(f"{problem.severity}: {problem}" for problem in once)]:
            print_lines(line)
    if refused:
        raise refused


@command(
    **AT_SCALE,
    depth=Option(100, "How many ranks Figure 1 has.", ends=(1, 1000)),
    residuals=Option(False, "Also write scores with unjudged results at the highest gain."),
)
def score(given: Any, views: Any, out: Out, force: Force = False, **asked: Any) -> None:
    """Score every query and session of a study, and write the tables."""
    from sdcg_explorer.export.tables import ScoreTables
    from sdcg_explorer.scoring.residuals import require_range

    if engine := at_scale(asked):
        if asked["residuals"]:
            raise ValueError("--residuals does not work with --engine. Leave it out.")
        _score_at_scale("score", engine, given, views, out, force, depth=asked["depth"])
        return
    view = _single_view(views)
    if asked["residuals"]:
        require_range(view[0])
    with _output_folder("score", out, force) as folder:
        study = given()
        tables = ScoreTables(study, *view, **asked)
        tables.write(folder)
    sessions, queries = len(tables.sessions), len(tables.queries)
    print_lines(f"Wrote {out} ({counted(sessions, 'session')}, {counted(queries, 'query')})")
    options.print_problems(study.problems)


@command(
    score=Option("final_normalised", SCORE.format(", a rating, or 'gain per: COST'")),
    topics_are=Option(
        "fixed", "fixed: the result holds for these topics; sample: for topics like these."
    ),
    with_order=Option(False, "Adjust for the order of sessions."),
    plan_for=Option(None, "A difference that the next study should find.", float | None),
    baseline=Option("", "Compare each system with this one, not all pairs."),
    right=Option("", "A column of sessions: 1 if the answer was right, else 0."),
    with_residuals=Option(
        False,
        "Show how much unjudged documents could change the result, and which matter most.",
        names=("--residuals",),
    ),
)
def compare(given: Any, views: Any, out: Out, force: Force = False, **asked: Any) -> None:
    """Compare systems pairwise on a score and plan the next study; write tables and compare.txt."""
    from sdcg_explorer.questions.compare_systems import command_result, numbers

    numbers.require_answerable(asked["topics_are"], with_order=asked["with_order"])
    numbers.require_difference(asked["plan_for"])
    found = partial(command_result, **asked)
    _print_and_write(_output_folder("compare", out, force), given, views, found)


@command(
    rating=Option(Parameter.empty, "A column of ratings.", str, ("--with",)),
    score=Option("", "A score, for the map and the largest disagreements."),
    coefficient=Option("pearson", "pearson, spearman, kendall"),
    version=Option("raw", "For the map: raw, centred, partial"),
    low_is_good=Option(False, "Low ratings are good, as for difficulty."),
    out=Option(None, "Folder for the tables.", Path | None),
)
def agreement(given: Any, views: Any, out: Path | None, force: Force = False, **asked: Any) -> None:
    """Report how far scores agree with a rating; write agreement.csv and more."""
    from sdcg_explorer.questions.ratings import command_result
    from sdcg_explorer.questions.ratings.numbers import RatingChoices

    writing = _output_folder("agreement", out, force) if out else nullcontext()
    found = partial(command_result, asked=RatingChoices(**asked))
    _print_and_write(writing, given, views, found)


@command(
    **AT_SCALE,
    score=Option("final_normalised", SCORE.format("")),
    pair=Option(
        None, "Two systems; else the pair that differs most clearly.", tuple[str, str] | None
    ),
    with_all=Option(False, "Also test every reasonable definition.", names=("--all-definitions",)),
)
def robustness(given: Any, views: Any, out: Out, force: Force = False, **asked: Any) -> None:
    """Report whether a difference holds over b and bq; write robustness.csv and more."""
    from sdcg_explorer.questions.robustness import command_result
    from sdcg_explorer.scoring.measures import require_score

    require_score(asked["score"])
    if engine := at_scale(asked):
        if asked["pair"] or asked["with_all"]:
            raise ValueError("--pair and --all-definitions do not work with --engine. Omit them.")
        _score_at_scale("robustness", engine, given, views, out, force, plane=asked["score"])
        return
    found = partial(command_result, **asked)
    _print_and_write(_output_folder("robustness", out, force), given, views, found)


@command()
def fit(given: Any, views: Any, out: Out, force: Force = False) -> None:
    """Fit weights to what searchers looked at, and write fits.csv, cells.csv and fit.txt."""
    from sdcg_explorer.questions.fit import command_result

    _print_and_write(_output_folder("fit", out, force), given, views, command_result)


@command(
    out=Option(Parameter.empty, "The zip to write.", Path),
    without_persons=Option(False, "Anonymise names; drop texts and what describes searchers."),
    with_texts=Option(False, "Keep query texts, with --without-persons."),
)
def export(
    given: Any, views: Any, out: Path, without_persons: bool, with_texts: bool, force: Force = False
) -> None:
    """Write a study, its scores, comparison and figures into one zip."""
    if with_texts and not without_persons:
        raise ValueError("--with-texts needs --without-persons. Add that, or omit --with-texts.")
    from sdcg_explorer.export import without_persons as persons
    from sdcg_explorer.export.bundle import write_bundle
    from sdcg_explorer.export.into import output_zip
    from sdcg_explorer.questions.view import StudyView
    from sdcg_explorer.scoring.cache import RESULTS
    from sdcg_explorer.study.machine import free_memory

    single = _single_view(views)
    RESULTS.reset_budget(min(RESULTS.budget, LARGE))

    def tell(said: str) -> None:
        print_lines(said, err=True)
        RESULTS.let_go(SMALL)
        free_memory()

    with output_zip(out, partial(options.may_write, force), options.print_aside) as file:
        study = given()
        view, removed = StudyView(study, *single), ""
        if without_persons:
            view, removed = persons.without_persons(view, with_texts=with_texts)
        write_bundle(file, view, tell=tell, removed=removed)
    print_lines(f"Wrote {out} ({counted(len(study.sessions), 'session')})")
    if removed:
        print_lines(removed.rstrip())
    options.print_problems(study.problems)


@command(
    score=Option(None, "A score of sessions.csv; repeat for more.", list[str] | None),
    rating=Option("", "A column of ratings; by default the first.", names=("--with",)),
    baseline=Option("", "Compare systems with this one, not with the best."),
)
def paper(given: Any, views: Any, out: Out, force: Force = False, **asked: Any) -> None:
    """Write what goes into a paper: short tables, Figures 1 and 2, methods, BibTeX."""
    from sdcg_explorer.export.paper_files import paper_files
    from sdcg_explorer.export.tables import write_files
    from sdcg_explorer.questions.paper import paper
    from sdcg_explorer.questions.paper.words import headline
    from sdcg_explorer.questions.view import StudyView
    from sdcg_explorer.scoring.measures import require_score

    single, scores = _single_view(views), asked.pop("score") or ()
    for name in scores:
        require_score(name)
    with _output_folder("paper", out, force) as folder:
        view = StudyView(given(), *single)
        made = paper(view, scores=scores, **asked)
        files = paper_files(made, view, tell=options.print_aside)
        write_files(folder, files)
    for line in made.said:
        print_lines(line)
    drawn = sum(f"{name}.svg" in files for name in made.figures)
    print_lines(f"{out}: {headline(len(made.tables), drawn)}")
    options.print_problems(view.study.problems)


@cli.command()
def verify(
    bundle: Annotated[Path, typer.Argument(help="A zip from sdcg export, or its unpacked folder.")],
) -> None:
    """Rebuild a bundle's report and tables from its study; exit 2 if any of these differ."""
    from sdcg_explorer.export import verification

    found = verification.verify(bundle)
    for each in found.differing:
        print_lines(str(each), err=True)
    if found.made_by:
        print_lines(f"{bundle}: made by {found.made_by}; its texts are compared by checksum")
    for name, why in found.changed.items():
        print_lines(f"{bundle}: {name} changed since {found.made_by}: {why}")
    how = counted(len(found.differing), "differs", "differ") if found.differing else "all equal"
    made = f"{counted(found.files, 'file')} with {counted(found.numbers, 'number')} rebuilt"
    beside = f"{counted(found.unchanged, 'other file')} unchanged, by checksum"
    print_lines(f"{bundle}: {made}: {how}; {beside}")
    raise typer.Exit(options.BAD_INPUT if found.differing else 0)


def _score_at_scale(
    command: str, engine: Any, given: Any, passes: Any, out: Path, force: bool, **asked: Any
) -> None:
    """Have an engine write a folder, or one for each of several definitions."""
    with ExitStack() as stack:
        places = [out / name for name, *_ in passes] if passes[1:] else [out]
        folders = [stack.enter_context(_output_folder(command, each, force)) for each in places]
        said = engine(given, passes, folders, **asked)
    print_lines(f"{said}: {out}")


def _single_view(passes: Any) -> Any:
    """The one definition that a study is asked under, with its filters."""
    (_, *view), *more = passes
    if more:
        raise ValueError("Two --definition: only score and robustness with --engine take several.")
    return view


def _output_folder(command: str, out: Path, force: bool) -> AbstractContextManager[Path]:
    """A folder to write a command's files to; asked for before anything is read."""
    from sdcg_explorer.export.into import output_folder

    return output_folder(command, out, partial(options.may_write, force), options.print_aside)


def _print_and_write(
    writing: AbstractContextManager[Path | None],
    given: Any,
    passes: Any,
    result: Callable[[View], CommandResult],
) -> None:
    """Print what is found in a study, once it is written to the folder, if there is one."""
    from sdcg_explorer.export.tables import write_result
    from sdcg_explorer.questions.view import StudyView

    chosen = _single_view(passes)
    with writing as folder:
        view = StudyView(given(), *chosen)
        found = result(view)
        if folder is not None:
            write_result(found, folder)
    print_lines(found.sentence.rstrip("\n"))
    options.print_problems(view.study.problems)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 0 done, 2 bad input or option with one line per problem."""
    given = sys.argv[1:] if arguments is None else arguments
    end = given.index("--study") + 2 if given[:1] == ["app"] and "--study" in given else 0
    if end and (given[end:] == [] or given[end].startswith("-")):  # no judgments are named
        given = [*given[:end], "", *given[end:]]
    try:
        code = typer.main.get_command(cli)(given, standalone_mode=False)
    except UnusableInputError as refused:
        lines = refused.lines()
        if refused.fixes:
            lines.append(f"Repairs that are offered: {option('fix', ','.join(refused.fixes))}.")
    except typer.TyperException as fault:
        lines = [fault.format_message()]
    except OSError as fault:
        said = f"{fault.strerror or fault}. Check the path."
        lines = [f"{cut(str(fault.filename), 200)}: {said}" if fault.filename else said]
    except ValueError as fault:
        lines = [str(fault)]
    except typer.Abort:
        return 130
    else:
        return code if isinstance(code, int) else 0
    print_lines("\n".join(lines), err=True)
    return options.BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
