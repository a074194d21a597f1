"""A log and judgments, read as text, become a Study: mapping, checks, repairs, four tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.cells import NUMBER, Findings, coded, first_of_each, numbers
from study.checks import Problem, error, refuse
from study.counts import counts_of, warnings_of
from study.log_rows import combined, log_tables, read_log_rows, text_of
from study.mapping import JUDGMENT_ROLES, LOG_ROLES, Role, map_columns
from study.raw import RawTable
from study.report import Report
from study.study import Study

NO_FILE = Problem(
    "warning",
    "judgments",
    None,
    "no judgments file",
    "the log's own grades serve, and the ideal is then the best of what was shown",
    "Give the judgments as a second file.",
)


def assemble(
    log: RawTable, judgments: RawTable | None, *, name: str, mapping: dict[str, str]
) -> Study:
    """Study of a log and its judgments (without these, the log's own grades serve).

    Raises
    ------
    UnusableInputError : every error found in either table
    """
    found = Findings()
    _check_given(log, mapping, found)
    log_columns = _mapped(log, LOG_ROLES, mapping, found)
    graded_raw = judgments or log
    graded_columns = _mapped(graded_raw, JUDGMENT_ROLES, mapping, found)
    if judgments is not None:
        _check_topics((log, log_columns), (judgments, graded_columns), found)
    refuse(found.errors)
    graded = _judgments(graded_raw, graded_columns, found, own=judgments is None)
    rows = read_log_rows(log, log_columns, found)
    refuse(found.errors)
    topics = pd.Index(text_of(log_columns, "topic").unique())
    topics = topics.union(pd.Index(graded["topic"].unique()))
    sessions, queries, results = log_tables(rows, topics, pd.Index(graded["doc"].unique()), found)
    refuse(found.errors)
    graded["topic"] = pd.Categorical(graded["topic"], topics)
    graded["doc"] = pd.Categorical(graded["doc"], results["doc"].cat.categories)
    counts = counts_of(sessions, queries, results, graded, withheld=log.withheld)
    problems = [*found.problems, *([NO_FILE] if judgments is None else [])]
    problems += warnings_of(counts, queries, graded, log.file)
    report = Report(counts, found.left_out, found.repaired, problems)
    return Study(name, sessions, queries, results, graded, report)


def _check_given(log: RawTable, given: dict[str, str], found: Findings) -> None:
    known = [role.name for role in LOG_ROLES]
    for name in sorted(set(given) - set(known)):
        rule = f"the roles are {', '.join(known)}"
        found.problems.append(error(log.file, None, f"role {name!r}", rule, "Correct --map."))


def _mapped(
    raw: RawTable, roles: tuple[Role, ...], given: dict[str, str], found: Findings
) -> pd.DataFrame:
    """Columns of a table, named by role."""
    header = [str(column) for column in raw.rows.columns]
    if roles is JUDGMENT_ROLES:  # a given column may be meant for the log alone
        given = {role: column for role, column in given.items() if column in header}
    columns, problems = map_columns(header, roles, given, raw.file)
    found.problems.extend(problems)
    if not len(raw.rows):
        rule, remedy = "a table has rows below its header", "Export it again."
        found.problems.append(error(raw.file, 1, "no row", rule, remedy))
    if roles is LOG_ROLES:
        found.leave_out("columns without a role", len(header) - len(columns))
    return pd.DataFrame({role: raw.rows[column] for role, column in columns.items()})


def _check_topics(
    log: tuple[RawTable, pd.DataFrame], judgments: tuple[RawTable, pd.DataFrame], found: Findings
) -> None:
    """Log and judgments both name topics, or neither does (then all is one topic)."""
    lacking = [raw.file for raw, columns in (log, judgments) if "topic" not in columns]
    if len(lacking) == 1:
        rule = "log and judgments both name the topic of a row, or neither does"
        remedy = "Rename the column to topic, or say which it is: --map topic=NAME."
        found.problems.append(error(lacking[0], 1, "topic missing", rule, remedy))


def _judgments(raw: RawTable, columns: pd.DataFrame, found: Findings, *, own: bool) -> pd.DataFrame:
    """One row per judged (topic, doc); `own` where they are the grades of a log."""
    if "grade" not in columns or "doc" not in columns:
        return pd.DataFrame({"topic": [], "doc": [], "grade": []})
    grade = numbers(
        raw,
        columns["grade"],
        found,
        pattern=NUMBER,
        what="grade",
        rule="grades are numbers",
        remedy="Correct the cell or leave it empty for unjudged.",
    )
    topic = text_of(columns, "topic").to_numpy()
    doc = columns["doc"].to_numpy()
    rows = np.flatnonzero(~np.isnan(grade) & (doc != ""))
    first, place = first_of_each(combined(coded(topic[rows]), coded(doc[rows])))
    found.refuse(
        raw,
        rows[grade[rows] != grade[rows][first][place]],
        lambda i: f"another grade, {grade[i]:g}, for {doc[i]!r} of topic {topic[i]!r}",
        rule="a document has one grade for a topic",
        remedy="Keep one of the two.",
    )
    if not own:
        found.leave_out("judgments without a grade or document", len(columns) - rows.size)
        found.repair("agreeing judgments merged", rows.size - first.size)
    kept = rows[first]
    return pd.DataFrame({"topic": topic[kept], "doc": doc[kept], "grade": grade[kept]})
