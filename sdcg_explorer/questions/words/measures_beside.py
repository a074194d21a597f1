"""Would another measure say otherwise, in words."""

from __future__ import annotations

from sdcg_explorer.analysis.systems.measures_beside import MeasuresBeside, RankedApart, entry_name
from sdcg_explorer.questions.words.wording import enumerated, plural, share

NONE = "One system alone: measures can differ in the order of its sessions, not of systems."
ALIKE = "Both order all sessions alike."
COLUMNS = (
    "each with its interval, in the measure's own unit; "
    "τ-b says how far sessions are ordered as by the first (95 % interval, searchers resampled, "
    "or sessions that name none); "
    "swapped is the share of pairs of systems whose means stand the other way round."
)


def no_weights(name: str) -> str:
    """Why a session is not shown with weights of its cells.

    >>> no_weights("union_recall")
    'Cells have no weights by union_recall that could be drawn over a session.'
    """
    return f"Cells have no weights by {name} that could be drawn over a session."


def too_many(asked: int, most: int) -> str:
    """How many of the measures that were asked for are shown.

    >>> too_many(45, 30)
    '45 are asked for, the first 30 are shown: choose fewer.'
    """
    return f"{asked} are asked for, the first {most} are shown: choose fewer."


def columns(of: MeasuresBeside) -> str:
    """What the table has, of which two systems."""
    pair = of.rows[0]
    if "system_a" not in pair:
        return f"No two systems are compared; {COLUMNS.partition('; ')[2]}"
    a, b = pair["system_a"], pair["system_b"]
    return f"Differences are {b} less {a}, the pair that differs most under the first, {COLUMNS}"


def answer(of: MeasuresBeside) -> str:
    """Which measures order systems otherwise than the first, and which have no value."""
    table = of.table().assign(score=[*map(entry_name, of.entries)])
    lacking = [str(name) for name in table["score"][table["sessions"] == 0]]
    without = f" Undefined here: {enumerated(lacking)}." if lacking else ""
    if max(map(len, of.means)) < 2:
        return f"{NONE}{without}"
    first, others = str(table["score"].iloc[0]), table.iloc[1:].dropna(subset="swapped")
    turned = others[others["swapped"] > 0]
    if not len(others):
        return f"No measure can be set beside {first}.{without}"
    if not len(turned):
        how = f"as {first} does: {of.rows[0]['order']}"
        return f"All {len(others) + 1} measures order the systems {how}.{without}"
    names = enumerated([str(name) for name in turned["score"]])
    order = f"{names} {plural(len(turned), 'orders', 'order')} systems otherwise than {first}."
    known = others.dropna(subset="tau")
    if not len(known):
        return f"{order}{without}"
    tau, lowest = min(zip(known["tau"], known["score"], strict=True))
    return (
        f"{order} Sessions stand most otherwise under {lowest}: τ-b {share(float(tau))}.{without}"
    )


def door(of: RankedApart, first: str, other: str) -> str:
    """A session that two measures judge differently.

    >>> door(RankedApart("s1", "A", 0.9, 0.2), "final", "rbp")
    's1, A: above .90 of sessions by final, above .20 by rbp'
    """
    by = f"above {share(of.first)} of sessions by {first}, above {share(of.other)} by {other}"
    return f"{of.session}, {of.system}: {by}"
