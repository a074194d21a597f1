"""The note that says to which study a definition was fitted: in the session, and in the link."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from sdcg_explorer.analysis.definition.definition import LONGEST_NOTE, Definition, fit_in_force
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.link import in_link


def note_asked() -> str:
    """The note of a fit that was taken, or that the link has."""
    asked = st.query_params.get(keys.FITTED_TO, "")[:LONGEST_NOTE]
    return st.session_state.setdefault(keys.FITTED_TO, asked)


def with_note(definition: Definition) -> Definition:
    """The same with its note, also put in the link, as long as nothing that it names was moved."""
    note = definition.fitted_to if fit_in_force(definition) else ""
    st.session_state[keys.FITTED_TO] = note
    in_link(keys.FITTED_TO, [note] if note else [])
    return replace(definition, fitted_to=note)
