"""What an array holds: the words of metrics, for analysis and all that is above it."""

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints

__all__ = ["Bools", "Floats", "Ints"]
