"""Which score tells systems apart: p of every pair is Compare systems' own, halves are halves."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.analysis.definition.definition import DEFAULT, Filters
from sdcg_explorer.analysis.systems.discriminative_power import (
    HALVES,
    LEVEL,
    DiscriminativePower,
    discriminative_power,
)
from sdcg_explorer.analysis.systems.pairs import every_pair
from sdcg_explorer.figures.discriminative_power import LOWEST, draw_discriminative_power
from sdcg_explorer.questions.words import discriminative_power as words
from sdcg_explorer.questions.words.wording import short
from sdcg_explorer.screen import keys
from tests.support.many_systems import many_systems
from tests.support.plain_files import in_files
from tests.support.screen import first_line, lines_of, opened
from tests.support.studies import SAMPLES, at_hand

SCORES = ("final", "final_normalised", "best")


def found(power: DiscriminativePower, score: str) -> dict[str, float]:
    table = power.table().set_index("score")
    row: Any = table.loc[score]
    return {name: float(row[name]) for name in ("pairs", "apart", "needed", "power")}


def test_pairs_are_those_of_compare_systems() -> None:
    study = in_files(many_systems())
    power = discriminative_power(study, DEFAULT, Filters(), scores=SCORES)
    assert not power.of_halves
    for score in SCORES:
        pairs = every_pair(study, DEFAULT, Filters(), score).pairs
        own = power.pairs[power.pairs["score"] == score].reset_index(drop=True)
        ours = own[["system_a", "system_b", "difference", "low", "high"]].to_dict("records")
        each = [{k: v for k, v in asdict(pair).items() if k in ours[0]} for pair in pairs]
        assert ours == each
        by_t = [pair.by_t for pair in pairs]
        expected = np.array([pair.p for pair in pairs])
        assert own["p"].to_numpy()[by_t].tolist() == expected[by_t].tolist()
        assert own["p"].to_numpy() == pytest.approx(expected, abs=0.06)  # of fewer arrangements
        widest = max((pair.high - pair.low) / 2 for pair in pairs)
        apart = int((own["p"] < LEVEL).sum())
        assert found(power, score) == {
            **{"pairs": len(pairs), "apart": apart, "needed": widest},
            **{"power": apart / len(pairs)},
        }
        falling = power.curve(score)
        assert (np.diff(falling) <= 0).all()
    drawn: Any = draw_discriminative_power(power).data
    assert [trace.name for trace in drawn] == [*SCORES]
    for trace in drawn:
        p = power.curve(trace.name)
        assert 10 ** np.asarray(trace.y) == pytest.approx(np.maximum(p, LOWEST))
        assert np.asarray(trace.customdata).tolist() == p.tolist()
    best = max(SCORES, key=lambda score: found(power, score)["apart"])
    assert f"({best})" in words.answer(power)


def test_two_systems_are_compared_in_halves_of_their_searchers() -> None:
    study = at_hand(SAMPLES[0])
    power = discriminative_power(study, DEFAULT, Filters(), scores=SCORES)
    again = discriminative_power(study, DEFAULT, Filters(), scores=SCORES[:1])
    assert power.of_halves
    assert power.unit == "searcher"
    own = power.pairs[power.pairs["score"] == "final"].reset_index(drop=True)
    assert own["half"].tolist() == [*range(1, 2 * HALVES + 1)]
    assert own.equals(again.pairs)  # the same halves each time, and for each score
    whole = every_pair(study, DEFAULT, Filters(), "final").pairs[0]
    width = own["high"] - own["low"]
    assert (width > whole.high - whole.low).mean() > 0.9  # of half as many searchers
    assert abs(own["difference"].mean() - whole.difference) < (whole.high - whole.low) / 8
    assert words.answer(power).endswith(f" of {2 * HALVES} pairs at {LEVEL:g}.")
    single = discriminative_power(study, DEFAULT, Filters(systems=("System 1",)), scores=SCORES)
    assert words.answer(single) == words.NONE


def test_its_fold_shows_what_it_found() -> None:
    app = opened("side_by_side")
    assert "Which score tells systems apart?" in [each.label for each in app.expander]
    app.session_state["discriminating"] = True
    app.run()
    assert not app.exception
    said = [each.value for each in app.markdown]
    assert any("most apart" in line for line in said), said
    assert app.dataframe[-1].value["pairs"].tolist() == [2 * HALVES] * 5


def test_measures_that_are_asked_for_are_in_figure_and_table() -> None:
    app = opened("side_by_side", {"measures": ["rbp", "err"], "err_rule": "ntcir"})
    assert first_line(app) == first_line(opened("side_by_side"))  # no definition beside itself
    app.session_state[keys.DISCRIMINATING] = True
    app.run()
    assert not app.exception
    called = ["rbp: RBP (p = 0.9)", "err: ERR (rule ntcir)"]
    assert [*lines_of(app, "Discriminative power.")][-2:] == called
    table: Any = app.dataframe[-1].value.set_index("score")
    assert table.loc[["rbp", "err"], "measure"].tolist() == ["RBP (p = 0.9)", "ERR (rule ntcir)"]
    asked = replace(DEFAULT, measures=("rbp", "err"), err_rule="ntcir")
    study = at_hand(SAMPLES[0])
    alone = discriminative_power(study, asked, Filters(), scores=("err",))
    needed: Any = alone.table()["needed"].iloc[0]
    assert float(table.loc["err", "needed"]) == pytest.approx(needed)
    assert f"ERR (rule ntcir) needs a difference of {short(needed)} ERR" in words.needed(alone)[0]
