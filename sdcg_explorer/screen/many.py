"""What is chosen of many systems and long sessions: who is in focus, and where axes end."""

from __future__ import annotations

from sdcg_explorer.analysis.curves.mean_curves import THIN
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.linked import pick, switch
from sdcg_explorer.screen.opened import Opened

FROM = 3  # systems, from which on one may be in focus
IN_FOCUS = (
    "The one system in colour, before the others in grey. Without one, many systems have a panel "
    "each."
)


def choose_focus(opened: Opened) -> str:
    """Which system stands before the others; none unless chosen."""
    if len(opened.shown_systems) < FROM:
        return ""
    look = {"placeholder": "no system", "width": 240, "help": IN_FOCUS}
    return pick("In focus", opened.shown_systems, keys.FOCUS, None, **look) or ""


def choose_end(*, is_cut: bool) -> bool:
    """Whether axes go on to the last query, however few sessions have it."""
    about = f"Axes end at the last query that {THIN} sessions reach, unless all are asked for."
    return switch("All queries", keys.EVERY, about, disabled=not is_cut)


def choose_amounts() -> bool:
    """Whether axes go on to the costliest session, however few cost as much."""
    about = f"Axes end at the last amount that {THIN} sessions reach, unless all are asked for."
    return switch("All amounts", keys.EVERY, about)
