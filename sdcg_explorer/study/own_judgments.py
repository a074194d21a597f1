"""Judgments of one's own, which lie over those of a study as a layer and change none of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

import numpy as np
import pandas as pd

from sdcg_explorer.study.grades import label
from sdcg_explorer.study.qrels import qrels
from sdcg_explorer.study.result_rows import codes

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


def judged_over(
    judgments: pd.DataFrame, layer: Layer, labels: Iterable[float]
) -> tuple[pd.DataFrame, Layer]:
    """Judgments with those of a layer, and what of the layer is among them.

    What the study does not know, a topic, a document or a grade, or has a judgment of already, is
    left aside.
    """
    rows = pd.DataFrame(
        [(*thing, grade) for thing, grade in layer.items()], columns=["topic", "doc", "grade"]
    )
    rows = rows[rows["grade"].isin([*labels])]
    for name in ("topic", "doc"):
        names = judgments[name].cat.categories
        rows = rows[rows[name].isin(names)]
        rows = rows.assign(**{name: pd.Categorical(rows[name], names)})
    docs = len(judgments["doc"].cat.categories) + 1
    known, own = (
        codes(table["topic"]).astype(np.int64) * docs + codes(table["doc"])
        for table in (judgments, rows)
    )
    rows = rows[~np.isin(own, known)]
    kept = rows.astype({"topic": "str", "doc": "str"}).itertuples(index=False, name=None)
    others = {name: "" for name in judgments.columns if name not in rows}
    table = pd.concat([judgments, rows.assign(**others)], ignore_index=True)
    return table, {(topic, doc): grade for topic, doc, grade in kept}
