"""Which system is better, in words: pairs of systems, topics, outcomes, what is left open."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions import columns, wording
from sdcg_explorer.questions.compare_systems import numbers
from sdcg_explorer.questions.methods import footing_note
from sdcg_explorer.questions.overview.numbers import is_whole
from sdcg_explorer.questions.wording import counted, enumerated, in_unit, p_value, short, tested
from sdcg_explorer.scoring.measures import ALL_SESSION_SCORES, SHARES
from sdcg_explorer.scoring.ratings import RATING
from sdcg_explorer.scoring.scored_sessions import Scored, drawn_one_in, group_means
from sdcg_explorer.statistics import crossed_model, permutation, two_way

TOPICS_ARE_HELP = {
    "fixed": "The result holds for this study's topics; if topics pair sessions, for similar ones.",
    "sample": "Topics are a sample of many: the result generalises, usually less certainly.",
}
SPREADS = {
    "searcher": "searchers' means",
    "searcher_by_system": "searchers' differences",
    "topic": "topics' means",
    "topic_by_system": "topics' differences",
    "rest": "rest",
}
COMBINED = "Sessions on the same topics, in any order, are on one topic combination."
NO_TEST = "without an interval or a test"


def mixed_model_text(of: crossed_model.Crossed, topic_noun: str = "topic") -> str:
    """What was fitted, what varied, what can't be told, and for whom it speaks; "" of no model."""
    if of.reason:
        return ""
    who = "searcher" if of.is_named else "session"
    spreads = {w.replace("searcher", who): of.variances.get(part) for part, w in SPREADS.items()}
    known = [f"{words} {short(math.sqrt(v))}" for words, v in spreads.items() if v is not None]
    untold = [words for words, v in spreads.items() if v is None]
    sentences = [
        f"Mixed model with random {who}s and topics (t with {short(of.df)} degrees of freedom).",
        f"Standard deviations: {', '.join(known)}.",
        f"This design can't estimate {enumerated(untold, 'or')}." if untold else "",
        f"The result is for {topic_noun}s and {who}s like these ({of.topics:,} and "
        f"{of.searchers:,}); "
        f"fewer than {crossed_model.FEW_LEVELS} of either are too few to generalise from.",
    ]
    return " ".join(filter(None, sentences))


def lead_sentences(of: numbers.Comparison, place: int) -> list[str]:
    """Who of one pair is ahead and how surely, or that no difference is clear.

    In full, then for long names without its interval, and without the difference; p is corrected
    where there are several pairs.
    """
    pair, unit, p = of.pairs[place], of.unit, float(of.p_holm[place])
    a, b, d, low, high = pair.system_a, pair.system_b, pair.difference, pair.low, pair.high
    if math.isnan(d):
        return [f"{a} and {b} can't be compared: {_why_not_compared(pair)}"]
    if math.isnan(p):
        return [f"The difference {b} − {a} is {short(d)} {unit}, {NO_TEST}"]
    holm = " after Holm" * of.has_several_pairs
    brief = f" ({p_value(p)}{holm})"
    if not permutation.is_clear(low, high, lambda: p):
        unclear = f"{a} and {b} don't differ clearly"
        full = f"{b} − {a} = {short(d)} {unit} ({tested(low, high, p)}{holm})"
        return [f"{unclear}: {full}", f"{unclear}{brief}"]
    low, high = (low, high) if d > 0 else (-high, -low)
    above, by = "{} is ahead of {}".format(*ahead_and_behind(pair)), f" by {short(abs(d))} {unit}"
    full = f" ({tested(low, high, p)}{holm})"
    return [f"{above}{form}" for form in (by + full, by + brief, brief)]


def _why_not_compared(pair: numbers.Pair) -> str:
    """Why a pair has no difference."""
    order = ", or all searchers used them in the same order" * pair.with_order
    topics = f"they were not used on the same {pair.topic_noun}s{order}"
    return pair.crossed.reason if pair.crossed else topics


def ahead_and_behind(pair: numbers.Pair) -> tuple[str, str]:
    """The system that is ahead, and the other."""
    first, second = pair.system_a, pair.system_b
    return (second, first) if pair.difference > 0 else (first, second)


def design_and_topics(pair: numbers.Pair) -> str:
    """The design that was recognised, and for which topics its answer holds."""
    if pair.crossed:
        return mixed_model_text(pair.crossed, pair.topic_noun)
    unit, topic, a, b = pair.unit, pair.topic_noun, pair.system_a, pair.system_b
    if pair.design == numbers.PAIRED:
        each = f"{pair.n_a / pair.units:.3g} with {a}, {pair.n_b / pair.units:.3g} with {b}"
        apart = wording.left_out(0, (pair.apart, "session", f"on {topic}s of only one system"))
        return (
            f"Paired by {topic}: {counted(pair.units, topic)} with both systems (sessions per "
            f"{topic}: {each}); here, no searcher used both. The {topic}s are the "
            f"sample: the result speaks for {topic}s like these.{apart}"
        )
    of_a, of_b = (counted(number, unit) for number in pair.units_of)
    both, single = counted(pair.both, "searcher"), pair.units - pair.both
    designs = {
        numbers.WITHIN: f"Within-searcher comparison: {both} used both systems.",
        numbers.BETWEEN: f"Between-{unit} comparison: {of_a} with {a}, {of_b} with {b}.",
        numbers.BOTH: f"Mixed design: {both} used both systems here, {single:,} only one.",
    }
    alone = f" Sessions without a named searcher ({pair.alone:,}) each count as a searcher."
    said = designs[pair.design] + alone * (pair.alone > 0 and unit == "searcher")
    met = f"{pair.shared:,} of {pair.topics:,} were searched with both systems"
    only = f" The answer holds for these {topic}s only; {met}."
    return said + only * (not math.isnan(pair.difference))


def has_topic_units(pair: numbers.Pair) -> bool:
    """Whether topics are the units of a pair, so that none is fixed."""
    return pair.design == numbers.PAIRED and pair.crossed is None


def test_and_effect_size(pair: numbers.Pair) -> str:
    """Where interval and p come from, and how large the difference is, b over a."""
    sentences, a, b = list[str](), pair.system_a, pair.system_b
    if not (pair.crossed or math.isnan(pair.p)):
        drawn = f"permutation test ({counted(pair.arrangements, 'arrangement')})"
        by_t = f"The interval is by t (df = {pair.df:.3g}); " * (pair.low < pair.high)
        sentences.append(f"{by_t}p is from a {'t test' if pair.by_t else drawn}.")
    if not math.isnan(pair.hedges_g):
        sentences.append(f"Effect size ({b} − {a}): Hedges' g = {short(pair.hedges_g)}.")
    if not math.isnan(pair.superiority):
        shares = pair.superiority, pair.superiority_low, pair.superiority_high
        if pair.superiority < 1 / 2:  # said of the system that wins more pairs
            a, b, shares = b, a, (1 - shares[0], 1 - shares[2], 1 - shares[1])
        beats, low, high = (f"{100 * value:.0f}" for value in shares)
        same = f" of the same {pair.unit}" * (pair.both > 1)  # whose own sessions are paired
        ends = "" if math.isnan(shares[1]) else f" (95% interval {low} to {high}%)"
        wins = f"With topic effects removed, a session with {b} scores higher than one with {a} in "
        sentences.append(f"{wins}{beats}% of pairs{same}, counting ties as half{ends}.")
    return " ".join(sentences)


def too_few_notes(pair: numbers.Pair) -> list[str]:
    """What single searchers, values without spread, or systems without a common topic can't say."""
    if math.isnan(pair.difference):
        same = f"the same {pair.topic_noun}s"
        systems = f"Show other systems or topics, or add sessions of both on {same}."
        return ["Leave out the adjustment for session order." if pair.with_order else systems]
    names, of = (pair.system_a, pair.system_b), (pair.searchers_of, pair.units_of)
    sentences = [
        f"Only one searcher has scored sessions with {name}; the difference may be due to that one."
        for name, searchers, units in zip(names, *of, strict=True)
        if searchers == 1 and (units == 1 or pair.design == numbers.PAIRED)
    ]
    if math.isnan(pair.low):
        sentences.append(f"There is no interval: too few {pair.unit}s, or too little variation.")
    return sentences


INTERVAL_SCALE = (
    "Averaging shares or ratings treats them as an interval scale, which is disputed (Ferrante, "
    "Ferro & Fuhr 2021; Moffat 2022)."
)
PARAGRAPHS = {
    "fixed": "Effects of systems, topics and any named searchers were fitted together, with topics "
    "fixed and searchers random (GLS); standard errors are clustered by searcher, or by session "
    "where none is named (CR2), with degrees of freedom after Satterthwaite. Where there are "
    "enough of either, p is from a permutation test of the studentised difference (at most 10,000 "
    "arrangements; systems swapped within searchers who used both, else between searchers or "
    "sessions).",
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
SUPERIORITY = "Superiority P(b > a) counts ties half and has topic effects removed"
PAIRS = "With several pairs, p is corrected after Holm, for this score alone; intervals are not."


def headline(of: numbers.Comparison) -> str:
    """The page's first line: who is ahead of whom."""
    if not of.names:
        return wording.why_no_score(of)
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
    return wording.first_fit(*(f"{form}." for form in _pair_leads(of)))


def _pair_leads(of: numbers.Comparison) -> list[str]:
    """Who is ahead of whom: each of up to ``NAMED`` pairs that is clear, of more the largest."""
    if not of.has_several_pairs:
        return lead_sentences(of, 0)
    if not of.has_difference:
        why = "; ".join(dict.fromkeys(map(_why_not_compared, of.pairs)))
        return [f"No pair of systems can be compared: {why}"]
    sizes, clear = np.abs([pair.difference for pair in of.pairs]), np.flatnonzero(of.clear)
    if not clear.size:
        place = int(np.nanargmax(sizes))
        pair, p = of.pairs[place], float(of.p_holm[place])
        low, high = (pair.low, pair.high) if pair.difference > 0 else (-pair.high, -pair.low)
        size = " − ".join(ahead_and_behind(pair)) + f" = {short(float(sizes[place]))} {of.unit}"
        unclear = "No compared pair of systems differs clearly"
        tests = [f"{each} after Holm" for each in (tested(low, high, p), p_value(p))]
        tests = [NO_TEST] if math.isnan(p) else tests
        forms = [f"{unclear}; largest difference: {size} ({test})" for test in tests]
        return [*forms, unclear]
    if len(of.pairs) > wording.NAMED:
        forms = lead_sentences(of, int(clear[np.argmax(sizes[clear])]))
        differ = wording.plural(clear.size, "differs", "differ")
        many = f"{clear.size:,} of {len(of.pairs):,} pairs {differ} clearly"
        return [f"{form}; {many}" for form in forms]
    how = ("don't differ clearly", "can't be compared")
    rest = [
        f"{pair.system_a} and {pair.system_b} {how[math.isnan(pair.difference)]}"
        for i, pair in enumerate(of.pairs)
        if i not in clear
    ]
    leads = zip(*(lead_sentences(of, int(place)) for place in clear), strict=True)
    return ["; ".join([*lead, *rest]) for lead in leads]


def _omnibus_text(of: numbers.Comparison) -> str:
    """What the test over more than two systems says, or why there is none."""
    systems, (p, arrangements) = f"all {len(of.names):,} systems", of.omnibus
    if not of.has_several_pairs or of.topics_are == "sample":
        return ""
    if not arrangements:
        most = f"there are more than {numbers.MOST_TESTED} systems"
        return f"There is no test over {systems}: the design leaves nothing to swap, or {most}."
    drew = f"permutation, {counted(arrangements, 'arrangement')}"
    return f"Test over {systems}: {p_value(p)} ({drew})." * of.has_difference


def pair_details(of: numbers.Comparison, place: int = 0) -> list[str]:
    """A pair of several, then design and analysis of a pair, and how it was tested."""
    if not of.pairs:
        return []
    pair, lead = of.pairs[place], lead_sentences(of, place)[0]
    own = [*filter(None, (design_and_topics(pair), test_and_effect_size(pair)))]
    return own if headline(of).startswith(lead) else [f"{lead}.", *own]


def cautions(of: numbers.Comparison, place: int = 0) -> list[str]:
    """Where a reader could be misled."""
    return [*(too_few_notes(of.pairs[place]) if of.pairs else []), *_all_pairs_cautions(of)]


def _all_pairs_cautions(of: numbers.Comparison) -> list[str]:
    """Where a reader of any pair could be misled."""
    lows = pd.concat([of.systems["low"], of.by_topic["low"]])
    sentences = {
        f"Pairs are compared among the {numbers.MOST_PAIRED} systems with the most sessions. "
        "Choose others under Filters.": len(of.names) > numbers.MOST_PAIRED,
        wording.NO_INTERVAL_OF_MEANS: lows.isna().any(),
        place_note(of.scored, of.places): of.pairs,
        GROWS: of.measure.grows and len(of.names) > 1,
        EITHER_MAY_LEAD: any(pair.low < 0 < pair.high for pair in of.pairs),
        FURTHER_VIEW: of.pairs,
    }
    return [sentence for sentence, holds in sentences.items() if sentence and holds]


GROWS = (
    "This score grows with the number of queries: see in the table whether the systems' sessions "
    "differ in length."
)
EITHER_MAY_LEAD = (
    "An interval that holds 0 doesn't show that two systems are equal: either may lead."
)
FURTHER_VIEW = (
    "Each further definition, score, filter or option that you try adds a chance of a false "
    "finding (about 1 in 20): report how many you tried."
)


def method(of: numbers.Comparison) -> list[str]:
    """How systems were compared, for a methods section; nothing where none could be."""
    if not of.has_difference:
        return []
    fitted = PARAGRAPHS[of.topics_are]
    how = dict.fromkeys(BY_TOPIC if has_topic_units(pair) else fitted for pair in of.pairs)
    how |= dict.fromkeys([COMBINED] * (of.scored.topic_noun != "topic"))
    order = ORDER if of.scored.place.size and not all(map(has_topic_units, of.pairs)) else ""
    scale = INTERVAL_SCALE if of.unit in SHARES or of.score.startswith(RATING) else ""
    by_t = any(not math.isnan(pair.superiority_low) for pair in of.pairs)
    sizes = f"{SUPERIORITY}{'; its 95% interval is by t on log odds' * by_t}."
    on = f"Systems were compared on the score {of.score}: {in_unit(of.measure.words, of.unit)}."
    return [
        " ".join(filter(None, (on, footing_note(of.footing), *how, order, sizes, PAIRS, scale)))
    ]


def figure_notes(of: numbers.Comparison) -> str:
    """What stands behind the picture."""
    one_in = drawn_one_in(of.points)
    some = f"The figure draws one session in {one_in:,}; means use all."
    without = (of.undefined, "session", "without this score")
    have = counted(of.left_out, "query has no score and is", "queries have no score and are")
    parts = [
        _omnibus_text(of),
        some if one_in > 1 else "",
        wording.left_out(of.without_judgments, without).strip(),
        f"{have} left out of the means of sessions." if of.left_out else "",
        footing_note(of.footing),
    ]
    return " ".join(filter(None, parts))


def comparison_text(of: numbers.Comparison) -> str:
    """Everything in words, as `sdcg compare` writes it."""
    lines = [headline(of), f"Score: {of.score}, {in_unit(of.measure.words, of.unit)}."]
    lines += filter(None, [figure_notes(of), wording.withheld_note(of.withheld)])
    lines += _all_pairs_cautions(of)
    for i, pair in enumerate(of.pairs):
        about = [f"{lead_sentences(of, i)[0]}.", design_and_topics(pair)]
        about += [test_and_effect_size(pair), *too_few_notes(pair), apa_report(of, i)]
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
        f"{who} on {in_unit(of.measure.words, of.unit)}{adjusted}",
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
        name: wording.interval_cells(table[[f"{name}{end}" for end in numbers.MEAN_ENDS]])
        for name in (mean.removesuffix(numbers.MEAN) for mean in means)
    }
    return table[["system", "sessions", "queries"]].assign(**cells)


NO_ORDER = {
    "single": "No searcher has several sessions here, so learning can't be examined.",
    "by topic": "Topics are the units, so the order of sessions is not examined.",
    "untold": "Not every session's place in its searcher's sequence is known, so learning can't be "
    "examined. Log searchers and times, or add a column session_position.",
}
ORDER_METHOD = (
    "Learning and fatigue: the session's place in its searcher's sequence was added to the model "
    "as a linear covariate, and then its interaction with the system; these p-values are not "
    "corrected."
)


def order_headline(effects: pd.DataFrame, unit: str) -> str:
    """What each place more adds."""
    value, low, high, p = effects[["value", "low", "high", "p_t"]].to_numpy(float)[0].tolist()
    if math.isnan(value):
        same = "systems or topics came in the same order for all"
        return f"Learning and fatigue can't be estimated: {same}."
    said = f"Later sessions score {'higher' if value > 0 else 'lower'}"
    if not permutation.is_clear(low, high, lambda: p):
        said = "Learning and fatigue"  # which way is not clear, or was not tested
    return f"{said}: {wording.with_sign(value)} {unit} per session ({tested(low, high, p)})."


def place_note(scored: Scored, place: Floats) -> str:
    """How early systems came among a searcher's sessions; "" where that is not known."""
    if not is_whole(place, scored.unit):
        return ""
    means = group_means(place, scored.system)
    each = [f"{means[s]:.2f} with {scored.names[s]}" for s in np.unique(scored.system)]
    why = "if these differ, practice or fatigue may explain part of the difference"
    return f"Mean place among a searcher's sessions: {', '.join(each)}; {why}."


LINES = (
    "the largest losses come first; a line opens one session of each system: of several, the one "
    "nearest to their mean"
)
LINES_SHOWN = "as many of the largest losses as of the largest wins; the table has all"


def by_topic_sentence(pair: numbers.Pair, table: pd.DataFrame) -> str:
    """Topics that the second system won, lost, and tied."""
    lost, tied, won = (int((table["result"] == how).sum()) for how in numbers.OUTCOMES)
    topics = counted(len(table), pair.topic_noun)
    against = f"Against {pair.system_a}, {pair.system_b}"
    return f"{against} won {won:,} of {topics}, lost {lost:,} and tied {tied:,}."


def topic_line(row: dict[Any, Any], a: str, b: str) -> str:
    """A topic of the list: what it was, and by how much."""
    apart, means = row["difference"], f"{b} {short(row['mean_b'])}, {a} {short(row['mean_a'])}"
    how = "tied" if row["result"] == "tied" else f"{row['result']} by {short(abs(apart))}"
    return f"{row['topic']}: {how} ({means})"


UNADJUSTED = (
    "The systems' means stand the other way round: the difference is adjusted for topics and "
    "searchers, the means are not."
)


def other_leaders(firsts: Mapping[str, Sequence[str]], here: Collection[str]) -> list[str]:
    """How many measures put another system first than those that are; empty where none does.

    firsts : the systems that each measure puts first · here : those that are first without them,
    if any are

    >>> other_leaders({"final": ("A",), "rbp": ("B",)}, ["A"])
    ['1 of 2 other measures puts another system first']
    """
    others = len(_rivals(firsts, here)) if here else 0
    put = f"{wording.plural(others, 'puts', 'put')} another system first"
    return [f"{others} of {counted(len(firsts), 'other measure')} {put}"] if others else []


def _rivals(firsts: Mapping[str, Sequence[str]], here: Collection[str]) -> dict[str, Sequence[str]]:
    """Measures that put none of some systems first, and whom they do."""
    return {score: first for score, first in firsts.items() if not {*first} & {*here}}


def other_leaders_line(firsts: Mapping[str, Sequence[str]], here: Collection[str]) -> list[str]:
    """Which measures put other systems first than those that are, in a line; empty if none do."""
    each = [
        f"{columns.WORDS.get(score, ALL_SESSION_SCORES[score].unit)} ({enumerated(first)})"
        for score, first in _rivals(firsts, here).items()
    ]
    return [f"Another system is first on {enumerated(each)}."] if each else []


TITLE = "Was the answer right?"
NO_OUTCOME = "No session says whether its answer was right."
FOUND = (
    "A session has found something where its lists show at least one document whose gain is above "
    "0, in the top X; gains and X are those of the current definition."
)


def outcome_sentences(of: numbers.Outcome) -> list[str]:
    """Shares of right answers, which pairs differ, and what it is to have found something."""
    known = of.shares[of.shares["sessions"] > 0]
    shares = known["share"].map(wording.percent)
    each = [f"{name} {share}" for name, share in zip(known["system"], shares, strict=True)]
    said = [f"Right answers: {', '.join(each)}." if each else NO_OUTCOME]
    if len(of.pairs) and not of.is_paired:
        said.append(
            "Topics are not the units of these comparisons, so there is no test. Compare the "
            f"systems on the score “rating: {of.column}”."
        )
    elif len(of.pairs):
        clear = of.pairs[of.pairs["p_holm"] <= permutation.LEVEL]
        names = [f"{a} and {b}" for a, b in clear[["system_a", "system_b"]].to_numpy()]
        differ = f"{'; '.join(names)} differ clearly" if names else "No two systems differ clearly"
        p = "after Holm" if len(of.pairs) > 1 else p_value(float(of.pairs["p"].iloc[0]))
        said.append(f"{differ} (McNemar's exact test by {of.topic_noun}, {p}).")
    return [*said, FOUND]


def outcome_method(of: numbers.Outcome) -> str:
    """How outcomes were compared, for a methods section."""
    alike = f", adjusted for the likeness of sessions of the same {' and '.join(of.alike)}"
    only = "; they hold for the topics of this study only"
    is_of_few = of.is_of_runs and "topics" not in of.alike
    test = (
        " Systems were compared by McNemar's exact test, paired by topic. Of several runs on a "
        "topic, the system with the higher share of right answers counts as right; with equal "
        "shares both do if at least half are right."
    )
    return (
        f"Whether a session's answer was right is taken from the column {of.column}. Intervals of "
        f"shares are Wilson's"
        f"{alike if of.alike else ''}{only if is_of_few else ''}.{test if of.is_paired else ''}"
    )


WHY_NOT = {
    "topics": "Planning works for fixed topics only. Choose fixed topics to plan.",
    "difference": "They can't be compared, so there is no difference to plan for.",
    "few": f"Planning needs at least {numbers.FEWEST} {{unit}}s with {{systems}}, to estimate "
    "their spread.",
    "alike": "Too few {unit}s, or too little variation, remain once topic effects are removed.",
    "equal": "The observed difference is 0: enter one to plan for.",
}


def _systems_of_units(pair: numbers.Pair) -> str:
    """With which systems units are planned for."""
    return "each system" if pair.design == numbers.BETWEEN else "both systems"


def next_study_headline(of: numbers.NextStudy) -> str:
    """How many units which difference takes."""
    unit = of.pair.unit
    if not of.plans:
        return WHY_NOT[of.reason].format(unit=unit, systems=_systems_of_units(of.pair))
    parts: list[str] = []
    for plan in of.plans:
        needed = " or ".join(dict.fromkeys(map(numbers.unit_count_text, plan.units)))
        size = f" ({short(plan.difference)} {of.compared.unit})" * (plan.words == numbers.SEEN)
        parts.append(f"{needed} for {plan.words}{size}")
    return f"For 80% or 90% power, plan this many {unit}s in all: {'; '.join(parts)}."


def next_study_sentences(of: numbers.NextStudy) -> list[str]:
    """What the study could have found, how far the numbers can be relied on, and for whom."""
    pair, unit, told = of.pair, of.pair.unit, list[str]()
    if of.smallest > 0:
        found = f"a difference of {short(of.smallest)} {of.compared.unit} with 80% power"
        told.append(f"With {counted(pair.units, unit)}, this study could find {found}.")
    if of.plans:
        ends = (of.units.units_needed(end, numbers.POWERS[0]) for end in (pair.low, pair.high))
        needed = f"{' or '.join(dict.fromkeys(map(numbers.unit_count_text, ends)))} {unit}s"
        true = f"If the true difference is {short(pair.low)} or {short(pair.high)}"
        told += [
            f"{true}, the ends of its interval, 80% power takes {needed}.",
            "Plan for the smallest difference that would matter: a difference followed up because "
            "it was clear is probably overestimated (Button et al. 2013). Testing several pairs "
            f"takes more {unit}s.",
            "The plan assumes this study's design, with its balance of systems and sessions.",
        ]
    return told


def next_study_paragraphs(of: numbers.NextStudy) -> list[str]:
    """All of it in words, for the pair by its name."""
    named = f"Next study of {of.pair.system_a} and {of.pair.system_b}."
    return [f"{named} {next_study_headline(of)}", *next_study_sentences(of)]


def next_study_method(of: numbers.NextStudy) -> str:
    """A paragraph of a methods section, empty where nothing is planned."""
    if not of.plans:
        return ""
    pair, unit = of.pair, of.pair.unit
    spread = f"standard deviation {short(of.units.spread)} {of.compared.unit}"
    on = f"{unit}s' paired differences ({spread}, df n − 1)"
    if pair.design == numbers.BETWEEN:
        on = f"two equal groups of {unit}s ({spread}, Welch's df)"
    sizes = dict.fromkeys(f"{short(plan.difference)} {of.compared.unit}" for plan in of.plans)
    return (
        f"Next study: units for 80% and 90% power to find {enumerated([*sizes])} between "
        f"{pair.system_a} and {pair.system_b}. Two-sided t test at .05 (noncentral t) on {on}. "
        f"Checked with {numbers.STUDIES:,} studies drawn from this one's {unit}s with "
        f"{_systems_of_units(pair)}."
    )


NO_RANGE = "The effect of unjudged results on the difference isn't available for this score."
WHY = {
    "condense": "Unjudged results are taken out (condense), so their effect can't be bounded.",
    "searcher": "Gains don't come from judgments, so unjudged results have no range.",
    "rising": NO_RANGE,
    "linear": f"{NO_RANGE} `sdcg score --residuals` gives it by session.",
    "sample": "The effect of unjudged results isn't available when topics are a sample.",
    "untold": "",
}
NOTHING_OPEN = "Every result that counts in these sessions is judged."
METHOD = (
    "Unjudged results counted 0. The range of a difference shows how far it could move if each "
    "unjudged document were worth anything from 0 to the highest gain, with ideals and the model's "
    "weights of sessions held fixed; it is not a confidence interval."
)
JUDGE_NEXT_FILES = (
    "The table has at most {}; the files have all. Fill in the grades of judge_next.csv and add it "
    "to the judgments; judge_next.qrels takes a grade at the end of each line."
)


def is_worth_saying(of: numbers.LeftOpen) -> bool:
    """Whether a page has anything to say of it unasked."""
    return bool(of.without and of.why != "untold") or of.why == "condense"


CAN = {True: "can't", False: "could"}


def left_open_sentences(of: numbers.LeftOpen) -> list[str]:
    """Whether judging could change who is ahead, what the range is not, and what could move it."""
    if of.why or not of.without:
        return [*filter(None, [WHY[of.why] if of.why else NOTHING_OPEN])]
    pair, share = of.pair, wording.percent(of.without / of.results)
    low, high = map(short, of.ends)
    change = f"{CAN[of.is_leader_certain]} change their order"
    scored, left = "", f"{counted(of.left_out, 'session')} without a judged topic, left out"
    if of.left_out:
        change, scored = f"{change} among scored sessions ({left})", " of scored sessions"
    return [
        f"{pair.system_b} − {pair.system_a} is {short(pair.difference)} {of.unit} as judged, and "
        f"between {low} and {high} depending on the grades of unjudged documents ({share} of both "
        f"systems' scored results): judging them {change}.",
        "This range reflects missing judgments, not sampling error. Ideals stay as judged.",
        f"Unjudged documents{scored} that could move the difference: {len(of.table):,} of "
        f"{len(of.documents):,}.",
    ]
