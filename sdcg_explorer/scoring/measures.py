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
from sdcg_explorer.metrics.score import LINEAR, NO_IDEAL, RISING, UNDEFINED
from sdcg_explorer.scoring.base_grid import QueriesOverBases
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
    def length_adjusted_scores(self) -> dict[str, Floats]:
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

    @cached_property
    def first_gains_shown_and_best(self) -> tuple[Floats, Bools, Floats]:
        """Gain where a document is shown first, and where any is, (S, Q, top); best lists (S, top).

        A best list is that of all topics of a session.
        """
        chosen, sample = self.chosen, self.chosen.sample
        gains = np.where(self.new, chosen.weights[self.codes], 0.0)
        first, layout = sample.ideal_layouts
        lists, top = chosen.ideal_lists[self.own_topics[first]], chosen.definition.top
        best = -np.sort(-lists.reshape(first.size, sample.most_queries * top), axis=1)[:, :top]
        return gains, self.codes != sample.block.empty, best[layout]

    @cached_property
    def esndcg_and_unseen_chance(self) -> tuple[Floats, Floats]:
        """EsNDCG of each session, (S,), and the chance of its paths that see nothing."""
        worth = np.append(self._exponential_gains, np.zeros(len(NO_GRADE)))
        value, nothing = metrics.esndcg(
            worth[self.codes], *self.list_lengths_and_ideals, self.moves
        )
        judged = self.chosen.sample.judged
        return np.where(judged, value, np.nan), np.where(judged, nothing, np.nan)

    @property
    def _exponential_gains(self) -> Floats:
        return np.maximum(metrics.weighting("exponential", self.chosen.sample.block.labels), 0.0)

    @property
    def moves(self) -> tuple[float, float]:
        """Chances to ask the next query, and to read on."""
        return self.chosen.definition.p_reform, self.chosen.definition.p_down

    @property
    def list_lengths_and_ideals(self) -> tuple[Ints, Ints, Floats]:
        """Results of each list (S, Q), queries (S,), and gains of each session's ideal list."""
        sample, top = self.chosen.sample, self.chosen.definition.top
        block = sample.block
        lengths = np.minimum(block.lengths[sample.sessions, : sample.most_queries], top)
        first, layout = sample.ideal_layouts
        depth = top * sample.most_queries
        best = metrics.best_gains(block.judged, block.judged_gains(self._exponential_gains), depth)
        lists = np.vstack([best, np.zeros(depth)])
        every = lists[self.own_topics[first]].reshape(first.size, sample.most_queries * depth)
        return lengths, sample.queries, (-np.sort(-every, axis=1)[:, :depth])[layout]

    @cached_property
    def own_topics(self) -> Ints:
        """Topics of each session, each once, in the places of its queries, (S, Q); −1 in others."""
        ordered = np.sort(self.chosen.sample.pools, axis=1)
        return np.where(np.diff(ordered, axis=1, prepend=-1) > 0, ordered, -1)

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

    @property
    def to_find(self) -> Floats:
        """Relevant documents of all topics of each session, (S,)."""
        return (
            np.append(self.relevant_document_counts, 0)[self.own_topics]
            .sum(axis=1)
            .astype(np.float64)
        )

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
NOTHING = "where nothing is relevant"
NO_LIST = "for an empty list, and where nothing is relevant"
OTHER_MEASURES: Registry = {
    "ndcg": Score(
        lambda of: of.shares[:, :, -1],
        "DCG as a share of the ideal list's",
        "nDCG",
        r"nDCG[end]",
        "JK02",
        undefined=NO_IDEAL,
        bases=("b",),
        by_gain=LINEAR,
        worked=("3.5/I1", "4/I1", "0", "2/I1"),
    ),
    "ndcg_area": Score(
        lambda of: metrics.area(np.where(of.chosen.sample.has_cell, of.shares, np.nan)),
        "area under the curve of nDCG",
        "nDCG",
        r"\overline{nDCG[i]}",
        "Y",
        undefined=NO_IDEAL,
        bases=("b",),
        worked=(
            "(3/3 + 3.5/4 + 8*3.5/I1)/10",
            "(3/3 + 4/4 + 8*4/I1)/10",
            "0",
            "(2/3 + 2/4 + 8*2/I1)/10",
        ),
    ),
    "ldcg": _without_bases(
        lambda of: of.length_adjusted_scores["ldcg"],
        "length-adjusted DCG (gain 2^g − 1)",
        "LDCG",
        r"\sum_{r \le N} g_r \delta(r) / E",
        "L14",
        undefined=NO_LIST,
        worked=("(7 + 1/log2(3))*M/E2", "(7 + 3/log2(3))*M/E3", "–", "3*M/E2"),
    ),
    "lndcg": _without_bases(
        lambda of: of.length_adjusted_scores["lndcg"],
        "LDCG as a share of the ideal list's",
        "LNDCG",
        r"LDCG / ILDCG",
        "L14, eq. 8",
        undefined=NO_LIST,
        worked=("(7 + 1/log2(3))/E2/7", "(7 + 3/log2(3))/E3/7", "–", "3/E2/7"),
    ),
    "coverage": _without_bases(
        lambda of: of.user_oriented_by_name["coverage"],
        "share of known relevant documents shown again",
        "share",
        r"\lvert K \cap R \cap A \rvert / \lvert K \cap R \rvert",
        "Y",
        undefined="where no relevant document was shown before",
        worked=("–", "1/2", "0/3", "1/3"),
    ),
    "novelty": _without_bases(
        lambda of: of.user_oriented_by_name["novelty"],
        "share of its relevant documents that are new",
        "share",
        r"\lvert (R \cap A) \setminus K \rvert / \lvert R \cap A \rvert",
        "Y",
        undefined="where it shows no relevant document",
        worked=("2/2", "1/2", "–", "0/1"),
    ),
    "relative_recall": _without_bases(
        lambda of: of.user_oriented_by_name["relative_recall"],
        "relevant documents found so far, as a share of those expected",
        "recall",
        r"found / expected",
        "Y",
        undefined=NOTHING,
        worked=("2/3", "3/3", "3/3", "3/3"),
    ),
    "recall_effort": _without_bases(
        lambda of: of.user_oriented_by_name["recall_effort"],
        "expected relevant documents per examined result",
        "documents per result",
        r"expected / examined",
        "Y",
        undefined="where nothing is relevant, or no cell examined",
        worked=("3/10", "3/12", "3/12", "3/12"),
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
NO_GAIN = "where no grade gains"
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
        return values[
            np.arange(len(values)), WHICH_QUERY[which](known, values, of.chosen.sample.queries)
        ]
    number = np.where(known.any(axis=1), known.sum(axis=1), np.nan)
    return np.nansum(values, axis=1) / number


OF_QUERIES: Registry = {
    "rbp": _without_bases(
        lambda of: metrics.rbp(gain_shares(of), of.chosen.definition.p),
        "rank-biased precision of its list",
        "RBP",
        r"(1 - p) \sum_r p^{r - 1} g_r",
        "MZ08",
        undefined=NO_GAIN,
        by_gain=LINEAR,
    ),
    "inst": _without_bases(
        lambda of: metrics.inst(gain_shares(of), of.chosen.definition.inst_t),
        "gain per result of a searcher who wants T documents",
        "INST",
        r"\sum_r W(r) g_r",
        "MBST17",
        undefined=NO_GAIN,
    ),
    "err": _without_bases(
        lambda of: metrics.err(satisfaction_chances(of)),
        "expected reciprocal rank at which it satisfies",
        "ERR",
        r"\sum_r \frac{R_r}{r} \prod_{i < r} (1 - R_i)",
        "CMZG09",
        undefined="by the rule gdeval where a grade is above 4",
    ),
}


def _session_score(name: str, which: str) -> Score[Measured]:
    score = (OF_QUERIES | OTHER_MEASURES)[name]
    words = f"{score.unit} of the {which} query" if which else f"mean {score.unit}"
    unknown = "where the last query is not known, or " if which == LAST else ""
    return replace(
        score,
        function=partial(_from_queries, which, score.function),
        words=words,
        by_gain=RISING if which == BEST and score.by_gain else score.by_gain,  # it changes place
        undefined=f"{unknown}{score.undefined}",
        worked=(),
    )


OF_SESSIONS: Registry = {
    **{
        f"{name}_{which}" if which else name: _session_score(name, which)
        for name in OF_QUERIES
        for which in ("", FIRST, LAST, BEST)
    },
    "srbp": _without_bases(
        _session_rbp,
        "rank-biased precision of the session",
        "sRBP",
        r"(1 - p) \sum_q \left(\frac{p - b p}{1 - b p}\right)^{q - 1} \sum_r (b p)^{r - 1} g(q, r)",
        "L19",
        undefined=NO_GAIN,
        by_gain=LINEAR,
    ),
    "esndcg": _without_bases(
        lambda of: of.esndcg_and_unseen_chance[0],
        "expected nDCG over all paths through the session",
        "esNDCG",
        r"\sum_\omega P(\omega) nDCG(\omega)",
        "K11",
        undefined="where no path sees a document, or nothing is relevant",
    ),
    # the mean is mean_ndcg, which stands in every table
    **{f"ndcg_{which}": _session_score("ndcg", which) for which in (FIRST, LAST, BEST)},
}
UNSEEN = _without_bases(
    lambda of: of.esndcg_and_unseen_chance[1],
    "chance of the paths through the session that see no document, which are left out of esNDCG",
    "share",
    r"\sum_{\omega \text{ empty}} P(\omega)",
    "K11",
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
    if not name:
        return None
    if name in OVER_HIGHEST:
        return Footing(name, highest=float(chosen.weights.max(initial=0.0)))
    if name == "ndcg":
        return Footing(name)
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

    An ideal made of a session's own clicks rewards finding little, so that shares of it compare no
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
NO_QUERY = "where every query's is: "
GROWING = "relative_recall"  # what was found stays found
NOT_BEFORE = "where there is no query before, or it is not known"
QUERY_SCORES: Registry = {
    "dcg": Score(
        lambda of: of.chosen.query_scores["dcg"],
        "DCG of the query",
        "DCG",
        r"\sum_r g(q, r)\, d(r)",
        "S08, Appendix eq. 2",
        bases=("b",),
        worked=("3 + 1/2", "3 + 2/2", "0", "2"),
    ),
    "sdcg": Score(
        lambda of: of.chosen.query_scores["sdcg"],
        "discounted DCG of the query",
        "sDCG",
        r"D(q)\, dcg_q",
        "S08 eq. 1",
        over_bases=QueriesOverBases.sdcg,
        worked=("3 + 1/2", "(3 + 2/2)*D2", "0", "2*D4"),
    ),
    "ideal_sdcg": Score(
        _ideal_sdcg,
        "sDCG of the ideal list",
        "sDCG",
        r"D(q) \sum_r best_{t(q),r}\, d(r)",
        "S08 §3.3",
        over_bases=QueriesOverBases.ideal_sdcg,
        worked=("I1", "I1*D2", "I1*D3", "I1*D4"),
    ),
    "change": Score(
        lambda of: of.chosen.query_scores["change"],
        "change of sDCG from the query before",
        "sDCG",
        r"sdcg_q - sdcg_{q-1}",
        "S08 eq. 1",
        undefined=NOT_BEFORE,
        over_bases=QueriesOverBases.sdcg_change,
        worked=("–", "4*D2 - 3.5", "0 - 4*D2", "2*D4 - 0"),
    ),
    "change_dcg": Score(
        lambda of: of.chosen.query_scores["change_dcg"],
        "change of DCG from the query before",
        "DCG",
        r"dcg_q - dcg_{q-1}",
        "S08, Appendix eq. 2",
        undefined=NOT_BEFORE,
        bases=("b",),
        worked=("–", "4 - 3.5", "0 - 4", "2 - 0"),
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
    known = [text for text in score.worked if text != UNDEFINED]
    return replace(
        score,
        function=partial(_from_queries, "", score.function),
        words=f"mean {OF_SINGLE_QUERIES[name]} of queries",
        formula=rf"\overline{{{score.formula}}}",
        source=f"{score.source}, the mean ours",
        undefined=score.undefined and f"{NO_QUERY}{score.undefined}",
        grows=name == GROWING,
        worked=(f"({' + '.join(known)})/{len(known)}",),
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
        r"\lvert \bigcup_q R \cap A_q \rvert",
        "ours",
        grows=True,
        worked=("3",),
    ),
    **{f"{MEAN}{name}": _mean_score(name) for name in OF_SINGLE_QUERIES},
    "union_recall": _without_bases(
        lambda of: _nan_unless_judged(metrics.union_recall(of.new, of.to_find), of),
        "share of the topics' relevant documents found",
        "recall",
        r"\lvert \bigcup_q R \cap A_q \rvert / \lvert R \rvert",
        "C25",
        undefined=NOTHING,
        grows=True,
        worked=("3/3",),
    ),
    "union_ndcg": Score(
        lambda of: _nan_unless_judged(
            metrics.union_ndcg(*of.first_gains_shown_and_best, of.chosen.discount()), of
        ),
        "nDCG of the top X of all lists joined",
        "nDCG",
        r"\sum_{k \le X} g_k\, d(k) / \sum_{k \le X} best_k\, d(k)",
        "JK02; joining is ours",
        undefined=NOTHING,
        bases=("b",),
        worked=("(3 + 1/2 + 2/3)/I1",),
    ),
}
ALL_SESSION_SCORES = SESSION_SCORES | OF_SESSIONS  # those that are columns only where asked for
# to choose from, shares of the ideal first
USUAL = "final_normalised"  # the score of sessions that is looked at where none is asked for
SHARES = ("nsDCG", "nDCG", "recall", "share")  # units in which 1 is the most there is
SCORES = sorted(SESSION_SCORES, key=lambda name: SESSION_SCORES[name].unit != "nsDCG")
MAIN_SCORES = (USUAL, "final", "mean_ndcg", "mean_ldcg", "rbp", "srbp", "inst", "err", "esndcg")
