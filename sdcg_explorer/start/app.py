"""Streamlit's door: of an installed package, as app.py is of a checkout."""

from sdcg_explorer.screen.frame import show_frame

show_frame()
