"""--out replaces what the command wrote itself, and all else only if asked to."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

import sdcg
from export.into import FILES, WRITTEN
from tests.support.plain_files import THREE_SESSIONS

STUDY = [str(THREE_SESSIONS / "log.csv"), str(THREE_SESSIONS / "judgments.csv")]


def run(command: str, out: Path, *options: str) -> int:
    return sdcg.main([command, *STUDY, "--out", str(out), *options])


def test_a_second_run_replaces_what_the_first_wrote_and_no_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (run("score", tmp_path), run("compare", tmp_path)) == (0, 0)
    assert {path.name for path in tmp_path.iterdir()} == {*FILES["score"], *FILES["compare"]} | {
        WRITTEN
    }
    assert (run("score", tmp_path, "--b", "3"), run("compare", tmp_path)) == (0, 0)
    mine = tmp_path / "sessions.csv"
    mine.write_text("session,mood\nT-1,good\n", encoding="utf-8")
    capsys.readouterr()
    assert run("score", tmp_path) == 2
    said = capsys.readouterr().err
    assert f"{mine}: there already" in said
    assert "--force" in said
    assert mine.read_text(encoding="utf-8").endswith("T-1,good\n")
    assert run("score", tmp_path, "--force") == 0
    assert "mood" not in mine.read_text(encoding="utf-8")
    assert run("score", tmp_path) == 0


def test_the_log_is_not_replaced_by_an_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log, again = tmp_path / "log.csv", tmp_path / "again.zip"
    shutil.copy(STUDY[0], log)
    assert run("export", log) == 2
    assert "--force" in capsys.readouterr().err
    assert log.read_bytes() == Path(STUDY[0]).read_bytes()
    assert run("export", tmp_path) == 2
    monkeypatch.setattr("export.bundle.browser_path", lambda: "")  # no figures: they take long
    assert (run("export", again), run("export", again)) == (0, 0)
    assert "Robustness\n" in capsys.readouterr().err  # how far it is
    assert {path.name for path in tmp_path.iterdir()} == {"log.csv", "again.zip"}


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 2), ("", 130)])
def test_at_a_terminal_it_asks(
    answer: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "robustness.txt"
    mine.write_text("mine", encoding="utf-8")
    terminal = io.StringIO(answer)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    assert run("robustness", tmp_path) == code
    assert (mine.read_text(encoding="utf-8") == "mine") == (code != 0)
