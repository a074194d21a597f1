"""The filters of the sidebar: which sessions are shown."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.definition.definition import Filters
from figures.end_labels import SIGNS
from pages.parts.link import in_link
from pages.parts.show import plain
from study.study import Study


def choose_filters(study: Study) -> Filters:
    """Systems, topics, searchers and numbers of queries to show."""
    block = study.block()
    names = block.system_names
    lacking({"systems": names, "topics": study.topics, "searchers": block.searcher_names}, study)
    asked = st.session_state.get("systems", st.query_params.get_all("systems"))
    st.session_state["systems"] = [name for name in asked if name in names]
    systems = st.pills(
        "Systems",
        names,
        selection_mode="multi",
        format_func=lambda name: f"{SIGNS[names.index(name) % len(SIGNS)]} {plain(name)}",
        key="systems",
        help="None chosen means all.",
    )
    in_link("systems", systems)
    topics = several("Topics", study.topics)
    searchers = several("Searchers", block.searcher_names) if block.searcher_names else []
    with st.container(horizontal=True):
        least = st.number_input("Queries, from", 1, None, 1, key="min_queries", bind="query-params")
        most = st.number_input(
            "to", 1, None, None, placeholder="all", key="max_queries", bind="query-params"
        )
    return Filters(tuple(systems), tuple(topics), tuple(searchers), least, most)


def several(words: str, names: Sequence[str]) -> list[str]:
    """Names chosen from a list, none for all; in the URL by the list's name."""
    key = words.lower()
    return st.multiselect(words, names, placeholder="all", key=key, bind="query-params")


def lacking(known: dict[str, Sequence[str]], study: Study) -> None:
    """Note which names of a link's filters the study lacks; every page says so."""
    unknown = [
        f"{kind.removesuffix('s')} {name}"
        for kind, names in known.items()
        for name in st.query_params.get_all(kind)
        if name not in names
    ]
    if unknown:
        said = f"The link asks for what this study lacks, and is left out: {', '.join(unknown)}."
        st.session_state["lacking"] = {study.digest: said}
