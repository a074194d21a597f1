"""Problems: what was found where, which rule it breaks, and what to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

SHOWN = 100
FINE = "Nothing to do if this is right."
NEWER = "Update sDCG Explorer: a newer version wrote it."
PLACES = 3  # that a problem names
COUNT = re.compile(r"\A[0-9][0-9,]*(?= )")  # of what was found, at its beginning
PLACE = re.compile(r"""(['"])(?:[A-Za-z]:)?[/\\][^'"]*?([^'"/\\]*)\1""")  # of a file, quoted
QUOTED = 100  # characters of a text within an error
LONGEST = 300  # characters of what was found, and of a rule that lists names of a file


def cut(text: str, most: int = QUOTED) -> str:
    """A text that may be of any length, as an error quotes it.

    >>> len(cut("x" * 60_000, LONGEST)), cut("A, B"), cut("abcdef", 4)
    (300, 'A, B', 'abc…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def in_words(fault: Exception) -> str:
    """What a fault of a file says, without the folders that the file lies in.

    Whoever reads it on a page need not know the server's folders.

    >>> in_words(OSError(2, "No such file or directory", "/srv/here/log.csv"))
    'No such file or directory'
    >>> in_words(OSError("path '/srv/here/log.csv' is a folder")), in_words(ValueError("1/2, 'a'"))
    ("path 'log.csv' is a folder", "1/2, 'a'")
    """
    found = getattr(fault, "strerror", "") or str(fault)
    return PLACE.sub(r"\1\2\1", found.partition("\n")[0])


class Remedy(NamedTuple):
    """What to do where a page has other means than the command line has options."""

    command: str
    page: str


Way = str | Remedy  # what to do, the same for the command line and the page or not


@dataclass(frozen=True)
class Problem:
    """One finding, with its place, rule and remedy; `count` places share it, three as examples.

    `on_page` is the remedy in the browser, where that is another one; `fix` names the repair that
    is offered, or that a note says was made (reading/mapped_table.py).
    """

    severity: str
    file: str
    line: int | None
    found: str
    rule: str
    remedy: str
    count: int = 1
    examples: tuple[str, ...] = ()
    on_page: str = ""
    fix: str = ""

    def __post_init__(self) -> None:
        """Cut what a file said: a cell may have a million characters."""
        for name in ("file", "found", "rule"):
            object.__setattr__(self, name, cut(getattr(self, name), LONGEST))
        object.__setattr__(self, "examples", tuple(cut(each, LONGEST) for each in self.examples))

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return terminal_safe(f"{place}: {self.sentence()}")

    @property
    def in_browser(self) -> Problem:
        """The same with the remedy that a page has."""
        return replace(self, remedy=self.on_page or self.remedy, on_page="")

    def sentence(self) -> str:
        """The finding, its rule and its remedy, without the place."""
        if self.count == 1:
            return f"{self.found}; {self.rule}. {self.remedy}"
        where = [each.removeprefix(f"{self.file}, ") for each in self.examples[1:3]]
        rest = ["…"] if where and self.count > 1 + len(where) else []
        places = f": {'; '.join([*where, *rest])}" if where else ""
        more = f"and {self.count - 1:,} more{places}"
        return f"{self.found} ({more}); {self.rule}. {self.remedy}"

    def as_dict(self) -> dict[str, object]:
        """Fields by name, for JSON; the page's remedy and a repair only where there is one."""
        return {k: v for k, v in asdict(self).items() if v or k not in ("on_page", "fix")}


def terminal_safe(text: str) -> str:
    r"""A text as a terminal shows it, on one line: control characters stand as their escapes.

    They would move the cursor, colour, hide or overwrite what was printed, or turn its direction.

    >>> print(terminal_safe("a\tb"))
    a\tb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def error(
    file: str,
    line: int | None,
    found: str,
    rule: str,
    remedy: Way,
    count: int = 1,
    examples: tuple[str, ...] = (),
    *,
    severity: str = "error",
) -> Problem:
    """Build a problem that keeps the study from being used, unless it is of another severity."""
    command, page = remedy if isinstance(remedy, Remedy) else (remedy, "")
    return Problem(severity, file, line, found, rule, command, count, examples, page)


def warning(file: str, found: str, rule: str, remedy: Way, *examples: str) -> Problem:
    """Build a warning about a whole file, with up to three examples."""
    return error(file, None, found, rule, remedy, 1, examples[:3], severity="warning")


def note(file: str, found: str, rule: str, remedy: Way = FINE, *examples: str) -> Problem:
    """Build a note about a whole file."""
    return error(file, None, found, rule, remedy, 1, examples, severity="note")


class Causes:
    """Errors of one file, gathered line by line: one per rule, with its count and first places."""

    def __init__(self, file: str) -> None:
        self.file, self.counts = file, Counter[tuple[str, str]]()
        self.first = dict[tuple[str, str], dict[int, str]]()  # what was found, by line

    def add(self, line: int, found: str, rule: str, remedy: str) -> None:
        """One more line that breaks a rule; the first of them is what is shown."""
        cause = rule, remedy
        self.counts[cause] += 1
        known = self.first.setdefault(cause, {})
        if len(known) < PLACES:
            known.setdefault(line, found)

    @property
    def problems(self) -> list[Problem]:
        """One error per cause."""
        return [
            error(self.file, *next(iter(known.items())), *cause, self.counts[cause], places)
            for cause, known in self.first.items()
            for places in [tuple(f"{self.file}, line {line}" for line in known)]
        ]


class UnusableInputError(ValueError):
    """Input that cannot become a study; carries every problem found, file by file, by line.

    counted : the study of a log that lacks nothing but its judgments, of which counts can be told
    """

    def __init__(self, problems: list[Problem], counted: Any = None) -> None:
        files = list(dict.fromkeys(problem.file for problem in problems))
        self.counted = counted
        self.problems = sorted(problems, key=lambda p: (files.index(p.file), p.line or 0))
        super().__init__("\n".join(self.lines()))

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process with all that it carries."""
        return type(self), (self.problems, self.counted)

    def lines(self) -> list[str]:
        """One plain line per problem, at most a hundred."""
        return _problem_lines(self.problems)

    @property
    def fixes(self) -> list[str]:
        """The repairs that are offered, each once."""
        return list(dict.fromkeys(each.fix for each in self.problems if is_offered(each)))

    def lines_in_browser(self) -> list[str]:
        """The same lines as a page shows them, which knows no options."""
        return _problem_lines([problem.in_browser for problem in self.problems])


def _problem_lines(problems: list[Problem]) -> list[str]:
    once = together(problems)
    lines = [str(problem) for problem in once[:SHOWN]]
    rest = len(once) - SHOWN
    return [*lines, f"and {rest:,} more"] if rest > 0 else lines


def is_offered(problem: Problem) -> bool:
    """Whether a problem offers a repair that was not made; a note says one that was."""
    return bool(problem.fix) and problem.severity != "note"


def together(problems: Iterable[Problem]) -> list[Problem]:
    """Problems, those that several files share as one; counts from the least to the most.

    Of a repair that was made in several, what the first had stands for all.

    >>> read = [note(f"P{i}.json", f"{i:,} of 9 turns", "read") for i in (5, 1, 1200, 7)]
    >>> [each.sentence() for each in together(read)]
    ['1 to 1,200 of 9 turns each; read. Nothing to do if this is right.']
    >>> [each.file for each in together([*read, error("P8.json", 1, "7 of 9 turns", "read", "")])]
    ['P5.json, P1.json and 2 more files', 'P8.json']
    """
    alike: dict[Problem, list[Problem]] = {}
    for problem in problems:
        rest = COUNT.sub("", problem.found)
        if problem.fix and problem.severity == "note":
            problem, rest = replace(problem, examples=()), ""
        whole = problem.line is None and not problem.examples
        key = replace(problem, file="", found=rest) if whole else problem
        alike.setdefault(key, []).append(problem)
    return [_merge_over_files(own) if own[1:] else own[0] for own in alike.values()]


def _merge_over_files(own: list[Problem]) -> Problem:
    """What is found in each of some files, said once."""
    names = list(dict.fromkeys(problem.file for problem in own))
    counts = (COUNT.match(problem.found) for problem in own)
    numbers = sorted({int(fit[0].replace(",", "")) for fit in counts if fit})
    ends = " to ".join(f"{number:,}" for number in dict.fromkeys([*numbers[:1], *numbers[-1:]]))
    found = COUNT.sub(ends, own[0].found) + " each" * bool(ends and names[1:])
    found += " in the first file" * (len({problem.found for problem in own}) > 1 and not ends)
    return replace(own[0], file=file_names(names), found=found)


def file_names(names: Sequence[str]) -> str:
    """Names of files, of many the first two.

    >>> file_names([*"abc"]), file_names([*"abcd"])
    ('a, b, c', 'a, b and 2 more files')
    """
    rest = f" and {len(names) - 2:,} more files" if len(names) > PLACES else ""
    return ", ".join(names[:2] if rest else names) + rest


def refusal(file: str, line: int | None, found: str, rule: str, remedy: Way) -> UnusableInputError:
    """The error to raise for one problem alone."""
    return UnusableInputError([error(file, line, found, rule, remedy)])


def refuse(problems: list[Problem]) -> None:
    """Raise one error that carries all problems, if there are any."""
    if problems:
        raise UnusableInputError(list(dict.fromkeys(problems)))
