"""Which system is better, in words: pairs of systems, topics, outcomes, what is left open."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.columns import WORDS
from sdcg_explorer.questions.compare_systems import numbers
from sdcg_explorer.questions.methods import footing_note
from sdcg_explorer.questions.overview.numbers import is_whole
from sdcg_explorer.questions.overview.words import NAMELESS as NO_SEARCHERS
from sdcg_explorer.questions.wording import (
    NAMED,
    NO_INTERVAL_OF_MEANS,
    all_of,
    counted,
    each_of,
    enumerated,
    first_fit,
    in_unit,
    interval_cells,
    left_out,
    p_value,
    percent,
    plural,
    short,
    tested,
    why_no_score,
    with_sign,
    withheld_note,
)
from sdcg_explorer.scoring.measures import ALL_SESSION_SCORES, SHARES
from sdcg_explorer.scoring.ratings import RATING
from sdcg_explorer.scoring.scored_sessions import Scored, drawn_one_in
from sdcg_explorer.statistics import crossed_model, two_way
from sdcg_explorer.statistics.permutation import LEVEL, is_clear
from sdcg_explorer.study.wording import capital

TOPICS_ARE_HELP = {
    "fixed": "The result holds for the topics of this study only.",
    "sample": "Topics count as a sample of many: the result generalises, with more uncertainty.",
}
SPREADS = {
    "searcher": "searchers' means",
    "searcher_by_system": "searchers' differences",
    "topic": "topics' means",
    "topic_by_system": "topics' differences",
    "rest": "rest",
}
NOT_COMPARED = "can't be compared: they were not used on the same {}s"
COMBINED = "Sessions on the same topics, in any order, are on one topic combination."
NO_TEST = "without an interval or a test"
NOT_WITH_ORDER = "can't be compared when adjusted for session order"


def mixed_model_sentences(of: crossed_model.Crossed, topic_noun: str = "topic") -> list[str]:
    """What was fitted, for whom it speaks, what varied, and what can't be told; or why nothing."""
    if of.reason:
        return [f"No model: {of.reason}."]
    variances = {words: getattr(of.variances, part) for part, words in SPREADS.items()}
    known = [f"{words} {short(math.sqrt(v))}" for words, v in variances.items() if v >= 0]
    untold = [f"{SPREADS[part]} ({why})" for part, why in of.untold]
    return [
        f"Mixed model with random searchers and topics (t with {short(of.df)} degrees of freedom).",
        _generality_sentence(of, topic_noun),
        f"Standard deviations: {', '.join(known)}.",
        *([f"Left out, as this design can't estimate it: {'; '.join(untold)}."] if untold else []),
    ]


def _generality_sentence(of: crossed_model.Crossed, topic_noun: str) -> str:
    """For which searchers and topics it speaks, and whether these are too few to."""
    searcher = "searcher" if of.is_named else "session"
    groups = ((of.topics, topic_noun), (of.searchers, searcher))
    few = [counted(number, noun) for number, noun in groups if number < crossed_model.FEW_LEVELS]
    if not few:
        return f"The result speaks for {searcher}s and {topic_noun}s like these."
    are = plural(1 if len(few) == 1 and few[0].startswith("1 ") else 2, "is", "are")
    return f"{enumerated(few)} {are} too few to generalise from."


def lead_sentences(of: numbers.Comparison, place: int) -> list[str]:
    """Who of one pair is ahead and how surely, or that no difference is clear.

    In full, then for long names without its interval, and without the difference; p is corrected
    where there are several pairs.
    """
    pair, unit = of.pairs[place], of.unit
    a, b, d, low, high = pair.system_a, pair.system_b, pair.difference, pair.low, pair.high
    if pair.crossed and pair.crossed.reason:
        return [f"{a} and {b} can't be compared for topics like these: {pair.crossed.reason}"]
    if math.isnan(d):
        return [f"{a} and {b} {_why_not_compared(pair)}"]
    p_holm = float(of.p_holm[place]) if of.has_several_pairs else math.nan
    p, holm = (pair.p, "") if math.isnan(p_holm) else (p_holm, " after Holm")
    apart = f"{b} − {a} = {short(d)} {unit}"
    if math.isnan(low) and math.isnan(p):
        return [f"{apart}, {NO_TEST}"]
    brief = "" if math.isnan(p) else f" ({p_value(p)}{holm})"
    if not is_clear(low, high, lambda: p):
        unclear = f"{a} and {b} don't differ clearly"
        return [f"{unclear}: {apart} ({tested(low, high, p)}{holm})", f"{unclear}{brief}"]
    low, high = (low, high) if d > 0 else (-high, -low)
    above, by = "{} is ahead of {}".format(*ahead_and_behind(pair)), f" by {short(abs(d))} {unit}"
    full = f" ({tested(low, high, p)}{holm})"
    return [f"{above}{form}" for form in (by + full, by + brief, brief)]


def _why_not_compared(pair: numbers.Pair) -> str:
    return NOT_WITH_ORDER if pair.with_order else NOT_COMPARED.format(pair.topic_noun)


def ahead_and_behind(pair: numbers.Pair) -> tuple[str, str]:
    """The system that is ahead, and the other."""
    first, second = pair.system_a, pair.system_b
    return (second, first) if pair.difference > 0 else (first, second)


def design_and_topics(pair: numbers.Pair) -> str:
    """The design that was recognised, and for which topics its answer holds."""
    if pair.crossed:
        return " ".join(mixed_model_sentences(pair.crossed, pair.topic_noun))
    left = ""
    if pair.design == numbers.PAIRED and pair.apart:
        sessions = counted(pair.apart, "session")
        are = plural(pair.apart, "is", "are")
        left = f"{sessions} on {pair.topic_noun}s of only one system {are} left out."
    topics = "" if math.isnan(pair.difference) else _topics_clause(pair)
    combined = COMBINED * (pair.topic_noun != "topic")
    parts = [_design_sentence(pair), left, _unnamed_note(pair), topics, combined]
    return " ".join(filter(None, parts))


def _design_sentence(pair: numbers.Pair) -> str:
    """Who is compared with whom."""
    if pair.design == numbers.WITHIN:
        return f"Within-searcher comparison: {each_of(pair.units, 'searcher')} used both systems."
    if pair.design == numbers.BETWEEN:
        a, b = (counted(n, pair.unit) for n in pair.units_of)
        with_each = f"{a} with {pair.system_a}, {b} with {pair.system_b}"
        return f"Between-{pair.unit} comparison: {with_each}."
    if pair.design == numbers.BOTH:
        both, single = counted(pair.both, "searcher"), pair.units - pair.both
        return f"Mixed design: {both} used both systems, {single:,} only one; all count."
    has = "one session with each system"
    if pair.is_of_runs:
        each = f"{pair.n_a / pair.units:.3g} and {pair.n_b / pair.units:.3g} on average"
        has = f"several sessions with each system ({each}), compared by their means"
    each = each_of(pair.units, pair.unit)
    return f"Paired by {pair.unit}: {each} has {has}; no searcher used both."


def _unnamed_note(pair: numbers.Pair) -> str:
    """What sessions stand for that name no searcher."""
    if pair.unit == "session":
        return NO_SEARCHERS
    if not pair.alone or pair.design == numbers.PAIRED:
        return ""
    one = "session names no searcher and counts as a searcher of its own"
    each = "sessions name no searcher and count as searchers of their own"
    return f"{counted(pair.alone, one, each)}."


def has_topic_units(pair: numbers.Pair) -> bool:
    """Whether topics are the units of a pair, so that none is fixed."""
    return pair.design == numbers.PAIRED and pair.crossed is None


def _topics_clause(pair: numbers.Pair) -> str:
    """For which topics the result holds."""
    if pair.design == numbers.PAIRED:
        topics = f"{pair.topic_noun}s"
        return f"{capital(topics)} are the sample, so the result speaks for {topics} like these."
    if pair.topics == 1:
        return f"The result holds for this one {pair.topic_noun} only."
    these = counted(pair.topics, pair.topic_noun)
    not_all = f", {'not all' if pair.shared else 'none'} of them searched with both systems"
    crossed = "" if pair.shared == pair.topics else not_all
    return f"Topic effects are removed; the result holds for these {these} only{crossed}."


def test_and_effect_size(pair: numbers.Pair) -> str:
    """Where interval and p come from, and how large the difference is, b over a."""
    untested = pair.crossed or math.isnan(pair.difference)
    return " ".join(filter(None, ["" if untested else _test_description(pair), _effect_size(pair)]))


def _test_description(pair: numbers.Pair) -> str:
    """Where interval and p come from."""
    df = f"df = {pair.df:.3g}"
    if pair.by_t:
        both = f"Interval and p are from a t test ({df})"
        if not pair.arrangements:
            return f"{both}. {NO_PERMUTATION}"
        return f"{both}: there are too few {pair.unit}s to rely on a permutation test."
    if not pair.arrangements:
        return f"{f'The interval is by t ({df}). ' * (pair.low < pair.high)}{NO_PERMUTATION}"
    if math.isnan(pair.p):
        return "There is no test: too few data for t, and a permutation test has 1 arrangement."
    p = f"p is from a permutation test ({counted(pair.arrangements, 'arrangement')})."
    return f"{f'The interval is by t ({df}); ' * (pair.low < pair.high)}{p}"


def _effect_size(pair: numbers.Pair) -> str:
    """How large the difference is, b over a, and which system wins more pairs of sessions."""
    sizes: list[str] = []
    a, b = pair.system_a, pair.system_b
    if not math.isnan(pair.hedges_g):
        sizes.append(f"Effect size ({b} − {a}): Hedges' g = {short(pair.hedges_g)}.")
    if not math.isnan(pair.superiority):
        paired = pair.design == numbers.PAIRED
        same = f"On the same {pair.topic_noun}, a" if paired else "For the same searcher, a"
        where = "A" if pair.both < 2 else same  # whose own sessions are paired
        shares = pair.superiority, pair.superiority_low, pair.superiority_high
        if pair.superiority < 1 / 2:  # said of the system that wins more pairs
            a, b, shares = b, a, (1 - shares[0], 1 - shares[2], 1 - shares[1])
        beats, low, high = (f"{100 * value:.0f}" for value in shares)
        notes = [] if math.isnan(pair.superiority_low) else [f"95% interval {low} to {high}%"]
        is_raw = paired or pair.topics == 1
        notes.append("ties count half" if is_raw else "topic effects removed, ties count half")
        sizes.append(
            f"{where} session with {b} scores higher than one with {a} in {beats}% "
            f"of pairs ({'; '.join(notes)})."
        )
    return " ".join(sizes)


def too_few_notes(pair: numbers.Pair) -> list[str]:
    """What single searchers, values without spread, or systems without a common topic can't say."""
    if math.isnan(pair.difference):
        same = f"the same {pair.topic_noun}s"
        systems = f"Show other systems or topics, or add sessions of both on {same}."
        return ["Leave out the adjustment for session order." if pair.with_order else systems]
    names, of = (pair.system_a, pair.system_b), (pair.searchers_of, pair.units_of)
    sentences = [
        f"Only one searcher used {name}, so its effect can't be separated from that searcher's."
        for name, searchers, units in zip(names, *of, strict=True)
        if searchers == 1
        and (pair.design == numbers.PAIRED or (pair.design == numbers.BETWEEN and units == 1))
    ]
    if pair.design == numbers.WITHIN and pair.units == 1:
        sentences.append(
            "Only one searcher used both systems, so the result says nothing about others."
        )
    if math.isnan(pair.low) and not sentences:
        sentences.append(f"There is no interval: {_no_interval_clause(pair)}.")
    return sentences


def _no_interval_clause(pair: numbers.Pair) -> str:
    """Why nothing shows how far a difference may be off."""
    unit = pair.unit
    if min(pair.units_of) == 1:
        alone = (pair.system_a, pair.system_b)[pair.units_of.index(1)]
        return f"{'there is' if pair.design == numbers.PAIRED else f'{alone} has'} only one {unit}"
    if pair.is_level:
        return "the scores leave no spread to estimate it from"
    return f"too few {unit}s remain once topic effects are removed"


NO_PERMUTATION = "There is no permutation test: the design leaves nothing to swap."
STEPS = (
    "Averaging shares treats them as an interval scale, which is disputed (Ferrante, Ferro & Fuhr "
    "2021; Moffat 2022). "
)
RATED_STEPS = (
    "Averaging a rating assumes that its steps are equally large, which raters need not have "
    "meant. "
)
OF_STEPS = "The share of pairs a system wins needs this only to remove topic effects."
PARAGRAPHS = {
    "fixed": "Effects of systems, topics and any named searchers were fitted together, with topics "
    "fixed; standard errors are clustered by searcher, or by session where none is named (CR2), "
    "with Satterthwaite's degrees of freedom. Where there are enough of these, p is from a "
    "permutation test of the studentised difference (at most 10,000 arrangements; systems swapped "
    "within searchers who used both, else between searchers or sessions).",
    "sample": "A crossed mixed model was fitted by REML, with random searchers (or sessions that "
    "name none) and topics, also in their differences; standard errors after Kenward and Roger, "
    "degrees of freedom after Satterthwaite.",
}
BY_TOPIC = (
    "Systems were paired by topic: their sessions on each topic, or the means of several, were "
    "compared, with an interval by t over topics. Where there are enough topics, p is from a "
    "permutation test (systems swapped within topics, at most 10,000 arrangements)."
)
ORDER = "A session's place among those of its searcher was a covariate."
SIZES = (
    "Superiority P(b > a), topic effects removed, is given with a 95% interval by t on log odds. "
    "With several pairs, p is corrected after Holm."
)
AFTER_HOLM = "p is corrected for {} pairs (Holm), on this score only; intervals are not corrected."


def headline(of: numbers.Comparison) -> str:
    """The page's first line: who is ahead of whom."""
    if not of.names:
        return why_no_score(of)
    if of.baseline and of.baseline not in of.names:
        return (
            f"The baseline, {of.baseline}, has no session with this score. Choose another "
            "baseline, or widen the filters."
        )
    if not of.pairs:
        return (
            "Only one system has sessions with this score, so there is nothing to compare. "
            "Show another system, or add the log of another."
        )
    forms = _pair_leads(of) if of.has_several_pairs else lead_sentences(of, 0)
    like = "For topics like these, " if of.has_several_pairs and of.topics_are == "sample" else ""
    return first_fit(*(f"{like}{form}." for form in forms))


def _pair_leads(of: numbers.Comparison) -> list[str]:
    """Who is ahead of whom: of up to ``NAMED`` systems each, of more the two furthest apart."""
    clear, few = [i for i, is_clear in enumerate(of.clear) if is_clear], len(of.names) <= NAMED
    if clear and few:  # with differences and p, with p alone, with neither
        return [_leads(of, clear, *shows) for shows in ((True, True), (False, True), (False,) * 2)]
    sizes = np.abs([pair.difference for pair in of.pairs])
    others = [name for name in of.names if name != of.baseline]
    other, apart_from = ("other ", f" from {of.baseline}") if of.baseline else ("", "")
    number = len(of.pairs) if of.baseline else min(len(of.names), numbers.MOST_PAIRED)
    compared = " compared" * (len(of.names) > numbers.MOST_PAIRED)
    among = enumerated(others) if few else f"the {other}{number:,} systems{compared}"
    first = among if few or of.topics_are == "sample" else capital(among)
    if np.isnan(sizes).all():
        reasons = {pair.crossed.reason if pair.crossed else "" for pair in of.pairs}
        if len(reasons) == 1 and (reason := reasons.pop()):
            return [f"{first} can't be compared: {reason}"]
        return [f"{first} {_why_not_compared(of.pairs[0])}"]
    some = clear or [*range(len(of.pairs))]
    place = some[int(np.nanargmax(sizes[some]))]
    if clear:
        systems, more = min(len(of.names), numbers.MOST_PAIRED), len(clear) - 1
        pairs = f"of the other {counted(len(of.pairs) - 1, 'pair')} of {systems:,} systems"
        if of.baseline:
            pairs = f"of the other {counted(len(of.pairs) - 1, 'system')}"
        rest = f"{more:,} {pairs} {plural(more, 'differs', 'differ')} clearly{apart_from}, too"
        if not more:
            rest = f"none {pairs} differs clearly{apart_from}"
        forms = lead_sentences(of, place)
        return [*(f"{form}; {rest}" for form in forms), forms[-1]]
    unclear, pair = f"{first} don't differ clearly{apart_from}", of.pairs[place]
    p, some_known = float(of.p_holm[place]), np.isnan(sizes).any()
    is_significant = of.omnibus[0] <= LEVEL
    if some_known or is_significant:
        pairs = f"comparable pair of {among} differs" if some_known else f"two of {among} differ"
        unclear = f"none of {among} differs" if of.baseline else f"no {pairs}"
        unclear = f"{unclear} clearly{apart_from}"
        unclear = unclear if of.topics_are == "sample" else capital(unclear)
    if is_significant:
        unclear += f", though a test over all {len(of.names):,} is significant"
    most, least = ahead_and_behind(pair)
    low, high = (pair.low, pair.high) if pair.difference > 0 else (-pair.high, -pair.low)
    apart = f"{most} − {least} = " if sizes[place] else ""
    size = f"{apart}{short(float(sizes[place]))} {of.unit}"
    largest, holm = f"{unclear}; largest difference: {size}", "" if math.isnan(p) else " after Holm"
    if math.isnan(p) and math.isnan(low):
        return [f"{largest}, {NO_TEST}", unclear]
    brief = f" ({p_value(p)}{holm})" if holm else ""
    full = brief if low * high > 0 else f" ({tested(low, high, p)}{holm})"  # it isn't corrected
    return [largest + full, largest + brief, unclear]


def _leads(of: numbers.Comparison, clear: Sequence[int], sized: bool, p: bool) -> str:
    """Each system with those that it is clearly ahead of, and then those that don't differ."""
    beaten: dict[tuple[str, ...], dict[str, list[int]]] = {}
    for name in of.names:
        own = [i for i in clear if ahead_and_behind(of.pairs[i])[0] == name]
        if own:
            behind = tuple(ahead_and_behind(of.pairs[i])[1] for i in own)
            beaten.setdefault(behind, {})[name] = own
    ranked = sorted(beaten.items(), key=lambda each: -len(each[0]))
    parts: list[str] = []
    for behind, ahead in ranked:
        places = [i for own in ahead.values() for i in own]
        verb = "" if parts else " is ahead" if len(ahead) == 1 else " are ahead"
        how = _gaps_and_p(of, places, sized=sized, p=p)
        parts.append(f"{enumerated([*ahead])}{verb} of {enumerated(behind)}{how}")
    return "; ".join([", ".join(parts), *_unclear_pairs(of, clear)])


def _gaps_and_p(of: numbers.Comparison, places: Sequence[int], *, sized: bool, p: bool) -> str:
    """By how much some pairs differ, and their p; each once where they are alike."""
    sizes = [short(abs(of.pairs[i].difference)) for i in places]
    tests = [p_value(float(of.p_holm[i])) for i in places]
    each = " each" if len(sizes) > 1 and len({*sizes}) == 1 else ""
    by = f"by {enumerated(sizes[:1] if each else sizes)} {of.unit}{each}"
    test = enumerated(tests if len({*tests}) > 1 else tests[:1])
    shown = ", ".join([*[by] * sized, *[test] * p])
    return f" ({shown})" if shown else ""


def _unclear_pairs(of: numbers.Comparison, clear: Sequence[int]) -> list[str]:
    """Which of few systems don't differ clearly, and for which no difference can be given."""
    others = [pair for i, pair in enumerate(of.pairs) if i not in clear]
    unknown = [math.isnan(pair.difference) for pair in others]
    if unknown == [False, False]:
        (third,) = {*of.names} - {*ahead_and_behind(of.pairs[clear[0]])}
        return [f"{third} doesn't differ clearly from either"]
    how = ("don't differ clearly", "can't be compared")
    return [
        f"{pair.system_a} and {pair.system_b} {how[is_unknown]}"
        for pair, is_unknown in zip(others, unknown, strict=True)
    ]


def _omnibus_text(of: numbers.Comparison) -> str:
    """What the test over more than two systems says, or why there is none."""
    systems, (p, arrangements) = len(of.names), of.omnibus
    if not of.has_several_pairs or of.topics_are == "sample":
        return ""
    if systems > numbers.MOST_TESTED:
        most = f"At most {numbers.MOST_TESTED} systems are tested together"
        return f"{most}, so there is no test over all {systems:,}."
    if not arrangements:
        return f"There is no test over all {systems} systems: the design leaves nothing to swap."
    drew = f"permutation, {counted(arrangements, 'arrangement')}"
    return f"Test over all {systems} systems: {p_value(p)} ({drew})."


def pair_details(of: numbers.Comparison, place: int = 0) -> list[str]:
    """A pair of several, then design and analysis of a pair, and how it was tested."""
    if not of.pairs:
        return []
    pair, lead = of.pairs[place], lead_sentences(of, place)[0]
    own = [*filter(None, (design_and_topics(pair), test_and_effect_size(pair)))]
    own += _holm_note(of)
    return own if headline(of).startswith(lead) else [f"{lead}.", *own]


def _holm_note(of: numbers.Comparison) -> list[str]:
    """For how many pairs p is corrected, of those that have one."""
    number = int(np.isfinite(of.p_holm).sum())
    return [AFTER_HOLM.format(number)] if number > 1 else []


def cautions(of: numbers.Comparison, place: int = 0) -> list[str]:
    """Where a reader could be misled."""
    return [*(_pair_cautions(of.pairs[place]) if of.pairs else []), *_all_pairs_cautions(of)]


def _pair_cautions(pair: numbers.Pair) -> list[str]:
    """Where a reader of this pair could be misled."""
    if pair.crossed and pair.crossed.reason:
        return ["Take the topics as fixed, or add sessions on more topics."]
    sentences = too_few_notes(pair)
    if pair.low < 0 < pair.high:
        sentences.append(
            "This doesn't show that the systems are equal: the interval leaves room for either to "
            "lead."
        )
    return sentences


def _all_pairs_cautions(of: numbers.Comparison) -> list[str]:
    """Where a reader of any pair could be misled."""
    grows = "This score grows with the number of queries"
    lengths = of.systems["queries"].round(2).nunique() if len(of.systems) else 0
    if lengths > 1:
        grows += ", and the systems' sessions differ in length (see the table)"
    lows = pd.concat([of.systems["low"], of.by_topic["low"]])
    sentences = [
        paired_systems_note(len(of.names)),
        NO_INTERVAL_OF_MEANS if lows.isna().any() else "",
        order_sentence(of.scored, of.places) if of.pairs else "",
        f"{grows}." if of.measure.grows else "",
        FURTHER_VIEW if of.pairs and not of.is_usual else "",
    ]
    return [*filter(None, sentences)]


FURTHER_VIEW = (
    "Definition, score, filters or options aren't the usual ones. Each combination that you try "
    "adds a chance of a false finding (about 1 in 20): report how many you tried."
)


def paired_systems_note(systems: int) -> str:
    """Which systems are compared in pairs; empty where all are.

    >>> paired_systems_note(20)
    ''
    >>> paired_systems_note(150)
    'Pairs are compared among the 20 systems with the most sessions, of 150. Choose others under \
Filters.'
    """
    if systems <= numbers.MOST_PAIRED:
        return ""
    some = f"the {numbers.MOST_PAIRED} systems with the most sessions, of {systems:,}"
    return f"Pairs are compared among {some}. Choose others under Filters."


def method(of: numbers.Comparison) -> list[str]:
    """How systems were compared, for a methods section; nothing where none could be."""
    if not of.has_difference:
        return []
    on = f"{of.words} ({of.score}), in {of.unit}" if of.footing else f"{of.words} ({of.score})"
    fitted = PARAGRAPHS[of.topics_are]
    how = dict.fromkeys(BY_TOPIC if has_topic_units(pair) else fitted for pair in of.pairs)
    scale = STEPS if of.unit in SHARES else RATED_STEPS if of.score.startswith(RATING) else ""
    scale += OF_STEPS * bool(scale)
    how |= dict.fromkeys([COMBINED] * (of.scored.topic_noun != "topic"))
    order = ORDER if of.scored.place.size and not all(map(has_topic_units, of.pairs)) else ""
    parts = f"Systems were compared on {on}.", footing_note(of.footing), *how, order, SIZES, scale
    return [" ".join(filter(None, parts))]


def figure_notes(of: numbers.Comparison) -> str:
    """What stands behind the picture."""
    rows = of.systems.to_dict("records") if len(of.systems) <= NAMED else []
    each = [
        f"{row['system']}: {counted(row['sessions'], 'session')}, "
        f"{counted(row['queries'], 'query')} per session"
        for row in rows
    ]
    one_in = drawn_one_in(of.points)
    some = f"The figure draws one session in {one_in:,}; means use all."
    lacking = "without this rating" if of.score.startswith(RATING) else "whose score is undefined"
    have = counted(of.left_out, "query has no score and is", "queries have no score and are")
    parts = [
        f"{'; '.join(each)}." if each else "",
        _omnibus_text(of),
        some if one_in > 1 else "",
        left_out(of.without_judgments, (of.undefined, "session", lacking)).strip(),
        f"{have} left out of the means of sessions." if of.left_out else "",
        footing_note(of.footing),
    ]
    return " ".join(filter(None, parts))


def comparison_text(of: numbers.Comparison) -> str:
    """Everything in words, as `sdcg compare` writes it."""
    lines = [headline(of), f"Score: {of.words} ({of.score}), in {of.unit}."]
    lines += filter(None, [figure_notes(of), withheld_note(of.withheld)])
    lines += _holm_note(of)
    lines += _all_pairs_cautions(of)
    for i, pair in enumerate(of.pairs):
        about = [f"{lead_sentences(of, i)[0]}.", design_and_topics(pair)]
        about += [test_and_effect_size(pair), *_pair_cautions(pair), apa_report(of, i)]
        own = about if of.has_several_pairs or about[0] != lines[0] else about[1:]
        lines += ["", f"{pair.system_a} and {pair.system_b}", *filter(None, own)]
    return "\n".join(lines).strip() + "\n"


def apa_report(of: numbers.Comparison, place: int) -> str:
    """A pair's difference as APA's style reports it; empty where there is no t."""
    pair = of.pairs[place]
    if not pair.low < pair.high:
        return ""
    sign, (high, low) = math.copysign(1.0, pair.difference), ahead_and_behind(pair)
    who = f"Sessions with {high} scored higher than those with {low}"
    if not of.clear[place]:
        who = f"Sessions with {pair.system_a} and {pair.system_b} did not differ clearly"
    t = abs(pair.difference) / ((pair.high - pair.low) / 2) * two_way.t_quantile(pair.df)
    df = "∞" if math.isinf(pair.df) else f"{pair.df:,.1f}".removesuffix(".0")
    tests = [
        "" if pair.by_t else f"permutation {p_value(pair.p_permutation)}",
        f"{p_value(float(of.p_holm[place]))} after Holm" if of.has_several_pairs else "",
    ]
    more = "; ".join(filter(None, tests))
    ends = sorted((sign * pair.low, sign * pair.high))
    placed = of.scored.place.size and not has_topic_units(pair)
    adjusted = ", adjusted for session order" if placed else ""
    parts = [
        f"{who} on {in_unit(of.words, of.unit)}{adjusted}",
        f"t({df}) = {t:.2f}",
        f"{p_value(pair.p_t)}{more and f' ({more})'}",
        "" if math.isnan(pair.hedges_g) else f"g = {sign * pair.hedges_g:.2f}".replace("-", "−"),
        f"{high} − {low} = {short(abs(pair.difference))}",
        f"95% CI [{short(ends[0])}, {short(ends[1])}]",
    ]
    return f"{', '.join(filter(None, parts))}."


def table_of_means(table: pd.DataFrame) -> pd.DataFrame:
    """A table by system with each mean and its interval in one cell, as in 0.430 [0.310, 0.550]."""
    means = [str(name) for name in table if str(name).endswith(numbers.MEAN)]
    cells = {
        name: interval_cells(table[[f"{name}{end}" for end in numbers.MEAN_ENDS]])
        for name in (mean.removesuffix(numbers.MEAN) for mean in means)
    }
    return table[["system", "sessions", "queries"]].assign(**cells)


NO_ORDER = {
    "single": "Each searcher has one session here, so learning can't be examined.",
    "nameless": "No searcher is named, so learning can't be examined.",
    "by topic": "Topics are the units, so the order of sessions is not examined.",
    "untold": "The order of searchers' sessions is unknown, so learning can't be examined. "
    "Log times, or add a column session_position.",
    "in part": "The order of searchers' sessions is known only in part, so learning can't be "
    "examined.",
}
ORDER_METHOD = (
    "Learning and fatigue: the session's place in its searcher's sequence was added to the model "
    "as a linear covariate, and then its interaction with the system; these p-values are not "
    "corrected."
)


def order_sentences(of: numbers.Order, pair: numbers.Pair) -> list[str]:
    """What each place more adds, whether it explains a pair's difference, and whether it moves it.

    Or why none of it is known.
    """
    if of.why:
        return [NO_ORDER[of.why]]
    found, name = of.of_pair(pair.system_a, pair.system_b), f"{pair.system_b} − {pair.system_a}"
    place, without, taken, turned = (found[key] for key in numbers.EFFECTS_OF_PLACE)
    same = "systems or topics came in the same order for all"
    change = f"{with_sign(place['value'])} {of.unit} per session ({_tested_row(place)})"
    said = f"Learning and fatigue can't be estimated: {same}."
    if not math.isnan(place["value"]):
        said = f"No clear learning or fatigue: {change}."
        if _is_clear_row(place):
            said = f"Later sessions score {'higher' if place['value'] > 0 else 'lower'}: {change}."
    both = f"{name} is {short(without['value'])} without session order in the model"
    known = not math.isnan(taken["value"])
    why = f": {same}" * (same not in said)
    size = (
        f"and {short(taken['value'])} with it" if known else f"and can't be estimated with it{why}"
    )
    lines = [said, *([] if math.isnan(without["value"]) else [f"{both} {size}."])]
    if not math.isnan(turned["low"]):
        moves = "changes" if _is_clear_row(turned) else "doesn't change clearly"
        moved = f"{with_sign(turned['value'])} per session ({_tested_row(turned)})"
        lines.append(f"This difference {moves} over a searcher's sessions: {moved}.")
    return lines


def _tested_row(row: Mapping[str, float]) -> str:
    return tested(row["low"], row["high"], row["p_t"])


def _is_clear_row(row: Mapping[str, float]) -> bool:
    return is_clear(row["low"], row["high"], lambda: row["p_t"])


EVEN = 0.1  # of a place, by which systems may differ and still be called balanced


def order_sentence(scored: Scored, place: Floats) -> str:
    """Whether systems came as early as each other among a searcher's sessions."""
    if not is_whole(place, scored.unit):
        return ""
    codes = np.unique(scored.system).tolist()
    means = {scored.names[s]: float(place[scored.system == s].mean()) for s in codes}
    each = ", ".join(f"{mean:.2f} with {name}" for name, mean in means.items())
    mean = f"across systems (mean: {each})"
    if max(means.values()) - min(means.values()) < EVEN:
        return f"Places in the searcher's sequence were balanced {mean}."
    why = "practice or fatigue may explain part of the difference"
    return f"Places in the searcher's sequence were not balanced {mean}: {why}."


LINES = "the largest losses come first; a line opens its two sessions side by side"


def by_topic_sentences(of: numbers.ByTopic) -> list[str]:
    """Topics that the second system won; what stands for several runs; what is left out."""
    a, b, topic = of.pair.system_a, of.pair.system_b, of.pair.topic_noun
    if not len(of.table):
        return [f"{a} and {b} share no {topic}."]
    lost, tied, won = (int((of.table["result"] == how).sum()) for how in numbers.OUTCOMES)
    topics = counted(len(of.table), topic)
    rest = [f"{how} {n:,}" for how, n in (("lost", lost), ("tied", tied)) if n]
    mean = f"Each {topic} counts once, by the mean of its sessions"
    left = left_out(0, (of.apart, "session", f"on {topic}s of only one system"))
    return [
        f"Against {a}, {b} {enumerated([f'won {won:,} of {topics}', *rest])}.",
        *([f"{mean}; a line names the session nearest to it."] if of.is_of_runs else []),
        *filter(None, [left.strip()]),
    ]


def topic_line(row: dict[Any, Any], a: str, b: str) -> str:
    """A topic of the list: what it was, and by how much."""
    apart, means = row["difference"], f"{b} {short(row['mean_b'])}, {a} {short(row['mean_a'])}"
    how = "tied" if row["result"] == "tied" else f"{row['result']} by {short(abs(apart))}"
    return f"{row['topic']}: {how} ({means})"


def topics_drawn_note(shown: int, topics: str) -> str:
    """Which lines stand of very many topics."""
    half = shown // 2
    return f"the {half} largest losses and {half} largest wins of {topics}; the table has all"


UNADJUSTED = (
    "The systems' means stand the other way round: the difference is adjusted for topics and "
    "searchers, the means are not."
)


def other_leaders(firsts: Mapping[str, Sequence[str]], here: Collection[str]) -> list[str]:
    """How many measures put another system first, and which, then briefly; empty where none does.

    firsts : the systems that each measure puts first · here : those that are first without them,
    if any are

    >>> other_leaders({"final": ("A",), "rbp": ("B",)}, ["A"])[1:]
    ['1 of 2 other measures puts B first', '1 of 2 other measures puts another system first']
    >>> other_leaders({"final": ("A",), "rbp": ("B",), "err": ("C",)}, ["A"])[1:]
    ['2 of 3 other measures put others first']
    """
    number = len(firsts)
    others = Counter(map(enumerated, _rivals(firsts, here).values())).most_common()
    if not others:
        return []
    (first, most), *rest = others

    def put(times: int, whom: str) -> str:
        many = all_of(number) if times == number else f"{times} of {number}"
        return f"{many} other measures {'puts' if times == 1 < number else 'put'} {whom} first"

    named = [f"{times} {plural(times, 'puts', 'put')} {name}" for name, times in rest]
    if len(rest) > 1:
        named = [f"{sum(times for _, times in rest)} put others"]
    lead = put(most, first)
    whom = "others" if rest else "another system"
    brief = [put(sum(times for _, times in others), whom)] if here else []
    return [", ".join([lead, *named]), *([] if rest and here else [lead]), *brief]


def _rivals(firsts: Mapping[str, Sequence[str]], here: Collection[str]) -> dict[str, Sequence[str]]:
    """Measures that put none of some systems first, and whom they do."""
    return {score: first for score, first in firsts.items() if not {*first} & {*here}}


def other_leaders_line(firsts: Mapping[str, Sequence[str]], here: Collection[str]) -> list[str]:
    """Which measures put other systems first than those that are, in a line; empty if none do."""
    by_first: dict[str, list[str]] = {}
    turned = _rivals(firsts, here)
    for score, first in turned.items():
        who = f"{enumerated(first)} {plural(len(first), 'is', 'are')} first on"
        by_first.setdefault(who, []).append(WORDS.get(score, ALL_SESSION_SCORES[score].unit))
    parts = [f"{who} {enumerated(on)}" for who, on in by_first.items()]
    disagree = "Another measure disagrees" if len(turned) == 1 else "Other measures disagree"
    return [f"{disagree}: {'; '.join(parts)}."] if parts else []


TITLE = "Was the answer right?"
NO_OUTCOME = "No session says whether its answer was right."
FOUND = (
    "A session has found something where its lists show at least one document whose gain is above "
    "0, down to X; gains and X are those of the current definition."
)
UNPAIRED = (
    "These sessions can't be paired by topic, so there is no test. Compare the systems on the "
    "score “rating: {}”."
)


def outcome_sentences(of: numbers.Outcome) -> list[str]:
    """Shares of right answers, which pairs differ, what stands behind both, what isn't known."""
    known = of.shares[of.shares["sessions"] > 0]
    each = [f"{name} {percent(share)}" for name, share in known[["system", "share"]].to_numpy()]
    test = [_which_pairs_differ(of) if of.is_paired else UNPAIRED.format(of.column)]
    empty = left_out(0, (int(of.shares["unknown"].sum()), "session", f"whose {of.column} is empty"))
    without = left_out(int(of.corners["unjudged_sessions"].sum()))
    return [
        f"Right answers: {', '.join(each)}." if each else NO_OUTCOME,
        *(test if len(of.pairs) else []),
        f"{_interval_notes(of)}{empty}",
        f"{FOUND}{without}",
    ]


def _which_pairs_differ(of: numbers.Outcome) -> str:
    """Which two systems McNemar's test tells apart."""
    clear = of.pairs[of.pairs["p_holm"] <= LEVEL]
    names = [f"{a} and {b}" for a, b in clear[["system_a", "system_b"]].to_numpy()]
    p = "after Holm" if len(of.pairs) > 1 else p_value(float(of.pairs["p"].iloc[0]))
    said = f"{'; '.join(names)} differ clearly" if names else "No two systems differ clearly"
    return f"{said} (McNemar's exact test by {of.topic_noun}, {p})."


def _interval_notes(of: numbers.Outcome) -> str:
    """Whose intervals they are, for what they hold, and which system a topic of runs goes to."""
    said = "Intervals of shares are Wilson's"
    if of.alike:
        said += f", adjusted for sessions of the same {' and '.join(of.alike)} being alike"
    if not of.is_of_runs:
        return f"{said}."
    if "topics" not in of.alike:
        many = f"these {of.topics} {of.topic_noun}s"
        these = f"this {of.topic_noun}" if of.topics == 1 else many
        said += f"; they hold for {these} only"
    runs = (
        " With several runs on a topic, the system with the higher share of right answers gets it; "
        "with equal shares both do if at least half are right."
    )
    return f"{said}.{runs if of.is_paired else ''}"


def outcome_method(of: numbers.Outcome) -> str:
    """How outcomes were compared, for a methods section."""
    test = " Systems were compared by McNemar's exact test, paired by topic." * of.is_paired
    return f"Whether a session was right is its column {of.column}. {_interval_notes(of)}{test}"


OVERESTIMATED = (
    "A difference followed up because it was clear is probably overestimated (Button et al. 2013). "
)
GUESS = "Plan for the smallest difference that would matter."
WHOSE = {numbers.BETWEEN: "with each system", numbers.PAIRED: "with both systems"}
NEEDS = f"Planning needs at least {numbers.FEWEST} {{unit}}s {{whose}}, to estimate their spread."
WHY_NOT = {
    "topics": "Planning works for fixed topics only. Choose fixed topics to plan.",
    "difference": "They can't be compared, so there is no difference to plan for.",
    "few": NEEDS,
    "alike": "The scores leave no spread to plan with.",
    "untold": "Too few {unit}s remain once topic effects are removed.",
    "equal": "The observed difference is 0: enter one to plan for.",
}


def next_study_headline(of: numbers.NextStudy) -> str:
    """How many units which difference takes."""
    unit = of.pair.unit
    if not of.plans:
        whose = WHOSE.get(of.pair.design, "who used both systems")
        return WHY_NOT[of.reason].format(unit=unit, whose=whose)
    parts: list[str] = []
    for plan in of.plans:
        few, many = map(numbers.unit_count_text, plan.units)
        if parts:
            parts.append(f"for {plan.words}, {few}{f' or {many}' if few != many else ''}")
            continue
        what = f"a difference of {plan.words}"
        if plan.words == numbers.SEEN:
            what = f"the observed difference ({short(plan.difference)} {of.compared.unit}) again"
        power = f"80% power or {many} for 90%" if few != many else "80% or 90% power"
        parts.append(f"To find {what}, plan {few} {unit}s for {power}")
    return f"{'; '.join(parts)}."


def next_study_sentences(of: numbers.NextStudy) -> list[str]:
    """What the study could have found, how far the numbers can be relied on, and for whom."""
    pair, unit, told = of.pair, of.pair.unit, list[str]()
    if of.smallest > 0:
        found = f"a difference of {short(of.smallest)} {of.compared.unit} with 80% power"
        told.append(f"With {counted(pair.units, unit)}, this study could find {found}.")
    if not (of.plans and of.units):
        return told
    sign, power = math.copysign(1, pair.difference), numbers.POWERS[0]
    ends = [each for each in sorted((sign * pair.low, sign * pair.high))[::-1] if each > 0]
    needed = [numbers.unit_count_text(of.units.units_needed(end, power)) for end in ends]
    end = "the far end" if len(ends) == 1 else "the ends"
    takes = f"{end} of its interval, 80% power takes {' or '.join(needed)} {unit}s. "
    larger = f"If the true difference is {' or '.join(map(short, ends))}, {takes}" if ends else ""
    told.append(f"{larger}{OVERESTIMATED * of.is_clear}{GUESS}")
    if pair.design == numbers.BOTH:
        both = f"The plan uses the {counted(pair.both, unit)} who used both systems"
        told.append(f"{both}, and assumes that everyone will, with as many sessions.")
    if pair.design == numbers.PAIRED:
        sessions = "as many sessions" if pair.is_of_runs else "one session"
        told.append(f"Each {unit} has {sessions} with each system, as here.")
    elif unit == "searcher" and pair.design != numbers.BOTH:
        sessions = counted((pair.n_a + pair.n_b) / pair.units, "session")
        told.append(f"This assumes {sessions} per searcher, as here.")
    if of.compared.has_several_pairs:
        told.append(f"Comparing several pairs needs more {unit}s.")
    return told


def next_study_paragraphs(of: numbers.NextStudy) -> list[str]:
    """All of it in words, for the pair by its name."""
    pair = of.pair
    return [
        f"Next study of {pair.system_a} and {pair.system_b}. {next_study_headline(of)}",
        *next_study_sentences(of),
    ]


def next_study_method(of: numbers.NextStudy) -> str:
    """A paragraph of a methods section, empty where nothing is planned."""
    if not (of.plans and of.units):
        return ""
    pair, unit = of.pair, of.pair.unit
    spread = f"standard deviation {short(of.units.spread)} {of.compared.unit}"
    whose = f"{unit}s who used both systems" if pair.design == numbers.BOTH else f"{unit}s"
    on = f"{unit}s' paired differences ({spread}, df n − 1)"
    if pair.design == numbers.BETWEEN:
        on = f"two equal groups of {unit}s ({spread}, Welch's df)"
    sizes = dict.fromkeys(f"{short(plan.difference)} {of.compared.unit}" for plan in of.plans)
    return (
        f"Next study: units for 80% and 90% power to find {enumerated([*sizes])} between "
        f"{pair.system_a} and {pair.system_b}. Two-sided t test at .05 (noncentral t) on {on}. "
        f"Checked with {numbers.STUDIES:,} studies drawn from this one's {whose}."
    )


WHY = {
    "condense": "Unjudged results are taken out (condense), so their effect can't be bounded.",
    "searcher": "Gains don't come from judgments, so unjudged results have no range.",
    "own": "This score doesn't go by judgments, so unjudged results have no effect on it.",
    "rising": "The effect of unjudged results isn't available for this score.",
    "linear": "The effect of unjudged results on the difference isn't available for this score; "
    "`sdcg score --residuals` gives it by session.",
    "sample": "The effect of unjudged results isn't available when topics are a sample.",
    "untold": "",
}
NOTHING_OPEN = "Every result that counts in these sessions is judged."
RANGE = "This range reflects missing judgments, not sampling error. Ideals stay as judged."
METHOD = (
    "Unjudged results counted 0. The range of a difference shows how far it could move if each "
    "unjudged document were worth anything from 0 to the highest gain, with ideals and the model's "
    "weights of sessions held fixed; it is not a confidence interval."
)
FIRST = 10  # documents whose part of the range is said


def is_worth_saying(of: numbers.LeftOpen) -> bool:
    """Whether a page has anything to say of it unasked."""
    return bool(of.without and of.why != "untold") or of.why == "condense"


def left_open_headline(of: numbers.LeftOpen) -> str:
    """Whether who is ahead stays so whatever the unjudged documents are worth."""
    if of.why:
        return WHY[of.why]
    if not of.without:
        return NOTHING_OPEN
    pair = of.pair
    unjudged = (
        f"unjudged documents ({percent(of.without / of.results)} of both systems' scored results)"
    )
    if of.lowest_difference == of.highest:
        return f"The {unjudged} don't affect the difference."
    apart = f"{pair.system_b} − {pair.system_a} = {short(pair.difference)} {of.unit} as judged"
    low, high = short(of.lowest_difference), short(of.highest)
    ends = f"{apart}, between {low} and {high} depending on their grades"
    if of.is_leader_certain:
        side = "above" if pair.difference > 0 else "below"
        return f"Whatever the {unjudged} are worth, the difference stays {side} 0: {ends}."
    what = "reverse the difference" if round(pair.difference, 9) else "put either system ahead"
    return f"The {unjudged} could {what}: {ends}."


def left_open_sentences(of: numbers.LeftOpen) -> list[str]:
    """The answer, what the range is not, and how much the documents to judge next move."""
    answer = left_open_headline(of)
    if of.why or not of.without:
        return [answer] if answer else []
    number, moving = len(of.documents), np.abs(of.table["moves"].to_numpy(dtype=float))
    unjudged = counted(number, "document is unjudged", "documents are unjudged")
    which = "none of them moves the difference"
    if moving.size:
        some = "both" if number == 2 else "all"
        some = some if moving.size == number else f"{moving.size:,} of them"
        which = f"{plural(number, 'it', some)} could move the difference"
        if moving.size > FIRST:
            part = percent(float(moving[:FIRST].sum() / moving.sum()))
            which += f", the first {FIRST} together by {part} of the range"
    explained = [RANGE] if of.lowest_difference < of.highest else []
    return [answer, *explained, f"{unjudged}; {which}."]


def left_open_list_note(of: numbers.LeftOpen, listed: int) -> str:
    """What the list of documents to judge next is for, and how much of it stands on the page."""
    number = len(of.table)
    some = f"here the first {listed} of {number:,}; the files have all. " if number > listed else ""
    return (
        f"{some}Fill in the grades of judge_next.csv and add it to the judgments; judge_next.qrels "
        "takes a grade at the end of each line."
    )
