"""What did searchers look at? The share of each query's results, and the weights nearest to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.definition.definition import (
    FORM,
    FURTHER,
    PARAMETERS,
    Definition,
    Filters,
    noted,
)
from sdcg_explorer.analysis.robustness.base_grid import GRID
from sdcg_explorer.analysis.selection.selection import ADDITIVE, SDCG, Selection, select
from sdcg_explorer.metrics import FORMS
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, SEED
from sdcg_explorer.metrics.user_models import inst_weights, rbp_weights, srbp_weights
from sdcg_explorer.study.result_rows import Shown
from sdcg_explorer.study.study import Study

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline


Shape = tuple[int, int]  # queries and ranks
POINTS = 33  # of each parameter, from where a fit starts
FEWEST_WANTED, MOST_WANTED, KNOTS = 0.6, 50.0, 40  # documents, of INST
NEXT_TO_1 = 1 - 1e-6  # where sRBP is RBP of each list
SCALES, ALONE = "scales", "alone"  # why a parameter is not known: by its form, by the study


@dataclass(frozen=True)
class Parameter:
    """A number of a model, which is fitted on a scale of its own.

    name : in tables · least, most : where it may lie · kind : base (of a logarithm), chance (in
    0 to 1) or amount · unknown : why the study can't tell it, if it can't, and the `usual` value
    stands in its place
    """

    name: str
    least: float
    most: float
    kind: str
    unknown: str = ""
    usual: float = np.nan

    def to_scale(self, values: Floats) -> Floats:
        """Values on the scale that they are fitted on."""
        if self.kind == "chance":
            return np.log(values / (1 - values))
        return np.log(np.log(values)) if self.kind == "base" else np.log(values)

    def from_scale(self, at: Floats) -> Floats:
        """And back."""
        if self.kind == "chance":
            return 1 / (1 + np.exp(-at))
        return np.exp(np.exp(at)) if self.kind == "base" else np.exp(at)

    @property
    def ends(self) -> Floats:
        """Least and most on that scale, (2,)."""
        return self.to_scale(np.array([self.least, self.most]))


@dataclass(frozen=True, eq=False)
class Model:
    """A measure as what it takes searchers to look at.

    weigh : from values (G, K) of its K parameters to weights of cells (G, Q, R), up to a factor ·
    form : of sDCG's discounts · of_queries : whether it says which queries are asked, and nothing
    of results
    """

    name: str
    words: str
    parameters: tuple[Parameter, ...]
    weigh: Callable[[Floats], Floats]
    form: str = ""
    of_queries: bool = False

    @property
    def fitted(self) -> Ints:
        """Places of the parameters that a study can tell."""
        return np.array([i for i, p in enumerate(self.parameters) if not p.unknown], dtype=np.int64)

    def weights(self, at: Floats) -> Floats:
        """Weights of cells, (G, Q · R), adding up to 1, at places of what is fitted, (G, F)."""
        values = np.tile([p.usual for p in self.parameters], (len(at), 1))
        for column, i in enumerate(self.fitted.tolist()):
            values[:, i] = self.parameters[i].from_scale(at[:, column])
        weights = self.weigh(values).reshape(len(at), -1)
        return weights / weights.sum(axis=1, keepdims=True)


def models_of(shape: Shape, lists: tuple[Floats, Ints]) -> list[Model]:
    """All models of a study: sDCG in each form, sRBP, RBP and INST, and RBP of queries alone.

    One of which a study with a single query, or a single rank, can tell nothing is none of them.

    lists : different gains of lists (N, R), in 0 to 1, and how many have them (N,)
    """
    queries, ranks = shape
    every = [
        *(sdcg_model(form, shape) for form in FORMS),
        _srbp(shape),
        Model(
            "rbp",
            "RBP",
            (_chance("p_of_rbp", known=ranks > 1),),
            partial(_alike, queries, partial(rbp_weights, ranks)),
        ),
        Model(
            "inst",
            "INST",
            (
                Parameter(
                    "t_of_inst",
                    FEWEST_WANTED,
                    MOST_WANTED,
                    "amount",
                    "" if ranks > 1 else ALONE,
                    1.0,
                ),
            ),
            partial(_alike, queries, _Inst(*lists)),
        ),
        Model(
            "rbp_queries",
            "RBP of queries alone",
            (_chance("p_of_rbp", known=queries > 1),),
            partial(_queries, queries),
            of_queries=True,
        ),
    ]
    return [each for each in every if {p.unknown for p in each.parameters} != {ALONE}]


def sdcg_model(form: str, shape: Shape) -> Model:
    """SDCG in a form; a base that only scales all factors alike cancels, and is not known."""
    queries, ranks = shape
    of = FORMS[form]
    b = SCALES if of.rank.scales else "" if ranks > 1 else ALONE
    bq = SCALES if of.query.scales else "" if queries > 1 else ALONE
    bases = tuple(
        Parameter(name, 1.01, 999.0, "base", unknown, 2.0)
        for name, unknown in (("b", b), ("bq", bq))
    )

    return Model(f"sdcg_{form}", f"sDCG {form}", bases, partial(_sdcg, form, shape), form=form)


def _sdcg(form: str, shape: Shape, values: Floats) -> Floats:
    of, (queries, ranks) = FORMS[form], shape
    down = of.rank.function(np.arange(1.0, ranks + 1), values[:, :1])
    on = of.query.function(np.arange(1.0, queries + 1), values[:, 1:])
    return on[:, :, None] * down[:, None]


def _srbp(shape: Shape) -> Model:
    """SRBP; in a study of one query p · b alone is known, in one of one rank what goes on."""
    queries, ranks = shape
    alone = queries == 1 or ranks == 1
    b = Parameter(
        "b_of_srbp", 0.01, 0.99, "chance", ALONE if alone else "", 1.0 if queries == 1 else 0.0
    )
    p = Parameter(
        "p_of_rbp", 0.01, NEXT_TO_1, "chance", "" if max(queries, ranks) > 1 else ALONE, 0.5
    )
    return Model("srbp", "sRBP", (b, p), partial(_of_sessions, shape))


def _of_sessions(shape: Shape, values: Floats) -> Floats:
    return srbp_weights(*shape, *values.T)


def _queries(queries: int, values: Floats) -> Floats:
    return rbp_weights(queries, values[:, 0])


def _chance(name: str, *, known: bool) -> Parameter:
    return Parameter(name, 0.01, 0.999, "chance", "" if known else ALONE, 0.5)


def _alike(queries: int, of_list: Callable[[Floats], Floats], values: Floats) -> Floats:
    """Weights of a list's ranks, the same for each query: such a model knows one list."""
    down = of_list(values[:, 0])
    return np.repeat(down[:, None], queries, axis=1)


@dataclass(frozen=True, eq=False)
class _Inst:
    """INST's weights by rank, (G, R), averaged over lists, whose gains decide who goes on.

    Between some values of T, which are computed when the first is asked for, a cubic in its
    logarithm: to six digits.

    gains (N, R) : of different lists · number (N,) : how many have them
    """

    gains: Floats
    number: Ints

    def __call__(self, wanted: Floats) -> Floats:
        """Weights at so many documents wanted, (G,)."""
        return np.exp(self._line(np.log(wanted)))

    @cached_property
    def _line(self) -> CubicSpline:
        from scipy.interpolate import CubicSpline  # which loads slowly, and INST alone needs it

        knots = np.linspace(np.log(FEWEST_WANTED), np.log(MOST_WANTED), KNOTS)
        total = self.number.sum()
        means = [self.number @ inst_weights(self.gains, t) / total for t in np.exp(knots).tolist()]
        return CubicSpline(knots, np.log(means))


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


MOST_GROUPS = 100  # of searchers, each of which is left out once


@dataclass(frozen=True, eq=False)
class LookedAt:
    """Counts over groups of searchers (F,), of sessions where none is named.

    results (F, Q, R) : sessions in which the r-th result of the q-th query was looked at · queries
    (F, Q) : sessions that have a q-th query · by : examined, where the log marks what was, or
    clicked; "" where nothing is marked, and a query stands for one result (R = 1) · sessions,
    marked : in all, and in which anything was looked at · searchers : clusters that were grouped,
    of `names_searchers` or not
    """

    results: Floats
    queries: Floats
    by: str
    sessions: int
    marked: int
    searchers: int
    names_searchers: bool

    @property
    def total(self) -> float:
        """Cells that were looked at."""
        return float(self.results.sum())

    @property
    def shares(self) -> Floats:
        """Share of each cell in all that was looked at, (Q, R); nan where nothing was."""
        return self.results.sum(axis=0) / (self.total or np.nan)


def looked_at(study: Study, chosen: Selection) -> LookedAt:
    """What the searchers of some sessions looked at, to the top of the definition.

    Where the log marks what was examined, that and what was clicked or opened; else each result
    down to the lowest that was. Where nothing is marked, the queries that were asked.
    """
    sample = chosen.sample
    ranks = min(chosen.definition.top, int(sample.block.lengths.max(initial=1)) or 1)
    shape = sample.sessions.size, sample.most_queries, ranks
    by = _marks(study)
    seen = _seen(study.looked_at(), sample.sessions, shape, down=by == "clicked")
    if not seen.any():
        by, seen = "", sample.asked_at[:, :, None]
    group = _groups(sample.clusters)
    size = int(group.max(initial=-1)) + 1
    names = sample.block.searcher_names
    return LookedAt(
        results=_added(seen, group, size),
        queries=_added(sample.asked_at, group, size),
        by=by,
        sessions=sample.sessions.size,
        marked=int(seen.any(axis=(1, 2)).sum()),
        searchers=np.unique(sample.clusters).size,
        names_searchers=bool(names) and sample.searchers_known > 0,
    )


def _marks(study: Study) -> str:
    """What tells that a result was looked at."""
    known = (name for name in ("examined", "clicked") if name in study.results)
    return next((name for name in known if study.results[name].notna().any()), "")


def _seen(shown: Shown, sessions: Ints, shape: tuple[int, int, int], *, down: bool) -> Bools:
    """Cells that were looked at, (S, Q, R); all `down` to the lowest that is marked, or it alone.

    A mark below the last rank says that all above it were seen.
    """
    place = np.full(int(max(shown.session.max(initial=0), sessions.max(initial=0))) + 1, -1)
    place[sessions] = np.arange(sessions.size)
    rows = shown.noticed & (place[shown.session] >= 0)
    session, number, rank = place[shown.session[rows]], shown.number[rows], shown.rank[rows]
    if down:
        deepest = np.zeros(shape[:2], dtype=np.int64)
        np.maximum.at(deepest, (session, number), rank)
        return np.less(np.arange(shape[2]), deepest[:, :, None])
    seen, near = np.zeros(shape, dtype=bool), rank <= shape[2]
    seen[session[near], number[near], rank[near] - 1] = True
    return seen


def _groups(clusters: Ints) -> Ints:
    """Group of each session: its searcher, or one of ``MOST_GROUPS`` that searchers are put in."""
    size = int(clusters.max(initial=-1)) + 1
    if size <= MOST_GROUPS:
        return clusters
    dealt = np.random.default_rng(SEED).permutation(size) % MOST_GROUPS
    return dealt[clusters]


def _added(values: Bools, group: Ints, size: int) -> Floats:
    """Sum of sessions' values over each group."""
    total = np.zeros((size, *values.shape[1:]))
    np.add.at(total, group, values)
    return total


DIGITS = 3  # significant, of a base that is taken as the definition


@dataclass(frozen=True, eq=False)
class Fits:
    """Models beside what was looked at, by both criteria; those of results where marks tell.

    errors (B, K) : TSE of sDCG in the form of the definition over ``GRID`` × ``GRID``
    """

    seen: LookedAt
    fitted: tuple[Fitted, ...]
    form: str
    errors: Floats

    def of(self, name: str, by: str = LEAST_SQUARES) -> Fitted | None:
        """The fit of a model, if the study has one."""
        known = (each for each in self.fitted if (each.model.name, each.by) == (name, by))
        return next(known, None)

    def ranked(self, by: str = LEAST_SQUARES) -> list[Fitted]:
        """Fits to results, that with the least error of searchers left out first."""
        own = [each for each in self.fitted if each.by == by and not each.model.of_queries]
        return sorted(own, key=lambda each: (np.isnan(each.held_out), each.held_out))

    @property
    def has_map(self) -> bool:
        """Whether the form in force has both of its bases told by the study."""
        own = self.of(f"sdcg_{self.form}")
        return own is not None and own.model.fitted.size == 2

    @property
    def valley(self) -> Ints:
        """Place of the b with the least error at each bq of the map, (K,)."""
        return np.argmin(self.errors, axis=0)

    def table(self) -> pd.DataFrame:
        """One row per model and criterion: parameters with intervals, and errors."""
        names = dict.fromkeys(p.name for each in self.fitted for p in each.model.parameters)
        return pd.DataFrame([_row(each, [*names]) for each in self.fitted])

    def map_table(self) -> pd.DataFrame:
        """One row per point of the map."""
        b, bq = (each.ravel() for each in np.meshgrid(GRID, GRID, indexing="ij"))
        tse = self.errors.ravel()
        return pd.DataFrame({"b": b, "bq": bq, "tse": tse, "times_least": tse / tse.min()})

    def cells(self, by: str = LEAST_SQUARES) -> pd.DataFrame:
        """One row per query and rank: its share, and each model's weight by a criterion."""
        queries, ranks = self.seen.results.shape[1:]
        q, r = (each.ravel() + 1 for each in np.indices((queries, ranks)))
        frame = pd.DataFrame({"query_number": q, "rank": r})
        frame["sessions"] = np.repeat(self.seen.queries.sum(axis=0), ranks).astype(np.int64)
        frame["looked_at"] = self.seen.results.sum(axis=0).ravel().astype(np.int64)
        frame["share"] = self.seen.shares.ravel()
        return frame.assign(**{each.model.name: each.weights for each in self.ranked(by)})


def _row(of: Fitted, names: list[str]) -> dict[str, object]:
    """A row of the table."""
    row: dict[str, object] = {"model": of.model.name, "by": of.by}
    told = {p.name: i for i, p in enumerate(of.model.parameters)}
    for name in names:
        at = told.get(name)
        for end, values in (("", of.values), ("_low", of.low), ("_high", of.high)):
            row[f"{name}{end}"] = np.nan if at is None else values[at]
    lacking = [p.name for p in of.model.parameters if p.unknown]
    errors = {"tse": of.errors.tse, "tae": of.errors.tae, "kl": of.errors.kl}
    return {**row, **errors, "held_out": of.held_out, "not_identified": " ".join(lacking)}


def fit(study: Study, definition: Definition, filters: Filters) -> Fits:
    """What searchers looked at to the top of the definition, and each model fitted to it.

    What b and bq are in the definition changes nothing. Models of results are fitted where the log
    marks what was examined or clicked; RBP of queries alone in any case.
    """
    chosen = select(study, definition, filters)
    seen = looked_at(study, chosen)
    shape = seen.results.shape[1], seen.results.shape[2]
    models = models_of(shape, _lists(chosen, shape[1]))
    fitted = [
        fit_model(model, counts.reshape(len(counts), -1), by)
        for model in models
        for counts in [seen.queries if model.of_queries else seen.results]
        for by in CRITERIA
        if counts.sum() > 0
    ]
    own = sdcg_model(definition.discount, shape)
    return Fits(seen, tuple(fitted), definition.discount, _map(own, seen.shares))


def in_force(fits: Fits, definition: Definition) -> tuple[Floats, Errors]:
    """Weights of sDCG by a definition, (Q, R), adding up to 1, and their errors."""
    queries, ranks = fits.seen.shares.shape
    by = ADDITIVE[SDCG]
    weights = np.outer(by.by_query(definition, queries), by.by_rank(definition, ranks))
    weights /= weights.sum()
    return weights, errors_of(fits.seen.shares.ravel(), weights.ravel())


FIELDS = {  # of a definition, by the names that models have for their parameters
    **{"p_of_rbp": "p", "b_of_srbp": "srbp_b", "t_of_inst": "inst_t"},
    **{"b": "b", "bq": "bq"},
}
MOST_CHANCE = PARAMETERS["p"].most  # that a definition may have for going on


def taken(of: Fitted, definition: Definition, study: str = "") -> Definition | None:
    """The definition with a fit's parameters, as far as these are told.

    Of sDCG with its form and bases; of a further measure, which is asked for then, with its own.
    None of RBP of queries alone, which no measure is. It notes the `study` that is named.
    """
    known = zip(of.model.parameters, of.values.tolist(), strict=True)
    told = {p.name: float(f"{value:.{DIGITS}g}") for p, value in known if not p.unknown}
    if of.model.form:
        bases = {name: max(1.01, value) for name, value in told.items()}
        found = replace(definition, discount=of.model.form, **bases)
        return _noted(found, [FORM, *bases], study)
    if of.model.name not in FURTHER:
        return None
    own: Any = {FIELDS[name]: min(value, MOST_CHANCE) if name != "t_of_inst" else value
                for name, value in told.items()}  # fmt: skip
    asked = tuple(dict.fromkeys((*definition.measures, of.model.name)))
    return _noted(replace(definition, measures=asked, **own), own, study, of.model.name)


def _noted(of: Definition, names: Iterable[str], study: str, measure: str = "") -> Definition:
    """A definition that says from which study these of its fields are, if one is named."""
    return replace(of, fitted_to=noted(of, names, study, measure)) if study else of


def _lists(chosen: Selection, ranks: int) -> tuple[Floats, Ints]:
    """Different gains of lists, (N, R), in 0 to 1, and how many queries have them, (N,)."""
    most = float(chosen.weights.max(initial=0.0)) or 1.0
    gains = chosen.gains[chosen.sample.asked_at][:, :ranks] / most
    if gains.shape[1] < ranks:
        gains = np.pad(gains, ((0, 0), (0, ranks - gains.shape[1])))
    if not len(gains):
        return np.zeros((1, ranks)), np.ones(1, dtype=np.int64)
    different, number = np.unique(gains, axis=0, return_counts=True)
    return different, number


def _map(model: Model, shares: Floats) -> Floats:
    """TSE of sDCG at each b and bq of the map, (B, K)."""
    size = len(GRID)
    values = np.column_stack([np.repeat(GRID, size), np.tile(GRID, size)])
    weights = model.weigh(values).reshape(size * size, -1)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.sum((weights - shares.ravel()) ** 2, axis=1).reshape(size, size)
