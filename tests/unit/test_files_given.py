"""Every file that was given stands in the report: its role, its rows, those used, and why."""

import json
from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_parts, read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study import problems, report
from sdcg_explorer.study.study import Study
from tests.support import formats, refusals
from tests.unit.test_formats import put
from tests.unit.test_sources import OTHERS, STUDY

Told = dict[str, tuple[str, int | None, int | None]]


def told(study: Study) -> Told:
    """Role, rows and rows used of each file."""
    files = study.report.files
    assert len({file.file for file in files}) == len(files)
    assert all(file.reason for file in files)
    return {file.file: (file.role, file.rows_in, file.rows_used) for file in files}


TOLD: Told = {"log.csv": ("log", 3, 3), "judgments.csv": ("judgments", 2, 2)}
UNREAD = "notes.md", "picture.png", ".git/", ".DS_Store"
OF_ONE_ROW = "topics.xml", "prices.csv", "names.csv", "settings.json"
ASIDE: Told = dict.fromkeys(UNREAD, ("set aside", None, None))
ASIDE |= dict.fromkeys(OF_ONE_ROW, ("set aside", 1, 0))
HIDDEN: formats.Files = {".git/config": b"x", ".git/HEAD": b"y", ".DS_Store": b"\0"}


@pytest.mark.parametrize("given", ["folder", "zip"])
def test_every_file_of_a_folder_or_zip_is_told(given: str, tmp_path: Path) -> None:
    files = STUDY | OTHERS | HIDDEN | {"names.csv": b"session\ns1\n"}
    packed = {"study.zip": formats.zip_of(files)}
    put(tmp_path / "in", files if given == "folder" else packed)
    study = read_study(tmp_path / "in")
    assert told(study) == TOLD | ASIDE
    reasons = {file.file: file.reason for file in study.report.files}
    assert reasons[".git/"] == reasons[".DS_Store"] == "hidden, and not read"
    assert reasons["log.csv"] == "it has columns for session, query_number, rank, doc and topic"
    (prices,) = [str(note) for note in study.report.problems if "prices" in note.file]
    assert prices == (
        "prices.csv: ignored; its columns fit no log, judgments or ratings "
        "(fruit, price). If it belongs to the study, say what it is."
    )
    again = report.report_from(json.loads(json.dumps(study.report.as_dict())))
    assert again.files_as_dicts() == study.checked()["files"]
    assert sorted(again.files, key=str) == sorted(study.report.files, key=str)


def test_what_is_tried_the_other_way_round_is_refused_as_given(tmp_path: Path) -> None:
    log = {"log.csv": b"session,query_number,rank,doc,topic\ns,1,1,d1,t\n"}
    put(tmp_path, log | {"j.csv": b"topic,doc,grade\nt,D1.html,1\n"})
    how = Recipe(doc_id=r"(?P<doc>.+?)(?:\.html)?")
    with pytest.raises(problems.UnusableInputError, match=r"^j.csv: none of its documents"):
        read_study(tmp_path / "log.csv", tmp_path / "j.csv", recipe=how)


def test_log_and_judgments_of_one_name_are_told_apart(tmp_path: Path) -> None:
    log, judged = put(tmp_path, {"a/x.csv": b"", "b/x.csv": b"topic,doc,grade\nt,a,\n"})
    log.write_text(f"{refusals.LOG}s3,1,x,a,t\n")
    with pytest.raises(problems.UnusableInputError, match=r"^a/x\.csv, line 5: rank 'x'"):
        read_study(log, judged)
    log.write_text(refusals.LOG)
    assert told(read_study(log, judged)) == {"a/x.csv": ("log", 3, 3), "x.csv": ("judgments", 1, 0)}


def run(doc: str) -> bytes:
    """A run of one query."""
    return f"t_1 Q0 {doc} 1 1 x\n".encode()


SAME_NAME: dict[str, formats.Files] = {
    "zips": {f"{a}.zip": formats.zip_of({"x.run": run(a)}) for a in "ab"},
    "folders": {f"{a}/x.run": run(a) for a in "ab"},
}


@pytest.mark.parametrize("given", SAME_NAME)
def test_files_of_one_name_stay_two(given: str, tmp_path: Path) -> None:
    paths = put(tmp_path, SAME_NAME[given])
    (qrels,) = put(tmp_path / "other", {"qrels.txt": b"t 0 a 1\nt 0 b 0\n"})
    place = "{}.zip/x.run" if given == "zips" else "{}/x.run"
    for order in (paths, paths[::-1]):
        systems = sorted(read_study(order, qrels).sessions["system"])
        assert systems == [place.format(a) for a in "ab"]


def test_uploads_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = put(tmp_path, {"a/x.run": run("a"), "b/x.run": run("b")})
    assert refusals.refusal(lambda: read_parts([Source("x.run", path) for path in paths])) == (
        "x.run: a second file of this name; each file needs a name of its own. Leave one out, or "
        "rename it."
    )
