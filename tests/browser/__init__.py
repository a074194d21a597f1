"""What only a browser shows."""
