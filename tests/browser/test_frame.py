"""The frame: what stays in its place, ways back, the link to a view, and what is taken along."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tests.support import accessibility, server, waiting
from tests.support.live_lines import points, slider

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

# top and height of each control of the sidebar, from the first one on, whatever is scrolled
PLACES = """() => {
    const kinds = ['Selectbox', 'Slider', 'NumberInput', 'Button', 'Checkbox'];
    const own = kinds.map(kind => `[data-testid=stSidebar] [data-testid=st${kind}]`).join();
    const boxes = [...document.querySelectorAll(own)].map(each => each.getBoundingClientRect());
    return boxes.map(box => [Math.round(box.y - boxes[0].y), Math.round(box.height)]);
}"""
# one that goes by scrolling never rests
RESTS = """() => document.getAnimations().every(each =>
    each.playState !== 'running' || each.timeline !== document.timeline)"""
EDGES = """() => [...document.querySelectorAll('[class*=systems_shown] [data-variant=pills]')]
    .map(chip => getComputedStyle(chip).borderColor)"""


def settled(page: Page) -> list[list[int]]:
    """Places of the controls, once the page rests."""
    page.wait_for_selector(server.READY)
    page.wait_for_function(RESTS)
    seen: list[list[list[int]]] = [page.evaluate(PLACES)]

    def rests() -> bool:
        seen.append(page.evaluate(PLACES))
        return seen[-1] == seen[-2]

    waiting.until(rests, "a fold that is whole")
    assert len(seen[-1]) > 20
    return seen[-1]


def assert_are_taken_along(page: Page) -> None:
    """The figure by its own button, and its numbers, which are made when they are asked for."""
    drawn = page.locator("[role=figure][aria-label^='Figure 1.']")
    drawn.hover()
    with page.expect_download() as coming:
        drawn.locator("[data-title^='Download plot']").click()
    assert coming.value.suggested_filename == "figure_1.svg"
    said = "".join(ElementTree.parse(coming.value.path()).getroot().itertext())
    assert "Rank of the result" in said
    page.get_by_text("Downloads: data, figure, report, methods").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download query_order.csv").click()
    assert coming.value.path().read_bytes().startswith(b"system,group,rank,")
    page.get_by_text("Downloads: data, figure, report, methods").click()


def test_a_changed_definition_moves_no_control_chips_look_chosen_and_figures_are_taken_along(
    desk: BrowserContext, address: str
) -> None:
    lacks = "delete window.DecompressionStream"  # an old browser has what the server draws
    with server.visiting(desk, f"{address}/query_order", script=lacks) as page:
        assert_are_taken_along(page)
        sidebar = page.get_by_test_id("stSidebar")
        edges = page.evaluate(EDGES)
        sidebar.get_by_text("More choices").click()
        sidebar.get_by_role("combobox", name="Repeats").wait_for()
        before = settled(page)
        with server.redrawn(page, "Figure 1."):
            slider(page, "Gain of grade 1").press("End")
        assert points(page, "Figure 1.")[0] == "as drawn"
        sidebar.get_by_text("Gains don't follow the grades").wait_for()
        server.unfold(sidebar.get_by_role("combobox", name="Discount"))
        with server.redrawn(page, "Figure 1."):
            page.get_by_role("option", name="kanoulas2011").click()
        assert settled(page) == before
        sidebar.get_by_text("More filters").click()
        page.get_by_label("Queries per session: from").fill("3")
        with server.redrawn(page, "Figure 1."):
            page.get_by_label("Queries per session: from").press("Enter")
        sidebar.get_by_text("More filters (1 active)").click()  # and closed again
        server.turn_to(page, "Session curves")
        assert "min_queries=3" in page.url
        with server.redrawn(page, "Session curves."):
            sidebar.get_by_text("System 2").click()
        # all look chosen where none is
        seen = [*edges, *page.evaluate(EDGES)]
        assert [edge == edges[0] for edge in seen] == [True, True, False, True]
        with server.redrawn(page, "Session curves."):
            sidebar.get_by_text("System 1").click()  # and is under the pointer
        for scheme in ("light", "dark"):
            accessibility.switch(page, scheme)
            assert accessibility.serious(page, *accessibility.COLOURS) == []


def test_a_page_is_one_entry_of_the_history_its_group_is_marked_and_a_card_takes_a_base_along(
    desk: BrowserContext, address: str
) -> None:
    made = [0]
    for _ in range(3):  # on a loaded machine a run of the server may end after the next deed
        if made != [1, 2]:
            made = entries_of_pages(desk, address)
    assert made == [1, 2]


def entries_of_pages(desk: BrowserContext, address: str) -> list[int]:
    """How many entries two pages make in the history, after each; all else is asserted."""
    weight = "node => getComputedStyle(node.querySelector('p')).fontWeight"
    first, made = "How much better is the last query", list[int]()
    with server.visiting(desk, address) as page:
        page.wait_for_url("**study=*")
        opened = page.evaluate("history.length")
        slider(page, "result list (b)").press("ArrowRight")
        page.wait_for_url("**b=2.5*")
        server.wait_ready(page)
        before = page.evaluate("history.length")
        page.locator("[class*=st-key-way_to_] a").first.click()
        page.get_by_role("heading", name=first).wait_for()
        assert page.url.count("b=2.5") == page.url.count("study=") == 1
        for title, group in (("Query order", "Curves"), ("Compare systems", "Systems")):
            server.turn_to(page, title)
            page.wait_for_url("**study=*")
            page.evaluate("history.pushState(history.state, '', location.href)")  # a late addition
            made.append(page.evaluate("history.length") - before)
            bold = {
                each.inner_text(): each.evaluate(weight)
                for each in page.get_by_test_id("stTopNavSection").all()
            }
            assert [name for name, of in bold.items() if of == "700"] == [group]
        page.go_back()
        if made == [1, 2]:
            page.get_by_role("heading", name=first).wait_for()
            page.wait_for_selector(server.READY)
            page.evaluate(f"history.go({opened - before - 2})")  # from the page opened first
            page.wait_for_url("about:blank")
    return made


INSECURE = "Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})"
SECURE = "delete navigator.clipboard"


def sliders(page: Page) -> list[str | None]:
    """Values of b, bq and the gains of grades 0 to 3, as they are read out."""
    found = page.get_by_test_id("stSidebar").get_by_role("slider").all()
    return [slider.get_attribute("aria-valuetext") for slider in found]


def copied(page: Page) -> str:
    """What the button copies; while a page is drawn a click may be lost."""
    button = page.get_by_role("button", name="Copy link to this view")
    button.scroll_into_view_if_needed()
    place = (button.bounding_box() or {})["y"]
    said = page.get_by_role("status").get_by_text("Copied", exact=True)

    def done() -> bool:
        button.click()
        with waiting.may_be_lost():
            said.wait_for(timeout=1000 * waiting.SOON)
        return said.is_visible()

    waiting.until(done, "a copied link")
    assert (button.bounding_box() or {})["y"] == place
    page.evaluate(SECURE)
    return page.evaluate("navigator.clipboard.readText()")


def test_reload_keeps_the_view_and_the_link_is_copied_where_the_browser_keeps_its_clipboard(
    desk: BrowserContext, address: str
) -> None:
    desk.grant_permissions(["clipboard-read", "clipboard-write"])
    with server.visiting(desk, f"{address}/session_curves?topic=B") as page:
        before = copied(page)
        assert sliders(page) == ["2", "4", "0", "1", "10", "100"]
        with server.redrawn(page, "Session curves."):
            slider(page, "asking again (bq)").press("ArrowRight")
        said = "Current definition: ECIR 2008, changed: bq. "
        page.get_by_test_id("stMain").get_by_text(said).wait_for()
        seen = server.answer(page), server.lines(page, "Session curves."), sliders(page)
        assert seen[2] == ["2", "5", "0", "1", "10", "100"]
        page.reload()
        server.wait_ready(page)
        assert (server.answer(page), server.lines(page, "Session curves."), sliders(page)) == seen
        page.evaluate(INSECURE)
        assert copied(page) == page.url != before
        page.goto(f"{address}/words?b=3&systems=System+2")  # a page that is gone
        page.wait_for_url("**/?gone=words&b=3&systems=System+2*")
        page.get_by_role("link", name="glossary").wait_for()
        assert page.get_by_role("dialog").count() == 0
        # sooner than the box of b is drawn, which the browser takes along only then
        page.get_by_role("link", name="Data", exact=True).first.click()
        page.wait_for_url(
            lambda url: all(f"{each}" in url for each in ("/data?", "b=3", "systems=System+2"))
        )
        page.get_by_role("heading", name="This study", exact=True).wait_for()
        assert copied(page) == page.url
