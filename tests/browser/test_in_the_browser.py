"""The page without a server, where `make try` has built it: its scores are `sdcg score`'s."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdcg_explorer.export.tables import ScoreTables
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from tests.support.plain_files import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAMPLE = ROOT / "sample_sessions" / "three_sessions"
build, measured = (import_module(f"docs.try.{name}") for name in ("build", "measured"))
WAIT = 300_000  # ms of loaded cores


@pytest.fixture
def address() -> Iterator[str]:
    kept = measured.BUILT / build.SOURCES
    if not kept.is_file() or kept.read_text() != build.sources():
        pytest.skip("no page of these sources: make try builds and tests it, with 85 MB by pip")
    with measured.site() as found:
        yield found


def test_scores_in_the_browser_are_those_of_the_command_and_nothing_is_sent(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    files = [SAMPLE / "judgments.csv", SAMPLE / "study.toml", tmp_path / "log.csv"]
    rows = [line.split(",") for line in (SAMPLE / "log.csv").read_text().splitlines()]
    files[2].write_text("".join('"' + '","'.join(row) + '"\n' for row in rows))
    view = read_study(files), DEFAULT, Filters()
    ScoreTables(*view, depth=100).write(tmp_path / "scores")
    with browser.new_context() as context:
        page = context.new_page()
        asked: list[tuple[str, bool]] = []
        context.on(
            "request", lambda r: asked.append((r.method, r.url.startswith((address, "blob:"))))
        )
        page.goto(address)

        def shown(selector: str) -> None:  # not looked for at each frame, which takes a core
            found = "selector => document.querySelector(selector)"
            page.wait_for_function(found, arg=selector, polling=200, timeout=WAIT)

        wrong = {"name": "log.csv", "mimeType": "text/csv", "buffer": b"session,rank\ns1,x\n"}
        page.set_input_files("#files", [wrong])  # pyright: ignore[reportArgumentType]
        shown("#refused:not(:empty)")
        assert page.inner_text("#refused").startswith("log.csv")
        page.click("[data-sample=ecir2008]")  # whose answers come too late to be shown
        page.set_input_files("#files", files)
        shown("#figure .main-svg")
        shown("a[download='scores.zip']")
        page.frame_locator("#report").locator("body[data-live=ready]").wait_for(state="attached")
        with page.expect_download() as coming:
            page.click("a[download='scores.zip']")
        assert {*asked} == {("GET", True)}
        assert page.locator("#saved a").count() == 2
        made = zipfile.ZipFile(io.BytesIO(coming.value.path().read_bytes()))
    for path in (tmp_path / "scores").iterdir():
        assert made.read(path.name) == path.read_bytes(), path.name
