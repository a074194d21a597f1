"""A difference for topics like those of the study in words: the crossed mixed model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.metrics.interval import FEWEST_RESAMPLED
from sdcg_explorer.questions.compare_systems.left_open import SAMPLED, UNTOLD, LeftOpen
from sdcg_explorer.questions.compare_systems.measures import (
    MainMeasures,
    MeasuresBeside,
    RankedApart,
    entry_name,
)
from sdcg_explorer.questions.compare_systems.next_study import (
    FEWEST,
    MOST,
    POWERS,
    SEEN,
    STUDIES,
    NextStudy,
    Plan,
    number_of,
)
from sdcg_explorer.questions.compare_systems.numbers import (
    BETWEEN,
    BOTH,
    MOST_PAIRED,
    MOST_TESTED,
    PAIRED,
    WITHIN,
    ByTopic,
    Comparison,
    Pair,
)
from sdcg_explorer.questions.compare_systems.outcome import Outcome
from sdcg_explorer.questions.methods import stands_on
from sdcg_explorer.questions.overview.numbers import is_whole
from sdcg_explorer.questions.wording import (
    NAMED,
    NO_INTERVAL_OF_MEANS,
    capital,
    counted,
    each_of,
    enumerated,
    fitting,
    left_out,
    no_score,
    p_value,
    plural,
    share,
    short,
    tested,
    withheld,
)
from sdcg_explorer.scoring.measures import SHARES
from sdcg_explorer.scoring.ratings import RATING
from sdcg_explorer.scoring.residuals import CONDENSED, NOT_LINEAR, NOT_RISING, SEARCHERS
from sdcg_explorer.statistics.crossed_model import FEW_LEVELS, Crossed
from sdcg_explorer.statistics.permutation import FEWEST_ARRANGEMENTS, LEVEL, is_clear

TOPICS_ARE_HELP = {
    "fixed": "What is said holds for the topics of this study, and nothing is claimed of others.",
    "sample": "Topics count as drawn from many, as searchers do: it holds for more, less surely.",
}
OF = {
    "searcher": "searchers' means",
    "searcher_by_system": "searchers' own differences",
    "topic": "topics' means",
    "topic_by_system": "topics' own differences",
}


def remark(of: Crossed) -> str:
    """Parts that are left out or 0, and why; or why there is no model."""
    if of.reason:
        return f"No model: {of.reason}."
    said = [f"{OF[part]} ({why})" for part, why in of.untold]
    left = f"Left out, as the design can't tell {{}} from the rest: {'; '.join(said)}."
    remarks = [left.format(plural(len(said), "it", "them"))] if said else []
    if flat := [OF[part] for part in OF if getattr(of.variances, part) == 0]:
        flat_words = "Estimated as 0, as chance alone would spread them as far"
        remarks.append(f"{flat_words}: {enumerated(flat)}.")
    return " ".join(remarks)


def topics_sentences(of: Crossed, names: tuple[str, str]) -> list[str]:
    """What was fitted and found, for whom it speaks, what varied, and what can't be told."""
    if of.reason:
        return [remark(of)]
    test = f"t with {short(of.df)} degrees of freedom, {p_value(of.p)}"
    interval = f"95 % interval {short(of.low)} to {short(of.high)}; {test}"
    spread = ", ".join(
        f"{words} {short(math.sqrt(getattr(of.variances, part)))}"
        for part, words in {**OF, "rest": "rest"}.items()
        if getattr(of.variances, part) >= 0
    )
    sentences = [
        "Crossed mixed model (searchers and topics random, also in their differences; REML): "
        f"{names[1]} − {names[0]} = {short(of.effect)} ({interval}).",
        *_of_whom(of),
        f"Standard deviations: {spread}.",
        remark(of),
    ]
    return [*filter(None, sentences)]


def _of_whom(of: Crossed) -> list[str]:
    """For which searchers and topics it speaks, and whether these are too few to."""
    who = counted(of.searchers, "searcher" if of.is_named else "session")
    rests = "It rests on {}: so few can't speak for others."
    if of.topics < FEW_LEVELS:
        also = [f"Nor can so few as {who}."] if of.searchers < FEW_LEVELS else []
        return [rests.format(counted(of.topics, "topic")), *also]
    speaks = f"It speaks for searchers and topics like these: {who}, {counted(of.topics, 'topic')}."
    return [speaks, *([rests.format(who)] if of.searchers < FEW_LEVELS else [])]


SAME = "systems change places within {}s"


def lead(pair: Pair, unit: str, p_holm: float = math.nan) -> str:
    """Who is ahead and how surely, or that no difference is clear; `p_holm` of several pairs."""
    a, b, d = pair.system_a, pair.system_b, pair.difference
    if pair.crossed and pair.crossed.reason:
        return f"{a} and {b}: no difference for topics like these, as {pair.crossed.reason}."
    if math.isnan(d):
        return f"{a} and {b} can't be told from their topics: no difference can be given."
    p = pair.p if math.isnan(p_holm) else p_holm
    low, high, apart = pair.low, pair.high, f"{b} − {a} = {short(d)} {unit}"
    clear = is_clear(low, high, lambda: p)
    if not clear and math.isnan(low) and math.isnan(p):
        return f"{apart}, with no interval and no test: too few {pair.unit}s."
    ends = (-high, -low) if clear and d <= 0 else (low, high)
    shown = f"({tested(*ends, pair.p)}{_after_holm(p_holm)})"
    if clear:
        return f"{above(pair)} by {short(abs(d))} {unit} {shown}."
    return f"No clear difference between {a} and {b}: {apart} {shown}."


def headline(pair: Pair, unit: str) -> str:
    """The same as a headline: where names are long without its interval, or the difference."""
    full = lead(pair, unit)
    if math.isnan(pair.difference) or math.isnan(pair.p):
        return full
    if is_clear(pair.low, pair.high, lambda: pair.p):
        by = f" by {short(abs(pair.difference))} {unit}"
        forms = [f"{above(pair)}{size} ({p_value(pair.p)})." for size in (by, "")]
    else:
        forms = [
            f"No clear difference between {pair.system_a} and {pair.system_b} ({p_value(pair.p)})."
        ]
    return fitting(full, *forms)


def above(pair: Pair) -> str:
    """Which of two systems is ahead."""
    return "{} is ahead of {}".format(*ahead_behind(pair))


def ahead_behind(pair: Pair) -> tuple[str, str]:
    """The system that is ahead, and the other."""
    first, second = pair.system_a, pair.system_b
    return (second, first) if pair.difference > 0 else (first, second)


def _after_holm(p_holm: float) -> str:
    return "" if math.isnan(p_holm) else f", after Holm {p_value(p_holm)}"


def design_of(pair: Pair) -> str:
    """The design that was recognised, and the analysis that fits it."""
    if pair.crossed:
        return " ".join(topics_sentences(pair.crossed, (pair.system_a, pair.system_b)))
    how = {WITHIN: _within, BETWEEN: _between, BOTH: _mixed, PAIRED: _paired}[pair.design](pair)
    t = f"; t by {pair.unit}, df = {pair.df:.3g}" if pair.low < pair.high else ""
    left = counted(pair.apart, "session") if pair.design == PAIRED and pair.apart else ""
    left = left and f"Left out: {left} on topics of one of the two."
    return " ".join(filter(None, [f"{how}{t}.", left, _nameless(pair), _topics(pair)]))


def _within(pair: Pair) -> str:
    each = each_of(pair.units, "searcher")
    return f"Within searchers: {each} used both systems and is compared with themselves"


def _between(pair: Pair) -> str:
    a, b = (counted(n, pair.unit) for n in pair.units_of)
    compared = (
        f"{a} of {pair.system_a} {plural(pair.units_of[0], 'is', 'are')} compared with {b} of"
    )
    return f"Between {pair.unit}s: {compared} {pair.system_b}"


def _mixed(pair: Pair) -> str:
    both, one = pair.both, pair.single
    return (
        f"Mixed: {counted(both, 'searcher')} used both systems and "
        f"{plural(both, 'is', 'are')} compared with themselves, {one:,} used one, and "
        f"{plural(one, 'is', 'are')} compared with the others; all count"
    )


def _paired(pair: Pair) -> str:
    has = "one session with either system"
    if pair.is_of_runs:
        each = f"{pair.n_a / pair.units:.3g} and {pair.n_b / pair.units:.3g} on average"
        has = f"sessions with either system ({each}), whose means are compared"
    return f"Paired by topic: {each_of(pair.units, 'topic')} has {has}, and nobody used both"


def _nameless(pair: Pair) -> str:
    """What sessions stand for that name no searcher."""
    if pair.unit == "session":
        return "No searchers are named, so each session stands for itself."
    if not pair.alone or pair.design == PAIRED:
        return ""
    one = "session names no searcher and stands for itself"
    return f"{counted(pair.alone, one, 'sessions name no searcher and stand for themselves')}."


def is_by_topic(pair: Pair) -> bool:
    """Whether topics are the units of a pair, so that none is fixed."""
    return pair.design == PAIRED and pair.crossed is None


def _topics(pair: Pair) -> str:
    """What topics are taken for."""
    if pair.design == PAIRED:
        return "Topics are the units: the claim is about topics like these."
    if pair.topics == 1:
        return "One topic: no claim beyond it."
    crossed = "" if pair.is_crossed else ", not all of them with both systems"
    return (
        f"{counted(pair.topics, 'topic')}{crossed}, taken as fixed: what a topic adds is taken "
        "off scores and systems at once; no claim beyond these topics."
    )


def how_tested(pair: Pair, p_holm: float = math.nan) -> str:
    """How the difference was tested, with its sizes, b over a."""
    if pair.crossed:
        return _sizes(pair)
    parts = [_permuted(pair, p_holm), _sizes(pair)]
    if pair.by_t:
        parts.insert(0, f"t test {p_value(pair.p_t)}{_after_holm(p_holm)}, which counts here.")
    return " ".join(filter(None, parts))


def _permuted(pair: Pair, p_holm: float) -> str:
    """The permutation test, where labels can change places."""
    if math.isnan(pair.p_permutation):
        return "No permutation test: nobody's systems can change places."
    holm, few = "" if pair.by_t else _after_holm(p_holm), ""
    if pair.by_t:
        what = "arrangement" if pair.arrangements < FEWEST_ARRANGEMENTS else pair.unit
        few = f", too few {what}s for it to count"
    drew = f"{_moved(pair)}, {counted(pair.arrangements, 'arrangement')}{few}"
    return f"Permutation test {p_value(pair.p_permutation)}{holm}: {drew}."


def _moved(pair: Pair) -> str:
    """What changes places in the permutation test."""
    if pair.design in (WITHIN, PAIRED):
        return SAME.format("topic" if pair.design == PAIRED else "searcher")
    among = "" if pair.is_crossed or pair.topics == 1 else " among those on the same topics"
    if pair.unit == "session":
        return f"sessions change systems{among}"
    if pair.design == BOTH:
        return f"{SAME.format('searcher')} of both, and searchers of one change systems{among}"
    return f"searchers change systems with all their sessions{among}"


def _sizes(pair: Pair) -> str:
    """How large the difference is, always b over a."""
    sizes: list[str] = []
    if not math.isnan(pair.hedges_g):
        sizes.append(f"Hedges' g {short(pair.hedges_g)}")
    if not math.isnan(pair.superiority):
        where = {"searcher": "of the same searcher, ", "topic": "on the same topic, ", "": ""}
        share, *ends = (
            f"{100 * each:.0f}"
            for each in (pair.superiority, pair.superiority_low, pair.superiority_high)
        )
        beats = f"a session of {pair.system_b} beats one of {pair.system_a} in {share} %"
        known = not math.isnan(pair.superiority_low)
        ends = f"; 95 % interval {' to '.join(ends)} %" if known else ""
        off = "" if pair.design == PAIRED or pair.topics == 1 else "topics taken off, "
        sizes.append(f"{where[pair.pairs_of]}{beats} ({off}ties half{ends})")
    over = f"{pair.system_b} over {pair.system_a}"
    return f"Size, {over}: {'; '.join(sizes)}." if sizes else ""


def advice_on(pair: Pair) -> list[str]:
    """Where a reader of this pair could be misled."""
    if pair.crossed and pair.crossed.reason:
        return ["Ask for these topics instead, or bring sessions on more of them."]
    sentences = too_few(pair)
    if pair.low < 0 < pair.high:
        sentences.append("The interval holds 0: the data fit a lead of either system, and none.")
    return sentences


def too_few(pair: Pair) -> list[str]:
    """What single searchers, values without spread, or systems without a common topic can't say."""
    if math.isnan(pair.difference):
        return ["Show systems that were used on the same topics, or topics that both met."]
    names, of = (pair.system_a, pair.system_b), (pair.searchers_of, pair.units_of)
    sentences = [
        f"{name} was used by one searcher: system and searcher can't be parted."
        for name, searchers, units in zip(names, *of, strict=True)
        if searchers == 1 and (pair.design == PAIRED or (pair.design == BETWEEN and units == 1))
    ]
    if pair.design == WITHIN and pair.units == 1:
        sentences.append("One searcher used both systems: nothing can be said of others.")
    if math.isnan(pair.low) and not sentences:
        sentences.append(f"There is no interval: {_why_no_interval(pair)}.")
    return sentences


def _why_no_interval(pair: Pair) -> str:
    """Why nothing shows how far a difference may be off."""
    unit = pair.unit
    if min(pair.units_of) == 1:
        alone = (pair.system_a, pair.system_b)[pair.units_of.index(1)]
        return f"{'there is' if pair.design == PAIRED else f'{alone} has'} one {unit} alone"
    if pair.is_level:
        return f"{unit}s do not differ, so nothing shows how far off the difference may be"
    return (
        f"once topics are taken off, too little is left of so few {unit}s to show how far off the "
        "difference may be"
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
    return lead(of.pairs[place], of.unit, _pairs_after_holm(of, place))


def _pairs_after_holm(of: Comparison, place: int) -> float:
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
    own = [design_of(pair), how_tested(pair, _pairs_after_holm(of, place))]
    if several:
        return [of_pair(of, place), *own, AFTER_HOLM.format(len(of.pairs))]
    return own if of_pair(of, place) == answer(of) else [of_pair(of, place), *own]


def advice(of: Comparison, place: int = 0) -> list[str]:
    """Where a reader could be misled."""
    grows = f"{capital(of.words)} grows with the number of queries, which stands beside it."
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


LINES = "what was lost worst stands first; each opens its two sessions side by side"


def by_topic_answer(of: ByTopic) -> str:
    """How many topics the second system won, lost and tied."""
    a, b = of.pair.system_a, of.pair.system_b
    if not len(of.table):
        return f"{a} and {b} met on no topic."
    won, lost, tied = (of.number(result) for result in ("won", "lost", "tied"))
    topics = counted(len(of.table), "topic")
    return f"Against {a}, {b} won {won:,} of {topics}, lost {lost:,} and tied {tied:,}."


def by_topic_sentences(of: ByTopic) -> list[str]:
    """The answer; of several runs what they are apart, and which are shown; what is left out."""
    if not len(of.table):
        return [by_topic_answer(of)]
    runs = _runs(of) if of.is_of_runs else ""
    left = left_out(of.apart, why="on topics of one of the two").strip()
    return [*filter(None, (by_topic_answer(of), runs, left))]


def _runs(of: ByTopic) -> str:
    """Runs against topics, and which runs a line names."""
    spread = ""
    if not math.isnan(of.topics_apart):
        spread = (
            f"Runs of one system on one topic are {short(of.runs_apart)} {of.unit} apart, topics "
            f"{short(of.topics_apart)} (standard deviations). "
        )
    return (
        f"{spread}A topic counts once, by its sessions' means; the session that a line names is "
        "the one nearest to its mean."
    )


def line(row: dict[Any, Any], a: str, b: str) -> str:
    """A topic of the list: what it was, and by how much."""
    apart, means = row["difference"], f"{b} {short(row['mean_b'])}, {a} {short(row['mean_a'])}"
    how = "tied" if row["result"] == "tied" else f"{row['result']} by {short(abs(apart))}"
    return f"{row['topic']}: {how} ({means})"


def most(shown: int, topics: int) -> str:
    """Which lines stand of very many topics."""
    half = shown // 2
    return f"only the {half} lost worst and the {half} won most of {topics:,}; the table has all"


NONE = "One system alone: measures can differ in the order of its sessions, not of systems."
ALIKE = "Both order all sessions alike."
COLUMNS = (
    "each with its interval, in the measure's own unit; "
    "τ-b says how far sessions are ordered as by the first (95 % interval, searchers resampled, "
    "or sessions that name none); "
    "swapped is the share of pairs of systems whose means stand the other way round."
)


def no_weights(name: str) -> str:
    """Why a session is not shown with weights of its cells.

    >>> no_weights("union_recall")
    'Cells have no weights by union_recall that could be drawn over a session.'
    """
    return f"Cells have no weights by {name} that could be drawn over a session."


def too_many(asked: int, most: int) -> str:
    """How many of the measures that were asked for are shown.

    >>> too_many(45, 30)
    '45 are asked for, the first 30 are shown: choose fewer.'
    """
    return f"{asked} are asked for, the first {most} are shown: choose fewer."


def columns(of: MeasuresBeside) -> str:
    """What the table has, of which two systems."""
    pair = of.rows[0]
    if "system_a" not in pair:
        return f"No two systems are compared; {COLUMNS.partition('; ')[2]}"
    a, b = pair["system_a"], pair["system_b"]
    return f"Differences are {b} less {a}, the pair that differs most under the first, {COLUMNS}"


def measures_beside_answer(of: MeasuresBeside) -> str:
    """Which measures order systems otherwise than the first, and which have no value."""
    table = of.table().assign(score=[*map(entry_name, of.entries)])
    lacking = [str(name) for name in table["score"][table["sessions"] == 0]]
    without = f" Undefined here: {enumerated(lacking)}." if lacking else ""
    if max(map(len, of.means)) < 2:
        return f"{NONE}{without}"
    first, others = str(table["score"].iloc[0]), table.iloc[1:].dropna(subset="swapped")
    turned = others[others["swapped"] > 0]
    if not len(others):
        return f"No measure can be set beside {first}.{without}"
    if not len(turned):
        how = f"as {first} does: {of.rows[0]['order']}"
        return f"All {len(others) + 1} measures order the systems {how}.{without}"
    names = enumerated([str(name) for name in turned["score"]])
    order = f"{names} {plural(len(turned), 'orders', 'order')} systems otherwise than {first}."
    known = others.dropna(subset="tau")
    if not len(known):
        return f"{order}{without}"
    tau, lowest = min(zip(known["tau"], known["score"], strict=True))
    return (
        f"{order} Sessions stand most otherwise under {lowest}: τ-b {share(float(tau))}.{without}"
    )


def put_first(of: MainMeasures, here: Collection[str]) -> list[str]:
    """How many measures put another system first, and which, then briefly; empty where none does.

    here : the systems that are first without them, if any are

    >>> firsts = {"final": {"A": 2.0, "B": 1.0}, "rbp": {"A": 0.2, "B": 0.3}, "err": {"A": 1.0}}
    >>> put_first(MainMeasures(firsts, {}), ["A"])[1:]
    ['1 of 2 other measures puts B first', '1 of 2 other measures puts another system first']
    """
    number = len(of.firsts)
    turned = [first for first in of.firsts.values() if not {*first} & {*here}]
    others = Counter(map(enumerated, turned)).most_common()
    if not others:
        return []
    (first, most), *rest = others

    def put(times: int, whom: str) -> str:
        many = f"all {number}" if times == number else f"{times} of {number}"
        return f"{many} other measures {'puts' if times == 1 < number else 'put'} {whom} first"

    named = [f"{times} {name}" for name, times in rest]
    if len(rest) > 1:
        named = [f"{sum(times for _, times in rest)} others"]
    lead = put(most, first)
    brief = [put(sum(times for _, times in others), "another system")] if here else []
    return [", ".join([lead, *named]), lead, *brief]


def otherwise(of: MainMeasures, here: Collection[str], own: Mapping[tuple[str, str], bool]) -> str:
    """Which measures reverse an answer: who is first, and who is ahead of whom; empty if none.

    here : the systems that are first without them · own : who is ahead of whom, and whether
    clearly. What is not clear is reversed by a difference whose interval excludes 0.
    """
    first_by: dict[tuple[str, ...], list[str]] = {}
    for score, first in of.firsts.items():
        if not {*first} & {*here}:
            first_by.setdefault(first, []).append(score)
    ahead_by: dict[tuple[str, str], list[str]] = {}
    for score, pairs in of.pairs.items():
        for pair in pairs:
            ahead, behind = ahead_behind(pair)
            turned = bool(pair.difference) and (behind, ahead) in own
            is_sure = pair.low > 0 or pair.high < 0
            if turned and (is_sure or own[behind, ahead]):
                ahead_by.setdefault((ahead, behind), []).append(f"{score}{'*' * is_sure}")
    parts = [
        f"{enumerated(first)} {'is' if len(first) == 1 else 'are'} first by {enumerated(by)}"
        for first, by in first_by.items()
    ]
    parts += [f"{a} is ahead of {b} by {enumerated(by)}" for (a, b), by in ahead_by.items()]
    if not parts:
        return ""
    sure = any(name.endswith("*") for by in ahead_by.values() for name in by)
    star = " (* its 95 % interval excludes 0)" if sure else ""
    return f"Other measures say otherwise: {'; '.join(parts)}{star}."


def door(of: RankedApart, first: str, other: str) -> str:
    """A session that two measures judge differently.

    >>> door(RankedApart("s1", "A", 0.9, 0.2), "final", "rbp")
    's1, A: above .90 of sessions by final, above .20 by rbp'
    """
    by = f"above {share(of.first)} of sessions by {first}, above {share(of.other)} by {other}"
    return f"{of.session}, {of.system}: {by}"


TITLE = "Was the answer right?"
PERCENT = "{:.0f}"
FOUND = (
    "A session has found something where its lists show at least one document whose gain is above "
    "0, down to X; gains and X are those of the definition in force."
)
UNPAIRED = (
    "No test by topic: topics don't pair these sessions. Compare the systems on the score "
    "rating: {} instead."
)


def outcome_answer(of: Outcome) -> str:
    """The share of each system's sessions that were right."""
    known = of.shares[of.shares["sessions"] > 0].to_dict("records")
    return f"Right: {'; '.join(map(_share, known))}." if known else "No session says so."


def _share(row: dict[Any, Any]) -> str:
    low, high = (PERCENT.format(100 * row[end]) for end in ("low", "high"))
    of = f"{row['right']:,} of {counted(row['sessions'], 'session')}"
    percent = PERCENT.format(100 * row["share"])
    return f"{row['system']} {percent} % ({of}; 95 % interval {low} to {high} %)"


def outcome_sentences(of: Outcome) -> list[str]:
    """The answer, the test of each pair, what stands behind both, and what is not known."""
    pairs = [_pair(row, len(of.pairs) > 1) for row in of.pairs.to_dict("records")]
    tested = pairs if of.is_paired else [UNPAIRED.format(of.column)] if pairs else []
    return [*filter(None, (outcome_answer(of), *tested, _intervals(of), _unknown(of)))]


def _pair(row: dict[Any, Any], several: bool) -> str:
    """How many topics either of two systems alone got right, and McNemar's p."""
    a, b = row["system_a"], row["system_b"]
    holm = f", after Holm {p_value(row['p_holm'])}" if several else ""
    return (
        f"Of {counted(row['topics'], 'topic')} that both met, {b} alone got {row['only_b']:,} "
        f"right and {a} alone {row['only_a']:,}, both {row['both']:,} and neither "
        f"{row['neither']:,} (McNemar's exact test by topic {p_value(row['p'])}{holm})."
    )


def _intervals(of: Outcome) -> str:
    """By what intervals are, for what they hold, and by what a topic of several runs is right."""
    said = "Intervals of shares are Wilson's"
    if of.alike:
        fewer = ", whichever says fewer" if len(of.alike) > 1 else ""
        spread = " and of ".join(of.alike)
        said += f", of as many independent sessions as the spread of {spread} says{fewer}"
    if not of.is_of_runs:
        return f"{said}."
    if "topics" not in of.alike:
        these = "this topic" if of.topics == 1 else f"these {of.topics} topics"
        said += f"; they hold for {these} alone"
    runs = (
        " Of several runs a topic is that system's whose share on it is higher; of equal ones it "
        "is both's from a half on."
    )
    return f"{said}.{runs if of.is_paired else ''}"


def _unknown(of: Outcome) -> str:
    """Sessions that don't say whether they were right."""
    lacking = [
        f"{counted(row['unknown'], 'session')} of {row['system']}"
        for row in of.shares.to_dict("records")
        if row["unknown"]
    ]
    return f"Left out, as {of.column} is empty: {enumerated(lacking)}." if lacking else ""


def of_corners(of: Outcome) -> list[str]:
    """How many sessions found something and were right, of each system, and what that means."""
    each = [
        f"{row['system']}: found and right {row['found_right']:,}, found and wrong "
        f"{row['found_wrong']:,}, not found and right {row['not_found_right']:,}, neither "
        f"{row['not_found_wrong']:,}"
        for row in of.corners.to_dict("records")
    ]
    without = int(of.corners["unjudged_sessions"].sum())
    left = f" Undefined for {counted(without, 'session')} on topics nobody judged."
    return [f"{'; '.join(each)}.", f"{FOUND}{left if without else ''}"]


def outcome_method(of: Outcome) -> str:
    """How outcomes were compared, for a methods section."""
    test = (
        " Systems were compared by McNemar's exact test, paired by topic." if of.is_paired else ""
    )
    return f"Whether a session was right is its column {of.column}. {_intervals(of)}{test}"


GUESS = (
    "One that is looked at because it came out clear is likely too large (winner's curse; Button "
    "et al. 2013): plan with the smallest difference that would matter."
)
WHOSE = {BETWEEN: "with each system", PAIRED: "with both systems"}
WHY_NOT = {
    "topics": "Planned for these topics only: for topics like these more searchers alone don't do, "
    "as topics are drawn, too. Choose fixed topics to plan searchers.",
    "difference": "Without a difference there is nothing to plan by.",
    "few": f"Fewer than {FEWEST} {{unit}}s {{whose}}: too few to plan by their spread.",
    "alike": "{Unit}s show no spread to plan by.",
    "untold": "Once topics are taken off, too little is left of the {unit}s to plan by.",
    "equal": "The difference seen is 0: enter one to plan for.",
}


def next_study_answer(of: NextStudy) -> str:
    """How many units which difference takes."""
    if not of.plans:
        unit, whose = of.pair.unit, WHOSE.get(of.pair.design, "used both systems")
        return WHY_NOT[of.reason].format(unit=unit, Unit=unit.capitalize(), whose=whose)
    first, *others = of.plans
    return f"{'; '.join([_whole(of, first), *map(_shorter, others)])}."


def _whole(of: NextStudy, plan: Plan) -> str:
    """One difference in full."""
    (few, many), unit = map(number_of, plan.units), of.pair.unit
    size = f" {short(plan.difference)} {of.measure}," if plan.words == SEEN else ""
    needed = f"For {plan.words},{size} {few} {unit}s"
    if plan.units[0] > MOST:
        return f"{needed} are needed"
    return f"{needed} give 80 % power, {'and 90 %' if few == many else f'{many} give 90 %'}"


def _shorter(plan: Plan) -> str:
    """A further difference after it."""
    few, many = map(number_of, plan.units)
    return f"for {plan.words} {few}" if few == many else f"for {plan.words} {few} and {many}"


def next_study_sentences(of: NextStudy) -> list[str]:
    """What the study could have found, and how far the numbers can be relied on."""
    found = f"80 % power for a difference of {short(of.smallest)} {of.measure}"
    could = f"With {counted(of.pair.units, of.pair.unit)} this study had {found}"
    told = [f"{could}; a smaller one it would have missed more often."] if of.smallest > 0 else []
    return [*told, _guess(of), _planned(of), *_for_whom(of)] if of.plans else told


def next_study_paragraphs(of: NextStudy) -> list[str]:
    """All of it in words, for the pair by its name."""
    pair = of.pair
    return [
        f"The next study of {pair.system_a} and {pair.system_b}: {next_study_answer(of)}",
        *next_study_sentences(of),
    ]


def _guess(of: NextStudy) -> str:
    """How far off the difference seen may be, in units."""
    pair = of.pair
    if math.isnan(pair.low):
        return f"The difference seen is a guess, here without an interval. {GUESS}"
    low, high = sorted(math.copysign(1, pair.difference) * end for end in (pair.low, pair.high))
    most = f"were it {short(high)}, {_needed(of, high)} would do"
    if low <= 0:
        ends = f"95 % interval, {short(low)} to {short(high)}, holds 0; {most}"
    else:
        ends = f"95 % interval is {short(low)} to {short(high)}; {most}"
        ends += f", were it {short(low)}, {_needed(of, low)} would be needed for 80 % power"
    return f"The difference seen is a guess: its {ends}. {GUESS}"


def _needed(of: NextStudy, difference: float) -> str:
    """Units for 80 % power, in words."""
    needed = of.units.needed(difference, POWERS[0]) if of.units else 0
    return f"{number_of(needed)} {of.pair.unit}s"


def _planned(of: NextStudy) -> str:
    """By what it is planned."""
    unit, spread = of.pair.unit, short(of.units.spread if of.units else math.nan)
    apart = f"standard deviation {spread} {of.measure}"
    by = f"of {unit}s' paired differences ({apart}, df n − 1)."
    if of.pair.design == BETWEEN:
        by = (
            f"of two groups of {unit}s, equally many with each system ({apart}; Welch's df, 2n − 2 "
            "where both spreads are equal)."
        )
    return f"Noncentral t, two-sided at .05, {by}"


def _for_whom(of: NextStudy) -> list[str]:
    """What has to be alike in the next study."""
    pair, told = of.pair, list[str]()
    if pair.design == BOTH:
        both = counted(pair.both, pair.unit)
        told.append(f"Planned by the {both} of both systems: all of the next use both.")
    if pair.design == PAIRED:
        each = "As many sessions" if pair.is_of_runs else "One session"
        told.append(f"{each} with either system on each topic, as here.")
    elif pair.unit == "searcher":
        each = counted(of.sessions, "session")
        told.append(f"Each searcher makes {each} with these systems, as here on average.")
    if of.several:
        told.append("For this pair alone: several pairs, corrected after Holm, need more.")
    return told


def next_study_method(of: NextStudy) -> str:
    """A paragraph of a methods section, empty where nothing is planned."""
    if not of.plans:
        return ""
    pair = of.pair
    sizes = dict.fromkeys(f"{short(plan.difference)} {of.measure}" for plan in of.plans)
    return (
        f"Next study: units for 80 % and 90 % power to find {enumerated([*sizes])} "
        f"between {pair.system_a} and {pair.system_b}. {_planned(of)} Checked with "
        f"{STUDIES:,} studies drawn from this one's {pair.unit}s."
    )


def next_study_behind(of: NextStudy) -> str:
    """What the table's columns are."""
    return (
        "standardised is the difference in standard deviations; resampled is the share of "
        f"{STUDIES:,} studies with p ≤ .05, of as many {of.pair.unit}s drawn from this one's."
    )


WHY = {
    CONDENSED: "Unjudged results are taken out (condense): what would stand in their places, were "
    "they judged, is not known, so that no range can be given.",
    SEARCHERS: "Grades are the searchers' own, one at each appearance: no judgment of a document "
    "takes their place, so that unjudged results have no range.",
    NOT_RISING: "What unjudged results leave open is given of scores that grow with each gain, "
    "what they are a share of being held: not of this one.",
    NOT_LINEAR: "What unjudged results leave open of the difference is not given for this score, "
    "to which gains do not add up; `sdcg score --residuals` has its range by session.",
    SAMPLED: "What unjudged results leave open is not given where topics are a sample: the model "
    "weighs sessions by what they score.",
    UNTOLD: "",
}
NOTHING_OPEN = (
    "Every result that counts in these sessions is judged: the judgments leave nothing open."
)
RANGE = (
    "This is a range of the judgments, not of the sample: it is no interval, and widens none. A "
    "document that both systems show moves both at once; ideals, and what sessions weigh, are held."
)
BEYOND = (
    "Shares pass 1 at these ends, for ideals are held as judged while each unjudged document may "
    "be worth the highest gain."
)
METHOD = (
    "Unjudged results counted 0. Ranges of differences say between which ends they lie, were each "
    "unjudged document worth anything from 0 to the highest gain, ideals and the model's weights "
    "of sessions held; they are no intervals."
)
FIRST = 10  # documents whose part of the range is said


def is_worth_saying(of: LeftOpen) -> bool:
    """Whether a page has anything to say of it unasked."""
    return bool(of.without and of.why != UNTOLD) or of.why == CONDENSED


def left_open_answer(of: LeftOpen) -> str:
    """Whether who is ahead stays so whatever the unjudged documents are worth."""
    if of.why:
        return WHY[of.why]
    if not of.without:
        return NOTHING_OPEN
    pair, unjudged = of.pair, f"the {percent(of.without / of.results)} unjudged"
    apart = f"{pair.system_b} − {pair.system_a} = {short(pair.difference)} {of.unit} as judged"
    if of.lowest == of.highest:
        return f"Whatever {unjudged} are worth, the difference stays: {apart}."
    ends = f"from {short(of.lowest)} to {short(of.highest)}"
    if of.stays:
        side = "above" if pair.difference > 0 else "below"
        return f"The difference stays {side} 0 whatever {unjudged} are worth: {apart}, {ends}."
    return f"The difference could turn with what {unjudged} are worth: {apart}, {ends}."


def left_open_sentences(of: LeftOpen) -> list[str]:
    """The answer, what the range is not, and what to judge next."""
    if of.why or not of.without:
        return [*filter(None, [left_open_answer(of)])]
    is_beyond = of.unit in SHARES and max(-of.lowest, of.highest) > 1
    return [left_open_answer(of), RANGE, *([BEYOND] if is_beyond else []), next_ones(of)]


def next_ones(of: LeftOpen) -> str:
    """How many documents move the difference, and how much the first of them do."""
    number, moving = len(of.documents), np.abs(of.table["moves"].to_numpy(dtype=float))
    has = f"{counted(number, 'document has', 'documents have')} no judgment"
    if not moving.size:
        return f"{has}; none of them moves the difference."
    some = moving[:FIRST]
    first = "the first" if some.size == 1 else f"the first {some.size}"
    makes = plural(some.size, "makes", "make")
    part = percent(float(some.sum() / moving.sum()))
    return f"{has}, {moving.size:,} could move the difference; {first} {makes} {part} of the range."


def left_open_columns(of: LeftOpen, listed: int) -> str:
    """What the list of documents to judge next says, and how much of it stands on the page."""
    a, b = of.pair.system_a, of.pair.system_b
    number = len(of.table)
    some = f" Here the first {listed} of {number:,}; the files have all." if number > listed else ""
    return (
        f"by how much {b} − {a} would move, were the document worth the highest gain, and how many "
        f"sessions of either show it.{some} judge_next.csv, its grades filled in, joins the "
        "judgments; judge_next.qrels waits for a grade at the end of each line."
    )


def percent(share: float) -> str:
    """A share in percent; one that is not quite none, or all, is said so.

    >>> percent(0.124), percent(0.001), percent(0.999), percent(1.0)
    ('12 %', 'less than 1 %', 'over 99 %', '100 %')
    """
    whole = round(100 * share)
    if 0 < share < 1 and whole in (0, 100):
        return "less than 1 %" if whole == 0 else "over 99 %"
    return f"{whole} %"
