"""What people say of a study: name, note, tags, judgments, texts, beside what was observed.

On a server for one person they lie in the study's folder; where several people use it, each who
uploaded the study has a place of their own: `owners/<place>/` with the same files (decision 112).
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from sdcg_explorer.study.own_judgments import Layer
from sdcg_explorer.study.store.disk import read_json, replace_json, sync
from sdcg_explorer.study.store.judgment_log import read_judgments
from sdcg_explorer.study.store.tag_log import read_tags
from sdcg_explorer.study.store.written_log import read_written
from sdcg_explorer.study.tags import Tags
from sdcg_explorer.study.written import Written

ABOUT, TAGS, OWNERS = "about.json", "tags.jsonl", "owners"
JUDGMENTS, WRITTEN = "own_judgments.jsonl", "written.jsonl"
NOBODY = "0" * 32  # a place that no key leads to: a study by its digest alone
SHORTEST = 8


@dataclass(frozen=True)
class Kept:
    """A study in the store: its digest, and what it is called."""

    digest: str
    name: str
    note: str = ""


def is_place(text: str) -> bool:
    """Whether a text, which may come out of a link, is the name of a place."""
    return re.fullmatch("[0-9a-f]{32}", text) is not None


def place(folder: Path, of: str) -> Path:
    """Where the words of an owner lie; "" stands for the one person of a machine.

    Raises
    ------
    ValueError : a name that is none of a place
    """
    if of and not is_place(of):
        raise ValueError(f"no place {of!r}")
    return folder / OWNERS / of if of else folder


def nameless(digest: str) -> Kept:
    """A study by its digest alone."""
    return Kept(digest, digest[:SHORTEST])


def called(folder: Path, of: str = "") -> Kept:
    """What a study is called; that its name is there and can't be read is part of what is said."""
    known, unknown = said_at(folder, of), nameless(folder.name)
    if known or not (place(folder, of) / ABOUT).is_file():
        return known or unknown
    return replace(unknown, name=f"{unknown.name} ({ABOUT} unreadable)")


def said_at(folder: Path, of: str = "") -> Kept | None:
    """Name and note in a place; None where they can't be read."""
    try:
        fields = read_json(place(folder, of) / ABOUT)
    except (OSError, ValueError):
        return None
    name, note = fields.get("name"), fields.get("note")
    if not (isinstance(name, str) and isinstance(note, str)):
        return None
    return Kept(folder.name, name, note)


def say(folder: Path, of: str, name: str, note: str) -> None:
    """Put name and note in a place, at once."""
    there = place(folder, of)
    there.mkdir(parents=True, exist_ok=True)
    replace_json(there / ABOUT, {"name": name, "note": note})


def tags_at(folder: Path, of: str = "") -> Tags:
    """Tags in a place."""
    return read_tags(place(folder, of) / TAGS)


def layer_at(folder: Path, of: str = "") -> Layer:
    """Judgments of one's own in a place."""
    return read_judgments(place(folder, of) / JUDGMENTS)


def written_at(folder: Path, of: str = "") -> Written:
    """Notes beneath answers, in a place."""
    return read_written(place(folder, of) / WRITTEN)


def are_left(folder: Path) -> bool:
    """Whether anybody still has words about a study."""
    return any((each / ABOUT).is_file() for each in (folder, *folder.glob(f"{OWNERS}/*")))


def take_along(damaged: Path, aside: Path) -> None:
    """Take everybody's words along to the folder that replaces a damaged one."""
    for of in ("", *(each.name for each in damaged.glob(f"{OWNERS}/*") if is_place(each.name))):
        if known := said_at(damaged, of):
            say(aside, of, known.name, known.note)
        for name in (TAGS, JUDGMENTS, WRITTEN):
            if (place(damaged, of) / name).is_file():
                place(aside, of).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(place(damaged, of) / name, place(aside, of) / name)
                sync(place(aside, of) / name)
