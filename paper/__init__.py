"""The paper about this software, and what makes its numbers, its draft and its other forms."""
