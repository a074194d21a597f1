"""How a comparison was chosen: departures from the usual view, for which topics, in which order."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.overview.numbers import has_order
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.study.study import Study
from tests.support.crossed import of
from tests.unit.test_compare_odd import LINEAR, compared, read

WITHIN = "2 A p t, 4 B p t, 1 A q t, 5 B q t, 3 A r u, 4 B r u, 0 A s u, 5 B s u"
FEW = Filters(topics=("t",), min_queries=1)
VIEWS: list[tuple[Any, Any, Any, bool]] = [  # definition, filters, choices, whether it is usual
    (DEFAULT, Filters(), {}, True),
    (DEFAULT, Filters(), {"baseline": "B"}, True),  # of two systems
    (replace(DEFAULT, b=5.0), Filters(), {}, False),
    (DEFAULT, FEW, {}, False),
    (DEFAULT, Filters(), {"score": "final"}, False),
    (DEFAULT, Filters(), {"topics_are": "sample"}, False),
]


@pytest.mark.parametrize(("definition", "filters", "asked", "is_usual"), VIEWS)
def test_a_further_view_is_said_to_be_one(
    definition: Any, filters: Any, asked: Any, is_usual: bool
) -> None:
    shown = compare_systems(read(WITHIN), definition, filters, **asked)
    assert shown.is_usual == is_usual
    assert (words.FURTHER_VIEW in words.advice(shown)) == (not is_usual)


def test_methods_say_what_means_of_shares_take_for_granted() -> None:
    share = words.method(compared(WITHIN, score="final_normalised"))
    assert "Averaging shares treats them as an interval scale, which is disputed" in share


def test_topics_like_these_are_answered_by_the_crossed_model() -> None:
    view = read(WITHIN), LINEAR, Filters()
    shown = compare_systems(*view, score="final", topics_are="sample")
    (pair,) = shown.pairs
    crossed = of(shown.scored)
    ends = crossed.value, *crossed.interval(), crossed.p
    assert (pair.difference, pair.low, pair.high, pair.p) == ends
    fixed = pair.p_permutation, pair.hedges_g, pair.superiority_low
    assert all(map(math.isnan, fixed))  # these speak for the study's own topics
    with pytest.raises(ValueError, match="adjusted for where topics are fixed"):
        compare_systems(*view, topics_are="sample", with_order=True)
    assert "2 topics and 4 searchers are too few to generalise from." in words.details(shown)[0]
    assert words.FURTHER_VIEW in words.advice(shown)
    assert "crossed mixed model" in words.method(shown)
    refused = compare_systems(
        read("2 A p t, 2 A q t, 2 B p t, 2 B q t"),
        LINEAR,
        Filters(),
        score="final",
        topics_are="sample",
    )
    assert words.answer(refused) == (
        "A and B can't be compared for topics like these: a single topic says nothing of others."
    )
    with pytest.raises(ValueError, match="they can be fixed or sample"):
        compare_systems(*view, topics_are="drawn")


def ordered(folder: Path, first_a: int, *, timed: bool = True) -> Study:
    """Ten searchers with A and B, some with A first; B is worth 1 more, a later session 2 more."""
    log, judged = ["session,system,searcher,topic,query_number,rank,doc,time"], ["topic,doc,grade"]
    for i in range(10):
        for place, system in enumerate("AB" if i < first_a else "BA"):
            name, grade = f"s{i}{system}", 5 + i % 2 + 2 * place + (system == "B")
            time = f"2026-01-{1 + place:02}T10:00:00" if timed else ""
            log.append(f"{name},{system},p{i},t,1,1,of {name},{time}")
            judged.append(f"t,of {name},{grade}")
    (folder / "log.csv").write_text("\n".join(log))
    (folder / "judgments.csv").write_text("\n".join(judged))
    return read_study(folder / "log.csv", folder / "judgments.csv")


def test_order_of_sessions_is_said_and_taken_off(tmp_path: Path) -> None:
    view = ordered(tmp_path, 7), LINEAR, Filters()
    plain = compare_systems(*view, score="final")
    # 3 for seven of the ten, −1 for the others
    assert plain.pairs[0].difference == pytest.approx(1.8)
    assert "order of systems was not balanced (mean position" in " ".join(words.advice(plain))
    assert "A 1.30, B 1.70" in " ".join(words.advice(plain))
    taken = compare_systems(*view, score="final", with_order=True)
    assert taken.pairs[0].difference == pytest.approx(1.0)
    assert words.FURTHER_VIEW in words.advice(taken)
    assert "place among those of its searcher was a covariate" in words.method(taken)
    assert has_order(*view)


def test_balanced_order_is_said_and_an_unknown_one_refused(tmp_path: Path) -> None:
    view = ordered(tmp_path, 5), LINEAR, Filters()
    (said,) = [said for said in words.advice(compare_systems(*view)) if said.startswith(ORDER)]
    assert said.startswith(f"{ORDER} balanced (mean position")
    view = ordered(tmp_path, 5, timed=False), LINEAR, Filters()
    assert not any(said.startswith(ORDER) for said in words.advice(compare_systems(*view)))
    assert not has_order(*view)
    with pytest.raises(ValueError, match="the order of searchers' sessions is not known"):
        compare_systems(*view, with_order=True)


ORDER = "The order of systems was"
