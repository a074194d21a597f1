"""Scores beside what searchers said."""
