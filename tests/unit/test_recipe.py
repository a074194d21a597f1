"""The recipe: it goes with the study and reads its files again; what says nothing is refused."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import tomli_w

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import SAMPLES, read_study
from sdcg_explorer.reading.recipe import FIELDS, FIXES, Recipe, read_recipe, recipe_of
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.study import Study
from tests.support import zips
from tests.support.plain_files import written
from tests.support.refusals import JUDGMENTS, LOG

OWN = "sess,no,place,url,topic\ns1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n"  # no name tells a rank
ROLES = {"session": "sess", "query_number": "no", "rank": "place", "doc": "url"}
GRADES = "topic,doc,grade,assessor\nt,a,1,x\nt,a,3,y\nt,b,0,x\n"
CHOSEN = Recipe(mapping=ROLES, assessors="max", rank_base=1)  # pyright: ignore[reportArgumentType]
BARE = LOG.partition("\n")[2]


def sample(name: str) -> str:
    """A file of the smallest sample."""
    return (SAMPLES / "three_sessions" / f"{name}.csv").read_text(encoding="utf-8")


READ: dict[str, tuple[str, str, Recipe]] = {  # and the recipe that is kept
    "chosen": (OWN, GRADES, CHOSEN),
    "repaired": (LOG + "s2,1,1,z,t\ns2,1,1,y,t\n", JUDGMENTS + "t,a,2\n",
                 Recipe(same_rank="first", conflicts="highest", fix="yes-no")),
    "named": (BARE, JUDGMENTS, Recipe(columns={"": LOG.partition("\n")[0].split(",")})),
    "a sample": (sample("log"), sample("judgments"), Recipe(conflicts="last")),
}  # fmt: skip


def through_store(study: Study, folder: Path) -> Study:
    store = Store(folder)
    kept = store.load(store.save(study).digest)
    assert kept.report.as_dict() == study.report.as_dict()
    return kept


def through_zip(study: Study, folder: Path) -> Study:
    return zips.read_back(folder, study_zip(study, *zips.PLAIN))


@pytest.mark.parametrize("way", [through_store, through_zip])
@pytest.mark.parametrize("name", READ)
def test_it_goes_with_the_study_and_reads_its_files_again(
    name: str, way: Callable[[Study, Path], Study], tmp_path: Path
) -> None:
    log, judgments, recipe = READ[name]
    files = written(tmp_path / "files", log_csv=log, judgments_csv=judgments).values()
    study = read_study(*files, recipe=recipe)
    assert recipe_of(study.report.recipe) == recipe
    kept = way(study, tmp_path)
    assert (kept.digest, kept.report.recipe) == (study.digest, study.report.recipe)
    path = tmp_path / "recipe.toml"
    path.write_text(tomli_w.dumps({"recipe": kept.report.recipe}), encoding="utf-8")
    assert read_study(*files, recipe=read_recipe(path)).digest == study.digest


def check(folder: Path, options: str) -> int:
    """The exit code of `sdcg check --json` on the files in a folder."""
    files = [str(folder / "log.csv"), str(folder / "judgments.csv")]
    return sdcg.main(["check", *files, "--json", *shlex.split(options)])


NAMES = ", ".join(FIELDS)
READS = f"Write NAME=VALUE, where NAME is one of {NAMES}."
TWICE = "columns is a list; 'a' names two columns. Name each column once, or leave it empty"
FIT = "they name the columns of a table without a header row, one each"
REPAIRS = f"repairs are {', '.join(FIXES)}, or all; each may be off, as decimal-comma=off"
GAP = "a pause is a number of seconds, minutes or hours, such as 90s, 30m or 1h"
REFUSED = {
    "--set odd": f"--set 'odd'; there is no =. {READS}",
    "--set odd=1": f"--set 'odd=1'; no choice is called odd. {READS}",
    "--set order=score --set order=rank": "--set order twice; it has one value. Leave the others "
    "out.",
    "--set system_by_file=odd": "system_by_file 'odd'; it is true or false",
    "--set fix=odd": f"fix 'odd'; {REPAIRS}",
    "--set events=odd": "events 'odd'; 'odd' is not NAME=VALUE",
    "--set events=find=a": "events 'find=a'; 'find' is none of event, query, result, click, "
    "bookmark, none",
    "--set 'cells=doc=!!!!!!'": "cells '!!!!!!'; '!!!!!!' is no separator, one, blank, or a "
    "pattern with (?P<doc>…)",
    "--session-by a,,b": "session_by 'a,,b'; it names columns, separated by commas",
    "--query-id '(?P<session>.+)'": "query_id '(?P<session>.+)'; the pattern names (?P<session>…) "
    "and (?P<query>…)",
    "--query-id '(?P<session>'": "query_id '(?P<session>'; missing ), unterminated subpattern at "
    "position 0",
    "--set kinds=log.csv=odd": "kinds 'odd'; kinds are log, judgments, ratings, topics, clicks, "
    "queries, other",
    "--set kinds=log": "--set kinds='log'; write FILE=KIND; kinds are log, judgments, ratings, "
    "topics, clicks, queries, other.",
    "--set kinds=a.csv=log": "recipe: no file 'a.csv'; the files are log.csv, judgments.csv. "
    "Correct its kinds: the files' names, and what each is.",
    "--set lists=odd": "--set lists='odd'; write FILE=PATH.",
    "--map doc": "--map 'doc'; write ROLE=COLUMN,ROLE=COLUMN.",
    "--map doc=a --map doc=b": "--map 'doc=b'; doc has one column. Leave the others out.",
    "--map session=session,doc=doc,session=topic": "--map "
    "'session=session,doc=doc,session=topic'; session has one column. Leave the others out.",
    "--map page=topic": "--map: role 'page'; the roles are session, query_number, rank, doc, "
    "topic, system, "
    "searcher, text, time, clicked, examined, dwell, saved, grade, assessor. Correct --map.",
    "--map 'rank=(none)'": "log.csv: rank=(none); a table of its kind needs a column for rank. "
    "Rename the column to rank, or say which it is: --map rank=NAME.",
    "--map log.csv:session=doc": "log.csv, line 1: column 'doc' as doc and as session; a column "
    "can have only one role. Say which is which: --map doc=NAME,session=NAME.",
    "--columns session,doc": f"--columns: 2 names; {FIT}, and log.csv has 5. Correct --columns.",
}


@pytest.mark.parametrize("options", REFUSED)
def test_options_that_say_nothing_are_refused(
    options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = BARE if options.startswith("--columns") else LOG
    written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    assert check(tmp_path, options) == 2
    assert capsys.readouterr().err == f"{REFUSED[options]}\n"


FILES = {
    "[recipe]\norder = 'odd'": "[recipe] order 'odd'; choose one of rank, score, rows",
    "[recipe]\nodd = 1": f"[recipe] odd; choose one of {NAMES}",
    "[recipe]\nmapping = 'doc'": "[recipe] mapping 'doc'; it is a table",
    "[recipe]\nmapping = {doc = 1}": "[recipe] mapping 1; a role has the name of a column",
    "[recipe]\ncolumns = {a = 'b'}": "[recipe] columns 'b'; names of columns are texts in a list",
    "[recipe]\ncolumns = {'' = ['a', 'a']}": f"[recipe] {TWICE}",
    "[recipe]\ncolumns = {'' = [1]}": "[recipe] columns is a list; names of columns are texts in "
    "a list",
    "[recipe]\nfix = 3": "[recipe] fix 3; it is a text",
    "[recipe]\nsession_gap = 'soon'": f"[recipe] session_gap 'soon'; {GAP}",
    "[recipe]\nsystem_by_file = 1": "[recipe] system_by_file 1; it is true or false",
    "[definition]\nb = 2": "[definition] is not known; the table is [recipe]",
}


@pytest.mark.parametrize("text", FILES)
def test_a_file_that_says_nothing_is_refused_by_its_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        read_recipe(path)
    assert str(refused.value) == f"{path}: {FILES[text]}. Correct the file."
