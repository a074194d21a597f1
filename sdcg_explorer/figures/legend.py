"""The room that a legend takes, as Plotly lays it out: entries in columns of one width."""

from __future__ import annotations

from collections.abc import Sequence

from sdcg_explorer.figures.lettering import LINE, lines, widest

MARK, GAP = 40, 5  # pixels beside a name, and between entries
LEAST, BETWEEN, AROUND = 16, 3, 10  # pixels of a row, between rows, and around all


def columns(names: Sequence[str], room: float, size: float) -> int:
    """Entries beside each other in so many pixels."""
    return max(1, int((room + GAP) // (widest(names) * size + MARK + GAP)))


def height(names: Sequence[str], room: float, size: float) -> float:
    """Pixels that the rows take."""
    across = columns(names, room, size)
    if sum(widest([name]) * size + MARK + GAP for name in names) < room:
        across = max(1, len(names))
    rows = [names[i : i + across] for i in range(0, len(names), across)]
    tall = [max(len(lines(name)) for name in row) * LINE * size for row in rows]
    return AROUND + sum(max(each, LEAST) + BETWEEN for each in tall)
