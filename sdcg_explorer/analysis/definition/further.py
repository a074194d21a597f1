"""Further measures that a definition may ask for, and their parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sdcg_explorer.metrics.user_models import LEAST_WANTED, RULES


@dataclass(frozen=True)
class Parameter:
    """A parameter of further measures: what it is, how it is written, and which values it has.

    words : in a line · sign : in a sentence · why : it has no less, where said
    """

    words: str
    sign: str
    least: float
    most: float
    why: str = ""

    def has(self, value: float) -> bool:
        """Whether a value is one of it."""
        return self.least <= value <= self.most

    @property
    def ends(self) -> str:
        """Which values it has, in words."""
        return f"from {self.least:g} to {self.most:g}{self.why and f', for {self.why}'}"


@dataclass(frozen=True)
class Further:
    """A further measure: its name in words, its parameters, and where it comes from."""

    words: str
    parameters: tuple[str, ...]
    reference: str


PARAMETERS = {
    "p": Parameter("chance to look at the next result", "p", 0.0, 0.999),
    "srbp_b": Parameter("of those who go on, the share that reads on", "b", 0.0, 1.0),
    "inst_t": Parameter(
        "documents that a searcher wants",
        "T",
        LEAST_WANTED,
        1_000.0,
        "with less chances to go on pass 1 in lists full of gain",
    ),
    "p_reform": Parameter("chance to ask the next query", "p_reform", 0.0, 1.0),
    "p_down": Parameter("chance to read on", "p_down", 0.0, 1.0),
}
ERR_RULES = tuple(RULES)
NAMES = (*PARAMETERS, "err_rule")  # fields of a definition
MEASURES = "measures"  # the field that asks for some
FITTED_TO = "fitted_to"  # the field that says from which study parameters come
LONGEST_NOTE = 300  # letters of it
OVER_HIGHEST = {"rbp", "srbp", "inst"}  # whose gains are shares of the definition's highest
FURTHER = {
    "ndcg": Further("nDCG", (), "JK02"),
    "rbp": Further("RBP", ("p",), "MZ08"),
    "srbp": Further("sRBP", ("srbp_b", "p"), "L19"),
    "inst": Further("INST", ("inst_t",), "MBST17"),
    "err": Further("ERR", ("err_rule",), "CMZG09"),
    "esndcg": Further("esNDCG", ("p_reform", "p_down"), "K11"),
}


def with_parameters(name: str, definition: Any) -> str:
    """A further measure with its parameters, as a definition has them.

    >>> from sdcg_explorer.analysis.definition.definition import DEFAULT
    >>> with_parameters("srbp", DEFAULT), with_parameters("err", DEFAULT)
    ('sRBP (b = 0.75, p = 0.9)', 'ERR (rule gdeval)')
    >>> with_parameters("ndcg", DEFAULT)
    'nDCG'
    """
    of = FURTHER[name]
    signs = {key: f"{each.sign} = " for key, each in PARAMETERS.items()} | {"err_rule": "rule "}
    said = [f"{signs[key]}{written(definition, key)}" for key in of.parameters]
    return f"{of.words} ({', '.join(said)})" if said else of.words


def written(definition: Any, name: str) -> str:
    """One of the parameters of a definition, as a text."""
    value = getattr(definition, name)
    return value if isinstance(value, str) else f"{value:g}"


def further_of(score: str) -> str:
    """The further measure that a score of sessions is of; "" where it is none.

    >>> further_of("rbp_last"), further_of("final")
    ('rbp', '')
    """
    name = score.partition("_")[0]
    return name if name in FURTHER else ""


def not_of(score: str) -> set[str]:
    """Fields about further measures, and of a fit, that a score does not depend on.

    >>> sorted(not_of("srbp"))
    ['err_rule', 'fitted_to', 'inst_t', 'measures', 'p_down', 'p_reform']
    """
    own = FURTHER[name].parameters if (name := further_of(score)) else ()
    return {MEASURES, FITTED_TO, *NAMES} - {*own}


FORM, MEASURE = "discount", "measure"  # that a fit is of


def noted(definition: Any, names: Iterable[str], study: str, measure: str = "") -> str:
    """The note that these fields of a definition, of a further `measure`, were fitted to a study.

    >>> from sdcg_explorer.analysis.definition.definition import Definition
    >>> note = noted(Definition(b=3.0), ["b", "bq"], "S (9 sessions)")
    >>> fit_in_force(Definition(b=3.0, fitted_to=note))
    (['b = 3', 'bq = 4'], 'S (9 sessions)')
    >>> fit_in_force(Definition(b=5.0, fitted_to=note))
    """
    of = [f"{MEASURE}={name}" for name in [measure] if name]
    values = [f"{name}={written(definition, name)}" for name in names]
    return f"{' '.join([*of, *values])}; {study}"[:LONGEST_NOTE]


def fit_in_force(definition: Any) -> tuple[list[str], str] | None:
    """Parameters that were fitted, and the study; None once one of them is another."""
    values, _, study = definition.fitted_to.partition("; ")
    named = [part.partition("=") for part in values.split()]
    known = {"b", "bq", FORM, *PARAMETERS}

    def holds(name: str, own: str) -> bool:
        if name == MEASURE:
            return own in definition.measures
        return name in known and written(definition, name) == own

    if not (named and study and all(holds(name, own) for name, _, own in named)):
        return None
    return [f"{n} = {value}" for n, _, value in named if n not in (FORM, MEASURE)], study
