"""What the report's sliders move: each figure's counts, and the discounts at every place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sdcg_explorer.analysis.curves.live import live_numbers, live_tables
from sdcg_explorer.analysis.definition.bases import SCALE, in_full, with_own
from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.figures.style import ROOM, ROUND
from sdcg_explorer.figures.svg.axes import parts_of
from sdcg_explorer.questions.answer import Exhibit
from sdcg_explorer.questions.sliders import numbers_of, sliders_of
from sdcg_explorer.study.study import Study

Parts = dict[str, Any]


def followed(exhibits: Mapping[str, Exhibit]) -> Parts:
    """Counts of each figure that follows the sliders, and the numbers that it is drawn for."""
    found: Parts = {}
    for name, exhibit in exhibits.items():
        live = exhibit.live
        if live is None or exhibit.figure is None or not _moves(exhibit):
            continue
        counts = live.view.still.ask(live.counts, **live.choices)
        if counts is not None:
            drawn = live.view.ask(live_numbers, depth=live.depth)
            found[name] = {"counts": counts, "drawn": drawn}
    return found


def _moves(exhibit: Exhibit) -> bool:
    """Whether a figure has a line that says which curve it is; one of quantiles has none."""
    traces: Any = exhibit.figure.data if exhibit.figure is not None else ()
    return any((trace.meta or {}).get("live") for trace in traces)


def sliders(study: Study, definition: Definition, figures: Parts) -> Parts:
    """All that the report's script is given: sliders, discounts, and `figures` of `followed`."""
    at = numbers_of(definition, study)
    texts = {key: in_full(number) for key, number in at.items()}
    each: list[Parts] = []
    for slider in sliders_of(study):
        scale = with_own(slider.scale, at[slider.key])
        place = {"scale": list(map(in_full, scale)), "at": scale.index(at[slider.key])}
        each.append({"key": slider.key, "name": slider.name, "words": slider.words, **place})
    drawn = [figure["drawn"] for figure in figures.values()]
    ranks, queries = (max(len(own[name]) for own in drawn) for name in ("rank", "query"))
    own = tuple(sorted({at["b"], at["bq"]} - {*SCALE}))
    for numbers in drawn:
        numbers["sliders"] = texts
    return {
        "sliders": each,
        "tables": live_tables(definition.discount, ranks, queries, own),
        "figures": figures,
        "round": ROUND,
        "room": ROOM,
        "parts": [parts_of(number) for number in ROUND],
    }
