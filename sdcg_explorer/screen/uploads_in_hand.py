"""Memory of uploads: an upload is forgotten once nobody needs it any more."""

import threading
import time

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sdcg_explorer.screen import keys
from sdcg_explorer.study.machine import free_memory

LOOKED = 5.0  # seconds from one look to the next
AWAY = 20.0  # seconds without a browser after which an upload in hand is forgotten
TIMES = 3  # that memory is given back after an upload was let go: its script may still run


class UploadWatch:
    """Sessions with an upload in hand; those that are gone are closed, which forgets it.

    Streamlit itself closes a session that is gone when the next one goes, however long that takes.
    """

    def __init__(self) -> None:
        self._seen: dict[str, float] = {}  # when a browser was there last
        self._owed = 0
        self._lock = threading.Lock()
        self._watches = False

    def hold(self, session: str) -> None:
        """An upload is in a session's hands."""
        with self._lock:
            self._seen[session] = time.monotonic()
            if not self._watches:
                self._watches = True
                threading.Thread(target=self._watch_uploads, name="uploads", daemon=True).start()

    def let_go(self, session: str) -> None:
        """It is there no longer."""
        with self._lock:
            if self._seen.pop(session, None) is not None:
                self._owed = TIMES

    def _watch_uploads(self) -> None:
        """Look round until nothing is held, and nothing owed."""
        while True:
            time.sleep(LOOKED)
            self._close_gone()
            if self._owed:
                self._owed -= 1
                free_memory()
            with self._lock:
                if not (self._seen or self._owed):
                    self._watches = False
                    return

    def _close_gone(self) -> None:
        """Close sessions whose browser has been away for too long; all are gone with the server."""
        now, runtime = time.monotonic(), get_instance() if exists() else None
        with self._lock:
            for session in self._seen:
                if runtime is not None and runtime.is_active_session(session):
                    self._seen[session] = now
            gone = [session for session, seen in self._seen.items() if now - seen > AWAY]
        for session in gone:
            if runtime is not None:  # the one safe call that closes a session without a browser
                runtime.clear_user_info_for_session(session)
            self.let_go(session)


VISITORS = UploadWatch()


def hold_upload() -> None:
    """Say that this visitor has an upload in hand."""
    if context := get_script_run_ctx():
        VISITORS.hold(context.session_id)


def forget_upload() -> None:
    """Forget what this visitor uploaded, and what was made of it."""
    for key in (keys.UPLOADS, keys.UNDERSTOOD):
        st.session_state.pop(key, None)
    if context := get_script_run_ctx():
        context.uploaded_file_mgr.remove_session_files(context.session_id)
        VISITORS.let_go(context.session_id)
