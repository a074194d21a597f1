"""Names of files are names: nothing takes a sign of theirs for a pattern."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from tests.support.random_studies import random_log

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names that Windows forbids")
SIGNS = "[1] * ? {a,b} %20"
COMMANDS = {  # one for each way of reading: others take the options of score
    "check": ("--json",),
    "score": (),
    "agreement": ("--with", "ease"),
}


def logs(folder: Path, name: str) -> tuple[Path, Path, Path]:
    """A log, its judgments and ratings, each called by a name, and others that it matches."""
    folder.mkdir()
    log, judgments = random_log(folder)
    sessions = {line.split(",")[0] for line in log.read_text("utf-8").splitlines()[1:]}
    rated = "".join(f"{each},{i % 5}\n" for i, each in enumerate(sorted(sessions)))
    files = [folder / f"{kind}{name}.csv" for kind in ("l", "j", "r")]
    for path, text in zip(
        files, (log.read_text(), judgments.read_text(), f"session,ease\n{rated}"), strict=True
    ):
        path.write_text(text, encoding="utf-8")
    log.unlink()
    judgments.unlink()
    return files[0], files[1], files[2]


def made(command: str, folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> object:
    """What a command makes of files of a name: what it prints, and its tables."""
    log, judgments, ratings = logs(folder / f"in{bool(name)}", name)
    if name:
        for decoy in ("l1", "l1 x y {a,b} %20", "l1 x y a %20", "j1 x y {a,b} %20"):
            (log.parent / f"{decoy}.csv").write_text("session\nx\n", encoding="utf-8")
    out = folder / f"out{name}"
    more = [*COMMANDS[command], *(["--out", str(out)] if command != "check" else [])]
    more += ["--ratings", str(ratings)] if command == "agreement" else []
    assert sdcg.main([command, str(log), str(judgments), *more]) == 0
    said = capsys.readouterr().out
    files = sorted(out.iterdir()) if out.is_dir() else []
    tables = {path.name: path.read_bytes() for path in files if path.suffix == ".csv"}
    plain = (
        said.replace(str(out), "out").replace(log.name, "l.csv").replace(judgments.name, "j.csv")
    )
    return plain, tables, out.exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_signs_of_patterns_in_names_change_nothing(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = made(command, tmp_path, "", capsys)
    assert made(command, tmp_path, SIGNS, capsys) == plain
