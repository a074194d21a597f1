"""The wall: one row per session, one cell per query, as a table that the browser draws by itself.

Each cell has its number, so that no shade must be told from another; how a session ended is a sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.sessions.session_heatmap import (
    BEYOND,
    FIRST,
    MOST_ROWS,
    NO_RESULTS,
    NOBODY,
    VALUE,
    Wall,
)
from sdcg_explorer.analysis.sessions.session_list import ENDS, RATING
from sdcg_explorer.figures.style import ceiling
from sdcg_explorer.study.wording import LARGE, plain, short

SIGNS = ("●", "▲", "✕", "?")  # in the order of ENDS, and where the end is undefined
MISSING = {NOBODY: "?", NO_RESULTS: "∅", FIRST: "–"}
UNKNOWN = {NOBODY: "m", NO_RESULTS: "m", FIRST: ""}  # grounds: hatched, or none
LEVELS = 5  # of shades, each up to twice the one below
# light and dark ground of each shade, from little to much; of what was lost
GAINED = (
    ("#DCEBF7", "#17334A"),
    ("#B5D5EC", "#1E4D73"),
    ("#7FB6DC", "#2A6A9C"),
    ("#1F6FA8", "#7DBCE8"),
    ("#06395C", "#D6EBF9"),
)
LOST = (
    ("#FBE6D6", "#45290F"),
    ("#F5C59F", "#693B10"),
    ("#E89A5B", "#935012"),
    ("#B14E00", "#F0A663"),
    ("#6B2E00", "#FBE0C6"),
)
DARK_ON_LIGHT = 3  # shades whose text is dark on a light screen, and light on a dark one
INK, PAPER = "#31333F", "#FFFFFF"
SHEET = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def wall_style() -> str:
    """How walls look: written once a page."""
    shades = [*_shades("s", GAINED), *_shades("n", LOST)]
    signs = [
        f'.wall .e{i}::before {{ content: "{sign}"; content: "{sign}" / "{end}" }}'
        for i, (sign, end) in enumerate(zip(SIGNS, [*ENDS, "undefined"], strict=True))
    ]
    return f"<style>{SHEET}{''.join(shades)}{''.join(signs)}</style>"


def _shades(letter: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    each: list[str] = []
    for level, (light, dark) in enumerate(pairs):
        inks = (INK, PAPER) if level < DARK_ON_LIGHT else (PAPER, INK)
        look = f"background: light-dark({light}, {dark}); color: light-dark({inks[0]}, {inks[1]})"
        each.append(f".wall .{letter}{level} {{ {look} }}")
    return each


def draw_wall(wall: Wall, alt: str) -> str:
    """The wall as a table: session, end, worth, system, its order, and a cell for each query.

    The system is left out where there is but one.
    """
    number = min(len(wall.names), MOST_ROWS)
    top = top_of(wall)
    cells = _cells(wall, top, number)
    head, more = _head(wall, int(wall.queries[:number].max(initial=1)))
    rows = (_row(wall, i, cells[i], with_order=bool(more)) for i in range(number))
    return (
        f"<div class=wall><table role=grid aria-label='{escape(alt)}'>"
        f"<thead><tr>{head}<tbody>{''.join(rows)}</table></div>"
    )


def _row(wall: Wall, i: int, cells: str, *, with_order: bool) -> str:
    """One session; the sign of its end is written by the style, which has its words, too."""
    end = wall.ends[i] % len(SIGNS)
    system = wall.system_names[int(wall.systems[i])]
    more = [system] * wall.has_several_systems + [_ordered(wall.sorted_by[i])] * with_order
    by = "".join(f"<td class=w>{escape(words)}" for words in more)
    head = f"<tr tabindex=-1><th scope=row>{escape(wall.names[i])}<td class='f e{end}'>"
    return f"{head}<td>{_worth(wall.worth[i])}{by}{cells}"


def top_of(wall: Wall) -> float:
    """The round number that the darkest shade goes to."""
    return ceiling([np.abs(wall.values)])


def _head(wall: Wall, most: int) -> tuple[str, str]:
    """Names of the columns, and that of the order's own, if it has one."""
    more = wall.order.removeprefix(RATING) if any(each != "" for each in wall.sorted_by) else ""
    system = ["system"] * wall.has_several_systems
    more = "" if [more] == system else more  # it stands there in any case
    names = ["session", "end", "worth", *system, *([more] if more else [])]
    kinds = ["", "class=f", "", "class=w", "class=w"]
    named = "".join(
        f"<th scope=col {kind}>{escape(name)}" for name, kind in zip(names, kinds, strict=False)
    )
    return named + "".join(f"<th scope=col class=c>Q{q}" for q in range(1, most + 1)), more


def _cells(wall: Wall, top: float, number: int) -> list[str]:
    """The cells of each row, to its last query."""
    looks, values = wall.looks[:number], wall.values[:number]
    levels = level_of(values, top)
    each: list[str] = []
    for look, value, level in zip(looks.tolist(), values.tolist(), levels.tolist(), strict=True):
        row = zip(look, value, level, strict=True)
        each.append("".join(_cell(*cell, wall.shade) for cell in row if cell[0] != BEYOND))
    return each


def _cell(look: int, value: float, level: int, shade: str) -> str:
    if look != VALUE:
        return f"<td class='c {UNKNOWN[look]}'>{MISSING[look]}"
    ground = "z" if level < 0 else f"{'s' if value > 0 else 'n'}{level}"
    return f"<td class='c {ground}'>{_number(value, signed=shade == 'change of dcg')}"


def level_of(values: Floats, top: float) -> Ints:
    """Shade of each value, 0 to ``LEVELS`` − 1: up to top/16, /8, /4, /2, and top; −1 for 0."""
    ends = top / 2.0 ** np.arange(LEVELS - 1, -1, -1)
    known = np.nan_to_num(np.abs(values))
    return np.where(known > 0, np.minimum(np.searchsorted(ends, known), LEVELS - 1), -1)


def _worth(value: float) -> str:
    """Three digits, or a whole number.

    >>> _worth(3.456), _worth(1888.7), _worth(-0.5), _worth(0.0)
    ('3.46', '1,889', '−0.500', '0')
    """
    if not 100 <= abs(value) < LARGE:
        return short(value)
    return f"{value:,.0f}".replace("-", "−")


def _ordered(value: str | float) -> str:
    """What a session's place in the order comes from."""
    if isinstance(value, str):
        return value
    return "–" if np.isnan(value) else _worth(value)


def _number(value: float, *, signed: bool) -> str:
    """A number in a narrow cell: two digits of it, or whole.

    >>> _number(3.456, signed=False), _number(188.7, signed=True), _number(-0.25, signed=True)
    ('3.5', '+189', '−0.25')
    """
    told = f"{abs(value):.0f}" if abs(value) >= 10 else f"{abs(value):.2g}"
    if abs(value) >= LARGE:
        told = plain(float(f"{abs(value):.1g}"))
    sign = "−" if value < 0 else "+" if signed and value > 0 else ""
    return f"{sign}{told}"


def wall_legend(wall: Wall) -> str:
    """What shades and signs stand for, those of cells that are there."""
    top = top_of(wall)
    ends = [top / 2.0**i for i in range(LEVELS - 1, -1, -1)]
    present = {look for look in MISSING if (wall.looks == look).any()}
    swatches = [_swatch("z", "0"), *_scale("s", ends)]
    if wall.shade == "change of dcg":
        swatches += _scale("n", [-end for end in ends])
    words = {NOBODY: "nobody judged it", NO_RESULTS: "no results", FIRST: "none before it"}
    missing = [
        f"<span>{_swatch(UNKNOWN[look], MISSING[look])} {words[look]}</span>"
        for look in sorted(present)
    ]
    signs = [f"<span><b>{sign}</b> {end}</span>" for sign, end in zip(SIGNS, ENDS, strict=False)]
    shades = f"<span>{''.join(swatches)} {escape(wall.shade)}</span>"
    return f"<div class=legend>{shades}{''.join([*missing, *signs])}</div>"


def _scale(letter: str, ends: Sequence[float]) -> list[str]:
    return [
        _swatch(f"{letter}{i}", f"to {_number(end, signed=False)}") for i, end in enumerate(ends)
    ]


def _swatch(ground: str, text: str) -> str:
    return f"<span class=wall><span class='c {ground}'>{text}</span></span>"
