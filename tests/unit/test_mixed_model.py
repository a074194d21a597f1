"""The mixed model: statsmodels called directly, and fallbacks that are announced."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.regression.mixed_linear_model import MixedLM

from analysis.compare_systems import compare_systems
from analysis.comparing.mixed_model import MIXED, ORDINARY, Model, mixed_model
from analysis.comparing.scored_sessions import Scored
from analysis.definition.definition import DEFAULT, Filters
from tests.support.plain_statistics import Row, scored
from tests.support.studies import SAMPLES, at_hand

NAMES = ("A", "B")
WALD = "Its p is Wald's, which is too small with few searchers"


def simulated(
    seed: int, *, searchers: int = 24, spread: float = 1.0, between: bool = False, scale: float = 1
) -> Scored:
    """Four topics by each searcher; searchers differ by `spread`, sessions by 1, B leads by .5."""
    rng = np.random.default_rng(seed)
    unit, topic = np.repeat(np.arange(searchers), 4), np.tile(np.arange(4), searchers)
    system = (unit + (0 if between else topic)) % 2
    noise = rng.normal(size=unit.size) + spread * rng.normal(size=searchers)[unit]
    score = scale * (10 + 2 * topic + 0.5 * system + noise)
    return Scored(score, system, unit, topic, np.ones(unit.size, dtype=int), (*NAMES, "C"))


def frame(of: Scored) -> pd.DataFrame:
    columns = "score", "system", "unit", "topic"
    return pd.DataFrame({name: getattr(of, name) for name in columns})


def by_formula(of: Scored) -> Any:
    """The same model as a reader would ask statsmodels for it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = smf.mixedlm("score ~ C(system) + C(topic)", frame(of), groups="unit")
        return model.fit(reml=True)


def ordinary(of: Scored, *, clustered: bool) -> Any:
    """Least squares of the same, as a reader would ask for it."""
    model: Any = smf.ols("score ~ C(system) + C(topic)", frame(of))
    how = {"cov_type": "cluster", "cov_kwds": {"groups": of.unit}} if clustered else {}
    return model.fit(**how)


def numbers(model: Model) -> list[float]:
    return [model.effect, model.low, model.high, model.p]


def direct(found: Any, term: str = "C(system)[T.1]") -> Any:
    low, high = found.conf_int().loc[term]
    return pytest.approx([found.params[term], low, high, found.pvalues[term]], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("between", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_model_is_statsmodels_by_formula(seed: int, between: bool) -> None:
    of = simulated(seed, between=between)
    model = mixed_model(of, 0, 1)
    assert (model.kind, model.fallback, model.remark) == (MIXED, "", "")
    assert numbers(model) == direct(by_formula(of))
    assert model.searchers == 24


def test_model_of_an_unbalanced_study_without_some_searchers_is_statsmodels() -> None:
    whole = simulated(7, searchers=30)
    keep = np.random.default_rng(7).random(whole.score.size) < 0.6
    of = whole.take(keep)
    alone = np.flatnonzero(of.unit < 3)
    unit = of.unit.copy()
    unit[alone] = 100 + alone  # sessions that name no searcher
    of = replace(of, unit=unit)
    model = mixed_model(of, 0, 1)
    assert numbers(model) == direct(by_formula(of))
    assert model.searchers == np.unique(unit).size


def test_model_of_two_systems_knows_nothing_of_a_third() -> None:
    of = simulated(3)
    third = replace(of, system=np.full(of.system.size, 2), score=of.score * 3)
    fields = "score", "system", "unit", "topic", "queries"
    joined = {name: np.concatenate([getattr(of, name), getattr(third, name)]) for name in fields}
    assert mixed_model(replace(of, **joined), 0, 1) == mixed_model(of, 0, 1)


def test_swapped_systems_negate_the_effect() -> None:
    one, two = mixed_model(simulated(2), 0, 1), mixed_model(simulated(2), 1, 0)
    assert numbers(two) == pytest.approx([-one.effect, -one.high, -one.low, one.p], rel=1e-4)


def test_sentences_name_what_was_fitted() -> None:
    model = Model(MIXED, -0.0412, -0.08, -0.0024, 0.0312, 12, 0.2, 0.1)
    assert model.sentences(NAMES) == [
        "Linear mixed model (system and topic fixed, searcher random; REML): B − A = -0.0412 "
        "(95 % interval -0.0800 to -0.00240; p = .031).",
        f"{WALD}, and 12 are few.",
    ]
    assert replace(model, searchers=20).sentences(NAMES)[1] == f"{WALD}."


def broken(how: str) -> Any:
    """A fit of statsmodels that does not go well."""
    fit = MixedLM.fit

    def fitted(self: Any, *given: Any, **more: Any) -> Any:
        if how == "singular":
            raise np.linalg.LinAlgError("Singular matrix")
        if how == "value":
            raise ValueError("no fit")
        found: Any = fit(self, *given, **more)
        if how == "not converged":
            found._results.converged = False
            return found
        return SimpleNamespace(converged=True, bse=np.full(len(found.params), np.nan))

    return fitted


ANNOUNCED = {
    "not converged": "the mixed model did not converge",
    "no error": "the mixed model did not converge",
    "singular": "the mixed model can't be fitted (Singular matrix)",
    "value": "the mixed model can't be fitted (no fit)",
}


@pytest.mark.parametrize("how", ANNOUNCED)
def test_fallback_is_announced_and_least_squares(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = simulated(1)
    monkeypatch.setattr(MixedLM, "fit", broken(how))
    model = mixed_model(of, 0, 1)
    assert (model.kind, model.fallback) == (ORDINARY, ANNOUNCED[how])
    assert numbers(model) == direct(ordinary(of, clustered=True))
    start = f"Least squares (system and topic fixed) instead, as {ANNOUNCED[how]}: B − A = "
    assert model.sentences(NAMES)[0].startswith(start)


def test_fallback_of_fewer_searchers_than_terms_is_not_clustered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MixedLM, "fit", broken("singular"))
    of = simulated(1, searchers=4)
    assert numbers(mixed_model(of, 0, 1)) == direct(ordinary(of, clustered=False))


def test_no_searcher_with_two_sessions_is_least_squares() -> None:
    of = simulated(5)
    of = replace(of, unit=np.arange(of.score.size))
    model = mixed_model(of, 0, 1)
    assert numbers(model) == direct(ordinary(of, clustered=False))
    assert "as no searcher has two sessions: B − A" in model.sentences(NAMES)[0]
    assert model.searchers == of.score.size


ALIKE = "Searchers differ no more than chance would have them: their variance is 0."


def test_searchers_that_do_not_differ_are_remarked() -> None:
    of = simulated(0, spread=0.0)
    of = replace(of, score=of.score - of.by_topic(of.score))
    means = np.bincount(of.unit, of.score) / np.bincount(of.unit)
    model = mixed_model(replace(of, score=of.score - means[of.unit]), 0, 1)
    assert (model.kind, model.remark) == (MIXED, ALIKE)
    assert model.sentences(NAMES)[2:] == [ALIKE]


def test_searchers_that_differ_on_the_scale_of_shares_are_not_called_alike() -> None:
    of = simulated(1, scale=0.05)  # nsDCG: searchers and sessions differ by .05
    found = by_formula(of)
    assert found.cov_re.iloc[0, 0] > 0.5 * found.scale > 0
    assert ALIKE not in mixed_model(of, 0, 1).sentences(NAMES)


def test_unit_of_the_score_decides_no_p() -> None:
    of = compare_systems(at_hand(SAMPLES[0]), DEFAULT, Filters(), score="average").scored
    one, two = (mixed_model(replace(of, score=of.score * scale), 0, 1) for scale in (1, 100))
    assert one.p == pytest.approx(two.p, rel=1e-3)


SHAPE = "Its residuals are far from normal (skewness "


def test_residuals_far_from_normal_are_told() -> None:
    of = simulated(1)
    noise = np.random.default_rng(1).exponential(size=of.score.size) ** 2
    skewed = mixed_model(replace(of, score=of.topic + noise), 0, 1)
    assert skewed.skewness > 1
    told = skewed.sentences(NAMES)[-1]
    assert told.startswith(SHAPE)
    assert told.endswith("): lean on the permutation.")
    assert not any(SHAPE in said for said in mixed_model(of, 0, 1).sentences(NAMES))


def test_residual_shape_is_told_of_either_sign_or_peak() -> None:
    normal = Model(MIXED, 1.0, 0.5, 1.5, 0.01, 30, 0.9, 2.9)
    for changed in ({"skewness": 1.1}, {"skewness": -1.1}, {"kurtosis": 3.1}):
        assert SHAPE in replace(normal, **changed).sentences(NAMES)[-1]
    assert not any(SHAPE in said for said in normal.sentences(NAMES))


def rows(*told: str) -> Scored:
    parts = [line.split() for line in told]
    return scored([Row(Fraction(score), *rest) for score, *rest in parts])


def test_even_residuals_have_a_skewness_of_0_and_not_what_rounding_leaves() -> None:
    sessions = [f"{n}/7 {s} {s}{n} t" for s, by in (("A", 0), ("B", 3)) for n in range(by, by + 6)]
    assert str(mixed_model(rows(*sessions), 0, 1).skewness) == "0.0"


NONE = {
    "the systems never met on a topic": ["1 A p t", "2 A q t", "3 B p u", "1 B q u", "2 B r u"],
    "there are too few sessions for its terms": ["1 A p t", "2 B p t", "3 A q u", "4 B q u"],
    "all sessions score alike": [f"1 {s} {who} t" for who in "pqr" for s in "AB"],
}


@pytest.mark.parametrize("why", NONE)
def test_no_model_says_why(why: str) -> None:
    model = mixed_model(rows(*NONE[why]), 0, 1)
    assert model.sentences(NAMES) == [f"No model: {why}."]
    assert all(map(math.isnan, numbers(model)))


def test_nested_topics_with_one_shared_are_statsmodels() -> None:
    of = simulated(4, searchers=30)
    nested = of.take(~((of.topic == 1) & (of.system == 0)) & ~((of.topic == 2) & (of.system == 1)))
    assert numbers(mixed_model(nested, 0, 1)) == direct(by_formula(nested))


def test_one_topic_is_statsmodels_without_topics() -> None:
    of = simulated(6)
    of = replace(of, topic=np.zeros_like(of.topic))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = smf.mixedlm("score ~ system", frame(of), groups="unit").fit(reml=True)
    assert numbers(mixed_model(of, 0, 1)) == direct(found, "system")


SURE = {
    "between, one session each": [f"{1 + (s == 'B')} {s} {s}{i} t" for s in "AB" for i in range(4)],
    "between, two each": [f"{1 + (s == 'B')} {s} {s}{i // 2} t" for s in "AB" for i in range(8)],
    "within": [f"{i + 2 * (s == 'B')} {s} p{i} t" for s in "AB" for i in range(4)] * 2,
}


@pytest.mark.parametrize("study", SURE)
def test_sessions_that_the_terms_fit_wholly_raise_no_warning(study: str) -> None:
    model = mixed_model(rows(*SURE[study]), 0, 1)
    assert model.effect == pytest.approx(2 if study == "within" else 1)
    assert not any(word in " ".join(model.sentences(NAMES)) for word in ("nan", "inf,", "None"))
