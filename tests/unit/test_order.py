"""Learning and order: the model against statsmodels, and a pair that it can't tell from them."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats

from sdcg_explorer.questions.compare_systems.numbers import (
    BY_PLACE,
    PLACE,
    WITH,
    WITHOUT,
    Order,
    compare,
    order_effects,
)
from sdcg_explorer.questions.compare_systems.words import order_sentences
from sdcg_explorer.scoring.scored_sessions import Scored

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
    pair = compare(scored, 0, 1)
    said = order_sentences(Order("", "sDCG", effects=found.reset_index()), pair)
    same = "systems or topics came in the same order for all"
    assert said[0] == f"Learning and fatigue can't be estimated: {same}."
    assert said[1].endswith("without session order in the model and can't be estimated with it.")
    slopes = found.assign(value=found["value"].fillna(0.1)).reset_index()  # without an interval
    said = order_sentences(Order("", "sDCG", effects=slopes), pair)
    assert not any(line.startswith("This difference") for line in said)
    t = stats.ttest_rel(score[1::2], score[::2])
    assert found["p_t"][WITHOUT] == pytest.approx(t.pvalue)
