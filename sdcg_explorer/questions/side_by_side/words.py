"""Definitions side by side in words: which systems each puts first, and how far they agree."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sdcg_explorer.questions import wording
from sdcg_explorer.questions.compare_systems.words import other_leaders
from sdcg_explorer.questions.session_curves.words import axis_end_sentence
from sdcg_explorer.questions.side_by_side import numbers
from sdcg_explorer.scoring import definition, measures

ORDER = (
    " Systems are ordered by plain means, not adjusted for topics; a lead is clear where Compare "
    "systems calls it so by default."
)
RATIO = " The current definition divides mean gain by mean ideal; Compare systems averages shares."


def headline(shown: numbers.SideBySide, others: Mapping[str, Sequence[str]] | None = None) -> str:
    """The page's first line: whom definitions put first, and whom the other main measures."""
    ranked = [under for under in shown.definitions if under.ranked]
    if not ranked:
        what = "session with a share of an ideal"
        return wording.why_none(what, shown.without_judgments, shown.undefined, unit="nsDCG")
    if all(len(under.ranked) == 1 for under in ranked):
        only = "Only one system is shown, so there is no order to compare."
        return f"{only} Show another one, or add its log."
    by_first: dict[tuple[str, ...], list[numbers.Under]] = {}
    for under in ranked:
        by_first.setdefault(under.order[0], []).append(under)
    number = len(shown.definitions)
    each = [
        f"{'all' if len(group) == number > 1 else len(group)} "
        f"{wording.plural(len(group), 'puts', 'put')} {wording.enumerated(first)} "
        f"{'equal ' * (len(first) > 1)}first{_clear_leads(group)}"
        for first, group in sorted(by_first.items(), key=lambda pair: -len(pair[1]))
    ]
    is_one, orders = len(each) == 1, {under.order for under in ranked}
    rest = ", but the order differs further down" * (is_one and len(orders) > 1)
    said = f"Of {number:,} definitions, {', '.join(each)}{rest}"
    if number == 1:
        said = f"This definition {each[0].removeprefix('1 ')}"
    here = ranked[0].order[0] if is_one else ()
    turned = other_leaders(others or {}, here)
    if others and all({*first} == {*here} for first in others.values()):
        turned = [f"{wording.all_of(len(others))} other measures agree"]
    brief = [] if is_one else ["The definitions disagree on which system comes first."]
    return wording.first_fit(*(f"{said}; {put}." for put in turned), f"{said}.", *brief)


def _clear_leads(group: list[numbers.Under]) -> str:
    """Under how many of the definitions that allow to say so the lead is clear."""
    told = [under.is_clear for under in group if under.is_clear is not None]
    if len(told) == 1:
        return " (clearly)" if told[0] else " (not clearly)"
    return f" ({sum(told) or 'none'} clearly)" if told else ""


def _rank_correlation_sentence(shown: numbers.SideBySide) -> str:
    """How far definitions rank sessions alike."""
    found = shown.rank_correlations()
    if not found.size:
        return ""
    ends = " to ".join(dict.fromkeys(map(wording.signed, (found.min(), found.max()))))
    return f" Rank correlations of sessions between definitions: {ends}."


def figure_notes(shown: numbers.SideBySide, *, every: bool = False) -> str:
    """What stands behind the pictures, to the last query or while enough sessions run."""
    cut = "" if every else axis_end_sentence(shown.definitions[0].curves)
    left = wording.left_out(shown.without_judgments)
    first = shown.definitions[0]  # the only one that may be a ratio of means
    is_ratio = first.measure == "normalised" and first.definition.average == "ratio-of-means"
    order = (ORDER + RATIO * is_ratio) * (len(first.means) > 1)
    return f"Each figure has its own scale.{order}{_rank_correlation_sentence(shown)}{cut}{left}"


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


ONE_SYSTEM = "One system alone: measures can differ in the order of its sessions, not of systems."
NONE_APART = "Both measures rank the sessions alike."


def measures_shown_note(asked: int, most: int) -> str:
    """How many of the measures that were asked for are shown.

    >>> measures_shown_note(45, 30)
    '45 are asked for, the first 30 are shown: choose fewer.'
    """
    return f"{asked} are asked for, the first {most} are shown: choose fewer."


def compare_measures_headline(of: numbers.MeasureComparison) -> str:
    """Which measures order systems differently from the first."""
    first, *others = map(numbers.entry_name, of.entries)
    if max(map(len, of.means)) < 2:
        return ONE_SYSTEM
    if not others:
        return f"Choose another measure to compare with {first}."
    names = [
        name
        for name, means in zip(others, of.means[1:], strict=True)
        if np.ptp(numbers.system_pair_signs(of.means[0], means), axis=1).any()
    ]
    which = f" ({wording.enumerated(names)})" if names else ""
    said = f"Measures that order systems differently from {first}"
    return f"{said}: {len(names)} of {len(others)}{which}."


def apart(row: dict[Any, Any], first: str, other: str) -> str:
    """A session that two measures judge differently.

    >>> apart({"session": "s1", "system": "A", "first": 0.9, "other": 0.2}, "final", "rbp")
    's1, A: percentile 90 by final, 20 by rbp'
    """
    places = f"{100 * row['first']:.0f} by {first}, {100 * row['other']:.0f} by {other}"
    return f"{row['session']}, {row['system']}: percentile {places}"
