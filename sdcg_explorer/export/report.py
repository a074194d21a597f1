"""The report: one HTML file with every answer, its interactive figures and tables, for offline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plotly.io import to_html
from plotly.offline import get_plotlyjs

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.systems.compare_systems import compare_systems
from sdcg_explorer.export.figure_files import CONTROL, inked
from sdcg_explorer.export.link import ADDRESS, view_link
from sdcg_explorer.export.tables import DIGITS
from sdcg_explorer.export.versions import versions
from sdcg_explorer.questions.answer import Answer
from sdcg_explorer.questions.catalogue import Question, each_answer
from sdcg_explorer.questions.compare_systems import of_plan
from sdcg_explorer.questions.view import StudyView, View
from sdcg_explorer.questions.words import registered as plan_words
from sdcg_explorer.questions.words.definition import filter_words, in_force
from sdcg_explorer.questions.words.methods import methods_text
from sdcg_explorer.questions.words.wording import short
from sdcg_explorer.study.observed import Observed
from sdcg_explorer.study.written import PLAN

TEMPLATE = "report.html"
MOST_ROWS = 1_000  # of a table; a page of many more is slow to open
_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    finalize=lambda value: (
        re.sub(CONTROL, "\N{REPLACEMENT CHARACTER}", value) if type(value) is str else value
    ),
)


def report(
    study: Observed, definition: Definition, filters: Filters, *, at: str = ADDRESS
) -> bytes:
    """Bytes of the report, which asks for nothing outside itself; `at` is where the app is.

    Raises
    ------
    ValueError : the filters leave no session
    """
    view = study, definition, filters
    return report_of(each_answer(*view), *view, at=at)


def report_of(
    answered: Iterable[tuple[Question, Answer]],
    study: Observed,
    definition: Definition,
    filters: Filters,
    *,
    at: str = ADDRESS,
) -> bytes:
    """Bytes of the report of answers, each gone through once."""
    methods = list[str]()

    def read(asked: tuple[Question, Answer]) -> dict[str, Any]:
        methods.extend(asked[1].methods)
        return _shown(*asked, study)

    shown = [*map(read, answered)]  # a loop would hold an answer while the next comes
    if not any(each["figures"] for each in shown):
        raise ValueError("the filters leave no session; widen them.")
    page = _templates.get_template(TEMPLATE).render(
        study=study,
        definition=in_force(definition.named(study.labels), study),
        filters=filter_words(filters),
        link=view_link(study, definition, filters, at=at),
        answers=shown,
        planned=_planned(StudyView(study, definition, filters)),
        methods=methods_text(study, definition, filters, *methods),
        versions=versions(),
        plotly=Markup(re.sub(CONTROL, lambda found: f"\\x{ord(found[0]):02x}", get_plotlyjs())),
    )
    return page.encode()


def _planned(view: View) -> str:
    """Whether systems are compared as it was planned; empty where nothing was."""
    said = of_plan(view, view.ask(compare_systems)) if PLAN in view.written else []
    return " ".join([*said, plan_words.ELSE] if said else [])


def _shown(question: Question, answer: Answer, study: Observed) -> dict[str, Any]:
    """A question and its answer as the template shows them."""
    drawn = [
        {
            "caption": exhibit.caption,
            "said": exhibit.said,
            "html": _drawn(exhibit.figure, name) if exhibit.figure is not None else "",
            "rows": _rows(exhibit.caption, exhibit.table, _exact),
        }
        for name, exhibit in answer.exhibits.items()
    ]
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


def _drawn(figure: go.Figure, name: str) -> Markup:
    """A figure as a part of the page; Plotly escapes what would end its script."""
    parts = inked(figure)
    return Markup(
        to_html(
            parts,
            config={
                "displaylogo": False,
                "modeBarButtons": [["toImage"]],
                "responsive": True,
                "toImageButtonOptions": {"format": "svg", "filename": name},
            },
            include_plotlyjs=False,
            full_html=False,
            default_height=f"{parts['layout']['height']}px",
            div_id=f"figure_{name}",
            validate=False,
        )
    )


def _rows(caption: str, table: pd.DataFrame, number: Callable[[float], str]) -> dict[str, Any]:
    """A table as texts, undefined cells as a dash; whether each column is of numbers."""
    columns = [(str(n), pd.api.types.is_numeric_dtype(table[n])) for n in table.columns]
    cells = [_texts(table[name].head(MOST_ROWS), number) for name in table.columns]
    over = len(table) - MOST_ROWS
    more = f"{over:,} rows more; the bundle has them all." if over > 0 else ""
    shown = list(zip(*cells, strict=True))
    return {"caption": caption, "columns": columns, "cells": shown, "more": more}


def _texts(column: pd.Series, number: Callable[[float], str]) -> list[str]:
    if not pd.api.types.is_float_dtype(column.dtype):
        return ["–" if pd.isna(cell) else str(cell) for cell in column]
    values = column.to_numpy(dtype=float, na_value=np.nan).tolist()
    return ["–" if np.isnan(value) else number(value) for value in values]


def _exact(value: float) -> str:
    """A number as the CSV tables have it."""
    return f"{value:.{DIGITS}g}"
