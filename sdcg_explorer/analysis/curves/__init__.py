"""Mean curves of queries and sessions."""
