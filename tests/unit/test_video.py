"""The film's script: three minutes, captions that can be read, nothing that can't be done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paper.video import CAPTIONS, LEAST, MOST, Clock, listed, read_parts, vtt
from sdcg_explorer.reading.samples import sample_studies

SPEED, LINES = 16, 2  # letters in a second that are read with ease, and lines beneath a picture


def test_the_film_has_three_minutes_and_captions_that_can_be_read() -> None:
    parts = read_parts()
    assert LEAST <= parts[-1].starts + parts[-1].seconds <= MOST
    assert [part.caption for part in parts if len(part.caption) > SPEED * part.seconds] == []
    links = re.findall(r"study=(\w+)", " ".join(act for part in parts for act in part.does))
    assert {*links} == {sample_studies()[0].digest[:12]}
    assert CAPTIONS.read_text(encoding="utf-8") == vtt(parts)
    assert max(cue.count("\n") for cue in vtt(parts).strip().split("\n\n")) <= LINES


def test_a_part_that_can_not_be_done_is_named(tmp_path: Path) -> None:
    script = tmp_path / "film.toml"
    script.write_text('[[part]]\nseconds = 1\ncaption = "x"\ndoes = ["dance b"]\n')
    with pytest.raises(ValueError, match=r"^film\.toml: 'dance b'; a part can open, press, drag"):
        read_parts(script)


def test_waiting_is_cut_out_and_every_frame_stays_until_the_next() -> None:
    clock = Clock()
    clock.began, clock.cuts = 100.0, [(102.0, 110.0)]
    frames = [(at, Path(f"{at:.0f}.jpg")) for at in (99.0, 101.0, 105.0, 109.0, 112.0)]
    assert [clock.at(at) for at, _ in frames] == [0, 1, 2, 2, 4]
    lines = listed(frames, clock, 5).splitlines()
    assert lines[::2] == [f"file '{name}.jpg'" for name in (99, 101, 109, 112, 112)]
    assert [float(line.split()[1]) for line in lines[1::2]] == [1, 1, 2, 1]
