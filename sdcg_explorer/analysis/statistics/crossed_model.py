"""Two systems where topics are a sample, as searchers are: the crossed mixed model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Ints
from sdcg_explorer.analysis.statistics.crossed_fit import fitted, is_rounding, told_apart
from sdcg_explorer.analysis.statistics.crossed_reml import PARTS, At, sums_of
from sdcg_explorer.analysis.statistics.fit import Estimate
from sdcg_explorer.analysis.systems.scored_sessions import Scored

TOPICS_ARE = {"fixed": "these topics", "sample": "topics like these"}
FEW_LEVELS = 8  # topics, or searchers, below which they can't speak for others (decision 85)
LEAST = 4  # sessions
MOST_FEW = 300  # searchers or topics, whichever are fewer, that are computed in seconds
OF = "searcher", "searcher_by_system", "topic", "topic_by_system"  # parts


@dataclass(frozen=True)
class Variances:
    """Variances in squared units of the score; nan where the design can't tell one.

    searcher, topic : of their means over both systems · searcher_by_system, topic_by_system : of
    their own differences b − a about the average · rest : of sessions, beside all these
    """

    searcher: float = np.nan
    searcher_by_system: float = np.nan
    topic: float = np.nan
    topic_by_system: float = np.nan
    rest: float = np.nan


@dataclass(frozen=True)
class Crossed:
    """Difference b − a for searchers and topics like those of the study.

    effect, low, high, se : in units of the score, the 95 % interval by t · df : Satterthwaite's ·
    deviance : −2 × restricted log-likelihood of the scores as they are · searchers : or sessions,
    where none names one · untold : parts left out, each with why · reason : why there is no model
    """

    system_a: str
    system_b: str
    effect: float = np.nan
    low: float = np.nan
    high: float = np.nan
    se: float = np.nan
    df: float = np.nan
    p: float = np.nan
    variances: Variances = field(default_factory=Variances)
    deviance: float = np.nan
    searchers: int = 0
    topics: int = 0
    sessions: int = 0
    is_named: bool = True
    untold: tuple[tuple[str, str], ...] = ()
    reason: str = ""


def crossed_model(scored: Scored, a: int, b: int) -> Crossed:
    r"""Difference of two systems (codes) where searchers and topics are both samples.

    .. math:: y_i = \mu + \delta x_i + u_s + v_s x_i + t_k + w_k x_i + e_i

    for session i of searcher s on topic k, x = −½ with system a and ½ with b; u, v, t, w and e
    independent and normal, the variance of each by REML. Coded so, to swap a and b changes the sign
    of δ and nothing else. A variance that the design can't tell from the others is left out.

    Returns
    -------
    Crossed, its effect δ with Kenward and Roger's standard error and Satterthwaite's degrees of
    freedom, with which theirs agree for a single coefficient; nan, with a reason, where there is
    no model

    Source: Baayen, Davidson and Bates (2008), Journal of Memory and Language 59, 390–412, for the
    model; Kenward and Roger (1997), Biometrics 53, 983–997, for error and degrees of freedom.

    >>> who, topic = np.divmod(np.arange(24), 4)
    >>> system, noise = (who + topic) % 2, np.random.default_rng(1).normal(size=24)
    >>> crossed = crossed_model(Scored(system + noise, system, who, topic, who, ("A", "B")), 0, 1)
    >>> crossed.searchers, crossed.topics, round(crossed.effect, 3)
    (6, 4, 0.812)
    """
    pair = scored.take(np.isin(scored.system, (a, b)))
    searcher, topic = (np.unique(of, return_inverse=True)[1] for of in (pair.unit, pair.topic))
    about: dict[str, Any] = {
        "system_a": scored.names[a],
        "system_b": scored.names[b],
        "searchers": int(searcher.max(initial=-1)) + 1,
        "topics": int(topic.max(initial=-1)) + 1,
        "sessions": pair.score.size,
        "is_named": pair.names_searchers,
    }
    reason = _reason(pair, a, b)
    if reason:
        return Crossed(**about, reason=reason)
    slope = np.where(pair.system == b, 0.5, -0.5)
    turned = about["topics"] > about["searchers"]
    many, few = (topic, searcher) if turned else (searcher, topic)
    unit = float(pair.score.std())
    given = np.column_stack([np.ones_like(slope), slope])
    sums = sums_of((pair.score - pair.score.mean()) / unit, given, slope, many, few)
    order = (0, 2, 1, 3) if turned else (2, 0, 3, 1)  # topics first where one part is as good
    parts = told_apart(sums, order)
    place = fitted(sums, parts)
    if place is None:
        return Crossed(**about, reason="the likelihood has no maximum that could be found")
    if is_rounding(place):
        return Crossed(**about, reason="searchers, topics and systems leave no rest to judge by")
    named = OF[2:] + OF[:2] if turned else OF
    told = {named[part]: float(place.ratios[part] * place.rest) * unit**2 for part in parts}
    left = [part for part in OF if part not in told]
    return Crossed(
        **about,
        **_tested(place, parts, unit),
        variances=Variances(**told, rest=place.rest * unit**2),
        deviance=place.deviance + 2 * sums.free * float(np.log(unit)),
        untold=tuple((part, _why_untold(part, pair)) for part in left),
    )


def _reason(pair: Scored, a: int, b: int) -> str:
    """Why there can be no model, if so."""
    topics_of = [np.unique(pair.topic[pair.system == system]) for system in (a, b)]
    searchers, topics = np.unique(pair.unit).size, np.unique(pair.topic).size
    reasons = {
        "one of the systems has no session": min(of.size for of in topics_of) == 0,
        "the systems never met on a topic": not np.isin(topics_of[0], topics_of[1]).any(),
        "a single topic says nothing of others": topics == 1,
        "a single searcher says nothing of others": searchers == 1,
        "there are too few sessions for its terms": pair.score.size < LEAST,
        "all sessions score alike": pair.score.size > 0 and np.ptp(pair.score) == 0,
        f"{searchers:,} searchers and {topics:,} topics at once are too many to compute": (
            min(searchers, topics) > MOST_FEW
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _tested(place: At, parts: list[int], unit: float) -> dict[str, Any]:
    """Effect, interval, error, degrees of freedom and p, in units of the score.

    Variances estimated as 0 are taken for known.
    """
    variance, by_part, form = place.spread_of(1)
    some = [part for part in parts if place.ratios[part] > 0] + [PARTS]
    inverse = np.linalg.inv(place.information()[np.ix_(some, some)])
    df = variance**2 / float(by_part[some] @ inverse @ by_part[some])
    widened = variance + 4 * float((inverse * form[np.ix_(some, some)]).sum())
    se = float(np.sqrt(widened * place.rest)) * unit
    found = Estimate(float(place.solved[-1]) * unit, se, df)
    low, high = found.interval()
    return {"effect": found.value, "low": low, "high": high, "se": se, "df": df, "p": found.p}


def _why_untold(part: str, pair: Scored) -> str:
    """Why the design can't tell a part's variance from the rest's."""
    who, unit = ("searcher", pair.unit) if part.startswith("searcher") else ("topic", pair.topic)
    if who == "searcher" and not pair.names_searchers:
        return "no session names its searcher"
    if _most(unit) == 1:
        return f"no {who} has two sessions"
    used = np.unique(np.column_stack([unit, pair.system]), axis=0)
    if len(used) == 2:
        return "each system had one, whose part in the difference stays in it"
    if _most(used[:, 0]) == 1:
        return "nobody used both systems"
    if part.endswith("system") and _most(unit * (pair.system.max() + 1) + pair.system) == 1:
        return f"no {who} has two sessions with a system"
    return "other parts take the same sessions together"


def _most(codes: Ints) -> int:
    """Sessions of the code that has most."""
    return int(np.unique(codes, return_counts=True)[1].max(initial=0))
