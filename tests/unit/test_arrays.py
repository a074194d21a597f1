"""Numbers that come twice, in all and within groups."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.study.arrays import are_distinct_within

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 20)), max_size=24)


@given(pairs, st.booleans(), st.sampled_from([np.int32, np.int64]))
def test_numbers_are_distinct_within_groups_as_pairs_are(
    rows: list[tuple[int, int]], stand_together: bool, kind: type[np.integer]
) -> None:
    rows = sorted(rows, key=lambda row: row[0]) if stand_together else rows
    groups, numbers = np.array(rows, dtype=kind).reshape(-1, 2).T
    assert are_distinct_within(groups, numbers) == (len({*rows}) == len(rows))
