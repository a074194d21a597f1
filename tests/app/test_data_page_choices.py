"""The data page where reading needs a choice: topics, keys of judgments, order and kind of runs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from sdcg_explorer.reading.recipe import ASKED, FIXES
from tests.support.agent_layouts import GRADES, LAYOUTS
from tests.support.uploads import (
    JUDGMENTS,
    LOG,
    Files,
    give,
    parts,
    pressed,
    preview,
    reasons,
    roles,
    texts,
    upload,
)
from tests.unit.test_file_names import NAME, simulated

pytestmark = pytest.mark.usefixtures("own_samples")
NAMELESS = {
    "log.csv": "session,query_number,rank,doc\ns1,1,1,a\ns1,1,2,b\ns2,1,1,b\n",
    "judgments.csv": "doc,grade\na,3\nb,1\n",
}


def accept_buttons(app: AppTest) -> list[str]:
    """Names of the buttons that accept a study."""
    return [each.label for each in app.button if each.label.startswith("Accept")]


def test_what_tools_of_agents_do_is_shown_and_may_be_said_otherwise() -> None:
    chats = {name: text.decode() for name, text in LAYOUTS["a chat, and topics"].items()}
    app = upload({**chats, "grades.tsv": GRADES.decode()})
    boxes = {box.label: box for box in app.main.multiselect}
    assert boxes["Tools that search"].value == ["search"]
    assert boxes["Tools that open a document"].value == ["get_document"]
    tools = next(each.value for each in app.dataframe if "tool" in each.value)
    assert tools.to_numpy().tolist() == [["search", 6, "search"], ["get_document", 3, "open"]]
    assert accept_buttons(app) == ["Accept and open"]
    boxes["Tools that search"].set_value([]).run()
    assert "no tool that searches" in reasons(app)[0]
    box = next(box for box in app.main.multiselect if box.label == "Tools that search")
    box.set_value(["search"]).run()
    tables = [each.value.to_numpy().tolist() for each in app.main.dataframe]
    assert any("who won" in row for rows in tables for row in rows)


def chosen(app: AppTest, name: str) -> Any:
    """Where a choice of the recipe is made, whichever widget has it."""
    boxes = [*app.main.radio, *app.main.selectbox, *app.main.text_input, *app.main.multiselect]
    (found,) = [box for box in boxes if box.key == f"rule_{name}"]
    return found


def kind_of(app: AppTest, place: int) -> Selectbox:
    """What the file at a place is taken for."""
    return [box for box in app.main.selectbox if box.label == "What it is"][place]


def test_what_a_topic_is_must_be_chosen_and_is_remembered() -> None:
    app = upload(NAMELESS)
    (choice,) = app.main.radio
    assert choice.value is None
    assert reasons(app)[0].startswith("log.csv: no topic named; ")
    assert not accept_buttons(app)
    app = choice.set_value("session").run()
    assert not app.error
    assert preview_of(app).startswith("Session s1: 1 query on topic s1")
    more = upload({**NAMELESS, "ratings.csv": "session,ease\ns1,4\ns2,5\n"}, app)
    assert chosen(more, "topics_by").value == "session"
    assert accept_buttons(more) == ["Accept and open"]


def preview_of(app: AppTest) -> str:
    """What is said of the first session."""
    return next(text[7:] for text in texts(app) if text.startswith(":small[Session "))


def test_a_corrected_file_keeps_what_still_fits_and_another_study_nothing() -> None:
    log = "wer,query_number,rank,doc,topic,note\ns1,1,1,a,t,1\ns1,1,2,b,t,2\n"
    judged = "topic,doc,points\nt,a,3\nt,b,1\n"
    app = upload({"log_v1.csv": log, "judged.csv": judged})
    kind_of(app, [*parts(app)].index("judged.csv")).set_value("judgments").run()
    kind_of(app, [*parts(app)].index("log_v1.csv")).set_value("log").run()
    give(app, "wer", "session")
    give(app, "points", "grade")
    chosen(app, "query_numbers").set_value("keep").run()
    assert (accept_buttons(app), preview(app)["grade"].tolist()) == (
        ["Accept and open"],
        ["3", "1"],
    )
    app.file_uploader[0].set_value([]).run()  # one is taken out before the other comes
    more = upload({"log_v2.csv": log.replace("1,2,b", "1,2,c"), "judged.csv": judged}, app)
    assert accept_buttons(more) == ["Accept and open"]
    assert preview(more)["doc"].tolist() == ["a", "c"]
    assert chosen(more, "query_numbers").value == "keep"
    assert (roles(more)["wer"], roles(more)["points"]) == ("session", "grade")
    other = upload({"other.csv": LOG, "grades.csv": JUDGMENTS}, more)
    assert chosen(other, "query_numbers").value == ""
    assert "Undo my choices" not in [each.label for each in other.button]


def test_keys_of_judgments_are_a_choice_where_there_are_several() -> None:
    judged = "topic,session,doc,grade\nt,s1,a,3\nt,s1,b,1\nt,s2,b,2\n"
    app = upload({"log.csv": LOG.replace("b,t,B", "b,u,B"), "judgments.csv": judged})
    assert reasons(app)[0].startswith("judgments.csv, line 4: another grade, 2, for 'b' of topic")
    chosen(app, "judged_by").set_value("session").run()
    assert preview(app)["grade"].tolist() == ["1", "unjudged", "3", "unjudged"]


def test_order_of_a_run_and_kind_of_numbers_are_choices() -> None:
    run = {"t_1": {"a": 1.5, "b": 2.5}, "t_2": {"a": 1.0}}
    lines = "t_1 Q0 a 1 1 x\nt_1 Q0 b 2 2 x\nt_2 Q0 a 1 2 x\n"
    app = upload({"a.run": lines, "judgments.csv": JUDGMENTS})
    assert roles(app)["score"] == "no role"
    assert "whose ranks don't follow their scores" in str(texts(app))
    assert preview(app)["doc"].tolist() == ["a", "b", "a"]
    chosen(app, "order").set_value("score").run()
    assert preview(app)["doc"].tolist() == ["b", "a", "a"]
    app = upload({"run.json": json.dumps(run), "judgments.csv": JUDGMENTS}, app)
    assert parts(app)["run.json"][0] == "log"
    assert preview(app)["doc"].tolist() == ["b", "a", "a"]
    kind_of(app, 0).set_value("judgments").run()
    assert roles(app)["score"] == "grade"
    kind_of(app, 0).set_value("log").run()
    assert roles(app)["score"] == "no role"
    assert preview(app)["doc"].tolist() == ["b", "a", "a"]


def test_a_session_that_a_system_lacks_is_asked_for() -> None:
    runs = {"a.run": "t_1 Q0 a 1 1 x\nu_1 Q0 a 1 1 x\n", "b.run": "t_1 Q0 a 1 1 x\n"}
    app = upload({**runs, "judgments.csv": JUDGMENTS})
    assert "1 session that a system lacks and others have (b: u)" in reasons(app)[0]
    (asked,) = [radio for radio in app.main.radio if "a system lacks" in radio.label]
    asked.set_value("empty").run()
    assert not app.exception
    assert "1 query without a line in the run" in str(texts(app))


def test_numbers_that_may_be_scores_or_grades_are_asked_for() -> None:
    votes = json.dumps({"t_1": {"a": 2, "b": 1}})
    app = upload({"one.json": votes, "two.json": votes})
    assert [kind_of(app, i).value for i in range(2)] == [None, None]
    assert reasons(app)[0].startswith("one.json: its numbers by query and document may be a run's")
    assert "Asked because its numbers by query and document may be" in str(texts(app))
    for i, kind in enumerate(("log", "judgments")):
        kind_of(app, i).set_value(kind).run()
    assert preview(app)["doc"].tolist() == ["a", "b"]


def test_what_files_names_say_is_offered_and_may_be_said_otherwise() -> None:
    files: Files = {**simulated()}
    app = upload(files)
    assert chosen(app, "file_name").value == "news-{system}-{topic}-GPT-short"
    assert not app.main.error
    chosen(app, "file_name").set_value(NAME).run()
    assert " on topic 1" in preview_of(app)
    assert accept_buttons(app)
    chosen(app, "file_name").set_value("{system}").run()
    assert "topic missing" in str(reasons(app))
    app = upload(files)
    chosen(app, "file_name").set_value("bm25").run()
    assert any("it names parts in braces" in warning.value for warning in app.main.warning)


def switches(app: AppTest) -> dict[str, Any]:
    """Repairs by their words, each with the box that switches it."""
    return {box.label: box for box in app.main.checkbox if str(box.key).startswith("fix_")}


def test_a_repair_has_a_switch_and_one_that_guesses_is_asked_for() -> None:
    log = (
        "Our study,,,,,,\nsession,query_number,rank,doc,topic,clicked,text\n"
        "s1,1,1,a,t,x,tea\n,,2,b,,-,\n,,3,c,,-,\n,2,1,c,,x,pots\n,,2,d,,-,\n"
    )
    app = upload({"log.csv": log, "judgments.csv": "topic,doc,grade\nt,a,3\nt,b,1\n"})
    offered = switches(app)
    assert not accept_buttons(app)
    assert not offered[FIXES["merged-cells"]].value
    app = offered[FIXES["merged-cells"]].check().run()
    assert accept_buttons(app) == ["Accept and open"]
    made = {words for words, box in switches(app).items() if box.value}
    assert made == {FIXES["header-row"], FIXES["yes-no"], FIXES["merged-cells"]}
    app = switches(app)[FIXES["yes-no"]].uncheck().run()
    assert "clicked 'x'" in reasons(app)[0]
    app = switches(app)[FIXES["yes-no"]].check().run()
    assert accept_buttons(app) == ["Accept and open"]


def test_the_line_of_a_header_may_be_said() -> None:
    log = f"session,query_number,rank,doc,topic,system\n{LOG.splitlines()[0]}\n"
    app = upload({"log.csv": log + "\n".join(LOG.splitlines()[1:]), "judgments.csv": JUDGMENTS})
    assert not accept_buttons(app)
    (line,) = [box for box in app.main.number_input if "Header line" in box.label]
    app = line.set_value(2).run()
    assert preview(app)["doc"].tolist() == ["b", "c", "a", "d"]
    assert accept_buttons(app) == ["Accept and open"]


EVENTS = """user,time,event,query,doc,topic
u,2020-03-01 10:00,search,tea,,t
u,2020-03-01 10:01,shown,,a,
u,2020-03-01 10:01,row,,b,
u,2020-03-01 10:02,click,,a,
u,2020-03-01 12:00,search,tea,,t
u,2020-03-01 12:01,shown,,b,
"""


def test_events_are_shown_with_their_meaning_and_may_mean_something_else() -> None:
    app = upload({"log.csv": EVENTS, "judgments.csv": "topic,doc,grade\nt,a,3\nt,b,1\n"})
    app = chosen(pressed(app, "searcher"), "session_gap").set_value("30m").run()
    assert "2 sessions, 2 queries." in " ".join(texts(app))
    assert "2 results, all judged" in " ".join(texts(app))
    (table,) = [each.value for each in app.main.dataframe if "means" in each.value]
    assert table["means"].tolist() == ["query", "result", "not used", "click"]
    app = chosen(app, "events").set_value("result=row").run()
    assert "3 results, all judged" in " ".join(texts(app))
    app = chosen(app, "session_gap").set_value("3h").run()
    assert "1 session, 1 query." in " ".join(texts(app))
    assert accept_buttons(app)


def test_whose_grades_count_is_asked_where_assessors_differ() -> None:
    judged = "topic,doc,grade,assessor\nt,a,2,anna\nt,a,1,ben\nt,b,0,ben\n"
    app = upload({"log.csv": "session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\n",
                  "judgments.csv": judged})  # fmt: skip
    assert "1 document that assessors graded differently" in " ".join(reasons(app))
    whose = chosen(app, "assessors")
    assert whose.options[-2:] == ["anna", "ben"]
    app = whose.set_value("anna").run()
    assert not app.error
    assert accept_buttons(app)


def test_parts_of_tasks_are_named_by_a_column_that_is_chosen() -> None:
    judged = "topic,doc,grade,answers\nt,a,1,when\nt,b,1,where\n"
    app = upload({"log.csv": LOG, "judgments.csv": judged})
    box = next(each for each in app.main.selectbox if each.label == ASKED["parts"])
    assert box.options == ["no column", "answers"]
    app = box.set_value("answers").run()
    app = pressed(app, "Accept and open").switch_page("pages/individual_sessions.py").run()
    (shades,) = [each for each in app.main.selectbox if each.label == "Cells show"]
    assert shades.options[-1] == "parts found"
    assert not shades.set_value("parts found").run().exception
    app = upload({"log.csv": LOG, "judgments.csv": "topic,doc,grade\nt,a,1\n"})
    assert ASKED["parts"] not in [each.label for each in app.main.selectbox]
