"""Scores beside a rating in words: how far they agree, where not, and over b and bq."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES
from sdcg_explorer.questions.ratings import numbers
from sdcg_explorer.questions.wording import (
    NAMED,
    all_of,
    counted,
    enumerated,
    first_fit,
    interval,
    percent,
    plural,
    short,
    signed,
    why_none,
)
from sdcg_explorer.scoring import measures, ratings
from sdcg_explorer.statistics.correlations import VERSIONS, Coefficient

NONE = (
    "This study has no numeric ratings of sessions or queries. Add a table of ratings on the Data "
    "page (by session, or by session and query)."
)
FEWEST = 2  # of which a coefficient is
CHANCE = 0.5
SHOWN = 0.005  # of a coefficient in words: below it is .00, which has no sign
FEW_RATED = f"There is no interval with fewer than {FEWEST_CLUSTERS} {{}}."
ALIKE = (
    "There is no interval because the coefficient is ±1, hardly varies when resampled, or is "
    "undefined in many resamples."
)
NO_TRUTH = "A rating is not a gold standard: it also reflects interface, topic and effort."
LONG_SESSIONS = (
    " Long sessions often gain much but are rated low, so a version with the number of queries "
    "partialled out is given."
)
NOTHING_LEFT = (
    "The coefficient {} is undefined: nothing varies there, for example because {}each topic has "
    "one session."
)


def score_words(of: numbers.Agreement) -> str:
    """The score in a sentence; that of a query, whose words say "its list", by its name."""
    if of.of == "session":
        return measures.SESSION_SCORES[of.score].words
    return of.score.replace("dcg", "DCG").replace("_", " ")


def rating_words(of: numbers.Agreement) -> str:
    """The rating in a sentence that says what is rated."""
    good = " (low is good)" if of.asked.low_is_good else ""
    return f"{of.asked.rating.removesuffix(ratings.OF_QUERIES)}{good}"


def headline(of: numbers.Agreement) -> str:
    """The page's first line: the raw coefficient, and whether another version contradicts."""
    rating, score = rating_words(of), score_words(of)
    if not of.number:
        return why_nothing_rated(of)
    number, _, versions = of.found[of.score]
    raw = versions["raw"]
    both = f"{'the ' * (of.of == 'session')}{score} and {rating}"
    if number < FEWEST or np.isnan(raw.value):
        few = f"{'only one' if number else 'no'} {of.of} has"
        why = f"{few} both" if number < FEWEST else "one of them never varies"
        return f"No correlation between {both} can be given: {why}."
    if np.isnan(raw.low):
        return f"{of.asked.words} between {both} is {signed(raw.value)}, without an interval."
    said = f"There is no clear relation between {both}"
    if _is_clear(raw):
        how = ("better", "worse") if of.asked.low_is_good else ("higher", "lower")
        rated = f"tend to be rated {how[raw.value < 0]} on {rating}"
        said = f"{of.rated_noun.capitalize()} with a higher {score} {rated}"
    elif any(_is_clear(version) for version in versions.values()):
        said = f"Overall, {said[0].lower()}{said[1:]}"
    said += f": {of.asked.words} = {signed(raw.value)}"
    around = interval(signed, raw.low, raw.high)
    others = _differing_adjusted_versions(versions, of.units)
    return first_fit(f"{said}{around}{others}.", f"{said}{others}.")  # the table has the interval


def why_nothing_rated(of: numbers.Agreement, do: str = "") -> str:
    """Why nothing is rated that has a worth."""
    what = f"{of.of} with {of.asked.rating} on a judged topic"
    return why_none(what, of.without_judgments, do=do)


def _is_clear(of: Coefficient) -> bool:
    """Whether there is an interval, and it excludes 0."""
    return of.low * of.high > 0


def version_words(version: str, units: str) -> str:
    """A version of a coefficient; where nobody is named, nothing is within searchers."""
    words = VERSIONS[version]
    return words if units.startswith("searcher") else words.replace("searcher and ", "")


def version_marks(units: str) -> str:
    """What each version of a coefficient is, by its name."""
    return "; ".join(f"{name}: {version_words(name, units)}" for name in VERSIONS)


def _differing_adjusted_versions(versions: dict[str, Coefficient], units: str) -> str:
    """Adjusted versions of another sign, or that are clear where the raw one is not."""
    raw = versions["raw"]
    others = [
        f"{version_words(name, units)} {signed(of.value)} "
        f"({'clear' if _is_clear(of) else 'not clear'})"
        for name, of in versions.items()
        if abs(of.value) >= SHOWN and (of.value * raw.value < 0 or _is_clear(of) > _is_clear(raw))
    ]
    return f"; {enumerated(others)}" if others else ""


def row_line(row: dict[Any, Any]) -> str:
    """A row of disagreements in a line, short enough for a phone, with the shares below."""
    query = f", query {row['query_number']}" if "query_number" in row else ""
    return (
        f"{row['session']}{query}: score {short(row['score'])} ({row['score_rank']:.0%}), "
        f"rated {row['rating']:g} ({row['rating_rank']:.0%})"
    )


def figure_notes(of: numbers.Agreement) -> str:
    """What stands behind the figures."""
    _, clusters, _ = of.found[of.score]
    who = f" by {counted(clusters, 'searcher')}" if of.units == "searchers" and clusters else ""
    said = f"{counted(of.number, of.of)}{who}"
    if lacking := of.without_rating:
        without = of.asked.rating.removesuffix(ratings.OF_QUERIES)
        said += f"; {lacking:,} without {without} {plural(lacking, 'is', 'are')} left out"
    lacks = any(np.isnan(versions["raw"].value) for _, _, versions in of.found.values())
    return f"{said}.{' Where nothing varies, a coefficient is undefined.' * lacks}"


def cautions(of: numbers.Agreement) -> list[str]:
    """Plain sentences where a reader could be misled."""
    _, clusters, versions = of.found[of.score]
    raw, partial = versions["raw"], versions["partial"]
    is_given = of.of == "session" and not np.isnan(partial.value)
    said = [NO_TRUTH + LONG_SESSIONS * is_given]
    if np.isnan(raw.value):
        return said
    if np.isnan(raw.low):
        few = clusters < FEWEST_CLUSTERS
        said.insert(0, FEW_RATED.format(of.units.partition(" ")[0]) if few else ALIKE)
    by_searcher = "no searcher has two sessions or " * of.units.startswith("searcher")
    nothing = NOTHING_LEFT.format(version_words("centred", of.units), by_searcher)
    return [*said, *([nothing] if np.isnan(versions["centred"].value) else [])]


def method(of: numbers.Agreement) -> str:
    """A paragraph of a methods section."""
    turned = " turned round, low being good," if of.asked.low_is_good else ""
    effects = version_words("centred", of.units).removeprefix("within ")
    return (
        f"Scores were compared with {of.asked.rating}{turned} by {of.asked.words}: unadjusted, "
        f"with {effects} effects removed from both (least squares), and with the number of "
        f"queries partialled out; with at least {FEWEST_CLUSTERS} {of.units}, 95% intervals are "
        f"bootstrapped over them ({RESAMPLES:,} resamples, t on atanh)."
    )


def preferred(pair: numbers.Preferred, score: str, rated: str = "higher") -> str:
    """Whether a score prefers the system that searchers rated higher, or better."""
    a, b, number = pair.system_a, pair.system_b, pair.same + pair.other
    if not number:
        return f"No searcher has both a different {score} and a different rating with {a} and {b}."
    tied = f"; {counted(pair.ties, 'other is', 'others are')} tied" if pair.ties else ""
    if number == 1:
        has = "higher" if pair.same else "lower"
        return (
            f"{a} and {b}: the system that the one searcher rated {rated} has the {has} "
            f"{score}{tied}."
        )
    same = f"{pair.same:,} of" if pair.same else "none of"
    who = all_of(number) if pair.same == number else f"{same} {number:,}"
    return (
        f"{a} and {b}: for {who} searchers ({percent(pair.share)}, 95% interval "
        f"{percent(pair.low)} to {percent(pair.high)}; chance: 50%), the system that they rated "
        f"{rated} also has the higher {score}{tied}."
    )


def preference_texts(
    pairs: Sequence[numbers.Preferred], score: str, *, rated: str = "higher"
) -> list[str]:
    """A sentence for each of a few pairs; of many, for those that differ clearly from chance."""
    if len(pairs) <= NAMED:
        return [preferred(pair, score, rated) for pair in pairs]
    clear = [pair for pair in pairs if pair.low > CHANCE or pair.high < CHANCE]
    whose = f"the other {len(pairs) - len(clear):,}" if clear else f"any of {len(pairs):,}"
    rest = (
        f"The system that searchers rated {rated} doesn't have the higher {score} clearly more or "
        f"less often than by chance (50%) for {whose} pairs of systems."
    )
    return [*(preferred(pair, score, rated) for pair in clear), *[rest] * (len(clear) < len(pairs))]


def best_point_sentence(of: numbers.AgreementMap, present: numbers.Present) -> str:
    """The best point beside the present one, on these searchers and on those left out."""
    version = f" {version_words(of.asked.version, of.units)}" * (of.asked.version != "raw")
    if of.best is None:
        return f"{of.asked.words}{version} is undefined for all values of b and bq."
    if of.is_flat:
        return f"{of.asked.words}{version} = {signed(of.highest)} for all values of b and bq."
    here = (
        f"Agreement{version} is highest at b = {of.best[0]:.3g}, bq = {of.best[1]:.3g} "
        f"({of.asked.words} = {signed(of.highest)}; current definition: {signed(present.value)})."
    )
    units = of.units.partition(" ")[0]  # the methods text says whom
    if np.isnan(of.left_out):
        return (
            f"{here} There is no cross-validation: it needs at least {FEWEST_CLUSTERS} {units} and "
            "a fold with a coefficient."
        )
    lack = f", undefined in {counted(numbers.FOLDS - of.folds, 'fold')}"
    lack *= of.folds < numbers.FOLDS
    return (
        f"{here} On held-out {units} ({numbers.FOLDS}-fold cross-validation{lack}), "
        f"{of.asked.words} is {signed(of.left_out)} at the other folds' best point and "
        f"{signed(present.left_out)} under the current definition."
    )
