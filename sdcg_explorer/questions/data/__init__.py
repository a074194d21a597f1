"""Sentences of the questions, a file each: what analysis found, in words."""
