"""A line that a source prints, or that was worked out of it, beside what our metrics make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

AGREES, SLIP, DIFFERS = "agrees", "slip in the source", "DIFFERS"
MISPRINT = "slip of print"
CUT = "cut off, not rounded"
CONTRADICTED = "contradicted by the same source"


@dataclass(frozen=True, eq=False)
class Check:
    """One line of numbers beside ours.

    given : as the source prints them, or, where it is `worked`, as they follow from its formula,
    by hand or by its own program · digits : those after the point that are given · slipped : what
    ours become if the source's slips are made too, at `slips` (values from 1): then the print is
    wrong, and known to be, for this `reason`
    """

    example: str
    source: str
    what: str
    given: tuple[float, ...]
    ours: tuple[float, ...]
    digits: int
    remark: str = ""
    worked: bool = False
    slipped: tuple[float, ...] = ()
    slips: tuple[int, ...] = ()
    reason: str = ""

    @property
    def difference(self) -> float:
        """The largest difference between what is given and ours."""
        return float(np.max(np.abs(np.subtract(self.given, self.ours))))

    @property
    def verdict(self) -> str:
        """Whether ours agree to the last given digit, or would if the source's slip was made."""
        value = self.slipped or self.ours
        near = np.abs(np.subtract(self.given, value)) <= 0.5 * 10.0**-self.digits + 1e-9
        if not near.all():
            return DIFFERS
        return SLIP if self.slipped else AGREES

    def cut(self, *slips: int) -> Check:
        """The same where the source cuts its values off, at `slips`, instead of rounding them."""
        return replace(self, slipped=cut_off(self.ours, self.digits), slips=slips, reason=CUT)

    def by_rank(self) -> pd.DataFrame:
        """What is given and ours, value by value; a slip is marked where it is made."""
        given, ours = np.array(self.given), np.array(self.ours)
        values = np.arange(1, given.size + 1)
        return pd.DataFrame(
            {
                "value": values,
                "worked" if self.worked else "printed": given,
                "ours": ours,
                "difference": given - ours,
                "mark": np.where(np.isin(values, self.slips), self.reason, ""),
            }
        )


def cut_off(values: tuple[float, ...], digits: int) -> tuple[float, ...]:
    """Values cut off after so many digits, as some sources print them.

    >>> cut_off((2.791, 1.631), 1)
    (2.7, 1.6)
    """
    return tuple((np.floor(np.array(values) * 10**digits + 1e-9) / 10**digits).tolist())


def _line(values: tuple[float, ...], digits: int) -> str:
    return " ".join(f"{value:.{digits}f}" for value in values)


def literature_table(checks: list[Check]) -> pd.DataFrame:
    """One row per check, as the page shows them; beside a slip ours have a digit more."""
    return pd.DataFrame(
        [
            {
                "verdict": check.verdict,
                "source": check.source,
                "what": check.what,
                "printed": "" if check.worked else _line(check.given, check.digits),
                "worked": _line(check.given, check.digits) if check.worked else "",
                "ours": _line(check.ours, check.digits + bool(check.slipped)),
                "largest difference": check.difference,
                "reason": check.reason,
                "remark": check.remark,
            }
            for check in checks
        ]
    )
