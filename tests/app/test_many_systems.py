"""Many systems on a page: a panel each or one in focus, and axes that go on where asked."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from sdcg_explorer.figures.style import GREY
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_figures import figure_two
from tests.support.plain_loop import Choices
from tests.support.screen import Choose, charts, decoded, opened, small_print

GAINS = {1.0: 1.0, 2.0: 10.0, 3.0: 100.0}


def test_each_system_has_a_panel_and_the_one_in_focus_its_colour(choose_study: Choose) -> None:
    choose_study(many_systems())
    app = opened("session_curves", {"every": "true"})
    (figure,) = charts(app).values()
    named = {unescape(trace["name"]): trace for trace in figure["data"]}
    own = {name: named[name] for name in NAMES}
    assert {trace.get("xaxis", "x") for trace in own.values()} == {
        "x",
        *(f"x{i}" for i in range(2, 13)),
    }
    for name, (_, shares, _) in figure_two(many_systems(), Choices(GAINS), 140).items():
        drawn = joined(figure, name)
        assert drawn == pytest.approx(shares, rel=1e-9), name
    (behind,) = {str(decoded(t["y"])) for t in figure["data"] if is_behind(t)}
    assert behind.count("nan") >= 12
    assert not any("The axis ends" in text for text in small_print(app.main))
    app.main.selectbox(key="focus").set_value(NAMES[1])
    app.main.toggle(key="every").set_value(False).run()
    (figure,) = charts(app).values()
    coloured = [t["name"] for t in figure["data"] if t["line"]["color"] != GREY]
    assert {unescape(name.replace("<br>", ""))[: len(NAMES[1])] for name in coloured} == {NAMES[1]}
    assert figure["layout"]["xaxis"]["range"] == [0, 91]
    said = "The axis ends at query 9 of 14, the last that 10 sessions reach."
    assert any(said in text for text in small_print(app.main))


def joined(figure: dict[str, Any], name: str) -> list[float]:
    """A system's curve and its thin rest, which repeats a point."""
    whole, *thin = (
        decoded(trace["y"])
        for trace in figure["data"]
        if unescape(trace["name"]).removesuffix(", few sessions") == name
    )
    return [*whole, *(value for part in thin for value in part[1:])]


def is_behind(trace: dict[str, Any]) -> bool:
    return trace["name"] == "the other systems" and len(decoded(trace["y"])) > 1


def test_side_by_side_has_the_first_of_many_before_the_others(choose_study: Choose) -> None:
    choose_study(many_systems())
    app = opened("side_by_side")
    said = [text for text in small_print(app.main) if text.startswith("In colour: ")]
    for figure, words in zip(charts(app).values(), said, strict=True):
        coloured = {t["name"] for t in figure["data"] if t["line"]["color"] != GREY}
        names = {unescape(name).removesuffix(", few sessions") for name in coloured}
        assert names == {words.removeprefix("In colour: ")}


@pytest.mark.usefixtures("own_samples")
def test_two_systems_have_no_focus() -> None:
    app = opened("query_order", {"focus": "System 1"})
    assert "focus" not in [box.key for box in app.main.selectbox]
    assert not app.exception
