"""The data page in a real browser: an upload in progress for all eyes, names, and deletion."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from study.store.folder import FolderStore
from tests.browser.test_data import JUDGMENTS, LOG, data_page, upload
from tests.support.plain_files import written
from tests.support.server import READY, Scheme, answer, serving
from tests.support.studies import small

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE_WIDTH = 390
ALERTS = "[data-testid=stSidebar] [data-testid=stAlert]"


@dataclass(frozen=True)
class Server:
    """A server of its own: where it is, and where it keeps its studies."""

    address: str
    folder: Path


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("kept")
    with serving("--workspace", str(folder)) as address:
        yield Server(address, folder)


def settle(page: Page) -> None:
    """Wait until what was pressed has been answered."""
    page.wait_for_timeout(500)
    page.wait_for_selector(READY)


@contextmanager
def on_data(browser: Browser, server: Server, session: str) -> Iterator[Page]:
    """The data page of a study that was kept before, called as its first session."""
    study = replace(small(session), name=session)
    kept = FolderStore(server.folder).save(study)
    link = f"{server.address}/data?study={kept.digest[:12]}#"  # what is added is no part of it
    with data_page(browser, link) as page:
        page.get_by_label("Note, shown on every page").wait_for()
        yield page


def picker(page: Page) -> str:
    return page.get_by_role("combobox", name="Study").input_value()


def violations(page: Page) -> list[str]:
    """What axe finds serious or critical on the whole page."""
    from axe_playwright_python.sync_playwright import Axe

    main = page.get_by_test_id("stMain")
    height = main.evaluate("main => main.scrollHeight") + 200  # axe passes over what is hidden
    page.set_viewport_size({"width": 1280, "height": height})
    settle(page)
    return [
        f"{broken['id']}: {broken['nodes'][0]['html']}"
        for broken in Axe().run(page).response["violations"]
        if broken["impact"] in ("serious", "critical")
    ]


@pytest.fixture(scope="module")
def uploaded(
    browser: Browser, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """The page with an upload in progress, every fold open."""
    with data_page(browser, server.address) as page:
        files = written(tmp_path_factory.mktemp("files"), log_csv=LOG, judgments_csv=JUDGMENTS)
        upload(page, list(files.values()))
        for fold in ("Columns and their roles", "How doubtful input is taken", "Every count"):
            page.get_by_text(fold).first.click()
        settle(page)
        yield page


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark")])
def test_axe_finds_nothing_serious_in_an_upload(scheme: Scheme, uploaded: Page) -> None:
    uploaded.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    assert violations(uploaded) == []


def test_phone_shows_an_upload_without_sideways_scrolling(uploaded: Page) -> None:
    uploaded.set_viewport_size({"width": PHONE_WIDTH, "height": 844})
    settle(uploaded)
    main = uploaded.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth")
    assert uploaded.evaluate("document.documentElement.scrollWidth") == PHONE_WIDTH


def test_renamed_study_stays_open(browser: Browser, server: Server) -> None:
    with on_data(browser, server, "renamed") as page:
        page.get_by_label("Name", exact=True).fill("Spring")
        page.get_by_label("Name", exact=True).press("Enter")
        settle(page)
        page.get_by_role("button", name="Save name and note").click()
        settle(page)
        page.get_by_role("slider", name="b, rank").press("ArrowRight")
        settle(page)
        assert page.locator(ALERTS).all_inner_texts() == []
        assert picker(page) == "Spring"


@pytest.fixture(scope="module")
def deleted(browser: Browser, server: Server) -> Iterator[Page]:
    """The page after its study was deleted; nothing else was."""
    before = sorted(os.listdir(server.folder))
    with on_data(browser, server, "deleted") as page:
        after = sorted(os.listdir(server.folder))
        assert len(after) == len(before) + 1
        page.get_by_role("button", name="Delete …").click()
        dialog = page.get_by_role("dialog")
        dialog.wait_for()
        assert "deleted, its note and its tags are removed from this machine" in dialog.inner_text()
        assert sorted(os.listdir(server.folder)) == after
        dialog.get_by_role("button", name="Delete it").click()
        dialog.wait_for(state="detached")
        settle(page)
        assert sorted(os.listdir(server.folder)) == before
        yield page


def test_deleted_study_gives_way_to_another(deleted: Page) -> None:
    assert answer(deleted).startswith("120 sessions")
    assert picker(deleted) == "ECIR 2008 (reconstructed)"


def test_deletion_is_no_surprise(deleted: Page) -> None:
    assert deleted.locator(ALERTS).all_inner_texts() == []
