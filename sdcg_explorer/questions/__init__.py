"""A question's numbers, words, figures and tables, put together."""
