"""Openings under AppTest do once what a server does once; other tests don't load Streamlit."""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="session")
def one_look_for_components() -> Iterator[None]:
    """Each opening under AppTest reads what every installed package says of itself: once is enough.

    It was two thirds of an opening's time; a server does so once, when it starts.
    """
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        once = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture(autouse=True, scope="session")
def pages_compiled_once() -> Iterator[None]:
    """Each run under AppTest compiles app.py and its page anew; a server does so once."""
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.testing.v1 import app_test, local_script_runner

    with pytest.MonkeyPatch.context() as patch:
        once = cache(ScriptCache)
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", once)
        yield


@pytest.fixture(autouse=True, scope="session")
def waits_for_the_end() -> Iterator[None]:
    """AppTest looks a thousand times a second whether a run has ended, which holds the run up."""
    from streamlit.testing.v1 import local_script_runner as runner

    looks = runner.require_widgets_deltas

    def waits(run: Any, seconds: float) -> None:
        run._script_thread.join(seconds)
        looks(run, 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "require_widgets_deltas", waits)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_pause_at_a_status() -> Iterator[None]:
    """A status sleeps twice for a browser to draw it; under AppTest none looks."""
    from streamlit.elements.lib import mutable_status_container

    with pytest.MonkeyPatch.context() as patch:
        clock = SimpleNamespace(sleep=lambda _: None)
        patch.setattr(mutable_status_container, "time", clock)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_rounds_of_the_collector() -> Iterator[None]:
    """A server collects garbage beside its scripts, which here is all that tests keep."""
    from sdcg_explorer.serving.collection_schedule import ROUNDS

    with pytest.MonkeyPatch.context() as patch:
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
