"""What a server starts with: a folder of its own, put on the path by Streamlit."""

ANY = "0.0.0.0", "::"  # all addresses of a machine
