"""The command line: the same numbers as the screen, without a browser."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import cache, partial
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdcg_explorer.commands.app import app
from sdcg_explorer.commands.options import (
    BAD_INPUT,
    Force,
    Option,
    OptionError,
    Out,
    choosing,
    counting,
    may_write,
    own_options,
    passes,
    reading,
    refused_lines,
    to_stderr,
    with_options,
)
from sdcg_explorer.commands.scale import at_scale
from sdcg_explorer.export.tables import versions
from sdcg_explorer.study.problems import Problem, UnusableInputError, cut, terminal_safe, together
from sdcg_explorer.study.wording import counted

if TYPE_CHECKING:
    from sdcg_explorer.questions.view import CommandResult, View
    from sdcg_explorer.study.study import Study

SMALL = 10_000_000  # bytes of a result that is kept for the other parts
LARGE = 100_000_000  # bytes of all results that are kept within a part
SCORE = "A score of sessions.csv{}; with gains from clicks, final unless given."
cli = typer.Typer(
    help="sDCG Explorer: what each query and session of a search study was worth.",
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
)


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


@cli.command()
@with_options(counting)
def check(
    given: Any, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """Read a study and report what was understood; exit 2 if it can't be used."""
    from sdcg_explorer.questions.data.words import design_sentences

    study, refused = given()
    checked = {**study.checked(), "design": design_sentences(study)}
    # what follows from having no judgments is no warning of its own
    problems = study.report.problems if refused else study.problems
    shown = problems if as_json else together(problems)
    checked["problems"] = [problem.as_dict() for problem in shown]
    if as_json:
        print_json(checked)
    else:
        print_report(checked)
    if refused:
        raise refused


@cli.command()
@with_options(
    reading,
    passes,
    at_scale,
    own_options(
        depth=Option(100, "How many ranks Figure 1 has.", ends=(1, 1000)),
        residuals=Option(False, "Also write scores with unjudged results at the highest gain."),
    ),
)
def score(given: Any, chosen: Any, engine: Any, asked: Any, out: Out, force: Force = False) -> None:
    """Score every query and session of a study, and write the tables."""
    from sdcg_explorer.export.tables import ScoreTables
    from sdcg_explorer.scoring.residuals import require_range

    if engine:
        if asked["residuals"]:
            raise OptionError("--residuals does not work with --engine. Leave it out.")
        _score_at_scale("score", engine, given, chosen, out, force, depth=asked["depth"])
        return
    view = _single_view(chosen)
    if asked["residuals"]:
        require_range(view[0])
    with _output_folder("score", out, force) as folder:
        study = given()
        tables = ScoreTables(study, *view, **asked)
        tables.write(folder)
    sessions, queries = len(tables.sessions), len(tables.queries)
    print_lines(f"Wrote {out} ({counted(sessions, 'session')}, {counted(queries, 'query')})")
    print_warnings(study)


@cli.command()
@with_options(
    reading,
    choosing,
    own_options(
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
    ),
)
def compare(given: Any, chosen: Any, asked: Any, out: Out, force: Force = False) -> None:
    """Compare systems pairwise on a score and plan the next study; write tables and compare.txt."""
    from sdcg_explorer.questions.compare_systems import command_result
    from sdcg_explorer.questions.compare_systems.numbers import (
        require_answerable,
        require_difference,
    )

    require_answerable(asked["topics_are"], with_order=asked["with_order"])
    require_difference(asked["plan_for"])
    _print_and_write(
        _output_folder("compare", out, force), given, chosen, partial(command_result, **asked)
    )


@cli.command()
@with_options(
    reading,
    choosing,
    own_options(
        rating=Option(Parameter.empty, "A column of ratings.", str, ("--with",)),
        score=Option("", "A score, for the map and the largest disagreements."),
        coefficient=Option("pearson", "pearson, spearman, kendall"),
        version=Option("raw", "For the map: raw, centred, partial"),
        low_is_good=Option(False, "Low ratings are good, as for difficulty."),
        out=Option(None, "Folder for the tables.", Path | None),
    ),
)
def agreement(given: Any, chosen: Any, asked: Any, force: Force = False) -> None:
    """Report how far scores agree with a rating; write agreement.csv and more."""
    from sdcg_explorer.questions.ratings import command_result
    from sdcg_explorer.questions.ratings.numbers import RatingChoices

    out = asked.pop("out")
    writing = _output_folder("agreement", out, force) if out else nullcontext()
    found = partial(command_result, asked=RatingChoices(**asked))
    _print_and_write(writing, given, chosen, found)


@cli.command()
@with_options(
    reading,
    passes,
    at_scale,
    own_options(
        score=Option("final_normalised", SCORE.format("")),
        pair=Option(
            None, "Two systems; else the pair that differs most clearly.", tuple[str, str] | None
        ),
        with_all=Option(
            False, "Also test every reasonable definition.", names=("--all-definitions",)
        ),
    ),
)
def robustness(
    given: Any, chosen: Any, engine: Any, asked: Any, out: Out, force: Force = False
) -> None:
    """Report whether a difference holds over b and bq; write robustness.csv and more."""
    from sdcg_explorer.questions.robustness import command_result
    from sdcg_explorer.scoring.measures import require_score

    require_score(asked["score"])
    if engine:
        if asked["pair"] or asked["with_all"]:
            raise OptionError("--pair and --all-definitions do not work with --engine. Omit them.")
        _score_at_scale("robustness", engine, given, chosen, out, force, plane=asked["score"])
        return
    view, found = _single_view(chosen), partial(command_result, **asked)
    _print_and_write(_output_folder("robustness", out, force), given, view, found)


@cli.command()
@with_options(reading, choosing)
def fit(given: Any, chosen: Any, out: Out, force: Force = False) -> None:
    """Fit weights to what searchers looked at, and write fits.csv, cells.csv and fit.txt."""
    from sdcg_explorer.questions.fit import command_result

    _print_and_write(_output_folder("fit", out, force), given, chosen, command_result)


@cli.command()
@with_options(reading, choosing)
def export(
    given: Any,
    chosen: Any,
    out: Annotated[Path, typer.Option(help="The zip to write.")],
    without_persons: Annotated[
        bool, typer.Option("--without-persons", help="Anonymise names; drop texts, extra columns.")
    ] = False,
    with_texts: Annotated[
        bool, typer.Option("--with-texts", help="Keep query texts, with --without-persons.")
    ] = False,
    force: Force = False,
) -> None:
    """Write a study, its scores, comparison and figures into one zip."""
    if with_texts and not without_persons:
        raise OptionError("--with-texts needs --without-persons. Add that, or omit --with-texts.")
    from sdcg_explorer.export import without_persons as persons
    from sdcg_explorer.export.bundle import write_bundle
    from sdcg_explorer.export.into import output_zip
    from sdcg_explorer.questions.view import StudyView
    from sdcg_explorer.scoring.cache import RESULTS
    from sdcg_explorer.study.machine import free_memory

    RESULTS.reset_budget(min(RESULTS.budget, LARGE))

    def tell(said: str) -> None:
        print_lines(said, err=True)
        RESULTS.let_go(SMALL)
        free_memory()

    with output_zip(out, may_write(force=force), to_stderr) as file:
        study = given()
        view, removed = StudyView(study, *chosen), ""
        if without_persons:
            view, removed = persons.without_persons(view, with_texts=with_texts)
        write_bundle(file, view, tell=tell, removed=removed)
    print_lines(f"Wrote {out} ({counted(len(study.sessions), 'session')})")
    if removed:
        print_lines(removed.rstrip())
    print_warnings(study)


@cli.command()
@with_options(
    reading,
    choosing,
    own_options(
        score=Option(None, "A score of sessions.csv; repeat for more.", list[str] | None),
        rating=Option("", "A column of ratings; by default the first.", names=("--with",)),
        baseline=Option("", "Compare systems with this one, not with the best."),
    ),
)
def paper(given: Any, chosen: Any, asked: Any, out: Out, force: Force = False) -> None:
    """Write what goes into a paper: short tables, Figures 1 and 2, methods, BibTeX."""
    from sdcg_explorer.export.paper_files import paper_files
    from sdcg_explorer.export.tables import write_files
    from sdcg_explorer.questions.paper import paper
    from sdcg_explorer.questions.paper.words import headline
    from sdcg_explorer.questions.view import StudyView
    from sdcg_explorer.scoring.measures import require_score

    scores: Sequence[str] = asked.pop("score") or ()
    for name in scores:
        require_score(name)
    with _output_folder("paper", out, force) as folder:
        view = StudyView(given(), *chosen)
        made = paper(view, scores=scores, **asked)
        files = paper_files(made, view, tell=to_stderr)
        write_files(folder, files)
    for line in made.said:
        print_lines(line)
    drawn = sum(f"{name}.svg" in files for name in made.figures)
    print_lines(f"{out}: {headline(len(made.tables), drawn)}")
    print_warnings(view.study)


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
    raise typer.Exit(BAD_INPUT if found.differing else 0)


def print_warnings(study: Study) -> None:
    """Print what one should be wary of in a study, on standard error."""
    for problem in study.problems:
        print_lines(f"{problem.severity}: {problem}", err=True)


def print_lines(text: str, *, err: bool = False) -> None:
    """Print lines, whatever texts of a log they hold."""
    for line in text.split("\n"):
        typer.echo(terminal_safe(line), err=err)


def print_json(checked: dict[str, Any]) -> None:
    """Print JSON; what a terminal would act on stands as JSON writes it in ASCII."""
    text = json.dumps(checked, ensure_ascii=False, indent=2)
    print_lines("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))


def print_report(checked: dict[str, Any]) -> None:
    """Print what was understood of files, and what is wrong with them."""
    from sdcg_explorer.questions.data.words import report_words
    from sdcg_explorer.study.report import FileRead

    for name, words in report_words(checked):
        print_lines(f"{name}: {words}")
    for sentence in checked["design"]:
        print_lines(f"design: {sentence}")
    for file in checked["files"]:
        print_lines(f"file {FileRead(**file)}")
    for problem in checked["problems"]:
        if problem["severity"] == "error":  # which stands among those that it is refused by
            continue
        print_lines(f"{problem['severity']}: {Problem(**problem)}")


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
        raise OptionError("--definition twice; without --engine there is one. Leave the other out.")
    return view


def _output_folder(command: str, out: Path, force: bool) -> AbstractContextManager[Path]:
    """A folder to write a command's files to; asked for before anything is read."""
    from sdcg_explorer.export.into import output_folder

    return output_folder(command, out, may_write(force=force), to_stderr)


def _print_and_write(
    writing: AbstractContextManager[Path | None],
    given: Any,
    chosen: Any,
    result: Callable[[View], CommandResult],
) -> None:
    """Print what is found in a study, once it is written to the folder, if there is one."""
    from sdcg_explorer.export.tables import write_result
    from sdcg_explorer.questions.view import StudyView

    with writing as folder:
        view = StudyView(given(), *chosen)
        found = result(view)
        if folder is not None:
            write_result(found, folder)
    print_lines(found.sentence.rstrip("\n"))
    print_warnings(view.study)


def _fill_missing_judgments_argument(given: list[str]) -> list[str]:
    """Arguments, with an empty name for judgments where `--study` names one folder alone."""
    if given[:1] != ["app"] or "--study" not in given:
        return given
    end = given.index("--study") + 2
    is_alone = given[end:][:1] == [] or given[end].startswith("-")
    return [*given[:end], "", *given[end:]] if is_alone else given


@cache
def _build_commands() -> Callable[..., Any]:
    """All commands; to put them together takes a third of what a small study does."""
    return typer.main.get_command(cli)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 0 done, 2 bad input or option with one line per problem."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        code = _build_commands()(_fill_missing_judgments_argument(given), standalone_mode=False)
    except UnusableInputError as refused:
        lines = refused_lines(refused)
    except typer.TyperException as fault:
        lines = [fault.format_message()]
    except OSError as fault:
        said = f"{fault.strerror or fault}. Check the path."
        lines = [f"{cut(str(fault.filename), 200)}: {said}" if fault.filename else said]
    except (OptionError, ValueError) as fault:
        lines = [str(fault)]
    except typer.Abort:
        return 130
    else:
        return code if isinstance(code, int) else 0
    print_lines("\n".join(lines), err=True)
    return BAD_INPUT


def run() -> None:
    """Run the command line as a program of its own."""
    gc.disable()  # one short run: collecting what imports leave behind costs a tenth of it
    sys.exit(main())


if __name__ == "__main__":
    run()
