"""The report's sliders, moved without a network: every line is where the server would draw it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sdcg_explorer.export.report import report
from sdcg_explorer.questions.cost.numbers import cost
from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.accessibility import serious, unfolded
from tests.support.report_page import opened
from tests.support.studies import REAL, SAMPLES, at_hand, real_logs
from tests.support.thorough import THOROUGH

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WEIGHTS = ((0, 0), (1, 1), (2, 10), (3, 50))
MADE = Definition(weights=WEIGHTS, b=3.0, bq=7.0)
FILTERS = Filters(systems=("System 2",), topics=("A", "B"))
LATE = ", few sessions"  # after the name of a curve that goes on thin
# of each line that follows: the values that it shows, and where they are between the axis's ends
LINES = """name => Object.fromEntries([...document.querySelectorAll(
    `figure[data-figure=${name}] .scatterlayer .trace`)].map(node => node.__data__)
    .filter(points => points[0].trace.meta?.live).map(points => [points[0].trace.name,
        points.map(point => Number.isFinite(point.y) ? point.y : null)]))"""
PLACED = """name => {
    const { yaxis } = document.querySelector(`figure[data-figure=${name}] .plot`)._fullLayout
    return [...document.querySelectorAll(`figure[data-figure=${name}] .scatterlayer .trace`)]
        .filter(node => node.__data__[0].trace.meta?.live).flatMap(node => {
            const d = node.querySelector("path.js-line").getAttribute("d")
            const down = [...d.matchAll(/,([0-9.-]+)/g)].map(found => +found[1])
            const values = node.__data__.map(point => point.y).filter(Number.isFinite)
            return values.map((value, i) => [value, yaxis.p2l(down[i]), yaxis.range[1]])
        })
    }"""
# the names where curves end, by the values that they stand at
NAMES = """name => {
    const { annotations } = document.querySelector(
        `figure[data-figure=${name}] .plot`)._fullLayout
    return annotations.map(each => each.y)
    }"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The report of the sample, opened."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_bytes(report(at_hand(SAMPLES[0]), MADE, FILTERS))
    with opened(browser, path) as (page, noted):
        yield page
        assert noted == [path.as_uri()]


def moved_by_keys(page: Page, figure: str, **presses: int) -> Definition:
    """Move sliders of a figure by arrow keys; the definition that they say then."""
    numbers: dict[str, float] = {}
    for key, times in presses.items():
        slider = page.locator(f"figure[data-figure={figure}] input[data-key={key}]")
        slider.focus()
        for _ in range(abs(times)):
            slider.press("ArrowRight" if times > 0 else "ArrowLeft")
        said = str(slider.locator("xpath=following-sibling::output").text_content())
        assert slider.get_attribute("aria-valuetext") == said
        numbers[key] = float(said)
    weights = tuple((grade, numbers.get(f"w{grade}", gain)) for grade, gain in WEIGHTS)
    return replace(MADE, b=numbers["b"], bq=numbers.get("bq", MADE.bq), weights=weights)


def held(page: Page, figure: str, expected: dict[str, Any]) -> None:
    """Hold every line of a figure to the server's numbers, and what is drawn to these."""
    page.locator(f"figure[data-figure={figure}]").scroll_into_view_if_needed()
    page.locator(f"figure[data-figure={figure}] .plot[data-drawn]").wait_for()
    known: dict[str, list[float | None]] = page.evaluate(LINES, figure)
    for name, values in known.items():
        whole = expected[name.removesuffix(LATE)]
        ours = np.array(values, dtype=float)
        first = len(known[name.removesuffix(LATE)]) - 1 if name.endswith(LATE) else 0
        theirs = whole[first : first + ours.size]
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
    assert {name.removesuffix(LATE) for name in known} == {*expected}
    if page.locator(f"figure[data-figure={figure}] .plot[data-live=moved]").count():  # not Plotly's
        value, placed, top = np.array(page.evaluate(PLACED, figure), dtype=float).T
        np.testing.assert_allclose(placed, value, atol=1e-3 * top[0])
        assert value.max() <= top[0]
    for end in page.evaluate(NAMES, figure):
        assert min(abs(end - np.array(values, dtype=float)[-1]) for values in known.values()) < 1e-6


@pytest.fixture(scope="module")
def asked(page: Page) -> tuple[Any, Definition, Filters]:
    """Study, the definition that the sliders were moved to, and filters."""
    definition = moved_by_keys(page, "query_order", b=3, bq=-3, w1=2, w3=-5)
    assert definition.weights == ((0, 0), (1, 3), (2, 10), (3, 45))
    assert (definition.b, definition.bq) != (MADE.b, MADE.bq)
    return at_hand(SAMPLES[0]), definition, FILTERS


def test_moved_figures_are_the_servers(page: Page, asked: tuple[Any, Definition, Filters]) -> None:
    order = query_order(*asked, depth=100)
    held(page, "query_order", {curve.name: curve.mean for curve in order.curves})
    (own,) = session_curves(*asked).curves
    held(page, "session_curves", {"System 2": own.curve("normalised").mean})
    held(page, "session_curves_raw", {"System 2": own.curve("raw").mean})
    held(page, "cost", {"System 2": cost(*asked).curves[0].curve("raw").mean})

    each, made = individual_sessions(*asked), individual_sessions(asked[0], MADE, FILTERS)
    vectors = each.vectors[[each.names.index(name) for name in made.names]]
    lines = page.evaluate(LINES, "individual_sessions")["System 2, each session"]
    drawn = np.array(lines, dtype=float).reshape(len(vectors), -1)[:, :-1]
    np.testing.assert_allclose(drawn, vectors[:, : drawn.shape[1]], rtol=1e-9, atol=1e-9)


def test_what_did_not_move_says_so(page: Page, asked: tuple[Any, Definition, Filters]) -> None:
    _, definition, _ = asked
    said = f"b = {definition.b:g}, bq = {definition.bq:g}, gain of 0 = 0, gain of 1 = 3"
    for place in ("#moved", "figure[data-figure=cost]"):
        assert said in page.locator(place).inner_text()
    section = page.locator("#compare_systems").inner_text()
    assert "are of the definition the report was made with" in section
    head = page.locator("header").inner_text()
    assert "Definition the report was made with:" in head
    assert "Definition in force:" not in head
    with unfolded(page):
        assert serious(page) == []


def test_button_takes_all_back(page: Page, asked: tuple[Any, Definition, Filters]) -> None:
    def state() -> tuple[Any, ...]:
        texts = page.locator("#compare_systems").inner_text(), page.locator("#moved").inner_text()
        return *texts, page.evaluate(LINES, "query_order"), page.evaluate(NAMES, "query_order")

    moved = state()
    page.locator("#moved button").click()
    assert "Definition in force:" in page.locator("header").inner_text()
    assert page.locator("#moved").inner_text().strip() == ""
    order = query_order(asked[0], MADE, FILTERS, depth=100)
    held(page, "query_order", {curve.name: curve.mean for curve in order.curves})
    back = state()
    moved_by_keys(page, "cost", b=3, bq=-3, w1=2, w3=-5)
    assert state() == moved
    page.locator("figure[data-figure=cost] fieldset button").click()
    assert state() == back


@real_logs
@pytest.mark.skipif(THOROUGH == 1, reason="half a minute: in make soak")
def test_panels_of_many_systems_move_to_the_servers_numbers(
    browser: Browser, tmp_path: Path
) -> None:
    study = at_hand(next(name for name in REAL if "layouts" in name))
    content = report(study, Definition(), Filters())
    assert len(content) <= 2_000_000
    path = tmp_path / "report.html"
    path.write_bytes(content)
    with opened(browser, path) as (page, _):
        definition = Definition(b=moved_by_keys(page, "query_order", b=12).b)
        order = query_order(study, definition, Filters(), depth=100)
        known = page.evaluate(LINES, "query_order")
        for curve in order.curves:
            ours = np.array(known[curve.name], dtype=float)
            np.testing.assert_allclose(ours, curve.mean[: ours.size], rtol=1e-9, atol=1e-9)
