"""The app in a real browser: links, sliders, privacy, accessibility, a phone's width."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest

from tests.support.plain_files import ECIR2008, ROOT, write_study
from tests.support.screen import HOSTILE, hostile_study
from tests.support.server import (
    LINKS,
    PAGES,
    Scheme,
    answer,
    lines,
    redrawn,
    serving,
    turn_to,
    visiting,
    wait_ready,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

# what Markdown's extensions and Plotly act on even where the text is escaped
STUBBORN = [
    "www.evil.example",
    "anna@evil.example",
    "http://evil.example/plain",
    ":material/home: :smile:",
    "old -> new -- newest",
    '<a href="http://evil.example/k">kappa</a>',
    "lambda\n\n# mu",
]

# axe passes over what is scrolled out of sight
TALL: ViewportSize = {"width": 1280, "height": 3800}
PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def hostile_page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The app on a study whose systems, topics and searchers have hostile names."""
    files = write_study(hostile_study(HOSTILE + STUBBORN), tmp_path_factory.mktemp("hostile"))
    with serving("--study", *map(str, files)) as found, visiting(browser, found) as page:
        yield page


def go_to(page: Page, name: str) -> None:
    """Open another page of the same server by its address."""
    page.goto(urljoin(page.url, f"/{PAGES[name]}"))
    wait_ready(page)


def means_at_rank_10(b: str, folder: Path) -> dict[str, str]:
    """Means of Figure 1 at rank 10 as the command line writes them, ten significant digits."""
    files = [str(ECIR2008 / name) for name in ("log.csv", "judgments.csv")]
    options = ["--b", b, "--depth", "10", "--out", str(folder)]
    command = [sys.executable, "-m", "sdcg", "score", *files, *options]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with (folder / "query_order.csv").open(encoding="utf-8", newline="") as file:
        return {
            f"{row['system']}, {row['group']}": digits(float(row["mean"]))
            for row in csv.DictReader(file)
            if row["rank"] == "10" and row["group"] in ("last", "other")
        }


def digits(value: float) -> str:
    return f"{value:.10g}"


def drawn_at_rank_10(page: Page) -> dict[str, str]:
    return {name: digits(values[9]) for name, values in lines(page, "Figure 1.").items()}


def test_deep_link_first_on_a_fresh_server_runs_through_the_frame(browser: Browser) -> None:
    with serving() as fresh, visiting(browser, f"{fresh}/query_order?b=3") as page:
        assert page.get_by_role("heading", level=1).inner_text() == (
            "How much better is the last query than the others?"
        )
        slider = page.get_by_test_id("stSidebar").get_by_role("slider", name="b, rank")
        assert slider.get_attribute("aria-valuetext") == "3"


def test_slider_draws_the_numbers_of_the_command_line(
    desk: BrowserContext, address: str, tmp_path: Path
) -> None:
    with visiting(desk, f"{address}/query_order?b=3") as page:
        before = drawn_at_rank_10(page)
        with redrawn(page, "Figure 1."):
            page.get_by_role("slider", name="b, rank").press("ArrowRight")
        assert "b=3.1" in urlsplit(page.url).query.split("&")
        after = drawn_at_rank_10(page)
    assert len(before) == 4
    assert before == means_at_rank_10("3", tmp_path / "before")
    assert after == means_at_rank_10("3.1", tmp_path / "after")


def test_no_request_leaves_the_machine(desk: BrowserContext, address: str) -> None:
    asked: list[str] = []
    with visiting(desk, address) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.reload()
        wait_ready(page)
        for name in reversed(LINKS):
            turn_to(page, name)
            page.get_by_text("Data, figure, report, methods text").click()
            page.get_by_text("Download methods.txt").wait_for()
    remote = [url for url in asked if urlsplit(url).scheme not in ("data", "blob")]
    assert any(url.startswith("ws:") for url in remote)
    assert {urlsplit(url).hostname for url in remote} == {"127.0.0.1"}


def test_copied_link_opens_the_same_view(
    browser: Browser, desk: BrowserContext, address: str
) -> None:
    with visiting(desk, f"{address}/query_order") as page:
        with redrawn(page, "Figure 1."):
            page.get_by_role("combobox", name="Definition").click()
            page.get_by_role("option", name="Session track (Kanoulas)").click()
        with redrawn(page, "Figure 1."):
            page.get_by_role("slider", name="bq, query").press("ArrowRight")
        with redrawn(page, "Figure 1."):
            page.get_by_role("radio", name="best").click()
        seen = answer(page), lines(page, "Figure 1.")
        with visiting(browser, page.url) as other:
            assert (answer(other), lines(other, "Figure 1.")) == seen


def test_reload_keeps_the_view(desk: BrowserContext, address: str) -> None:
    with visiting(desk, f"{address}/session_curves?topic=B") as page:
        with redrawn(page, "Session curves."):
            page.get_by_role("radio", name="raw").click()
        seen = answer(page), lines(page, "Session curves.")
        page.reload()
        wait_ready(page)
        assert (answer(page), lines(page, "Session curves.")) == seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(desk: BrowserContext, address: str, scheme: Scheme) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    with visiting(desk, address, scheme=scheme, size=TALL) as page:
        for name in (*LINKS[1:], LINKS[0]):
            turn_to(page, name)
            main = page.get_by_test_id("stMain")
            assert main.evaluate("main => main.scrollHeight <= main.clientHeight")
            found += [
                f"{name}: {broken['id']}: {broken['nodes'][0]['failureSummary']}"
                for broken in Axe().run(page).response["violations"]
                if broken["impact"] in ("serious", "critical")
            ]
    assert not found


def test_phone_shows_pages_without_sideways_scrolling(desk: BrowserContext, address: str) -> None:
    with visiting(desk, address, size=PHONE) as page:
        for name in PAGES:
            if name != "overview":
                go_to(page, name)
            sidebar = page.get_by_test_id("stSidebar").bounding_box()
            assert sidebar is None or sidebar["x"] + sidebar["width"] <= 0
            main = page.get_by_test_id("stMain")
            assert main.evaluate("main => main.scrollWidth <= main.clientWidth")
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
            for figure in page.locator("[role=figure] .main-svg").all():
                box = figure.bounding_box()
                assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"])


def one_line(text: str) -> str:
    """Text as one reads it, blanks and invisible joiners aside."""
    return " ".join(text.replace("\u2060", "").split())


def test_app_opens_on_the_study_it_is_given(hostile_page: Page) -> None:
    go_to(hostile_page, "overview")
    number = len(HOSTILE + STUBBORN)
    assert answer(hostile_page).startswith(
        f"{number} sessions by {number} searchers on {number} topics with {number} systems;"
    )
    assert hostile_page.get_by_role("combobox", name="Study").input_value() == "log"


@pytest.mark.parametrize("name", list(PAGES))
def test_hostile_names_become_no_link_or_image(hostile_page: Page, name: str) -> None:
    go_to(hostile_page, name)
    away = "[href*='evil']:not([href^='#']), [src*='evil']"
    assert hostile_page.locator(away).count() == 0
    assert hostile_page.evaluate("document.querySelectorAll('svg a').length") == 0


def test_hostile_names_are_read_as_they_stand(hostile_page: Page) -> None:
    go_to(hostile_page, "query_order")
    said = one_line(answer(hostile_page))
    assert [name for name in HOSTILE + STUBBORN if one_line(name) not in said] == []


def test_hostile_names_stand_in_the_legend_as_they_are(hostile_page: Page) -> None:
    go_to(hostile_page, "session_curves")
    legend = hostile_page.locator("[role=figure] .legendtext").all_text_contents()
    assert sorted(map(one_line, legend)) == sorted(map(one_line, HOSTILE + STUBBORN))
