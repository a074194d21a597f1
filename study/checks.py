"""Problems: what was found where, which rule it breaks, and what to do."""

from __future__ import annotations

from dataclasses import asdict, dataclass

SHOWN = 100


@dataclass(frozen=True)
class Problem:
    """One finding, with its place, rule and remedy; `count` places share it, three as examples."""

    severity: str
    file: str
    line: int | None
    found: str
    rule: str
    remedy: str
    count: int = 1
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        text = " ".join(f"{place}: {self.sentence()}".splitlines())
        return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)

    def sentence(self) -> str:
        """The finding, its rule and its remedy, without the place."""
        more = f" (and {self.count - 1:,} more)" if self.count > 1 else ""
        return f"{self.found}{more}; {self.rule}. {self.remedy}"

    def as_dict(self) -> dict[str, object]:
        """Fields by name, for JSON."""
        return asdict(self)


def error(
    file: str,
    line: int | None,
    found: str,
    rule: str,
    remedy: str,
    count: int = 1,
    examples: tuple[str, ...] = (),
) -> Problem:
    """Build a problem that keeps the study from being used."""
    return Problem("error", file, line, found, rule, remedy, count, examples)


def warning(file: str, found: str, rule: str, remedy: str, *examples: str) -> Problem:
    """Build a warning about a whole file, with up to three examples."""
    return Problem("warning", file, None, found, rule, remedy, 1, examples[:3])


def note(file: str, found: str, rule: str, remedy: str, *examples: str) -> Problem:
    """Build a note about a whole file."""
    return Problem("note", file, None, found, rule, remedy, 1, examples[:3])


class UnusableInputError(ValueError):
    """Input that cannot become a study; carries every problem found."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """One plain line per problem, at most a hundred."""
        lines = [str(problem) for problem in self.problems[:SHOWN]]
        rest = len(self.problems) - SHOWN
        return [*lines, f"and {rest:,} more"] if rest > 0 else lines


def refuse(problems: list[Problem]) -> None:
    """Raise one error that carries all problems, if there are any."""
    if problems:
        raise UnusableInputError(list(dict.fromkeys(problems)))
