"""The files of what commands find, and what says how numbers were made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sdcg_explorer.analysis.definition.definition import Definition, Filters, to_toml
from sdcg_explorer.export.tables import table_bytes, write_files
from sdcg_explorer.questions.command_result import CommandResult
from sdcg_explorer.questions.words.methods import methods_text
from sdcg_explorer.study.study import Study


def files_of(result: CommandResult) -> dict[str, bytes]:
    """Contents of the files by name: tables as CSV, sentences as they are."""
    return {
        name: each.encode() if isinstance(each, str) else table_bytes(each)
        for name, each in result.found.items()
    }


def write_result(result: CommandResult, folder: Path) -> None:
    """Write these files, definition.toml and methods.txt."""
    write_files(folder, files_of(result) | view_files(*result.view, methods=result.methods))


def view_files(
    study: Study, definition: Definition, filters: Filters, *, methods: Iterable[str] = ()
) -> dict[str, bytes]:
    """What says how numbers were made: definition.toml, and methods.txt with more paragraphs."""
    text = to_toml(definition.named(study.labels), filters)
    paragraphs = methods_text(study, definition, filters, *methods)
    return {"definition.toml": text.encode(), "methods.txt": paragraphs.encode()}
