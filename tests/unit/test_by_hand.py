"""By hand: sessions and moved cards against plain loops; formulas; what was typed, refused."""

import math
import random
import re
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdcg_explorer.questions.by_hand import figure, words
from sdcg_explorer.questions.by_hand.numbers import (
    EXAMPLES,
    LINEAR,
    ByHand,
    Example,
    by_hand,
    parse_example,
    with_gains,
)
from sdcg_explorer.scoring.definition import Definition
from tests.support import plain_files, plain_loop, random_studies, refusals, screen
from tests.support.plain_by_hand import LESSONS, SESSIONS, WORTH, Plain, condensed, plain_steps

NUMBERS = {"CG": "CG", "d": "d(r)", "discounted": "discounted gain", "DCG": "DCG", "D": "D(q)"}
NUMBERS |= {"gain": "gain", "best": "ideal DCG", "nDCG": "nDCG", "added": "added", "V": "V"}
NUMBERS |= {"I": "I", "share": "V / I"}
GRADES = [-2.0, 0.0, 0.25, 1.0, 2.0, 3.0, 17.0]
NAMES = st.text(max_size=12) | st.sampled_from(
    [*screen.HOSTILE, "a:b", "a|b", "q1/a", "  a  b ", "é́", "𝔞"]
)


def assert_steps(shown: ByHand, session: Plain, chosen: plain_loop.Choices) -> None:
    """Places, documents, grades and numbers of every step, and what they come to."""
    rows, steps = plain_steps(session, chosen), shown.steps
    places = list(zip(steps["query"], steps["rank"], strict=True))
    assert places == [(row["query"], row["rank"]) for row in rows]
    for name, column in NUMBERS.items():
        expected = pytest.approx([row[name] for row in rows], rel=1e-9, abs=1e-12, nan_ok=True)
        assert steps[column].tolist() == expected, column
    assert shown.final == pytest.approx(rows[-1]["V"] if rows else 0.0, rel=1e-9)
    cells = [q for q, _ in plain_loop.cells_of(session.queries, chosen)]
    numbers = range(1, len(session.queries) + 1)
    assert list(shown.ends) == [sum(of <= q for of in cells) for q in numbers]
    here, before = set[tuple[int, str]](), dict[tuple[str, str], int]()
    for q, r, doc, said in steps[["query", "rank", "document", "grade"]].to_numpy().tolist():
        topic, results = session.queries[q - 1]
        shown_at = before.setdefault((topic, doc), q)
        grade = session.judgments.get((topic, results.get(r, "")))
        expected = "unjudged" if grade is None else f"{grade:g}"
        if (q, doc) in here:
            expected = expected if grade is None else "again in this list"
        elif chosen.repeats == "first" and shown_at < q:
            expected += ", seen before"
        here.add((q, doc))
        assert (doc, said) == (results.get(r, ""), expected if doc else ""), (q, r)


LECTURE = plain_loop.Choices(WORTH["linear"], form="jk2002", top=15)  # b = 2, as it prints
OWN = {  # definitions of sources
    "ecir2008": plain_loop.Choices(WORTH["linear"], b=4),
    "w-en": replace(LECTURE, top=6),
    "yukawa-retrieved": LECTURE,
    "yukawa-judged": LECTURE,
    "l14": plain_loop.Choices(WORTH["exponential"], form="kanoulas2011", top=3),
}


@pytest.mark.parametrize("example", SESSIONS | LESSONS)
def test_published_sessions_are_counted_as_by_the_loop(example: str) -> None:
    session = (SESSIONS | LESSONS)[example]
    for definition, chosen in (
        (Definition(), plain_loop.Choices(WORTH["paper"])),
        (replace(LINEAR, short_lists="as-is"), plain_loop.Choices(WORTH["linear"], short="as-is")),
        *([(EXAMPLES[example].definition, OWN[example])] if example in OWN else []),
    ):
        shown = by_hand(EXAMPLES[example], definition)
        assert_steps(shown, session, chosen)
        assert shown.share == pytest.approx(plain_steps(session, chosen)[-1]["share"], rel=1e-9)
        assert figure.steps_html(shown).endswith("</tr></tbody></table></div>")  # with every step


def session_of(chance: random.Random) -> Plain:
    return Plain(
        random_studies.random_session(chance, "s").queries, random_studies.random_judgments(chance)
    )


def example_of(session: Plain) -> Example:
    """A plain session as an example."""
    lists = [
        tuple(results.get(r, "") for r in range(1, max(results, default=0) + 1))
        for _, results in session.queries
    ]
    judged = tuple((topic, doc, grade) for (topic, doc), grade in session.judgments.items())
    topics = tuple(topic for topic, _ in session.queries)
    return Example("random", judged, tuple(lists), topics, LINEAR, "")


@random_studies.often
@given(session=random_studies.made(session_of), chosen=random_studies.choices())
def test_random_session_is_counted_as_by_the_loop(
    session: Plain, chosen: plain_loop.Choices
) -> None:
    assume(plain_loop.is_judged(session.queries, session.judgments))
    assume(any(results for _, results in session.queries))
    for unjudged, looked_at in (("zero", session), ("condense", condensed(session))):
        definition = replace(plain_files.definition_of(chosen), unjudged=unjudged)
        assert_steps(by_hand(example_of(session), definition), looked_at, chosen)


def typed(example: Example, names: list[str], chance: random.Random) -> Example:
    """The example after cells of both tables were typed over, cleared and added."""
    grades, lists = example.tables()
    rows = grades.to_dict("records")
    for name in names:
        row = chance.choice([chance.choice(rows), dict(rows[0])])
        row |= {"document": name, "grade": chance.choice([*GRADES, math.nan])}
        rows.append(dict(row))
        place = chance.choice(list(lists.index)), chance.choice(list(lists.columns))
        lists.loc[place] = chance.choice([name, "", None])
    return example.with_edited_tables(pd.DataFrame(rows, columns=grades.columns), lists)


@random_studies.often
@given(
    key=st.sampled_from(list(EXAMPLES)),
    names=st.lists(NAMES),
    chance=random_studies.made(lambda c: c),
)
def test_what_was_typed_survives_link_and_tables(
    key: str, names: list[str], chance: random.Random
) -> None:
    assume("-" not in [name.strip() for name in names])
    edited = typed(EXAMPLES[key], names, chance)
    assert EXAMPLES[key].with_texts(*edited.texts) == edited
    assert edited.with_edited_tables(*edited.tables()) == edited


@pytest.mark.parametrize(
    "judged", ["", "a", ":", "a:", ":3", "a:x", "q/:2", "a:nan", "a:inf", "a:-1e999", "a::", "a/:1"]
)
def test_mistyped_grade_of_a_link_is_left_out(judged: str) -> None:
    example = EXAMPLES["T-2"].with_texts(f"{judged} a3:2", "a3")
    assert example.judged == (("1", "a3", 2.0),)
    assert by_hand(example, LINEAR).final == 2.0


def test_a_session_whose_judgments_gain_nothing_has_no_ideal() -> None:
    assert words.headline(by_hand(parse_example("odd", "a:0 b:-1", "a b", ""), LINEAR)) == (
        "This session's sDCG is 0; it has no share of an ideal because the ideal gains nothing."
    )


SCALE = "grades lie between −100 and 100. Correct it."
UNGRADED = "grades: no judged document; a score needs grades. Grade one."
REFUSED = {
    ("T-1", "b:1 a:400", "a b"): f"grades, line 2: grade 400; {SCALE}",
    ("T-1", "a:-101", "a b"): f"grades, line 1: grade -101; {SCALE}",
    (
        "T-1",
        "a:1",
        "||",
    ): "results: no document; a session must show documents. Name one in a query.",
    ("T-2", "", "a"): UNGRADED,
    ("yukawa-judged", "q9/a1:1", "a1|b1"): UNGRADED,  # judged elsewhere
    ("T-2", "a:1 b:0 a:2", "a"): "grades, line 3: a second grade (2) for 'a' on topic '1'; a "
    "document may have only one grade. Keep one.",
}


@pytest.mark.parametrize("asked", REFUSED)
def test_what_can_not_be_counted_is_refused(asked: tuple[str, str, str]) -> None:
    key, *texts = asked
    example = EXAMPLES[key].with_texts(*texts)
    assert refusals.refused(lambda: by_hand(example, LINEAR)) == [REFUSED[asked]]


def own(**gains: float) -> Definition:
    """Weights of grade 0, and of those named g1, g2, …."""
    pairs = [(0.0, 0.0), *((float(name[1:]), gain) for name, gain in gains.items())]
    return replace(LINEAR, weights=tuple(pairs))


FILLED = [
    (own(g1=1, g4=4), "linear", {2.0: 2.0, 3.0: 3.0}),
    (own(g1=1, g2=2, g3=9), "linear", {4.0: 4.0}),
    (own(g1=1, g2=10, g3=9), "paper", {4.0: 1000.0}),
    (own(g1=1, g2=3, g3=9), "exponential", {4.0: 15.0}),
    (own(g2=0, g3=0.5), "strict", {1.0: 0.0, 4.0: 1.0}),
]


@pytest.mark.parametrize(("definition", "scheme", "filled"), FILLED)
def test_grades_without_a_gain_get_that_of_the_nearest_weighting(
    definition: Definition, scheme: str, filled: dict[float, float]
) -> None:
    example = parse_example("odd", "a:0 b:1 c:2 d:3 e:4", "a b c d e", "")
    (said,) = words.cautions(by_hand(example, definition))
    kept = with_gains(definition, example)[0].weights
    assert not isinstance(definition.weights, str)
    assert not isinstance(kept, str)
    assert dict(kept) == dict(definition.weights) | filled
    assert f"so {scheme} weights are used:" in said
    assert all(f"{grade:g} → {gain:g}" in said for grade, gain in filled.items())
    for whole in (own(g1=5, g2=6, g3=7), LINEAR):
        assert with_gains(whole, EXAMPLES["T-1"]) == (whole, {}, "")


# \log_{b} x or \log_{b} (x + c); a fraction without braces inside; 100.5
LOG = re.compile(r"\\log_\{([\d.]+)\} (\d+|\([\d.]+ \+ [\d.]+\))")
FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
ALLOWED = re.compile(r"[-\d.+*/() ]*(?:log\([\d.+ ()]+, [\d.]+\)[-\d.+*/() ]*)*")
POWER = re.compile(r"(\d+)\^\{([-\d./]+)\}")
NUMBER = re.compile(r"\d+(\.\d+)?( \\cdot 10\^\{-?\d+\})?")


def value(latex: str) -> float:
    """What one side of an equation comes to."""
    text = LOG.sub(r"log(\2, \1)", latex)
    text = FRACTION.sub(r"((\1)/(\2))", POWER.sub(r"\1**(\2)", text))
    text = text.replace(r"\cdot", "*").replace(r"\, (", "* (")
    assert ALLOWED.fullmatch(text), latex
    return eval(text, {"__builtins__": {}, "log": math.log})  # its alphabet was checked above


def equations(line: str) -> dict[str, list[str]]:
    """What stands left of each equation of a line, and its sides to the right."""
    parts = re.split(r",\\; | \\qquad ", line)
    return {left: sides for left, *sides in (part.split(" = ") for part in parts)}


def assert_holds(sides: list[str], expected: float) -> None:
    """All sides are the number, as exactly as three digits within them allow."""
    assert sides
    for side in sides:
        assert value(side) == pytest.approx(expected, rel=4e-3), side
    assert NUMBER.fullmatch(sides[-1])


@pytest.mark.parametrize("base", [1.5, 7.0, math.inf])
@pytest.mark.parametrize("form", random_studies.FORMS)
def test_every_equation_holds(form: str, base: float) -> None:
    definition = replace(LINEAR, discount=form, b=base, bq=base)
    chosen = plain_loop.Choices(WORTH["linear"], form=form, b=base, bq=base)
    queries, judgments = SESSIONS["T-2"].queries, SESSIONS["T-2"].judgments
    found: dict[str, list[str]] = {}
    for line in words.formulas(by_hand(EXAMPLES["T-2"], definition)):
        found |= equations(line)
    for r in (1, 2, 3, 4):
        assert_holds(found[f"d({r})"], plain_loop.rank_factor(r, base, form))
    for q, row in enumerate(plain_loop.query_scores(queries, judgments, chosen), start=1):
        sides = found[rf"\mathrm{{sDCG}}({q})"]
        assert_holds(sides, row["sdcg"])
        factor = sides[0].partition(r" \, ")[0]
        assert value(factor) == pytest.approx(plain_loop.query_factor(q, base, form))
    final = plain_loop.session_vector(queries, judgments, chosen)[-1]
    ideal = plain_loop.ideal_of(queries, judgments, chosen)[-1]
    assert_holds(found["V"], final)
    assert_holds(found["I"], ideal)
    sides = found[r"\mathrm{nsDCG}"]
    assert sides[0] == r"\frac{V}{I}"
    assert_holds(sides[1:], final / ideal)


def test_the_curve_has_a_mark_at_each_cell_beside_its_ideal_and_what_is_kept() -> None:
    example, three = EXAMPLES["T-2"], replace(LINEAR, top=3)
    shown, other = by_hand(example, three), by_hand(example, replace(three, b=9))
    drawn: Any = figure.draw_by_hand(shown, beside=other, least=20).to_plotly_json()
    cells, expected = [*range(1, 13)], [other.vector, shown.ideal, shown.vector]
    assert [each["name"] for each in drawn["data"]] == [
        "V, kept",
        "its ideal, I",
        "this session, V",
    ]
    for trace, curve in zip(drawn["data"], expected, strict=True):
        assert (screen.decoded(trace["x"]), screen.decoded(trace["y"])) == (cells, curve.tolist())
    axis = drawn["layout"]["xaxis"]
    assert (axis["range"], axis["tickvals"], axis["ticktext"][-1]) == ([0, 13], [3, 6, 9, 12], "Q4")
    assert drawn["layout"]["yaxis"]["range"] == [-0.4, 20]


def test_gains_and_discounts_stand_in_the_formulas() -> None:
    # 7.1666667 of 11.952211: docs/methods.md, Numbers to test against
    _, _, second, third, _, *whole = words.formulas(by_hand(EXAMPLES["T-2"], LINEAR))
    assert [second, third, *whole] == [
        r"\mathrm{sDCG}(2) = \frac{1}{1 + \log_{4} 2} \, (3 \cdot 1 + 2 \cdot 0.5) = 2.667",
        r"\mathrm{sDCG}(3) = \frac{1}{1 + \log_{4} 3} \, (0) = 0",
        r"V = 3.5 + 2.667 + 0 + 1 = 7.167 \qquad I = 11.95",
        r"\mathrm{nsDCG} = \frac{V}{I} = \frac{7.167}{11.95} = 0.600",
    ]


def cards_of(example: Example, definition: Definition) -> dict[str, Any]:
    return words.cards_by_query(example, by_hand(example, definition))


def test_a_card_says_its_steps_or_why_it_brings_nothing() -> None:
    example = parse_example("odd", "a:3 b:0", "b a u - a", "")
    definition = replace(LINEAR, top=4)
    cards = cards_of(example, definition)["lists"][0]["cards"]
    assert cards[1]["worked"] == ("grade 3: gain 3.00", "× d(2) 0.500 = 1.50", "× D(1) 1.00 = 1.50")
    assert [card and card["worked"] for card in cards[2:]] == [
        ("unjudged: gains nothing",),
        None,
        ("beyond the 4 results that count",),
    ]
    assert cards[0]["worked"] == ("grade 0: gains nothing",)
    condensed_ones = cards_of(example, replace(definition, unjudged="condense"))
    assert condensed_ones["lists"][0]["cards"][2]["worked"] == ("unjudged, removed",)
    bare = words.cards_by_query(example, None)
    assert (bare["worth"], bare["lists"][0]["cards"][1]["worked"]) == ("–", ("not counted",))


def test_a_card_becomes_unjudged_and_graded_anew() -> None:
    example = EXAMPLES["T-2"]
    bare = example.with_moved_cards(example.lists, [("1", "a3", "")])
    assert bare.texts[0] == "a1:1 a2:2"
    graded = example.with_moved_cards(example.lists, [("1", "u1", "3"), ("1", "a1", "nan")])
    assert graded.texts[0] == "a2:2 a3:3 u1:3"
    assert example.with_moved_cards([[], ["a3"], []], []).texts == (example.texts[0], "|a3")
