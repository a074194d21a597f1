"""Where panels stand in a figure of any width: their places, their names, and what axes show."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from sdcg_explorer.figures.end_labels import SIGN
from sdcg_explorer.figures.lettering import LINE, lines, widest, wrapped

Parts = dict[str, Any]
SCREEN = 640.0  # pixels: where a screen is narrower, panels are scrolled
ACROSS, NARROW, FEWEST = 3, 420.0, 4  # panels in a row; 2 in so many pixels, or of so few panels
HIGH, BIG, ALL = 110.0, 220.0, 270.0  # pixels of a panel at least and at most, and of a column
FLAT = 0.55  # of a panel's width, its height where the figure is narrow
APART, GAP = 0.08, 8.0  # of the width between panels, and pixels beneath them
BESIDE = 0.3  # sizes of the text, between labels of an axis
NUMBERS, EDGE, TEXT = 3.2, 8.0, 12  # sizes of an axis's numbers; pixels around; size of the text


def nth(name: str, i: int) -> str:
    """An axis of a panel, from 0: Plotly's own names.

    >>> nth("xaxis", 0), nth("x", 2)
    ('xaxis', 'x3')
    """
    return f"{name}{i + 1}" if i else name


def arrange(
    layout: Parts, wide: float, size: float, *, above: float, colour: str, narrow: bool = False
) -> None:
    """Lay panels out in so many pixels, `above` of them for the legend.

    The layout's meta has the titles of the axes, the labels of the horizontal ones, and whether
    each panel has its own; its annotations have the panels' names, each with its sign. A `narrow`
    figure has two panels in a row, and flat ones; the screen's may be on a phone or a desk.
    """
    of, number = layout["meta"]["panels"], sum(key.startswith("xaxis") for key in layout)
    titles = layout["annotations"][:number]
    font = {"size": size, "color": colour}
    left, right = EDGE + (LINE + NUMBERS) * size, EDGE + size
    across = min(number, 2 if narrow or number <= FEWEST else ACROSS)
    broad = (1 - APART * (across - 1)) / across
    room = broad * (wide - left - right)
    _name(titles, room / size - SIGN, font)
    ticks = _label(layout, of["ticks"], room, size)
    tall = [
        LINE * size * max(len(lines(title["text"])) for title in titles[i : i + across])
        for i in range(0, number, across)
    ]
    high = min(BIG, max(HIGH, ALL / len(tall))) * size / TEXT
    high = min(high, FLAT * room) if narrow else high
    tops, whole = _rows(tall, size, high, ticks if of["own"] else 0.0)
    for i, title in enumerate(titles):
        row, column = divmod(i, across)
        start, top = column * (broad + APART), 1 - tops[row] / whole
        title.update(_at(start, top), xanchor="left", yanchor="bottom", align="left")
        x, y = layout[nth("xaxis", i)], layout[nth("yaxis", i)]
        x.update(domain=[start, min(1.0, start + broad)], tickfont=font)
        y.update(domain=[max(0.0, top - high / whole), top], tickfont=font)
        x["showticklabels"], y["showticklabels"] = of["own"] or i + across >= number, not column
    across_title = wrapped(of["x"], (wide - left - right) / size)
    layout["annotations"] = [*titles, *_axis_titles(across_title, of["y"], ticks, font)]
    under = ticks + LINE * size * len(lines(across_title)) + EDGE
    layout["margin"] = {"l": left, "r": right, "t": above, "b": under}
    layout["height"] = round(above + whole + under)


def _name(titles: Sequence[Parts], room: float, font: Parts) -> None:
    """Write each panel's name after its sign, in lines that fit its width."""
    for title in titles:
        sign = "".join(title["text"].partition("</span>")[:2])
        title.update(text=f"{sign} {wrapped(title['name'], room)}", font=font)


def _label(layout: Parts, texts: Sequence[Sequence[str]], room: float, size: float) -> float:
    """Write as many labels beneath each panel as fit its width; the height that they take."""
    step = max(
        (ceil((widest(own) + BESIDE) * size * len(own) / room) for own in texts if own), default=1
    )
    for i, own in enumerate(texts):
        shown = [text if k % step == 0 else "" for k, text in enumerate(own, start=1)]
        layout[nth("xaxis", i)].update(ticktext=shown, tickangle=0)
    each = max((len(lines(text)) for own in texts for text in own), default=1)
    return LINE * size * each + size


def _rows(tall: Sequence[float], size: float, high: float, own: float) -> tuple[list[float], float]:
    """Upper ends of the panels of each row beneath the figure's, and the height of all.

    tall : height of each row's names · high : of a panel · own : of each panel's own labels
    """
    tops, down = list[float](), 0.0
    for each in tall:
        tops.append(down + each + size / 2)
        down = tops[-1] + high + own + GAP * size / TEXT
    return tops, tops[-1] + high


def _axis_titles(x: str, y: str, ticks: float, font: Parts) -> list[Parts]:
    """One title for all horizontal axes, and one for all vertical ones."""
    look = {"font": font, "showarrow": False}
    aside = {"xanchor": "right", "xshift": -NUMBERS * font["size"], "textangle": -90}
    return [
        _at(0.5, 0.0) | look | {"text": x, "yanchor": "top", "yshift": -ticks},
        _at(0.0, 0.5) | look | {"text": y} | aside,
    ]


def _at(x: float, y: float) -> Parts:
    return {"xref": "paper", "yref": "paper", "x": x, "y": y}
