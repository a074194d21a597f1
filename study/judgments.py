"""Judgments by topic, by query text or by session: each grade is kept under (topic, doc)."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pandas as pd

from study.cells import Findings, blank, coded, first_of_each, grades
from study.checks import note, warning
from study.log_rows import Ints, combined, text_of
from study.raw import RawTable, in_order
from study.rules import Rules, chosen

EMPTY = {"topic": "str", "doc": "str", "grade": "float64"}
BY_TEXT = "query text"


def judgment_key(columns: pd.DataFrame, log: pd.DataFrame) -> str:
    """What judgments go by: topic, text or session; "" where they name none of these."""
    by = [role for role in ("topic", "text", "session") if role in columns and role in log]
    return by[0] if by else ""


def read_judgments(
    raw: RawTable,
    columns: pd.DataFrame,
    log: pd.DataFrame,
    found: Findings,
    rules: Rules,
    *,
    own: bool,
) -> pd.DataFrame:
    """One row per judged (topic, doc); `own` where they are the grades of a log.

    Parameters
    ----------
    columns : the judgments' cells by role
    log : the log's cells by role, which tell the topics of a query text or session
    """
    if "grade" not in columns or "doc" not in columns:
        return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in EMPTY.items()})
    grade = grades(raw, columns["grade"], found)
    kept = ~np.isnan(grade) & ~blank(columns["doc"])
    if not own:
        rule = "judgments without a grade or document"
        found.leave_out(raw, rule, np.flatnonzero(~kept))
    rows = np.flatnonzero(kept)
    key = "topic" if own else judgment_key(columns, log)
    if key in ("text", "session"):
        rows, topics = _topics_of(raw, columns, log, rows, key, found)
    else:
        topics = text_of(columns, "topic").iloc[rows].astype("str").to_numpy()
    docs = columns["doc"].iloc[rows].astype("str").to_numpy()
    return _one_each(raw, rows, (topics, docs), grade[rows], found, rules, own=own)


def _one_each(
    raw: RawTable,
    rows: Ints,
    named: tuple[Any, Any],
    grade: Any,
    found: Findings,
    rules: Rules,
    *,
    own: bool,
) -> pd.DataFrame:
    """One grade for each (topic, doc), by rule where they disagree."""
    topics, docs = named
    pairs = combined(coded(pd.Series(in_order(topics))), coded(pd.Series(in_order(docs))))
    first, place = first_of_each(pairs)
    against = np.flatnonzero(grade != grade[first][place])
    taken = first
    if against.size and rules.conflicts == "error":
        at = {int(row): i for i, row in enumerate(rows.tolist())}
        found.refuse(
            raw,
            rows[against],
            lambda i: (
                f"another grade, {grade[at[i]]:g}, for {docs[at[i]]!r} of topic {topics[at[i]]!r}"
            ),
            rule="a document has one grade for a topic",
            remedy="Keep one of the two, or choose: --conflicts first, last or highest.",
        )
    elif against.size:
        taken = chosen(place, grade, rules.conflicts)
        disagreed = np.isin(place, place[against])
        disagreed[taken] = False
        rule = f"conflicting judgments: the {rules.conflicts} counts"
        found.leave_out(raw, rule, np.sort(rows[disagreed]))
    again = np.ones(rows.size, dtype=bool)
    again[first] = False
    again[np.isin(place, place[against])] = False
    if not own:
        found.repair(raw, "agreeing judgments merged", np.sort(rows[again]))
    kept = {"topic": topics[taken], "doc": docs[taken]}
    return pd.DataFrame(
        {**{k: pd.Series(v, dtype="str") for k, v in kept.items()}, "grade": grade[taken]}
    )


def _topics_of(
    raw: RawTable, columns: pd.DataFrame, log: pd.DataFrame, rows: Ints, key: str, found: Findings
) -> tuple[Ints, Any]:
    """Rows of judgments and the topic of each, found by query text or session.

    A text that was asked on several topics is judged for each of them.
    """
    roles = [key]
    if key == "session" and "query_number" in columns:
        roles.append("query_number")
    asked = pd.DataFrame({role: key_texts(log[role]) for role in roles})
    asked["topic"] = text_of(log, "topic").astype("str") if "topic" in log else asked[key]
    asked = asked.drop_duplicates()
    judged = pd.DataFrame({role: key_texts(columns[role].iloc[rows]) for role in roles})
    judged["row"] = rows
    met = judged.merge(asked, on=roles, how="left", sort=False)
    nobody = met["topic"].isna()
    if nobody.any():
        some = tuple(dict.fromkeys(met[key][nobody]))[:3]
        what = BY_TEXT if key == "text" else key
        said = f"{int(nobody.sum()):,} judgments by a {what} that the log does not have"
        rule = "they are kept, but count for no query and no ideal"
        remedy = f"Check that log and judgments write each {what} alike."
        found.problems.append(warning(raw.file, said, rule, remedy, *some))
    if "topic" not in log:
        rule = f"the log names no topic, so each {key} is judged as a topic of its own"
        found.problems.append(
            note(
                raw.file,
                f"judgments by {key}",
                rule,
                "Add a topic column to the log if several queries share one need.",
            )
        )
    topics = met["topic"].where(~nobody, met[key]).astype("str").to_numpy()
    return met["row"].to_numpy(dtype=np.int64), topics


def key_texts(column: pd.Series) -> pd.Series:
    """Texts to compare: in NFC, without blanks around; whole numbers without zeros before."""
    texts = [unicodedata.normalize("NFC", str(text)).strip() for text in column.cat.categories]
    plain = np.array(texts, dtype=object)[coded(column)]
    return pd.Series(plain, index=column.index, dtype="str").reset_index(drop=True)
