"""What was observed: readers, checks, the Study and its block of arrays."""
