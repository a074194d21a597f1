"""Files as spreadsheets make them: repaired and said, and the clean study."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from sdcg_explorer.export.study_zip import study_parts
from sdcg_explorer.export.tables import content_parts
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import FIXES, GUESSED, Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.formats import Table, workbook, workbook_of
from tests.support.refusals import refusal
from tests.support.told import Contents, made, put

LOG = """session,query_number,rank,doc,topic,clicked,text
s1,1,1,a,t,1,Tea pots
s1,1,2,b,t,0,Tea pots
s1,2,1,c,t,1,tea
s2,1,1,b,u,0,tea
"""
JUDGMENTS = "topic,doc,grade\nt,a,1.5\nt,b,0\nu,b,80\n"
BY_TEXT = "text,doc,grade\nTea pots,a,1\ntea,c,2\n"
HEAD, *ROWS = LOG.splitlines()
WORDLESS = "".join(f"{line.rpartition(',')[0]}\n" for line in LOG.splitlines())
GERMAN = "Sitzungs-ID;Anfrage;Rang;Dokument;Thema;geklickt;Suchbegriff"


def spoiled(*rows: str, head: str = HEAD, sign: str = ",") -> str:
    """A log of other rows."""
    return "\n".join([head.replace(",", sign), *rows, ""])


def timed(times: Iterable[object]) -> str:
    """A log of rows with these times."""
    return spoiled(
        *(f"{row},{time}" for row, time in zip(ROWS, times, strict=True)), head=f"{HEAD},time"
    )


def numbered(text: str, end: str = "") -> str:
    """Rows whose documents are numbers of five digits."""
    return re.sub(",([abc]),", lambda fit: f",{12345 + ord(fit[1])}{end},", text)


MERGED = [
    *("s1,1,1,a,t,1,tea", "s1,1,2,b,t,0,tea", "s1,1,3,c,t,0,tea"),
    *("s1,2,1,c,t,1,pots", "s1,2,2,d,t,0,pots", "s1,2,3,e,t,0,pots"),
]
TWO_ROWS = "Session,Query,,,Topic,Result,\n,number,rank,doc,,clicked,text\n"
DAYS = ("45000.5", "45000.500694444", "45000.501388889", "45000.502083333")
RATED = "session,ease,sure\ns1,4.5,1\ns2,3,0\n"
LONG_RATED = "session,query_number,ease\ns1,1,4\ns1,2,{}\ns2,1,5\n" + "s9,1,3\n" * 3
BY_NUMBER = "session,query_number,ease\ns1,1,4\ns1,2,5\n"
OWN = "wer,was,platz_nr,ding,worum,drauf,worte"

TOLD = "session,query_number,rank,doc,topic,text"
BOOK = workbook_of(log=Table(("Studie",), [
    (None,) * 7, tuple(HEAD.split(",")), *(tuple(row.split(",")) for row in ROWS)]))  # fmt: skip
LANGUAGES = (
    "Sitzung,Anfrage,Rang,Dokument,Thema,geklickt,Suchbegriff",
    "session,requête,rang,document,tâche,clic,texte de requête",
    "Sesión,Consulta,Posición,Documento,Tema,clic,texto de consulta",
    "会话,查询,排名,文档,主题,点击,查询词",
    "Sessione,Interrogazione,Posizione,ID documento,Compito,cliccato,Testo interrogazione",
    "Sessão,Consulta,Posição,Documento,Tarefa,clicado,Texto da consulta",
)
# by the cause: the clean files beside the usual, how they were spoiled, and the repairs made
SPOILED: dict[str, tuple[Contents, Contents, set[str]]] = {
    "title rows": ({}, {"log.csv": f"Study of 2026,,,,,,\n,,,,,,\n{LOG}"}, {"header-row"}),
    "a title without commas": ({}, {"log.csv": f"Our study\n\nmade in May\n{LOG}"},
                               {"header-row"}),
    "a title above own words": ({}, {"log.csv": f"Studie\n{spoiled(*ROWS, head=OWN)}"},
                                {"header-row"}),
    "a header in two rows": ({}, {"log.csv": TWO_ROWS + LOG.partition("\n")[2]},
                             {"header-row"}),
    "a header below a row of groups": (
        {}, {"log.csv": f",,,Result,,,Query\n{LOG}"}, {"header-row"}),
    "a header below a fuller row of groups": (
        {}, {"log.csv": f"Session,,,Result,Task,User,Query\n{LOG}"}, {"header-row"}),
    "a title above two columns": ({"r.csv": "session,ease\ns1,4\ns2,3\n"},
                                  {"r.csv": "Study 2,\n,\nsession,ease\ns1,4\ns2,3\n"},
                                  {"header-row"}),
    "names of ratings in two rows": (
        {"r.csv": "session,T1 ease,T1 sure,T2 ease,T2 sure\ns1,1,2,3,4\ns2,4,3,2,1\n"},
        {"r.csv": "session,T1,,T2,\n,ease,sure,ease,sure\ns1,1,2,3,4\ns2,4,3,2,1\n"},
        {"header-row"}),
    "a blank row": ({}, {"log.csv": spoiled(*ROWS[:2], ",,,,,,", *ROWS[2:])}, {"blank-rows"}),
    "a blank column": ({}, {"log.csv": spoiled(*(f",{row}" for row in ROWS), head=f",{HEAD}")},
                       set()),
    "totals": ({}, {"log.csv": f"{LOG},,,,,,\nSumme:,,5,,,2,\ns1 total,9,,,,,\n"},
               {"blank-rows", "total-rows"}),
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
    "notes below headings": ({}, {"log.csv": f"{LOG}Notes:,,,,,,\n* clicks of a mouse,,,,,,\n"
                                  "Remarques,,,,,,\nNote: pilot,,,,,,\n"}, {"note-rows"}),
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
    "ja and nein": ({}, {"log.csv": LOG.replace(",t,1,", ",t,Ja,").replace(",t,0,", ",t,nein,")},
                    {"yes-no"}),
    **{f"x and {no or 'nothing'}": ({}, {"log.csv": LOG.replace(",t,1,", ",t,x,")
                                         .replace(",t,0,", f",t,{no},")}, {"yes-no"})
       for no in ("", "–")},
    "WAHR and FALSCH": ({}, {"log.csv": LOG.replace(",t,1,", ",t,WAHR,")
                             .replace(",t,0,", ",t,FALSCH,")}, {"yes-no"}),
    "TRUE and FALSE": ({}, {"log.csv": LOG.replace(",t,1,", ",t,TRUE,")
                            .replace(",t,0,", ",t,FALSE,")}, set()),
    "thousands": ({}, {"log.csv": LOG.replace("s1,2,", 's1,"1,002",')}, {"thousands"}),
    "dates as serial numbers": ({"log.csv": timed(f"2023-03-15 12:0{i}:00" for i in range(4))},
                                {"log.csv": timed(DAYS)}, {"serial-dates"}),
    "days that may be seconds": (
        {"log.csv": timed(f"2023-03-15 {hour}:00:00" for hour in (12, 15, 18, 21))},
        {"log.csv": timed(45000 + hour / 24 for hour in (12, 15, 18, 21))}, {"serial-dates"}),
    "five digits and .0": ({"log.csv": numbered(LOG), "judgments.csv": numbered(JUDGMENTS)},
                           {"log.csv": numbered(LOG, ".0")}, {"whole-numbers"}),
    "ratings with commas": ({"r.csv": RATED}, {"r.csv": RATED.replace("4.5", '"4,5"')},
                            {"decimal-comma"}),
    "ratings with ja and nein": ({"r.csv": RATED}, {"r.csv": RATED.replace(",1\n", ",ja\n")
                                 .replace(",0\n", ",nein\n")}, {"yes-no"}),
    "a few words among ratings": (
        {"r.csv": LONG_RATED.format("")}, {"r.csv": LONG_RATED.format("n.r.") + "Media,,4\n"},
        {"missing-words", "total-rows"}),
    **{f"codes for no answer: {code}, {scale}": (
        {"r.csv": LONG_RATED.replace("5", scale).format("")},
        {"r.csv": LONG_RATED.replace("5", scale).format(code)}, {"no-answers"})
       for code, scale in (("-9", "5"), ("999", "-100"), ("-99", "-3"), ("99", "11"), ("77", "7"))},
    "a code beside decimal commas": (
        {"r.csv": LONG_RATED.replace("5", "4.5").format("")},
        {"r.csv": LONG_RATED.replace("5", '"4,5"').format("-9")}, {"no-answers", "decimal-comma"}),
    **{f"no such code: {number}, {scale}": (
        {"r.csv": (long := LONG_RATED.replace("5", str(scale)).format(number))}, {"r.csv": long},
        set()) for number, scale in ((99, 12), (-1, 5), (-2, 5), (-9, -3), (98, 5))},
    "ratings by 1,0": ({"r.csv": BY_NUMBER}, {"r.csv": BY_NUMBER.replace("s1,1", 's1,"1,0"')},
                       {"decimal-comma"}),
    "texts in capitals": ({"judgments.csv": BY_TEXT},
                          {"judgments.csv": BY_TEXT.replace("Tea pots", "TEA  pots")},
                          {"text-case"}),
    "a document in two cases": ({"log.csv": LOG.replace("1,c,", "1,a,")},
                                {"log.csv": LOG.replace("1,c,", "1,A,")}, {"alike-ids"}),
    "a system in two cases": (
        {"log.csv": spoiled(*(f"{row},old" for row in ROWS), head=f"{HEAD},system")},
        {"log.csv": spoiled(*(f"{row},{'old' if row[1] == '1' else 'Old '}" for row in ROWS),
                            head=f"{HEAD},system")}, {"alike-names"}),
    "parts between blanks": (
        {"log.csv": WORDLESS}, {"log.csv": "", "log.txt": WORDLESS.replace(",", " ")}, set()),
    "totals of Italy": ({}, {"log.csv": f"{LOG}Totale,,,,,,\nMedia:,,,,,,\n"}, {"total-rows"}),
    "statistics of ratings, and a total of judgments": (
        {"r.csv": RATED}, {"r.csv": f"{RATED}Mean,3.8,1\nSD,1,0\nN,2,2\n",
                           "judgments.csv": f"{JUDGMENTS}Total,4,1.2\n"}, {"total-rows"}),
    "a session called max": ({"log.csv": LOG.replace("s2", "max"), "r.csv": (
        named := RATED.replace("s2", "max"))}, {"r.csv": named}, set()),
    "totals of what": ({}, {"log.csv": f"{LOG}Total queries,3,,,,,\n"}, {"total-rows"}),
    "a workbook": ({}, {"log.csv": "", "log.xlsx": BOOK}, {"header-row"}),
    **{f"words of a language, {head[:7]}": ({}, {"log.csv": spoiled(*ROWS, head=head)}, set())
       for head in LANGUAGES},
    **{f"a column for each query, {names}": (
        {"log.csv": spoiled(*(re.sub(",[01],(?=[^,]*$)", ",", row) for row in ROWS), head=TOLD)},
        {"log.csv": f"session,topic,{names}\ns1,t,Tea pots,a;b,tea,c\ns2,u,tea,b,,\n"}, set())
       for names in ("Q1_text,Q1_docs,Q2_text,Q2_docs", "Anfrage 1,Treffer 1,Anfrage 2,Treffer 2")},
    "all of it": ({}, {
        "log.csv": "\n".join(["Studie;;;;;;", GERMAN, *(r.replace(",", ";") for r in ROWS[:2]),
                              ";;;;;;", *(r.replace(",", ";").replace("t;1;", "t;ja;")
                                          for r in ROWS[2:]), "Gesamt;;3;;;;", ""]),
        "judgments.csv": "Thema;Dokument;Relevanz\nt;a;1,5\nt;b;0\nu;b;80\n",
    }, {"header-row", "blank-rows", "yes-no", "total-rows", "decimal-comma"}),
}  # fmt: skip


# a spoiled file of each repair, which is read without it, too
FIRST = {fix: cause for cause, (*_, fixes) in reversed(SPOILED.items()) for fix in fixes}


@cache
def digest_of(*clean: tuple[str, Any]) -> str:
    """Of the study that clean files make, read once."""
    with TemporaryDirectory() as folder:
        return made(Path(folder), dict(clean)).digest


@pytest.mark.parametrize("cause", SPOILED)
def test_repairs_make_the_study_of_the_clean_files(cause: str, tmp_path: Path) -> None:
    own, files, repairs = SPOILED[cause]
    clean = {"log.csv": LOG, "judgments.csv": JUDGMENTS} | dict(own)
    odd = {name: text for name, text in (clean | dict(files)).items() if text}
    folder = put(tmp_path / "spoiled", odd)
    words = {
        f"log.csv:{role}": word for role, word in zip(HEAD.split(","), OWN.split(","), strict=True)
    }
    mapping = words if OWN in str(files.get("log.csv")) else {}
    asked = repairs & {*GUESSED}
    if asked:
        assert offers_of(folder, mapping) == asked
    study = read_study(folder, recipe=Recipe(fix=",".join(asked), mapping=mapping))
    assert study.digest == digest_of(*clean.items())
    assert {p.fix for p in study.problems if p.severity == "note"} - {""} == repairs
    said = {rule.casefold() for rule in (*study.report.repaired, *study.report.left_out)}
    assert {FIXES[each].casefold() for each in repairs} <= said
    for fix in (each for each in repairs - asked if FIRST[each] == cause):
        assert FIXES[fix].casefold() not in rules_of(folder, f"{fix}=off", mapping)


def offers_of(folder: list[Path], mapping: dict[str, str]) -> set[str]:
    """What is offered where nobody asked; where a study is refused, that alone is why."""
    try:
        study = read_study(folder, recipe=Recipe(mapping=mapping))
        return {problem.fix for problem in study.problems if problem.severity != "note"} - {""}
    except UnusableInputError as refused:
        return {problem.fix for problem in refused.problems}


def rules_of(folder: list[Path], fix: str, mapping: dict[str, str]) -> set[str]:
    """What was repaired or left out without a repair; nothing where that makes no study."""
    try:
        report = read_study(folder, recipe=Recipe(fix=fix, mapping=mapping)).report
    except UnusableInputError:
        return set()
    return {rule.casefold() for rule in (*report.repaired, *report.left_out)}


JUDGED = {"judgments.csv": JUDGMENTS}
RANKED = "session,query_number,topic,doc1,doc2"
# files and repairs: why they are refused
REFUSED: dict[str, tuple[Contents, str, str]] = {
    "a header that is said, and none": ({"log.xlsx": BOOK}, "log.xlsx:header-row=1",
                                        "cells right of the header"),
    "what no repair helps": ({"log.csv": LOG.replace("s1,2,1,", "s1,2,zwei,")}, "", "rank 'zwei'"),
    **{f"{number}, one or a thousand": ({"log.csv": LOG.replace("s1,2,", f's1,"{number}",')}, "all",
                                        f"query number '{number}'")
       for number in ("1,000", "10,000")},
    "a rank beside ranks": ({"log.csv": f"{RANKED},rank\ns1,1,t,a,b,1\n"}, "", "no log"),
    **{f"queries {names}": ({"log.csv": f"session,topic,{names}\ns1,t,a;b,c;d\n"}, "", "no log")
       for names in ("Q0,Q1", "Q1,Q_1")},
    "dates that may be either": ({"log.csv": f"{HEAD},time\n{ROWS[0]},4/5/2026 9:00\n"
                                  f"{ROWS[2]},5/3/2026 9:00\n"}, "", "--set dates=day or month"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_no_repair_helps_is_said(what: str, tmp_path: Path) -> None:
    files, fix, why = REFUSED[what]
    assert why in refusal(lambda: made(tmp_path, JUDGED | dict(files), fix=fix)).splitlines()[0]


def test_cells_that_are_doubtful_stay_and_are_counted(tmp_path: Path) -> None:
    rows = zip(ROWS, ("1,200", "1,200", "2,400", "950"), (45000.5, 45000.5, 45001, ""), strict=True)
    log = spoiled(
        *(f'{row},"{shown}",{day}' for row, shown, day in rows), head=f"{HEAD},shown,time"
    )
    study = made(tmp_path, JUDGED | {"log.csv": log})
    assert study.queries["shown"].tolist() == ["1,200", "2,400", "950"]
    assert [str(p) for p in study.report.problems if "more" in p.found] == [
        "log.csv: column 'shown' '1,200' and 2 more like it; commas may separate decimals or "
        "thousands, so the column stays text. Write its numbers without commas.",
        "log.csv: time '45000.5' and 2 more like it; read as seconds, though days since 1900 look "
        "the same. Correct the file, or take the repair: --set fix=serial-dates.",
    ]


def test_cells_that_a_workbook_says_are_merged_are_filled_unasked(tmp_path: Path) -> None:
    own = (MERGED[0], ",,2,b,,0,", ",,3,c,,0,", ",2,1,c,,1,pots", ",,2,d,,0,", ",,3,e,,0,")
    sheet = Table(tuple(HEAD.split(",")), [tuple(row.split(",")) for row in own])
    ranges = "A2:A7 B2:B4 B5:B7 E2:E7 G2:G4 G5:G7 A3:B4 A2:A1048576"  # and two that clash
    files = {"log.xlsx": workbook({"log": sheet}, merged=ranges), "judgments.csv": JUDGMENTS}
    study = made(tmp_path / "book", files)
    clean = {"log.csv": spoiled(*MERGED), "judgments.csv": JUDGMENTS}
    assert study.digest == made(tmp_path / "clean", clean).digest
    said = [each for each in study.problems if "merged from row to row" in each.found]
    assert [each.found for each in said] == ["cells merged from row to row (18)"]


def test_a_study_that_is_taken_away_says_what_was_repaired_and_reads_back(tmp_path: Path) -> None:
    _, files, _ = SPOILED["all of it"]
    study = made(tmp_path / "odd", files)
    parts = study_parts(study, Definition(), Filters())
    taken = {name: b"".join(content_parts(content)) for name, content in parts}
    said = "log.csv: read yes and no, in words or signs, as 1 and 0 (1)"
    assert said in taken["README.txt"].decode()
    assert read_study(put(tmp_path / "study", taken)[0].parent).digest == study.digest


def test_texts_that_are_repaired_are_counted_in_both_files(tmp_path: Path) -> None:
    log = f"{LOG}s2,2,1,c,u,0,TEA\n"
    files = {"log.csv": log, "judgments.csv": BY_TEXT.replace("Tea pots", "tea  POTS")}
    study = made(tmp_path, files, fix="all")
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
    "of zones beside texts": (["2026-04-16T14:03:00Z", "16.04.2026 14:05"], "",
                              ["2026-04-16T14:03:00Z", "16.04.2026 14:05"]),
    "numbers": (["1717", "1718"], "", ["1717", "1718"]),
}  # fmt: skip


@pytest.mark.parametrize("which", DATES)
def test_dates_have_their_year_first_where_they_can_be_read_in_one_way(
    which: str, tmp_path: Path
) -> None:
    times, dates, read = DATES[which]
    rows = (f's1,{i},1,a,t,"{time}"\n' for i, time in enumerate(times, start=1))
    log = f"session,query_number,rank,doc,topic,time\n{''.join(rows)}"
    study = made(tmp_path, JUDGED | {"log.csv": log}, dates=dates)
    assert study.queries["time"].tolist() == read
