"""Columns to roles: which column of a table plays which part, by name or as given."""

from __future__ import annotations

import re
from dataclasses import dataclass

from study.checks import Problem, error


@dataclass(frozen=True)
class Role:
    """A part that a column can play, the names it goes by, and whether a table needs it."""

    name: str
    aliases: tuple[str, ...] = ()
    required: bool = False


DOC = Role("doc", ("doc_id", "docid", "docno", "document", "document_id", "url"), required=True)
TOPIC = Role("topic", ("topic_id", "task", "task_id", "scenario", "topic_no", "need"))
LOG_ROLES = (
    Role("session", ("session_id", "sid", "sess", "session_no"), required=True),
    Role(
        "query_number",
        ("query_no", "qno", "interaction", "query_num", "query_id", "query_nr", "q"),
        required=True,
    ),
    Role("rank", ("position", "pos", "result_rank", "rank_no"), required=True),
    DOC,
    TOPIC,
    Role("system", ("system_id", "engine", "run", "interface", "layout")),
    Role("searcher", ("searcher_id", "user", "user_id", "participant", "participant_id")),
    Role("text", ("query", "query_text", "query_string", "querytext")),
    Role("time", ("timestamp", "starttime", "start_time", "datetime")),
    Role("clicked", ("click", "clicks", "is_clicked")),
    Role("examined", ("viewed", "seen", "is_examined")),
    Role("grade", ("relevance", "rel", "label", "judgment", "judgement")),
)
JUDGMENT_ROLES = (
    TOPIC,
    DOC,
    Role("grade", ("relevance", "rel", "label", "judgment", "judgement"), required=True),
)


def _plain(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")


def looks_like_header(cells: list[str]) -> bool:
    """Whether any of the cells is a name that a column goes by.

    >>> looks_like_header(["Session", "x"]), looks_like_header(["7", "0", "d1", "2"])
    (True, False)
    """
    known = {name for role in LOG_ROLES for name in (role.name, *role.aliases) if len(name) > 1}
    return any(_plain(cell) in known for cell in cells)


def map_columns(
    header: list[str], roles: tuple[Role, ...], given: dict[str, str], file: str
) -> tuple[dict[str, str], list[Problem]]:
    """Find the column of each role.

    Parameters
    ----------
    header : names of the columns
    roles : what the table may hold
    given : role → column, which beats any guess; "" where no column plays the role
    file : the name that problems carry

    Returns
    -------
    role → column name; the problems found (a role missing, a given column that does not exist)

    >>> map_columns(["Sess", "docid"], (LOG_ROLES[0], DOC), {}, "log.csv")[0]
    {'session': 'Sess', 'doc': 'docid'}
    """
    plain = {_plain(column): column for column in reversed(header)}
    found: dict[str, str] = {}
    problems: list[Problem] = []
    there = ", ".join(header)
    for role in roles:
        if role.name in given:
            column = given[role.name]
            if not column and not role.required:
                continue
            if column in header:
                found[role.name] = column
                continue
            rule = f"the file's columns are {there}"
            problems.append(error(file, 1, f"no column {column!r}", rule, "Correct --map."))
            continue
        names = [plain[name] for name in (role.name, *role.aliases) if name in plain]
        free = [name for name in names if name not in given.values()]
        if free:
            found[role.name] = free[0]
        elif role.required:
            rule = f"a column for {role.name} is needed, and the columns are {there}"
            remedy = (
                f"Rename the column to {role.name}, or say which it is: --map {role.name}=NAME."
            )
            problems.append(error(file, 1, f"{role.name} missing", rule, remedy))
    return found, problems
