"""Advice beneath every figure: where the definition in force, or the data, could mislead."""

from dataclasses import replace

import numpy as np

from sdcg_explorer.questions.wording import counted, enumerated, percent, plain, withheld_note
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.study.behaviour import is_time_to_next
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import Study

MOST_UNJUDGED, ROUNDING = 0.2, 1e-9
NOT_JUDGED = "Systems without a judged result, whose sessions gain nothing: {}."
NO_CLICKS = "Systems without a clicked result, whose sessions gain nothing: {}."

TIME_TO_NEXT = (
    "No reading time is logged: the time to the next click or query of the session stands in."
)
SHRINKING = (
    "The ideal of a short list may be as short, so a few good results can score 1. Pad short lists "
    "to avoid this."
)


def advice(study: Study, definition: Definition, filters: Filters) -> list[str]:
    """Plain sentences, each with the number behind it and the choice that removes it."""
    chosen = select(study, definition, filters)
    sample = chosen.sample
    if not sample.sessions.size:
        return []
    above, unreachable = chosen.above_one, _count_unreachable_ideals(study, chosen, filters)
    undefined = int((sample.judged & (chosen.final_ideals == 0)).sum())
    least = definition.short_lists if isinstance(definition.short_lists, int) else 0
    unknown = int((sample.queries - sample.is_judged_query.sum(axis=1))[sample.judged].sum())
    sentences = {
        gains_out_of_order(definition, study.labels): True,
        f"Sessions above 1: {above:,}. Repeats count in the session but not in the ideal: count "
        "repeats once, or let the ideal repeat.": above,
        f"Sessions that can't reach 1: {unreachable:,}. Repeats count once, but the ideal repeats "
        "its list with every query: use the spread ideal.": unreachable,
        SHRINKING: definition.short_lists in ("as-is", "observed") or 0 < least < definition.top,
        f"Sessions whose ideal gains 0: {undefined:,}. Their shares are undefined and left out of "
        # where clicks make grades, lists without one are counted below
        "means.": undefined and not definition.behaviour,
        f"Queries without a judged topic in sessions that have one: {unknown:,}. They add nothing "
        "to their sessions and are left out of comparisons of queries.": unknown,
        _advice_on_unjudged_results(study, chosen): True,
        withheld_note(study.report.withheld): True,
    }
    return [sentence for sentence, holds in sentences.items() if sentence and holds]


def gains_out_of_order(definition: Definition, labels: tuple[float, ...]) -> str:
    """Say which gains leave the grades' order, as they may (a label need not be a worth)."""
    gains = definition.gains(labels)
    low = np.flatnonzero(gains < np.maximum.accumulate(gains))
    if not low.size:
        return ""
    first = int(low[0])
    over = int(np.argmax(gains[:first]))
    each = (f"grade {label(labels[i])} gains {plain(gains[i])}" for i in (first, over))
    return f"Gains don't follow the grades: {', '.join(each)}."


def _count_unreachable_ideals(study: Study, chosen: Selection, filters: Filters) -> int:
    """(first, repeated): sessions whose topics have too few documents as good as the ideal's."""
    d = chosen.definition
    if (d.repeats, d.ideal) != ("first", "repeated") or d.behaviour:
        return 0
    spread = select(study, replace(d, ideal="spread"), filters).final_ideals
    return int((spread < chosen.final_ideals * (1 - ROUNDING)).sum())


def _advice_on_unjudged_results(study: Study, chosen: Selection) -> str:
    """Share of the logged results in the top that nobody judged; "" where counts don't tell."""
    top = chosen.definition.top
    if chosen.definition.behaviour:
        return _advice_on_unclicked_results(study, chosen)
    logged = replace(chosen.definition, unjudged="zero", short_lists="pad").arrangement
    sample = replace(chosen.sample, block=study.block(max(DEPTH, top), logged))
    results, judged = (counts.sum(axis=1) for counts in sample.shown)
    shown, unjudged = int(results.sum()), int((results - judged).sum())
    if not unjudged:
        return ""
    names = [sample.block.system_names[i] for i in sample.shown_systems]
    each = zip(names, results.tolist(), judged.tolist(), strict=True)
    silent = [name for name, of, known in each if of and not known]
    fate = "are removed" if chosen.definition.unjudged == "condense" else "gain 0"
    said = f"{percent(unjudged / shown)} of the results in the top {top} are unjudged"
    much = [f"{said}; on judged topics they {fate}."] * (unjudged / shown > MOST_UNJUDGED)
    more = [NOT_JUDGED.format(enumerated(silent))] if silent and unjudged < shown else []
    return " ".join([*much, *more])


def _advice_on_unclicked_results(study: Study, chosen: Selection) -> str:
    """What clicks leave open: results below a list's lowest click, and lists without any."""
    sample = chosen.sample
    results, seen = (counts.sum(axis=1) for counts in sample.shown)
    codes = sample.block.codes[..., : sample.top][sample.sessions, : sample.most_queries]
    has_results = (codes != sample.block.empty).any(axis=2)
    lists = (codes >= sample.block.unjudged).all(axis=2) & has_results
    names = [sample.block.system_names[i] for i in sample.shown_systems]
    silent = [name for name, known in zip(names, seen.tolist(), strict=True) if not known]
    unseen = float((results - seen).sum() / max(1, results.sum()))
    said = (
        f"{percent(unseen)} of the results in the top {sample.top} are below the lowest click of "
        f"their list, or in a list without a click ({counted(int(lists.sum()), 'list')}): "
        "nobody knows whether they were seen, and they gain 0."
    )
    more = [NO_CLICKS.format(enumerated(silent))] if silent else []
    more += [TIME_TO_NEXT] if is_time_to_next(study.queries, study.results) else []
    is_cut = chosen.definition.short_lists == "observed"  # at the lowest click
    return " ".join([*[said] * (unseen > 0 and not is_cut), *more])
