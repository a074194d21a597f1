"""`--residuals` of `sdcg score` and `sdcg compare`: ranges, and what to judge next."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import sdcg_explorer as sx
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.tables import table_bytes
from tests.support.plain_files import ECIR2008, rows_in, write_rows


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sample, of whose judgments one in eight is missing."""
    chance, folder = random.Random(5), tmp_path_factory.mktemp("unjudged")
    rows = [row for row in rows_in(ECIR2008 / "judgments.csv") if chance.random() > 1 / 8]
    kept = [(row["topic"], row["doc"], row["grade"]) for row in rows]
    judged = write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), kept)
    return ECIR2008 / "log.csv", judged


def run(command: str, files: tuple[Path, Path], out: Path, *more: str) -> Path:
    assert sdcg.main([command, *map(str, files), "--out", str(out), *more]) == 0
    return out


def test_comparison_has_its_range_and_what_to_judge_next(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run("compare", files, tmp_path / "before", "--residuals")
    (pair,) = rows_in(out / "comparison.csv")
    lowest, highest = float(pair["difference_lowest"]), float(pair["difference_highest"])
    assert lowest < float(pair["difference"]) < highest
    listed = rows_in(out / "judge_next.csv")
    moves = [abs(float(row["moves"])) for row in listed]
    assert (moves, sum(moves)) == (sorted(moves)[::-1], pytest.approx(highest - lowest))
    lines = (out / "judge_next.qrels").read_text(encoding="utf-8").splitlines()
    assert lines == [f"{row['topic']}\t0\t{row['doc']}" for row in listed]
    printed = capsys.readouterr().out
    assert "could reverse the difference" in printed
    assert lines[0] not in printed
    again = sx.compare(sx.read(*files), residuals=True)
    assert again.sentence == (out / "compare.txt").read_text(encoding="utf-8")
    assert table_bytes(again.tables["judge_next"]) == (out / "judge_next.csv").read_bytes()
    # the list joins the judgments: what is graded 0 leaves the difference, what is not is unjudged
    graded = [(row["topic"], row["doc"], "0" if i < 20 else "") for i, row in enumerate(listed)]
    given = [tuple(row.values()) for row in rows_in(files[1])]
    both = write_rows(tmp_path / "judged.csv", ("topic", "doc", "grade"), [*given, *graded])
    after = run("compare", (files[0], both), tmp_path / "after", "--residuals")
    (narrower,) = rows_in(after / "comparison.csv")
    assert narrower["difference"] == pair["difference"]
    width = float(narrower["difference_highest"]) - float(narrower["difference_lowest"])
    assert width == pytest.approx(sum(moves[20:]), rel=1e-6)
