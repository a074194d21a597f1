"""What was each query, and each session, worth? Two tables, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.definition.definition import Definition, Filters
from analysis.other_measures import OTHER_MEASURES, found_and_known, other_measures
from analysis.sample import Sample
from analysis.selection import Selection, select
from metrics import query_scores, session_scores
from study.block import DEPTH
from study.study import Study
from study.tags import joined

Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Scores:
    """Tables of scores, as `sdcg score` writes them; undefined is nan."""

    queries: pd.DataFrame
    sessions: pd.DataFrame


def scores(study: Study, definition: Definition, filters: Filters) -> Scores:
    """Every score of docs/metrics.md for the sessions that pass the filters."""
    chosen = select(study, definition, filters)
    return Scores(_queries(study, chosen), _sessions(study, chosen))


def session_values(chosen: Selection) -> dict[str, np.ndarray]:
    """Scores of each session, (S,) each, by name."""
    sample = chosen.sample
    if not sample.sessions.size:
        return {}
    return session_scores(
        chosen.gains(),
        chosen.ideals[sample.layouts[1]],
        chosen.discount(),
        chosen.factors,
        sample.cells,
        sample.queries,
        sample.judged_at,
    )


def relevant_found(chosen: Selection) -> NDArray[np.float64]:
    """Distinct relevant documents in the cells of each session, (S,); nan where unjudged."""
    relevant, again = found_and_known(chosen)
    found = (relevant & ~again).sum(axis=(1, 2))
    return np.where(chosen.sample.judged, found, np.nan)


def session_topics(sample: Sample) -> list[str]:
    """Topics of each session, in order, joined where there are several."""
    names = np.array([*sample.block.topic_names, ""], dtype=object)
    alike = (sample.topics == sample.topics[:, :1]) | (sample.topics < 0)
    told = names[sample.topics[:, 0]]
    for row in np.flatnonzero(~alike.all(axis=1)):  # the few sessions that change topic
        kept = dict.fromkeys(topic for topic in sample.topics[row] if topic >= 0)
        told[row] = "; ".join(str(names[topic]) for topic in kept)
    return told.tolist()


def _names(study: Study, sample: Sample, rows: Ints) -> dict[str, pd.Categorical]:
    """Session, system and searcher of rows of the sample, by name."""
    sessions = sample.sessions[rows]
    return {
        "session": _named(sessions, study.sessions["session"].cat.categories),
        "system": _named(sample.block.systems[sessions], sample.block.system_names),
        "searcher": _named(sample.block.searchers[sessions], sample.block.searcher_names),
    }


def _named(codes: Ints, names: Sequence[str] | pd.Index) -> pd.Categorical:
    texts = pd.Index(list(names), dtype="str")
    return pd.Categorical.from_codes(codes, cast(Any, texts))


def _sessions(study: Study, chosen: Selection) -> pd.DataFrame:
    sample = chosen.sample
    return pd.DataFrame(
        {
            **_names(study, sample, np.arange(sample.sessions.size)),
            "topic": session_topics(sample),
            "queries": sample.queries,
            **session_values(chosen),
            "relevant_found": relevant_found(chosen),
        }
    )


def _queries(study: Study, chosen: Selection) -> pd.DataFrame:
    sample, top = chosen.sample, chosen.definition.top
    values = query_scores(chosen.gains(), chosen.discount(), chosen.factors, sample.judged_at)
    best = np.vstack([chosen.best[:, :top], np.zeros(top)]) * chosen.discount()
    reached = np.pad(np.cumsum(best, axis=1), ((0, 0), (1, 0)))
    values["ideal_sdcg"] = reached[sample.topics, sample.cells] * chosen.factors
    logged = study.block(max(DEPTH, top))  # whatever is condensed, and by whosever grades
    codes = logged.codes[..., :top][sample.sessions, : sample.most_queries]
    shown = (codes != logged.empty).sum(axis=2)
    unjudged = (codes == logged.unjudged).sum(axis=2)
    session, query = np.nonzero(sample.topics >= 0)
    names = _names(study, sample, session)
    known = np.where(sample.judged_at[session, query], 1.0, np.nan)
    columns = ("dcg", "sdcg", "ideal_sdcg", "change", "change_dcg", *OTHER_MEASURES)
    values |= other_measures(chosen)
    tags = {"tags": _tags(study, names["session"], query + 1)} if study.tags else {}
    return pd.DataFrame(
        {
            "session": names.pop("session"),
            "query_number": query + 1,
            **names,
            "topic": _named(sample.topics[session, query], sample.block.topic_names),
            "results": shown[session, query],
            "judged": (shown - unjudged)[session, query],
            **{name: values[name][session, query] * known for name in columns},
            **tags,
        }
    )


def _tags(study: Study, sessions: pd.Categorical, numbers: Ints) -> list[str]:
    """Tags of each query, in one cell; nothing where it has none."""
    queries = zip(sessions.astype(object), numbers.tolist(), strict=True)
    return [joined(study.tags, session, number) for session, number in queries]
