"""The report: one HTML file with every answer, its figures and tables, for a mail and offline.

Figures are SVG (``sdcg_explorer/figures/svg/``); those that the app's sliders move have sliders.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.export.figure_files import CONTROL
from sdcg_explorer.export.link import view_link
from sdcg_explorer.export.report_sliders import followed, sliders
from sdcg_explorer.export.tables import DIGITS
from sdcg_explorer.export.versions import versions
from sdcg_explorer.figures.live_script import SCRIPT
from sdcg_explorer.figures.palettes import PALETTES
from sdcg_explorer.figures.svg.drawing import LOOK, draw_svg, forms_of
from sdcg_explorer.questions.answer import Answer, Exhibit
from sdcg_explorer.questions.catalogue import Question, each_answer
from sdcg_explorer.questions.words.definition import filter_words, in_force
from sdcg_explorer.questions.words.methods import methods_text
from sdcg_explorer.questions.words.wording import short
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import counted

HERE = Path(__file__).parent
TEMPLATE = "report.html"
MOST_ROWS = 1_000  # of a table; a page of many more is slow to open
FEW_ROWS = 30  # of a table that is seen before it is asked for
COMPARED, ALONE = ("compare_systems",), ("overview", "query_order")  # whose answers come first
GROUNDS = (
    ("#ffffff", "#16181d"),
    ("#444444", "#c4c7cf"),
    ("#1c1c1c", "#eceef2"),
    ("#dddddd", "#3a3d45"),
)
HELD = (
    "The sliders were moved: what is said here, tables, and figures without sliders are of the "
    "definition the report was made with."
)
_templates = Environment(
    loader=FileSystemLoader(HERE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    finalize=lambda value: _printable(value) if type(value) is str else value,
)


def _printable(text: str) -> str:
    """A text without the characters that HTML forbids."""
    return re.sub(CONTROL, "\N{REPLACEMENT CHARACTER}", text)


def report(study: Study, definition: Definition, filters: Filters) -> bytes:
    """Bytes of the report, which asks for nothing outside itself, and names no address.

    Raises
    ------
    ValueError : the filters leave no session
    """
    view = study, definition, filters
    return report_of(each_answer(*view), *view)


def report_of(
    answered: Iterable[tuple[Question, Answer]],
    study: Study,
    definition: Definition,
    filters: Filters,
) -> bytes:
    """Bytes of the report of answers, each gone through once."""
    methods, moved = list[str](), dict[str, Any]()

    def read(asked: tuple[Question, Answer]) -> dict[str, Any]:
        methods.extend(asked[1].methods)
        moved.update(followed(asked[1].exhibits))
        return _shown(*asked, study)

    shown = [*map(read, answered)]  # a loop would hold an answer while the next comes
    if not any(each["figures"] for each in shown):
        raise ValueError("the filters leave no session; widen them.")
    script, script_sum = script_and_sum()
    light, dark = map(_colours, (0, 1))
    page = _templates.get_template(TEMPLATE).render(
        study=study,
        definition=in_force(definition.named(study.labels), study),
        filters=filter_words(filters),
        link=view_link(study, definition, filters, at=""),
        answers=shown,
        verdicts=_verdicts(shown),
        methods=methods_text(study, definition, filters, *methods),
        versions=versions(),
        given=sliders(study, definition, moved) if moved else None,
        script=Markup(script),
        sum=Markup(script_sum),
        look=Markup(f"{LOOK}{(HERE / 'report.css').read_text(encoding='utf-8')}"),
        light=light,
        dark=dark,
        forms=Markup(forms_of(each["html"] for answer in shown for each in answer["figures"])),
        held=HELD,
        few=FEW_ROWS,
        most_columns=max(len(each["columns"]) for each in _tables(shown)),
    )
    return page.encode()


def script_and_sum() -> tuple[str, str]:
    """The report's script, which is every report's, and its sum as a content policy names it."""
    script = f"{SCRIPT}{(HERE / 'report.js').read_text(encoding='utf-8')}"
    return script, f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def _colours(place: int) -> Markup:
    """The colours of a light page, or of a dark one, as the style has them."""
    names = ("--ground", "--ink", "--text", "--faint")
    named = {name: each[place] for name, each in zip(names, GROUNDS, strict=True)}
    named |= {f"--c{i}": colour for i, colour in enumerate(PALETTES[place], start=1)}
    return Markup("; ".join(f"{name}: {colour}" for name, colour in named.items()))


def _tables(shown: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """All tables of the report."""
    for answer in shown:
        yield from (figure["rows"] for figure in answer["figures"])
        yield from answer["tables"]


def _verdicts(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers that stand first: which system is better, where two are compared."""
    by_name = {each["name"]: each for each in shown}
    is_compared = any(figure["name"] == "pairs" for figure in by_name[COMPARED[0]]["figures"])
    return [by_name[name] for name in (COMPARED if is_compared else ALONE)]


def _shown(question: Question, answer: Answer, study: Study) -> dict[str, Any]:
    """A question and its answer as the template shows them."""
    drawn = list[dict[str, Any]]()
    for name, exhibit in answer.exhibits.items():
        rows = _rows(exhibit.caption, exhibit.table, _exact)
        known = next((own["caption"] for own in drawn if _alike(own["rows"], rows)), "")
        drawn.append(
            {
                "name": name,
                "caption": exhibit.caption,
                "said": exhibit.said,
                "html": _drawn(exhibit),
                "rows": rows | {"same": known},
            }
        )
    tables = [_rows(of, table, short) for of, table in answer.tables.items() if len(table)]
    return {
        "name": question.name,
        "question": question.asked_of(study),
        "said": answer.headline,
        "beneath": answer.beneath,
        "more": [*filter(None, answer.more)],
        "note": study.written.get(question.name, ""),
        "figures": drawn,
        "tables": tables,
    }


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two tables say the same, so that one suffices."""
    return (one["columns"], one["cells"]) == (other["columns"], other["cells"])


def _drawn(exhibit: Exhibit) -> Markup:
    """A figure as a part of the page; "" where there is none."""
    figure = exhibit.figure
    return Markup(_printable(draw_svg(figure)) if figure is not None else "")


def _rows(caption: str, table: pd.DataFrame, number: Callable[[float], str]) -> dict[str, Any]:
    """A table as texts, undefined cells as a dash; which columns are of numbers."""
    are_numbers = [pd.api.types.is_numeric_dtype(table[name]) for name in table.columns]
    cells = [_texts(table[name].head(MOST_ROWS), number) for name in table.columns]
    over = len(table) - MOST_ROWS
    return {
        "caption": caption,
        "columns": [*map(str, table.columns)],
        "numbers": " ".join(f"n{i}" for i, own in enumerate(are_numbers, start=1) if own),
        "cells": list(zip(*cells, strict=True)),
        "more": f"{counted(over, 'row')} more; the bundle has them all." if over > 0 else "",
    }


def _texts(column: pd.Series, number: Callable[[float], str]) -> list[str]:
    if not pd.api.types.is_float_dtype(column.dtype):
        return ["–" if pd.isna(cell) else str(cell) for cell in column]
    values = column.to_numpy(dtype=float, na_value=np.nan).tolist()
    return ["–" if np.isnan(value) else number(value) for value in values]


def _exact(value: float) -> str:
    """A number as the CSV tables have it."""
    return f"{value:.{DIGITS}g}"
