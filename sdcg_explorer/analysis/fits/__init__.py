"""What searchers looked at, and the measures whose weights come nearest to it."""
