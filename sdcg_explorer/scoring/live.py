"""What a browser needs to draw a figure's curves while a slider moves: counts, and discounts.

The counts are those of scoring/mean_curves.py, from which the server's own curves are made;
the discounts come as tables, a row for each place of a slider, so that no formula stands twice.
"""

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer.metrics import query_discount, rank_discount
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.scoring.definition import BASES, FIELDS, SCALE, Definition, Filters, slider_text
from sdcg_explorer.scoring.mean_curves import SessionCounts, each_session, session_counts
from sdcg_explorer.scoring.selection import FURTHER_CURVES, Selection, select
from sdcg_explorer.study.grades import NO_GRADE, label, short_label
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import capital

Packed = dict[str, Any]


def packed(values: NDArray[Any]) -> Packed:
    """Numbers as deflated base64, whole ones in as few bytes each as hold them.

    Of others come all first bytes, then all second ones: like stands beside like, and deflates.
    """
    top = float(values.max(initial=0))
    kind = np.uint8 if top < 2**8 else np.uint16 if top < 2**16 else np.uint32
    is_whole = bool((values == np.floor(values)).all() and values.min(initial=0) >= 0)
    flat = np.ascontiguousarray(values, dtype=kind if is_whole and top < 2**32 else np.float64)
    parts = flat.view(np.uint8).reshape(-1, 8).T if flat.dtype == np.float64 else flat
    data = base64.b64encode(zlib.compress(parts.tobytes(), 9)).decode()
    return {"type": flat.dtype.name, "data": data}


def unpacked(packed: Packed, most: int = 0) -> NDArray[Any]:
    """The numbers that were packed; of at most so many bytes, where `most` is given."""
    kind = np.dtype(packed["type"])
    parts = zlib.decompressobj().decompress(base64.b64decode(packed["data"]), most)
    if kind != np.float64:
        return np.frombuffer(parts, dtype=kind)
    return np.frombuffer(parts, np.uint8).reshape(8, -1).T.copy().view(np.float64)[:, 0]


def live_numbers(
    study: Study, definition: Definition, filters: Filters, *, depth: int | None = None
) -> dict[str, list[Any]]:
    """The numbers that sliders move, as a figure says what it was drawn for.

    rank (depth,), query (Q,) : factors · weights (L,) : gain of each grade, in the order of labels
    """
    sample = select(study, definition, filters).sample
    ranks = depth or definition.top
    return drawn_numbers(definition, sample.block.labels, ranks, sample.most_queries)


def drawn_numbers(
    definition: Definition, labels: tuple[float, ...], ranks: int, queries: int
) -> dict[str, list[Any]]:
    """The same to the last rank and query."""
    d, rank, query = definition, np.arange(1, ranks + 1), np.arange(1, queries + 1)
    return {
        "labels": [label(grade) for grade in labels],
        "rank": rank_discount(rank, d.b, d.discount).tolist(),
        "query": query_discount(query, d.bq, d.discount).tolist(),
        "weights": definition.gains(labels).tolist(),
    }


def live_tables(form: str, ranks: int, queries: int, own: tuple[float, ...] = ()) -> dict[str, Any]:
    """Both discounts of a form wherever their sliders may stand, to the last rank and query.

    `own` are numbers that the scale has not, but a slider.
    """
    bases = (*SCALE, *own)
    tables = discount_tables(form, ranks, queries, bases)
    return {**tables, "bases": list(map(slider_text, bases))}  # no infinity in JSON


def discount_tables(form: str, ranks: int, queries: int, bases: Sequence[float]) -> dict[str, Any]:
    """Both discounts of a form at some bases, as the points of a map have them."""
    rank, query = np.arange(1, ranks + 1), np.arange(1, queries + 1)
    return {
        "bases": list(bases),
        "width": {"rank": ranks, "query": queries},
        "rank": packed(np.array([rank_discount(rank, base, form) for base in bases])),
        "query": packed(np.array([query_discount(query, base, form) for base in bases])),
    }


def live_sessions(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    measure: str,
    at_least: tuple[int, ...] = (1,),
) -> Packed | None:
    """Counts behind Figures 2 and 3, a curve per system for each least number of queries.

    None for measures whose weights no slider moves.
    """
    if measure in FURTHER_CURVES:
        return None
    chosen = select(study, definition, filters)
    each = [session_counts(chosen.sample, least) for least in at_least]
    systems = len(chosen.sample.block.system_names)
    curve = [counts.system + i * systems for i, counts in enumerate(each)]
    return sessions_to_send(chosen, each, curve, measure)


def live_each_session(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    ideal: bool = False,
) -> Packed | None:
    """Counts behind Figure 4, a curve for each session, in the log's order.

    With `ideal` that of the one session of By hand follows.
    """
    chosen = select(study, definition, filters.of(system))
    counts = each_session(chosen.sample)
    curves = sessions_to_send(chosen, [counts], [np.arange(counts.sessions.size)], "raw")
    return curves and {**curves, "withIdeal": ideal}


def sessions_to_send(
    chosen: Selection, each: list[SessionCounts], curve: list[Ints], measure: str
) -> Packed | None:
    """Counts of sessions, one set after the other, and what their ideals are made of.

    None where they are too many to be sent: the figure then waits for the slider's release.
    """
    if not all(counts.is_small for counts in each):
        return None
    sample, definition = chosen.sample, chosen.definition
    grades = graded(np.concatenate([counts.grades for counts in each]))
    first, _ = sample.ideal_layouts
    topics, cells = sample.pools[first], sample.cells[first]
    if chosen.continues:
        topics, cells = chosen.continued_layouts
    queries = sample.queries[first]
    asked = np.less(np.arange(sample.most_queries), queries[:, None]) | chosen.continues
    given = sample.block.given
    return {
        "kind": "sessions",
        "measure": measure,
        "average": definition.average,
        "ideal": definition.ideal,
        "shape": list(grades.shape),
        "grades": packed(grades),
        "over": np.concatenate([counts.sessions for counts in each]).tolist(),
        "curve": np.concatenate(curve).tolist(),
        "curves": int(np.concatenate(curve).max(initial=-1)) + 1,
        "layout": np.concatenate([counts.layout for counts in each]).tolist(),
        "topics": topics.tolist(),
        "cells": np.where(asked, cells, -1).tolist(),
        "queries": queries.tolist(),
        "judged": sample.block.judged.tolist(),
        "given": None if given is None else [np.flatnonzero(each).tolist() for each in given],
        "top": sample.top,
        "positions": sample.most_queries * sample.top,
    }


def graded(grades: Floats) -> Floats:
    """Counts of cells with a grade; those without gain nothing."""
    return grades[..., : -len(NO_GRADE)]


LARGE = 4  # from this grade on, gains in use (90, 100) leave the shorter slider


@dataclass(frozen=True)
class Slider:
    """A slider of a number, and what it passes.

    key : of the number, in links and session state · name : of the number in a sentence
    """

    key: str
    name: str
    words: str
    scale: tuple[float, ...]


def study_sliders(study: Study) -> list[Slider]:
    """Those of both bases and of each grade's gain."""
    sliders = [Slider(name, name, FIELDS[name].words, SCALE) for name in BASES]
    for grade in study.labels:
        name = f"gain of grade {short_label(grade)}"
        scale = tuple(map(float, range(1001 if grade >= LARGE else 101)))
        sliders.append(Slider(f"w{label(grade)}", name, capital(name), scale))
    return sliders


def slider_numbers(definition: Definition, study: Study) -> dict[str, float]:
    """The numbers of a definition that sliders move, by their keys."""
    each = [definition.b, definition.bq, *definition.gains(study.labels).tolist()]
    return dict(zip((slider.key for slider in study_sliders(study)), each, strict=True))
