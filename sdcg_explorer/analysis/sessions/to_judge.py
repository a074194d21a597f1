"""Which documents of a query wait for a judgment, or have one of one's own."""

from __future__ import annotations

from sdcg_explorer.study.study import Study


def to_judge(study: Study, session: str, number: int) -> tuple[str, list[str]]:
    """Topic of a query, and documents that it shows without a judgment but one's own, in order.

    Raises
    ------
    ValueError : the study has no such query
    """
    of_query = (study.queries["session"] == session) & (study.queries["query_number"] == number)
    if not of_query.any():
        raise ValueError(f"no query {number} of session {session!r} in the study")
    topic = str(study.queries.loc[of_query, "topic"].iloc[0])
    rows = (study.results["session"] == session) & (study.results["query_number"] == number)
    shown = study.results.loc[rows].sort_values("rank")["doc"].astype("str").drop_duplicates()
    judged = study.judgments.loc[study.judgments["topic"] == topic, "doc"].astype("str")
    own = {doc for of, doc in study.layer if of == topic}
    others = {*judged} - own
    return topic, [doc for doc in shown if doc not in others]
