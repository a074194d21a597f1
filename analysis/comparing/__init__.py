"""Comparing systems: who is ahead, how surely, by which analysis."""
