"""Judging a document where a session is looked into: counted at once, taken back by a click."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen.library import fixed, load_study, store
from sdcg_explorer.study import store as kept_in
from sdcg_explorer.study.own_judgments import Layer, layer_name
from tests.support.kept import another_writer
from tests.support.screen import Params, Serve, definition_in_force, opened, without_escapes
from tests.support.uploads import picked, pressed, sample, texts, upload

NAME = next(study.name for study in sample_studies() if "toy" in study.name)
TOYS: Params = {"system": "all systems", "one_topic": "all topics", "session": "T-2"}
THING = ("topic 2", "u1")


def toys(query: str = "2") -> AppTest:
    """A window that looks into a query of a toy session, which shows u1."""
    app = opened("individual_sessions", {**TOYS, "study": sample(NAME), "query_on_top": query})
    assert not app.exception
    return app


def grades(app: AppTest, doc: str = "u1") -> Any:
    return app.main.pills(key=f"grade of topic 2, {doc}")


def contributions(app: AppTest) -> list[float]:
    (table,) = [e.value for e in app.main.dataframe if e.proto.alt.startswith("Results of query 2")]
    return table["gain"].tolist()


def test_a_document_is_judged_counted_and_taken_back(folder: Path) -> None:
    app = toys()
    assert (grades(app).options, grades(app).value) == (["0", "1", "2", "3"], None)
    assert contributions(app)[2] == 0
    before = definition_in_force(app)
    app = grades(app).set_value("3").run()
    layer: Layer = {THING: 3.0}
    assert (store().layer(sample(NAME)), grades(app).value) == (layer, "3")
    assert contributions(app)[2] == 100
    named = f" Includes 1 judgment of your own (layer {layer_name(layer)})."
    assert definition_in_force(app) == before + named
    assert app.main.pills(key="own_judgments").value == ["topic 2 · u1: 3"]
    assert load_study(sample(NAME)).digest != fixed()[sample(NAME)].digest
    assert fixed()[sample(NAME)].layer == {}
    compared = opened("overview", {"study": sample(NAME)})
    assert any(named.strip() in text for text in texts(compared))
    app = app.main.pills(key="own_judgments").set_value([]).run()
    assert (store().layer(sample(NAME)), contributions(app)[2]) == ({}, 0)
    assert definition_in_force(app) == before
    app = grades(app).set_value("2").run()
    app = grades(app).set_value(None).run()
    assert (store().layer(sample(NAME)), definition_in_force(app)) == ({}, before)


def test_what_is_judged_already_is_no_choice(folder: Path) -> None:
    assert toys().main.selectbox(key="judging T-2, 2").options == ["u1"]
    assert not [each for each in toys("1").main.selectbox if "judging" in str(each.key)]


def test_judgment_that_cannot_be_kept_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = grades(toys()).set_value("1").run()
    monkeypatch.setattr(kept_in, "WAIT", 0.01)
    with another_writer(folder):
        app = grades(app).set_value("2").run()
    (error,) = app.error
    assert without_escapes(error.value).startswith("The judgment was not saved: database is locked")
    assert grades(app).value == "1"


@pytest.mark.parametrize("mode", ["shared", "ephemeral"])
def test_where_several_people_are_a_sample_takes_no_judgment(mode: str, serve: Serve) -> None:
    serve(mode)
    assert grades(toys()).disabled


def test_zip_with_own_judgments_lays_them_over_the_study_again(folder: Path) -> None:
    study = fixed()[sample(NAME)].with_added_judgments({THING: 3.0})
    app = upload({"toys.zip": study_zip(study, Definition(), Filters())})
    assert picked(pressed(app, "Accept and open")) == sample(NAME)
    assert store().layer(sample(NAME)) == {THING: 3.0}
    assert grades(toys()).value == "3"
