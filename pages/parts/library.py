"""Studies that can be opened: those given at start, the samples, and those kept in the store."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import streamlit as st

from pages.parts import keys
from study.counting.kept import open_counts
from study.counting.opening import is_counts, sample_beside
from study.problems import UnusableInputError, error
from study.reading.read import read_study
from study.reading.samples import sample_studies
from study.store.folder import FolderStore, Kept, Store, default_folder
from study.store.memory import MemoryStore
from study.study import SHORT, Study
from study.tags import Tags

SHARED, EPHEMERAL = "shared", "ephemeral"


def mode() -> str:
    """How the server was started: "" for one person, else shared or ephemeral."""
    return os.environ.get("SDCG_MODE", "")


@st.cache_resource(show_spinner="Reading the studies …")
def fixed() -> dict[str, Study]:
    """Studies that nobody uploaded, by the first characters of their digest; the first opens."""
    return {study.digest[:SHORT]: study for study in [*given(), *sample_studies()]}


@st.cache_resource(show_spinner="Reading the studies …")
def given() -> list[Study]:
    """What was named at start: a log and its judgments, or counts and the sample beside them."""
    paths = [Path(path) for path in json.loads(os.environ.get("SDCG_STUDY", "[]"))]
    if not paths:
        return []
    if len(paths) > 1 or not is_counts(paths[0]):
        return [read_study(*paths)]
    sample = sample_beside(paths[0])
    return [open_counts(paths[0]), *([sample] if sample else [])]


def sample_of(short: str) -> tuple[str, str] | None:
    """Name and digest of the sample that was given at start beside these counts."""
    known = {study.digest[:SHORT]: study for study in given()}
    others = [(study.name, digest) for digest, study in known.items() if digest != short]
    return others[0] if short in known and others else None


def was_uploaded(digest: str) -> bool:
    """Whether somebody brought a study, which deleting removes."""
    return digest[:SHORT] not in fixed()


@st.cache_resource(show_spinner=False)
def opened_store() -> tuple[Store, str]:
    """Where accepted studies are kept, and why it is not the disk; "" where it is, or asked for."""
    if mode() == EPHEMERAL:
        return MemoryStore(), ""
    folder = os.environ.get("SDCG_WORKSPACE")
    try:
        return FolderStore(Path(folder) if folder else default_folder()), ""
    except UnusableInputError as refused:
        trouble = f"{refused.problems[0]} Until then studies live in memory alone."
        return MemoryStore(), trouble


def wanted_study() -> str:
    """The study that the link names, by the first characters of its digest; "" for none."""
    return st.query_params.get(keys.STUDY, "").strip().lower()[:SHORT]


def store() -> Store:
    """Where accepted studies are kept."""
    return opened_store()[0]


def store_trouble() -> str:
    """Why studies can't be kept on disk, and live in memory alone; empty where they can."""
    return opened_store()[1]


def listed() -> dict[str, str]:
    """Names of the studies to pick from, by the first characters of their digest.

    Where several people use one server, a study is picked by whoever uploaded it or has its link.
    """
    names = {short: study.name for short, study in fixed().items()}
    mine = {*st.session_state.get(keys.MINE, ()), wanted_study()}
    for kept in store().kept():
        short = kept.digest[:SHORT]
        if not mode() or (short in mine and short not in names):
            names[short] = kept.name
    times = Counter(names.values())
    return {d: name if times[name] == 1 else f"{name} ({d[:6]})" for d, name in names.items()}


def study_of(short: str) -> Study:
    """The study itself; what is kept is read once, and goes by its present name.

    Raises
    ------
    UnusableInputError : no such study, or one that can't be read
    """
    kept = kept_of(short)
    if short in fixed() and not kept:
        return fixed()[short]
    return _loaded(short, kept.name if kept else "", kept.note if kept else "")


@st.cache_resource(max_entries=8, show_spinner="Reading the study …")
def _loaded(short: str, name: str, note: str) -> Study:
    """A study under the name and note that it has now."""
    study = fixed()[short] if short in fixed() else store().load(short)
    return study.put(name=name, note=note)


def may_write(short: str) -> bool:
    """Whether notes and tags may be written: of a study that nobody uploaded, by one person."""
    return not (mode() and short in fixed())


def kept_of(short: str) -> Kept | None:
    """What the store calls a study; None for one that it does not have."""
    return store().find(short) if short and may_write(short) else None


def kept_or_keep(short: str) -> Kept:
    """The study in the store; one that nobody uploaded is kept once something is written of it.

    Raises
    ------
    UnusableInputError : no such study any more, or it can't be written
    """
    kept = kept_of(short)
    if kept is None and short not in fixed():
        rule, remedy = "a note or tag is kept beside its study", "Upload its files again."
        raise UnusableInputError([error("store", None, "the study was deleted", rule, remedy)])
    return kept or store().save(fixed()[short])


def tags_of(short: str) -> Tags:
    """Tags of a study's queries, as they stand now."""
    return store().tags(short) if may_write(short) else {}


def keep(study: Study, name: str = "") -> str:
    """Keep a study; the first characters of its digest, to open it by.

    What is there already takes the name, if one is given, where one person uses the server.

    Raises
    ------
    UnusableInputError : it can't be written
    """
    kept = store().save(study.put(name=name or study.name))
    if name and kept.name != name and not mode():  # it was there already
        store().rename(kept.digest, name, kept.note)
    short = kept.digest[:SHORT]
    st.session_state[keys.MINE] = [*st.session_state.get(keys.MINE, ()), short]
    return short


def open_study(short: str) -> None:
    """Have the sidebar pick a study; another has other systems, topics and searchers."""
    st.session_state[keys.STUDY_WANTED] = short
    for key in keys.NAMES:
        st.session_state[key] = []
