"""Three versions of how far two variables go together: raw, centred, and length partialled out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.statistics.correlations import (
    KINDS,
    MOST_PAIRED,
    Clustered,
    Coefficient,
    Variable,
    coefficient,
    estimate,
    of_columns,
    partial,
)
from sdcg_explorer.analysis.statistics.demeaned import Sessions, TakenOff
from sdcg_explorer.analysis.statistics.effect_sizes import rounding

VERSIONS = {
    "raw": "as they are",
    "centred": "within searcher and topic",
    "partial": "number of queries partialled out",
}
# by name: values, clusters, and the coefficient by version
Found = dict[str, tuple[int, int, dict[str, Coefficient]]]


@dataclass(frozen=True, eq=False)
class Paired:
    """A rating y and a number of queries z beside scores, (N,) each.

    cluster : who is resampled · searcher, topic : codes from 0, whose means are taken off
    """

    y: Floats
    z: Floats
    cluster: Ints
    searcher: Ints
    topic: Ints

    def take(self, rows: Bools | Ints) -> Paired:
        """Some of them, coded anew."""
        codes = [
            np.unique(each[rows], return_inverse=True)[1]
            for each in (self.cluster, self.searcher, self.topic)
        ]
        return Paired(self.y[rows], self.z[rows], *codes)

    @cached_property
    def _taken_off(self) -> TakenOff:
        sessions = Sessions(np.zeros_like(self.searcher), self.searcher, self.topic)
        return TakenOff.by(sessions, np.ones(int(self.searcher.max(initial=-1)) + 1))

    def residuals(self, values: Floats) -> Floats:
        """Values (N, k) less effects of searchers and topics, fitted at once by least squares."""
        if not len(values):
            return values
        left = self._taken_off.without_topics(self._taken_off.without_means(values))
        steps = np.array([rounding(column) or 1.0 for column in values.T])
        return np.round(left / steps) * steps

    @property
    def wider(self) -> float:
        """By how much residuals vary less than what they are residuals of, √(N / df)."""
        fitted = np.unique(self.searcher).size + self._taken_off.rank
        return float(np.sqrt(self.y.size / max(1.0, self.y.size - fitted)))

    @cached_property
    def y_left(self) -> Floats:
        """What searchers and topics leave of y."""
        return self.residuals(self.y[:, None])[:, 0]

    def over(self, kind: str, version: str, values: Floats) -> Floats:
        """A version of a coefficient of y with each column of values (N, P), (P,)."""
        if len(values) < 2:
            return np.full(values.shape[1], np.nan)
        if version == "centred":
            return of_columns(kind, self.residuals(values), self.y_left)
        raw = of_columns(kind, values, self.y)
        if version == "raw":
            return raw
        if version != "partial":
            raise ValueError(f"version {version!r}; known are {', '.join(VERSIONS)}.")
        with_y = of_columns(kind, self.z[:, None], self.y)
        return partial(raw, of_columns(kind, values, self.z), with_y)


def estimates(kind: str, scores: Mapping[str, Floats], paired: Paired) -> Found:
    """Of each score: how many have it, of how many clusters, and its coefficient by version.

    Raises
    ------
    ValueError : no such coefficient
    """
    if kind not in KINDS:
        raise ValueError(f"coefficient {kind!r}; known are {', '.join(KINDS)}.")
    alike: dict[bytes, list[str]] = {}
    for name, values in scores.items():
        alike.setdefault(np.isnan(values).tobytes(), []).append(name)
    found: Found = {}
    for names in alike.values():  # those of the same rows share what is made of the rating
        rows = ~np.isnan(scores[names[0]])
        own = paired.take(rows)
        found |= _estimates(kind, {name: scores[name][rows] for name in names}, own)
    return {name: found[name] for name in scores}


def _estimates(kind: str, scores: Mapping[str, Floats], paired: Paired) -> Found:
    number, clusters = paired.y.size, np.unique(paired.cluster).size
    if number < 2:
        nothing = dict.fromkeys(VERSIONS, Coefficient(np.nan))
        return dict.fromkeys(scores, (number, clusters, nothing))
    few = {"resamples": 0} if kind == "kendall" and number > MOST_PAIRED else {}
    blocks = Clustered.of(paired.cluster, **few).blocks()
    parts = [_drawn(kind, scores, paired, block) for block in blocks]
    wider = {"centred": paired.wider}

    def of(name: str) -> dict[str, Coefficient]:
        each = {v: np.concatenate([part[name][v] for part in parts]) for v in VERSIONS}
        return {v: estimate(one, clusters, wider.get(v, 1.0)) for v, one in each.items()}

    return {name: (number, clusters, of(name)) for name in scores}


def _drawn(
    kind: str, scores: Mapping[str, Floats], paired: Paired, of: Clustered
) -> dict[str, dict[str, Floats]]:
    """Each version of each score's coefficient in some draws."""

    def ready(values: Floats) -> Variable:
        return KINDS[kind].ready(values, of)

    y, z, y_left = ready(paired.y), ready(paired.z), ready(paired.y_left)
    left = paired.residuals(np.column_stack([*scores.values()]))
    yz = coefficient(kind, y, z, of)
    drawn: dict[str, dict[str, Floats]] = {}
    for (name, values), centred in zip(scores.items(), left.T, strict=True):
        x = ready(values)
        raw = coefficient(kind, x, y, of)
        drawn[name] = {
            "raw": raw,
            "centred": coefficient(kind, ready(centred), y_left, of),
            "partial": partial(raw, coefficient(kind, x, z, of), yz),
        }
    return drawn


def folds(clusters: Ints, number: int, seed: int) -> Ints:
    """The fold of each value: clusters are shared out evenly and by chance, none is split."""
    size = int(clusters.max(initial=-1)) + 1
    order = np.random.default_rng(seed).permutation(size)
    fold = np.empty(size, dtype=np.int64)
    fold[order] = np.arange(size) % number
    return fold[clusters]


def mean_of(values: Sequence[float], weights: Sequence[int]) -> float:
    """Mean of what is defined, by weight; nan where nothing is."""
    found, known = np.array(values), ~np.isnan(values)
    return (
        float(np.average(found[known], weights=np.array(weights)[known])) if known.any() else np.nan
    )
