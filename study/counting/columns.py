"""Columns of a log and of judgments by role, as the views that the counts are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from study.counting.engine import Engine
from study.problems import error, refuse
from study.reading.mapping import (
    CORRECT,
    JUDGMENT_ROLES,
    LOG_ROLES,
    QUERY_NUMBER,
    SEARCHER,
    SESSION,
    SYSTEM,
    TOPIC,
    Role,
    given_for,
    map_columns,
    say_column,
    unknown_roles,
)

ROLES = tuple(
    role
    for role in LOG_ROLES
    if role.name in {"session", "query_number", "rank", "doc", "topic", "system", "searcher"}
)
OF_QUERIES = (SESSION, QUERY_NUMBER, TOPIC, SYSTEM, SEARCHER)
OF_JUDGMENTS = tuple(role for role in JUDGMENT_ROLES if role.name in {"topic", "doc", "grade"})
ONE_TOPIC = "Or take all queries for one topic: --topics-by one."


@dataclass(frozen=True)
class Given:
    """A table as it was given: its name here, its columns (whole numbers or not), and by role."""

    name: str
    whole: dict[str, bool]
    columns: dict[str, str]
    quote: str

    def text(self, role: str) -> str:
        """SQL of a role's texts; null where no column plays it."""
        return f"cast({self._column(role)} as string)" if role in self.columns else self._nothing()

    def number(self, role: str) -> str:
        """SQL of a role's whole numbers; null where a cell holds none."""
        column = self._column(role)
        if self.whole[self.columns[role]]:
            return f"cast({column} as int)"
        value = _as_number(column)
        return f"case when {value} between 0 and 999999999 and floor({value}) = {value} " + (
            f"then cast({value} as int) end"
        )

    def grade(self) -> str:
        """SQL of the grades; null where a cell holds no number."""
        value = _as_number(self._column("grade"))
        return f"case when abs({value}) < 1e300 then {value} end"

    def _column(self, role: str) -> str:
        quoted = self.columns[role].replace(self.quote, self.quote * 2)
        return f"{self.name}.{self.quote}{quoted}{self.quote}"

    def _nothing(self) -> str:
        return "cast(null as string)"


def _as_number(column: str) -> str:
    """SQL of a number; of its text, for DuckDB reads a CSV's column that is cast as such."""
    return f"try_cast(trim(cast({column} as string)) as double)"


def opened(
    engine: Engine, name: str, place: str, roles: tuple[Role, ...], mapping: Mapping[str, str]
) -> Given:
    """A table of an engine, with its columns by role: by alias, or as `--map` has them.

    Raises
    ------
    UnusableInputError : a role that has no column
    """
    whole = engine.open(name, place)
    own = given_for(mapping, place)
    every = {role: column for role, column in mapping.items() if ":" not in role}
    known = {role.name for role in roles}
    given = {r: c for r, c in {**every, **own}.items() if r in known and (c in whole or not c)}
    columns, problems = map_columns(list(whole), roles, given, place)
    refuse(problems)
    return Given(name, whole, columns, engine.quote)


def check_mapping(mapping: Mapping[str, str], tables: list[Given]) -> None:
    """Each role that is given a column exists, and so does the column, in some table.

    Raises
    ------
    UnusableInputError : one that does not
    """
    there = {column for table in tables for column in table.whole}
    problems = unknown_roles(mapping, "--map")
    rule = f"the columns are {', '.join(sorted(there))}"
    problems += [
        error("--map", None, f"no column {column!r}", rule, CORRECT)
        for column in mapping.values()
        if column and column not in there
    ]
    refuse(problems)


def name_views(
    engine: Engine, log: Given, queries: Given | None, judged: Given, topics_by: str
) -> tuple[str, str]:
    """Name the views `log` and `graded`; the SQL of the log's session and the judgments' topic.

    Raises
    ------
    UnusableInputError : a table that names no topic, unless all queries are on one
    """
    asked = queries or log
    if topics_by == "one":
        asked, judged = (_without_topic(table) for table in (asked, judged))
    else:
        rule = "log and judgments both name the topic of a row"
        remedy = f"{say_column('topic').command} {ONE_TOPIC}"
        tables = {"log": asked, "judgments": judged}
        lacking = [name for name, table in tables.items() if "topic" not in table.columns]
        refuse([error(name, 1, "topic missing", rule, remedy) for name in lacking])
    engine.view("log", _log(log, queries and asked, asked))
    doc, grade = judged.text("doc"), judged.grade()
    filled = f"trim(coalesce({judged.text('grade')}, '')) <> ''"
    engine.view(
        "graded",
        f"select coalesce({judged.text('topic')}, '') as topic, {doc} as doc, "
        f"case when trim(coalesce({doc}, '')) <> '' then {grade} end as grade, "
        f"case when {filled} and ({grade}) is null then 'grade' end as fault from {judged.name}",
    )
    return log.text("session"), f"coalesce({judged.text('topic')}, '')"


def _without_topic(table: Given) -> Given:
    """A table all of whose rows are on one topic."""
    columns = {role: column for role, column in table.columns.items() if role != "topic"}
    return replace(table, columns=columns)


def _log(results: Given, queries: Given | None, asked: Given) -> str:
    """SQL of the log: a row for each result, and for each query without results."""
    place = (
        f"{results.text('session')} as session, {results.number('query_number')} as query_number"
    )
    rank, doc = results.number("rank"), results.text("doc")
    of_query = f"{asked.text('topic')} as topic, {asked.text('system')} as system, " + (
        f"nullif({asked.text('searcher')}, '') as searcher"
    )
    shown = f"{rank} as rank, {doc} as doc"
    fault = _fault(results, rank, doc)
    if queries is None:
        return f"select {place}, {shown}, {of_query}, {fault} as fault from {results.name}"
    session, number = queries.text("session"), queries.number("query_number")
    joined = (
        f"{results.name} left join {queries.name} on {session} = {results.text('session')} "
        f"and {number} = {results.number('query_number')}"
    )
    unknown = f"coalesce({fault}, case when {session} is null then 'no_query' end)"
    alone = f"{session} as session, {number} as query_number"
    nothing = "cast(null as int) as rank, cast(null as string) as doc"
    bad = f"case {_key_faults(queries)} end"
    return (
        f"select {place}, {shown}, {of_query}, {unknown} as fault from {joined} union all "
        f"select {alone}, {nothing}, {of_query}, {bad} as fault from {queries.name}"
    )


def _key_faults(table: Given) -> str:
    session, number = table.text("session"), table.number("query_number")
    return (
        f"when trim(coalesce({session}, '')) = '' then 'session' "
        f"when ({number}) is null then 'query_number'"
    )


def _fault(table: Given, rank: str, doc: str) -> str:
    """SQL of the first rule that a row breaks, or null; most rows are seen to be whole at once."""
    session, number = table.text("session"), table.number("query_number")
    whole = f"{session} >= '!' and ({number}) is not null and ({rank}) >= 0 and {doc} >= '!'"
    empty = f"trim(coalesce({table.text('rank')}, '')) = ''"
    without = f"trim(coalesce({doc}, '')) = ''"
    return (
        f"case when {whole} then null {_key_faults(table)} "
        f"when {empty} and not ({without}) then 'no_rank' "
        f"when not ({empty}) and {without} then 'no_doc' "
        f"when not ({empty}) and (({rank}) is null or ({rank}) < 0) then 'rank' end"
    )
