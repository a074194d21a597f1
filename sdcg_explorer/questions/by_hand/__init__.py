"""How is the number made? Short sessions to count by hand."""
