"""Fits of the sample's weights beside a search that shares no code with them."""

from __future__ import annotations

import csv
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from sdcg_explorer.questions.fit.numbers import fit
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from tests.support.discount_forms import PLAIN
from tests.support.plain_files import ECIR2008
from tests.support.studies import SAMPLES, at_hand

TOP = 10


def down_to_the_lowest_click() -> np.ndarray[Any, Any]:
    """Share of each query and rank of the top in all that was looked at."""
    lowest: dict[tuple[str, int], int] = {}
    for row in csv.DictReader((ECIR2008 / "log.csv").read_text(encoding="utf-8").splitlines()):
        query = row["session"], int(row["query_number"])
        mark = int(row["rank"]) if row["clicked"] == "1" else 0
        lowest[query] = max(lowest.get(query, 0), mark)
    counts = np.zeros((max(number for _, number in lowest), TOP))
    for (_, number), rank in lowest.items():
        counts[number - 1, : min(rank, TOP)] += 1
    return counts / counts.sum()


def test_least_squares_are_those_of_a_plain_search() -> None:
    shares, found = down_to_the_lowest_click(), fit(at_hand(SAMPLES[0]), DEFAULT, Filters())
    assert found.examined.shares == pytest.approx(shares, abs=1e-12)
    for form in ("jk2002", "kanoulas2011", "ecir2008"):
        plain = PLAIN[form]

        def error(bases: Any, plain: Any = plain) -> float:
            by_query = [plain.by_query(q, bases[1]) for q in range(1, len(shares) + 1)]
            weights = np.outer(by_query, [plain.by_rank(r, bases[0]) for r in range(1, TOP + 1)])
            return float(((weights / weights.sum() - shares) ** 2).sum())

        near = min(product(np.linspace(1.05, 9.95, 30), repeat=2), key=error)
        best = minimize(error, near, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-12})
        own = found.of(f"sdcg_{form}")
        assert own is not None
        assert own.values.tolist() == pytest.approx(best.x.tolist(), rel=1e-3)
        assert own.errors.tse == pytest.approx(best.fun, rel=1e-5)
