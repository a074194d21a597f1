"""Last queries against the others of their sessions, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sdcg_explorer.questions.query_order.numbers import (
    LAST_MEASURES,
    Difference,
    LastAgainstOthers,
    QueryCurve,
    QueryOrder,
)
from sdcg_explorer.questions.wording import NAMED as ALL_NAMED
from sdcg_explorer.questions.wording import (
    between,
    by_t,
    counted,
    enumerated,
    fitting,
    interval,
    left_out,
    none_left,
    plural,
    plus,
    short,
    tested,
    withheld,
    without_interval,
)
from sdcg_explorer.scoring.mean_curves import THIN
from sdcg_explorer.scoring.selection import ADDITIVE, FURTHER_CURVES
from sdcg_explorer.statistics.permutation import DRAWS, FEWEST_ARRANGEMENTS

NAMED = 2  # systems that the first line names each
CLEAR = 5  # of more, those that it names as clear on either side
WITHIN = (
    "Within sessions that have both, over the top {} and before the query discount, each {} "
    "counting once, the last query less the mean of the others is"
)
METHOD = (
    "Last queries were compared, system by system, with the mean of the others of their session: "
    "DCG of the top {} before the query discount, searchers as units (a session that names no "
    f"searcher is one), intervals by t. A permutation test (last and others change places within "
    f"units, {DRAWS:,} arrangements at most) leads; t where there are fewer than "
    f"{FEWEST_ARRANGEMENTS}."
)
NONE = "no session has a last query and others on judged topics"
CAVEAT = (
    "A query is the last partly because of what it was worth: a search ends when enough was found, "
    "or is given up."
)


def headline(of: LastAgainstOthers) -> str:
    """The difference in short, without the tests, which take long for thousands of searchers."""
    known = sorted(of.by_system.values(), key=lambda each: -each.difference)
    if not known:
        return f"{NONE.capitalize()}."
    parts = [_many(known)] if len(known) > NAMED else [enumerated([brief(each) for each in known])]
    if others := [name for name in of.systems if name not in of.by_system]:
        which = others[0] if len(others) == 1 else counted(len(others), "system")
        parts.append(f"no session has both with {which}")
    by_searcher = any(each.named for each in known)
    unit = "searcher" if by_searcher else "session"
    return f"{WITHIN.format(of.top, unit)} {'; '.join(parts)}."


def after(of: LastAgainstOthers) -> str:
    """The same after the query discount, where there are any."""
    known = sorted(of.of("sdcg").values(), key=lambda each: -each.difference)
    many = len(known) > NAMED
    return f"After it, that is {_many(known) if many else enumerated([*map(brief, known)])}."


def _many(known: Sequence[Difference]) -> str:
    """Of differences in their order the highest and the lowest, and where one is clear."""
    high, *_, low = known
    more = between([each.system for each in known])
    ends = f"{_gap(high)} with {high.system}, {_gap(low)} with {low.system}, {more}"
    clear = [each for each in known if each.is_clear]
    sides = {
        "above 0": [each.system for each in clear if each.difference > 0],
        "below 0": [each.system for each in reversed(clear) if each.difference < 0],
    }
    said = [f"{side} with {_some(names)}" for side, names in sides.items() if names]
    return f"{ends}; clearly {', '.join(said) or 'above or below 0 with none'}"


def _some(systems: list[str]) -> str:
    """Names of systems; of many the first, and how many more."""
    more = len(systems) - CLEAR
    return enumerated([*systems[:CLEAR], *([f"{more:,} more"] if more > 0 else [])])


def caveat(of: LastAgainstOthers) -> list[str]:
    """What being the last says of a query, where a searcher chose it to be."""
    return [CAVEAT] if of.differences and not of.ends_given else []


def sentences(of: LastAgainstOthers) -> list[str]:
    """What each system's last queries are worth more, or less, and what that can't say."""
    told = [said(each) for each in of.by_system.values()]
    told += [f"{name}: {NONE}." for name in of.systems if name not in of.by_system]
    told = [*told, *caveat(of)] if of.differences else []
    others = f"{counted(of.undefined, 'session')} whose last query, or every other, is on a topic"
    if of.single:
        told.append(f"{counted(of.single, 'session')} with a single query can't be asked.")
    if of.undefined:
        lead, end = ("Nor can ", "") if of.single else ("", " can't be asked")
        told.append(f"{lead}{others} nobody judged{end}.")
    return told


def method(of: LastAgainstOthers) -> str:
    """How last queries were compared, for a methods section; empty where none were."""
    if not of.differences:
        return ""
    return METHOD.format(of.top)


def sessions_counted(of: LastAgainstOthers) -> str:
    """Sessions that are compared, system by system."""
    return "; ".join(f"{name}, {_counts(each)}" for name, each in of.by_system.items())


def _counts(of: Difference) -> str:
    """Sessions that are compared, and by whom they are."""
    sessions = counted(int(of.sessions.sum()), "session")
    if not of.named:
        return sessions
    by = f"by {counted(of.named, 'searcher')}"
    if not (unnamed := of.unnamed):
        return f"{sessions} {by}"
    none = plural(unnamed, "names", "name")
    return f"{sessions}, of which {unnamed:,} {none} no searcher, the others {by}"


def _gap(of: Difference) -> str:
    """How much more the last query is worth, below 0 where it is worth less."""
    return f"{short(of.difference)} {LAST_MEASURES[of.measure]}"


def said(of: Difference) -> str:
    """The difference in a sentence, with its test and counts."""
    lead = "no clear difference between the last query and"
    if of.is_clear:
        lead = f"the last query is worth {'more' if of.difference > 0 else 'less'} than"
    shown = tested(*of.interval, of.p)
    found = f"last − others = {_gap(of)} ({shown}; {_counts(of)})"
    return f"{of.system}: {lead} the others of its session, {found}."


def brief(of: Difference) -> str:
    """The same among those of other systems, without test and counts."""
    clear = "a" if of.is_clear else "no"
    return f"{_gap(of)} with {of.system} ({clear} clear difference; {by_t(*of.interval)})"


NO_IDEAL = "No query has an ideal list that gains anything: give a grade a gain."
ALONE = "Every session shown has one query only: draw these, too."
WAYS = ("more", "less")
CHOSEN = "The best query is chosen as the best: that it is ahead says only how it was chosen."


def answer(order: QueryOrder) -> str:
    """The page's first line: last queries less others, within sessions and in the figure.

    Of other curves, how far those of each system are apart at a rank: without an interval of that,
    no direction is said.
    """
    if not order.drawn_curves:
        return _nothing(order)
    if order.paired and order.paired.differences:
        return _within_and_drawn(order, order.paired)
    queries, apart = f"{order.curves[0].group} queries", order.apart
    if not apart:
        single = sum(order.single.values()) == order.sessions
        why = ": every session left has one query" if single else " whose worth is known"
        return f"No system has both {queries} and others{why}."
    names, gaps = [name for name, _ in apart], [gap for _, gap in apart]
    lacking = "" if len(apart) > NAMED else _lacking(order)
    unit = " in nDCG" if order.drawn.shares else ""
    lead = f"{queries[0].upper()}{queries[1:]} less the others{unit} at rank {order.shown_rank}"
    return f"{lead}: {_listed(gaps, names)}{f'; {lacking}' if lacking else ''}."


def _within_and_drawn(order: QueryOrder, paired: LastAgainstOthers) -> str:
    """Differences within sessions beside the figure's; those after the discount if signs differ.

    A direction is said where its interval excludes 0.
    """
    before, after, drawn = paired.of("dcg"), paired.of("sdcg"), dict(order.apart)
    names = sorted(before, key=lambda name: -before[name].difference)
    values = [
        [before[name].difference for name in names],
        [after[name].difference for name in names],
        [drawn.get(name, math.nan) for name in names],
    ]
    named = names if len(paired.systems) > 1 else None
    first, later, figure = _listed(values[0], named), _listed(values[1]), _listed(values[2])
    way = _direction([before[name] for name in names])
    gain = f"Last queries gain {way}" if way else "Last queries don't clearly gain more or less"
    is_discounted = values[0] != values[1]
    where = " before the query discount" if is_discounted else ""
    if not is_discounted or not any(
        min(each) < 0 < max(each) for each in zip(*values, strict=True)
    ):
        than = f"{gain} than the others of their sessions{where}"
        return fitting(f"{than} ({first}; Figure 1: {figure}).", f"{than} ({first}).", f"{than}.")
    then = _then(way, _direction([after[name] for name in names]))
    return fitting(
        f"{gain}{where} ({first}), {then} after it ({later}; Figure 1: {figure}).",
        f"{gain}{where} ({first}), {then} after it ({later}).",
        f"{gain}{where}, {then} after it.",
    )


def _listed(values: list[float], names: list[str] | None = None) -> str:
    """Differences in a row, with their systems' names if given; of many the first and the last."""
    each = [plus(value) for value in values]
    if names:
        each = [f"{name} {number}" for name, number in zip(names, each, strict=True)]
    if len(each) <= ALL_NAMED:
        return ", ".join(each)
    return f"{each[0]} to {each[-1]}{f'; {between(names)}' if names else ''}"


def _then(before: str, after: str) -> str:
    """What becomes of a direction after the query discount."""
    if not before:
        return f"but gain {after}" if after else "nor"
    if not after:
        return "not" if before in WAYS else "not clearly"
    return f"and {after}" if after == before else after


def _direction(of: list[Difference]) -> str:
    """Where last queries are clearly worth more, and less; empty where they are nowhere."""
    clear = [each for each in of if each.is_clear and not np.isnan(each.interval[0])]
    sides = zip(
        WAYS,
        ([each.system for each in clear if (each.difference > 0) == up] for up in (True, False)),
        strict=True,
    )
    parts: list[str] = []
    for way, names in sides:
        if len(names) == len(of):
            return way
        if names:
            some = f"{len(names):,} of {counted(len(of), 'system')}"
            many = len(of) > ALL_NAMED and len(names) > 1
            parts.append(f"{way} in {some if many else enumerated(names)}")
    return enumerated(parts) if parts else ""


def _nothing(order: QueryOrder) -> str:
    """Why there is no curve."""
    if any(curve.undefined for curve in order.curves):
        return NO_IDEAL
    if order.drawn.several and any(order.single.values()):
        return ALONE
    return none_left("query on a judged topic", order.without_judgments)


def _lacking(order: QueryOrder) -> str:
    """Systems that have curves, but can't be compared."""
    names = [*dict.fromkeys(curve.system for curve in order.drawn_curves)]
    names = [name for name in names if name not in dict(order.apart)]
    if not names:
        return ""
    lack = f"{names[0]} lacks" if len(names) == 1 else f"{len(names):,} systems lack"
    return f"{lack} one of the two"


def within(order: QueryOrder) -> str:
    """By how much last queries differ from the others within sessions, and why the figure's do.

    Empty if not asked.
    """
    if not order.paired or not order.apart:
        return ""
    if not order.paired.differences:
        return headline(order.paired)
    single = sum(order.single.values()) and not order.drawn.several
    too = ", those of one-query sessions, too" if single else ""
    figure = f"Figure 1, at rank {order.shown_rank}, counts each query once{too}."
    return f"{headline(order.paired)} {after(order.paired)} {figure}"


def behind(order: QueryOrder) -> str:
    """What stands behind the picture: queries per curve, how they are drawn, and read."""
    queries = "; ".join(f"{c.name}: {counted(c.queries, 'query')}" for c in order.curves)
    undefined = sum(curve.undefined for curve in order.curves)
    lacking = _lacking(order) if len(order.apart) > NAMED else ""
    counts = sessions_counted(order.paired) if order.paired else ""
    sentences = [
        f"{queries}. Whole lists to rank {order.depth} at most, whatever Top X is."
        f"{left_out(order.without_judgments)}"
        f"{left_out(undefined, 'query', 'whose ideal list gains nothing')}",
        f"{_discount(order)}{_sessions(order)}.",
        at_rank(order),
        f"{lacking}." if lacking else "",
        f"Sessions that have both: {counts}." if counts else "",
    ]
    return " ".join(filter(None, sentences))


def _discount(order: QueryOrder) -> str:
    if order.drawn.shares:
        return (
            "Each query's DCG is divided by that of its topic's ideal list, rank by rank, and "
            "then averaged over queries; nothing is compared within sessions"
        )
    if order.drawn.weighs in FURTHER_CURVES:
        alike = order.drawn.weighs == "rbp" or not order.drawn.discounted
        queries = "every query weighs alike" if alike else "and so do queries by their place"
        return f"Ranks weigh as {ADDITIVE[order.drawn.weighs].words} says, {queries}"
    if order.drawn.discounted:
        return "Queries are discounted by their place, D(q), as in the paper"
    return "Queries are drawn before the query discount, without D(q)"


def _sessions(order: QueryOrder) -> str:
    """What becomes of one-query sessions, which have a last query and no others."""
    number = sum(order.single.values())
    if not number:
        return ""
    if order.drawn.several:
        rest = f"{counted(number, 'session')} of one query left out"
        return f"; only sessions with several queries are drawn, {rest}"
    each = ", ".join(f"{count:,} of {name}" for name, count in order.single.items() if count)
    return f"; one-query sessions are among the {order.curves[0].group}, as in the paper: {each}"


def at_rank(order: QueryOrder) -> str:
    """What the curves have reached at a rank."""
    place = order.shown_rank - 1
    values = [
        f"{c.name}: {short(c.mean[place])}{interval(short, c.low[place], c.high[place])}"
        for c in order.drawn_curves
    ]
    return f"At rank {order.shown_rank}: {'; '.join(values)}."


def levelling(order: QueryOrder) -> str:
    """Where each curve levels off; a share may fall, and levels off nowhere."""
    if order.drawn.shares:
        return ""
    parts = [f"{c.name}: {_levels_off(c)}" for c in order.drawn_curves]
    return f"Levels off (99 % of its end): {'; '.join(parts)}."


def _levels_off(curve: QueryCurve) -> str:
    """A rank; one that still rose where its lists end, or where it gained last, did not level off.

    Beyond the last rank that gains a curve is flat whatever its searchers would have found.
    """
    rank = curve.levels_off
    if np.isnan(rank):
        return "–"
    last = 1 + np.flatnonzero(np.diff(curve.mean, prepend=0.0) > 0)[-1]
    return f"rank {rank:g}" if rank < last else f"not before its last gain, at rank {last}"


def advice(order: QueryOrder) -> list[str]:
    """Plain sentences where a reader could be misled."""
    shown, is_last = order.drawn_curves, any(curve.group == "last" for curve in order.curves)
    few = [c for c in shown if c.queries < THIN]
    lacking = without_interval([(c.name, c.mean, c.low) for c in shown], "rank")
    sentences = [
        withheld(order.withheld),
        "" if is_last else CHOSEN,
        *(caveat(order.paired) if order.paired else []),
        *(f"Only {counted(c.queries, 'query')} behind {c.name}." for c in few),
        *(lacking if order.bands else []),
    ]
    return [*filter(None, sentences)]
