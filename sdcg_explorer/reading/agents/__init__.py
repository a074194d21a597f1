"""Runs of search agents, their messages and traces, and conversations: calls to queries."""
