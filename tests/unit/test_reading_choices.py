"""Refusals that name the choice: files that share sessions, keys of judgments, columns by file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from tests.support.plain_files import written
from tests.support.refusals import HEADER, JUDGMENTS, LOG, refused


def said(folder: Path, mapping: dict[str, str] | None = None, **rules: Any) -> list[str]:
    """What is said of a folder."""
    return refused(lambda: read_study(folder, recipe=Recipe(mapping=mapping or {}, **rules)))


CLASHES = {
    "documents": HEADER + "s1,1,1,b,t\ns1,1,2,a,t\ns2,1,1,a,t\n",
    "systems": "system," + HEADER + "B,s1,1,1,a,t\nB,s2,1,1,b,t\n",
}


@pytest.mark.parametrize("what", CLASHES)
def test_files_that_share_sessions_name_the_way_out_first(what: str, tmp_path: Path) -> None:
    first = "system," + LOG.replace("\ns", "\nA,s") if what == "systems" else LOG
    written(tmp_path, A_csv=first, B_csv=CLASHES[what], judgments_csv=JUDGMENTS)
    lines = said(tmp_path)
    assert lines[0] == (
        "A.csv, B.csv: 2 session names in several files ('s1', 's2'); sessions of one name are "
        "one session, and here their rows clash. Read each file as a system of its own, "
        "--system-by-file, or rename the sessions."
    )
    assert len(lines) == 2
    study = read_study(tmp_path, recipe=Recipe(system_by_file=True))
    assert study.sessions["session"].tolist() == ["A/s1", "A/s2", "B/s1", "B/s2"]


def test_clashes_within_a_file_are_not_put_down_to_another(tmp_path: Path) -> None:
    other = HEADER + "s8,1,1,b,t\ns8,1,1,a,t\n"
    written(tmp_path, A_csv=LOG, B_csv=other, judgments_csv=JUDGMENTS)
    assert [line.split(":")[0] for line in said(tmp_path)] == ["B.csv, line 3"]


ASKED = "query," + HEADER + "x,s1,1,1,a,t\nx,s2,1,1,a,t\n"
KEYED = "topic,query,session,doc,grade\nt,x,s1,a,1\nt,x,s1,b,0\n"


def test_judgments_go_by_the_key_that_is_chosen(tmp_path: Path) -> None:
    written(tmp_path, log_csv=ASKED, judgments_csv=KEYED)
    study = read_study(tmp_path)
    assert str(study.report.problems[0]) == (
        "judgments.csv: columns for text, session beside topic; judgments are matched by topic, "
        "so they count for every query on it. If another column is right, say so: --set "
        "judged_by=text "
        "or session."
    )
    for by in ("topic", "text", "session"):
        own = read_study(tmp_path, recipe=Recipe(judged_by=by))
        assert own.digest == study.digest
        assert not own.report.problems


def test_grades_that_disagree_by_one_key_name_the_others(tmp_path: Path) -> None:
    log = ASKED.replace("x,s2,1,1,a,t", "y,s2,1,1,a,u")
    graded = "query,session,doc,grade\nx,s1,a,1\nx,s2,a,2\n"
    written(tmp_path, log_csv=log, judgments_csv=graded)
    assert said(tmp_path) == [
        "judgments.csv, line 3: another grade, 2, for 'a' of topic 't'; a document has one grade "
        "for a topic. Matched by session, no conflict is left: --set judged_by=session. Keep one "
        "of the "
        "two, "
        "or choose: --set conflicts=first, last or highest."
    ]
    study = read_study(tmp_path, recipe=Recipe(judged_by="session"))
    assert study.judgments.astype(str).to_numpy().tolist() == [["t", "a", "1.0"], ["u", "a", "2.0"]]


def test_judgments_by_text_say_that_they_have_a_session_too(tmp_path: Path) -> None:
    written(tmp_path, log_csv=ASKED, judgments_csv=KEYED.replace("topic,", "x,"))
    assert str(read_study(tmp_path).report.problems[0]) == (
        "judgments.csv: columns for session beside text; judgments are matched by query text, in "
        "every session that asked it. If another column is right, say so: --set "
        "judged_by=session."
    )


UNUSABLE = {
    "a key of neither": (
        {"log_csv": LOG, "judgments_csv": JUDGMENTS},
        "judgments.csv: judgments to be matched by text; judgments.csv has no column for it. Name "
        "the column, --map text=NAME, or leave out --set judged_by=text.",
    ),
    "a key of the judgments alone": (
        {"log_csv": LOG, "judgments_csv": "text,topic,doc,grade\nx,t,a,1\n"},
        "judgments.csv: judgments to be matched by text; log.csv has no column for it. Name the "
        "column, --map text=NAME, or leave out --set judged_by=text.",
    ),
    "no judgments": (
        {"log_csv": "grade," + HEADER + "1,s1,1,1,a,t\n"},
        "log.csv: judgments to be matched by text; log.csv has no column for it. Name the column, "
        "--map text=NAME, or leave out --set judged_by=text.",
    ),
}


@pytest.mark.parametrize("what", UNUSABLE)
def test_a_chosen_key_that_cannot_be_used_is_refused(what: str, tmp_path: Path) -> None:
    files, message = UNUSABLE[what]
    written(tmp_path, **files)
    assert said(tmp_path, judged_by="text") == [message]


RATED = "session,topic,task,ease\ns1,x,t,4\ns2,x,t,5\n"  # the log's topics stand under task


def test_map_reaches_one_file(tmp_path: Path) -> None:
    files = {"log_csv": LOG, "judgments_csv": JUDGMENTS, "ratings_csv": RATED}
    written(tmp_path / "in", **files)
    assert "which is not the log's" in said(tmp_path)[0]
    for name in ("ratings.csv", "in/ratings.csv"):
        study = read_study(tmp_path, recipe=Recipe(mapping={f"{name}:topic": "task"}))
        assert study.sessions["ease"].tolist() == [4.0, 5.0]
    without = read_study(tmp_path, recipe=Recipe(mapping={"ratings.csv:topic": ""}))
    assert without.sessions["topic_2"].tolist() == ["x", "x"]


def test_map_reaches_one_of_two_logs_with_the_same_columns(tmp_path: Path) -> None:
    header = HEADER.replace("topic", "topic,task")
    a, b = header + "s1,1,1,a,t,x\n", header + "s2,1,1,a,x,t\n"
    written(tmp_path, a_csv=a, b_csv=b, judgments_csv=JUDGMENTS)
    study = read_study(tmp_path, recipe=Recipe(mapping={"b.csv:topic": "task"}))
    assert study.queries["topic"].tolist() == ["t", "t"]


WRONG = {
    "rating.csv:topic=task": "--map: no file 'rating.csv'; the files are log.csv, judgments.csv. "
    "Correct --map.",
    "judgments.csv:topic=task": "judgments.csv, line 1: no column 'task'; the file's columns are "
    "topic, doc, grade. Correct --map.",
    "rank=(none)": "log.csv: rank=(none); a table of its kind needs a column for rank. "
    "Correct --map.",
    "query_number=(none)": "log.csv: query_number=(none); a table of its kind needs a column for "
    "query_number. Correct --map. If there is none, say what a query is: --set query_by=COLUMN.",
    "judgments.csv:grade=(none)": "judgments.csv: grade=(none); a table of its kind needs a column "
    "for grade. Correct --map.",
    "log.csv:session=doc": "log.csv, line 1: column 'doc' as doc and as session; a column can "
    "have only one role. Say which is which: --map doc=NAME,session=NAME.",
    "log.csv:session=doc,log.csv:doc=doc": "log.csv, line 1: the texts of doc ('a', 'b') as "
    "session; documents need a column of their own. Say which is which: --map "
    "doc=NAME,session=NAME.",
}


@pytest.mark.parametrize("given", WRONG)
def test_map_that_does_not_fit_is_refused(
    given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)
    assert sdcg.main(["check", *map(str, files.values()), "--map", given]) == 2
    assert capsys.readouterr().err == WRONG[given] + "\n"


def test_queries_by_a_column_need_sessions_which_others_may_tell(tmp_path: Path) -> None:
    log = "Study,,,,\n,,,,\nwho,ask,rank,doc,topic\np,x,1,a,t\np,y,1,b,t\n"
    written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    lines = said(tmp_path, {"searcher": "who"}, kinds={"log.csv": "log"}, query_by="ask")
    assert lines[0].startswith("log.csv, line 3: session missing; ")
    assert lines[0].endswith("say what a session is: --session-by searcher,topic.")


def test_each_role_that_is_not_needed_can_be_taken_away(tmp_path: Path) -> None:
    roles = "clicked", "examined", "system", "searcher", "text", "time"
    header, *rows = LOG.splitlines()
    odd = [f"{','.join([f'odd {i}'] * len(roles))},{row}\n" for i, row in enumerate(rows)]
    log = f"{','.join(roles)},{header}\n{''.join(odd)}"
    files = written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    plain = written(tmp_path / "plain", log_csv=LOG, judgments_csv=JUDGMENTS)
    for none in ("", "(none)"):
        given = ",".join(f"{role}={none}" for role in roles)
        assert sdcg.main(["check", *map(str, files.values()), "--map", given]) == 0
    study = read_study(*files.values(), recipe=Recipe(mapping=dict.fromkeys(roles, "")))
    assert study.digest == read_study(*plain.values()).digest


TWINS = {
    "session": (HEADER + "a,1,1,a,t\nb,1,1,b,t\n", JUDGMENTS),
    "grade": (LOG, "topic,doc,grade\nt,a,a\nt,b,b\n"),
    "searcher": ("searcher," + HEADER + "a,s1,1,1,a,t\n,s1,2,,,t\nb,s2,1,1,b,t\n", JUDGMENTS),
}


@pytest.mark.parametrize("role", TWINS)
def test_a_column_that_repeats_the_documents_is_refused(role: str, tmp_path: Path) -> None:
    log, judgments = TWINS[role]
    written(tmp_path, log_csv=log, judgments_csv=judgments)
    (line,) = said(tmp_path)
    assert line.split("; ")[0].endswith(f"line 1: the texts of doc ('a', 'b') as {role}")


def test_numbers_may_be_alike_and_topics_called_after_their_document(tmp_path: Path) -> None:
    log = HEADER + "s1,1,1,1,d1\ns1,1,2,2,d1\n"
    written(tmp_path, log_csv=log, judgments_csv="topic,doc,grade\n1,1,1\nd1,1,1\n")
    assert len(read_study(tmp_path).results) == 2
