"""Whether a difference holds over definitions."""
