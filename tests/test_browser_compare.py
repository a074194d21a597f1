"""Which system is better? In a real browser: within, between five systems, and one system alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server import answer, lines, redrawn, serving, visiting
from tests.test_real_logs import CHIIR, DATA

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

FIGURE = "Comparison. "


def test_the_papers_study_is_compared_within_searchers(desk: BrowserContext, address: str) -> None:
    with visiting(desk, f"{address}/compare_systems") as page:
        assert answer(page).startswith("System 2 is ahead by ")
        assert "% of 10,000 resamples of searchers; permutation test p = " in answer(page)
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
    link = "compare_systems?system_a=BASE&system_b=BASE_WAPO"
    with serving(*study) as address, visiting(browser, f"{address}/{link}") as page:
        assert answer(page).startswith("BASE is ahead of BASE_WAPO by 0.0718 nsDCG ")
        said = page.locator("body").inner_text()
        assert "All 5 systems together: permutation test p = " in said
        assert "Between searchers: 29 searchers of BASE are compared with 38 searchers of" in said
        assert sum(name.endswith(", mean") for name in lines(page, FIGURE)) == 5
