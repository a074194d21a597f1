"""Tags of queries: why a query failed, in the words of the paper (S08 §3.2) or one's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import pandas as pd

SUGGESTED = (
    *("syntax error", "wrong angle", "over-strict filter", "wrong value"),
    *("typo", "too specific", "too broad"),
)
COLUMNS = ("session", "query_number", "tag")
LONGEST = 60
MOST_DIGITS = 9  # of a query number
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
JOINED = "; "
Tags = dict[tuple[str, int], tuple[str, ...]]  # of each query, by session and query number


def cleaned(texts: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are kept: on one line, each once, the suggested ones first.

    >>> cleaned(["too  narrow", "typo", "a;b", " "])
    ('typo', 'a,b', 'too narrow')
    """
    plain = [CONTROL.sub(" ", unicodedata.normalize("NFC", str(text))) for text in texts]
    shorter = (" ".join(text.replace(";", ",").split())[:LONGEST].strip() for text in plain)
    given = {text for text in shorter if any(unicodedata.category(c)[0] not in "CZ" for c in text)}
    return (*(tag for tag in SUGGESTED if tag in given), *sorted(given.difference(SUGGESTED)))


def joined(tags: Tags, session: str, number: int) -> str:
    """Tags of one query in one cell."""
    return JOINED.join(tags.get((session, number), ()))


def tags_table(tags: Tags) -> pd.DataFrame:
    """One row per query and tag."""
    rows = [(*query, tag) for query, given in sorted(tags.items()) for tag in given]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def tags_of(table: pd.DataFrame) -> Tags:
    """Tags of a table with one row per query and tag; rows without a query or tag say nothing."""
    by_query: dict[tuple[str, int], list[str]] = {}
    for session, number, tag in table[list(COLUMNS)].itertuples(index=False):
        if str(number).isdecimal() and len(str(number)) <= MOST_DIGITS:
            by_query.setdefault((str(session), int(number)), []).append(str(tag))
    every = {query: cleaned(given) for query, given in by_query.items()}
    return {query: given for query, given in every.items() if given}
