"""Which system is better? In a real browser: within, between five systems, and one system alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.server import answer, lines, redrawn, serving, visiting
from tests.unit.test_real_logs import CHIIR, DATA

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

FIGURE = "Comparison. "


def test_the_papers_study_is_compared_within_searchers(desk: BrowserContext, address: str) -> None:
    with visiting(desk, f"{address}/compare_systems") as page:
        assert answer(page).startswith("No clear difference between System 1 and System 2: ")
        assert " by t; permutation test p = " in answer(page)
        assert "each of 30 searchers used both systems" in page.locator("body").inner_text()
        shown = lines(page, FIGURE)
        assert [len(shown[f"System {i}, each session"]) for i in (1, 2)] == [60, 60]
        before = answer(page)
        with redrawn(page, FIGURE):
            slider = page.get_by_test_id("stSidebar").get_by_role("slider", name="b, rank")
            slider.focus()
            page.keyboard.press("ArrowRight")
        assert answer(page) != before
        page.get_by_text("Mixed model", exact=True).click()
        page.get_by_text("Its p is Wald's").wait_for()


def test_one_system_alone_says_what_is_missing(desk: BrowserContext, address: str) -> None:
    with visiting(desk, f"{address}/compare_systems?systems=System+1") as page:
        assert answer(page) == (
            "One system only, System 1: there is nothing to compare. Show a second one, or bring "
            "the log of one."
        )


@pytest.mark.skipif(not DATA.is_dir(), reason="no folder of real logs: set SDCG_SHARED")
def test_five_layouts_are_compared_between_searchers(browser: Browser) -> None:
    study = ("--study", str(CHIIR / "log.csv"), str(CHIIR / "judgments.csv"))
    with serving(*study) as address, visiting(browser, f"{address}/compare_systems") as page:
        assert answer(page).startswith("The 5 systems differ (permutation test over all p = .036, ")
        assert answer(page).endswith("differs after Holm: BASE is ahead of BASE_WAPO (p = .006).")
        said = page.locator("body").inner_text()
        assert "BASE is ahead of BASE_WAPO by 0.0718 nsDCG (95 % interval 0.0304 to 0.113" in said
        assert len(lines(page, "Pairs. ")) == 3
        assert "Between searchers: 29 searchers of BASE are compared with 38 searchers of" in said
        assert sum(name.endswith(", mean") for name in lines(page, FIGURE)) == 5
