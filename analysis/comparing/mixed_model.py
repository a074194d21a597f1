"""The linear mixed model of two systems: system and topic fixed, searcher random."""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.comparing.scored_sessions import Scored
from analysis.wording import p_value, short

MIXED, ORDINARY = "mixed", "ordinary"
SKEWED, PEAKED = 1.0, 3.0  # |skewness| and excess kurtosis that a normal curve does not have
ROUNDED = 9  # decimals, beyond which lies rounding
FLAT = 1e-6  # share of the residual variance below which searchers do not differ
ONE = threading.Lock()  # what is done with warnings is done for all threads
FEW = 20  # searchers below which Wald's p is plainly too small


@dataclass(frozen=True)
class Model:
    """Effect of b against a in a model, with Wald's interval and p.

    kind : mixed, or ordinary (least squares) where `fallback` says why · searchers : of the fit,
    or sessions where none is named · skewness, kurtosis : of the residuals, the latter in excess
    of a normal curve's
    """

    kind: str
    effect: float
    low: float
    high: float
    p: float
    searchers: int
    skewness: float
    kurtosis: float
    fallback: str = ""
    remark: str = ""
    is_named: bool = True

    def sentences(self, names: tuple[str, str]) -> list[str]:
        """What was fitted, how, and how far it may be trusted."""
        if np.isnan(self.effect):
            return [f"No model: {self.fallback}."]
        fitted = "Linear mixed model (system and topic fixed, searcher random; REML)"
        if self.kind == ORDINARY:
            fitted = f"Least squares (system and topic fixed) instead, as {self.fallback}"
        interval = f"95 % interval {short(self.low)} to {short(self.high)}"
        effect = f"{names[1]} − {names[0]} = {short(self.effect)}"
        sentences = [f"{fitted}: {effect} ({interval}; {p_value(self.p)})."]
        few = f", and {self.searchers} are few" if self.searchers < FEW else ""
        who = "searchers" if self.is_named else "sessions"
        sentences.append(f"Its p is Wald's, which is too small with few {who}{few}.")
        if self.remark:
            sentences.append(self.remark)
        if abs(self.skewness) > SKEWED or self.kurtosis > PEAKED:
            shape = f"skewness {short(self.skewness)}, excess kurtosis {short(self.kurtosis)}"
            sentences.append(
                f"Its residuals are far from normal ({shape}): lean on the permutation."
            )
        return sentences


def mixed_model(scored: Scored, a: int, b: int) -> Model:
    """Fit the sessions of two systems; where it does not converge, least squares, announced."""
    pair = scored.of(a, b)
    is_b = (pair.system == b).astype(float)
    topics = np.unique(pair.topic)
    dummies = (pair.topic[:, None] == topics[1:]).astype(float)
    given = np.column_stack([np.ones(is_b.size), is_b, dummies])
    without = np.delete(given, 1, axis=1)
    rank = np.linalg.matrix_rank
    if rank(given) == rank(without):
        return _none("the systems never met on a topic")
    if len(pair.score) <= given.shape[1] + 1:
        return _none("there are too few sessions for its terms")
    if np.ptp(pair.score) == 0:
        return _none("all sessions score alike")
    if len(np.unique(pair.unit)) == len(pair.unit):
        why = "no searcher has two sessions" if pair.names_searchers else "no searcher is named"
        return _least_squares(pair, given, why)
    return _fitted(pair, given)


def _none(why: str) -> Model:
    nan = float("nan")
    return Model(ORDINARY, nan, nan, nan, nan, 0, nan, nan, why)


def _fitted(pair: Scored, given: Floats) -> Model:
    from statsmodels.regression.mixed_linear_model import MixedLM

    with ONE, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they say is told by the results
        model = MixedLM(_standard(pair.score), given, groups=pair.unit)
        try:
            found: Any = model.fit(reml=True)
            if not found.converged:
                found = model.fit(reml=True, method=["powell"])
        except (np.linalg.LinAlgError, ValueError) as fault:
            return _least_squares(pair, given, f"the mixed model can't be fitted ({fault})")
    if not found.converged or not np.isfinite(found.bse[1]):
        return _least_squares(pair, given, "the mixed model did not converge")
    flat = float(np.asarray(found.cov_re_unscaled)[0, 0]) < FLAT
    alike = "Searchers differ no more than chance would have them: their variance is 0."
    return _model(MIXED, found, pair, "", alike if flat else "")


def _standard(scores: Floats) -> Floats:
    """Scores of mean 0 and standard deviation 1, so that no unit decides what converges."""
    return (scores - scores.mean()) / scores.std()


def _least_squares(pair: Scored, given: Floats, why: str) -> Model:
    """Ordinary least squares, its errors clustered by searcher where any has two sessions."""
    from statsmodels.regression.linear_model import OLS

    model = OLS(_standard(pair.score), given)
    found: Any = model.fit()
    clusters = len(np.unique(pair.unit))
    remark = ""
    if given.shape[1] < clusters < len(pair.unit):
        found = model.fit(cov_type="cluster", cov_kwds={"groups": pair.unit})
        remark = "Its errors are clustered by searcher."
    elif clusters < len(pair.unit):
        remark = "Its errors take sessions for independent: there are too few searchers to cluster."
    return _model(ORDINARY, found, pair, why, remark)


def _model(kind: str, found: Any, pair: Scored, why: str, remark: str) -> Model:
    from scipy import stats

    residuals = np.asarray(found.resid)
    spread, unit = np.ptp(residuals) > 1e-9, float(pair.score.std())
    low, high = unit * np.asarray(found.conf_int())[1]
    return Model(
        kind=kind,
        effect=unit * float(np.asarray(found.params)[1]),
        low=float(low),
        high=float(high),
        p=float(np.asarray(found.pvalues)[1]),
        searchers=len(np.unique(pair.unit)),
        skewness=_plain(stats.skew(residuals)) if spread else 0.0,
        kurtosis=_plain(stats.kurtosis(residuals)) if spread else 0.0,
        fallback=why,
        remark=remark,
        is_named=pair.names_searchers,
    )


def _plain(value: Any) -> float:
    """A number without what rounding leaves of 0, such as −1e−14."""
    return round(float(value), ROUNDED) + 0.0
