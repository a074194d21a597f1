"""What is done by keys alone: the list of keys and words, and a figure's points read out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.screen.keys_and_words import KEYS
from tests.support.accessibility import COLOURS, serious
from tests.support.server import lines, visiting

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

SAID = "() => document.querySelector('.point-said').textContent"
FIGURE = ".js-plotly-plot"


def read(page: Page, *pressed: str) -> list[str]:
    """What is said after each key."""
    said: list[str] = []
    for key in pressed:
        page.keyboard.press(key)
        said.append(page.evaluate(SAID))
    return said


def assert_points_are_read(page: Page, alternative: str) -> None:
    """Left and right along a curve, up and down to another, in the numbers that are drawn."""
    drawn = {name: values for name, values in lines(page, alternative).items() if values}
    assert page.locator(f"{FIGURE}[tabindex='0']").count() == page.locator(FIGURE).count()
    page.locator(FIGURE).first.focus()
    said = read(page, "ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home")
    values = [float(each.rpartition(" ")[2]) for each in said]
    own = next(of for name, of in drawn.items() if name in said[0])
    assert values == pytest.approx([own[0], own[1], own[0], own[-1], own[0]], abs=5e-4)
    names = {name for name in drawn for each in read(page, *["ArrowDown"] * 6) if name in each}
    assert {"System 1", "System 2"} <= names


def assert_keys_and_words_are_listed(page: Page) -> None:
    """One key opens them, and closes them again; what is typed elsewhere stays what it is."""
    sheet = page.get_by_role("dialog", name="Keys and words")
    page.keyboard.press("?")
    sheet.wait_for()
    said = sheet.inner_text()
    assert [
        each for each in (*KEYS.values(), meaning("ideal"), meaning("bq")) if each not in said
    ] == []
    assert meaning("relevant") not in said  # which is not on this page
    assert serious(page, *COLOURS) == []
    page.keyboard.press("?")
    sheet.wait_for(state="hidden")
    page.get_by_role("button", name="Keys and words").click()
    sheet.wait_for()
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    top = page.get_by_role("spinbutton", name="Top X")
    top.focus()
    page.keyboard.press("?")
    assert not sheet.is_visible()


def test_figures_and_words_are_reached_by_keys(desk: BrowserContext, address: str) -> None:
    with visiting(desk, f"{address}/session_curves") as page:
        assert_points_are_read(page, "Session curves.")
        assert_keys_and_words_are_listed(page)
