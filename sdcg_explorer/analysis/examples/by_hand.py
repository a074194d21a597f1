"""How is the number made? One short session, every step of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.examples.examples import Example, study_of
from sdcg_explorer.analysis.selection.selection import Selection, select
from sdcg_explorer.analysis.sessions.other_measures import OTHER_MEASURES, other_measures
from sdcg_explorer.metrics import (
    WEIGHTINGS,
    average_curves,
    cg,
    concatenated,
    dcg,
    normalised,
    session_score,
)
from sdcg_explorer.metrics import weighting as named_weighting
from sdcg_explorer.study.grades import NO_GRADE, label
from sdcg_explorer.study.study import Study


@dataclass(frozen=True, eq=False)
class ByHand:
    """One session under one definition, step by step.

    steps : a row per cell · queries, others : a row per query · averages : a row per rank ·
    vector, ideal (P,) : V and I over the session's own cells · ends (Q,) : last cell of each
    query · filled : gains of grades that the weights lack, as under the weighting filled_as
    """

    study: Study
    definition: Definition
    steps: pd.DataFrame
    queries: pd.DataFrame
    others: pd.DataFrame
    averages: pd.DataFrame
    vector: Floats
    ideal: Floats
    ends: tuple[int, ...]
    final: float
    share: float
    filled: dict[float, float]
    filled_as: str = ""


def suited(definition: Definition, example: Example) -> tuple[Definition, dict[float, float], str]:
    """The definition with a gain for each grade of an example.

    What was filled in comes along, and the weighting that it gains as.
    """
    if isinstance(definition.weights, str):
        return definition, {}, ""
    known = dict(definition.weights)
    missing = {grade for _, _, grade in example.judged}.difference(known)
    if not missing:
        return definition, {}, ""
    scheme, every = _nearest(known), sorted({*known, *missing})
    under = dict(zip(every, named_weighting(scheme, every).tolist(), strict=True))
    filled = {grade: under[grade] for grade in sorted(missing)}
    weights = tuple(sorted({**known, **filled}.items()))
    return replace(definition, weights=weights), filled, scheme


def in_force(definition: Definition, example: Example, labels: tuple[float, ...]) -> Definition:
    """The sidebar's definition; that of the example's source where the two are one.

    On a study with few grades several weightings are one, and the sidebar names only one of them.
    """
    own = example.definition
    pairs = tuple(zip(labels, own.gains(labels).tolist(), strict=True))
    return own if replace(own, weights=pairs).named(labels) == definition else definition


def _nearest(known: dict[float, float]) -> str:
    """The weighting that gives most of the grades the gains that they have."""
    labels, gains = np.array(list(known)), np.array(list(known.values()))
    return max(WEIGHTINGS, key=lambda name: int((named_weighting(name, labels) == gains).sum()))


def by_hand(example: Example, definition: Definition, *, expected: float | None = None) -> ByHand:
    """Count an example step by step; `expected` relevant documents, or else all there are.

    Raises
    ------
    UnusableInputError : nothing is graded, or a document has two grades
    """
    study, (d, filled, filled_as) = study_of(example), suited(definition, example)
    chosen = select(study, d, Filters())
    cells = chosen.sample.cells[0]
    steps, vector, ideal = _steps(chosen, example)
    final, part = (session_score(name, chosen.worth) for name in ("final", "final_normalised"))
    others = other_measures(chosen, expected)
    queries = _queries(chosen, vector, ideal)
    return ByHand(
        study=study,
        definition=d,
        steps=steps,
        queries=queries,
        others=pd.DataFrame(
            {"query": queries["query"], **{name: others[name][0] for name in OTHER_MEASURES}}
        ),
        averages=_averages(chosen),
        vector=vector,
        ideal=ideal,
        ends=tuple(np.cumsum(cells).tolist()),
        final=float(final[0]),
        share=float(part[0]),
        filled=filled,
        filled_as=filled_as,
    )


def _steps(chosen: Selection, example: Example) -> tuple[pd.DataFrame, Floats, Floats]:
    """Every cell of the session: grade, gain, discounts, and what has been cumulated."""
    sample, discount = chosen.sample, chosen.discount()
    query, rank = np.nonzero(sample.inside[0])
    gains = chosen.gains[0]
    best = chosen.best_lists[sample.topics[0]]
    vector = chosen.worth.vector[0, : query.size]
    ideal = concatenated(chosen.ideals[:1], sample.cells)[0, : query.size]
    docs, grades = _shown(chosen, example, query, rank)
    known = np.where(sample.judged_at[0], 1.0, np.nan)[:, None]
    own, best = gains * known, best * known  # of a query on a topic that nobody judged: undefined
    listed, best_listed = dcg(own, discount), dcg(best, discount)
    steps = {
        "query": query + 1,
        "rank": rank + 1,
        "document": docs,
        "grade": grades,
        "gain": own[query, rank],
        "d(r)": discount[rank],
        "discounted gain": (own * discount)[query, rank],
        "DCG": listed[query, rank],
        "D(q)": chosen.factors[query],
        "added": (gains * discount * chosen.factors[:, None])[query, rank],
        "V": vector,
        "I": ideal,
        "V / I": normalised(vector, ideal),
        "CG": cg(own)[query, rank],
        "ideal DCG": best_listed[query, rank],
        "nDCG": normalised(listed, best_listed)[query, rank],
    }
    return pd.DataFrame(steps), vector, ideal


def _shown(
    chosen: Selection, example: Example, query: NDArray[np.int_], rank: NDArray[np.int_]
) -> tuple[list[str], list[str]]:
    """Document in each cell, and its grade or why it has none."""
    block, d = chosen.sample.block, chosen.definition
    judged = {(topic, doc) for topic, doc, _ in example.judged}
    lists = [list(docs) for docs in example.lists]
    if d.unjudged == "condense":
        lists = [
            [doc for doc in docs if (example.topic_of(q), doc) in judged]
            for q, docs in enumerate(lists)
        ]
    names = [*map(label, block.labels), *NO_GRADE]
    docs, grades = [], []
    for q, r in zip(query.tolist(), rank.tolist(), strict=True):
        doc = lists[q][r] if r < len(lists[q]) else ""
        inside = doc and r < block.codes.shape[2]
        grade = names[block.codes[0, q, r]] if inside else ""
        if inside and d.repeats == "first" and block.seen_at[0, q, r] <= d.top:
            grade = f"{grade}, seen before"
        docs.append(doc)
        grades.append(grade)
    return docs, grades


def _queries(chosen: Selection, vector: Floats, ideal: Floats) -> pd.DataFrame:
    """What each query adds: its own DCG, its discount, and where the session stands after it."""
    cells = chosen.sample.cells[0]
    each = chosen.query_scores
    ends = np.cumsum(cells)
    reached, best = np.append(0.0, vector)[ends], np.append(0.0, ideal)[ends]
    return pd.DataFrame(
        {
            "query": np.arange(1, cells.size + 1),
            "cells": cells,
            "DCG": each["dcg"][0],
            "D(q)": chosen.factors,
            "sDCG": each["sdcg"][0],
            "V": reached,
            "I": best,
            "V / I": normalised(reached, best),
        }
    )


def _averages(chosen: Selection) -> pd.DataFrame:
    """Curves of the queries on judged topics averaged rank by rank, and their ratios of means."""
    top, known = chosen.definition.top, chosen.sample.judged_at[0]
    best = chosen.best_lists[chosen.sample.topics[0, known]]
    curves = average_curves(chosen.gains[0, known], best, chosen.discount())
    return pd.DataFrame({"rank": np.arange(1, top + 1), **curves})
