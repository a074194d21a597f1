"""A study of one's own in a real browser: it is dropped, corrected and opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcg_explorer.screen.scripts import LET_GO
from tests.support import accessibility, data_page, server
from tests.support.uploads import FILES

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

DRAG = """([kind, files]) => {
    const carried = new DataTransfer()
    for (const [name, text] of Object.entries(files)) carried.items.add(new File([text], name))
    const told = {bubbles: true, cancelable: true, dataTransfer: carried}
    return !document.querySelector('h2').dispatchEvent(new DragEvent(kind, told))
}"""


def drop(page: Page) -> None:
    """Drop a log on a page with a figure, which leads to the page Data."""
    page.wait_for_selector(".st-key-dropping[style*=none]", state="attached")
    assert page.evaluate(DRAG, ["dragover", FILES])  # else the browser would open the file
    page.get_by_text(LET_GO).wait_for()
    assert page.evaluate(DRAG, ["drop", FILES])
    page.get_by_text(LET_GO).wait_for(state="hidden")
    page.get_by_role("button", name="Accept and open").wait_for()


WATCH = """() => {
    window.outdated = []
    setInterval(() => {
        const said = document.querySelector('[data-testid=stMain]').innerText
        if (/Reading these files|The study as read/.test(said)) outdated.push(/Digest /.test(said))
    }, 20)
}"""


def assert_nothing_of_the_open_study_stands_beside_what_is_read(page: Page) -> None:
    server.follow(page, "Data")
    page.get_by_text("Digest ").wait_for()
    page.evaluate(WATCH)
    page.set_input_files(
        data_page.UPLOADER,
        [{"name": n, "mimeType": "text/csv", "buffer": t.encode()} for n, t in FILES.items()],
    )
    page.get_by_role("button", name="Accept and open").wait_for()
    assert {*page.evaluate("outdated")} == {False}


SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


def test_a_dropped_upload_is_corrected_and_opened(desk: BrowserContext, address: str) -> None:
    with server.visiting(desk, f"{address}/query_order?b=3") as page:
        drop(page)
        data_page.wait_previewed(page, [("b", "1"), ("c", "0"), ("a", "3"), ("d", "2")])
        page.get_by_text("log: what was searched and shown").first.click()
        data_page.give(page, "position", "no role")
        page.get_by_text("why these files can't be used yet").wait_for()
        data_page.give(page, "order", "rank")
        data_page.wait_previewed(page, [("a", "3"), ("b", "1"), ("c", "0"), ("d", "2")])
        assert page.evaluate(SCROLLED) > 0  # where the choice was made
        for fold in ("How to resolve ambiguous data", "Details"):
            page.get_by_text(fold).first.click()
        accessibility.show_all(page)
        assert accessibility.serious(page) == []
        accessibility.switch(page, "dark")
        assert accessibility.serious(page, *accessibility.COLOURS) == []
        accessibility.fits_the_phone(page)
        page.set_viewport_size(server.WIDE)
        page.get_by_role("button", name="Accept and open").click()
        page.wait_for_url("**/?study=*")
        server.wait_ready(page)
        assert "2 sessions" in server.answer(page)
        assert "b=3" in page.url
        assert_nothing_of_the_open_study_stands_beside_what_is_read(page)
