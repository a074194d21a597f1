"""The page Does the answer hold: its map, its point, what it says where it can't answer."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.compare_systems.numbers import every_pair
from sdcg_explorer.questions.robustness import words
from sdcg_explorer.questions.robustness.numbers import all_definitions, robustness
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.screen import keys
from sdcg_explorer.study.study import Study
from tests.support.screen import (
    charts,
    decoded,
    first_line,
    opened,
    paragraphs,
    slider_of,
    small_print,
)
from tests.support.studies import SAMPLES, at_hand

pytestmark = pytest.mark.usefixtures("own_samples")
ALL = Filters()


def traces(app: AppTest, alternative: str) -> dict[str, Any]:
    drawn = next(spec for alt, spec in charts(app).items() if alt.startswith(alternative))
    return {trace["name"]: trace for trace in drawn["data"]}


def both(study: Study, **asked: Any) -> str:
    """What the page answers: over b and bq, and under all reasonable definitions."""
    view = study, DEFAULT, ALL
    every = all_definitions(*view, **asked)
    return words.answer(robustness(*view, **asked), every and every)


def mark(app: AppTest) -> list[float]:
    """Where the definition in force stands, b and bq."""
    own = traces(app, "Map.")["definition in force"]
    return [10 ** decoded(own[axis])[0] for axis in "yx"]


def test_map_says_what_compare_systems_says_and_sliders_move_its_mark_alone() -> None:
    app, study = opened("robustness"), at_hand(SAMPLES[0])
    points, before = traces(app, "Map.")["points"], traces(app, "Map.")
    place = 300
    b, bq = points["customdata"][place]
    pair = every_pair(study, Definition(b=b, bq=bq), ALL, "final_normalised").pairs[0]
    assert points["text"][place] == f"{pair.difference:.3g}"
    assert first_line(app) == both(study)
    assert mark(app) == pytest.approx([2, 4])
    slider_of(app, "b").set_value(5.0).run()
    assert mark(app) == pytest.approx([5, 4])
    assert traces(app, "Map.")["points"] == before["points"]
    beyond = opened("robustness", {"b_off": "true"})
    names = [name.replace("<br>", "") for name in traces(beyond, "Map.")]
    assert "definition in force, beyond the map" in names


def test_every_definition_is_compared_once_the_fold_is_open() -> None:
    app = opened("robustness", {"score": "mean_dcg"})
    assert len(charts(app)) == 2
    app.session_state[keys.ALL_DEFINITIONS] = True
    app.run()
    assert not app.exception
    drawn = next(spec for alt, spec in charts(app).items() if alt.startswith("All definitions."))
    names = [trace["name"].replace("<br>", "") for trace in drawn["data"]]
    assert names[-2:] == [
        "definition in force",
        "share of definitions with this option",
    ]
    said = paragraphs(app)
    assert any("standard deviations of sessions" in text for text in said)
    rows = drawn["layout"]["yaxis2"]["ticktext"]
    assert [row for row in rows if row.startswith("• ")] == ["• every", "• paper", "• 2"]


def test_one_system_has_its_mean_and_the_order_of_its_sessions() -> None:
    app = opened("robustness", {"systems": "System 1", "score": "final"})
    assert first_line(app).startswith("With System 1, the mean lies between ")
    assert len(charts(app)) == 3
    order = next(spec for alt, spec in charts(app).items() if alt.startswith("Rank correlation"))
    points = next(trace for trace in order["data"] if trace["name"] == "points")
    assert max(map(float, points["text"])) <= 1
    assert not any(fold.label == "All reasonable definitions" for fold in app.main.expander)


def test_what_cannot_be_answered_has_no_axes() -> None:
    empty = opened("robustness", {"min_queries": "50"})
    assert first_line(empty) == "The filters leave no session with this score: widen them."
    toys = opened("robustness", {"study": at_hand(SAMPLES[1]).digest[:12]})
    assert first_line(toys).startswith("A and B can't be compared")
    assert any("used on the same topics" in text for text in small_print(toys.main))
    assert [len(charts(app)) for app in (empty, toys)] == [0, 0]
