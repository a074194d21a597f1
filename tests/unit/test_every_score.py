"""Every score of the registries has a card, a number worked by hand, a plain loop, and laws."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sdcg_explorer.metrics.worked import PARTS, UNDEFINED

from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import QUERY_SCORES, SESSION_SCORES
from sdcg_explorer.scoring.scores import Scores, scores
from sdcg_explorer.study.study import Study
from tests.support.literature import GIVEN
from tests.support.plain_files import (
    ROOT,
    definition_of,
    study_of,
)
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query, ideal_of
from tests.support.plain_other_measures import every_query_score
from tests.support.plain_session_scores import SESSION_SCORES as LOOPS
from tests.support.plain_session_scores import session_scores
from tests.support.random_studies import choices, often, studies

LINEAR = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})


def judged(text: str, topic: str) -> dict[tuple[str, str], float]:
    """Judgments written as docs/methods.md writes them: d1:3 d2:2."""
    pairs = [part.split(":") for part in text.split()]
    return {(topic, doc): float(grade) for doc, grade in pairs}


def asked(text: str, topic: str) -> list[Query]:
    """Queries written as docs/methods.md writes them: [d5 d1] []."""
    lists = [part.strip("[ ").split() for part in text.split("]")[:-1]]
    return [(topic, dict(enumerate(docs, start=1))) for docs in lists]


TOYS = PlainStudy(
    [
        PlainSession("T-1", asked("[d5 d1 u1 d4 d2] [d7 d9 d6 u2 d8] [d3 d10 u3 d11 d12]", "1")),
        PlainSession("T-2", asked("[a3 a1] [a3 a2 u1] [] [a2 u2]", "2")),
        PlainSession(
            "T-3",
            asked("[x8 x1 x5 u1 x2 x9 u2 x3 u3 x6] [x1 x2 x10 x4 u4 x7 u5 u6 u7 u8]", "3"),
        ),
    ],
    judged("d1:3 d2:2 d3:3 d4:0 d5:1 d6:2 d7:3 d8:1 d9:0 d10:2 d11:1 d12:3", "1")
    | judged("a1:1 a2:2 a3:3", "2")
    | judged("x1:3 x2:3 x3:2 x4:2 x5:1 x6:1 x7:1 x8:0 x9:0 x10:3", "3"),
)


def by_us(study: Study, definition: Definition, score: str) -> dict[str, float]:
    """A score of each session, by our tables."""
    table = scores(study, definition, Filters()).sessions
    return dict(zip(table["session"].astype(str), table[score], strict=True))


TRACK = replace(LINEAR, gains={g: 2**g - 1 for g in (0.0, 1.0, 2.0, 3.0)}, form="kanoulas2011")
# lines of docs/methods.md, and the choices and score that they are of; that our tables agree with
# them, too, is tested in tests/unit/test_literature.py
PUBLISHED: dict[str, tuple[Choices, str]] = {
    **{
        f"{repeats}, bq {bq}": (replace(LINEAR, repeats=repeats, bq=float(bq)), "final")
        for repeats in ("every", "first")
        for bq in (4, 2)
    },
    "every/repeated": (LINEAR, "final_normalised"),
    "every/spread": (replace(LINEAR, ideal="spread"), "final_normalised"),
    **{name: (LINEAR, name) for name in ("average", "last", "best", "per_query", "weighted_mean")},
    **{name: (LINEAR, name) for name in ("mean_dcg", "average_normalised")},
    "track": (TRACK, "final"),
    "track, normalised": (TRACK, "final_normalised"),
}


@pytest.mark.parametrize("line", PUBLISHED)
def test_plain_loop_and_tables_give_the_published_numbers(line: str) -> None:
    (choices, score), (numbers, digits) = PUBLISHED[line], GIVEN[line]
    printed = pytest.approx([*map(float, numbers.split())], abs=0.51 * 10**-digits)
    each = [session_scores(s.queries, TOYS.judgments, choices)[score] for s in TOYS.sessions]
    assert each == printed
    assert [*by_us(study_of(TOYS), definition_of(choices), score).values()] == printed


@pytest.mark.parametrize(
    "line", [line for line in GIVEN if re.match(r"(repeated|spread), bq", line)]
)
def test_plain_ideal_is_the_published_one(line: str) -> None:
    ideal, _, bq = line.partition(", bq ")
    choices, (numbers, digits) = replace(LINEAR, ideal=ideal, bq=float(bq)), GIVEN[line]
    ends = [ideal_of(s.queries, TOYS.judgments, choices)[-1] for s in TOYS.sessions]
    assert ends == pytest.approx([*map(float, numbers.split())], abs=0.51 * 10**-digits)


REGISTRIES = {"session_scores": SESSION_SCORES, "query_scores": QUERY_SCORES}
EVERY = [(kind, name) for kind, registry in REGISTRIES.items() for name in registry]
PAGE = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
EXACT = 1e-9
FILES = [
    path for room in ("metrics", "sdcg_explorer/scoring") for path in ROOT.glob(f"{room}/**/*.py")
]


def file_of(name: str) -> str:
    """The file that has a score's entry."""
    own = [path for path in FILES if f'"{name}": Score(' in path.read_text(encoding="utf-8")]
    return own[0].relative_to(ROOT).as_posix() if own else "sdcg_explorer/scoring/measures.py"


def number(text: str) -> float:
    """What a working comes to."""
    names = {name: number(part) for name, part in PARTS.items() if name in text}
    return float("nan") if text == UNDEFINED else float(eval(text, {"log2": log2, **names}))


def working(text: str) -> str:
    """A working in a card, and what it comes to where it is not a number by itself."""
    return text if re.fullmatch(r"[\d–]+", text) else f"`{text}` = {number(text):.5g}"


def card_of(kind: str, name: str) -> str:
    """The row of docs/metrics.md that a score's entry asks for."""
    of = REGISTRIES[kind][name]
    cells = [f"`{name}`", f"${of.formula}$", of.words, of.unit, of.source, of.undefined]
    if kind == "session_scores":
        cells.append("yes" if of.grows else "no")
    cells.append(" · ".join(map(working, of.worked)))
    return f"| {' | '.join(cells)} |"


def cards(kind: str) -> list[str]:
    """Rows of the table under a heading of docs/metrics.md."""
    section = PAGE.partition(f"\n## `{kind}`")[2].partition("\n## ")[0]
    return re.findall(r"^\| `.*$", section, re.MULTILINE)


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_score_has_its_card(kind: str, name: str) -> None:
    of = REGISTRIES[kind][name]
    assert all([of.words, of.unit, of.formula]), f"{name} needs words, a unit and a formula."
    known = [*re.findall(r"\*\*(\w+)\*\* [A-Z]", PAGE.partition("Undefined is")[0]), "ours"]
    assert re.split(r"[ ,]", of.source)[0] in known, f"{name} needs a source: {', '.join(known)}."


@pytest.mark.parametrize("kind", REGISTRIES)
def test_cards_are_those_of_the_scores_in_their_order(kind: str) -> None:
    assert cards(kind) == [card_of(kind, name) for name in REGISTRIES[kind]]


def test_parts_of_the_workings_are_said_in_the_docs() -> None:
    said = " · ".join(f"`{name}` = `{text}`" for name, text in PARTS.items())
    assert said in " ".join(PAGE.split()), f"docs/metrics.md needs the line\n{said}"


@pytest.fixture(scope="module")
def toys() -> Scores:
    return scores(study_of(TOYS), definition_of(LINEAR), Filters())


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_score_equals_its_number_worked_by_hand(kind: str, name: str, toys: Scores) -> None:
    table = toys.sessions if kind == "session_scores" else toys.queries
    own = table.loc[table["session"] == "T-2", name].tolist()
    worked = REGISTRIES[kind][name].worked
    said = (
        f"{name} has no number worked by hand: give its Score T-2's, worked=…, in {file_of(name)}."
    )
    assert len(worked) == len(own), said
    assert own == pytest.approx([number(text) for text in worked], rel=1e-14, nan_ok=True)


def test_loops_are_those_of_the_scores() -> None:
    place = "SESSION_SCORES in tests/support/plain_session_scores.py"
    assert {*LOOPS} == {*SESSION_SCORES}, f"A score has no plain loop: add it to {place}."


def assert_close(ours: object, theirs: object, of: str = "") -> None:
    """Equal but for rounding, undefined in the same places."""
    np.testing.assert_allclose(
        np.asarray(ours, dtype=float),
        np.asarray(theirs, dtype=float),
        rtol=EXACT,
        atol=EXACT,
        err_msg=of,
    )


def plain_rows(plain: PlainStudy, chosen: Choices) -> list[dict[str, float]]:
    """Every score of each query, by the plain loops."""
    each = [every_query_score(s.queries, plain.judgments, chosen) for s in plain.sessions]
    return [row for rows in each for row in rows]


@often
@given(studies(), choices())
def test_every_score_equals_its_plain_loop(plain: PlainStudy, chosen: Choices) -> None:
    tables = scores(study_of(plain), definition_of(chosen), Filters())
    assert_rows(tables.sessions, plain)
    assert_counts(tables.queries, plain, chosen)
    place = "every_query_score in tests/support/plain_other_measures.py"
    expected = [session_scores(s.queries, plain.judgments, chosen) for s in plain.sessions]
    for name in SESSION_SCORES:
        assert_close(tables.sessions[name], [row[name] for row in expected], name)
    rows = plain_rows(plain, chosen)
    for name in QUERY_SCORES:
        assert name in rows[0], f"{name} has no plain loop: add it to {place}."
        assert_close(tables.queries[name], [row[name] for row in rows], name)


def assert_rows(table: pd.DataFrame, plain: PlainStudy) -> None:
    """Sessions, and what is known of each."""
    assert table["session"].astype(str).tolist() == [s.name for s in plain.sessions]
    assert table["queries"].tolist() == [len(s.queries) for s in plain.sessions]
    assert table["system"].tolist() == [s.system for s in plain.sessions]
    searchers = table["searcher"].astype(object).fillna("").tolist()
    assert searchers == [s.searcher for s in plain.sessions]
    topics = [dict.fromkeys(topic for topic, _ in s.queries) for s in plain.sessions]
    assert table["topic"].tolist() == ["; ".join(names) for names in topics]


def assert_counts(table: pd.DataFrame, plain: PlainStudy, chosen: Choices) -> None:
    """Topic, results and judged results of each query."""
    asked = [query for session in plain.sessions for query in session.queries]
    shown = [[d for r, d in results.items() if r <= chosen.top] for _, results in asked]
    judged = [
        sum((topic, doc) in plain.judgments for doc in docs)
        for (topic, _), docs in zip(asked, shown, strict=True)
    ]
    assert table["topic"].tolist() == [topic for topic, _ in asked]
    assert table["results"].tolist() == [len(docs) for docs in shown]
    assert table["judged"].tolist() == judged


def values_of(plain: PlainStudy, chosen: Choices) -> dict[str, np.ndarray]:
    """Every score by name, of the sessions and of the queries."""
    tables = scores(study_of(plain), definition_of(chosen), Filters())
    return {
        name: table[name].to_numpy(float)
        for table, registry in (
            (tables.sessions, SESSION_SCORES),
            (tables.queries, QUERY_SCORES),
        )
        for name in registry
    }


# unit → whether it is one of gain, so that twice the gains are twice the score
SCALES = {
    **dict.fromkeys(("sDCG", "sDCG per query", "DCG"), True),
    **dict.fromkeys(("nsDCG", "nDCG", "share", "documents", "documents per result"), False),
    **dict.fromkeys(("LDCG", "LNDCG"), False),  # whose gain is always 2^g − 1
}


@often
@given(studies(), choices())
def test_gains_scale_a_score_or_leave_it(plain: PlainStudy, chosen: Choices) -> None:
    doubled = replace(chosen, gains={grade: 2 * gain for grade, gain in chosen.gains.items()})
    ours, theirs = values_of(plain, chosen), values_of(plain, doubled)
    for name, of in (SESSION_SCORES | QUERY_SCORES).items():
        assert of.unit in SCALES, f"{name}: say in SCALES whether its unit, {of.unit}, is of gain"
        scaled = ours[name] * (2 if SCALES[of.unit] else 1)
        assert_close(scaled, theirs[name], f"{name}: its unit is {of.unit}")
