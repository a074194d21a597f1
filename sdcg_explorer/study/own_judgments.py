"""Judgments of one's own, which lie over those of a study as a layer and change none of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

import numpy as np
import pandas as pd

from sdcg_explorer.study.arrays import Bools
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.result_rows import category_codes


def qrels(rows: Iterable[tuple[str, str, str]]) -> str:
    r"""Lines of topic, 0, document and grade, with tabs between, as ids may have blanks.

    Where a grade is "", the line ends at its document, for an assessor to go on.

    >>> qrels([("t1", "d1", "2"), ("t1", "d2", "")])
    't1\t0\td1\t2\nt1\t0\td2\n'
    """
    return "".join(
        "\t".join(filter(None, (topic, "0", doc, grade))) + "\n" for topic, doc, grade in rows
    )


Layer = dict[tuple[str, str], float]  # the grade of a topic's document
SHORT = 8  # characters that name a layer


def layer_name(layer: Layer) -> str:
    """What a layer is called: the first characters of a sha256 over it; "" for none.

    >>> layer_name({}), layer_name({("t", "d"): 1.0}) == layer_name({("t", "d"): 2.0})
    ('', False)
    """
    if not layer:
        return ""
    text = json.dumps(sorted((*thing, grade) for thing, grade in layer.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:SHORT]


def layer_qrels(layer: Layer) -> str:
    """A layer as lines of qrels.

    >>> layer_qrels({("t", "d"): 1.0}).split()
    ['t', '0', 'd', '1']
    """
    return qrels((*thing, label(grade)) for thing, grade in sorted(layer.items()))


def overlay_layer(
    judgments: pd.DataFrame, layer: Layer, labels: Iterable[float]
) -> tuple[pd.DataFrame, Layer]:
    """Judgments with those of a layer, and what of the layer is among them.

    What the study does not know, a topic, a document or a grade, or has a judgment of already, is
    left aside.
    """
    rows = _layer_as_table(judgments, {thing: g for thing, g in layer.items() if g in {*labels}})
    rows = rows[~_is_row_in_table(judgments, rows)]
    others = {name: "" for name in judgments.columns if name not in rows}
    return pd.concat([judgments, rows.assign(**others)], ignore_index=True), _table_as_layer(rows)


def among(judgments: pd.DataFrame, layer: Layer) -> Layer:
    """What of a layer stands among judgments, with its grade."""
    own = _table_as_layer(judgments[_is_row_in_table(_layer_as_table(judgments, layer), judgments)])
    return {thing: grade for thing, grade in own.items() if layer[thing] == grade}


def without(judgments: pd.DataFrame, layer: Layer) -> pd.DataFrame:
    """Judgments without those of a layer."""
    own = _is_row_in_table(_layer_as_table(judgments, layer), judgments)
    return judgments[~own].reset_index(drop=True)


def _layer_as_table(judgments: pd.DataFrame, layer: Layer) -> pd.DataFrame:
    """A layer as a table of the categories of judgments; of what these know."""
    given = [(*thing, grade) for thing, grade in layer.items()]
    rows = pd.DataFrame(given, columns=["topic", "doc", "grade"])
    for name in ("topic", "doc"):
        names = judgments[name].cat.categories
        rows = rows[rows[name].isin(names)]
        rows = rows.assign(**{name: pd.Categorical(rows[name], names)})
    return rows


def _is_row_in_table(table: pd.DataFrame, rows: pd.DataFrame) -> Bools:
    """Whether topic and document of each row stand in a table that shares their categories."""
    docs = len(rows["doc"].cat.categories) + 1
    known, things = (
        category_codes(each["topic"]).astype(np.int64) * docs + category_codes(each["doc"])
        for each in (table, rows)
    )
    return np.isin(things, known)


def _table_as_layer(rows: pd.DataFrame) -> Layer:
    columns = (rows[name].astype("str") for name in ("topic", "doc"))
    return dict(zip(zip(*columns, strict=True), rows["grade"].tolist(), strict=True))
