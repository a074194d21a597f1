"""What searchers looked at, and the weights nearest to it: gold, a plain search, refusals."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.export.link import view_parameters
from sdcg_explorer.questions.fit import numbers, words
from sdcg_explorer.questions.methods import methods_text, say_definition
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters, from_toml, to_toml
from tests.support import studies, tables

# a public conversation log, one document a turn: RBP by KL (natural) has p .76 and KL .0366
TURNS = """.18432769 .16651825 .15939448 .14336597 .11754230 .08103295 .05431879 .03472841 .02315227
.01157614 .00801425 .00534283 .00534283 .00356189 .00178094"""
ALL = Filters()


def model(name: str, queries: int, ranks: int) -> numbers.Model:
    nothing = np.zeros((1, ranks)), np.ones(1, dtype=np.int64)
    return next(m for m in numbers.models_of((queries, ranks), nothing) if m.name == name)


@cache
def of_sample() -> numbers.Fits:
    return numbers.fit(studies.at_hand(studies.SAMPLES[0]), DEFAULT, ALL)


def of_model(name: str) -> numbers.Fitted:
    found = of_sample().fit_of(name, numbers.LEAST_SQUARES)
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "shape"), [("rbp", (1, 15)), ("rbp_queries", (15, 1))])
def test_rbp_by_kl_is_as_published(name: str, shape: tuple[int, int]) -> None:
    shares = np.array([float(share) for share in TURNS.split()])
    found = numbers.fit_model(model(name, *shape), shares[None], numbers.KL)
    assert found.values.tolist() == [pytest.approx(0.76, abs=0.005)]
    assert found.errors.kl * np.log(2) == pytest.approx(0.0366, abs=0.00005)
    assert np.isnan([found.low[0], found.held_out_error]).all()  # there is one searcher


def test_errors_by_hand() -> None:
    found = numbers.fit_errors(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.5, 0.25]))
    assert (found.tse, found.tae, found.kl) == pytest.approx((0.125, 0.5, 0.5))


LOG = "session,system,searcher,query_number,rank,doc,clicked,examined,topic,query\n"


def test_a_click_below_a_gap_counts_ranks_and_queries_alone_have_no_ranks(tmp_path: Any) -> None:
    rows = ["s,A,u,1,1,a,0,,T,x", "s,A,u,1,4,c,1,,T,x"]
    judgments = "topic,doc,grade\nT,a,1\n"
    study = tables.read(tmp_path, log_csv=LOG + "\n".join(rows), judgments_csv=judgments)
    found = numbers.fit(study, DEFAULT, ALL)
    assert words.figure_notes(found).startswith(
        "Fitted to all counted ranks down to the lowest click of each list: 4 in 1 of 1 session. "
    )
    rows = ["s,A,u,1,1,a,,,T,x", "s,A,u,2,1,c,,,T,y"]
    study = tables.read(tmp_path, log_csv=LOG + "\n".join(rows), judgments_csv=judgments)
    found = numbers.fit(study, DEFAULT, ALL)
    assert words.figure_notes(found).startswith("Fitted to the queries that were asked: 2 in 1 of ")


def test_a_fit_is_taken_as_the_definition() -> None:
    own = numbers.fitted_definition(of_model("sdcg_jk2002"), replace(DEFAULT, b=5.0))
    assert own == Definition(b=3.34, bq=1.34, discount="jk2002")
    other = of_model("srbp")
    b, p = (float(f"{value:.3g}") for value in other.values.tolist())
    expected = replace(DEFAULT, measures=("srbp",), srbp_b=b, p=min(p, 0.999))
    assert numbers.fitted_definition(other, DEFAULT) == expected
    assert numbers.fitted_definition(of_model("rbp_queries"), DEFAULT) is None
    kept = numbers.fitted_definition(of_model("sdcg_lipani2019"), Definition(b=7.0))
    assert kept is not None
    assert (kept.b, kept.discount) == (7.0, "lipani2019")


def test_a_definition_notes_its_fit_as_long_as_nothing_was_moved() -> None:
    noted = numbers.fitted_definition(of_model("sdcg_ecir2008"), DEFAULT, "S; too (120 sessions)")
    assert noted is not None
    values = f"b = {noted.b:g} and bq = {noted.bq:g} fitted to S; too (120 sessions)"
    study = studies.at_hand(studies.SAMPLES[0])
    assert values in say_definition(noted, study.labels)
    assert values in methods_text(study, noted, ALL)
    assert from_toml(to_toml(noted, ALL))[0] == noted
    assert ("fitted_to", noted.fitted_to) in view_parameters(study, noted, ALL)
    other = {"b": 7.0, "bq": 7.0, "discount": "jk2002", "fitted_to": "S"}
    for moved in (replace(noted, **{name: value}) for name, value in other.items()):
        assert "fitted to" not in say_definition(moved, study.labels)
    assert "fitted to" in say_definition(replace(noted, top=5), study.labels)
    assert not noted.changed_fields(replace(noted, fitted_to=""))
    with pytest.raises(ValueError, match=r"^fitted_to 'SSSS.*; a text of 300 letters at most$"):
        Definition(fitted_to="S" * 301)


def test_those_that_fit_as_well_are_counted_and_named() -> None:
    named = of_sample()
    best, second, *_ = named.ranked()
    assert not named.ties
    ended = replace(named, fitted=(replace(best, at_end=~best.at_end), second))
    assert words.unknown(ended)[-1] == (
        f"Models with a parameter at the limit of its range, which has no interval: "
        f"{best.model.words}."
    )
    tied = replace(named, fitted=(best, replace(second, losses=best.losses)))
    assert words.headline(tied).split("; ")[1].startswith("1 other model fits about as well")
    assert words.cautions(tied)[0].endswith(f" of the best fit: {second.model.words}.")
