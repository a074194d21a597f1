"""Columns of a log and of judgments by role, as the views that the counts are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sdcg_explorer.counting import cells
from sdcg_explorer.counting.engine import Engine, Opened
from sdcg_explorer.counting.faults import OF_ROWS
from sdcg_explorer.reading.judgments import judged_by_query
from sdcg_explorer.reading.mapping import (
    CORRECT,
    QUERY_NUMBER,
    SEARCHER,
    SESSION,
    SYSTEM,
    TOPIC,
    Role,
    beir_qrels,
    given_for,
    map_columns,
    nameless,
    unknown_roles,
)
from sdcg_explorer.study.problems import Problem, error, refuse

NO_NUMBER = "cast(null as double)"
OF_QUERIES = (SESSION, QUERY_NUMBER, TOPIC, SYSTEM, SEARCHER)


@dataclass(frozen=True)
class Given:
    """A table as it was given: its name here, what is known of it, and its columns by role."""

    name: str
    opened: Opened
    columns: dict[str, str]
    engine: Engine

    def text(self, role: str) -> str:
        """SQL of a role's texts, in NFC; null where no column plays it."""
        text = self.as_is(role)
        if role not in self.columns or self.opened.is_ascii:
            return text
        return self.engine.composed.format(text)

    def as_is(self, role: str) -> str:
        """SQL of a role's texts as they stand in the file."""
        if role not in self.columns:
            return "cast(null as string)"
        return f"cast({self._column(role)} as string)"

    def number(self, role: str) -> str:
        """SQL of a role's whole numbers; null where a cell holds none."""
        if not self.opened.whole[self.columns[role]]:
            return cells.whole(self.as_is(role))
        column = self._column(role)
        return f"case when {column} between 0 and {cells.MOST} then cast({column} as int) end"

    def grade(self) -> str:
        """SQL of the grades; null where a cell holds no number, or no column any."""
        return cells.grade(self.as_is("grade")) if "grade" in self.columns else NO_NUMBER

    def without_topic(self) -> Given:
        """The same table, all of whose rows are on one topic."""
        columns = {role: column for role, column in self.columns.items() if role != "topic"}
        return replace(self, columns=columns)

    def _column(self, role: str) -> str:
        quote = self.engine.quote
        return f"{self.name}.{quote}{self.columns[role].replace(quote, quote * 2)}{quote}"


def given_as(
    engine: Engine,
    name: str,
    opened: Opened,
    roles: tuple[Role, ...],
    mapping: Mapping[str, str],
) -> tuple[Given, list[Problem]]:
    """A table of an engine, with its columns by role: by alias, or as `--map` has them.

    The problems are roles that have no column.
    """
    header = [*opened.whole]
    own = given_for(mapping, opened.file)
    every = {role: column for role, column in mapping.items() if ":" not in role}
    known = {role.name for role in roles}
    of_judgments = name == "given_judgments"
    qrels = beir_qrels(header) if of_judgments else {}
    given = {
        r: c for r, c in {**qrels, **every, **own}.items() if r in known and (c in header or not c)
    }
    columns, problems = map_columns(header, roles, given, opened.file, parted=False)
    bare = [nameless(file, first, roles) for file, first in opened.bare.items()]
    if of_judgments:
        judged_by_query(columns)
    return Given(name, opened, columns, engine), bare if problems and bare else problems


def check_mapping(mapping: Mapping[str, str], tables: list[Given]) -> None:
    """Each role that is given a column exists, and so does the column, in some table.

    Raises
    ------
    UnusableInputError : one that does not
    """
    there = {column for table in tables for column in table.opened.whole}
    problems = unknown_roles(mapping, "--map")
    rule = f"the columns are {', '.join(sorted(there))}"
    problems += [
        error("--map", None, f"no column {column!r}", rule, CORRECT)
        for column in mapping.values()
        if column and column not in there
    ]
    refuse(problems)


def name_views(engine: Engine, log: Given, queries: Given | None, judged: Given) -> None:
    """Name the views `log` and `graded`."""
    engine.view("log", _log(log, queries))
    doc = judged.text("doc")
    engine.view(
        "graded",
        f"select coalesce({judged.text('topic')}, '') as topic, {doc} as doc, "
        f"case when not ({cells.blank(doc)}) then {judged.grade()} end as grade, "
        f"{cells.grade_fault(judged.as_is('grade'))} as fault "
        f"from {judged.name}",
    )


def _log(results: Given, queries: Given | None) -> str:
    """SQL of the log: a row for each result, and for each query without results."""
    asked = queries or results
    place = (
        f"{results.text('session')} as session, {results.number('query_number')} as query_number"
    )
    rank, doc = results.number("rank"), results.text("doc")
    of_query = f"coalesce({asked.text('topic')}, '') as topic, " + (
        f"coalesce({asked.text('system')}, '') as system, "
        f"nullif({asked.text('searcher')}, '') as searcher"
    )
    shown = f"{rank} as rank, {doc} as doc, {results.grade()} as own"
    fault = _fault(results, _of_results(results))
    if queries is None:
        return f"select {place}, {shown}, {of_query}, {fault} as fault from {results.name}"
    session, number = queries.text("session"), queries.number("query_number")
    joined = (
        f"{results.name} left join {queries.name} on {session} = {results.text('session')} "
        f"and {number} = {results.number('query_number')}"
    )
    no_query = f"case when {session} is null then {OF_ROWS['no_query']} end"
    nothing = f"cast(null as int) as rank, cast(null as string) as doc, {NO_NUMBER} as own"
    return (
        f"select {place}, {shown}, {of_query}, coalesce({fault}, {no_query}) as fault "
        f"from {joined} union all "
        f"select {session} as session, {number} as query_number, {nothing}, {of_query}, "
        f"{_fault(queries, _of_keys(queries))} as fault from {queries.name}"
    )


def _of_keys(table: Given) -> dict[str, str]:
    """SQL of what session and query number of a row break, by rule."""
    number = cells.blank(table.as_is("query_number"))
    return {
        "session": cells.blank(table.as_is("session")),
        "no_query_number": number,
        "query_number": f"({table.number('query_number')}) is null and not ({number})",
    }


def _of_results(table: Given) -> dict[str, str]:
    """SQL of what a row of results breaks, by rule."""
    no_rank, no_doc = (cells.blank(table.as_is(role)) for role in ("rank", "doc"))
    marks = {
        role: f"not ({cells.is_flag(table.as_is(role))})"
        for role in ("clicked", "examined")
        if role in table.columns
    }
    own = cells.grade_fault(table.as_is("grade"))
    grades = {f"own_{fault}": f"({own}) = '{fault}'" for fault in ("grade", "large_grade")}
    return {
        **_of_keys(table),
        "no_rank": f"{no_rank} and not ({no_doc})",
        "no_doc": f"{no_doc} and not ({no_rank})",
        "rank": f"not ({no_rank}) and ({table.number('rank')}) is null",
        **marks,
        **(grades if "grade" in table.columns else {}),
    }


def _fault(table: Given, broken: Mapping[str, str]) -> str:
    """SQL of the rules that a row breaks, a bit each, or null; most rows are whole at once."""
    total = " + ".join(
        f"case when {sql} then {OF_ROWS[rule]} else 0 end" for rule, sql in broken.items()
    )
    if "rank" not in broken or {"clicked", "examined", "grade"} & table.columns.keys():
        return f"nullif({total}, 0)"
    numbers = " and ".join(f"({table.number(r)}) is not null" for r in ("query_number", "rank"))
    texts = " and ".join(cells.plain(table.as_is(role)) for role in ("session", "doc"))
    return f"case when {numbers} and {texts} then null else nullif({total}, 0) end"
