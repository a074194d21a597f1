"""The report: one HTML file with every answer, its figures and tables, for a mail and offline.

It carries the drawing library and each figure's data, which the browser unpacks; figures that the
app's sliders move have sliders.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plotly.io import templates

from sdcg_explorer.export.figure_files import CONTROL
from sdcg_explorer.export.link import view_link
from sdcg_explorer.export.tables import DIGITS, significant, versions
from sdcg_explorer.figures import live_script, panels
from sdcg_explorer.figures.style import COLOURS, GREY, PALETTES, ROOM, ROUND
from sdcg_explorer.questions.catalogue import Question, iterate_answers
from sdcg_explorer.questions.methods import definition_text, filters_sentence, methods_text
from sdcg_explorer.questions.view import Answer, Exhibit, StudyView, View
from sdcg_explorer.questions.wording import short
from sdcg_explorer.scoring.definition import SCALE, Definition, Filters, slider_text, with_own
from sdcg_explorer.scoring.live import live_numbers, live_tables, slider_numbers, study_sliders
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import counted

HERE = Path(__file__).parent
TEMPLATE, PLOTLY = "report.html", "plotly.js.gz"  # the latter by `make plotly`
Parts = dict[str, Any]
MOST_ROWS = 200  # of a table; a file of many more is slow to open and to send
FIGURE_ROWS = 40  # of the numbers of a figure, which has them all
FEW_ROWS = 30  # of a table that is seen before it is asked for
COMPARED, ALONE = ("compare_systems",), ("overview", "query_order")  # whose answers come first
GROUNDS = {  # of a light page, and of a dark one
    "ground": ("#ffffff", "#16181d"),
    "ink": ("#444444", "#c4c7cf"),
    "text": ("#1c1c1c", "#eceef2"),
    "faint": ("#dddddd", "#3a3d45"),
}


def _printable(value: Any) -> Any:
    return re.sub(CONTROL, "\N{REPLACEMENT CHARACTER}", value) if type(value) is str else value


_templates = Environment(
    loader=FileSystemLoader(HERE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    finalize=_printable,
)


def report(study: Study, definition: Definition, filters: Filters) -> bytes:
    """Bytes of the report, which asks for nothing outside itself, and names no address.

    Raises
    ------
    ValueError : the filters leave no session
    """
    view = StudyView(study, definition, filters)
    return report_of(iterate_answers(*view), view)


def report_of(answered: Iterable[tuple[Question, Answer]], view: View) -> bytes:
    """Bytes of the report of a view's answers, each gone through once."""
    study, definition, filters = view
    methods = list[str]()
    figures = Figures(slider_numbers(definition, study))

    def read(asked: tuple[Question, Answer]) -> Parts:
        methods.extend(asked[1].methods)
        return _shown(*asked, study, figures)

    shown = [*map(read, answered)]  # a loop would hold an answer while the next comes
    if not any(each["figures"] for each in shown):
        raise ValueError("the filters leave no session; widen them.")
    script, sums = script_and_hashes()
    page = _templates.get_template(TEMPLATE).render(
        study=study,
        definition=definition_text(definition.named(study.labels), study),
        filters=filters_sentence(filters),
        link=view_link(study, definition, filters, at=""),
        answers=shown,
        verdicts=_leading_answers(shown),
        methods=methods_text(study, definition, filters, *methods),
        versions=versions(),
        figures=figures.packed_json(study, definition),
        script=Markup(script),
        plotly=base64.b64encode((HERE / PLOTLY).read_bytes()).decode(),
        sums=Markup(sums),
        look=Markup((HERE / "report.css").read_text(encoding="utf-8")),
        light=_css_colours(0),
        dark=_css_colours(1),
        few=FEW_ROWS,
    )
    return page.encode()


@cache
def script_and_hashes() -> tuple[str, str]:
    """The report's script, and the sums of it and of Plotly's as a content policy names them."""
    script = f"{live_script.SCRIPT}{(HERE / 'report.js').read_text(encoding='utf-8')}"
    texts = script.encode(), gzip.decompress((HERE / PLOTLY).read_bytes())
    sums = (base64.b64encode(hashlib.sha256(text).digest()).decode() for text in texts)
    return script, " ".join(f"'sha256-{each}'" for each in sums)


def _css_colours(place: int) -> Markup:
    """The colours of a light page, or of a dark one, as the style has them."""
    named = {f"--{name}": each[place] for name, each in GROUNDS.items()}
    named |= {f"--c{i}": colour for i, colour in enumerate(PALETTES[place], start=1)}
    return Markup("; ".join(f"{name}: {colour}" for name, colour in named.items()))


def _leading_answers(shown: list[Parts]) -> list[Parts]:
    """The answers that stand first: which system is better, where two are compared."""
    by_name = {each["name"]: each for each in shown}
    is_compared = any(figure["name"] == "pairs" for figure in by_name[COMPARED[0]]["figures"])
    return [by_name[name] for name in (COMPARED if is_compared else ALONE)]


def _shown(question: Question, answer: Answer, study: Study, figures: Figures) -> Parts:
    """A question and its answer as the template shows them, whose figures are added to others."""
    drawn = list[Parts]()
    for name, exhibit in answer.exhibits.items():
        table = exhibit.table
        step = -(-len(table) // FIGURE_ROWS)
        rows = _text_table(exhibit.caption, table.iloc[:: max(step, 1)], f"{{:.{DIGITS}g}}".format)
        if step > 1:
            rows["more"] = f"1 row in {step:,}; the bundle has all {len(table):,}."
        about = {"name": name, "caption": exhibit.caption, "said": exhibit.said}
        drawn.append({**about, "size": figures.add(name, exhibit), "rows": rows})
    tables = [_text_table(of, table, short) for of, table in answer.tables.items() if len(table)]
    return {
        "name": question.name,
        "question": question.words,
        "said": answer.headline,
        "beneath": answer.figure_paragraphs,
        "more": [*filter(None, answer.more)],
        "note": study.written.get(question.name, ""),
        "figures": drawn,
        "tables": tables,
    }


@dataclass
class Figures:
    """What the report's script draws: each figure's data, and what those with sliders follow.

    at : number of each slider · specs : of each figure its JSON · drawn, counts : of each that
    follows the sliders, the numbers that it is drawn for, and what its lines are counted of
    """

    at: dict[str, float]
    specs: dict[str, str] = field(default_factory=dict[str, str])
    drawn: dict[str, Parts] = field(default_factory=dict[str, Parts])
    counts: dict[str, Parts] = field(default_factory=dict[str, Parts])

    def add(self, name: str, exhibit: Exhibit) -> Parts:
        """Add an exhibit's figure, where it has one, and give its least size in pixels."""
        figure, live = exhibit.figure, exhibit.live
        if figure is None:
            return {}
        traces, layout = cast(Any, figure).data, cast(Any, figure).layout
        # a figure of quantiles has no line that says which curve it is
        if live is not None and any((trace.meta or {}).get("live") for trace in traces):
            counts = live.view.without_sliders.ask(live.counts, **live.choices)
            if counts is not None:
                texts = {key: slider_text(number) for key, number in self.at.items()}
                numbers = live.view.ask(live_numbers, depth=live.depth)
                self.drawn[name], self.counts[name] = {**numbers, "sliders": texts}, counts
        self.specs[name] = figure_json(figure, self.drawn.get(name))
        is_panels = "panels" in (layout.meta or {})
        return {"high": layout.height, "wide": panels.SCREEN if is_panels else 0}

    def packed_json(self, study: Study, definition: Definition) -> str:
        """All of it, deflated, as base64: a line for what all figures share, and one for each."""
        sliders, tables = list[Parts](), Parts()
        if self.drawn:
            for slider in study_sliders(study):
                at = self.at[slider.key]
                scale = with_own(slider.scale, at)
                said = {"key": slider.key, "name": slider.name, "words": slider.words}
                sliders.append({**said, "scale": [*map(slider_text, scale)], "at": scale.index(at)})
            each = self.drawn.values()
            ranks, queries = (max(len(own[name]) for own in each) for name in ("rank", "query"))
            own = tuple(sorted({self.at["b"], self.at["bq"]} - {*SCALE}))
            tables = live_tables(definition.discount, ranks, queries, own)
        looks = list[Parts]()
        for place, palette in enumerate(PALETTES):
            grounds = {name: each[place] for name, each in GROUNDS.items()}
            inks = zip((*COLOURS, GREY), (*palette, grounds["ink"]), strict=True)
            looks.append({**grounds, "inks": dict(inks)})
        shared = {"looks": looks, "sliders": sliders, "tables": tables, "counts": self.counts}
        shared |= {"round": ROUND, "room": ROOM}
        lines = [json.dumps(shared, separators=(",", ":")), *self.specs.values()]
        return base64.b64encode(zlib.compress("\n".join(lines).encode(), 9)).decode()


def figure_json(figure: go.Figure, live: Parts | None) -> str:
    """A figure as JSON, numbers to as many digits as its table has.

    An array that stands in several traces, as the lines behind every panel do, is written once.
    """
    arrays, places = list[Any](), dict[tuple[str, bytes], int]()

    def plain(part: Any) -> Any:
        if isinstance(part, np.ndarray) and part.dtype.kind in "fiub":
            place = places.setdefault((part.dtype.str, part.tobytes()), len(arrays))
            if place == len(arrays):
                arrays.append(_array_as_rounded_lists(part))
            return {"array": place}
        if isinstance(part, dict):
            return {str(name): plain(each) for name, each in part.items()}
        if isinstance(part, (list, tuple, np.ndarray)):
            return [plain(each) for each in part]
        if isinstance(part, np.generic):
            part = part.item()
        return None if isinstance(part, float) and np.isnan(part) else part

    whole: Any = figure  # whose own JSON would have arrays in base64, which deflates badly
    data = [trace.to_plotly_json() for trace in whole.data]
    template = templates["plotly"].to_plotly_json()  # Streamlit has another default
    layout = {**whole.layout.to_plotly_json(), "template": template}
    spec = plain({"data": data, "layout": layout})
    if live:
        spec["layout"]["meta"] = {**spec["layout"].get("meta", {}), "live": live}
    return json.dumps({**spec, "arrays": arrays}, separators=(",", ":"))


def _array_as_rounded_lists(values: np.ndarray) -> list[Any]:
    """An array as lists, numbers to the digits of the tables, None where there is none."""
    if values.dtype.kind != "f":
        return values.tolist()
    rounded = significant(values.astype(float)).astype(object)
    rounded[np.isnan(values)] = None
    return rounded.tolist()


def _text_table(caption: str, table: pd.DataFrame, number: Callable[[float], str]) -> Parts:
    """A table as texts, undefined cells as a dash; which columns are of numbers."""
    are_numbers = [pd.api.types.is_numeric_dtype(table[name]) for name in table.columns]
    cells = [_column_texts(table[name].head(MOST_ROWS), number) for name in table.columns]
    over = len(table) - MOST_ROWS
    return {
        "caption": caption,
        "columns": [*map(str, table.columns)],
        "numbers": " ".join(f"n{i}" for i, own in enumerate(are_numbers, start=1) if own),
        "cells": list(zip(*cells, strict=True)),
        "more": f"{counted(over, 'row')} more; the bundle has them all." if over > 0 else "",
    }


def _column_texts(column: pd.Series, number: Callable[[float], str]) -> list[str]:
    written = number if pd.api.types.is_float_dtype(column.dtype) else str
    return ["–" if pd.isna(cell) else written(cell) for cell in column]
