"""The data page in a real browser: upload, correct a column, accept; nothing accepted is lost."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.plain_files import written
from tests.support.server import ANSWER, READY, WIDE, answer, lines, serving, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# "position" is where a card stood on the screen, "order" its rank: the name misleads
LOG = """session,query_number,position,order,doc,topic,system
s1,1,3,1,a,t,A
s1,1,1,2,b,t,A
s1,1,2,3,c,t,A
s1,2,1,1,d,t,A
s2,1,1,3,b,t,B
s2,1,2,2,a,t,B
s2,1,3,1,c,t,B
s2,2,1,1,a,t,B
"""
JUDGMENTS = "topic,doc,grade\nt,a,3\nt,b,1\nt,c,0\nt,d,2\n"
UPLOADER = "[data-testid=stFileUploaderDropzoneInput]"
CURVES = "Session curves"


@pytest.fixture
def uploads(tmp_path: Path) -> list[Path]:
    """A log with a misleading column, and its judgments."""
    return list(written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS).values())


@contextmanager
def data_page(browser: Browser, address: str) -> Iterator[Page]:
    """The data page, which need not have a figure."""
    page = browser.new_page()
    try:
        page.set_default_timeout(20_000)
        page.set_viewport_size(WIDE)
        page.goto(f"{address}/data")
        page.wait_for_selector(ANSWER)
        page.wait_for_selector(READY)
        yield page
    finally:
        page.close()


def upload(page: Page, files: list[Path]) -> None:
    """Drop files, and wait until they are understood."""
    page.set_input_files(UPLOADER, files)
    page.get_by_role("button", name="Accept and open").wait_for()
    page.wait_for_selector(READY)


def choose(page: Page, column: str, role: str) -> None:
    """Give a column of the log another role; a list may fold while the page still moves."""
    from playwright.sync_api import TimeoutError as TooLate

    box = page.get_by_role("combobox", name=f"Role of {column}").first
    option = page.get_by_role("option", name=role, exact=True)
    for _ in range(10):
        box.click()
        with contextlib.suppress(TooLate):
            option.click(timeout=1_500)
            return
    raise AssertionError(f"no option {role} for {column}")


def previewed(page: Page) -> list[tuple[str, ...]]:
    """Document and grade of each result of the first session, as the page's table has them."""
    rows = page.locator("[data-testid=stDataFrame]").first.locator("tbody tr")
    cells = [rows.nth(i).locator("td").all_inner_texts() for i in range(rows.count())]
    return [tuple(row[-2:]) for row in cells]


def wait_previewed(page: Page, expected: list[tuple[str, ...]]) -> None:
    """Wait until the preview shows these."""
    for _ in range(100):
        if previewed(page) == expected:
            return
        page.wait_for_timeout(200)
    assert previewed(page) == expected


def test_column_corrected_study_accepted_and_there_after_a_kill(
    browser: Browser, uploads: list[Path]
) -> None:
    with serving() as address:
        with data_page(browser, address) as page:
            upload(page, uploads)
            wait_previewed(page, [("b", "1"), ("c", "0"), ("a", "3"), ("d", "2")])
            page.get_by_text("Columns and their roles").first.click()
            choose(page, "position", "no role")
            page.get_by_text("why this can't be used yet").wait_for()
            choose(page, "order", "rank")
            wait_previewed(page, [("a", "3"), ("b", "1"), ("c", "0"), ("d", "2")])
            page.get_by_role("button", name="Accept and open").click()
            page.wait_for_url("**/?study=*")
            wait_ready(page)
            link = page.url.split("?")[1]
            assert "2 sessions" in answer(page)
        with visiting(browser, f"{address}/session_curves?{link}") as page:
            drawn = lines(page, CURVES)
            page.reload()
            wait_ready(page)
            assert lines(page, CURVES) == drawn
    with (  # the first server was killed, as kill -9 does
        serving() as another,
        visiting(browser, f"{another}/session_curves?{link}") as page,
    ):
        assert lines(page, CURVES) == drawn
        assert {"A", "B"} <= set(drawn)
