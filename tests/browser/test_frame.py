"""The frame at 1280 × 720: what is in sight, what stays in its place, how an upload is opened."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sdcg_explorer.reading.recipe import FIXES
from tests.support.accessibility import COLOURS, serious, switch
from tests.support.data_page import UPLOADER
from tests.support.formats import Table, workbook_of
from tests.support.server import READY, answer, redrawn, turn_to, unfold, visiting, wait_ready
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize

SCREEN: ViewportSize = {"width": 1280, "height": 720}
# top and height of each control of the sidebar, from the first one on, whatever is scrolled
PLACES = """() => {
    const kinds = ['Selectbox', 'Slider', 'NumberInput', 'Button', 'Checkbox'];
    const own = kinds.map(kind => `[data-testid=stSidebar] [data-testid=st${kind}]`).join();
    const boxes = [...document.querySelectorAll(own)].map(each => each.getBoundingClientRect());
    return boxes.map(box => [Math.round(box.y - boxes[0].y), Math.round(box.height)]);
}"""
EDGES = """() => [...document.querySelectorAll('[class*=systems_shown] [data-variant=pills]')]
    .map(chip => getComputedStyle(chip).borderColor)"""

# what the page shows while files are read, two frames after each change: how much of the one before
WATCH = """() => {
    window.seen = []
    const shown = selector => [...document.querySelectorAll(`[data-testid=stMain] ${selector}`)]
        .filter(each => each.checkVisibility())
    const look = () => {
        if (shown('[data-testid=stExpanderIconSpinner]').length)
            window.seen.push(shown('[data-stale=true]').length)
    }
    new MutationObserver(() => {
        requestAnimationFrame(() => requestAnimationFrame(look))
    }).observe(document.body, {subtree: true, childList: true, attributes: true})
}"""

HEADER = ("Sitzung", "Anfrage", "Rang", "Dokument", "Thema", "geklickt")
RESULTS = [("s1", "1,0", 1, "a", "t", "ja"), ("s1", 2, 1, "b", "t", "nein"),
           ("", "", "", "", " ", ""), ("s2", 1, 1, "b", "t", "nein")]  # fmt: skip
SPREADSHEET = workbook_of(
    log=Table(("Studie 2026",), [HEADER, *RESULTS]),
    judgments=Table(("Thema", "Dokument", "Relevanz"), [("t", "a", "1,5"), ("t", "b", 0)]),
)
REPAIRS = ("Rows above the header (row 2) are left out", *map(FIXES.__getitem__, (
    "decimal-comma", "yes-no", "blank-rows")))  # fmt: skip


def in_sight(control: Locator) -> bool:
    """Whether all of a control stands on the screen, without scrolling."""
    box = control.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= SCREEN["height"]


def settled(page: Page) -> list[list[int]]:
    """Places of the controls, once the page rests."""
    page.wait_for_selector(READY)
    page.wait_for_function(
        "() => document.getAnimations().every(each =>"  # one that goes by scrolling never rests
        " each.playState !== 'running' || each.timeline !== document.timeline)"
    )
    places = page.evaluate(PLACES)
    assert len(places) > 20
    return places


def test_filters_are_in_sight_and_a_changed_definition_moves_no_control(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/query_order", size=SCREEN) as page:
        sidebar = page.get_by_test_id("stSidebar")
        shown = sidebar.get_by_role("heading", name="Filters"), sidebar.get_by_text("System 2")
        edges = page.evaluate(EDGES)
        called = "result list (b)", "asking again (bq)"
        bases = [sidebar.get_by_role("slider", name=name) for name in called]
        assert all(in_sight(each) for each in (*shown, *bases))
        sidebar.get_by_text("More choices").click()
        sidebar.get_by_role("combobox", name="Repeats").wait_for()
        before = settled(page)
        with redrawn(page, "Figure 1."):
            bases[0].press("ArrowRight")
        assert settled(page) == before
        with redrawn(page, "Figure 1."):
            sidebar.get_by_role("slider", name="Gain of 1").press("End")
        sidebar.get_by_text("Gains don't follow the grades").wait_for()
        unfold(sidebar.get_by_role("combobox", name="Discount"))
        with redrawn(page, "Figure 1."):
            page.get_by_role("option", name="kanoulas2011").click()
        assert settled(page) == before
        sidebar.get_by_text("More filters").click()
        page.get_by_label("Queries per session: from").fill("3")
        with redrawn(page, "Figure 1."):
            page.get_by_label("Queries per session: from").press("Enter")
        sidebar.get_by_text("More filters (1 active)").click()  # and closed again
        turn_to(page, "Session curves")
        assert "min_queries=3" in page.url
        assert_chips_look_chosen(page, edges)


def assert_chips_look_chosen(page: Page, edges: list[str]) -> None:
    """All where none is chosen, whose `edges` these are; and what is chosen can be read."""
    sidebar = page.get_by_test_id("stSidebar")
    with redrawn(page, "Session curves."):
        sidebar.get_by_text("System 2").click()
    seen = [*edges, *page.evaluate(EDGES)]
    assert [edge == edges[0] for edge in seen] == [True, True, False, True]
    with redrawn(page, "Session curves."):
        sidebar.get_by_text("System 1").click()  # and is under the pointer
    for scheme in ("light", "dark"):
        switch(page, scheme)
        assert serious(page, *COLOURS) == []


def seen_read(page: Page, file: Path) -> bool:
    """Upload a file; whether it was seen being read, which may be over before a page is drawn."""
    file.write_bytes(SPREADSHEET)
    repair = page.get_by_test_id("stCheckbox").get_by_text(REPAIRS[0])
    if repair.count():
        page.get_by_role("button", name="Remove study").click()
        repair.wait_for(state="detached")
        page.wait_for_selector(READY)
    page.set_input_files(UPLOADER, file)
    repair.wait_for()
    page.wait_for_selector(READY)
    return bool(page.evaluate("window.seen.length"))


def test_an_upload_is_accepted_by_what_is_in_sight_and_opens(
    desk: BrowserContext, address: str, tmp_path: Path
) -> None:
    with visiting(desk, address, size=SCREEN) as page:
        page.get_by_role("link", name="Data", exact=True).click()
        page.get_by_role("heading", name="What was read, and may I trust it?").wait_for()
        page.wait_for_selector(READY)
        page.evaluate(WATCH)
        names = (f"study {n}.xlsx" for n in count(1))
        until(lambda: seen_read(page, tmp_path / next(names)), "a sight of the reading")
        for repair in REPAIRS:
            page.get_by_test_id("stCheckbox").get_by_text(repair).click()
            page.get_by_role("checkbox", name=repair, checked=True).wait_for()
            page.wait_for_selector(READY)
        assert not any(page.evaluate("window.seen"))
        accept = page.get_by_role("button", name="Accept and open")
        accept.wait_for()
        page.wait_for_selector(READY)
        name = page.get_by_label("Name of the study")
        assert [in_sight(each) for each in (name, accept)] == [True, True]
        assert accept.evaluate("each => each.getAttribute('kind')") == "primary"
        name.fill("Spring")
        accept.click()  # with no key in between
        page.wait_for_url("**/?study=*")
        wait_ready(page)
        assert "2 sessions" in answer(page)
        assert page.get_by_role("combobox", name="Study").input_value() == "Spring"
        turn_to(page, "Query order")


def test_a_page_is_one_entry_of_the_history_its_group_is_marked_and_a_card_takes_a_base_along(
    desk: BrowserContext, address: str
) -> None:
    weight = "node => getComputedStyle(node.querySelector('p')).fontWeight"
    first = "How much better is the last query"
    with visiting(desk, address) as page:
        page.wait_for_url("**study=*")
        opened = page.evaluate("history.length")
        page.get_by_test_id("stSidebar").locator("input[type=range]").first.press("ArrowRight")
        page.wait_for_url("**b=2.5*")
        before = page.evaluate("history.length")
        page.locator("[class*=st-key-way_to_] a").first.click()
        page.get_by_role("heading", name=first).wait_for()
        assert page.url.count("b=2.5") == page.url.count("study=") == 1
        for times, (title, group) in enumerate(
            (("Query order", "Curves"), ("Compare systems", "Systems")), start=1
        ):
            turn_to(page, title)
            page.wait_for_url("**study=*")
            assert page.evaluate("history.length") == before + times
            bold = {
                each.inner_text(): each.evaluate(weight)
                for each in page.get_by_test_id("stTopNavSection").all()
            }
            assert [name for name, of in bold.items() if of == "700"] == [group]
        page.go_back()
        page.get_by_role("heading", name=first).wait_for()
        page.wait_for_selector(READY)
        page.evaluate(f"history.go({opened - before - 2})")  # from the page that was opened first
        page.wait_for_url("about:blank")
