"""Definitions side by side in words: which systems each puts first, and how far they agree."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sdcg_explorer.questions.compare_systems.measures import MainMeasures
from sdcg_explorer.questions.compare_systems.words import put_first
from sdcg_explorer.questions.session_curves.words import axis_ends
from sdcg_explorer.questions.side_by_side.numbers import Order, SideBySide, Under, ordered
from sdcg_explorer.questions.wording import (
    NAMED,
    NO_INTERVAL_OF_MEANS,
    counted,
    enumerated,
    fitting,
    left_out,
    none_left,
    share,
)
from sdcg_explorer.scoring.definition import DEFAULT


def answer(shown: SideBySide, others: MainMeasures | None = None) -> str:
    """The page's first line: whom definitions put first, and whom the other main measures."""
    ranked = [under for under in shown.each if under.ranked]
    if not ranked:
        what = "session with a share of an ideal"
        return none_left(what, shown.without_judgments, shown.undefined, unit="nsDCG")
    said = _order(ranked)
    firsts = {under.first for under in ranked}
    if others is None or not others.firsts or max(len(under.ranked) for under in ranked) < 2:
        return f"{said}."
    here = ranked[0].order[0] if len(firsts) == 1 else ()
    forms = [f"{said}; {turned}." for turned in put_first(others, here)]
    alike = f"{said}; all {len(others.firsts)} other measures agree."
    return fitting(*(forms or [alike]), f"{said}.")


def _order(ranked: list[Under]) -> str:
    if all(len(under.ranked) == 1 for under in ranked):
        return "With one system there is no order to compare: show a second, or bring its log"
    if len(ranked) == 1:
        return f"The one definition shown puts {ranked[0].first} first"
    every = "Both" if len(ranked) == 2 else f"All {len(ranked)}"
    firsts, orders = {under.first for under in ranked}, {under.order for under in ranked}
    if len(orders) == 1:
        return f"{every} definitions {_ranked_so(*orders)}"
    if len(firsts) == 1:
        rest = "but order the rest in several ways"
        return f"{every} definitions put {ranked[0].first} first, {rest}"
    if max(len(firsts), len(ranked[0].ranked) - 1) > 2:
        return f"The definitions disagree: {_firsts(ranked)}"
    told = [
        f"{first} first under {enumerated([u.name for u in ranked if u.first == first])}"
        for first in sorted(firsts)
    ]
    return f"The definitions disagree: {', '.join(told)}"


def _firsts(ranked: list[Under]) -> str:
    """Who comes first under most definitions, and how many others under one."""
    each = Counter(under.first for under in ranked)
    (first, most), *others = each.most_common()
    under = "none more often than another"
    if most > others[0][1]:
        under = f"{first} under {most} of {len(ranked)}"
    return f"{counted(len(each), 'system')} come first under one or another, {under}"


def _agreement(shown: SideBySide) -> str:
    """How far sessions stand in one order."""
    values = shown.correlations().drop(columns="definition").to_numpy(dtype=float)
    pairs = values[np.triu_indices(len(shown.each), 1)]
    pairs = pairs[~np.isnan(pairs)]
    if not pairs.size:
        return " No rank correlation of sessions is defined."
    low, high = share(float(pairs.min())), share(float(pairs.max()))
    return f" Sessions correlate {low if low == high else f'{low} to {high}'} in rank."


def _ranked_so(order: Order) -> str:
    """An order in words: all of it, or its ends."""
    if [len(group) for group in order] == [1, 1]:
        return f"put {order[0][0]} first"
    systems = sum(map(len, order))
    if len(order) == 1:
        every = f"all {systems:,} systems" if systems > NAMED else enumerated(order[0])
        return f"rank {every} equal"
    if systems <= NAMED:
        return f"put {' and '.join(order[0])} first, then {ordered(order[1:])}"
    top, *_, last = (group[0] if len(group) == 1 else f"{len(group)} systems" for group in order)
    between = systems - len(order[0]) - len(order[-1])
    return f"put {top} first and {last} last, with one order of the {between:,} between"


def behind(shown: SideBySide, *, every: bool = False) -> str:
    """What stands behind the pictures, to the last query or while enough sessions run."""
    means = shown.in_force.means if shown.in_force else ()
    counts = "; ".join(f"{m.system}: {counted(m.sessions, 'session')}" for m in means)
    cut = "" if every else axis_ends(shown.each[0].curves)
    left = left_out(shown.without_judgments)
    return f"{counts}. Each small figure has a scale of its own.{_agreement(shown)}{cut}{left}"


def advice(shown: SideBySide, length: int | None = None) -> list[str]:
    """Plain sentences where a reader could be misled, of what axes to so many queries show."""
    named = {  # those of which something is said
        "The 95 % interval of the difference between the two highest systems holds 0 under {}: "
        "their order there may be chance.": [u.name for u in shown.each if u.unsure],
        "Sessions above 1 under {}: repeats count there, and not in the ideal.": [
            f"{u.name} ({u.above_one:,})" for u in shown.each if u.above_one
        ],
        "Nothing gains under {}, so no share of an ideal is defined there.": [
            u.name for u in shown.each if not u.ranked
        ],
    }
    means = [mean for under in shown.each for mean in under.means]
    return [
        *(said.format(enumerated(names)) for said, names in named.items() if names),
        *([NO_INTERVAL_OF_MEANS] if any(m.sessions and np.isnan(m.low) for m in means) else []),
    ]


def differs(under: Under) -> str:
    """What a definition does otherwise than ECIR 2008."""
    return under.definition.instead_of(DEFAULT) or "as the paper counts"
