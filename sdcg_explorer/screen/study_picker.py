"""The study that the link asks for, and the picker that opens another."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import (
    listed,
    open_study,
    study_of,
    take_link,
    wanted_study,
    whose,
)
from sdcg_explorer.screen.link import copy_link, in_link
from sdcg_explorer.screen.opened import page_file
from sdcg_explorer.screen.show import markdown_safe
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store.words import NOBODY, is_place
from sdcg_explorer.study.study import Study


def study_asked() -> tuple[str, Study | None, str]:
    """What the link asks for, its study, and why one that is kept can't be read.

    None stands for a study that is not here.
    """
    take_link()
    known = listed()
    if keys.STUDY_WANTED not in st.session_state:
        st.session_state[keys.STUDY_WANTED] = wanted_study() or next(iter(known))
    wanted = st.session_state[keys.STUDY_WANTED]
    try:
        return wanted, study_of(wanted) if wanted in known else None, ""
    except UnusableInputError as refused:
        return wanted, None, f"{known[wanted]}: {refused.problems[0].sentence()}"


def pick_study(digest: str | None) -> None:
    """Draw the study picker; another study is opened by it."""
    known = listed()
    st.session_state[keys.STUDY_PICKED] = digest
    st.selectbox(
        "Study",
        list(known),
        0 if digest else None,
        format_func=lambda digest: known.get(str(digest), "…"),
        key=keys.STUDY_PICKED,
        placeholder="not here",
        on_change=lambda: open_study(st.session_state[keys.STUDY_PICKED]),
    )


def for_readers(of: str) -> None:
    """Have the address say whose words the study goes by, and no key: a copy gives none."""
    in_link(keys.WORDS_OF, [of] if is_place(of) and of != NOBODY else [])
    in_link(keys.OWNER, [])


def choose_study(wanted: str) -> None:
    """Study picker; its digest always stands in the URL, so that a link names its study."""
    st.session_state.pop(keys.VIEW, None)
    in_link(keys.STUDY, [wanted])
    for_readers(whose(wanted))
    with st.container(gap=None):
        with st.container(key=keys.STUDY_CHOICE, gap="xsmall"):
            pick_study(wanted)
            if note := study_of(wanted).note:
                st.markdown(f":small[:material/info: {markdown_safe(note)}]")
            label = "Data: upload, report, rename"
            st.page_link(page_file("data"), label=label, icon=":material/upload:")
        copy_link()
