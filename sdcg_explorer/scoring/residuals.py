"""What unjudged results leave open: each session's score, were they worth the highest gain."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import Score
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.metrics.score import LINEAR
from sdcg_explorer.scoring import measures
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import Measured
from sdcg_explorer.scoring.selection import PLACES, Sample, Selection, select, stacked
from sdcg_explorer.study.grade_cube import NEVER
from sdcg_explorer.study.study import Study

HIGHEST = "_highest"  # behind the name of a score: what it is at most


@dataclass(frozen=True, eq=False)
class Unjudged:
    """Documents without a judgment that sessions show in cells that count, on judged topics.

    session, thing (U,) : place of the session in the sample, and code of its (topic, doc), in
    order · at, query, rank (R,) : which of these each result is of, and its cell, from 0; copies in
    a list, and repeats that don't count, are none · names : topic and doc of each thing · cells,
    like (3, C) and (R,) : cells that differ, as session, query and rank, and which of them each
    result is like: where sessions have one layout, a gain in a cell adds the same to each
    """

    session: Ints
    thing: Ints
    at: Ints
    query: Ints
    rank: Ints
    names: pd.DataFrame
    cells: Ints
    like: Ints


@dataclass(frozen=True, eq=False)
class Residuals:
    """What unjudged documents could add to a score of sessions.

    why : why there is no range, a key of words; "" where there is · added (U,) : to the score of
    the session by the document, were it alone worth the highest gain; empty where that is not the
    sum over documents · results, without (S,) : results of each session in cells that count, on
    judged topics, and those without a judgment
    """

    why: str
    unjudged: Unjudged
    added: Floats
    results: Ints
    without: Ints


def no_range_reason(definition: Definition, measure: Score[Measured] | None) -> str:
    """Why unjudged results leave a score no range that can be given; "" where they do."""
    reasons = {
        "condense": definition.unjudged == "condense",
        "searcher": definition.grades != "judgments",
        "rising": measure is None or not measure.by_gain,
    }
    return next((why for why, holds in reasons.items() if holds), "")


def require_range(definition: Definition) -> None:
    """Refuse a definition under which no score of unjudged results has a range.

    Raises
    ------
    ValueError : unjudged results are taken out, or grades are the searcher's
    """
    for name, usual in {"unjudged": "zero", "grades": "judgments"}.items():
        if (found := getattr(definition, name)) != usual:
            rule = f"residuals need {name} {usual}"
            raise ValueError(f"{name} {found}; {rule}. Choose it, or leave residuals out.")


def residuals(study: Study, definition: Definition, filters: Filters, *, score: str) -> Residuals:
    """What the unjudged results of each session could add to its score, document by document."""
    chosen, measure = select(study, definition, filters), measures.ALL_SESSION_SCORES.get(score)
    why = no_range_reason(definition, measure)
    if not why and measure and measure.by_gain != LINEAR:
        why = "linear"
    unjudged = unjudged_documents(study, chosen)
    added = np.zeros(0) if why or measure is None else _possible_gain(measure, chosen, unjudged)
    return Residuals(why, unjudged, added, *_result_and_unjudged_counts(chosen))


def highest_scores(study: Study, chosen: Selection) -> dict[str, Floats]:
    """Scores of sessions were every unjudged result worth the highest gain, (S,), the ideal held.

    Those of ``SESSION_SCORES``, and further ones that are asked for, that grow with each gain, by
    their names with ``HIGHEST`` behind.

    Raises
    ------
    ValueError : unjudged results are taken out, or grades are the searcher's
    """
    require_range(chosen.definition)
    known = measures.SESSION_SCORES | measures.asked(measures.OF_SESSIONS, chosen.definition)
    rising = {name: score for name, score in known.items() if score.by_gain}
    raised = _selections_at_highest_gain(chosen, unjudged_documents(study, chosen))
    return stacked(
        {f"{name}{HIGHEST}": score.function(of) for name, score in rising.items()}
        for of in map(Measured, raised)
    )


def highest_worth(study: Study, chosen: Selection) -> Floats:
    """What sessions would be worth at their ends, (S,); nan where that can't be said."""
    if no_range_reason(chosen.definition, measures.SESSION_SCORES["final"]):
        return np.full(chosen.sample.sessions.size, np.nan)
    raised = _selections_at_highest_gain(chosen, unjudged_documents(study, chosen))
    return np.concatenate([measures.session_score_of("final", part) for part in raised])


def with_highest(sessions: pd.DataFrame, highest: dict[str, Floats]) -> pd.DataFrame:
    """The table of sessions with these beside the scores that they are of."""
    beside = [each for name in sessions for each in (str(name), f"{name}{HIGHEST}")]
    table = sessions.assign(**highest)
    return table[[name for name in beside if name in table]]


def unjudged_documents(study: Study, chosen: Selection) -> Unjudged:
    """Documents without a judgment; kept with the sample, for no slider moves them."""
    return chosen.sample.kept(("unjudged",), partial(_unjudged_results, study, chosen))


def _unjudged_results(study: Study, chosen: Selection) -> Unjudged:
    sample, shown = chosen.sample, study.results_looked_at(chosen.definition.arrangement)
    place, is_open = sample.places, (shown.label == shown.unjudged) & (shown.within == NEVER)
    near = np.flatnonzero(is_open & (place[shown.session] >= 0))
    row, query, rank = place[shown.session[near]], shown.number[near], shown.rank[near]
    counts = (rank <= sample.cells[row, query]) & sample.is_judged_query[row, query]
    if sample.repeats == "first":
        counts &= shown.before[near] > sample.top
    near, row, query, rank = (each[counts] for each in (near, row, query, rank))
    things, thing = np.unique(shown.thing[near], return_inverse=True)
    keys, at = np.unique(row * max(1, things.size) + thing, return_inverse=True)
    session, own = np.divmod(keys, max(1, things.size))
    order = np.argsort(at, kind="stable")
    each = session[at[order]], query[order], rank[order] - 1
    cells = _distinct_cells(sample, *each)
    return Unjudged(session, own, at[order], *each[1:], _names(study, things), *cells)


def _distinct_cells(sample: Sample, row: Ints, query: Ints, rank: Ints) -> tuple[Ints, Ints]:
    """Cells of which no two are alike, (3, C), and which of them each one (R,) is like."""
    shape = sample.sessions.size, sample.most_queries, sample.top
    first, layout = sample.ideal_layouts
    keys = np.ravel_multi_index((first[layout[row]], query, rank), shape)
    differing, like = np.unique(keys, return_inverse=True)
    return np.array(np.unravel_index(differing, shape)), like


def _names(study: Study, things: Ints) -> pd.DataFrame:
    """Topic, or session where grades are from behaviour, and document of each code."""
    first = study.queries["session" if study.behaviour else "topic"]
    topics, docs = first.cat.categories, study.results["doc"].cat.categories
    topic, doc = np.divmod(things, len(docs) + 1)
    return pd.DataFrame({"topic": topics[topic].astype("str"), "doc": docs[doc].astype("str")})


def _possible_gain(measure: Score[Measured], chosen: Selection, unjudged: Unjudged) -> Floats:
    """What each document adds to a score of its session that is linear in gains, (U,).

    It is what a session is worth where nothing gains but one cell, added up over its cells.
    """
    number, cells = unjudged.session.size, unjudged.cells
    size = chosen.sample.most_queries, chosen.definition.top
    worth, step = np.zeros(cells.shape[1]), max(1, PLACES // (size[0] * size[1]))
    for first in range(0, worth.size, step):
        row, query, rank = cells[:, first : first + step]
        gains = np.zeros((row.size, *size))
        gains[np.arange(row.size), query, rank] = _highest_gain(chosen)
        own = Selection(chosen.sample.take(row), chosen.definition)
        own.__dict__.update(best=chosen.best, gains=gains)
        worth[first : first + step] = measure.function(Measured(own))
    return np.bincount(unjudged.at, worth[unjudged.like], number).astype(np.float64)


def _selections_at_highest_gain(chosen: Selection, unjudged: Unjudged) -> Iterator[Selection]:
    """The selection with all that is unjudged worth the highest gain, some sessions at a time."""
    done, session = 0, unjudged.session[unjudged.at]
    for part in chosen.parts():
        first, done = done, done + part.sample.sessions.size
        own = slice(*np.searchsorted(session, (first, done)))
        gains = part.gains.copy()
        gains[session[own] - first, unjudged.query[own], unjudged.rank[own]] = _highest_gain(chosen)
        raised = Selection(part.sample, chosen.definition)
        raised.__dict__.update(best=chosen.best, gains=gains)
        yield raised


def _highest_gain(chosen: Selection) -> float:
    return float(chosen.weights.max(initial=0.0))


def _result_and_unjudged_counts(chosen: Selection) -> tuple[Ints, Ints]:
    """Results of each session in cells that count, on judged topics, and unjudged ones, (S,)."""
    results, without = list[Ints](), list[Ints]()
    for part in chosen.parts():
        sample, block = part.sample, part.sample.block
        codes_there = block.codes[sample.sessions, : sample.most_queries, : sample.top]
        counts = sample.has_cell[..., : codes_there.shape[2]] & sample.is_judged_query[..., None]
        results.append((counts & (codes_there != block.empty)).sum(axis=(1, 2)))
        without.append((counts & (codes_there == block.unjudged)).sum(axis=(1, 2)))
    return np.concatenate(results), np.concatenate(without)
