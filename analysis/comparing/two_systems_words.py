"""A comparison of two systems in words: who is ahead, by which design, tested how."""

from __future__ import annotations

import math

from analysis.comparing.clear import is_clear
from analysis.comparing.permutation import DRAWS
from analysis.comparing.two_systems import BETWEEN, PAIRED, WITHIN, Pair
from analysis.wording import counted, p_value, short

UNEVEN = 0.05  # part of a difference that centring by topic may take or add without a word
EQUAL = 1e-12
SAME = "systems change places within {}s"


def lead(pair: Pair, unit: str, p_holm: float = math.nan) -> str:
    """Who is ahead and how surely, or that no difference is clear; `p_holm` of several pairs."""
    a, b, d = pair.system_a, pair.system_b, pair.difference
    if math.isnan(d):
        return f"{a} and {b} can't be told from their topics: no difference can be given."
    p = pair.p_permutation if math.isnan(p_holm) else p_holm
    if is_clear(pair.low, pair.high, lambda: p):
        ahead, behind = (b, a) if d > 0 else (a, b)
        ends = (pair.low, pair.high) if d > 0 else (-pair.high, -pair.low)
        by = f"{short(abs(d))} {unit} ({_shown(ends, pair, p_holm)})"
        return f"{ahead} is ahead of {behind} by {by}."
    value = 0.0 if abs(d) < EQUAL else d
    apart = f"{b} − {a} = {short(value)} {unit}"
    if math.isnan(pair.low) and math.isnan(p):
        return f"{apart}, with no interval and no test: too few {pair.unit}s."
    ends = pair.low, pair.high
    return f"No clear difference between {a} and {b}: {apart} ({_shown(ends, pair, p_holm)})."


def _shown(ends: tuple[float, float], pair: Pair, p_holm: float) -> str:
    """Interval and p, each with the method that it comes from."""
    interval = "no interval"
    if not math.isnan(ends[0]):
        interval = f"95 % interval {short(ends[0])} to {short(ends[1])} by t"
    if math.isnan(pair.p_permutation):
        return interval
    test = f"permutation test {p_value(pair.p_permutation)}"
    return f"{interval}; {test}{_after_holm(p_holm)}"


def _after_holm(p_holm: float) -> str:
    return "" if math.isnan(p_holm) else f", after Holm {p_value(p_holm)}"


def _percent(share: float) -> str:
    """A share of resamples; all of them only where it is all.

    >>> _percent(0.986), _percent(0.99999), _percent(1.0)
    ('98.6 %', '99.9 %', '100 %')
    """
    return f"{math.floor(share * 1000) / 10:.3g} %" if share < 1 else "100 %"


def design_of(pair: Pair) -> str:
    """The design that was recognised, and the analysis that fits it."""
    how = {WITHIN: _within, BETWEEN: _between, PAIRED: _paired}[pair.design](pair)
    return " ".join(filter(None, [how, _mixed(pair), _nameless(pair), _topics(pair)]))


def _within(pair: Pair) -> str:
    each = "the searcher" if pair.units == 1 else f"each of {pair.units:,} searchers"
    t = f"t on the searchers' differences{_df(pair)}"
    return f"Within searchers: {each} used both systems and is compared with themselves; {t}."


def _between(pair: Pair) -> str:
    a, b = (counted(n, pair.unit) for n in pair.units_of)
    compared = f"{a} of {pair.system_a} {_are(pair.units_of[0])} compared with {b} of"
    values = "sessions" if pair.unit == "session" else "searchers' means"
    return f"Between {pair.unit}s: {compared} {pair.system_b}; Welch's t on the {values}."


def _paired(pair: Pair) -> str:
    t = f"t on the topics' differences{_df(pair)}"
    apart = ""
    if pair.apart:
        left = f"{counted(pair.apart, 'session')} on topics of one of the two"
        apart = f" Left out: {left}."
    return (
        f"Paired by topic: each of {pair.units:,} topics has one session with either system, and "
        f"nobody used both; {t}.{apart}"
    )


def _df(pair: Pair) -> str:
    return f", df = {pair.df:.3g}" if pair.low < pair.high else ""


def _mixed(pair: Pair) -> str:
    """Who is left out where some used both systems and some one."""
    if not pair.mixed:
        return ""
    several, single = pair.mixed
    aside = single if pair.design == WITHIN else several
    used = f"{several:,} used both systems and {single:,} one"
    return f"Mixed: {used}, and the {aside:,} {_are(aside)} left out here."


def _nameless(pair: Pair) -> str:
    """What sessions stand for that name no searcher."""
    if pair.unit == "session":
        return "No searchers are named, so each session stands for itself."
    if not pair.alone or pair.design == PAIRED:
        return ""
    if pair.alone == 1:
        return "1 session names no searcher and stands for itself."
    return f"{pair.alone:,} sessions name no searcher and stand for themselves."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _topics(pair: Pair) -> str:
    """What topics are taken for."""
    if pair.design == PAIRED:
        return "Topics are the units: the claim is about topics like these."
    if pair.topics == 1:
        return "One topic: no claim beyond it."
    crossed = "" if pair.is_crossed else ", not all of them with both systems"
    return (
        f"{pair.topics} topics{crossed}, taken as fixed: each score less the mean of its topic; "
        "no claim beyond these topics."
    )


def how_tested(pair: Pair, p_holm: float = math.nan) -> str:
    """How the permutation test was done, with the sizes of the difference, b over a."""
    if math.isnan(pair.p_permutation):
        return f"No permutation test: nobody's systems can change places. {_sizes(pair)}".strip()
    return (
        f"Permutation test {p_value(pair.p_permutation)}{_after_holm(p_holm)}: {_moved(pair)}, "
        f"{counted(pair.arrangements, 'arrangement')}. {_sizes(pair)}".strip()
    )


def _moved(pair: Pair) -> str:
    """What changes places in the permutation test."""
    if pair.design != BETWEEN:
        return SAME.format("topic" if pair.design == PAIRED else "searcher")
    among = "" if pair.is_crossed or pair.topics == 1 else " among those on the same topics"
    if pair.unit == "session":
        return f"sessions change systems{among}"
    return f"searchers change systems with all their sessions{among}"


def _sizes(pair: Pair) -> str:
    """How large the difference is, always b over a."""
    sizes: list[str] = []
    if not math.isnan(pair.hedges_g):
        sizes.append(f"Hedges' g {short(pair.hedges_g)}")
    if not math.isnan(pair.superiority):
        where = {WITHIN: "of the same searcher, ", PAIRED: "on the same topic, ", BETWEEN: ""}
        share = f"{pair.superiority:.0%}".replace("%", " %")
        beats = f"a session of {pair.system_b} beats one of {pair.system_a} in {share}"
        sizes.append(f"{where[pair.design]}{beats} (ties half)")
    if not math.isnan(pair.ahead):
        often = f"{_percent(pair.ahead)} of {DRAWS:,} resamples of {pair.unit}s"
        sizes.append(f"{pair.system_b} is above {pair.system_a} in {often}")
    over = f"{pair.system_b} over {pair.system_a}"
    return f"Size, {over}: {'; '.join(sizes)}." if sizes else ""


def advice_on(pair: Pair) -> list[str]:
    """Where a reader of this pair could be misled."""
    if math.isnan(pair.difference):
        return ["Show systems that were used on the same topics, or topics that both met."]
    sentences = [*_few(pair)]
    if pair.low < 0 < pair.high:
        sentences.append("The interval holds 0: the data fit a lead of either system, and none.")
    if abs(pair.met - 1) > UNEVEN:
        sentences.append(
            "Topics were not shared evenly: taking off their means leaves "
            f"{100 * pair.met:.0f} % of a true difference; a model that fits systems and topics "
            "together (mixed, or else least squares) leaves all of it."
        )
    if pair.leak > UNEVEN:
        sentences.append(
            "Topics were not shared evenly with the other systems: up to "
            f"{100 * pair.leak:.0f} % of their lead enters here. Show these two systems alone."
        )
    if pair.widened > 1:
        sentences.append(
            "Few sessions stand behind each topic's mean, which takes error along: interval and "
            f"permutation test allow for a spread {100 * pair.widened - 100:.0f} % wider."
        )
    return sentences


def _few(pair: Pair) -> list[str]:
    """What single searchers, or values without spread, can't say."""
    sentences: list[str] = []
    names = pair.system_a, pair.system_b
    for name, searchers, units in zip(names, pair.searchers_of, pair.units_of, strict=True):
        if searchers == 1 and (pair.design == PAIRED or (pair.design == BETWEEN and units == 1)):
            sentences.append(
                f"{name} was used by one searcher: system and searcher can't be parted."
            )
    if pair.design == WITHIN and pair.units == 1:
        sentences.append("One searcher used both systems: nothing can be said of others.")
    if math.isnan(pair.low) and min(pair.units_of) > 1:
        sentences.append(f"Without any spread between {pair.unit}s there is no interval.")
    return sentences
