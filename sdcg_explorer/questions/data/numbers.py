"""Data: what was read, and whether it can be trusted, as sentences and tables."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading import mapping, raw_table, table_kinds
from sdcg_explorer.reading.log_rows import ONE_SYSTEM, OWN
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import names_of
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.annotations import SUGGESTED, Tags, tags_table
from sdcg_explorer.study.columns import is_dwell_time
from sdcg_explorer.study.grades import ASSESSED, label
from sdcg_explorer.study.problems import Problem
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.study import Study

LAST_QUERY = 10**9  # of a session, by far
DEEPEST = 20  # rank of which the unjudged share is told


@dataclass(frozen=True, eq=False)
class Tagged:
    """Counts of tags over the queries that pass the filters.

    table : a row per tag and system, the suggested tags first · tagged, queries : queries with a
    tag, and all · elsewhere : tagged queries that the filters leave out
    """

    table: pd.DataFrame
    tagged: int
    queries: int
    elsewhere: int


def tagged(study: Study, definition: Definition, filters: Filters, *, tags: Tags) -> Tagged:
    """How many queries of each system have each tag, and what they were worth on average."""
    chosen = select(study, definition, filters)
    sample = chosen.sample
    each = tags_table({query: given for query, given in tags.items() if query[1] <= LAST_QUERY})
    row, number = np.nonzero(sample.has_query)
    queries = names_of(study, sample, row).assign(query_number=number + 1)
    queries["dcg"] = chosen.query_scores["dcg"][row, number]
    each = each.merge(queries, on=["session", "query_number"])
    order = [*SUGGESTED, *sorted({*each["tag"]}.difference(SUGGESTED))]
    ordered = each.assign(tag=pd.Categorical(each["tag"], order))
    by_tag = ordered.groupby(["tag", "system"], observed=True)
    table = by_tag["dcg"].agg(queries="size", dcg="mean").reset_index().astype({"tag": "str"})
    number = table["system"].map(queries["system"].value_counts()).astype(float)
    table.insert(3, "share of its queries", table["queries"] / number)
    count = len(each.drop_duplicates(["session", "query_number"]))
    table = table.rename(columns={"dcg": "mean dcg"})
    return Tagged(table, count, int(sample.queries.sum()), elsewhere=len(tags) - count)


SAMPLES = 5
LONGEST_SAMPLE = 60
MOST_SHOWN = 1_000
NO_ROLE = "no role"
BY_NAME = "read as dwell times, by its name"


@dataclass(frozen=True)
class ColumnSeen:
    """A column of a file: the role it seems to play, how that was found, and some of its values."""

    name: str
    role: str
    how: str
    samples: tuple[str, ...]


def columns_seen(part: table_kinds.Part) -> list[ColumnSeen]:
    """Columns of a part, in the file's order."""
    played = {column: role for role, column in part.columns.items()}
    by_name = table_kinds.columns_of(part.raw, part.kind, {}) if part.kind in mapping.ROLES else {}
    seen: list[ColumnSeen] = []
    for name in part.raw.header:
        role = played.get(name, NO_ROLE)
        how = "recognised by name" if by_name.get(role) == name else "recognised by its values"
        texts = [text for text in raw_table.texts_of(part.raw.rows[name]) if text.strip()]
        samples = tuple(text[:LONGEST_SAMPLE] for text in texts[:SAMPLES])
        if role == NO_ROLE:
            how = BY_NAME * (part.kind == "log" and is_dwell_time(name))
        seen.append(ColumnSeen(name, role, how, samples))
    return seen


def roles_of(kind: str) -> list[str]:
    """Roles that columns of a kind of table can play, the needed ones first."""
    roles = sorted(mapping.ROLES.get(kind, ()), key=lambda role: not role.required)
    return [NO_ROLE, *(role.name for role in roles)]


def files_table(report: Report) -> pd.DataFrame:
    """Every file that was given: its role, its rows, those that were used, and why."""
    return pd.DataFrame(report.files_as_dicts()).astype({"rows_in": "Int64", "rows_used": "Int64"})


def problems_table(problems: list[Problem]) -> pd.DataFrame:
    """Problems as a page shows them, as a table, the gravest first."""
    worst = sorted(problems, key=lambda p: ("error", "warning", "note").index(p.severity))
    rows = [problem.in_browser.as_dict() for problem in worst[:MOST_SHOWN]]
    columns = ["severity", "file", "line", "found", "remedy", "rule", "count", "examples"]
    table = pd.DataFrame(rows, columns=columns).astype({"line": "Int64"})
    return table.assign(examples=["; ".join(examples) for examples in table["examples"]])


def changes_table(report: Report) -> pd.DataFrame:
    """Every line that was repaired or left out, and the rule."""
    return pd.DataFrame(list(report.rows()), columns=["file", "line", "what", "rule"])


def first_session_facts(study: Study) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is known of the first session, and of its first query beside what each query has."""
    first, query = study.sessions.iloc[0], first_session_queries(study).iloc[0]
    named = first[first.notna() & (first != ONE_SYSTEM)]
    return dict(named), dict(query[[name for name in query.index if name not in OWN]].dropna())


def first_session_queries(study: Study) -> pd.DataFrame:
    """Queries of the first session, in their order."""
    own = study.queries[study.queries["session"] == study.sessions["session"].iloc[0]]
    return own.sort_values("query_number")


def first_session_results(study: Study) -> pd.DataFrame:
    """The first session as it is understood: a row per result, with the grade it will count by."""
    results = study.results[study.results["session"] == study.sessions["session"].iloc[0]]
    keys = ["session", "query_number"]
    shown = first_session_queries(study)[[*keys, "topic", "text"]].merge(
        results[[*keys, "rank", "doc", "clicked"]], on=keys, how="left", sort=False
    )
    shown = shown.astype({"topic": "str", "text": "str", "doc": "str"}).drop(columns="session")
    own = [name for name in study.judgments if not str(name).startswith(ASSESSED)]
    grades = study.judgments[own].astype({"topic": "str", "doc": "str"})
    table = shown.merge(grades, on=["topic", "doc"], how="left", sort=False)
    missing = np.where(table["rank"].isna(), "", "unjudged")
    table["grade"] = [
        none if pd.isna(grade) else label(grade)
        for grade, none in zip(table["grade"], missing, strict=True)
    ]
    table = table.astype({"rank": "Int64"}).replace({"text": {"": np.nan}})
    table = table.sort_values(["query_number", "rank"])
    return table.dropna(axis="columns", how="all").head(MOST_SHOWN)  # what is logged of any result


def unjudged_by_rank(study: Study) -> pd.DataFrame:
    """Unjudged share of the results at each of the first ranks, or of those counted; a row each."""
    ranks, results, judged = study.judged_by_rank(DEEPEST)
    share = (results - judged) / results
    return pd.DataFrame({"rank": ranks, "unjudged": share, "results": results})
