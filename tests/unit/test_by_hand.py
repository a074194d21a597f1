"""By hand, counted again: steps, sums, queries and answers by working and by the plain loop."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import assume, given

from sdcg_explorer.questions.by_hand.numbers import (
    EXAMPLES,
    LINEAR,
    ByHand,
    Example,
    by_hand,
    spelled,
)
from sdcg_explorer.scoring.definition import Definition
from tests.support.plain_by_hand import SESSIONS, WORTH, Plain, condensed, plain_steps
from tests.support.plain_loop import Choices, cells_of, is_judged, query_scores
from tests.support.random_studies import choices, made, often, random_judgments, random_session

NUMBERS = {
    "gain": "gain",
    "CG": "CG",
    "d": "d(r)",
    "discounted": "discounted gain",
    "DCG": "DCG",
    "best": "ideal DCG",
    "nDCG": "nDCG",
    "D": "D(q)",
    "added": "added",
    "V": "V",
    "I": "I",
    "share": "V / I",
}
DEFINITIONS: dict[str, tuple[Definition, Choices]] = {
    "ECIR 2008": (Definition(), Choices(WORTH["paper"])),
    "linear": (LINEAR, Choices(WORTH["linear"])),
    "Session track": (
        Definition(weights="exponential", discount="kanoulas2011", b=3, bq=2.5),
        Choices(WORTH["exponential"], form="kanoulas2011", b=3, bq=2.5),
    ),
    "jk2002": (
        Definition(weights="linear", discount="jk2002", b=3),
        Choices(WORTH["linear"], form="jk2002", b=3),
    ),
    "first": (replace(LINEAR, repeats="first"), Choices(WORTH["linear"], repeats="first")),
    "spread": (replace(LINEAR, ideal="spread"), Choices(WORTH["linear"], ideal="spread")),
    "as-is": (replace(LINEAR, short_lists="as-is"), Choices(WORTH["linear"], short="as-is")),
    "at least 3, top 4": (
        replace(LINEAR, short_lists=3, top=4),
        Choices(WORTH["linear"], short=3, top=4),
    ),
    "no discounts": (
        replace(LINEAR, b=math.inf, bq=math.inf),
        Choices(WORTH["linear"], b=math.inf, bq=math.inf),
    ),
}
AS_IS = replace(LINEAR, short_lists="as-is")
every_example = pytest.mark.parametrize("example", list(SESSIONS))


def in_force(example: str) -> ByHand:
    """An example as its source counts it."""
    return by_hand(EXAMPLES[example], EXAMPLES[example].definition)


def assert_numbers(shown: ByHand, session: Plain, chosen: Choices) -> None:
    rows, steps = plain_steps(session, chosen), shown.steps
    places = list(zip(steps["query"], steps["rank"], strict=True))
    assert places == [(row["query"], row["rank"]) for row in rows]
    for name, column in NUMBERS.items():
        expected = pytest.approx([row[name] for row in rows], rel=1e-9, abs=1e-12, nan_ok=True)
        assert steps[column].tolist() == expected, column
    assert shown.final == pytest.approx(rows[-1]["V"] if rows else 0.0, rel=1e-9)


@every_example
def test_steps_are_the_loops_and_add_up_to_the_session(example: str) -> None:
    session = SESSIONS[example]
    for definition, chosen in DEFINITIONS.values():
        shown = by_hand(EXAMPLES[example], definition)
        assert_numbers(shown, session, chosen)
        worth = query_scores(session.queries, session.judgments, chosen)
        final = pytest.approx(sum(row["sdcg"] for row in worth), rel=1e-9)
        assert [shown.steps["added"].sum(), shown.final, shown.vector[-1]] == [final] * 3
        share = plain_steps(session, chosen)[-1]["share"]
        assert shown.share == pytest.approx(share, rel=1e-9)
        places = [q for q, _ in cells_of(session.queries, chosen)]
        numbers = range(1, len(session.queries) + 1)
        assert list(shown.ends) == [sum(of <= q for of in places) for q in numbers]


def session_of(chance: random.Random) -> Plain:
    return Plain(random_session(chance, "s").queries, random_judgments(chance))


def example_of(session: Plain) -> Example:
    """A plain session as an example."""
    depths = [max(results, default=0) for _, results in session.queries]
    lists = [
        tuple(results.get(r, "") for r in range(1, depth + 1))
        for (_, results), depth in zip(session.queries, depths, strict=True)
    ]
    judged = tuple((topic, doc, grade) for (topic, doc), grade in session.judgments.items())
    topics = tuple(topic for topic, _ in session.queries)
    return Example("random", judged, tuple(lists), topics, LINEAR, "")


def definition_of(chosen: Choices, unjudged: str) -> Definition:
    return Definition(
        weights=tuple(chosen.gains.items()),
        b=chosen.b,
        bq=chosen.bq,
        top=chosen.top,
        discount=chosen.form,
        repeats=chosen.repeats,
        ideal=chosen.ideal,
        short_lists=chosen.short,
        unjudged=unjudged,
    )


@often
@given(session=made(session_of), chosen=choices())
def test_random_session_is_counted_as_by_the_loop(session: Plain, chosen: Choices) -> None:
    assume(is_judged(session.queries, session.judgments))
    assume(any(results for _, results in session.queries))
    example = example_of(session)
    assert_numbers(by_hand(example, definition_of(chosen, "zero")), session, chosen)
    assert_numbers(by_hand(example, definition_of(chosen, "condense")), condensed(session), chosen)


@often
@given(session=made(session_of))
def test_steps_show_each_document_with_its_grade(session: Plain) -> None:
    assume(any(results for _, results in session.queries))
    assume({topic for topic, _ in session.judgments} & {topic for topic, _ in session.queries})
    for unjudged, looked_at in (("zero", session), ("condense", condensed(session))):
        steps = by_hand(example_of(session), replace(LINEAR, unjudged=unjudged, top=9)).steps
        seen = set()
        for q, r, doc, said in steps[["query", "rank", "document", "grade"]].to_numpy().tolist():
            topic, results = looked_at.queries[q - 1]
            shown = results.get(r, "")
            grade = session.judgments.get((topic, shown))
            expected = "unjudged" if grade is None else f"{grade:g}"
            if grade is not None and (q, shown) in seen:
                expected = "again in this list"
            seen.add((q, shown))
            assert (doc, said) == (shown, expected if shown else ""), (q, r)


def test_gap_and_repeat_in_one_list_are_told_apart() -> None:
    example = spelled("odd", "a:1 b:3", "- a b a u u|b", "")
    steps = by_hand(example, AS_IS).steps
    said = ["", "1", "3", "again in this list", "unjudged", "unjudged", "3"]
    assert steps["grade"].tolist() == said
    # rank 2: 1/2; rank 3: 3/(1 + log2 3); a and u come again to no gain; query 2: 3/(1 + 1/2)
    added = [0, 1 / 2, 3 / (1 + math.log2(3)), 0, 0, 0, 3 / 1.5]
    assert steps["added"].tolist() == pytest.approx(added)
    first = by_hand(example, replace(AS_IS, repeats="first")).steps.iloc[-1]
    assert (first["grade"], first["added"]) == ("3, seen before", 0)
