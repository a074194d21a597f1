"""What unjudged documents leave open of a difference, in words: whether who is ahead could turn."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.sessions.registry import SHARES
from sdcg_explorer.analysis.sessions.residuals import CONDENSED, NOT_LINEAR, NOT_RISING, SEARCHERS
from sdcg_explorer.analysis.systems.left_open import SAMPLED, UNTOLD, LeftOpen
from sdcg_explorer.questions.words.wording import counted, plural, short

WHY = {
    CONDENSED: "Unjudged results are taken out (condense): what would stand in their places, were "
    "they judged, is not known, so that no range can be given.",
    SEARCHERS: "Grades are the searchers' own, one at each appearance: no judgment of a document "
    "takes their place, so that unjudged results have no range.",
    NOT_RISING: "What unjudged results leave open is given of scores that grow with each gain, "
    "what they are a share of being held: not of this one.",
    NOT_LINEAR: "What unjudged results leave open of the difference is not given for this score, "
    "to which gains do not add up; `sdcg score --residuals` has its range by session.",
    SAMPLED: "What unjudged results leave open is not given where topics are a sample: the model "
    "weighs sessions by what they score.",
    UNTOLD: "",
}
NONE = "Every result that counts in these sessions is judged: the judgments leave nothing open."
RANGE = (
    "This is a range of the judgments, not of the sample: it is no interval, and widens none. A "
    "document that both systems show moves both at once; ideals, and what sessions weigh, are held."
)
BEYOND = (
    "Shares pass 1 at these ends, for ideals are held as judged while each unjudged document may "
    "be worth the highest gain."
)
METHOD = (
    "Unjudged results counted 0. Ranges of differences say between which ends they lie, were each "
    "unjudged document worth anything from 0 to the highest gain, ideals and the model's weights "
    "of sessions held; they are no intervals."
)
FIRST = 10  # documents whose part of the range is said


def is_worth_saying(of: LeftOpen) -> bool:
    """Whether a page has anything to say of it unasked."""
    return bool(of.without and of.why != UNTOLD) or of.why == CONDENSED


def answer(of: LeftOpen) -> str:
    """Whether who is ahead stays so whatever the unjudged documents are worth."""
    if of.why:
        return WHY[of.why]
    if not of.without:
        return NONE
    pair, unjudged = of.pair, f"the {percent(of.without / of.results)} unjudged"
    apart = f"{pair.system_b} − {pair.system_a} = {short(pair.difference)} {of.unit} as judged"
    if of.lowest == of.highest:
        return f"Whatever {unjudged} are worth, the difference stays: {apart}."
    ends = f"from {short(of.lowest)} to {short(of.highest)}"
    if of.stays:
        side = "above" if pair.difference > 0 else "below"
        return f"The difference stays {side} 0 whatever {unjudged} are worth: {apart}, {ends}."
    return f"The difference could turn with what {unjudged} are worth: {apart}, {ends}."


def said(of: LeftOpen) -> list[str]:
    """The answer, what the range is not, and what to judge next."""
    if of.why or not of.without:
        return [*filter(None, [answer(of)])]
    is_beyond = of.unit in SHARES and max(-of.lowest, of.highest) > 1
    return [answer(of), RANGE, *([BEYOND] if is_beyond else []), next_ones(of)]


def next_ones(of: LeftOpen) -> str:
    """How many documents move the difference, and how much the first of them do."""
    number, moving = len(of.documents), np.abs(of.table["moves"].to_numpy(dtype=float))
    has = f"{counted(number, 'document has', 'documents have')} no judgment"
    if not moving.size:
        return f"{has}; none of them moves the difference."
    some = moving[:FIRST]
    first = "the first" if some.size == 1 else f"the first {some.size}"
    makes = plural(some.size, "makes", "make")
    part = percent(float(some.sum() / moving.sum()))
    return f"{has}, {moving.size:,} could move the difference; {first} {makes} {part} of the range."


def columns(of: LeftOpen, listed: int) -> str:
    """What the list of documents to judge next says, and how much of it stands on the page."""
    a, b = of.pair.system_a, of.pair.system_b
    number = len(of.table)
    some = f" Here the first {listed} of {number:,}; the files have all." if number > listed else ""
    return (
        f"by how much {b} − {a} would move, were the document worth the highest gain, and how many "
        f"sessions of either show it.{some} judge_next.csv, its grades filled in, joins the "
        "judgments; judge_next.qrels waits for a grade at the end of each line."
    )


def percent(share: float) -> str:
    """A share in percent; one that is not quite none, or all, is said so.

    >>> percent(0.124), percent(0.001), percent(0.999), percent(1.0)
    ('12 %', 'less than 1 %', 'over 99 %', '100 %')
    """
    whole = round(100 * share)
    if 0 < share < 1 and whole in (0, 100):
        return "less than 1 %" if whole == 0 else "over 99 %"
    return f"{whole} %"
