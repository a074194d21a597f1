"""Pages where there is little to show, odd names or grades, and links that restore a view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import cycle

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.reading.samples import sample_studies
from tests.support.odd_studies import ODD, ONE
from tests.support.plain_loop import Choices, PlainStudy
from tests.support.plain_session_scores import session_scores
from tests.support.screen import (
    HOSTILE,
    Choose,
    Params,
    charts,
    definition_in_force,
    first_line,
    hostile_study,
    lines_of,
    opened,
    slider_of,
    without_escapes,
)
from tests.support.server import OF_STUDY, PAGES

pytestmark = pytest.mark.usefixtures("own_samples")

NOTHING: dict[str, Params] = {
    "no length fits": {"min_queries": "9", "max_queries": "2"},
    "too many queries": {"min_queries": "50"},
}
LITTLE: dict[str, Params] = {
    "one system": {"systems": "System 2"},
    "one query": {"max_queries": "1"},
    "one searcher": {"searchers": "invented-P01"},
    "one session": {"searchers": "invented-P01", "topics": "D"},
}


def turns(pages: Sequence[str], cases: Iterable[str], each: int) -> list[tuple[str, str]]:
    """Pages with so many cases each, so that every case is met by as many pages."""
    coming = cycle(cases)
    return [(page, next(coming)) for page in pages for _ in range(each)]


@pytest.mark.parametrize(("page", "filters"), turns(OF_STUDY, NOTHING, 1))
def test_filters_that_leave_nothing_are_said(page: str, filters: str) -> None:
    app = opened(page, NOTHING[filters])
    assert re.match(
        r"The filters leave no (session|query)\b|This study has no numeric ratings ",
        first_line(app),
    )
    assert not charts(app)


def test_grade_4_and_half_grades_gain_as_the_paper_continues(choose_study: Choose) -> None:
    plain = PlainStudy([ONE], {("t", "a"): 0.5, ("t", "b"): 4.0})
    choose_study(plain)
    app = opened("individual_sessions")
    assert "not in the paper, gain 10^(g − 1)): 0.5 → 0.316228, 4 → 1000;" in definition_in_force(
        app
    )
    gains = {0.5: 10**-0.5, 4.0: 1000.0}
    final = session_scores(ONE.queries, plain.judgments, Choices(gains=gains))["final"]
    assert lines_of(app, "Figure 4.")["end of the session"] == pytest.approx([final], rel=1e-9)
    slider_of(app, "w0.5").set_value(2.0).run()
    final = session_scores(ONE.queries, plain.judgments, Choices(gains=gains | {0.5: 2.0}))["final"]
    assert lines_of(app, "Figure 4.")["end of the session"] == pytest.approx([final], rel=1e-9)


@pytest.mark.parametrize("preset", ["session-track", "dynamic-domain"])
def test_chosen_preset_keeps_its_name_on_binary_grades(preset: str, choose_study: Choose) -> None:
    choose_study(PlainStudy([ONE], {("t", "a"): 0.0, ("t", "b"): 1.0}))
    app = opened("query_order")
    app.sidebar.selectbox(key="preset").set_value(preset).run()
    assert app.sidebar.selectbox(key="preset").value == preset


def test_chosen_study_is_the_first(choose_study: Choose) -> None:
    choose_study(ODD["one session"])
    app = opened("overview")
    picker = app.sidebar.selectbox(key="study_picked")
    assert picker.options == ["log", *(study.name for study in sample_studies())]
    assert picker.index == 0
    assert first_line(app).startswith("1 session by 1 searcher on 1 topic with 1 system; 1 query;")


def markdown_of(app: AppTest) -> list[str]:
    """Every text of the page and the sidebar that the browser reads as Markdown."""
    pills = [option.content for group in app.get("button_group") for option in group.proto.options]
    bodies = [*app.markdown, *app.caption, *app.warning, *app.title, *app.subheader]
    return pills + [body.value for body in bodies]


def test_hostile_names_are_escaped_wherever_markdown_is_read(choose_study: Choose) -> None:
    choose_study(hostile_study(HOSTILE))
    for page in PAGES:
        app = opened(page)
        assert not app.exception, page
        bodies = markdown_of(app)
        for name in HOSTILE:
            assert any(name in without_escapes(body) for body in bodies), page
            assert not any(name in body for body in bodies), page
