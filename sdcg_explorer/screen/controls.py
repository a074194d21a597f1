"""What stands around a figure: the toolbar above it, an axis that stays, curves that are kept.

The toolbar is one line of what changes the picture, and Options for the rest. Of many systems and
long sessions it says who is in focus, and where axes end.
"""

import zlib
from collections.abc import Callable
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

FROM = 3  # systems, from which on one may be in focus
IN_FOCUS = (
    "Shows one system in colour, the others in grey. If there are many systems and none is in "
    "focus, each has its own panel."
)


def choose_focus(opened: Opened) -> str:
    """Which system stands before the others; none unless chosen."""
    if len(opened.shown_systems) < FROM:
        return ""
    look = {"placeholder": "no system", "width": 240, "help": IN_FOCUS}
    return link.pick("In focus", opened.shown_systems, keys.FOCUS, None, **look) or ""


def choose_end(*, is_cut: bool) -> bool:
    """Whether axes go on to the last query, however few sessions have it."""
    about = f"Axes end at the last query that {THIN} sessions reach, unless you choose All queries."
    return link.toggle("All queries", keys.EVERY, about, disabled=not is_cut)


def choose_amounts() -> bool:
    """Whether axes go on to the costliest session, however few cost as much."""
    about = f"By default the axis ends where fewer than {THIN} sessions are left."
    return link.toggle("Whole axis", keys.EVERY, about)


OPTIONS = "Options of this page; the sidebar changes others, too."


def toolbar() -> DeltaGenerator:
    """The line, whose labels stand before their controls (page.css)."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=keys.TOOLBAR)


def options() -> DeltaGenerator:
    """What changes the picture more seldom; it opens over the page, at the end of the line."""
    return st.popover("Options", icon=":material/tune:", key=keys.OPTIONS, help=OPTIONS)


KEEP = "Keeps these curves, dimmed, while you try another definition. Key: H."


def pinned(draw: Callable[..., Any], key: str, opened: Opened, **choices: Any) -> Any:
    """A figure whose axis only grows while nothing but sliders moves.

    Parameters
    ----------
    draw : gives the figure, from the `least` end of its axis · choices : all else it depends on
    """
    fitted = st.session_state.setdefault(keys.FITTED, 0)
    moment = repr(
        (opened.digest, opened.filters, opened.without_sliders.definition, choices, fitted)
    )
    ends = st.session_state.setdefault(keys.TOPS, {})
    known, least = ends.get(key, ("", 0.0))
    figure = draw(least=least if known == moment else 0.0)
    ends[key] = moment, figure.layout.yaxis.range[1]
    figure.layout.meta = {**(figure.layout.meta or {}), "pin": zlib.crc32(moment.encode())}
    return figure


def show_curves(
    opened: Opened,
    exhibit: Exhibit,
    key: str,
    *,
    clicked: Callable[[], None] | None = None,
    **choices: Any,
) -> Exhibit:
    """Show curves that follow the sliders on an axis that stays, and `choices` move; as shown."""
    if exhibit.draw is None:
        return exhibit
    figure = pinned(exhibit.draw, key, opened, **choices)
    if exhibit.live:
        scripts.follow(figure, key, exhibit.live)
    show.figure(figure, exhibit.alt, key, clicked, stretches=1)
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
        st.button("Fit the axis", key=keys.fit(key), on_click=_refit_axes, type="tertiary")
        words = "Keep these curves"
        own = {"on_click": _keep, "args": (opened.definition,), "shortcut": "H", "help": KEEP}
        st.button(words, key=keys.keep(key), type="tertiary", **own)
        off = {"on_click": _keep, "args": (None,), "disabled": opened.kept is None}
        st.button("Remove kept curves", key=keys.forget(key), type="tertiary", **off)
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
