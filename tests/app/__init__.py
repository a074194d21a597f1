"""Pages under Streamlit's own test harness."""
