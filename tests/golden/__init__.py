"""Numbers that stay: numbers.csv has what each was, and `make golden` writes new ones to it."""
