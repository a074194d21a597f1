"""A comparison of two systems in words: who is ahead, by which design, tested how."""

from __future__ import annotations

import math

from sdcg_explorer.analysis.statistics.permutation import FEWEST_ARRANGEMENTS, is_clear
from sdcg_explorer.analysis.systems.two_systems import BETWEEN, BOTH, PAIRED, WITHIN, Pair
from sdcg_explorer.questions.words import topics_like_these
from sdcg_explorer.questions.words.wording import (
    counted,
    each_of,
    fitting,
    p_value,
    plural,
    short,
    tested,
)

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
    shown = f"({tested(*ends, pair.p, t_leads=pair.by_t)}{_after_holm(p_holm)})"
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
        return " ".join(topics_like_these.said(pair.crossed, (pair.system_a, pair.system_b)))
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
