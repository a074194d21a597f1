"""The scenes of a talk: links in an order, each with a title and notes, as scenes.toml has them.

::

    title = "sDCG in ten minutes"

    [[scene]]
    title = "Who is ahead"
    link = "session_curves?study=e425fe50f9b2&bq=100"
    notes = "What only the speaker reads."
    play = "bq"

A link is what *Copy link to this view* gives, or its end from the page's name on; notes may be left
out, and so may which base the play button moves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.study.problems import Problem, UnusableInputError, cut, error
from sdcg_explorer.study.wording import counted

READY = "ten_minutes.toml"  # of sample_sessions
BASES = ("bq", "b")  # that play moves, the first unless said otherwise
LARGEST, MOST, LONGEST = 1_000_000, 200, 5_000  # bytes of a file, scenes, letters of a text
NAMES = ("title", "link", "notes", "play")
WITHOUT_FIGURE = ("data",)  # pages that no talk shows
SHOWN = tuple(each for each in QUESTIONS if each.name not in WITHOUT_FIGURE)
PAGES = {address: each.name for each in SHOWN for address in each.addresses}
COPY = "Copy link to this view, in the sidebar, gives a link."
CORRECT = "Correct the file."


@dataclass(frozen=True)
class Scene:
    """A view that a talk shows.

    page : its question's name · says : what its address says, by name · play : which base moves
    """

    title: str
    page: str
    says: dict[str, list[str]]
    notes: str = ""
    play: str = BASES[0]

    @property
    def path(self) -> str:
        """Where its page is found, from the app's own address on."""
        return "" if self.page == QUESTIONS[0].name else self.page


@dataclass(frozen=True)
class Talk:
    """Scenes in their order, and what they are together; "" where the file does not say."""

    title: str
    scenes: tuple[Scene, ...]


def read_talk(path: Path) -> Talk:
    """The talk of a file.

    Raises
    ------
    UnusableInputError : it can't be read, is no such file, or a scene has what no scene has
    """
    name = path.name
    try:
        if not path.is_file():
            raise _refused(name, "no file", "scenes are a file of TOML", "Correct its path.")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as fault:
        words = cut(str(fault.strerror))
        raise _refused(name, words, "the file is read", "Have it readable.") from None
    if len(content) > LARGEST:
        raise _refused(name, "larger", f"at most {LARGEST:,} bytes are read", "Part the talk.")
    try:
        return talk_of(content.decode("utf-8-sig"), name)
    except UnicodeDecodeError as fault:
        line = content[: fault.start].count(b"\n") + 1
        found = error(name, line, "no UTF-8", "scenes are text in UTF-8", "Save it as UTF-8.")
        raise UnusableInputError([found]) from None


def talk_of(text: str, name: str) -> Talk:
    """The talk of a text of TOML, of a file of this name.

    Raises
    ------
    UnusableInputError : as of `read_talk`
    """
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # numbers of thousands of digits among them
        rule = "scenes are tables of NAME = VALUE, each beneath [[scene]]"
        raise _refused(name, f"not TOML: {cut(str(fault))}", rule, CORRECT) from None
    scenes = tables.get("scene", [])
    unknown = [key for key in tables if key not in ("title", "scene")]
    if unknown or not isinstance(scenes, list) or not isinstance(tables.get("title", ""), str):
        key = next(iter(unknown), "scene" if not isinstance(scenes, list) else "title")
        rule = "there is a title, which is a text, and [[scene]] for each scene"
        raise _refused(name, cut(key), rule, CORRECT)
    if not 0 < len(scenes) <= MOST:
        rule = f"a talk has 1 to {MOST} scenes"
        raise _refused(name, counted(len(scenes), "scene"), rule, "Write [[scene]] before each.")
    found = [_scene(scene, f"{name}, scene {i}") for i, scene in enumerate(scenes, start=1)]
    if problems := [each for each in found if isinstance(each, Problem)]:
        raise UnusableInputError(problems)
    every = tuple(each for each in found if isinstance(each, Scene))
    return Talk(tables.get("title", ""), every)


def _scene(given: Any, place: str) -> Scene | Problem:
    """A scene, or the first thing that is wrong with it."""
    for found, rule, remedy in _wrong(given):
        return error(place, None, cut(found), rule, remedy)
    link = urlsplit(given["link"])
    says: dict[str, list[str]] = {}
    for name, value in parse_qsl(link.query, keep_blank_values=True):
        says.setdefault(name, []).append(value)
    notes = " ".join(given.get("notes", "").split())
    return Scene(given["title"], _page(link.path), says, notes, given.get("play", BASES[0]))


def _page(path: str) -> str:
    """The page of a path, whatever the app's own address is; "" for none."""
    last = path.strip("/").rpartition("/")[2]
    return PAGES.get(last, "") if last else QUESTIONS[0].name


def _wrong(given: Any) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a scene: what was found, the rule, and what to do."""
    if not isinstance(given, dict):
        yield "no table", "a scene is a table beneath [[scene]]", CORRECT
        return
    for name, value in given.items():
        if name not in NAMES:
            yield name, f"a scene has {', '.join(NAMES)}", "Leave it out."
        elif not isinstance(value, str) or len(value) > LONGEST:
            yield name, f"it is a text of at most {LONGEST:,} letters, in quotes", CORRECT
    for name in NAMES[:2]:
        if not str(given.get(name, "")).strip():
            yield f"no {name}", "a scene has a title and a link", f"Write {name} = “…”. {COPY}"
    if given.get("play", BASES[0]) not in BASES:
        yield f"play {given['play']!r}", f"play moves {' or '.join(BASES)}", CORRECT
    try:
        page = _page(urlsplit(given.get("link", "")).path)
    except ValueError:  # of an address that is none
        page = ""
    if not page:
        known = ", ".join(each.name for each in SHOWN)
        yield f"link {given['link']!r}", f"a link leads to a page with a figure: {known}", COPY


def _refused(file: str, found: str, rule: str, remedy: str) -> UnusableInputError:
    return UnusableInputError([error(file, None, found, rule, remedy)])
