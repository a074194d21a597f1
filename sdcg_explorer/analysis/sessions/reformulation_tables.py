"""Tables of what reformulations did: by step, by query number, and of first queries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.selection.sample import Sample

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
EQUAL = 1e-12
DID = ("gained", "stayed", "lost")  # what a reformulation did to the measure


def shares(sample: Sample, change: Floats) -> pd.DataFrame:
    """Reformulations of each system by step, and how many of them gained, stayed and lost."""
    did = (~np.isnan(change), change > EQUAL, np.abs(change) <= EQUAL, change < -EQUAL)
    shown = np.array(sample.shown_systems, dtype=np.int64)
    of = (sample.systems == shown[:, None]).astype(np.int64)  # (G, S)
    counts = [(of @ each).ravel() for each in did]
    names = np.array(sample.block.system_names, dtype=object)[shown]
    steps = {
        "system": np.repeat(names, change.shape[1]),
        "step": np.tile(np.arange(1, change.shape[1] + 1), shown.size),
        **dict(zip(("number", *DID), counts, strict=True)),
    }
    table = pd.DataFrame(steps)
    return table[table["number"] > 0].reset_index(drop=True)


def quantiles(sample: Sample, values: Floats, place: str) -> pd.DataFrame:
    """Quantiles of each column of (S, Q) values by system, with the number they run over."""
    rows: list[dict[str, Any]] = []
    for own in sample.shown_systems:
        for q, column in enumerate(values[sample.systems == own].T, start=1):
            known = column[~np.isnan(column)]
            if known.size:
                told = dict(zip(_named_quantiles(), np.quantile(known, QUANTILES), strict=True))
                name = sample.block.system_names[own]
                rows.append({"system": name, place: q, "number": known.size, **told})
    return pd.DataFrame(rows, columns=["system", place, "number", *_named_quantiles()])


def _named_quantiles() -> list[str]:
    return [f"p{100 * q:g}" for q in QUANTILES]


def first_queries(sample: Sample, worth: Floats) -> pd.DataFrame:
    """Quantiles of the first query's measure by the session's number of queries."""
    spread = np.full((worth.size, sample.most_queries), np.nan)
    spread[np.arange(worth.size), sample.queries - 1] = worth
    return quantiles(sample, spread, "queries")


def by_query(sample: Sample, means: dict[str, Floats]) -> pd.DataFrame:
    """Mean of each measure by system and query number, and how many sessions it runs over."""
    frames: list[pd.DataFrame] = []
    for own in sample.shown_systems:
        rows = sample.systems == own
        table: dict[str, Any] = {
            "system": sample.block.system_names[own],
            "query_number": np.arange(1, sample.most_queries + 1),
        }
        for name, values in means.items():
            known = ~np.isnan(values[rows])
            number = known.sum(axis=0)
            total = np.where(known, values[rows], 0.0).sum(axis=0)
            table[name] = np.divide(
                total, number, out=np.full(total.shape, np.nan), where=number > 0
            )
            table[f"{name}_sessions"] = number
        frames.append(pd.DataFrame(table))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
