"""The import report: what was repaired by rule, what was left out, what to be wary of."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.study import grade_cube, wording
from sdcg_explorer.study.arrays import Ints, Tables, category_codes
from sdcg_explorer.study.problems import Problem, warning

REPAIRED, LEFT_OUT = "repaired", "left out"
SET_ASIDE = "set aside"  # the role of a file that is no part of the study
FOLDED = "further pages of results folded into their query"
PAGE_CLASH = "another document at a rank that an earlier page has: the first is kept"
SAME_RANK = "a second document at a rank: the first is kept"
TWICE = "a document listed twice: the second copy gains nothing"
CLASHES = (PAGE_CLASH, SAME_RANK)


@dataclass(frozen=True, eq=False)
class Change:
    """Lines of one file that a rule repaired or left out."""

    action: str
    rule: str
    file: str
    lines: Ints

    def as_dict(self) -> dict[str, Any]:
        """Fields for JSON, the lines as ranges [first, last]."""
        lines = np.sort(self.lines)
        starts = np.flatnonzero(np.diff(lines, prepend=lines[:1] - 2) > 1)
        ends = np.append(starts[1:], lines.size) - 1
        ranges = np.column_stack([lines[starts], lines[ends]]).tolist()
        repeats = lines.size - sum(b - a + 1 for a, b in ranges)
        return vars(self) | {"lines": lines.tolist() if repeats else ranges}


def change_from(fields: dict[str, Any]) -> Change:
    """Read a change back from JSON."""
    lines: NDArray[np.int64] = np.array(fields["lines"], dtype=np.int64)
    if lines.ndim > 1:  # ranges
        lines = np.hstack([range(a, b + 1) for a, b in lines.tolist()])
    return Change(fields["action"], fields["rule"], fields["file"], lines)


@dataclass(frozen=True)
class FileRead:
    """A file that was given (or a sheet of one): its role, its rows, and why it has that role.

    rows_in : of the table, None where none was read; rows_used : those of them that were used
    """

    file: str
    role: str
    rows_in: int | None
    rows_used: int | None
    reason: str

    def __str__(self) -> str:
        rows = wording.counted(self.rows_in or 0, "row")
        size = "" if self.rows_in is None else f", {rows}, {self.rows_used:,} used"
        return f"{self.file}: {self.role}{size}; {self.reason}"


@dataclass(frozen=True, eq=False)
class Report:
    """What an import was given, and everything that it did not take as it stood.

    `problems` are warnings and notes (errors never become a study); `changes` the lines that were
    repaired or left out; `withheld` counts queries whose results the log keeps back; `files` are
    all that were given; `methods` are sentences that whoever publishes numbers of the study owes;
    `recipe` is what was chosen of how they were read (reading/recipe.py).
    """

    file: str = ""
    problems: list[Problem] = field(default_factory=list[Problem])
    changes: list[Change] = field(default_factory=list[Change])
    withheld: int = 0
    files: list[FileRead] = field(default_factory=list[FileRead])
    methods: list[str] = field(default_factory=list[str])
    recipe: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def left_out(self) -> dict[str, int]:
        """Count of what was left out, by rule."""
        return self._counts(LEFT_OUT)

    @property
    def repaired(self) -> dict[str, int]:
        """Count of what was repaired, by rule."""
        return self._counts(REPAIRED)

    def as_dict(self) -> dict[str, Any]:
        """Fields for JSON."""
        problems = [problem.as_dict() for problem in self.problems]
        changes = [change.as_dict() for change in self.changes]
        told = {"problems": problems, "changes": changes, "files": self.files_as_dicts()}
        return vars(self) | told

    def files_as_dicts(self) -> list[dict[str, Any]]:
        """Fields of every file, by name of the file."""
        return [asdict(file) for file in sorted(self.files, key=lambda read: read.file)]

    def rows(self) -> Iterator[tuple[str, int, str, str]]:
        """File, line, action and rule of every change."""
        for change in self.changes:
            for line in change.lines.tolist():
                yield change.file, line, change.action, change.rule

    def _counts(self, action: str) -> dict[str, int]:
        counts = Counter[str]()
        for change in (change for change in self.changes if change.action == action):
            counts[change.rule] += int(change.lines.size)
        return dict(counts)


def report_from(fields: dict[str, Any]) -> Report:
    """Read a report back from JSON."""
    problems = [Problem(**problem) for problem in fields["problems"]]
    changes = [change_from(change) for change in fields["changes"]]
    files = [FileRead(**file) for file in fields.get("files", [])]  # older studies kept none
    methods, recipe = fields.get("methods", []), dict(fields.get("recipe", {}))
    return Report(fields["file"], problems, changes, fields["withheld"], files, methods, recipe)


MOST_UNJUDGED = 0.5
FEWEST_SESSIONS = 10
TOP_OF_WARNINGS = 10  # ranks that are looked at
WITHHELD = "they are left out of their sessions, so the last query here is not the searcher's last"
UNJUDGED = "an unjudged result gains 0"
ALONE = "sessions on such topics alone have no score"
OF_EVERY_VIEW = (WITHHELD, UNJUDGED)  # rules that advice says beneath figures, of what is in view


def study_warnings(tables: Tables, shown: grade_cube.Shown, report: Report) -> list[Problem]:
    """Warnings about a whole study."""
    sessions, queries, judgments = (tables[of] for of in ("sessions", "queries", "judgments"))
    every = list[Problem]()

    def warn(found: str, rule: str, remedy: str, *examples: str) -> None:
        every.append(warning(report.file, found, rule, remedy, *examples))

    if report.withheld:
        found = f"{wording.counted(report.withheld, 'query')} whose results the log withholds"
        warn(found, WITHHELD, "Read 'last' as the last query with results.")
    unjudged = set(queries["topic"].unique()) - set(judgments["topic"].unique())
    if len(judgments) and unjudged:
        names = sorted(str(topic) or "the nameless one" for topic in unjudged)
        found = f"{wording.counted(len(names), 'unjudged topic')} ({wording.listed(names)})"
        warn(found, ALONE, "Add judgments for them, or expect fewer sessions.", *names)
    nameless = int((queries["topic"].astype("str") == "").sum())
    if nameless not in (0, len(queries)):
        found = f"{wording.counted(nameless, 'query')} without a topic"
        rule = "queries without a topic share one nameless topic, and one ideal"
        warn(found, rule, "Fill in the topic of each query.")
    near = shown.rank <= TOP_OF_WARNINGS
    share = float((shown.label[near] == shown.unjudged).mean()) if near.any() else 0.0
    if share > MOST_UNJUDGED and len(judgments):
        found = f"{share:.0%} of the results in the top {TOP_OF_WARNINGS} are unjudged"
        remedy = "Check that the judgments name topics and documents as the log does."
        warn(found, UNJUDGED, remedy)
    if np.bincount(category_codes(queries["session"]), minlength=len(sessions)).max(initial=0) == 1:
        rule = "Query order and Reformulations need sessions of several queries"
        remedy = "Check which queries belong together."
        warn("every session has only one query", rule, remedy)
    sizes = sessions["system"].value_counts()
    if few := [f"{name}: {n}" for name, n in sizes.items() if n < FEWEST_SESSIONS]:
        named = f"systems with few sessions ({wording.listed(few)})"
        found = named if len(sizes) > 1 else wording.counted(len(sessions), "session")
        rule = f"means over fewer than {FEWEST_SESSIONS} sessions tell little"
        warn(found, rule, "Gather more sessions, or don't rely on these means.", *few)
    return every
