"""What a server is started with: a folder of its own, for Streamlit puts it on the path."""
