"""The least app of the same stack, to measure ours beside: one slider, one chart, one fragment."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st


@st.fragment
def view() -> None:
    """A slider, and two curves that it moves."""
    b = st.slider("Patience with the result list (b)", 1.1, 10.0, 3.0, 0.1)
    ranks = np.arange(1, 101)
    curves = np.cumsum(1 / (1 + np.log(ranks) / np.log(b)))
    figure = go.Figure([go.Scatter(x=ranks, y=curves * height) for height in (1.0, 0.8)])
    st.plotly_chart(figure, alt="Bare.", key="bare")


view()
