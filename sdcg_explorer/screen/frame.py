"""The frame: the pages, and the sidebar with the study, the filters and the definition.

Present, too: a page's headline and figure fill the screen, and keys turn the pages of the study.
"""

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from sdcg_explorer.questions.catalogue import QUESTIONS, question_of
from sdcg_explorer.screen import keys, link, scripts, show, sidebar, study_picker, widget_values
from sdcg_explorer.screen.controls import kept_definition
from sdcg_explorer.screen.library import store
from sdcg_explorer.screen.opened import Opened, page_file
from sdcg_explorer.screen.uploads_in_hand import forget_upload
from sdcg_explorer.serving.collection_schedule import ROUNDS
from sdcg_explorer.study.problems import UnusableInputError

ICON = Path(__file__).with_name("icon.svg")
LOGO = ICON.with_name("logo.svg")
SECTION = "[data-testid=stTopNavSection]"
MARKED = "background: color-mix(in srgb, currentColor 9%, transparent)"
LOOK = Path(__file__).with_name("page.css")


def show_frame() -> None:
    """Show the page that the address names, with its sidebar: all of the app."""
    ROUNDS.ask()
    widget_values.drop_impossible()
    st.set_page_config("sDCG Explorer", page_icon=str(ICON), layout="wide")
    st.html(LOOK)
    st.logo(str(LOGO), size="medium", icon_image=str(ICON))
    link.open_as_link()
    study_picker.hide_old_study()
    try:
        wanted, study, damage = study_picker.linked_study()
    except UnusableInputError as refused:  # the store's file itself
        st.error(show.markdown_safe(str(refused)))
        st.stop()
    groups: dict[str, list[StreamlitPage]] = {}
    for question in QUESTIONS:
        look: Any = {"title": question.title, "url_path": question.name}
        at = st.Page(page_file(question.name), default=question is QUESTIONS[0], **look)
        groups.setdefault(question.group, []).append(at)
    page = st.navigation(groups, position="top" if study else "hidden")
    if words := st.session_state.pop(keys.DELETED, ""):  # once, over the page that is open now
        st.toast(show.markdown_safe(words), icon=":material/delete:", duration="long")
    turn_page()
    if st.session_state.pop(keys.JUST_KEPT, False):
        # bound ones can't be cleared or given
        st.switch_page(page_file("overview"), query_params={})
    with st.sidebar:
        if study is None:
            study_picker.pick_study(None)
        else:
            study = sidebar.as_graded(study)
            link.restore_lost_numbers(page, study.labels)
            of_definition, of_sessions = st.container(), st.container(key="session_choice")
            study_picker.offer_studies(wanted)
            with of_sessions:
                filters = sidebar.choose_filters(study)
            with of_definition:
                definition = sidebar.choose_definition(study)
            # One that goes on while the page is drawn asks under the address that the browser then
            # had, and Streamlit tells a number only where it differs from that: back at the number
            # it would keep the one in between. So after a slider was moved all is told.
            if st.session_state.pop(keys.MOVED, False):
                st.query_params[keys.STUDY] = st.query_params[keys.STUDY]
            sidebar.show_remarks(definition, study)
            kept = kept_definition(study)
            st.session_state[keys.OPENED] = Opened(wanted, definition, filters, kept=kept)
    for trouble in store().trouble:
        st.warning(show.markdown_safe(trouble))
    if study is None:
        study_picker.show_not_here(wanted, damage)
        return
    if page.url_path != "data":
        forget_upload()
    name = page.url_path or QUESTIONS[0].name
    if group := question_of(name).group:  # Streamlit marks the page in its menu alone
        names = [*filter(None, groups)]
        own = f":nth-child({names.index(group) + 1} of :has(> {SECTION})) > {SECTION}"
        st.html(f"<style>{own} {{ {MARKED} }} {own} p {{ font-weight: 700 }}</style>")
    page.run()
    with st.sidebar:
        scripts.mount_helpers()  # after all that is seen
        offer_present(name)


PAGES = tuple(each.name for each in QUESTIONS if each.figures or each.name == "by_hand")
_css = (scripts.HERE / "copy_link.css").read_text(encoding="utf-8")
_present = scripts.module("present", css=_css)


def offer_present(page: str) -> None:
    """Draw the button, and have the keys heard; all but turning the page the browser does."""

    def take() -> None:
        st.session_state[keys.TURN_TO] = st.session_state[keys.PRESENT]["page"]

    with widget_values.sends({"page": PAGES}):
        data = {"page": page, "pages": PAGES}
        _present(key=keys.PRESENT, data=data, on_page_change=take, height="content")


def turn_page() -> None:
    """Go to the page that was asked for, as it was left if it was; where pages are known."""
    state = st.session_state
    if name := state.pop(keys.TURN_TO, ""):
        left: dict[str, dict[str, Any]] = state.setdefault(keys.LEFT, {})
        left[state[keys.PAGE_AT]] = {key: state[key] for key in st.query_params if key in state}
        own = left.get("" if name == PAGES[0] else name, {})
        state.update({key: own[key] for key in own if key not in state})
        st.switch_page(page_file(name), query_params={})  # bound ones stay
