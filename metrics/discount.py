"""Discounts: factors above 0, multiplied onto a gain, for its rank and for its query."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats


def _one_plus_log(x: Floats, base: float | Floats) -> Floats:
    return 1.0 / (1.0 + np.log(x) / np.log(base))


def _log_floored_at_one(x: Floats, base: float | Floats) -> Floats:
    return 1.0 / np.where(x < base, 1.0, np.log(np.maximum(x, base)) / np.log(base))


def _shifted_log(x: Floats, base: float | Floats) -> Floats:
    return np.log(base) / np.log(x + base - 1.0)


def _log_of_next(x: Floats, base: float | Floats) -> Floats:
    return np.log(base) / np.log(x + 1.0)


@dataclass(frozen=True)
class Factor:
    """The factor of x (a rank, or a query's number): its function, and its formula in two scripts.

    text, latex : templates over x, base and shift (base − 1) · from_base : it is 1 below the base ·
    scales : its base multiplies the factors of all x alike, and those of x < base − 1 are above 1
    """

    function: Callable[[Floats, float | Floats], Floats]
    text: str
    latex: str
    from_base: bool = False
    scales: bool = False

    def formula(self, x: str, base: float) -> str:
        """The formula as text, with its base put in.

        >>> FORMS["kanoulas2011"].rank.formula("r", 4)
        '1/log_4(r + 3)'
        """
        return self.text.format(x=x, base=f"{base:g}", shift=f"{base - 1:g}")

    def latex_with_values(self, x: int, base: float) -> str:
        """The formula as LaTeX, with the numbers of one x put in; 1 where there is no discount."""
        if np.isinf(base) or (self.from_base and x < base):
            return "1"
        return self.latex.format(x=x, base=f"{base:g}", shift=f"{base - 1:g}")


@dataclass(frozen=True)
class Form:
    """A discount form: its factors by rank and by query, in plain words, and its source.

    reference, place : key of the work that describes it, and where in it
    """

    rank: Factor
    query: Factor
    words: str
    reference: str
    place: str = ""


_ONE_PLUS_LOG = Factor(
    _one_plus_log, "1/(1 + log_{base} {x})", r"\frac{{1}}{{1 + \log_{{{base}}} {x}}}"
)
_FROM_BASE_ON = Factor(
    _log_floored_at_one,
    "1/log_{base} {x} from {x} = {base} on",
    r"\frac{{1}}{{\log_{{{base}}} {x}}}",
    from_base=True,
)
_SHIFTED_LOG = Factor(
    _shifted_log, "1/log_{base}({x} + {shift})", r"\frac{{1}}{{\log_{{{base}}} ({x} + {shift})}}"
)
_NEXT_LOG = Factor(
    _log_of_next, "1/log_{base}({x} + 1)", r"\frac{{1}}{{\log_{{{base}}} ({x} + 1)}}", scales=True
)
FORMS: dict[str, Form] = {
    "ecir2008": Form(
        _ONE_PLUS_LOG,
        _ONE_PLUS_LOG,
        "1 / (1 + log r), likewise by query.",
        "S08",
        "Appendix eq. 2 and eq. 1",
    ),
    "jk2002": Form(
        _FROM_BASE_ON, _ONE_PLUS_LOG, "1 / log r from rank b on; by query as in ECIR 2008.", "JK02"
    ),
    "kanoulas2011": Form(
        _SHIFTED_LOG, _SHIFTED_LOG, "1 / log(r + b − 1), likewise by query.", "K11"
    ),
    "standard": Form(
        _NEXT_LOG,
        _NEXT_LOG,
        "1 / log(r + 1), likewise by query; b and bq only scale.",
        "B05",
        "by rank",
    ),
    "lipani2019": Form(
        _NEXT_LOG, _ONE_PLUS_LOG, "1 / log(r + 1) (b only scales); by query as in ECIR 2008.", "L19"
    ),
}


def _discount(values: ArrayLike, base: float, form: str, kind: Literal["rank", "query"]) -> Floats:
    if form not in FORMS:
        raise ValueError(f"discount form {form!r}; choose one of {', '.join(FORMS)}")
    if not base > 1:
        raise ValueError(f"logarithm base {base}; a base is greater than 1, or inf")
    x = np.asarray(values, dtype=float)
    return np.ones_like(x) if np.isinf(base) else getattr(FORMS[form], kind).function(x, base)


def rank_discount(ranks: ArrayLike, b: float, form: str = "ecir2008") -> Floats:
    r"""Factor on the gain found at a rank.

    .. math:: ecir2008: d(r) = \frac{1}{1 + \log_b r} \quad
              jk2002: d(r) = \frac{1}{\max(1, \log_b r)} \quad
              kanoulas2011: d(r) = \frac{1}{\log_b(r + b - 1)} \quad
              standard, lipani2019: d(r) = \frac{1}{\log_b(r + 1)}

    Parameters
    ----------
    ranks : any shape, from 1
    b : 1 < b, the patience with rank (1.5 impatient … 10 patient); inf means no discount
    form : a key of ``FORMS``

    Returns
    -------
    the shape of `ranks`, in (0, 1]; under standard and lipani2019 in (0, log2 b], above 1 at ranks
    r < b − 1, and below 1 throughout where b < 2

    Raises
    ------
    ValueError : b ≤ 1, or a form that is not in ``FORMS``

    Source: Järvelin et al. (ECIR 2008), Appendix eq. 2 (which prints log_b i where log_b j is
    meant); Järvelin & Kekäläinen (2002); Kanoulas et al. (2011); Burges et al. (2005), 1 /
    log(1 + r), whose base is open; Lipani et al. (2019).

    >>> rank_discount([1, 2, 4, 16], b=4).tolist()
    [1.0, 0.6666666666666666, 0.5, 0.3333333333333333]
    """
    return _discount(ranks, b, form, "rank")


def query_discount(query_numbers: ArrayLike, bq: float, form: str = "ecir2008") -> Floats:
    r"""Factor on all gains of the q-th query of a session.

    .. math:: ecir2008, jk2002: D(q) = \frac{1}{1 + \log_{bq} q} \quad
              kanoulas2011: D(q) = \frac{1}{\log_{bq}(q + bq - 1)} \quad
              standard: D(q) = \frac{1}{\log_{bq}(q + 1)}

    lipani2019 has the first, with its own d(r).

    Parameters
    ----------
    query_numbers : any shape, from 1
    bq : 1 < bq, the patience with reformulation; inf means no discount
    form : a key of ``FORMS``

    Returns
    -------
    the shape of `query_numbers`, in (0, 1]; under standard in (0, log2 bq], above 1 for q < bq − 1

    Raises
    ------
    ValueError : bq ≤ 1, or a form that is not in ``FORMS``

    Source: Järvelin et al. (ECIR 2008) eq. 1; Kanoulas et al. (2011); Lipani et al. (2019).
    Standard is that of ranks, by analogy.

    >>> query_discount([1, 4, 16], bq=4).tolist()
    [1.0, 0.5, 0.3333333333333333]
    """
    return _discount(query_numbers, bq, form, "query")
