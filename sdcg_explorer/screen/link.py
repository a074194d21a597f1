"""The link to a view: the address that holds its study, definition, filters and page choices."""

from __future__ import annotations

import math
from collections.abc import Iterable
from urllib.parse import urlencode, urljoin

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from sdcg_explorer.analysis.definition.definition import DEFAULT
from sdcg_explorer.export.link import ADDRESS, link_values
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import held_key
from sdcg_explorer.screen.module import module
from sdcg_explorer.study.grades import label

# Of the frame's widgets, those in its folds, with the gains of a study's grades
IN_FOLDS = (
    *(*link_values(DEFAULT, ()), keys.CELLS),
    *(keys.TOPICS, keys.SEARCHERS, keys.MIN_QUERIES, keys.MAX_QUERIES),
)
# what such a link leaves as it is: who one is, and numbers by which the browser's news are told
STAYS = {keys.VISITOR, keys.HELD, keys.SHOWN, keys.SLIDERS, keys.CARDS_TURN, keys.BY_HAND_ROUND}
_button = module("copy_link")


def copy_link() -> None:
    """Draw the button that copies the page's address."""
    _button(key=keys.COPY_LINK, height="content")


def in_link(key: str, values: list[str]) -> None:
    """Keep values in the URL under a key of their own (bound widgets would write labels)."""
    if st.query_params.get_all(key) != values:
        st.query_params[key] = values


def open_as_link() -> None:
    """Have a link of Overview open as one from elsewhere: what was chosen before is forgotten."""
    if st.query_params.pop(keys.SEE, "") and keys.OPENED in st.session_state:
        for key in {*st.session_state} - STAYS:
            del st.session_state[key]


def tell_again() -> None:
    """Tell the browser the whole address after a slider was moved; after all that is in it.

    One that goes on while the page is drawn asks under the address that the browser then had, and
    Streamlit tells a number only where it differs from that: back at the number it would keep the
    one in between, which it was told meanwhile.
    """
    if st.session_state.pop(keys.MOVED, False):
        st.query_params[keys.STUDY] = st.query_params[keys.STUDY]


def tell_what_was_lost(page: StreamlitPage, labels: Iterable[float]) -> None:
    """On the way to another page, tell the browser what it left out of the address.

    It takes only those numbers along whose boxes it has drawn; over a slow line these come later
    than the links to pages.
    """
    state = st.session_state
    if state.get(keys.PAGE_AT, page.url_path) != page.url_path:
        numbers = {*IN_FOLDS, *(keys.gain(label(grade)) for grade in labels)}
        for name in sorted(numbers.intersection(state).difference(st.query_params)):
            state[name] = state[name]
    state[keys.PAGE_AT] = page.url_path


def leave_out_endless(page: StreamlitPage) -> None:
    """Open a page anew without whole numbers that no float holds: their widgets would fail."""
    given = {key: st.query_params.get_all(key) for key in st.query_params}
    endless = {key for key in keys.WHOLE_NUMBERS if any(map(_is_endless, given.get(key, [])))}
    if endless:
        kept = {key: values for key, values in given.items() if key not in endless}
        st.switch_page(page, query_params=kept)


def _is_endless(value: str) -> bool:
    try:
        return math.isinf(float(value))
    except ValueError:
        return False


def address() -> str:
    """Where the app is served, as the visitor sees it."""
    return urljoin(st.context.url, ".") if st.context.url else ADDRESS


def own_link(short: str) -> str:
    """The link by which a study's owner comes back; empty for others, and for one person alone."""
    key = held_key(short)
    return f"{address()}?{urlencode({keys.STUDY: short, keys.OWNER: key})}" if key else ""
