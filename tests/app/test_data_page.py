"""The data page: what was uploaded is told, corrected, refused with reasons, and stays text."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.screen.importing import JUDGMENTS as JUDGMENTS_TEMPLATE
from sdcg_explorer.screen.importing import LOG as LOG_TEMPLATE
from tests.browser.test_pages import STUBBORN
from tests.support.screen import HOSTILE, opened, without_escapes
from tests.support.uploads import (
    FILES,
    JUDGMENTS,
    LOG,
    Files,
    accepted,
    give,
    note,
    parts,
    pressed,
    preview,
    reasons,
    roles,
    texts,
    to_data,
    upload,
)

pytestmark = pytest.mark.usefixtures("own_samples")
ANSWER = "## 2 sessions on 1 topic with 2 systems, each once; 3 queries."


def test_each_file_says_what_it_is_and_why() -> None:
    more = {"ratings.csv": "session,satisfaction\ns1,5\n", "notes.txt": "remarks of mine\nhello\n"}
    app = upload({**FILES, **more})
    assert parts(app) == {
        "log.csv": ("log", LOG_WHY),
        "judgments.csv": ("judgments", "Because it has columns for topic, doc and grade."),
        "ratings.csv": ("ratings", "Because it has columns for session."),
        "notes.txt": ("other", OTHER_WHY),
    }
    assert ANSWER in texts(app)


LOG_WHY = "Because it has columns for session, query_number, rank, doc, topic and system."
OTHER_WHY = "Because its columns fit no log, judgments or ratings (remarks of mine)."


def test_file_that_is_none_of_it_can_be_set_aside() -> None:
    app = upload({**FILES, "more.csv": JUDGMENTS})
    box = [box for box in app.main.selectbox if box.label == "What it is"][2]
    assert box.value == "judgments"
    box.set_value("other").run()
    assert parts(app)["more.csv"] == ("other", "Because you say so.")
    assert ANSWER in texts(app)


def test_preview_follows_a_corrected_column() -> None:
    app = upload()
    assert roles(app) == {
        **{"session": "session", "query_number": "query_number", "position": "rank"},
        **{
            "order": "no role",
            "doc": "doc",
            "topic": "topic",
            "system": "system",
            "grade": "grade",
        },
    }
    table = preview(app)
    assert table["doc"].tolist() == ["b", "c", "a", "d"]
    assert table["grade"].tolist() == ["1", "0", "3", "2"]
    give(app, "position", "no role")
    assert reasons(app)[0].startswith("log.csv: rank=(none); a table of its kind needs a column")
    give(app, "order", "rank")
    table = preview(app)
    assert table["rank"].tolist() == [1, 2, 3, 1]
    assert table["doc"].tolist() == ["a", "b", "c", "d"]
    assert table["grade"].tolist() == ["3", "1", "0", "2"]


def test_a_role_that_is_given_to_another_column_is_taken_from_the_first() -> None:
    app = give(upload(), "order", "rank")
    assert (roles(app)["position"], roles(app)["order"]) == ("no role", "rank")
    assert preview(app)["doc"].tolist() == ["a", "b", "c", "d"]
    app = pressed(app, "Undo my choices")
    assert (roles(app)["position"], roles(app)["order"]) == ("rank", "no role")
    assert preview(app)["doc"].tolist() == ["b", "c", "a", "d"]


def test_queries_are_told_by_other_columns_once_their_numbers_are_none() -> None:
    app = upload()
    for kind in ("other", "log"):  # which is said, and stays
        next(box for box in app.main.selectbox if box.label == "What it is").set_value(kind).run()
    app = give(app, "query_number", "text")
    assert "say what a query is: “Columns that identify a query”" in reasons(app)[0]
    (box,) = (box for box in app.multiselect if box.label == "Columns that identify a query")
    box.set_value(["query_number"]).run()
    assert ANSWER in texts(app)
    assert ":small[1, 2 (you say so)]" in texts(app)


def nameless() -> Files:
    """Four sessions of three queries with five results each, in columns without meaning."""
    rows = [
        f"S{s},{q},{r},d{100 * s + 10 * q + r},x"
        for s in range(4)
        for q in range(1, 4)
        for r in range(1, 6)
    ]
    judged = [f"d{i},{i % 3}" for i in range(400)]
    log, judgments = ["c1,c2,c3,c4,c5", *rows], ["u1,u2", *judged]
    return {"log.csv": "\n".join(log) + "\n", "graded.csv": "\n".join(judgments) + "\n"}


def test_columns_without_meaning_are_offered_as_what_they_hold() -> None:
    app = upload(nameless())
    (choice,) = app.main.radio
    assert choice.value is None
    assert not [each for each in app.button if each.label == "Accept and open"]
    app = choice.set_value(0).run()
    said = "## 4 sessions on 1 topic with 1 system; 12 queries."
    assert said in texts(app)
    assert {column: role for column, role in roles(app).items() if role != "no role"} == {
        **{"c1": "session", "c2": "query_number", "c3": "rank", "c4": "doc"},
        **{"u1": "doc", "u2": "grade"},
    }
    assert app.main.radio[0].value == 0
    pressed(app, "Accept and open")


# what else is refused, readers' own tests say
REFUSED: dict[str, tuple[Files, list[str]]] = {
    "grades and systems": (
        {"log.csv": LOG.replace("d,t,A", "d,t,B"), "judgments.csv": JUDGMENTS},
        [
            "log.csv, line 5: session 's1' has a second system, 'B'; a session is one searcher's "
            "work with one system, so it has one system. "
            "Give the parts different session ids, or correct the cell."
        ],
    ),
    "no log": (
        {"judgments.csv": JUDGMENTS},
        [
            "files: no log; a study needs a log, with columns for session, query number, rank and "
            "document. Give the log, or say which file it is."
        ],
    ),
    "a picture": (
        {"log.png": b"\x89PNG\r\n\x1a\n\0\0" + bytes(range(256))},
        ["log.png: binary content; a table is text. Export it as CSV in UTF-8."],
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_unusable_files_are_refused_with_place_rule_and_remedy(what: str) -> None:
    files, expected = REFUSED[what]
    app = upload(files)
    assert reasons(app) == expected
    assert app.error[0].value == "1 reason why these files can't be used yet:"
    assert not [each for each in app.button if each.label == "Accept and open"]


def test_many_reasons_are_listed_once_each() -> None:
    wrong = [
        *(",1,1,1,d,t,A", "s1,,1,1,d,t,A", "s1,1,,1,d,t,A", "s1,1,1,1,,t,A"),
        *("s1,x,1,1,d,t,A", "s1,1,x,1,d,t,A", "s1,1,y,1,d,t,A"),
    ]
    app = upload({**FILES, "log.csv": "\n".join([LOG.splitlines()[0], *wrong])})
    assert app.error[0].value == "6 reasons why these files can't be used yet:"
    assert reasons(app) == []
    table = app.main.dataframe[0].value
    assert table["line"].tolist() == [2, 3, 4, 5, 6, 7]
    assert table["count"].tolist() == [1, 1, 1, 1, 1, 2]
    assert table["found"].tolist()[-1] == "rank 'x'"


def zip_of(count: int) -> bytes:
    """A zip of so many small files."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for i in range(count):
            archive.writestr(f"{i}.csv", "a")
    return sink.getvalue()


BEYOND: dict[str, tuple[Files, str]] = {
    "rows": (
        FILES,
        "log.csv: 5 rows; a study in the browser has at most 4 results. "
        "Read a part of it, or use the command line.",
    ),
    "files": (
        {"many.zip": zip_of(1_001)},
        "many.zip: more than 1,000 files; a zip has at most 1,000 files. "
        "Unpack it, and give the files themselves.",
    ),
}


@pytest.mark.parametrize("what", BEYOND)
def test_upload_beyond_a_limit_is_refused(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdcg_explorer.screen.importing.MOST_RESULTS", 4)
    files, expected = BEYOND[what]
    assert reasons(upload(files)) == [expected]


def test_templates_read_as_a_study() -> None:
    app = upload({"log.csv": LOG_TEMPLATE, "judgments.csv": JUDGMENTS_TEMPLATE})
    said = (
        "## 2 searchers × 1 topic with 2 systems, between searchers; 2 sessions, 3 queries, 1 of "
    )
    assert f"{said}them without results." in texts(app)
    labels = [each.proto.label for each in opened("data").main.get("download_button")]
    assert labels[:2] == ["Template: log.csv", "Template: judgments.csv"]


def markdown_of(app: AppTest) -> list[str]:
    """Every text of the page and the sidebar that the browser reads as Markdown."""
    assert not app.exception
    bodies = [*app.markdown, *app.warning, *app.error, *app.title, *app.subheader]
    boxes = [*app.selectbox, *app.text_input, *app.expander, *app.button, *app.checkbox]
    return [body.value for body in bodies] + [box.label for box in boxes]


def hostile_files(grade: str) -> Files:
    """Hostile names for files, columns, ids and texts."""
    names = [name.replace("\n\n", " ") for name in (*HOSTILE, *STUBBORN)]
    log, judged, sink = [], [], io.StringIO()
    for name in names:
        log.append([name, 1, 1, f"{name} doc", name, name, name, *names])
        judged.append([name, f"{name} doc", grade])
    header = ["session", "query_number", "rank", "doc", "topic", "system", "text", *names]
    csv.writer(sink).writerows([header, *log])
    table, sink = sink.getvalue(), io.StringIO()
    csv.writer(sink).writerows([["topic", "doc", "grade"], *judged])
    others = {f"{name}.txt": f"{name}\nremark\n" for name in (*HOSTILE, *STUBBORN)}
    return {f"{HOSTILE[0]}.csv": table, f"{HOSTILE[1]}.csv": sink.getvalue(), **others}


@pytest.mark.parametrize("grade", ["1", "**x**"])
def test_hostile_names_stay_text(grade: str) -> None:
    app = upload(hostile_files(grade))
    accept = [each for each in app.main.button if each.label == "Accept and open"]
    assert [bool(each) for each in (app.error, accept)] == [grade != "1", grade == "1"]
    bodies = markdown_of(app)
    for name in (*HOSTILE, *STUBBORN):
        assert [body for body in bodies if name in body] == []
        assert any(name in without_escapes(body) for body in bodies)


@pytest.mark.usefixtures("folder")
def test_hostile_name_of_a_study_stays_text() -> None:
    name = " ".join([*HOSTILE, STUBBORN[0]])
    app = to_data(accepted(FILES, name))
    app.text_input(key="new_note").set_value(name)
    pressed(app, "Save name and note")
    assert note(app) == name
    ratings = upload({"sat.csv": "session,sat\ns1,5\n"}, app)
    assert f"These ratings are added to the study **{name}**." in texts(ratings)
    assert [body for body in markdown_of(app) if name in body] == []
    assert app.sidebar.selectbox(key="study_picked").options[-1] == name
