"""The literature check: what the sources print, or give to work out, beside ours of now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import PRESETS, Definition, Filters
from sdcg_explorer.analysis.examples.examples import (
    EXAMPLES,
    L14_LISTS,
    LINEAR,
    S08,
    W_EN,
    Y1,
    Y1_RELEVANT,
    Y2,
    Y2_RELEVANT,
    study_of,
)
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.metrics import (
    average_curves,
    cg,
    dcg,
    ideal_list,
    ldcg,
    lndcg,
    ndcg,
    rank_discount,
)

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


RANKS = np.arange(1, 16)
REMARKS = {
    "two slips": "Rank 2 adds 1 for 2/1.5 = 1.33, rank 8 adds 1.2 for 2/2.5 = 0.8.",
    "sorted": "The ideal is the retrieved list, sorted; the Swedish article sorts the corpus.",
    "both forms": "1/log r from rank 2 on; 1/log(r + 1).",
    "sorted, too": "The ideal is the retrieved list, sorted, though the lecture says otherwise.",
    "judged": "With all assessments as the ideal, which the lecture describes but does not print.",
    "rounded": "Rounded up. P's is three times G's, which is 2.131: so 6.393.",
}


def literature() -> list[Check]:
    """Every number of docs/methods.md to test against beside ours, computed anew at each call."""
    return [*_ecir2008(), *_encyclopedia(), *_lecture(), *_length_adjusted(), *_toy_sessions()]


def _told(values: Any) -> tuple[float, ...]:
    return tuple(np.atleast_1d(np.asarray(values, dtype=float)).tolist())


def _ecir2008() -> list[Check]:
    line = partial(Check, "ecir2008", "Järvelin et al. 2008, Appendix")
    ours = dcg(S08, rank_discount(RANKS[:10], 4))
    added = np.diff(ours, prepend=0.0)
    added[1], added[7] = 1.0, 1.2  # what the print adds at ranks 2 and 8
    worked = (3, 4.333, 6.007, 6.007, 6.007, 6.443, 7.275, 8.075, 9.236, 9.236)
    misprint = (3, 4, 5.67, 5.67, 5.67, 6.11, 6.94, 8.14, 9.30, 9.30)
    made: dict[str, Any] = {"slipped": _told(np.cumsum(added)), "slips": (2, 8)}
    return [
        line("CG of G", (3, 5, 8, 8, 8, 9, 11, 13, 16, 16), _told(cg(S08)), 0),
        line("DCG of G, b = 4", worked, _told(ours), 3, worked=True),
        line(
            "DCG of G, b = 4",
            misprint,
            _told(ours),
            2,
            REMARKS["two slips"],
            reason=MISPRINT,
            **made,
        ),
    ]


def _encyclopedia() -> list[Check]:
    line, log2 = partial(Check, "w-en", "Encyclopedia, DCG"), rank_discount(RANKS[:6], 2, "jk2002")
    ideal = ideal_list(W_EN, 6)
    one = [dcg([0, 1], rank_discount([1, 2], 2, form))[-1] for form in ("jk2002", "kanoulas2011")]
    return [
        line("what rank 3 adds", (1.892,), _told(W_EN[2] * log2[2]), 3).cut(1),
        line("DCG at rank 6", (8.097,), _told(dcg(W_EN, log2)[-1]), 3),
        line("DCG of the ideal", (8.693,), _told(dcg(ideal, log2)[-1]), 3, REMARKS["sorted"]),
        line("nDCG at rank 6", (0.9315,), _told(ndcg(W_EN, ideal, log2)[-1]), 4),
        line(
            "one relevant at rank 2, both forms", (1, 0.631), _told(one), 3, REMARKS["both forms"]
        ),
    ]


def _lecture() -> list[Check]:
    source, log2 = "Yukawa 2023, lecture 5", rank_discount(RANKS, 2, "jk2002")
    line, gains = partial(Check, "yukawa-retrieved", source), np.array([Y1, Y2], dtype=float)

    def averaged(*relevant: tuple[int, ...]) -> dict[str, Floats]:
        return average_curves(gains, np.array([ideal_list(g, 15) for g in relevant]), log2)

    retrieved, judged = averaged(Y1, Y2), averaged(Y1_RELEVANT, Y2_RELEVANT)
    first = (1, 1, *[1.631] * 3, *[2.791] * 4, *[3.394] * 5, 4.161)
    second = (0, 0, *[1.262] * 5, *[1.595] * 7, 2.363)
    ncg = (0.167, 0.091, 0.286, 0.267, 0.25, 0.438, 0.438, 0.5, 0.5, *[0.625] * 5, 1)
    printed = (0.167, 0.091, 0.224, 0.216, 0.209, 0.293, 0.293, 0.317, 0.317, *[0.361] * 5, 0.472)
    meant = (0.167, 0.091, 0.214, 0.199, 0.188, 0.251, 0.245, 0.26, 0.256, *[0.286] * 5, 0.374)
    ours = [_told(dcg(gains, log2)) for gains in (Y1, Y2)]
    shown = tuple(ours[0][rank - 1] for rank in (3, 6, 15))
    of_judged = _told(judged["ndcg"])
    return [
        line("DCG1 at ranks 3, 6 and 15", (1.6, 2.7, 4.1), shown, 1).cut(2, 3),
        line("DCG1", first, ours[0], 3, worked=True),
        line("DCG2", second, ours[1], 3, worked=True),
        line("NCG of both", ncg, _told(retrieved["ncg"]), 3),
        line("NDCG of both", printed, _told(retrieved["ndcg"]), 3, REMARKS["sorted, too"]),
        Check("yukawa-judged", source, "NDCG", meant, of_judged, 3, REMARKS["judged"], worked=True),
    ]


def _length_adjusted() -> list[Check]:
    line, worth = partial(Check, "l14", "Lv et al. 2014, Table 3"), {"P": 3.0, "G": 1.0, "B": 0.0}
    lists = L14_LISTS.split()
    gains = np.array([[worth[doc] for doc in docs] + [0.0] * (3 - len(docs)) for docs in lists])
    lengths = np.array([len(docs) for docs in lists])
    ours, shares = _told(ldcg(gains, lengths)), _told(lndcg(gains, lengths, 3.0, 1))
    up = _told(np.ceil(np.array(ours[:3]) * 100) / 100)
    printed = (6.393, 5.534, 4.573, 4.409, 3.74, 3.232, 3.094, 2.885, 2.755, 2.131, 1.524, 0.962)
    of_ideal = (1, 0.866, 0.715, 0.69, 0.585, 0.506, 0.484, 0.451, 0.431, 0.333, 0.238, 0.15)
    made: dict[str, Any] = {"slipped": up, "slips": (1, 2, 3), "reason": CONTRADICTED}
    ratios = ndcg(gains, ideal_list([3, 1], 3), rank_discount([1, 2, 3], 2, "kanoulas2011"))
    p, pb, gp, g = (_told(ratios[lists.index(docs), 1:]) for docs in ("P", "PB", "GP", "G"))
    return [
        line(f"LDCG of {L14_LISTS}", printed, ours, 3, worked=True),
        line("LDCG of P PG PB", (6.40, 5.54, 4.58), ours[:3], 2, REMARKS["rounded"], **made),
        line("NDCG@2 and @3 of P and PB", (0.82,) * 4, p + pb, 2).cut(1, 2, 3, 4),
        line("NDCG of .797 (GP) and of .275 (G)", (0.79, 0.27), (gp[0], g[0]), 2).cut(1, 2),
        line("LNDCG of the same", of_ideal, shares, 3),
    ]


FINALS = (  # of T-1, T-2, T-3: linear gain, ecir2008, b 2, X 10
    (4, "every", (8.7398771, 7.1666667, 7.9254330)),
    (4, "first", (8.7398771, 4.1666667, 4.9254330)),
    (2, "every", (7.1651529, 6.1666667, 6.8244050)),
    (2, "first", (7.1651529, 4.0, 4.5744050)),
)
IDEALS = (
    (4, "repeated", (20.170005, 11.952211, 12.868129)),
    (4, "spread", (11.139613, 4.891219, 8.853679)),
    (2, "repeated", (17.108083, 9.739630, 11.581316)),
    (2, "spread", (9.994583, 4.5, 8.282995)),
)
SHARES = (
    ("repeated", (0.433311, 0.599610, 0.615896)),
    ("spread", (0.784576, 1.465211, 0.895157)),
)
OTHER_SCORES = {
    "average": (5.5910, 5.7208, 4.9094),
    "last": (2.9213, 1.0, 4.4041),
    "best": (3.1021, 3.5, 4.4041),
    "per_query": (2.9133, 1.7917, 3.9627),
    "weighted_mean": (3.9288, 2.6304, 4.7553),
    "mean_dcg": (4.1377, 2.375, 5.0637),
    "average_normalised": (0.4173, 0.7293, 0.4813),
}
SESSION_TRACK = {
    "final": (23.5405742, 17.4280046, 23.1280322),
    "final_normalised": (0.4048587, 0.5542887, 0.6762446),
}


def _toy_sessions() -> list[Check]:
    """T-1 to T-3 under every definition that their source programs know."""
    names, programs = ("T-1", "T-2", "T-3"), "three toy sessions, the original programs"
    found: list[Check] = []

    @lru_cache
    def counted(definition: Definition) -> dict[str, list[float]]:
        chosen = [select(study_of(EXAMPLES[name]), definition, Filters()) for name in names]
        ends = [(each.session_scores, each.ideals[0, -1, -1]) for each in chosen]
        columns = {name: [values[name][0] for values, _ in ends] for name in ends[0][0]}
        return {**columns, "ideal": [ideal for _, ideal in ends]}

    def check(
        what: str, column: str, printed: tuple[float, ...], digits: int, definition: Definition
    ) -> None:
        ours = _told(counted(definition)[column])
        found.append(Check("T-1", programs, what, printed, ours, digits, worked=True))

    for bq, repeats, said in FINALS:
        check(f"final, {repeats}, bq {bq}", "final", said, 7, _plain(bq=bq, repeats=repeats))
    for bq, ideal, said in IDEALS:
        check(f"ideal {ideal}, bq {bq}", "ideal", said, 6, _plain(bq=bq, ideal=ideal))
    for ideal, said in SHARES:
        check(f"every / {ideal}, bq 4", "final_normalised", said, 6, _plain(ideal=ideal))
    for name, said in OTHER_SCORES.items():
        check(f"{name}, bq 4", name, said, 4, LINEAR)
    for name, said in SESSION_TRACK.items():
        check(f"{name}, Session track", name, said, 7, PRESETS["session-track"])
    return found


def _plain(**choices: Any) -> Definition:
    return replace(LINEAR, **choices)
