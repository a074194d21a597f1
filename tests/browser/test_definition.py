"""A preset, then one slider, in a real browser: sliders, sentence, values, and the copied link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.plain_figures import figure_two
from tests.support.plain_files import ECIR2008, read_plain
from tests.support.plain_loop import Choices
from tests.support.server import answer, lines, redrawn, turn_to, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

CURVES = "Session curves."
KANOULAS = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 3.0, 3.0: 7.0}, form="kanoulas2011")
SENTENCE = (
    "Definition in force: Session track (Kanoulas). Gain by grade (exponential): 0 → 0, 1 → 1, "
    "2 → 3, 3 → 7; discount by rank 1/log_2(r + 1), by query 1/log_4(q + 3);"
)


def sliders(page: Page) -> list[str | None]:
    """Values of b, bq and the gains of grades 0 to 3, as they are read out."""
    found = page.get_by_test_id("stSidebar").get_by_role("slider").all()
    return [slider.get_attribute("aria-valuetext") for slider in found]


def sentence(page: Page) -> str:
    found = page.get_by_test_id("stMain").get_by_text("Definition in force:")
    return found.locator("xpath=ancestor::p").inner_text()


def drawn(page: Page) -> dict[str, dict[str, list[float]]]:
    """Values by name of the traces of every figure, by its whole text alternative."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('.js-plotly-plot')].map(plot => [
            plot.closest('[role=figure]').getAttribute('aria-label'),
            plot._fullData.map(t => [t.name, [...t.y]])])"""
    )
    return {alternative: dict(traces) for alternative, traces in found}


def view(page: Page) -> dict[str, Any]:
    """All that a reader sees of an answer."""
    return {
        "title": page.locator("h1").inner_text(),
        "answer": answer(page),
        "sentence": sentence(page),
        "sliders": sliders(page),
        "drawn": drawn(page),
    }


def pick_kanoulas(page: Page) -> None:
    with redrawn(page, CURVES):
        page.get_by_role("combobox", name="Definition").click()
        page.get_by_role("option", name="Session track (Kanoulas)").click()


def test_preset_changes_sliders_sentence_and_values_and_its_link_opens_the_same_view(
    elsewhere: BrowserContext, desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/session_curves?every=true") as page:
        assert sliders(page) == ["2", "4", "0", "1", "10", "100"]
        assert sentence(page).startswith("Definition in force: ECIR 2008. Gain by grade (paper):")
        pick_kanoulas(page)
        assert sliders(page) == ["2", "4", "0", "1", "3", "7"]
        assert sentence(page).startswith(SENTENCE)
        shown = lines(page, CURVES)
        with redrawn(page, CURVES):
            page.get_by_role("slider", name="Gain of 3").press("ArrowRight")
        changed = "Definition in force: Session track (Kanoulas), changed: weights. "
        assert sentence(page).startswith(changed)
        with redrawn(page, CURVES):
            page.get_by_role("button", name="Back to Session track (Kanoulas)").click()
        assert sentence(page).startswith(SENTENCE)
        assert lines(page, CURVES) == shown
        seen = three_views(page)
    assert_the_plain(shown)
    for link, expected in seen.items():
        with visiting(elsewhere, link) as other:
            assert view(other) == expected
    curves, small, _ = seen.values()
    assert curves["sliders"] == ["2", "5", "0", "1", "3", "7"]
    assert ", changed: bq. " in curves["sentence"]
    assert [name.removeprefix("Side by side. ") for name in small["drawn"]] == [
        *("Session track (Kanoulas), changed: bq", "ECIR 2008"),
        *("Session track (Kanoulas)", "Dynamic Domain", "plain linear"),
    ]
    assert len({str(traces) for traces in small["drawn"].values()}) == 5


def three_views(page: Page) -> dict[str, dict[str, Any]]:
    """Views by their links, from the page of the curves on: a slider moved, and a page's choice."""
    seen = {}
    with redrawn(page, CURVES):
        page.get_by_role("slider", name="bq, query").press("ArrowRight")
    seen[page.url] = view(page)
    turn_to(page, "Side by side")
    seen[page.url] = view(page)
    turn_to(page, "Query order")
    with redrawn(page, "Figure 1."):
        page.get_by_role("radio", name="best").click()
    seen[page.url] = view(page)
    return seen


def assert_the_plain(shown: dict[str, list[float]]) -> None:
    """The curves under the preset are those of the plain loop."""
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    for system, (_, shares, _) in figure_two(plain, KANOULAS, 110).items():
        joined = [*shown[system], *shown[f"{system}, few sessions"][1:]]
        assert joined == pytest.approx(shares, rel=1e-9)


def test_link_holds_which_presets_stand_beside(desk: BrowserContext, address: str) -> None:
    link = "side_by_side?beside=linear&beside=session-track"
    with visiting(desk, f"{address}/{link}") as page:
        for removed, left in (("session-track", ["linear"]), ("linear", [""])):
            page.get_by_test_id("stMain").get_by_text(removed, exact=True).click()
            page.wait_for_function(
                "number => document.querySelectorAll('[role=figure]').length === number",
                arg=2 if any(left) else 1,
            )
            wait_ready(page)
            assert parse_qs(urlsplit(page.url).query, True)["beside"] == left
        seen = view(page)
        page.reload()
        wait_ready(page)
        assert view(page) == seen
    assert list(seen["drawn"]) == ["Side by side. ECIR 2008"]
