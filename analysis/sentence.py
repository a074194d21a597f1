"""The definition in one sentence, as it stands beneath every figure."""

from __future__ import annotations

import math

from analysis.definition import Definition
from study.counts import label

IDEAL_WORDS = {
    "repeated": "each query returns its topic's best list",
    "spread": "each judged document once, the best way at every position",
}
UNJUDGED_WORDS = {
    "zero": "an unjudged result gains 0",
    "condense": "unjudged results are taken out and ranks counted anew",
}
AFTER_WORDS = {
    "hold": "after its last query a session keeps its share of the ideal",
    "ideal-continues": "after its last query a session's ideal goes on",
}
AVERAGE_WORDS = {
    "mean-of-ratios": "averages are means of the sessions' shares",
    "ratio-of-means": "averages are the mean gain over the mean ideal",
}
OTHERS_WORDS = {
    "pooled": "other queries weigh the same",
    "per-session": "other queries are averaged within their session first",
}
GRADES_WORDS = {
    "judgments": "",
    "searcher": "; grades are the searcher's own, the ideal is the judgments'",
}


def sentence(definition: Definition, labels: tuple[float, ...]) -> str:
    """Say a definition in one sentence; `labels` are the study's grades."""
    gains = definition.gains(labels)
    worth = ", ".join(f"{label(g)} → {gain:g}" for g, gain in zip(labels, gains, strict=True))
    d, scheme = definition, "own"
    if isinstance(d.weights, str):
        scheme = d.weights
    return (
        f"{d.preset}. Gain by grade ({scheme}): {worth or 'no grades'}; "
        f"{_rank_words(d)}, {_query_words(d)}; "
        f"the top {d.top} of each query count, {_short_words(d)}; "
        f"a repeat counts {'every time' if d.repeats == 'every' else 'once, at first'}; "
        f"ideal: {IDEAL_WORDS[d.ideal]}; {UNJUDGED_WORDS[d.unjudged]}; "
        f"{AFTER_WORDS[d.after_stop]}; {AVERAGE_WORDS[d.average]}; "
        f"{OTHERS_WORDS[d.others]}{GRADES_WORDS[d.grades]}."
    )


def _rank_words(d: Definition) -> str:
    if math.isinf(d.b):
        return "no discount by rank"
    b = f"{d.b:g}"
    form = {
        "ecir2008": f"1/(1 + log_{b} r)",
        "jk2002": f"1/log_{b} r from r = {b} on",
        "kanoulas2011": f"1/log_{b}(r + {d.b - 1:g})",
    }
    return f"discount by rank {form[d.discount]}"


def _query_words(d: Definition) -> str:
    if math.isinf(d.bq):
        return "none by query"
    bq = f"{d.bq:g}"
    shifted = d.discount == "kanoulas2011"
    form = f"1/log_{bq}(q + {d.bq - 1:g})" if shifted else f"1/(1 + log_{bq} q)"
    return f"by query {form}"


def _short_words(d: Definition) -> str:
    if d.short_lists == "pad":
        return "short lists padded with gain 0"
    if d.short_lists == "as-is":
        return "short lists as they are (their ideal is as short)"
    if d.short_lists == "observed":
        return "each to the deepest result clicked or examined (its ideal is as short)"
    return f"short lists padded to {d.short_lists} (their ideal is as short)"
