"""The report from disk in a real browser without a network: it is read, moved and printed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sdcg_explorer.export.report import report
from sdcg_explorer.figures.style import PALETTES, strip_markup
from sdcg_explorer.questions.catalogue import iterate_answers
from sdcg_explorer.questions.cost.numbers import cost
from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.wording import in_short
from tests.support import accessibility, report_page, server
from tests.support.studies import SAMPLES, at_hand

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WEIGHTS = ((0, 0), (1, 1), (2, 10), (3, 50))
MADE = Definition(weights=WEIGHTS, b=3.0, bq=7.0)
FILTERS = Filters(systems=("System 2",), topics=("A", "B"))
MEAN = report_page.VILE[6:15]  # fewer, for a browser
LIGHT_LINE, DARK_LINE = (
    "rgb({}, {}, {})".format(*bytes.fromhex(palette[1][1:])) for palette in PALETTES
)
DRAWN = "figure:has([data-drawn])"
HEIGHTS = "[...document.querySelectorAll('.plot')].map(each => each.offsetHeight)"
WIDTH = "document.documentElement.scrollWidth"
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


def words(text: str) -> str:
    return " ".join(text.replace("\u2060", "").split())


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the view."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_bytes(report(at_hand(SAMPLES[0]), MADE, FILTERS))
    return path


@pytest.fixture(scope="module")
def page(browser: Browser, file: Path) -> Iterator[Page]:
    """The report, opened, which asks for nothing."""
    with report_page.opened(browser, file) as (page, noted):
        assert noted == [file.as_uri()]
        yield page


# some figure near the view is drawn, whichever were before
IN_VIEW = """() => [...document.querySelectorAll('[data-drawn]')].some(each =>
    Math.abs(each.getBoundingClientRect().top) < 2_000)"""


def test_opens_without_a_network_and_says_what_it_is_of(page: Page, file: Path) -> None:
    seen = report_page.Seen(file.read_bytes())
    assert page.evaluate("window.refused") == []
    assert page.locator("#undrawn:visible").count() == 0
    answers = [answer for _, answer in iterate_answers(at_hand(SAMPLES[0]), MADE, FILTERS)]
    exhibits = [each for answer in answers for each in answer.exhibits.values() if each.figure]
    assert page.locator("figure .plot").count() == len(seen.figures) == len(exhibits)
    page.evaluate("scrollTo(0, 0)")
    page.locator(f'{DRAWN}[aria-label^="Sessions by their number of queries. "]').wait_for()
    assert page.locator(DRAWN).count() <= len(exhibits)  # others when they come near the view
    page.mouse.wheel(0, 20_000)
    page.wait_for_function(IN_VIEW)
    assert page.locator(".answer").count() == len(answers)
    assert "Only sessions with system System 2, on topics A and B" in seen.text()
    assert re.search(r"\?study=[0-9a-f]{12}&b=3&bq=7&w3=50&systems=System\+2", seen.text())


def test_without_scripts_or_where_nothing_is_unpacked_it_says_where_figures_are(
    browser: Browser, file: Path
) -> None:
    for lacks in ("", "delete window.DecompressionStream"):  # as in Firefox 112
        with browser.new_context(java_script_enabled=bool(lacks)) as context:
            page = context.new_page()
            page.add_init_script(lacks)
            page.goto(file.as_uri())
            said = page.locator("#undrawn:visible").inner_text(timeout=5_000)
            assert "see the PDF files in the folder figures of the bundle" in said
            assert page.locator(".answer:visible").count() == len(server.OF_STUDY)
            if not lacks:
                assert page.locator(".sliders").count() == 0
                assert max(page.evaluate(HEIGHTS)) == 0  # of rooms for figures


def test_figures_are_pointed_at_zoomed_and_follow_a_screen_that_turns_dark(page: Page) -> None:
    figure = page.locator("figure[data-figure=query_order]")
    figure.scroll_into_view_if_needed()
    figure.locator(".main-svg").first.wait_for()
    figure.locator(".nsewdrag").first.hover()
    figure.locator(".hoverlayer", has_text="System 2, last").wait_for(state="attached")
    box = figure.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 250, box["y"] + 150, steps=4)
    page.mouse.up()
    range_of = "figure[data-figure=query_order] .plot"
    ends = f"document.querySelector('{range_of}')._fullLayout.xaxis.range"
    page.wait_for_function(f"() => {ends}[1] < 60")
    lines: dict[server.Scheme, str] = {"dark": DARK_LINE, "light": LIGHT_LINE}
    page.locator(f"{range_of} path.js-line[style*='{LIGHT_LINE}']").first.wait_for()
    for scheme, line in lines.items():
        page.emulate_media(color_scheme=scheme)
        page.locator(f"{range_of} path.js-line[style*='{line}']").first.wait_for()
    mean = page.locator("figure[data-figure=compare_systems]")
    mean.scroll_into_view_if_needed()
    mean.locator(".errorbar path.yerror").first.wait_for(state="attached")
    assert mean.locator(".errorbar path.yerror").count() == 1  # of System 2
    assert page.evaluate("window.refused") == []


def test_policy_refuses_what_a_script_would_ask_for(page: Page) -> None:
    page.evaluate("new Image().src = 'http://evil.example/a.png'")
    assert page.evaluate("fetch('http://evil.example/b').catch(e => e.name)") == "TypeError"
    page.wait_for_function("() => window.refused.length === 2")
    assert page.evaluate("window.refused.splice(0).every(each => each.includes('evil'))")


def test_prints_all_figures_drawn_without_what_only_a_screen_has(
    page: Page, tmp_path: Path
) -> None:
    from PIL import Image
    from pypdf import PdfReader

    paper = tmp_path / "report.pdf"
    page.emulate_media(color_scheme="dark")  # paper is light
    page.evaluate("document.querySelector('#fit').open = false")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("new Promise(requestAnimationFrame)")
    assert page.locator(DRAWN).count() == page.locator("figure .plot").count()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.pdf(path=paper, prefer_css_page_size=True)
    page.wait_for_function("() => !document.querySelector('#fit').open")
    page.emulate_media(color_scheme="light")
    sheets = [*PdfReader(paper).pages]
    texts = [" ".join(unicodedata.normalize("NFKC", of.extract_text()).split()) for of in sheets]
    text = " ".join(texts)
    for kept in ("How was it computed?", "Mean gain by cost in queries", "Current definition:"):
        assert kept in text
    for title in ("Rank of the result", "Queries in the session", "Query number"):
        assert title in text  # of axes of figures
    screens = "Move b, bq", "Numbers of this figure", "Back to the report", "Figures are drawn"
    for left in (*screens, "Double-click to zoom back out"):
        assert left not in text
    of_map = next(i for i, each in enumerate(texts) if "bq, base of the query" in each)
    shades = sheets[of_map].images[0].image
    assert isinstance(shades, Image.Image)
    assert len(shades.convert("RGB").getcolors(1 << 24) or []) > 10  # cells of a heatmap


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
        np.testing.assert_allclose(ours, whole[first : first + ours.size], rtol=1e-9, atol=1e-9)
    assert {name.removesuffix(LATE) for name in known} == {*expected}
    if page.locator(f"figure[data-figure={figure}] .plot[data-live=moved]").count():  # not Plotly's
        value, placed, top = np.array(page.evaluate(PLACED, figure), dtype=float).T
        np.testing.assert_allclose(placed, value, atol=1e-3 * top[0])
        assert value.max() <= top[0]
    for end in page.evaluate(NAMES, figure):
        assert min(abs(end - np.array(values, dtype=float)[-1]) for values in known.values()) < 1e-6


def test_moved_figures_are_the_servers_the_rest_says_so_and_a_button_takes_all_back(
    page: Page,
) -> None:
    presses = {"b": 3, "bq": -3, "w1": 2, "w3": -5}
    definition = moved_by_keys(page, "query_order", **presses)
    assert definition.weights == ((0, 0), (1, 3), (2, 10), (3, 45))
    assert (definition.b, definition.bq) != (MADE.b, MADE.bq)
    study = at_hand(SAMPLES[0])
    asked = study, definition, FILTERS
    order = query_order(*asked)
    held(page, "query_order", {curve.name: curve.mean for curve in order.curves})
    (own,) = session_curves(*asked).curves
    held(page, "session_curves", {"System 2": own.curve("normalised").mean})
    held(page, "session_curves_raw", {"System 2": own.curve("raw").mean})
    held(page, "cost", {"System 2": cost(*asked).curves[0].curve("raw").mean})
    each, made = individual_sessions(*asked), individual_sessions(study, MADE, FILTERS)
    vectors = each.vectors[[each.names.index(name) for name in made.names]]
    lines = page.evaluate(LINES, "individual_sessions")["System 2, each session"]
    drawn = np.array(lines, dtype=float).reshape(len(vectors), -1)[:, :-1]
    np.testing.assert_allclose(drawn, vectors[:, : drawn.shape[1]], rtol=1e-9, atol=1e-9)

    said = f"b = {definition.b:g}, bq = {definition.bq:g}, gain of grade 0 = 0, gain of grade 1 = 3"
    for place in ("#moved", "figure[data-figure=cost]"):
        assert said in page.locator(place).inner_text()
    all_else = "all else is of the definition the report was made with"
    assert all_else in page.locator("#moved").inner_text()
    head = page.locator("header").inner_text()
    assert "Definition the report was made with:" in head
    assert "Current definition:" not in head
    with accessibility.unfolded(page):
        assert accessibility.serious(page) == []

    def state() -> tuple[Any, ...]:
        texts = page.locator("#compare_systems").inner_text(), page.locator("#moved").inner_text()
        return *texts, page.evaluate(LINES, "query_order"), page.evaluate(NAMES, "query_order")

    moved = state()
    page.locator("#moved button").click()
    assert "Current definition:" in page.locator("header").inner_text()
    assert page.locator("#moved").inner_text().strip() == ""
    order = query_order(study, MADE, FILTERS)
    held(page, "query_order", {curve.name: curve.mean for curve in order.curves})
    back = state()
    moved_by_keys(page, "cost", **presses)
    assert state() == moved
    page.locator("figure[data-figure=cost] fieldset button").click()
    assert state() == back


def test_hostile_names_do_nothing_and_are_read_on_a_phone_too(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(report(*report_page.vile(MEAN)))
    with report_page.opened(browser, path) as (page, noted):
        assert [note[:8] for note in noted] == ["file:///"]
        assert page.evaluate("window.refused") == []
        assert page.title() == words(f"{MEAN[0]}: sDCG Explorer")
        assert page.locator("h1").inner_text() == MEAN[0]
        figure = page.locator("figure[data-figure=judged_share]")
        figure.scroll_into_view_if_needed()
        figure.locator(".legendtext").first.wait_for()
        read = figure.locator(".legendtext").evaluate_all(
            "every => every.map(each => each.dataset.unformatted ?? each.textContent)"
        )
        shown = (words(in_short(name, name)) for name in MEAN)  # long ones by their ends
        assert sorted(words(strip_markup(name)) for name in read) == sorted(shown)
        page.set_viewport_size(accessibility.PHONE)
        page.wait_for_function(f"() => {WIDTH} === {accessibility.PHONE['width']}")
