"""The crossed mixed model: laws, designs that can't tell a part, sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems import words as topics_like_these
from sdcg_explorer.statistics.crossed_model import Crossed
from tests.support.crossed import SLEEP, of, paired, simulated, study
from tests.support.thorough import THOROUGH


def test_sparse_and_full_sums_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = simulated(5)
    found = []
    for filled in (0.0, 2.0):
        monkeypatch.setattr("sdcg_explorer.statistics.crossed_model.FILLED", filled)
        found.append(of(scored))
    assert (found[0].value, found[0].error, found[0].df) == pytest.approx(
        (found[1].value, found[1].error, found[1].df), rel=1e-5
    )


def numbers(found: Crossed) -> list[float]:
    return [found.value, *found.interval(), found.error, found.df, found.p]


@pytest.mark.parametrize("seed", range(2))
def test_what_the_model_can_not_tell_apart_changes_nothing(seed: int) -> None:
    scored = simulated(seed)
    there = numbers(of(scored))
    turned = np.random.default_rng(seed).permutation(scored.score.size)
    codes = (scored.system[turned], scored.unit[turned], scored.topic[turned])
    moved = study(1000 * scored.score[turned] - 7, *codes)
    assert numbers(of(moved)) == pytest.approx([1000 * x for x in there[:4]] + there[4:], rel=1e-4)
    effect, low, high, *rest = numbers(of(replace(scored, system=1 - scored.system)))
    assert [-effect, -high, -low, *rest] == pytest.approx(there, rel=1e-4)
    others = replace(scored, unit=scored.topic, topic=scored.unit)
    assert numbers(of(others)) == pytest.approx(there, rel=1e-4)


U, T = (part.ravel() for part in np.indices((6, 4)))
X, NOISE = (U + T) % 2, np.random.default_rng(0).normal(size=24)
EVERY = np.arange(24)
NONE = {
    "a single searcher says nothing of others": study(NOISE, U % 2, 0 * U, T),
    "a single topic says nothing of others": study(NOISE, X, U, 0 * T),
    "all sessions score alike": study(0 * U + 3, X, U, T),
    "there are too few sessions for its terms": study([1, 2, 4], [0, 1, 1], [0, 1, 0], [0, 0, 1]),
    "the systems never met on a topic": study(NOISE, T % 2, U, T),
    "one of the systems has no session": study(NOISE, 0 * U, U, T),
    "searchers, topics and systems leave no rest to judge by": study(U + T + X, X, U, T),
    "301 searchers and 301 topics at once are too many to compute": study(
        np.arange(602), np.repeat([0, 1], 301), np.tile(np.arange(301), 2), np.arange(602) % 301
    ),
}


@pytest.mark.parametrize("reason", NONE)
def test_no_model_says_why(reason: str) -> None:
    found = of(NONE[reason])
    assert found.reason == reason
    assert all(math.isnan(x) for x in [*numbers(found), *vars(found.variances).values()])
    assert topics_like_these.mixed_model_sentences(found) == [f"No model: {reason}."]


def test_many_searchers_on_few_topics_are_computed() -> None:
    who = np.repeat(np.arange(301), 2)
    scores = np.random.default_rng(0).normal(size=who.size)
    for codes in ((who, np.tile([0, 1], 301)), (np.tile([0, 1], 301), who)):
        assert of(study(scores, np.tile([0, 1, 1, 0], 151)[: who.size], *codes)).reason == ""


@pytest.mark.parametrize("seed", range(12 * THOROUGH))
def test_odd_designs_end_in_numbers_or_a_reason(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, searchers, topics = rng.integers([2, 1, 1], [14, 6, 6])
    codes = [rng.integers(0, most, size) for most in (2, searchers, topics)]
    found = of(study(rng.integers(0, 3, size), *codes))
    assert bool(found.reason) != bool(np.isfinite(numbers(found)).all())


UNTOLD = {
    "between searchers": (
        study(NOISE, U % 2, U, T),
        {"searcher_by_system": "nobody used both systems"},
    ),
    "nobody named": (
        study(NOISE, X, EVERY, T, alone=np.ones(24, dtype=bool)),
        dict.fromkeys(["searcher", "searcher_by_system"], "no session names its searcher"),
    ),
    "paired by topic": (
        paired(NOISE[:12], NOISE[12:]),
        dict.fromkeys(["searcher", "searcher_by_system"], "no searcher has two sessions")
        | {"topic_by_system": "no topic has two sessions with a system"},
    ),
    "a searcher for each system": (
        replace(paired(NOISE[:12], NOISE[12:]), unit=np.repeat([0, 1], 12)),
        dict.fromkeys(
            ["searcher", "searcher_by_system"],
            "each system had one, whose part in the difference stays in it",
        )
        | {"topic_by_system": "no topic has two sessions with a system"},
    ),
    "topics of one's own": (
        study(NOISE, EVERY % 2, EVERY // 2, EVERY // 2),
        {
            "searcher": "other parts take the same sessions together",
            "searcher_by_system": "no searcher has two sessions with a system",
            "topic_by_system": "no topic has two sessions with a system",
        },
    ),
}


@pytest.mark.parametrize("design", UNTOLD)
def test_what_a_design_cant_tell_is_left_out_and_said(design: str) -> None:
    scored, untold = UNTOLD[design]
    found = of(scored)
    assert dict(found.untold) == untold
    assert [math.isnan(getattr(found.variances, part)) for part in untold] == [True] * len(untold)
    assert not math.isnan(found.df)


def test_few_topics_cant_speak_for_others() -> None:
    assert topics_like_these.mixed_model_sentences(of(simulated(2, 9, 7)))[1] == (
        "7 topics are too few to generalise from."
    )
    assert (
        topics_like_these.mixed_model_sentences(of(simulated(2, 7, 7)))[1]
        == "7 topics and 7 searchers are too few to generalise from."
    )
    assert topics_like_these.mixed_model_sentences(of(simulated(2, 9, 8)))[1] == (
        "The result speaks for searchers and topics like these."
    )


def test_sentences_name_systems_numbers_and_parts() -> None:
    found = of(paired(*SLEEP))
    assert topics_like_these.mixed_model_sentences(found) == [
        "Mixed model with random searchers and topics (t with 9.00 degrees of freedom).",
        "The result speaks for searchers and topics like these.",
        "Standard deviations: topics' means 1.69, rest 0.870.",
        "Left out, as this design can't estimate it: searchers' means (no searcher has two "
        "sessions); searchers' differences (no searcher has two sessions); topics' differences (no "
        "topic has two sessions with a system).",
    ]
