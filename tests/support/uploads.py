"""The data page under AppTest: files are dropped, looked over and accepted."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from sdcg_explorer.screen.library import SHORT, store, studies_not_uploaded
from sdcg_explorer.study.study import Study
from tests.support.screen import Params, opened, paragraphs, small_print, without_escapes

# "position" is where a card stood on the screen, "order" its rank: the name misleads
LOG = """session,query_number,position,order,doc,topic,system
s1,1,3,1,a,t,A
s1,1,1,2,b,t,A
s1,1,2,3,c,t,A
s1,2,1,1,d,t,A
s2,1,1,1,b,t,B
"""
JUDGMENTS = "topic,doc,grade\nt,a,3\nt,b,1\nt,c,0\nt,d,2\n"
FILES = {"log.csv": LOG, "judgments.csv": JUDGMENTS}
Files = Mapping[str, str | bytes]


def upload(files: Files = FILES, app: AppTest | None = None) -> AppTest:
    """The data page, with these files and no others dropped on it."""
    app = app or opened("data")
    contents = [
        (name, content.encode() if isinstance(content, str) else content, "text/csv")
        for name, content in files.items()
    ]
    app.file_uploader[0].set_value(contents)
    return app.run()


def accepted(files: Files = FILES, name: str = "") -> AppTest:
    """The app after files were accepted."""
    app = upload(files)
    if name:
        app.text_input(key="study_name").set_value(name).run()
    return pressed(app, "Accept and open")


def button(app: AppTest, label: str) -> Button:
    """The button of this name."""
    (found,) = [each for each in app.button if each.label == label]
    return found


def pressed(app: AppTest, label: str) -> AppTest:
    """The app after a button was pressed."""
    return button(app, label).click().run()


def to_data(app: AppTest) -> AppTest:
    """The same session on the data page."""
    return app.switch_page("pages/data.py").run()


def texts(app: AppTest) -> list[str]:
    """Paragraphs of the page, as they read; no page may fail."""
    assert not app.exception
    return [without_escapes(body) for body in paragraphs(app)]


def note(app: AppTest) -> str:
    """The note of the study that is open, as it stands beneath the picker; empty without one."""
    said = [text for text in small_print(app.sidebar) if text.startswith(":material/info: ")]
    return said[0].removeprefix(":material/info: ") if said else ""


def reasons(app: AppTest) -> list[str]:
    """Why files can't be used, a line each."""
    assert len(app.error) == 1
    return [text.removeprefix("- ") for text in texts(app) if text.startswith("- ")]


def warnings(app: AppTest) -> list[str]:
    """Sentences that the sidebar warns with."""
    assert not app.exception
    return [without_escapes(warning.value) for warning in app.sidebar.warning]


def parts(app: AppTest) -> dict[str, tuple[str, str]]:
    """What each file is taken for, and why, by its name."""
    labels = [without_escapes(fold.label) for fold in app.main.expander]
    files = [label.split("**")[1] for label in labels if label.startswith("**")]
    why = [
        text[7:-1] for text in texts(app) if text.startswith((":small[Because ", ":small[Asked"))
    ]
    kinds = [str(box.value) for box in app.main.selectbox if box.label == "What it is"]
    return {file: (kind, said) for file, kind, said in zip(files, kinds, why, strict=True)}


def roles(app: AppTest) -> dict[str, str]:
    """Role of each column, in the order of the page."""
    boxes = [box for box in app.main.selectbox if box.label.startswith("Role of ")]
    return {without_escapes(box.label).removeprefix("Role of "): str(box.value) for box in boxes}


def give(app: AppTest, column: str, role: str) -> AppTest:
    """Have a column of the first file that has it play another role."""
    boxes = [box for box in app.main.selectbox if without_escapes(box.label) == f"Role of {column}"]
    return boxes[0].set_value(role).run()


def preview(app: AppTest) -> pd.DataFrame:
    """The first session as it is understood."""
    return app.main.dataframe[0].value


def picked(app: AppTest) -> Any:
    """What the sidebar has picked."""
    return app.sidebar.selectbox(key="study_picked").value


def sample(name: str) -> str:
    """First characters of a sample's digest."""
    return next(short for short, study in studies_not_uploaded().items() if study.name == name)


def link_to(study: Study) -> Params:
    """The link to a study, which is kept first; the test has a folder of its own."""
    return {"study": store().save(study).digest[:SHORT]}
