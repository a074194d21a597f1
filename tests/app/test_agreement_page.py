"""The page of ratings: its answer, figures, choices in the link, and the ways to sessions."""

from __future__ import annotations

from pathlib import Path

from sdcg_explorer.questions.ratings import words
from sdcg_explorer.questions.ratings.numbers import RatingChoices, agreement
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.rated import rated_files, rated_study
from tests.support.screen import (
    charts,
    first_line,
    lines_of,
    opened,
    slider_of,
    small_print,
    without_escapes,
)
from tests.support.uploads import accepted


def test_page_without_ratings_says_so_and_leads_to_a_sample_with_invented_ones() -> None:
    app = opened("ratings")
    assert first_line(app) == words.NONE
    assert not charts(app)
    app.main.button(key="sample_beside").click().run()
    assert first_line(app).startswith("Sessions with a higher share of the ideal")
    assert any("Invented data, ratings as well" in small for small in small_print(app.sidebar))


def test_page_answers_draws_and_leads_to_the_sessions_that_disagree(folder: Path) -> None:
    digest = accepted(rated_files()).query_params["study"]
    link = {"study": digest, "rating": "effort", "session_score": "final", "version": "partial"}
    app = opened("ratings", link)
    asked = RatingChoices("effort", "final", version="partial")
    shown = agreement(rated_study(), Definition(), Filters(), asked=asked)
    assert first_line(app) == words.answer(shown)
    alternatives = list(charts(app))
    assert [text.partition(".")[0] for text in alternatives] == ["Agreement", "Map"]
    rows = lines_of(app, "Agreement.")
    assert set(rows) == {
        *("unadjusted", "within searcher and topic", "with the number of queries partialled out")
    }
    assert "Definition in force" in " ".join(small_print(app.main))
    doors = [link.proto for link in app.main.get("page_link")]
    named = {without_escapes(door.label) for door in doors}
    assert named == {words.door(each) for each in shown.disagreements}
    assert {f"session={each.session}" for each in shown.disagreements} == {
        part for door in doors for part in door.query_string.split("&") if "session=" in part
    }
    slider_of(app, "bq").set_value(1.5).run()
    assert first_line(app) == (
        words.answer(agreement(rated_study(), Definition(bq=1.5), Filters(), asked=asked))
    )
    app.main.selectbox(key="rating").set_value("ease (of queries)").run()
    assert not app.exception
    assert app.main.selectbox(key="query_score").value == "sdcg"
    assert first_line(app).startswith("There is no clear relation between sDCG and ease: ")
    app.main.toggle(key="low_is_good").set_value(True).run()
    assert "(low is good)" in first_line(app)
    app = opened("ratings", {"study": digest, "min_queries": "9"})
    assert first_line(app) == (
        "The filters leave no session with satisfaction on a judged topic: widen them."
    )
