"""Texts and colours of a figure, in HTML."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

from sdcg_explorer.figures.style import COLOURS, GREY

TAGS = re.compile(r'(<br>|</?b>|</span>|<span style="color:#[0-9]{6}">)')  # ours; names have none
INKS = {colour: f"var(--c{place})" for place, colour in enumerate(COLOURS, start=1)}
INKS[GREY] = "var(--ink)"


def as_html(text: str, *, end: str = "<br>") -> str:
    """A text as Plotly shows it; lines end by `end`, and all but our tags is text.

    >>> as_html("<b>A</b> &lt;i&gt; & B<br>C", end=" ")
    '<b>A</b> &lt;i&gt; &amp; B C'
    """
    parts = TAGS.split(text)
    return "".join(
        _tag(part, end) if place % 2 else escape(unescape(part), quote=False)
        for place, part in enumerate(parts)
    )


def _tag(tag: str, end: str) -> str:
    if tag == "<br>":
        return end
    if not tag.startswith("<span"):
        return tag
    colour = tag.partition("color:")[2].rstrip('">')
    return f'<span style="color:{ink(colour)}">'


def plain(text: str) -> str:
    """A text as it reads, on one line, for an attribute.

    >>> plain("A &lt;b&gt;<br>C")
    'A <b>C'
    """
    return unescape(TAGS.sub("", text))


def ink(colour: str) -> str:
    """A colour of the page for one of a figure."""
    return INKS.get(colour, colour)


def colour_of(trace: dict[str, Any]) -> str:
    """The colour of a trace as a whole."""
    line, marker = trace.get("line", {}), trace.get("marker", {})
    own = trace.get("fillcolor") or line.get("color") or marker.get("color")
    return ink(own if isinstance(own, str) else GREY)


def attributes(**given: Any) -> str:
    """Attributes of an element, escaped; those without a value are left out."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in given.items()}
    return "".join(
        f' {name}="{escape(str(value))}"'
        for name, value in named.items()
        if value not in (None, "")
    )
