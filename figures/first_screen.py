"""What sDCG is, drawn: one document found early and late, as bars, in plain HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

LOOK = "display: inline-block; height: 0.9em; border-radius: 2px; vertical-align: -0.1em"
SHADES = (1.0, 0.65, 0.4)  # of the bars: gain, after the rank discount, after both


@dataclass(frozen=True)
class Found:
    """A document that a session found: where, and what it is worth at each step."""

    words: str
    steps: tuple[tuple[str, float], ...]


def first_screen(sessions: Sequence[Found], colour: str) -> str:
    """Bars of a few sessions on one scale, each step with its number; `colour` is a CSS colour."""
    most = max((value for found in sessions for _, value in found.steps), default=0.0) or 1.0
    return "".join(_session(found, most, colour) for found in sessions)


def _session(found: Found, most: float, colour: str) -> str:
    """One session's bars; the last step is what the session gains."""
    described = "; ".join(f"{words} {value:.3g}" for words, value in found.steps)
    rows = "".join(
        f'<div style="display: flex; gap: 0.5rem; align-items: baseline">'
        f'<span style="flex: 0 0 11rem; font-size: 0.85rem">{escape(words)}</span>'
        f'<span style="flex: 1"><span style="{LOOK}; width: {100 * value / most:.2f}%; '
        f'min-width: 1px; background: {colour}; opacity: {shade}"></span></span>'
        f'<span style="flex: 0 0 3.5rem; text-align: right">{value:.3g}</span></div>'
        for (words, value), shade in zip(found.steps, SHADES, strict=False)
    )
    return (
        f'<figure role="figure" aria-label="{escape(f"{found.words}: {described}")}" '
        f'style="margin: 0 0 0.8rem"><figcaption style="font-weight: 600">{escape(found.words)}'
        f"</figcaption>{rows}</figure>"
    )
