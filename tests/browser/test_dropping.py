"""Files that are dropped on any page are read on the page of the data, and open when accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcg_explorer.screen.dropping import BRING, LET_GO
from tests.support.data_page import JUDGMENTS, LOG
from tests.support.server import READY, answer, visiting

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

DRAG = """([kind, files]) => {
    const carried = new DataTransfer()
    for (const [name, text] of Object.entries(files)) carried.items.add(new File([text], name))
    const told = {bubbles: true, cancelable: true, dataTransfer: carried}
    return !document.querySelector('h2').dispatchEvent(new DragEvent(kind, told))
}"""
FILES = {"log.csv": LOG, "judgments.csv": JUDGMENTS}


def test_a_log_dropped_on_a_figures_page_is_read_and_opens(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, address) as page:
        page.get_by_role("link", name=BRING).wait_for()
        page.goto(f"{address}/session_curves")
        page.wait_for_selector(READY)
        page.wait_for_selector(".st-key-dropping[style*=none]", state="attached")
        assert page.evaluate(DRAG, ["dragover", FILES])  # else the browser would open the file
        page.get_by_text(LET_GO).wait_for()
        assert page.evaluate(DRAG, ["drop", FILES])
        page.get_by_text(LET_GO).wait_for(state="hidden")
        page.get_by_role("button", name="Accept and open").click()
        page.wait_for_url("**/?study=*")
        page.get_by_role("heading", level=1, name="What is in this study?").wait_for()
        assert answer(page).startswith("2 sessions")
