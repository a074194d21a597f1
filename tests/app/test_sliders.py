"""The panel's sliders stand at the numbers in force, whatever these came from."""

from __future__ import annotations

import math

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.screen import Params, definition_in_force, opened, slider_of

pytestmark = pytest.mark.usefixtures("own_samples")
# links, and where the sliders stand that they don't name alike
IN_FORCE: list[tuple[Params, dict[str, float]]] = [
    ({"b": "1.001", "bq": "100", "w2": "2.5", "w3": "5000"}, {"w0": 0, "w2": 2.5, "w3": 5000}),
    ({"b": "3.19", "bq": "999.999", "w1": "1e100"}, {"w1": 1e100, "w2": 10}),
    ({"b": "2.718281828459045", "bq": "7", "bq_off": "true"}, {"bq": math.inf}),
    ({"b": "2.0000000001", "bq": "1.07"}, {}),
]


def passed(app: AppTest, name: str) -> list[float]:
    """What a slider passes, from one end to the other, as it is written beside its thumb."""
    return [float(each.replace("∞", "inf")) for each in slider_of(app, name).options]


@pytest.mark.parametrize(("link", "expected"), IN_FORCE)
def test_a_slider_stands_at_the_number_in_force(link: Params, expected: dict[str, float]) -> None:
    app = opened("query_order", link)
    expected = {name: float(str(link[name])) for name in ("b", "bq")} | expected
    for name, number in expected.items():
        slider, numbers = slider_of(app, name), passed(app, name)
        assert (slider.value, numbers[int(slider.proto.default[0])]) == (number, number)
        assert numbers == sorted({*numbers})
    slider_of(app, "b").set_value(5.0).run()
    slider_of(app, "w2").set_value(33.0).run()
    assert [slider_of(app, name).value for name in ("b", "w2")] == [5.0, 33.0]
    assert {"b": "5.0", "w2": "33.0"}.items() <= app.query_params.items()
    app.sidebar.number_input(key="b").set_value(5.05).run()
    assert slider_of(app, "b").value == 5.05


def test_the_end_of_a_slider_turns_a_discount_off_and_back() -> None:
    app = opened("query_order", {"b": "3"})
    slider_of(app, "b").set_value(math.inf).run()
    assert app.sidebar.checkbox(key="b_off").value
    assert "no discount by rank" in definition_in_force(app)
    assert ("b" in app.query_params, app.query_params["b_off"]) == (False, "true")
    app.sidebar.checkbox(key="b_off").set_value(False).run()
    assert slider_of(app, "b").value == 2
    app.sidebar.checkbox(key="b_off").set_value(True).run()
    assert slider_of(app, "b").value == math.inf
    slider_of(app, "b").set_value(8.0).run()
    assert "1/(1 + log_8 r)" in definition_in_force(app)
    assert "b_off" not in app.query_params
