"""Numbers in, one Plotly figure out: one file per question, named as its page."""
