"""Query order in words: how far apart the curves are, and what stands behind them."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.curves.axis_end import THIN
from sdcg_explorer.analysis.curves.query_curves import QueryCurve
from sdcg_explorer.analysis.curves.query_order import QueryOrder
from sdcg_explorer.analysis.selection.additive import ADDITIVE, FURTHER_CURVES
from sdcg_explorer.questions.words import last_against_others as last
from sdcg_explorer.questions.words.last_against_others import NAMED
from sdcg_explorer.questions.words.wording import (
    between,
    counted,
    interval,
    left_out,
    short,
    withheld,
    without_interval,
)

NO_IDEAL = (
    "No query is left whose ideal list gains anything: widen the filters under Show, or give gains."
)
ALONE = "Every session left has one query only: draw these, too, or widen the filters under Show."
NONE_LEFT = "No query is left, or nobody judged its topic: widen the filters under Show."
CHOSEN = "The best query is chosen as the best: that it is ahead says only how it was chosen."


def answer(order: QueryOrder) -> str:
    """The page's first line: how far the curves of each system are apart at a rank."""
    if not order.drawn_curves:
        return _nothing(order)
    queries, apart = f"{order.curves[0].group} queries", order.apart
    if not apart:
        single = sum(order.single.values()) == order.sessions
        why = ": every session left has one query" if single else " whose worth is known"
        return f"No system has both {queries} and others{why}."
    is_long = len(apart) > NAMED
    (first, gap), *others = [apart[0], apart[-1]] if is_long else apart
    are = "have an nDCG" if order.drawn.shares else "are worth"
    lead = f"{first}'s {queries} {are} {_by(order, gap)} than its others"
    parts = [lead, *(f"{name}'s {_by(order, of)}" for name, of in others)]
    more = between([name for name, _ in apart]) if is_long else _lacking(order)
    return f"At rank {order.shown_rank} {', '.join(parts)}{f'; {more}' if more else ''}."


def _nothing(order: QueryOrder) -> str:
    """Why there is no curve."""
    if any(curve.undefined for curve in order.curves):
        return NO_IDEAL
    return ALONE if order.drawn.several and any(order.single.values()) else NONE_LEFT


def _by(order: QueryOrder, gap: float) -> str:
    """How much more, or less."""
    more, less = ("higher", "lower") if order.drawn.shares else ("more", "less")
    return f"{short(abs(gap))} {less if gap < 0 else more}"


def _lacking(order: QueryOrder) -> str:
    """Systems that have curves, but can't be compared."""
    names = [*dict.fromkeys(curve.system for curve in order.drawn_curves)]
    names = [name for name in names if name not in dict(order.apart)]
    if not names:
        return ""
    lack = f"{names[0]} lacks" if len(names) == 1 else f"{len(names):,} systems lack"
    return f"{lack} one of the two"


def within(order: QueryOrder) -> str:
    """By how much last queries differ from the others within sessions; empty if not asked."""
    return last.headline(order.paired) if order.paired and order.apart else ""


def behind(order: QueryOrder) -> str:
    """What stands behind the picture: queries per curve, how they are drawn, and read."""
    queries = "; ".join(f"{c.name}: {counted(c.queries, 'query')}" for c in order.curves)
    undefined = sum(curve.undefined for curve in order.curves)
    lacking = _lacking(order) if len(order.apart) > NAMED else ""
    counts = last.counts(order.paired) if order.paired else ""
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
        *(last.caveat(order.paired) if order.paired else []),
        *(f"Only {counted(c.queries, 'query')} behind {c.name}." for c in few),
        *(lacking if order.bands else []),
    ]
    return [*filter(None, sentences)]
