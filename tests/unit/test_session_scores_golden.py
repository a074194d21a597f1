"""Three sessions and Table 2 of docs/methods.md, by our code and by the plain loop alike."""

import re
from dataclasses import replace

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import PRESETS, Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.literature import GIVEN
from tests.support.plain_files import (
    THREE_SESSIONS,
    definition_of,
    read_plain,
    study_of,
)
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query, ideal_of
from tests.support.plain_session_scores import session_scores

LINEAR = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})
NAMES = ("T-1", "T-2", "T-3")


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


@pytest.fixture(scope="module")
def toys() -> Study:
    return study_of(TOYS)


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
def test_plain_loop_and_tables_give_the_published_numbers(line: str, toys: Study) -> None:
    (choices, score), (numbers, digits) = PUBLISHED[line], GIVEN[line]
    printed = pytest.approx([*map(float, numbers.split())], abs=0.51 * 10**-digits)
    each = [session_scores(s.queries, TOYS.judgments, choices)[score] for s in TOYS.sessions]
    assert each == printed
    assert [*by_us(toys, definition_of(choices), score).values()] == printed


@pytest.mark.parametrize(
    "line", [line for line in GIVEN if re.match(r"(repeated|spread), bq", line)]
)
def test_plain_ideal_is_the_published_one(line: str) -> None:
    ideal, _, bq = line.partition(", bq ")
    choices, (numbers, digits) = replace(LINEAR, ideal=ideal, bq=float(bq)), GIVEN[line]
    ends = [ideal_of(s.queries, TOYS.judgments, choices)[-1] for s in TOYS.sessions]
    assert ends == pytest.approx([*map(float, numbers.split())], abs=0.51 * 10**-digits)


def test_sample_study_three_sessions_is_the_one_of_methods(toys: Study) -> None:
    log, judgments = THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv"
    sample = read_plain(log, judgments)
    assert [s.name for s in sample.sessions] == list(NAMES)
    for ours, theirs in zip(sample.sessions, TOYS.sessions, strict=True):
        assert [docs for _, docs in ours.queries] == [docs for _, docs in theirs.queries]
    assert [*sample.judgments.values()] == [*TOYS.judgments.values()]
    assert by_us(read_study(log, judgments), PRESETS["linear"], "final") == by_us(
        toys, PRESETS["linear"], "final"
    )
