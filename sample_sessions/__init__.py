"""Studies that the explorer opens with: a folder each, with its README and what made it."""
