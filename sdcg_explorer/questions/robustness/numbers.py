"""Does the answer hold? A difference, or a score, over the whole plane of b and bq."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import FORMS, WEIGHTINGS, Score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.questions.compare_systems.numbers import Pair, Pairs, compare_pairs, pair_model
from sdcg_explorer.scoring import cache, measures, scored_sessions
from sdcg_explorer.scoring.base_grid import AT_ONCE, GRID, BaseGrid, linearised
from sdcg_explorer.scoring.definition import CHOICES, DEFAULT, Definition, Filters
from sdcg_explorer.scoring.selection import Selection, select, stacked
from sdcg_explorer.statistics import correlations, effect_sizes, permutation, two_way
from sdcg_explorer.study import annotations, grades
from sdcg_explorer.study.grades import assessors_of, label
from sdcg_explorer.study.study import Study


def session_scores_over(plane: BaseGrid, name: str) -> Floats:
    """One of ``ALL_SESSION_SCORES`` at every point, (S, B, K); nan without a known query."""
    judged, bases = plane.chosen.sample.judged, measures.ALL_SESSION_SCORES[name].bases
    if name in AT_ONCE:
        found = getattr(plane, name)
    else:
        found = _point_by_point(plane, bases, lambda of: measures.session_score_of(name, of))
    values = np.broadcast_to(found, plane.shape)
    return values if judged.all() else np.where(judged[:, None, None], values, np.nan)


def query_scores_over(plane: BaseGrid, name: str, session: Ints, query: Ints) -> Floats:
    """One of ``QUERY_SCORES`` of some queries (M,) of judged topics at every point, (M, B, K)."""
    bases = measures.QUERY_SCORES[name].bases
    values = _point_by_point(
        plane, bases, lambda of: measures.query_score(name, of)[session, query]
    )
    return np.broadcast_to(values, (session.size, *plane.shape[1:]))


def _point_by_point(
    plane: BaseGrid, bases: tuple[str, ...], score: Callable[[Selection], Floats]
) -> Floats:
    """A score at each point that its bases tell apart."""
    some_b, some_bq = (
        each if name in bases else each[:1] for name, each in (("b", plane.b), ("bq", plane.bq))
    )
    each = [[score(plane.at(b, bq)) for bq in some_bq] for b in some_b]
    return np.stack([np.stack(row, axis=-1) for row in each], axis=-2)


@dataclass(frozen=True, eq=False)
class Lead:
    """Differences of two systems, second less first, at many points or under many definitions.

    value, p (…) : each difference, and its p by t; nan where there is none · pairs : two systems of
    those compared, of which these are one: p is multiplied by their number (Bonferroni)

    >>> import numpy as np
    >>> Lead(("A", "B"), np.array([0.2, -0.1, 0.3]), np.array([0.01, 0.04, 0.9])).clear.tolist()
    [True, True, False]
    """

    systems: tuple[str, ...]
    value: Floats
    p: Floats
    pairs: int = 1

    @property
    def clear(self) -> Bools:
        """Where the interval excludes 0, widened for so many pairs."""
        return self.p * self.pairs <= permutation.LEVEL

    def at(self, where: Bools) -> Lead:
        """The same at some points, or under some definitions."""
        return Lead(self.systems, self.value[where], self.p[where], self.pairs)

    @property
    def sides(self) -> Floats:
        """Where the second system is ahead (1), the first (−1), they tie (0), or ``UNKNOWN``."""
        return np.nan_to_num(np.sign(self.value), nan=UNKNOWN)


USUAL = measures.USUAL
Two = tuple[str, str] | None  # systems, by their names; those that differ most unless given
UNKNOWN = 2  # among leads: no difference
ROOM = 4_000_000  # scores that are held at once


@dataclass(frozen=True, eq=False, kw_only=True)
class Robustness(Lead):
    """A score over b and bq of ``GRID``, (B, K): how far two systems differ, or what one is worth.

    measure : the score as it is said under the definition · systems : the two that are compared,
    or the one · value (B, K) : difference second less first with the 95% interval low, high of
    these two alone and its p by t, nan where there is none; of one system the mean · correlation
    (B, K) : of its sessions' ranks with those at the definition in force, nan with two · sessions :
    of each system that are compared · undefined, without_judgments : of them, left out · compared :
    these two as Compare systems has them at the b and bq `compared_at`, None of one
    """

    score: str
    measure: Score[measures.Measured]
    low: Floats
    high: Floats
    correlation: Floats
    sessions: tuple[int, ...]
    undefined: int
    without_judgments: int
    compared: Pair | None
    compared_at: tuple[float, float]

    @property
    def unit(self) -> str:
        """What a difference is counted in."""
        return self.measure.unit

    @property
    def pair(self) -> Two:
        """The two systems that are compared."""
        return (self.systems[0], self.systems[1]) if len(self.systems) > 1 else None

    @property
    def is_known(self) -> bool:
        """Whether there is a number at any point."""
        return any(self.sessions) and not np.isnan(self.value).all()

    @property
    def has_session_order(self) -> bool:
        """Whether one system's sessions have an order to be kept."""
        return not np.isnan(self.correlation).all()

    def table(self) -> pd.DataFrame:
        """One row per point."""
        b, bq = np.meshgrid(GRID, GRID, indexing="ij")
        columns = {"b": b, "bq": bq}
        if len(self.systems) > 1:
            columns |= {"difference": self.value, "low": self.low, "high": self.high}
        else:
            columns |= {"mean": self.value, "rank_correlation": self.correlation}
        names = dict(zip(("system_a", "system_b"), self.systems, strict=False))
        numbers = {name: values.ravel() for name, values in columns.items()}
        return pd.DataFrame({"score": self.score, **names, **numbers})


def robustness(
    study: Study, definition: Definition, filters: Filters, *, score: str = USUAL, pair: Two = None
) -> Robustness:
    """A score over b × bq: the difference of a pair of systems, the clearest unless given.

    Raises
    ------
    ValueError : no such score, or no such two systems
    """
    score = measures.compared_score(score, definition)
    chosen = select(study, definition, filters)
    now = compare_pairs(study, definition, filters, score)
    own, sample, values = now.chosen(pair), chosen.sample, measures.session_score_of(score, chosen)
    systems = (own.system_a, own.system_b) if own else now.names
    # values of b whose scores are held at once; what a b makes of queries serves every bq
    step = max(1, ROOM // max(1, sample.sessions.size * len(GRID)))
    blocks = (GRID[i : i + step] for i in range(0, len(GRID), step))
    codes = [sample.block.system_names.index(name) for name in systems]
    known = sample.judged & np.isfinite(values)
    counted = np.isin(sample.systems, codes) | (not codes)  # of no system, all are left out
    return Robustness(
        systems,
        **stacked(_statistics_over_bases(chosen, score, systems, b) for b in blocks),
        pairs=len(now.pairs) if own else 1,
        score=score,
        measure=measures.under(definition, score, measures.ALL_SESSION_SCORES[score]),
        sessions=(own.n_a, own.n_b) if own else (now.scored.score.size,) * len(codes),
        undefined=int((counted & sample.judged & ~known).sum()),
        without_judgments=int((counted & ~sample.judged).sum()),
        compared=own,
        compared_at=(definition.b, definition.bq),
    )


def _statistics_over_bases(
    chosen: Selection, score: str, systems: tuple[str, ...], b: tuple[float, ...]
) -> dict[str, Floats]:
    """Value, both ends of its interval, p, and rank correlation with the present, (B, K) each."""
    scores, shape = session_scores_over(BaseGrid(chosen, b, GRID), score), (len(b), len(GRID))
    flat = scores.reshape(len(scores), len(b) * len(GRID))
    found = dict.fromkeys(("value", "low", "high", "p", "correlation"), np.full(shape, np.nan))
    known = np.isfinite(flat).all(axis=1)
    if len(systems) > 1:
        found |= _differences(chosen, flat, systems)
    elif known.any():
        now = measures.session_score_of(score, chosen)[known]
        found["value"] = flat[known].mean(axis=0)
        found["correlation"] = correlations.of_columns("spearman", flat[known], now)
    return {name: each.reshape(shape) for name, each in found.items()}


def _differences(chosen: Selection, scores: Floats, systems: tuple[str, ...]) -> dict[str, Floats]:
    """Second system less first on each score (S, P): value, both ends of its interval, and p.

    As Compare systems has it with topics fixed; sessions without one of the scores are left out.
    """
    known = np.asarray(np.isfinite(scores).all(axis=1), dtype=np.bool_)
    names, own = chosen.sample.block.system_names, scores if known.all() else scores[known]
    a, b = (names.index(name) for name in systems)
    if not np.isin((a, b), chosen.sample.systems[known]).all():
        return dict.fromkeys(("value", "low", "high", "p"), np.full(scores.shape[1], np.nan))
    model = pair_model(scored_sessions.scored_of(chosen, scores[:, 0], known), a, b)
    level = np.maximum(own.max(axis=0), -own.min(axis=0)) * 10.0**-effect_sizes.DIGITS
    found = two_way.differences(model.scores(own), model.sessions, a, b).without_rounding(level)
    low, high = found.interval()
    return {"value": found.value, "low": low, "high": high, "p": found.p}


@dataclass(frozen=True, eq=False, kw_only=True)
class AllDefinitions(Lead):
    """The difference of two systems (second less first) under every combination of choices.

    measure : the score as it is said under the definition in force · choices : options of each
    choice that moves anything, in the order of the axes · value, low, high, p : an axis per choice;
    intervals of these two alone · bounded : where no share can pass 1 · present : difference, ends
    and p after Holm under the definition in force · in_force : its option of each choice
    """

    score: str
    measure: Score[measures.Measured]
    choices: dict[str, tuple[Any, ...]]
    low: Floats
    high: Floats
    bounded: Bools
    present: tuple[float, ...]
    in_force: dict[str, Any]

    @property
    def unit(self) -> str:
        """What differences are counted in."""
        if is_standardised(self.score):
            return "standard deviations of the sessions' scores"
        return self.measure.unit

    def under(self, present: tuple[float, ...], definition: Definition) -> AllDefinitions:
        """The same with another definition in force, and the difference under it."""
        own = {name: getattr(definition, name) for name in self.choices}
        return replace(self, present=present, in_force=own)

    def moved(self) -> dict[str, float]:
        """Mean absolute change of the difference when a choice alone changes, largest first."""
        changes = {name: _mean_change(self.value, axis) for axis, name in enumerate(self.choices)}
        changes = {name: change * (change > self.least_change) for name, change in changes.items()}
        return dict(sorted(changes.items(), key=lambda own: -own[1]))

    def choice_change_table(self) -> pd.DataFrame:
        """One row per choice, that which moves most first."""
        rows = [(WORDS[of], change, len(self.choices[of])) for of, change in self.moved().items()]
        return pd.DataFrame(rows, columns=["choice", "mean absolute change", "options"])

    def order(self) -> Ints:
        """Definitions from the smallest difference to the largest, as places in flat axes."""
        step = self.least_change or 1.0
        return np.argsort(np.round(self.value / step), axis=None, kind="stable")

    @property
    def least_change(self) -> float:
        """What is less than this is rounding, which differs from one processor to another."""
        return SAME * float(np.fmax.reduce(np.abs(self.value), axis=None))

    def table(self) -> pd.DataFrame:
        """One row per definition, in the order of the differences."""
        options = product(*(map(_option_as_text, options) for options in self.choices.values()))
        table = pd.DataFrame(list(options), columns=list(self.choices))
        for name in ("value", "low", "high", "bounded"):
            table[name] = getattr(self, name).ravel()
        table = table.rename(columns={"value": "difference"}).iloc[self.order()]
        a, b = self.systems
        names = {"score": self.score, "system_a": a, "system_b": b}
        return table.assign(**names)[[*names, *table]].reset_index(drop=True)


def _option_as_text(option: Any) -> Any:
    """An option as a table has it: gains given grade by grade are one text."""
    if not isinstance(option, tuple):
        return option
    return " ".join(f"{label(grade)}={gain:g}" for grade, gain in option)


WORDS = {
    "top": "the number of ranks that count",
    "repeats": "how repeats count",
    "weights": "the weights of grades",
    "discount": "the form of the discount",
    "ideal": "the ideal",
    "average": "the average",
    "b": "b",
    "bq": "bq",
}


def is_standardised(score: str) -> bool:
    """Whether differences under several weights are only comparable in standard deviations."""
    return measures.ALL_SESSION_SCORES[score].unit not in measures.SHARES


def _mean_change(value: Floats, axis: int) -> float:
    """Mean absolute difference of two options of a choice, all else alike, where both are known."""
    pairs = combinations(np.moveaxis(value, axis, 0), 2)
    apart = np.concatenate([np.abs(one - two).ravel() for one, two in pairs])
    known = apart[~np.isnan(apart)]
    return float(known.mean()) if known.size else 0.0


B, BQ = (2.0, 4.0, 10.0), (2.0, 4.0, 10.0, math.inf)
VARIED: dict[str, tuple[Any, ...]] = {  # the choices, outermost first
    "top": (5, 10, 20),
    "repeats": CHOICES["repeats"],
    "weights": tuple(WEIGHTINGS),
    "discount": tuple(FORMS),
    "ideal": CHOICES["ideal"],
    "average": CHOICES["average"],
    "b": B,
    "bq": BQ,
}
OUTER = ("top", "repeats", "weights")  # the first of these, which make another look at sessions
INNER = ("discount", "ideal", "average")
MOST_UNDER_ALL = 1_000  # sessions that are compared without being asked: some 8 seconds at most
SAME = 1e-9  # of the largest difference: what moves it less moves nothing


def all_definitions(
    study: Study, definition: Definition, filters: Filters, *, score: str = USUAL, pair: Two = None
) -> AllDefinitions | None:
    """The difference of a pair, the clearest unless given; None where no two can be compared.

    What is not varied stays as the definition in force has it.

    Source: Simonsohn, Simmons & Nelson (2020), specification curve; Steegen et al. (2016).

    Raises
    ------
    ValueError : no such score
    """
    score = measures.compared_score(score, definition)
    now = compare_pairs(study, definition, filters, score)
    one = now.chosen(pair)
    if one is None:
        return None
    systems, varied = (one.system_a, one.system_b), _options_by_choice(definition, score)
    parts = [
        _over_forms(select(study, replace(definition, **some), filters), score, systems, varied)
        for some in _combine(varied, OUTER)
    ]
    shape = [len(options) for options in varied.values()]
    every = {name: values.reshape(shape) for name, values in stacked(parts).items()}
    if np.isnan(every["value"]).all():
        return None
    excess = [
        (some["repeats"], some["ideal"]) == ("every", "spread") for some in _combine(varied, VARIED)
    ]
    bounded, kept = ~np.array(excess).reshape(shape), _influential_choices(every["value"], varied)
    some = tuple(slice(None) if name in kept else 0 for name in varied)
    return AllDefinitions(
        systems,
        **{name: values[some] for name, values in every.items()},
        pairs=len(now.pairs),
        score=score,
        measure=measures.under(definition, score, measures.ALL_SESSION_SCORES[score]),
        choices={name: varied[name] for name in kept},
        bounded=bounded[some],
        present=_current_difference(now, one, score),
        in_force={name: getattr(definition, name) for name in kept},
    )


def _combine(varied: dict[str, tuple[Any, ...]], names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Every combination of the options of some choices, by name."""
    for some in product(*(varied[name] for name in names)):
        yield dict(zip(names, some, strict=True))


def unvaried_fields(definition: Definition) -> Definition:
    """What of a definition changes the answer: the rest of it is varied anyhow."""
    kept = {} if isinstance(definition.weights, str) else {"weights": definition.weights}
    return replace(definition, **{name: getattr(DEFAULT, name) for name in VARIED} | kept)


def has_few_sessions(study: Study, definition: Definition, filters: Filters) -> bool:
    """Whether the sessions are so few that all definitions need not be asked for."""
    return select(study, definition, filters).sample.sessions.size <= MOST_UNDER_ALL


def current(
    study: Study, definition: Definition, filters: Filters, *, score: str, pair: tuple[str, str]
) -> tuple[float, ...]:
    """The difference of a pair under the definition in force, its interval, and p after Holm."""
    now = compare_pairs(study, definition, filters, score)
    return _current_difference(now, now.chosen(pair), score)


def _current_difference(now: Pairs, own: Pair | None, score: str) -> tuple[float, ...]:
    if own is None:
        return (math.nan,) * 4
    spread = float(np.std(now.scored.score)) if is_standardised(score) else 1.0
    estimates = np.array([own.difference, own.low, own.high]) / (spread or 1.0)
    return *estimates.tolist(), float(now.p_holm[now.pairs.index(own)])


def _options_by_choice(definition: Definition, score: str) -> dict[str, tuple[Any, ...]]:
    """Options of each choice; weights given grade by grade are one more, averages of one score."""
    varied = dict(VARIED)
    if score != measures.USUAL:  # which alone a ratio of means is of
        varied["average"] = (definition.average,)
    if definition.behaviour:  # whose ideal `spread` could be exceeded
        varied["ideal"] = (definition.ideal,)
    if not isinstance(definition.weights, str):
        varied["weights"] = (*varied["weights"], definition.weights)
    return varied


def _influential_choices(value: Floats, varied: dict[str, tuple[Any, ...]]) -> list[str]:
    """Choices that move the difference, or decide whether there is one."""
    level = SAME * float(np.fmax.reduce(np.abs(value), axis=None))
    known = ~np.isnan(value)
    return [
        name
        for axis, name in enumerate(varied)
        if (np.fmax.reduce(value, axis=axis) - np.fmin.reduce(value, axis=axis) > level).any()
        or (known.any(axis=axis) != known.all(axis=axis)).any()
    ]


def _over_forms(
    chosen: Selection, score: str, systems: tuple[str, str], varied: dict[str, tuple[Any, ...]]
) -> dict[str, Floats]:
    """Differences, ends and p under every form, ideal, average, b and bq, (P,) each."""
    every = list[Floats]()
    for some in _combine(varied, INNER):
        definition = replace(chosen.definition, **some)
        plane = BaseGrid(chosen.with_discounts(definition), B, BQ)
        own = session_scores_over(plane, score)
        if score == measures.USUAL and definition.average == "ratio-of-means":
            own = np.where(np.isnan(own), np.nan, linearised(plane))
        every.append(own.reshape(len(own), len(B) * len(BQ)))
    scores = np.concatenate(every, axis=1)
    found = _differences(chosen, scores, systems)
    spread = np.nanstd(scores, axis=0) if is_standardised(score) else np.ones(scores.shape[1])
    spread[spread == 0] = 1.0  # where all sessions score alike, systems tie
    return found | {name: found[name] / spread for name in ("value", "low", "high")}


@dataclass(frozen=True, eq=False)
class Judges:
    """The comparison of two systems under each assessor and combination.

    systems : the two, b less a · rows : one for the grades in force, each assessor and combination:
    documents judged, mean of each system, difference with interval and p after Holm · agreement : a
    row for each two assessors: documents that both judged, share alike, κ and weighted κ ·
    confusion : grades of the two who share most, the first's in rows, empty where none do · alpha :
    Krippendorff's, of ordinal grades, over all · without_gain : whose grades have no row, as the
    definition gives one no gain
    """

    systems: tuple[str, str]
    rows: pd.DataFrame
    agreement: pd.DataFrame
    confusion: pd.DataFrame
    alpha: float
    without_gain: tuple[str, ...]


def has_several_assessors(study: Study, definition: Definition) -> bool:
    """Whether several assessors judged, but not too many to compare under each."""
    several = 2 <= len(assessors_of(study.judgments)) <= grades.MOST_ASSESSORS
    return several and definition.grades == "judgments"


def compare_by_assessor(
    study: Study, definition: Definition, filters: Filters, *, score: str = USUAL, pair: Two = None
) -> Judges | None:
    """Compare a pair of systems (the clearest) under each assessor; None with fewer than two.

    A document that an assessor didn't judge is unjudged under that one's grades, whose ideals are
    made of them, too. Grades that the definition gives no gain leave their row out.
    """
    if not has_several_assessors(study, definition):
        return None
    one = compare_pairs(study, definition, filters, score).chosen(pair)
    if one is None:
        return None
    systems, rows = (one.system_a, one.system_b), list[dict[str, object]]()
    without_gain = list[str]()
    for name, judged in _by_assessor(study):
        try:
            found = compare_pairs(judged, definition, filters, score)
        except ValueError:  # the mean of grades may have no gain of its own
            without_gain.append(name)
            continue
        own = found.chosen(systems) if {*found.names} >= {*systems} else None
        rows.append(
            {
                "grades": name,
                "judgments": len(judged.judgments),
                **{f"mean of {system}": mean for system, mean in found.scored.means.items()},
                **{part: getattr(own, part, np.nan) for part in ("difference", "low", "high")},
                "p_holm": found.p_holm[found.pairs.index(own)] if own else np.nan,
            }
        )
    names, given = assessors_of(study.judgments), grades.grades_by_assessor(study.judgments)
    agreement = pd.DataFrame(_pairwise_agreement(names, given))
    confusion, alpha = _confusion_matrix(names, given, agreement), grades.alpha_of_all(given)
    return Judges(systems, pd.DataFrame(rows), agreement, confusion, alpha, tuple(without_gain))


@cache.kept
def _by_assessor(study: Study) -> list[tuple[str, Study]]:
    """The study as it is, and with the grades of each assessor and combination, by their names."""
    names, table = assessors_of(study.judgments), grades.grades_by_assessor(study.judgments)
    each = pd.DataFrame(table, columns=pd.Index(names, dtype=object))
    combined = {"mean of all": each.mean(axis=1), "highest of all": each.max(axis=1)}
    found = [("current grades", study)]
    for name, given in [*each.items(), *combined.items()]:
        judged = study.judgments.assign(grade=given.to_numpy()).dropna(subset="grade")
        own = replace(study, judgments=judged.reset_index(drop=True), layer=annotations.Layer())
        found.append((str(name), own))
    return found


def _pairwise_agreement(names: list[str], given: Floats) -> Iterator[dict[str, object]]:
    """How far each two assessors agree."""
    codes = np.unique(given, return_inverse=True)[1].reshape(given.shape)
    for i, k in combinations(range(len(names)), 2):
        both = ~np.isnan(given[:, [i, k]]).any(axis=1)
        one, other = given[both, i], given[both, k]
        yield {
            "assessor": names[i],
            "other assessor": names[k],
            "documents": int(both.sum()),
            "alike": float(np.mean(one == other)) if both.any() else np.nan,
            "kappa": grades.kappa(codes[both, i], codes[both, k]) if both.any() else np.nan,
            "weighted_kappa": grades.weighted_kappa(one, other) if both.any() else np.nan,
        }


def _confusion_matrix(names: list[str], given: Floats, agreement: pd.DataFrame) -> pd.DataFrame:
    """How often the two who share most gave which grades, the first's in rows."""
    i, k = [*combinations(range(len(names)), 2)][int(agreement["documents"].to_numpy().argmax())]
    both = given[~np.isnan(given[:, [i, k]]).any(axis=1)]
    counts = pd.crosstab(both[:, i], both[:, k])
    counts.columns = [f"{names[k]}: {label(grade)}" for grade in np.unique(both[:, k]).tolist()]
    counts.index = [f"{names[i]}: {label(grade)}" for grade in np.unique(both[:, i]).tolist()]
    return counts.reset_index(names="grade")
