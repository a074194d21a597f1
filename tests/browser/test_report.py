"""The report from disk in a real browser without a network: all is drawn, nothing is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.export.report import report
from tests.support.accessibility import PHONE, serious, unfolded
from tests.support.data_page import data_page
from tests.support.plain_files import in_files
from tests.support.screen import HOSTILE, decoded, hostile_study
from tests.support.server import WIDE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

SERIES = ("x", "y", "q1", "median", "q3", "lowerfence", "upperfence")
VIEW = "b=3&bq=7&w3=50&systems=System+2&topics=A&topics=B"
PAGES = 11  # that answer a question of this study, which has no ratings
VILE = [
    *HOSTILE,
    *("</script><script>document.title='broken'</script>", "<img src=x onerror=\"alert('x')\">"),
    *("</title></style></td></svg><!--", "{{ 7*7 }}{% raw %}", "&lt;b&gt;&amp;amp;", "<b>bold</b>"),
    *(
        "\"' onmouseover=alert(1) x='",
        "\u202e right to left مرحبا",
        "w" * 500,
        "%{y} %{x}",
        "糖尿病",
    ),
]
MEAN = VILE[6:15]  # fewer, for a browser


class Seen(HTMLParser):
    """What a browser makes of the file: elements by parent, and texts by section and element."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.elements: list[tuple[str, str, dict[str, str | None]]] = []
        self.said: list[tuple[str, str, str]] = []
        self.feed(content.decode())
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        assert len(own) == len(attrs), tag
        self.elements.append((self.open[-1][0] if self.open else "", tag, own))
        if tag != "meta":
            within = self.open[-1][1] if self.open else ""
            self.open.append((tag, str(own["id"]) if tag == "section" else within))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        inner, section = self.open[-1] if self.open else ("", "")
        self.said.append((section, inner, data))

    def text(self, section: str | None = None) -> str:
        """Texts of a section or of all, each element's on a line."""
        wanted = [of for of in self.said if of[0] == section or (section is None)]
        return "\n".join(text for _, inner, text in wanted if inner not in ("script", "style"))

    def figures(self) -> dict[str, Any]:
        """Traces that Plotly is given, by the figures' names."""
        scripts = "".join(text for _, inner, text in self.said[9:] if inner == "script")
        found: dict[str, Any] = {}
        for call in scripts.split("Plotly.newPlot(")[1:]:
            _, name, data = call.split('"', 2)
            decode = json.JSONDecoder().raw_decode
            found[name.removeprefix("figure_")] = decode(data.lstrip(", \n"))[0]
        return found


def numbers(traces: Any) -> list[tuple[str, dict[str, list[float]]]]:
    """Names and numbers of traces, the ends of their intervals among them."""
    told: list[tuple[str, dict[str, list[float]]]] = []
    for trace in traces:
        ends = {k: v for k, v in trace.get("error_y", {}).items() if k.startswith("array")}
        series = {k: trace[k] for k in SERIES if k in trace} | ends
        told.append((trace["name"], {name: decoded(of) for name, of in series.items()}))
    return told


def vile(names: list[str]) -> bytes:
    """The report of a study that has these names for everything, and for tags."""
    study = in_files(hostile_study(names))
    tags = {(str(session), 2): (names[i],) for i, session in enumerate(study.sessions["session"])}
    study = replace(study, name=names[0], note=" ".join(names), tags=tags)
    return report(study, Definition(), Filters(topics=tuple(names)))


DRAWN = """name => {
    const one = document.getElementById(`figure_${name}`);
    return one?._fullData ? JSON.stringify(one._fullData.map(t => Object.fromEntries(
        ["name", ...SERIES].filter(k => t[k] !== undefined)
            .map(k => [k, k === "name" ? t[k] : [...t[k]]])))) : null;
}""".replace("SERIES", json.dumps(SERIES))
WATCH = """window.refused = []; window.alert = said => window.refused.push(said);
document.addEventListener("securitypolicyviolation", e => window.refused.push(e.blockedURI));"""
ALL_DRAWN = "() => !document.querySelector('.plotly-graph-div:not(:has(.main-svg))')"
WIDTH = "document.documentElement.scrollWidth"


def words(text: str) -> str:
    return " ".join(text.replace("\u2060", "").split())


@contextmanager
def opened(browser: Browser, file: Path) -> Iterator[tuple[Page, list[str]]]:
    """A file, opened without a network and drawn, and what was asked for or went wrong."""
    with browser.new_context(offline=True, viewport=WIDE) as context:
        page, noted = context.new_page(), list[str]()
        context.on("request", lambda request: noted.append(request.url))
        page.on("console", lambda said: noted.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: noted.append(f"error: {error}"))
        page.add_init_script(WATCH)
        page.goto(file.as_uri())
        page.wait_for_function(ALL_DRAWN)
        yield page, [*noted]  # until here: a test may ask for more


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


def drawn(page: Page, name: str) -> dict[str, dict[str, Any]]:
    """Numbers of a figure's traces, as the browser draws them."""
    page.wait_for_function(DRAWN, arg=name)
    traces = json.loads(page.evaluate(DRAWN, name))
    return {of.pop("name"): {series: decoded(of[series]) for series in of} for of in traces}


def test_opens_without_a_network_and_asks_for_nothing(
    shown: tuple[Page, list[str]], file: Path
) -> None:
    page, noted = shown
    assert noted == [file.as_uri()]
    assert page.evaluate("window.refused") == []
    plots = page.locator(".plotly-graph-div")
    assert plots.count() == len(Seen(file.read_bytes()).figures()) == 25
    for i in range(plots.count()):
        assert plots.nth(i).locator(".trace, .boxes").count(), i
    assert page.locator(".answer").count() == PAGES


def test_it_says_what_it_is_of_and_where_the_view_is(file: Path, address: str) -> None:
    said = Seen(file.read_bytes()).text()
    assert "Only sessions with the system System 2, on the topics A and B" in said
    assert f"{address}/?study=" in said


def test_hovering_shows_the_values_of_the_traces(shown: tuple[Page, list[str]]) -> None:
    page = shown[0]
    plot = page.locator("#figure_query_order")
    plot.locator(".nsewdrag").first.hover()
    page.wait_for_selector(".hoverlayer .legend text")
    texts = str(page.locator("#figure_query_order .hoverlayer").text_content())
    place = int(re.split(r"\D", texts)[0])
    curves = drawn(page, "query_order")
    for trace, series in ((name, of) for name, of in curves.items() if "interval" not in name):
        assert f"{trace} : {series['y'][series['x'].index(place)]:.3g}" in texts


def test_camera_downloads_a_whole_svg(shown: tuple[Page, list[str]]) -> None:
    plot = shown[0].locator("#figure_query_order")
    plot.hover()
    with shown[0].expect_download() as coming:
        plot.locator("[data-title^='Download plot']").click()
    shown[0].get_by_text("Image download succeeded").wait_for()  # the last note; see `serious`
    assert coming.value.suggested_filename == "query_order.svg"
    told = "".join(ElementTree.parse(coming.value.path()).getroot().itertext())
    assert [text for text in ("Rank of the result", "System 2, last") if text not in told] == []


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
        read = page.locator("#figure_judged_share .legendtext").all_text_contents()
        assert sorted(map(words, read)) == sorted(map(words, MEAN))
        fits_a_phone(page)
