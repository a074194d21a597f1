"""In which order a searcher's sessions met the systems, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.inventory.overview import is_whole

EVEN = 0.1  # of a place, by which systems may differ and still be called balanced


def order_words(names: Sequence[str], system: Ints, place: Floats) -> str:
    """Whether systems came as early as each other among a searcher's sessions."""
    if not is_whole(place):
        return ""
    means = {names[s]: float(place[system == s].mean()) for s in np.unique(system).tolist()}
    each = ", ".join(f"{mean:.2f} with {name}" for name, mean in means.items())
    is_even = max(means.values()) - min(means.values()) < EVEN
    met = f"met in balanced order (mean place of a searcher's sessions {each})"
    if is_even:
        return f"Systems were {met}."
    return f"Systems were not {met}: practice or weariness may stand for part of the difference."
