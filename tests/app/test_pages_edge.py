"""Pages where there is little to show, odd names or grades, and links that restore a view."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.library import fixed
from tests.support.plain_figures import figure_one, figure_two
from tests.support.plain_files import ECIR2008, read_plain
from tests.support.plain_loop import (
    Choices,
    PlainSession,
    PlainStudy,
    query_scores,
    session_vector,
)
from tests.support.plain_session_scores import session_scores
from tests.support.screen import (
    HOSTILE,
    NOT_HERE,
    Choose,
    Params,
    charts,
    definition_in_force,
    first_line,
    hostile_study,
    lines_of,
    opened,
    small_print,
    without_escapes,
)
from tests.support.server import OF_STUDY, PAGES

pytestmark = pytest.mark.usefixtures("own_samples")
every_page = pytest.mark.parametrize("page", list(PAGES))
JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0}
ONE = PlainSession("s", [("t", {1: "a", 2: "b"})], "A", "p")
TWO = [("t", {1: "b", 2: "a"}), ("t", {1: "a"})]

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


@pytest.mark.parametrize("page", OF_STUDY)
@pytest.mark.parametrize("filters", list(NOTHING))
def test_filters_that_leave_nothing_are_said(page: str, filters: str) -> None:
    app = opened(page, NOTHING[filters])
    assert re.match(r"No (session|query) ", first_line(app))
    assert not charts(app)


@every_page
@pytest.mark.parametrize("filters", list(LITTLE))
def test_filters_that_leave_little_are_answered(page: str, filters: str) -> None:
    assert first_line(opened(page, LITTLE[filters])).endswith(".")


def test_individual_sessions_says_when_a_system_has_no_session_on_the_topic() -> None:
    app = opened("individual_sessions")
    toys = next(key for key, study in fixed().items() if study.name == "Three toy sessions")
    app.sidebar.selectbox(key="study_picked").set_value(toys).run()
    app.main.selectbox(key="system").set_value("B").run()
    app.main.selectbox(key="one_topic").set_value("topic 1").run()
    assert first_line(app).startswith("No session")


ODD = {
    "one session": PlainStudy([ONE], JUDGMENTS),
    "one empty query": PlainStudy(
        [replace(ONE, queries=[("t", {})]), PlainSession("r", TWO, "A", "p")], JUDGMENTS
    ),
    "no searchers": PlainStudy(
        [PlainSession("s", TWO, "A", ""), PlainSession("r", TWO, "B", "")], JUDGMENTS
    ),
    "one topic unjudged": PlainStudy(
        [ONE, PlainSession("r", [("u", {1: "a"})], "A", "p")], JUDGMENTS
    ),
    "nothing judged that was asked": PlainStudy(
        [replace(ONE, queries=[("u", {1: "a"})])], JUDGMENTS
    ),
    "nothing relevant": PlainStudy([ONE], {("t", "a"): 0.0, ("t", "b"): 0.0}),
    "undefined after three queries": PlainStudy(
        [replace(ONE, queries=[("z", {1: "a"})] * 3 + [("t", {1: "a"})])],
        JUDGMENTS | {("z", "a"): 0.0},
    ),
    "negative grades": PlainStudy([ONE], {("t", "a"): -1.0, ("t", "b"): 1.0}),
}


COUNTED = ("overview", "query_order", "session_curves", "side_by_side")


@pytest.mark.parametrize("study", list(ODD))
def test_odd_study_is_answered_on_every_page(study: str, choose_study: Choose) -> None:
    choose_study(ODD[study])
    pages = {page: opened(page) for page in PAGES}
    lines = {page: first_line(app) for page, app in pages.items()}
    assert [page for page, line in lines.items() if not line.endswith(".")] == []
    if study == "no searchers":  # none are named
        assert lines["overview"].startswith("2 sessions on 1 topic with 2 systems; 4 queries;")
    if study == "one topic unjudged":
        for page in COUNTED:
            said = small_print(pages[page].main)
            assert any("1 session on topics nobody judged" in text for text in said), page


def test_grade_4_and_half_grades_gain_as_the_paper_continues(choose_study: Choose) -> None:
    plain = PlainStudy([ONE], {("t", "a"): 0.5, ("t", "b"): 4.0})
    choose_study(plain)
    app = opened("individual_sessions")
    assert "beyond the paper: 10^(g − 1)): 0.5 → 0.316228, 4 → 1000;" in definition_in_force(app)
    gains = {0.5: 10**-0.5, 4.0: 1000.0}
    final = session_scores(ONE.queries, plain.judgments, Choices(gains=gains))["final"]
    assert lines_of(app, "Figure 4.")["the searcher quit here"] == pytest.approx([final], rel=1e-9)
    app.sidebar.slider(key="w0.5_slider").set_value(2.0).run()
    final = session_scores(ONE.queries, plain.judgments, Choices(gains=gains | {0.5: 2.0}))["final"]
    assert lines_of(app, "Figure 4.")["the searcher quit here"] == pytest.approx([final], rel=1e-9)


def test_large_number_is_written_out(choose_study: Choose) -> None:
    choose_study(PlainStudy([ONE], {("t", "a"): 4.0, ("t", "b"): 4.0}))
    assert "e+" not in first_line(opened("query_order"))


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
    assert picker.options == ["log", "ECIR 2008 (reconstructed)", "Three toy sessions"]
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


FULL: Params = {
    **{"b": "3", "bq": "7", "w3": "50", "top": "5", "discount": "jk2002", "repeats": "first"},
    **{"ideal": "spread", "others": "per-session", "short": "at least", "cells": "3"},
    **{"systems": "System 2", "topics": ["A", "B"], "min_queries": "2", "max_queries": "6"},
}
OF_PAGE: dict[str, Params] = {
    "overview": {},
    "query_order": {"split": "best", "depth": "20", "bands": "true"},
    "session_curves": {"measure": "raw", "topic": "B", "at_least": "3", "length": "4"},
    "individual_sessions": {
        **{"one_topic": "B", "order": "length", "axis": "4"},
        **{"shade": "change of dcg", "only": "only the last gained"},
    },
    "reformulations": {"query_measure": "relative_recall"},
    "compare_systems": {"score": "mean_dcg"},
    "robustness": {"score": "mean_dcg"},
    "side_by_side": {"beside": ["linear", "session-track"]},
    "by_hand": {"example": "T-3", "expected": "2"},
}
CHOICES = Choices(
    gains={0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 50.0},
    b=3.0,
    bq=7.0,
    form="jk2002",
    top=5,
    repeats="first",
    ideal="spread",
    short=3,
)


def linked_sessions(topics: str) -> PlainStudy:
    """The sessions that FULL leaves, on these topics."""
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    kept = [
        session
        for session in plain.sessions
        if session.system == "System 2"
        and 2 <= len(session.queries) <= 6
        and session.queries[0][0] in topics
    ]
    return PlainStudy(kept, plain.judgments)


def overview_counts_what_is_left(app: AppTest) -> None:
    kept = linked_sessions("AB").sessions
    answer = first_line(app)
    assert answer.startswith(f"{len(kept)} sessions by ")
    assert f" with 1 system; {sum(len(s.queries) for s in kept)} queries;" in answer


def query_order_draws_the_loops_lines(app: AppTest) -> None:
    shown = lines_of(app, "Figure 1.")
    plain = linked_sessions("AB")
    expected = figure_one(plain, CHOICES, split="best", others="per-session", depth=20)
    for (system, group), curve in expected.items():
        assert shown[f"{system}, {group}"] == pytest.approx(curve, rel=1e-9)


def session_curves_draws_the_loops_lines(app: AppTest) -> None:
    plain = linked_sessions("B")
    shown = lines_of(app, "Session curves.")
    for name, at_least in (("System 2, all", 1), ("System 2, at least 3 queries", 3)):
        expected, _, _ = figure_two(plain, CHOICES, 20, at_least=at_least)["System 2"]
        assert shown[name] == pytest.approx(expected, rel=1e-9)


def individual_sessions_lists_the_loops_scores(app: AppTest) -> None:
    table = app.main.dataframe[0].value
    plain = linked_sessions("B")
    expected = {
        s.name: session_scores(s.queries, plain.judgments, CHOICES)["final"] for s in plain.sessions
    }
    last_alone = {
        s.name
        for s in plain.sessions
        if [q["dcg"] > 0 for q in query_scores(s.queries, plain.judgments, CHOICES)]
        == [False] * (len(s.queries) - 1) + [True]
    }
    expected = {name: value for name, value in expected.items() if name in last_alone}
    assert dict(zip(table["session"], table["final"], strict=True)) == pytest.approx(expected)
    assert table["queries"].is_monotonic_decreasing


SHOWN = {
    "overview": overview_counts_what_is_left,
    "query_order": query_order_draws_the_loops_lines,
    "session_curves": session_curves_draws_the_loops_lines,
    "individual_sessions": individual_sessions_lists_the_loops_scores,
}


@every_page
def test_link_restores_every_choice(page: str) -> None:
    link = FULL | OF_PAGE[page]
    app = opened(page, link)
    assert not app.exception
    for name, value in link.items():
        shown = app.query_params[name]
        assert shown == value or float(str(shown)) == float(str(value)), name
    side = app.sidebar
    assert [side.slider(key=f"{key}_slider").value for key in ("b", "bq", "w3")] == [3.0, 7.0, 50.0]
    assert side.multiselect(key="topics").value == ["A", "B"]
    assert side.pills(key="systems").value == ["System 2"]
    assert definition_in_force(app).endswith(
        "Gain by grade (own): 0 → 0, 1 → 1, 2 → 10, 3 → 50; discount by rank 1/log_3 r from r = 3 "
        "on, by query 1/(1 + log_7 q); the top 5 of each query count, short lists padded to 3 "
        "(their ideal is as short); a repeat counts once, at first; ideal: each judged document "
        "once, the best way at every position; an unjudged result gains 0; after its last query a "
        "session keeps its share of the ideal; averages are means of the sessions' shares; other "
        "queries are averaged within their session first."
    )
    if page in SHOWN:
        SHOWN[page](app)


def test_link_puts_a_session_of_another_system_on_top() -> None:
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    ours = next(s for s in plain.sessions if (s.system, s.queries[0][0]) == ("System 2", "C"))
    link: Params = {"system": "System 2", "one_topic": "C", "session": ours.name}
    shown = lines_of(opened("individual_sessions", link), "Figure 4.")[f"session {ours.name}"]
    choices = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
    expected = session_vector(ours.queries, plain.judgments, choices)
    assert shown[: len(expected)] == pytest.approx(expected, rel=1e-9)


def test_link_to_a_study_that_is_not_here_says_so() -> None:
    app = opened("overview", {"study": "[gone](http://evil.example)"})
    assert first_line(app) == f"{NOT_HERE} [gone](http:."  # as much of it as a link holds
    assert "[gone](" not in app.main.markdown[0].value
    assert not charts(app)
    assert [selectbox.value for selectbox in app.sidebar.selectbox] == [None]


@pytest.mark.parametrize("value", ["0", "1", "-3", "many", "1e9", "nan"])
def test_link_with_a_b_that_is_no_base_falls_back(value: str) -> None:
    app = opened("query_order", {"b": value})
    assert not app.exception
    assert app.sidebar.number_input(key="b").value == 2.0
