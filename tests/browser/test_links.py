"""The link to a view, in a real browser: it is copied, and a reload opens the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.server import answer, lines, redrawn, visiting, wait_ready
from tests.support.waiting import SOON, may_be_lost, until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

INSECURE = "Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})"
SECURE = "delete navigator.clipboard"


def sliders(page: Page) -> list[str | None]:
    """Values of b, bq and the gains of grades 0 to 3, as they are read out."""
    found = page.get_by_test_id("stSidebar").get_by_role("slider").all()
    return [slider.get_attribute("aria-valuetext") for slider in found]


def copied(page: Page) -> str:
    """What the button copies."""
    press(page)
    return page.evaluate("navigator.clipboard.readText()")


def press(page: Page) -> None:
    """Copy the link; while a page is drawn a click may be lost."""
    said = page.get_by_role("status").get_by_text("Copied", exact=True)

    def done() -> bool:
        page.get_by_role("button", name="Copy link to this view").click()
        with may_be_lost():
            said.wait_for(timeout=1000 * SOON)
        return said.is_visible()

    until(done, "a copied link")


def copied_in_place(page: Page) -> str:
    """What the button copies; it doesn't move when that is said."""
    link = copied(page)
    button = page.get_by_role("button", name="Copy link")
    place = (button.bounding_box() or {})["y"]
    page.get_by_role("status").get_by_text("Copied", exact=True).wait_for(state="hidden")
    assert (button.bounding_box() or {})["y"] == place
    return link


def choose(page: Page, preset: str) -> None:
    """Choose a definition; a list that opens while the page is drawn may close again."""
    option = page.get_by_role("option", name=preset)

    def done() -> bool:
        page.get_by_role("combobox", name="Definition").click()
        with may_be_lost():
            option.click(timeout=1000 * SOON)
            return True
        return False

    until(done, f"the definition {preset}")


def test_reload_keeps_the_view_and_the_link_is_copied_where_the_browser_keeps_its_clipboard(
    desk: BrowserContext, address: str
) -> None:
    desk.grant_permissions(["clipboard-read", "clipboard-write"])
    with visiting(desk, f"{address}/session_curves?topic=B") as page:
        before = copied_in_place(page)
        assert sliders(page) == ["2", "4", "0", "1", "10", "100"]
        with redrawn(page, "Session curves."):
            page.get_by_role("radio", name="raw").click()
        with redrawn(page, "Session curves."):
            choose(page, "Session track (Kanoulas)")
        assert sliders(page) == ["2", "4", "0", "1", "3", "7"]
        with redrawn(page, "Session curves."):
            page.get_by_role("slider", name="asking again (bq)").press("ArrowRight")
        said = "Definition in force: Session track (Kanoulas), changed: bq. "
        page.get_by_test_id("stMain").get_by_text(said).wait_for()
        seen = answer(page), lines(page, "Session curves."), sliders(page)
        assert seen[2] == ["2", "5", "0", "1", "3", "7"]
        page.reload()
        wait_ready(page)
        assert (answer(page), lines(page, "Session curves."), sliders(page)) == seen
        page.evaluate(INSECURE)
        press(page)
        page.evaluate(SECURE)
        assert page.evaluate("navigator.clipboard.readText()") == page.url != before
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
