"""Two systems topic by topic, and whether answers were right: by hand, scipy and statsmodels."""

import math
import random
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar as theirs
from statsmodels.stats.proportion import proportion_confint

from sdcg_explorer.questions.compare_systems import numbers, words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.statistics.shares import effective_n, mcnemar, wilson
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_statistics import Row, as_study
from tests.support.tables import read
from tests.support.two_agents import TASKS, agents_rows, agents_study

LINEAR = Definition(weights="linear")
TEN: Any = {"rel": 1e-10, "abs": 1e-12}


def compared(rows: list[Row], **more: Any) -> numbers.Comparison:
    return compare_systems(study_of(as_study(rows)), LINEAR, Filters(), score="final", **more)


def test_of_several_runs_a_topic_counts_once_and_the_nearest_to_the_mean_is_shown() -> None:
    rows = [*agents_rows(several=True), Row(Fraction(9), "A", "", "task99")]
    shown = compared(rows)
    found, pair = numbers.by_topic(shown, 0), shown.pairs[0]
    assert found["difference"].mean() == pytest.approx(pair.difference, **TEN)
    (first,) = found[found["topic"] == TASKS[0]].to_dict("records")
    assert (first["n_a"], first["n_b"], first["mean_b"]) == (1, 2, 2.5)
    nearest = shown.points.set_index("session")["score"][first["session_b"]]
    assert nearest == 2.0  # of 2 and 3, as far off, the first
    assert words.pair_details(shown)[0] == (
        "Paired by topic: 12 topics with both systems (sessions per topic: 1.08 with A, 1.17 with "
        "B); here, no searcher used both. The topics are the sample: the result speaks for topics "
        "like these. Left out: 1 session on topics of only one system."
    )


def test_a_baseline_without_a_session_is_said() -> None:
    rows = [row for row in agents_rows() if row.system == "A" or row.topic in TASKS[:6]]
    filters = Filters(topics=TASKS[6:])
    study = study_of(as_study(rows))
    shown = compare_systems(study, LINEAR, filters, score="final", baseline="B")
    assert (shown.pairs, words.headline(shown)) == (
        (),
        "The baseline, B, has no session with this score. Choose another baseline, or widen the "
        "filters.",
    )


def mostly_paired(seed: int) -> list[Row]:
    """Up to three sessions of up to three systems on each of nine topics, some not met at all."""
    chance = random.Random(seed)
    return [
        Row(Fraction(chance.randint(0, 3)), system, "", f"t{i}")
        for i in range(9)
        for system in "ABC"
        for _ in range(chance.randint(0, 3))
    ]


@pytest.mark.parametrize("seed", range(8))
def test_every_line_is_what_loops_over_the_sessions_find(seed: int) -> None:
    rows = mostly_paired(seed)
    shown = compared(rows)
    names = shown.points.set_index("session")
    for place, pair in enumerate(shown.pairs):
        assert numbers.pairs_topics(shown, place)
        found = numbers.by_topic(shown, place)
        for line in found.to_dict("records"):
            of_a, of_b = (
                [float(r.score) for r in rows if (r.system, r.topic) == (system, line["topic"])]
                for system in (pair.system_a, pair.system_b)
            )
            assert (line["n_a"], line["n_b"]) == (len(of_a), len(of_b))
            assert (line["mean_a"], line["mean_b"]) == pytest.approx((fmean(of_a), fmean(of_b)))
            assert line["difference"] == pytest.approx(fmean(of_b) - fmean(of_a))
            for side, scores in (("a", of_a), ("b", of_b)):
                least = min(abs(score - fmean(scores)) for score in scores)
                own = names.loc[line[f"session_{side}"]]
                assert abs(own["score"] - fmean(scores)) == pytest.approx(least)
                assert own["topic"] == line["topic"]
                assert own["system"] == line[f"system_{side}"]
        assert found["difference"].is_monotonic_increasing


def test_systems_that_met_on_no_topic_have_no_line() -> None:
    rows = [row._replace(topic=f"{row.topic}{row.system}") for row in agents_rows()]
    assert numbers.by_topic(compared(rows), 0).empty


def asked(study: Study, **more: Any) -> numbers.Outcome:
    return numbers.compare_outcomes(study, LINEAR, Filters(), column="correct", **more)


def rows(table: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.itertuples(index=False)]


def p_of(table: list[list[int]]) -> float:
    """Of statsmodels' exact test."""
    found: Any = theirs(np.array(table), exact=True)
    return float(found.pvalue)


@pytest.mark.parametrize("number", [1, 5, 12, 200])
def test_wilsons_interval_is_that_of_statsmodels(number: int) -> None:
    for right in {0, 1, number // 3, number}:
        ends = proportion_confint(right, number, method="wilson")
        assert wilson(right / number, number) == pytest.approx(ends, rel=1e-10, abs=1e-12)
    assert all(map(math.isnan, wilson(0.5, 0)))


def test_mcnemars_p_is_that_of_statsmodels() -> None:
    for only_a in range(9):
        for only_b in range(9):
            p = p_of([[3, only_a], [only_b, 5]])
            assert mcnemar(only_a, only_b) == pytest.approx(p, rel=1e-10)


def test_two_agents_by_hand(tmp_path: Path) -> None:
    study = agents_study(tmp_path)
    found = asked(study)
    assert (numbers.outcome_columns(study), numbers.usual_outcome(study)) == (
        ("correct",),
        "correct",
    )
    shares = [(5, *proportion_confint(5, 12, method="wilson"))]
    shares += [(9, *proportion_confint(9, 12, method="wilson"))]
    expected = [
        (name, 12, n, n / 12, *map(pytest.approx, ends), 0)
        for name, (n, *ends) in zip("AB", shares, strict=True)
    ]
    assert rows(found.shares) == expected
    assert rows(found.corners) == [("A", 5, 4, 0, 3, 0), ("B", 8, 3, 1, 0, 0)]
    p = p_of([[4, 1], [5, 2]])
    assert rows(found.pairs) == [("A", "B", 12, 4, 1, 5, 2, pytest.approx(p), pytest.approx(p))]
    assert words.outcome_sentences(found) == [
        "Right answers: A 42%, B 75%.",
        "No two systems differ clearly (McNemar's exact test by topic, p = .219).",
        words.FOUND,
    ]
    (pair,) = compare_systems(study, LINEAR, Filters(), score="rating: correct").pairs
    assert pair.p_permutation == pytest.approx(p, rel=1e-10)  # sign flips of one run each
    mirrored = asked(study, baseline="B").pairs
    assert rows(mirrored)[0][:7] == ("B", "A", 12, 4, 5, 1, 2)


OVER = "Intervals of shares are Wilson's, adjusted for the likeness of sessions of the same {}."
ONLY = "Intervals of shares are Wilson's; they hold for the topics of this study only."
RUNS = [  # systems, searcher and topic of each of a hundred sessions; what are alike; what is said
    ("A", "", "t{fives}", ("topics",), OVER.format("topics")),
    ("A", "agent", "t{fives}", ("topics",), OVER.format("topics")),
    ("AB", "", "{system}{fives}", ("topics",), OVER.format("topics")),
    ("AB", "", "t{twenties}", ("topics",), OVER.format("topics")),  # fewer than pair systems
    ("A", "p{i}", "t{odd}", (), ONLY),
    ("A", "p{i}", "t{fives}", ("topics",), OVER.format("topics")),
    ("A", "p{fifth}", "t{fives}", ("topics", "searchers"), OVER.format("topics and searchers")),
    ("A", "", "t0", (), ONLY),
]


@pytest.mark.parametrize(("systems", "who", "topic", "alike", "said"), RUNS)
def test_a_share_is_as_sure_as_there_are_topics(
    systems: str, who: str, topic: str, alike: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    log, topics = "session,system,searcher,query_number,topic,rank,doc,correct\n", list[str]()
    right = (np.arange(100) < (40 if "twenties" in topic else 55)).astype(float)
    for system in systems:
        for i in range(100):
            at = {"i": i, "fives": i // 5, "twenties": i // 20, "odd": i % 2, "fifth": i % 5}
            topics.append(topic.format(system=system, **at))
            place = f"{system}{i},{system},{who.format(**at)},1,{topics[-1]}"
            log += f"{place},1,d,{right[i]:.0f}\n"
    found = asked(read(tmp_path, log_csv=log, judgments_csv="topic,doc,grade\nt0,d,1\n"))
    assert found.alike == alike
    assert f"{said} " in f"{words.outcome_method(found)} "
    cases = effective_n(right, np.array(topics[:100]) if alike else np.arange(100))
    ends = found.shares[["low", "high"]].to_numpy()[0]
    assert ends == pytest.approx(wilson(right.mean(), cases))
    if (systems, who, topic) == RUNS[0][:3]:
        assert cases == pytest.approx(19 * (1.98422 / 2.09302) ** 2, rel=1e-4)
