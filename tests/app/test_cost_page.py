"""The page of cost: what it opens on, its choices in the link, costs of whole sessions alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcg_explorer.questions.cost import words
from sdcg_explorer.questions.cost.numbers import cost, cost_points
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen.library import load_study
from tests.support.costly import FILES, SHORT_LOG
from tests.support.screen import (
    Params,
    charts,
    first_line,
    lines_of,
    opened,
    slider_of,
    small_print,
)
from tests.support.studies import at_hand
from tests.support.uploads import accepted

if TYPE_CHECKING:
    from pathlib import Path

    from streamlit.testing.v1 import AppTest

ALL = Filters()


def titles(app: AppTest) -> list[str]:
    return [title.value for title in app.title]


def test_agents_are_asked_what_it_cost_and_the_link_says_by_what(folder: Path) -> None:
    digest = accepted(FILES).query_params["study"]
    app = opened("cost", {"study": digest, "cost": "tokens (of queries)", "reached": "gain"})
    assert titles(app) == ["What did it cost?"]
    study = load_study(digest)
    shown = cost(study, Definition(), ALL, spent="tokens (of queries)")
    assert first_line(app) == words.answer(shown, "raw")
    (of_a,) = (own for own in shown.curves if own.system == "A")
    assert lines_of(app, "Gain by cost.")["A"] == of_a.raw.mean.tolist()
    (said,) = (line for line in small_print(app.main) if line.startswith("**Cost:** "))
    assert "Gain per 1,000 tokens is sDCG" in said
    app.main.selectbox(key="cost").set_value("money").run()
    assert app.query_params["cost"] == "money"
    points = cost_points(study, Definition(), ALL, spent="money")
    assert first_line(app) == words.of_points(points, bare=True)
    assert [alt.partition(".")[0] for alt in charts(app)] == ["Cost of each session"]
    assert any("whole sessions only" in each.value for each in app.main.markdown)
    slider_of(app, "b").set_value(5.0).run()
    again = cost_points(study, Definition(b=5.0), ALL, spent="money", score="final_normalised")
    assert lines_of(app, "Cost of each session.")["A"] == (
        again.points.loc[again.points["system"] == "A", "score"].tolist()
    )
    app.main.selectbox(key="score").set_value("outcome: right").run()
    assert first_line(app).startswith("Spearman's ρ of outcome and money is ")
    assert sorted(lines_of(app, "Cost of each session.")["A"]) == [0, 1]


def test_searchers_are_and_times_to_the_end_are_the_usual_cost(folder: Path) -> None:
    digest = accepted({"log.csv": SHORT_LOG, **FILES_OF_GRADES}).query_params["study"]
    app = opened("cost", {"study": digest})
    assert titles(app) == ["What did it cost the searcher?"]
    assert app.main.selectbox(key="cost").value == "seconds"
    assert first_line(app).startswith("After 60 seconds, A has gained ")
    assert "cost" not in app.query_params


FILES_OF_GRADES = {"judgments.csv": FILES["judgments.csv"]}


def test_axis_goes_on_to_the_costliest_session_if_it_is_asked_to(own_samples: None) -> None:
    study = at_hand("ECIR 2008 (reconstructed)")
    usual = lines_of(opened("cost"), "Gain by cost.")
    assert len(usual["System 2"]) == 7
    assert "System 2, 95 % interval" in usual
    link: Params = {"every": "true", "cost_bands": "false"}
    every = lines_of(opened("cost", link), "Gain by cost.")
    assert "System 2, 95 % interval" not in every
    shown = cost(study, Definition(), ALL, every=True)
    last = [own.raw.mean[-1] for own in shown.curves]
    few = [values[-1] for name, values in every.items() if name.endswith(", few sessions")]
    assert few == last
