"""A talk: a page's figure fills the screen, and keys go from scene to scene (decision 172).

A scene is a link and opens as one, within the visit too: a change of the scene's number forgets
what was chosen before, and the script in the page goes to its address as the way back does.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from sdcg_explorer.figures.talk import enlarged
from sdcg_explorer.questions.scenes import READY, WITHOUT_FIGURE, Scene, Talk, read_talk
from sdcg_explorer.reading.samples import SAMPLES
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.link import address
from sdcg_explorer.screen.module import HERE, module
from sdcg_explorer.screen.opened import page_file
from sdcg_explorer.screen.talk_code import code_or_why
from sdcg_explorer.screen.widget_values import sends

FILE = "SDCG_SCENES"  # in the environment: the file of a talk that is another than ours
LOOK = HERE / "talk.css"
# what another scene leaves as it is: who one is, and numbers by which the browser's news are told
WHO = {keys.VISITOR, keys.HELD, keys.SHOWN}
STAYS = WHO | {keys.SLIDERS, keys.CARDS_TURN, keys.BY_HAND_ROUND, keys.TALK_SHADE}
SHADE = "shade"  # what the page asks for where light became dark
FILLS = (
    "html body :has(> {0}) {{ position: fixed; inset: var(--talk-top) 1rem var(--talk-foot) }} "
    "html body :is(:has(> {0}), {0}) {{ height: auto !important; width: auto !important }} "
    "html body {0} {{ overflow: auto !important }} "
    "html body {0} > * {{ min-height: {1}px !important; flex-shrink: 0 }} "
    "html body :is({0}, {0} *) {{ visibility: visible !important }}"
)
WORDS = {
    "on": "Next scene (→)",
    "back": "Previous scene (←)",
    "leave": "Leave the talk (Esc)",
    "play": "Move {} slowly (Space)",
    "notes": "Presenter's notes",
    "next": "Next: {}",
    "without": "No notes for this scene.",
    "of": "{n} of {count}",
    "before": "{count} scenes begin with",
    "code": "Code of this view",
}
_module = module("talk")


@cache
def talk() -> Talk:
    """The talk that this server was started with, or the one that comes along."""
    given = os.environ.get(FILE)
    return read_talk(Path(given) if given else SAMPLES / READY)


def begin_talk() -> None:
    """Take from the address whether this is a talk, and at which scene; before any widget."""
    state, number = st.session_state, _asked()
    if number and number != state.get(keys.TALK_AT) and keys.OPENED in state:
        for key in {*state} - STAYS:  # the view is what its link says
            del state[key]
    state[keys.TALK_AT] = number


def lead_to_scene() -> None:
    """From an address that says a scene's number and no more to its link; where pages are known."""
    number = st.session_state[keys.TALK_AT]
    if number and {*st.query_params} == {keys.TALK}:
        scene = talk().scenes[number - 1]
        st.switch_page(page_file(scene.page), query_params=_says(scene, number))


def _asked() -> int | None:
    """The scene that the link names; 0 for a view that is none, and None where it is no talk."""
    said = st.query_params.get(keys.TALK)
    if said is None:
        return None
    return int(said) if said in map(str, range(1, len(talk().scenes) + 1)) else 0


def is_talk() -> bool:
    """Whether the page is shown as in a talk."""
    return st.session_state.get(keys.TALK_AT) is not None


def hide_page(page: str) -> None:
    """In a talk, hide what it does not show; a page without a figure is shown as ever."""
    if page in WITHOUT_FIGURE:
        st.session_state[keys.TALK_AT] = None
    with st.container():  # there in any case, so that nothing beneath is mounted anew
        if is_talk():
            st.html(LOOK)


def begin_figures() -> None:
    """No figure fills the screen yet."""
    st.session_state.pop(keys.TALK_FIGURE, None)


def fill_screen(figure: Any, own: str) -> Any:
    """Have a page's first figure fill the screen, by its room's selector; enlarged."""
    large: Any = enlarged(figure)
    if st.session_state.setdefault(keys.TALK_FIGURE, own) == own:
        st.html(f"<style>{FILLS.format(own, large.layout.height)}</style>")
    shade = st.session_state.get(keys.TALK_SHADE, 0)  # another one is another figure, drawn anew
    large.layout.meta = {**(large.layout.meta or {}), "shade": shade}
    return large


def offer_talk() -> None:
    """Have the keys of a talk heard; in one, show its scene's title, and what the keys do."""
    number = st.session_state[keys.TALK_AT]
    said = _said(number) if number is not None else {}
    if said and (link := st.session_state.pop(keys.TALK_CODE, "")):
        said["code"] = code_or_why(link)
    with sends({"asked": str}):
        _module(key=keys.TALK_MODULE, data=said, on_asked_change=_take)


def _take() -> None:
    """From the page: the address whose code is asked for, or that light became dark."""
    state, asked = st.session_state, st.session_state[keys.TALK_MODULE].get("asked")
    if asked == SHADE:
        state[keys.TALK_SHADE] = state.get(keys.TALK_SHADE, 0) + 1
    else:
        state[keys.TALK_CODE] = asked


def _said(number: int) -> dict[str, Any]:
    """What the script in the page needs to know of a scene and its neighbours."""
    every = talk().scenes
    scene = every[number - 1] if number else None
    ways = {"back": number - 1, "on": number + 1}
    return {
        "number": number,
        "count": len(every),
        "title": scene.title if scene else talk().title,
        "notes": scene.notes if scene else "",
        "next": WORDS["next"].format(every[number].title) if number < len(every) else "",
        "play": scene.play if scene else "bq",
        "ways": {
            way: _address(every[n - 1], n) if 1 <= n <= len(every) else ""
            for way, n in ways.items()
        },
        "sliders": {key: f".st-key-{keys.stand(keys.slider(key))} input" for key in keys.BASES},
        "shade": SHADE,
        "words": WORDS,
    }


def _address(scene: Scene, number: int) -> str:
    """A scene's whole address, with its number."""
    return f"{address()}{scene.path}?{urlencode(_says(scene, number), doseq=True)}"


def _says(scene: Scene, number: int) -> dict[str, list[str]]:
    """What a scene's address says, its number too."""
    return scene.says | {keys.TALK: [str(number)]}
