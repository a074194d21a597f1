"""A difference for topics like those of the study in words: the crossed mixed model."""

from __future__ import annotations

import math

from sdcg_explorer.analysis.statistics.crossed_model import FEW_LEVELS, Crossed
from sdcg_explorer.questions.words.wording import counted, enumerated, p_value, plural, short

TOPICS_ARE_HELP = {
    "fixed": "What is said holds for the topics of this study, and nothing is claimed of others.",
    "sample": "Topics count as drawn from many, as searchers do: it holds for more, less surely.",
}
OF = {
    "searcher": "searchers' means",
    "searcher_by_system": "searchers' own differences",
    "topic": "topics' means",
    "topic_by_system": "topics' own differences",
}


def remark(of: Crossed) -> str:
    """Parts that are left out or 0, and why; or why there is no model."""
    if of.reason:
        return f"No model: {of.reason}."
    said = [f"{OF[part]} ({why})" for part, why in of.untold]
    left = f"Left out, as the design can't tell {{}} from the rest: {'; '.join(said)}."
    remarks = [left.format(plural(len(said), "it", "them"))] if said else []
    if flat := [OF[part] for part in OF if getattr(of.variances, part) == 0]:
        flat_words = "Estimated as 0, as chance alone would spread them as far"
        remarks.append(f"{flat_words}: {enumerated(flat)}.")
    return " ".join(remarks)


def said(of: Crossed, names: tuple[str, str]) -> list[str]:
    """What was fitted and found, for whom it speaks, what varied, and what can't be told."""
    if of.reason:
        return [remark(of)]
    test = f"t with {short(of.df)} degrees of freedom, {p_value(of.p)}"
    interval = f"95 % interval {short(of.low)} to {short(of.high)}; {test}"
    spread = ", ".join(
        f"{words} {short(math.sqrt(getattr(of.variances, part)))}"
        for part, words in {**OF, "rest": "rest"}.items()
        if getattr(of.variances, part) >= 0
    )
    sentences = [
        "Crossed mixed model (searchers and topics random, also in their differences; REML): "
        f"{names[1]} − {names[0]} = {short(of.effect)} ({interval}).",
        *_of_whom(of),
        f"Standard deviations: {spread}.",
        remark(of),
    ]
    return [*filter(None, sentences)]


def _of_whom(of: Crossed) -> list[str]:
    """For which searchers and topics it speaks, and whether these are too few to."""
    who = counted(of.searchers, "searcher" if of.is_named else "session")
    rests = "It rests on {}: so few can't speak for others."
    if of.topics < FEW_LEVELS:
        also = [f"Nor can so few as {who}."] if of.searchers < FEW_LEVELS else []
        return [rests.format(counted(of.topics, "topic")), *also]
    speaks = f"It speaks for searchers and topics like these: {who}, {counted(of.topics, 'topic')}."
    return [speaks, *([rests.format(who)] if of.searchers < FEW_LEVELS else [])]
