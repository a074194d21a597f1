"""Logs beyond memory: an engine hands whole sessions to the code that scores any study."""
