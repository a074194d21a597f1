"""What is asked of a column's distinct texts at once is what a plain loop finds of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.study.distinct_texts import factorised, near_matches, together, used_texts
from sdcg_explorer.study.warnings import almost_alike

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


@given(texts=DISTINCT, data=st.data())
def test_nearly_in_keeps_every_text_that_is_almost_another(texts: list[str], data: Any) -> None:
    sides = st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))
    in_log = np.array(data.draw(sides), dtype=bool)
    sizes = in_log, ~in_log
    near = near_matches(texts, *sizes)
    every, kept = (
        almost_alike(*({text for text, own in zip(texts, of, strict=True) if own} for of in some))
        for some in (sizes, near)
    )
    assert kept == every
    plain = [text for text in texts if text.isascii()]
    if plain == texts and not every:
        assert not near[0].any()


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
