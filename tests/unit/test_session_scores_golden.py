"""Three sessions and Table 2 of docs/methods.md, by our code and by the plain loop alike."""

import csv
from collections import Counter
from dataclasses import replace
from math import log2
from statistics import mean, stdev

import numpy as np
import pytest

from sdcg_explorer.analysis.definition.definition import PRESETS, Definition, Filters
from sdcg_explorer.analysis.sessions.scores import scores
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.plain_files import ECIR2008, THREE_SESSIONS, definition_of, read_plain, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query, ideal_of
from tests.support.plain_session_scores import session_scores

Values = dict[str, float]  # of one score, by session
LINEAR = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})
KANOULAS = replace(LINEAR, gains={g: 2**g - 1 for g in (0.0, 1.0, 2.0, 3.0)}, form="kanoulas2011")
NAMES = ("T-1", "T-2", "T-3")
OTHERS = ("average", "last", "best", "per_query", "weighted_mean", "mean_dcg", "average_normalised")


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


def by_loop(choices: Choices, score: str) -> Values:
    """A score of each toy session, by the plain loop."""
    return {
        session.name: session_scores(session.queries, TOYS.judgments, choices)[score]
        for session in TOYS.sessions
    }


def by_us(study: Study, definition: Definition, score: str) -> Values:
    """A score of each session, by our tables."""
    table = scores(study, definition, Filters()).sessions
    return dict(zip(table["session"].astype(str), table[score], strict=True))


def printed(*values: float, digits: int) -> object:
    """Figures of docs/methods.md by session, good to their last printed digit."""
    return pytest.approx(dict(zip(NAMES, values, strict=True)), abs=0.51 * 10**-digits)


def both(study: Study, choices: Choices, score: str) -> list[Values]:
    """A score by the plain loop and by our tables."""
    return [by_loop(choices, score), by_us(study, definition_of(choices), score)]


FINALS = [
    (4.0, "every", (8.7398771, 7.1666667, 7.9254330)),
    (4.0, "first", (8.7398771, 4.1666667, 4.9254330)),
    (2.0, "every", (7.1651529, 6.1666667, 6.8244050)),
    (2.0, "first", (7.1651529, 4.0, 4.5744050)),
]


@pytest.mark.parametrize(("bq", "repeats", "values"), FINALS)
def test_final_of_three_sessions(
    toys: Study, bq: float, repeats: str, values: tuple[float, ...]
) -> None:
    choices = replace(LINEAR, bq=bq, repeats=repeats)
    for ours in both(toys, choices, "final"):
        assert ours == printed(*values, digits=7)


IDEALS = [
    (4.0, "repeated", (20.170005, 11.952211, 12.868129)),
    (4.0, "spread", (11.139613, 4.891219, 8.853679)),
    (2.0, "repeated", (17.108083, 9.739630, 11.581316)),
    (2.0, "spread", (9.994583, 4.5, 8.282995)),
]


@pytest.mark.parametrize(("bq", "ideal", "values"), IDEALS)
def test_ideal_of_three_sessions(
    toys: Study, bq: float, ideal: str, values: tuple[float, ...]
) -> None:
    choices = replace(LINEAR, bq=bq, ideal=ideal)
    loop = {s.name: ideal_of(s.queries, TOYS.judgments, choices)[-1] for s in TOYS.sessions}
    definition = definition_of(choices)
    final = by_us(toys, definition, "final")
    share = by_us(toys, definition, "final_normalised")
    assert loop == printed(*values, digits=6)
    assert {name: final[name] / share[name] for name in NAMES} == printed(*values, digits=6)


@pytest.mark.parametrize(
    ("ideal", "values"),
    [("repeated", (0.433311, 0.599610, 0.615896)), ("spread", (0.784576, 1.465211, 0.895157))],
)
def test_final_normalised_of_three_sessions(
    toys: Study, ideal: str, values: tuple[float, ...]
) -> None:
    for ours in both(toys, replace(LINEAR, ideal=ideal), "final_normalised"):
        assert ours == printed(*values, digits=6)


@pytest.mark.parametrize(
    ("session", "values"),
    [
        ("T-1", (5.5910, 2.9213, 3.1021, 2.9133, 3.9288, 4.1377, 0.4173)),
        ("T-2", (5.7208, 1, 3.5, 1.7917, 2.6304, 2.375, 0.7293)),
        ("T-3", (4.9094, 4.4041, 4.4041, 3.9627, 4.7553, 5.0637, 0.4813)),
    ],
)
def test_other_scores_of_three_sessions(
    toys: Study, session: str, values: tuple[float, ...]
) -> None:
    for place in (0, 1):
        ours = [both(toys, LINEAR, score)[place][session] for score in OTHERS]
        assert ours == pytest.approx(list(values), abs=0.51e-4)


def test_scores_of_session_2_equal_the_working(toys: Study) -> None:
    d2, d_second, d_fourth = 1 / (1 + log2(2)), 1 / 1.5, 1 / 2  # d(2), D(2), D(4)
    sdcg = [3 + 1 * d2, (3 + 2 * d2) * d_second, 0, 2 * d_fourth]
    table = scores(toys, definition_of(LINEAR), Filters()).queries
    rows = table[table["session"] == "T-2"]
    assert rows["sdcg"].tolist() == pytest.approx(sdcg, rel=1e-14)
    assert rows["change"].tolist() == pytest.approx(
        [np.nan, sdcg[1] - sdcg[0], 0 - sdcg[1], sdcg[3] - 0], nan_ok=True
    )
    ours = {score: both(toys, LINEAR, score)[1]["T-2"] for score in ("final", *OTHERS[1:6])}
    total = sum(sdcg)
    assert ours == pytest.approx(
        {
            "final": total,
            "last": sdcg[3],
            "best": sdcg[0],
            "per_query": total / 4,
            "weighted_mean": total / (1 + d_second + 1 / (1 + log2(3) / 2) + d_fourth),
            "mean_dcg": (3 + d2 + 3 + 2 * d2 + 0 + 2) / 4,
        },
        rel=1e-14,
    )


def test_relevant_found_counts_each_document_once(toys: Study) -> None:
    worked = {"T-1": 10.0, "T-2": 3.0, "T-3": 8.0}  # of T-3: x1 x5 x2 x3 x6 x10 x4 x7
    for ours in both(toys, LINEAR, "relevant_found"):
        assert ours == worked


@pytest.mark.parametrize(
    ("score", "values"),
    [
        ("final", (23.5405742, 17.4280046, 23.1280322)),
        ("final_normalised", (0.4048587, 0.5542887, 0.6762446)),
    ],
)
def test_session_track_preset_equals_jiang_and_allan(
    toys: Study, score: str, values: tuple[float, ...]
) -> None:
    assert by_loop(KANOULAS, score) == printed(*values, digits=7)
    assert by_us(toys, PRESETS["session-track"], score) == printed(*values, digits=7)


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


@pytest.fixture(scope="module")
def sample() -> Study:
    return read_study(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")


@pytest.mark.parametrize(
    ("system", "counts", "average"),
    [
        ("System 1", (28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0), 2.53),
        ("System 2", (21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1), 3.18),
    ],
)
def test_sample_study_has_table_2(
    sample: Study, system: str, counts: tuple[int, ...], average: float
) -> None:
    block = sample.block()
    own = block.queries[block.systems == block.system_names.index(system)]
    assert tuple(np.bincount(own, minlength=12)[1:].tolist()) == counts
    assert own.size == 60
    assert float(own.mean()) == pytest.approx(average, abs=0.0051)


def test_sample_study_has_the_design_of_ecir2008(sample: Study) -> None:
    first = sample.queries.drop_duplicates("session").set_index("session")["topic"]
    sessions = sample.sessions.assign(topic=sample.sessions["session"].map(first).astype(str))
    assert (len(sample.queries), sessions["searcher"].nunique()) == (343, 30)
    cells = Counter(zip(sessions["topic"], sessions["system"], strict=True))
    assert sorted(cells.values()) == [15] * 8
    by_searcher = Counter(zip(sessions["searcher"], sessions["system"], strict=True))
    assert set(by_searcher.values()) == {2}
    assert not sessions.duplicated(["searcher", "topic"]).any()


@pytest.mark.parametrize(
    ("column", "average", "spread"),
    [
        ("internet_years", 7.2, 2.8),
        ("site_years", 2.4, 1.4),
        ("search_skill", 2.4, 0.9),
        ("profession_years", 21.4, 7.6),
    ],
)
def test_sample_study_has_table_1(column: str, average: float, spread: float) -> None:
    with (ECIR2008 / "searchers.csv").open(encoding="utf-8", newline="") as file:
        values = [float(row[column]) for row in csv.DictReader(file)]
    assert len(values) == 30
    assert (mean(values), stdev(values)) == pytest.approx((average, spread), abs=0.0501)
