"""The filters of the sidebar: which sessions are shown."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from sdcg_explorer.figures.style import system_mark
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.scoring.definition import MOST_FILTERED, Filters
from sdcg_explorer.screen import keys, link, show
from sdcg_explorer.study.study import Study

NO_SEARCHERS = "The log names no searchers."
MANY, TALL = 6, 150  # systems whose pills are scrolled, and in how many pixels


def choose_filters(study: Study) -> Filters:
    """Systems, topics, searchers and numbers of queries to show."""
    block = study.block()
    names = block.system_names
    lacking(dict(zip(keys.NAMES, (names, study.topics, block.searcher_names), strict=True)), study)
    with st.container(gap=None):
        st.markdown("#### Filters")
        with st.container(height=TALL if len(names) > MANY else "content", border=False):
            systems = _choose_systems(names)
    with st.expander(_more_filters_label(), key=keys.MORE_FILTERS):
        topics = several("Topics", keys.TOPICS, study.topics, meaning("topic"))
        known, about = block.searcher_names, meaning("searcher")
        searchers = several("Searchers", keys.SEARCHERS, known, about) if known else []
        if not known:
            st.markdown(f":small[{NO_SEARCHERS}]")
        with st.container(horizontal=True):
            least = link.number("Queries per session: from", 1, MOST_FILTERED, 1, keys.MIN_QUERIES)
            most = link.number("to", 1, MOST_FILTERED, None, keys.MAX_QUERIES, placeholder="all")
    return Filters(tuple(systems), tuple(topics), tuple(searchers), least, most)


def _choose_systems(names: Sequence[str]) -> list[str]:
    """The systems that are chosen, in the link as well."""
    asked = st.session_state.get(keys.SYSTEMS, st.query_params.get_all(keys.SYSTEMS))
    st.session_state[keys.SYSTEMS] = [name for name in asked if name in names]
    with st.container(key=keys.SYSTEMS_SHOWN if st.session_state[keys.SYSTEMS] else keys.ALL_SHOWN):
        systems = st.pills(
            "Systems",
            names,
            selection_mode="multi",
            format_func=lambda name: f"{system_mark(names, name)} {show.markdown_safe(name)}",
            key=keys.SYSTEMS,
            help=f"{meaning('system')} Choose none to see all.",
        )
    link.put_in_link(keys.SYSTEMS, systems)
    return systems


def _more_filters_label() -> str:
    """What the filters in the fold are called, and how many of them are in force."""
    usual = {keys.TOPICS: [], keys.SEARCHERS: [], keys.MIN_QUERIES: 1, keys.MAX_QUERIES: None}
    state, asked = st.session_state, st.query_params
    chosen = [state[k] != v if k in state else k in asked for k, v in usual.items()]
    return f"More filters ({sum(chosen)} active)" if any(chosen) else "More filters"


def several(words: str, key: str, names: Sequence[str], about: str) -> list[str]:
    """Names chosen from a list, none for all."""
    return st.multiselect(words, names, placeholder="all", key=key, help=about, **link.LINKED)


def lacking(known: dict[str, Sequence[str]], study: Study) -> None:
    """Note which names of a link's filters the study lacks; every page says so."""
    unknown = [
        f"{kind.removesuffix('s')} {name}"
        for kind, names in known.items()
        for name in st.query_params.get_all(kind)
        if name not in names
    ]
    if unknown:
        words = "The link filters by names that this study lacks; they are ignored"
        words = f"{words}: {', '.join(unknown)}."
        st.session_state[keys.LACKING] = {study.digest: words}
