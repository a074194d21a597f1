"""What is computed: the definition with its choices, filters, and both in words."""
