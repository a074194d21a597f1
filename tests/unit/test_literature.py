"""Published worked examples beside ours: each line agrees to its last digit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.literature import GIVEN, literature


def test_lines_agree() -> None:
    ours = literature()
    assert ours.keys() == GIVEN.keys()
    for name, (line, digits) in GIVEN.items():
        near = pytest.approx([*map(float, line.split())], abs=0.5 * 10**-digits + 1e-9)
        assert np.atleast_1d(ours[name]) == near, name
