"""Last queries against the others of their sessions, in words."""

import math
from collections.abc import Mapping

from sdcg_explorer.questions import wording
from sdcg_explorer.questions.query_order.numbers import Difference, LastAgainstOthers, QueryOrder
from sdcg_explorer.scoring.mean_curves import THIN
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
    "Where searchers decide when to stop, which query is the last depends on its results: a search "
    "ends when enough was found, or is given up."
)
CHOSEN = "The best query gains the most in its session by definition: it was picked for that."
NO_IDEAL = "No query has an ideal list with any gain. Give at least one grade a gain above 0."
ALONE = "Every session shown has one query. Turn off “Only sessions with several queries”."
NEITHER = "neither clearly more nor less"
TIE = 12  # digits beyond which differences are alike


def last_query_headline(of: LastAgainstOthers, figure: str = "") -> str:
    """How last queries differ within sessions, in DCG and in sDCG, and in the figure."""
    both = of.of("dcg"), of.of("sdcg")
    ways = [*map(_clear_direction, both)]
    gaps = [_gap_list({name: each.difference for name, each in by.items()}) for by in both]
    lead = f"Compared with others of their session, last queries gain {ways[0]}"
    if gaps[0] == gaps[1] and ways[0] == ways[1]:
        return wording.first_fit(f"{lead} ({gaps[0]}{figure}).", f"{lead} ({gaps[0]}).", f"{lead}.")
    same = "or in sDCG" if ways[0] == NEITHER else "and in sDCG"
    then = same if ways[0] == ways[1] else f"and {ways[1]} in sDCG"
    return wording.first_fit(
        f"{lead} in DCG ({gaps[0]}) {then} ({gaps[1]}{figure}).",
        f"{lead} in DCG ({gaps[0]}) {then} ({gaps[1]}).",
        f"{lead} in DCG ({gaps[0]}) {then}.",
        f"{lead} in DCG {then}.",
    )


def _clear_direction(of: Mapping[str, Difference]) -> str:
    """Whether last queries gain more or less: with which systems the interval excludes 0."""
    parts: list[str] = []
    for way, sign in (("more", 1), ("less", -1)):
        names = [name for name, each in of.items() if each.is_clear and sign * each.difference > 0]
        few = 0 < len(names) <= wording.NAMED
        who = wording.enumerated(names) if few else f"{len(names)} systems"
        if names:
            parts.append(way if len(names) == len(of) else f"clearly {way} with {who}")
    return " and ".join(parts) or NEITHER


def _gap_list(gaps: Mapping[str, float]) -> str:
    """Differences of systems, the highest first; of many the two ends.

    >>> _gap_list({"A": -3.0, "B": 1.0}), _gap_list({"A": 1.0, "B": 2.0, "C": -3.0, "D": 0.5})
    ('B +1.0, A −3.0', 'B +2.0 to C −3.0')
    """
    names = sorted(gaps, key=lambda name: -round(gaps[name], TIE))
    told = [f"{name} {wording.with_sign(gaps[name])}" for name in names]
    return ", ".join(told) if len(told) <= wording.NAMED else f"{told[0]} to {told[-1]}"


def sentences(of: LastAgainstOthers) -> list[str]:
    """What each system's last queries gain more, or less, and what that can't say."""
    told = [difference_in_words(each) for each in of.of("dcg").values()]
    told += [f"{name}: {NONE}." for name in of.systems if name not in of.of("dcg")]
    told += [CAVEAT] if of.differences else []
    which = "whose last query, or all others, are on unjudged topics"
    groups = (of.single, "session", "with one query"), (of.undefined, "session", which)
    left = wording.left_out(0, *groups)
    return [*told, left.strip()] if left else told


def difference_in_words(of: Difference) -> str:
    """The difference in a sentence, with its interval, p and counts."""
    by = f" by {wording.counted(of.named, 'searcher')}" if of.named else ""
    by = f"{wording.counted(int(of.sessions.sum()), 'session')}{by}"
    p = math.nan if of.last.size == 1 else of.p  # one arrangement besides tells nothing
    found = f"{wording.short(of.difference)} DCG ({wording.tested(*of.interval, p)}; {by})"
    return f"{of.system}: last − others = {found}."


def method(of: LastAgainstOthers) -> str:
    """How last queries were compared, for a methods section; empty where none were."""
    return METHOD.format(of.top) if of.differences else ""


def headline(order: QueryOrder) -> str:
    """The page's first line: last queries less others within sessions, or else at a rank.

    At a rank, of which there is no interval, no direction is said.
    """
    if not order.nonempty_curves:
        if any(curve.undefined for curve in order.curves):
            return NO_IDEAL
        if order.drawn.several and order.single:
            return ALONE
        return wording.why_none("query on a judged topic", order.without_judgments)
    if order.paired and order.paired.differences:
        unit = "" if order.drawn.discounted or order.drawn.shares else ", in DCG"
        figure = f"; figure{unit}: {_gap_list(order.gaps)}" if order.gaps else ""
        return last_query_headline(order.paired, figure)
    queries = f"{order.curves[0].group} queries"
    if not order.gaps:
        both = f"no system has both {queries} and others on judged topics"
        return f"There is nothing to compare: {both}."
    apart = _gap_list(order.gaps) + " nDCG" * order.drawn.shares
    return f"{wording.capital(queries)} against the others at rank {order.reading_rank}: {apart}."


def figure_notes(order: QueryOrder) -> str:
    """How far the curves run, and what is left out."""
    undefined, drops = sum(curve.undefined for curve in order.curves), order.drawn.several
    alone = f" One-query sessions count as {order.curves[0].group} queries ({order.single:,})."
    alone = alone if order.single and not drops else ""
    single = order.single * drops, "session", "with one query"
    no_ideal = undefined, "query", "whose ideal list gains nothing"
    left = wording.left_out(order.without_judgments, single, no_ideal)
    depth = wording.counted(order.drawn.depth, "rank")
    within = f" The comparison is within sessions; the figure is read at rank {order.reading_rank}."
    within = within if order.paired and order.paired.differences else ""
    return f"Curves follow whole lists to at most {depth}, whatever Top X is.{within}{alone}{left}"


def cautions(order: QueryOrder) -> list[str]:
    """Plain sentences where a reader could be misled."""
    curves, paired = order.nonempty_curves, order.paired
    few = sum(curve.queries < THIN for curve in curves)
    told = [
        wording.withheld_note(order.withheld),
        CHOSEN if all(curve.group != "last" for curve in order.curves) else "",
        (CAVEAT if paired.differences else f"{wording.capital(NONE)}.") if paired else "",
        f"Curves based on fewer than {THIN} queries: {few} of {len(curves)}." if few else "",
        *(wording.missing_interval_note([(c.mean, c.low) for c in curves]) if order.bands else []),
    ]
    return [*filter(None, told)]
