"""Pictures of the docs: which are no longer what the app shows."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from docs.screenshots import FAR, apart, renewed


def drawn(changed: int = 0, by: int = 255, height: int = 100) -> bytes:
    """A picture of 100 points a line, of which the first so many are darker by so much."""
    points = np.full((height, 100, 3), 255, dtype=np.uint8)
    points.reshape(-1, 3)[:changed, 1] -= np.uint8(by)
    file = BytesIO()
    Image.fromarray(points).save(file, "PNG")
    return file.getvalue()


def test_pictures_are_apart_by_the_points_that_are_coloured_otherwise() -> None:
    assert apart(drawn(), drawn()) == 0
    assert apart(drawn(), drawn(40)) == apart(drawn(40), drawn()) == 0.004
    assert apart(drawn(), drawn(40, by=FAR)) == 0  # a letter's edge, by another browser
    assert apart(drawn(), drawn(height=101)) == 1


def test_a_picture_that_differs_is_named_and_written_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "overview.png"
    assert not file.exists()
    assert renewed(file, drawn(), write=True)
    assert not renewed(file, drawn(10), write=True)  # as good as the same: it stays
    assert renewed(file, drawn(40), write=False)
    assert file.read_bytes() == drawn()
    assert renewed(file, drawn(40), write=True)
    assert file.read_bytes() == drawn(40)
    assert capsys.readouterr().out.splitlines() == [
        "overview.png: 100.0% of its points differ, written",
        "overview.png: 0.4% of its points differ",
        "overview.png: 0.4% of its points differ, written",
    ]
