"""Was the answer right? A yes or no of each session, by system, beside what its search found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.questions.compare_systems.numbers import holm, system_pairs
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import session_score_of
from sdcg_explorer.scoring.scored_sessions import (
    FEWEST_OF_RUNS,
    Scored,
    group_means,
    paired_topic_mask,
    scored_of,
)
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.statistics.shares import mcnemar, share_of
from sdcg_explorer.study.study import Study, extra_columns

# what columns of an answer's being right are called, in logs of agents and in their evaluations
USUAL = (
    *("correct", "is_correct", "answer_correct", "judged_correct", "right", "success", "solved"),
    *("passed", "resolved", "accuracy", "score", "match", "includes", "exact"),
    *("model_graded_qa", "model_graded_fact"),
)
YES_OR_NO: dict[str, float] = dict.fromkeys(("1", "1.0", "true", "yes"), 1.0)
YES_OR_NO |= dict.fromkeys(("0", "0.0", "false", "no"), 0.0)
CORNERS = ("found_right", "found_wrong", "not_found_right", "not_found_wrong")


@dataclass(frozen=True, eq=False)
class Outcome:
    """Whether sessions were right, by a column of theirs that says 1 or 0.

    shares : a row per system: sessions that have it, those that were right, their share and its
    95% interval, and sessions without it · corners : a row per system: sessions by whether their
    lists showed a relevant document and whether they were right, and those on topics nobody judged
    · pairs : a row per two systems: topics that both, either alone or neither got right, and p ·
    is_paired : whether topics pair systems, so that there is a p · is_of_runs : whether a system
    has several sessions on a topic · alike : what such sessions share that an interval counts as
    one case, topics or searchers · topics : how many there are
    """

    column: str
    shares: pd.DataFrame
    corners: pd.DataFrame
    pairs: pd.DataFrame
    is_paired: bool
    is_of_runs: bool
    alike: tuple[str, ...]
    topics: int


def outcome_columns(study: Study) -> tuple[str, ...]:
    """Columns of sessions that say yes or no, those of usual names first, in their order."""

    def found() -> tuple[str, ...]:
        columns = [name for name in extra_columns(study.sessions) if _is_yes_no_column(study, name)]
        return tuple(sorted(columns, key=_usual_column_rank))

    return RESULTS.of(("outcomes", study), found)


def usual_outcome(study: Study) -> str:
    """The column that is looked at unless another is chosen; "" where none has a usual name."""
    first = next(iter(outcome_columns(study)), "")
    return first if first and _usual_column_rank(first) < len(USUAL) else ""


def _usual_column_rank(name: str) -> int:
    """Place of a column's name among ``USUAL``, or behind them."""
    return USUAL.index(name.lower()) if name.lower() in USUAL else len(USUAL)


def _is_yes_no_column(study: Study, name: str) -> bool:
    """Both are there, or either of a usual name: all counts may be 1, and all answers wrong."""
    values = study.sessions[name].dropna().unique()
    if not 0 < len(values) <= len(YES_OR_NO):
        return False
    answers = {YES_OR_NO.get(str(value).lower()) for value in values}
    return None not in answers and (len(answers) > 1 or _usual_column_rank(name) < len(USUAL))


def right_of(study: Study, column: str) -> Floats:
    """1 for a yes of each session of a study, 0 for a no, (S,); nan where it says neither.

    Raises
    ------
    ValueError : no such column
    """
    if column not in (known := outcome_columns(study)):
        offered = ", ".join(known) or "none"
        raise ValueError(f"outcome {column!r}; columns of sessions that say yes or no: {offered}.")
    texts = study.sessions[column].astype(str).str.lower()
    return np.asarray(texts.map(YES_OR_NO), dtype=np.float64)


def outcome(
    study: Study, definition: Definition, filters: Filters, *, column: str, baseline: str = ""
) -> Outcome:
    """Shares of the sessions within the filters that were right, by one of ``outcomes_of``.

    Every two systems are compared, or each with a baseline.

    Raises
    ------
    ValueError : no such column
    """
    values, chosen = right_of(study, column), select(study, definition, filters)
    right = values[chosen.sample.sessions]
    known = ~np.isnan(right)
    scored = scored_of(chosen, right, known)
    alike = _units_shared_by_sessions(scored)
    return Outcome(
        column,
        _right_answer_shares(chosen, scored, known, alike),
        _found_and_right_counts(chosen, right),
        paired_outcomes(scored, baseline),
        is_paired=bool(scored.is_on_paired_topic.any()),
        is_of_runs=_has_repeats(scored, scored.topic),
        alike=(*alike,),
        topics=np.unique(scored.topic).size,
    )


def _has_repeats(scored: Scored, unit: Ints) -> bool:
    """Whether a system has several sessions in one of these, (N,)."""
    return np.unique(unit * len(scored.names) + scored.system).size < unit.size


def _units_shared_by_sessions(scored: Scored) -> dict[str, Ints]:
    """What sessions of a system share, (N,) each: topics, whether or not these pair the systems.

    Several searchers of a name are people, whose sessions resemble each other, too. Few topics that
    people met are fixed, as where systems are compared, and so is a single one.
    """
    topics, searchers = (np.unique(each).size for each in (scored.topic, scored.unit))
    are_people = scored.names_searchers and searchers > np.unique(scored.system).size
    are_few = topics < (FEWEST_OF_RUNS if are_people else 2)
    alike = {} if are_few and not scored.is_on_paired_topic.any() else {"topics": scored.topic}
    alike |= {"searchers": scored.unit} if are_people else {}
    return {name: unit for name, unit in alike.items() if _has_repeats(scored, unit)}


def _right_answer_shares(
    chosen: Selection, scored: Scored, known: Bools, alike: dict[str, Ints]
) -> pd.DataFrame:
    """Share of each system that was right, its interval by what its sessions share."""
    systems, rows = chosen.sample.systems, list[tuple[object, ...]]()
    for code in np.unique(systems).tolist():
        own = scored.system == code
        right, lacking = scored.score[own], int((~known & (systems == code)).sum())
        share = share_of(right, *(unit[own] for unit in alike.values()))
        rows.append((scored.names[code], right.size, int(right.sum()), *share, lacking))
    columns = ("system", "sessions", "right", "share", "low", "high", "unknown")
    return pd.DataFrame(rows, columns=list(columns))


def _found_and_right_counts(chosen: Selection, right: Floats) -> pd.DataFrame:
    """Sessions of each system by whether they found anything, and whether they were right."""
    systems, names = chosen.sample.systems, chosen.sample.block.system_names
    found = session_score_of("relevant_found", chosen)
    has = ~np.isnan(right)
    place = np.where(found >= 1, 0, 2) + (right == 0)
    place = np.where(np.isnan(found), len(CORNERS), place)
    counts = np.zeros((len(names), len(CORNERS) + 1), dtype=np.int64)
    np.add.at(counts, (systems[has], place[has]), 1)
    shown = np.unique(systems)
    table = pd.DataFrame(counts[shown], columns=[*CORNERS, "unjudged_sessions"])
    table.insert(0, "system", [names[code] for code in shown.tolist()])
    return table


def paired_outcomes(scored: Scored, baseline: str = "") -> pd.DataFrame:
    """Every two systems, or each with a baseline, on topics that both met; scores are 1 or 0."""
    codes = np.unique(scored.system).tolist()
    rows = [_pair(scored, a, b) for a, b in system_pairs(codes, scored.names, baseline)]
    columns = ("system_a", "system_b", "topics", "both", "only_a", "only_b", "neither", "p")
    table = pd.DataFrame(rows, columns=list(columns))
    return table.assign(p_holm=holm(table["p"].to_numpy(np.float64)))


def _pair(scored: Scored, a: int, b: int) -> tuple[object, ...]:
    """Two systems on the topics that both met: which got a topic right, by its share of sessions.

    Their names, topics: all, those that both, either alone, or neither got right; and p. Shares
    that differ are the higher one's; equal ones are both's from a half on.
    """
    pair = scored.take(np.isin(scored.system, (a, b)))
    cell = 2 * pair.topic + (pair.system == b)
    share = group_means(pair.score, cell, 2 * (int(pair.topic.max()) + 1)).reshape(-1, 2)
    share = share[~np.isnan(share).any(axis=1)]
    more = np.sign(share[:, 1] - share[:, 0])
    only_a, only_b = int((more < 0).sum()), int((more > 0).sum())
    both = int(((more == 0) & (share[:, 0] >= 0.5)).sum())
    can_test = paired_topic_mask(pair.unit, pair.system, pair.topic).any()
    p = mcnemar(only_a, only_b) if can_test else float("nan")
    neither = len(share) - both - only_a - only_b
    return scored.names[a], scored.names[b], len(share), both, only_a, only_b, neither, p
