"""Maps: cells by colour, lines of equal value with their labels, and the scale of colours."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats
from sdcg_explorer.figures.picture import WIDE
from sdcg_explorer.figures.style import GREY
from sdcg_explorer.figures.svg.axes import Pair, percent
from sdcg_explorer.figures.svg.curves import in_units
from sdcg_explorer.figures.svg.texts import as_html, attributes, ink
from sdcg_explorer.study.wording import plain

Parts = dict[str, Any]
Scale = list[tuple[float, str]]
LEVELS = 100  # of colours from one end of a scale to the other
ROW = 17  # pixels of a row, of which some are left between two
LABELLED = 0.25, 0.5  # of a line of equal value: where labels stand, from the first to the last


def draw_cells(trace: Parts, pair: Pair, colours: Parts) -> str:
    """Cells of a map, all of a colour as one path; `colours` are the layout's, if it has some."""
    scale, low, high = _scale(trace, colours)
    z = np.asarray(trace["z"], dtype=float)
    level = np.round(LEVELS * (z - low) / (high - low))
    if not level.size:
        return ""
    (left, width), (top, height) = _first(pair.right(trace["x"])), _first(pair.down(trace["y"]))
    tall = 1 - trace.get("ygap", 0) / ROW
    drawn = "".join(
        f'<path style="fill:{_mixed(scale, own / LEVELS)}" d="{_runs(level == own, tall)}"/>'
        for own in np.unique(level[~np.isnan(level)]).tolist()
    )
    left, width, top, height = (WIDE / 100 * of for of in (left, width, top, height))
    to = f"translate({left:.6g},{top:.6g}) scale({width:.6g},{height:.6g})"
    cells = in_units(f'<g transform="{to}">{drawn}</g>')
    return f"<g{attributes(class_='cells', opacity=trace.get('opacity'))}>{cells}</g>"


def _scale(trace: Parts, colours: Parts) -> tuple[Scale, float, float]:
    if "coloraxis" in trace:
        return colours["colorscale"], colours["cmin"], colours["cmax"]
    return trace["colorscale"], trace["zmin"], trace["zmax"]


def _first(middles: Floats) -> tuple[float, float]:
    """Where the first of evenly spaced cells begins, and how far it is to the next one."""
    wide = float(np.diff(middles).mean()) if middles.size > 1 else 100.0
    return float(middles[0]) - wide / 2, wide


def _runs(own: Bools, tall: float) -> str:
    """Cells as a path, those beside each other in a row as one; a cell is 1 wide and high."""
    edges = np.diff(np.pad(own.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, first = np.nonzero(edges == 1)
    count = np.nonzero(edges == -1)[1] - first
    runs = np.column_stack([first, row, count]).tolist()
    return "".join(f"M{x},{y}h{many}v{tall:.3g}h-{many}z" for x, y, many in runs)


def _mixed(scale: Scale, share: float) -> str:
    """A colour of a scale, between two that it names."""
    after = next(place for place, (end, _) in enumerate(scale) if share <= end + 1e-9)
    if not after:
        return ink(scale[0][1])
    (start, first), (end, second) = scale[after - 1], scale[after]
    part = (share - start) / (end - start)
    return f"color-mix(in srgb,{ink(second)} {100 * part:.4g}%,{ink(first)})"


def draw_levels(trace: Parts, pair: Pair) -> tuple[str, str]:
    """Lines of equal value as SVG, and their labels as HTML."""
    look = trace["contours"]
    count = round((look["end"] - look["start"]) / look["size"]) + 1
    x, y = (np.asarray(trace[axis], dtype=float) for axis in "xy")
    z = np.asarray(trace["z"], dtype=float)
    paths, labels = "", ""
    for place in range(count):
        level = look["start"] + look["size"] * place
        segments = segments_of(x, y, z, level)
        if not len(segments):
            continue
        right = pair.right(segments[..., 0]) * WIDE / 100
        down = pair.down(segments[..., 1]) * WIDE / 100
        ends = np.stack([right[:, 0], down[:, 0], right[:, 1], down[:, 1]], axis=1)
        paths += "".join("M{:.1f},{:.1f}L{:.1f},{:.1f}".format(*each) for each in ends.tolist())
        order = np.argsort(ends[:, 0] - ends[:, 1], kind="stable")
        along = LABELLED[0] + (LABELLED[1] - LABELLED[0]) * place / count
        left, top = (ends[order[int(along * len(order))], :2] / (WIDE / 100)).tolist()
        if look.get("showlabels"):
            number = f"{level or 0.0:{look['labelformat'].replace('~', '')}}"
            labels += (
                f'<span class="level" style="left:{percent(left)};top:{percent(top)}">'
                f"{number.replace('-', chr(0x2212))}</span>"
            )
    width = f"stroke-width:{trace['line']['width']:g};color:{ink(trace['line'].get('color', GREY))}"
    return in_units(f'<path class="line" style="{width}" d="{paths}"/>'), labels


def segments_of(x: Floats, y: Floats, z: Floats, level: float) -> Floats:
    """Pieces of the line where z (Y, X) has a value, (N, 2 ends, 2); by marching squares.

    A cell whose corners lie on both sides twice is parted by the mean of its corners.
    """
    above = z >= level
    corners = [(slice(None, -1), slice(None, -1)), (slice(None, -1), slice(1, None))]
    corners += [(slice(1, None), slice(1, None)), (slice(1, None), slice(None, -1))]
    across, up = np.meshgrid(x, y)
    cut, points = list[Bools](), list[Floats]()
    for i, first in enumerate(corners):
        second = corners[(i + 1) % 4]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (level - z[first]) / (z[second] - z[first])
            at = [of[first] + share * (of[second] - of[first]) for of in (across, up)]
        cut.append((above[first] != above[second]) & np.isfinite(share))
        points.append(np.stack(at, axis=-1))
    crossed, place = np.stack(cut), np.stack(points)
    number = crossed.sum(axis=0)
    found = [_joined(place, number == 2, crossed.argmax(axis=0), 3 - crossed[::-1].argmax(axis=0))]
    middle = sum(z[corner] for corner in corners) / 4 >= level
    parted = middle == above[corners[0]]
    for is_so, pairs in ((parted, ((0, 1), (2, 3))), (~parted, ((3, 0), (1, 2)))):
        found += [_joined(place, (number == 4) & is_so, a, b) for a, b in pairs]
    return np.concatenate(found)


def _joined(place: Floats, cells: Bools, first: Any, second: Any) -> Floats:
    """Pieces between two sides of some cells, (N, 2, 2)."""
    row, column = np.nonzero(cells)
    sides = (np.broadcast_to(side, cells.shape)[cells] for side in (first, second))
    return np.stack([place[side, row, column] for side in sides], axis=1)


def scale_of_colours(colours: Parts) -> str:
    """The scale of a map's colours, its ends, and what they stand for."""
    stops = ",".join(ink(colour) for _, colour in colours["colorscale"])
    low, high = colours["cmin"], colours["cmax"]
    shown = [plain(float(f"{value:.3g}")) for value in (low, (low + high) / 2, high)]
    ends = [told.replace("-", "\N{MINUS SIGN}") for told in shown]
    title = as_html(colours["colorbar"]["title"]["text"], end=" ")
    return (
        f'<div class="scale"><div style="background:linear-gradient(to right,{stops})"></div>'
        f"<p>{''.join(f'<span>{end}</span>' for end in ends)}</p><p>{title}</p></div>"
    )
