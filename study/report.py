"""The import report: what was read, what was repaired by rule, what was left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from study.checks import Problem


@dataclass(frozen=True, eq=False)
class Report:
    """Counts of what an import read, and everything it did not take as it stood.

    `counts` holds the plain numbers by name; `left_out` and `repaired` count rows by rule;
    `problems` are the warnings and notes (errors never become a study).
    """

    counts: dict[str, object]
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    repaired: dict[str, int] = field(default_factory=dict[str, int])
    problems: list[Problem] = field(default_factory=list[Problem])

    def as_dict(self) -> dict[str, object]:
        """The report as `sdcg check --json` prints it."""
        return {
            **self.counts,
            "left_out": self.left_out,
            "repaired": self.repaired,
            "problems": [problem.as_dict() for problem in self.problems],
        }
