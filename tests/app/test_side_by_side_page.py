"""The page Side by side and its small figures: Figure 2 under each definition, and its link."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.side_by_side.figure import draw_side_by_side
from sdcg_explorer.scoring.definition import Definition
from tests.support.plain_figures import figure_two
from tests.support.plain_files import in_files
from tests.support.plain_loop import Choices
from tests.support.plain_session_scores import session_scores
from tests.support.screen import (
    charts,
    opened,
    paragraphs,
    slider_of,
    without_escapes,
)
from tests.unit.test_side_by_side import LINEAR, LOOPS, NAMES, SAMPLES, compared

pytestmark = pytest.mark.usefixtures("own_samples")


@pytest.mark.parametrize("sample", list(SAMPLES))
def test_small_figures_are_figure_2_under_each_definition(sample: str) -> None:
    plain = SAMPLES[sample]
    mine = Choices(LINEAR, b=3.0, bq=10.0, form="jk2002", short=3)
    definition = Definition(weights="linear", b=3, bq=10, discount="jk2002", short_lists=3)
    shown = compared(plain, definition)
    name = "plain linear, changed: b, bq, discount, short lists"
    assert [under.name for under in shown.definitions] == [name, *NAMES]
    for under, choices in zip(shown.definitions, (mine, *LOOPS.values()), strict=True):
        names, end = in_files(plain).block().system_names, under.curves.most_queries
        data: Any = draw_side_by_side(under, names, length=end).data
        curves: dict[str, list[float]] = {}
        for trace in data:
            system = trace.name.removesuffix(", few sessions")
            assert trace.x[0] == max(len(curves.get(system, [])), 1)  # goes on where it stopped
            curves[system] = [*curves.get(system, [])[: int(trace.x[0]) - 1], *trace.y]
        expected = figure_two(plain, choices, under.curves.positions)
        assert curves.keys() == expected.keys()
        for system, (_, shares, _) in expected.items():
            assert curves[system] == pytest.approx(shares, rel=1e-9)


def shown_names(app: AppTest) -> list[str]:
    return [alternative.removeprefix("Side by side. ") for alternative in charts(app)]


def test_presets_beside_are_those_of_the_link_or_chosen() -> None:
    app = opened("side_by_side", {"beside": ["linear", "session-track"]})
    assert shown_names(app) == ["ECIR 2008", "Session track (Kanoulas)", "plain linear"]
    app.main.pills(key="beside").set_value(["dynamic-domain"]).run()
    assert shown_names(app) == ["ECIR 2008", "Dynamic Domain"]
    slider_of(app, "bq").set_value(5.0).run()
    assert shown_names(app) == ["ECIR 2008, changed: bq", "Dynamic Domain"]
    assert shown_names(opened("side_by_side", {"beside": ""})) == ["ECIR 2008"]


def test_page_marks_the_definition_in_force_and_lists_means() -> None:
    app = opened("side_by_side", {"discount": "kanoulas2011", "w2": "3", "w3": "7"})
    headings = [without_escapes(body) for body in paragraphs(app)]
    marked = [text for text in headings if "(in force)" in text]
    assert [text.split("**")[1] for text in marked] == ["Session track (Kanoulas)"]
    means, both = (table.value for table in app.main.dataframe)
    assert [*both.columns] == ["system", "judgments", "clicks", "sessions", "rank_correlation"]
    assert means["definition"].tolist() == [name for name in NAMES for _ in range(2)]
    plain = SAMPLES["ecir2008"]
    own = [s.queries for s in plain.sessions if s.system == "System 1"]
    shares = [session_scores(q, plain.judgments, LOOPS[NAMES[1]])["final_normalised"] for q in own]
    assert means["final_normalised"][2] == pytest.approx(fmean(shares))
    assert (means["low"] < means["final_normalised"]).all()
    assert (means["final_normalised"] < means["high"]).all()


def test_definition_under_which_no_session_gains_has_no_figure() -> None:
    app = opened("side_by_side", {"w1": "0", "w2": "0", "w3": "0"})
    assert not app.exception
    assert shown_names(app) == NAMES
