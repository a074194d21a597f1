"""Query ids of runs, split into session, query number and topic by a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import WHOLE, Findings, coded
from sdcg_explorer.reading.id_patterns import IDS_A_SECOND, SlowPatternError, parts_of
from sdcg_explorer.reading.raw_table import RawTable, texts_of, with_texts
from sdcg_explorer.reading.rules import Rules, by_rule
from sdcg_explorer.study.problems import UnusableInputError, error, note

LONGEST = 200  # characters of an id that is split

SPLIT = by_rule("query_id", "REGEX", "Say how they split into session and query:")

Turns = dict[tuple[str, int], str]  # the topic that is a query's own id, by session and number


def split_query_ids(
    raw: RawTable, column: str, rules: Rules, judged: frozenset[str], found: Findings
) -> tuple[RawTable, dict[str, str], Turns | None]:
    """Table with columns for session and query number (and topic), and their roles.

    The topic is what the pattern calls so; else the whole id where the judgments go by it (a topic
    that changes per query), else the session. The queries that judgments by the whole id name come
    third, None where judgments go by something else.
    """
    ids = raw.rows[column]
    texts = texts_of(ids)
    fits = _fits(raw.file, texts, rules)
    bad = np.array([fit is None for fit in fits], dtype=bool)[coded(ids)]
    rule = f"query ids read {rules.query_id}"
    found.refuse(
        raw, np.flatnonzero(bad), lambda i: f"query id {ids.iloc[i]!r}", rule=rule, remedy=SPLIT
    )
    parts = [fit or {} for fit in fits]
    columns = {
        "session": [part.get("session", "") for part in parts],
        "query_number": [part.get("query", "") for part in parts],
    }
    turns: Turns | None = None
    if any("topic" in part for part in parts):
        columns["topic"], source = [part.get("topic", "") for part in parts], "what it names"
    elif judged & set(texts) and not judged & set(columns["session"]):
        columns["topic"], source = texts, "the whole query id, as in the judgments"
        topics = sorted(judged)
        turns = {
            (part["session"], int(float(part["query"]))): topic
            for topic, part in zip(topics, _fits(raw.file, topics, rules), strict=True)
            if part and WHOLE.fullmatch(part["query"])
        }
    else:
        columns["topic"], source = columns["session"], "the session"
    rule = f"session and query are read off it by {rules.query_id}, and the topic is {source}"
    named = ((text, part) for text, part in zip(texts, parts, strict=True) if part)
    example = next((f"{text} is query {p['query']} of {p['session']}" for text, p in named), "")
    found.problems.append(note(raw.file, "query ids", rule, f"Check one: {example}.", example))
    rows = {f"{role} of {column}": with_texts(ids, values) for role, values in columns.items()}
    kept = raw.rows.drop(columns=[column])
    split = pd.concat([kept, pd.DataFrame(rows)], axis=1)
    return replace(raw, rows=split), {role: f"{role} of {column}" for role in columns}, turns


def _fits(file: str, texts: Sequence[str], rules: Rules) -> list[dict[str, str] | None]:
    """The parts of ids by the pattern; None for one that doesn't fit."""
    try:
        short = [text.strip() if len(text) <= LONGEST else "" for text in texts]
        return parts_of(short, rules.query_id)
    except SlowPatternError:
        rule = f"a pattern reads {IDS_A_SECOND:,} ids a second"
        slow = error(file, None, f"a slow pattern, {rules.query_id}", rule, SPLIT)
        raise UnusableInputError([slow]) from None
