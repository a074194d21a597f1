"""The wall in words: how sessions ended, and each query's text and what it found, in few bytes."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.session_filters import ALL, ENDS, GAVE_UP, LAST_ONLY, NOTHING
from sdcg_explorer.analysis.sessions.session_heatmap import BEYOND, MOST_ROWS, SHADES, Wall, wall
from sdcg_explorer.questions.words.individual_sessions import none_by, sessions_that
from sdcg_explorer.questions.words.wording import counted, enumerated, left_out, none_left
from sdcg_explorer.study.study import Study

FOUND, *_ = ENDS
IS_FOUND = "a result worth more than 0 in the last query, none in the one before it, if any"
LONGEST = 200  # characters of a query's text


def answer(seen: Wall) -> str:
    """How sessions ended, and how many each filter keeps."""
    if not seen.names:
        if seen.only != ALL:
            return none_by(seen.only)
        what, do = "session on a judged topic", "choose another topic"
        return none_left(what, seen.without_judgments, do=do)
    counts = {end: f"{count:,} {end}" for end, count in seen.ended.items()}
    ends = enumerated([*(counts | {FOUND: f"{counts[FOUND]} ({IS_FOUND})"}).values()])
    those = f"Of {sessions_that(len(seen.names), seen.only)}, by their ends: {ends}."
    if seen.only != ALL:
        return those
    return (
        f"{those} {seen.kept[NOTHING]:,} gained nothing, {seen.kept[GAVE_UP]:,} gave up after "
        f"a first success, and in {seen.kept[LAST_ONLY]:,} only the last of several queries "
        "gained."
    )


def behind(seen: Wall) -> str:
    """Rows that are shown, and what is undefined or was left out."""
    rows = sessions_that(len(seen.names), seen.only)
    if len(seen.names) > MOST_ROWS:
        rows = f"The first {MOST_ROWS:,} of {rows}; choose a topic, system or filter for others"
    undefined = len(seen.names) - sum(seen.ended.values())
    lines = [f"{rows}."]
    if undefined:
        ended = counted(undefined, "session")
        lines.append(f"Of {ended} the end is undefined: nobody judged its last topics.")
    if seen.not_whole:
        some = counted(seen.not_whole, "session")
        lines.append(f"{some} with a query on a topic nobody judged: in no filter but all.")
    return " ".join(lines) + left_out(seen.without_judgments)


def wall_words(study: Study, definition: Definition, filters: Filters, **choices: Any) -> str:
    """Rows and queries of a wall in words, as deflated JSON in base64; `choices` as of `wall`.

    top : X · names : of rows · rows : who did what, and how it ended · queries : of each row ·
    texts : each distinct one · text, dcg, found, shown : a number for each query, row by row
    """
    seen = wall(study, definition, filters, **choices)
    there = np.nonzero(seen.looks[:MOST_ROWS] != BEYOND)
    text, texts = pd.factorize(_texts(study, seen)[there])
    dcg, found = (seen.scores[name][there] for name in list(SHADES)[:2])
    said = {
        "top": definition.top,
        "names": seen.names[:MOST_ROWS],
        "rows": [_row(seen, i) for i in range(len(seen.names[:MOST_ROWS]))],
        "queries": seen.queries[:MOST_ROWS].tolist(),
        "texts": [str(each)[:LONGEST] for each in texts],
        "text": text.tolist(),
        "dcg": ["" if np.isnan(value) else f"{value:.3g}" for value in dcg.tolist()],
        "found": np.nan_to_num(found).astype(int).tolist(),
        "shown": seen.shown[there].tolist(),
    }
    plain = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(plain.encode(), 6)).decode()


def _row(seen: Wall, row: int) -> str:
    """Whose session it is, on which topic, and how it ended."""
    by = f" by {seen.searchers[row]}" if seen.searchers[row] else ""
    system = seen.system_names[int(seen.systems[row])]
    return f"{system}{by}, topic {seen.topics[row]}: {seen.end_of(row)}"


def _texts(study: Study, seen: Wall) -> np.ndarray:
    """Text of each query of each row, (N, Q); none where there is none."""
    names = pd.Index(study.sessions["session"].astype("str")).get_indexer(pd.Index(seen.names))
    table = study.queries
    filled = np.full((len(study.sessions), int(table["query_number"].max())), "", dtype=object)
    place = table["session"].cat.codes.to_numpy(), table["query_number"].to_numpy(dtype=int) - 1
    filled[place] = table["text"].astype("str").to_numpy(dtype=object)
    return filled[names][:, : seen.looks.shape[1]][:MOST_ROWS]
