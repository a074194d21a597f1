"""What is looked at beyond rows: that there are any, topics, columns of documents, bounds."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from sdcg_explorer.counting import cells
from sdcg_explorer.counting.columns import Given
from sdcg_explorer.counting.engine import Engine
from sdcg_explorer.reading.assemble import no_row
from sdcg_explorer.reading.judgments import ARE_NAMED, NONE_NAMED, ONE, as_chosen, no_topic
from sdcg_explorer.reading.mapped_table import IDS, INVISIBLE, are_alike, composed, docs_as, unseen
from sdcg_explorer.study.bounds import MOST_QUERIES, beyond_grades, too_long
from sdcg_explorer.study.problems import Problem, error, refuse

LOOKED_AT = 1_000  # rows, before all are
CHOOSE = f"Choose: --topics-by one ({ONE}). Or name the columns of both: --map topic=NAME."
Noted = Callable[[Problem], None]


def look_over(tables: Mapping[str, Given], topics_by: str, noted: Noted) -> dict[str, Given]:
    """The tables, without columns for topics that name none; what readers note of them is noted.

    Raises
    ------
    UnusableInputError : one without rows, documents in another's column, topics in one alone
    """
    heads = {name: _head(table) for name, table in tables.items()}
    refuse([no_row(tables[name].opened.file) for name, head in heads.items() if head.empty])
    named = {
        name: _looked_for_letters(
            table if _has_topics(table, heads[name]) else table.without_topic()
        )
        for name, table in tables.items()
    }
    refuse([each for name, table in named.items() for each in _docs_as(table, heads[name])])
    lacking, file = lacking_topics(named), named["log"].opened.file
    refuse([*map(no_topic, lacking)] if len(lacking) == 1 else [])
    if lacking and not topics_by:
        refuse([error(file, None, NONE_NAMED, ARE_NAMED, CHOOSE)])
    for table in named.values():
        for problem in (*table.opened.notes, *_odd_letters(table)):
            noted(problem)
    if lacking:
        noted(as_chosen(file, ONE))
    return named


def lacking_topics(tables: Mapping[str, Given]) -> list[str]:
    """Files of log and judgments that have no column for topics."""
    asked = tables.get("queries", tables["log"]), tables["judgments"]
    return [table.opened.file for table in asked if "topic" not in table.columns]


def _head(table: Given) -> pd.DataFrame:
    """Texts of the first rows by role."""
    texts = ", ".join(f"{table.as_is(role)} as {role}" for role in table.columns)
    rows = table.engine.rows(f"select {texts} from {table.name} limit {LOOKED_AT}")
    return rows.to_pandas().fillna("").astype("str")


def _has_topics(table: Given, head: pd.DataFrame) -> bool:
    """Whether some row names a topic."""
    if "topic" not in head or head["topic"].str.strip().ne("").any():
        return "topic" in head
    filled = f"not ({cells.blank(table.as_is('topic'))})"
    return len(table.engine.rows(f"select 1 as x from {table.name} where {filled} limit 1")) > 0


def _docs_as(table: Given, head: pd.DataFrame) -> list[Problem]:
    """Documents whose texts stand in another role's column, too."""
    if "doc" not in head:
        return []
    found: list[Problem] = []
    filled = head[head["doc"].str.strip() != ""]
    doc = table.as_is("doc")
    for role in sorted(head.columns.difference(["doc", "topic", "text"])):
        same = table.columns[role] == table.columns["doc"]
        if same or (len(filled) and are_alike(filled[["doc", role]])):
            other = f"{table.as_is(role)} is distinct from {doc} and not ({cells.blank(doc)})"
            sql = f"select 1 as x from {table.name} where {other} limit 1"
            if same or not len(table.engine.rows(sql)):
                found.append(docs_as(role, filled["doc"].unique()[:3], table.opened.file))
    return found


def _looked_for_letters(table: Given) -> Given:
    """The table, of which it is known whether all letters are plain; text has told, Parquet not."""
    roles = [role for role, column in table.columns.items() if not table.opened.whole[column]]
    if table.opened.is_ascii or not roles:
        return table
    texts = map(table.as_is, roles)
    other = " or ".join(f"bit_length({text}) <> 8 * length({text})" for text in texts)
    found = table.engine.rows(f"select 1 as x from {table.name} where {other} limit 1")
    return replace(table, opened=replace(table.opened, is_ascii=not len(found)))


def _odd_letters(table: Given) -> list[Problem]:
    """Notes of letters that are composed as they are read, and of those that nobody sees."""
    if table.opened.is_ascii:
        return []
    asked = dict[str, str]()
    for role in table.columns:
        own, text = table.as_is(role), table.text(role)
        asked[f"apart_{role}"] = f"max(case when {text} <> {own} then 1 else 0 end)"
        if role in IDS:
            odd = f"case when {cells.has(text, INVISIBLE)} then {text} end"
            asked |= {f"odd_{role}": f"count(distinct {odd})", f"some_{role}": f"min({odd})"}
    sql = ", ".join(f"{each} as {name}" for name, each in asked.items())
    (row,) = table.engine.rows(f"select {sql} from {table.name}").to_pylist()
    apart = [role for role in table.columns if row[f"apart_{role}"]]
    file = table.opened.file
    return [composed(file, apart)] * bool(apart) + [
        unseen((file, None), role, row[f"odd_{role}"], row[f"some_{role}"])
        for role in IDS
        if row.get(f"odd_{role}")
    ]


def _check_grades(engine: Engine, log: Given) -> None:
    """Distinct grades are no more than pages can count."""
    sql = "select grade from grades"
    if "grade" in log.columns:
        sql += " union select distinct own from log where own is not null"
    topics = engine.rows("select count(distinct topic) as n from lists").to_pylist()[0]["n"]
    grades = engine.rows(sql).column("grade").to_numpy()
    refuse(beyond_grades(grades, int(topics), "judgments"))


def _check_queries(engine: Engine, _: Given) -> None:
    """No session has more queries than pages can count."""
    sql = (
        "select max(named.session) as session, count(*) as queries from queries "
        "join named on named.code = queries.session group by named.code "
        f"having count(*) > {MOST_QUERIES} order by 2 desc, 1 limit 1"
    )
    found: list[dict[str, Any]] = engine.rows(sql).to_pylist()
    refuse([too_long(f"session {row['session']!r}", row["queries"], "log") for row in found])


BOUNDS: dict[str, Callable[[Engine, Given], None]] = {  # by the step that they come after
    "grades": _check_grades,
    "queries": _check_queries,
}
