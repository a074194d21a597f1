"""Individual sessions: choosing one by list, name and key, and what is drawn of many."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.screen import charts, opened

pytestmark = pytest.mark.usefixtures("own_samples")


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


def test_link_opens_the_query_that_was_looked_at() -> None:
    for number, shown in (("2", 2), ("99", 1), ("x", 1)):
        app = opened("individual_sessions", {"session": "S114", "query_on_top": number})
        assert app.main.dataframe[2].proto.alt == f"Results of query {shown} of session S114"


def test_a_session_that_the_filter_leaves_out_is_no_longer_on_top() -> None:
    app = opened("individual_sessions", {"session": "S066"})
    app = app.main.selectbox(key="one_topic").set_value("B").run()
    assert not app.exception
    assert inspected(app) == []
