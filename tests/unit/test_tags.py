"""Tags of queries: cleaned, and written so that neither a crash nor odd lines spoil the others."""

from __future__ import annotations

import pandas as pd
import pytest

from sdcg_explorer.study.tags import LONGEST, SUGGESTED, cleaned, tags_of, tags_table

S1, S2 = ("s1", 1), ("s1", 2)
MOST = 999_999_999  # the largest number of a query
CLEANED: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "nothing": ([], ()),
    "blanks of any kind": (["", " ", "\t\n", "\u00a0", "\u2003", "\u3000", "\x85"], ()),
    "on one line": (["a\nb", "c\r\n d", "e\tf", " g  h "], ("a b", "c d", "e f", "g h")),
    "no semicolon": (["a;b", ";", "; ;"], (",", ", ,", "a,b")),
    "each once": (["b", "a", "b ", " a", "typo", "typo"], ("typo", "a", "b")),
    "one form of each letter": (["e\u0301", "é"], ("é",)),
    "suggested first, as they are listed": (["b", *SUGGESTED[::-1], "a"], (*SUGGESTED, "a", "b")),
    "capitals are told apart": (["Typo", "typo"], ("typo", "Typo")),
    "cut": (["x" * 100, "界" * 100], ("x" * LONGEST, "界" * LONGEST)),
    "cut at a blank": (["x" * (LONGEST - 1) + " y"], ("x" * (LONGEST - 1),)),
}


@pytest.mark.parametrize("what", CLEANED)
def test_tags_are_cleaned(what: str) -> None:
    texts, expected = CLEANED[what]
    assert cleaned(texts) == expected
    assert cleaned(expected) == expected
    assert cleaned(reversed(texts)) == expected


@pytest.mark.parametrize("text", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\x00", "\x1b"])
def test_what_nobody_can_see_is_no_tag(text: str) -> None:
    assert cleaned([text]) == ()


TABLE = [
    *(("s1", 2, "own"), ("s1", 1, "typo"), ("s1", "1", "a;b"), ("s1", 1, "typo"), (7, MOST, "x")),
    *(("s1", 0.5, "x"), ("s1", "", "x"), ("s1", None, "x"), ("s1", -1, "x"), ("s1", "²", "x")),
    *(("s1", 4, " "), ("s1", MOST + 1, "x")),
]


def test_tables_of_tags_are_read_row_by_row() -> None:
    table = pd.DataFrame(TABLE, columns=["session", "query_number", "tag"], dtype=object)
    expected = {S2: ("own",), S1: ("typo", "a,b"), ("7", MOST): ("x",)}
    assert tags_of(table) == expected
    again = tags_table(expected)
    assert again.to_numpy().tolist() == [
        *(["7", MOST, "x"], ["s1", 1, "typo"], ["s1", 1, "a,b"], ["s1", 2, "own"]),
    ]
    assert tags_of(again) == expected
    assert tags_of(tags_table({})) == {}
