"""The page Data: what was uploaded is told, corrected, chosen, refused with reasons, stays text."""

import csv
import io
from itertools import product
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from sdcg_explorer.reading.raw_table import KINDS
from sdcg_explorer.reading.recipe import ASKED, FIXES
from sdcg_explorer.screen import importing
from tests.support import agent_layouts
from tests.support.screen import HOSTILE, STUBBORN, first_line, markdown_of, opened, without_escapes
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
from tests.unit.test_file_names import NAME, SIMULATED

pytestmark = pytest.mark.usefixtures("own_samples")
ANSWER = "## 2 sessions on 1 topic with 2 systems, 1 session per topic and system; 3 queries."


def accept_buttons(app: AppTest) -> list[str]:
    """Names of the buttons that accept a study."""
    return [each.label for each in app.button if each.label.startswith("Accept")]


def chosen(app: AppTest, name: str) -> Any:
    """Where a choice of the recipe is made, whichever widget has it."""
    boxes = [*app.main.radio, *app.main.selectbox, *app.main.text_input, *app.main.multiselect]
    (found,) = [box for box in boxes if box.key == f"rule_{name}"]
    return found


def kind_of(app: AppTest, place: int) -> Selectbox:
    """What the file at a place is taken for."""
    return [box for box in app.main.selectbox if box.label == "What it is"][place]


def read(app: AppTest) -> str:
    """All that is said, and documents and grades of the first session, where there is one."""
    tables = [each.value for each in app.main.dataframe if each.proto.alt == "First session"]
    cells = [table[name] for table in tables for name in ("doc", "grade") if name in table]
    return "\n".join([*texts(app), *(" ".join(map(str, column)) for column in cells)])


def test_a_role_is_said_to_be_chosen_and_two_of_grades_are_assessors() -> None:
    app = upload(
        {"log.csv": LOG, "judged.csv": "topic,doc,relevance,MR,GB\nt,a,0,1,0\nt,b,2,2,1\n"}
    )
    app = give(app, "MR", "grade")
    assert "1, 2 (you say so)" in "\n".join(texts(app))
    app = give(app, "GB", "grade")
    assert {"grade": "grade", "assessor": "assessor"}.items() <= roles(app).items()
    assert first_line(chosen(app, "assessors").set_value("max").run()).startswith("2 sessions")


LOG_WHY = "Because it has columns for session, query_number, rank, doc, topic and system."
OTHER_WHY = "Because its columns fit no log, judgments or ratings (remarks of mine)."


def test_each_file_says_what_it_is_and_why_and_may_be_set_aside() -> None:
    more = {"ratings.csv": "session,satisfaction\ns1,5\n", "notes.txt": "remarks of mine\nhello\n"}
    more["ages.csv"] = "Kod,age\ns1,31\ns2,40\n"
    app = upload({**FILES, **more, "more.csv": JUDGMENTS})
    because = "Because it has columns for topic, doc and grade."
    assert parts(app) == {
        "log.csv": ("log", LOG_WHY),
        "judgments.csv": ("judgments", because),
        "more.csv": ("judgments", because),
        "ratings.csv": ("ratings", "Because it has a column for session."),
        "ages.csv": ("ratings", "Because it lists the log's sessions (Kod)."),
        "notes.txt": ("other", OTHER_WHY),
    }
    assert ANSWER in texts(app)
    kind_of(app, 2).set_value("other").run()
    assert parts(app)["more.csv"] == ("other", "Because you say so.")
    assert ANSWER in texts(app)


def test_a_choice_keeps_its_fold_open_and_tables_of_columns_alike_have_it_too() -> None:
    log = "wer,n,place,was,topic\ns1,1,1,a,t\ns1,2,1,b,t\ns1,2,2,c,t\n"
    other = "n,wer,place,was,topic,more\n1,s2,1,c,t,\n2,s2,1,b,t,\n2,s2,2,a,t,x\n"
    sheets = {"A.csv": log, "B.csv": other}
    app = upload({**sheets, "notes.txt": "remarks of mine\n"})
    assert [parts(app)[file][0] for file in sheets] == ["other", "other"]
    app = kind_of(app, [*parts(app)].index("A.csv")).set_value("log").run()
    app = give(give(app, "wer", "session"), "n", "query_number")
    also = "Because you say so, also for {}."
    assert [parts(app)[file] for file in sheets] == [
        ("log", also.format("B.csv")),
        ("log", also.format("A.csv")),
    ]
    said = [text for text in texts(app) if "you say so, also for" in text]
    assert [sum(f"for {file}" in text for text in said) for file in sheets] == [3, 3]
    app = upload({**sheets, "judgments.csv": JUDGMENTS}, app)  # what was chosen stays
    assert first_line(app).startswith("2 sessions")
    folds = {each.label.split("**")[1]: each.proto.expanded for each in app.main.expander[:3]}
    assert {without_escapes(file) for file, is_open in folds.items() if is_open} == {"A.csv"}
    app = kind_of(app, [*parts(app)].index("B.csv")).set_value("other").run()
    assert [parts(app)[file][0] for file in sheets] == ["log", "other"]


def test_a_reason_names_its_field_that_stands_beside_it_and_prose_is_no_log_to_be() -> None:
    app = upload({**FILES, "judgments.csv": "topic,doc,grade\n7,b,so\n7,c,fair\n"})
    (reason,) = reasons(app)
    assert reason.endswith(f"Give their order, from worst to best: “{ASKED['grade_words']}”.")
    about = "A study (internal)\nlog: one line, one turn, each; grades\nNora\n"
    app = upload({"a.csv": "x,y\n1,2\n", "README.txt": about})
    assert (
        [each for each in reasons(app) if each.startswith("README.txt: set aside")]
        == [each for each in reasons(app) if each.endswith("correct it, or export it as CSV.")]
        != []
    )


def test_preview_follows_a_corrected_column_whose_role_is_taken_from_the_first() -> None:
    app = upload()
    typed = {box.label: box.placeholder for box in (*app.main.text_input, *app.main.text_area)}
    for name, example in {"session_gap": "30m", "cells": "doc=;"}.items():
        assert typed[ASKED[name]] == f"For example {example}"
    alike = {name: name for name in ("session", "query_number", "doc", "topic", "system", "grade")}
    assert roles(app) == {**alike, "position": "rank", "order": "no role"}
    assert preview(app)[["doc", "grade"]].to_numpy().T.tolist() == [[*"bcad"], [*"1032"]]
    give(app, "position", "no role")
    assert reasons(app)[0].startswith("log.csv: rank=(none); a table of its kind needs a column")
    pressed(app, "Undo my choices")
    give(app, "order", "rank")
    assert (roles(app)["position"], roles(app)["order"]) == ("no role", "rank")
    assert preview(app)["rank"].tolist() == [1, 2, 3, 1]
    assert preview(app)[["doc", "grade"]].to_numpy().T.tolist() == [[*"abcd"], [*"3102"]]


def test_queries_are_told_by_other_columns_once_their_numbers_are_none() -> None:
    app = upload()
    for kind in ("other", "log"):  # which is said, and stays
        kind_of(app, 0).set_value(kind).run()
    app = give(app, "query_number", "text")
    assert "say what a query is: “Columns that identify a query”" in reasons(app)[0]
    (box,) = (box for box in app.multiselect if box.label == "Columns that identify a query")
    box.set_value(["query_number"]).run()
    assert ANSWER in texts(app)
    assert ":small[1, 2 (you say so)]" in texts(app)


def test_columns_without_meaning_are_offered_and_files_are_alike_in_all_readings() -> None:
    every = product((1, 2), "AB", (1, 2), (1, 2, 3))
    rows = [f"p{p},{system},{q},{r},d{(p * q + r) % 7}" for p, system, q, r in every]
    files = {
        "log.csv": "\n".join(["pid,system,c1,c2,c3", *rows]),
        "graded.csv": "\n".join(["u1,u2", *(f"d{i},{i % 3}" for i in range(7))]),
    }
    app = upload({**files, "asked.csv": "pid,system,Q3\np1,A,5\np1,B,2\np2,A,4\np2,B,1\n"})
    (choice,) = app.main.radio
    assert (choice.value, len(choice.options), accept_buttons(app)) == (None, 2, [])
    labels = [each.label.partition(": ")[2] for each in app.main.expander if "rows" in each.label]
    assert labels == [KINDS[kind] for kind in ("ratings", "judgments", "log")]
    app = choice.set_value(0).run()
    said = "4 sessions by 2 searchers on 1 topic with 2 systems, within searchers, 2 sessions per "
    assert first_line(app).startswith(said)
    assert {column: role for column, role in roles(app).items() if role != "no role"} == {
        **{"pid": "searcher", "system": "system", "c1": "query_number", "c2": "rank", "c3": "doc"},
        **{"u1": "doc", "u2": "grade"},
    }
    assert app.main.radio[0].value == 0
    pressed(app, "Accept and open")


def test_unusable_files_are_refused_with_place_rule_and_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # what else is refused, readers' own tests say
    monkeypatch.setattr("sdcg_explorer.screen.importing.MOST_RESULTS", 5)
    app = upload({**FILES, "log.csv": LOG + LOG.partition("\n")[2].replace("s1,", "s3,")})
    assert reasons(app) == [
        "log.csv: 10 rows; a study in the browser has at most 5 results. "
        "Read a part of it, or use the command line."
    ]
    assert app.error[0].value == "1 reason why these files can't be used yet:"
    assert not accept_buttons(app)


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


def test_templates_read_as_a_study() -> None:
    app = upload({"log.csv": importing.LOG, "judgments.csv": importing.JUDGMENTS})
    said = (
        "## 2 sessions by 2 searchers on 1 topic with 2 systems, between searchers, 1 session per "
        "searcher and topic, 1 session per "
    )
    assert f"{said}topic and system; 3 queries, 1 of them without results." in texts(app)
    labels = [each.proto.label for each in opened("data").main.get("download_button")]
    assert labels[:2] == ["Template: log.csv", "Template: judgments.csv"]


EVENTS = """user,time,event,query,doc,topic
u,2020-03-01 10:00,search,tea,,t
u,2020-03-01 10:01,shown,,a,
u,2020-03-01 10:01,row,,b,
u,2020-03-01 10:02,click,,a,
u,2020-03-01 12:00,search,tea,,t
u,2020-03-01 12:01,shown,,b,
"""
GRADED = "topic,doc,grade\nt,a,3\nt,b,1\n"
SHOWN = "session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\n"
RUN = "t_1 Q0 a 1 1 x\nt_1 Q0 b 2 2 x\nt_2 Q0 a 1 2 x\n"
CHATS = {name: text.decode() for name, text in agent_layouts.LAYOUTS["a chat, and topics"].items()}
# files; what is said of them; then choices, and what is said once each is made
Asked = tuple[Files, str, list[tuple[str, Any, str]]]
CHOICES: dict[str, Asked] = {
    "what a topic is": (
        {
            "log.csv": "session,query_number,rank,doc\ns1,1,1,a\ns1,1,2,b\ns2,1,1,b\n",
            "judgments.csv": "doc,grade\na,3\nb,1\n",
        },
        "log.csv: no topic named; ",
        [("topics_by", "session", "Session s1: 1 query on topic s1")],
    ),
    "keys of judgments": (
        {
            "log.csv": LOG.replace("b,t,B", "b,u,B"),
            "judgments.csv": "topic,session,doc,grade\nt,s1,a,3\nt,s1,b,1\nt,s2,b,2\n",
        },
        "judgments.csv, line 4: a second grade (2) for 'b' on topic",
        [("judged_by", "session", "\n1 unjudged 3 unjudged")],
    ),
    "the order of a run": (
        {"a.run": RUN, "judgments.csv": JUDGMENTS},
        "whose ranks and scores disagree",
        [("order", "rank", "\na b a\n"), ("order", "score", "\nb a a\n")],
    ),
    "a session that a system lacks": (
        {"a.run": RUN.replace("t_2", "u_1"), "b.run": RUN[:15], "judgments.csv": JUDGMENTS},
        "1 session that a system lacks and others have (b: u)",
        [("missing_sessions", "empty", "1 query without a line in the run")],
    ),
    "names of files": (
        {**SIMULATED},
        "",
        [
            ("file_name", NAME, " on topic 1"),
            ("file_name", "{system}", "topic missing"),
            ("file_name", "bm25", "topic missing"),
        ],
    ),
    "events": (
        {"log.csv": EVENTS, "judgments.csv": GRADED},
        "",
        [
            ("session_by", ["user"], ""),
            ("session_gap", "30m", "0 of 2 results at"),
            ("events", "result=row", "0 of 3 results at"),
            ("session_gap", "3h", "; 1 query."),
        ],
    ),
    "whose grades count": (
        {
            "log.csv": SHOWN,
            "judgments.csv": "topic,doc,grade,assessor\nt,a,2,anna\nt,a,1,ben\nt,b,0,ben\n",
        },
        "assessors graded 1 document differently",
        [("assessors", "anna", "2 unjudged"), ("assessors", "max", "\n2 0")],
    ),
    "tools of agents": (
        {**CHATS, "grades.tsv": agent_layouts.GRADES.decode()},
        "",
        [
            ("search_tools", [], "no tool that searches"),
            ("search_tools", ["search"], "; 6 queries"),
        ],
    ),
}


@pytest.mark.parametrize("what", CHOICES)
def test_a_choice_is_asked_for_and_changes_how_files_are_read(what: str) -> None:
    files, said, choices = CHOICES[what]
    app = upload(files)
    assert said in read(app)
    for name, value, then in choices:
        app = chosen(app, name).set_value(value).run()
        assert then in read(app), (name, value)
    assert bool(accept_buttons(app)) == (what != "names of files")


def test_meanings_of_tools_and_events_are_told_and_a_pattern_that_is_none_is_refused() -> None:
    app = upload({**CHATS, "grades.tsv": agent_layouts.GRADES.decode()})
    assert chosen(app, "search_tools").value == ["search"]
    assert chosen(app, "open_tools").value == ["get_document"]
    tools = next(each.value for each in app.dataframe if "tool" in each.value)
    assert tools.to_numpy().tolist() == [["search", 6, "searches"], ["get_document", 3, "opens"]]
    app = upload({"log.csv": EVENTS, "judgments.csv": GRADED}, app)
    chosen(app, "session_by").set_value(["user", "topic"]).run()
    (table,) = [each.value for each in app.main.dataframe if "means" in each.value]
    assert table["means"].tolist() == ["query", "result", "not used", "click"]
    app = upload({**SIMULATED}, app)
    assert chosen(app, "file_name").value == "news-{system}-{topic}-GPT-short"
    chosen(app, "file_name").set_value("bm25").run()
    assert any("it names parts in braces" in warning.value for warning in app.main.warning)


def test_a_corrected_file_keeps_what_still_fits_and_another_study_nothing() -> None:
    log = "wer,query_number,rank,doc,topic,note\ns1,1,1,a,t,1\ns1,1,2,b,t,2\n"
    judged = "topic,doc,points\nt,a,3\nt,b,1\n"
    app = upload({"log_v1.csv": log, "judged.csv": judged})
    kind_of(app, [*parts(app)].index("judged.csv")).set_value("judgments").run()
    kind_of(app, [*parts(app)].index("log_v1.csv")).set_value("log").run()
    give(app, "wer", "session")
    give(app, "points", "grade")
    chosen(app, "query_numbers").set_value("keep").run()
    assert (len(accept_buttons(app)), preview(app)["grade"].tolist()) == (1, ["3", "1"])
    app.file_uploader[0].set_value([]).run()  # one is taken out before the other comes
    more = upload({"log_v2.csv": log.replace("1,2,b", "1,2,c"), "judged.csv": judged}, app)
    assert accept_buttons(more)
    assert preview(more)["doc"].tolist() == ["a", "c"]
    assert chosen(more, "query_numbers").value == "keep"
    assert (roles(more)["wer"], roles(more)["points"]) == ("session", "grade")
    other = upload({"other.csv": LOG, "grades.csv": JUDGMENTS}, more)
    assert chosen(other, "query_numbers").value == ""
    assert "Undo my choices" not in [each.label for each in other.button]


def switches(app: AppTest) -> dict[str, Any]:
    """Repairs by their words, each with the box that switches it."""
    return {box.label: box for box in app.main.checkbox if str(box.key).startswith("fix_")}


def test_a_repair_has_a_switch_and_one_that_guesses_is_asked_for() -> None:
    log = (
        "Our study,,,,,,\nsession,query_number,rank,doc,topic,clicked,text\n"
        "s1,1,1,a,t,x,tea\n,,2,b,,-,\n,,3,c,,-,\n,2,1,c,,x,pots\n,,2,d,,-,\n"
    )
    app = upload({"log.csv": log, "judgments.csv": GRADED})
    assert not accept_buttons(app)
    assert not switches(app)[FIXES["merged-cells"]].value
    app = switches(app)[FIXES["merged-cells"]].check().run()
    assert accept_buttons(app) == ["Accept and open"]
    made = {words for words, box in switches(app).items() if box.value}
    assert made == {FIXES["header-row"], FIXES["yes-no"], FIXES["merged-cells"]}
    app = switches(app)[FIXES["yes-no"]].uncheck().run()
    assert "clicked 'x'" in reasons(app)[0]
    app = switches(app)[FIXES["yes-no"]].check().run()
    assert accept_buttons(app) == ["Accept and open"]


@pytest.mark.parametrize(("more", "where"), [(1, " in the first file"), (0, "")])
def test_a_repair_names_each_of_its_files(more: int, where: str) -> None:
    log = "session,query_number,rank,doc,topic,clicked\ns{0},1,1,a,t,x\ns{0},1,2,b,t,-\n"
    files = {f"{i}.csv": log.format(i) + f"s{i},2,1,b,t,-\n" * (i * more) for i in range(3)}
    app = upload({**files, "judgments.csv": GRADED})
    said = f"0.csv, 1.csv, 2.csv: clicked 'x' and 1 more like it{where}"
    assert f":small[{said}]" in texts(app)


def test_the_line_of_a_header_may_be_said() -> None:
    log = f"session,query_number,rank,doc,topic,system\n{LOG.splitlines()[0]}\n"
    app = upload({"log.csv": log + "\n".join(LOG.splitlines()[1:]), "judgments.csv": JUDGMENTS})
    assert not accept_buttons(app)
    (line,) = [box for box in app.main.number_input if "Header line" in box.label]
    app = line.set_value(2).run()
    assert preview(app)["doc"].tolist() == ["b", "c", "a", "d"]
    assert accept_buttons(app) == ["Accept and open"]


def test_parts_of_tasks_are_named_by_a_column_that_is_chosen() -> None:
    judged = "topic,doc,grade,answers\nt,a,1,when\nt,b,1,where\n"
    app = upload({"log.csv": LOG, "judgments.csv": judged})
    assert chosen(app, "parts").options == ["no column", "answers"]
    app = chosen(app, "parts").set_value("answers").run()
    app = pressed(app, "Accept and open").switch_page("pages/individual_sessions.py").run()
    (shades,) = [each for each in app.main.selectbox if each.label == "Cells show"]
    assert shades.options[-1] == "parts found"
    assert not shades.set_value("parts found").run().exception
    app = upload({"log.csv": LOG, "judgments.csv": "topic,doc,grade\nt,a,1\n"})
    assert ASKED["parts"] not in [each.label for each in app.main.selectbox]


def test_a_log_that_nobody_judged_opens_with_its_clicks() -> None:
    rows = [
        f"s{s},{'AB'[s % 2]},p{s},{q},{r},d{s}{q}{r},{int(r == 1 + (s + q) % 3)}"
        for s in range(8)
        for q in (1, 2)
        for r in (1, 2, 3)
    ]
    head = "session,system,searcher,query_number,rank,doc,clicked"
    app = accepted({"log.csv": "\n".join([head, *rows])})
    assert first_line(app).endswith("results in the top 10: 68.8% seen.")
    app = app.switch_page("pages/query_order.py").run()
    assert first_line(app).startswith("Compared with others of their session")
    assert any("gains from clicks, of which top-ranked results get more" in s for s in texts(app))


def hostile_files(grade: str) -> Files:
    """Hostile names for files, columns, ids and texts."""
    names = [name.replace("\n\n", " ") for name in (*HOSTILE, *STUBBORN)]

    def table(*rows: list[Any]) -> str:
        sink = io.StringIO()
        csv.writer(sink).writerows(rows)
        return sink.getvalue()

    header = ["session", "query_number", "rank", "doc", "topic", "system", "text", *names]
    log = [[name, 1, 1, f"{name} doc", name, name, name, *names] for name in names]
    judged = [[name, f"{name} doc", grade] for name in names]
    others = {f"{name}.txt": f"{name}\nremark\n" for name in (*HOSTILE, *STUBBORN)}
    tables = table(header, *log), table(["topic", "doc", "grade"], *judged)
    return {f"{HOSTILE[0]}.csv": tables[0], f"{HOSTILE[1]}.csv": tables[1], **others}


@pytest.mark.parametrize("grade", ["1", "**x**"])
def test_hostile_names_stay_text(grade: str) -> None:
    app = upload(hostile_files(grade))
    assert [bool(each) for each in (app.error, accept_buttons(app))] == [grade != "1", grade == "1"]
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
