"""Repairs of uploads: those that are offered, to be ticked; nothing else is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from sdcg_explorer.reading.rules import ASKED, FIXES, Rules
from sdcg_explorer.reading.table_kinds import Part, shapes_of
from sdcg_explorer.screen import keys


def choose_repairs(parts: Sequence[Part], rules: Rules) -> Rules:
    """Rules with the repairs that are ticked, of those that were offered for these tables."""
    seed = shapes_of(parts)
    offered: list[str] = st.session_state.get(keys.of_files("fixes", seed), [])
    if not offered:
        return rules
    st.markdown(f"**{ASKED['fix']}** that are offered; what is not ticked stays as it is:")
    keyed = {fix: keys.of_files(f"fix_{fix}", seed) for fix in offered}
    ticked = [fix for fix, key in keyed.items() if st.checkbox(_words(fix), key=key)]
    return replace(rules, fix=",".join(ticked))


def offer_repairs(parts: Sequence[Part], fixes: Sequence[str]) -> None:
    """Offer repairs from now on; the page is drawn anew where one was not offered before."""
    key = keys.of_files("fixes", shapes_of(parts))
    offered: list[str] = st.session_state.get(key, [])
    new = [fix for fix in fixes if fix not in offered]
    if new:
        st.session_state[key] = [*offered, *new]
        st.rerun()


def _words(fix: str) -> str:
    """What a repair does.

    >>> _words("header-row=3")
    'Rows above the header (row 3) are left out'
    """
    name, _, row = fix.partition("=")
    return FIXES[name].replace("header", f"header (row {row})") if row else FIXES[name]
