"""What is given to others: wheel, sdist, bill of materials and their sums (docs/install.md)."""
