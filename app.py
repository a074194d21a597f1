"""The frame: the pages, and the sidebar with the study, the filters and the definition."""

from pathlib import Path

import streamlit as st

from export.questions import QUESTIONS
from pages.parts import keys
from pages.parts.comparable import kept_definition
from pages.parts.definition_panel import choose_definition, definition_in_force
from pages.parts.filtering import choose_filters
from pages.parts.leaving import forget_upload
from pages.parts.link import leave_out_endless
from pages.parts.not_here import show_not_here
from pages.parts.opened import Opened
from pages.parts.rounds import ROUNDS
from pages.parts.sliders import step_by_preferred
from pages.parts.study_picker import choose_study, pick_study, study_asked
from pages.parts.tour import arrive, show_strip
from pages.parts.upload_gate import take_uploads
from pages.parts.widget_values import drop_impossible

ICON = Path(__file__).parent / "docs" / "icon.svg"
LOOK = Path(__file__).parent / "pages" / "parts" / "page.css"

ROUNDS.ask()
drop_impossible()
st.set_page_config("sDCG Explorer", page_icon=str(ICON), layout="wide")
st.html(LOOK)
wanted, study, damage = study_asked()
page = st.navigation(
    [
        st.Page(
            f"pages/{question.name}.py",
            title=question.title,
            url_path=question.name,
            default=question is QUESTIONS[0],
            visibility="visible" if question.listed else "hidden",
        )
        for question in QUESTIONS
    ],
    position="top" if study else "hidden",
)
leave_out_endless(page)
if st.session_state.pop(keys.JUST_KEPT, False):
    st.switch_page("pages/overview.py", query_params={})  # bound ones can't be cleared or given
with st.sidebar:
    if study is None:
        pick_study(None)
    else:
        arrive(study, wanted)
        choose_study(wanted)
        with st.container(key=keys.SESSION_CHOICE):
            filters = choose_filters(study)
        choose_definition(study)
        definition = definition_in_force(study)
        kept = kept_definition(study)
        st.session_state[keys.OPENED] = Opened(wanted, definition, filters, kept=kept)
take_uploads(study is None or page.url_path == "data")
if study is None:
    show_not_here(wanted, damage)
else:
    if page.url_path != "data":
        forget_upload()
    show_strip(page.url_path or QUESTIONS[0].name)
    page.run()
    with st.sidebar:
        step_by_preferred()  # after all that is seen
