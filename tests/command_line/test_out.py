"""--out replaces what the command wrote itself, and all else only if asked to; links never."""

import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import figure_files, into
from sdcg_explorer.reading.worker import READERS
from tests.support.plain_files import TOYS

NOT_HERE = {  # of logs in parts, of agents' outcomes, and by --residuals
    *into.OF_PARTS,
    *("topics.csv", "outcomes.csv", "outcome_corners.csv", "outcome_pairs.csv"),
    *("judge_next.csv", "judge_next.qrels", "order.csv", "order_effects.csv"),
}


def run(command: str, out: Path, *options: str) -> int:
    return sdcg.main([command, *map(str, TOYS), "--out", str(out), *options])


def refused(capsys: pytest.CaptureFixture[str], command: str, out: Path, *options: str) -> str:
    """What a command that exits 2 says."""
    capsys.readouterr()
    assert run(command, out, *options) == 2
    return capsys.readouterr().err


def test_a_second_run_replaces_what_the_first_wrote_and_no_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (run("score", tmp_path), run("compare", tmp_path)) == (0, 0)
    names = {*into.FILES["score"], *into.FILES["compare"], into.WRITTEN} - NOT_HERE
    assert {path.name for path in tmp_path.iterdir()} == names
    assert (run("score", tmp_path, "--b", "3"), run("compare", tmp_path)) == (0, 0)
    mine = tmp_path / "sessions.csv"
    mine.write_text("session,mood\nT-1,good\n", encoding="utf-8")
    assert refused(capsys, "score", tmp_path) == (
        f"{mine}: there already, and not as sdcg score wrote it. Name another place for --out, or "
        "overwrite it: --force.\n"
    )
    assert mine.read_text(encoding="utf-8").endswith("T-1,good\n")
    assert run("score", tmp_path, "--force") == 0
    assert "mood" not in mine.read_text(encoding="utf-8")
    assert run("score", tmp_path) == 0
    if Path("/proc/self").is_dir():  # beside which nobody writes
        said = refused(capsys, "score", Path("/proc/out"))
        assert "Check that it can be written to, or name another" in said


def test_the_log_is_not_replaced_by_an_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log, again = tmp_path / "log.csv", tmp_path / "again.zip"
    shutil.copy(TOYS[0], log)
    assert "--force" in refused(capsys, "export", log)
    assert log.read_bytes() == TOYS[0].read_bytes()
    assert run("export", tmp_path) == 2
    # no report, which takes long
    monkeypatch.setattr(
        "sdcg_explorer.export.bundle.report_of", lambda of, *_, **__: bytes([*of] == [])
    )
    assert run("export", again) == 0
    assert "Robustness\n" in capsys.readouterr().err  # how far it is
    monkeypatch.setattr("sdcg_explorer.export.bundle.report_of", lambda *_, **__: b"")
    assert run("export", again) == 0
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


COMMANDS = {
    **dict.fromkeys(("score", "compare", "robustness", "export"), ()),
    "agreement": ("--with", "ease"),
}


MAKE: dict[str, Callable[[Path], object]] = {
    "fifo": lambda path: os.mkfifo(path),
    "link": lambda path: path.symlink_to(path.with_name("mine")),
    "file": lambda path: path.write_text("mine", encoding="utf-8"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="fifos and devices are POSIX's")
@pytest.mark.parametrize("kind", MAKE)
def test_no_command_takes_the_place_of_what_is_no_folder(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = Path("place").absolute()
    Path("mine").write_text("mine", encoding="utf-8")
    MAKE[kind](place)
    before = place.lstat()
    for command, more in COMMANDS.items():
        if (command, kind) == ("export", "file"):
            continue  # which it may, by --force
        given = [command, "nothing.csv", "none.csv", *more, "--out", "place", "--force"]
        assert sdcg.main(given) == 2
        assert (
            f"place: a {kind}; sdcg {command} writes and replaces only a "
            in capsys.readouterr().err
        )
    assert (place.lstat().st_ino, place.lstat().st_mode) == (before.st_ino, before.st_mode)
    assert {*os.listdir()} == {"mine", "place"}
    assert Path("mine").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="links are made by everybody elsewhere")
def test_links_among_the_files_stay_and_links_to_folders_are_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, link = tmp_path / "out", tmp_path / "link"
    out.mkdir()
    link.symlink_to(out)
    assert (run("score", link), link.readlink()) == (0, out)
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    (out / "sessions.csv").unlink()
    (out / "sessions.csv").symlink_to(tmp_path / "mine")
    assert "sessions.csv: a link; " in refused(capsys, "score", link, "--force")
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"


def unmoved(path: Path) -> tuple[int, int, int]:
    """By what a file is known to be the same, unwritten; reading it changes more."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns


def test_a_folder_of_others_is_written_to_by_force_and_they_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, inner = tmp_path / "notes.part", tmp_path / "more" / "x"
    inner.parent.mkdir()
    for path in (notes, inner):
        path.write_text("mine", encoding="utf-8")
    before = [unmoved(path) for path in (notes, inner)]
    for command in ("score", "compare"):
        said = refused(capsys, command, tmp_path)
        assert "there are files already, none written by sdcg. " in said
    once = {"all_definitions.csv", "judges.csv", "assessors.csv", "sample.zip"}
    for more in (once, ()):  # the second time it is not written again
        with into.output_folder("robustness", tmp_path, lambda *_: True, print) as folder:
            for name in ("robustness.csv", *more):
                (folder / name).write_text(name, encoding="utf-8")
    assert run("robustness", tmp_path) == 0  # holds what sdcg wrote
    assert run("score", tmp_path) == 0
    assert [unmoved(path) for path in (notes, inner)] == before
    written = {"notes.part", "more", into.WRITTEN, *into.FILES["robustness"], *into.FILES["score"]}
    assert {path.name for path in tmp_path.iterdir()} == written - once - {*into.OF_PARTS}


def test_what_an_ended_process_left_goes_and_what_another_writes_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended, writing = (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) for _ in range(2)
    )
    with ended, writing:
        ended.communicate(b"\n")
        left, stays = (
            tmp_path / f".out.{platform.node()}.{each.pid}.part" for each in (ended, writing)
        )
        left.touch()
        stays.touch()
        assert run("score", tmp_path / "out") == 0
        writing.communicate(b"\n")
    assert f"{left}: left over from an interrupted run, and removed." in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == sorted([stays, tmp_path / "out"])
    assert writing.returncode == 0  # nobody sent it a signal


@pytest.mark.parametrize("command", ["score", "export"])
def test_a_place_that_can_not_be_is_said_in_words(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop, back = tmp_path / "loop", tmp_path / "back"
    loop.symlink_to(back)
    back.symlink_to(loop)
    kind = {"score": "folder", "export": "file"}[command]
    long = tmp_path / ("n" * 300)
    cases = {
        loop: f"{loop}: a link; sdcg {command} writes and replaces only a {kind} there",
        loop / "in": f"{loop}: a link; sdcg {command} writes and replaces only a folder there",
        long: "nnn…: the name is too long. Name another place for --out.",
        long / "in": "nnn…: the name is too long. Name another place for --out.",
    }
    for out, words in cases.items():
        said = refused(capsys, command, out)
        assert words in said
        assert "[Errno" not in said
        assert sorted(tmp_path.iterdir()) == [back, loop]
    assert sdcg.main(["check", "n" * 300]) == 2
    assert capsys.readouterr().err == f"{'n' * 199}…: File name too long. Check the path.\n"


def test_a_name_as_long_as_names_can_be_is_written_to(tmp_path: Path) -> None:
    out = tmp_path / ("n" * 255)
    assert run("score", out) == 0
    assert run("score", out) == 0
    assert [*tmp_path.iterdir()] == [out]


# a browser that is found and draws nothing
BROKEN = "trap '' TERM INT HUP; echo $$ >> {pids}; sleep 600 & echo $! >> {pids}; wait"


@pytest.mark.skipif(os.name == "nt", reason="a program of a shell")
def test_a_broken_browser_costs_pdfs_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pids, temporary = tmp_path / "pids", tmp_path / "temporary"
    program, room = tmp_path / "bin" / "chromium", tmp_path / "out"
    for folder in (temporary, program.parent, room):
        folder.mkdir()
    program.write_text(f"#!/bin/sh\n{BROKEN.format(pids=pids)}\n", encoding="utf-8")
    program.chmod(0o755)
    READERS.begin()  # whose folder stays as long as it does
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(figure_files, "PATIENCE", 0.5)
    monkeypatch.setattr(figure_files, "browser_path", lambda: str(program))
    out = room / "made"
    assert run("export", out) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "could not be drawn" in line]
    (said,) = lines
    assert "chromium, the first browser in the PATH, did not answer" in said
    assert "query_order.svg, query_order.pdf" in said.partition(" could not")[0]
    with zipfile.ZipFile(out) as made:
        names = {Path(name).name for name in made.namelist()}
        assert said in made.read("README.txt").decode()
    assert "methods.txt" in names
    assert not any(name.endswith((".svg", ".pdf")) for name in names)
    missing = re.split(", | and ", said.partition(" could not")[0])
    assert not names & {*missing}
    assert [path for path in [*room.iterdir(), *temporary.iterdir()] if path != out] == []
    for pid in pids.read_text(encoding="utf-8").split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
