"""What was each query, and each session, worth? Two tables, one row each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.definition import Definition, Filters
from analysis.selection import Selection, select
from metrics import query_scores, session_scores
from study.study import Study


@dataclass(frozen=True, eq=False)
class Scores:
    """Tables of scores, as `sdcg score` writes them; undefined is nan."""

    queries: pd.DataFrame
    sessions: pd.DataFrame


def scores(study: Study, definition: Definition, filters: Filters) -> Scores:
    """Every score of METHODS' §7 for the sessions that pass the filters."""
    chosen = select(study, definition, filters)
    return Scores(_queries(study, chosen), _sessions(study, chosen))


def session_values(chosen: Selection) -> dict[str, np.ndarray]:
    """Scores of each session, (S,) each, by name."""
    if not chosen.sessions.size:
        return {}
    _, layout = chosen.layouts
    return session_scores(
        chosen.gains(chosen.definition.top),
        chosen.ideals[layout],
        chosen.discount(chosen.definition.top),
        chosen.factors,
        chosen.cells,
        chosen.queries,
        chosen.judged,
    )


def session_topics(chosen: Selection) -> list[str]:
    """Topics of each session, in order, joined where there are several."""
    names = np.array([*chosen.block.topic_names, ""], dtype=object)
    alike = (chosen.topics == chosen.topics[:, :1]) | (chosen.topics < 0)
    first = names[chosen.topics[:, 0]]
    for row in np.flatnonzero(~alike.all(axis=1)):  # the few sessions that change topic
        kept = dict.fromkeys(topic for topic in chosen.topics[row] if topic >= 0)
        first[row] = "; ".join(str(names[topic]) for topic in kept)
    return first.tolist()


def _sessions(study: Study, chosen: Selection) -> pd.DataFrame:
    top = chosen.definition.top
    who = study.sessions.iloc[chosen.sessions]
    codes = chosen.block.codes[chosen.sessions, : chosen.most_queries, :top]
    new = chosen.block.seen_at[chosen.sessions, : chosen.most_queries, :top] > top
    relevant = ((np.take(chosen.weights, codes) > 0) & new).sum(axis=(1, 2))
    return pd.DataFrame(
        {
            "session": who["session"].to_numpy(),
            "system": who["system"].to_numpy(),
            "searcher": who["searcher"].to_numpy(),
            "topic": session_topics(chosen),
            "queries": chosen.queries,
            **session_values(chosen),
            "relevant_found": np.where(chosen.judged, relevant, np.nan),
        }
    )


def _queries(study: Study, chosen: Selection) -> pd.DataFrame:
    top = chosen.definition.top
    discount = chosen.discount(top)
    gains = chosen.gains(top)
    values = query_scores(gains, discount, chosen.factors, chosen.queries)
    best = np.vstack([chosen.best[:, :top], np.zeros(top)]) * discount
    reached = np.pad(np.cumsum(best, axis=1), ((0, 0), (1, 0)))
    values["ideal_sdcg"] = reached[chosen.topics, chosen.cells] * chosen.factors
    codes = chosen.block.codes[chosen.sessions, : chosen.most_queries, :top]
    shown = (codes != chosen.block.empty).sum(axis=2)
    unjudged = (codes == chosen.block.unjudged).sum(axis=2)
    session, query = np.nonzero(chosen.topics >= 0)
    who = study.sessions.iloc[chosen.sessions[session]]
    topics = np.array(chosen.block.topic_names, dtype=object)
    known = np.where(chosen.judged[session], 1.0, np.nan)
    columns = ("dcg", "sdcg", "ideal_sdcg", "change", "change_dcg")
    return pd.DataFrame(
        {
            "session": who["session"].to_numpy(),
            "query_number": query + 1,
            "system": who["system"].to_numpy(),
            "searcher": who["searcher"].to_numpy(),
            "topic": topics[chosen.topics[session, query]],
            "results": shown[session, query],
            "judged": (shown - unjudged)[session, query],
            **{name: values[name][session, query] * known for name in columns},
        }
    )
