"""The model of two systems as dense matrices and loops: docs/statistics.md word by word."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Matrix = np.ndarray
NOTHING = (math.nan, math.nan, math.nan)


def dummies(names: Sequence[str]) -> Matrix:
    """A column of 0 and 1 for each name, in their order."""
    return np.array([[float(name == each) for each in sorted({*names})] for name in names])


def off(matrix: Matrix, columns: Matrix) -> Matrix:
    """What is left of a matrix once columns are fitted."""
    return matrix - columns @ np.linalg.lstsq(columns, matrix, rcond=1e-10)[0]


def variance(scores: Matrix, columns: Matrix) -> float:
    """Of what is left once columns are fitted; without bounds where nothing is free."""
    left, free = off(scores, columns), len(scores) - int(np.linalg.matrix_rank(columns, tol=1e-8))
    return float(left @ left) / free if free else math.inf


def alike(scores: Matrix, systems: Matrix, units: Sequence[str], topics: Matrix) -> float:
    """Part of the variance that is searchers' own."""
    both = np.column_stack([systems, topics])
    whole, within = (
        variance(scores, both),
        variance(scores, np.column_stack([both, dummies(units)])),
    )
    return min(1 - within / whole, 0.999) if whole > within else 0.0


class PlainTwoWay:
    """Scores = system + topic + searcher + rest."""

    def __init__(
        self,
        scores: Sequence[float],
        systems: Sequence[str],
        units: Sequence[str],
        topics: Sequence[str],
    ) -> None:
        self.names, self.units, self.systems = sorted({*systems}), units, systems
        score, of, on = np.array(scores, dtype=float), dummies(systems), dummies(topics)
        ratio = alike(score, of, units, on)
        ratio /= 1 - ratio
        same = np.array([[float(a == b) for b in units] for a in units])
        white = np.linalg.inv(np.linalg.cholesky(np.eye(len(units)) + ratio * same))
        given, self.given = white @ np.column_stack([of, on]), np.column_stack([of, on])
        self.inverse = np.linalg.pinv(given, rcond=1e-9)
        self.hat = given @ self.inverse
        self.effects = self.inverse @ (white @ score)
        self.left = white @ score - self.hat @ (white @ score)
        self.without_topics = score - on @ self.effects[of.shape[1] :]

    def contrast(self, a: str, b: str) -> Matrix:
        """1 for b, −1 for a."""
        found = np.zeros(self.given.shape[1])
        found[self.names.index(b)], found[self.names.index(a)] = 1, -1
        return found

    def difference(self, a: str, b: str) -> tuple[float, float, float]:
        """Value, standard error and df; nan where the data can't tell."""
        contrast = self.contrast(a, b)
        if np.abs(np.linalg.pinv(self.given) @ self.given @ contrast - contrast).max() > 1e-6:
            return NOTHING
        value, part = float(contrast @ self.effects), contrast @ self.inverse
        rest = np.eye(len(part)) - self.hat
        rows: dict[str, Matrix] = {}
        for unit in sorted({*self.units}):
            own = [i for i, name in enumerate(self.units) if name == unit]
            values, vectors = np.linalg.eigh(rest[np.ix_(own, own)])
            row = np.zeros(len(part))
            for size, vector in zip(values, vectors.T, strict=True):
                if size > 1e-6:
                    row[own] += vector * float(vector @ part[own]) / math.sqrt(size)
            rows[unit] = row
        expected = {unit: float(row @ rest @ row) for unit, row in rows.items()}
        if sum(expected.values()) < (1 - 1e-6) * float(part @ part):
            return value, math.nan, math.nan
        squares = {unit: float(row @ self.left) ** 2 for unit, row in rows.items()}
        scale = self.scales(squares, expected)
        wide = np.diag([scale[unit] for unit in self.units])
        every = rest @ np.array(list(rows.values())).T
        both = every.T @ wide @ every
        df = float(np.trace(both) ** 2 / np.trace(both @ both)) if both.any() else math.nan
        return value, math.sqrt(sum(squares.values())), df

    def scales(self, squares: dict[str, float], expected: dict[str, float]) -> dict[str, float]:
        """Spread of each searcher's rest, one for three and more who used the same systems."""
        used = {
            unit: frozenset(s for s, u in zip(self.systems, self.units, strict=True) if u == unit)
            for unit in squares
        }
        many = {kind for kind in used.values() if [*used.values()].count(kind) >= 3}
        kinds = {unit: kind if kind in many else None for unit, kind in used.items()}
        found: dict[str, float] = {}
        for unit, kind in kinds.items():
            own = [other for other in kinds if kinds[other] == kind]
            of = sum(expected[other] for other in own)
            found[unit] = sum(squares[other] for other in own) / of if of > 0 else 0.0
        return found
