"""Cards of By hand: each brings what the plain loop says, wherever it was moved."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from sdcg_explorer.questions.by_hand.numbers import EXAMPLES, LINEAR, Example, by_hand, spelled
from sdcg_explorer.questions.by_hand.words import board
from sdcg_explorer.scoring.definition import Definition
from tests.support.plain_by_hand import WORTH, Plain, plain_steps
from tests.support.plain_loop import Choices
from tests.support.random_studies import made, often


def cards_of(example: Example, definition: Definition) -> dict[str, Any]:
    return board(example, by_hand(example, definition))


def plain_of(example: Example) -> Plain:
    queries = [
        (
            example.topics[min(q, len(example.topics) - 1)],
            {r: doc for r, doc in enumerate(docs, 1) if doc},
        )
        for q, docs in enumerate(example.lists)
    ]
    return Plain(queries, {(topic, doc): grade for topic, doc, grade in example.judged})


def assert_brings(example: Example, definition: Definition, session: Plain, to: Choices) -> None:
    """Every card that counts brings the loop's gain, discounted gain and share of V, in order."""
    rows = plain_steps(session, to)
    shown = cards_of(example, definition)
    cards = [card for part in shown["lists"] for card in part["cards"] if card]
    counted = [card for card in cards if card["cell"] is not None]
    assert [card["cell"] for card in counted] == sorted({card["cell"] for card in counted})
    for card in counted:
        row = rows[card["cell"]]
        assert card["steps"] == pytest.approx((row["gain"], row["discounted"], row["added"]))
        assert max(card["steps"]) <= shown["most"]
    assert sum(card["steps"][2] for card in counted) == pytest.approx(rows[-1]["V"])


@often
@given(chance=made(lambda chance: chance))
def test_moved_cards_bring_what_the_loop_says(chance: random.Random) -> None:
    example = EXAMPLES["T-2"]
    lists = [list(docs) for docs in example.lists]
    for _ in range(3):
        part = chance.choice([docs for docs in lists if docs])
        doc = part.pop(chance.randrange(len(part)))
        to = chance.choice([*lists, []])
        to.insert(chance.randint(0, len(to)), doc)
        lists += [to] * all(to is not docs for docs in lists)
    topic, doc, _ = chance.choice(example.judged)
    moved = example.with_moved_cards(lists, [(topic, doc, "1")])
    assert example.with_texts(*moved.texts) == moved
    assert (topic, doc, 1.0) in moved.judged
    last = max(q for q, docs in enumerate(lists) if docs)
    assert [list(docs) for docs in moved.lists] == lists[: last + 1]
    assert_brings(moved, LINEAR, plain_of(moved), Choices(WORTH["linear"]))


def test_a_card_says_its_steps_or_why_it_brings_nothing() -> None:
    example = spelled("odd", "a:3 b:0", "b a u - a", "")
    definition = replace(LINEAR, top=4)
    cards = cards_of(example, definition)["lists"][0]["cards"]
    assert cards[1]["worked"] == (
        "grade 3: gain 3.00",
        "× d(2) 0.500 = 1.50",
        "× D(1) 1.00 = 1.50",
    )
    assert [card and card["worked"] for card in cards[2:]] == [
        ("unjudged: gains nothing",),
        None,
        ("beyond the 4 results that count",),
    ]
    assert cards[0]["worked"] == ("grade 0: gains nothing",)
    condensed_ones = cards_of(example, replace(definition, unjudged="condense"))
    assert condensed_ones["lists"][0]["cards"][2]["worked"] == ("unjudged, removed",)
    bare = board(example, None)
    assert (bare["worth"], bare["lists"][0]["cards"][1]["worked"]) == (
        "–",
        ("not counted",),
    )


def test_a_card_becomes_unjudged_and_graded_anew() -> None:
    example = EXAMPLES["T-2"]
    bare = example.with_moved_cards(example.lists, [("1", "a3", "")])
    assert bare.texts[0] == "a1:1 a2:2"
    graded = example.with_moved_cards(example.lists, [("1", "u1", "3"), ("1", "a1", "nan")])
    assert graded.texts[0] == "a2:2 a3:3 u1:3"
    assert example.with_moved_cards([[], ["a3"], []], []).texts == (example.texts[0], "|a3")
