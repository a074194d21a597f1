"""Last queries against the others of their sessions, in words."""

import math
from collections.abc import Sequence

from sdcg_explorer.questions.query_order.numbers import Difference, LastAgainstOthers, QueryOrder
from sdcg_explorer.questions.wording import (
    NAMED,
    capital,
    counted,
    enumerated,
    first_fit,
    interval,
    left_out,
    missing_interval_note,
    plural,
    short,
    tested,
    why_none,
    with_sign,
    withheld_note,
)
from sdcg_explorer.scoring.mean_curves import THIN
from sdcg_explorer.scoring.selection import ADDITIVE, FURTHER_CURVES
from sdcg_explorer.statistics.permutation import DRAWS, FEWEST_ARRANGEMENTS

METHOD = (
    "Last queries were compared with the mean of the other queries of their session, system by "
    "system: DCG of the top {} before the query discount, averaged by searcher (or by session, "
    "where none is named), with 95% intervals by t where differences vary. p is from a "
    f"permutation test (last and other queries swapped within searchers, at most {DRAWS:,} "
    f"arrangements), or from t with fewer than {FEWEST_ARRANGEMENTS} arrangements."
)
NONE = "no session has both a last query and others on judged topics"
CAVEAT = (
    "Which query is the last depends on its results: a search ends when enough was found, or is "
    "given up."
)
CHOSEN = "The best query gains the most in its session by definition: it was picked for that."
NO_IDEAL = "No query has an ideal list with any gain. Give at least one grade a gain above 0."
ALONE = "Every session shown has one query. Turn off “Only sessions with several queries”."
DRAWN = {False: "The figure pools all queries", True: "In the figure"}  # by QueryOrder.per_session
TIE = 12  # digits beyond which differences are alike
NOTHING = "There is nothing to compare:"


def last_query_headline(of: LastAgainstOthers, order: QueryOrder | None = None) -> str:
    """How last queries differ from the others within sessions, and in a figure of both.

    A direction is said where its interval excludes 0.
    """
    if not of.differences:
        return f"{NONE.capitalize()}."
    before, after = of.of("dcg"), of.of("sdcg")
    names = sorted(before, key=lambda name: -round(before[name].difference, TIE))
    values = [[each[name].difference for name in names] for each in (before, after)]
    shown = names if len(of.systems) > 1 else None
    first, later = (_gap_list(values[0], shown), _gap_list(values[1], shown, again=True))
    apart = curve_distances_text(order, names, again=True) if order else ""
    drawn = f" {DRAWN[order.per_session]}: {apart}." if order else ""
    ways = [_clear_gain_direction([each[name] for name in names]) for each in (before, after)]
    lead = "Within sessions, the last query doesn't differ clearly from the others"
    if ways[0]:
        than = "" if "with" in ways[0] else " than the others"
        lead = f"Within sessions, the last query gains {ways[0]}{than}"
    if values[0] == values[1]:
        return first_fit(f"{lead} ({first}).{drawn}", f"{lead} ({first}).", f"{lead}.")
    with_every = " with every system" * ("with" in ways[0] and "with" not in ways[1])
    then = ", but doesn't differ clearly"
    if ways[1]:
        then = f",{' and' if ways[0] else ' but gains'} {ways[1]}{with_every}"
    if ways[0] == ways[1]:
        lead, then = (lead, " and") if ways[0] else (f"{lead},", " or")
    lead = f"{lead} before the query discount"
    return first_fit(
        f"{lead} ({first}){then} after it ({later}).{drawn}",
        f"{lead} ({first}){then} after it ({later}).",
        f"{lead} ({first}){then} after it.",
        f"{lead}{then} after it.",
    )


def curve_distances_text(order: QueryOrder, names: Sequence[str], *, again: bool = False) -> str:
    """How far the curves of some systems are apart, by name or in the order of a row before."""
    return _gap_list([order.gaps.get(name, math.nan) for name in names], names, again=again)


def _gap_list(values: Sequence[float], names: Sequence[str] | None, *, again: bool = False) -> str:
    """Differences in a row, with their systems' names if given; of many the two ends.

    again : in the order of a row before, whose names need not be said again where all were

    >>> _gap_list([1.0, -3.0], ["A", "B"]), _gap_list([1.0, -3.0], ["A", "B"], again=True)
    ('A +1.0, B −3.0', '+1.0, −3.0')
    >>> _gap_list([1.0, 2.0, -3.0, 0.5], ["A", "B", "C", "D"], again=True)
    'B +2.0 to C −3.0'
    >>> _gap_list([104.0] * 4, ["A", "B", "C", "D"])
    '+104 with each'
    """
    if len(values) > NAMED:
        known = [i for i, value in enumerate(values) if not math.isnan(value)]
        if not known:
            return with_sign(math.nan)
        ends = [choose(known, key=lambda i: values[i]) for choose in (max, min)]
        if len({with_sign(values[i]) for i in ends}) == 1:
            return f"{with_sign(values[ends[0]])} with each"
        return " to ".join(
            f"{names[i]} {with_sign(values[i])}" if names else with_sign(values[i]) for i in ends
        )
    each = [*map(with_sign, values)]
    if names and not again:
        each = [f"{name} {told}" for name, told in zip(names, each, strict=True)]
    return ", ".join(each)


def _clear_gain_direction(of: list[Difference]) -> str:
    """Where last queries gain clearly more, or less; empty where they do so nowhere."""
    clear = [each for each in of if each.is_clear and not math.isnan(each.interval[0])]
    parts: list[str] = []
    for way, sign in (("more", 1), ("less", -1)):
        names = [each.system for each in clear if sign * each.difference > 0]
        if len(names) == len(of):
            return way
        if names:
            few = len(names) == 1 or len(of) <= NAMED
            some = enumerated(names) if few else f"{len(names):,} of {len(of):,} systems"
            parts.append(f"clearly {way} with {some}")
    return " and ".join(parts)


def sentences(of: LastAgainstOthers) -> list[str]:
    """What each system's last queries gain more, or less, and what that can't say."""
    told = [difference_in_words(each) for each in of.of("dcg").values()]
    told += [f"{name}: {NONE}." for name in of.systems if name not in of.of("dcg")]
    told = [*told, *last_query_caveat(of)] if of.differences else []
    if of.single:
        told.append(f"{_sessions_are(of.single, ' with one query')} left out.")
    if of.undefined:
        told.append(
            f"{_sessions_are(of.undefined)} left out because {plural(of.undefined, 'its', 'their')}"
            " last query, or all others, are on unjudged topics."
        )
    return told


def _sessions_are(number: int, which: str = "") -> str:
    return f"{counted(number, 'session')}{which} {plural(number, 'is', 'are')}"


def difference_in_words(of: Difference) -> str:
    """The difference in a sentence, with its interval, p and counts."""
    by = counted(int(of.sessions.sum()), "session")
    if of.named:
        by = f"{by} by {counted(of.named, 'searcher')}"
        if none := of.unnamed_unit_count:
            by += f" ({none:,} {plural(none, 'names', 'name')} none)"
    unit = "DCG" if of.measure == "dcg" else "sDCG"
    p = math.nan if of.by_unit.size == 1 else of.p  # one arrangement besides tells nothing
    found = f"{short(of.difference)} {unit} ({tested(*of.interval, p)}; {by})"
    return f"{of.system}: last − others = {found}."


def last_query_caveat(of: LastAgainstOthers) -> list[str]:
    """What being the last says of a query, where a searcher chose it to be."""
    return [CAVEAT] if of.differences and not of.ends_given else []


def method(of: LastAgainstOthers) -> str:
    """How last queries were compared, for a methods section; empty where none were."""
    return METHOD.format(of.top) if of.differences else ""


def headline(order: QueryOrder) -> str:
    """The page's first line: last queries less others, within sessions and in the figure.

    Of other curves, how far those of each system are apart at a rank: without an interval of that,
    no direction is said.
    """
    if not order.nonempty_curves:
        if any(curve.undefined for curve in order.curves):
            return NO_IDEAL
        is_alone = order.drawn.several and any(order.single.values())
        return ALONE if is_alone else why_none("query on a judged topic", order.without_judgments)
    if order.paired and order.paired.differences:
        return last_query_headline(order.paired, order)
    queries = f"{order.curves[0].group} queries"
    if not order.gaps:
        if sum(order.single.values()) == order.sessions:
            return f"{NOTHING} every session has only one query."
        return f"{NOTHING} no system has judged {queries} and others."
    lacking = "" if len(order.gaps) > NAMED else _systems_without_comparison(order)
    apart = _gap_list([*order.gaps.values()], [*order.gaps]) + " nDCG" * order.drawn.shares
    lead = f"{capital(queries)} against the others at rank {order.reading_rank}:"
    return f"{lead} {apart}{f'; {lacking}' if lacking else ''}."


def _systems_without_comparison(order: QueryOrder) -> str:
    """Systems that have curves, but can't be compared."""
    names = dict.fromkeys(curve.system for curve in order.nonempty_curves)
    lack = [name for name in names if name not in order.gaps]
    if not lack:
        return ""
    who = f"{lack[0]} has" if len(lack) == 1 else f"{len(lack):,} systems have"
    return f"{who} only one kind of query"


def counting_note(order: QueryOrder) -> str:
    """What the figure counts otherwise than the comparison within sessions; empty if not asked."""
    if not order.paired or not order.gaps:
        return ""
    if not order.paired.differences:
        return last_query_headline(order.paired)
    single = any(order.single.values()) and not order.drawn.several
    too = ", includes one-query sessions" if single else ""
    once = "a session's other queries as one" if order.per_session else "every query once"
    of = order.paired.of("dcg")
    names = sorted(of, key=lambda name: -round(of[name].difference, TIE))
    drawn = curve_distances_text(order, names)
    missing = "" if DRAWN[order.per_session] in headline(order) else f" (last − others: {drawn})"
    lacking = [name for name in order.paired.systems if name not in of]
    who = enumerated(lacking) if 0 < len(lacking) <= NAMED else counted(len(lacking), "system")
    none = f" With {who}, no session has both a last query and others." if lacking else ""
    beyond = ", beyond Top X" if order.reading_rank > order.paired.top else ""
    rank = f"{order.reading_rank}{beyond}"
    averaged = any(each.sessions.max() > 1 for each in of.values())
    figure = "The comparison averages by searcher; the figure" if averaged else "The figure"
    return f"{figure} counts {once}{too} and is read at rank {rank}{missing}.{none}"


def figure_notes(order: QueryOrder) -> str:
    """How the curves are drawn, and what is left out."""
    undefined = sum(curve.undefined for curve in order.curves)
    lacking = _systems_without_comparison(order) if len(order.gaps) > NAMED else ""
    depth = counted(order.drawn.depth, "rank")
    sentences = [
        f"Curves follow whole lists to at most {depth}, whatever Top X is.",
        f"{_discounting_note(order)}{_one_query_sessions_note(order)}."
        + left_out(order.without_judgments, (undefined, "query", "whose ideal list gains nothing")),
        f"{lacking}." if lacking else "",
    ]
    return " ".join(filter(None, sentences))


def _discounting_note(order: QueryOrder) -> str:
    if order.drawn.shares:
        return "Each query's DCG is divided by its ideal's at each rank, then averaged"
    if order.drawn.weighting_measure in FURTHER_CURVES:
        alike = order.drawn.weighting_measure == "rbp" or not order.drawn.discounted
        weighed = "Ranks" if alike else "Ranks and query positions"
        return f"{weighed} are weighted as in {ADDITIVE[order.drawn.weighting_measure].words}"
    is_so = order.drawn.discounted and order.has_discount
    discounted, paper = ("", ", as in the paper") if is_so else ("not ", "")
    return f"Queries are {discounted}discounted by their position{paper}"


def _one_query_sessions_note(order: QueryOrder) -> str:
    """What becomes of one-query sessions, which have a last query and no others."""
    each = [f"{count:,} of {name}" for name, count in order.single.items() if count]
    number = sum(order.single.values())
    if not number:
        return ""
    if order.drawn.several:
        return f"; {_sessions_are(number, ' with one query')} left out"
    told = f"{number:,} in all" if len(each) > NAMED else enumerated(each)
    return f"; one-query sessions count as {order.curves[0].group} queries ({told})"


def curves_at_rank_text(order: QueryOrder) -> str:
    """What the curves are at a rank."""
    place = order.reading_rank - 1
    values = [
        f"{c.name}: {short(c.mean[place])}{interval(short, c.low[place], c.high[place])}"
        for c in order.nonempty_curves
    ]
    return f"At rank {order.reading_rank}: {'; '.join(values)}."


def cautions(order: QueryOrder) -> list[str]:
    """Plain sentences where a reader could be misled."""
    curves = order.nonempty_curves
    few = [f"“{curve.name}”" for curve in curves if curve.queries < THIN]
    many = "all" if len(few) == len(curves) else f"{len(few)} of"
    who = "; ".join(few) if len(few) <= NAMED else f"{many} {len(curves)}"
    lacking = missing_interval_note([(c.mean, c.low) for c in curves])
    told = [
        withheld_note(order.withheld),
        CHOSEN if all(curve.group != "last" for curve in order.curves) else "",
        *(last_query_caveat(order.paired) if order.paired else []),
        f"Curves based on fewer than {THIN} queries: {who}." if few else "",
        *(lacking if order.bands else []),
    ]
    return [*filter(None, told)]
