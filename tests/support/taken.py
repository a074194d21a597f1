"""What a page gives to take along, in a real browser: its forms, widths and whole files."""

from __future__ import annotations

import io
import re
import struct
from typing import TYPE_CHECKING

from tests.support.server import READY, in_the_middle, unfold
from tests.support.waiting import PATIENCE, SOON, may_be_lost, until

if TYPE_CHECKING:
    from playwright.sync_api import Download, Page

FOLD = "Downloads: data, figure, report, methods"


def open_fold(page: Page) -> None:
    """Open the fold, and wait until it holds its last button."""
    page.get_by_text(FOLD).click()
    page.get_by_text("Download methods.txt").wait_for()


def choose(page: Page, control: str, option: str) -> None:
    """Choose from a list by its name; a page that still moves may close the list."""
    box = page.get_by_role("combobox", name=control, exact=True)
    wanted = page.get_by_role("option", name=option, exact=True)

    def chosen() -> bool:
        if box.input_value() != option:
            unfold(box)
            with may_be_lost():
                wanted.click(timeout=1000 * SOON)
                wanted.wait_for(state="detached", timeout=1000 * SOON)
        return box.input_value() == option

    until(chosen, f"{option} as {control}")


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


def named(label: str) -> re.Pattern[str]:
    """Name of the button that gives this file, of whatever width."""
    return re.compile(f"^Download {re.escape(label)}(, .* wide)?$")


def taken(page: Page, label: str) -> bytes:
    """Bytes of a download, by its button's name; a click may be lost while a page is drawn."""
    page.wait_for_selector(READY)
    button = page.get_by_role("button", name=named(label))
    # a table comes at once, a figure from a browser that starts may take its time
    limit = SOON if label.endswith((".csv", ".tex")) else PATIENCE / 3

    def pressed() -> Download | None:
        with may_be_lost():
            # an earlier click that was late, not lost, brings another file
            with page.expect_download(
                lambda coming: coming.suggested_filename == label, timeout=1000 * limit
            ) as coming:
                button.click()
            return coming.value
        return None

    return until(pressed, f"a download of {label}").path().read_bytes()


def whole_png(made: bytes, width: float) -> set[tuple[int, ...]]:
    """Colours of a PNG of a width in mm at 300 dots an inch."""
    from PIL import Image

    assert struct.unpack(">I", made[16:20]) == (round(width / 25.4 * 300),)
    with Image.open(io.BytesIO(made)) as image:
        image.load()
        counts = image.convert("RGB").getcolors(1 << 24)
    assert counts is not None
    assert len(counts) > 2
    return {colour for _, colour in counts if isinstance(colour, tuple)}
