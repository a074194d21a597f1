"""Readings that names don't tell: found by what columns hold, taken where clear, else offered."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.propose import judged_share
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import DEFAULT, Recipe
from sdcg_explorer.reading.samples import SAMPLES
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.plain_files import report_of, written

JUDGED = "need,paper,worth\nbees,p1,0\nbees,p2,2\nbees,p3,1\nwasps,p2,1\nwasps,p4,3\n"
# by what tells queries apart: a log, its columns in any order, and the options that say the same
LOGS = {
    "ids": (
        "visit,need,search_key,words,at,slot,paper\n"
        "v1,bees,7fe0,hives,2031-02-03 09:10:00,1,p1\nv1,bees,7fe0,hives,2031-02-03 09:10:00,2,p2\n"
        "v1,bees,01ab,hive health,2031-02-03 09:08:00,1,p3\n"
        "v2,wasps,c4d4,nests,2031-02-04 10:00:00,1,p4\n"
        "v2,wasps,aa10,nests in roofs,2031-02-04 10:02:00,1,p2\n"
    ),
    "lists": (
        "session,need,time,query,docs\ns1,bees,0,hives,p1;p2\ns1,bees,95,hive health,p3\n"
        "s2,wasps,0,nests,p4\ns2,wasps,60,nests in roofs,p2\n"
    ),
}


def study_of(folder: Path, *, log: str, judged: str = JUDGED, **more: str) -> Study:
    """A study of a log, judgments and further tables."""
    return read_study([*written(folder, log_csv=log, judged_csv=judged, **more).values()])


def counts(study: Study) -> tuple[int, int, int, float]:
    """Sessions, queries, results and the share that is judged."""
    tables = study.sessions, study.queries, study.results
    sessions, queries, results = map(len, tables)
    return sessions, queries, results, round(judged_share(study), 3)


def taken(study: Study) -> list[str]:
    """Options that say the same as what was taken."""
    said = [str(problem) for problem in study.report.problems if problem.found[:7] == "read as"]
    return shlex.split(said[0].partition("To say so: ")[2].rstrip("."))


@pytest.mark.parametrize("name", LOGS)
def test_queries_without_numbers_go_by_their_times(name: str, tmp_path: Path) -> None:
    study = study_of(tmp_path, log=LOGS[name])
    assert counts(study) == (2, 4, 5, 1.0)
    first = study.results[study.results["query_number"] == 1]
    assert sorted(first["doc"]) == (["p3", "p4"] if name == "ids" else ["p1", "p2", "p4"])


@pytest.mark.parametrize("name", LOGS)
def test_what_was_taken_is_said_as_options(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_of(tmp_path, log=LOGS[name])
    files = [str(tmp_path / "log.csv"), str(tmp_path / "judged.csv")]
    assert sdcg.main(["check", *files, *taken(study)]) == 0
    out = capsys.readouterr().out
    assert "results: 5" in out
    assert "read as" not in out


WITHIN = "person,engine,nr,words,slot,paper\n" + "".join(
    f"{who},{engine},{q},{who} {engine} {q},{rank},p{(3 * q + rank + len(engine)) % 4 + 1}\n"
    for who in ("ada", "bo", "cy")
    for engine in ("old", "brandnew")
    for q in (1, 2)
    for rank in (1, 2, 3)
)


def test_who_worked_with_several_systems_is_no_session(tmp_path: Path) -> None:
    """Nothing names topics: both ways are offered, and each option leads to its study."""
    with pytest.raises(UnusableInputError) as refused:
        study_of(tmp_path, log=WITHIN, judged=BY_PAPER)
    offered = [line for line in refused.value.lines() if "Read with --" in line]
    assert [line.split(" judged; ")[0] for line in offered] == [
        "files: 6 sessions, 12 queries, 36 results, 100 %"
    ] * 2
    files = [tmp_path / "log.csv", tmp_path / "judged.csv"]
    topics = [option_study(line, files).queries["topic"].nunique() for line in offered]
    assert topics == [1, 6]


def option_study(line: str, files: list[Path]) -> Study:
    """The study that the options of a line lead to."""
    options = shlex.split(line.partition("Read with ")[2].rstrip("."))
    names = [option.removeprefix("--").replace("map", "mapping") for option in options[::2]]
    pairs = zip(names, options[1::2], strict=True)
    texts = [value if name == "set" else f"{name}={value}" for name, value in pairs]
    return read_study(files, recipe=DEFAULT.with_texts(texts))


def test_ratings_join_by_the_columns_that_tell_sessions_apart(tmp_path: Path) -> None:
    rated = "person,engine,liking\nada,old,2\nada,brandnew,5\nbo,old,1\nbo,brandnew,4\ncy,old,3\n"
    files = written(tmp_path, log_csv=WITHIN, judged_csv=BY_PAPER, rated_csv=rated)
    study = read_study([*files.values()], recipe=Recipe(topics_by="one"))
    assert counts(study)[:3] == (6, 12, 36)
    assert sorted(study.sessions["liking"].dropna().astype(float)) == [1, 2, 3, 4, 5]


BY_PAPER = "paper,worth\np1,0\np2,2\np3,1\np4,3\n"


def refused_lines(folder: Path, recipe: Recipe, **tables: str) -> list[str]:
    """The lines with which tables are refused."""
    with pytest.raises(UnusableInputError) as refused:
        read_study([*written(folder, **tables).values()], recipe=recipe)
    return refused.value.lines()


def test_what_the_nearest_reading_lacks_is_said(tmp_path: Path) -> None:
    judged = BY_PAPER.replace("worth", "grade")
    tables = {"log_csv": WITHIN, "judged_csv": f"{judged}p9,seven\n"}
    first, second = refused_lines(tmp_path, Recipe(topics_by="one"), **tables)
    assert first.startswith("files: nearest reading: 6 sessions, 12 queries, 36 results, 100 %")
    assert second.startswith("judged.csv, line 6: grade")


@pytest.mark.parametrize("said", [{"mapping": {"session": "person"}}, {"session_by": "engine"}])
def test_what_was_said_is_never_overruled(said: dict[str, Any], tmp_path: Path) -> None:
    recipe = Recipe(topics_by="one", **said)
    lines = refused_lines(tmp_path, recipe, log_csv=WITHIN, judged_csv=BY_PAPER)
    assert not any("6 sessions" in line for line in lines)


def test_documents_without_grades_are_asked(tmp_path: Path) -> None:
    judged = "need,paper\nbees,p2\nwasps,p4\n"
    lines = refused_lines(tmp_path, DEFAULT, log_csv=LOGS["ids"], judged_csv=judged)
    (offered,) = (line for line in lines if "Read with" in line)
    assert offered.endswith("--grade judged.csv=1.")
    assert "40 % judged" in offered
    (tmp_path / "judged.csv").rename(tmp_path / "a, b.csv")  # a name that no option can have
    with pytest.raises(UnusableInputError):
        read_study(tmp_path)


def test_a_table_that_may_judge_a_log_with_grades_is_asked(tmp_path: Path) -> None:
    log = "session,query_number,topic,rank,doc,grade\n" + "".join(
        f"u1,1,u1,{rank},p{rank},{5 - rank}\n" for rank in range(1, 5)
    )
    judged = "topic,Werk,grade\nu1,p2,1\nu1,p3,0\nu1,p9,1\n"
    lines = refused_lines(tmp_path, DEFAULT, log_csv=log, judged_csv=judged)
    assert sorted("doc=Werk" in line for line in lines if "Read with" in line) == [False, True]
    weather = "day,temp,rain\n" + "".join(f"{i},{i % 7},{i % 3}\n" for i in range(1, 40))
    study = study_of(tmp_path, log=log, judged=weather)
    assert judged_share(study) == 1


def test_a_few_rows_without_names_are_asked_however_well_they_fit(tmp_path: Path) -> None:
    log = "f0,f1,f2\n71,d11,1\n71,d12,2\n72,d21,1\n72,d11,2\n"
    judged = "f0,f1,f2,f3\n71,0,d11,1\n72,0,d21,1\n"
    lines = refused_lines(tmp_path, DEFAULT, log_csv=log, judged_csv=judged)
    assert any("2 sessions, 2 queries, 4 results, 50 %" in line for line in lines)


TWO_TIMES = (
    "visit,need,search_key,sent_at,seen_at,slot,paper\n"
    "v1,bees,7fe0,2031-02-03 09:10,2031-02-03 09:10,1,p1\n"
    "v1,bees,01ab,2031-02-03 09:08,2031-02-03 09:12,1,p3\n"
    "v2,wasps,c4d4,2031-02-04 10:00,2031-02-04 10:01,1,p4\n"
    "v2,wasps,aa10,2031-02-04 10:02,2031-02-04 10:03,1,p2\n"
)


def test_times_that_order_queries_otherwise_are_asked(tmp_path: Path) -> None:
    lines = refused_lines(tmp_path, DEFAULT, log_csv=TWO_TIMES, judged_csv=JUDGED)
    offered = " ".join(lines)
    assert "in the order of sent_at," in offered
    assert "in the order of seen_at," in offered
    agreeing = TWO_TIMES.replace("09:08", "09:11")
    study = study_of(tmp_path, log=agreeing)
    assert study.queries["query_number"].tolist() == [1, 2, 1, 2]


ALONE = {  # tables that hold grades of their own, under names of their makers
    "each query a session": (
        "board,wording,doc id,doc position,heading,rating\nA,hives,p1,1,Hives,3\n"
        "A,hives,p2,2,Bees,\nA,hive health,p2,1,Bees,2\n",
        "csv",
        (2, 2, 3),
    ),
    "expected documents beside": (
        "run_id,query,expected_docs,rank,document_id,is_match\n"
        "m1,hives,\"['p1', 'p3']\",1,p1,1\nm1,hives,\"['p1', 'p3']\",2,p2,0\n"
        "m2,nests,\"['p4', 'p9']\",1,p5,0\nm2,nests,\"['p4', 'p9']\",2,p4,1\n",
        "csv",
        (2, 2, 4),
    ),
    "a list in a list": (
        '{"dialog": "c1", "turn": 1, "hits": [{"chunk": "k1", "says": {"relevance": 2}}, '
        '{"chunk": "k2", "says": {"relevance": 0}}]}\n{"dialog": "c1", "turn": 2, "hits": []}\n'
        '{"dialog": "c2", "turn": 1, "hits": [{"chunk": "k7", "says": {"relevance": 1}}]}\n',
        "jsonl",
        (2, 3, 3),
    ),
}


@pytest.mark.parametrize("name", ALONE)
def test_one_table_with_grades_of_its_own_is_asked(name: str, tmp_path: Path) -> None:
    """Each line that is printed leads to that study."""
    text, ending, counted = ALONE[name]
    file = tmp_path / f"export.{ending}"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableInputError) as refused:
        read_study([file])
    offered = [line.partition("Read with ")[2].rstrip(".") for line in refused.value.lines()]
    for options in filter(None, offered):
        out = report_of(file, *shlex.split(options))
        assert tuple(out[noun] for noun in ("sessions", "queries", "results")) == counted
        assert "expected_docs" not in options
    assert any(offered)


NUMBERED = "session,query_number,rank,doc\n" + "".join(
    f"s{s},{q},{r},{(7 * s + 11 * q + 3 * r) % 50}\n"
    for s in range(4)
    for q in (1, 2)
    for r in range(1, 9)
)


@pytest.mark.parametrize("other", ["day,temp,rain", "session,q1,q2", "id,age,group"])
def test_a_table_of_something_else_judges_nothing(other: str, tmp_path: Path) -> None:
    """Its numbers are documents of the log by chance, so that at most it is asked."""
    rows = "".join(f"{'s' * (other[0] == 's')}{i},{i % 7},{i % 3}\n" for i in range(1, 40))
    refused_lines(tmp_path, DEFAULT, log_csv=NUMBERED, other_csv=f"{other}\n{rows}")


def test_a_study_that_names_make_is_asked_where_sessions_have_several_searchers(
    tmp_path: Path,
) -> None:
    """Visits are numbered for each person: who takes them for sessions mixes five people."""
    rows = "".join(
        f"{who},{visit},{10 * who + q},{rank},p{(who + q + rank) % 4 + 1},t\n"
        for who in range(5)
        for visit in (1, 2)
        for q in range(2 * visit, 2 * visit + 2)
        for rank in (1, 2)
    )
    log = f"worker,session,query_number,rank,doc,topic\n{rows}"
    judged = BY_PAPER.replace("\np", "\nt,p").replace("paper,worth", "topic,doc,grade")
    lines = refused_lines(tmp_path, DEFAULT, log_csv=log, judged_csv=judged)
    assert "10 sessions, 20 queries, 40 results, 100 % judged" in lines[1]
    assert "2 sessions, 20 queries, 40 results, 100 % judged" in lines[-1]
    files = [tmp_path / "log.csv", tmp_path / "judged.csv"]
    assert [len(option_study(line, files).sessions) for line in (lines[1], lines[-1])] == [10, 2]


def unnamed(table: pd.DataFrame, at: int) -> pd.DataFrame:
    """A table whose columns have names without a meaning."""
    return table.set_axis([f"{'ab'[at]}{i}" for i in range(table.shape[1])], axis="columns")


def shuffled(table: pd.DataFrame, at: int) -> pd.DataFrame:
    """A table with its columns in another order."""
    order = np.random.default_rng(at).permutation(table.shape[1])
    return table.iloc[:, order]


def mixed(table: pd.DataFrame, _: int) -> pd.DataFrame:
    """A table with its rows in another order."""
    return table.sample(frac=1, random_state=7)


CHANGES: dict[str, Callable[[pd.DataFrame, int], pd.DataFrame]] = {
    "names": unnamed,
    "columns": shuffled,
    "rows": mixed,
    "all": lambda table, at: mixed(shuffled(unnamed(table, at), at), at),
}
FOREIGN = "day,place,rain,grade\n" + "".join(f"d{i},x{i % 3},{i % 5},{i % 4}\n" for i in range(20))


def worth(study: Study) -> tuple[object, ...]:
    """What is shown where, and its grade, whatever sessions are called."""
    shown, results = study.arranged_results(), study.results
    rows = zip(shown.session, shown.number, shown.rank, results["doc"], shown.label, strict=True)
    lists: dict[int, list[tuple[object, ...]]] = {}
    for session, *row in rows:
        lists.setdefault(int(session), []).append(tuple(row))
    return counts(study), sorted(sorted(map(str, rows)) for rows in lists.values())


@pytest.mark.parametrize("change", [*CHANGES, "foreign", "no log", "no judgments"])
@pytest.mark.parametrize("source", ["ids", "three_sessions"])
def test_a_changed_form_is_the_same_study_or_is_asked(
    source: str, change: str, tmp_path: Path
) -> None:
    if source == "three_sessions":
        texts = [(SAMPLES / source / f"{name}.csv").read_text() for name in ("log", "judgments")]
    else:
        texts = [LOGS[source], JUDGED]
    plain = study_of(tmp_path / "plain", log=texts[0], judged=texts[1])
    files = [*written(tmp_path / "new", log_csv=texts[0], judged_csv=texts[1]).values()]
    if change in CHANGES:
        for at, path in enumerate(files):
            table = pd.read_csv(path, dtype=str, keep_default_na=False)
            CHANGES[change](table, at).to_csv(path, index=False)
    elif change == "foreign":
        files += written(tmp_path / "more", weather_csv=FOREIGN).values()
    else:
        del files[change == "no judgments"]
    try:
        study = read_study(files)
    except UnusableInputError:
        return
    assert worth(study) == worth(plain)
