"""The wall on Individual sessions: what it shows, what its filters leave, and what came along."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from sdcg_explorer.questions.individual_sessions.numbers import ALL, LAST_ONLY, NOTHING
from sdcg_explorer.questions.wording import short
from sdcg_explorer.screen import library as kept
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.screen import (
    Params,
    charts,
    first_line,
    opened,
    paragraphs,
    small_print,
    without_escapes,
)

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("own_samples")


def listed(app: AppTest) -> Any:
    """The wall as a table; none where no session is left."""
    tables = [
        t.value for t in app.main.dataframe if t.proto.alt.startswith("Sessions and queries. ")
    ]
    return tables[0] if tables else pd.DataFrame({"session": []})


def names(app: AppTest) -> list[str]:
    return listed(app)["session"].tolist()


def test_a_filter_leaves_the_same_sessions_on_wall_curves_and_list() -> None:
    app = opened("individual_sessions")
    assert len(names(app)) == 120
    queries = [f"Q{number}" for number in range(1, 12)]
    assert [*listed(app).columns[:14]] == ["session", "final", *queries, "end"]
    assert any(
        "16 gained nothing at all, 1 gave up after" in without_escapes(body.value)
        for body in app.main.markdown
    )
    app = app.main.pills(key="only").set_value("gave up after a first success").run()
    (row,) = listed(app).itertuples()
    assert (row.session, row.end, row.system) == ("S034", "stopped without gain", "System 2")
    assert (round(row.final, 1), round(row.Q1), row.Q2) == (74.1, 74, 0)
    one = "The 1 session that gave up after a first success ended after 2 queries, with a final "
    assert first_line(app) == f"{one}sDCG of 74.1."
    shown = [without_escapes(text) for text in paragraphs(app)]
    assert "How they ended: 1 stopped without gain." in shown
    assert app.main.selectbox(key="session").options == ["S034"]
    (curves,) = charts(app).values()
    assert [t["customdata"] for t in curves["data"] if t.get("customdata")] == [["S034"], ["S034"]]
    app = app.main.selectbox(key="one_topic").set_value("A").run()
    assert names(app) == []
    assert not charts(app)
    assert first_line(app) == (
        "No session matches “gave up after a first success”. Choose “all” to see every session."
    )


@pytest.mark.parametrize("only", [ALL, NOTHING, LAST_ONLY])
def test_the_answer_speaks_of_the_sessions_on_the_wall(only: str) -> None:
    app = opened("individual_sessions", {"only": only})
    table = listed(app)
    said, worth = first_line(app), table["final"]
    ends = [short(end) for end in (worth.min(), worth.max())]
    between = f"of {ends[0]}" if ends[0] == ends[1] else f"of {ends[0]} to {ends[1]}"
    between = f"from {ends[0]} to {ends[1]}" if only == ALL else between
    assert between in said or worth.max() == 0
    asked = f"ended after {table['queries'].min()} to {table['queries'].max()} queries"
    assert only == ALL or (asked in said and said.startswith(f"The {len(table)} sessions "))
    (ends,) = [text for text in map(without_escapes, paragraphs(app)) if "How they ended" in text]
    assert sum(int(n) for n in re.findall(r"(\d+) (?:found|stopped)", ends)) == len(table)


def test_the_axis_says_what_goes_on_beyond_it_and_shows_all() -> None:
    app = opened("individual_sessions")
    assert "8 sessions continue beyond the axis." in small_print(app.main)
    (button,) = [each for each in app.main.button if each.label == "Show all 11 queries"]
    app = button.click().run()
    assert app.main.number_input(key="axis").value == 11
    assert not [each for each in app.main.button if each.label.startswith("Show all")]
    (curves,) = charts(app).values()
    quits = next(t for t in curves["data"] if t["name"] == "end of the session")
    assert len(quits["customdata"]) == 120


def test_what_came_along_is_an_order_in_the_list_and_in_the_inspector(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = [PlainSession(f"s{i}", [("t", {1: "a"})] * 2, "A") for i in range(3)]
    made = study_of(PlainStudy(plain, {("t", "a"): 1.0}))
    rated = made.sessions.assign(
        **{"mood *x*": [2.0, None, 5.0], "why": ["bored", "", ""], "Q1": [1, 2, 3]}
    )
    felt = made.queries.assign(felt=range(6))
    study = replace(made, sessions=rated, queries=felt)
    monkeypatch.setattr(kept, "fixed", lambda: {study.digest[: kept.SHORT]: study})
    link: Params = {
        "study": study.digest[: kept.SHORT],
        "order": "rating: mood *x*",
        "session": "s0",
    }
    app = opened("individual_sessions", link)
    assert names(app) == ["s2", "s0", "s1"]
    assert listed(app)["mood *x*"].tolist()[:2] == [5.0, 2.0]
    assert listed(app)["Q1 (rating)"].tolist() == [3, 1, 2]  # no column of the wall's own
    assert "**Session data:** mood *x* 2, why bored, Q1 1" in small_print(app.main)
    assert app.main.dataframe[1].value["felt"].tolist() == [0, 1]


def test_the_row_of_the_session_on_top_is_chosen() -> None:
    app = opened("individual_sessions", {"session": "S045"})
    at = names(app).index("S045")
    assert app.session_state["wall"]["selection"]["rows"] == [at]
    app = app.main.selectbox(key="order").set_value("log").run()
    assert app.session_state["wall"]["selection"]["rows"] == [names(app).index("S045")]


def test_values_narrow_all_and_several_sessions_are_drawn_together_by_the_link() -> None:
    several = ["S073", "S045", "S100"]
    link: Params = {"group": "topic", "where": ["end: found and stopped", "end: gone"]}
    app = opened("individual_sessions", link | {"session": "S066", "beside_session": several})
    assert {*listed(app)["end"]} == {"found and stopped"}
    assert listed(app)["by topic"].is_monotonic_increasing
    (groups,) = [t.value for t in app.main.dataframe if t.proto.alt == "Sessions by topic"]
    assert groups["sessions"].tolist() == listed(app)["by topic"].value_counts(sort=False).tolist()
    (curves,) = [chart for alt, chart in charts(app).items() if alt.startswith("Figure 4.")]
    drawn = [t["name"] for t in curves["data"] if t["name"].startswith("session ")]
    assert drawn == [f"session {name}" for name in ("S066", *several)]
    rows = app.session_state["wall"]["selection"]["rows"]
    assert {names(app)[row] for row in rows} == {"S066", *several}
    where = app.main.multiselect(key="where")
    assert f"end: found and stopped ({len(listed(app))})" in where.options
    app = where.set_value([]).run()
    assert not app.exception
    assert len(names(app)) == 120
    assert "where" not in app.query_params
    assert app.query_params["beside_session"] == several
