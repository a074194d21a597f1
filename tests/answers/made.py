"""The text of a study's answers: each sentence, table and figure a line, or a few."""

import json
import math
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import zip_longest
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

import sdcg_explorer as sx
from sdcg_explorer.export.figure_files import paper_figure
from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.view import StudyView, caching_answers
from sdcg_explorer.scoring.definition import DEFAULT, PRESETS, Definition, Filters
from tests.support.studies import ASKED_AGAIN

FOLDER = Path(__file__).parent
DEFINITIONS = {
    "ecir2008": DEFAULT,
    "session_track": PRESETS["session-track"],
    "other": replace(
        DEFAULT,
        weights="linear",
        b=3.0,
        bq=2.0,
        top=5,
        **{"repeats": "first", "ideal": "spread", "short_lists": "as-is", "unjudged": "condense"},
        **{"after_stop": "ideal-continues", "average": "ratio-of-means", "others": "per-session"},
        measures=("ndcg", "rbp"),
    ),
}
CLICKS = {"timed": {"behaviour": PRESETS["behaviour"]}}  # by study, beside these
WHOLE, ENDS = 100, 5  # an array of more values is told by its ends and its sums
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?(?!\w)")
NOTHING_LEFT = 1e-9  # a difference that is 0 but for rounding
CLOSE = 1e-7  # relative: machines round the last of nine digits otherwise
SEARCHED = {"fit": 1e-3}  # minima, which a search finds to fewer digits
UNTOLD = {"hoverlabel", "font", "textfont", "meta"}  # of a trace: lettering, and the live lines'
AXIS = ("type", "range", "tickvals", "ticktext", "tickformat", "categoryarray", "ticksuffix")


def text_of(study: sx.Study, definition: Definition) -> str:
    """All answers and cards of a study under a definition."""
    with caching_answers(*ASKED_AGAIN):
        return "\n".join(_told_of(StudyView(study, definition, Filters()))) + "\n"


def _told_of(view: StudyView) -> Iterator[str]:
    for question in QUESTIONS:
        if question.answer is None:
            continue
        yield f"# {question.name}"
        answer = question.answer(view)
        told = vars(answer) | {
            "exhibits": {
                name: {
                    "caption": each.caption,
                    "said": each.said,
                    "alt": each.alt,
                    "table": each.table,
                    "brief": each.brief() if each.brief else None,
                    "figure": _figure(each.figure),
                    "printed": _printed(each.figure),
                }
                for name, each in answer.exhibits.items()
            }
        }
        yield from _lines(told)
        if question.card:
            card = question.card(view)
            drawn = _figure(card.draw() if card.draw else None)
            yield from _lines({"card": {"headline": card.headline, "figure": drawn}})


def _figure(figure: go.Figure | None) -> dict[str, Any] | None:
    """Traces, with their data as numbers, and what is lettered around them."""
    if figure is None:
        return None
    parts = figure.to_plotly_json()
    layout = parts["layout"]
    axes = {
        name: {each: axis[each] for each in AXIS if each in axis} | {"title": _title(axis)}
        for name, axis in sorted(layout.items())
        if name[1:5] == "axis"
    }
    lettered = [f"{each['text']} @ {each.get('x')}, {each.get('y')}" for each in _texts(layout)]
    marks = [told_value(each) for each in layout.get("shapes", ())]
    told = {"axes": axes, "texts": lettered, "shapes": marks}
    return {"traces": dict(enumerate(map(_trace, parts["data"]))), **told}


def _printed(figure: go.Figure | None) -> str:
    """What a paper's figure has of its own: sizes, margins, and where words end their lines."""
    if figure is None:
        return ""
    parts = paper_figure(figure).to_plotly_json()
    layout, texts = parts["layout"], [t["text"] for t in parts["data"] if t.get("mode") == "text"]
    axes = [layout[name] for name in sorted(layout) if name[1:5] == "axis"]
    sizes = "width", "height", "margin", "legend", "grid"
    own = {name: layout[name] for name in sizes if name in layout}
    lettered = [(_title(axis), axis.get("domain"), axis.get("tickfont")) for axis in axes]
    return json.dumps([own, lettered, texts, [each["text"] for each in _texts(layout)]])


def _trace(trace: Mapping[str, Any]) -> dict[str, Any]:
    """A trace's looks in a line, and what is no single value."""
    looks = {each: value for each, value in trace.items() if _is_small(value)}
    return {"looks": looks} | {each: trace[each] for each in trace if each not in looks}


def _texts(layout: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for each in layout.get("annotations", ()) if each.get("text")]


def _title(axis: Mapping[str, Any]) -> str:
    title = axis.get("title", "")
    return title.get("text", "") if isinstance(title, Mapping) else title


def _lines(thing: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Names and values, one a line; what is empty is left out."""
    for name, value in thing.items():
        if isinstance(value, pd.DataFrame):
            value = {str(column): value[column].to_numpy() for column in value}
        if value is None or name in UNTOLD or (isinstance(value, (str, list, dict)) and not value):
            continue
        if isinstance(value, Mapping) and "bdata" in value:
            value = unpacked(value)
        if isinstance(value, Mapping) and not all(map(_is_small, value.values())):
            yield f"{indent}{name}:"
            yield from _lines(value, f"{indent}  ")
        elif isinstance(value, (list, tuple)) and any(isinstance(each, Mapping) for each in value):
            yield f"{indent}{name}:"
            yield from _lines({str(i): each for i, each in enumerate(value)}, f"{indent}  ")
        else:
            yield f"{indent}{name}: {told_value(value)}"


def unpacked(packed: Mapping[str, str]) -> np.ndarray:
    """An array as Plotly packs it."""
    shape = packed.get("shape", "-1").split(",")
    numbers = np.frombuffer(b64decode(packed["bdata"]), dtype=packed["dtype"])
    return numbers.reshape([int(each) for each in shape])


def _is_small(value: Any) -> bool:
    """Whether a value is told within the line of what it is part of."""
    return not isinstance(value, (Mapping, list, tuple, np.ndarray, pd.DataFrame))


def told_value(value: Any) -> str:
    """A value in a line; a long array by its ends, its sum and the sum of its squares."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {told_value(each)}" for name, each in value.items())
    if not isinstance(value, (list, tuple, np.ndarray)):
        return _one(value)
    values = np.asarray(value, dtype=object).ravel()
    if values.size <= WHOLE:
        return f"[{', '.join(map(_one, values))}]"
    ends = ", ".join([*map(_one, values[:ENDS]), "…", *map(_one, values[-ENDS:])])
    numbers = [float(each) for each in values if isinstance(each, Real) and math.isfinite(each)]
    texts = [str(each) for each in values if isinstance(each, str)]
    sums = [f"{values.size} values"]
    if numbers:
        squares = math.fsum(each * each for each in numbers)
        sums += [f"{len(numbers)} numbers", _one(math.fsum(numbers)), _one(squares)]
    if texts:
        sums += [f"{len(texts)} texts", f"x{zlib.crc32('|'.join(texts).encode()):08x}"]
    return f"[{ends}] ({'; '.join(sums)})"


def _one(value: Any) -> str:
    if isinstance(value, Integral):  # and whether something is so
        return str(value)
    if isinstance(value, Real):
        return f"{float(value) + 0.0:.9g}"
    return str(value).replace("\n", " / ")


def compared(old: str, new: str) -> Iterator[tuple[str, str, str]]:
    """Question, old and new of each line, which stays as it was but for what machines round."""
    question, before, after = "", old.splitlines(keepends=True), new.splitlines(keepends=True)
    alike = [[NUMBER.sub("0", line) for line in lines] for lines in (before, after)]
    for _, i, i_end, j, j_end in SequenceMatcher(None, *alike, autojunk=False).get_opcodes():
        for was, now in zip_longest(before[i:i_end], after[j:j_end], fillvalue=""):
            if now.startswith("# "):
                question = now[2:].strip()
            yield question, was, was if _same(was, now, SEARCHED.get(question, CLOSE)) else now


def _same(was: str, now: str, close: float) -> bool:
    if was == now:
        return True
    if NUMBER.sub("0", was) != NUMBER.sub("0", now):
        return False
    both = zip(NUMBER.findall(was), NUMBER.findall(now), strict=True)
    return all(
        math.isclose(float(one), float(other), rel_tol=close, abs_tol=NOTHING_LEFT)
        for one, other in both
    )
