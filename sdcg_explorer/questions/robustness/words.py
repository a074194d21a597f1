"""Which system scores higher at many points, or under many definitions, in a sentence."""

from collections.abc import Sequence

import numpy as np

from sdcg_explorer.metrics.arrays import Bools
from sdcg_explorer.questions.compare_systems.words import has_topic_units, too_few_notes
from sdcg_explorer.questions.robustness.numbers import (
    COMBINED,
    UNKNOWN,
    WORDS,
    AllDefinitions,
    Judges,
    Lead,
    Robustness,
)
from sdcg_explorer.questions.wording import (
    enumerated,
    first_fit,
    left_out,
    p_value,
    sessions_of,
    short,
    signed,
    why_no_score,
)
from sdcg_explorer.scoring.base_grid import GRID
from sdcg_explorer.statistics.permutation import LEVEL

BY_T = (
    "Here, “clearly” is judged by t; under the current definition, the permutation test of Compare "
    "systems finds no clear difference ({})."
)
Places = tuple[str, str, str]  # preposition, and what a place is called, one and several
POINTS: Places = ("at", "pair of b and bq", "pairs of b and bq")
OF_GRID = f"{len(GRID)} × {len(GRID)} pairs of b and bq"
DEFINITIONS: Places = ("under", "definition", "definitions")
BOUNDED: Places = (
    "under",
    "definition that keeps shares at or below 1",
    "definitions that keep shares at or below 1",
)


def who_leads(*leads: tuple[Lead, Places]) -> str:
    """Which of two systems scores higher, and how often: at points, and under definitions.

    >>> value = np.array([0.2, 0.1, 0.3, -0.1, 0.0])
    >>> of = Lead(("A", "B"), value, np.array([0.01, 0.06, 0.9, 0.9, 1.0]))
    >>> who_leads((of, ("at", "point", "points")))
    'B scores higher than A at 3 of 5 points (1 clearly); A is higher at 1; they tie at 1.'
    """
    (of, places), *others = leads
    first, second = of.systems
    if np.isnan(of.value).all():
        return f"{first} and {second} can't be compared: they were not used on the same topics."
    (ahead, most), (behind, _) = of.wins
    if not most.any() or 2 * int((of.value == 0).sum()) > of.value.size:
        if all((lead.value == 0).all() for lead, _ in leads):
            ties = [_share_of_places_text(lead.value == 0, at) for lead, at in leads]
            return f"{first} and {second} tie {' and '.join(ties)}."
        tie = f"{first} and {second} tie {_share_of_places_text(of.value == 0, places)}"
        higher = [f"{name} is higher {_counts(at, places, of)}" for name, at in of.wins if at.any()]
        tie = f"{'; '.join([tie, *higher])}."
        return " ".join([tie, *([who_leads(*others)] if others else [])])
    whole = [_share_of_places_text(dict(lead.wins)[ahead], at, lead) for lead, at in leads]
    who = f"{ahead} scores higher than {behind} {' and '.join(whole)}{_never_clear_note(leads)}"
    lost = [(dict(lead.wins)[behind], at, lead) for lead, at in leads]
    rest = [
        (f"{behind} is higher", [_counts(*each) for each in lost]),
        ("they tie", [_counts(lead.value == 0, at) for lead, at in leads]),
        ("the difference is undefined", [_counts(np.isnan(lead.value), at) for lead, at in leads]),
    ]
    parts = [f"{words} {enumerated([*filter(None, where)])}" for words, where in rest if any(where)]
    forms = [f"{'; '.join([who, *parts[:n]])}." for n in range(len(parts), 0, -1)]
    if where := [bare for at, places, _ in lost if (bare := _counts(at, places))]:
        forms.append(f"{who}; {behind} {enumerated(where)}.")
    return first_fit(*forms, f"{who}.")


def _share_of_places_text(at_these: Bools, places: Places, lead: Lead | None = None) -> str:
    """At how many of all places, and at how many of these clearly, if anywhere it is."""
    number, every, (at, one, several) = int(at_these.sum()), at_these.size, places
    if every == 1:
        return f"{at} {'every' if number else 'no'} {one}{_clear_places_note(at_these, lead)}"
    some = "all" if number == every else f"{number:,} of" if number else "none of"
    return f"{at} {some} {every:,} {several}{_clear_places_note(at_these, lead)}"


def _counts(at_these: Bools, places: Places, lead: Lead | None = None) -> str:
    """At how many places that were counted before; nothing of none."""
    number = int(at_these.sum())
    return f"{places[0]} {number:,}{_clear_places_note(at_these, lead)}" if number else ""


def _clear_places_note(at_these: Bools, lead: Lead | None) -> str:
    """How many of some places have a clear lead, where any at all has."""
    if lead is None or not (number := int((lead.clear & at_these).sum())):
        return ""
    return " (all clearly)" if number == at_these.sum() > 1 else f" ({number:,} clearly)"


def _never_clear_note(leads: Sequence[tuple[Lead, Places]]) -> str:
    """That no lead is clear anywhere."""
    if any(lead.clear.any() for lead, _ in leads):
        return ""
    known = any((~np.isnan(lead.p)).any() for lead, _ in leads)
    return ", but never clearly" if known else ", but no interval can be computed"


NOT_TESTS = (
    "Neighbouring points are nearly the same definition, so they are not independent tests. Choose "
    "b and bq beforehand, from what you know of the searchers, and report the map."
)
CORRECTED = "p is multiplied by {}, the number of pairs (Bonferroni); intervals are not corrected."
TOPICS_FIXED = (
    "The map holds for the topics of these sessions. To generalise to similar topics, see Compare "
    "systems (one definition)."
)


def headline(of: Robustness, under: Lead | None = None) -> str:
    """The page's first line; `under` is who scores higher under all definitions, where known."""
    if not any(of.sessions):
        return why_no_score(of)
    if of.pair is None:
        return _one_system_headline(of)
    definitions = [(under, DEFINITIONS)] if under and of.is_known else []
    return who_leads((of, POINTS), *definitions)


def _one_system_headline(of: Robustness) -> str:
    name = of.systems[0]
    if np.isnan(of.value).all():
        return f"No session with {name} has this score at any value of b and bq."
    least, most = (short(end) for end in (np.nanmin(of.value), np.nanmax(of.value)))
    text = f"With {name}, the mean lies between {least} and {most} {of.unit}, depending on b and bq"
    if least == most:
        text = f"With {name}, the mean is {least} {of.unit} whatever b and bq are"
    if not of.has_session_order:
        return f"{text}."
    lowest = float(np.nanmin(of.correlation))
    if lowest > 1 - ROUNDING:
        return f"{text}; the order of its sessions doesn't change."
    how = "hardly changes" if lowest >= ALIKE else "changes"
    bound = signed(np.floor(100 * lowest) / 100)
    with_it = f"lowest rank correlation with the current definition: {bound}"
    return f"{text}; the order of its sessions {how} ({with_it})."


ALIKE = 0.9  # a rank correlation from which an order is called alike
ROUNDING = 1e-9


def map_notes(of: Robustness) -> str:
    """What stands behind the map."""
    sessions = sessions_of(dict(zip(of.systems, of.sessions, strict=True)))
    grid = f"{OF_GRID} between {GRID[0]:g} and {GRID[-1]:g}"
    left = left_out(of.without_judgments, (of.undefined, "session", "whose score is undefined"))
    return f"{sessions} The map has {grid} (log scale).{left}"


def cautions(of: Robustness) -> list[str]:
    """Where a reader could be misled."""
    few = too_few_notes(of.compared) if of.compared else []
    if of.pair is None or not of.is_known:
        return few
    corrected = [CORRECTED.format(of.pairs)] if of.pairs > 1 else []
    fixed = [TOPICS_FIXED] if of.compared and not has_topic_units(of.compared) else []
    return [*few, *corrected, *_clear_only_by_t_note(of), NOT_TESTS, *fixed]


def _clear_only_by_t_note(of: Robustness) -> list[str]:
    """That a permutation test finds no clear difference where the map, by t, does."""
    own = of.compared
    if not own or own.by_t or not of.clear.any() or not own.p > LEVEL or own.low <= 0 <= own.high:
        return []
    return [BY_T.format(p_value(own.p))]


def method(of: Robustness) -> str:
    """A paragraph of a methods section."""
    what, estimated = of.measure.words, "as the mean of its sessions"
    what += f" ({of.unit})" * (of.unit not in what)
    if of.pair:
        first, second = of.pair
        what = f"the difference {second} − {first} in {what}"
        by_topic = of.compared and has_topic_units(of.compared)
        topics = "topics as units" if by_topic else "topics fixed"
        estimated = f"estimated as in the comparison, {topics}"
    bonferroni = f" p was corrected for {of.pairs} pairs of systems (Bonferroni) at each point."
    return (
        f"Robustness: {what} was computed for {OF_GRID}, "
        f"{GRID[0]:g} to {GRID[-1]:g} in equal ratios, {estimated}; neighbouring points are not "
        f"independent tests.{bonferroni if of.pairs > 1 else ''}"
    )


def robustness_text(of: Robustness, under: Lead | None = None) -> str:
    """Everything in words, as `sdcg robustness` writes it."""
    lines = [headline(of, under), f"Score: {of.measure.words} ({of.score}), in {of.unit}."]
    return "\n".join([*lines, map_notes(of), *cautions(of)]) + "\n"


NOT_VARIED = (
    "Kept as in the current definition: unjudged results, short lists, what follows the last "
    "query, whose grades count."
)
SOURCES = "Simonsohn, Simmons and Nelson 2020; Steegen et al. 2016"
MOVED = "Mean absolute change when one choice changes"


def all_definitions_headline(of: AllDefinitions) -> str:
    """Who scores higher where shares stay at or below 1; the headline counts all definitions."""
    return who_leads((of, DEFINITIONS) if of.bounded.all() else (of.at(of.bounded), BOUNDED))


def all_definitions_sentences(of: AllDefinitions) -> list[str]:
    """What moves the difference most, what never does, and what was not varied."""
    undefined = "The difference is undefined under the current definition."
    most = ""
    name, change = next(iter(of.moved().items()), ("", 0.0))
    if change:
        most = (
            f"The difference depends most on {WORDS[name]}: changing this alone moves it by "
            f"{short(change)} {of.unit} on average."
        )
    idle = f"No effect here: {enumerated([WORDS[name] for name in of.idle])}." if of.idle else ""
    here = undefined if np.isnan(of.present[0]) else ""
    varied = [WORDS[name] for name in of.choices]
    every = f"These definitions combine all options of {enumerated(varied)}." if varied else ""
    return [*filter(None, [here, every, most, idle]), NOT_VARIED]


def all_definitions_method(of: AllDefinitions) -> str:
    """A paragraph of a methods section."""
    varied = [f"{WORDS[name]} ({len(options)})" for name, options in of.choices.items()]
    first, second = of.systems
    what = f"{second} − {first} in {of.measure.words}"
    if not varied:
        return f"Specification curve: no choice of the definition moves {what}."
    return (
        f"Specification curve: {what} under all {of.value.size:,} combinations of "
        f"{enumerated(varied)} ({SOURCES}), with the comparison's intervals, not corrected for the "
        "number of definitions."
    )


def under_each_assessor(of: Judges) -> str:
    """Under whose grades each of the two systems is ahead, and how far assessors agree."""
    (a, b), every = of.systems, len(of.rows) - 1
    how = {1: f"{b} scores higher than {a}", -1: f"{a} scores higher than {b}"}
    how |= {0: f"{a} and {b} tie", UNKNOWN: f"{a} and {b} can't be compared"}
    sets = "" if of.without_gain else SETS
    said = [f"{how[side]} under {_under(by, every, sets)}" for side, by in of.leads.items() if by]
    alike = f"Krippendorff's α (ordinal) of all: {signed(of.alpha)}."
    lines = [
        f"{'; '.join(said)}." if said else "",
        f"Left out, as a grade has no gain: {enumerated(of.without_gain)}."
        if of.without_gain
        else "",
        "" if np.isnan(of.alpha) else alike,
    ]
    return " ".join(filter(None, lines))


SETS = ": each assessor's, the mean and the highest"


def _under(names: list[str], every: int, sets: str) -> str:
    if len(names) == every:
        return f"all {every} sets of grades{sets}"
    some = [name for name in names if name not in COMBINED]
    whose = [f"the grades of {enumerated(some)}"] if some else []
    whose += [f"the {name.removesuffix(' of all')} grades" for name in names if name in COMBINED]
    return f"{enumerated(whose)} ({len(names)} of {every})"
