"""Curves of sRBP and RBP are plain sums over cells on both pages; what is not drawn is said."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest

from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.measures import session_score_of
from sdcg_explorer.scoring.selection import ADDITIVE, select
from tests.support.plain_files import ECIR2008, read_plain
from tests.support.plain_loop import Choices, PlainSession, counted_gains
from tests.support.studies import SAMPLES, at_hand

CHOICES = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0}, 2.0, 4.0)  # as ECIR 2008 has them
EVERY = Filters()


def weight(measure: str, query: int, rank: int) -> float:
    """Of a cell, both from 1, with p .9 and b .75."""
    if measure == "rbp":
        return 0.1 * 0.9 ** (rank - 1)
    down = 0.75 * 0.9
    return 0.1 * ((0.9 - down) / (1 - down)) ** (query - 1) * down ** (rank - 1)


def plain_sessions() -> tuple[list[PlainSession], list[list[dict[int, float]]]]:
    """Sessions of the sample, and gains by rank of their queries, over the highest."""
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    each = [counted_gains(s.queries, plain.judgments, CHOICES, 100) for s in plain.sessions]
    shares = [[{r: g / 100 for r, g in own.items()} for own in session] for session in each]
    return plain.sessions, shares


@pytest.mark.parametrize("measure", ["srbp", "rbp"])
def test_curves_are_sums_over_cells(measure: str) -> None:
    sessions, gains = plain_sessions()
    study, groups = at_hand(SAMPLES[0]), {}
    for session, lists in zip(sessions, gains, strict=True):
        for q, own in enumerate(lists, start=1):
            worth = [weight(measure, q, r) * own.get(r, 0.0) for r in range(1, 101)]
            group = "last" if q == len(lists) else "other"
            groups.setdefault((session.system, group), []).append(np.cumsum(worth))
    order = query_order(study, DEFAULT, EVERY, measure=measure)
    for (system, group), curves in groups.items():
        expected = np.mean(curves, axis=0)
        assert order.curve(system, group).mean == pytest.approx(expected, rel=1e-9, abs=1e-12)
    shown = session_curves(study, DEFAULT, EVERY, by=measure)
    for of in shown.curves:
        ends = [
            sum(
                weight(measure, q, r) * own.get(r, 0.0)
                for q, own in enumerate(lists, start=1)
                for r in range(1, 11)
            )
            for session, lists in zip(sessions, gains, strict=True)
            if session.system == of.system
        ]
        assert of.raw.mean[-1] == pytest.approx(fmean(ends), rel=1e-9)
    if measure == "srbp":  # whose curve ends at its score
        score = session_score_of("srbp", select(study, DEFAULT, EVERY))
        own = np.array([s.system == shown.curves[0].system for s in sessions])
        assert shown.curves[0].raw.mean[-1] == pytest.approx(np.mean(score[own]))


def test_weights_of_sdcg_are_as_ever_and_a_study_without_gain_has_curves_at_0() -> None:
    chosen = select(at_hand(SAMPLES[0]), DEFAULT, EVERY)
    assert (chosen.by("sdcg").gains == chosen.gains).all()
    assert (chosen.by("rbp").factors == 1).all()
    assert [*ADDITIVE] == ["sdcg", "srbp", "rbp"]
    none = Definition(weights=((0, 0), (1, 0), (2, 0), (3, 0)))
    shown = session_curves(at_hand(SAMPLES[0]), none, EVERY, by="srbp")
    assert not shown.curves[0].raw.mean.any()
