"""What did searchers look at? The share of each query's results, and the weights that fit it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import FORMS, group_sums, interval
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.user_models import inst_weights, rbp_weights, srbp_weights
from sdcg_explorer.scoring import definition as declared
from sdcg_explorer.scoring.definition import FORM, FURTHER, Definition, Filters, fit_note
from sdcg_explorer.scoring.selection import ADDITIVE, SDCG, Selection, select
from sdcg_explorer.statistics.two_way import t_quantile
from sdcg_explorer.study.study import Study

FEWEST_WANTED, MOST_WANTED, KNOTS = 0.6, 50.0, 40  # documents, of INST
NEXT_TO_1 = 1 - 1e-6  # where sRBP is RBP of each list
SCALES, ALONE = "scales", "alone"  # why a parameter is not known: by its form, by the study
SCALE_OF: Mapping[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "base": (lambda values: np.log(np.log(values)), lambda at: np.exp(np.exp(at))),
    "chance": (lambda values: np.log(values / (1 - values)), lambda at: 1 / (1 + np.exp(-at))),
    "amount": (np.log, np.exp),
}  # a parameter as it is fitted, by its kind, and the way back


@dataclass(frozen=True)
class Parameter:
    """A number of a model, which is fitted on the scale of its kind.

    name : in tables · symbol : in formulas · low, high : its range · kind : base (of a logarithm),
    chance (in 0 to 1) or amount · unknown : why the study can't tell it, if it can't, and the
    `usual` value stands in its place
    """

    name: str
    symbol: str
    low: float
    high: float
    kind: str
    unknown: str
    usual: float


@dataclass(frozen=True, eq=False)
class Model:
    """A measure as what it takes searchers to look at.

    weigh : weights of cells (G, Q, R), up to a factor, at values (G, K) of the parameters; a model
    of one list weighs each query alike · form : of sDCG's discounts
    """

    name: str
    words: str
    parameters: tuple[Parameter, ...]
    weigh: Callable[[Floats], Floats]
    form: str = ""

    def __getstate__(self) -> Mapping[str, object]:
        # between processes a function of a function can't go; a fit that is found needs none
        return vars(self) | {"weigh": None}

    @property
    def of_queries(self) -> bool:
        """Whether it says which queries are asked, and nothing of results."""
        return self.name == "rbp_queries"

    @property
    def estimable(self) -> Ints:
        """Places of the parameters that a study can tell."""
        return np.array([i for i, p in enumerate(self.parameters) if not p.unknown], dtype=np.int64)

    @property
    def ends(self) -> Floats:
        """Range of what is fitted, on the scales that it is fitted on, (2, F)."""
        known = (p for p in self.parameters if not p.unknown)
        ends = [SCALE_OF[p.kind][0](np.array([p.low, p.high])) for p in known]
        return np.array(ends).reshape(-1, 2).T

    def values(self, at: Floats) -> Floats:
        """Values of the parameters, (G, K), at places of what is fitted, (G, F)."""
        values = np.tile([p.usual for p in self.parameters], (len(at), 1))
        for column, i in enumerate(self.estimable.tolist()):
            values[:, i] = SCALE_OF[self.parameters[i].kind][1](at[:, column])
        return values

    def weights(self, at: Floats) -> Floats:
        """Weights of cells, (G, Q · R), adding up to 1, at places of what is fitted, (G, F)."""
        weights = self.weigh(self.values(at)).reshape(len(at), -1)
        return weights / weights.sum(axis=1, keepdims=True)


def models_of(shape: tuple[int, int], lists: tuple[Floats, Ints]) -> list[Model]:
    """All models of a study: sDCG in each form, sRBP, RBP and INST, and RBP of queries alone.

    One of which a study with a single query, or a single rank, can tell nothing is none of them. A
    base of sDCG that only scales all factors alike cancels, and is not known; of sRBP p · b alone
    is known in a study of one query, and what goes on in one of one rank.

    shape : queries and ranks · lists : different gains of lists (N, R), in 0 to 1, and how many
    have them (N,)
    """
    queries, ranks = shape
    q, r = np.arange(1.0, queries + 1), np.arange(1.0, ranks + 1)
    by_rank, by_query = "" if ranks > 1 else ALONE, "" if queries > 1 else ALONE

    def of_form(form: str) -> Model:
        of = FORMS[form]
        b, bq = SCALES if of.rank.scales else by_rank, SCALES if of.query.scales else by_query
        bases = (
            Parameter("b", "b", 1.01, 999.0, "base", b, 2.0),
            Parameter("bq", "bq", 1.01, 999.0, "base", bq, 2.0),
        )

        def weigh(values: Floats) -> Floats:
            down = of.rank.function(r, values[:, :1])
            return of.query.function(q, values[:, 1:])[:, :, None] * down[:, None]

        return Model(f"sdcg_{form}", f"sDCG {form}", bases, weigh, form)

    def in_every_query(down: Floats) -> Floats:
        return np.broadcast_to(down.reshape(-1, 1, ranks), (len(down), queries, ranks))

    def chance(name: str, high: float, unknown: str, usual: float = 0.5) -> Parameter:
        return Parameter(name, name[0], 0.01, high, "chance", unknown, usual)

    read, ask = (chance("p_of_rbp", 0.999, unknown) for unknown in (by_rank, by_query))
    on = chance("b_of_srbp", 0.99, by_rank or by_query, float(queries == 1))
    down = chance("p_of_rbp", NEXT_TO_1, by_rank and by_query)
    wanted = Parameter("t_of_inst", "T", FEWEST_WANTED, MOST_WANTED, "amount", by_rank, 1.0)
    inst = _inst_weight_function(*lists) if ranks > 1 else lambda values: rbp_weights(ranks, values)
    every = (
        *map(of_form, FORMS),
        Model("srbp", "sRBP", (on, down), lambda v: srbp_weights(queries, ranks, *v.T)),
        Model("rbp", "RBP", (read,), lambda v: in_every_query(rbp_weights(ranks, v))),
        Model("inst", "INST", (wanted,), lambda v: in_every_query(inst(v))),
        Model("rbp_queries", "RBP of queries alone", (ask,), lambda v: rbp_weights(queries, *v.T)),
    )
    return [model for model in every if {p.unknown for p in model.parameters} != {ALONE}]


def _inst_weight_function(gains: Floats, number: Ints) -> Callable[[Floats], Floats]:
    """INST's weights by rank, averaged over lists, whose gains decide who goes on.

    They are computed at some values of T; between these, a cubic in its logarithm has six digits.
    """
    from scipy.interpolate import CubicSpline  # which loads slowly, and INST alone needs it

    knots = np.linspace(np.log(FEWEST_WANTED), np.log(MOST_WANTED), KNOTS)
    means = [number @ inst_weights(gains, t) / number.sum() for t in np.exp(knots).tolist()]
    spline = CubicSpline(knots, np.log(means))
    return lambda wanted: np.exp(spline(np.log(wanted[:, 0])))


LEAST_SQUARES, KL = "least squares", "KL"
CRITERIA = (LEAST_SQUARES, KL)
POINTS, STARTS = 33, 32  # of each parameter's grid, and of the grid, from where a fit goes down
STEPS, SHORTENED = 40, 5  # of the way to the smallest error; tries of each, a fourth as long
ENOUGH = 1e-12  # of the error, that a step has to take off
DAMPED, APART = 1e-9, 1e-5
AT_ONCE = 4_000_000  # weights of a grid
TINY, ROUNDING = 1e-300, 1e-9


class FitErrors(NamedTuple):
    """How far weights are from the shares: TSE, TAE and KL (log2) as Lipani et al. print them."""

    tse: float
    tae: float
    kl: float


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model as it comes nearest to what was examined.

    values, low, high (K,) : its parameters, nan where the study can't tell; ends of 95% intervals,
    nan where there is none · at_end (K,) : whether the parameter is at an end of its range ·
    weights (C,) : of cells · losses (F,) : what each group of searchers adds to `held_out`
    """

    model: Model
    by: str
    values: Floats
    low: Floats
    high: Floats
    at_end: Bools
    weights: Floats
    errors: FitErrors
    losses: Floats

    @property
    def held_out_error(self) -> float:
        """Error of searchers who were left out, as TSE or KL; nan where there are not two."""
        return float(self.losses.sum()) if self.losses.size > 1 else np.nan

    def is_tied_with(self, other: Self) -> bool:
        """Whether their errors held out are no more apart than one standard error of that."""
        apart = self.losses - other.losses
        return bool(abs(apart.sum()) <= np.sqrt(apart.size) * np.std(apart, ddof=1) + ROUNDING)


def fit_errors(shares: Floats, weights: Floats) -> FitErrors:
    """Errors of weights (C,) beside observed shares (C,), both of which add up to 1."""
    off = shares - weights
    positive = shares > 0
    with np.errstate(divide="ignore"):
        kl = np.sum(shares[positive] * np.log2(shares[positive] / weights[positive]))
    return FitErrors(float(off @ off), float(np.abs(off).sum()), float(kl))


def fit_model(model: Model, counts: Floats, by: str) -> Fitted:
    """Fit a model to counts of groups of searchers, (F, C), each of which is left out once, too.

    Intervals are by the jackknife over groups, of which any has counts.
    """
    whole = counts.sum(axis=0)
    rest = whole - counts
    others = rest.sum(axis=1) > 0
    shares = np.vstack([whole, rest[others]])
    shares = shares / shares.sum(axis=1, keepdims=True)
    at = minimise(model, shares, by)
    weights = model.weights(at)
    known, groups = model.estimable, int(others.sum())
    at_end = np.zeros(len(model.parameters), dtype=bool)
    at_end[known] = np.isclose(at[0], model.ends).any(axis=0)
    values = np.full((3, len(model.parameters)), np.nan)
    values[0, known] = model.values(at[:1])[0, known]
    if groups >= interval.FEWEST_CLUSTERS:
        spread = np.array([np.var(place) for place in at[1:].T])
        wide = np.sqrt((groups - 1) * spread) * t_quantile(groups - 1.0)
        ends = np.clip(at[0] + np.outer([-1, 1], wide), *model.ends)
        values[1:, known] = np.where(at_end, np.nan, model.values(ends))[:, known]
    losses = _cross_validation_losses(counts[others], weights[1:], shares[0], by)
    errors = fit_errors(shares[0], weights[0])
    value, low, high = values
    return Fitted(model, by, value, low, high, at_end, weights[0], errors, losses)


def minimise(model: Model, shares: Floats, by: str) -> Floats:
    """Places of the parameters at which the error is smallest for each row of shares, (N, F).

    That of the first row is the smallest that is found from the best points of a grid: a form that
    is 1 below its base has a minimum at each rank. Those of the others lie near it.
    """
    lines = [np.linspace(low, high, POINTS) for low, high in model.ends.T]
    if not lines:
        return np.zeros((len(shares), 0))
    grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(lines))
    size = max(1, AT_ONCE // shares.shape[1])
    parts = (grid[i : i + size] for i in range(0, len(grid), size))
    errors = np.concatenate([_fit_errors(model.weights(part), shares[0], by) for part in parts])
    starts = grid[np.argsort(errors, kind="stable")[:STARTS]]
    ends = _descend(model, starts, np.broadcast_to(shares[0], (len(starts), shares.shape[1])), by)
    first = ends[np.argmin(_fit_errors(model.weights(ends), shares[0], by))]
    return _descend(model, np.tile(first, (len(shares), 1)), shares, by)


def _descend(model: Model, at: Floats, shares: Floats, by: str) -> Floats:
    """Down from these places by Gauss–Newton (of KL by Fisher's scoring), (N, F).

    A step is shortened until the error falls; where none does, the minimum is found.
    """
    error, going = _fit_errors(model.weights(at), shares, by), np.arange(len(at))
    for _ in range(STEPS):
        here, now, goal = at[going], error[going], shares[going]
        step = _gauss_newton_step(model, here, goal, by)
        for _ in range(SHORTENED):
            tried = np.clip(here + step, *model.ends)
            errors = _fit_errors(model.weights(tried), goal, by)
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


def _fit_errors(weights: Floats, shares: Floats, by: str) -> Floats:
    """Error of each row of weights (N, C) beside its shares, or the one row of them, (N,)."""
    if by == KL:
        return -np.sum(shares * np.log(weights + TINY), axis=1)
    return np.sum((shares - weights) ** 2, axis=1)


def _gauss_newton_step(model: Model, at: Floats, shares: Floats, by: str) -> Floats:
    """Step from each place to a smaller error, (N, F); none beyond an end that it is at."""
    weights, (low, high) = model.weights(at), model.ends
    shifts = APART * np.eye(at.shape[1])
    apart = [model.weights(at + shift) - model.weights(at - shift) for shift in shifts]
    slopes = np.stack(apart, axis=1) / (2 * APART)
    over = weights + TINY if by == KL else np.ones_like(weights)
    pull = np.einsum("nfc,nc->nf", slopes, (shares - weights) / over)
    out = ((at <= low) & (pull < 0)) | ((at >= high) & (pull > 0))
    slopes, pull = np.where(out[:, :, None], 0.0, slopes), np.where(out, 0.0, pull)
    bend = slopes @ (slopes / over[:, None]).transpose(0, 2, 1)
    damp = DAMPED * np.einsum("nff->n", bend)[:, None, None] + TINY
    step = np.linalg.solve(bend + damp * np.eye(at.shape[1]), pull[:, :, None])[:, :, 0]
    return np.clip(step, -1.0, 1.0)


def _cross_validation_losses(counts: Floats, weights: Floats, shares: Floats, by: str) -> Floats:
    """What each group adds to the error of marks under weights fitted without it, (F,).

    What the shares of all are apart from any weights is subtracted, so that the sum lies beside
    TSE, or KL.
    """
    part = counts / (counts.sum() or np.nan)  # none, where one group alone examined anything
    size = part.sum(axis=1)
    if by == KL:
        positive = shares[shares > 0]
        of_all = float(np.sum(positive * np.log2(positive)))
        return of_all * size - np.sum(part * np.log2(weights + TINY), axis=1)
    squares = np.einsum("fc,fc->f", weights, weights) + shares @ shares
    return size * squares - 2 * np.sum(part * weights, axis=1)


MOST_GROUPS = 100  # of searchers, each of which is left out once


@dataclass(frozen=True, eq=False)
class Examined:
    """Counts over groups of searchers (F,), of sessions where none is named.

    results (F, Q, R) : sessions in which the r-th result of the q-th query was examined · queries
    (F, Q) : sessions that have a q-th query · by : examined, where the log marks what was, or
    clicked; "" where nothing is marked, and a query stands for one result (R = 1) · sessions,
    marked : in all, and in which anything was examined · searchers : clusters that were grouped
    """

    results: Floats
    queries: Floats
    by: str
    sessions: int
    marked: int
    searchers: int

    @property
    def total(self) -> float:
        """Cells that were examined."""
        return float(self.results.sum())

    @property
    def shares(self) -> Floats:
        """Share of each cell in all that was examined, (Q, R); nan where nothing was."""
        return self.results.sum(axis=0) / (self.total or np.nan)


def count_examined(study: Study, chosen: Selection) -> Examined:
    """What the searchers of some sessions looked at, to the top of the definition.

    Where the log marks what was examined, that and what was clicked or opened; else each result
    down to the lowest that was: a mark below the last rank says that all above it were examined.
    Where nothing is marked, the queries that were asked.
    """
    sample = chosen.sample
    ranks = min(chosen.definition.top, int(sample.block.lengths.max(initial=1)) or 1)
    marks = (name for name in ("examined", "clicked") if name in study.results)
    by = next((name for name in marks if study.results[name].notna().any()), "")
    shown, sessions, place = study.results_looked_at(), sample.sessions, sample.places
    rows = shown.noticed & (place[shown.session] >= 0)
    session, number, rank = place[shown.session[rows]], shown.number[rows], shown.rank[rows]
    if by == "clicked":
        deepest = np.zeros((sessions.size, sample.most_queries), dtype=np.int64)
        np.maximum.at(deepest, (session, number), rank)
        cells = np.less(np.arange(ranks), deepest[:, :, None])
    else:
        cells, near = np.zeros((sessions.size, sample.most_queries, ranks), bool), rank <= ranks
        cells[session[near], number[near], rank[near] - 1] = True
    if not cells.any():
        by, cells = "", sample.has_query[:, :, None]
    group = sample.clusters
    size = int(group.max(initial=-1)) + 1
    if size > MOST_GROUPS:
        group = np.random.default_rng(interval.SEED).permutation(size)[group] % MOST_GROUPS
        size = MOST_GROUPS
    results = group_sums(cells.astype(float), group, size)
    queries = group_sums(sample.has_query.astype(float), group, size)
    marked, searchers = int(cells.any(axis=(1, 2)).sum()), np.unique(sample.clusters).size
    return Examined(results, queries, by, sessions.size, marked, searchers)


@dataclass(frozen=True, eq=False)
class Fits:
    """Models beside what was examined, by both criteria; those of results where marks tell."""

    examined: Examined
    fitted: tuple[Fitted, ...]

    def fit_of(self, name: str, by: str = LEAST_SQUARES) -> Fitted | None:
        """A model's fit by a criterion, if the study has one."""
        return next((f for f in self.fitted if (f.model.name, f.by) == (name, by)), None)

    def ranked(self, by: str = LEAST_SQUARES) -> list[Fitted]:
        """Fits to results, that with the smallest error held out first, or of all where none is."""
        all_alike = not self.examined.by  # without marks every model is fitted to queries
        fits = [f for f in self.fitted if f.by == by and (all_alike or not f.model.of_queries)]
        if all(np.isnan(fit.held_out_error) for fit in fits):
            return sorted(fits, key=lambda fit: fit.errors.kl if by == KL else fit.errors.tse)
        return sorted(fits, key=lambda fit: (np.isnan(fit.held_out_error), fit.held_out_error))

    @property
    def ties(self) -> list[Fitted]:
        """Fits to results within one standard error of the best; none where that is not known."""
        best, *others = self.ranked()
        is_known = not np.isnan(best.held_out_error)
        return [each for each in others if is_known and best.is_tied_with(each)]

    def table(self) -> pd.DataFrame:
        """One row per model and criterion: parameters with intervals, and errors."""
        rows: list[dict[str, object]] = []
        for fit in self.fitted:
            row: dict[str, object] = {"model": fit.model.name, "by": fit.by}
            each = zip(fit.model.parameters, fit.values, fit.low, fit.high, strict=True)
            for p, value, low, high in each:
                row |= {p.name: value, f"{p.name}_low": low, f"{p.name}_high": high}
            rows.append(row)
        table = pd.DataFrame(rows).join(pd.DataFrame([fit.errors for fit in self.fitted]))
        unknown = [[p.name for p in fit.model.parameters if p.unknown] for fit in self.fitted]
        return table.assign(
            held_out=[fit.held_out_error for fit in self.fitted],
            not_identified=[*map(" ".join, unknown)],
        )

    def cells(self, by: str = LEAST_SQUARES) -> pd.DataFrame:
        """One row per query and rank: its share, and each model's weight by a criterion."""
        seen = self.examined
        queries, ranks = seen.results.shape[1:]
        q, r = (place.ravel() + 1 for place in np.indices((queries, ranks)))
        columns = {
            "query_number": q,
            "rank": r,
            "sessions": np.repeat(seen.queries.sum(axis=0), ranks).astype(np.int64),
            "looked_at": seen.results.sum(axis=0).ravel().astype(np.int64),
            "share": seen.shares.ravel(),
        }
        return pd.DataFrame(columns | {fit.model.name: fit.weights for fit in self.ranked(by)})


def fit(study: Study, definition: Definition, filters: Filters) -> Fits:
    """What searchers looked at to the top of the definition, and each model fitted to it.

    What b and bq are in the definition changes nothing. Models of results are fitted where the log
    marks what was examined or clicked; RBP of queries alone in any case.
    """
    chosen = select(study, definition, filters)
    examined = count_examined(study, chosen)
    if not examined.total:
        return Fits(examined, ())
    queries, ranks = examined.shares.shape
    most = float(chosen.weights.max(initial=0.0)) or 1.0
    gains = chosen.gains[chosen.sample.has_query][:, :ranks] / most
    gains = np.pad(gains, ((0, 0), (0, ranks - gains.shape[1])))
    fitted = [
        fit_model(model, counts.reshape(len(counts), -1), by)
        for model in models_of((queries, ranks), np.unique(gains, axis=0, return_counts=True))
        for counts in [examined.queries if model.of_queries else examined.results]
        for by in CRITERIA
    ]
    return Fits(examined, tuple(fitted))


def sdcg_weights_and_errors(fits: Fits, definition: Definition) -> tuple[Floats, FitErrors]:
    """Weights of sDCG by a definition, (Q, R), adding up to 1, and their errors."""
    queries, ranks = fits.examined.shares.shape
    by = ADDITIVE[SDCG]
    weights = np.outer(by.by_query(definition, queries), by.by_rank(definition, ranks))
    weights /= weights.sum()
    return weights, fit_errors(fits.examined.shares.ravel(), weights.ravel())


FIELDS = {"p_of_rbp": "p", "b_of_srbp": "srbp_b", "t_of_inst": "inst_t"}  # of a definition
DIGITS = 3  # significant, of a parameter that is taken into the definition


def fitted_definition(of: Fitted, definition: Definition, study: str = "") -> Definition | None:
    """The definition with a fit's parameters, as far as these are known.

    Of sDCG with its form and bases; of a further measure, which is asked for then, with its own.
    None of RBP of queries alone, which no measure is. It notes the `study` that is named.
    """
    known: dict[str, Any] = {
        FIELDS.get(p.name, p.name): float(f"{value:.{DIGITS}g}")
        for p, value in zip(of.model.parameters, of.values.tolist(), strict=True)
        if not p.unknown
    }
    name = of.model.name
    if of.model.form:
        known = {FORM: of.model.form} | {base: max(1.01, value) for base, value in known.items()}
    elif name in FURTHER:
        known |= {"p": min(known["p"], declared.PARAMETERS["p"].most)} if "p" in known else {}
        definition = replace(definition, measures=(*dict.fromkeys((*definition.measures, name)),))
    else:
        return None
    found = replace(definition, **known)
    measure = "" if of.model.form else name
    return replace(found, fitted_to=fit_note(found, known, study, measure)) if study else found
