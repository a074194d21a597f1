"""Who is ahead at many points, or under many definitions, in a sentence."""

from __future__ import annotations

import math

import numpy as np

from sdcg_explorer.metrics.arrays import Bools
from sdcg_explorer.questions.compare_systems.words import is_by_topic, too_few
from sdcg_explorer.questions.robustness.numbers import WORDS, AllDefinitions, Lead, Robustness
from sdcg_explorer.questions.wording import (
    counted,
    enumerated,
    fitting,
    left_out,
    no_score,
    p_value,
    share,
    short,
)

POINTS = ("at", "point of b and bq", "points of b and bq")
DEFINITIONS = ("under", "definition", "definitions")


def said(of: Lead, at: str, place: str, places: str) -> str:
    """Where each of two systems is ahead, where they are equal, and where clearly.

    >>> value = np.array([0.2, 0.1, 0.3, 0.0])
    >>> said(Lead(("A", "B"), value, np.array([0.01, 0.04, 0.9, 1.0])), "at", "point", "points")
    'B is ahead at 3 of 4 points and they are equal at 1; the interval excludes 0 at 2'
    """
    who = _who(of, at, place, places)
    if not any(where.any() for _, where in of.wins):
        return who
    return f"{who}; {_clear({at: of})}"


def _who(of: Lead, at: str, place: str, places: str) -> str:
    """Where each of two systems is ahead, and where they are equal."""
    (ahead, most), behind = of.wins
    first, second = of.systems
    if np.isnan(of.value).all():
        none = "can't be told from their topics: no difference can be given"
        return f"{first} and {second} {none}"
    equal, unknown = of.value == 0, np.isnan(of.value)
    if not most.any():
        return f"{first} and {second} are equal {at} {_of(equal, place, places)}"
    over = f" of {behind[0]}" if of.pairs > 1 else ""
    parts = [f"{ahead} is ahead{over} {at} {_of(most, place, places)}"]
    others = behind, ("they are equal", equal), ("no difference is known", unknown)
    parts += [f"{words} {at} {where.sum():,}" for words, where in others if where.any()]
    return enumerated(parts)


def and_under(of: Lead, under: Lead) -> str:
    """Who is ahead at all points of b and bq, and whether so under all definitions.

    >>> points = Lead(("A", "B"), np.ones(4), np.full(4, 0.2))
    >>> and_under(points, Lead(("A", "B"), np.array([1.0, -1.0, 1.0]), np.full(3, 0.2)))
    'B is ahead at all 4 points of b and bq; A leads under 1 of 3 definitions; no interval \
excludes 0'
    """
    (ahead, most), (behind, _) = of.wins
    if not most.any():
        return f"{said(of, *POINTS)}; {said(under, *DEFINITIONS)}"
    there = dict(under.wins)
    also = f", and under {_of(there[ahead], *DEFINITIONS[1:])}"
    if there[behind].any():
        also = f"; {behind} leads under {_of(there[behind], *DEFINITIONS[1:])}"
    who = f"{_who(of, *POINTS)}{also}"
    return fitting(f"{who}; {_clear({'at': of, 'under': under})}", who)


def _clear(each: dict[str, Lead]) -> str:
    """Where intervals exclude 0; of places without any nothing."""
    known = {at: of for at, of in each.items() if not np.isnan(of.p).all()}
    if not known:
        return "there is no interval"
    several = any(of.pairs > 1 for of in known.values())
    if not any(of.clear.any() for of in known.values()):
        return "no lead is clear after Holm" if several else "no interval excludes 0"
    excludes = "the lead is clear after Holm" if several else "the interval excludes 0"
    return f"{excludes} {' and '.join(_where_clear(of, at) for at, of in known.items())}"


def _where_clear(of: Lead, at: str) -> str:
    """Where the interval excludes 0, and in whose favour if both are ahead somewhere."""
    if not of.clear.any():
        return f"{at} none"
    if not of.wins[1][1].any():
        return f"{at} {of.clear.sum():,}"
    own = [(name, int((of.clear & where).sum())) for name, where in of.wins]
    return enumerated([f"{at} {n:,} for {name}" for name, n in own if n])


def _of(where: Bools, place: str, places: str) -> str:
    number, every = int(where.sum()), where.size
    if every == 1:
        return f"{'every' if number else 'no'} {place}"
    return f"all {every:,} {places}" if number == every else f"{number:,} of {every:,} {places}"


NOT_TESTS = (
    "Neighbours on the grid are nearly the same definition: its points are no independent tests. "
    "Choose b and bq before looking, by what searchers are like, and report the map."
)
CORRECTED = (
    "Of {} pairs of systems this is one: p by t counts so often where the interval is said to "
    "exclude 0, as Holm has it on Compare systems for the pair that differs most, and stricter "
    "than there for others. Intervals are those of this pair alone."
)
BONFERRONI = " P of each point was corrected for {} pairs of systems after Bonferroni."
AS_COMPARED = "the difference and its 95 % interval by t as on Compare systems, {}"
TOPICS_FIXED = (
    "The map answers for these topics. For topics like these, Compare systems answers at one point."
)


def answer(of: Robustness, under: Lead | None = None) -> str:
    """The page's first line; `under` is who is ahead under all definitions, where known."""
    if not any(of.sessions):
        return no_score(of)
    if of.pair is None:
        return _of_one(of)
    if under is None or not of.is_known:
        return f"{said(of.lead, *POINTS)}."
    return f"{and_under(of.lead, under)}."


def _of_one(of: Robustness) -> str:
    name = of.systems[0]
    if np.isnan(of.value).all():
        return f"{name}: no session has this score at every point of the grid."
    least, most = (short(end) for end in (np.nanmin(of.value), np.nanmax(of.value)))
    text = f"{name}: the mean is between {least} and {most} {of.unit} on this grid"
    if least == most:
        text = f"{name}: the mean is {least} {of.unit} at every point of this grid"
    if not of.has_order:
        return f"{text}."
    lowest = share(float(np.nanmin(of.correlation)))
    return f"{text}; sessions keep their order with a rank correlation of at least {lowest}."


def behind(of: Robustness) -> str:
    """What stands behind the map."""
    undefined = counted(of.undefined, "session")
    left = f" Left out: {undefined} whose score is undefined." if of.undefined else ""
    grid = f"{len(of.b)} values of b times {len(of.bq)} of bq, from {of.b[0]:g} to {of.b[-1]:g}"
    how = "the mean of its sessions"
    if of.pair:
        how = AS_COMPARED.format(_topics(of))
    each = zip(of.systems, of.sessions, strict=True)
    sessions = ", ".join(f"{name}: {counted(number, 'session')}" for name, number in each)
    lacking = left_out(of.without_judgments) + left
    return f"{sessions}; {grid}, in equal ratios; at each {how}.{lacking}"


def advice(of: Robustness) -> list[str]:
    """Where a reader could be misled."""
    few = too_few(of.compared) if of.compared else []
    if of.pair is None or not of.is_known:
        return few
    corrected = [CORRECTED.format(of.pairs)] if of.pairs > 1 else []
    fixed = [TOPICS_FIXED] if of.compared and not is_by_topic(of.compared) else []
    return [*few, *corrected, NOT_TESTS, *fixed]


def _topics(of: Robustness) -> str:
    """What topics are in the comparison of two systems."""
    return "topics as units" if of.compared and is_by_topic(of.compared) else "topics fixed"


def method(of: Robustness) -> str:
    """A paragraph of a methods section."""
    what = f"{of.words} in {of.unit}"
    if of.pair:
        first, second = of.pair
        what = f"the difference {second} − {first} in {what}"
    estimator = f"with the estimator of the comparison at each, {_topics(of)}"
    if not of.pair:
        estimator = "as the mean of its sessions at each"
    return (
        f"Robustness: {what} was computed for {len(of.b)} values of b times {len(of.bq)} of "
        f"bq, {of.b[0]:g} to {of.b[-1]:g} in equal ratios, {estimator}; neighbouring points are no "
        "independent tests."
        f"{BONFERRONI.format(of.pairs) if of.pairs > 1 else ''}"
    )


def sentences(of: Robustness, under: Lead | None = None) -> str:
    """Everything in words, as `sdcg robustness` writes it."""
    lines = [answer(of, under), f"Score: {of.words} ({of.score}), in {of.unit}."]
    return "\n".join([*lines, behind(of), *advice(of)]) + "\n"


NOT_VARIED = (
    "Not varied, and as the definition in force has them: unjudged results, short lists, what "
    "follows the last query, and whose grades count."
)
SOURCES = "Simonsohn, Simmons and Nelson 2020; Steegen and others 2016"
MOVED = "Mean absolute change when a choice alone changes"


def all_definitions_answer(of: AllDefinitions) -> str:
    """How many definitions say what."""
    return f"{said(of.lead, *DEFINITIONS)}."


def all_definitions_sentences(of: AllDefinitions) -> list[str]:
    """Of those that bound, the definition in force, what moves most, and what nothing moves."""
    sentences = [_now(of), *_which_move(of), NOT_VARIED]
    if of.bounded.all():
        return sentences
    at, *places = DEFINITIONS
    bounded = [f"{each} under which no share can pass 1" for each in places]
    bound = said(of.lead.at(of.bounded), at, *bounded)
    return [f"{bound}.", *sentences]


def _now(of: AllDefinitions) -> str:
    value, low, high, p_holm = of.present
    if math.isnan(value):
        return "Under the definition in force no difference is known."
    first, second = of.systems
    ends = f"95 % interval {short(low)} to {short(high)}"
    shown = "no interval" if math.isnan(low) else ends
    holm = f"; after Holm {p_value(p_holm)}" if of.pairs > 1 else ""
    difference = f"{second} − {first} is {short(value)} {of.unit}"
    return f"Under the definition in force {difference} ({shown}{holm})."


def _which_move(of: AllDefinitions) -> list[str]:
    sentences: list[str] = []
    for name, change in [*of.moved().items()][:1]:
        moved = f"by {short(change)} {of.unit} on average when it alone changes"
        sentences = [f"What moves the difference most is {WORDS[name]}: {moved}."]
    idle = enumerated([WORDS[each] for each in of.idle]) if of.idle else ""
    return [
        *sentences,
        *([f"The difference stays the same whatever {idle} may be."] if idle else []),
    ]


def all_definitions_method(of: AllDefinitions) -> str:
    """A paragraph of a methods section."""
    varied = [f"{WORDS[name]} ({len(options)})" for name, options in of.choices.items()]
    first, second = of.systems
    what = f"{second} − {first} in {of.measure.words}"
    if not varied:
        return f"Specification curve: no choice of the definition moves {what}."
    return (
        f"Specification curve: {what} under all {of.value.size:,} combinations of "
        f"{enumerated(varied)} ({SOURCES}), with intervals as of the comparison, which are "
        "not corrected for their number."
    )
