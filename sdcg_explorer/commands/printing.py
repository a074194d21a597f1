"""What commands print, whatever texts of a log it holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from sdcg_explorer.study.problems import Problem, terminal_safe

if TYPE_CHECKING:
    from sdcg_explorer.study.study import Study


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
    from sdcg_explorer.questions.words.data import report_words
    from sdcg_explorer.study.report import FileRead

    for name, words in report_words(checked):
        print_lines(f"{name}: {words}")
    for file in checked["files"]:
        print_lines(f"file {FileRead(**file)}")
    for problem in checked["problems"]:
        if problem["severity"] == "error":  # which stands among those that it is refused by
            continue
        print_lines(f"{problem['severity']}: {Problem(**problem)}")
