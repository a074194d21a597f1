"""What every page gives to take along, in a real browser: whole, and with the figure's numbers."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from tests.support.data_page import data_page
from tests.support.screen import decoded
from tests.support.server import LINKS, PAGES, lines, turn_to, visiting, wait_ready
from tests.support.taken import (
    KEYS,
    Traces,
    agree,
    choose,
    choose_place,
    figures,
    named,
    of_figure,
    on_traces,
    open_fold,
    rows_of,
    set_width,
    taken,
    tex_agrees,
    traces_of,
    whole_pdf,
    whole_png,
    whole_svg,
)
from tests.support.taken_tables import ONE, WALKS, Walk

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

BASES = r"1/(1 + log\_3 r), by query 1/(1 + log\_7 q)"
FORMS = ("svg", "pdf", "png")
WIDTH = 84  # mm
VOID = {"meta", "br", "hr", "img", "link", "input", "col"}
BLUE = (0x00, 0x72, 0xB2)  # of the first system
REPORTED = {
    "sessions_by_length": "Table 2.",
    "judged_share": "Judged share by rank",
}
BLUE_ONES = ("compare_systems", "side_by_side", "by_hand", "data")
CURVES = {"query_order": 2, "session_curves": 2}


@pytest.fixture(scope="module")
def tab(desk: BrowserContext, address: str) -> Iterator[dict[str, Any]]:
    """One tab that walks from page to page, and what it has open."""
    with visiting(desk, f"{address}/{WALKS[0].address}") as page:
        open_fold(page)
        yield {"page": page, "open": WALKS[0], "address": address}


@pytest.fixture(scope="module", params=WALKS, ids=[walk.page or "overview" for walk in WALKS])
def visit(request: pytest.FixtureRequest, tab: dict[str, Any]) -> tuple[Page, Walk]:
    """Each page in turn, under choices of one's own, with its fold open."""
    walk: Walk = request.param
    page, before = tab["page"], tab["open"]
    if walk is not before:
        if walk.query == before.query:
            turn_to(page, LINKS[[*PAGES.values()].index(walk.page)])
        else:
            page.goto(f"{tab['address']}/{walk.address}")
            wait_ready(page)
        open_fold(page)
        tab["open"] = walk
    return page, walk


def test_every_table_has_its_figures_numbers(visit: tuple[Page, Walk]) -> None:
    page, walk = visit
    told = figures(page)
    for place, exhibit in enumerate(walk.exhibits):
        choose_place(page, place, exhibit.name)
        rows = rows_of(taken(page, f"{exhibit.name}.csv"))
        assert rows
        tex = taken(page, f"{exhibit.name}.tex").decode()
        assert (BASES in tex) == (walk.page != "data")  # counts are of the whole study
        tex_agrees(tex, rows)
        if exhibit.figure:
            shown = traces_of(of_figure(told, exhibit.figure))
            own = {name: of for name, of in shown.items() if name.endswith(exhibit.only)}
            agree(own, exhibit.told(rows))


@pytest.mark.parametrize("visit", WALKS[:3], ids=["svg", "pdf", "png"], indirect=True)
def test_pages_give_their_figure_in_each_form(visit: tuple[Page, Walk]) -> None:
    page, walk = visit
    form = FORMS[WALKS.index(walk) % len(FORMS)]
    name = walk.exhibits[walk.drawn].name
    choose_place(page, walk.drawn, name)
    choose(page, "Form", form)
    made = taken(page, f"{name}.{form}")
    if form == "png":
        colours = whole_png(made, WIDTH)
        assert (BLUE in colours) == (walk.page in BLUE_ONES)
        return
    said = whole_svg(made, WIDTH) if form == "svg" else whole_pdf(made, WIDTH)
    assert walk.says in said
    if ONE in walk.query:
        assert "System 1" not in said


@pytest.mark.parametrize("visit", WALKS[1:3], ids=[*CURVES], indirect=True)
def test_drawn_curves_lie_on_the_traces(visit: tuple[Page, Walk]) -> None:
    page, walk = visit
    choose_place(page, walk.drawn, walk.page)
    choose(page, "Form", "svg")
    made = taken(page, f"{walk.page}.svg")
    said = whole_svg(made, WIDTH)
    assert walk.says in said
    assert "System 1" not in said
    figure = of_figure(figures(page), walk.exhibits[0].figure)
    assert on_traces(made, figure) == CURVES[walk.page]


of_query_order = pytest.mark.parametrize("visit", WALKS[1:2], ids=["query_order"], indirect=True)


@of_query_order
def test_figures_own_button_downloads_it_without_a_second_browser(
    visit: tuple[Page, Walk],
) -> None:
    page, _ = visit
    assert lines(page, "Figure 1.").keys() == {"System 2, last", "System 2, other"}
    figure = page.locator("[role=figure][aria-label^='Figure 1.']")
    figure.hover()
    with page.expect_download() as coming:
        figure.locator("[data-title^='Download plot']").click()
    assert coming.value.suggested_filename == "figure_1.svg"
    said = "".join(ElementTree.parse(coming.value.path()).getroot().itertext())
    assert "Rank of the result" in said


@of_query_order
def test_width_that_is_shown_is_the_files(visit: tuple[Page, Walk]) -> None:
    page, _ = visit
    choose(page, "Form", "png")
    page.get_by_role("button", name=named("query_order.png")).wait_for()
    box = page.get_by_role("combobox", name="Width in mm")
    box.fill("120")
    box.press("Escape")  # not entered: it is dropped, and seen to be
    assert box.input_value() == str(WIDTH)
    whole_png(taken(page, "query_order.png"), WIDTH)
    set_width(page, 120.5)
    whole_png(taken(page, "query_order.png"), 120.5)
    box.fill("4")
    page.get_by_role("option").first.wait_for()
    box.press("Enter")
    page.get_by_text("No width from 40 to 400 mm: 4").wait_for()
    page.reload()  # which forgets the width
    wait_ready(page)
    open_fold(page)


@pytest.mark.parametrize("visit", WALKS[3:4], ids=["reformulations"], indirect=True)
def test_form_and_width_stay_where_another_exhibit_is_chosen(visit: tuple[Page, Walk]) -> None:
    page, _ = visit
    choose_place(page, 0, "reformulation_shares")
    set_width(page, 174)
    choose(page, "Form", "pdf")
    page.get_by_role("button", name=named("reformulation_shares.pdf")).wait_for()
    choose_place(page, 2, "found_by_query")
    wait_ready(page)
    form = page.get_by_role("combobox", name="Form", exact=True).input_value()
    assert (form, page.get_by_role("combobox", name="Width in mm").input_value()) == ("pdf", "174")


def test_bundle_of_the_view_arrives_whole(desk: BrowserContext, address: str) -> None:
    with data_page(desk, f"{address}/data?b=3&topics=A") as page, page.expect_download() as coming:
        page.get_by_role("button", name="Download all of this view").click()
    with zipfile.ZipFile(coming.value.path()) as archive:
        assert archive.testzip() is None
        sizes = {info.filename: info.file_size for info in archive.infolist()}
        said = archive.read("README.txt").decode()
        rows = archive.read("scores/sessions.csv").decode().splitlines()
    assert "discount by rank 1/(1 + log_3 r)" in said
    assert f"    {address}/?study=" in said
    assert "&b=3&topics=A" in said
    assert len(rows) == 31  # the sessions on topic A, and the header
    assert {"study/log.csv", "comparison/comparison.csv"} <= {*sizes}
    assert_figures_beside_tables(
        {name.removeprefix("figures/"): size for name, size in sizes.items() if "figures/" in name}
    )


def assert_figures_beside_tables(sizes: dict[str, int]) -> None:
    """Every figure is there in both forms of a paper, beside its numbers."""
    drawn = {name.removesuffix(".svg") for name in sizes if name.endswith(".svg")}
    assert drawn > {"compare_systems", "individual_sessions", "query_order", "session_curves_raw"}
    assert {*sizes} >= {f"{name}.{form}" for name in drawn for form in ("csv", "pdf", "svg")}
    assert all(size > 1000 for name, size in sizes.items() if not name.endswith(".csv"))


@pytest.mark.parametrize("visit", WALKS[:1], ids=["overview"], indirect=True)
def test_report_is_whole_and_has_the_pages_numbers(visit: tuple[Page, Walk]) -> None:
    page, _ = visit
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download the report", exact=True).click()
    assert coming.value.suggested_filename.endswith("-report.html")
    text = coming.value.path().read_text(encoding="utf-8")
    parsed = Parsed()
    parsed.feed(text)
    parsed.close()
    assert not parsed.inside
    assert "Only sessions with the system System 2, on the topics A and B" in text
    told = figures(page)
    for name, figure in REPORTED.items():
        shown, said = traces_of(of_figure(told, figure)), drawn_in(text, name)
        assert shown.keys() & said.keys()
        agree({of: {"y": shown[of]["y"]} for of in shown}, {of: said[of] for of in shown})


class Parsed(HTMLParser):
    """Elements that are open; each must end before the one that it stands in."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag


def drawn_in(text: str, name: str) -> Traces:
    """Values of the traces of a figure of the report, by name."""
    called = text.index("Plotly.newPlot(", text.index(f'id="figure_{name}"'))
    traces, _ = json.JSONDecoder().raw_decode(text, text.index("[", called))
    given = [{"up": None, "down": None, "y": decoded(trace["y"])} for trace in traces]
    parts = [dict.fromkeys(KEYS) | trace for trace in given]
    named = [{**part, "name": trace["name"]} for part, trace in zip(parts, traces, strict=True)]
    return traces_of({"traces": named})
