"""What was each query, and each session, worth? Two tables, one row each."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import Score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring import costs, measures, selection
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import Measured
from sdcg_explorer.scoring.ratings import RATING, session_rating_columns, study_number_columns
from sdcg_explorer.study.annotations import joined_tags
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.study import Study


@dataclass(frozen=True, eq=False)
class Scores:
    """Tables of scores, as `sdcg score` writes them; undefined is nan."""

    queries: pd.DataFrame
    sessions: pd.DataFrame


def scores(study: Study, definition: Definition, filters: Filters) -> Scores:
    """Every score of ``QUERY_SCORES`` and ``SESSION_SCORES`` for what passes the filters."""
    chosen = selection.select(study, definition, filters)
    parts = [(_queries(study, of), session_values(of)) for of in map(Measured, chosen.parts())]
    queries, sessions = zip(*parts, strict=True)
    return Scores(pd.concat(queries, ignore_index=True), sessions_table(study, chosen, sessions))


def session_values(of: Measured) -> dict[str, Floats]:
    """Each score of sessions that the definition asks for, (S,) each."""
    every = measures.SESSION_SCORES | measures.asked(measures.OF_SESSIONS, of.chosen.definition)
    every |= {measures.UNSEEN_COLUMN: measures.UNSEEN} if "esndcg" in every else {}
    return {name: score.function(of) for name, score in every.items()}


def sessions_table(
    study: Study, chosen: selection.Selection, values: Iterable[dict[str, Floats]]
) -> pd.DataFrame:
    """A row per session with each score, of all parts."""
    sample = chosen.sample
    return pd.DataFrame(
        {
            **_names(study, sample, np.arange(sample.sessions.size)),
            "topic": session_topics(sample),
            "queries": sample.queries,
            **selection.stacked(values),
            **_err_rule_column(chosen.definition),
        }
    )


def session_topics(sample: selection.Sample, *, in_order: bool = True) -> list[str]:
    """Topics of each session, joined where there are several, in order or whichever it was."""
    names = np.array([*sample.block.topic_names, ""], dtype=object)
    topics = names[sample.topics[:, 0]]
    for row in np.flatnonzero(sample.on_several_topics):  # the few sessions that change topic
        kept = dict.fromkeys(topic for topic in sample.topics[row] if topic >= 0)
        kept = kept if in_order else sorted(kept)
        topics[row] = "; ".join(str(names[topic]) for topic in kept)
    return topics.tolist()


def names_of(
    study: Study, sample: selection.Sample, rows: Ints, *, in_order: bool = True
) -> pd.DataFrame:
    """Session, system and topic (or topics) of rows of the sample, as texts."""
    return pd.DataFrame(
        {
            "session": study.sessions["session"].astype("str").to_numpy()[sample.sessions[rows]],
            "system": np.array(sample.block.system_names, dtype=object)[sample.systems[rows]],
            "topic": np.array(session_topics(sample, in_order=in_order), dtype=object)[rows],
        }
    )


def _names(study: Study, sample: selection.Sample, rows: Ints) -> dict[str, pd.Categorical]:
    """Session, system and searcher of rows of the sample, by name."""
    sessions = sample.sessions[rows]
    return {
        "session": named(sessions, study.sessions["session"].cat.categories),
        "system": named(sample.block.systems[sessions], sample.block.system_names),
        "searcher": named(sample.block.searchers[sessions], sample.block.searcher_names),
    }


def named(codes: Ints, names: Iterable[str]) -> pd.Categorical:
    """Names by their codes."""
    return pd.Categorical.from_codes(codes, cast(Any, pd.Index(list(names), dtype="str")))


def shown_in_top(study: Study, chosen: selection.Selection) -> tuple[Ints, Ints]:
    """Logged results in the top of each query, and unjudged ones, whatever is condensed, (S, Q)."""
    sample, top = chosen.sample, chosen.definition.top
    logged = study.block(max(DEPTH, top))
    codes = logged.codes[..., :top][sample.sessions, : sample.most_queries]
    return (codes != logged.empty).sum(axis=2), (codes == logged.unjudged).sum(axis=2)


def _queries(study: Study, of: Measured) -> pd.DataFrame:
    sample, (shown, unjudged) = of.chosen.sample, shown_in_top(study, of.chosen)
    session, query = np.nonzero(sample.topics >= 0)
    names = _names(study, sample, session)
    known = np.where(sample.is_judged_query[session, query], 1.0, np.nan)
    every = measures.QUERY_SCORES | measures.asked(measures.OF_QUERIES, of.chosen.definition)
    values = {name: score.function(of) for name, score in every.items()}
    each_query = zip(names["session"].astype(object), (query + 1).tolist(), strict=True)
    tags = {"tags": [joined_tags(study.tags, *each) for each in each_query]} if study.tags else {}
    return pd.DataFrame(
        {
            "session": names.pop("session"),
            "query_number": query + 1,
            **names,
            "topic": named(sample.topics[session, query], sample.block.topic_names),
            "results": shown[session, query],
            "judged": (shown - unjudged)[session, query],
            **{name: each[session, query] * known for name, each in values.items()},
            **_err_rule_column(of.chosen.definition),
            **tags,
        }
    )


def _err_rule_column(definition: Definition) -> dict[str, str]:
    """ERR's rule as a column beside it, where it is asked for."""
    return {measures.RULE_COLUMN: definition.err_rule} if "err" in definition.measures else {}


def scores_of(study: Study) -> list[str]:
    """Scores of sessions to choose from: shares first, the study's ratings last."""
    ratings = (f"{RATING}{name}" for name in session_rating_columns(study))
    own = [*dict.fromkeys([*measures.SCORES, *measures.OF_SESSIONS, *costs.rates_of(study)])]
    if study.behaviour:
        own = [name for name in own if not measures.is_of_ideal(name)]
    return [*own, *ratings]


def full_score_name(study: Study, name: str) -> str:
    """A score by its whole name; a column of numbers is found by its own, a rate by its cost's.

    Raises
    ------
    ValueError : the study has no such score
    """
    if name.startswith(costs.RATE):
        return costs.cost_by_name(study, name.removeprefix(costs.RATE)).score
    numbers = (each.column for each in study_number_columns(study).values() if each.of == "session")
    known = dict.fromkeys([*scores_of(study), *(f"{RATING}{column}" for column in numbers)])
    if name not in known and f"{RATING}{name}" not in known:
        raise ValueError(f"score {name!r}; choose one of {', '.join(known)}.")
    return name if name in known else f"{RATING}{name}"


def score_of(study: Study, name: str) -> Score[Measured]:
    """A score by its whole name."""
    if name.startswith(costs.RATE):
        return costs.rate_of(study, name)
    if known := measures.ALL_SESSION_SCORES.get(name):
        return known
    column = name.removeprefix(RATING)
    ratings = study.sessions[column].to_numpy(dtype=float, na_value=float("nan"))
    return of_column(ratings, f"rating of {column}", f"points of {column}")


def of_column(values: Floats, words: str, unit: str) -> Score[Measured]:
    """A number of each session of a study (S,) that came with the log, as a score."""
    return Score(lambda of: values[of.chosen.sample.sessions], words, unit, bases=())


def may_have(name: str, chosen: selection.Selection) -> Bools:
    """Sessions that a score could be defined for: judged ones, or of a rating all, (S,)."""
    return chosen.sample.judged | name.startswith(RATING)
