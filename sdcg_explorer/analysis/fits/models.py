"""Models of what searchers look at: weights over queries and ranks, and their parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.metrics import FORMS
from sdcg_explorer.metrics.user_models import inst_weights, rbp_weights, srbp_weights

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
