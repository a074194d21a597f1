"""What `sdcg compare`, `agreement` and `robustness` find, in the files that they write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.file import to_toml
from sdcg_explorer.analysis.definition.methods import methods_text
from sdcg_explorer.export.tables import table_bytes, write_files
from sdcg_explorer.study.as_html import as_html
from sdcg_explorer.study.study import Study

View = tuple[Study, Definition, Filters]


@dataclass(frozen=True, eq=False)
class CommandResult:
    """What a command finds in a study.

    found : tables, and the sentences, by file name · methods : paragraphs of a methods section
    """

    view: View
    found: dict[str, pd.DataFrame | str]
    methods: list[str]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by their files' names, without the endings."""
        each = self.found.items()
        return {name[: -len(".csv")]: it for name, it in each if isinstance(it, pd.DataFrame)}

    @property
    def sentence(self) -> str:
        """What was found in sentences, a line each."""
        return "".join(text for text in self.found.values() if isinstance(text, str))

    def files(self) -> dict[str, bytes]:
        """Contents of the files: tables as CSV, sentences as they are."""
        return {
            name: each.encode() if isinstance(each, str) else table_bytes(each)
            for name, each in self.found.items()
        }

    def write(self, folder: Path) -> None:
        """Write these files, definition.toml and methods.txt."""
        write_files(folder, self.files() | view_files(*self.view, self.methods))

    def _repr_html_(self) -> str:
        return as_html(self.view[0].name, self.sentence.splitlines(), self.tables)


def view_files(
    study: Study, definition: Definition, filters: Filters, methods: Iterable[str] = ()
) -> dict[str, bytes]:
    """What says how numbers were made: definition.toml, and methods.txt with more paragraphs."""
    text = to_toml(definition.named(study.labels), filters)
    methods = methods_text(study, definition, filters, *methods)
    return {"definition.toml": text.encode(), "methods.txt": methods.encode()}
