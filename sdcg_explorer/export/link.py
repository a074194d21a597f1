"""The link to a view: what its address says of study, definition and filters (decision 48)."""

from __future__ import annotations

import math
from urllib.parse import urlencode

from sdcg_explorer.analysis.definition.choices import FITTED_TO, LEAST, NAMES
from sdcg_explorer.analysis.definition.definition import (
    CHOICES,
    DEFAULT,
    SHORT_LISTS,
    Definition,
    Filters,
)
from sdcg_explorer.questions.view import View
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import SHORT, Study

SCORE = "score"  # that a page is asked by, in its address
ADDRESS = "http://127.0.0.1:8501/"  # where `sdcg app` serves


def view_link(study: Study, definition: Definition, filters: Filters, *, at: str = ADDRESS) -> str:
    """Address of a study's overview under a definition and filters, where the study is.

    What is as the app opens with is left out, as the app itself does.
    """
    return f"{at}?{urlencode(view_parameters(study, definition, filters))}"


def page_link(page: str, view: View, score: str = "", *, at: str = ADDRESS) -> str:
    """Address of a page in a view, by a score where it is asked by one."""
    asked = [*view_parameters(*view), *([(SCORE, score)] if score else [])]
    return f"{at}{page}?{urlencode(asked)}"


def view_parameters(
    study: Study, definition: Definition, filters: Filters
) -> list[tuple[str, str]]:
    """What such an address says, name by name."""
    parameters: list[tuple[str, str]] = [("study", study.bare.digest[:SHORT])]
    parameters += [(name, value) for name, value in _definition(definition) if value]
    own, usual = definition.gains(study.labels), DEFAULT.gains(study.labels)
    for grade, gain, known in zip(study.labels, own.tolist(), usual.tolist(), strict=True):
        if gain != known:
            parameters.append((f"w{label(grade)}", _short(gain)))
    return parameters + _filters(filters)


def _definition(definition: Definition) -> list[tuple[str, str]]:
    """Choices and numbers under the names of their widgets; "" for what is usual."""
    short = definition.short_lists
    is_least = short not in SHORT_LISTS
    bases = {name: getattr(definition, name) for name in ("b", "bq")}
    return [
        *((name, _unusual(definition, name)) for name in CHOICES),
        *((f"{name}_off", "true") for name, base in bases.items() if math.isinf(base)),
        *((n, _unusual(definition, n)) for n, base in bases.items() if not math.isinf(base)),
        ("top", _unusual(definition, "top")),
        ("short", LEAST if is_least else _unusual(definition, "short_lists")),
        ("cells", str(short) if is_least else ""),
        *(("measures", name) for name in definition.measures),
        *((name, _unusual(definition, name)) for name in (*NAMES, FITTED_TO)),
    ]


def _unusual(definition: Definition, name: str) -> str:
    value = getattr(definition, name)
    return "" if value == getattr(DEFAULT, name) else _short(value)


def _short(value: object) -> str:
    """A choice as text, whole numbers without a point."""
    return str(value).removesuffix(".0")


def _filters(filters: Filters) -> list[tuple[str, str]]:
    """Names one by one, and numbers of queries."""
    named = [(k, each) for k in ("systems", "topics", "searchers") for each in getattr(filters, k)]
    if filters.min_queries > 1:
        named.append(("min_queries", str(filters.min_queries)))
    if filters.max_queries is not None:
        named.append(("max_queries", str(filters.max_queries)))
    return named
