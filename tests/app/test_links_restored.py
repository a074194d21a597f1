"""Links that restore a view: every choice of every page, and what they fall back on."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.scoring.definition import DEFAULT, Filters
from tests.support.plain_figures import figure_one, figure_two
from tests.support.plain_files import ECIR2008, read_plain
from tests.support.plain_loop import Choices, PlainStudy, query_scores, session_vector
from tests.support.plain_session_scores import session_scores
from tests.support.screen import (
    NOT_HERE,
    Params,
    charts,
    definition_in_force,
    first_line,
    lines_of,
    opened,
    slider_of,
)
from tests.support.server import PAGES

every_page = pytest.mark.parametrize("page", list(PAGES))
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
        **{"group": "system", "where": "end: found and stopped"},
    },
    "reformulations": {"query_measure": "relative_recall"},
    "cost": {
        **{"cost": "opened", "reached": "share of the ideal", "score": "last"},
        **{"every": "true", "cost_bands": "false"},
    },
    "compare_systems": {"score": "mean_dcg"},
    "robustness": {"score": "mean_dcg"},
    "side_by_side": {"beside": ["linear", "session-track"]},
    "fit": {"model": "sdcg_jk2002", "fitted_by": "KL"},
    "by_hand": {"example": "T-3", "expected": "2"},
    "paper": {"printed": ["final", "best"]},
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
    assert page in OF_PAGE, f"{page}: what its widgets have in the link, in OF_PAGE of this file"
    link = FULL | OF_PAGE[page]
    app = opened(page, link)
    assert not app.exception
    for name, value in link.items():
        shown = app.query_params[name]
        assert shown == value or float(str(shown)) == float(str(value)), name
    side = app.sidebar
    assert [slider_of(app, key).value for key in ("b", "bq", "w3")] == [3.0, 7.0, 50.0]
    assert side.multiselect(key="topics").value == ["A", "B"]
    assert side.pills(key="systems").value == ["System 2"]
    assert definition_in_force(app).endswith(
        "Gain by grade (own): 0 → 0, 1 → 1, 2 → 10, 3 → 50; discount by rank 1/log_3 r from r = 3 "
        "on, by query 1/(1 + log_7 q); top 5 results per query, short lists padded to 3, and "
        "so is their ideal; repeats count once; ideal: each judged document once, best order at "
        "every position; an unjudged result gains 0; after the last query a session keeps its "
        "share of the ideal; mean of the sessions' shares; in Query order, other queries are "
        "averaged within their session first."
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
    assert first_line(app) == f"{NOT_HERE} [gone](http:…)."  # as much of it as a link holds
    assert "[gone](" not in app.main.markdown[0].value
    assert not charts(app)
    assert [selectbox.value for selectbox in app.sidebar.selectbox] == [None]


@pytest.mark.parametrize("value", ["0", "many", "1e9", "nan"])
def test_link_with_a_b_that_is_no_base_falls_back(value: str) -> None:
    app = opened("query_order", {"b": value})
    assert not app.exception
    assert app.sidebar.number_input(key="b").value == 2.0


def test_whole_numbers_beyond_all_numbers_fall_back() -> None:
    value = "9" * 400
    numbers = {"min_queries": "inf", "max_queries": "-1e999", "kept": f"b = {value}"}
    app = opened(
        "session_curves", {**numbers, **dict.fromkeys(("top", "length", "w3", "b"), value)}
    )
    assert not app.exception
    assert app.session_state["opened"].definition == DEFAULT
    assert app.session_state["opened"].filters == Filters()


def test_the_address_of_the_page_words_opens_overview_and_names_the_glossary() -> None:
    for gone, is_said in (("words", True), ("other", False), ("", False)):
        app = opened("overview", {"gone": gone} if gone else {})
        assert first_line(app).startswith("120 sessions")
        assert any("/glossary.html" in each.value for each in app.info) == is_said
