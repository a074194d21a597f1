"""Would another measure say otherwise, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from sdcg_explorer.analysis.systems.measures_beside import (
    MainMeasures,
    MeasuresBeside,
    RankedApart,
    entry_name,
)
from sdcg_explorer.questions.words.two_systems import ahead_behind
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


def put_first(of: MainMeasures, here: Collection[str]) -> list[str]:
    """How many measures put another system first, and which, then briefly; empty where none does.

    here : the systems that are first without them, if any are

    >>> firsts = {"final": {"A": 2.0, "B": 1.0}, "rbp": {"A": 0.2, "B": 0.3}, "err": {"A": 1.0}}
    >>> put_first(MainMeasures(firsts, {}), ["A"])[1:]
    ['1 of 2 other measures puts B first', '1 of 2 other measures puts another system first']
    """
    number = len(of.firsts)
    turned = [first for first in of.firsts.values() if not {*first} & {*here}]
    others = Counter(map(enumerated, turned)).most_common()
    if not others:
        return []
    (first, most), *rest = others

    def put(times: int, whom: str) -> str:
        many = f"all {number}" if times == number else f"{times} of {number}"
        return f"{many} other measures {'puts' if times == 1 < number else 'put'} {whom} first"

    named = [f"{times} {name}" for name, times in rest]
    if len(rest) > 1:
        named = [f"{sum(times for _, times in rest)} others"]
    lead = put(most, first)
    brief = [put(sum(times for _, times in others), "another system")] if here else []
    return [", ".join([lead, *named]), lead, *brief]


def otherwise(of: MainMeasures, here: Collection[str], own: Mapping[tuple[str, str], bool]) -> str:
    """Which measures reverse an answer: who is first, and who is ahead of whom; empty if none.

    here : the systems that are first without them · own : who is ahead of whom, and whether
    clearly. What is not clear is reversed by a difference whose interval excludes 0.
    """
    first_by: dict[tuple[str, ...], list[str]] = {}
    for score, first in of.firsts.items():
        if not {*first} & {*here}:
            first_by.setdefault(first, []).append(score)
    ahead_by: dict[tuple[str, str], list[str]] = {}
    for score, pairs in of.pairs.items():
        for pair in pairs:
            ahead, behind = ahead_behind(pair)
            turned = bool(pair.difference) and (behind, ahead) in own
            is_sure = pair.low > 0 or pair.high < 0
            if turned and (is_sure or own[behind, ahead]):
                ahead_by.setdefault((ahead, behind), []).append(f"{score}{'*' * is_sure}")
    parts = [
        f"{enumerated(first)} {'is' if len(first) == 1 else 'are'} first by {enumerated(by)}"
        for first, by in first_by.items()
    ]
    parts += [f"{a} is ahead of {b} by {enumerated(by)}" for (a, b), by in ahead_by.items()]
    if not parts:
        return ""
    sure = any(name.endswith("*") for by in ahead_by.values() for name in by)
    star = " (* its 95 % interval excludes 0)" if sure else ""
    return f"Other measures say otherwise: {'; '.join(parts)}{star}."


def door(of: RankedApart, first: str, other: str) -> str:
    """A session that two measures judge differently.

    >>> door(RankedApart("s1", "A", 0.9, 0.2), "final", "rbp")
    's1, A: above .90 of sessions by final, above .20 by rbp'
    """
    by = f"above {share(of.first)} of sessions by {first}, above {share(of.other)} by {other}"
    return f"{of.session}, {of.system}: {by}"
