"""What `sdcg compare`, `agreement` and `robustness` find, by the files that they write."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from sdcg_explorer.questions.view import View
from sdcg_explorer.study.wording import as_html


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
        each = self.found.items()
        return "".join(it for name, it in each if isinstance(it, str) and name.endswith(".txt"))

    def _repr_html_(self) -> str:
        return as_html(self.view.study.name, self.sentence.splitlines(), self.tables)
