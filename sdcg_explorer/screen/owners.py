"""Whose words a study goes by, where several people use one server (decision 112).

Name, note and tags of a study belong to whoever uploaded it, not to its digest, which anybody with
the same files can work out. A visitor has a secret (a cookie that no script reads); each study's
key is made of it, and of the key the name under which the store keeps the words: the store has no
secret, a link for readers shows words by their place, and a link with the key is the owner's.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

import streamlit as st

from sdcg_explorer.screen import keys
from sdcg_explorer.serving.protection import COOKIE, is_secret
from sdcg_explorer.study.store.words import NOBODY, is_place


def visitor() -> str:
    """The visitor's secret; without a cookie, as long as the visit."""
    if keys.VISITOR not in st.session_state:
        given = st.context.cookies.get(COOKIE, "")
        known = given if is_secret(given) else secrets.token_urlsafe(24)
        st.session_state[keys.VISITOR] = known
    return st.session_state[keys.VISITOR]


def own_key(short: str) -> str:
    """The visitor's key of a study, by the first characters of its digest."""
    return hmac.new(visitor().encode(), short.encode(), "sha256").hexdigest()[:40]


def place_of(key: str) -> str:
    """Where the store keeps the words of a key's holder."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def shown(short: str) -> str:
    """Where the words lie that a study is shown by; nobody's unless somebody gave some."""
    return st.session_state.get(keys.SHOWN, {}).get(short, NOBODY)


def shown_at_all() -> list[str]:
    """Studies that this visit uploaded or came to by link."""
    return [*st.session_state.get(keys.SHOWN, ())]


def show_by(short: str, place: str) -> None:
    """Show a study by the words of a place."""
    if is_place(place):
        st.session_state[keys.SHOWN] = {**st.session_state.get(keys.SHOWN, {}), short: place}


def hold(short: str, key: str) -> None:
    """Take a study's words for the visitor's own, and show the study by them."""
    st.session_state[keys.HELD] = {**st.session_state.get(keys.HELD, {}), short: key}
    show_by(short, place_of(key))


def held(short: str) -> str:
    """The key of the words that a study is shown by; empty where they are another's."""
    key = st.session_state.get(keys.HELD, {}).get(short, "")
    return key if key and place_of(key) == shown(short) else ""


def let_go(short: str) -> None:
    """Forget a study that was deleted."""
    for name in (keys.HELD, keys.SHOWN):
        kept = st.session_state.get(name, {})
        st.session_state[name] = {each: of for each, of in kept.items() if each != short}
