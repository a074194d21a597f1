"""What tests of the screen share: the app under AppTest, a chosen study, a browser, a server."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.plain_files import ROOT, write_study
from tests.plain_loop import PlainSession, PlainStudy
from tests.server import browser_missing, browsing, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from streamlit.testing.v1 import AppTest

Params = dict[str, str | list[str]]
Choose = Callable[[PlainStudy], None]
Serve = Callable[[str], Path]


# each would be a link, an image, a formula, a colour or a list if it were read as Markdown or HTML
NOT_HERE = "The study of this link is not here; its digest begins with"
IN_FORCE = "**Definition in force:** "
HOSTILE = [
    "[alpha](http://evil.example/a)",
    "![beta](http://evil.example/b.png)",
    "<img src=http://evil.example/c.png>gamma",
    "$delta^2$",
    ":blue[epsilon]",
    "**zeta** `eta` ~~theta~~ # iota",
]


def hostile_study(names: list[str]) -> PlainStudy:
    """One name for system, topic and searcher of each session."""
    docs = (("a", 1.0), ("b", 2.0))
    sessions = [
        PlainSession(f"{name} session", [(name, {1: "a"}), (name, {1: "b", 2: "a"})], name, name)
        for name in names
    ]
    return PlainStudy(sessions, {(name, doc): grade for name in names for doc, grade in docs})


def opened(page: str, params: Params | None = None) -> AppTest:
    """A page of the app, opened by a link with these parameters."""
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in (params or {}).items():
        app.query_params[name] = value
    return app.switch_page(f"pages/{page}.py").run()


def without_escapes(markdown: str) -> str:
    """Text that a Markdown body stands for; a word joiner may keep it from becoming a link."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace("\u2060", "")


def first_line(app: AppTest) -> str:
    """The page's answer, as it reads."""
    assert not app.exception
    return without_escapes(app.main.markdown[0].value).lstrip("# ")


def definition_in_force(app: AppTest) -> str:
    """The sentence beneath the figure that says the definition, as it reads."""
    found = [text for text in small_print(app.main) if text.startswith(IN_FORCE)]
    return found[0].removeprefix(IN_FORCE)


def small_print(block: Any) -> list[str]:
    """Paragraphs in small print, as they read."""
    bodies = [without_escapes(each.value) for each in block.markdown]
    return [body[7:-1] for body in bodies if body.startswith(":small[")]


def charts(app: AppTest) -> dict[str, dict[str, Any]]:
    """Charts of a page, as Plotly gets them, by text alternative."""
    return {chart.proto.alt: json.loads(chart.proto.spec) for chart in app.get("plotly_chart")}


def decoded(values: Any) -> list[float]:
    """Numbers of a trace, from a typed array or a plain list."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return [np.nan if value is None else value for value in values]


def lines_of(app: AppTest, alternative: str) -> dict[str, list[float]]:
    """Values by name of the traces of the chart whose text alternative begins so."""
    chart = next(spec for alt, spec in charts(app).items() if alt.startswith(alternative))
    return {trace["name"]: decoded(trace["y"]) for trace in chart["data"]}


@pytest.fixture(autouse=True, scope="session")
def own_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests keep their studies in a folder of their own."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SDCG_WORKSPACE", str(tmp_path_factory.mktemp("workspace")))
        environment.delenv("SDCG_MODE", raising=False)
        yield


@pytest.fixture
def own_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app opens on the samples, whatever the environment names."""
    monkeypatch.delenv("SDCG_STUDY", raising=False)


def forget() -> None:
    """Forget what a server knows of kept studies; the samples stay read, which takes long."""
    from pages.parts import library as kept

    kept.opened_store.clear()
    kept._loaded.clear()


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

    def choose(plain: PlainStudy) -> None:
        files = write_study(plain, tmp_path_factory.mktemp("study"))
        monkeypatch.setenv("SDCG_STUDY", json.dumps([str(path) for path in files]))
        st.cache_resource.clear()

    yield choose
    st.cache_resource.clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The installed Chromium; without one the test is skipped, or fails if one is required."""
    if missing := browser_missing():
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(f"REQUIRE_BROWSER=1, but {missing}")
        # a machine without a browser still tests all the rest
        pytest.skip(f"{missing}; browser tests need both (REQUIRE_BROWSER=1 makes this fail)")
    with browsing() as found:
        yield found


@pytest.fixture(scope="session")
def desk(browser: Browser) -> Iterator[BrowserContext]:
    """One browser context for tests that mind no earlier visit; its cache saves a second a page."""
    with browser.new_context() as context:
        yield context


@pytest.fixture(scope="session")
def address(browser: Browser) -> Iterator[str]:
    """A server with the samples, for tests that do not mind who asked before."""
    with serving() as found:
        yield found
