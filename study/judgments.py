"""Judgments by topic, by query text or by session: each grade is kept under (topic, doc)."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pandas as pd

from study.cells import WHOLE, Findings, blank, coded, first_of_each, grades
from study.checks import note, warning
from study.log_rows import Ints, combined, text_of
from study.raw import RawTable, in_order, texts_of
from study.rules import Rules, chosen

EMPTY = {"topic": "str", "doc": "str", "grade": "float64"}


KEYS = (("topic",), ("text",), ("session", "query_number"), ("session",))


def judgment_key(columns: pd.DataFrame, log: pd.DataFrame) -> tuple[str, ...]:
    """What judgments go by: topic, query text, or session (and query number); else nothing."""
    return next((key for key in KEYS if all(r in columns and r in log for r in key)), ())


def topics_by(columns: pd.DataFrame, key: tuple[str, ...]) -> Any:
    """What stands for the topic of each row where none is named: the key's own texts."""
    return key_texts(columns, key).agg("/".join, axis=1).to_numpy(dtype=object)


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
    key = ("topic",) if own else judgment_key(columns, log)
    beside = [role for role in ("text", "session", "query_number") if role in columns]
    if key == ("topic",) and beside and not own:
        rule = "judgments with a topic go by it, and count for every query on it"
        remedy = "Take the topic out if each query was judged by itself."
        some = ", ".join(role.replace("_", " ") for role in beside)
        found.problems.append(note(raw.file, f"columns for {some} beside topic", rule, remedy))
    if key and key != ("topic",):
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
        at = {int(rows[i]): int(i) for i in against[::-1]}
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
        found.leave_out(raw, rule, np.unique(rows[disagreed]))
    again = np.ones(rows.size, dtype=bool)
    again[first] = False
    again[np.isin(place, place[against])] = False
    if not own:
        found.repair(raw, "agreeing judgments merged", np.unique(rows[again]))
    kept = {"topic": topics[taken], "doc": docs[taken]}
    return pd.DataFrame(
        {**{k: pd.Series(v, dtype="str") for k, v in kept.items()}, "grade": grade[taken]}
    )


def _topics_of(
    raw: RawTable,
    columns: pd.DataFrame,
    log: pd.DataFrame,
    rows: Ints,
    key: tuple[str, ...],
    found: Findings,
) -> tuple[Ints, Any]:
    """Rows of judgments and the topic of each, found by query text or session.

    A text that was asked on several topics is judged for each of them.
    """
    asked = key_texts(log, key)
    asked["topic"] = log["topic"].astype("str").to_numpy()
    judged = key_texts(columns.iloc[rows], key).assign(row=rows)
    met = judged.merge(asked.drop_duplicates(), on=list(key), how="left", sort=False)
    nobody = met["topic"].isna()
    if nobody.any():
        some = tuple(dict.fromkeys(met[key[0]][nobody]))[:3]
        what = " and ".join("query text" if r == "text" else r.replace("_", " ") for r in key)
        said = f"{int(nobody.sum()):,} judgments by a {what} that the log does not have"
        rule = "they are kept, but count for no query and no ideal"
        remedy = f"Check that log and judgments write each {what} alike."
        found.problems.append(warning(raw.file, said, rule, remedy, *some))
    alone = met[list(key)].agg("/".join, axis=1)
    topics = met["topic"].where(~nobody, alone).astype("str").to_numpy()
    return met["row"].to_numpy(dtype=np.int64), topics


def key_texts(columns: pd.DataFrame, key: tuple[str, ...]) -> pd.DataFrame:
    """Texts to compare: in NFC, without blanks around; query numbers without zeros before."""
    texts: dict[str, Any] = {}
    for role in key:
        column = columns[role]
        plain = [unicodedata.normalize("NFC", text).strip() for text in texts_of(column)]
        if role == "query_number":
            plain = [str(int(float(t))) if WHOLE.fullmatch(t) else t for t in plain]
        texts[role] = np.array(plain, dtype=object)[coded(column)]
    return pd.DataFrame(texts, dtype="str")
