"""Data: what was read, and whether it can be trusted, as sentences and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.questions.words.wording import counted
from sdcg_explorer.reading.log_tables import ONE_SYSTEM, OWN
from sdcg_explorer.reading.mapping import ROLES
from sdcg_explorer.reading.raw_table import texts_of
from sdcg_explorer.reading.table_kinds import Part, columns_of, events_of
from sdcg_explorer.study.counts import REPEATS_BY_DOCUMENT
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.observed import Observed
from sdcg_explorer.study.problems import Problem
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.study import sessions_of

SAMPLES = 5
LONGEST_SAMPLE = 60
MOST_SHOWN = 1_000
NO_ROLE = "no role"
COUNTS = {  # as a page calls them
    "topics judged": "judged topics",
    "sessions without judgments": "sessions on unjudged topics",
}


@dataclass(frozen=True)
class ColumnSeen:
    """A column of a file: the role it seems to play, how that was found, and some of its values."""

    name: str
    role: str
    how: str
    samples: tuple[str, ...]


def columns_seen(part: Part) -> list[ColumnSeen]:
    """Columns of a part, in the file's order."""
    played = {column: role for role, column in part.columns.items()}
    by_name = columns_of(part.raw, part.kind, {}) if part.kind in ROLES else {}
    seen: list[ColumnSeen] = []
    for name in part.raw.header:
        role = played.get(name, NO_ROLE)
        alike = by_name.get(role) == name
        how = "" if role == NO_ROLE else "by its name" if alike else "by its values"
        texts = [text for text in texts_of(part.raw.rows[name]) if text.strip()]
        samples = tuple(text[:LONGEST_SAMPLE] for text in texts[:SAMPLES])
        seen.append(ColumnSeen(name, role, how, samples))
    return seen


def roles_of(kind: str) -> list[str]:
    """Roles that columns of a kind of table can play, the needed ones first."""
    roles = sorted(ROLES.get(kind, ()), key=lambda role: not role.required)
    return [NO_ROLE, *(role.name for role in roles)]


def needed_roles(part: Part) -> set[str]:
    """Roles that a table can't do without; results in a list of their own have ranks by it."""
    needed = {role.name for role in ROLES.get(part.kind, ()) if role.required}
    if events_of(part):
        return set()
    listed = part.raw.nested is not None and part.raw.nested.ranks(part.columns) is not None
    return needed - {"rank"} if listed else needed


def data_answer(study: Observed) -> str:
    """What was read, in a sentence."""
    checked: dict[str, Any] = study.checked()
    counts = [counted(checked[f"{name}s"], name) for name in ("session", "result")]
    queries = "1 query" if checked["queries"] == 1 else f"{checked['queries']:,} queries"
    counted_so = f"{counts[0]}, {queries}, {counts[1]} read"
    if "counted_to_rank" in checked:
        share = f"{checked['judged_share'] or 0:.0%} of those to rank {checked['counted_to_rank']}"
        return f"Counted from a log: {counted_so.removesuffix(' read')}; {share} are judged."
    alone = checked["sessions_without_judgments"]
    if alone:
        verb = "is" if alone == 1 else "are"
        return f"{counted_so}; {counted(alone, 'session')} {verb} on topics nobody judged."
    share = checked["judged_share"]
    return f"{counted_so}; {'no' if not share else f'{share:.0%}'} of the results are judged."


def report_words(checked: dict[str, Any]) -> list[tuple[str, str]]:
    """Every count of an import report: its name and its value in words."""
    words: list[tuple[str, str]] = []
    for name, value in checked.items():
        plain = name.replace("_", " ")
        if name in ("left_out", "repaired"):
            words += [(plain, f"{rule}: {count:,}") for rule, count in value.items()]
        elif name == REPEATS_BY_DOCUMENT and value == checked["repeats"]:
            continue
        elif name not in ("problems", "files"):
            words.append((plain, _words(value)))
    return words


def files_table(report: Report) -> pd.DataFrame:
    """Every file that was given: its role, its rows, those that were used, and why."""
    return pd.DataFrame(report.files_as_dicts()).astype({"rows_in": "Int64", "rows_used": "Int64"})


def _words(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {count:,}" for key, count in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(f"{share:.3f}" for share in value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def counts_table(study: Observed) -> pd.DataFrame:
    """The import report's counts as a table."""
    words = [(COUNTS.get(name, name), count) for name, count in report_words(study.checked())]
    return pd.DataFrame(words, columns=["what", "count"])


def problems_table(problems: list[Problem]) -> pd.DataFrame:
    """Problems as a page shows them, as a table, the gravest first."""
    rows = [problem.in_browser.as_dict() for problem in sorted(problems, key=_gravity)][:MOST_SHOWN]
    table = pd.DataFrame(
        rows, columns=["severity", "file", "line", "found", "rule", "remedy", "count", "examples"]
    )
    table["line"] = table["line"].astype("Int64")
    table["examples"] = ["; ".join(examples) for examples in table["examples"]]
    return table


def _gravity(problem: Problem) -> int:
    return ("error", "warning", "note").index(problem.severity)


def changes_table(report: Report) -> pd.DataFrame:
    """Every line that was repaired or left out, and the rule."""
    return pd.DataFrame(list(report.rows()), columns=["file", "line", "what", "rule"])


def about_first(study: Observed) -> str:
    """What is known of the first session and its first query, in a sentence."""
    study = sessions_of(study)
    first = study.sessions.iloc[0]
    query = study.queries[study.queries["session"] == first["session"]].iloc[0]
    named = first[first.notna() & (first != ONE_SYSTEM)]
    known = [f"{name} {_text(value)}" for name, value in named.items()]
    more = [name for name in query.index if name not in OWN]
    parts = [f"{name} {_text(query[name])}" for name in more if not pd.isna(query[name])]
    return f"{', '.join(known)}{'; its first query has ' * bool(parts)}{', '.join(parts)}."


def _text(value: Any) -> str:
    return label(value) if isinstance(value, float) else str(value)


def first_session(study: Observed) -> pd.DataFrame:
    """The first session as it is understood: a row per result, with the grade it will count by."""
    study = sessions_of(study)
    first = study.sessions["session"].iloc[0]
    queries = study.queries[study.queries["session"] == first]
    results = study.results[study.results["session"] == first]
    keys = ["session", "query_number"]
    shown = queries[[*keys, "topic", "text"]].merge(
        results[[*keys, "rank", "doc", "clicked"]], on=keys, how="left", sort=False
    )
    shown = shown.astype({"topic": "str", "doc": "str"}).drop(columns="session")
    grades = study.judgments.astype({"topic": "str", "doc": "str"})
    table = shown.merge(grades, on=["topic", "doc"], how="left", sort=False)
    missing = np.where(table["rank"].isna(), "", "unjudged")
    table["grade"] = [
        none if pd.isna(grade) else label(grade)
        for grade, none in zip(table["grade"], missing, strict=True)
    ]
    table["rank"] = table["rank"].astype("Int64")
    if table["clicked"].isna().all():
        table = table.drop(columns="clicked")
    return table.sort_values(["query_number", "rank"]).head(MOST_SHOWN)


@dataclass(frozen=True, eq=False)
class UnjudgedByRank:
    """Share of the results that nobody judged, by rank; results behind each share."""

    rank: list[int]
    share: list[float]
    results: list[int]

    def table(self) -> pd.DataFrame:
        """One row per rank."""
        return pd.DataFrame({"rank": self.rank, "unjudged": self.share, "results": self.results})

    def behind(self) -> str:
        """What stands behind the shares."""
        ranks = f"{counted(sum(self.results), 'result')} at ranks 1 to {max(self.rank, default=1)}"
        return ranks if any(self.share) else f"{ranks}, every one judged"


def unjudged_by_rank(study: Observed, deepest: int = 20) -> UnjudgedByRank:
    """Unjudged share of the results at each of the first ranks, or of those counted."""
    ranks, results, judged = study.judged_by_rank(deepest)
    return UnjudgedByRank(ranks.tolist(), ((results - judged) / results).tolist(), results.tolist())
