"""The link that exports name: opened, it shows the definition and filters it was made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from math import inf
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sdcg_explorer.export.link import ADDRESS, view_link
from sdcg_explorer.questions.methods import filters_sentence, sentence
from sdcg_explorer.scoring.definition import CHOICES, DEFAULT, PRESETS, Definition, Filters
from sdcg_explorer.screen.library import fixed
from tests.support.screen import opened
from tests.support.uploads import sample

STUDY = fixed()[sample("ECIR 2008 (reconstructed)")]
FILTERS = {
    "all": Filters(),
    "names": Filters(("System 2",), ("A", "C"), ("invented-P01", "invented-P17")),
    "queries": Filters(min_queries=2, max_queries=4),
}
# each choice of each field in one of as many definitions as the field with most has choices
CHANGES: dict[str, Sequence[Any]] = {
    **CHOICES,
    "b": (inf, 1.25),
    "bq": (7.5, inf),
    "top": (3, 10),
    "short_lists": (7, "as-is", "observed", "pad"),
    "weights": (
        *("linear", "exponential", "binary", "strict"),
        ((0.0, 0.5), (1.0, 1.0), (2.0, 12.345678901), (3.0, 100.0)),
    ),
}


def in_force(link: str) -> tuple[str, Filters]:
    """What the app says of definition and filters when the link is opened."""
    assert link.startswith(f"{ADDRESS}?")
    app = opened("query_order", dict(parse_qs(urlsplit(link).query)))
    assert not app.exception
    found = app.session_state["opened"]
    assert found.digest == STUDY.digest[:12]
    return sentence(found.definition, STUDY.labels), found.filters


@pytest.mark.parametrize("place", range(max(map(len, CHANGES.values()))))
def test_link_opens_the_definition(place: int) -> None:
    change = {name: options[place % len(options)] for name, options in CHANGES.items()}
    definition = replace(DEFAULT, **change).named(STUDY.labels)
    said, _ = in_force(view_link(STUDY, definition, Filters()))
    assert said == sentence(definition, STUDY.labels)


@pytest.mark.parametrize(("preset", "kept"), [*zip(PRESETS, cycle(FILTERS))])
def test_link_opens_presets_and_filters(preset: str, kept: str) -> None:
    definition = PRESETS[preset].named(STUDY.labels)
    said, filters = in_force(view_link(STUDY, definition, FILTERS[kept]))
    assert said == sentence(definition, STUDY.labels)
    assert filters == FILTERS[kept]


def test_link_of_what_is_usual_names_the_study_alone() -> None:
    assert view_link(STUDY, Definition(), Filters()) == f"{ADDRESS}?study={STUDY.digest[:12]}"


ON_ONE = "Only sessions on topic 1, with 2 or more queries."


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (Filters(), ""),
        (Filters(systems=("A",)), "Only sessions with system A."),
        (Filters(systems=("A", "B", "C")), "Only sessions with systems A, B and C."),
        (Filters(topics=("1",), min_queries=2), ON_ONE),
        (Filters(max_queries=1), "Only sessions with 1 query."),
        (Filters(max_queries=3), "Only sessions with 1 to 3 queries."),
        (Filters(searchers=("x",), min_queries=2, max_queries=2),
         "Only sessions by searcher x, with 2 queries."),
    ],
)  # fmt: skip
def test_filters_in_words(filters: Filters, said: str) -> None:
    assert filters_sentence(filters) == said
