"""Numbers say no sentence: these live in a question's words."""

from __future__ import annotations

import re

from tests.support.imports import imports_of, sources
from tests.support.plain_files import ROOT
from tests.support.sentences import sentences_in

WITH_WORDS = {
    *("words.py", "figure.py", "__init__.py", "bibliography.py", "definition.py", "design.py"),
}


def test_numbers_say_no_sentence_and_import_no_wording() -> None:
    found: list[str] = []
    for path in sources("scoring", "statistics", "questions"):
        if path.parent.name != "questions" and path.name not in WITH_WORDS:
            source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
            lines = [line for line in imports_of(source) if re.search(r"word", line.module)]
            found += [f"{name}, line {said}" for said in sentences_in(source)]
            found += [f"{name}, line {line.line}: {line.module}" for line in lines]
    assert found == [], "a sentence goes into the question's words"
