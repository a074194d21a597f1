"""Which system is better? In a real browser: within searchers, and between five systems."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.store.folder import FolderStore
from tests.browser.test_many_systems import LINES, TANGLED
from tests.support.accessibility import serious
from tests.support.server import LINKS, answer, lines, redrawn, turn_to, visiting, wait_ready
from tests.support.studies import CHIIR, absent
from tests.support.two_agents import agents_study

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

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
        assert_the_next_study_is_planned(page)
        assert serious(page) == []
        page.get_by_text("sample", exact=True).click()
        page.get_by_text("Crossed mixed model (searchers and topics random").wait_for()
        assert "topics_are=sample" in page.url


def assert_the_next_study_is_planned(page: Page) -> None:
    """For the difference seen, half of it, and the one that is typed, which the link holds."""
    page.get_by_text("How many searchers would the next study need?").click()
    page.get_by_text("For the difference seen, ").first.wait_for()
    assert "Half of it" in lines(page, "Power. ")
    box = page.get_by_label("A difference that would matter (nsDCG)")
    box.fill("0.05")
    box.press("Enter")
    page.get_by_text("; for 0.05 nsDCG ").first.wait_for()
    wait_ready(page)
    assert "plan_for=0.05" in page.url
    assert "0.05 nsDCG" in lines(page, "Power. ")


def test_the_task_lost_worst_opens_its_two_runs_side_by_side(
    desk: BrowserContext, address: str, tmp_path: Path
) -> None:
    store = FolderStore(Path(os.environ["SDCG_WORKSPACE"]))
    study = store.save(agents_study(tmp_path, several=True)).digest[:12]
    link = f"{address}/compare_systems?study={study}&baseline=B&score=final"
    with visiting(desk, link) as page:
        said = page.locator("body").inner_text()
        assert "Against B, A won 2 of 12 topics, lost 7 and tied 3." in said
        assert "A alone got 1 right and B alone 5, both 4 and neither 2" in said
        assert serious(page) == []
        with redrawn(page, FIGURE):  # a line leads to what is in force now
            slider = page.get_by_test_id("stSidebar").get_by_role("slider", name="Gain of 3")
            slider.focus()
            page.keyboard.press("ArrowLeft")
        page.get_by_role("link", name="task09: lost by ").click()
        for system in "AB":
            page.get_by_role("heading", name=f"{system}/task09, {system}: 1 query").wait_for()
        wait_ready(page)
        assert "w3=" in page.url


@absent
def test_five_layouts_are_compared_between_searchers(desk: BrowserContext, address: str) -> None:
    store = FolderStore(Path(os.environ["SDCG_WORKSPACE"]))
    study = store.save(read_study(CHIIR / "log.csv", CHIIR / "judgments.csv")).digest[:12]
    with visiting(desk, f"{address}/compare_systems?study={study}") as page:
        assert answer(page).startswith(
            "The 5 systems differ (permutation test over all p = .027); "
        )
        assert answer(page).endswith("differs after Holm: BASE is ahead of BASE_WAPO (p = .006).")
        said = page.locator("body").inner_text()
        assert "BASE is ahead of BASE_WAPO by 0.0721 nsDCG (95 % interval 0.0307 to 0.114" in said
        assert len(lines(page, "Pairs. ")) == 3
        assert "Between searchers: 29 searchers of BASE are compared with 38 searchers of" in said
        assert sum(name.endswith(", mean") for name in lines(page, FIGURE)) == 5
        for name in LINKS[:5]:  # to Reformulations
            turn_to(page, name)
            assert page.evaluate(LINES) <= 2, name
            assert page.evaluate(TANGLED) == [], name
        cut = "The axis ends at query 8 of 22, the last that 10 sessions reach; 7 sessions go on."
        page.get_by_text(cut).wait_for()
