"""Numbers say no sentence: these live in a question's words (decision 153)."""

from __future__ import annotations

import re

import pytest

from tests.support.imports import imports_of, sources
from tests.support.plain_files import ROOT
from tests.support.sentences import sentences_in

WITH_WORDS = {"words.py", "figure.py", "__init__.py", "bibliography.py", "definition.py"}


def test_numbers_say_no_sentence_and_import_no_wording() -> None:
    found: list[str] = []
    for path in sources("scoring", "statistics", "questions"):
        if path.parent.name != "questions" and path.name not in WITH_WORDS:
            source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
            lines = [line for line in imports_of(source) if re.search(r"word", line.module)]
            found += [f"{name}, line {said}" for said in sentences_in(source)]
            found += [f"{name}, line {line.line}: {line.module}" for line in lines]
    assert found == [], "a sentence goes into the question's words"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('def f():\n    return "No session is left."', ["2: No session is left."]),
        ('x = f"For {a} units {b}."', ["1: For {} units {}."]),
        ('SAID = (\n    "No session "\n    "is left."\n)', ["2: No session is left."]),
        ('def f():\n    "One topic: no claim beyond it."', []),
        ('raise ValueError(f"score {a}; known are {b}.")', []),
        ('KINDS = {"a": "It holds for these topics."}', []),
        ('def f():\n    return {"a": "It holds for all."}', ["2: It holds for all."]),
        ('x = Score(f, "the mean of all queries.")', []),
        ('x = "searchers", "final."', []),
    ],
)  # fmt: skip
def test_a_sentence_is_found_by_its_line(source: str, expected: list[str]) -> None:
    assert sentences_in(source) == expected
