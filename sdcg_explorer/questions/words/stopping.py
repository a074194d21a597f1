"""When searchers stop, in words."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.curves.stopping import FEWEST, StillSearching, Stopping
from sdcg_explorer.analysis.statistics.permutation import is_clear
from sdcg_explorer.questions.words.wording import (
    counted,
    enumerated,
    interval,
    p_value,
    plural,
    share,
)


def sentence(found: Stopping) -> str:
    """When half have stopped, who goes on after the first query, and whether systems differ."""
    if not found.systems:
        return ""
    halves = enumerated([f"{of.half} with {of.system}" for of in found.systems])
    goes_on = ", ".join(map(_goes_on, found.systems))
    last = counted(found.withheld, "last query")
    more = f" The log withholds {last}, not counted here." if found.withheld else ""
    return (
        f"Half of the sessions have ended by query {halves}. After the first query still "
        f"search: {goes_on}.{_compared(found)}{more}"
    )


def _goes_on(of: StillSearching) -> str:
    """Which share goes on after the first query."""
    low, high = (edge[0] for edge in of.interval)
    return f"{share(float(of.share[0]))} with {of.system}{interval(share, low, high)}"


def _compared(found: Stopping) -> str:
    """The tests in a sentence."""
    if found.plain is None:
        return ""
    if np.isnan(found.plain.p):
        return " All sessions end after the same query."
    alone, p = f"{p_value(found.plain.p)} as if sessions were independent", found.by_searcher
    if np.isnan(p):
        return f" {_no_test(found)} (log-rank {alone}; topics pooled)."
    differ = is_clear(np.nan, np.nan, lambda: p)
    none = "No clear difference in when searchers stop"
    lead = "Searchers stop at different times" if differ else none
    robust = "by searcher" if found.names_searchers else "by session"
    over = f" over {len(found.systems)} systems" if len(found.systems) > 2 else ""
    return f" {lead} (log-rank{over} {robust} {p_value(p)}; {alone}; topics pooled)."


def _no_test(found: Stopping) -> str:
    """Why nothing is claimed of the systems."""
    few = [of.system for of in found.systems if of.units < FEWEST]
    if not few:
        return "No test by searcher: nothing varies between them"
    unit = "searcher" if found.names_searchers else "session"
    have = plural(len(few), "has", "have")
    return f"No test by searcher: {enumerated(few)} {have} fewer than {counted(FEWEST, unit)}"
