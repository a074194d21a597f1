"""The import report: what was repaired by rule, what was left out, what to be wary of."""

from __future__ import annotations

from dataclasses import dataclass, field

from study.checks import Problem


@dataclass(frozen=True, eq=False)
class Report:
    """Everything that an import did not take as it stood.

    `left_out` and `repaired` count rows by rule; `problems` are warnings and notes (errors never
    become a study); `withheld` counts queries whose results the log keeps back.
    """

    file: str = ""
    problems: list[Problem] = field(default_factory=list[Problem])
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    repaired: dict[str, int] = field(default_factory=dict[str, int])
    withheld: int = 0
