"""The data page in a real browser: files are dropped, looked over and corrected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support import server, waiting

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

UPLOADER = "[data-testid=stFileUploaderDropzoneInput]"


@contextmanager
def data_page(desk: BrowserContext, link: str) -> Iterator[Page]:
    """The data page by its link; it need not have a figure."""
    page = desk.new_page()
    try:
        page.set_default_timeout(1000 * waiting.PATIENCE)
        page.set_viewport_size(server.WIDE)
        page.goto(link)
        page.wait_for_selector(server.ANSWER)
        page.wait_for_selector(server.READY)
        yield page
    finally:
        page.close()


def upload(page: Page, files: list[Path]) -> None:
    """Drop files, and wait until they are understood."""
    page.set_input_files(UPLOADER, files)
    page.get_by_role("button", name="Accept and open").wait_for()
    page.wait_for_selector(server.READY)


def give(page: Page, column: str, role: str) -> None:
    """Give a column of the log another role; a list may fold while the page still moves."""
    box = page.get_by_role("combobox", name=f"Role of {column}").first
    option = page.get_by_role("option", name=role, exact=True)

    def given() -> bool:
        server.unfold(box)
        with waiting.may_be_lost():
            option.click(timeout=1000 * waiting.SOON)
            return True
        return False

    waiting.until(given, f"{role} as the role of {column}")


def previewed(page: Page) -> list[tuple[str, ...]]:
    """Document and grade of each result of the first session, as the page's table has them."""
    rows = page.locator("[data-testid=stDataFrame]").first.locator("tbody tr")
    cells = [rows.nth(i).locator("td").all_inner_texts() for i in range(rows.count())]
    return [tuple(row[-2:]) for row in cells]


def wait_previewed(page: Page, expected: list[tuple[str, ...]]) -> None:
    """Wait until the preview shows these."""
    waiting.until(lambda: previewed(page) == expected, f"{expected} in the preview")
