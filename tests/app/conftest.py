"""Openings under AppTest do once what a server does once; other tests don't load Streamlit."""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="session")
def as_a_server_does() -> Iterator[None]:
    """Have AppTest do once what a server does once, and leave out what nobody looks at here."""
    from streamlit.components.v2 import manifest_scanner
    from streamlit.elements.lib import mutable_status_container
    from streamlit.elements.widgets import number_input, selectbox, text_widgets
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.runtime.state import get_session_state
    from streamlit.testing.v1 import app_test, local_script_runner

    from sdcg_explorer.serving.collection_schedule import ROUNDS

    looks = local_script_runner.require_widgets_deltas

    def waits(run: Any, seconds: float) -> None:
        run._script_thread.join(seconds)
        looks(run, 1)

    def state() -> SimpleNamespace:
        whole = get_session_state()
        return SimpleNamespace(filtered_state=whole, reset_state_value=whole.reset_state_value)

    with pytest.MonkeyPatch.context() as patch:
        # what every installed package says of itself; it was two thirds of an opening's time
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        # each run compiles app.py and its page anew
        scripts = cache(ScriptCache)
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", scripts)
        # looks a thousand times a second whether a run has ended, which holds the run up
        patch.setattr(local_script_runner, "require_widgets_deltas", waits)
        # each box and field puts the values of all widgets together, to look at its own
        for module in (number_input, selectbox, text_widgets):
            patch.setattr(module, "get_session_state", state)
        # a status sleeps twice for a browser to draw it
        patch.setattr(mutable_status_container, "time", SimpleNamespace(sleep=lambda _: None))
        # a server collects garbage beside its scripts, which here is all that tests keep
        patch.setattr(ROUNDS, "ask", lambda: None)
        yield


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have AppTest run on as a server does: it would begin every run as the first after a start."""
    from streamlit.runtime.pages_manager import PagesManager

    monkeypatch.setattr(
        "streamlit.testing.v1.app_test.PagesManager", type("P", (PagesManager,), {})
    )
    monkeypatch.setattr(PagesManager, "uses_pages_directory", False)
