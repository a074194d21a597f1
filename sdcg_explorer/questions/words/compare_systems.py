"""Systems compared on one score in words: who is ahead, what stands behind it, what misleads."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.inventory.overview import is_whole
from sdcg_explorer.analysis.ratings.ratings import RATING
from sdcg_explorer.analysis.sessions.registry import SHARES
from sdcg_explorer.analysis.statistics.permutation import LEVEL
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.pairs import MOST_PAIRED
from sdcg_explorer.analysis.systems.two_systems import MOST_TESTED, Pair
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.metrics.interval import FEWEST_RESAMPLED
from sdcg_explorer.questions.words.further import stands_on
from sdcg_explorer.questions.words.two_systems import (
    above,
    advice_on,
    ahead_behind,
    design_of,
    headline,
    how_tested,
    is_by_topic,
    lead,
)
from sdcg_explorer.questions.words.wording import (
    NAMED,
    NO_INTERVAL_OF_MEANS,
    counted,
    enumerated,
    fitting,
    left_out,
    no_score,
    p_value,
    short,
    withheld,
)

SIZED = ((True, True), (False, True), (False, False))  # with differences and p, p alone, neither
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
    """The page's first line: who is ahead of whom."""
    if not of.names:
        return no_score(of)
    if of.baseline and of.baseline not in of.names:
        without = f"No session of {of.baseline}, the baseline, has this score"
        return f"{without}: choose another one, or widen the filters under Show."
    if not of.pairs:
        one = f"One system only, {of.names[0]}: there is nothing to compare"
        return f"{one}. Show a second one, or bring the log of one."
    return _of_several(of) if of.has_several_pairs else headline(of.pairs[0], of.unit)


def of_pair(of: Comparison, place: int) -> str:
    """Who of one pair is ahead, its p corrected where there are several."""
    return lead(of.pairs[place], of.unit, _after_holm(of, place))


def _after_holm(of: Comparison, place: int) -> float:
    """P of a pair after Holm; nan where it is the only one."""
    return float(of.p_holm[place]) if of.has_several_pairs else math.nan


def _of_several(of: Comparison) -> str:
    """Who is ahead of whom: of up to ``NAMED`` systems each, of more the two furthest apart."""
    clear = [i for i, is_clear in enumerate(of.clear) if is_clear]
    like = "For topics like these " if of.topics_are == "sample" else ""
    if not clear:
        forms = _none_clear(of, no="no" if like else "No")
    elif len(of.names) > NAMED:
        forms = _furthest(of, clear)
    else:
        forms = [_each(of, clear, sized=sized, p=p) for sized, p in SIZED]
    return fitting(*(f"{like}{form}." for form in forms))


def clear_pairs(of: Comparison) -> list[Pair]:
    """Pairs that differ clearly."""
    return [pair for pair, is_clear in zip(of.pairs, of.clear, strict=True) if is_clear]


def named(of: Comparison) -> list[Pair]:
    """Pairs of which the first line says something: of few systems all, of more one."""
    if len(of.names) <= NAMED:
        return [*of.pairs]
    clear = [i for i, is_clear in enumerate(of.clear) if is_clear]
    known = [i for i, pair in enumerate(of.pairs) if not math.isnan(pair.difference)]
    return [of.pairs[_apart(of, clear or known)]] if known else []


def _apart(of: Comparison, places: Sequence[int]) -> int:
    """The pair of some that is furthest apart, of equal ones the first."""
    return max(places, key=lambda i: abs(of.pairs[i].difference))


def _none_clear(of: Comparison, no: str) -> list[str]:
    """That no two systems differ clearly, and by how much the two furthest apart do."""
    among = f"the {len(of.names):,} systems"
    if len(of.names) <= NAMED:
        among = enumerated(of.names)
    known = [i for i, pair in enumerate(of.pairs) if not math.isnan(pair.difference)]
    if not known:
        return [f"{no} difference can be given among {among}: their topics don't tell them apart"]
    place = _apart(of, known)
    pair, p = of.pairs[place], float(of.p_holm[place])
    lead = f"{no} clear difference among {among}"
    if of.omnibus[0] <= LEVEL:
        lead = f"{no} two of {among} differ clearly, but all taken together do"
    most, least = ahead_behind(pair)
    size = f"{lead}; the largest is {most} − {least} = {short(abs(pair.difference))} {of.unit}"
    low, high = (pair.low, pair.high) if pair.difference > 0 else (-pair.high, -pair.low)
    ends = [] if math.isnan(low) else [f"95 % interval {short(low)} to {short(high)}"]
    tested = [] if math.isnan(p) else [f"{p_value(p)} after Holm"]
    forms = [f" ({', '.join(form)})" if form else "" for form in ([*ends, *tested], tested, [])]
    return [*(f"{size}{form}" for form in forms), lead]


def _furthest(of: Comparison, clear: Sequence[int]) -> list[str]:
    """Who is ahead of whom in the clear pair that is furthest apart, and how many others differ."""
    place = _apart(of, clear)
    others, more = len(of.pairs) - 1, len(clear) - 1
    systems = len({name for pair in of.pairs for name in (pair.system_a, pair.system_b)})
    pairs = f"of the other {counted(others, 'pair')} of {systems:,} systems"
    rest = f"{more:,} {pairs} {'differs' if more == 1 else 'differ'} clearly, too"
    if not more:
        rest = f"none {pairs} differs clearly"
    lead = above(of.pairs[place])
    d = f"{short(abs(of.pairs[place].difference))} {of.unit}"
    p = p_value(float(of.p_holm[place]))
    return [f"{lead} (by {d}, {p}); {rest}", f"{lead} ({p}); {rest}", f"{lead}; {rest}", lead]


def _each(of: Comparison, clear: Sequence[int], *, sized: bool, p: bool) -> str:
    """Each system with those that it is clearly ahead of, and then those that don't differ."""
    beaten: dict[tuple[str, ...], dict[str, list[int]]] = {}
    for name in of.names:
        own = [i for i in clear if ahead_behind(of.pairs[i])[0] == name]
        if own:
            behind = tuple(ahead_behind(of.pairs[i])[1] for i in own)
            beaten.setdefault(behind, {})[name] = own
    ranked = sorted(beaten.items(), key=lambda each: -len(each[0]))
    parts: list[str] = []
    for behind, ahead in ranked:
        places = [i for own in ahead.values() for i in own]
        verb = "" if parts else " is ahead" if len(ahead) == 1 else " are ahead"
        numbers = _numbers(of, places, sized=sized, p=p)
        parts.append(f"{enumerated([*ahead])}{verb} of {enumerated(behind)}{numbers}")
    return "; ".join([", ".join(parts), *_not_clear(of, clear)])


def _numbers(of: Comparison, places: Sequence[int], *, sized: bool, p: bool) -> str:
    """By how much some pairs differ, and their p; each once where they are alike."""
    sizes = [short(abs(of.pairs[i].difference)) for i in places]
    tests = [p_value(float(of.p_holm[i])) for i in places]
    each = " each" if len(sizes) > 1 and len({*sizes}) == 1 else ""
    by = f"by {enumerated(sizes[:1] if each else sizes)} {of.unit}{each}"
    tested = enumerated(tests if len({*tests}) > 1 else tests[:1])
    shown = ", ".join([*[by] * sized, *[tested] * p])
    return f" ({shown})" if shown else ""


def _not_clear(of: Comparison, clear: Sequence[int]) -> list[str]:
    """Which of few systems don't differ clearly, and for which no difference can be given."""
    said: list[str] = []
    for pair in [pair for i, pair in enumerate(of.pairs) if i not in clear]:
        two = f"{pair.system_a} and {pair.system_b}"
        none = f"no difference can be given for {two}"
        said.append(none if math.isnan(pair.difference) else f"{two} don't differ clearly")
    if len(said) == 2 and all(each.endswith("clearly") for each in said):
        (third,) = {*of.names} - {*ahead_behind(of.pairs[clear[0]])}
        return [f"{third} doesn't differ clearly from either"]
    return said


def _over_all(of: Comparison) -> str:
    """What the test over more than two systems says, or why there is none."""
    systems, (p, arrangements) = len(of.names), of.omnibus
    if not of.has_several_pairs or of.topics_are == "sample":
        return ""
    if systems > MOST_TESTED:
        return f" No test over all {systems:,} systems: at most {MOST_TESTED} are tested at once."
    if not arrangements:
        return f" No test over all {systems} systems: no labels can change places."
    drew = counted(arrangements, "arrangement")
    return f" Permutation test over all {systems} systems: {p_value(p)}, {drew}."


def said(of: Comparison, place: int = 0) -> list[str]:
    """A pair of several, then design and analysis of a pair, and how it was tested."""
    if not of.pairs:
        return []
    pair, several = of.pairs[place], of.has_several_pairs
    own = [design_of(pair), how_tested(pair, _after_holm(of, place))]
    if several:
        return [of_pair(of, place), *own, AFTER_HOLM.format(len(of.pairs))]
    return own if of_pair(of, place) == answer(of) else [of_pair(of, place), *own]


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
    text += _over_all(of)
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


EVEN = 0.1  # of a place, by which systems may differ and still be called balanced


def order_words(names: Sequence[str], system: Ints, place: Floats) -> str:
    """Whether systems came as early as each other among a searcher's sessions."""
    if not is_whole(place):
        return ""
    means = {names[s]: float(place[system == s].mean()) for s in np.unique(system).tolist()}
    each = ", ".join(f"{mean:.2f} with {name}" for name, mean in means.items())
    is_even = max(means.values()) - min(means.values()) < EVEN
    met = f"met in balanced order (mean place of a searcher's sessions {each})"
    if is_even:
        return f"Systems were {met}."
    return f"Systems were not {met}: practice or weariness may stand for part of the difference."
