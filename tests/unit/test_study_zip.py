"""A study as a zip of tables: it reads back to the same, with its tags, and no cell is run."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.annotations import cleaned_tags
from sdcg_explorer.study.study import Study
from tests.support import plain_files, refusals, tables, zips
from tests.support.studies import small

TEXTS = [
    *("=1+1", "+1", "-1", "-1.5", "@x", "\tx", "=", "-", "'=1+1", "''-1", "'quoted'", "'", '"'),
    *("a,b", "a;b", "a;b;c;d;e;f;g;h;i;j;k;l;m", "a\nb", "a\n\n=b", "c\td", "#d", '""', "01", "1"),
    *(" =1", " lead", "trail ", "two  blanks", "é", "🙂", "مرحبا", "\u00a0y"),
    *("true", "NULL", "nan"),
]
NAMES = [  # of columns without a role: most are a role's other names, taken already
    *("doc_id", "url", "user", "session_id", "rank ", "position", "query", "qno", "label", "task"),
    *("=SUM(A1)", "+x", "-x", "@x", "'=x", "''+x", "'x'", "a,b", 'say "x"', "née 🙂", " lead"),
    *("tab\tin it", "column", "2", "true"),
]
ROLES = ("grade", "system", "searcher", "text", "time", "clicked", "examined")
HEADER = ("session", "query_number", "rank", "doc", "topic")
ROWS: list[tuple[Any, ...]] = [
    ("s1", 1, 1, "a", "t"),
    ("s1", 2, "", "", "t"),
    *(("s2", 1, r, "-bc"[r], "t") for r in (1, 2)),
]
GRADES = [("t", *own) for own in zip("abcde", ("2", "-2", "0.5", "1e-05", ".1"), strict=True)]
NUMBERS = "0.1", ".30000000000000004", "-3", "1e-7", "12345678901234567890"
# what was repaired or left out of the files is no part of the tables


def read_rows(folder: Path, header: Any, rows: Any, judged: Any = GRADES, **options: Any) -> Study:
    """Study of a log with these rows, and judgments."""
    log = plain_files.write_rows(folder / "log.csv", header, rows)
    judgments = plain_files.write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), judged)
    return read_study(log, judgments, **options)


def with_column(name: str, of: int = 1) -> Callable[[Path], Study]:
    """Study whose log has one more column: a value for each session (1) or query (2)."""
    rows = [[*row, f"v {row[:of]}"] for row in ROWS]
    return lambda folder: read_rows(folder, [*HEADER, name], rows)


def called_as(role: str) -> Callable[[Path], Study]:
    """Study with a column called as a role that another column has."""
    header = [*(f"my {name}" if name == role else name for name in HEADER), role]
    rows, recipe = [[*row, f"v {row[0]}"] for row in ROWS], Recipe(mapping={role: f"my {role}"})
    return lambda folder: read_rows(folder, header, rows, recipe=recipe)


def of_json(**more: str) -> Callable[[Path], Study]:
    """Study of what only JSON can hold."""
    row = dict(zip(HEADER, ROWS[0], strict=True)) | {"grade": 1} | more
    return lambda folder: tables.read(folder, log_jsonl=json.dumps(row))


def hostile(folder: Path) -> Study:
    """Study in which every text stands for everything that has a name or text."""
    header = ["session", "system", "searcher", "topic", "query_number", "text", "time"]
    rows: list[list[object]] = []
    for i, text in enumerate(TEXTS):
        who: list[object] = [text, text, "" if i % 3 == 0 else text, text]
        rows.append([*who, 1, text, text, 1, text, 1, text, text, "", i / 10])
        rows.append([*who, 1, text, text, 7, f"{text} 2", 0, text, text, "", i / 10])
        rows.append([*who, 2, "", "", "", "", "", text, f"{text}{text}", 0.1 + i / 7, ""])
    more = ["rank", "doc", "clicked", "of session", "of query", "number", "other"]
    judged = [(text, text, (-2, 0.5, 3)[i % 3]) for i, text in enumerate(TEXTS)]
    return read_rows(folder, header + more, rows, judged)


def without_role(folder: Path) -> Study:
    """Each name for a column of sessions, and with more to it for one of queries."""
    header = [*HEADER, *ROLES, *NAMES, *(f"{name}/q" for name in NAMES)]
    rows = [
        [*row, "", "A", "p", "q", "", "", ""]
        + [f"{name}: {row[:of]}" for of in (1, 2) for name in NAMES]
        for row in ROWS
    ]
    study = read_rows(folder, header, rows)
    assert study.sessions.columns[3:].tolist() == NAMES
    assert study.queries.columns[5:].tolist() == [f"{name}/q" for name in NAMES]
    return study


def numbers(folder: Path) -> Study:
    """Numbers with missing ones, and grades of any scale."""
    more = [(*NUMBERS, *NUMBERS), (*["5"] * 5, *NUMBERS), *[("",) * 10] * 2]
    rows = [[*row, *cells] for row, cells in zip(ROWS, more, strict=True)]
    names = [f"of {what} {i}" for what in ("query", "session") for i in range(5)]
    judged = [("t", "abcdef"[i], g) for i, g in enumerate((*NUMBERS[:4], "1e2", "0.001e-99"))]
    study = read_rows(folder, [*HEADER, *names], rows, judged)
    assert [float(study.sessions[n].iloc[0]) for n in names[5:]] == [*map(float, NUMBERS)]
    assert [study.queries[name].isna().tolist() for name in names[:5]] == [[False, False, True]] * 5
    return study


def gaps(folder: Path) -> Study:
    """Query numbers that are kept with gaps."""
    rows = [("s", 1, 1, "a", "t", 1), ("s", 4, 1, "b", "t", 0)]
    log = plain_files.write_rows(folder / "log.csv", (*HEADER, "grade"), rows)
    return read_study(log, recipe=Recipe(query_numbers="keep"))


NOT_YET = (  # columns that could be mistaken, of sessions or queries
    *(("Topic", 1), ("TOPIC", 2), ("Doc", 1), ("Doc", 2), ("Query Number", 1)),
    ("satisfaction (1=low; 3=mid; 5=high)", 1),
)
STUDIES: dict[str, Callable[[Path], Study]] = {
    **{each.__name__: each for each in (hostile, without_role, numbers, gaps)},
    **{f"called as {role}": called_as(role) for role in HEADER},
    **{f"{name} of {of}": with_column(name, of) for name, of in NOT_YET},
    "a name of two lines": of_json(**{"Satisfied?\n(1–5)": "3"}),
    "a text with \\r": of_json(query="a\rb"),
    **{
        f"called {name!r}": lambda _, name=name: replace(small(), name=name or "study", note=name)
        for name in ("Étude “1” # 🙂 \\ \n\t'", "{digest}", "]\n[x]", "\x7f", "")
    },
}


@pytest.mark.parametrize("what", STUDIES)
def test_study_reads_back_with_tags_on_two_thirds_of_its_queries(what: str, tmp_path: Path) -> None:
    study, chance = STUDIES[what](tmp_path), random.Random(5)
    queries = zip(study.queries["session"], study.queries["query_number"].tolist(), strict=True)
    texts = [*TEXTS, "查询", "e\u0301", "x" * 60, "typo"]
    tags = {
        (str(session), number): cleaned_tags(chance.sample(texts, chance.randint(1, 3)))
        for session, number in queries
        if chance.random() < 2 / 3
    }
    zips.assert_reads_back(replace(study, tags=tags), tmp_path)


CHANGED = {  # file, what is replaced in it, and what is said
    "a newer format": (
        *("study_toml", b"format = 1", b"format = 2"),
        "study.toml, line 1: format 2; this version reads format 1. Update sDCG Explorer",
    ),
    "another name": ("tags_csv", b"number,tag", b"number,label", "another header"),
    "capitals": ("tags_csv", b"session,query_number,tag", b"Session,Query_Number,Tag", "another"),
    "a column twice": ("tags_csv", b"number,tag", b"number,tag,tag", "column 'tag' twice"),
}


@pytest.mark.parametrize("what", CHANGED)
def test_what_was_changed_is_refused(what: str, tmp_path: Path) -> None:
    file, old, new, said = CHANGED[what]
    content = study_zip(replace(small(), tags={("s1", 1): ("typo",)}), *zips.PLAIN)
    line, *_ = refusals.refused(lambda: zips.read_back(tmp_path, content, **{file: (old, new)}))
    assert line.startswith(f"{file.replace('_', '.')}, line ")
    assert said in line


@pytest.mark.parametrize(("file", "old"), [("log_csv", b"d4"), ("judgments_csv", b"d9")])
def test_changed_table_and_tags_of_unknown_queries_are_said(
    file: str, old: bytes, tmp_path: Path
) -> None:
    content = study_zip(replace(small(), tags={("s1", 1): ("typo",)}), *zips.PLAIN)
    back = zips.read_back(tmp_path, content, **{file: (old, b"d5")})
    assert back.digest != small().digest
    found = [str(problem) for problem in back.problems if "study.toml" in problem.found]
    rule = "the tables were changed after they were written. Nothing to do if you changed them."
    assert found == [f"log.csv: another digest than study.toml names; {rule}"]
    back = zips.read_back(tmp_path, content, tags_csv=(b'"s1",1,"typo"', b"zz,1,typo"))
    assert any("tag" in str(said) for said in (*back.problems, *back.report.left_out))
