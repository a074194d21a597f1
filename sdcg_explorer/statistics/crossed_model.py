"""Two systems where topics are a sample, as searchers are: the crossed mixed model."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.statistics.two_way import Estimate

PARTS = 4  # intercepts and slopes of the many groups, intercepts and slopes of the few
FILLED = 0.2  # share of entries from which an array is the faster form


@dataclass(frozen=True, eq=False)
class CrossProducts:
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
    def residual_df(self) -> int:
        """Sessions less coefficients."""
        return self.sessions - self.given


def cross_products(
    score: Floats, given: Floats, slope: Floats, many: Ints, few: Ints
) -> CrossProducts:
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
    moments = [np.bincount(many, weights=of) for of in (ones, slope, slope, slope**2)]
    inner: Floats = np.stack(moments, axis=1).reshape(-1, 2, 2).astype(float)
    across = across.toarray() if is_full else across
    sizes = int(few.max()) + 1, given.shape[1], score.size
    return CrossProducts(inner, across, (columns.T @ columns).toarray(), *sizes)


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The likelihood at variances of the four parts, as ratios to the rest's, (4,).

    V = I + Σ ratio Z Z′, P = V⁻¹ − V⁻¹X (X′V⁻¹X)⁻¹ X′V⁻¹. W is V with the many groups alone, whose
    inverse is one of 2 × 2 matrices; what the few groups and X add, K columns C, follows as
    P = W⁻¹ − W⁻¹C N C′W⁻¹.

    zwz : (G, 2, 2) Z′W⁻¹Z of each of the many · zwc : (2G, M) Z′W⁻¹ with the columns · cwc :
    (M, M) the columns with W⁻¹ between · inverse : N (K, K) · log_det : of V and X′V⁻¹X
    """

    products: CrossProducts
    ratios: Floats
    zwz: Floats
    zwc: Any
    cwc: Floats
    inverse: Floats
    log_det: float

    @cached_property
    def group_effects(self) -> Floats:
        """Effects of the few groups, and β, (K,)."""
        return self.inverse @ self.cwc[:-1, -1]

    @cached_property
    def rest(self) -> float:
        """Variance of the rest that is likeliest here: score′ P score / free."""
        left = float(self.cwc[-1, -1] - self.cwc[-1, :-1] @ self.group_effects)
        return left / self.products.residual_df

    @property
    def deviance(self) -> float:
        """−2 × restricted log-likelihood."""
        return self.log_det + self.products.residual_df * float(1 + np.log(2 * np.pi * self.rest))

    @cached_property
    def few_group_products(self) -> Floats:
        """Z′PZ of the few groups, (2F, 2F)."""
        toward = self.cwc[: 2 * self.products.few, :-1]
        return toward[:, : len(toward)] - toward @ self.inverse @ toward.T

    @cached_property
    def crossed(self) -> Floats:
        """C′W⁻¹Zᵢ Zᵢ′W⁻¹C of intercepts and slopes of the many, (2, K, K)."""
        return np.stack([self._czzc(i, i, np.ones(len(self.zwz))) for i in (0, 1)])

    def _czzc(self, i: int, j: int, weights: Floats) -> Floats:
        """The same of parts i and j, each of the many groups weighted, (K, K)."""
        right = self.zwc[j::2] * weights[:, None]
        found = self.zwc[i::2].T @ right
        return (found if isinstance(found, np.ndarray) else found.toarray())[:-1, :-1]

    def traces(self) -> Floats:
        """tr(P Z Z′) of each part, (4,)."""
        of_many = [self.zwz[:, i, i].sum() - (self.crossed[i] * self.inverse).sum() for i in (0, 1)]
        of_few = self.few_group_products.diagonal().reshape(2, -1).sum(axis=1)
        return np.concatenate([of_many, of_few])

    def deviance_slopes(self) -> Floats:
        """Derivative of the deviance by each ratio, (4,)."""
        weights = np.append(-self.group_effects, 1.0)
        of_many, of_few = self.zwc @ weights, self.cwc[: 2 * self.products.few] @ weights
        pulls = [(of_many**2).reshape(-1, 2).sum(axis=0), (of_few**2).reshape(2, -1).sum(axis=1)]
        return self.traces() - np.concatenate(pulls) / self.rest

    def information(self) -> Floats:
        """tr(P Vᵢ P Vⱼ) of four parts and the rest, (5, 5): twice what is expected."""
        found, few, size = np.zeros((PARTS, PARTS)), self.products.few, len(self.inverse)
        turned = self.crossed @ self.inverse
        others = np.eye(size)[:, : 2 * few] - self.inverse @ self.cwc[:-1, : 2 * few]
        between = (others * (self.crossed @ others)).sum(axis=1).reshape(2, 2, few).sum(axis=2)
        found[:2, 2:], found[2:, :2] = between, between.T
        of_few = self.few_group_products.reshape(2, few, 2, few)
        found[2:, 2:] = (of_few**2).sum(axis=(1, 3))
        for i in (0, 1):
            for j in (0, 1):
                alone = self.zwz[:, i, j]
                shared = (self._czzc(i, j, alone) * self.inverse).sum()
                trace = (turned[i] * turned[j].T).sum()
                found[i, j] = (alone**2).sum() - 2 * shared + trace
        return self._with_residual(found, self.traces(), self.products.residual_df)

    def _with_residual(self, parts: Floats, beside: Floats, whole: float) -> Floats:
        """A form (4, 4) in Vᵢ and Vⱼ with that of the rest, (5, 5), as V is the sum of all.

        beside, whole : what the form gives for Vᵢ and V, (4,), and for V and V
        """
        last = beside - parts @ self.ratios
        corner = whole - beside @ self.ratios - last @ self.ratios
        return np.block([[parts, last[:, None]], [last[None], np.array([[corner]])]])

    def coefficient_variance(self, coefficient: int) -> tuple[float, Floats, Floats]:
        """Variance of a coefficient of X over that of the rest, and how it hangs on the parts.

        Returns
        -------
        variance · its derivative by the variance of each part and of the rest, (5,) · a′Vᵢ P Vⱼ a
        (5, 5), where a′score is the coefficient
        """
        few, column = 2 * self.products.few, 2 * self.products.few + coefficient
        weight = np.append(self.inverse[:, column], 0.0)
        on_many, on_few = (self.zwc @ weight).reshape(-1, 2), self.cwc[:few] @ weight
        apart = np.zeros((2, few))
        apart[0, : few // 2], apart[1, few // 2 :] = on_few[: few // 2], on_few[few // 2 :]
        along = [self.zwc[i::2].T @ on_many[:, i] for i in (0, 1)]
        along = np.stack([*along, *(apart @ self.cwc[:few])])[:, :-1]
        form = np.zeros((PARTS, PARTS))
        form[:2, :2] = np.einsum("gi,gij,gj->ij", on_many, self.zwz, on_many)
        form[2:] = apart @ along[:, :few].T
        form[:2, 2:] = form[2:, :2].T
        form -= along @ self.inverse @ along.T
        variance = float(weight[column])
        by_part = np.concatenate([(on_many**2).sum(axis=0), (apart**2).sum(axis=1)])
        by_part = np.append(by_part, variance - by_part @ self.ratios)
        return variance, by_part, self._with_residual(form, np.zeros(PARTS), 0.0)


def likelihood(products: CrossProducts, ratios: Floats) -> Likelihood:
    """The likelihood at ratios (4,) ≥ 0 of the parts' variances to the rest's."""
    many, few = ratios[:2], np.repeat(ratios[2:], products.few)
    turn: Floats = np.linalg.inv(np.eye(2) + many[:, None] * products.inner).astype(float)
    cwc = products.outer - products.across.T @ _turn_by_group(turn * many, products.across)
    scale = np.sqrt(np.concatenate([few, np.ones(products.given)]))
    core = cwc[:-1, :-1] * scale * scale[:, None]
    core[np.arange(few.size), np.arange(few.size)] += 1
    root = np.linalg.cholesky(core)
    log_det = 2 * np.log(root.diagonal()).sum() - np.log(np.linalg.det(turn)).sum()
    factor = np.linalg.inv(root) * scale
    zwz = turn.swapaxes(1, 2) @ products.inner
    zwc = _turn_by_group(turn.swapaxes(1, 2), products.across)
    return Likelihood(products, ratios, zwz, zwc, cwc, factor.T @ factor, float(log_det))


def _turn_by_group(turns: Floats, across: Any) -> Any:
    """Two rows of each group (2G, M) turned by a matrix of its own (G, 2, 2)."""
    from scipy.sparse import bsr_array

    if isinstance(across, np.ndarray):
        return (turns @ across.reshape(len(turns), 2, -1)).reshape(across.shape)
    place = np.arange(len(turns) + 1)
    turned = bsr_array((np.ascontiguousarray(turns), place[:-1], place)).tocsr()
    return turned @ across


LARGEST_RATIO = 1e6  # variance of a part at most, in those of the rest
STARTS = (1.0, 0.04)  # variances of all parts to start from, in those of the rest
STEPS, HALVINGS = 100, 30
FLAT, STEEP = 1e-6, 1e-3  # slope of the deviance to stop at, and from which it has no minimum
ROUNDING = 1e-9  # by which one deviance may pass another
NO_REST = 1e-9  # variance of the rest, in that of the scores, which is rounding
SEPARABLE = 1e-8  # least share of a part's shape that others lack, for it to be told from them


def identifiable_parts(products: CrossProducts, order: Sequence[int]) -> list[int]:
    """Parts whose variance the design tells from the rest's and those before it, in this order.

    A part can't be told where P V P is a sum of the others': its row of the information is then a
    sum of theirs.
    """
    shape = likelihood(products, np.ones(PARTS)).information()
    told = [PARTS]
    for part in order:
        among = shape[np.ix_(told, told)]
        toward = shape[part, told]
        beyond = shape[part, part] - toward @ np.linalg.solve(among, toward)
        if beyond > SEPARABLE * max(1.0, shape[part, part]):
            told.append(part)
    return sorted(told[1:])


def fitted(products: CrossProducts, parts: Sequence[int]) -> Likelihood | None:
    """The likelihood where it is highest over the variances of some parts, others being 0.

    Of standardised scores. None where no maximum is found from any start.
    """
    found = [_maximum_likelihood(products, list(parts), start) for start in STARTS]
    lowest = min(found, key=lambda place: place.deviance)
    return lowest if is_perfect_fit(lowest) or _steepest_slope(lowest, parts)[0] < STEEP else None


def is_perfect_fit(place: Likelihood) -> bool:
    """Whether groups and coefficients leave nothing of standardised scores."""
    return not place.rest > NO_REST or bool((place.ratios >= LARGEST_RATIO).any())


def _maximum_likelihood(products: CrossProducts, parts: list[int], start: float) -> Likelihood:
    """Where Fisher's scoring leads from equal ratios; those that would fall below 0 stay there."""
    begin = np.zeros(PARTS)
    begin[parts] = start
    place = likelihood(products, begin)
    for _ in range(STEPS):
        slope, free = _steepest_slope(place, parts)
        if slope < FLAT or is_perfect_fit(place):
            break
        step, traces = np.zeros(PARTS), place.traces()
        # second derivatives that are expected
        curved = place.information()[:PARTS, :PARTS]
        curved -= np.outer(traces, traces) / products.residual_df
        step[free] = -np.linalg.solve(curved[np.ix_(free, free)], place.deviance_slopes()[free])
        lower = _step_lowering_deviance(place, step)
        if lower is None:
            break
        place = lower
    return place


def _steepest_slope(place: Likelihood, parts: Sequence[int]) -> tuple[float, list[int]]:
    """Steepest slope of the deviance, and parts that have one to follow: not down from 0.

    By ratios below 1, by their logarithms above.
    """
    ratios, slopes = place.ratios, place.deviance_slopes()
    free = [part for part in parts if ratios[part] > 0 or slopes[part] < 0]
    return float((np.abs(slopes) * np.maximum(ratios, 1.0))[free].max(initial=0.0)), free


def _step_lowering_deviance(place: Likelihood, step: Floats) -> Likelihood | None:
    """Where a step, or half of it, half of that … leads to no higher deviance; None if nowhere."""
    for _ in range(HALVINGS):
        found = likelihood(place.products, np.clip(place.ratios + step, 0.0, LARGEST_RATIO))
        if is_perfect_fit(found) or found.deviance < place.deviance + ROUNDING:
            return found
        step = step / 2
    return None


FEW_LEVELS = 8  # topics, or searchers, below which they can't speak for others
FEWEST_SESSIONS = 4
LEAST_DF = 1.0  # below which an interval by t may be of any size
MOST_LEVELS = 300  # searchers or topics, whichever are fewer, that are computed in seconds
PART_NAMES = "searcher", "searcher_by_system", "topic", "topic_by_system"


@dataclass(frozen=True)
class Crossed(Estimate[float]):
    """Difference b − a for searchers and topics like those of the study.

    value, error : δ and its standard error, in units of the score · df : Satterthwaite's ·
    variances : in squared units, as far as the design tells them: of means over both systems, of
    differences b − a about the average (``PART_NAMES``), and of sessions beside all these (rest) ·
    deviance : −2 × restricted log-likelihood of the scores as they are · searchers : or sessions,
    where none names one · reason : why there is no model
    """

    value: float = np.nan
    error: float = np.nan
    df: float = np.nan
    variances: dict[str, float] = field(default_factory=dict[str, float])
    deviance: float = np.nan
    searchers: int = 0
    topics: int = 0
    sessions: int = 0
    is_named: bool = True
    reason: str = ""


def crossed_model(
    score: Floats, is_b: Bools, searcher: Ints, topic: Ints, *, is_named: bool = True
) -> Crossed:
    r"""Difference of two systems where searchers and topics are both samples.

    .. math:: y_i = \mu + \delta x_i + u_s + v_s x_i + t_k + w_k x_i + e_i

    for session i of searcher s on topic k, x = −½ with system a and ½ with b; u, v, t, w and e
    independent and normal, the variance of each by REML. Coded so, to swap a and b changes the sign
    of δ and nothing else. A variance that the design can't tell from the others is left out.

    Parameters
    ----------
    score : (N,) of each session · is_b : (N,) whether it is of system b · searcher, topic : (N,)
        codes; a session that names no searcher has one of its own
    is_named : whether any session names its searcher

    Returns
    -------
    Crossed, its effect δ with Kenward and Roger's standard error and Satterthwaite's degrees of
    freedom, with which theirs agree for a single coefficient; nan, with a reason, where there is
    no model

    Source: Baayen, Davidson and Bates (2008), Journal of Memory and Language 59, 390–412, for the
    model; Kenward and Roger (1997), Biometrics 53, 983–997, for error and degrees of freedom.

    >>> who, topic = np.divmod(np.arange(24), 4)
    >>> system, noise = (who + topic) % 2, np.random.default_rng(1).normal(size=24)
    >>> crossed = crossed_model(system + noise, system == 1, who, topic)
    >>> crossed.searchers, crossed.topics, round(crossed.value, 3)
    (6, 4, 0.812)
    """
    searcher, topic = (np.unique(of, return_inverse=True)[1] for of in (searcher, topic))
    without = Crossed(
        searchers=int(searcher.max(initial=-1)) + 1,
        topics=int(topic.max(initial=-1)) + 1,
        sessions=score.size,
        is_named=is_named,
    )
    if reason := _reason_for_no_model(score, is_b, topic, without):
        return replace(without, reason=reason)
    slope = np.where(is_b, 0.5, -0.5)
    turned = without.topics > without.searchers
    many, few = (topic, searcher) if turned else (searcher, topic)
    unit = float(score.std())
    given = np.column_stack([np.ones_like(slope), slope])
    products = cross_products((score - score.mean()) / unit, given, slope, many, few)
    order = (0, 2, 1, 3) if turned else (2, 0, 3, 1)  # topics first where one part is as good
    parts = identifiable_parts(products, order)
    place = fitted(products, parts)
    if place is None:
        return replace(without, reason="the likelihood has no maximum that could be found")
    if is_perfect_fit(place):
        return replace(without, reason="no variation is left to judge by")
    named = PART_NAMES[2:] + PART_NAMES[:2] if turned else PART_NAMES
    told = {named[part]: float(place.ratios[part] * place.rest) * unit**2 for part in parts}
    difference = _difference_estimate(place, parts, unit)
    if not difference.df >= LEAST_DF:
        few = "there are too few sessions to tell how far the difference may be off"
        return replace(without, reason=few)
    told["rest"] = place.rest * unit**2
    deviance = place.deviance + 2 * products.residual_df * float(np.log(unit))
    return replace(without, **vars(difference), variances=told, deviance=deviance)


def _reason_for_no_model(score: Floats, is_b: Bools, topic: Ints, of: Crossed) -> str:
    """Why there can be no model, if so."""
    reasons = {
        "one of the systems has no session": is_b.all() or not is_b.any(),
        "the systems never met on a topic": not np.isin(topic[is_b], topic[~is_b]).any(),
        "a single topic says nothing about others": of.topics == 1,
        "a single searcher says nothing about others": of.searchers == 1,
        "there are too few sessions for its terms": score.size < FEWEST_SESSIONS,
        "all sessions score alike": score.size > 0 and np.ptp(score) == 0,
        f"{of.searchers:,} searchers and {of.topics:,} topics at once are too many to compute": (
            min(of.searchers, of.topics) > MOST_LEVELS
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _difference_estimate(place: Likelihood, parts: list[int], unit: float) -> Estimate[float]:
    """δ with its error, in units of the score, and degrees of freedom.

    Variances estimated as 0 are taken for known.
    """
    variance, by_part, form = place.coefficient_variance(1)
    some = [part for part in parts if place.ratios[part] > 0] + [PARTS]
    inverse = np.linalg.inv(place.information()[np.ix_(some, some)])
    df = variance**2 / float(by_part[some] @ inverse @ by_part[some])
    widened = variance + 4 * float((inverse * form[np.ix_(some, some)]).sum())
    se = float(np.sqrt(widened * place.rest)) * unit
    return Estimate(float(place.group_effects[-1]) * unit, se, df)
