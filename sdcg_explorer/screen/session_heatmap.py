"""The wall on a page: drawn by the server; a module hears clicks and keys (decision 88)."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.sessions.session_heatmap import OF_PARTS, SHADES, Wall, shades_of
from sdcg_explorer.analysis.sessions.session_list import ENDS, ONLY, ORDERS, RATING, orders_of
from sdcg_explorer.figures.session_heatmap import draw_wall, wall_legend, wall_style
from sdcg_explorer.questions.words.individual_sessions import GAIN
from sdcg_explorer.questions.words.session_heatmap import answer, behind, wall_words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.linked import LINKED, pick
from sdcg_explorer.screen.module import module
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import show_small
from sdcg_explorer.screen.widget_values import sends

_wall = module("session_heatmap")
OLD_ORDERS = {"final": "worth", "queries": "length", "session": "log"}  # of links of before


def choose_order(opened: Opened) -> str:
    """The order of the wall, the curves' list and the keys p and n."""
    if (old := st.session_state.get(keys.ORDER, st.query_params.get(keys.ORDER))) in OLD_ORDERS:
        st.session_state[keys.ORDER] = OLD_ORDERS[old]
    words = [f"{name}: {said}" for name, said in ORDERS.items()]
    words.append(f"{RATING}a number that came along with the log, highest first")
    return pick("Order", orders_of(opened.study), keys.ORDER, help=_list(words))


def choose_shade(opened: Opened) -> str:
    """What cells are shaded by."""
    shades = shades_of(opened.study)
    words = _list([f"{name}: {said}" for name, said in shades.items()])
    return pick("Cells show", shades, keys.SHADE, help=words)


def choose_only() -> str:
    """Which sessions are shown, by what they gained."""
    words = _list([f"{name}: {said}" for name, said in ONLY.items()])
    look: Any = {"default": next(iter(ONLY)), "required": True, "help": f"{words}\n\n{GAIN}"}
    return st.pills("Only sessions that", list(ONLY), wrap=True, key=keys.ONLY, **look, **LINKED)


def _list(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def show_wall(seen: Wall) -> None:
    """Show the wall, and what its shades and signs stand for."""
    with st.container(key=keys.WALL):
        st.html(f"{wall_style()}{draw_wall(seen, f'The wall. {answer(seen)}')}{wall_legend(seen)}")
    ends = "; ".join(f"{end}: {words}" for end, words in ENDS.items())
    show_small("Ends", f"{ends}. {GAIN}")
    show_small("In the wall", f"{behind(seen)} {seen.shade}: {(SHADES | OF_PARTS)[seen.shade]}.")


def mount_wall(opened: Opened, chosen: list[str], **choices: Any) -> None:
    """Have the wall hear clicks and keys, and say texts: after all that is seen."""

    def take() -> None:
        st.session_state[keys.SESSION] = st.session_state[keys.WALL_MODULE]["opened"]

    words = opened.ask(wall_words, **choices)
    data = {"key": keys.WALL, "chosen": chosen, "words": words}
    with sends({"opened": str}):
        _wall(key=keys.WALL_MODULE, data=data, on_opened_change=take)
