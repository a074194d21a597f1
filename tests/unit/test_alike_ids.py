"""Ids that log and judgments write otherwise: what is said of them, and what reads them alike."""

import json
import re
import shlex
from itertools import product
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.alike import id_difference
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from tests.support.plain_files import written
from tests.support.refusals import refusal
from tests.support.thorough import THOROUGH

IDS = ["doc-11", "doc-12", "doc-13"]
# the same ids as one of both sides writes them, and what is said of it
CAUSES: dict[str, tuple[list[str], str, list[str]]] = {
    "a letter and zeros": (["T01", "T02", "T10"], "start with 'T0' or the like", ["1", "2", "10"]),
    "a chunk": ([f"{text}#{i}" for i, text in enumerate(IDS, 7)], "end with '#7' or the like", IDS),
    "a prefix": ([f"clueweb-{text}" for text in IDS], "start with 'clueweb-' or the like", IDS),
    "a folder": (["/a/doc-11", "/a/b/doc-12", "/doc-13"], "/' or the like", IDS),
    "an ending": ([f"{text}.html" for text in IDS], "end with '.html' or the like", IDS),
    "a run": ([f"{text}.1" for text in IDS], "end with '.1' or the like", IDS),
    "names cut": (["doc-11_a", "doc-12xyz", "doc-13. b"], "are cut off after 6 characters", IDS),
    "case": ([text.upper() for text in IDS], "differ in case", IDS),
    "addresses": ([f"https://www.a.org/{text}/" for text in IDS], "http or www",
                  [f"http://a.org/{text}" for text in IDS]),
    "blanks": ([f" {text} " for text in IDS], "differ in case, spaces", IDS),
    "words of both": (["T1", "T02", "T3"], "word of its own before the same numbers",
                      ["task 1", "task 2", "task 3"]),
}  # fmt: skip


def files_of(folder: Path, logged: list[str], judged: list[str], role: str) -> list[str]:
    """A log and judgments whose documents, or topics, are these; the others are alike."""
    rows = [(one, "x") if role == "topic" else ("t", one) for one in logged]
    log = [f"s,{i},1,{doc},{topic}" for i, (topic, doc) in enumerate(rows, 1)]
    rows = [(one, "x") if role == "topic" else ("t", one) for one in judged]
    grades = [f"{topic},{doc},1" for topic, doc in rows]
    files = written(
        folder,
        log_csv="\n".join(["session,query_number,rank,doc,topic", *log]),
        judgments_csv="\n".join(["topic,doc,grade", *grades]),
    )
    return [*map(str, files.values())]


PLACES = [*product([*CAUSES][:-1], ("log", "judgments"), ("doc", "topic"))]


# each cause once, in turns on either side and of documents or topics; in make soak all
@pytest.mark.parametrize(
    ("cause", "side", "role"),
    [
        ("words of both", "log", "topic"),
        *(each for i, each in enumerate(PLACES) if THOROUGH > 1 or i % 16 in (0, 5, 10, 15)),
    ],
)
def test_what_ids_differ_by_is_named_and_what_is_said_reads_them_alike(
    cause: str, side: str, role: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others, words, ids = CAUSES[cause]
    logged, judged = (others, ids) if side == "log" else (ids, others)
    files = files_of(tmp_path, logged, judged, role)
    assert sdcg.main(["check", *files]) == 2
    said, *more = capsys.readouterr().err.splitlines()
    assert more in ([], ["Repairs that are offered: --set fix=alike-ids."])
    assert f"no {'document' if role == 'doc' else role} in common; the ids almost match" in said
    assert words in said
    (remedy,) = re.findall(r"(?:--doc-id|--set) .+(?=\.$)", said)
    assert sdcg.main(["check", *files, *shlex.split(remedy), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judged_share"] == 1.0


@pytest.mark.parametrize(
    ("shown", "judged"),
    [
        ({"1", "2"}, {"11", "12", "21"}),  # digits are parted by nothing
        ({"app", "tea"}, {"apple", "teapot"}),
        ({"d1", "d2"}, {"e1", "e2"}),
        ({"a", "b", "c", "d"}, {"x-a", "y", "z", "w"}),  # one of four
        (set(), {"a"}),
    ],
)
def test_other_ids_have_no_difference(shown: set[str], judged: set[str]) -> None:
    assert id_difference(shown, judged, "doc") is None


def test_the_column_of_documents_is_the_one_that_is_judged(tmp_path: Path) -> None:
    head, rows = "qid,docid,docno,title,rank\n", "9-1,a,7,x,1\n9-2,b,8,y,1\n"
    files = written(tmp_path, log_csv=head + rows, qrels_txt="9 0 a 1\n9 0 b 0\n")
    study = read_study(*files.values())
    assert study.results["doc"].tolist() == ["a", "b"]
    assert "documents from column 'docid'" in [problem.found for problem in study.report.problems]
    written(tmp_path, qrels_txt="9 0 x 1\n9 0 y 0\n")
    said = refusal(lambda: read_study(*files.values()))  # titles aren't called documents: asked
    assert "--map 'doc=title,qrels.txt:topic=(none)' --topics-by one" in said
    recipe = Recipe(mapping={"doc": "docno"})
    assert refusal(lambda: read_study(*files.values(), recipe=recipe)).startswith(
        "qrels.txt: none of its documents ('x', …) is in the log, which has '7', …; the log's "
        "column 'title' has documents that both name. Take that one: --map doc=title."
    )


def test_the_most_alike_is_named_where_nothing_else_is(tmp_path: Path) -> None:
    files = files_of(tmp_path, ["tea-pots-of-old", "b"], ["tea-pats-of-old", "c"], "doc")
    said = refusal(lambda: read_study(*map(Path, files)))
    assert "'tea-pots-of-old' is most like 'tea-pats-of-old'" in said


def test_a_table_beside_pairs_the_topics_of_judgments_with_those_of_the_log(tmp_path: Path) -> None:
    log = "session,query_number,rank,doc,topic\ns1,1,1,a,K1\ns2,1,1,b,K2\n"
    judged = "topic,doc,grade\nTea pots,a,1\nOld cups,b,2\n"
    named = {role: role for role in ("session", "query_number", "topic", "doc")}
    titles = "code,title,minutes\nK1,Tea pots,10\nK2,Old cups ,10\nK3,Spoons,10\n"

    def read(name: str, titles: str) -> tuple[list[str], list[str], str]:
        files = written(tmp_path / name, log_csv=log, judgments_csv=judged, titles_csv=titles)
        study = read_study(
            [*files.values()], recipe=Recipe(mapping={} if name == "pairs" else named)
        )
        said = [str(each) for each in study.report.problems if "topic" in each.found]
        kind = next(file.role for file in study.report.files if file.file == "titles.csv")
        return study.judgments["topic"].tolist(), said, kind

    note = (
        "judgments.csv: topics named differently in the log; titles.csv has both names: "
        "'Old cups' is 'K2'. Nothing to do if this is right."
    )
    assert read("pairs", titles) == (["K1", "K2"], [note], "topics")
    warning = (
        "judgments.csv: no topic in common with the log (here 'Old cups', …; there 'K1', …); a "
        "judgment counts for queries on its own topic alone. Name topics alike in both, or add a "
        "table with both names of each topic."
    )
    for name, other in (("twice", "K3,Tea pots,10"), ("lacking", "K2,Spoons,10")):
        spoiled = titles.replace("K2,Old cups ,10" if name == "lacking" else "K3,Spoons,10", other)
        assert read(name, spoiled) == (["Tea pots", "Old cups"], [warning], "set aside")
