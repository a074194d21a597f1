"""The link to a view: the address that holds its study, definition, filters and page choices.

Widgets whose values stand in it, each under its key, are here, too.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode, urljoin

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from sdcg_explorer.export.link import ADDRESS, link_values
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.scoring import definition, measures
from sdcg_explorer.screen import keys, library, scripts
from sdcg_explorer.study.grades import label

# Of the frame's widgets, those in its folds, with the gains of a study's grades
IN_FOLDS = {*link_values(definition.DEFAULT, ()), keys.CELLS, keys.TOPICS, keys.SEARCHERS}
IN_FOLDS |= {keys.MIN_QUERIES, keys.MAX_QUERIES}
# what such a link leaves as it is: who one is, and numbers by which the browser's news are told
STAYS = {keys.VISITOR, keys.HELD, keys.SHOWN, keys.SLIDERS, keys.CARDS_TURN, keys.BY_HAND_ROUND}
_button = scripts.module("copy_link")


def copy_link() -> None:
    """Draw the button that copies the page's address."""
    _button(key="copy_link", height="content")


def put_in_link(key: str, values: list[str]) -> None:
    """Keep values in the URL under a key of their own (bound widgets would write labels)."""
    if st.query_params.get_all(key) != values:
        st.query_params[key] = values


def open_as_link() -> None:
    """Have a link of Overview open as one from elsewhere: what was chosen before is forgotten."""
    if st.query_params.pop(keys.SEE, "") and keys.OPENED in st.session_state:
        for key in {*st.session_state} - STAYS:
            del st.session_state[key]


def restore_lost_numbers(page: StreamlitPage, labels: Iterable[float]) -> None:
    """On the way to another page, tell the browser what it left out of the address.

    It takes only those numbers along whose boxes it has drawn; over a slow line these come later
    than the links to pages.
    """
    state = st.session_state
    if state.get(keys.PAGE_AT, page.url_path) != page.url_path:
        numbers = IN_FOLDS.union(keys.gain(label(grade)) for grade in labels)
        for name in sorted(numbers.intersection(state).difference(st.query_params)):
            state[name] = state[name]
    state[keys.PAGE_AT] = page.url_path


def address() -> str:
    """Where the app is served, as the visitor sees it."""
    return urljoin(st.context.url, ".") if st.context.url else ADDRESS


def owner_link(short: str) -> str:
    """The link by which a study's owner comes back; empty for others, and for one person alone."""
    key = library.owner_key(short)
    return f"{address()}?{urlencode({keys.STUDY: short, keys.OWNER: key})}" if key else ""


LINKED: Any = {"bind": "query-params"}


def one_of(words: str, names: Iterable[str], key: str, about: str | None = None) -> str:
    """One of a few names that stand beside each other; the first unless another is chosen."""
    few = list(names)
    look: Any = {"default": few[0], "required": True, "help": about}
    return st.segmented_control(words, few, key=key, **look, **LINKED)


def pick(words: str, names: Iterable[Any], key: str, index: int | None = 0, **look: Any) -> Any:
    """One of many names in a list; with no `index`, none unless one is chosen."""
    return st.selectbox(words, list(names), index, key=key, **look, **LINKED)


def toggle(words: str, key: str, about: str | None = None, **look: Any) -> bool:
    """Yes or no; no unless said otherwise."""
    return st.toggle(words, key=key, help=about, **look, **LINKED)


def number(
    words: str, least: float, most: float | None, usual: float | None, key: str, **look: Any
) -> Any:
    """A number from the least to the most, or none where none is usual."""
    return st.number_input(words, least, most, usual, key=key, **look, **LINKED)


def choice_by_words(key: str, words: Mapping[str, str], usual: str = "") -> dict[str, Any]:
    """What a widget is given to choose a name by its words; the first one unless said or asked."""
    usual, state = usual or next(iter(words)), st.session_state
    asked = st.query_params.get(key) or state.get(key) or state.get(keys.chosen(key))
    name = asked if asked in words else usual
    state[key] = state[keys.chosen(key)] = name
    _put_choice(key, usual)
    look = {"format_func": words.__getitem__, "on_change": _put_choice, "args": (key, usual)}
    return {"options": list(words), "key": key, **look}


def choose_score(names: Iterable[str]) -> str:
    """A score of sessions, which is the same on every page."""
    scores = worded({name: measures.SESSION_SCORES.get(name) for name in names})
    about = meaning("sDCG", "nsDCG")
    return st.selectbox("Score", **choice_by_words(keys.SCORE, scores), help=about)


def worded(scores: Mapping[str, Any]) -> dict[str, str]:
    """Scores as a list shows them: in words, then as files call them; a rating by its name."""
    return {name: f"{of.words} · {name}" if of else name for name, of in scores.items()}


def _put_choice(key: str, usual: str) -> None:
    """Into the link, which leaves out what is usual."""
    name = st.session_state[key]
    st.session_state[keys.chosen(key)] = name
    put_in_link(key, [] if name == usual else [name])
