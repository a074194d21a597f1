"""Questions for notebooks: the numbers, sentences and figures of `sdcg`, its pages and its report.

Every function takes the study, the definition in force and filters by name: ``systems``,
``topics`` and ``searchers`` (lists of names), ``min_queries``, ``max_queries``.
Undefined is nan.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Unpack

import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.export import figure_files, tables
from sdcg_explorer.figures.style import figure_of
from sdcg_explorer.notebook.opening import FilterChoices, checked_choices
from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.compare_systems import command_result as comparison_result
from sdcg_explorer.questions.fit import command_result as fit_result
from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.questions.ratings import command_result as agreement_result
from sdcg_explorer.questions.ratings.numbers import RatingChoices
from sdcg_explorer.questions.robustness import command_result as robustness_result
from sdcg_explorer.questions.view import CommandResult, StudyView
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.definition import PRESETS as PRESETS
from sdcg_explorer.study.study import Study


def score(
    study: Study,
    definition: Definition = DEFAULT,
    *,
    depth: int = 100,
    residuals: bool = False,
    **filters: Unpack[FilterChoices],
) -> tables.ScoreTables:
    """What each query and session was worth, and mean curves, as `sdcg score` writes them.

    Parameters
    ----------
    depth : ranks of `query_order`, 1 to 1000
    residuals : also each session score that rises with gain, as if unjudged results had the
        highest gain

    Returns
    -------
    DataFrames, each made when it is asked for: `queries` (a row per query), `sessions` (a row per
    session), `session_curves` (by system and position) and `query_order` (by system, group of
    queries and rank); gains in the unit of the weights, shares of the ideal where normalised

    Raises
    ------
    ValueError : the filters leave no session, a filter that is not known, a grade without a gain

    Source: ECIR 2008; each score's formula, unit and source stand in docs/metrics.md.
    """
    view = _study_view(study, definition, filters)
    return tables.ScoreTables(*view, depth=depth, residuals=residuals)


def sessions(
    study: Study,
    definition: Definition = DEFAULT,
    *,
    order: str = "log",
    **filters: Unpack[FilterChoices],
) -> pd.DataFrame:
    """Sessions as a table, a row each, as Individual sessions lists them; to group and filter.

    Parameters
    ----------
    order : worth, length, first gain, searcher, topic, system, log, or "rating: " and a column

    Returns
    -------
    `session`, `system`, `searcher` ("" where the log names none), `topic` (several joined by "; "),
    `queries` (their number), scores `final` to `average_normalised`, `end` (found and stopped: the
    last query gained, the one before it didn't or there was none; still gaining: the last two
    gained; stopped without gain: the last gained nothing; undefined: one of these is on an unjudged
    topic), `tags` of its queries (joined by "; ") and every column that came along with the log,
    ratings among them; sessions on unjudged topics alone are left out

    Raises
    ------
    ValueError : an order or filter that is not known

    Source: each score's formula, unit and source stand in docs/metrics.md.
    """
    view = _study_view(study, definition, filters)
    return view.ask(individual_sessions, order=order, tags=study.tags).all_columns()


def compare(
    study: Study,
    definition: Definition = DEFAULT,
    *,
    score: str = "final_normalised",
    topics_are: str = "fixed",
    with_order: bool = False,
    plan_for: float | None = None,
    baseline: str = "",
    right: str = "",
    residuals: bool = False,
    **filters: Unpack[FilterChoices],
) -> CommandResult:
    """Systems in pairs on a score, last queries against others, and the next study.

    Parameters
    ----------
    score : a column of `sessions` of `score`, a rating of sessions, or "gain per: " and a cost
    topics_are : fixed (the result holds for these topics) or sample (for topics like these)
    with_order : adjust for a session's place among its searcher's sessions
    plan_for : a difference that the next study should find, in the score's unit, above 0
    baseline : a system to compare the others with, instead of all pairs
    right : a column of sessions, 1 if the answer was right, else 0; the usual one
        (correct, success, …) unless given
    residuals : also what unjudged documents could change, and which of them most

    Returns
    -------
    `sentence`, and `tables`: comparison (a row per pair), summary (a row per system),
    last_against_others and next_study; order and order_effects if the order is known, topics if
    topics are the units or no searcher is named, outcomes, outcome_corners and outcome_pairs if a
    column says what was right, judge_next with residuals

    Raises
    ------
    ValueError : a score, choice, column or filter that is not known, or the filters leave no
        session

    Source: docs/statistics.md.
    """
    asked = {"score": score, "topics_are": topics_are, "with_order": with_order}
    asked |= {"baseline": baseline, "right": right, "with_residuals": residuals}
    return comparison_result(_study_view(study, definition, filters), **asked, plan_for=plan_for)


def robustness(
    study: Study,
    definition: Definition = DEFAULT,
    *,
    score: str = "final_normalised",
    pair: tuple[str, str] | None = None,
    all_definitions: bool = False,
    **filters: Unpack[FilterChoices],
) -> CommandResult:
    """Whether a difference of two systems holds over b and bq, or a mean where there is one system.

    Parameters
    ----------
    score : a column of `sessions` of `score`
    pair : two systems; those that differ most clearly unless given
    all_definitions : also under every reasonable definition

    Returns
    -------
    `sentence`, and `tables`: robustness (a row per point of b × bq), all_definitions if asked,
    judges and assessors if several judged

    Raises
    ------
    ValueError : a score, pair or filter that is not known, or the filters leave no session

    Source: docs/methods.md.
    """
    view = _study_view(study, definition, filters)
    return robustness_result(view, score=score, pair=pair, with_all=all_definitions)


def agreement(
    study: Study,
    definition: Definition,
    rating: str,
    *,
    score: str = "",
    coefficient: str = "pearson",
    version: str = "raw",
    low_is_good: bool = False,
    **filters: Unpack[FilterChoices],
) -> CommandResult:
    """How far every score agrees with a rating, and where over b and bq it would agree most.

    Parameters
    ----------
    rating : a column of numbers that came with the log
    score : for the map and the largest disagreements; the usual one unless given
    coefficient : pearson, spearman or kendall, −1 to 1
    version : for the map: raw, centred or partial
    low_is_good : whether low ratings are good, as for difficulty

    Returns
    -------
    `sentence`, and `tables`: agreement, agreement_map, agreement_apart, and agreement_systems
    where searchers rated several systems

    Raises
    ------
    ValueError : a rating, score, choice or filter that is not known, or nothing rated is left

    Source: docs/statistics.md.
    """
    asked = RatingChoices(rating, score, coefficient, version, low_is_good)
    return agreement_result(_study_view(study, definition, filters), asked)


def fit(
    study: Study, definition: Definition = DEFAULT, **filters: Unpack[FilterChoices]
) -> CommandResult:
    """What searchers looked at, and the measures whose weights come nearest to it.

    Returns
    -------
    `sentence`, and `tables`: fits (a row per model and criterion: parameters with intervals, TSE,
    TAE and KL in bits, and the error of searchers left out) and cells (a row per query and rank:
    its share of all that was looked at, and each model's weight)

    Raises
    ------
    ValueError : a filter that is not known, or the filters leave no session

    Source: Lipani, Carterette & Yilmaz (ICTIR 2019); docs/methods.md.
    """
    return fit_result(_study_view(study, definition, filters))


def figure(
    name: str, study: Study, definition: Definition = DEFAULT, **filters: Unpack[FilterChoices]
) -> go.Figure:
    """A figure as the report draws it; `query_order` is Figure 1 of ECIR 2008.

    Parameters
    ----------
    name : that of its file in the bundle

    Raises
    ------
    ValueError : a figure that is not known, or that this study and view lack
    """
    asked = [q for q in QUESTIONS if any(fnmatchcase(name, known) for known in q.figures)]
    if not asked or asked[0].answer is None:
        known = ", ".join(each for question in QUESTIONS for each in question.figures)
        raise ValueError(f"figure {name!r}; choose one of {known}.")
    view = _study_view(study, definition, filters)
    answer = asked[0].answer(view)
    drawn = {each: it.figure for each, it in answer.exhibits.items() if it.figure is not None}
    if name not in drawn:
        there = f"there are {', '.join(drawn)}" if drawn else "there is none"
        said = view.shorten_names(answer.headline)
        raise ValueError(f"figure {name!r}; of this study and view {there}. {said}")
    parts = figure_files.in_print_colours(drawn[name])
    for own, trace in zip(parts["data"], drawn[name].data, strict=True):  # numbers, not their bytes
        own.update({k: trace[k] for k, v in own.items() if isinstance(v, dict) and "bdata" in v})
    return figure_of(parts)


def _study_view(study: Study, definition: Definition, given: FilterChoices) -> StudyView:
    return StudyView(study, definition, checked_choices(Filters, "filter", given))
