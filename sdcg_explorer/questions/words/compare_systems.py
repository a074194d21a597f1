"""Systems compared on one score in words: who is ahead, what stands behind it, what misleads."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.ratings.ratings import RATING
from sdcg_explorer.analysis.sessions.registry import SHARES
from sdcg_explorer.analysis.statistics.permutation import LEVEL
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.pairs import MOST_PAIRED
from sdcg_explorer.analysis.systems.several_systems import MOST_TESTED
from sdcg_explorer.metrics.interval import FEWEST_RESAMPLED
from sdcg_explorer.questions.words.further import stands_on
from sdcg_explorer.questions.words.session_order import order_words
from sdcg_explorer.questions.words.two_systems import (
    above,
    advice_on,
    design_of,
    how_tested,
    is_by_topic,
    lead,
)
from sdcg_explorer.questions.words.wording import (
    NAMED,
    NO_INTERVAL_OF_MEANS,
    counted,
    enumerated,
    left_out,
    no_score,
    p_value,
    withheld,
)

STEPS = (
    "Means of shares take their steps for equal, which is disputed (Ferrante, Ferro & Fuhr 2021; "
    "Moffat 2022); in how many pairs a session beats another does so for what topics add alone."
)
RATED_STEPS = (
    "Means of a rating take its steps for equal, which raters need not have meant; in how many "
    "pairs a session beats another does so for what topics add alone."
)
PARAGRAPHS = {
    "fixed": "System, topic and searcher effects were fitted at once, topics as fixed; errors are "
    "by searcher (CR2) with Satterthwaite's degrees of freedom; permutations of the studentised "
    "difference (10,000 at most) lead where searchers are many enough.",
    "sample": "A crossed mixed model was fitted by REML, searchers and topics random, also in "
    "their differences; errors after Kenward and Roger, degrees of freedom after Satterthwaite.",
}
BY_TOPIC = (
    "Systems were paired by topic: on each topic their sessions, or means of several, were "
    "compared, with an interval by t over topics; permutations of the systems within topics "
    "(10,000 at most) lead where topics are many enough."
)
ORDER = "A session's place among those of its searcher was a covariate."
SIZES = (
    "Superiority P(b > a), topics taken off, is given with a 95 % interval by t on log odds. P of "
    "several pairs are corrected after Holm."
)
AFTER_HOLM = (
    "For {} pairs p is corrected after Holm, for this score only: looking through the scores for a "
    "difference would need more correction. Intervals are those of each pair alone."
)


def answer(of: Comparison) -> str:
    """The page's first line: of two systems who is ahead, of more the test over all."""
    if not of.names:
        return no_score(of)
    if of.baseline and of.baseline not in of.names:
        without = f"No session of {of.baseline}, the baseline, has this score"
        return f"{without}: choose another one, or widen the filters under Show."
    if not of.pairs:
        one = f"One system only, {of.names[0]}: there is nothing to compare"
        return f"{one}. Show a second one, or bring the log of one."
    return f"{_over_all(of)}{_differing(of)}." if of.has_several_pairs else of_pair(of, 0)


def of_pair(of: Comparison, place: int) -> str:
    """Who of one pair is ahead, its p corrected where there are several."""
    return lead(of.pairs[place], of.unit, _after_holm(of, place))


def _after_holm(of: Comparison, place: int) -> float:
    """P of a pair after Holm; nan where it is the only one."""
    return float(of.p_holm[place]) if of.has_several_pairs else math.nan


def _over_all(of: Comparison) -> str:
    """What the test over more than two systems says; without what it drew where they are many."""
    systems, (p, arrangements) = len(of.names), of.omnibus
    if of.topics_are == "sample":
        return f"{systems} systems, for topics like these"
    if systems > MOST_TESTED:
        return f"No test over all {systems:,} systems: at most {MOST_TESTED} are tested at once"
    if not arrangements:
        return f"No test over all {systems} systems: no labels can change places"
    drew = "" if _is_brief(of) else f", {counted(arrangements, 'arrangement')}"
    tested = f"(permutation test over all {p_value(p)}{drew})"
    if p <= LEVEL:
        return f"The {systems} systems differ {tested}"
    return f"No clear difference among the {systems} systems {tested}"


def _is_brief(of: Comparison) -> bool:
    """Whether the first line has no room for more than the systems' names."""
    return len(of.names) > NAMED


def _differing(of: Comparison) -> str:
    """Which pairs differ after Holm."""
    every, clear = f"; of {len(of.pairs)} pairs", of.clear
    places = [i for i in np.argsort(of.p_holm, kind="stable").tolist() if clear[i]]
    if not places:
        return f"{every} none differs after Holm"
    named = 1 if _is_brief(of) else len(places)
    pairs = [above(of.pairs[i], float(of.p_holm[i])) for i in places[:named]]
    pairs += [counted(len(places) - named, "more pair")] if len(places) > named else []
    differ = counted(len(places), "differs", "differ")
    return f"{every} {differ} after Holm: {enumerated(pairs)}"


def said(of: Comparison, place: int = 0) -> list[str]:
    """A pair of several, then design and analysis of a pair, and how it was tested."""
    if not of.pairs:
        return []
    pair, several = of.pairs[place], of.has_several_pairs
    own = [design_of(pair), how_tested(pair, _after_holm(of, place))]
    return [of_pair(of, place), *own, AFTER_HOLM.format(len(of.pairs))] if several else own


def advice(of: Comparison, place: int = 0) -> list[str]:
    """Where a reader could be misled."""
    grows = f"{of.words.capitalize()} grows with the number of queries, which stands beside it."
    sentences = [
        *(advice_on(of.pairs[place]) if of.pairs else []),
        of_the_most(len(of.names)),
        order_words(of.scored.names, of.scored.system, of.places) if of.pairs else "",
        grows if of.measure.grows else "",
        *(_on_view(of.score, of.unit, of.looks) if of.pairs else []),
    ]
    return [*filter(None, sentences)]


def of_the_most(systems: int) -> str:
    """Which systems are compared in pairs; empty where all are.

    >>> of_the_most(20)
    ''
    >>> of_the_most(150)
    'Of 150 systems the 20 with the most sessions are compared in pairs: show others to compare.'
    """
    if systems <= MOST_PAIRED:
        return ""
    some = f"Of {systems:,} systems the {MOST_PAIRED} with the most sessions"
    return f"{some} are compared in pairs: show others to compare."


def _on_view(score: str, unit: str, departures: Sequence[str]) -> list[str]:
    """What the scale of a score, and having looked often, do to what is concluded."""
    scale = STEPS if unit in SHARES else RATED_STEPS if score.startswith(RATING) else ""
    if not departures:
        return [scale]
    times = "once" if len(departures) == 1 else f"{len(departures)} times"
    return [
        scale,
        f"This view departs {times} from the usual one ({enumerated(departures)}). Of twenty views "
        "of systems that do not differ one has p below .05: who looks at several says how many.",
    ]


def method(of: Comparison) -> str:
    """How systems were compared, for a methods section; empty where none were."""
    if not of.pairs:
        return ""
    order = f" {ORDER}" if of.scored.place.size else ""
    on = f"{of.words} ({of.score}), in {of.unit}" if of.footing else f"{of.words} ({of.score})"
    fitted = PARAGRAPHS[of.topics_are]
    how = dict.fromkeys(BY_TOPIC if is_by_topic(pair) else fitted for pair in of.pairs)
    said = f"Systems were compared on {on}.", stands_on(of.footing), *how
    return f"{' '.join(filter(None, said))}{order} {SIZES}"


def behind(of: Comparison) -> str:
    """What stands behind the picture."""
    each = [
        f"{row['system']}: {counted(row['sessions'], 'session')}, "
        f"{counted(row['queries'], 'query')} on average"
        for row in of.systems.to_dict("records")
    ]
    text = f"{'; '.join(each)}." if each else ""
    if _is_brief(of) and of.omnibus[1]:
        text += f" The test over all drew {counted(of.omnibus[1], 'arrangement')}."
    if of.one_in > 1:
        text += f" One session in {of.one_in:,} is drawn as a point; means are of all."
    text = f"{text}{left_out(of.without_judgments)}{_without_score(of)}"
    return f"{text} {stands_on(of.footing)}".strip()


def _without_score(of: Comparison) -> str:
    """Sessions without the score, and queries that a mean of queries leaves out."""
    rated = of.score.startswith(RATING)
    lacking = "without this rating" if rated else "whose score is undefined"
    left = f" Left out: {counted(of.undefined, 'session')} {lacking}." if of.undefined else ""
    if of.left_out:
        lacking = counted(of.left_out, "query that has", "queries that have")
        left += f" Left out of the means: {lacking} none."
    return left


def of_means(of: Comparison) -> str:
    """What the means and the difference are taken over."""
    lows = pd.concat([of.systems["low"], of.by_topic["low"]])
    bare = f" {NO_INTERVAL_OF_MEANS}" if lows.isna().any() else ""
    whom = "searchers" if of.scored.names_searchers else "sessions"
    return (
        "small ones are sessions, large ones means with their 95 % interval, which comes from "
        f"resampling {whom}, or by t where fewer than {FEWEST_RESAMPLED} stand behind a mean; the "
        f"difference is what is left once topics are taken off, its interval by t.{bare}"
    )


def sentences(of: Comparison) -> str:
    """Everything in words, as `sdcg compare` writes it."""
    lines = [answer(of), f"Score: {of.words} ({of.score}), in {of.unit}."]
    lines += filter(None, [behind(of), withheld(of.withheld)])
    several = of.has_several_pairs
    lines += [AFTER_HOLM.format(len(of.pairs))] * several
    for i, pair in enumerate(of.pairs):
        own = said(of, i)[: 2 + several]
        lines += ["", f"{pair.system_a} and {pair.system_b}", *own, *advice(of, i)]
    return "\n".join(lines).strip() + "\n"
