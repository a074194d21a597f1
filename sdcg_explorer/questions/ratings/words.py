"""Scores beside a rating in words: how far they agree, where not, and over b and bq."""

from typing import Any

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES
from sdcg_explorer.questions import wording
from sdcg_explorer.questions.ratings import numbers
from sdcg_explorer.questions.wording import counted, enumerated, interval, short, signed
from sdcg_explorer.scoring import measures, ratings
from sdcg_explorer.statistics.correlations import MOST_PAIRED, VERSIONS, Coefficient

NONE = (
    "This study has no numeric ratings of sessions or queries. Add a table of ratings on the Data "
    "page (by session, or by session and query)."
)
NO_INTERVAL = (
    f"There is no interval: fewer than {FEWEST_CLUSTERS} {{}}, too little variation, or τ-b of "
    f"over {MOST_PAIRED:,} values."
)
NO_TRUTH = "A rating is not a gold standard: it also reflects interface, topic and effort."


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
    _, _, versions = of.found[of.score]
    raw = versions["raw"]
    both = f"{'the ' * (of.of == 'session')}{score} and {rating}"
    if np.isnan(raw.value):
        why = f"fewer than two {of.rated_noun} have both, or one of them never varies"
        return f"No correlation between {both} can be given: {why}."
    if np.isnan(raw.low):
        return f"{of.asked.words} between {both} is {signed(raw.value)}, without an interval."
    said = f"Overall, there is no clear relation between {both}"
    if _is_clear(raw):
        how = ("better", "worse") if of.asked.low_is_good else ("higher", "lower")
        rated = f"tend to be rated {how[raw.value < 0]} on {rating}"
        said = f"{of.rated_noun.capitalize()} with a higher {score} {rated}"
    said += f": {of.asked.words} = {signed(raw.value)}"
    around = interval(signed, raw.low, raw.high)
    others = _differing_adjusted_versions(versions, of.units)
    # the table has the interval
    return wording.first_fit(f"{said}{around}{others}.", f"{said}{others}.")


def why_nothing_rated(of: numbers.Agreement, do: str = "") -> str:
    """Why nothing is rated that has a worth."""
    what = f"{of.of} with {of.asked.rating} on a judged topic"
    return wording.why_none(what, of.without_judgments, do=do)


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
        if of.value * raw.value < 0 or _is_clear(of) > _is_clear(raw)
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
    rating = of.asked.rating.removesuffix(ratings.OF_QUERIES)
    lacking = f"; {of.without_rating:,} without {rating} left out" * bool(of.without_rating)
    return (
        f"{counted(of.number, of.of)}{who}{lacking}. Where nothing varies, a coefficient is "
        "undefined."
    )


def cautions(of: numbers.Agreement) -> list[str]:
    """Plain sentences where a reader could be misled."""
    raw = of.found[of.score][2]["raw"]
    is_given = np.isnan(raw.value) or not np.isnan(raw.low)
    return [*([] if is_given else [NO_INTERVAL.format(of.units.partition(" ")[0])]), NO_TRUTH]


def method(of: numbers.Agreement) -> str:
    """A paragraph of a methods section."""
    turned = " (reversed, as low ratings are good)" if of.asked.low_is_good else ""
    effects = version_words("centred", of.units).removeprefix("within ")
    return (
        f"Scores were compared with {of.asked.rating}{turned} by {of.asked.words}: unadjusted, "
        f"with {effects} effects removed from both (least squares), and with the number of "
        f"queries partialled out; with at least {FEWEST_CLUSTERS} {of.units}, 95% intervals are "
        f"bootstrapped over them ({RESAMPLES:,} resamples, t on atanh)."
    )


def best_point_sentence(of: numbers.AgreementMap, present: tuple[float, float]) -> str:
    """The best point beside the present one, on these searchers and on those left out."""
    version = f" {version_words(of.asked.version, of.units)}" * (of.asked.version != "raw")
    if of.best is None or of.is_flat:
        return f"{of.asked.words}{version} is {signed(of.highest)} for all values of b and bq."
    here = (
        f"Agreement{version} is highest at b = {of.best[0]:.3g}, bq = {of.best[1]:.3g} "
        f"({of.asked.words} = {signed(of.highest)}; current definition: {signed(present[0])})."
    )
    units = of.units.partition(" ")[0]  # the methods text says whom
    if np.isnan(of.left_out):
        return (
            f"{here} There is no cross-validation: it needs at least {FEWEST_CLUSTERS} {units} and "
            "a fold with a coefficient."
        )
    lack = f", undefined in {counted(numbers.FOLDS - of.folds, 'fold')}"
    return (
        f"{here} On held-out {units} ({numbers.FOLDS}-fold cross-validation"
        f"{lack * (of.folds < numbers.FOLDS)}), "
        f"{of.asked.words} is {signed(of.left_out)} at the other folds' best point and "
        f"{signed(present[1])} under the current definition."
    )
