"""The glossary: its table is read whole, and text stays text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.questions.glossary import marked, terms
from sdcg_explorer.questions.methods import sentence
from sdcg_explorer.scoring.definition import DEFAULT
from sdcg_explorer.screen.show import explained, markdown_safe

WORDS = [words for term in terms().values() for words in (term.name, *term.also)]


def test_the_definition_explains_its_terms_once() -> None:
    pieces = marked(sentence(DEFAULT, (0.0, 1.0, 2.0, 3.0)))
    known = [term.name for _, term in pieces if term]
    assert len(known) == len({*known})
    wanted = {"grade", "discount", "rank", "query", "top X", "gain", "repeat", "ideal", "judged"}
    assert wanted | {"session", "topic", "last query", "nsDCG"} <= {*known}


@given(st.lists(st.sampled_from([*WORDS, " ", "b = 2", "<", "@", "www.", "top 10", "x"])))
def test_pieces_are_the_text_and_only_whole_words_are_terms(parts: list[str]) -> None:
    text = "".join(parts)
    pieces = marked(text)
    assert "".join(words for words, _ in pieces) == text
    for i, (_, term) in enumerate(pieces):
        if term:
            assert not re.search(r"\w$", "".join(words for words, _ in pieces[:i]))
            assert not re.match(r"\w", "".join(words for words, _ in pieces[i + 1 :]))


def test_what_was_uploaded_stays_text_where_terms_are_explained() -> None:
    evil = '<img src="x" onerror=alert(1)>'
    before, term, after = explained(f"{evil} session {evil}").partition("<dfn")
    assert before == markdown_safe(f"{evil} ")
    assert (term, after.partition("</dfn>")[2]) == ("<dfn", markdown_safe(f" {evil}"))
