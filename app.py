"""Streamlit's door: `streamlit run app.py`."""

from sdcg_explorer.screen.frame import show_frame

show_frame()
