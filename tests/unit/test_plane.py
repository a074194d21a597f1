"""Scores over a plane of b and bq, and their differences, are those of each point alone."""
