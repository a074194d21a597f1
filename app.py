"""The frame: the pages, and the sidebar with the study, the definition and the filters."""

import gc
from pathlib import Path

import streamlit as st

from pages.parts.definition_panel import choose_definition
from pages.parts.filtering import choose_filters
from pages.parts.not_here import show_not_here
from pages.parts.opened import Opened
from pages.parts.study_picker import choose_study, pick_study, study_asked

ICON = Path(__file__).parent / "docs" / "icon.svg"


@st.cache_resource(show_spinner=False)
def freeze() -> None:
    """Take what is imported out of the garbage collector's rounds, once per server."""
    gc.collect()
    gc.freeze()


freeze()
st.set_page_config("sDCG Explorer", page_icon=str(ICON), layout="wide")
wanted, study, damage = study_asked()
page = st.navigation(
    [
        st.Page("pages/overview.py", title="Overview", default=True),
        st.Page("pages/query_order.py", title="Query order", url_path="query_order"),
        st.Page("pages/session_curves.py", title="Session curves", url_path="session_curves"),
        st.Page(
            "pages/individual_sessions.py",
            title="Individual sessions",
            url_path="individual_sessions",
        ),
        st.Page("pages/reformulations.py", title="Reformulations", url_path="reformulations"),
        st.Page("pages/compare_systems.py", title="Compare systems", url_path="compare_systems"),
        st.Page("pages/side_by_side.py", title="Side by side", url_path="side_by_side"),
        st.Page("pages/by_hand.py", title="By hand", url_path="by_hand"),
        st.Page("pages/data.py", title="Data", url_path="data"),
    ],
    position="top" if study else "hidden",
)
if st.session_state.pop("just_kept", False):
    st.switch_page("pages/overview.py", query_params={})  # bound ones can't be cleared or given
with st.sidebar:
    if study is None:
        pick_study(None)
    else:
        choose_study(wanted)
        definition = choose_definition(study)
        st.divider()
        filters = choose_filters(study)
        st.session_state["opened"] = Opened(wanted, definition, filters)
if study is None:
    show_not_here(wanted, damage)
else:
    page.run()
