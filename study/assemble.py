"""A log and judgments, read as text, become a Study: mapping, checks, repairs, four tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.cells import Findings, blank, coded, first_of_each, grades
from study.checks import Problem, error, refuse
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
    _check_given(log, judgments, mapping, found)
    log_columns = _mapped(log, LOG_ROLES, mapping, found)
    graded_raw = judgments or log
    graded_columns = _mapped(graded_raw, JUDGMENT_ROLES, mapping, found)
    if judgments is not None:
        _check_topics((log, log_columns), (judgments, graded_columns), found)
    refuse(found.errors)
    graded = _judgments(graded_raw, graded_columns, found, own=judgments is None)
    rows = read_log_rows(log, log_columns, found)
    refuse(found.errors)
    topics = text_of(log_columns, "topic").cat.categories
    topics = topics.union(pd.Index(graded["topic"].unique()))
    sessions, queries, results = log_tables(rows, topics, pd.Index(graded["doc"].unique()), found)
    refuse(found.errors)
    graded["topic"] = pd.Categorical(graded["topic"], topics)
    graded["doc"] = pd.Categorical(graded["doc"], results["doc"].cat.categories)
    notes = [*log.notes, *(judgments.notes if judgments else [NO_FILE])]
    report = Report(
        log.file, [*found.problems, *notes], found.left_out, found.repaired, log.withheld
    )
    return Study(name, sessions, queries, results, graded, report)


def _check_given(
    log: RawTable, judgments: RawTable | None, given: dict[str, str], found: Findings
) -> None:
    """Each role that is given a column exists, and so does the column, in log or judgments."""
    known = [role.name for role in LOG_ROLES]
    header = _header(log) + (_header(judgments) if judgments else [])
    for name, column in given.items():
        if name not in known:
            rule = f"the roles are {', '.join(known)}"
            found.problems.append(error(log.file, None, f"role {name!r}", rule, "Correct --map."))
        elif column and column not in header:
            rule = f"the file's columns are {', '.join(_header(log))}"
            found.problems.append(
                error(log.file, 1, f"no column {column!r}", rule, "Correct --map.")
            )


def _header(raw: RawTable) -> list[str]:
    return [str(column) for column in raw.rows.columns]


def _mapped(
    raw: RawTable, roles: tuple[Role, ...], given: dict[str, str], found: Findings
) -> pd.DataFrame:
    """Columns of a table, named by role; what is given may be meant for the other table."""
    header = _header(raw)
    own = ("", *header) if roles is LOG_ROLES else header
    given = {role: column for role, column in given.items() if column in own}
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
    grade = grades(raw, columns["grade"], found)
    topic, doc = text_of(columns, "topic"), columns["doc"]
    rows = np.flatnonzero(~np.isnan(grade) & ~blank(doc))
    first, place = first_of_each(combined(coded(topic)[rows], coded(doc)[rows]))
    found.refuse(
        raw,
        rows[grade[rows] != grade[rows][first][place]],
        lambda i: f"another grade, {grade[i]:g}, for {doc.iloc[i]!r} of topic {topic.iloc[i]!r}",
        rule="a document has one grade for a topic",
        remedy="Keep one of the two.",
    )
    if not own:
        found.leave_out("judgments without a grade or document", len(columns) - rows.size)
        found.repair("agreeing judgments merged", rows.size - first.size)
    kept = rows[first]
    texts = {"topic": topic.iloc[kept].astype("str"), "doc": doc.iloc[kept].astype("str")}
    return pd.DataFrame({**texts, "grade": grade[kept]}).reset_index(drop=True)
