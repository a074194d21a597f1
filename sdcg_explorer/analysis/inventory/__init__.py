"""What was observed in a study, counted."""
