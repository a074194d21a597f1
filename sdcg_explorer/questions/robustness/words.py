"""Which system scores higher at many points, or under many definitions, in a sentence."""

import numpy as np

from sdcg_explorer.questions import wording
from sdcg_explorer.questions.compare_systems.words import has_topic_units, too_few_notes
from sdcg_explorer.questions.robustness import numbers
from sdcg_explorer.questions.robustness.numbers import AllDefinitions, Judges, Lead, Robustness
from sdcg_explorer.questions.wording import counted, enumerated, left_out, short, signed
from sdcg_explorer.scoring.base_grid import GRID
from sdcg_explorer.statistics.permutation import LEVEL

BY_T = (
    "Here, “clearly” is judged by t; at b = {:g} and bq = {:g}, the permutation test of Compare "
    "systems finds no clear difference ({})."
)
Places = tuple[str, str, str]  # preposition, what a place is called, and which
POINTS: Places = ("at", "pair", " of b and bq")
DEFINITIONS: Places = ("under", "definition", "")
BOUNDED: Places = ("under", "definition", " whose shares can't exceed 1")


def who_leads(*leads: tuple[Lead, Places]) -> str:
    """Which of two systems scores higher, and how often: at points, and under definitions.

    >>> value = np.array([0.2, 0.1, 0.3, -0.1, 0.0])
    >>> of = Lead(("A", "B"), value, np.array([0.01, 0.06, 0.9, 0.9, 1.0]))
    >>> who_leads((of, ("at", "point", "")))
    'B scores higher than A at 3 of 5 points (1 clearly); A is higher at 1; they tie at 1.'
    """
    of, (first, second) = leads[0][0], leads[0][0].systems
    if np.isnan(of.value).all():
        return f"{first} and {second} can't be compared: they were not used on the same topics."
    who = {1: f"{second} scores higher than {first}", -1: f"{first} scores higher than {second}"}
    who |= {0: f"{first} and {second} tie"}
    most = max(who, key=lambda side: int((of.sides == side).sum()))
    parts = [f"{who[most]} {enumerated([_counts(*each, most, of_all=True) for each in leads])}"]
    rest = {1: f"{second} is higher", -1: f"{first} is higher", 0: "they tie"}
    rest |= {numbers.UNKNOWN: "the difference is undefined"}
    for side in (side for side in rest if side != most):
        if where := [*filter(None, (_counts(*each, side) for each in leads))]:
            parts.append(f"{rest[side]} {enumerated(where)}")
    return wording.first_fit(f"{'; '.join(parts)}.", f"{'; '.join(parts[:3])}.")


def _counts(lead: Lead, places: Places, side: int, *, of_all: bool = False) -> str:
    """At how many places a side is ahead, and at how many clearly; of none only if `of_all`."""
    at, noun, which = places
    here = lead.sides == side
    if not (here.any() or of_all):
        return ""
    every = f" of {counted(here.size, noun)}{which}" if of_all else ""
    clearly = int((lead.clear & here).sum())
    clear = f" ({f'{clearly:,}' * (clearly > 0) or 'none'} clearly)"
    clear = clear if clearly or (of_all and side) else ""
    if of_all and np.isnan(lead.p).all():
        clear = " (no interval can be computed)"
    return f"{at} {int(here.sum()):,}{every}{clear}"


NOT_TESTS = "Neighbouring points are nearly the same definition, so they are not independent tests."
NO_BASES = "This score depends on neither b nor bq."


def headline(of: Robustness, under: Lead | None = None) -> str:
    """The page's first line; `under` is who scores higher under all definitions, where known."""
    if not any(of.sessions):
        return wording.why_no_score(of)
    if of.pair:
        definitions = [(under, DEFINITIONS)] if under and of.is_known else []
        return who_leads((of, POINTS), *definitions)
    name = of.systems[0]
    if not of.is_known:
        return f"No session with {name} has this score at any value of b and bq."
    least, most = (short(end) for end in (np.nanmin(of.value), np.nanmax(of.value)))
    if least == most:
        return f"With {name}, the mean is {least} {of.unit} for all values of b and bq."
    moves = " and ".join(of.measure.bases)
    text = f"With {name}, the mean lies between {least} and {most} {of.unit}, depending on {moves}"
    if not of.has_session_order:
        return f"{text}."
    lowest = signed(np.floor(100 * np.nanmin(of.correlation)) / 100)
    order = "lowest rank correlation of its sessions with the current definition"
    return f"{text}; {order}: {lowest}."


def map_notes(of: Robustness) -> str:
    """What stands behind the map."""
    sessions = wording.sessions_of(dict(zip(of.systems, of.sessions, strict=True)))
    left = left_out(of.without_judgments, (of.undefined, "session", "whose score is undefined"))
    return f"{sessions}{left}"


def cautions(of: Robustness) -> list[str]:
    """Where a reader could be misled."""
    few = too_few_notes(of.compared) if of.compared else []
    if of.pair is None or not of.is_known:
        return few
    own = of.compared
    if own and own.p > LEVEL and (own.low > 0 or own.high < 0):
        few = [*few, BY_T.format(*of.compared_at, wording.p_value(own.p)).replace("inf", "∞")]
    return [*few, NOT_TESTS if of.measure.bases else NO_BASES]


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
    corrected = (
        f" p was corrected for {of.pairs} pairs of systems (Bonferroni) at each point; intervals "
        "were not."
    )
    return (
        f"Robustness: {what} was computed for {len(GRID)} × {len(GRID)} pairs of b and bq, "
        f"{GRID[0]:g} to {GRID[-1]:g} in equal ratios, {estimated}; neighbouring points are not "
        f"independent tests.{corrected if of.pairs > 1 else ''}"
    )


def robustness_text(of: Robustness, under: Lead | None = None) -> str:
    """Everything in words, as `sdcg robustness` writes it."""
    lines = [headline(of, under), f"Score: {of.measure.words} ({of.score}), in {of.unit}."]
    return "\n".join([*lines, map_notes(of), *cautions(of)]) + "\n"


NOT_VARIED = (
    "Kept as in the current definition: whose grades count, unjudged results, short lists, what "
    "follows the last query."
)
MOVED = "Mean absolute change when one choice changes"


def all_definitions_headline(of: AllDefinitions) -> str:
    """Who scores higher where no share can exceed 1; the headline counts all definitions."""
    return who_leads((of, DEFINITIONS) if of.bounded.all() else (of.at(of.bounded), BOUNDED))


def all_definitions_sentences(of: AllDefinitions) -> list[str]:
    """What moves the difference most, what never does, and what was not varied."""
    undefined = "The difference is undefined under the current definition."
    name, change = next(iter(of.moved().items()), ("", 0.0))
    most = (
        f"The difference depends most on {numbers.WORDS.get(name)}: changing only that choice "
        f"moves it by {short(change)} {of.unit} on average."
    )
    idle = [numbers.WORDS[name] for name in numbers.VARIED if name not in of.choices]
    said = [undefined if np.isnan(of.present[0]) else "", most if change else ""]
    said += [f"No effect here: {enumerated(idle)}."] if idle else []
    return [*filter(None, said), NOT_VARIED]


def all_definitions_method(of: AllDefinitions) -> str:
    """A paragraph of a methods section."""
    varied = [f"{numbers.WORDS[name]} ({len(options)})" for name, options in of.choices.items()]
    first, second = of.systems
    every = f"{counted(of.value.size, 'combination')} of the choices that move it"
    under = f"{every} ({', '.join(varied)})" if varied else "one definition, as no choice moves it"
    return (
        "Specification curve (Simonsohn, Simmons and Nelson 2020; Steegen et al. 2016): "
        f"{second} − {first} in {of.measure.words} under {under}, with the comparison's intervals, "
        "not corrected for the number of definitions."
    )


def under_each_assessor(of: Judges) -> str:
    """Under whose grades each of the two systems is ahead, and how far assessors agree."""
    (a, b), own = of.systems, of.rows.iloc[1:]
    sign = np.nan_to_num(np.sign(own["difference"]), nan=numbers.UNKNOWN)
    how = {1: f"{b} scores higher than {a}", -1: f"{a} scores higher than {b}"}
    how |= {0: f"{a} and {b} tie", numbers.UNKNOWN: f"{a} and {b} can't be compared"}
    said = [
        f"{who} under {len(by)} of {len(own)} sets of grades ({enumerated(by)})."
        for side, who in how.items()
        if (by := own["grades"][sign == side].tolist())
    ]
    if of.without_gain:
        said.append(f"Left out, as a grade has no gain: {enumerated(of.without_gain)}.")
    if not np.isnan(of.alpha):
        said.append(f"Krippendorff's α (ordinal) of all: {signed(of.alpha)}.")
    return " ".join(said)
