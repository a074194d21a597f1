"""The report from disk in a real browser without a network: it is read, moved and printed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdcg_explorer.study.wording import in_short
from tests.support.accessibility import PHONE, serious, unfolded
from tests.support.data_page import data_page
from tests.support.report_page import VILE, Seen, opened, vile
from tests.support.server import WIDE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

VIEW = "b=3&bq=7&w3=50&systems=System+2&topics=A&topics=B"
PAGES = 11  # that answer a question of this study, which has no ratings
MEAN = VILE[6:15]  # fewer, for a browser
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
    assert page.locator("figure .drawn").count() == len(Seen(file.read_bytes()).figures) == 25
    assert page.locator(".answer").count() == PAGES


def test_it_says_what_it_is_of_and_names_no_machine(file: Path, address: str) -> None:
    said = Seen(file.read_bytes()).text()
    assert "Only sessions with the system System 2, on the topics A and B" in said
    assert re.search(r"\?study=[0-9a-f]{12}&b=3&bq=7&w3=50&systems=System\+2", said)
    assert address.split("//")[1] not in file.read_text(encoding="utf-8")


def test_prints_whole_without_what_only_a_screen_has(
    shown: tuple[Page, list[str]], tmp_path: Path
) -> None:
    from pypdf import PdfReader

    page = shown[0]
    page.evaluate("document.querySelector('#cost').open = false")
    page.set_viewport_size({"width": 688, "height": 900})  # of A4 between its margins, as high
    page.emulate_media(media="print")
    tall = "() => [...document.querySelectorAll('figure')].map(each => each.offsetHeight)"
    heights = page.evaluate(tall)
    page.emulate_media(media="null")  # as the browser has it: paper is printed
    paper = tmp_path / "report.pdf"
    page.pdf(path=paper, prefer_css_page_size=True)
    page.evaluate("document.querySelector('#cost').open = true")
    page.set_viewport_size(WIDE)
    assert len(heights) == 25
    assert max(heights) < 1010  # and so high
    sheets = " ".join(sheet.extract_text() for sheet in PdfReader(paper).pages)
    text = " ".join(unicodedata.normalize("NFKC", sheets).split())
    for kept in ("How was it computed?", "Mean gain by queries", "Definition in force:"):
        assert kept in text
    for left in ("Move b, bq", "Numbers of this figure", "Back to the report"):
        assert left not in text


def test_without_scripts_it_is_whole_but_for_sliders(browser: Browser, file: Path) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(file.as_uri())
        assert page.locator("figure .drawn:visible").count() == 25
        assert page.locator(".sliders").count() == 0


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
        read = page.locator("figure[data-figure=judged_share] .legend span").all_text_contents()
        shown = (words(in_short(name, name)) for name in MEAN)  # long ones by their ends
        assert sorted(map(words, read)) == sorted(shown)
        fits_a_phone(page)
