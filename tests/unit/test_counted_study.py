"""A counted log as a study: its figures are those of the study, and what it has not it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from sdcg_explorer.metrics import bootstrap_interval, group_sums

from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.curves.side_by_side import side_by_side
from sdcg_explorer.analysis.curves.stopping import stopping
from sdcg_explorer.analysis.definition.definition import DEFAULT, PRESETS, Definition, Filters
from sdcg_explorer.analysis.inventory.overview import overview
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.scores import scores
from sdcg_explorer.analysis.statistics.by_groups import differences_of_sums, topic_sets
from sdcg_explorer.counting.counted_study import BUCKETS, CountedStudy
from sdcg_explorer.counting.opening import counts_among
from sdcg_explorer.export.study_zip import study_files
from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.catalogue import QUESTIONS, Question
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.observed import NeedsSessionsError
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study, sessions_of
from tests.support.counting import random_log, sample
from tests.support.plain_counts import plain_counts
from tests.support.plain_files import ECIR2008, THREE_SESSIONS

RANDOM = 6  # ranks that the random log is counted to
DEFINITIONS = (
    Definition(),
    Definition(repeats="first", ideal="spread"),
    Definition(repeats="first", weights="linear"),
    Definition(ideal="spread", b=1.5, bq=9.5),
    Definition(b=float("inf"), average="ratio-of-means"),
    Definition(bq=float("inf"), others="per-session"),
    Definition(after_stop="ideal-continues", weights="exponential"),
    Definition(discount="kanoulas2011", b=2.5),
    Definition(discount="standard", b=3.0, bq=2.0),
    Definition(weights="exponential", after_stop="ideal-continues", ideal="spread"),
    Definition(top=2),
    Definition(top=3, average="ratio-of-means", others="per-session"),
)


@cache
def both(name: str, short: str | int = "pad") -> tuple[Study, CountedStudy]:
    """A study, and what counting it comes to."""
    if name == "random":
        with TemporaryDirectory() as folder:
            study = read_study(*random_log(Path(folder)))
        return study, CountedStudy(plain_counts(study, RANDOM, short))
    study = sample({"ecir2008": ECIR2008, "three": THREE_SESSIONS}[name])
    return study, CountedStudy(plain_counts(study, 10, short))


def fitting(definition: Definition, counted: CountedStudy) -> Definition:
    """The definition, to the top that was counted unless it names a smaller one."""
    top = counted.counted.top if definition.top == DEFAULT.top else definition.top
    return replace(definition, top=top, short_lists=counted.counted.short_lists)


def assert_equal(one: pd.DataFrame, two: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one, two, rtol=1e-12, atol=1e-12, check_dtype=False)


PAIRWISE = [  # every definition of what is random, each sample under some
    *(("random", each) for each in DEFINITIONS),
    *(("ecir2008", each) for each in DEFINITIONS[::5]),
    *(("three", each) for each in DEFINITIONS[1::5]),
]


@pytest.mark.parametrize(("name", "definition"), PAIRWISE, ids=str)
def test_figures_from_counts_are_those_of_the_study(name: str, definition: Definition) -> None:
    study, counted = both(name)
    asked = fitting(definition, counted)
    last = (*study.block().system_names,)[-1:]
    for kept in (Filters(), Filters(systems=last, topics=counted.topics, max_queries=3)):
        tables = [
            (
                session_curves(each, asked, kept, at_least=(1, 2), saw=True).table(),
                query_order(each, asked, kept, depth=asked.top).table(),
                query_order(each, asked, kept, depth=asked.top, measure="ndcg").table(),
            )
            for each in (study, counted)
        ]
        for one, two in zip(*tables, strict=True):
            assert_equal(one, two)


@pytest.mark.parametrize("short", ["as-is", 2])
def test_lists_of_other_lengths_are_followed(short: str | int) -> None:
    study, counted = both("random", short)
    for definition in DEFINITIONS[:4]:
        asked = fitting(definition, counted), Filters()
        assert_equal(session_curves(study, *asked).table(), session_curves(counted, *asked).table())


def test_what_stands_beside_figures_is_the_study_s() -> None:
    study, counted = both("ecir2008")
    for kept in (Filters(), Filters(systems=("System 2",))):
        whole, found = (overview(each, DEFAULT, kept) for each in (study, counted))
        for name in ("by_length", "judged_share", "judged_overall", "sessions", "queries"):
            np.testing.assert_array_equal(getattr(whole, name), getattr(found, name))
        assert_equal(whole.grades, found.grades)
        assert whole.repeats == found.repeats  # every result is judged
        assert advice(study, DEFAULT, kept) == advice(counted, DEFAULT, kept)
    columns = ["definition", "system", "sessions", "final_normalised"]
    tables = (
        side_by_side(each, DEFAULT, Filters(), presets=tuple(PRESETS)).table()[columns]
        for each in (study, counted)
    )
    assert_equal(*tables)


def test_a_difference_by_groups_is_least_squares_with_topics() -> None:
    study, counted = both("ecir2008")
    chosen, groups = (select(each, DEFAULT, Filters()) for each in (study, counted))
    shares = groups.score_of_sums("final_normalised")
    found = differences_of_sums(shares[:, None], groups.sample, 0, 1)
    score, own = chosen.session_scores["final_normalised"], chosen.sample
    topics = np.equal.outer(topic_sets(own), np.unique(topic_sets(own))).astype(float)
    design = np.column_stack([own.systems == 1, topics])
    effects, *_ = np.linalg.lstsq(design, score, rcond=None)
    assert found.value[0] == pytest.approx(effects[0], abs=1e-12)
    plain = differences_of_sums(score[:, None], own, 0, 1)  # searchers are its groups
    assert plain.value[0] == pytest.approx(effects[0], abs=1e-12)
    left, inverse = score - design @ effects, np.linalg.inv(design.T @ design)
    parts = np.array([design[own.clusters == c].T @ left[own.clusters == c] for c in range(30)])
    assert len(np.unique(own.clusters)) == len(parts)
    variance = (inverse @ parts.T @ parts @ inverse)[0, 0] * 30 / 29
    assert plain.error[0] == pytest.approx(np.sqrt(variance), rel=1e-9)
    seen = robustness(counted, DEFAULT, Filters(), grid=(2.0, 4.0))
    assert seen.value[0, 1] == pytest.approx(found.value[0], abs=1e-12)


def test_of_several_systems_counts_compare_the_two_that_are_most_apart() -> None:
    counted = both("random")[1]
    asked = counted, fitting(DEFAULT, counted), Filters()

    def apart(pair: tuple[str, str]) -> float:
        at = robustness(*asked, grid=(2.0, 4.0), pair=pair)
        return float(np.abs(at.value[0, 1]) / (at.high - at.low)[0, 1])

    pairs = combinations(counted.block().system_names, 2)
    assert robustness(*asked, grid=(2.0, 4.0)).systems == max(pairs, key=apart)


def test_intervals_are_about_as_wide_as_those_of_single_sessions() -> None:
    """At each point of 10,000 sessions' curve; benchmarks/counted.py has searchers, too."""
    rng = np.random.default_rng(2008)
    values = rng.gamma(1.5, size=(10_000, 8))
    group = rng.integers(0, BUCKETS, len(values))
    narrow, wide = (
        np.subtract(*bootstrap_interval(sums, counts)[::-1])
        for sums, counts in (
            (values, np.ones((len(values), 1))),
            (group_sums(values, group, BUCKETS), np.bincount(group)[:, None].astype(float)),
        )
    )
    assert (np.abs(wide / narrow - 1) < 0.15).all()


@pytest.mark.parametrize(
    "question",
    [q for q in QUESTIONS if q.answer and not q.from_counts],
    ids=lambda question: question.name,
)
def test_what_takes_single_sessions_says_so(question: Question) -> None:
    assert question.answer is not None
    with pytest.raises(NeedsSessionsError, match=r"^This takes .*, which counts have not\.$"):
        question.answer(StudyView(both("ecir2008")[1], DEFAULT, Filters()))


ODD: dict[str, Callable[[CountedStudy], object]] = {
    "a deeper top": lambda s: session_curves(s, Definition(top=11), Filters()),
    "repeats within fewer": lambda s: session_curves(
        s, Definition(top=5, repeats="first"), Filters()
    ),
    "list lengths": lambda s: session_curves(s, Definition(short_lists="as-is"), Filters()),
    "list lengths noticed": lambda s: session_curves(
        s, Definition(short_lists="observed"), Filters()
    ),
    "lists condensed": lambda s: session_curves(s, Definition(unjudged="condense"), Filters()),
    "the best query": lambda s: query_order(s, DEFAULT, Filters(), splits=("best",)),
    "when sessions end": lambda s: stopping(s, DEFAULT, Filters()),
    "a score that adds up nowhere": lambda s: robustness(s, DEFAULT, Filters(), score="best"),
    "correlations": lambda s: side_by_side(s, DEFAULT, Filters()).correlations(),
    "a table": lambda s: scores(s, DEFAULT, Filters()),
    "sessions": sessions_of,
}


@pytest.mark.parametrize("asked", ODD.values(), ids=ODD)
def test_what_counts_do_not_hold_is_refused(asked: Callable[[CountedStudy], object]) -> None:
    with pytest.raises(NeedsSessionsError):
        asked(both("ecir2008")[1])


def test_counts_are_taken_away_whole(tmp_path: Path) -> None:
    counted = both("ecir2008")[1].put(name="a log", note="counted in May")
    files = study_files(counted, DEFAULT, Filters())
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    sources = [Source(f"counts/{name}", tmp_path / name) for name in files]
    found = counts_among(sources)
    assert found is not None
    assert found.digest == counted.digest
    assert counts_among(sources[1:2]) is None
    (tmp_path / "groups.parquet").write_bytes(b"")
    with pytest.raises(UnusableInputError, match=r"groups\.parquet: not as counted"):
        counts_among(sources)
