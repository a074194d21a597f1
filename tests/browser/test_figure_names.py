"""Names in figures: whole at any width, told apart by mark and label; a dash means the group."""

from __future__ import annotations

from functools import cache
from html import unescape
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plotly.offline import get_plotlyjs

from sdcg_explorer.export.figure_files import PaperSize, paper_figure
from sdcg_explorer.figures.style import (
    BREAK,
    COLOURS,
    GREY,
    end_labels,
    line,
    plotly_safe,
    strip_markup,
    text_width,
    wrapped,
)
from sdcg_explorer.figures.style import (
    SHORT as SHORTEST,
)
from sdcg_explorer.questions.catalogue import iterate_answers, question_of
from sdcg_explorer.questions.compare_systems.figure import draw_compare_systems
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.study.study import Study
from tests.browser.test_figure_files import needs_browser
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.studies import SAMPLES, at_hand
from tests.support.thorough import THOROUGH

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG = (
    "A_layout_with_a_long_name_0001",
    "A layout with a long name 0002",
    "Alayoutwithalongnamethatis0003",
    "A-layout-with/a-long-name 0004",
    "Wide Words <b> & More MMM 0005",
)
SHORT = ("A", "B", "C", "D", "E")
WIDTHS = (84.0, 174.0)
FEW = ", few sessions"
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
        PlainSession(
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
    return in_files(PlainStudy(sessions, gains))


@cache
def of_twelve() -> dict[str, Any]:
    """The figures of twelve systems, and one of them with a system in focus."""
    asked = in_files(many_systems()), DEFAULT, Filters()
    drawn = {name: answer(StudyView(*asked)).exhibits[name].figure for name, answer in OF_TWELVE}
    systems, curves = asked[0].block().system_names, session_curves(*asked)
    return {**drawn, "in_focus": draw_session_curves(curves, systems, focus=NAMES[1])}


def every_figure(asked: tuple[Study, Definition, Filters]) -> dict[str, Any]:
    """The figures of every page's answer."""
    return {
        name: exhibit.figure
        for _, answer in iterate_answers(*asked)
        for name, exhibit in answer.exhibits.items()
        if exhibit.figure is not None
    }


@cache
def figures(names: tuple[str, ...]) -> dict[str, Any]:
    """The figures of every page's answer, the systems by topic, and two groups of sessions."""
    asked = of_five(names), DEFAULT, Filters()
    systems = asked[0].block().system_names
    drawn = every_figure(asked)
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
# of twelve systems a panel each, in rows of two at 84 mm; and names beneath their columns
PAGES = ("query_order", "session_curves", "reformulations", "compare_systems")
OF_TWELVE = [(each.figures[0], each.answer) for each in map(question_of, PAGES) if each.answer]


def draw(page: Page, figure: Any, width: float) -> Any:
    """Draw a figure of paper as its SVG is made, but with Plotly loaded once for all of them."""
    paper: Any = paper_figure(figure, PaperSize(width))
    size = {"format": "svg", "width": paper.layout.width, "height": paper.layout.height}
    page.evaluate(AS_SVG, [paper.to_json(), size])
    return paper


def assert_whole(page: Page, figure: Any, width: float) -> None:
    """Every name is there, whole, inside the frame, above the axes, and none over another."""
    paper = draw(page, figure, width)
    frame, top, texts = page.evaluate(BOXES)
    found = {part: [said for of, said, _ in texts if of == part] for part, _, _ in texts}
    assert sorted(found.get("legend", [])) == sorted(legend(paper))
    labels = [] if has_panels(figure) else paper.layout.annotations
    at_ends = {label.name for label in labels}
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
    drawn = figures(LONG)
    assert drawn.keys() >= NAMED
    for number, name in enumerate(sorted(NAMED)):
        # the narrow one is the hard one; both in make soak
        for wide in WIDTHS[: 2 if THOROUGH > 1 or number % 6 == 0 else 1]:
            assert_whole(page, drawn[name], wide)
    for figure in of_twelve().values():
        assert_whole(page, figure, WIDTHS[0])
    with_legend = [name for name in sorted(NAMED) if legend(drawn[name])]
    for name in with_legend[:: 1 if THOROUGH > 1 else 3]:
        ends, begin = page.evaluate(WIDENED, drawn[name].to_json())
        assert ends <= begin + 1, name
    page.close()


@pytest.mark.parametrize("wide", [40, 174])
def test_long_names_leave_the_axes_their_height(wide: float) -> None:
    for name in sorted(NAMED):
        papers: list[Any] = [
            paper_figure(figures(of)[name], PaperSize(wide)) for of in (SHORT, LONG)
        ]
        short, long = (paper.layout.height for paper in papers)
        assert long >= 0.9 * short or has_panels(figures(LONG)[name]), name


def test_figures_height_follows_names_and_not_data() -> None:
    few: Any = draw_session_curves(
        session_curves(of_five(LONG), DEFAULT, Filters()), LONG, length=1
    )
    every = figures(LONG)["session_curves"]
    assert few.layout.height == every.layout.height
    tall = [figures(of)["query_order"].layout.height for of in (SHORT, LONG)]
    assert tall[0] < tall[1] <= 600


def test_panels_have_the_same_axes_and_lay_themselves_out_anew_on_paper() -> None:
    drawn = of_twelve()["query_order"]
    for figure, columns in ((drawn, 3), (paper_figure(drawn, PaperSize()), 2)):
        layout = figure.to_plotly_json()["layout"]
        assert (layout["grid"]["rows"], layout["grid"]["columns"]) == (12 // columns, columns)
        across, up = ([v for k, v in layout.items() if k.startswith(f"{xy}axis")] for xy in "xy")
        assert len(across) == len(up) == 12
        assert all(len({tuple(axis["range"]) for axis in axes}) == 1 for axes in (across, up))
        assert {axis.get("matches") for axis in up} == {None, "y"}
        assert [axis["showticklabels"] for axis in across] == [False] * (12 - columns) + [
            True
        ] * columns
        titles = [each["text"].partition("</span> ")[2] for each in layout["annotations"][:12]]
        assert [strip_markup(title) for title in titles] == sorted(NAMES)


def test_one_in_focus_has_its_colour_and_the_rest_is_grey() -> None:
    drawn = of_twelve()["in_focus"]
    own = [trace.name for trace in drawn.data if trace.line.color != GREY]
    whole = {unescape(name.replace("<br>", "")).removesuffix(FEW) for name in own}
    assert whole == {NAMES[1], f"{NAMES[1]}, still searching"}
    assert legend(drawn) == [NAMES[1], "the other systems"]


def test_a_dash_means_the_group_on_every_page() -> None:
    second = ("other", "rest", "at least 2 queries")
    groupless = ("next_study", "fit")  # of differences, and of weights
    for name, figure in figures(LONG).items():
        for trace in figure.data if name not in groupless else ():
            dash = getattr(trace.line, "dash", None) if trace.type == "scatter" else None
            is_second = unescape(trace.name.replace("<br>", "")).removesuffix(FEW).endswith(second)
            assert (dash not in (None, "solid")) == is_second, (name, trace.name)


@pytest.mark.parametrize(
    ("names", "ends", "are_beside"),
    [
        (("A", "B"), (0.2, 0.8), True),
        (("A", "B"), (0.5, 0.52), False),  # too near
        (("A", "A system of eleven"), (0.2, 0.8), False),  # too long
        (("漢字漢字漢字", "B"), (0.2, 0.8), False),  # as wide as twelve letters
        (("A", "B"), (0.2, np.nan), False),  # what is nowhere is in the legend
    ],
)
def test_names_stand_at_the_ends_of_curves_where_they_fit(
    names: tuple[str, str], ends: tuple[float, float], are_beside: bool
) -> None:
    x = np.array([1.0, 2.0])
    traces = [
        line(names, name, x, np.array([0.1 if end == end else end, end]), "")
        for name, end in zip(names, ends, strict=True)
    ]
    labels = end_labels(traces, {"range": (0, 1)}, size=16, high=300)
    assert [label["name"] for label in labels] == (list(names) if are_beside else [])
    assert [label["y"] for label in labels] == (list(ends) if are_beside else [])
    assert all(text_width(name) <= SHORTEST for name in names) or not labels


def test_names_at_ends_are_on_paper_too_and_legends_name_the_rest() -> None:
    systems = of_five(SHORT).block().system_names
    assert legend(figures(SHORT)["found_by_query"]) == list(systems)  # all end alike
    study = at_hand(SAMPLES[0])
    systems = study.block().system_names
    drawn: Any = draw_session_curves(session_curves(study, DEFAULT, Filters()), systems)
    for figure in (drawn, paper_figure(drawn, PaperSize())):
        assert legend(figure) == []
        shown = [label.text.partition("</span> ")[0][-1] for label in figure.layout.annotations]
        assert dict(zip(systems, shown, strict=True)) == {"System 1": "●", "System 2": "■"}


def test_no_colour_of_the_screen_is_left_on_paper() -> None:
    for name, figure in figures(SHORT).items():
        drawn = paper_figure(figure, PaperSize()).to_json() or ""
        assert [colour for colour in (*COLOURS, GREY) if colour in drawn] == [], name


@given(st.text(max_size=40), st.integers(1, 20))
def test_wrapped_name_loses_nothing_and_fits(name: str, most: int) -> None:
    shown = wrapped(plotly_safe(name), most)
    assert unescape(shown.replace(BREAK, "")) == name
    narrow = not any(text_width(char) > 1 for char in name)
    assert all(text_width(part) <= most for part in shown.split(BREAK)) or not narrow
