"""What did searchers look at? The share of each query's results, and the weights nearest to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import FORMS, group_sums
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, SEED
from sdcg_explorer.metrics.user_models import inst_weights, rbp_weights, srbp_weights
from sdcg_explorer.scoring.definition import FORM, FURTHER, PARAMETERS, Definition, Filters, noted
from sdcg_explorer.scoring.selection import ADDITIVE, SDCG, Selection, select
from sdcg_explorer.study.study import Study

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

Shape = tuple[int, int]  # queries and ranks
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
    unknown: str
    usual: float

    @property
    def sign(self) -> str:
        """As formulas have it: b, bq, p or T."""
        return "T" if self.name == "t_of_inst" else self.name.partition("_")[0]

    @property
    def ends(self) -> Floats:
        """Least and most on the scale that it is fitted on, (2,)."""
        values = np.array([self.least, self.most])
        if self.kind == "chance":
            return np.log(values / (1 - values))
        return np.log(np.log(values)) if self.kind == "base" else np.log(values)

    def from_scale(self, at: Floats) -> Floats:
        """Values from that scale."""
        if self.kind == "chance":
            return 1 / (1 + np.exp(-at))
        return np.exp(np.exp(at)) if self.kind == "base" else np.exp(at)


@dataclass(frozen=True, eq=False)
class Model:
    """A measure as what it takes searchers to look at.

    form : of sDCG's discounts · inst : INST's weights by the logarithm of T, as logarithms ·
    of_queries : whether it says which queries are asked, and nothing of results
    """

    name: str
    words: str
    shape: Shape
    parameters: tuple[Parameter, ...]
    form: str = ""
    inst: CubicSpline | None = None
    of_queries: bool = False

    @property
    def fitted(self) -> Ints:
        """Places of the parameters that a study can tell."""
        return np.array([i for i, p in enumerate(self.parameters) if not p.unknown], dtype=np.int64)

    @property
    def ends(self) -> Floats:
        """Least and most of what is fitted, on the scales that it is fitted on, (2, F)."""
        return np.array([self.parameters[i].ends for i in self.fitted.tolist()]).reshape(-1, 2).T

    def weigh(self, values: Floats) -> Floats:
        """Weights of cells (G, Q, R), up to a factor, at values (G, K) of the parameters.

        A model of one list weighs each query alike.
        """
        queries, ranks = self.shape
        if self.form:
            of = FORMS[self.form]
            down = of.rank.function(np.arange(1.0, ranks + 1), values[:, :1])
            on = of.query.function(np.arange(1.0, queries + 1), values[:, 1:])
            return on[:, :, None] * down[:, None]
        if self.name == "srbp":
            return srbp_weights(queries, ranks, *values.T)
        if self.of_queries:
            return rbp_weights(queries, values[:, 0])
        down = np.exp(self.inst(np.log(values[:, 0]))) if self.inst else rbp_weights(ranks, values)
        return np.broadcast_to(down.reshape(-1, 1, ranks), (len(values), queries, ranks))

    def weights(self, at: Floats) -> Floats:
        """Weights of cells, (G, Q · R), adding up to 1, at places of what is fitted, (G, F)."""
        values = np.tile([p.usual for p in self.parameters], (len(at), 1))
        for column, i in enumerate(self.fitted.tolist()):
            values[:, i] = self.parameters[i].from_scale(at[:, column])
        weights = self.weigh(values).reshape(len(at), -1)
        return weights / weights.sum(axis=1, keepdims=True)


def models_of(shape: Shape, lists: tuple[Floats, Ints]) -> list[Model]:
    """All models of a study: sDCG in each form, sRBP, RBP and INST, and RBP of queries alone.

    One of which a study with a single query, or a single rank, can tell nothing is none of them. A
    base of sDCG that only scales all factors alike cancels, and is not known; of sRBP p · b alone
    is known in a study of one query, and what goes on in one of one rank.

    lists : different gains of lists (N, R), in 0 to 1, and how many have them (N,)
    """
    queries, ranks = shape
    by_rank, by_query = "" if ranks > 1 else ALONE, "" if queries > 1 else ALONE
    models: list[Model] = []
    for form, of in FORMS.items():
        b, bq = SCALES if of.rank.scales else by_rank, SCALES if of.query.scales else by_query
        bases = (
            Parameter("b", 1.01, 999.0, "base", b, 2.0),
            Parameter("bq", 1.01, 999.0, "base", bq, 2.0),
        )
        models.append(Model(f"sdcg_{form}", f"sDCG {form}", shape, bases, form))
    on_or_next = (
        Parameter("b_of_srbp", 0.01, 0.99, "chance", by_rank or by_query, float(queries == 1)),
        Parameter("p_of_rbp", 0.01, NEXT_TO_1, "chance", by_rank and by_query, 0.5),
    )
    down = Parameter("p_of_rbp", 0.01, 0.999, "chance", by_rank, 0.5)
    wanted = Parameter("t_of_inst", FEWEST_WANTED, MOST_WANTED, "amount", by_rank, 1.0)
    on = Parameter("p_of_rbp", 0.01, 0.999, "chance", by_query, 0.5)
    models += [
        Model("srbp", "sRBP", shape, on_or_next),
        Model("rbp", "RBP", shape, (down,)),
        Model("inst", "INST", shape, (wanted,), inst=None if by_rank else _inst(*lists)),
        Model("rbp_queries", "RBP of queries alone", shape, (on,), of_queries=True),
    ]
    return [each for each in models if {p.unknown for p in each.parameters} != {ALONE}]


def _inst(gains: Floats, number: Ints) -> CubicSpline:
    """INST's weights by rank, averaged over lists, whose gains decide who goes on.

    They are computed at some values of T; between these, a cubic in its logarithm has six digits.
    """
    from scipy.interpolate import CubicSpline  # which loads slowly, and INST alone needs it

    knots = np.linspace(np.log(FEWEST_WANTED), np.log(MOST_WANTED), KNOTS)
    total = number.sum()
    means = [number @ inst_weights(gains, t) / total for t in np.exp(knots).tolist()]
    return CubicSpline(knots, np.log(means))


LEAST_SQUARES, KL = "least squares", "KL"
CRITERIA = (LEAST_SQUARES, KL)
POINTS, STARTS = 33, 32  # of each parameter's grid, and of the grid, from where a fit goes down
STEPS, SHORTENED = 40, 5  # of the way to the least error; tries of each, a fourth as long
ENOUGH = 1e-12  # of the error, that a step has to take off
DAMPED, APART = 1e-9, 1e-5
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
    at_end: Bools
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

    Intervals are by the jackknife over groups.

    Raises
    ------
    ValueError : nothing was looked at
    """
    from scipy.stats import t  # which loads slowly, and few pages need it

    whole = counts.sum(axis=0)
    if not whole.sum() > 0:
        raise ValueError("nothing was looked at; a fit takes marks.")
    rest = whole - counts
    kept = rest.sum(axis=1) > 0
    shares = np.vstack([whole, rest[kept]])
    shares = shares / shares.sum(axis=1, keepdims=True)
    at = least(model, shares, by)
    weights = model.weights(at)
    values, low, high = np.full((3, len(model.parameters)), np.nan)
    at_end = np.zeros(len(model.parameters), dtype=bool)
    groups = int(kept.sum())
    for column, i in enumerate(model.fitted.tolist()):
        parameter, own = model.parameters[i], at[:, column]
        values[i] = parameter.from_scale(own[0])
        at_end[i] = np.isclose(own[0], parameter.ends).any()
        if groups >= FEWEST_CLUSTERS and not at_end[i]:
            wide = np.sqrt((groups - 1) * np.var(own[1:])) * t.ppf(0.975, groups - 1)
            ends = np.clip(own[0] + np.array([-wide, wide]), *parameter.ends)
            low[i], high[i] = parameter.from_scale(ends)
    losses = _losses(counts[kept], weights[1:], shares[0], by)
    errors = errors_of(shares[0], weights[0])
    return Fitted(model, by, values, low, high, at_end, weights[0], errors, losses)


def least(model: Model, shares: Floats, by: str) -> Floats:
    """Places of the parameters at which the error is least for each row of shares, (N, F).

    That of the first row is the least that is reached from the best points of a grid: a form that
    is 1 below its base has a least at each rank. Those of the others lie near its own.
    """
    lines = [np.linspace(low, high, POINTS) for low, high in model.ends.T]
    if not lines:
        return np.zeros((len(shares), 0))
    grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(lines))
    step = max(1, AT_ONCE // shares.shape[1])
    parts = (grid[i : i + step] for i in range(0, len(grid), step))
    errors = np.concatenate([_errors_beside(model.weights(part), shares[0], by) for part in parts])
    starts = grid[np.argsort(errors, kind="stable")[:STARTS]]
    ends = _descend(model, starts, np.broadcast_to(shares[0], (len(starts), shares.shape[1])), by)
    first = ends[np.argmin(_errors_beside(model.weights(ends), shares[0], by))]
    return _descend(model, np.tile(first, (len(shares), 1)), shares, by)


def _descend(model: Model, at: Floats, shares: Floats, by: str) -> Floats:
    """Down from these places by Gauss–Newton (of KL by Fisher's scoring), (N, F).

    A step is shortened until the error falls; where none does, the least is found.
    """
    error, going = _error(model.weights(at), shares, by), np.arange(len(at))
    for _ in range(STEPS):
        here, now, goal = at[going], error[going], shares[going]
        step = _step(model, here, goal, by)
        for _ in range(SHORTENED):
            tried = np.clip(here + step, *model.ends)
            errors = _error(model.weights(tried), goal, by)
            nearer = errors < now
            here[nearer], now[nearer], step[nearer] = tried[nearer], errors[nearer], 0.0
            step /= 4
            if not step.any():
                break
        fell = error[going] - now > ENOUGH * np.abs(now)
        at[going], error[going] = here, now
        going = going[fell]
        if not going.size:
            break
    return at


def _error(weights: Floats, shares: Floats, by: str) -> Floats:
    """Error of each row of weights (N, C) beside its shares, (N,)."""
    if by == KL:
        return -np.sum(shares * np.log(weights + TINY), axis=1)
    return np.sum((shares - weights) ** 2, axis=1)


def _errors_beside(weights: Floats, shares: Floats, by: str) -> Floats:
    """Error of each row of weights (G, C) beside one row of shares, up to what they share."""
    if by == KL:
        return -np.log(weights + TINY) @ shares
    return np.einsum("gc,gc->g", weights, weights) - 2 * weights @ shares


def _step(model: Model, at: Floats, shares: Floats, by: str) -> Floats:
    """Step from each place towards the least error, (N, F); none beyond an end that it is at."""
    own, (low, high) = model.weights(at), model.ends
    slopes = np.stack(
        [
            (model.weights(at + shift) - model.weights(at - shift)) / (2 * APART)
            for shift in APART * np.eye(at.shape[1])
        ],
        axis=1,
    )
    over = own + TINY if by == KL else np.ones_like(own)
    pull = np.einsum("nfc,nc->nf", slopes, (shares - own) / over)
    out = ((at <= low) & (pull < 0)) | ((at >= high) & (pull > 0))
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
    def unit(self) -> str:
        """What is left out once: a searcher, or a session where none is named."""
        return "searcher" if self.names_searchers else "session"

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
    marks = (name for name in ("examined", "clicked") if name in study.results)
    by = next((name for name in marks if study.results[name].notna().any()), "")
    seen = _seen(study, sample.sessions, shape, down=by == "clicked")
    if not seen.any():
        by, seen = "", sample.asked_at[:, :, None]
    group = sample.clusters
    size = int(group.max(initial=-1)) + 1
    if size > MOST_GROUPS:
        group = np.random.default_rng(SEED).permutation(size)[group] % MOST_GROUPS
        size = MOST_GROUPS
    return LookedAt(
        results=group_sums(seen.astype(float), group, size),
        queries=group_sums(sample.asked_at.astype(float), group, size),
        by=by,
        sessions=sample.sessions.size,
        marked=int(seen.any(axis=(1, 2)).sum()),
        searchers=np.unique(sample.clusters).size,
        names_searchers=bool(sample.block.searcher_names) and sample.searchers_known > 0,
    )


def _seen(study: Study, sessions: Ints, shape: tuple[int, int, int], *, down: bool) -> Bools:
    """Cells that were looked at, (S, Q, R); all `down` to the lowest that is marked, or it alone.

    A mark below the last rank says that all above it were seen.
    """
    shown = study.looked_at()
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


@dataclass(frozen=True, eq=False)
class Fits:
    """Models beside what was looked at, by both criteria; those of results where marks tell."""

    seen: LookedAt
    fitted: tuple[Fitted, ...]

    def of(self, name: str, by: str = LEAST_SQUARES) -> Fitted | None:
        """The fit of a model, if the study has one."""
        known = (each for each in self.fitted if (each.model.name, each.by) == (name, by))
        return next(known, None)

    def ranked(self, by: str = LEAST_SQUARES) -> list[Fitted]:
        """Fits to results, that with the least error of searchers left out first."""
        own = [each for each in self.fitted if each.by == by and not each.model.of_queries]
        return sorted(own, key=lambda each: (np.isnan(each.held_out), each.held_out))

    @property
    def ties(self) -> list[Fitted]:
        """Fits to results within one standard error of the best; none where that is not known."""
        best, *others = self.ranked()
        return [] if np.isnan(best.held_out) else [each for each in others if best.ties_with(each)]

    def table(self) -> pd.DataFrame:
        """One row per model and criterion: parameters with intervals, and errors."""
        rows: list[dict[str, object]] = []
        for of in self.fitted:
            row: dict[str, object] = {"model": of.model.name, "by": of.by}
            for i, p in enumerate(of.model.parameters):
                row[p.name] = of.values[i]
                row[f"{p.name}_low"], row[f"{p.name}_high"] = of.low[i], of.high[i]
            rows.append(row)
        table = pd.DataFrame(rows)
        for name in ("tse", "tae", "kl"):
            table[name] = [getattr(each.errors, name) for each in self.fitted]
        table["held_out"] = [each.held_out for each in self.fitted]
        unknown = ([p.name for p in each.model.parameters if p.unknown] for each in self.fitted)
        return table.assign(not_identified=[" ".join(names) for names in unknown])

    def cells(self, by: str = LEAST_SQUARES) -> pd.DataFrame:
        """One row per query and rank: its share, and each model's weight by a criterion."""
        queries, ranks = self.seen.results.shape[1:]
        q, r = (each.ravel() + 1 for each in np.indices((queries, ranks)))
        frame = pd.DataFrame({"query_number": q, "rank": r})
        frame["sessions"] = np.repeat(self.seen.queries.sum(axis=0), ranks).astype(np.int64)
        frame["looked_at"] = self.seen.results.sum(axis=0).ravel().astype(np.int64)
        frame["share"] = self.seen.shares.ravel()
        return frame.assign(**{each.model.name: each.weights for each in self.ranked(by)})


def fit(study: Study, definition: Definition, filters: Filters) -> Fits:
    """What searchers looked at to the top of the definition, and each model fitted to it.

    What b and bq are in the definition changes nothing. Models of results are fitted where the log
    marks what was examined or clicked; RBP of queries alone in any case.
    """
    chosen = select(study, definition, filters)
    seen = looked_at(study, chosen)
    if not seen.total:
        return Fits(seen, ())
    queries, ranks = seen.shares.shape
    most = float(chosen.weights.max(initial=0.0)) or 1.0
    gains = chosen.gains[chosen.sample.asked_at][:, :ranks] / most
    gains = np.pad(gains, ((0, 0), (0, ranks - gains.shape[1])))
    different, number = np.unique(gains, axis=0, return_counts=True)
    fitted = [
        fit_model(model, counts.reshape(len(counts), -1), by)
        for model in models_of((queries, ranks), (different, number))
        for counts in [seen.queries if model.of_queries else seen.results]
        for by in CRITERIA
    ]
    return Fits(seen, tuple(fitted))


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
DIGITS = 3  # significant, of a parameter that is taken into the definition


def taken(of: Fitted, definition: Definition, study: str = "") -> Definition | None:
    """The definition with a fit's parameters, as far as these are told.

    Of sDCG with its form and bases; of a further measure, which is asked for then, with its own.
    None of RBP of queries alone, which no measure is. It notes the `study` that is named.
    """
    told: dict[str, Any] = {
        FIELDS[p.name]: float(f"{value:.{DIGITS}g}")
        for p, value in zip(of.model.parameters, of.values.tolist(), strict=True)
        if not p.unknown
    }
    name = of.model.name
    if of.model.form:
        told = {FORM: of.model.form} | {base: max(1.01, value) for base, value in told.items()}
    elif name in FURTHER:
        told |= {"p": min(told["p"], PARAMETERS["p"].most)} if "p" in told else {}
        definition = replace(definition, measures=(*dict.fromkeys((*definition.measures, name)),))
    else:
        return None
    found = replace(definition, **told)
    measure = "" if of.model.form else name
    return replace(found, fitted_to=noted(found, told, study, measure)) if study else found
