"""What a slider of b or bq passes: the whole domain, evenly in its logarithm."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.scoring.definition import PREFERRED, SCALE, in_full, with_own

PASSED = [
    *(1.05, 1.1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8, 10, 12.5, 16, 20, 25, 32, 40, 50, 63, 80),
    *(100, 125, 160, 200, 250, 320, 400, 500, 630, 800, 999, math.inf),
]


def test_scale_is_even_in_its_logarithm_and_has_every_preferred_number() -> None:
    assert list(PREFERRED) == PASSED
    assert {*PREFERRED} <= {*SCALE}
    assert (SCALE[0], SCALE[-2:]) == (1.001, (999.0, math.inf))
    middle = (math.log(999) - math.log(1.001)) / (len(SCALE) - 2)  # of a place to the next
    for place, base in enumerate(SCALE[:-1]):
        assert abs(math.log(base) - math.log(1.001) - place * middle) < 0.55 * middle, base
    between = [sum(one < base < two for base in SCALE) for one, two in pairwise(PREFERRED[2:-1])]
    assert min(between) >= 3  # that a drag passes
    assert {1.5, 3.0, 6.0, 7.0, 9.0, 15.0, 30.0, 700.0} < {*SCALE}  # the roundest are chosen


@given(st.floats(1.001, 999.999))
def test_any_number_stands_where_it_belongs_and_is_said_in_full(own: float) -> None:
    passed = with_own(SCALE, own)
    assert all(one < two for one, two in pairwise(passed))
    assert {*passed} == {*SCALE, own}
    texts = [in_full(base) for base in passed]
    assert [float(text.replace("∞", "inf")) for text in texts] == list(passed)
