"""The table of questions: each has its page, its module and its line of the README."""

from __future__ import annotations

import ast
import re

import pytest

from export.questions import QUESTIONS, Question, question_of
from tests.support.plain_files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_question_has_its_page_and_its_module(question: Question) -> None:
    page = ast.parse((ROOT / "pages" / f"{question.name}.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(page) == question.words
    lines = [ast.unparse(node) for node in page.body]
    opens = f"opened = open_page('{question.name}')", f"show_page('{question.name}', view"
    assert sum(line.startswith(opens) for line in lines) == 1
    assert (ROOT / "analysis" / f"{question.name}.py").is_file()


def test_every_page_and_every_line_of_the_readme_is_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "pages").glob("*.py")} - {"__init__"}
    assert files == {question.name for question in QUESTIONS}
    table = README.split("| page | question |\n|---|---|\n")[1].split("\n\n")[0]
    lines = [(title, words) for title, words in re.findall(r"\| (.+?) \| (.+?\?) .*\|", table)]
    assert lines == [(question.title, question.words) for question in QUESTIONS]


def test_a_name_that_is_in_no_row_is_an_error() -> None:
    with pytest.raises(KeyError, match="overveiw"):
        question_of("overveiw")
