"""Studies of one's own in a real browser: dropped, corrected, opened, tagged, renamed, deleted."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdcg_explorer.screen.module import LET_GO
from sdcg_explorer.study.store import Kept, Store
from tests.support.accessibility import COLOURS, fits_the_phone, serious, show_all, switch
from tests.support.data_page import JUDGMENTS, LOG, data_page, give, wait_previewed
from tests.support.server import READY, WIDE, answer, visiting, wait_ready
from tests.support.studies import small
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

ALERTS = "[data-testid=stSidebar] [data-testid=stAlert]"
OWN = "zu *eng* <b>"
COUNTED = "1 of 4 queries tagged; most often with A: typo (1)."
FILES = {"log.csv": LOG, "judgments.csv": JUDGMENTS}
DRAG = """([kind, files]) => {
    const carried = new DataTransfer()
    for (const [name, text] of Object.entries(files)) carried.items.add(new File([text], name))
    const told = {bubbles: true, cancelable: true, dataTransfer: carried}
    return !document.querySelector('h2').dispatchEvent(new DragEvent(kind, told))
}"""
PRESSED = "[data-testid=stMain] [data-variant=pills][aria-pressed=true]"


def drop(page: Page) -> None:
    """Drop a log on a page with a figure, which leads to the page Data."""
    page.wait_for_selector(".st-key-dropping[style*=none]", state="attached")
    assert page.evaluate(DRAG, ["dragover", FILES])  # else the browser would open the file
    page.get_by_text(LET_GO).wait_for()
    assert page.evaluate(DRAG, ["drop", FILES])
    page.get_by_text(LET_GO).wait_for(state="hidden")
    page.get_by_role("button", name="Accept and open").wait_for()


def test_a_dropped_upload_is_corrected_opened_and_tagged(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/query_order?b=3") as page:
        drop(page)
        wait_previewed(page, [("b", "1"), ("c", "0"), ("a", "3"), ("d", "2")])
        page.get_by_text("Columns and their roles").first.click()
        give(page, "position", "no role")
        page.get_by_text("why this can't be used yet").wait_for()
        give(page, "order", "rank")
        wait_previewed(page, [("a", "3"), ("b", "1"), ("c", "0"), ("d", "2")])
        for fold in ("How doubtful input is taken", "Every count"):
            page.get_by_text(fold).first.click()
        show_all(page)
        assert serious(page) == []
        switch(page, "dark")
        assert serious(page, *COLOURS) == []
        fits_the_phone(page)
        page.set_viewport_size(WIDE)
        page.get_by_role("button", name="Accept and open").click()
        page.wait_for_url("**/?study=*")
        wait_ready(page)
        assert "2 sessions" in answer(page)
        assert "b=3" in page.url
        page.goto(page.url.replace("/?", "/individual_sessions?session=s1&"))
        wait_ready(page)
        assert_is_tagged(page)


def assert_is_tagged(page: Page) -> None:
    """The session that is looked into, by a click and by typing, and so after a reload."""
    pill(page, "typo").first.click()
    page.get_by_text(COUNTED).wait_for()
    page.get_by_label("Another tag").first.fill(OWN)
    page.get_by_label("Another tag").first.press("Enter")
    wait_pressed(page, "typo", OWN)
    assert page.get_by_label("Another tag").first.input_value() == ""
    assert pill(page, OWN).first.locator("em, b").count() == 0
    page.reload()
    wait_ready(page)
    wait_pressed(page, "typo", OWN)
    page.get_by_text(COUNTED).wait_for()


def pill(page: Page, tag: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name=tag, exact=True)


def wait_pressed(page: Page, *tags: str) -> None:
    """Wait until exactly these tags are given."""
    until(lambda: page.locator(PRESSED).all_inner_texts() == list(tags), f"{tags} pressed")
    page.wait_for_selector(READY)


def picker(page: Page) -> str:
    return page.get_by_role("combobox", name="Study").input_value()


def test_renamed_study_stays_open_and_deleted_it_gives_way_to_another(
    desk: BrowserContext, address: str
) -> None:
    folder = Path(os.environ["SDCG_WORKSPACE"])
    before = Store(folder).kept()
    study = replace(small("renamed"), name="renamed")  # called as its first session
    kept = Store(folder).save(study)
    with data_page(desk, f"{address}/data?study={kept.digest[:12]}") as page:
        page.get_by_label("Note, shown on every page").wait_for()
        page.get_by_label("Name", exact=True).fill("Spring")
        page.get_by_label("Name", exact=True).press("Enter")
        page.get_by_role("button", name="Save name and note").click()
        until(lambda: picker(page) == "Spring", "the new name")
        page.get_by_role("slider", name="result list (b)").press("ArrowRight")
        page.wait_for_url("**b=2.5*")
        page.wait_for_selector(READY)
        assert page.locator(ALERTS).all_inner_texts() == []
        assert picker(page) == "Spring"
        delete(page, folder, before)
        until(lambda: answer(page).startswith("120 sessions"), "another study")
        page.wait_for_selector(READY)
        assert picker(page) == "ECIR 2008 (reconstructed)"
        assert page.locator(ALERTS).all_inner_texts() == []


def delete(page: Page, folder: Path, before: list[Kept]) -> None:
    """Delete the open study once it was asked; nothing else is."""
    after = Store(folder).kept()
    assert len(after) == len(before) + 1
    page.get_by_role("button", name="Delete …").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert (
        "Spring: this deletes the study, its notes, tags and your judgments from this machine"
        in dialog.inner_text()
    )
    assert Store(folder).kept() == after
    dialog.get_by_role("button", name="Delete", exact=True).click()
    dialog.wait_for(state="detached")
    page.get_by_test_id("stToast").get_by_text(
        "Deleted: Spring: the study, its notes, tags and your judgments"
    ).wait_for()
    until(lambda: Store(folder).kept() == before, "one study less, and no other")
