"""The page of fits: a click takes one as the definition, sliders move the line in force."""

from __future__ import annotations

import pytest

from tests.support.screen import definition_in_force, lines_of, opened, slider_of

TAKE = "Use this fit as the definition"
NOTED = "b = 3.55 and bq = 1.29 fitted to ECIR 2008 (reconstructed) (120 sessions)"


def test_a_click_takes_a_fit_and_the_page_says_from_which_study() -> None:
    app = opened("fit")
    (own,) = [each for each in app.main.button if each.label == TAKE]  # sRBP is the nearest
    own.click().run()
    assert not app.exception
    assert app.query_params["measures"] == "srbp"
    assert "also sRBP (b = " in definition_in_force(app)
    before = lines_of(app, "Examined results.")
    app.main.selectbox(key="model").set_value("sdcg_kanoulas2011").run()
    assert NOTED not in definition_in_force(app)
    app.main.button(key="take_fit").click().run()
    assert not app.exception
    link = {name: app.query_params[name] for name in ("b", "bq", "discount", "model")}
    taken = {"b": "3.55", "bq": "1.29", "discount": "kanoulas2011"}
    assert link == {**taken, "model": "sdcg_kanoulas2011"}
    assert "discount by rank 1/log_3.55(r + 2.55)" in definition_in_force(app)
    assert NOTED in definition_in_force(app)
    assert app.main.button(key="take_fit").disabled
    now = lines_of(app, "Examined results.")
    assert now["examined"] == before["examined"]
    assert now["in force"][:9] == pytest.approx(now["sDCG kanoulas2011"][:9], rel=0.02)
    slider_of(app, "b").set_value(5.0).run()
    moved = lines_of(app, "Examined results.")
    assert moved["in force"] != now["in force"]
    assert moved["sDCG kanoulas2011"] == pytest.approx(now["sDCG kanoulas2011"], nan_ok=True)
    assert NOTED not in definition_in_force(app)


def test_every_page_says_to_which_study_a_definition_was_fitted_until_it_is_moved() -> None:
    app = opened("fit", {"model": "sdcg_kanoulas2011"})
    app.main.button(key="take_fit").click().run()
    assert not app.exception
    assert NOTED in definition_in_force(app)
    link = {name: app.query_params[name] for name in ("b", "bq", "discount", "fitted_to")}
    elsewhere = opened("session_curves", link)
    assert NOTED in definition_in_force(elsewhere)
    slider_of(elsewhere, "bq").set_value(5.0).run()
    assert NOTED not in definition_in_force(elsewhere)
    assert "fitted_to" not in elsewhere.query_params
