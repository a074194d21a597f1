"""Does the answer hold? In a real browser: a click on the map, curves beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.test_live import assert_equal, points, until_moved
from tests.support.accessibility import COLOURS, serious, switch
from tests.support.server import redrawn, visiting

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

MAP, CURVES = "Map.", "Session curves at this point."
# where a point of the grid is on the screen, and its b and bq
PLACE = """([alternative, at]) => {
    const figure = document.querySelector(`[role=figure][aria-label^="${alternative}"]`)
    const graph = figure.querySelector('.js-plotly-plot')
    graph.scrollIntoView({block: 'center', behavior: 'instant'})
    const { xaxis, yaxis } = graph._fullLayout
    const own = graph._fullData.find(trace => trace.name === 'points')
    const box = graph.getBoundingClientRect()
    const left = box.left + xaxis._offset + xaxis.l2p(own.x[at])
    const top = box.top + yaxis._offset + yaxis.l2p(own.y[at])
    return [left, top, ...own.customdata[at]]
}"""


def place(page: Page, at: int) -> tuple[float, float, float, float]:
    left, top, b, bq = page.evaluate(PLACE, [MAP, at])
    return left, top, b, bq


def test_pointing_at_the_map_draws_curves_and_a_click_sets_b_and_bq(
    desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/robustness") as page:
        left, top, b, bq = place(page, 13 * 24 + 15)
        page.mouse.move(left, top)
        pointed = until_moved(page, CURVES)
        with redrawn(page, CURVES):
            page.mouse.click(left, top)
        page.mouse.move(5, 5)
        until_moved(page, CURVES, "as drawn")
        assert_equal(pointed, points(page, CURVES)[1], 1e-3)  # a click takes three digits
        assert f"b={b:.3g}" in page.url
        assert f"bq={bq:.3g}" in page.url
        body = page.get_by_test_id("stMain").inner_text()
        assert f"by rank 1/(1 + log_{b:.3g} r), by query 1/(1 + log_{bq:.3g} q)" in body
        assert serious(page) == []
        switch(page, "dark")
        assert serious(page, *COLOURS) == []
