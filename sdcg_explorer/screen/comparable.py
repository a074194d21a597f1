"""What makes definitions comparable: an axis that stays, curves that are kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from sdcg_explorer.questions.view import Exhibit
from sdcg_explorer.scoring.definition import Definition, from_toml, to_short_toml
from sdcg_explorer.screen import keys, link, show
from sdcg_explorer.screen.definition_panel import show_at_hand
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.study import Study

KEEP = "Keeps these curves, dimmed, while you try another definition. Key: H."


def pinned(draw: Callable[..., Any], key: str, opened: Opened, **choices: Any) -> Any:
    """A figure whose axis only grows while nothing but sliders moves.

    Parameters
    ----------
    draw : gives the figure, from the `least` end of its axis · choices : all else it depends on
    """
    fitted = st.session_state.setdefault(keys.FITTED, 0)
    moment = repr((opened.digest, opened.filters, opened.still.definition, choices, fitted))
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
        follow(figure, key, exhibit.live)
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
    show_at_hand()
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
