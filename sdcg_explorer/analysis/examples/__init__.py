"""Short sessions to count by hand, and what the literature printed of them."""
