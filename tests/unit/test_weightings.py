"""What cells weigh by each measure, from plain formulas; and the way to it from Side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isnan, log2
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
from sdcg_explorer.questions.individual_sessions.weightings import SCORES, weightings

from sdcg_explorer.questions.individual_sessions.words import names, weightings_sentences
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen import keys
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.screen import charts, lines_of, opened
from tests.unit.test_user_models import looped

TOP = 3
GRADES = [[0.0, 2.0, 0.0], [1.0, 3.0], [0.0, 0.0, 1.0]]  # of three queries
IDEAL = [3.0, 2.0, 1.0, 1.0, 0.0]
DEFINITION = Definition(
    weights="linear", top=TOP, short_lists="as-is", err_rule="ntcir", inst_t=1.0, p=0.8
)
EVERY = Filters()


def one_session() -> PlainStudy:
    """One session of three queries on a topic, all documents new."""
    judgments, queries = dict[tuple[str, str], float](), list[Any]()
    for q, grades in enumerate(GRADES):
        queries.append(("t", {r: f"d{q}{r}" for r in range(1, len(grades) + 1)}))
        judgments |= {("t", f"d{q}{r}"): grade for r, grade in enumerate(grades, start=1)}
    return PlainStudy([PlainSession("s", queries, "A", "u")], judgments)


def by_rank(r: int) -> float:
    return 1 / (1 + log2(r + 1))


def of_ndcg(q: int, r: int) -> float:
    return by_rank(r) / sum(g * by_rank(k) for k, g in enumerate(IDEAL[: len(GRADES[q])]))


def of_err(q: int, r: int) -> float:
    reached = 1.0
    for grade in GRADES[q][:r]:
        reached *= 1 - grade / 4
    return reached / (r + 1)


def of_inst(q: int, r: int) -> float:
    """Weight of a rank over that of 1,000 places, of which the list takes the first; T is 1."""
    weights, at, wanted = list[float](), 1.0, 1.0
    for place in range(1, 1001):
        weights.append(at)
        wanted -= GRADES[q][place - 1] / 3 if place <= len(GRADES[q]) else 0.0
        at *= ((place + 1 + wanted - 1) / (place + 1 + wanted)) ** 2
    return weights[r] / sum(weights)


def of_esndcg(q: int, r: int) -> float:
    alone = [[0.0] * len(own) for own in GRADES]
    alone[q][r] = 1.0
    return looped(alone, [2**g - 1 for g in IDEAL], 0.9, 0.7)[0]


def of_srbp(q: int, r: int) -> float:
    return ((0.8 - 0.6) / (1 - 0.6)) ** q * 0.6**r


PLAIN: dict[str, Callable[[int, int], float]] = {  # query and rank, both from 0
    "final": lambda q, r: by_rank(r) / (1 + log2(q + 1) / 2),
    "mean_ndcg": of_ndcg,
    "srbp": of_srbp,
    "rbp": lambda q, r: 0.8**r,
    "rbp_last": lambda q, r: 0.8**r * (q == 2),
    "inst": of_inst,
    "inst_first": lambda q, r: of_inst(q, r) * (q == 0),
    "err": of_err,
    "err_best": lambda q, r: of_err(q, r) * (q == 1),
    "esndcg": of_esndcg,
}


@pytest.mark.parametrize("score", PLAIN)
def test_weights_are_those_of_plain_formulas(score: str) -> None:
    found = weightings(study_of(one_session()), DEFINITION, EVERY, session="s", score=score)
    gained = list[float]()
    for own, plain in zip(found.weights, (PLAIN["final"], PLAIN[score]), strict=True):
        each = [[plain(q, r) for r in range(len(grades))] for q, grades in enumerate(GRADES)]
        whole = sum(map(sum, each))
        for q, weights in enumerate(each):
            assert own[q, : len(weights)] == pytest.approx(np.array(weights) / whole, rel=1e-9)
            assert np.isnan(own[q, len(weights) :]).all()
        pairs = [zip(*both, strict=True) for both in zip(each, GRADES, strict=True)]
        gained.append(sum(w for pair in pairs for w, grade in pair if grade) / whole)
    assert found.where_it_gained == pytest.approx(tuple(gained))
    assert len(found.table()) == sum(map(len, GRADES))


def test_another_definition_has_its_own_weights_and_no_weight_is_said() -> None:
    study = study_of(one_session())
    pair: Any = {"session": "s", "score": "final", "preset": "linear"}
    ours, other = weightings(study, replace(DEFINITION, bq=2.0), EVERY, **pair).weights
    assert ours.shape == (3, 10)  # the preset's top is longer
    assert np.isnan(ours[:, TOP:]).all()
    assert other[1, 9] / other[0, 9] == pytest.approx(1 / 1.5)  # bq 4
    assert ours[1, 0] / ours[0, 0] == pytest.approx(1 / 2)
    plain = one_session()
    above = study_of(PlainStudy(plain.sessions, dict.fromkeys(plain.judgments, 5.0)))
    gdeval = replace(DEFINITION, err_rule="gdeval")
    found = weightings(above, gdeval, EVERY, session="s", score="err")
    assert isnan(found.where_it_gained[1])
    assert weightings_sentences(found, names(gdeval, "err")).startswith(
        "ERR (rule gdeval) is undefined for"
    )
    with pytest.raises(ValueError, match=r"^score 'union_recall'; cells have weights by final, "):
        weightings(study, DEFINITION, EVERY, session="s", score="union_recall")
    with pytest.raises(ValueError, match=r"^preset 'odd'; known are"):
        weightings(study, DEFINITION, EVERY, session="s", score="final", preset="odd")
    assert {*PLAIN} < {*SCORES}


def test_side_by_side_leads_to_both_weightings() -> None:
    app = opened("side_by_side")
    app.session_state[keys.MEASURES_BESIDE] = True
    app.run()
    app.multiselect(key=keys.BESIDE_SCORES).set_value(["final_normalised", "rbp_last"]).run()
    app.multiselect(key=keys.BESIDE_PRESETS).set_value(["linear"]).run()
    app.selectbox(key=keys.BESIDE_WITH).set_value("rbp_last under linear").run()
    assert not app.exception
    measures = app.dataframe[-1].value["measure"].tolist()
    assert measures[1:] == [
        "RBP (p = 0.9)",
        "nsDCG (final_normalised), plain linear",
        "RBP (p = 0.9), plain linear",
    ]
    links = [link.proto for link in app.get("page_link")]
    (link, *_) = [each for each in links if "by rbp" in each.label.replace("\\", "")]
    query: Any = parse_qs(link.query_string)
    assert query[keys.WEIGHED] == ["rbp_last under linear"]
    page = opened("individual_sessions", query)
    assert not page.exception
    (alt,) = [name for name in charts(page) if name.startswith("Weights of results")]
    assert "Results that gained carry ." in alt
    drawn = lines_of(page, "Weights of results")
    assert next(iter(drawn)) == "sDCG in force"
    assert "RBP (p = 0.9), last, plain linear" in drawn
    page.selectbox(key=keys.WEIGHED).set_value("none").run()
    assert not [name for name in charts(page) if name.startswith("Weights of results")]
