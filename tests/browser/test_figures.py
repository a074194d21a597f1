"""Figures to take along: their size, fonts and numbers, and names that are whole at any width."""

from __future__ import annotations

import io
import os
import re
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import unescape
from itertools import combinations
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from plotly.offline import get_plotlyjs

from sdcg_explorer.export import figure_files
from sdcg_explorer.figures.style import strip_markup
from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.questions.compare_systems.figure import draw_compare_systems
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.query_order.figure import draw_query_order
from sdcg_explorer.questions.query_order.numbers import CurveChoices, query_order
from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import Answer, StudyView
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support import plain_files, plain_loop, studies, thorough
from tests.support.many_systems import NAMES, many_systems

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from playwright.sync_api import Browser, Page

SVG = "{http://www.w3.org/2000/svg}"
# a machine without a browser still tests all the rest
needs_browser = pytest.mark.skipif(
    not figure_files.browser_path() and os.environ.get("REQUIRE_BROWSER") != "1",
    reason="no Chromium or Chrome",
)
# form, width in mm and dots an inch
FIVE = [("svg", 84), ("pdf", 174), ("png", 84), ("png", 100), ("png", 40.5)]


@cache
def figure() -> go.Figure:
    """Figure 1 of one system under a definition of one's own."""
    study = studies.at_hand(studies.SAMPLES[0])
    view = study, Definition(b=3.0), Filters(systems=("System 2",))
    order = query_order(*view, drawn=CurveChoices(20))
    return draw_query_order(order, study.block().system_names)


@needs_browser
def test_five_at_once_are_whole_have_their_size_and_embed_their_fonts() -> None:
    from pypdf import PdfReader

    with ThreadPoolExecutor(4) as pool:
        made = pool.map(
            lambda of: figure_files.drawn_bytes(figure_files.paper_figure(figure(), of[1]), of[0]),
            FIVE,
        )
    files = dict(zip(FIVE, made, strict=True))
    for (form, width), content in files.items():
        assert content.startswith({"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}[form])
        if form == "png":
            assert struct.unpack(">I", content[16:20]) == (round(width / 25.4 * 300),)
    pages: Any = PdfReader(io.BytesIO(files["pdf", 174])).pages
    (page,) = pages
    assert float(page.mediabox.width) / 72 * 25.4 == pytest.approx(174, abs=0.5)
    assert "Rank of the result" in page.extract_text()
    fonts = page["/Resources"]["/Font"]
    for font in (fonts[name].get_object() for name in fonts):
        (inner,) = font["/DescendantFonts"]
        held = {"/FontFile", "/FontFile2", "/FontFile3"}
        assert held & {*inner.get_object()["/FontDescriptor"]}
    svg = files["svg", 84].decode()
    texts = ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert {"Rank of the result", "sDCG (gain)"} <= {*texts}
    assert any("System 2, last" in " ".join(text.split()) for text in texts)
    assert "DejaVu Sans" in svg
    assert not re.findall(r"(?:href|src)=\"https?:", svg)


def test_without_a_browser_or_of_an_unknown_form_a_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ValueError, match="choose one of svg, pdf, png"):
        figure_files.drawn_bytes(figure_files.paper_figure(figure()), "gif")
    monkeypatch.setattr(figure_files, "browser_path", lambda: "")
    with pytest.raises(figure_files.NoBrowserError, match="install one of them") as refused:
        figure_files.drawn_bytes(figure_files.paper_figure(figure()), "pdf")
    assert str(refused.value) == figure_files.NO_BROWSER


LONG = (
    "A_layout_with_a_long_name_0001",
    "A layout with a long name 0002",
    "Alayoutwithalongnamethatis0003",
    "A-layout-with/a-long-name 0004",
    "Wide Words <b> & More MMM 0005",
)
WIDTHS = (84.0, 174.0)
# of each text of an SVG: what it is part of, what it says, and its box; with the frame before them
BOXES = """() => {
    const box = of => { const b = of.getBoundingClientRect();
        return [b.left, b.top, b.right, b.bottom]; };
    const parts = ['legend', 'xtick', 'annotation', 'ytick'];
    const texts = [...document.querySelectorAll('svg text')].filter(t => t.textContent.trim());
    const tops = [...document.querySelectorAll('.ylines-above')].map(line => box(line)[1]);
    return [box(document.querySelector('svg')), Math.min(...tops), texts.map(text =>
        [parts.find(part => text.closest('.' + part)) ?? '', text.textContent, box(text)])];
}"""
AS_SVG = """async ([figure, size]) => {
    const { data, layout } = JSON.parse(figure);
    const options = { ...size, imageDataOnly: true };
    document.body.innerHTML = await Plotly.toImage({ data, layout }, options);
}"""
# where the legend ends and the axes begin, of a figure that was drawn narrower before
WIDENED = """async figure => {
    const { data, layout } = JSON.parse(figure);
    document.body.replaceChildren(document.createElement('div'));
    const graph = await Plotly.newPlot(document.body.firstChild, data, { ...layout, width: 350 });
    await Plotly.relayout(graph, { width: 1200 });
    const [top, { bottom }] = ['.main-svg', '.legend'].map(part =>
        graph.querySelector(part).getBoundingClientRect());
    return [bottom - top.top, graph._fullLayout._size.t];
}"""


@cache
def of_five(names: tuple[str, ...]) -> Study:
    """Fifteen sessions of one to three queries of each of five systems, on two topics."""
    gains = {(topic, doc): 1.0 for topic in names[:2] for doc in "ab"}
    sessions = [
        plain_loop.PlainSession(
            f"{name} {i}",
            [
                (names[i % 2], {1: "u", 2 + (i + own) % 2: "a", 4 + q: "b"})
                for q in range(1 + i % 3)
            ],
            name,
        )
        for own, name in enumerate(names)
        for i in range(15)
    ]
    return plain_files.in_files(plain_loop.PlainStudy(sessions, gains))


PAGES = ("query_order", "session_curves", "reformulations", "compare_systems")
DRAWN = (*PAGES, "individual_sessions", "overview")


def answer_of(page: str) -> Callable[[StudyView], Answer]:
    answer = question_of(page).answer
    assert answer
    return answer


@cache
def of_twelve() -> dict[str, Any]:
    """Panels of twelve systems, names beneath their columns, and one figure with a focus."""
    asked = plain_files.in_files(many_systems()), DEFAULT, Filters()
    drawn = {
        page: answer_of(page)(StudyView(*asked)).exhibits[question_of(page).figures[0]].figure
        for page in PAGES
    }
    systems, curves = asked[0].block().system_names, session_curves(*asked)
    return {**drawn, "in_focus": draw_session_curves(curves, systems, focus=NAMES[1])}


@cache
def figures() -> dict[str, Any]:
    """Figures of these pages' answers, the systems by topic, and two groups of sessions."""
    asked = of_five(LONG), DEFAULT, Filters()
    systems = asked[0].block().system_names
    made = [answer(StudyView(*asked)) for answer in map(answer_of, DRAWN)]
    drawn = {
        name: exhibit.figure
        for answer in made
        for name, exhibit in answer.exhibits.items()
        if exhibit.figure is not None
    }
    by_topic = draw_compare_systems(compare_systems(*asked), systems, by_topic=True)
    two = draw_session_curves(session_curves(*asked, at_least=(1, 2)), systems)
    return {**drawn, "means_by_topic": by_topic, "two_groups": two}


def legend(figure: Any) -> list[str]:
    """Names in a figure's legend, as they read."""
    shown = [trace.name for trace in figure.data if trace.showlegend is not False]
    return [unescape(name.replace("<br>", "")) for name in shown if figure.layout.showlegend]


def has_panels(figure: Any) -> bool:
    """Whether each system has a panel, whose name stands between the axes."""
    return "panels" in (figure.layout.meta or {})


NAMED = {
    *("query_order", "session_curves", "two_groups", "compare_systems", "means_by_topic"),
    *("individual_sessions", "reformulations", "found_by_query", "sessions_by_length"),
    *("judged_share", "pairs", "reformulation_shares"),
}


def assert_whole(page: Page, figure: Any, width: float) -> None:
    """Every name is there, whole, inside the frame, above the axes, and none over another."""
    paper: Any = figure_files.paper_figure(figure, width)
    size = {"format": "svg", "width": paper.layout.width, "height": paper.layout.height}
    page.evaluate(AS_SVG, [paper.to_json(), size])  # as its SVG is made, with Plotly loaded once
    frame, top, texts = page.evaluate(BOXES)
    found = {part: [said for of, said, _ in texts if of == part] for part, _, _ in texts}
    assert sorted(found.get("legend", [])) == sorted(legend(paper))
    at_ends = {label.name for label in ([] if has_panels(figure) else paper.layout.annotations)}
    assert not at_ends or not legend(paper)  # never both
    assert {*legend(figure)} <= {*legend(paper), *map(strip_markup, at_ends)}
    if figure.layout.xaxis.autotickangles:
        names = [unescape(name.replace("<br>", "")) for name in figure.layout.xaxis.ticktext]
        assert found["xtick"] == names
        assert set(names) <= {*LONG, *NAMES}
    for part, said, (left, above, right, below) in texts:
        assert left >= frame[0] - 2, said  # a box is higher than its letters
        assert right <= frame[2] + 0.5, said
        assert above >= frame[1] - 0.5, said
        assert below <= frame[3] + 0.5, said
        assert part != "legend" or below <= top + 1, said
    for (_, one, a), (_, two, b) in combinations(texts, 2):
        over = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        assert min(over) < 1.5, (one, two)


@needs_browser
def test_long_names_are_whole_on_paper_and_above_the_axes_where_a_page_widens(
    browser: Browser,
) -> None:
    page = browser.new_page()
    page.add_script_tag(content=get_plotlyjs())
    assert figures().keys() >= NAMED
    for number, name in enumerate(sorted(NAMED)):
        # the narrow one is the hard one; both in make soak
        for wide in WIDTHS[: 2 if thorough.THOROUGH > 1 or number % 6 == 0 else 1]:
            assert_whole(page, figures()[name], wide)
    for drawn in of_twelve().values():
        assert_whole(page, drawn, WIDTHS[0])
    with_legend = [name for name in sorted(NAMED) if legend(figures()[name])]
    for name in with_legend[:: 1 if thorough.THOROUGH > 1 else 3]:
        ends, begin = page.evaluate(WIDENED, figures()[name].to_json())
        assert ends <= begin + 1, name
    page.close()
