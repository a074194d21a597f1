"""Advice beneath every figure: where the definition in force, or the data, could mislead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdcg_explorer.questions.wording import counted, plain, plural, withheld
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.selection import Sample, Selection, select
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import Study

MOST_UNJUDGED = 0.2


def advice(study: Study, definition: Definition, filters: Filters) -> list[str]:
    """Plain sentences, each with the number behind it and the choice that removes it."""
    chosen = select(study, definition, filters)
    if not chosen.sample.sessions.size:
        return []
    sentences = [
        out_of_order(definition, study.labels),
        _above_one(chosen),
        _unreachable(chosen),
        _shrinking(definition),
        _undefined(chosen),
        _on_unjudged_topics(chosen.sample),
        _unjudged(chosen, *shown_and_unjudged(study, chosen)),
        withheld(study.report.withheld),
    ]
    return [sentence for sentence in sentences if sentence]


def out_of_order(definition: Definition, labels: tuple[float, ...]) -> str:
    """Say which gains leave the grades' order, as they may (a label need not be a worth)."""
    gains = definition.gains(labels)
    most = np.maximum.accumulate(gains)
    low = np.flatnonzero(gains < most)
    if not low.size:
        return ""
    first = int(low[0])
    over = int(np.argmax(gains[:first]))
    return (
        f"Gains don't follow the grades: grade {label(labels[first])} gains {plain(gains[first])}, "
        f"grade {label(labels[over])} gains {plain(gains[over])}."
    )


def _above_one(chosen: Selection) -> str:
    if not chosen.above_one:
        return ""
    return (
        f"{counted(chosen.above_one, 'session exceeds', 'sessions exceed')} 1 because repeats "
        "count in the session but not in the ideal. Count repeats once, or let the ideal repeat."
    )


def _unreachable(chosen: Selection) -> str:
    """(first, repeated): no second query on a topic can return the ideal's list again."""
    d, sample = chosen.definition, chosen.sample
    if (d.repeats, d.ideal) != ("first", "repeated"):
        return ""
    ordered = np.sort(np.where(sample.judged_at, sample.topics, -1), axis=1)
    again = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
    number = int(again.sum())
    if not number:
        return ""
    return (
        f"{counted(number, 'session')} can't reach 1: repeats count once, but the ideal repeats "
        "its list with every query. Use the spread ideal."
    )


def _shrinking(definition: Definition) -> str:
    if definition.short_lists == "pad":
        return ""
    return (
        "The ideal is as short as each list, so a single good result can score 1. Pad short lists "
        "to avoid this."
    )


def _undefined(chosen: Selection) -> str:
    """Judged sessions on whose topics nothing gains."""
    ideals = chosen.ideals[:, -1, -1][chosen.sample.layouts[1]]
    number = int((chosen.sample.judged & (ideals == 0)).sum())
    if not number:
        return ""
    return (
        f"{counted(number, 'judged session has', 'judged sessions have')} no document that gains; "
        f"{plural(number, 'its share is', 'their shares are')} undefined and left out of means."
    )


def _on_unjudged_topics(sample: Sample) -> str:
    """Queries without worth of their own in sessions that have some."""
    unknown = sample.queries - sample.judged_at.sum(axis=1)
    number = int(unknown[sample.judged].sum())
    if not number:
        return ""
    return (
        f"{counted(number, 'query', 'queries')} in judged sessions {plural(number, 'is', 'are')} "
        f"on unjudged topics: {plural(number, 'it adds', 'they add')} nothing to the session and "
        f"{plural(number, 'is', 'are')} left out of comparisons of queries."
    )


def shown_and_unjudged(study: Study, chosen: Selection) -> tuple[int, int]:
    """Logged results in the top, and those that nobody judged; 0 where counts don't tell."""
    logged = study.block(max(DEPTH, chosen.definition.top))
    results, judged = replace(chosen.sample, block=logged).shown
    return int(results.sum()), int((results - judged).sum())


def _unjudged(chosen: Selection, shown: int, unjudged: int) -> str:
    """Share of the logged results in the top that nobody judged."""
    top = chosen.definition.top
    if not shown or unjudged / shown <= MOST_UNJUDGED:
        return ""
    fate = "are removed" if chosen.definition.unjudged == "condense" else "gain 0"
    return f"{unjudged / shown:.0%} of the results in the top {top} are unjudged and {fate}."
