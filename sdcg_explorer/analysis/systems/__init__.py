"""Systems compared."""
