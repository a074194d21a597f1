"""Fixtures of all floors: a workspace of one's own, a chosen study, a browser, a server."""

from __future__ import annotations

import gc
import json
import os
import random
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from sdcg_explorer.questions.robustness import numbers as robustness
from tests.support import plain_files, plain_loop, server, studies, thorough
from tests.support.screen import Choose, Serve, forget

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

# of laws that ask for nothing else; two loaded cores keep no deadline
settings.register_profile("ours", max_examples=12 * thorough.THOROUGH, deadline=None)
settings.load_profile("ours")

# those that take longest begin first
FLOORS = ("answers", "browser", "command_line", "app", "unit")
# files of browser tests that one worker runs; another runs those that are not named
CHAINS = (
    ("test_pages.py", "test_wall.py"),
    ("test_figures.py", "test_live_curves.py", "test_report.py"),  # need no server
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests of real logs that are not here; have files that take long begin first.

    With several workers none of these is left for last.
    """

    def floor(item: pytest.Item) -> int:
        return FLOORS.index(item.path.parent.name) if item.path.parent.name in FLOORS else -1

    if not studies.DATA.is_dir():
        none = "no folder of real logs: set SDCG_SHARED to the one that holds data/"
        for item in items:
            if item.get_closest_marker("real_logs"):
                item.add_marker(pytest.mark.skip(reason=none))
    places = {item: floor(item) % (len(FLOORS) + 1) for item in items}
    items.sort(key=places.__getitem__)
    if seed := os.environ.get("SDCG_SHUFFLE"):  # files, and the tests of each, in another order
        shuffle = random.Random(seed)
        files = {path: shuffle.random() for path in dict.fromkeys(item.path for item in items)}
        items.sort(key=lambda item: (files[item.path], shuffle.random()))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """Have a worker run a chain of files of a browser: each further one starts a server anew."""

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            scope = super()._split_scope(nodeid)
            if not scope.startswith("tests/browser/"):
                return scope
            return next(
                (f"browser {i}" for i, of in enumerate(CHAINS) if scope.endswith(of)), "browser"
            )

    return ByFile(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Have the garbage collector pass over all tests and modules, which live to the end.

    Looking at them again and again took a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10 * gc.get_threshold()[0], 10, 10)


@pytest.fixture(autouse=True, scope="session")
def own_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests keep their studies in a folder of their own."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SDCG_WORKSPACE", str(tmp_path_factory.mktemp("workspace")))
        environment.delenv("SDCG_MODE", raising=False)
        yield


WORDS = {"name", "text", "ticktext", "hovertemplate", "customdata", "meta", "x", "y"}  # any will do


def kind_of(part: object) -> Hashable:
    """What Plotly checks of a part of a figure: its keys, its words and types, not its numbers."""
    if isinstance(part, dict):
        return frozenset((key, key in WORDS or kind_of(each)) for key, each in part.items())
    if isinstance(part, (list, tuple)):
        return frozenset(map(kind_of, part))
    return part if isinstance(part, str) else type(part)


@pytest.fixture(autouse=True, scope="session")
def plotly_knows_every_part() -> Iterator[None]:
    """Each kind of figure that a test draws goes through Plotly's checks, which the app leaves out.

    Raises
    ------
    ValueError : a part that Plotly does not know, or not with this value
    """
    import plotly.graph_objects as go

    from sdcg_explorer.figures import style

    known = set[Hashable]()

    def checked(parts: style.Parts) -> go.Figure:
        if not (kinds := {*map(kind_of, [parts["layout"], *parts["data"]])}) <= known:
            go.Figure(parts)
            known.update(kinds)
        return unchecked(parts)

    unchecked = style.figure_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(style, "figure_of", checked)
        yield


@pytest.fixture(autouse=True)
def quicker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what takes longest, but where a test is marked as of the whole.

    No browser draws pictures for a bundle but in its own tests; all but tests/answers compare few
    of all reasonable definitions. A command undoes cycles after each question, which here are
    looked for among all that tests keep.
    """
    monkeypatch.setattr("sdcg_explorer.study.machine.collect", lambda: None)
    folder = request.path.parent.name
    if request.node.get_closest_marker("whole"):
        return
    if folder != "browser":
        monkeypatch.setattr("sdcg_explorer.export.figure_files.browser_path", lambda: "")
    if folder != "answers":
        monkeypatch.setattr(robustness, "VARIED", robustness.VARIED | thorough.FEWER)


@pytest.fixture
def own_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app opens on the samples, whatever the environment names."""
    monkeypatch.delenv("SDCG_STUDY", raising=False)


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_samples: None) -> Iterator[Serve]:
    """Starts a server anew, in a mode, on a folder of its own."""
    monkeypatch.setenv("SDCG_WORKSPACE", str(tmp_path))

    def start(mode: str) -> Path:
        monkeypatch.setenv("SDCG_MODE", mode)
        forget()
        return tmp_path

    yield start
    forget()


@pytest.fixture
def folder(serve: Serve) -> Path:
    """Where a server for one person keeps its studies."""
    return serve("")


@pytest.fixture
def choose_study(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Choose]:
    """Makes the app open on a study in real files, as `sdcg app --study` does."""
    import streamlit as st

    monkeypatch.setenv("SDCG_WORKSPACE", str(tmp_path_factory.mktemp("workspace")))
    forget()

    def choose(plain: plain_loop.PlainStudy) -> None:
        files = plain_files.write_study(plain, tmp_path_factory.mktemp("study"))
        monkeypatch.setenv("SDCG_STUDY", json.dumps([str(path) for path in files]))
        st.cache_resource.clear()

    yield choose
    st.cache_resource.clear()
    forget()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The installed Chromium; without one the test is skipped, or fails if one is required."""
    if missing := server.browser_missing():
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(f"REQUIRE_BROWSER=1, but {missing}")
        # a machine without a browser still tests all the rest
        pytest.skip(f"{missing}; browser tests need both (REQUIRE_BROWSER=1 makes this fail)")
    with server.browsing() as found:
        yield found


@pytest.fixture(scope="session")
def desk(browser: Browser) -> Iterator[BrowserContext]:
    """One browser context for tests that mind no earlier visit; its cache saves a second a page."""
    with server.sitting(browser) as context:
        yield context


@pytest.fixture(scope="session")
def address(browser: Browser) -> Iterator[str]:
    """A server with the samples, for tests that do not mind who asked before."""
    with server.serving() as found:
        yield found
