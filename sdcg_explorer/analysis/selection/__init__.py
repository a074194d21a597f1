"""Sessions that pass the filters, under a definition."""
