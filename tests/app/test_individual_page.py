"""Individual sessions: choosing one by list, name and key, and what is drawn of many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.individual_sessions.figure import MOST_LINES, draw_individual_sessions
from sdcg_explorer.questions.individual_sessions.numbers import (
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.large_studies import random_study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.screen import charts, opened

pytestmark = pytest.mark.usefixtures("own_samples")
MANY = 2 * (MOST_LINES + 1)


def sessions_of(study: Study, **choices: Any) -> IndividualSessions:
    definition = Definition(weights="linear", **choices)
    return individual_sessions(study, definition, Filters(), system="A")


def small_study(number: int) -> Study:
    """Sessions with one, two, … queries, each of one document."""
    asked = [[("t", {1: "a"})] * (i + 1) for i in range(number)]
    plain = [PlainSession(f"s{i}", queries) for i, queries in enumerate(asked)]
    return study_of(PlainStudy(plain, {("t", "a"): 1.0}))


def inspected(app: AppTest) -> list[str]:
    """Sessions that are looked into, by their headings."""
    return [heading.value.split(",")[0].replace("\\", "") for heading in app.main.subheader]


WALL = "Sessions and queries"
INSPECTED = (
    *("Queries of session {}", "Results of query 1 of session {}"),
    *("What queries of session {} brought", "Relevant documents that session {} never showed"),
)


def button(app: AppTest, label: str) -> Any:
    (found,) = [each for each in app.main.button if each.label == label]
    return found


def test_next_and_previous_go_through_the_list_and_around() -> None:
    app = opened("individual_sessions")
    names = [str(name) for name in app.main.selectbox(key="session").options]
    assert inspected(app) == []
    app = button(app, "Next").click().run()
    assert inspected(app) == [names[0]]
    app = button(app, "Next").click().run()
    assert inspected(app) == [names[1]]
    app = button(app, "Previous").click().run()
    app = button(app, "Previous").click().run()
    assert inspected(app) == [names[-1]]
    assert app.query_params["session"] == names[-1]


def test_two_sessions_stand_side_by_side() -> None:
    app = opened("individual_sessions", {"session": "S066", "beside_session": "S114"})
    assert inspected(app) == ["S066", "S114"]
    assert [alt for alt in charts(app) if alt.startswith("Session ")] == [
        "Session S066",
        "Session S114",
    ]
    names = [table.proto.alt.partition(".")[0] for table in app.main.dataframe]
    assert names == [
        WALL,
        *(words.format(name) for name in ("S066", "S114") for words in INSPECTED),
    ]


def test_another_query_shows_its_list() -> None:
    app = opened("individual_sessions", {"session": "S114"})
    before = app.main.dataframe[2].value
    app = app.main.selectbox(key="query_on_top").set_value(2).run()
    assert app.main.dataframe[2].proto.alt == "Results of query 2 of session S114"
    assert app.main.dataframe[2].value["doc"].tolist() != before["doc"].tolist()


def test_link_opens_the_query_that_was_looked_at() -> None:
    for number, shown in (("2", 2), ("99", 1), ("x", 1)):
        app = opened("individual_sessions", {"session": "S114", "query_on_top": number})
        assert app.main.dataframe[2].proto.alt == f"Results of query {shown} of session S114"


def test_a_session_that_the_filter_leaves_out_is_no_longer_on_top() -> None:
    app = opened("individual_sessions", {"session": "S066"})
    app = app.main.selectbox(key="one_topic").set_value("B").run()
    assert not app.exception
    assert inspected(app) == []


def test_marks_stand_at_the_ends_of_sessions_and_of_their_queries() -> None:
    sessions = sessions_of(small_study(3), short_lists="as-is")
    figure: Any = draw_individual_sessions(sessions, ("A",), length=6)
    ends = dict(zip(figure.data[1].text, figure.data[1].x, strict=True))
    assert ends == {"s0": 1, "s1": 2, "s2": 3}
    steps = sorted(zip(figure.data[2].text, figure.data[2].x.tolist(), strict=True))
    assert steps == [("s1", 1), ("s2", 1), ("s2", 2)]
    assert figure.data[0].customdata is None


def test_many_sessions_are_bands_with_the_chosen_ones_on_top() -> None:
    sessions = sessions_of(random_study(MANY))
    assert len(sessions.names) == MOST_LINES + 1
    one, two = sessions.names[0], sessions.names[7]
    figure: Any = draw_individual_sessions(sessions, ("A", "B"), chosen=[one, two], length=6)
    assert [trace.name for trace in figure.data] == [
        *("80 % of the sessions", "half of the sessions", "A, median"),
        *(f"session {one}", f"session {two}"),
    ]
    drawn = sessions.vectors[:, :60]
    assert figure.data[2].y.tolist() == np.median(drawn, axis=0).tolist()
    assert figure.data[0].y[:60].tolist() == np.quantile(drawn, 0.9, axis=0).tolist()
    assert figure.data[4].y.tolist() == drawn[7].tolist()
    assert figure.data[3].marker.symbol != figure.data[4].marker.symbol
    assert not figure.layout.annotations  # bands are named by a legend alone
    assert figure.layout.showlegend


def test_list_holds_scores_and_a_small_curve_of_each_session() -> None:
    listed = sessions_of(small_study(3)).listed()
    assert listed["session"].tolist() == ["s2", "s1", "s0"]
    # D = 1, 1/1.5, 1/(1 + log4 3) = .558
    assert listed["curve"].tolist() == [[1, 1.667, 2.225], [1, 1.667, 1.667], [1, 1, 1]]
