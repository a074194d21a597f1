"""The report from disk in a real browser without a network: it is read, moved and printed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdcg_explorer.figures.style import PALETTES, strip_markup
from sdcg_explorer.study.wording import in_short
from tests.support.accessibility import PHONE, serious, unfolded
from tests.support.data_page import data_page
from tests.support.report_page import VILE, Seen, opened, vile
from tests.support.server import WIDE, Scheme

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

VIEW = "b=3&bq=7&w3=50&systems=System+2&topics=A&topics=B"
PAGES = 11  # that answer a question of this study, which has no ratings
MEAN = VILE[6:15]  # fewer, for a browser
LIGHT_LINE, DARK_LINE = (
    "rgb({}, {}, {})".format(*bytes.fromhex(palette[1][1:])) for palette in PALETTES
)
DRAWN = "figure:has([data-drawn])"
HEIGHTS = "[...document.querySelectorAll('.plot')].map(each => each.offsetHeight)"
WIDTH = "document.documentElement.scrollWidth"


def words(text: str) -> str:
    return " ".join(text.replace("\u2060", "").split())


@pytest.fixture(scope="module")
def file(desk: BrowserContext, address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report as the page Data gives it for the view."""
    with (
        data_page(desk, f"{address}/data?{VIEW}") as page,
        page.expect_download() as coming,
    ):
        page.get_by_role("button", name="Download the report").click()
    assert re.fullmatch("[0-9a-f]+-report.html", coming.value.suggested_filename)
    path = tmp_path_factory.mktemp("report") / "report.html"
    coming.value.save_as(path)
    return path


@pytest.fixture(scope="module")
def shown(browser: Browser, file: Path) -> Iterator[tuple[Page, list[str]]]:
    with opened(browser, file) as page:
        yield page


def test_opens_without_a_network_and_asks_for_nothing(
    shown: tuple[Page, list[str]], file: Path
) -> None:
    page, noted = shown
    assert noted == [file.as_uri()]
    assert page.evaluate("window.refused") == []
    assert page.locator("#undrawn:visible").count() == 0
    assert page.locator("figure .plot").count() == len(Seen(file.read_bytes()).figures) == 25
    drawn = [figure.get_attribute("aria-label") for figure in page.locator(DRAWN).all()]
    assert 0 < len(drawn) < 26  # others when they come near the view
    assert str(drawn[0]).startswith("Sessions by their number of queries. ")
    page.mouse.wheel(0, 20_000)
    more = "many => document.querySelectorAll('[data-drawn]').length > many"
    page.wait_for_function(more, arg=len(drawn))
    assert page.locator(".answer").count() == PAGES


def test_it_says_what_it_is_of_and_names_no_machine(file: Path, address: str) -> None:
    said = Seen(file.read_bytes()).text()
    assert "Only sessions with system System 2, on topics A and B" in said
    assert re.search(r"\?study=[0-9a-f]{12}&b=3&bq=7&w3=50&systems=System\+2", said)
    assert address.split("//")[1] not in file.read_text(encoding="utf-8")


def test_without_scripts_or_where_nothing_is_unpacked_it_says_where_figures_are(
    browser: Browser, file: Path
) -> None:
    said = "they are the PDF files in the folder figures of the bundle"
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(file.as_uri())
        assert said in page.locator("#undrawn:visible").inner_text(timeout=5_000)
        assert page.locator(".sliders").count() == 0
        assert page.locator(".answer:visible").count() == PAGES
        assert max(page.evaluate(HEIGHTS)) == 0  # of rooms for figures
    with browser.new_context() as context:
        page = context.new_page()
        page.add_init_script("delete window.DecompressionStream")  # as in Firefox 112
        page.goto(file.as_uri())
        page.wait_for_timeout(500)
        assert said in page.locator("#undrawn:visible").inner_text(timeout=5_000)


def test_figures_are_pointed_at_zoomed_and_follow_a_screen_that_turns_dark(
    shown: tuple[Page, list[str]],
) -> None:
    page = shown[0]
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
    lines: dict[Scheme, str] = {"dark": DARK_LINE, "light": LIGHT_LINE}
    page.locator(f"{range_of} path.js-line[style*='{LIGHT_LINE}']").first.wait_for()
    for scheme, line in lines.items():
        page.emulate_media(color_scheme=scheme)
        page.locator(f"{range_of} path.js-line[style*='{line}']").first.wait_for()
    assert page.evaluate("window.refused") == []


def test_a_mean_is_drawn_with_its_interval(shown: tuple[Page, list[str]]) -> None:
    figure = shown[0].locator("figure[data-figure=compare_systems]")
    figure.scroll_into_view_if_needed()
    figure.locator(".errorbar path.yerror").first.wait_for(state="attached")
    assert figure.locator(".errorbar path.yerror").count() == 1  # of System 2


def test_policy_refuses_what_a_script_would_ask_for(shown: tuple[Page, list[str]]) -> None:
    page = shown[0]
    page.evaluate("new Image().src = 'http://evil.example/a.png'")
    assert page.evaluate("fetch('http://evil.example/b').catch(e => e.name)") == "TypeError"
    page.wait_for_function("() => window.refused.length === 2")
    assert page.evaluate("window.refused.splice(0).every(each => each.includes('evil'))")


def test_axe_finds_nothing_serious(shown: tuple[Page, list[str]]) -> None:
    with unfolded(shown[0]):
        assert serious(shown[0]) == []


def test_phone_shows_it_without_sideways_scrolling(shown: tuple[Page, list[str]]) -> None:
    fits_a_phone(shown[0])


def test_prints_all_figures_drawn_without_what_only_a_screen_has(
    shown: tuple[Page, list[str]], tmp_path: Path
) -> None:
    from PIL import Image
    from pypdf import PdfReader

    page, paper = shown[0], tmp_path / "report.pdf"
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="dark")  # paper is light
    page.evaluate("document.querySelector('#fit').open = false")
    page.pdf(path=paper, prefer_css_page_size=True)
    page.wait_for_function("() => !document.querySelector('#fit').open")
    sheets = [*PdfReader(paper).pages]
    texts = [" ".join(unicodedata.normalize("NFKC", of.extract_text()).split()) for of in sheets]
    text = " ".join(texts)
    for kept in ("How was it computed?", "Mean gain by number of queries", "Definition in force:"):
        assert kept in text
    for title in ("Rank of the result", "Queries in the session", "Query number"):
        assert title in text  # of axes of figures
    for left in ("Move b, bq", "Numbers of this figure", "Back to the report", "Figures are drawn"):
        assert left not in text
    of_map = next(i for i, each in enumerate(texts) if "bq, base of the query" in each)
    shades = sheets[of_map].images[0].image
    assert isinstance(shades, Image.Image)
    assert len(shades.convert("RGB").getcolors(1 << 24) or []) > 10  # cells of a heatmap


def fits_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.wait_for_function(f"() => {WIDTH} === {PHONE['width']}")


def test_hostile_names_do_nothing_and_are_read_on_a_phone_too(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(vile(MEAN))
    with opened(browser, path) as (page, noted):
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
        fits_a_phone(page)
