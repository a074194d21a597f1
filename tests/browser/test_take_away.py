"""What a page gives to take along: a figure by its own button, and as wide as asked."""

from __future__ import annotations

import io
import re
import struct
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tests.support.server import READY, in_the_middle, lines, unfold, visiting
from tests.support.waiting import PATIENCE, SOON, may_be_lost, until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Download, Page

VIEW = "b=3&bq=7&w3=50&topics=A&topics=B&systems=System+2"
BLUE = (0x00, 0x72, 0xB2)  # of the first system


def choose_png(page: Page) -> None:
    """Choose the format from its list; a page that still moves may close the list."""
    box = page.get_by_role("combobox", name="Format", exact=True)

    def chosen() -> bool:
        if box.input_value() != "png":
            unfold(box)
            with may_be_lost():
                page.get_by_role("option", name="png", exact=True).click(timeout=1000 * SOON)
        return box.input_value() == "png"

    until(chosen, "png as the format")


def set_width(page: Page, width: float) -> None:
    """Type a width in mm, and wait until it is in force; a page that still moves forgets it."""
    box = page.get_by_role("combobox", name="Width in mm")
    there = page.get_by_role("button", name=re.compile(f", {width:g} mm wide$"))
    offered = page.get_by_role("option", name=re.compile(rf"^(Add: )?{width:g}$"))

    def entered() -> bool:
        if not there.is_visible():
            in_the_middle(box)
            box.fill("")  # what stands there already would unfold no list
            box.fill(f"{width:g}")
            with may_be_lost():
                offered.wait_for(timeout=1000 * SOON)
                box.press("Enter")
                there.wait_for(timeout=1000 * SOON)
        return there.is_visible()

    until(entered, f"a width of {width:g} mm")


def taken(page: Page) -> bytes:
    """The PNG; a click may be lost while a page is drawn, and a browser takes time to start."""
    page.wait_for_selector(READY)
    button = page.get_by_role("button", name=re.compile(r"^Download query_order\.png"))

    def pressed() -> Download | None:
        with may_be_lost():
            with page.expect_download(timeout=1000 * PATIENCE / 3) as coming:
                button.click()
            return coming.value
        return None

    return until(pressed, "a download").path().read_bytes()


def test_a_figure_is_downloaded_by_its_own_button_and_as_wide_as_asked(
    desk: BrowserContext, address: str
) -> None:
    from PIL import Image

    with visiting(desk, f"{address}/query_order?{VIEW}") as page:
        assert lines(page, "Figure 1.").keys() == {"System 2, last", "System 2, other"}
        drawn = page.locator("[role=figure][aria-label^='Figure 1.']")
        drawn.hover()
        with page.expect_download() as coming:
            drawn.locator("[data-title^='Download plot']").click()
        assert coming.value.suggested_filename == "figure_1.svg"
        said = "".join(ElementTree.parse(coming.value.path()).getroot().itertext())
        assert "Rank of the result" in said
        page.get_by_text("Downloads: data, figure, report, methods").click()
        page.get_by_text("Download methods.txt").wait_for()
        choose_png(page)
        page.get_by_role("button", name="Download query_order.png").wait_for()
        box = page.get_by_role("combobox", name="Width in mm")
        box.fill("120")
        box.press("Escape")  # not entered: it is dropped, and seen to be
        assert box.input_value() == "84"
        set_width(page, 120.5)
        made = taken(page)
        assert struct.unpack(">I", made[16:20]) == (round(120.5 / 25.4 * 300),)
        counts = Image.open(io.BytesIO(made)).convert("RGB").getcolors(1 << 24) or []
        assert len(counts) > 2
        assert BLUE not in {colour for _, colour in counts}  # of another system
        box.fill("4")
        page.get_by_role("option").first.wait_for()
        box.press("Enter")
        page.get_by_text("No width from 40 to 400 mm: 4").wait_for()
