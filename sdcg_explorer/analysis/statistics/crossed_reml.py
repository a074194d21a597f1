"""Restricted likelihood of sessions grouped in two crossed ways, from sums of products alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints

PARTS = 4  # intercepts and slopes of the many groups, intercepts and slopes of the few
FILLED = 0.2  # share of entries from which an array is the faster form


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of products over sessions, each of which is score = X β + Z u + rest.

    inner : (G, 2, 2) of (1, x) with itself in each of the G many groups · across : (2G, M), an
    array or sparse, of 1 and x in each with M columns: intercepts of the F few groups, their
    slopes, X of width P, the score · outer : (M, M) of these columns · few, given, sessions : F,
    P and N
    """

    inner: Floats
    across: Any
    outer: Floats
    few: int
    given: int
    sessions: int

    @property
    def free(self) -> int:
        """Sessions less coefficients."""
        return self.sessions - self.given


def sums_of(score: Floats, given: Floats, slope: Floats, many: Ints, few: Ints) -> Sums:
    """Sums of products of scores (N,), X (N, P), x (N,) and two codes of groups (N,) from 0."""
    from scipy.sparse import csr_array, hstack

    ones, place = np.ones(score.size), np.arange(score.size)

    def groups(codes: Ints, step: int, *shifts: int) -> list[Any]:
        shape = score.size, step * (int(codes.max()) + 1)
        pairs = zip((ones, slope), shifts, strict=True)
        return [csr_array((of, (place, step * codes + shift)), shape=shape) for of, shift in pairs]

    columns = hstack([*groups(few, 1, 0, 0), csr_array(np.column_stack([given, score]))]).tocsr()
    intercepts, slopes = groups(many, 2, 0, 1)
    across = ((intercepts + slopes).T @ columns).tocsr()
    is_full = across.nnz > FILLED * np.prod(across.shape)
    own = [np.bincount(many, weights=of) for of in (ones, slope, slope, slope**2)]
    inner: Floats = np.stack(own, axis=1).reshape(-1, 2, 2).astype(float)
    return Sums(
        inner=inner,
        across=across.toarray() if is_full else across,
        outer=(columns.T @ columns).toarray(),
        few=int(few.max()) + 1,
        given=given.shape[1],
        sessions=score.size,
    )


@dataclass(frozen=True, eq=False)
class At:
    """The likelihood at variances of the four parts, as ratios to the rest's, (4,).

    V = I + Σ ratio Z Z′, P = V⁻¹ − V⁻¹X (X′V⁻¹X)⁻¹ X′V⁻¹. W is V with the many groups alone, whose
    inverse is one of 2 × 2 matrices; what the few groups and X add, K columns C, follows as
    P = W⁻¹ − W⁻¹C N C′W⁻¹.

    own : (G, 2, 2) of Z′W⁻¹Z of each of the many · reach : (2G, M) of Z′W⁻¹ with the columns ·
    left : (M, M) of columns with W⁻¹ between · inverse : N (K, K) · log_det : of V and X′V⁻¹X
    """

    sums: Sums
    ratios: Floats
    own: Floats
    reach: Any
    left: Floats
    inverse: Floats
    log_det: float

    @cached_property
    def solved(self) -> Floats:
        """Effects of the few groups, and β, (K,)."""
        return self.inverse @ self.left[:-1, -1]

    @cached_property
    def rest(self) -> float:
        """Variance of the rest that is likeliest here: score′ P score / free."""
        return float(self.left[-1, -1] - self.left[-1, :-1] @ self.solved) / self.sums.free

    @property
    def deviance(self) -> float:
        """−2 × restricted log-likelihood."""
        return self.log_det + self.sums.free * float(1 + np.log(2 * np.pi * self.rest))

    @cached_property
    def of_few(self) -> Floats:
        """Z′PZ of the few groups, (2F, 2F)."""
        toward = self.left[: 2 * self.sums.few, :-1]
        return toward[:, : len(toward)] - toward @ self.inverse @ toward.T

    @cached_property
    def crossed(self) -> Floats:
        """C′W⁻¹Zᵢ Zᵢ′W⁻¹C of intercepts and slopes of the many, (2, K, K)."""
        return np.stack([self._products(i, i, np.ones(len(self.own))) for i in (0, 1)])

    def _products(self, i: int, j: int, weights: Floats) -> Floats:
        """The same of parts i and j, each of the many groups weighted, (K, K)."""
        right = self.reach[j::2] * weights[:, None]
        found = self.reach[i::2].T @ right
        return (found if isinstance(found, np.ndarray) else found.toarray())[:-1, :-1]

    def traces(self) -> Floats:
        """tr(P Z Z′) of each part, (4,)."""
        of_many = [self.own[:, i, i].sum() - (self.crossed[i] * self.inverse).sum() for i in (0, 1)]
        return np.concatenate([of_many, self.of_few.diagonal().reshape(2, -1).sum(axis=1)])

    def slopes(self) -> Floats:
        """Derivative of the deviance by each ratio, (4,)."""
        weights = np.append(-self.solved, 1.0)
        of_many, of_few = self.reach @ weights, self.left[: 2 * self.sums.few] @ weights
        pulls = [(of_many**2).reshape(-1, 2).sum(axis=0), (of_few**2).reshape(2, -1).sum(axis=1)]
        return self.traces() - np.concatenate(pulls) / self.rest

    def information(self) -> Floats:
        """tr(P Vᵢ P Vⱼ) of four parts and the rest, (5, 5): twice what is expected."""
        found, few, size = np.zeros((PARTS, PARTS)), self.sums.few, len(self.inverse)
        turned = self.crossed @ self.inverse
        kept = np.eye(size)[:, : 2 * few] - self.inverse @ self.left[:-1, : 2 * few]
        between = (kept * (self.crossed @ kept)).sum(axis=1).reshape(2, 2, few).sum(axis=2)
        found[:2, 2:], found[2:, :2] = between, between.T
        of_few = self.of_few.reshape(2, few, 2, few)
        found[2:, 2:] = (of_few**2).sum(axis=(1, 3))
        for i in (0, 1):
            for j in (0, 1):
                alone = self.own[:, i, j]
                shared = (self._products(i, j, alone) * self.inverse).sum()
                trace = (turned[i] * turned[j].T).sum()
                found[i, j] = (alone**2).sum() - 2 * shared + trace
        return self._with_rest(found, self.traces(), self.sums.free)

    def _with_rest(self, parts: Floats, beside: Floats, whole: float) -> Floats:
        """A form (4, 4) in Vᵢ and Vⱼ with that of the rest, (5, 5), as V is the sum of all.

        beside, whole : what the form gives for Vᵢ and V, (4,), and for V and V
        """
        last = beside - parts @ self.ratios
        corner = whole - beside @ self.ratios - last @ self.ratios
        return np.block([[parts, last[:, None]], [last[None], np.array([[corner]])]])

    def spread_of(self, coefficient: int) -> tuple[float, Floats, Floats]:
        """Variance of a coefficient of X over that of the rest, and how it hangs on the parts.

        Returns
        -------
        variance · its derivative by the variance of each part and of the rest, (5,) · a′Vᵢ P Vⱼ a
        (5, 5), where a′score is the coefficient
        """
        few, column = 2 * self.sums.few, 2 * self.sums.few + coefficient
        weight = np.append(self.inverse[:, column], 0.0)
        on_many, on_few = (self.reach @ weight).reshape(-1, 2), self.left[:few] @ weight
        apart = np.zeros((2, few))
        apart[0, : few // 2], apart[1, few // 2 :] = on_few[: few // 2], on_few[few // 2 :]
        along = [self.reach[i::2].T @ on_many[:, i] for i in (0, 1)]
        along = np.stack([*along, *(apart @ self.left[:few])])[:, :-1]
        form = np.zeros((PARTS, PARTS))
        form[:2, :2] = np.einsum("gi,gij,gj->ij", on_many, self.own, on_many)
        form[2:] = apart @ along[:, :few].T
        form[:2, 2:] = form[2:, :2].T
        form -= along @ self.inverse @ along.T
        variance = float(weight[column])
        by_part = np.concatenate([(on_many**2).sum(axis=0), (apart**2).sum(axis=1)])
        by_part = np.append(by_part, variance - by_part @ self.ratios)
        return variance, by_part, self._with_rest(form, np.zeros(PARTS), 0.0)


def at(sums: Sums, ratios: Floats) -> At:
    """The likelihood at ratios (4,) ≥ 0 of the parts' variances to the rest's."""
    many, few = ratios[:2], np.repeat(ratios[2:], sums.few)
    turn: Floats = np.linalg.inv(np.eye(2) + many[:, None] * sums.inner).astype(float)
    left = sums.outer - sums.across.T @ _by_group(turn * many, sums.across)
    scale = np.sqrt(np.concatenate([few, np.ones(sums.given)]))
    core = left[:-1, :-1] * scale * scale[:, None]
    core[np.arange(few.size), np.arange(few.size)] += 1
    root = np.linalg.cholesky(core)
    log_det = 2 * np.log(root.diagonal()).sum() - np.log(np.linalg.det(turn)).sum()
    factor = np.linalg.inv(root) * scale
    own = turn.swapaxes(1, 2) @ sums.inner
    reach = _by_group(turn.swapaxes(1, 2), sums.across)
    return At(sums, ratios, own, reach, left, factor.T @ factor, float(log_det))


def _by_group(turns: Floats, across: Any) -> Any:
    """Two rows of each group (2G, M) turned by a matrix of its own (G, 2, 2)."""
    from scipy.sparse import bsr_array

    if isinstance(across, np.ndarray):
        return (turns @ across.reshape(len(turns), 2, -1)).reshape(across.shape)
    place = np.arange(len(turns) + 1)
    turned = bsr_array((np.ascontiguousarray(turns), place[:-1], place)).tocsr()
    return turned @ across
