"""Tags in a real browser: a click and a typed one, after a restart, and in another window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from study.store.folder import FolderStore
from tests.support.server import READY, serving, visiting
from tests.support.studies import small

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

OWN = "zu *eng* <b>"
COUNTED = "1 of 3 queries tagged; most often in A: typo (1)."
PRESSED = "[data-testid=stMain] [data-variant=pills][aria-pressed=true]"


def pill(page: Page, tag: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name=tag, exact=True)


def wait_pressed(page: Page, *tags: str) -> None:
    """Wait until exactly these tags are given."""
    for tag in tags:
        page.locator(PRESSED).filter(has_text=tag).wait_for()
    page.wait_for_selector(READY)
    assert page.locator(PRESSED).all_inner_texts() == list(tags)


def headings(page: Page) -> list[str]:
    return page.get_by_role("heading", level=3).all_inner_texts()


def cells(page: Page, table: str) -> list[list[str]]:
    """Rows of a table, as screen readers have them, once it is drawn."""
    region = page.get_by_role("region", name=table)
    region.scroll_into_view_if_needed()
    rows = region.locator("tbody tr")
    rows.first.wait_for(state="attached")
    return [rows.nth(i).locator("td").all_inner_texts() for i in range(rows.count())]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> FolderStore:
    return FolderStore(tmp_path_factory.mktemp("tags"))


@pytest.fixture(scope="module")
def page(desk: BrowserContext, store: FolderStore) -> Iterator[Page]:
    """A session that was tagged before the server was killed, as by kill -9, and started again."""
    digest = store.save(small()).digest
    link = f"individual_sessions?study={digest[:12]}&session=s1"
    options = "--workspace", str(store.folder)
    with serving(*options) as first, visiting(desk, f"{first}/{link}") as page:
        assert "Why did queries fail?" not in headings(page)
        pill(page, "typo").click()
        page.get_by_text(COUNTED).wait_for()
        page.get_by_label("Another tag").fill(OWN)
        page.get_by_label("Another tag").press("Enter")
        wait_pressed(page, "typo", OWN)
        assert page.get_by_label("Another tag").input_value() == ""
        assert pill(page, OWN).locator("em, b").count() == 0
    assert store.tags(digest) == {("s1", 1): ("typo", OWN)}
    with serving(*options) as second, visiting(desk, f"{second}/{link}") as page:
        yield page


def test_tags_outlive_the_server(page: Page) -> None:
    wait_pressed(page, "typo", OWN)
    assert [row[-1] for row in cells(page, "Queries of session s1")] == [f"typo; {OWN}", ""]


def test_tags_are_counted_in_a_table(page: Page) -> None:
    assert "Why did queries fail?" in headings(page)
    page.get_by_text(COUNTED).wait_for()
    counts = [row[:4] for row in cells(page, "Tags by system")]
    assert counts == [["typo", "A", "1", "0.5"], [OWN, "A", "1", "0.5"]]


def test_study_that_another_window_deleted_is_said(page: Page, store: FolderStore) -> None:
    store.delete(small().digest)
    pill(page, "too broad").click()
    page.wait_for_timeout(1_000)
    page.wait_for_selector(READY)
    assert "encountered an error" not in page.get_by_test_id("stMain").inner_text()
    assert page.locator("h1").inner_text() == "Where is the study of this link?"
