"""Parameters by least squares and by Kullback–Leibler, with intervals, and errors held out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.fits.models import POINTS, Model
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS

LEAST_SQUARES, KL = "least squares", "KL"
CRITERIA = (LEAST_SQUARES, KL)
STEPS, SHORTENED = 40, 5  # of the way to the least error; tries of each, a fourth as long
ENOUGH = 1e-12  # of the error, that a step has to take off
DAMPED, APART = 1e-9, 1e-5
STARTS = 32  # of the grid
AT_ONCE = 4_000_000  # weights of a grid
TINY, ROUNDING = 1e-300, 1e-9


@dataclass(frozen=True)
class Errors:
    """How far weights are from the shares: TSE, TAE and KL (log2) as Lipani et al. print them."""

    tse: float
    tae: float
    kl: float


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model as it comes nearest to what was looked at.

    values, low, high (K,) : its parameters, nan where the study can't tell; ends of 95 % intervals,
    nan where there is none · at_end (K,) : whether the parameter ends where it may lie · weights
    (C,) : of cells · losses (F,) : what each group of searchers adds to `held_out`
    """

    model: Model
    by: str
    values: Floats
    low: Floats
    high: Floats
    at_end: tuple[bool, ...]
    weights: Floats
    errors: Errors
    losses: Floats

    @property
    def held_out(self) -> float:
        """Error of searchers who were left out, as TSE or KL; nan where there are not two."""
        return float(self.losses.sum()) if self.losses.size > 1 else np.nan

    def ties_with(self, other: Fitted) -> bool:
        """Whether their errors held out are no more apart than one standard error of that."""
        apart = self.losses - other.losses
        return bool(abs(apart.sum()) <= np.sqrt(apart.size) * np.std(apart, ddof=1) + ROUNDING)


def errors_of(shares: Floats, weights: Floats) -> Errors:
    """Errors of weights (C,) beside observed shares (C,), both of which add up to 1."""
    off = shares - weights
    seen = shares > 0
    with np.errstate(divide="ignore"):
        kl = np.sum(shares[seen] * np.log2(shares[seen] / weights[seen]))
    return Errors(float(off @ off), float(np.abs(off).sum()), float(kl))


def fit_model(model: Model, counts: Floats, by: str) -> Fitted:
    """Fit a model to counts of groups of searchers, (F, C), each of which is left out once, too.

    Raises
    ------
    ValueError : nothing was looked at
    """
    whole = counts.sum(axis=0)
    if not whole.sum() > 0:
        raise ValueError("nothing was looked at; a fit takes marks.")
    rest = whole - counts
    kept = rest.sum(axis=1) > 0
    shares = np.vstack([whole, rest[kept]])
    shares = shares / shares.sum(axis=1, keepdims=True)
    at = least(model, shares, by)
    weights = model.weights(at)
    losses = _losses(counts[kept], weights[1:], shares[0], by)
    of_values = _intervals(model, at, int(kept.sum()))
    return Fitted(model, by, *of_values, weights[0], errors_of(shares[0], weights[0]), losses)


def least(model: Model, shares: Floats, by: str) -> Floats:
    """Places of the parameters at which the error is least for each row of shares, (N, F).

    That of the first row is the least that is reached from the best points of a grid: a form that
    is 1 below its base has a least at each rank. Those of the others lie near its own.
    """
    fitted = [model.parameters[i] for i in model.fitted.tolist()]
    if not fitted:
        return np.zeros((len(shares), 0))
    lines = [np.linspace(p.ends[0], p.ends[1], POINTS) for p in fitted]
    grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(fitted))
    cells = max(1, shares.shape[1])
    parts = np.array_split(grid, min(len(grid), 1 + len(grid) * cells // AT_ONCE))
    errors = np.concatenate([_errors_beside(model.weights(part), shares[0], by) for part in parts])
    starts = grid[np.argsort(errors, kind="stable")[:STARTS]]
    ends = _descend(model, starts, np.repeat(shares[:1], len(starts), axis=0), by)
    first = ends[[int(np.argmin(_errors_beside(model.weights(ends), shares[0], by)))]]
    return _descend(model, np.repeat(first, len(shares), axis=0), shares, by)


def _descend(model: Model, at: Floats, shares: Floats, by: str) -> Floats:
    """Down from these places by Gauss–Newton (of KL by Fisher's scoring), (N, F).

    A step is shortened until the error falls; where none does, the least is found.
    """
    ends = np.array([model.parameters[i].ends for i in model.fitted.tolist()])
    error, going = _error(model.weights(at), shares, by), np.arange(len(at))
    for _ in range(STEPS):
        own, now = at[going].copy(), error[going]
        step = _step(model, own, shares[going], by, ends)
        for _ in range(SHORTENED):
            left = np.flatnonzero((step != 0).any(axis=1))
            if not left.size:
                break
            tried = np.clip(own[left] + step[left], ends[:, 0], ends[:, 1])
            errors = _error(model.weights(tried), shares[going[left]], by)
            nearer = errors < now[left]
            won = left[nearer]
            own[won], now[won], step[won] = tried[nearer], errors[nearer], 0.0
            step /= 4
        fell = error[going] - now > ENOUGH * np.abs(now)
        at[going], error[going] = own, now
        going = going[fell]
        if not going.size:
            break
    return at


def _errors_beside(weights: Floats, shares: Floats, by: str) -> Floats:
    """Error of each row of weights (G, C) beside one row of shares, up to what they share."""
    if by == KL:
        return -np.log(weights + TINY) @ shares
    return np.einsum("gc,gc->g", weights, weights) - 2 * weights @ shares


def _error(weights: Floats, shares: Floats, by: str) -> Floats:
    """Error of each row of weights beside its shares, (N,)."""
    if by == KL:
        return -np.sum(shares * np.log(weights + TINY), axis=1)
    return np.sum((shares - weights) ** 2, axis=1)


def _step(model: Model, at: Floats, shares: Floats, by: str, ends: Floats) -> Floats:
    """Step from each place towards the least error, (N, F); none beyond an end that it is at."""
    own = model.weights(at)
    slopes = np.stack(
        [
            (model.weights(at + shift) - model.weights(at - shift)) / (2 * APART)
            for shift in APART * np.eye(at.shape[1])
        ],
        axis=1,
    )
    over = own + TINY if by == KL else np.ones_like(own)
    pull = np.einsum("nfc,nc->nf", slopes, (shares - own) / over)
    out = ((at <= ends[:, 0]) & (pull < 0)) | ((at >= ends[:, 1]) & (pull > 0))
    slopes, pull = np.where(out[:, :, None], 0.0, slopes), np.where(out, 0.0, pull)
    bend = slopes @ (slopes / over[:, None]).transpose(0, 2, 1)
    damp = DAMPED * np.einsum("nff->n", bend)[:, None, None] + TINY
    step = np.linalg.solve(bend + damp * np.eye(at.shape[1]), pull[:, :, None])[:, :, 0]
    return np.clip(step, -1.0, 1.0)


def _losses(counts: Floats, weights: Floats, shares: Floats, by: str) -> Floats:
    """What each group adds to the error of marks under weights fitted without it, (F,).

    What the shares of all are apart from any weights is taken off, so that the sum lies beside TSE,
    or KL.
    """
    part = counts / counts.sum()
    size = part.sum(axis=1)
    if by == KL:
        seen = shares > 0
        own = float(np.sum(shares[seen] * np.log2(shares[seen])))
        return own * size - np.sum(part * np.log2(weights + TINY), axis=1)
    squares = np.einsum("fc,fc->f", weights, weights) + shares @ shares
    return size * squares - 2 * np.sum(part * weights, axis=1)


def _intervals(
    model: Model, at: Floats, groups: int
) -> tuple[Floats, Floats, Floats, tuple[bool, ...]]:
    """Parameters, 95 % intervals by the jackknife over groups, and which ends they reach."""
    from scipy.stats import t  # which loads slowly, and few pages need it

    size = len(model.parameters)
    values, low, high = (np.full(size, np.nan) for _ in range(3))
    ends = [False] * size
    for column, i in enumerate(model.fitted.tolist()):
        parameter, own = model.parameters[i], at[:, column]
        values[i] = parameter.from_scale(own[:1])[0]
        ends[i] = bool(np.isclose(own[0], parameter.ends).any())
        if groups >= FEWEST_CLUSTERS and not ends[i]:
            spread = np.sqrt((groups - 1) * np.var(own[1:]))
            wide = spread * t.ppf(0.975, groups - 1)
            reach = np.clip(own[0] + np.array([-wide, wide]), *parameter.ends)
            low[i], high[i] = parameter.from_scale(reach)
    return values, low, high, tuple(ends)
