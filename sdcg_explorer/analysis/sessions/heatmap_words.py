"""What a wall says on hover: each query's text and what it found, in few bytes."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.sessions.session_heatmap import BEYOND, MOST_ROWS, SHADES, Wall, wall
from sdcg_explorer.study.observed import Observed
from sdcg_explorer.study.study import Study, sessions_of

LONGEST = 200  # characters of a query's text


def wall_words(study: Observed, definition: Definition, filters: Filters, **choices: Any) -> str:
    """Rows and queries of a wall in words, as deflated JSON in base64; `choices` as of `wall`.

    top : X · names : of rows · rows : who did what, and how it ended · queries : of each row ·
    texts : each distinct one · text, dcg, found, shown : a number for each query, row by row
    """
    study = sessions_of(study)
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
