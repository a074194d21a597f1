"""Measures beside each other: each number is that of the question that asks for it alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.measures import SCORES, compare_measures
from sdcg_explorer.questions.compare_systems.numbers import every_pair
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.scoring.definition import PRESETS as KNOWN
from sdcg_explorer.scoring.scores import scores
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files

ALL = ("rbp", "srbp", "inst", "err", "esndcg")


def assert_most_apart(apart: Any, ids: Any, both: Any) -> None:
    """The sessions named are those whose ranks lie farthest apart, with these ranks."""
    ranks = [(values.rank() - 0.5) / len(values) for values in both]
    gaps = [abs(each.first - each.other) for each in apart]
    assert gaps == sorted(gaps, reverse=True)
    widest = (ranks[0] - ranks[1]).abs().max()
    assert (max(gaps) if gaps else 0.0) == pytest.approx(widest, abs=1e-9)
    for each in apart:
        (place,) = np.flatnonzero(ids == each.session)
        assert (each.first, each.other) == tuple(rank.iloc[place] for rank in ranks)


def test_each_measure_has_its_own_numbers() -> None:
    study = in_files(many_systems(NAMES[:4]))
    entries = [*((score, "") for score in SCORES), ("final_normalised", "linear")]
    found = compare_measures(study, DEFAULT, Filters(), entries=entries)
    shown: Any = scores(study, replace(DEFAULT, measures=ALL), Filters()).sessions
    linear: Any = scores(study, KNOWN["linear"], Filters()).sessions
    first = shown["final_normalised"]
    pair = every_pair(study, DEFAULT, Filters(), "final_normalised").chosen(None)
    assert pair is not None
    for (score, preset), row, apart in zip(entries, found.rows, found.apart, strict=True):
        table = linear if preset else shown
        means = table.groupby("system", observed=True)[score].mean()
        assert row["order"] == " > ".join(means.sort_values(ascending=False).index)
        known = first.notna() & table[score].notna()
        tau: Any = kendalltau(first[known], table[score][known])
        assert row["tau"] == pytest.approx(tau.statistic, abs=1e-6)
        own = every_pair(study, KNOWN[preset] if preset else DEFAULT, Filters(), score)
        same = own.chosen((pair.system_a, pair.system_b))
        assert same is not None
        assert (row["difference"], row["low"], row["high"]) == (
            same.difference,
            same.low,
            same.high,
        )
        base: Any = shown.groupby("system", observed=True)["final_normalised"].mean()
        names = [*base.index]
        turned = [
            np.sign(base[a] - base[b]) * np.sign(means[a] - means[b]) < 0
            for i, a in enumerate(names)
            for b in names[i + 1 :]
        ]
        assert row["swapped"] == pytest.approx(np.mean(turned))
        ids = table["session"].astype(str)[known]
        assert_most_apart(apart, ids, [first[known], table[score][known]])
    said = words.compare_measures_headline(found)
    others = [row for row in found.rows[1:] if float(str(row["swapped"])) > 0]
    assert all(str(row["score"]) in said for row in others)
