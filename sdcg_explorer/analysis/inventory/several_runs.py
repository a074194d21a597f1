"""Several sessions of one system on one topic: how far they spread, and how far topics do."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.registry import USUAL
from sdcg_explorer.study.study import Study

COLUMNS = ("system", "topics", "sessions", "sd_sessions", "sd_topics")


def several_runs(study: Study, definition: Definition, filters: Filters) -> pd.DataFrame:
    """Spread of the share of the ideal between sessions on one topic, and between topics.

    A row for each system of which at least two topics have several sessions, sd_sessions and
    sd_topics being standard deviations; none where searchers are named, whose sessions are no
    runs of one agent, and of counts. Sessions on several topics are left out.
    """
    empty = pd.DataFrame(columns=[*COLUMNS])
    if not isinstance(study, Study):
        return empty
    chosen = select(study, definition, filters)
    sample = chosen.sample
    if sample.searchers_known:
        return empty
    alone = ((sample.topics == sample.topics[:, :1]) | (sample.topics < 0)).all(axis=1)
    value = chosen.session_score(USUAL)
    rows = np.flatnonzero(alone & ~np.isnan(value))
    names = np.array(sample.block.system_names, dtype=object)[sample.systems[rows]]
    frame = pd.DataFrame({"system": names, "topic": sample.topics[rows, 0]})
    frame["value"] = value[rows]
    frame = frame[frame.groupby(["system", "topic"])["value"].transform("size") > 1]
    made = [
        (str(system), own["topic"].nunique(), len(own), *spread)
        for system, own in frame.groupby("system")
        if not np.isnan(spread := spread_of(own["value"].to_numpy(), own["topic"].to_numpy())).any()
    ]
    return pd.DataFrame(made, columns=[*COLUMNS]) if made else empty


def spread_of(values: Floats, groups: Ints) -> tuple[float, float]:
    r"""Standard deviations within groups, and between them, by a one-way analysis of variance.

    .. math:: s_w^2 = MS_w, \quad s_b^2 = \max(0, (MS_b - MS_w) / n_0), \quad
              n_0 = (N - \sum n_i^2 / N) / (k - 1)

    nan where there are fewer than two groups, or no group of several. S. R. Searle, G. Casella,
    C. E. McCulloch: Variance Components (1992), chapter 3.

    >>> within, between = spread_of(np.array([0.2, 0.4, 0.6, 0.8]), np.array([0, 0, 1, 1]))
    >>> round(within**2, 3), round(between**2, 3)       # .04 / 2, and (.16 - .02) / 2
    (0.02, 0.07)
    """
    place = np.unique(groups, return_inverse=True)[1]
    number = np.bincount(place).astype(float)
    whole, several = values.size, number.size
    if several < 2 or whole == several:
        return float("nan"), float("nan")
    means = np.bincount(place, values) / number
    within = float(((values - means[place]) ** 2).sum()) / (whole - several)
    among = float((number * (means - values.mean()) ** 2).sum()) / (several - 1)
    each = (whole - float((number**2).sum()) / whole) / (several - 1)
    return float(np.sqrt(within)), float(np.sqrt(max(0.0, (among - within) / each)))
