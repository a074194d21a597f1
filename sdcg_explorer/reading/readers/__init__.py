"""Readers: a module per form of file (formats.py lists them); each gives tables of text."""
