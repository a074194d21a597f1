"""Remedies by medium: a page names its own fields and never an option, a terminal its options."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import ASKED, FOLD, Recipe, option
from sdcg_explorer.study.problems import Problem, UnusableInputError
from tests.support.imports import sources
from tests.support.plain_files import written
from tests.support.refusals import HEADER, JUDGMENTS, LOG, OPTION, assert_each_has_its_means

KEYED = "topic,session,text,doc,grade\nt,s1,x,a,1\nt,s2,y,a,2\n"
NAMELESS = "session,query_number,rank,doc\ns1,1,1,a\n"
RUN = "t_1 Q0 a 1 1 x\nt_1 Q0 b 2 2 x\n"
APART = "topics_by", "judged_by", "missing_sessions"  # which a page asks by themselves
# beyond the refusals of the readers: what rules of reading meet
DOUBTFUL: dict[str, tuple[dict[str, str], Recipe]] = {
    "rank_base": ({"log_csv": LOG + "s1,1,0,c,t\n"}, Recipe(rank_base="1")),
    "query_numbers": ({"log_csv": LOG + "s3,10001,1,a,t\n"}, Recipe(query_numbers="keep")),
    "query_numbers, of ids": (
        {"log_run": "t_1 Q0 a 1 1 x\nt_9 Q0 a 1 1 x\n", "judgments_csv": JUDGMENTS},
        Recipe(),
    ),
    "missing_sessions": (
        {"a_run": RUN + "u_1 Q0 a 1 1 x\n", "b_run": RUN, "judgments_csv": JUDGMENTS},
        Recipe(),
    ),
    "topics_by": ({"log_csv": NAMELESS, "judgments_csv": "doc,grade\na,3\n"}, Recipe()),
    "query_id": ({"log_run": "t|1 Q0 a 1 1 x\n"}, Recipe()),
    "judged_by": ({"log_csv": LOG, "judgments_csv": KEYED}, Recipe()),
    "judged_by, chosen": ({"log_csv": LOG, "judgments_csv": JUDGMENTS}, Recipe(judged_by="text")),
    "order": ({"log_run": RUN}, Recipe()),
    "order, chosen": ({"log_csv": LOG}, Recipe(order="score")),
    "file_name": (
        {
            **{"x-t_csv": NAMELESS, "x-u_csv": NAMELESS.replace("s1", "s2")},
            "judgments_csv": "topic,doc,grade\nt,a,1\nu,a,1\n",
        },
        Recipe(),
    ),
    "system_by_file": ({"a_csv": LOG, "b_csv": HEADER + "s1,1,1,z,t\n"}, Recipe()),
}


def problems(folder: Path, files: dict[str, str], rules: Recipe) -> list[Problem]:
    """What is found in a folder of files, whether or not they make a study."""
    written(folder, **files)
    try:
        return read_study(folder, recipe=rules).problems
    except UnusableInputError as refused:
        return refused.problems


@pytest.mark.parametrize("what", DOUBTFUL)
def test_what_a_rule_would_settle_names_the_rule(what: str, tmp_path: Path) -> None:
    name = what.partition(",")[0]
    files, rules = DOUBTFUL[what]
    found = problems(tmp_path, {"judgments_csv": JUDGMENTS} | files, rules)
    assert_each_has_its_means(found)
    settled = [problem for problem in found if option(name, "").strip() in problem.remedy]
    assert settled
    where = ASKED[name] if name != "system_by_file" else FOLD
    assert all(where in problem.on_page for problem in settled)
    assert all(FOLD in p.on_page or name in APART for p in settled)


def called(node: ast.AST) -> str:
    """The name of what is called."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def options_in(path: Path) -> Iterator[str]:
    """Options that a module's texts name anywhere but in what the command line alone is given."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    spared: list[ast.AST] = []
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            spared.append(node)  # a docstring
        elif called(node) == "ValueError":  # of values that options have
            spared.append(node)
        elif called(node) in ("Remedy", "error"):  # an error may stand at an option
            spared += node.args[:1] if isinstance(node, ast.Call) else []
    inside = {id(part) for each in spared for part in ast.walk(each)}
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) else ""
        is_typed = isinstance(text, str) and "sdcg score" in text  # a line to type, whole
        if id(node) not in inside and not is_typed and OPTION.search(str(text)):
            yield f"{path.name}, line {getattr(node, 'lineno', 0)}"


def test_options_stand_in_remedies_of_the_command_line_alone() -> None:
    files = [each for each in sources("study", "reading") if each.name != "recipe.py"]  # which has
    paths = [path for path in files if OPTION.search(path.read_text("utf-8"))]
    assert len(paths) > 5
    assert [place for path in paths for place in options_in(path)] == []
