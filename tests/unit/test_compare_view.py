"""How a comparison was chosen: how often a view departs from the usual one, and for which topics."""

from __future__ import annotations

import pytest

from analysis.compare_systems import compare_systems
from analysis.comparing.crossed_model import crossed_model
from analysis.definition.definition import Filters
from tests.unit.test_compare_sentences import LINEAR, ODD, STUDIES, compared, read


def test_view_says_how_often_it_departs_and_what_means_of_shares_take_for_granted() -> None:
    filters = Filters(topics=("t",), min_queries=1)
    several = compared(STUDIES["within"], filters=filters).advice()
    assert "departs 2 times from the usual one (score final and filter by topics)." in several[-1]
    share = compared(STUDIES["within"], score="final_normalised").advice()
    assert share[-1].startswith("Means of shares take their steps for equal, which is disputed")


def test_topics_like_these_are_answered_by_the_crossed_model() -> None:
    view = read(STUDIES["within"]), LINEAR, Filters()
    shown = compare_systems(*view, score="final", topics_are="sample")
    (pair,) = shown.pairs
    crossed = crossed_model(shown.scored, 0, 1)
    ends = crossed.effect, crossed.low, crossed.high, crossed.p
    assert (pair.difference, pair.low, pair.high, pair.p) == ends
    assert "It rests on 2 topics: so few can't speak for others." in shown.said()[0]
    assert "topics like these" in shown.advice()[-1]
    assert "crossed mixed model" in shown.method()
    refused = compare_systems(
        read(ODD["all scores equal"]), LINEAR, Filters(), score="final", topics_are="sample"
    )
    assert refused.answer() == (
        "A and B: no difference for topics like these, as a single topic says nothing of others."
    )
    with pytest.raises(ValueError, match="they can be fixed or sample"):
        compare_systems(*view, topics_are="drawn")
