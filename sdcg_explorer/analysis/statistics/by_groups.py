"""Two systems' difference from sums by groups of sessions, as counts have them (decision 120)."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.statistics.many_scores import Estimates
from sdcg_explorer.metrics import group_sums


def differences_of_sums(sums: Floats, sample: Sample, a: int, b: int) -> Estimates:
    r"""System b less system a on scores added up by row, (S, P): least squares, topics taken off.

    With x a session's system less the share of b on its topic, the difference is
    :math:`\sum xy / \sum x^2`, and its error that of the clusters' sums of x times the residual.
    Rows with an undefined score are left out.

    Source: Cameron & Miller (2015), with C / (C − 1) and C − 1 degrees of freedom.
    """
    rows = np.isin(sample.systems, (a, b)) & np.isfinite(sums).all(axis=1) & sample.judged
    nowhere = np.full(sums.shape[1], np.nan)
    if not rows.any():
        return Estimates(nowhere, nowhere, nowhere)
    y, n, second = sums[rows], sample.number[rows], sample.systems[rows] == b
    topic = np.unique(topic_sets(sample)[rows], return_inverse=True)[1]
    cluster = np.unique(sample.clusters[rows], return_inverse=True)[1]
    on_topic = np.bincount(topic, n)
    x = second - (np.bincount(topic, n * second) / on_topic)[topic]
    size = float((n * x**2).sum())
    clusters = int(cluster.max()) + 1
    if size <= 0 or clusters < 2:
        return Estimates(nowhere if size <= 0 else x @ y / size, nowhere, nowhere)
    value = x @ y / size
    means = group_sums(y, topic, on_topic.size) / on_topic[:, None]
    left = x[:, None] * (y - n[:, None] * means[topic]) - (n * x**2)[:, None] * value
    parts = group_sums(left, cluster, clusters)
    error = np.sqrt(clusters / (clusters - 1) * (parts**2).sum(axis=0)) / size
    return Estimates(value, error, np.full_like(value, clusters - 1))


def compared_by_groups(chosen: Selection, scores: Floats, systems: tuple[str, str]) -> Estimates:
    """Second system less first on scores added up by row (S, P)."""
    a, b = map(chosen.sample.block.system_names.index, systems)
    return differences_of_sums(scores, chosen.sample, a, b)


def most_apart(chosen: Selection, scores: Floats) -> tuple[str, ...]:
    """The two systems whose difference on a score, (S,), is largest for its error, or the one."""
    sample = chosen.sample
    known = np.isfinite(scores) & sample.judged
    systems = np.unique(sample.systems[known]).tolist()
    names = sample.block.system_names
    apart: dict[tuple[str, ...], float] = {}
    for a, b in combinations(systems, 2):
        found = differences_of_sums(scores[:, None], sample, a, b)
        with np.errstate(divide="ignore", invalid="ignore"):  # scores may be alike everywhere
            t = np.abs(found.value / found.error)
        apart[names[a], names[b]] = float(np.nan_to_num(t, nan=-1.0)[0])
    return max(apart, key=apart.__getitem__) if apart else tuple(names[i] for i in systems)


def topic_sets(sample: Sample) -> Ints:
    """Code of the topics of each session, in order of first appearance, (S,)."""
    first, layout = sample.layouts
    asked = [tuple(dict.fromkeys(row[row >= 0].tolist())) for row in sample.topics[first]]
    known = {topics: code for code, topics in enumerate(dict.fromkeys(asked))}
    return np.array([known[topics] for topics in asked], dtype=np.int64)[layout]
