"""What is asked of a column's distinct texts at once is what a plain loop finds of each."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.study.distinct_texts import factorised, together, used_texts

TEXTS = st.text(" 0aA1ßİ\u00a0\u2003", max_size=4)
DISTINCT = st.lists(TEXTS, unique=True, max_size=12)


@given(runs=st.lists(st.tuples(TEXTS, st.integers(1, 9))), cut=st.integers(0, 40))
def test_factorised_numbers_texts_as_they_appear(runs: list[tuple[str, int]], cut: int) -> None:
    texts = [text for text, times in runs for _ in range(times)]
    column: Any = pa.chunked_array([texts[:cut], texts[cut:]], pa.string())
    codes, distinct = factorised(column)
    first = list(dict.fromkeys(texts))
    assert list(distinct) == first
    assert codes.tolist() == [first.index(text) for text in texts]


@given(own=DISTINCT, others=DISTINCT)
def test_texts_together_are_the_own_and_then_what_they_lack_by_name(
    own: list[str], others: list[str]
) -> None:
    every, places = together(pd.Index(own, dtype="str"), others)
    assert every.tolist() == own + sorted(set(others) - set(own))
    assert [every[place] for place in places] == others


@given(texts=DISTINCT.filter(bool), data=st.data())
def test_used_texts_are_those_of_the_rows(texts: list[str], data: Any) -> None:
    codes = data.draw(st.lists(st.integers(-1, len(texts) - 1)))
    column = pd.Series(pd.Categorical.from_codes(codes, pd.Index(texts, dtype="str")))
    used, places = used_texts(column)
    assert list(used) == [text for i, text in enumerate(texts) if i in codes]
    assert [used[p] if p >= 0 else None for p in places] == [
        texts[code] if code >= 0 else None for code in codes
    ]
