"""Some five hundred numbers of the sample studies, by name, that touch everything computed."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from sdcg_explorer.metrics import FORMS, WEIGHTINGS
from sdcg_explorer.metrics.user_models import RULES

import sdcg_explorer as sx
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import (
    CHOICES,
    DEFAULT,
    FURTHER,
    OF_BEHAVIOUR,
    PRESETS,
    Definition,
    Filters,
)
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study

TOYS, FIRST, RATED = 1, 0, 2  # places of the samples
EXACT, USUAL, SEARCHED = "exact", "1e-09", "1e-06"
KEYS = {"session", "query_number", "system", "searcher", "topic", "position", "rank", "b", "bq"}
FOUND = {"fits"}  # by a search, whose last digits are those of its machine
ALL = Filters()


def numbers() -> dict[str, tuple[float, str]]:
    """Value and tolerance of each number, by its name."""
    studies = list(sx.samples().values())
    found = {
        name: (float(value), tolerance)
        for part in (_studies, _scores, _options, _behaviour, _curves, _answers)
        for name, value, tolerance in part(studies)
    }
    return dict(sorted(found.items()))


Numbers = Iterator[tuple[str, Any, str]]


def _studies(studies: list[Study]) -> Numbers:
    """How much is in each study; a digest as the number that its hexadecimal digits are."""
    for study in studies:
        of = f"{study.name}/study"
        for name in ("sessions", "queries", "results", "judgments"):
            yield f"{of}/{name}", len(getattr(study, name)), EXACT
        yield f"{of}/digest", int(study.digest[:12], 16), EXACT
        for system, own in study.queries.merge(study.sessions).groupby("system"):
            yield f"{of}/queries of {system}", len(own), EXACT


def _scores(studies: list[Study]) -> Numbers:
    """Every score of a query and of a session of the toys, further measures among them."""
    made = scores(studies[TOYS], Definition(weights="linear", measures=tuple(FURTHER)), ALL)
    yield from _table(f"{studies[TOYS].name}/sessions", made.sessions, ["session"])
    second = made.queries[made.queries["session"] == "T-2"]
    yield from _table(f"{studies[TOYS].name}/queries", second, ["session", "query_number"])


def options() -> dict[str, Definition]:
    """A definition for every option of every choice, and other numbers than the usual ones."""
    forms = {f"discount {name}": replace(DEFAULT, discount=name) for name in FORMS}
    weights = {f"weights {name}": replace(DEFAULT, weights=name) for name in WEIGHTINGS}
    presets = {f"preset {name}": preset for name, preset in PRESETS.items() if not preset.behaviour}
    choices = {
        f"{name} {option}": replace(DEFAULT, **{name: option})
        for name, known in CHOICES.items()
        for option in known
        # no sample has searchers' grades; those from clicks are below
        if option not in ("searcher", "behaviour") and name not in OF_BEHAVIOUR
    }
    short = {
        f"short_lists {name}": replace(DEFAULT, short_lists=name)
        for name in ("as-is", "observed", 3)
    }
    own = {
        "b 3 and bq 1.5": replace(DEFAULT, b=3.0, bq=1.5),
        "no discount": replace(DEFAULT, b=np.inf, bq=np.inf),
        "top 5": replace(DEFAULT, top=5),
        "own weights": replace(DEFAULT, weights=((0.0, 0.0), (1.0, 1.0), (2.0, 5.0), (3.0, 7.0))),
    }
    rules = {
        f"err_rule {name}": replace(DEFAULT, measures=("err",), err_rule=name) for name in RULES
    }
    every = {**presets, **forms, **weights, **choices, **short, **own, **rules}
    return {name: each for name, each in every.items() if each != DEFAULT} | {"none": DEFAULT}


def _options(studies: list[Study]) -> Numbers:
    """Means and curves under each option: of the study with two systems, and of the toys."""
    for name, definition in options().items():
        made = scores(studies[TOYS], definition, ALL).sessions
        of = f"option {name}"
        columns = ["final", "final_normalised", *(["err"] if "err" in made else [])]
        for column in columns:
            yield f"{of}/toys, mean/{column}", made[column].mean(), USUAL
        first, second = session_curves(studies[FIRST], definition, ALL).curves
        yield f"{of}/{first.system} at 25/normalised", first.normalised.mean[24], USUAL
        yield f"{of}/{second.system} at its end/sdcg", second.raw.mean[-1], USUAL
        own = query_order(studies[FIRST], definition, ALL).curves[-1]
        yield f"{of}/{own.system} {own.group} at rank 10/sdcg", own.mean[9], USUAL


def _behaviour(studies: list[Study]) -> Numbers:
    """Means of systems by gains from clicks."""
    for name, more in {"": {}, " as read": {"last_click": "as-read"}}.items():
        made = scores(studies[FIRST], replace(PRESETS["behaviour"], **more), ALL).sessions
        for system, own in made.groupby("system"):
            for column in ("final", "weighted_mean"):
                yield f"clicks{name}/{system}, mean/{column}", own[column].mean(), USUAL


def _curves(studies: list[Study]) -> Numbers:
    """Mean curves with their intervals, at a few places."""
    made = sx.score(studies[FIRST])
    places = made.session_curves[made.session_curves["position"].isin([10, 35])]
    yield from _table("curves", places, ["system", "position"], "query_number", "rank")
    ranks = made.query_order[made.query_order["rank"].isin([20])]
    yield from _table("query order", ranks, ["system", "group", "rank"])


def _answers(studies: list[Study]) -> Numbers:
    """Tables of comparison, robustness, agreement and fits."""
    compared = sx.compare(studies[FIRST], plan_for=0.05).tables
    yield from _table("comparison", compared["comparison"], ["system_a", "system_b"])
    last = compared["last_against_others"]
    yield from _table("last", last[last["measure"] == "dcg"], ["system", "measure"])
    yield from _table("next study", compared["next_study"], ["system_a", "planned_for"])
    held = sx.robustness(studies[FIRST]).tables["robustness"].iloc[::64]
    yield from _table("robustness", held, ["b", "bq"])
    agreed = sx.agreement(studies[RATED], DEFAULT, rating="satisfaction").tables["agreement"]
    # of each score one version of one coefficient, by its name: another score moves no other row
    kinds = agreed.groupby(["coefficient", "version"], sort=False).ngroup()
    mine = agreed["score"].map(lambda score: zlib.crc32(str(score).encode()) % (kinds.max() + 1))
    thin = agreed[kinds == mine][[*agreed.columns[:4], "value", "low"]]
    yield from _table("agreement", thin, [*agreed.columns[:4]])
    fitted = sx.fit(studies[FIRST]).tables["fits"]
    known = fitted[["model", "by", "tse", "tae", "kl", "held_out"]]
    yield from _table("fits", known[known["by"] == known["by"].iloc[0]], ["model"])


def _table(of: str, table: pd.DataFrame, keys: list[str], *without: str) -> Numbers:
    """Each number of a table, by its row's keys and its column."""
    for _, row in table.iterrows():
        place = " ".join(
            f"{row[key]:g}" if isinstance(row[key], float) else str(row[key]) for key in keys
        )
        for column in table.columns.difference([*keys, *KEYS, *without], sort=False):
            value = row[column]
            if isinstance(value, Real):
                exact = isinstance(value, (bool, int, np.integer))
                usual = SEARCHED if of in FOUND else USUAL
                yield f"{of}/{place}/{column}", value, EXACT if exact else usual
