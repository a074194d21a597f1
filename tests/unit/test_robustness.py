"""The map of b and bq, and all definitions, say what Compare systems says; one pair of many."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.figures.base_grid_map import BaseGridMap, draw_base_grid_map
from sdcg_explorer.figures.style import COLOURS, strip_markup
from sdcg_explorer.questions.compare_systems.numbers import every_pair
from sdcg_explorer.questions.robustness import words
from sdcg_explorer.questions.robustness.figure import draw_robustness
from sdcg_explorer.questions.robustness.numbers import (
    VARIED,
    AllDefinitions,
    Lead,
    all_definitions,
    robustness,
    session_scores_over,
)
from sdcg_explorer.scoring.base_grid import GRID, BaseGrid, linearised
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.measures import USUAL
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.studies import SAMPLES, at_hand

ALL = Filters()
FLIPS = Definition(weights=((0.0, 0.0), (1.0, 1 / (1 + np.log(3) / np.log(4))), (2.0, 1.0)))


@pytest.fixture(scope="module")
def study() -> Study:
    return at_hand(SAMPLES[0])


def flipping() -> Study:
    """A gains at its first query what B gains at its third where bq is 4; two of six more."""
    sessions = []
    for searcher in range(6):
        more = {2: "fine"}
        a = [("t", {1: "good"} | more if searcher < 2 else {1: "good"}), ("t", {}), ("t", {})]
        b = [("t", more if searcher > 3 else {}), ("t", {}), ("t", {1: "best"})]
        for system, queries in (("A", a), ("B", b)):
            name = f"{system}{searcher}"
            sessions.append(PlainSession(name, queries, system, f"searcher {searcher}"))
    return study_of(
        PlainStudy(sessions, {("t", "good"): 1.0, ("t", "fine"): 1.0, ("t", "best"): 2.0})
    )


@pytest.mark.parametrize("score", ["final_normalised", "average_normalised", "best"])
def test_map_is_compare_systems_at_each_point(study: Study, score: str) -> None:
    seen = robustness(study, DEFAULT, ALL, score=score)
    for i, k in np.random.default_rng(1).integers(0, len(GRID), (7, 2)):
        there = replace(DEFAULT, b=GRID[i], bq=GRID[k])
        pair = every_pair(study, there, ALL, score).pairs[0]
        own = [values[i, k] for values in (seen.value, seen.low, seen.high)]
        expected = [pair.difference, pair.low, pair.high]
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=1e-14)


def test_planted_study_changes_its_order_at_a_bq_of_four() -> None:
    seen = robustness(flipping(), FLIPS, ALL, score="final")
    ahead = np.greater(GRID, 4.0)
    assert (np.sign(seen.value) == np.where(ahead, 1, -1)).all()
    sure = (seen.low > 0) | (seen.high < 0)
    points, clear = 24 * int(ahead.sum()), sure & ahead
    assert words.answer(seen) == (
        f"B is ahead of A at {points} of 576 values of b and bq ({clear.sum()} clearly); A leads "
        f"at {576 - points} ({(sure & ~ahead).sum()} clearly)."
    )
    assert 0 < clear.sum() < points
    assert seen.table().query("bq > 4")["difference"].gt(0).all()


def test_one_system_is_its_mean_and_the_order_of_its_sessions(study: Study) -> None:
    first = study.block().system_names[0]
    one = Filters(systems=(first,))
    seen, chosen = robustness(study, DEFAULT, one), select(study, DEFAULT, one)
    scores = session_scores_over(BaseGrid(chosen), USUAL)
    known = ~np.isnan(scores[:, 0, 0])
    now = stats.rankdata(chosen.session_scores[USUAL][known])
    for i, k in ((0, 0), (5, 20)):
        there = scores[known, i, k]
        assert seen.value[i, k] == pytest.approx(there.mean())
        assert seen.correlation[i, k] == pytest.approx(stats.spearmanr(there, now)[0])
    assert words.answer(seen).startswith(f"With {first}, the mean lies between ")
    none = robustness(study, DEFAULT, replace(one, min_queries=99))
    assert words.answer(none) == "The filters leave no session with this score: widen them."


@pytest.fixture(scope="module")
def few() -> Iterator[dict[str, tuple[Any, ...]]]:
    """Fewer options of some choices."""
    own = {"top": (5, 10), "weights": ("paper", "binary"), "discount": ("ecir2008", "jk2002")}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("sdcg_explorer.questions.robustness.numbers.VARIED", VARIED | own)
        yield VARIED | own


@pytest.fixture(scope="module")
def every(study: Study, few: dict[str, tuple[Any, ...]]) -> AllDefinitions:
    found = all_definitions(study, DEFAULT, ALL)
    assert found
    assert found.choices == few
    return found


def test_definitions_are_7200() -> None:
    assert math.prod(len(options) for options in VARIED.values()) == 7200


def test_all_definitions_are_compared_as_each_alone(study: Study, every: AllDefinitions) -> None:
    assert every.value.shape == tuple(len(options) for options in every.choices.values())
    whole = every.table()
    for _, row in whole[whole["average"] == "mean-of-ratios"].sample(8, random_state=1).iterrows():
        own = replace(DEFAULT, **{name: row[name] for name in VARIED})
        pair = every_pair(study, own, ALL, USUAL).pairs[0]
        expected = [pair.difference, pair.low, pair.high]
        assert row[["difference", "low", "high"]].tolist() == pytest.approx(expected, rel=1e-10)
        assert row["bounded"] == ((own.repeats, own.ideal) != ("every", "spread"))
    assert whole["difference"].is_monotonic_increasing
    seen, wins = robustness(study, DEFAULT, ALL), (whole["difference"] > 0).sum()
    assert f" and under {wins} of 768 definitions" in words.answer(seen, every)
    own = (whole["difference"] > 0)[whole["bounded"]].sum()
    assert words.all_definitions_headline(every).startswith(
        f"System 2 is ahead of System 1 under {own} of 576 definitions that keep shares at or below"
    )
    now = every_pair(study, DEFAULT, ALL, USUAL).pairs[0]
    assert every.present == (now.difference, now.low, now.high, now.p)


def test_ratio_of_means_enters_by_scores_that_have_it_as_their_mean(study: Study) -> None:
    plane = BaseGrid(select(study, DEFAULT, ALL), (2.0,), (4.0, 9.0))
    linear, sample = linearised(plane), plane.chosen.sample
    for k in range(2):
        of = plane.at(2.0, plane.bq[k])
        final, ideal = of.session_scores["final"], of.worth.ideal[:, -1, -1]
        for system in sample.shown_systems:
            own = (sample.systems == system) & (ideal > 0)
            assert linear[own, 0, k].mean() == pytest.approx(final[own].sum() / ideal[own].sum())


SYSTEMS = "VWXYZ"


def drawn(seed: int, apart: float) -> Study:
    """Twenty searchers of five systems, of which the last finds its document further up."""
    chance = random.Random(seed)
    sessions = [
        PlainSession(f"{system}{who}", asked(chance, apart * (system == "Z")), system, f"p{who}")
        for system, who in product(SYSTEMS, range(20))
    ]
    graded = {("t", f"d{i}"): float(i % 3 + 1) for i in range(9)}
    return study_of(PlainStudy(sessions, graded))


def asked(chance: random.Random, apart: float) -> list[tuple[str, dict[int, str]]]:
    place = [min(10, max(1, round(chance.gauss(6 - apart, 2.5)))) for _ in range(3)]
    return [("t", {rank: f"d{chance.randrange(9)}"}) for rank in place]


def of(*values: float, p: float = 0.5, pairs: int = 1) -> Lead:
    return Lead(("A", "B"), np.array(values), np.full(len(values), p), pairs)


BOTH = {
    "both": (
        of(1, 1),
        of(1, 1),
        "B is ahead of A at all 2 values of b and bq and under all 2 definitions, but never cl",
    ),
    "not all": (
        of(1, 1),
        of(1, 0),
        " and under 1 of 2 definitions, but never clearly; they tie under 1.",
    ),
    "other": (
        of(-1, -1),
        of(1, -1),
        "A is ahead of B at all 2 values of b and bq and under 1 of 2 definitions, but never "
        "clearly; B leads under 1.",
    ),
    "either": (of(1, 1, -1), of(1, -1), "; A leads at 1 and under 1."),
    "clear": (
        of(1, p=0.01),
        of(1, 1, p=0.01),
        "at every value of b and bq (1 clearly) and under all 2 definitions (all clearly).",
    ),
    "clear once": (
        of(1, p=0.01),
        of(1, 1),
        "at every value of b and bq (1 clearly) and under all 2 definitions.",
    ),
    "corrected": (
        of(1, p=0.005, pairs=10),
        of(1, p=0.0051, pairs=10),
        "B is ahead of A at every value of b and bq (1 clearly) and under every definition.",
    ),
    "equal": (
        of(0, 0),
        of(1, 1),
        "A and B tie at all 2 values of b and bq. B is ahead of A under all 2 definitions",
    ),
    "no interval": (of(1, p=np.nan), of(1, p=np.nan), ", without any interval."),
    "none at points": (
        of(1, p=np.nan),
        of(1, 1, p=0.01),
        "at every value of b and bq and under all 2 definitions (all clearly).",
    ),
}


@pytest.mark.parametrize("case", BOTH)
def test_both_questions_are_answered_whoever_leads_where(case: str) -> None:
    points, under, said = BOTH[case]
    answer = words.who_leads((points, words.POINTS), (under, words.DEFINITIONS))
    assert said in answer
    assert "Holm" not in answer  # p is multiplied by the number of pairs at each point


def traces(of: BaseGridMap) -> dict[str, Any]:
    drawn: Any = draw_base_grid_map(of)
    return {strip_markup(trace.name): trace for trace in drawn.data}


def test_map_has_its_lines_hatching_marks_and_every_point() -> None:
    logs = np.log(np.array(GRID))
    values = logs[:, None] / 10 - logs / 8
    values[0, 0] = np.nan
    hatched = np.abs(values) < 0.05
    marks = (("best here", 900.0, 1.1),)
    of = BaseGridMap(values, GRID, GRID, "r", (2.0, np.inf), hatched=hatched, marks=marks)
    shown = traces(of)
    assert list(shown) == [
        *("r", "contour lines", "0", "hatched: the interval includes 0", "points"),
        *("best here", "definition in force, beyond the map"),
    ]
    assert len(shown["hatched: the interval includes 0"].x) == 3 * hatched.sum()
    points = shown["points"]
    place = 5 * 24 + 7
    assert list(points.customdata[place]) == [GRID[5], GRID[7]]
    assert points.text[place] == f"{values[5, 7]:.3g}"
    assert points.text[0] == "undefined"
    assert (points.x[place], points.y[place]) == (np.log10(GRID[7]), np.log10(GRID[5]))
    lines = shown["contour lines"].contours
    assert (lines.size, lines.labelformat) == (0.5, ".1f")
    assert (lines.end / lines.size).is_integer()  # else Plotly shifts the lines
    assert 0 in np.round(np.arange(lines.start, lines.end, lines.size), 9)


def test_where_a_system_is_ahead_the_map_has_its_colour() -> None:
    study = at_hand(SAMPLES[0])
    first, second = study.block().system_names
    seen = robustness(study, Definition(), Filters(), pair=(first, second))
    drawn: Any = draw_robustness(seen, (2.0, 4.0), ("elsewhere", first, second))
    (_, below), _, (_, above) = drawn.layout.coloraxis.colorscale
    assert (below, above) == (COLOURS[1], COLOURS[2])
    assert (np.asarray(drawn.data[0].z) == seen.value).all()
    assert drawn.layout.coloraxis.colorbar.title.text == f"{second} − {first} (nsDCG)"
