"""The table of questions has each one's page and addresses; the glossary is read whole."""

import contextlib
from typing import Any
from urllib.parse import urljoin

import pytest
from starlette.types import Message

from sdcg_explorer.questions import catalogue, glossary, methods
from sdcg_explorer.scoring.definition import DEFAULT
from sdcg_explorer.screen.show import explained, markdown_safe
from sdcg_explorer.serving import addresses


@pytest.mark.parametrize("question", catalogue.QUESTIONS, ids=lambda question: question.name)
def test_every_address_of_a_question_leads_to_its_page(question: catalogue.Question) -> None:
    slug = question.title.lower().replace(" ", "_")
    place = "" if question is catalogue.QUESTIONS[0] else question.name
    for address in (question.name, slug):
        assert place == led(f"/{address}")
        assert place == led(f"/{address}/")
    query = b"b=3&systems=System+2&systems=A%20b"
    asked = {"type": "http", "path": f"/{slug}", "query_string": query}
    if slug != place:
        assert dict(told(asked)["headers"])[b"location"] == f"./{place}".encode() + b"?" + query
    assert not told(asked | {"path": f"/{place}"})


def led(path: str) -> str:
    """Where a browser is in the end that opens a path."""
    start = told({"type": "http", "path": path, "query_string": b""})
    place = urljoin(path, dict(start["headers"])[b"location"].decode()) if start else path
    return place.strip("/")


def told(scope: Message) -> Message:
    """How the answer to a request begins; empty where it is passed on to the app."""
    sent: list[Message] = [{}]

    async def app(*_: Any) -> None:
        sent.append({})

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        sent.append(message)

    with contextlib.suppress(StopIteration):  # nothing of it waits, so that no loop is needed
        addresses.Addresses(app)(scope, receive, send).send(None)
    return sent[1]


def test_a_page_that_is_gone_leads_to_overview_with_all_that_the_link_says() -> None:
    for path in ("/words", "/glossary", "/glossary/"):
        up = ".." if path.endswith("/") else "."
        asked = {"type": "http", "path": path, "query_string": b"b=3"}
        assert dict(told(asked)["headers"])[b"location"] == f"{up}/?gone=words&b=3".encode()
        bare = told(asked | {"query_string": b""})
        assert dict(bare["headers"])[b"location"].endswith(b"?gone=words")


def test_a_name_that_is_in_no_row_is_an_error() -> None:
    with pytest.raises(KeyError, match="overveiw"):
        catalogue.question_of("overveiw")


def test_the_definition_explains_its_terms_once() -> None:
    pieces = glossary.split_at_terms(methods.say_definition(DEFAULT, (0.0, 1.0, 2.0, 3.0)))
    known = [term.name for _, term in pieces if term]
    assert len(known) == len({*known})
    wanted = {"grade", "discount", "rank", "query", "top X", "gain", "repeat", "ideal", "judged"}
    assert wanted | {"session", "topic", "last query", "nsDCG"} <= {*known}


def test_what_was_uploaded_stays_text_where_terms_are_explained() -> None:
    evil = '<img src="x" onerror=alert(1)>'
    before, term, after = explained(f"{evil} session {evil}").partition("<dfn")
    assert before == markdown_safe(f"{evil} ")
    assert (term, after.partition("</dfn>")[2]) == ("<dfn", markdown_safe(f" {evil}"))
