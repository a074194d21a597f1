"""A difference under many definitions in words: how many say what, and what moves it most."""

from __future__ import annotations

import math

from sdcg_explorer.analysis.robustness.robustness import WORDS, AllDefinitions
from sdcg_explorer.questions.words import win_counts
from sdcg_explorer.questions.words.win_counts import DEFINITIONS
from sdcg_explorer.questions.words.wording import enumerated, p_value, short

NOT_VARIED = (
    "Not varied, and as the definition in force has them: unjudged results, short lists, what "
    "follows the last query, and whose grades count."
)
SOURCES = "Simonsohn, Simmons and Nelson 2020; Steegen and others 2016"
MOVED = "Mean absolute change when a choice alone changes"


def answer(of: AllDefinitions) -> str:
    """How many definitions say what."""
    return f"{win_counts.said(of.lead, *DEFINITIONS)}."


def said(of: AllDefinitions) -> list[str]:
    """Of those that bound, the definition in force, what moves most, and what nothing moves."""
    sentences = [_now(of), *_which_move(of), NOT_VARIED]
    if of.bounded.all():
        return sentences
    at, *places = DEFINITIONS
    bounded = [f"{each} under which no share can pass 1" for each in places]
    bound = win_counts.said(of.lead.at(of.bounded), at, *bounded)
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


def method(of: AllDefinitions) -> str:
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
