"""Scores of queries and sessions by their name: sDCG's, and those of other sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcg_explorer import metrics
from sdcg_explorer.metrics import Score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.metrics.score import LINEAR, RISING
from sdcg_explorer.scoring.definition import OVER_HIGHEST, Definition, further_of, with_parameters
from sdcg_explorer.scoring.selection import Selection, stacked
from sdcg_explorer.study.grade_cube import NEVER
from sdcg_explorer.study.grades import NO_GRADE


@dataclass(frozen=True, eq=False)
class Measured:
    """A selection as its scores look at it; what several of them share is computed once.

    `expected` is the number of relevant documents that a searcher expects of a topic; without it,
    all that are judged relevant.
    """

    chosen: Selection
    expected: float | None = None

    @cached_property
    def shares(self) -> Floats:
        """DCG as a share of the ideal list's, at each rank, (S, Q, top); level after the cells."""
        inside = self.chosen.sample.has_cell
        lists = self.chosen.ideal_lists[self.chosen.sample.pools]
        return metrics.ndcg(self.chosen.gains, lists * inside, self.chosen.discount())

    @cached_property
    def codes(self) -> NDArray[Any]:
        """Grade codes to the top, repeats among them, (S, Q, top); `empty` outside of the cells."""
        return self._block_values(self.chosen.sample.block.codes, self.chosen.sample.block.empty)

    def _block_values(self, values: NDArray[Any], nothing: int) -> NDArray[Any]:
        """Values of the block for the sessions chosen, to the top, (S, Q, top)."""
        sample, top = self.chosen.sample, self.chosen.definition.top
        kept = values[..., :top][sample.sessions, : sample.most_queries]
        return np.pad(kept, ((0, 0), (0, 0), (0, top - kept.shape[2])), constant_values=nothing)

    @cached_property
    def length_adjusted(self) -> dict[str, Floats]:
        """LDCG and LNDCG, whose gain is always 2^g − 1, and whose M is the top X."""
        sample, block = self.chosen.sample, self.chosen.sample.block
        worth = metrics.weighting("exponential", block.labels)
        gains = np.append(worth, np.zeros(len(NO_GRADE)))[self.codes]
        lengths = block.lengths[sample.sessions, : sample.most_queries]
        judged = np.where(block.judged > 0, block.judged_gains(worth), 0.0)
        highest = judged.max(axis=1, initial=0.0)
        number = np.where(judged == highest[:, None], block.judged, 0).sum(axis=1, where=judged > 0)
        best = np.append(highest, 0.0)[sample.pools], np.append(number, 0)[sample.pools]
        # nothing relevant: undefined
        value = np.where(best[0] > 0, metrics.ldcg(gains, lengths), np.nan)
        return {"ldcg": value, "lndcg": metrics.lndcg(gains, lengths, *best)}

    @cached_property
    def relevant_and_repeated_masks(self) -> tuple[Bools, Bools]:
        """Whether the document in each cell is relevant, and whether an earlier query showed it so.

        (S, Q, top) each. Worth is the gain; a searcher's grades may differ between appearances, and
        a document is then relevant from its first appearance with gain on.
        """
        sample, block, top = self.chosen.sample, self.chosen.sample.block, self.chosen.sample.top
        relevant = self.chosen.weights[self.codes] > 0
        if block.things is None:
            return relevant, relevant & (self._block_values(block.seen_at, NEVER) <= top)
        things = self._block_values(block.things, -1)
        query = np.broadcast_to(np.arange(sample.most_queries)[:, None], things.shape[1:])
        first = np.full(int(things.max(initial=-1)) + 2, NEVER)
        np.minimum.at(first, things[relevant], np.broadcast_to(query, things.shape)[relevant])
        again = (first[things] < query) & (things >= 0)
        once = self.codes != block.again  # a document once in a list
        return relevant | (again & once), again & once

    @cached_property
    def brought(self) -> NDArray[np.int_]:
        """Relevant documents that each query shows and no earlier one of its session, (S, Q)."""
        return self.new.sum(axis=2)

    @cached_property
    def new(self) -> Bools:
        """Whether each cell shows a relevant document first in its session, (S, Q, top)."""
        relevant, again = self.relevant_and_repeated_masks
        return relevant & ~again

    def best_of_topics(self, lists: Floats, depth: int) -> Floats:
        """Best list on all topics of each session, (S, depth), of those of each, (T + 1, R)."""
        first, layout = self.chosen.sample.ideal_layouts
        each = lists[self.own_topics[first]]
        every = each.reshape(first.size, each.shape[1] * each.shape[2])
        return -np.sort(-every, axis=1)[:, :depth][layout]

    @cached_property
    def first_gains_shown_and_best(self) -> tuple[Floats, Bools, Floats]:
        """Gain where a document is shown first, where any is, (S, Q, top); best lists, (S, top)."""
        chosen = self.chosen
        gains = np.where(self.new, chosen.weights[self.codes], 0.0)
        best = self.best_of_topics(chosen.ideal_lists, chosen.definition.top)
        return gains, self.codes != chosen.sample.block.empty, best

    @cached_property
    def esndcg_and_unseen_chance(self) -> tuple[Floats, Floats]:
        """EsNDCG of each session, (S,), and the chance of its paths that see nothing."""
        sample, asked = self.chosen.sample, self.chosen.definition
        block, depth = sample.block, asked.top * sample.most_queries
        worth = np.maximum(metrics.weighting("exponential", block.labels), 0.0)
        lengths = np.minimum(block.lengths[sample.sessions, : sample.most_queries], asked.top)
        deep = min(depth, max(1, int(block.judged.sum(axis=1).max(initial=0))))
        lists = metrics.best_gains(block.judged, block.judged_gains(worth), deep)
        ideal = self.best_of_topics(np.vstack([lists, np.zeros(deep)]), depth)
        gains = np.append(worth, np.zeros(len(NO_GRADE)))[self.codes]
        moves = asked.p_reform, asked.p_down
        value, unseen = metrics.esndcg(gains, lengths, sample.queries, ideal, moves)
        return _nan_unless_judged(value, self), _nan_unless_judged(unseen, self)

    @cached_property
    def own_topics(self) -> Ints:
        """Topics of each session, each once, (S, most of any session, at least 1); then −1."""
        ordered = np.sort(self.chosen.sample.pools, axis=1)
        own = -np.sort(-np.where(np.diff(ordered, axis=1, prepend=-1) > 0, ordered, -1), axis=1)
        return own[:, : max(1, (own >= 0).sum(axis=1).max(initial=0))]

    @cached_property
    def repeated(self) -> NDArray[np.int_]:
        """Relevant documents that each query shows and an earlier one did, (S, Q)."""
        relevant, again = self.relevant_and_repeated_masks
        return (relevant & again).sum(axis=2)

    @cached_property
    def relevant_document_counts(self) -> Ints:
        """Relevant documents of each topic, (T,)."""
        block = self.chosen.sample.block
        return block.judged @ (block.judged_gains(self.chosen.weights[: len(block.labels)]) > 0)

    def sum_over_topics(self, values: Ints) -> Ints:
        """What the topics of each session come to, each once, (S,); `values` are theirs, (T,)."""
        return np.append(values, 0)[self.own_topics].sum(axis=1)

    @cached_property
    def user_oriented_by_name(self) -> dict[str, Floats]:
        """What each query brings beside what its session has shown before."""
        sample, every = self.chosen.sample, self.relevant_document_counts
        wanted = every if self.expected is None else np.where(every > 0, self.expected, 0)
        return metrics.user_oriented_scores(
            *self.relevant_and_repeated_masks, sample.pools, sample.cells, wanted.astype(np.float64)
        )


Registry = dict[str, Score[Measured]]
_without_bases = partial(Score[Measured], bases=())  # neither b nor bq touches it


def _of_user(name: str, words: str, unit: str) -> Score[Measured]:
    return _without_bases(lambda of: of.user_oriented_by_name[name], words, unit)


OTHER_MEASURES: Registry = {
    "ndcg": Score(
        lambda of: of.shares[:, :, -1],
        "DCG as a share of the ideal list's",
        "nDCG",
        bases=("b",),
        by_gain=LINEAR,
    ),
    "ndcg_area": Score(
        lambda of: metrics.area(np.where(of.chosen.sample.has_cell, of.shares, np.nan)),
        "area under the curve of nDCG",
        "nDCG",
        bases=("b",),
    ),
    "ldcg": _without_bases(
        lambda of: of.length_adjusted["ldcg"], "length-adjusted DCG (gain 2^g − 1)", "LDCG"
    ),
    "lndcg": _without_bases(
        lambda of: of.length_adjusted["lndcg"], "LDCG as a share of the ideal list's", "LNDCG"
    ),
    "coverage": _of_user("coverage", "share of known relevant documents shown again", "share"),
    "novelty": _of_user("novelty", "share of its relevant documents that are new", "share"),
    "relative_recall": _of_user(
        "relative_recall", "relevant documents found so far, as a share of those expected", "recall"
    ),
    "recall_effort": _of_user(
        "recall_effort",
        "relevant documents the searcher expects, per examined result",
        "documents per result",
    ),
}


def measured(
    chosen: Selection, scores: Mapping[str, Score[Measured]], expected: float | None = None
) -> dict[str, Floats]:
    """Scores of every query (S, Q), or of every session (S,); `expected` as in `Measured`."""
    parts = (Measured(part, expected) for part in chosen.parts())
    return stacked({name: score.function(of) for name, score in scores.items()} for of in parts)


def brought(chosen: Selection) -> Ints:
    """Relevant documents that each query shows and no earlier one of its session, (S, Q)."""
    return np.concatenate([Measured(part).brought for part in chosen.parts()])


FIRST, LAST, BEST = "first", "last", "best"
GDEVAL, GDEVAL_MOST = "gdeval", 4.0  # the highest grade of that rule


def gain_shares(of: Measured) -> Floats:
    """Gain of each cell over the definition's highest, (S, Q, top), repeats as it says."""
    chosen = of.chosen
    highest = chosen.weights.max(initial=0.0)
    return chosen.gains / highest if highest > 0 else np.full_like(chosen.gains, np.nan)


def satisfaction_chances(of: Measured) -> Floats:
    """Chance that each cell satisfies, (S, Q, top); nan by gdeval where a grade is above 4."""
    labels = of.chosen.sample.block.labels
    grades = np.append(np.maximum(labels, 0.0), np.zeros(len(NO_GRADE)))
    rule, highest = of.chosen.definition.err_rule, max((0.0, *labels))
    if rule == GDEVAL and highest > GDEVAL_MOST:  # its chances to stop would pass 1
        return np.full(of.codes.shape, np.nan)
    return metrics.stops(grades[of.codes], rule, highest)


def _session_rbp(of: Measured) -> Floats:
    d, sample = of.chosen.definition, of.chosen.sample
    return np.where(sample.judged, metrics.srbp(gain_shares(of), d.srbp_b, d.p), np.nan)


# place of the query that is taken of each session, (S,): of which are known, their values, and how
# many there are. The last is the session's, known or not, as that of the score last is.
WHICH_QUERY: dict[str, Callable[[Bools, Floats, Ints], Ints]] = {
    FIRST: lambda known, values, queries: known.argmax(axis=1),
    LAST: lambda known, values, queries: queries - 1,
    BEST: lambda known, values, queries: np.where(known, values, -np.inf).argmax(axis=1),
}


def _from_queries(which: str, query: Callable[[Measured], Floats], of: Measured) -> Floats:
    """Of a session's known queries the mean, or the first's, or the best's; or the last's, (S,)."""
    values = np.where(of.chosen.sample.is_judged_query, query(of), np.nan)
    known = ~np.isnan(values)
    if which:
        place = WHICH_QUERY[which](known, values, of.chosen.sample.queries)
        return values[np.arange(len(values)), place]
    number = np.where(known.any(axis=1), known.sum(axis=1), np.nan)
    return np.nansum(values, axis=1) / number


OF_QUERIES: Registry = {
    "rbp": _without_bases(
        lambda of: metrics.rbp(gain_shares(of), of.chosen.definition.p),
        "rank-biased precision of its list",
        "RBP",
        by_gain=LINEAR,
    ),
    "inst": _without_bases(
        lambda of: metrics.inst(gain_shares(of), of.chosen.definition.inst_t),
        "gain per result of a searcher who wants T documents",
        "INST",
    ),
    "err": _without_bases(
        lambda of: metrics.err(satisfaction_chances(of)),
        "expected reciprocal rank at which it satisfies",
        "ERR",
    ),
}


def _session_score(name: str, which: str) -> Score[Measured]:
    score = (OF_QUERIES | OTHER_MEASURES)[name]
    words = f"{score.unit} of the {which} query" if which else f"mean {score.unit}"
    return replace(
        score,
        function=partial(_from_queries, which, score.function),
        words=words,
        by_gain=RISING if which == BEST and score.by_gain else score.by_gain,  # it changes place
    )


OF_SESSIONS: Registry = {
    **{
        f"{name}_{which}" if which else name: _session_score(name, which)
        for name in OF_QUERIES
        for which in ("", FIRST, LAST, BEST)
    },
    "srbp": _without_bases(
        _session_rbp, "rank-biased precision of the session", "sRBP", by_gain=LINEAR
    ),
    "esndcg": _without_bases(
        lambda of: of.esndcg_and_unseen_chance[0],
        "expected nDCG over all paths through the session",
        "esNDCG",
    ),
    # the mean is mean_ndcg, which stands in every table
    **{f"ndcg_{which}": _session_score("ndcg", which) for which in (FIRST, LAST, BEST)},
}
UNSEEN = _without_bases(
    lambda of: of.esndcg_and_unseen_chance[1],
    "chance of the paths through the session that see no document, which are left out of esNDCG",
    "share",
)
UNSEEN_COLUMN, RULE_COLUMN = "esndcg_unseen", "err_rule"  # beside esndcg, and err


@dataclass(frozen=True)
class Footing:
    """What a further measure stands on, beside its parameters.

    highest : gain over which gains are shares, nan where they are none · rule : of ERR · unseen,
    most_unseen : chance of paths that see nothing, mean and most of the sessions scored by esNDCG ·
    repeats : whether it counts those that the definition's gains leave out
    """

    measure: str
    highest: float = np.nan
    rule: str = ""
    unseen: float = np.nan
    most_unseen: float = np.nan
    repeats: bool = False


def footing(chosen: Selection, score: str) -> Footing | None:
    """What a score of sessions stands on that is a further measure, or None."""
    name, own = further_of(score), chosen.definition
    if name in ("", "ndcg"):
        return None
    if name in OVER_HIGHEST:
        return Footing(name, highest=float(chosen.weights.max(initial=0.0)))
    of = Footing(name, repeats=own.repeats == "first")
    if name == "err":
        return replace(of, rule=own.err_rule)
    each = measured(chosen, {name: OF_SESSIONS[name], UNSEEN_COLUMN: UNSEEN})
    unseen = each[UNSEEN_COLUMN][~np.isnan(each[name])]
    if not unseen.size:
        return of
    return replace(of, unseen=float(unseen.mean()), most_unseen=float(unseen.max()))


def under(definition: Definition, score: str, of: Score[Measured]) -> Score[Measured]:
    """A score as it is said under a definition: a further measure with its parameters.

    ERR's rule is part of its unit: three programs have three numbers.

    >>> under(Definition(), "srbp", OF_SESSIONS["srbp"]).words
    'rank-biased precision of the session, sRBP (b = 0.75, p = 0.9)'
    >>> under(Definition(), "rbp_last", OF_SESSIONS["rbp_last"]).words
    'RBP (p = 0.9) of the last query'
    """
    name = further_of(score)
    if not name:
        return of
    said = with_parameters(name, definition)
    if name == "err":
        return replace(of, unit=said)
    is_named = of.unit in of.words and said.startswith(of.unit)
    words = of.words.replace(of.unit, said) if is_named else f"{of.words}, {said}"
    return of if said == of.unit else replace(of, words=words)


def asked(scores: Registry, definition: Definition) -> Registry:
    """Those of ``OF_QUERIES``, or of ``OF_SESSIONS``, that the definition asks for."""
    return {name: of for name, of in scores.items() if further_of(name) in definition.measures}


def compared_score(name: str, definition: Definition) -> str:
    """The score by which systems are compared: raw gain, where gains are from behaviour.

    An ideal made of a session's own clicks rewards finding little, so its shares can't compare
    systems.

    Raises
    ------
    ValueError : a share of such an ideal is asked for that is not the usual score
    """
    if definition.behaviour is None or not is_of_ideal(name):
        return name
    if name != USUAL:
        rule = "with gains from clicks, shares of the ideal can't compare systems"
        raise ValueError(f"score {name!r}; {rule}. Choose final.")
    return "final"


def is_of_ideal(name: str) -> bool:
    """Whether a score of sessions is a share of an ideal."""
    return name in ALL_SESSION_SCORES and ALL_SESSION_SCORES[name].unit in SHARES


def require_score(name: str) -> None:
    """Refuse what is no score of sessions.

    Raises
    ------
    ValueError : it is none
    """
    if name not in ALL_SESSION_SCORES:
        raise ValueError(f"score {name!r}; choose one of {', '.join([*SCORES, *OF_SESSIONS])}.")


def _ideal_sdcg(of: Measured) -> Floats:
    chosen, sample = of.chosen, of.chosen.sample
    reached = np.pad(np.cumsum(chosen.ideal_lists * chosen.discount(), axis=1), ((0, 0), (1, 0)))
    return reached[sample.pools, sample.cells] * chosen.factors


# measures of single queries that are choices of Reformulations, and as means of Compare systems
OF_SINGLE_QUERIES = {  # in words
    "ndcg": "nDCG",
    "ldcg": "length-adjusted DCG",
    "relative_recall": "relative recall",
    "recall_effort": "recall effort",
}
MEAN = "mean_"
GROWING = "relative_recall"  # what was found stays found
QUERY_SCORES: Registry = {
    "dcg": Score(lambda of: of.chosen.query_scores["dcg"], "DCG of the query", "DCG", bases=("b",)),
    "sdcg": Score(lambda of: of.chosen.query_scores["sdcg"], "discounted DCG of the query", "sDCG"),
    "ideal_sdcg": Score(_ideal_sdcg, "sDCG of the ideal list", "sDCG"),
    "change": Score(
        lambda of: of.chosen.query_scores["change"], "change of sDCG from the query before", "sDCG"
    ),
    "change_dcg": Score(
        lambda of: of.chosen.query_scores["change_dcg"],
        "change of DCG from the query before",
        "DCG",
        bases=("b",),
    ),
    **OTHER_MEASURES,
}


def query_score(name: str, chosen: Selection) -> Floats:
    """One of ``QUERY_SCORES`` of each query, (S, Q)."""
    return measured(chosen, {name: QUERY_SCORES[name]})[name]


def session_score_of(name: str, chosen: Selection) -> Floats:
    """One of ``ALL_SESSION_SCORES`` of each session, (S,)."""
    return measured(chosen, {name: ALL_SESSION_SCORES[name]})[name]


def queries_left_out(score: str, chosen: Selection) -> Ints:
    """Known queries of each session that a mean of queries leaves out as undefined, (S,)."""
    name = score.removeprefix(MEAN)
    if not score.startswith(MEAN) or name not in OF_SINGLE_QUERIES:
        return np.zeros(chosen.sample.sessions.size, dtype=np.int64)
    return (chosen.sample.is_judged_query & np.isnan(query_score(name, chosen))).sum(axis=1)


def _mean_score(name: str) -> Score[Measured]:
    score = QUERY_SCORES[name]
    return replace(
        score,
        function=partial(_from_queries, "", score.function),
        words=f"mean {OF_SINGLE_QUERIES[name]} of queries",
        grows=name == GROWING,
    )


def _score_of_worth(name: str, of: Measured) -> Floats:
    return metrics.session_score(name, of.chosen.worth)


def _nan_unless_judged(values: Floats | Ints, of: Measured) -> Floats:
    """Values of sessions; nan where nobody judged any of its topics."""
    return np.where(of.chosen.sample.judged, values, np.nan)


SESSION_SCORES: Registry = {
    **{
        name: Score(**{**vars(score), "function": partial(_score_of_worth, name)})
        for name, score in metrics.SESSION_SCORES.items()
    },
    "relevant_found": _without_bases(
        lambda of: _nan_unless_judged(of.brought.sum(axis=1), of),
        "number of relevant documents found",
        "documents",
        grows=True,
    ),
    **{f"{MEAN}{name}": _mean_score(name) for name in OF_SINGLE_QUERIES},
    "union_recall": _without_bases(
        lambda of: metrics.union_recall(of.new, of.sum_over_topics(of.relevant_document_counts)),
        "share of the topics' relevant documents found",
        "recall",
        grows=True,
    ),
    "union_ndcg": Score(
        lambda of: metrics.union_ndcg(*of.first_gains_shown_and_best, of.chosen.discount()),
        "nDCG of the top X of all lists joined",
        "nDCG",
        bases=("b",),
    ),
}
ALL_SESSION_SCORES = SESSION_SCORES | OF_SESSIONS  # those that are columns only where asked for
# to choose from, shares of the ideal first
USUAL = "final_normalised"  # the score of sessions that is looked at where none is asked for
SHARES = ("nsDCG", "nDCG", "recall", "share")  # units in which 1 is the most there is
SCORES = sorted(SESSION_SCORES, key=lambda name: SESSION_SCORES[name].unit != "nsDCG")
MAIN_SCORES = (USUAL, "final", "mean_ndcg", "mean_ldcg", "rbp", "srbp", "inst", "err", "esndcg")
