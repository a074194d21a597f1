"""What sessions cost, and what gain they had for it."""
