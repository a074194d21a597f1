"""What do the words mean?"""

import streamlit as st

from sdcg_explorer.questions.glossary import answer, terms
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe, show_answer, show_page


def view(_: Opened) -> None:
    """Every term, as it is explained on the pages where it stands."""
    show_answer(None, answer())
    for term in terms().values():
        st.markdown(f"**{markdown_safe(term.name)}**: {markdown_safe(term.meaning)}")


show_page("glossary", view)
