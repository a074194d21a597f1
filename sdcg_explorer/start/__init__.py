"""What a server starts with: a folder of its own, put on the path by Streamlit."""
