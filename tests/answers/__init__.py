"""Golden answers: all that each question says of eleven studies under three definitions."""
