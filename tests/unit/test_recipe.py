"""The recipe: what was chosen of how files are read goes with the study, and reads them again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import (
    DEFAULT,
    FIELDS,
    Recipe,
    option,
    read_recipe,
    recipe_of,
)
from sdcg_explorer.reading.samples import SAMPLES
from sdcg_explorer.scoring.definition import DEFAULT as DEFINITION
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.study import Study
from tests.support.odd_tables import ODD
from tests.support.plain_files import written
from tests.support.refusals import JUDGMENTS, LOG

OWN = "sess,no,place,url,topic\ns1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n"  # no name tells a rank
ROLES = {"session": "sess", "query_number": "no", "rank": "place", "doc": "url"}
GRADES = "topic,doc,grade,assessor\nt,a,1,x\nt,a,3,y\nt,b,0,x\n"
CHOSEN = Recipe(mapping=ROLES, assessors="max", rank_base=1)  # pyright: ignore[reportArgumentType]


def chosen(folder: Path) -> Study:
    """A study of files with choices."""
    files = written(folder, log_csv=OWN, judgments_csv=GRADES)
    return read_study(*files.values(), recipe=CHOSEN)


def again(study: Study, folder: Path, *files: Path) -> Study:
    """The files by the recipe that a study kept, as its file has it."""
    path = folder / "recipe.toml"
    path.write_text(tomli_w.dumps({"recipe": study.report.recipe}), encoding="utf-8")
    return read_study(*files, recipe=read_recipe(path))


@pytest.mark.parametrize("name", ODD)
def test_files_are_read_the_same_by_the_recipe_that_was_kept(name: str, tmp_path: Path) -> None:
    odd = ODD[name]
    files, texts = odd.written(tmp_path), [*odd.options]
    given = [f"{a.removeprefix('--')}={b}" for a, b in zip(texts[::2], texts[1::2], strict=True)]
    asked = [each.partition("=")[2] if each.startswith("set=") else each for each in given]
    named = [each.replace("map=", "mapping=", 1) if each[:4] == "map=" else each for each in asked]
    recipe = DEFAULT.with_texts(named)
    try:
        study = read_study(*files, recipe=recipe)
    except UnusableInputError:
        return
    if not any(problem.found.startswith("read as") for problem in study.report.problems):
        assert study.report.recipe == recipe.choices
    assert again(study, tmp_path / "..", *files).digest == study.digest


@pytest.mark.parametrize("folder", [path.parent.name for path in SAMPLES.glob("*/log.csv")])
def test_samples_are_read_the_same(folder: str, tmp_path: Path) -> None:
    files = SAMPLES / folder / "log.csv", SAMPLES / folder / "judgments.csv"
    study = read_study(*files, recipe=Recipe(conflicts="last", fix="yes-no"))
    assert study.report.recipe == {"conflicts": "last", "fix": "yes-no"}
    assert again(study, tmp_path, *files).digest == study.digest


def through_store(study: Study, folder: Path) -> Study:
    store = Store(folder)
    return store.load(store.save(study).digest)


def through_zip(study: Study, folder: Path) -> Study:
    path = folder / "study.zip"
    path.write_bytes(study_zip(study, DEFINITION, Filters()))
    return read_study(path)


@pytest.mark.parametrize("way", [through_store, through_zip])
def test_it_goes_with_the_study(way: Callable[[Study, Path], Study], tmp_path: Path) -> None:
    study = chosen(tmp_path / "files")
    assert recipe_of(study.report.recipe) == CHOSEN
    kept = way(study, tmp_path)
    assert (kept.digest, kept.report.recipe) == (study.digest, study.report.recipe)
    assert [kept.judgments["grade"].tolist(), len(kept.results)] == [[3.0, 0.0], 3]


def check(folder: Path, options: str, capsys: pytest.CaptureFixture[str]) -> tuple[Any, str]:
    """What `sdcg check --json` prints of the files in a folder, and what it refuses."""
    given = ["check", str(folder / "log.csv"), str(folder / "judgments.csv"), "--json"]
    code = sdcg.main([*given, *shlex.split(options)])
    out, err = capsys.readouterr()
    return (code or json.loads(out)["grades"]), err


def test_options_beat_the_file_and_map_adds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen(tmp_path)
    two = "--map session=sess,query_number=no --map rank=place,doc=url"
    assert check(tmp_path, f"{two} --assessors max", capsys)[0] == {"0": 1, "3": 1}
    path = tmp_path.parent / f"{tmp_path.name}.toml"
    path.write_text(tomli_w.dumps({"recipe": CHOSEN.choices}), encoding="utf-8")
    assert check(tmp_path, f"--recipe {path}", capsys)[0] == {"0": 1, "3": 1}
    beaten = f"--recipe {path} --set assessors=mean --map clicked=(none)"
    assert check(tmp_path, beaten, capsys)[0] == {"0": 1, "2": 1}
    assert check(tmp_path, f"--recipe {path} --map doc=uri", capsys)[0] == 2


REFUSED = {
    "--set odd": "--set 'odd'; it reads NAME=VALUE, and names are kinds, mapping, ",
    "--set odd=1": "--set 'odd=1'; it reads NAME=VALUE",
    "--set order=score --set order=rank": "--set order twice; it has one value.",
    "--set order=odd": "order 'odd'; choices are rank, score",
    "--set system_by_file=odd": "system_by_file 'odd'; it is true or false",
    "--set kinds=log.csv=odd": "kinds 'odd'; kinds of files are log, judgments, ratings, ",
    "--set kinds=a.csv=log": "recipe: no file 'a.csv'; the files are log.csv, judgments.csv.",
    "--map doc": "--map 'doc'; it reads ROLE=COLUMN,ROLE=COLUMN. Correct it.",
    "--map doc=a --map doc=b": "--map 'doc=b'; doc has one column. Leave the others out.",
    "--columns a,a": "columns is a list; 'a' names two columns",
}
FILES = {
    "order = 'odd'": "[recipe] order 'odd'; choices are rank, score",
    "odd = 1": "[recipe] odd; choose one of kinds, mapping, ",
    "mapping = 'doc'": "[recipe] mapping 'doc'; it is a table",
    "mapping = {doc = 1}": "[recipe] mapping 1; a role has the name of a column",
    "columns = {a = 'b'}": "[recipe] columns 'b'; names of columns are texts in a list",
    "columns = {'' = ['a', 'a']}": "[recipe] columns is a list; 'a' names two columns",
    "columns = {'' = [1]}": "[recipe] columns is a list; names of columns are texts in a list",
    "fix = 3": "[recipe] fix 3; it is a text",
    "session_gap = 'soon'": "[recipe] session_gap 'soon'; a pause is a number of seconds",
    "system_by_file = 1": "[recipe] system_by_file 1; it is true or false",
}


@pytest.mark.parametrize("options", REFUSED)
def test_options_that_say_nothing_are_refused(
    options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)
    code, said = check(tmp_path, options, capsys)
    assert (code, said[: len(REFUSED[options])]) == (2, REFUSED[options])


@pytest.mark.parametrize("line", FILES)
def test_a_file_that_says_nothing_is_refused_by_its_name(line: str, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(f"[recipe]\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"Correct the file\.$") as refused:
        read_recipe(path)
    assert str(refused.value).startswith(f"{path}: {FILES[line]}")
    path.write_text("[definition]\nb = 2\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[definition\] is not known; the table is \[recipe\]"):
        read_recipe(path)


def test_a_kept_choice_that_is_not_known_is_said_in_words() -> None:
    with pytest.raises(ValueError, match=r"^\[recipe\] odd; choose one of kinds, mapping, "):
        recipe_of({"odd": 1})


def test_each_choice_has_its_words_and_an_option() -> None:
    kept = {"mapping", "columns", "query_id", "query_numbers", "session_by", "topics_by"}
    kept |= {"system_by_file", "file_name", "assessors", "grade", "doc_id"}
    assert {name for name, each in FIELDS.items() if each.typed} == kept
    assert all(each.words for each in FIELDS.values())
    assert option("mapping", "doc=URL") == "--map doc=URL"
