"""The documentation's site asks no other site for anything, and its links lead where they say."""

from __future__ import annotations

import pytest

from docs.repository import ASKED, resolved

ASKING = (
    '<script src="https://cdn.example/a.js">',
    "<script src='//cdn.example/a.js'>",
    '<img alt="x" src="http://cdn.example/a.png">',
    '<iframe src="https://cdn.example">',
    '<link rel="stylesheet" href="https://cdn.example/a.css">',
    '<link href="https://cdn.example/a.css" rel="stylesheet">',
    '<link rel="preconnect" href="https://fonts.example">',
    '@import "https://cdn.example/a.css";',
    "a { background: url(https://cdn.example/a.png) }",
)
NOT_ASKING = (
    '<a href="https://cdn.example/">',
    '<link rel="canonical" href="https://docs.example/start.html">',
    '<link rel="stylesheet" href="_static/site.css">',
    '<script src="_static/a.js"></script><a href="https://cdn.example/">',
    "a { background: url('data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E') }",
)


@pytest.mark.parametrize("text", ASKING)
def test_what_is_asked_of_another_site_is_found(text: str) -> None:
    assert ASKED.search(f"<p>{text}</p>")


def test_what_somebody_follows_is_not() -> None:
    assert [text for text in NOT_ASKING if ASKED.search(text)] == []


def test_a_link_leads_to_the_page_that_stands_for_its_file() -> None:
    blob = "https://forge.example/tool/blob/main"
    assert resolved("../README.md", "docs/start.md", "start", blob) == "index.md"
    assert resolved("../CHANGELOG.md", "docs/start.md", "start", blob) == "changelog.md"
    assert resolved("docs/faq.md", "README.md", "index", blob) == "faq.md"
    assert resolved("../LICENSE", "docs/start.md", "start", blob) == f"{blob}/LICENSE"
    assert resolved("nowhere.md", "docs/start.md", "start", blob) == "nowhere.md"
