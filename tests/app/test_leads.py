"""Links on Overview that set a view: what each opens, and that nothing chosen before stays."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from sdcg_explorer.questions.overview import leads
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import DEFAULT
from sdcg_explorer.screen import keys
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.screen import Params, first_line, opened
from tests.support.three_documents import ALL

pytestmark = pytest.mark.usefixtures("own_samples")


def says(words: str, params: Params | None = None) -> tuple[str, Params]:
    """The page of a lead, and what its link says."""
    app = opened("overview", params)
    (lead,) = [each for each in app.main.get("page_link") if each.proto.label.startswith(words)]
    query: Params = {**parse_qs(lead.proto.query_string)}
    return lead.proto.page, query


def test_a_lead_turns_b_and_keeps_the_curves_and_the_filters_in_force() -> None:
    page, query = says("See what b does: try b = 10", {"bq": "7", "topics": ["A", "B"]})
    assert page == "session_curves"
    app = opened(page, query)
    now = app.session_state[keys.OPENED]
    assert (now.definition.b, now.definition.bq, now.filters.topics) == (10, 7, ("A", "B"))
    assert (now.kept.b, now.kept.bq) == (2, 7)
    assert keys.SEE not in app.query_params


def test_what_was_chosen_before_is_forgotten_as_by_a_link_from_elsewhere() -> None:
    app = opened("session_curves", {"b": "3", "measure": "raw"})
    assert app.session_state[keys.OPENED].definition.b == 3
    app.query_params[keys.SEE] = "1"
    app.query_params["bq"] = "100"
    app.query_params["measure"] = "normalised"
    del app.query_params["b"]
    app = app.run()
    now = app.session_state[keys.OPENED].definition
    assert (now.b, now.bq) == (2, 100)
    assert "of the ideal" in first_line(app)


def test_the_session_that_gained_least_is_opened() -> None:
    page, query = says("See the session that gained least")
    app = opened(page, query)
    (heading,) = app.main.subheader
    assert "sDCG 0" in heading.value


def test_leads_need_what_they_show() -> None:
    once = PlainStudy([PlainSession("s", [("t", {1: "a"})], "A")], {("t", "a"): 1.0})
    words = [lead.words for lead in leads(StudyView(study_of(once), DEFAULT, ALL))]
    assert words == [
        "See who is ahead, as a share of the ideal",
        "See what b does: try b = 10",
        "See the session that gained least",
        "See how a session's number is made",
    ]
    unjudged = PlainStudy([PlainSession("s", [("u", {1: "a"})], "A")], {("t", "a"): 1.0})
    assert leads(StudyView(study_of(unjudged), DEFAULT, ALL)) == []
