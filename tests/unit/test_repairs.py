"""Files as spreadsheets make them: repaired and said, and the clean study."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sdcg_explorer.export.study_zip import study_files
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import FIXES, GUESSED, Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.formats import Table, workbook_of
from tests.unit.test_formats import put

LOG = """session,query_number,rank,doc,topic,clicked,text
s1,1,1,a,t,1,Tea pots
s1,1,2,b,t,0,Tea pots
s1,2,1,c,t,1,tea
s2,1,1,b,u,0,tea
"""
JUDGMENTS = "topic,doc,grade\nt,a,1.5\nt,b,0\nu,b,80\n"
NUMBERS = JUDGMENTS.replace("u,", "9,")
BY_TEXT = "text,doc,grade\nTea pots,a,1\ntea,c,2\n"
HEAD, *ROWS = LOG.splitlines()
GERMAN = "Sitzungs-ID;Anfrage;Rang;Dokument;Thema;geklickt;Suchbegriff"


def spoiled(*rows: str, head: str = HEAD, sign: str = ",") -> str:
    """A log of other rows."""
    return "\n".join([head.replace(",", sign), *rows, ""])


MERGED = [
    *("s1,1,1,a,t,1,tea", "s1,1,2,b,t,0,tea", "s1,1,3,c,t,0,tea"),
    *("s1,2,1,c,t,1,pots", "s1,2,2,d,t,0,pots", "s1,2,3,e,t,0,pots"),
]
TWO_ROWS = "Session,Query,,,Topic,Result,\n,number,rank,doc,,clicked,text\n"
TIMES = f"{HEAD},time\n" + "".join(f"{row},2023-03-15 12:0{i}:00\n" for i, row in enumerate(ROWS))
CLOCKS = f"{HEAD},dwell\n" + "".join(f"{row},{{}}\n" for row in ROWS)
DAYS = ("45000.5", "45000.500694444", "45000.501388889", "45000.502083333")
RATED = "session,ease,sure\ns1,4.5,1\ns2,3,0\n"
BY_NUMBER = "session,query_number,ease\ns1,1,4\ns1,2,5\n"
OWN = "wer,was,platz_nr,ding,worum,drauf,worte"

# by the cause: the clean files beside the usual, how they were spoiled, and the repairs made
SPOILED: dict[str, tuple[dict[str, str], dict[str, str], set[str]]] = {
    "title rows": ({}, {"log.csv": f"Study of 2026,,,,,,\n,,,,,,\n{LOG}"}, {"header-row"}),
    "a title without commas": ({}, {"log.csv": f"Our study\n\nmade in May\n{LOG}"},
                               {"header-row"}),
    "a title above own words": ({}, {"log.csv": f"Studie\n{spoiled(*ROWS, head=OWN)}"},
                                {"header-row"}),
    "a header in two rows": ({}, {"log.csv": TWO_ROWS + LOG.partition("\n")[2]},
                             {"header-row"}),
    "a blank row": ({}, {"log.csv": spoiled(*ROWS[:2], ",,,,,,", *ROWS[2:])}, {"blank-rows"}),
    "a blank column": ({}, {"log.csv": spoiled(*(f",{row}" for row in ROWS), head=f",{HEAD}")},
                       set()),
    "merged cells": ({"log.csv": spoiled(*MERGED)}, {"log.csv": spoiled(
        MERGED[0], ",,2,b,,0,", ",,3,c,,0,", ",2,1,c,,1,pots", ",,2,d,,0,", ",,3,e,,0,")},
        {"merged-cells"}),
    "merged cells of judgments": (
        {"judgments.csv": f"{JUDGMENTS}u,c,1\n"},
        {"judgments.csv": f"{JUDGMENTS}u,c,1\n".replace("t,b", ",b").replace("u,c", ",c")},
        {"merged-cells"}),
    "totals": ({}, {"log.csv": f"{LOG},,,,,,\nSumme:,,5,,,2,\nMittelwert,,,,,,\n"},
               {"blank-rows", "total-rows"}),
    "decimal commas": ({}, {"log.csv": LOG.replace("s1,1,", 's1,"1,0",'),
                            "judgments.csv": JUDGMENTS.replace("1.5", '"1,5"')},
                       {"decimal-comma"}),
    "percent": ({}, {"judgments.csv": re.sub(r"([0-9.]+)\n", r"\1 %\n", JUDGMENTS)},
                {"percent"}),
    "labels below the header": ({}, {"log.csv": f"{HEAD}\nID,Query,Place,Item,Task,Seen,Words\n"
                                     + LOG.partition("\n")[2]}, {"header-row"}),
    "labels and ids of Qualtrics": ({"r.csv": RATED}, {"r.csv": "session,ease,sure\n" + (
        'Which?,How easy?,Sure?\n"{""ImportId"":""a""}","{""ImportId"":""b""}",'
        '"{""ImportId"":""c""}"\n') + RATED.partition("\n")[2]}, {"header-row"}),
    "a note at the foot": ({}, {"log.csv": f"{LOG},,,,,,\n* clicks of a mouse,,,,,,\n"},
                           {"blank-rows", "note-rows"}),
    "a note of one cell": ({}, {"log.csv": f"{LOG}\n* clicks of a mouse\nSource: our lab\n"},
                           {"note-rows"}),
    "a note of two cells, and a count": (
        {}, {"log.csv": f"{LOG}End of export,,,4 lines,,,\n,,,4 lines,,,\n"}, {"note-rows"}),
    "quotes of another kind": ({}, {"log.csv": re.sub(r"[^,\n]+", r"'\g<0>'", LOG)},
                               {"quotes"}),
    "NA for nothing": ({"log.csv": f"{LOG}s2,2,,,u,,cup\n"},
                       {"log.csv": f"{LOG}s2,2,NA,NA,u,NA,cup\n"}, {"missing-words"}),
    "numbers of rows": ({"r.csv": RATED}, {"r.csv": "index,session,ease,sure\n1,s1,4.5,1\n"
                        "2,s2,3,0\n"}, {"row-numbers"}),
    "R's rows without a name": ({}, {"log.csv": f"{HEAD}\n" + "".join(
        f"{i},{row}\n" for i, row in enumerate(ROWS, start=1))}, set()),
    "whole numbers as pandas has them": (
        {name: text.replace("s1", "1").replace("s2", "2").replace("t,", "7,")
         for name, text in (("log.csv", LOG.replace("u,", "9,")), ("judgments.csv", NUMBERS))},
        {"log.csv": LOG.replace("s1", "1.0").replace("s2", "2.0").replace(",t,", ",7.0,")
         .replace(",u,", ",9.0,"), "judgments.csv": NUMBERS.replace("t,", "7,")},
        {"whole-numbers"}),
    "ja and nein": ({}, {"log.csv": LOG.replace(",t,1,", ",t,Ja,").replace(",t,0,", ",t,nein,")},
                    {"yes-no"}),
    "x and ✓": ({}, {"log.csv": LOG.replace(",t,1,", ",t,x,").replace(",t,0,", ",t,,")},
                {"yes-no"}),
    "WAHR and FALSCH": ({}, {"log.csv": LOG.replace(",t,1,", ",t,WAHR,")
                             .replace(",t,0,", ",t,FALSCH,")}, {"yes-no"}),
    "TRUE and FALSE": ({}, {"log.csv": LOG.replace(",t,1,", ",t,TRUE,")
                            .replace(",t,0,", ",t,FALSE,")}, set()),
    "times of clocks": (
        {"log.csv": CLOCKS.format("95", "", "20", "3720.5")},
        {"log.csv": CLOCKS.format("1:35", "", "00:00:20", "1:02:00.5")}, {"clock-times"}),
    "thousands": ({}, {"log.csv": LOG.replace("s1,2,", 's1,"1,002",')}, {"thousands"}),
    "dates as serial numbers": ({"log.csv": TIMES}, {"log.csv": "".join(
        [f"{HEAD},time\n", *(f"{row},{day}\n" for row, day in zip(ROWS, DAYS, strict=True))])},
        {"serial-dates"}),
    "ratings with commas": ({"r.csv": RATED}, {"r.csv": RATED.replace("4.5", '"4,5"')},
                            {"decimal-comma"}),
    "ratings with ja and nein": ({"r.csv": RATED}, {"r.csv": RATED.replace(",1\n", ",ja\n")
                                 .replace(",0\n", ",nein\n")}, {"yes-no"}),
    "ratings by 1,0": ({"r.csv": BY_NUMBER}, {"r.csv": BY_NUMBER.replace("s1,1", 's1,"1,0"')},
                       {"decimal-comma"}),
    "texts in capitals": ({"judgments.csv": BY_TEXT},
                          {"judgments.csv": BY_TEXT.replace("Tea pots", "TEA  pots")},
                          {"text-case"}),
    "all of it": ({}, {
        "log.csv": "\n".join(["Studie;;;;;;", GERMAN, *(r.replace(",", ";") for r in ROWS[:2]),
                              ";;;;;;", *(r.replace(",", ";").replace("t;1;", "t;ja;")
                                          for r in ROWS[2:]), "Gesamt;;3;;;;", ""]),
        "judgments.csv": "Thema;Dokument;Relevanz\nt;a;1,5\nt;b;0\nu;b;80\n",
    }, {"header-row", "blank-rows", "yes-no", "total-rows", "decimal-comma"}),
}  # fmt: skip


@pytest.mark.parametrize("cause", SPOILED)
def test_repairs_make_the_study_of_the_clean_files(cause: str, tmp_path: Path) -> None:
    own, files, repairs = SPOILED[cause]
    clean = {"log.csv": LOG, "judgments.csv": JUDGMENTS, **own}
    study = read_study(put(tmp_path / "clean", bytes_of(clean)))
    folder = put(tmp_path / "spoiled", bytes_of(clean | files))
    words = {
        f"log.csv:{role}": word for role, word in zip(HEAD.split(","), OWN.split(","), strict=True)
    }
    mapping = words if OWN in files.get("log.csv", "") else {}
    asked = repairs & {*GUESSED}
    if asked:
        assert offers_of(folder, mapping) == asked
    made = read_study(folder, recipe=Recipe(fix=",".join(asked), mapping=mapping))
    assert made.digest == study.digest
    assert {p.fix for p in made.problems if p.severity == "note"} - {""} == repairs
    said = {rule.casefold() for rule in (*made.report.repaired, *made.report.left_out)}
    assert {FIXES[each].casefold() for each in repairs} <= said
    for fix in repairs - asked:
        assert FIXES[fix].casefold() not in rules_of(folder, f"{fix}=off", mapping)


def offers_of(folder: list[Path], mapping: dict[str, str]) -> set[str]:
    """What is offered where nobody asked; where a study is refused, that alone is why."""
    try:
        made = read_study(folder, recipe=Recipe(mapping=mapping))
        return {problem.fix for problem in made.problems if problem.severity != "note"} - {""}
    except UnusableInputError as refused:
        return {problem.fix for problem in refused.problems}


def rules_of(folder: list[Path], fix: str, mapping: dict[str, str]) -> set[str]:
    """What was repaired or left out without a repair; nothing where that makes no study."""
    try:
        report = read_study(folder, recipe=Recipe(fix=fix, mapping=mapping)).report
    except UnusableInputError:
        return set()
    return {rule.casefold() for rule in (*report.repaired, *report.left_out)}


def bytes_of(files: dict[str, str]) -> dict[str, bytes]:
    """Files as they are written."""
    return {name: text.encode() for name, text in files.items()}


KEYS = "session,query_number", "searcher,time"  # of merged cells


@pytest.mark.parametrize("keys", KEYS)
def test_merged_cells_take_what_stands_above(keys: str, tmp_path: Path) -> None:
    head = f"{keys},rank,doc,topic,text"
    by = Recipe(kinds={"log.csv": "log"})
    if keys == KEYS[1]:
        by = replace(by, session_by="searcher", query_by="time")
    texts = {"11": "tea", "12": "pots", "21": "", "22": "cups"}
    shown = [(s, q, rank, "ab"[int(rank) - 1] + q) for s in "12" for q in "12" for rank in "12"]
    clean = [f"s{s},{q},{rank},{doc},t,{texts[s + q]}" for s, q, rank, doc in shown]
    merged = [
        f"{'s' + s if first and q == '1' else ''},{q if first else ''},{rank},{doc},"
        f"{'t' if first and q == '1' else ''},{texts[s + q] if first else ''}"
        for s, q, rank, doc in shown
        for first in (rank == "1",)
    ]
    judgments = "topic,doc,grade\nt,a1,1\n"
    paths = [
        put(tmp_path / name, bytes_of({"log.csv": spoiled(*rows, head=head), "j.csv": judgments}))
        for name, rows in (("clean", clean), ("merged", merged))
    ]
    with pytest.raises(UnusableInputError) as refused:
        read_study(paths[1], recipe=by)
    assert [(p.fix, p.count, p.line) for p in refused.value.problems] == [("merged-cells", 6, 3)]
    made = read_study(paths[1], recipe=replace(by, fix="merged-cells"))
    assert made.digest == read_study(paths[0], recipe=by).digest


def test_a_row_without_a_system_searcher_or_topic_has_that_of_the_rows_beside(
    tmp_path: Path,
) -> None:
    head = "session,query_number,rank,doc,system,searcher,topic\n"
    log = f"{head}s1,1,1,a,A,p,t\ns1,1,2,b,A,p,t\ns1,2,1,c,A,p,u\ns2,1,1,a,,,\n"
    bare = f"{head}s1,1,1,a,,p,\ns1,1,2,b,A,,t\ns1,2,1,c,,,u\ns2,1,1,a,,,\n"
    studies = [
        read_study(put(tmp_path / name, bytes_of({"log.csv": text, "judgments.csv": JUDGMENTS})))
        for name, text in (("full", log), ("bare", bare))
    ]
    assert len({study.digest for study in studies}) == 1
    filled = {f"rows without a {role} have that of their {of}": count for role, of, count in (
        ("system", "session", 2), ("searcher", "session", 2), ("topic", "query", 1))}  # fmt: skip
    assert filled.items() <= studies[1].report.repaired.items()


def test_a_workbook_is_repaired_as_a_table_is(tmp_path: Path) -> None:
    rows = [tuple(row.split(",")) for row in ROWS]
    header = tuple(HEAD.split(","))
    book = workbook_of(log=Table(("Studie",), [(None,) * 7, header, *rows]))
    folder = put(tmp_path / "book", {"log.xlsx": book, "judgments.csv": JUDGMENTS.encode()})
    plain = put(tmp_path / "plain", bytes_of({"log.csv": LOG, "judgments.csv": JUDGMENTS}))
    digest = read_study(plain).digest
    for fix in ("", "log.xlsx:header-row=3"):
        made = read_study(folder, recipe=Recipe(fix=fix))
        assert made.digest == digest
        assert [each.lines.tolist() for each in made.report.changes] == [[1]]
    with pytest.raises(UnusableInputError):
        read_study(folder, recipe=Recipe(fix="log.xlsx:header-row=1"))


def test_what_no_repair_helps_is_said(tmp_path: Path) -> None:
    log = LOG.replace("s1,2,1,", "s1,2,zwei,").replace(",t,0,", ",t,nein,")
    folder = put(tmp_path / "both", bytes_of({"log.csv": log, "judgments.csv": JUDGMENTS}))
    for fix, faults in (("", ["rank"]), ("yes-no=off", ["rank"])):
        with pytest.raises(UnusableInputError) as refused:
            read_study(folder, recipe=Recipe(fix=fix))
        found = [problem.found.partition(" '")[0] for problem in refused.value.problems]
        assert sorted(found) == faults


def test_words_of_other_languages_name_columns(tmp_path: Path) -> None:
    heads = (
        "Sitzung,Anfrage,Rang,Dokument,Thema,geklickt,Suchbegriff",
        "session,requête,rang,document,tâche,clic,texte de requête",
        "Sesión,Consulta,Posición,Documento,Tema,clic,texto de consulta",
        "会话,查询,排名,文档,主题,点击,查询词",
    )
    clean = put(tmp_path / "clean", bytes_of({"log.csv": LOG, "judgments.csv": JUDGMENTS}))
    digest = read_study(clean).digest
    for i, head in enumerate(heads):
        files = {"log.csv": spoiled(*ROWS, head=head), "judgments.csv": JUDGMENTS}
        assert read_study(put(tmp_path / str(i), bytes_of(files))).digest == digest


def test_a_column_for_each_rank_is_a_result_in_each(tmp_path: Path) -> None:
    head = "session,query_number,topic,text,Doc 1,clicked_1,Doc 2,clicked_2,doc_3,clicked_3"
    rows = "s1,1,t,Tea pots,a,1,b,0,,", "s1,2,t,tea,c,1,,,,", "s2,1,u,tea,b,0,,,,"
    clean = put(tmp_path / "clean", bytes_of({"log.csv": LOG, "judgments.csv": JUDGMENTS}))
    files = {"log.csv": "\n".join([head, *rows, ""]), "judgments.csv": JUDGMENTS}
    wide = read_study(put(tmp_path / "wide", bytes_of(files)))
    assert wide.digest == read_study(clean).digest
    assert "columns Doc 1 to doc_3" in [problem.found for problem in wide.problems]
    files["log.csv"] = "\n".join([head, *rows, "s2,2,u,none,,,,,,", ""])
    assert read_study(put(tmp_path / "none", bytes_of(files))).queries.shape[0] == 4


@pytest.mark.parametrize("sign", [";", "\n", "; ", " | ", ";\n"])
def test_documents_are_joined_in_a_cell_by_any_sign(sign: str, tmp_path: Path) -> None:
    rows = ['s1,1,t,"a#b"', 's1,2,t,"http://c#http://d"', "s2,1,t,b"]
    log = "\n".join(["session,query_number,topic,doc", *rows, ""]).replace("#", sign)
    judgments = JUDGMENTS.replace("u,b", "t,c")
    files = bytes_of({"log.csv": log, "judgments.csv": judgments})
    docs = read_study(put(tmp_path / "joined", files)).results["doc"].astype(str)
    assert docs.tolist() == ["a", "b", "http://c", "http://d", "b"]


def test_what_may_be_an_observation_is_no_repair(tmp_path: Path) -> None:
    log = f"{LOG}s2,2,,,u,,total\n"  # a query that found nothing
    files = bytes_of({"log.csv": log, "judgments.csv": JUDGMENTS})
    assert len(read_study(put(tmp_path / "query", files)).queries) == 4
    for number in ("1,000", "10,000"):  # one, or a thousand
        log = LOG.replace("s1,2,", f's1,"{number}",')
        files = bytes_of({"log.csv": log, "judgments.csv": JUDGMENTS})
        with pytest.raises(UnusableInputError) as refused:
            read_study(put(tmp_path / number, files), recipe=Recipe(fix="all"))
        assert [problem.fix for problem in refused.value.problems] == [""]


def test_a_column_for_each_rank_stands_alone(tmp_path: Path) -> None:
    head, cells = "session,query_number,topic,doc1,doc2", "s1,1,t,a,b"
    files = {"log.csv": f"{head},rank\n{cells},1\n", "judgments.csv": JUDGMENTS}
    with pytest.raises(UnusableInputError, match="no log"):
        read_study(put(tmp_path / "rank", bytes_of(files)))
    files["log.csv"] = f"{head}\n{cells}\n"
    files["ratings.csv"] = "session,url1,url2\ns1,4,5\n"
    assert {"url1", "url2"} <= {*read_study(put(tmp_path / "rated", bytes_of(files))).sessions}


def test_a_column_for_each_query_is_a_list_in_each(tmp_path: Path) -> None:
    judgments = JUDGMENTS.encode()
    clean = "session,query_number,rank,doc,topic,text\n" + "".join(
        f"{','.join(row.split(',')[:5])},{row.split(',')[6]}\n" for row in ROWS
    )
    digest = read_study(
        put(tmp_path / "clean", {"l.csv": clean.encode(), "j.csv": judgments})
    ).digest
    said = "s1,t,Tea pots,a;b,tea,c\ns2,u,tea,b,,\n"
    for i, names in enumerate(
        ("Q1_text,Q1_docs,Q2_text,Q2_docs", "Anfrage 1,Treffer 1,Anfrage 2,Treffer 2")
    ):
        log = f"session,topic,{names}\n{said}".encode()
        assert (
            read_study(put(tmp_path / str(i), {"l.csv": log, "j.csv": judgments})).digest == digest
        )
    for names in ("Q0,Q1", "Q1,Q_1"):
        log = f"session,topic,{names}\ns1,t,a;b,c;d\n".encode()
        with pytest.raises(UnusableInputError, match="no log"):
            read_study(put(tmp_path / names, {"l.csv": log, "j.csv": judgments}))


def test_a_study_that_is_taken_away_says_what_was_repaired_and_reads_back(tmp_path: Path) -> None:
    _, files, _ = SPOILED["all of it"]
    study = read_study(put(tmp_path / "odd", bytes_of(files)))
    taken = study_files(study, Definition(), Filters())
    assert (
        "log.csv: read yes and no, in words or signs, as 1 and 0 (1)"
        in taken["README.txt"].decode()
    )
    assert read_study(put(tmp_path / "study", taken)[0].parent).digest == study.digest


def test_texts_that_are_repaired_are_counted_in_both_files(tmp_path: Path) -> None:
    log = f"{LOG}s2,2,1,c,u,0,TEA\n"
    files = {"log.csv": log, "judgments.csv": BY_TEXT.replace("Tea pots", "tea  POTS")}
    study = read_study(put(tmp_path, bytes_of(files)), recipe=Recipe(fix="all"))
    changed = {(each.file, *each.lines.tolist()) for each in study.report.changes}
    assert changed == {("log.csv", 6), ("judgments.csv", 2)}


DATES: dict[str, tuple[list[str], str, list[str]]] = {
    "points": (["16.04.2026 14:03", "3.5.2026 9:01:07"], "",
               ["2026-04-16 14:03:00", "2026-05-03 09:01:07"]),
    "half days": (["4/16/26 2:03 PM", "4/17/26, 12:05 am"], "",
                  ["2026-04-16 14:03:00", "2026-04-17 00:05:00"]),
    "days alone": (["16/04/2026", "03/05/2026"], "", ["2026-04-16", "2026-05-03"]),
    "said": (["4/5/2026 9:00", "5/3/2026 9:00"], "month",
             ["2026-04-05 09:00:00", "2026-05-03 09:00:00"]),
    "alike either way": (["4/5/2026 9:00", "4/5/2026 9:01"], "",
                         ["4/5/2026 9:00", "4/5/2026 9:01"]),
    "a workbook's own beside texts": (
        ["2026-04-16T14:03:00", "2026-04-16", "16.04.2026 14:05:00"], "",
        ["2026-04-16 14:03:00", "2026-04-16", "2026-04-16 14:05:00"]),
    "of zones beside texts": (["2026-04-16T14:03:00Z", "16.04.2026 14:05"], "",
                              ["2026-04-16T14:03:00Z", "16.04.2026 14:05"]),
    "numbers": (["1717", "1718"], "", ["1717", "1718"]),
}  # fmt: skip


def timed(folder: Path, times: list[str], dates: str) -> list[str]:
    """Times of two queries, as they are read."""
    rows = (f's1,{i},1,a,t,"{time}"\n' for i, time in enumerate(times, start=1))
    log = f"session,query_number,rank,doc,topic,time\n{''.join(rows)}"
    paths = put(folder, bytes_of({"log.csv": log, "judgments.csv": JUDGMENTS}))
    return read_study(paths, recipe=Recipe(dates=dates)).queries["time"].tolist()


@pytest.mark.parametrize("which", DATES)
def test_dates_have_their_year_first_where_they_can_be_read_in_one_way(
    which: str, tmp_path: Path
) -> None:
    times, dates, read = DATES[which]
    assert timed(tmp_path, times, dates) == read


def test_dates_whose_order_depends_on_the_reading_are_asked(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="--set dates=day or month"):
        timed(tmp_path, ["4/5/2026 9:00", "5/3/2026 9:00"], "")
