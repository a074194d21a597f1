"""The frame at 1280 × 720: what is in sight, what stays in its place, and ways back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.accessibility import COLOURS, serious, switch
from tests.support.server import READY, redrawn, turn_to, unfold, visiting

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
