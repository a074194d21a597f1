"""What do the words mean?"""

import streamlit as st

from analysis.glossary import answer, terms
from pages.parts.opened import Opened
from pages.parts.show import markdown_safe, show_answer, show_page


def view(_: Opened) -> None:
    """Every term, as it is explained on the pages where it stands."""
    show_answer(None, answer())
    for term in terms().values():
        st.markdown(f"**{markdown_safe(term.name)}**: {markdown_safe(term.meaning)}")


show_page("glossary", view)
