"""How far a 95 % interval reaches from an estimate, in its errors: the quantile of t."""

from __future__ import annotations

from typing import Any


def reach_of(df: Any) -> Any:
    """Errors on either side, for degrees of freedom of any shape.

    >>> round(float(reach_of(10.0)), 3)
    2.228
    """
    from scipy.stats import t  # which loads slowly, and many pages need none of it

    return t.ppf(0.975, df)
