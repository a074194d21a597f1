"""What stands around a figure: the toolbar above it, an axis that stays, curves that are kept.

The toolbar is one line of what changes the picture, and Options for the rest. Of many systems and
long sessions it says who is in focus, and where axes end.
"""

import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.questions.view import Exhibit
from sdcg_explorer.scoring.definition import Definition, from_toml, to_short_toml
from sdcg_explorer.scoring.mean_curves import THIN
from sdcg_explorer.screen import keys, link, scripts, show, sidebar
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.study import Study

IN_FOCUS = (
    "Shows one system in colour, the others in grey. If there are many systems and none is in "
    "focus, each has its own panel; on Side by side, the first is in focus."
)


def choose_focus(opened: Opened) -> str:
    """Which system stands before the others; none unless chosen."""
    if len(opened.shown_systems) < 3:
        return ""
    look = {"placeholder": "no system", "width": 240, "help": IN_FOCUS}
    return link.pick("In focus", opened.shown_systems, keys.FOCUS, None, **look) or ""


def choose_end(*, is_cut: bool) -> bool:
    """Whether axes go on to the last query, however few sessions have it."""
    about = f"Includes queries that fewer than {THIN} sessions reach."
    return link.toggle("All queries", keys.EVERY, about, disabled=not is_cut)


OPTIONS = "More options; some also apply to other pages."


@contextmanager
def toolbar() -> Generator[DeltaGenerator]:
    """The line, whose labels stand before their controls (page.css); what stands above it."""
    above = st.empty()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="toolbar"):
        yield above


def options() -> DeltaGenerator:
    """What changes the picture more seldom; it opens over the page, at the end of the line."""
    return st.popover("Options", icon=":material/tune:", key="options", help=OPTIONS)


KEEP = "Keeps these curves, dimmed, while you try another definition. Key: H."


def show_curves(
    opened: Opened,
    exhibit: Exhibit,
    key: str,
    *,
    clicked: Callable[[], None] | None = None,
    stretches: int = 1,
    around: int = show.AROUND,
    **choices: Any,
) -> Exhibit:
    """Show curves that follow the sliders; as shown.

    Their axis only grows while nothing but sliders moves.

    Parameters
    ----------
    choices : all that they depend on, beside what is opened
    """
    if exhibit.draw is None:
        return exhibit
    fitted = st.session_state.setdefault(keys.FITTED, 0)
    definition = opened.without_sliders.definition
    moment = repr((opened.digest, opened.filters, definition, choices, fitted))
    ends = st.session_state.setdefault(keys.TOPS, {})
    known, least = ends.get(key, ("", 0.0))
    figure: Any = exhibit.draw(least=least if known == moment else 0.0)
    ends[key] = moment, figure.layout.yaxis.range[1]
    figure.layout.meta = {**(figure.layout.meta or {}), "pin": zlib.crc32(moment.encode())}
    if exhibit.live:
        scripts.follow(figure, key, exhibit.live)
    show.figure(figure, exhibit.alt, key, clicked, stretches=stretches, around=around)
    return replace(exhibit, draw=lambda: figure)


def kept_definition(study: Study) -> Definition | None:
    """The definition that is kept, in the link as well; none that fits no grades of the study."""
    text = st.session_state.setdefault(keys.KEPT, st.query_params.get(keys.KEPT, ""))
    try:
        kept, _ = from_toml(text)
        kept.gains(study.labels)
    except ValueError:
        text, kept = "", None
    _store_kept_definition(text)
    return kept if text else None


def show_keeping(key: str, opened: Opened) -> None:
    """Show the sliders at hand, what fits the axis, what keeps the curves, and what is kept."""
    sidebar.show_at_hand()
    with st.container(horizontal=True, gap="small"):
        st.button("Fit the axis", key=f"fit_{key}", on_click=_refit_axes, type="tertiary")
        own = {"on_click": _keep, "args": (opened.definition,), "shortcut": "H", "help": KEEP}
        st.button("Keep these curves", key=f"keep_{key}", type="tertiary", **own)
        off = {"on_click": _keep, "args": (None,), "disabled": opened.kept is None}
        st.button("Remove kept curves", key=f"forget_{key}", type="tertiary", **off)
    if opened.kept:
        differs = opened.kept.changed_values_text(opened.definition) or "as now"
        show.small("Faint curves, kept", f"{differs} ({opened.kept.preset_text})")


def _refit_axes() -> None:
    st.session_state[keys.FITTED] += 1


def _keep(definition: Definition | None) -> None:
    """Keep the curves of a definition, in the link as well."""
    st.session_state[keys.OPENED] = replace(st.session_state[keys.OPENED], kept=definition)
    _store_kept_definition(to_short_toml(definition) if definition else "")


def _store_kept_definition(text: str) -> None:
    st.session_state[keys.KEPT] = text
    link.put_in_link(keys.KEPT, [text] if text else [])
