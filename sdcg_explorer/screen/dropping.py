"""The open door: files dropped anywhere are brought to the page that reads them."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.screen import keys
from sdcg_explorer.screen.module import module
from sdcg_explorer.screen.opened import page_file

BRING = "Bring your own log, or try ours: drop CSV, Excel, TREC or JSON anywhere, or choose here"
LET_GO = "Let go to read these files; nothing is kept before you accept it."
_dropping = module("dropping")


def take_drops() -> None:
    """Have files that are dropped anywhere on a page be read on the page of the data."""
    way = f".st-key-{keys.STUDY_CHOICE} a[href]"
    _dropping(key=keys.DROPPING, data={"words": LET_GO, "way": way})


def show_door() -> None:
    """Show the way in for a log of one's own."""
    with st.container(key=keys.DOOR, width="content"):
        st.page_link(page_file("data"), label=BRING, icon=":material/upload_file:")
