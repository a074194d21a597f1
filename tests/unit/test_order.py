"""Learning and order: the model against statsmodels, what is said, and a table of results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats

from sdcg_explorer.questions.compare_systems import of_order
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.compare_systems.order import (
    BY_PLACE,
    PLACE,
    WITH,
    WITHOUT,
    order,
    order_effects,
)
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.scoring.scored_sessions import Scored
from tests.support.plain_files import write_rows

HEADER = ("session", "searcher", "system", "topic", "query_number", "time", "rank", "doc")
NAMES = ("A", "B", "C")


def drawn(seed: int) -> Scored:
    """Searchers of two to five sessions, systems and topics by chance, who learn."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, 12)
    unit, place = np.repeat(np.arange(12), sizes), np.concatenate([np.arange(n) for n in sizes]) + 1
    system, topic = rng.integers(0, 3, unit.size), rng.integers(0, 4, unit.size)
    score = 0.3 * place + 0.5 * system + rng.normal(0, 0.6, 12)[unit] + rng.normal(0, 1, unit.size)
    return Scored(score, system, unit, topic, np.ones_like(unit), NAMES, place=place.astype(float))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_effects_are_those_of_statsmodels_least_squares(seed: int) -> None:
    """Generalised for what a searcher's sessions share, which two plain fits tell."""
    scored = drawn(seed)
    columns = {"y": scored.score, "s": scored.system, "t": scored.topic, "u": scored.unit}
    frame = pd.DataFrame(columns | {"p": scored.place})
    same = np.equal.outer(scored.unit, scored.unit)

    def fitted(part: str) -> dict[str, float]:
        formula = f"y ~ C(s) + C(t){part}"
        whole, within = (smf.ols(f"{formula}{more}", frame).fit() for more in ("", " + C(u)"))
        alike = max(0.0, 1 - within.mse_resid / whole.mse_resid)
        sigma = np.where(same, alike, 0.0) + (1 - alike) * np.eye(len(frame))
        return dict(sm.GLS.from_formula(formula, frame, sigma=sigma).fit().params)

    without, placed, apart = (fitted(part) for part in ("", " + p", " + C(s):p"))
    ours = order_effects(scored, [("A", "C"), ("B", "C")]).set_index(["effect", "system_a"])
    assert placed["p"] == pytest.approx(ours["value"][PLACE, ""], abs=1e-8)
    b, c = "C(s)[T.1]", "C(s)[T.2]"
    for name, theirs in ((WITHOUT, without), (WITH, placed)):
        expected = [theirs[c], theirs[c] - theirs[b]]
        assert ours["value"][name].loc[["A", "B"]].tolist() == pytest.approx(expected, abs=1e-8)
    slopes = [apart[f"C(s)[{i}]:p"] for i in range(3)]
    expected = [slopes[2] - slopes[0], slopes[2] - slopes[1]]
    assert ours["value"][BY_PLACE].loc[["A", "B"]].tolist() == pytest.approx(expected, abs=1e-8)


def test_a_pair_that_came_in_one_order_is_not_told_from_the_place() -> None:
    unit, system = np.divmod(np.arange(20), 2)
    score = np.random.default_rng(1).normal(0, 1, 20)
    scored = Scored(
        score, system, unit, 0 * unit, np.ones_like(unit), NAMES[:2], place=system + 1.0
    )
    found = order_effects(scored, [("A", "B")]).set_index("effect")
    assert found["value"].isna().to_dict() == {
        PLACE: True,
        WITHOUT: False,
        WITH: True,
        BY_PLACE: True,
    }
    t = stats.ttest_rel(score[1::2], score[::2])
    assert found["p_t"][WITHOUT] == pytest.approx(t.pvalue)


def study_view(folder: Path, searchers: str, *, timed: bool, times: int = 2) -> StudyView:
    """Each searcher's sessions with A and B on one topic, in turn; B finds what is better."""
    rows = [
        (f"{who}{i}", who.strip("-"), "AB"[(k + i) % 2], "t", q, 100 * i + q if timed else "", 1, d)
        for k, who in enumerate(searchers)
        for i in range(times)
        for q, d in enumerate(("nan", "bab")[(k + i) % 2][: 1 + (k * k + i) % 3], start=1)
    ]
    judged = [("t", "a", 1), ("t", "b", 2), ("t", "n", 0)]
    log = write_rows(folder / "log.csv", HEADER, rows)
    files = log, write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), judged)
    return StudyView(read_study(*files), DEFAULT, Filters())


def test_order_is_shown_where_times_tell_it(tmp_path: Path) -> None:
    view = study_view(tmp_path, "pqrstu", timed=True)
    compared = compare_systems(*view)
    shown = of_order(view, compared, 0)
    first, second, third = shown.more
    assert first.startswith("No clear learning or fatigue: ")
    assert re.fullmatch(r"B − A is \S+ without the place in the model and \S+ with it\.", second)
    assert third.startswith("This difference doesn't change clearly with the place: ")
    means = order(compared).means
    cells = means.set_index(["system", "place"])["mean"]
    system = np.array(compared.names)[compared.scored.system]
    scores = pd.DataFrame({"y": compared.scored.score, "p": compared.places, "s": system})
    by_place, by_both = (scores.groupby(by)["y"].mean() for by in ("p", ["s", "p"]))
    assert cells["all systems"].tolist() == pytest.approx(by_place.tolist())
    assert cells[["A", "B"]].to_dict() == pytest.approx(by_both.to_dict())
    figure = shown.exhibits["order"].figure
    assert figure is not None
    traces: Any = figure.data
    drawn_means = {trace.name: [*trace.y] for trace in traces}
    assert drawn_means == {
        name if name == "all systems" else f"{name}, mean": cells[name].tolist()
        for name in ("all systems", "A", "B")
    }
    adjusted = compare_systems(*view, with_order=True)
    value = order(compared).effects.set_index("effect")["value"]
    assert value[WITH] == pytest.approx(adjusted.pairs[0].difference)
    assert value[WITHOUT] == pytest.approx(compared.pairs[0].difference)
