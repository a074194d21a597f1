"""Calls of tools: which of them search and open, and the log that they make."""
