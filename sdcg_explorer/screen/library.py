"""Studies that can be opened: those given at start, the samples, and those kept in the store.

Where several people use one server, name, note and tags of a study belong to whoever uploaded it,
not to its digest, which anybody with the same files can work out. A visitor has a
secret (a cookie that no script reads); each study's key is made of it, and of the key the name
under which the store keeps the words: the store has no secret, a link for readers shows words by
their place, and a link with the key is the owner's.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from sdcg_explorer.reading import limits, worker
from sdcg_explorer.reading.read import read_study, sample_studies
from sdcg_explorer.scoring.cache import STUDIES
from sdcg_explorer.screen import keys
from sdcg_explorer.serving.protection import COOKIE, is_secret
from sdcg_explorer.study.annotations import joined_notes, layer_name
from sdcg_explorer.study.problems import UnusableInputError, error, terminal_safe
from sdcg_explorer.study.store import Kept, Store, default_folder
from sdcg_explorer.study.study import SHORT, Study

EPHEMERAL, MOST, SECONDS = "ephemeral", 20, 7_200.0  # studies of a public demo, and each one's time
NOBODY = "0" * 32  # a place that no key leads to: a study by its digest alone


_opened: list[Store] = []  # once one was asked for; a visitor can empty Streamlit's caches alone
_lock = threading.Lock()


def mode() -> str:
    """How the server was started: "" for one person, else shared or ephemeral."""
    return os.environ.get("SDCG_MODE", "")


def store() -> Store:
    """Where accepted studies are kept: on disk, or in memory where that was asked for or is all."""
    with _lock:
        if not _opened:
            _opened.append(_new_store())
            for line in _opened[0].said:
                print(terminal_safe(line), flush=True)  # noqa: T201
        return _opened[0]


def _new_store() -> Store:
    if mode() == EPHEMERAL:
        return Store(most=MOST, seconds=SECONDS, room=limits.MOST_KEPT)
    given = os.environ.get("SDCG_WORKSPACE")
    folder = Path(given) if given else default_folder()
    try:
        return Store(folder)
    except UnusableInputError as refused:
        made = Store(old=folder, room=limits.MOST_KEPT)
        until = "Until then studies are kept in memory only."
        made.trouble.insert(0, f"{refused.problems[0]} {until}")
        return made


@st.cache_resource(show_spinner="Reading the studies …")
def studies_not_uploaded() -> dict[str, Study]:
    """Studies that nobody uploaded, by the first characters of their digest; the first opens.

    What was named at start, a log and its judgments, comes before the samples.
    """
    paths = [Path(path) for path in json.loads(os.environ.get("SDCG_STUDY", "[]"))]
    studies = [*sample_studies()]
    if paths:
        look: Any = {"where": paths[0].name, "size": worker.size_of(paths)}
        studies.insert(0, worker.read_apart(read_study, *paths, **look))
    return {study.digest[:SHORT]: study for study in studies}


def linked_digest() -> str:
    """The study that the link names, by the first characters of its digest; "" for none."""
    return st.query_params.get(keys.STUDY, "").strip().lower()[:SHORT]


def whose(short: str) -> str:
    """Whose words a study goes by, as the store knows them; nobody's unless somebody gave some."""
    if not mode():
        return ""
    shown = {} if short in studies_not_uploaded() else st.session_state.get(keys.SHOWN, {})
    return shown.get(short, NOBODY)


def take_link() -> None:
    """Take from the address whose words its study is shown by, and whether they are the visitor's.

    A key in the address is the owner's. Without one, and without a place of words, the visitor's
    own words show a study that they uploaded before.
    """
    short, given = linked_digest(), st.query_params.get(keys.OWNER, "")
    if not mode() or len(short) < SHORT or short in studies_not_uploaded():
        return
    own = visitor_key(short)
    of = st.query_params.get(keys.WORDS_OF, "")
    shown = st.session_state.setdefault(keys.SHOWN, {})  # uploaded by this visit, or linked
    offered = [own] if of in ("", owner_id_of_key(own)) and short not in shown else []
    if is_owner_id(of) and owner_id_of_key(own) != of:
        shown[short] = of
    for key in (*offered, given):
        if is_secret(key) and store().holds(short, owner_id_of_key(key)):
            _adopt_owner_key(short, key)


def listed() -> dict[str, str]:
    """Names of the studies to pick from, by the first characters of their digest.

    Where several people use one server, a study is picked by whoever uploaded it or has its link.
    """
    names = {short: study.name for short, study in studies_not_uploaded().items()}
    if mode():
        known = dict.fromkeys([*st.session_state.get(keys.SHOWN, ()), linked_digest()])
        found = (store().find(short, whose(short)) for short in known if len(short) == SHORT)
        kept = [each for each in found if each and each.digest[:SHORT] not in names]
    else:
        kept = store().kept()
    names |= {each.digest[:SHORT]: each.name for each in kept}
    times = Counter(names.values())
    return {d: name if times[name] == 1 else f"{name} ({d[:6]})" for d, name in names.items()}


def load_study(short: str) -> Study:
    """The study, read once, by its present name, with judgments of one's own where there are any.

    Raises
    ------
    UnusableInputError : no such study, or one that can't be read
    """
    kept, there = kept_of(short), studies_not_uploaded().get(short)
    layer = store().layer(short, whose(short))
    name, note = (kept.name, kept.note) if kept else ("", "")

    def load() -> Study:
        with st.spinner("Reading the study …"):
            study = there or store().load(short, NOBODY if mode() else "")
        return study.put(name=name, note=note)

    bare = there if there and not kept else STUDIES.of((short, name, note), load)
    key = short, bare.name, bare.note, layer_name(layer)
    return STUDIES.of(key, lambda: bare.with_added_judgments(layer)) if layer else bare


def may_write(short: str) -> bool:
    """Whether words, tags and judgments may be written: by one person, or by whose they are."""
    return not mode() or (short not in studies_not_uploaded() and bool(owner_key(short)))


def kept_of(short: str) -> Kept | None:
    """What the store calls a study; None for one that it does not have.

    What nobody uploaded goes by no words where several people are.
    """
    goes_by_words = short and not (mode() and short in studies_not_uploaded())
    return store().find(short, whose(short)) if goes_by_words else None


def keep_words(short: str, what: str, write: Callable[[str, str], None]) -> None:
    """Keep what is said of a study, by the digest and place to write to, or say why it is not.

    A study that nobody uploaded is kept once something is said of it.
    """
    kept = kept_of(short)
    try:
        if not may_write(short):
            rule, remedy = "only its uploader can write about it", "Upload its files yourself."
            raise UnusableInputError([error("store", None, "somebody else's study", rule, remedy)])
        if kept is None and short not in studies_not_uploaded():
            rule, remedy = "notes and tags are saved with their study", "Upload its files again."
            raise UnusableInputError([error("store", None, "the study was deleted", rule, remedy)])
        write((kept or store().save(studies_not_uploaded()[short])).digest, whose(short))
    except UnusableInputError as refused:
        reason = refused.problems[0].sentence()
        st.session_state[keys.NOT_KEPT] = f"The {what} was not saved: {reason}"


def keep(study: Study, name: str = "") -> str:
    """Keep a study; the first characters of its digest, to open it by.

    What is there already takes the name, if one is given: this visitor's, where several people are.
    Judgments of one's own that came along lie over it, as they did where it was taken from, and
    what was written of it joins what is there.

    Raises
    ------
    UnusableInputError : it can't be written
    """
    short = study.bare.digest[:SHORT]
    key = visitor_key(short) if mode() else ""
    of = owner_id_of_key(key) if key else ""
    kept = store().save(study.bare.put(name=name or study.name), of)
    for (topic, doc), grade in study.layer.items():
        store().judge(kept.digest, topic, doc, grade, of)
    for about, text in joined_notes(store().written(kept.digest, of), study.written).items():
        store().write(kept.digest, about, text, of)
    if name and kept.name != name:  # it was there already
        store().rename(kept.digest, name, kept.note, of)
    if key:
        _adopt_owner_key(short, key)
    return short


def delete(digest: str) -> None:
    """Delete a study; where several people are, as far as it is this visitor's.

    Raises
    ------
    UnusableInputError : another's study, or one that is not there any more
    """
    short = digest[:SHORT]
    if may_write(short):
        store().delete(digest, whose(short))
        for name in (keys.HELD, keys.SHOWN):
            st.session_state.get(name, {}).pop(short, None)


def open_study(short: str) -> None:
    """Have the sidebar pick a study; another has other systems, topics and searchers."""
    st.session_state[keys.STUDY_WANTED] = short
    for key in keys.NAMES:
        st.session_state[key] = []


def visitor_key(short: str) -> str:
    """The visitor's key of a study, by the first characters of its digest.

    It is made of the visitor's secret; without a cookie that lasts as long as the visit.
    """
    if keys.VISITOR not in st.session_state:
        given = st.context.cookies.get(COOKIE, "")
        st.session_state[keys.VISITOR] = given if is_secret(given) else secrets.token_urlsafe(24)
    secret: str = st.session_state[keys.VISITOR]
    return hmac.new(secret.encode(), short.encode(), "sha256").hexdigest()[:40]


def is_owner_id(text: str) -> bool:
    """Whether a text, which may come out of a link, is the name of a place of words."""
    return re.fullmatch("[0-9a-f]{32}", text) is not None


def owner_id_of_key(key: str) -> str:
    """Where the store keeps the words of a key's holder."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def owner_key(short: str) -> str:
    """The key of the words that a study is shown by; empty where they are another's."""
    key = st.session_state.get(keys.HELD, {}).get(short, "")
    return key if key and owner_id_of_key(key) == whose(short) else ""


def _adopt_owner_key(short: str, key: str) -> None:
    """Take a study's words for the visitor's own, and show the study by them."""
    st.session_state.setdefault(keys.HELD, {})[short] = key
    st.session_state.setdefault(keys.SHOWN, {})[short] = owner_id_of_key(key)
