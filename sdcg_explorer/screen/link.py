"""The link to a view: the address that holds its study, definition, filters and page choices."""

from __future__ import annotations

import math
from urllib.parse import urlencode, urljoin

import streamlit as st
from streamlit.components.v2 import component
from streamlit.navigation.page import StreamlitPage

from sdcg_explorer.export.link import ADDRESS
from sdcg_explorer.screen import keys, owners

HTML = """
<button type="button">
<svg viewBox="0 0 16 16" aria-hidden="true">
<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M3 10.5V4a1.5 1.5 0 0 1 1.5-1.5H10"/>
</svg>
Copy link to this view
</button>
<span role="status"></span>
"""
CSS = """
:host { display: block; position: relative; }
button {
    align-items: center;
    background: none;
    border: 0;
    border-radius: var(--st-base-radius);
    color: var(--st-text-color);
    cursor: pointer;
    display: inline-flex;
    font: inherit;
    font-size: 0.875rem;
    gap: 0.8rem;
    min-height: 2rem;
    padding: 0.2rem 0.6rem;
}
button:hover { background: var(--st-secondary-background-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); }
svg { fill: none; height: 0.9rem; stroke: currentcolor; stroke-width: 1.3; width: 0.9rem; }
span {
    background: var(--st-secondary-background-color);
    font-size: 0.875rem;
    inset: 0 auto 0 0;
    line-height: 2rem;
    overflow: hidden;
    padding-inline: 0.6rem;
    pointer-events: none;
    position: absolute; /* over the button, so that nothing moves */
}
span:empty { display: none; }
"""
# Read where it stands: a fragment writes to the address without this being drawn anew. Browsers
# give the clipboard to pages of https and of this machine only; others have the older command.
JS = """
export default function ({ parentElement }) {
    const said = parentElement.querySelector("span");
    const copied = async (link) => {
        if (navigator.clipboard) {
            await navigator.clipboard.writeText(link);
            return true;
        }
        const text = document.createElement("textarea");
        text.value = link;
        document.body.append(text);
        text.select();
        const done = document.execCommand("copy");
        text.remove();
        return done;
    };
    parentElement.querySelector("button").onclick = async () => {
        const done = await copied(window.location.href).catch(() => false);
        said.textContent = done ? "Copied" : "Copy it from the address bar";
        setTimeout(() => { said.textContent = ""; }, 4000);
    };
}
"""
_button = component("copy_link", html=HTML, css=CSS, js=JS)


def copy_link() -> None:
    """Draw the button that copies the page's address."""
    _button(key=keys.COPY_LINK, height="content")


def in_link(key: str, values: list[str]) -> None:
    """Keep values in the URL under a key of their own (bound widgets would write labels)."""
    if st.query_params.get_all(key) != values:
        st.query_params[key] = values


def leave_out_endless(page: StreamlitPage) -> None:
    """Open a page anew without whole numbers that no float holds: their widgets would fail."""
    given = {key: st.query_params.get_all(key) for key in st.query_params}
    endless = {key for key in keys.WHOLE_NUMBERS if any(map(_is_endless, given.get(key, [])))}
    if endless:
        kept = {key: values for key, values in given.items() if key not in endless}
        st.switch_page(page, query_params=kept)


def _is_endless(value: str) -> bool:
    try:
        return math.isinf(float(value))
    except ValueError:
        return False


def address() -> str:
    """Where the app is served, as the visitor sees it."""
    return urljoin(st.context.url, ".") if st.context.url else ADDRESS


def own_link(short: str) -> str:
    """The link by which a study's owner comes back; empty for others, and for one person alone."""
    key = owners.held(short)
    return f"{address()}?{urlencode({keys.STUDY: short, keys.OWNER: key})}" if key else ""
