"""What a newcomer sees first, and by keys alone: bars, terms, points read out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sdcg_explorer.questions.glossary import meaning
from tests.browser.test_live import held, slider
from tests.support.accessibility import COLOURS, serious, switch
from tests.support.server import lines, turn_to, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

SAID = "() => document.querySelector('.point-said').textContent"
FIGURE = ".js-plotly-plot"
BARS = """() => [...document.querySelectorAll('.steps [data-value]')].map(bar => [
    Number(bar.dataset.value),
    bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width,
])"""
BASE = "() => document.querySelector('.steps [data-base=b]').textContent"
SEEN = """term => {
    const look = getComputedStyle(term, '::after')
    return look.display === 'none' ? '' : look.content
}"""


def values(page: Page) -> list[float]:
    """What the bars are worth, once each is as long as that."""
    bars = page.evaluate(BARS)
    most = max(value for value, _ in bars)
    assert [length for _, length in bars] == pytest.approx(
        [value / most for value, _ in bars], abs=0.01
    )
    return [value for value, _ in bars]


def assert_bars_follow_a_drag(page: Page) -> None:
    """What the browser draws is what the server draws once the slider is let go."""
    drawn = values(page)
    held(page, slider(page, "result list (b)"), 20)
    page.wait_for_function(f"drawn => ({BARS})()[1][0] !== drawn", arg=drawn[1])
    dragged, base = values(page), page.evaluate(BASE)
    page.mouse.up()
    page.wait_for_function("base => location.search.includes(`b=${base}`)", arg=base)
    page.wait_for_selector(".steps[data-live='as drawn']")
    wait_ready(page)
    assert values(page) == pytest.approx(dragged, rel=1e-9)
    assert page.evaluate(BASE) == base
    assert dragged[0] == drawn[0]


def assert_terms_explain_themselves(page: Page) -> None:
    """Under the pointer and with focus, and no longer; a word is no stop of the tab key."""
    searcher = page.locator(".term", has_text="searcher").first
    assert searcher.evaluate(SEEN) == ""
    searcher.hover()
    assert meaning("searcher") in searcher.evaluate(SEEN)
    page.mouse.move(0, 0)
    searcher.focus()  # as a finger does
    assert meaning("searcher") in searcher.evaluate(SEEN)
    assert page.locator(".term:not([tabindex='-1'])").count() == 0
    page.keyboard.press("Tab")
    assert searcher.evaluate(SEEN) == ""
    page.get_by_role("button", name="Help for Patience with the result list (b)").focus()
    page.get_by_test_id("stTooltipContent").get_by_text(meaning("b")).wait_for()
    searcher.focus()


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


def test_bars_follow_a_drag_and_terms_explain_themselves(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/?b=3&bq=2.5") as page:
        assert_bars_follow_a_drag(page)
        assert_terms_explain_themselves(page)
        for scheme in ("light", "dark"):
            switch(page, scheme)
            assert serious(page, *COLOURS) == []
        turn_to(page, "Session curves")
        assert_points_are_read(page, "Session curves.")
