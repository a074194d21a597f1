"""Scores beside a rating in words: how far they agree, where not, and over b and bq."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES
from sdcg_explorer.questions.ratings.numbers import (
    LENGTH,
    Agreement,
    AgreementMap,
    Apart,
    Preferred,
    Present,
)
from sdcg_explorer.questions.wording import (
    counted,
    enumerated,
    fitting,
    none_left,
    share,
    short,
    signed,
)
from sdcg_explorer.scoring.measures import SESSION_SCORES
from sdcg_explorer.statistics.correlations import Coefficient

NONE = (
    "This study has no numeric ratings of sessions or queries. Add a table of them on the page "
    "Data: by session, by session and query number, or by searcher."
)
FEWEST = 2  # of which a coefficient is
SHOWN = 0.005  # of a coefficient in words: below it is .00, which has no sign
LOOKED_AT = {
    "raw": "as they are",
    "centred": "within searcher and topic",
    "partial": "with the number of queries partialled out",
}
FEW_RATED = (
    "Behind it stand fewer than five searchers (or sessions without one), so there is no interval."
)
ALIKE = "It is 1 or −1, or hardly varies when resampled, so there is no interval."
NO_TRUTH = (
    "A rating is no truth that a score must meet: it says how searchers felt about a whole session "
    "or query, interface, topic and effort included. Long sessions are often rated low and gain "
    "much, which is why the number of queries is partialled out beside."
)
NOTHING_LEFT = (
    "Within searcher and topic it is undefined: nothing is left of score or rating once both are "
    "taken off, as where each searcher has one session."
)


def score_words(of: Agreement) -> str:
    """The score in a sentence; that of a query, whose words say "its list", by its name."""
    return SESSION_SCORES[of.score].words if of.of == "session" else of.score


def answer(of: Agreement) -> str:
    """The page's first line: the raw coefficient, and whether another version contradicts."""
    rating, score = of.asked.rating, score_words(of)
    if not of.number:
        return nothing_rated(of)
    number, _, versions = of.found[of.score]
    raw = versions["raw"]
    nothing = f"Nothing can be said of {score} and {rating}"
    if number < FEWEST:
        few = f"only 1 of {counted(of.number, of.of)}" if number else f"no {of.of}"
        return f"{nothing}: {few} has both."
    if np.isnan(raw.value):
        return f"{nothing}: one of the two is the same everywhere."
    how = "higher" if (raw.value > 0) != of.asked.low_is_good else "lower"
    good = ", where low is good" if of.asked.low_is_good else ""
    said = f"{of.many.capitalize()} with a higher {score} have a {how} {rating}{good}"
    if not raw.low * raw.high > 0:
        said = f"No clear agreement of {score} with {rating}{good}"
    shown = _with_interval(raw), signed(raw.value)  # the table has the interval, too
    return fitting(*(f"{said}: {of.words} {value}{_warning(versions)}." for value in shown))


def nothing_rated(of: Agreement, do: str = "") -> str:
    """Why nothing is rated that has a worth."""
    what = f"{of.of} with {of.asked.rating} on a judged topic"
    return none_left(what, of.without_judgments, do=do)


def _warning(versions: dict[str, Coefficient]) -> str:
    raw = versions["raw"]
    others = [
        f"{LOOKED_AT[name]} {signed(of.value)}"
        for name, of in versions.items()
        if of.value * raw.value < 0 and abs(of.value) >= SHOWN and not np.isnan(raw.low)
    ]
    return f", but {enumerated(others)}" if others else ""


def _with_interval(of: Coefficient) -> str:
    if np.isnan(of.low):
        return f"{signed(of.value)} without an interval"
    return f"{signed(of.value)} (95 % interval {signed(of.low)} to {signed(of.high)})"


def door(of: Apart) -> str:
    """Score and rating of one in a line, short enough for a phone, with the share below."""
    query = f", query {of.query_number}" if of.query_number else ""
    return (
        f"{of.session}{query}: score {short(of.score)} ({of.score_rank:.0%}), "
        f"rated {of.rating:g} ({of.rating_rank:.0%})"
    )


def undefined(of: Agreement) -> list[str]:
    """Scores without a coefficient, version by version; queries beside themselves have none."""
    said = list[str]()
    for version, looked_at in LOOKED_AT.items():
        known = {
            name: versions[version].value
            for name, (_, _, versions) in of.found.items()
            if (version == "raw" or not np.isnan(versions["raw"].value))
            and (name, version) != (LENGTH, "partial")
        }
        lacking = [name for name, value in known.items() if np.isnan(value)]
        names = "every score" if len(lacking) == len(known) > 1 else ", ".join(lacking)
        said += [f"{names}{'' if version == 'raw' else f' {looked_at}'}"] if lacking else []
    return said


def behind(of: Agreement) -> str:
    """What stands behind the figures."""
    every = [own for _, _, versions in of.found.values() for own in versions.values()]
    _, clusters, _ = of.found[of.score]
    named = of.units != "sessions" and clusters
    who = f" of {counted(clusters, of.units[:-1])}" if named else ""
    said = [f"{counted(of.number, of.of)}{who}."]
    if not all(np.isnan(own.low) for own in every):
        said.append(f"95 % intervals resample {of.units} {RESAMPLES:,} times (docs/statistics.md).")
    if of.without_rating:
        said.append(f"Left out: {counted(of.without_rating, of.of)} without {of.asked.rating}.")
    if nothing := undefined(of):
        same = "Undefined, as one of the two is the same everywhere or unknown"
        said.append(f"{same}: {'; '.join(nothing)}.")
    return " ".join(said)


def advice(of: Agreement) -> list[str]:
    """Plain sentences where a reader could be misled."""
    _, clusters, versions = of.found[of.score]
    raw, said = versions["raw"], [NO_TRUTH]
    if np.isnan(raw.value):
        return said
    if np.isnan(raw.low):
        said.insert(0, FEW_RATED if clusters < FEWEST_CLUSTERS else ALIKE)
    return [*said, *([NOTHING_LEFT] if np.isnan(versions["centred"].value) else [])]


def method(of: Agreement) -> str:
    """A paragraph of a methods section."""
    turned = " turned round, low being good," if of.asked.low_is_good else ""
    return (
        f"Scores were compared with {of.asked.rating}{turned} by {of.words}: as they are, with "
        "effects of searcher and topic taken off both (least squares), and with the number of "
        f"queries partialled out; 95 % intervals by resampling {of.units} ({RESAMPLES:,} times, t "
        "on atanh)."
    )


def preferred(pair: Preferred, score: str) -> str:
    """Whether a score prefers the system that searchers rated higher."""
    a, b, number = pair.system_a, pair.system_b, pair.same + pair.other
    ties = f" {counted(pair.ties, 'tie')} left out." if pair.ties else ""
    if not number:
        both = f"both in the {score} and in the rating"
        return f"No searcher of {a} or {b} has a difference {both}.{ties}"
    return (
        f"Of {counted(number, 'searcher')} of both {a} and {b}, the {score} prefers the system "
        f"that they rated higher for {pair.same:,}: a share of {share(pair.share)} (95 % interval "
        f"{share(pair.low)} to {share(pair.high)}; .50 is by chance).{ties}"
    )


def of_map(of: AgreementMap, present: Present) -> str:
    """The best point beside the present one, on these searchers and on those left out."""
    if of.best is None:
        return f"{of.words} of {of.score} is undefined at every point of b and bq."
    if of.is_flat:
        return f"{of.words} of {of.score} is {signed(of.highest)} for every b and bq."
    here = (
        f"Best here, of {of.values.size:,} points of b and bq: {of.words} {signed(of.highest)} at "
        f"b {of.best[0]:.3g} and bq {of.best[1]:.3g}; at the present point {signed(present.value)}."
    )
    if np.isnan(of.left_out):
        return f"{here} With so few {of.units} none can be left out to judge the best point."
    return (
        f"{here} On {of.units} left out ({counted(of.folds, 'fold')}, each judged at the point "
        f"that is best for the others): {signed(of.left_out)}; at the present point, on the same "
        f"folds, {signed(present.left_out)}."
    )
