"""Two definitions in one figure: curves that are kept, and an axis that stays."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.screen import charts, lines_of, opened, slider_of, small_print

pytestmark = pytest.mark.usefixtures("own_samples")
FIGURES = {"query_order": "Figure 1.", "session_curves": "Session curves.", "by_hand": "By hand."}


def press(app: AppTest, words: str) -> AppTest:
    return next(each for each in app.main.button if each.label == words).click().run()


def kept(app: AppTest, page: str) -> dict[str, list[float]]:
    """Curves that are kept, by the names of those in force."""
    lines = lines_of(app, FIGURES[page])
    return {k.removesuffix(", kept"): v for k, v in lines.items() if k.endswith(", kept")}


@pytest.mark.parametrize("page", FIGURES)
def test_curves_are_kept_in_the_link_until_they_are_taken_away(page: str) -> None:
    app = opened(page, {"b": "3"})
    before = lines_of(app, FIGURES[page])
    assert not kept(app, page)
    press(app, "Keep these curves")
    slider_of(app, "b").set_value(6.0).run()
    still = kept(app, page)
    assert still
    for name, values in still.items():  # of few sessions, a curve goes on as another
        drawn = before["this session, V" if page == "by_hand" else name]
        assert values[: len(drawn)] == drawn
    (words,) = [text for text in small_print(app.main) if text.startswith("**Faint curves, kept")]
    assert words.endswith("b 3 (ECIR 2008, changed: b)")

    link = {name: app.query_params[name] for name in ("b", "kept")}
    again = opened(page, link)
    assert kept(again, page) == still
    press(again, "Remove kept curves")
    assert not kept(again, page)
    assert "kept" not in again.query_params


@pytest.mark.parametrize("link", ["[definition]\nb = 0.5\n", "b = ", "[definition.weights]\n7 = 1"])
def test_what_a_link_keeps_of_no_use_is_left_out(link: str) -> None:
    app = opened("query_order", {"kept": link})
    assert not app.exception
    assert not kept(app, "query_order")
    assert "kept" not in app.query_params


def top(app: AppTest) -> float:
    """Upper end of the axis of Figure 1."""
    spec: dict[str, Any] = next(v for k, v in charts(app).items() if k.startswith("Figure 1."))
    return spec["layout"]["yaxis"]["range"][1]


def test_axis_grows_to_round_numbers_and_shrinks_when_it_is_fitted() -> None:
    app = opened("query_order", {"b": "2"})
    first = top(app)
    slider_of(app, "b").set_value(10.0).run()
    grown = top(app)
    slider_of(app, "b").set_value(2.0).run()
    assert first < grown == top(app)
    assert first in (40, 50, 60, 80, 100)
    press(app, "Fit the axis")
    assert top(app) == first
    slider_of(app, "b").set_value(10.0).run()
    app.main.number_input(key="depth").set_value(3).run()
    assert top(app) < grown  # another figure
