"""Pictures of the docs: which are no longer what the app shows."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from docs.screenshots import FAR, MANY, TILE, apart, renewed


def drawn(changed: int = 0, by: int = 255, height: int = 100) -> bytes:
    """A picture of 100 points a line, of which the first so many are darker by so much."""
    points = np.full((height, 100, 3), 255, dtype=np.uint8)
    points.reshape(-1, 3)[:changed, 1] -= np.uint8(by)
    file = BytesIO()
    Image.fromarray(points).save(file, "PNG")
    return file.getvalue()


def screen(word: str) -> bytes:
    """A first screen with a word in its menu."""
    image, file = Image.new("RGB", (1280, 720), "white"), BytesIO()
    ImageDraw.Draw(image).text((450, 14), word, "black", font_size=14)
    image.save(file, "PNG")
    return file.getvalue()


def test_pictures_are_apart_by_the_points_of_a_tile_that_are_coloured_otherwise() -> None:
    assert apart(drawn(), drawn()) == 0
    assert apart(drawn(), drawn(200)) == apart(drawn(200), drawn()) == 2 * TILE / TILE**2
    assert apart(drawn(), drawn(200, by=FAR)) == 0  # a letter's edge, by another browser
    assert apart(screen(""), screen("Paper")) > MANY  # a word of the whole screen
    assert apart(drawn(), drawn(height=101)) == 1


def test_a_picture_that_differs_is_named_and_written_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "overview.png"
    assert not file.exists()
    assert renewed(file, drawn(), write=True)
    assert not renewed(file, drawn(10), write=True)  # as good as the same: it stays
    assert renewed(file, drawn(200), write=False)
    assert file.read_bytes() == drawn()
    assert renewed(file, drawn(200), write=True)
    assert file.read_bytes() == drawn(200)
    assert capsys.readouterr().out.splitlines() == [
        "overview.png: 100% of a tile's points differ, written",
        "overview.png: 6% of a tile's points differ",
        "overview.png: 6% of a tile's points differ, written",
    ]
