"""Further measures of queries and sessions, computed where they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sdcg_explorer.analysis.definition.definition import (
    OVER_HIGHEST,
    Definition,
    further_of,
    with_parameters,
)
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.sessions.other_measures import OTHER_MEASURES, Measured, measured
from sdcg_explorer.metrics import Score, err, inst, rbp, srbp, stops
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.score import LINEAR, RISING
from sdcg_explorer.study.grades import NO_GRADE

FIRST, LAST, BEST = "first", "last", "best"
NO_GAIN = "where no grade gains"
GDEVAL, GDEVAL_MOST = "gdeval", 4.0  # the highest grade of that rule


def shares_of(of: Measured) -> Floats:
    """Gain of each cell over the definition's highest, (S, Q, top), repeats as it says."""
    chosen = of.chosen
    highest = chosen.weights.max(initial=0.0)
    share = chosen.gains * chosen.sample.inside
    return share / highest if highest > 0 else np.full_like(share, np.nan)


def _rbp(of: Measured) -> Floats:
    return rbp(shares_of(of), of.chosen.definition.p)


def _inst(of: Measured) -> Floats:
    return inst(shares_of(of), of.chosen.definition.inst_t)


def stops_of(of: Measured) -> Floats:
    """Chance that each cell satisfies, (S, Q, top); nan by gdeval where a grade is above 4."""
    labels, sample = of.chosen.sample.block.labels, of.chosen.sample
    grades = np.append(np.maximum(labels, 0.0), np.zeros(len(NO_GRADE)))
    rule, highest = of.chosen.definition.err_rule, max((0.0, *labels))
    if rule == GDEVAL and highest > GDEVAL_MOST:  # its chances to stop would pass 1
        return np.full(of.codes.shape, np.nan)
    return stops(np.where(sample.inside, grades[of.codes], 0.0), rule, highest)


def _err(of: Measured) -> Floats:
    return err(stops_of(of))


def _srbp(of: Measured) -> Floats:
    d, sample = of.chosen.definition, of.chosen.sample
    return np.where(sample.judged, srbp(shares_of(of), d.srbp_b, d.p), np.nan)


def _esndcg(of: Measured) -> Floats:
    return of.expected_session[0]


# place of the query that is taken of each session, (S,): of which are known, their values, and how
# many there are. The last is the session's, known or not, as that of the score last is.
WHICH_QUERY: dict[str, Callable[[Bools, Floats, Ints], Ints]] = {
    FIRST: lambda known, values, queries: known.argmax(axis=1),
    LAST: lambda known, values, queries: queries - 1,
    BEST: lambda known, values, queries: np.where(known, values, -np.inf).argmax(axis=1),
}


def _of_queries(which: str, query: Callable[[Measured], Floats], of: Measured) -> Floats:
    """Of a session's known queries the mean, or the first's, or the best's; or the last's, (S,)."""
    values = np.where(of.chosen.sample.judged_at, query(of), np.nan)
    known = ~np.isnan(values)
    if which:
        return values[
            np.arange(len(values)), WHICH_QUERY[which](known, values, of.chosen.sample.queries)
        ]
    number = np.where(known.any(axis=1), known.sum(axis=1), np.nan)
    return np.nansum(values, axis=1) / number


OF_QUERIES: dict[str, Score[Measured]] = {
    "rbp": Score(
        _rbp,
        "rank-biased precision of its list",
        "RBP",
        r"(1 - p) \sum_r p^{r - 1} g_r",
        "MZ08",
        undefined=NO_GAIN,
        bases=(),
        by_gain=LINEAR,
    ),
    "inst": Score(
        _inst,
        "gain per result of a searcher who wants T documents",
        "INST",
        r"\sum_r W(r) g_r",
        "MBST17",
        undefined=NO_GAIN,
        bases=(),
    ),
    "err": Score(
        _err,
        "expected reciprocal rank at which it satisfies",
        "ERR",
        r"\sum_r \frac{R_r}{r} \prod_{i < r} (1 - R_i)",
        "CMZG09",
        undefined="by the rule gdeval where a grade is above 4",
        bases=(),
    ),
}


def _of_session(name: str, which: str) -> Score[Measured]:
    score = (OF_QUERIES | OTHER_MEASURES)[name]
    words = {"": "mean", FIRST: "first query's", LAST: "last query's", BEST: "best query's"}[which]
    function = partial(_of_queries, which, score.function)
    by_gain = RISING if which == BEST and score.by_gain else score.by_gain  # it changes place
    own = f"{words} {score.unit}"
    undefined = f"where the last query is not known, or {score.undefined}"
    undefined = undefined if which == LAST else score.undefined
    return replace(
        score, function=function, words=own, by_gain=by_gain, undefined=undefined, worked=()
    )


OF_SESSIONS: dict[str, Score[Measured]] = {
    **{
        f"{name}_{which}" if which else name: _of_session(name, which)
        for name in OF_QUERIES
        for which in ("", FIRST, LAST, BEST)
    },
    "srbp": Score(
        _srbp,
        "rank-biased precision of the session",
        "sRBP",
        r"(1 - p) \sum_q \left(\frac{p - b p}{1 - b p}\right)^{q - 1} \sum_r (b p)^{r - 1} g(q, r)",
        "L19",
        undefined=NO_GAIN,
        bases=(),
        by_gain=LINEAR,
    ),
    "esndcg": Score(
        _esndcg,
        "expected nDCG over all ways through the session",
        "esNDCG",
        r"\sum_\omega P(\omega) nDCG(\omega)",
        "K11",
        undefined="where no way sees a document, or nothing is relevant",
        bases=(),
    ),
    # the mean is mean_ndcg, which stands in every table
    **{f"ndcg_{which}": _of_session("ndcg", which) for which in (FIRST, LAST, BEST)},
}
UNSEEN = Score[Measured](
    lambda of: of.expected_session[1],
    "chance of the ways through the session that see no document, which are left out of esNDCG",
    "share",
    r"\sum_{\omega \text{ empty}} P(\omega)",
    "K11",
    bases=(),
)
UNSEEN_COLUMN, RULE_COLUMN = "esndcg_unseen", "err_rule"  # beside esndcg, and err


@dataclass(frozen=True)
class Footing:
    """What a further measure stands on, beside its parameters.

    highest : gain over which gains are shares, nan where they are none · rule : of ERR · unseen,
    most_unseen : chance of paths that see nothing, mean and most of the sessions scored by esNDCG ·
    repeats : whether it counts those that the definition's gains leave out
    """

    measure: str
    highest: float = np.nan
    rule: str = ""
    unseen: float = np.nan
    most_unseen: float = np.nan
    repeats: bool = False


def footing(chosen: Selection, score: str) -> Footing | None:
    """What a score of sessions stands on that is a further measure, or None."""
    name, own = further_of(score), chosen.definition
    if not name:
        return None
    if name in OVER_HIGHEST:
        return Footing(name, highest=float(chosen.weights.max(initial=0.0)))
    if name == "ndcg":
        return Footing(name)
    repeats = own.repeats == "first"
    if name == "err":
        return Footing(name, rule=own.err_rule, repeats=repeats)
    each = measured(chosen, {name: OF_SESSIONS[name], UNSEEN_COLUMN: UNSEEN})
    unseen = each[UNSEEN_COLUMN][~np.isnan(each[name])]
    if not unseen.size:
        return Footing(name, repeats=repeats)
    return Footing(name, np.nan, "", float(unseen.mean()), float(unseen.max()), repeats)


def under(definition: Definition, score: str, of: Score[Measured]) -> Score[Measured]:
    """A score as it is said under a definition: a further measure with its parameters.

    ERR's rule is part of its unit: three programs have three numbers.
    """
    name = further_of(score)
    if not name:
        return of
    said = with_parameters(name, definition)
    if name == "err":
        return replace(of, unit=said)
    return of if said == of.unit else replace(of, words=f"{of.words}, {said}")


def asked_of_queries(of: Measured) -> list[str]:
    """Those of ``OF_QUERIES`` that the definition asks for."""
    return [name for name in OF_QUERIES if name in of.chosen.definition.measures]


def asked_of_sessions(of: Measured) -> list[str]:
    """Those of ``OF_SESSIONS`` that the definition asks for."""
    return [n for n in OF_SESSIONS if n.partition("_")[0] in of.chosen.definition.measures]
