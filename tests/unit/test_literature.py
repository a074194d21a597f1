"""Published worked examples beside ours: each line agrees to its last digit, or is a known slip."""

from __future__ import annotations

import pytest

from tests.support.literature import AGREES, GIVEN, SLIP, SLIPS, literature


@pytest.mark.parametrize("name", list(GIVEN))
def test_line_agrees_or_is_a_known_slip(name: str) -> None:
    check = literature()[name]
    assert check.verdict == (SLIP if name in SLIPS else AGREES)
    digits = GIVEN[name][1]
    near = [abs(a - b) <= 0.501 * 10**-digits for a, b in zip(check.given, check.ours, strict=True)]
    assert all(near) == (name not in SLIPS)
