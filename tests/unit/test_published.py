"""Published results: what needs no data equals the print, and files are fetched as they say."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from benchmarks.published import __main__ as command
from benchmarks.published import files
from benchmarks.published.rows import DIFFERS, Part, markdown, number
from tests.support.plain_files import ROOT
from tests.support.studies import DATA, real_logs
from tests.support.thorough import THOROUGH

PAGE = (ROOT / "docs" / "reproduced.md").read_text(encoding="utf-8")


def test_printed_numbers_come_out_and_stand_on_the_page() -> None:
    parts = [compute() for compute in command.FREE]
    assert sum(len(part.rows) for part in parts) > 40
    assert [row for part in parts for row in part.rows if row.verdict == DIFFERS] == []
    for part in parts:
        assert markdown(part) in PAGE, "make reproduce ARGS=--write"
    assert number("mean", "2.53", 2.5351).verdict == DIFFERS


@real_logs
@pytest.mark.skipif(THOROUGH == 1, reason="ten seconds: in make soak")
def test_the_page_says_what_the_data_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDCG_SHARED", str(DATA.parent))
    assert command.page(command.computed()) == PAGE


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, files.Published]]:
    """An address on this machine that has one file, alone and in a zip."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    away = tmp_path / "away"
    away.mkdir()
    (away / "log.csv").write_bytes(b"session\n1\n")
    with zipfile.ZipFile(away / "all.zip", "w") as packed:
        packed.write(away / "log.csv", "release/log.csv")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(away)))
    Thread(target=server.serve_forever, daemon=True).start()
    sum_ = hashlib.sha256(b"session\n1\n").hexdigest()
    at = f"http://127.0.0.1:{server.server_port}"
    yield at, files.Published("study", "log.csv", sum_, "", "", f"{at}/log.csv")
    server.shutdown()
    server.server_close()


def test_a_file_is_kept_if_it_is_the_one_that_is_named(
    served: tuple[str, files.Published], tmp_path: Path
) -> None:
    at, file = served
    place = tmp_path / "here"
    packed = replace(file, address=f"{at}/all.zip", member="log.csv")
    for each in (file, packed):
        assert files.bring(each, place, files.fetched).read_bytes() == b"session\n1\n"
        (place / "log.csv").unlink()
    refused = {
        replace(file, sha256="0" * 64): "is another file than the one named: its sha256",
        replace(file, address=f"{at}/nothing.csv"): "Put it by hand at .published/study/log.csv.",
        replace(file, address="http://127.0.0.1:9/log.csv"): "log.csv did not come from http://127",
        replace(packed, member="other.csv"): "no single other.csv in the zip",
        replace(file, address="", made="Made of others."): "is not fetched: Made of others. Put it",
    }
    for each, said in refused.items():
        with pytest.raises(files.NotHereError) as fault:
            files.bring(each, place, files.fetched)
        assert said in str(fault.value)
        assert not [*place.iterdir()]


def test_what_is_missing_is_said_and_the_page_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SDCG_SHARED", raising=False)
    monkeypatch.setattr(files, "BY_HAND", tmp_path / "nothing")
    monkeypatch.setattr(files, "fetched", unreachable)
    monkeypatch.setattr(command, "FREE", ())
    monkeypatch.setattr(command, "PAGE", tmp_path / "page.md")
    assert command.main(["--write"]) == 2
    said = capsys.readouterr().out
    for each in files.published():
        assert f".published/{each.study}/{each.name}" in said
        assert (each.address or each.origin) in said
    assert not (tmp_path / "page.md").exists()
    assert "a part was left out" in said
    for each in files.published():
        (tmp_path / "nothing" / each.study).mkdir(parents=True, exist_ok=True)
        (tmp_path / "nothing" / each.study / each.name).write_text("others\n")
    part: Part = command.from_data("thuir-usefulness")
    assert "another file than sources.toml names. Remove it" in part.words


def unreachable(address: str) -> bytes:
    raise OSError("no network")


def test_sources_are_whole() -> None:
    for each in files.published():
        assert len(each.sha256) == 64
        assert each.licence
        assert each.address.startswith("https://") or (each.made and not each.address)
        assert each.origin.startswith("https://")
