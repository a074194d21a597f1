"""Individual sessions: the wall, its filters and groups, and the sessions that are looked into."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.support import screen, uploads

pytestmark = pytest.mark.usefixtures("own_samples")
WALL = "Sessions and queries"
INSPECTED = (
    *("Queries of session {}", "Results of query 1 of session {}"),
    *("What queries of session {} brought", "Relevant documents in no top 10 of session {}"),
)


def listed(app: AppTest) -> Any:
    """The wall as a table."""
    return next(t.value for t in app.main.dataframe if t.proto.alt.startswith(f"{WALL}. "))


def names(app: AppTest) -> list[str]:
    return listed(app)["session"].tolist()


def test_next_and_previous_go_through_the_list_and_around() -> None:
    app = screen.opened("individual_sessions")
    listed_names = [str(name) for name in app.main.selectbox(key="session").options]
    assert screen.headings(app) == []
    for label, place in (("Next", 0), ("Next", 1), ("Previous", 0), ("Previous", -1)):
        app = uploads.pressed(app, label)
        assert screen.headings(app) == [listed_names[place]]
    assert app.query_params["session"] == listed_names[-1]
    at = names(app).index(listed_names[-1])
    assert app.session_state["wall"]["selection"]["rows"] == [at]
    app = app.main.selectbox(key="order").set_value("log").run()
    at = names(app).index(listed_names[-1])
    assert app.session_state["wall"]["selection"]["rows"] == [at]
    app = app.main.selectbox(key="one_topic").set_value("B").run()
    assert screen.headings(app) == []  # the filter leaves it out


def test_two_sessions_stand_side_by_side_with_the_query_of_the_link() -> None:
    link: screen.Params = {"session": "S066", "beside_session": "S114", "query_beside": "99"}
    app = screen.opened("individual_sessions", link)
    assert screen.headings(app) == ["S066", "S114"]
    drawn = [alt for alt in screen.charts(app) if alt.startswith("Session ")]
    assert drawn == ["Session S066", "Session S114"]
    tables = [table.proto.alt.partition(".")[0] for table in app.main.dataframe]
    both = [words.format(name) for name in ("S066", "S114") for words in INSPECTED]
    assert tables == [WALL, *both]
    app = screen.opened("individual_sessions", {"session": "S114", "query_on_top": "2"})
    assert app.main.dataframe[2].proto.alt == "Results of query 2 of session S114"


def test_a_filter_leaves_the_same_sessions_on_wall_curves_and_list() -> None:
    app = screen.opened("individual_sessions")
    assert len(names(app)) == 120
    queries = [f"Q{number}" for number in range(1, 12)]
    assert [*listed(app).columns[:14]] == ["session", "final", *queries, "end"]
    assert "8 sessions continue beyond the axis." in screen.small_print(app.main)
    app = uploads.pressed(app, "Show all 11 queries")
    assert app.main.number_input(key="axis").value == 11
    (curves,) = screen.charts(app).values()
    quits = next(t for t in curves["data"] if t["name"] == "end of the session")
    assert len(quits["customdata"]) == 120
    app = app.main.pills(key="only").set_value("gave up after a first success").run()
    (row,) = listed(app).itertuples()
    assert (row.session, row.end, row.system) == ("S034", "stopped without gain", "System 2")
    assert (round(row.final, 1), round(row.Q1), row.Q2) == (74.1, 74, 0)
    assert screen.first_line(app) == (
        "With “gave up after a first success”: 0 of 1 session with several queries gained nothing "
        "before the last query; final sDCG is 74.1."
    )
    shown = [screen.without_escapes(text) for text in screen.paragraphs(app)]
    ended = "How they ended: 0 found and stopped, 0 still gaining, 1 stopped without gain, "
    assert any(text.startswith(ended) for text in shown)
    (fell,) = [text for text in shown if "Where sessions fell behind" in text]
    assert "The median session misses " in fell
    assert app.main.selectbox(key="session").options == ["S034"]
    (curves,) = screen.charts(app).values()
    assert [t["customdata"] for t in curves["data"] if t.get("customdata")] == [["S034"], ["S034"]]
    app = app.main.selectbox(key="one_topic").set_value("A").run()
    assert not screen.charts(app)
    assert screen.first_line(app) == (
        "No session matches “gave up after a first success”. Choose “all” and clear “Only with” "
        "to see every session."
    )


def test_what_came_along_is_an_order_in_the_list_and_in_the_inspector(folder: object) -> None:
    log = "session,topic,query_number,rank,doc,felt\n"
    rows = [f"s{i},t,{q},1,a,{2 * i + q}\n" for i in range(3) for q in (1, 2)]
    app = uploads.accepted(
        {
            "log.csv": log + "".join(rows),
            "judgments.csv": "topic,doc,grade\nt,a,1\n",
            "ratings.csv": "session,mood *x*,why,Q1\ns0,2,bored,1\ns1,,,2\ns2,5,,3\n",
        }
    )
    link = {"study": app.query_params["study"], "order": "rating: mood *x*", "session": "s0"}
    app = screen.opened("individual_sessions", link)
    assert names(app) == ["s2", "s0", "s1"]
    assert listed(app)["mood *x*"].tolist()[:2] == [5.0, 2.0]
    assert listed(app)["Q1 (rating)"].tolist() == [3, 1, 2]  # no column of the wall's own
    assert "**Session data:** mood *x* 2, why bored, Q1 1" in screen.small_print(app.main)


def test_values_narrow_all_and_several_sessions_are_drawn_together_by_the_link() -> None:
    several = ["S073", "S045", "S100"]
    link: screen.Params = {"group": "topic", "where": ["end: found and stopped", "end: gone"]}
    app = screen.opened(
        "individual_sessions", link | {"session": "S066", "beside_session": several}
    )
    assert {*listed(app)["end"]} == {"found and stopped"}
    assert listed(app)["by topic"].is_monotonic_increasing
    (groups,) = [t.value for t in app.main.dataframe if t.proto.alt == "Sessions by topic"]
    assert groups["sessions"].tolist() == listed(app)["by topic"].value_counts(sort=False).tolist()
    (curves,) = [chart for alt, chart in screen.charts(app).items() if alt.startswith("Figure 4.")]
    drawn = [t["name"] for t in curves["data"] if t["name"].startswith("session ")]
    assert drawn == [f"session {name}" for name in ("S066", *several)]
    rows = app.session_state["wall"]["selection"]["rows"]
    assert {names(app)[row] for row in rows} == {"S066", *several}
    where = app.main.multiselect(key="where")
    assert f"end: found and stopped ({len(listed(app))})" in where.options
    app = where.set_value([]).run()
    assert len(names(app)) == 120
    assert "where" not in app.query_params
    assert app.query_params["beside_session"] == several
