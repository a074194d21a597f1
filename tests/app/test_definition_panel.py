"""The definition's panel: presets and the way back, and a line of words with a source each."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from sdcg_explorer.metrics import FORMS
from streamlit.testing.v1 import AppTest

from sdcg_explorer.scoring.definition import AUTHORS
from tests.app.test_pages import on_sample
from tests.support.screen import (
    Params,
    definition_in_force,
    opened,
    slider_of,
    small_print,
    without_escapes,
)

pytestmark = pytest.mark.usefixtures("own_samples")
NONE = "no published source"
S08, JK02 = "Järvelin et al. 2008", "Järvelin & Kekäläinen 2002"
B05, DD = "Burges et al. 2005", "TREC Dynamic Domain"
# the source of each option as docs/methods.md names it (but not for condense and pooled)
SOURCES = {
    "discount": {name: AUTHORS[form.reference] for name, form in FORMS.items()},
    "repeats": {"every": S08, "first": DD},
    "ideal": {"repeated": S08, "spread": DD},
    "unjudged": {"zero": S08, "condense": "Sakai 2007"},
    "after_stop": {"hold": S08, "ideal-continues": NONE},
    "average": {"mean-of-ratios": S08, "ratio-of-means": S08},
    "others": {"pooled": S08, "per-session": NONE},
    "grades": {"judgments": S08, "searcher": S08, "behaviour": "Fox et al. 2005"},
    "short": {"pad": S08, "as-is": NONE, "observed": NONE, "at least": NONE},
}
WEIGHTS: dict[str, tuple[Params, str]] = {
    "paper": ({}, f"Gains 0, 1, 10, 100: ten times for each grade. ({S08}, §3.1)"),
    "linear": ({"w2": "2", "w3": "3"}, f"Gain is the grade. ({JK02})"),
    "exponential": (
        {"w2": "3", "w3": "7"},
        f"Gain is 2^grade − 1. ({B05})",
    ),
    "binary": ({"w2": "1", "w3": "1"}, f"Gain 1 for grades of 1 or more. ({JK02}, liberal)"),
    "strict": (
        {"w1": "0", "w2": "0", "w3": "1"},
        f"Gain 1 for the highest grade only. ({JK02}, strict)",
    ),
    "custom": ({"w2": "11"}, f"Gains of your own. ({NONE})"),
}


def more_choices(app: AppTest) -> Any:
    """The fold of the definition, beneath that of the filters."""
    fold, filters = app.sidebar.expander
    assert filters.label.startswith("More filters")
    assert fold.label == "More choices"
    return fold


def line_under(app: AppTest, key: str) -> str:
    """The small print right beneath a control, wherever in the sidebar it stands."""
    definition = app.sidebar.children[0]
    fold = more_choices(app).children
    held = [part.children for part in fold.values() if part.type == "flex_container"]
    for row in (definition.children, fold, *held):
        parts = list(row.values())
        for part, beneath in zip(parts, [*parts[1:], None], strict=True):
            row_of = part.children.values() if part.type == "flex_container" else ()
            inner = [part, *row_of]
            if any(getattr(each, "key", None) == key for each in inner):
                said = without_escapes(str(getattr(beneath, "value", ""))).split("\n\n")
                return next((text[7:-1] for text in said if text.startswith(":small[")), "")
    raise AssertionError(f"no control {key}")


def control(app: AppTest, key: str) -> Any:
    kinds = ("select_slider", "number_input", "checkbox", "selectbox")
    return next(each for kind in kinds for each in getattr(app.sidebar, kind) if each.key == key)


def ways_back(app: AppTest) -> list[Any]:
    """The button that leads back to a preset, where one was changed."""
    buttons = [each for each in app.sidebar.button if each.label.startswith("Back to")]
    assert len(buttons) == 1  # it keeps its place
    return [button for button in buttons if not button.disabled]


@pytest.mark.parametrize("place", range(4))
def test_every_option_has_words_and_a_source(place: int) -> None:
    chosen = {
        name: list(options)[place] for name, options in SOURCES.items() if len(options) > place
    }
    app = opened("query_order", {**chosen})
    for name, option in chosen.items():
        line = line_under(app, name)
        words, _, source = line.removesuffix(")").rpartition(" (")
        assert len(words.split()) >= 4, name
        assert source.partition(", ")[0] == SOURCES[name][option], name
        assert words[0].isupper() or words[0].isdigit(), name
        assert words.endswith("."), name


def test_options_offered_are_those_with_a_source() -> None:
    app = opened("query_order")
    boxes = {box.key: box.options for box in more_choices(app).selectbox}
    assert boxes == {name: list(options) for name, options in SOURCES.items()}


@pytest.mark.parametrize("scheme", list(WEIGHTS))
def test_weights_are_named_with_their_source(scheme: str) -> None:
    link, line = WEIGHTS[scheme]
    app = opened("query_order", link)
    assert small_print(more_choices(app)).count(line) == 1
    others = {other for _, other in WEIGHTS.values()} - {line}
    assert not others & set(small_print(app.sidebar))


@pytest.mark.parametrize("key", ["b", "bq"])
def test_bases_and_top_have_words_and_a_source(key: str) -> None:
    app = opened("query_order")
    about = app.sidebar.number_input(key="top").help
    for line in (line_under(app, key), about):
        assert line.partition(" (")[2].startswith(S08)


def test_everyday_controls_are_in_sight_and_the_rest_in_one_fold() -> None:
    app = opened("query_order")
    fold = more_choices(app)
    assert [slider.key for slider in app.sidebar.select_slider] == [
        *("b_slider", "bq_slider", "w0_slider", "w1_slider", "w2_slider", "w3_slider")
    ]
    assert not fold.select_slider
    assert {"top"} == {n.key for n in app.sidebar.number_input} - {
        *("min_queries", "max_queries"),
        *(n.key for n in fold.number_input),
    }


def test_gains_out_of_the_grades_order_are_shown() -> None:
    said = "Gains don't follow the grades: grade 2 gains 0.5, grade 1 gains 1."
    app = opened("query_order", {"w2": "0.5"})
    assert "2 → 0.5" in definition_in_force(app)
    assert said in small_print(app.sidebar)
    assert f":material/info: {said}" in small_print(app.main)
    level = opened("query_order", {"w2": "1"})
    assert not any("order: grade" in text for text in small_print(level))


@pytest.mark.parametrize("preset", ["session-track"])
def test_way_back_leads_to_the_preset_that_was_changed(preset: str) -> None:
    name, gains, *_ = PRESETS[preset]
    app = opened("query_order")
    app.sidebar.selectbox(key="preset").set_value(preset).run()
    slider_of(app, "bq").set_value(5.0).run()
    slider_of(app, "w3").set_value(9.0).run()
    (back,) = ways_back(app)
    assert without_escapes(back.help) == f"{name}, changed: weights, bq"
    assert without_escapes(back.label) == f"Back to {name}"
    back.click().run()
    assert definition_in_force(app).startswith(f"{name}. ")
    assert slider_of(app, "w3").value == gains[3]


PRESETS = {
    "ecir2008": ("ECIR 2008", (0, 1, 10, 100), "ecir2008", "every", "repeated"),
    "session-track": (
        "Session track (Kanoulas)", (0, 1, 3, 7), "kanoulas2011", "every", "repeated",
    ),
    "dynamic-domain": ("Dynamic Domain", (0, 1, 2, 3), "ecir2008", "first", "spread"),
    "agents": ("Search agents", (0, 1, 2, 3), "ecir2008", "first", "spread"),
    "linear": ("plain linear", (0, 1, 2, 3), "ecir2008", "every", "repeated"),
}  # fmt: skip


@pytest.mark.parametrize("preset", ["session-track", "agents"])
def test_preset_sets_the_widgets_and_names_itself(preset: str) -> None:
    name, gains, *choices = PRESETS[preset]
    app = on_sample("query_order", "ecir2008", {"b": "7", "w2": "33", "top": "3", "bq_off": "true"})
    assert app.sidebar.selectbox(key="preset").value is None
    app.sidebar.selectbox(key="preset").set_value(preset).run()
    b, bq = (inf, 10.0) if preset == "agents" else (2.0, 4.0)
    side = app.sidebar
    assert [side.number_input(key=key).value for key in ("b", "bq", "top")] == [2.0, bq, 10]
    assert [slider_of(app, name).value for name in ("b", "bq")] == [b, bq]
    assert [side.checkbox(key=f"{key}_off").value for key in ("b", "bq")] == [b == inf, False]
    assert tuple(side.number_input(key=f"w{grade}").value for grade in range(4)) == gains
    assert tuple(slider_of(app, f"w{grade}").value for grade in range(4)) == gains
    assert [side.selectbox(key=k).value for k in ("discount", "repeats", "ideal")] == choices
    assert side.selectbox(key="preset").value == preset
    assert definition_in_force(app).startswith(f"{name}. Gain by grade")
