"""Pages under Streamlit's test harness: how one is opened, and how what it shows is read."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support import plain_files, waiting
from tests.support.plain_loop import PlainSession, PlainStudy

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

Params = dict[str, str | list[str]]
Choose = Callable[[PlainStudy], None]
Serve = Callable[[str], Path]


# each would be a link, an image, a formula, a colour or a list if it were read as Markdown or HTML
NOT_HERE = "The study of this link is not here (digest"
IN_FORCE = ("**Current definition:** ", "**Definition here:** ")
HOSTILE = [
    "[alpha](http://evil.example/a)",
    "![beta](http://evil.example/b.png)",
    "<img src=http://evil.example/c.png>gamma",
    "$delta^2$",
    ":blue[epsilon]",
    "**zeta** `eta` ~~theta~~ # iota",
]
# what Markdown's extensions and Plotly act on even where the text is escaped
STUBBORN = [
    "www.evil.example",
    "anna@evil.example",
    "http://evil.example/plain",
    ":material/home: :smile:",
    "old -> new -- newest",
    '<a href="http://evil.example/k">kappa</a>',
    "lambda\n\n# mu",
]


def hostile_study(names: list[str]) -> PlainStudy:
    """One name for system, topic and searcher of each session."""
    docs = (("a", 1.0), ("b", 2.0))
    sessions = [
        PlainSession(f"{name} session", [(name, {1: "a"}), (name, {1: "b", 2: "a"})], name, name)
        for name in names
    ]
    return PlainStudy(sessions, {(name, doc): grade for name in names for doc, grade in docs})


def opened(page: str, params: Params | None = None, **state: object) -> AppTest:
    """A page of the app, opened by a link with these parameters, and with a state."""
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(plain_files.ROOT / "app.py"), default_timeout=waiting.PATIENCE)
    for name, value in (params or {}).items():
        app.query_params[name] = value
    for name, value in state.items():
        app.session_state[name] = value
    return app.switch_page(f"pages/{page}.py").run()


def send(app: AppTest, widget: str, text: str) -> None:
    """What a browser sends of a widget into which AppTest can't type."""
    states = app._tree.get_widget_states()  # pyright: ignore[reportPrivateUsage]
    states.widgets.add(id=widget, string_value=text)
    app._run(states)  # pyright: ignore[reportPrivateUsage]
    assert not app.exception


def without_escapes(markdown: str) -> str:
    """Text that a Markdown body stands for; a word joiner may keep it from becoming a link.

    What explains a term is put aside.
    """
    bare = re.sub(r"</?dfn\b.*?>", "", markdown)
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", bare).replace("\u2060", "")


def first_line(app: AppTest) -> str:
    """The page's answer, as it reads."""
    assert not app.exception
    return without_escapes(paragraphs(app)[0]).lstrip("# ")


def paragraphs(app: AppTest) -> list[str]:
    """Markdown of the page, the answer first."""
    answers = [f"## {each.value}" for each in app.main.header]
    return [*answers, *(body.value for body in app.main.markdown)]


def definition_in_force(app: AppTest) -> str:
    """The sentence beneath the figure that says the definition, as it reads."""
    found = [text for text in small_print(app.main) if text.startswith(IN_FORCE)]
    return found[0].partition(":** ")[2]


def headings(app: AppTest) -> list[str]:
    """Sessions that are looked into, by their headings."""
    assert not app.exception
    return [without_escapes(each.value).split(",")[0] for each in app.main.subheader]


def markdown_of(app: AppTest) -> list[str]:
    """Every text of the page and the sidebar that the browser reads as Markdown."""
    assert not app.exception
    bodies = [*app.markdown, *app.caption, *app.warning, *app.error, *app.title, *app.subheader]
    boxes = [*app.selectbox, *app.text_input, *app.expander, *app.button, *app.checkbox]
    pills = [option.content for group in app.get("button_group") for option in group.proto.options]
    return [*(body.value for body in bodies), *(box.label for box in boxes), *pills]


def leaves(block: Any) -> Iterator[Any]:
    """Everything that is shown, in its order."""
    for each in block.children.values():
        yield from leaves(each) if hasattr(each, "children") else [each]


def small_print(block: Any) -> list[str]:
    """Paragraphs in small print, as they read."""
    bodies = [body for each in block.markdown for body in without_escapes(each.value).split("\n\n")]
    return [body[7:-1] for body in bodies if body.startswith(":small[")]


def slider_of(app: AppTest, number: str) -> Any:
    """The panel's slider of a number, which is another after each change from elsewhere."""
    own = f"{number}_slider"
    return next(each for each in app.sidebar.select_slider if f"{each.key}_".startswith(f"{own}_"))


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
    return {trace["name"].replace("<br>", ""): decoded(trace["y"]) for trace in chart["data"]}


def forget() -> None:
    """Forget what a server knows of kept studies; the samples stay read, which takes long."""
    from sdcg_explorer.scoring.cache import STUDIES
    from sdcg_explorer.screen import library as kept

    kept._opened.clear()
    STUDIES.clear()
