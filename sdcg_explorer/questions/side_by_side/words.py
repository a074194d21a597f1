"""Definitions side by side in words: which systems each puts first, and how far they agree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from sdcg_explorer.questions.compare_systems.words import other_leaders
from sdcg_explorer.questions.session_curves.words import axis_end_sentence
from sdcg_explorer.questions.side_by_side import numbers
from sdcg_explorer.questions.wording import (
    NAMED,
    NO_INTERVAL_OF_MEANS,
    all_of,
    capital,
    counted,
    enumerated,
    first_fit,
    left_out,
    plural,
    signed,
    why_none,
)
from sdcg_explorer.scoring import definition, measures

PLAIN = " Systems are ordered by plain means, not adjusted for topics"
CLEAR = "; a lead is clear where Compare systems, with topics fixed, calls it so"
RATIO = " The current definition divides mean gain by mean ideal; Compare systems averages shares."
ALIKE = 0.9  # a rank correlation from which on sessions are said to be ranked alike


def headline(shown: numbers.SideBySide, others: Mapping[str, Sequence[str]] | None = None) -> str:
    """The page's first line: whom definitions put first, and whom the other main measures."""
    ranked = [under for under in shown.definitions if under.ranked]
    if not ranked:
        what = "session with a share of an ideal"
        return why_none(what, shown.without_judgments, shown.undefined, unit="nsDCG")
    said = _system_order_sentence(ranked, len(shown.definitions))
    firsts = {*map(_first_of, ranked)}
    if not others or max(len(under.ranked) for under in ranked) < 2:
        return f"{said}."
    here = ranked[0].order[0] if len(firsts) == 1 else ()
    forms = other_leaders(others, here)
    if not forms and all({*first} == {*here} for first in others.values()):
        put = f"put {enumerated(here)} first" if len(here) == 1 else "do"
        forms = [f"{all_of(len(others))} other measures {put}, too"]
    return first_fit(*(f"{said}; {turned}." for turned in forms), f"{said}.")


def _first_of(under: numbers.Under) -> str:
    """The systems with the highest mean."""
    return enumerated(under.order[0]) if under.order else ""


def _system_order_sentence(ranked: list[numbers.Under], shown: int) -> str:
    """How definitions order systems; those `shown` may have some that are undefined."""
    if all(len(under.ranked) == 1 for under in ranked):
        only = "Only one system is shown, so there is no order to compare."
        return f"{only} Show another one, or add its log"
    if len(ranked) == 1:
        one = "shown" if shown == 1 else f"of {shown} that is defined"
        return f"The one definition {one} puts {_first_of(ranked[0])} first{_clear_leads(ranked)}"
    every = capital(all_of(len(ranked)))
    every = every if len(ranked) == shown else f"{len(ranked)} of {shown}"
    firsts, orders = {*map(_first_of, ranked)}, {under.order for under in ranked}
    if len(orders) == 1:
        return f"{every} definitions {_order_in_words(*orders, clearly=_clear_leads(ranked))}"
    if len(firsts) == 1:
        (first,) = firsts
        rest = ", but disagree on the rest" * (max(len(under.ranked) for under in ranked) > 2)
        return f"{every} definitions put {first} first{_clear_leads(ranked)}{rest}"
    by_first = {first: [u for u in ranked if _first_of(u) == first] for first in sorted(firsts)}
    told = "; ".join(
        f"{first} first under {enumerated([under.name_in_sentence for under in some])}"
        for first, some in by_first.items()
    )
    counts = _first_place_counts_text([under.order[0] for under in ranked])
    is_long = max(len(firsts), len(ranked[0].ranked) - 1) > 2
    return f"The definitions disagree: {counts if is_long else told}"


def _clear_leads(ranked: list[numbers.Under]) -> str:
    """Under how many of the definitions the lead is clear, where it has an interval and is one."""
    clear = sum(under.is_clear for under in ranked)
    if any(len(under.order[0]) > 1 for under in ranked):
        return ""
    if not all(under.has_lead_interval for under in ranked):
        return "" if any(under.has_lead_interval for under in ranked) else " (no intervals)"
    if len(ranked) == 1:
        return "" if clear else " (not clearly)"
    if len(ranked) == 2 and clear != 1:
        return " (both clearly)" if clear else " (neither clearly)"
    number = "all" if clear == len(ranked) else {0: "none", 1: "one"}.get(clear, clear)
    return f" ({number} of them clearly)"


def _first_place_counts_text(ranked: Sequence[Sequence[str]]) -> str:
    """Who comes first under most definitions, and how many others under one.

    ranked : who comes first under each, several where they tie

    >>> _first_place_counts_text([["A"], ["B"], ["A"], ["C"], ["C"]]).partition(", ")[2]
    'A and C most often (2 of 5 each)'
    >>> _first_place_counts_text([["A", "B"], ["C"], ["D"]])
    '4 systems come first under at least one, none more often than the others'
    """
    each = Counter(chain.from_iterable(ranked))
    most = max(each.values())
    firsts = [name for name, times in each.items() if times == most]
    how = "none more often than the others"
    if len(firsts) < len(each):
        times = f"{most} of {len(ranked)}{' each' * (len(firsts) > 1)}"
        how = f"{enumerated(firsts)} most often ({times})"
    return f"{counted(len(each), 'system')} come first under at least one, {how}"


def _rank_correlation_sentence(shown: numbers.SideBySide) -> str:
    """How far sessions stand in one order."""
    values = shown.rank_correlations().drop(columns="definition").to_numpy(dtype=float)
    pairs = values[np.triu_indices(len(shown.definitions), 1)]
    pairs = pairs[~np.isnan(pairs)]
    if not pairs.size:
        return ""
    range_ = " to ".join(dict.fromkeys(map(signed, (pairs.min(), pairs.max()))))
    if pairs.min() >= ALIKE:
        what = plural(pairs.size, "correlation", "correlations")
        return f" The definitions rank sessions alike (rank {what} {range_})."
    return f" Rank correlations of sessions between definitions: {range_}."


def _order_in_words(order: numbers.Order, *, clearly: str) -> str:
    """An order in words: all of it, or its ends; `clearly` is said of the first."""
    if [len(group) for group in order] == [1, 1]:
        return f"put {order[0][0]} first{clearly}"
    systems = sum(map(len, order))
    if len(order) == 1:
        every = f"all {systems:,} systems" if systems > NAMED else enumerated(order[0])
        return f"rank {every} as equal"
    if systems <= NAMED:
        rest = enumerated([name for group in order[1:] for name in group])
        tied = " (tied)" * (len(order[-1]) > 1)
        return f"put {enumerated(order[0])} first{clearly}, then {rest}{tied}"
    top, *_, last = (group[0] if len(group) == 1 else f"{len(group)} systems" for group in order)
    between = systems - len(order[0]) - len(order[-1])
    agree = f", and agree on the {between:,} between" * (between > 0)
    return f"put {top} first{clearly} and {last} last{agree}"


def figure_notes(shown: numbers.SideBySide, *, every: bool = False) -> str:
    """What stands behind the pictures, to the last query or while enough sessions run."""
    cut = "" if every else axis_end_sentence(shown.definitions[0].curves)
    left = left_out(shown.without_judgments)
    first = shown.definitions[0]  # the only one that may be a ratio of means
    is_ratio = first.measure == "normalised" and first.definition.average == "ratio-of-means"
    plain = f"{PLAIN}{CLEAR * any(under.is_clear for under in shown.definitions)}."
    order = (plain + RATIO * is_ratio) * (len(first.means) > 1)
    return f"Each figure has its own scale.{order}{_rank_correlation_sentence(shown)}{cut}{left}"


def cautions(shown: numbers.SideBySide) -> list[str]:
    """Plain sentences where a reader could be misled."""
    ranked = [under for under in shown.definitions if under.ranked]
    unclear = [
        under.name_in_sentence for under in ranked if under.has_lead_interval and not under.differ
    ]
    if len(unclear) == len(ranked):  # the first line says so, where they agree on who is first
        is_level = all(len(under.order) == 1 for under in ranked)
        is_told = is_level or (len({*map(_first_of, ranked)}) == 1 and _clear_leads(ranked))
        unclear = [] if is_told or not ranked else ["any of them"]
    above = [
        f"{of.name_in_sentence} ({of.above_one:,})" for of in shown.definitions if of.above_one
    ]
    top = "top two " * any(len(under.ranked) > 2 for under in ranked)
    named = {  # those of which something is said
        f"The {top}systems don't differ clearly under {{}}.": unclear,
        "Sessions exceed 1 under {}: repeats count there but not in the ideal.": above,
        "Under {} ideals gain nothing, so shares are undefined.": [
            under.name_in_sentence for under in shown.definitions if not under.ranked
        ],
    }
    lacking = any(np.isnan(mean.low) for under in ranked for mean in under.ranked)
    told = [said.format(enumerated(names)) for said, names in named.items() if names]
    return [*told, *[NO_INTERVAL_OF_MEANS] * lacking]


def title_of_means(shown: numbers.SideBySide) -> str:
    """Of which score the means are."""
    return f"Mean {measures.SESSION_SCORES[shown.definitions[0].score].words}"


def changes_text(d: definition.Definition) -> str:
    """What a definition does otherwise than ECIR 2008, in the words of its choices."""
    said = {
        "weights": f"{d.weights if isinstance(d.weights, str) else 'own'} gains",
        "b": f"b = {d.b:g}".replace("inf", "∞"),
        "bq": f"bq = {d.bq:g}".replace("inf", "∞"),
        "top": f"top {d.top}",
        "discount": f"{d.discount} discount",
        "grades": {"behaviour": "gains from clicks"}.get(d.grades, ""),
    }
    fields = [words.replace(" ", "_") for words in d.changed_fields(definition.DEFAULT)]
    clauses = [said.get(name) or d.clause(name) for name in fields]
    return "; ".join(clause for clause in clauses if clause) or "as in the paper"


NOT_BOTH = (
    "The two can't be compared: one is undefined, or the same for every session that has both."
)
ONE_SYSTEM = "One system alone: measures can differ in the order of its sessions, not of systems."


def none_apart_note(tau: float) -> str:
    """Why no session is judged differently by two measures, by their Kendall's τ-b."""
    return NOT_BOTH if np.isnan(tau) else "Both order all sessions alike."


def measures_shown_note(asked: int, most: int) -> str:
    """How many of the measures that were asked for are shown.

    >>> measures_shown_note(45, 30)
    '45 are asked for, the first 30 are shown: choose fewer.'
    """
    return f"{asked} are asked for, the first {most} are shown: choose fewer."


def compare_measures_headline(of: numbers.MeasureComparison) -> str:
    """Which measures order systems otherwise than the first, and which have no value."""
    table = of.table.assign(score=[*map(numbers.entry_name, of.entries)])
    lacking = [str(name) for name in table["score"][table["sessions"] == 0]]
    without = f" Undefined here: {enumerated(lacking)}." if lacking else ""
    if max(map(len, of.means)) < 2:
        return f"{ONE_SYSTEM}{without}"
    first, others = str(table["score"].iloc[0]), table.iloc[1:].dropna(subset="swapped")
    if not len(others):
        return f"No measure can be set beside {first}.{without}"
    signs = {i: numbers.system_pair_signs(of.means[0], of.means[i]) for i in others.index}
    names = [str(others["score"][i]) for i in signs if np.ptp(signs[i], axis=1).any()]
    if not names:
        how = f"as {first} does: {table['order'].iloc[0]}"
        every = capital(all_of(len(others) + 1))
        return f"{every} measures order the systems {how}.{without}"
    orders = plural(len(names), "orders", "order")
    return f"{enumerated(names)} {orders} systems otherwise than {first}.{without}"


def apart(row: dict[Any, Any], first: str, other: str) -> str:
    """A session that two measures judge differently.

    >>> apart({"session": "s1", "system": "A", "first": 0.9, "other": 0.2}, "final", "rbp")
    's1, A: percentile 90 by final, 20 by rbp'
    """
    places = f"{100 * row['first']:.0f} by {first}, {100 * row['other']:.0f} by {other}"
    return f"{row['session']}, {row['system']}: percentile {places}"
