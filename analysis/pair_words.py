"""A comparison of two systems in words: who is ahead, by which design, tested how."""

from __future__ import annotations

import math

from analysis.pair import WITHIN, Pair
from analysis.wording import counted, p_value, short

UNEVEN = 0.05  # part of a difference that centring by topic may take or add without a word


def ahead_by(pair: Pair, unit: str, *, named: bool = False) -> str:
    """Who is ahead, by how much, how surely; `named` says of whom."""
    a, b, d = pair.system_a, pair.system_b, pair.difference
    if math.isnan(d):
        return f"{a} and {b} can't be told from their topics: no difference can be given."
    interval = (pair.low, pair.high) if d >= 0 else (-pair.high, -pair.low)
    between = f"95 % interval {short(interval[0])} to {short(interval[1])}"
    within = "no interval" if math.isnan(pair.low) else between
    if abs(d) < 1e-12:
        return f"{a} and {b} are level: a difference of 0 {unit} ({within}){_tested(pair)}."
    first, share = (b, pair.ahead) if d > 0 else (a, 1 - pair.ahead)
    of = "" if math.isnan(share) else f", in {_percent(share)} of 10,000 resamples of {pair.who}s"
    whom = f" of {a if d > 0 else b}" if named else ""
    return f"{first} is ahead{whom} by {short(abs(d))} {unit} ({within}){of}{_tested(pair)}."


def _tested(pair: Pair) -> str:
    if math.isnan(pair.p_permutation):
        return ""
    return f"; permutation test {p_value(pair.p_permutation)}"


def _percent(share: float) -> str:
    """A share of resamples; all of them only where it is all.

    >>> _percent(0.986), _percent(0.99999), _percent(1.0)
    ('98.6 %', '99.9 %', '100 %')
    """
    return f"{math.floor(share * 1000) / 10:.3g} %" if share < 1 else "100 %"


def design_of(pair: Pair) -> str:
    """The design that was recognised, and the analysis that fits it."""
    who, unnamed = pair.who, ""
    if pair.alone == 1:
        unnamed = " 1 session names no searcher and stands for itself."
    elif pair.alone:
        unnamed = f" {pair.alone:,} sessions name no searcher and stand for themselves."
    if who == "session":
        unnamed = " No searchers are named, so each session stands for itself."
    mixed = ""
    if pair.mixed:
        several, single = pair.mixed
        aside = single if pair.design == WITHIN else several
        used = f"{several:,} used both systems and {single:,} one"
        mixed = f" Mixed: {used}, and the {aside:,} {_are(aside)} left out here."
    if pair.design == WITHIN:
        each = "the searcher" if pair.searchers == 1 else f"each of {pair.searchers:,} searchers"
        df = f", df = {pair.df:.3g}" if pair.low < pair.high else ""
        t = f"t on the searchers' differences{df}"
        how = f"Within searchers: {each} used both systems and is compared with themselves; {t}"
    else:
        a, b = (counted(n, who) for n in pair.searchers_of)
        are = _are(pair.searchers_of[0])
        how = f"Between {who}s: {a} of {pair.system_a} {are} compared with {b} of {pair.system_b}"
        how += "; Welch's t on the sessions" * (who == "session")
        how += "; Welch's t on the searchers' means" * (who != "session")
    return f"{how}.{mixed}{unnamed} {_topics(pair)}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _topics(pair: Pair) -> str:
    """What topics are taken for."""
    if pair.topics == 1:
        return "One topic: no claim beyond it."
    crossed = "" if pair.is_crossed else ", not all of them with both systems"
    return (
        f"{pair.topics} topics{crossed}, taken as fixed: each score less the mean of its topic; "
        "no claim beyond these topics."
    )


def test_of(pair: Pair, p_holm: float) -> str:
    """How the permutation test was done, with the sizes of the difference."""
    if math.isnan(pair.p_permutation):
        return "No permutation test: nobody's systems can change places."
    moved = "systems change places within searchers"
    if pair.design != WITHIN:
        among = "" if pair.is_crossed or pair.topics == 1 else " among those on the same topics"
        moved = f"searchers change systems with all their sessions{among}"
        if pair.who == "session":
            moved = f"sessions change systems{among}"
    corrected = "" if math.isnan(p_holm) else f" (after Holm {p_value(p_holm)})"
    sizes: list[str] = []
    if not math.isnan(pair.hedges_g):
        sizes.append(f"Hedges' g {short(pair.hedges_g)}")
    if not math.isnan(pair.superiority):
        where = "of the same searcher, " if pair.design == WITHIN else ""
        beaten = f"{pair.superiority:.0%}".replace("%", " %")
        sizes.append(
            f"{where}a session of {pair.system_a} beats one of {pair.system_b} in {beaten}"
        )
    told = f" Size: {'; '.join(sizes)} (ties half)." if sizes else ""
    return (
        f"Permutation test {p_value(pair.p_permutation)}{corrected}: {moved}, "
        f"{counted(pair.arrangements, 'arrangement')}.{told}"
    )


def advice_on(pair: Pair) -> list[str]:
    """Where a reader of this pair could be misled."""
    said: list[str] = []
    if math.isnan(pair.difference):
        return ["Show systems that were used on the same topics, or topics that both met."]
    for name, count in zip((pair.system_a, pair.system_b), pair.searchers_of, strict=True):
        if pair.design != WITHIN and count == 1:
            said.append(f"{name} was used by one searcher: system and searcher can't be parted.")
    if pair.design == WITHIN and pair.searchers == 1:
        said.append("One searcher used both systems: nothing can be said of others.")
    if math.isnan(pair.low) and min(pair.searchers_of) > 1:
        said.append("Without any spread between searchers there is no interval.")
    if pair.low < 0 < pair.high:
        said.append("The interval holds 0: the data fit a lead of either system, and none.")
    if abs(pair.met - 1) > UNEVEN:
        said.append(
            "Topics were not shared evenly: taking off their means leaves "
            f"{100 * pair.met:.0f} % of a true difference; the mixed model leaves all of it."
        )
    if pair.leak > UNEVEN:
        said.append(
            "Topics were not shared evenly with the other systems: up to "
            f"{100 * pair.leak:.0f} % of their lead enters here. Show these two systems alone."
        )
    if pair.widened > 1:
        said.append(
            "Few sessions stand behind each topic's mean, which takes error along: interval and "
            f"permutation test allow for a spread {100 * pair.widened - 100:.0f} % wider."
        )
    return said
