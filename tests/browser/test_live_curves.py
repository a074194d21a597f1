"""What the browser computes for a moving slider is what the server draws, to nine digits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sdcg_explorer.questions.cost.numbers import cost, live_cost
from sdcg_explorer.questions.query_order.numbers import CurveChoices, live_queries, query_order
from sdcg_explorer.questions.session_curves.numbers import SAW_TOOTH, session_curves
from sdcg_explorer.scoring.definition import DEFAULT, PRESETS, SCALE, Definition, Filters
from sdcg_explorer.scoring.live import live_numbers, live_sessions
from sdcg_explorer.study.study import Study
from tests.support import costly, thorough
from tests.support.plain_files import ROOT
from tests.support.studies import REAL, SAMPLES, at_hand, real_logs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ALL = Filters()
SCRIPT = (ROOT / "sdcg_explorer" / "figures" / "live_curves.js").read_text(encoding="utf-8")
CURVES = """async ([counts, numbers]) => {
    const known = await window.live.unpacked(counts)
    return numbers.map(n => window.live.curves(known, {
        rank: Float64Array.from(n.rank), query: Float64Array.from(n.query), weights: n.weights,
    }).map(curve => Array.from(curve, v => Number.isNaN(v) ? null : v)))
}"""
MOVES = 4 * thorough.THOROUGH  # 20 in make soak
DEFINITIONS = {
    "as the paper": DEFAULT,
    "each document once": PRESETS["dynamic-domain"],
    "2011, short lists as they are": replace(PRESETS["session-track"], short_lists="as-is"),
    "2002, ratio of means": replace(DEFAULT, discount="jk2002", average="ratio-of-means", top=5),
    "an ideal that goes on": replace(DEFAULT, after_stop="ideal-continues", ideal="spread", top=20),
    "observed, condensed": replace(DEFAULT, short_lists="observed", unjudged="condense"),
    "at least three cells, first": replace(DEFAULT, short_lists=3, repeats="first"),
    "the searchers' grades": replace(DEFAULT, grades="searcher", others="per-session"),
}

# a real log under two definitions; in make soak all under all
SOME = ("chiir24-layouts",), ("as the paper", "2011, short lists as they are")
CASES = [
    *product(SAMPLES, DEFINITIONS),
    *(
        pytest.param(name, words, marks=real_logs)
        for name, words in product(*((REAL, DEFINITIONS) if thorough.THOROUGH > 1 else SOME))
    ),
]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A blank page that has the functions."""
    with browser.new_context() as context:
        page = context.new_page()
        page.evaluate(
            """async source => {
                const blob = new Blob([source], {type: 'text/javascript'});
                window.live = await import(URL.createObjectURL(blob));
            }""",
            SCRIPT,
        )
        yield page


def moved(study: Study, definition: Definition) -> list[Definition]:
    """Places where sliders may stand: b, bq and gains, all drawn."""
    chance = random.Random(2008)
    return [
        replace(
            definition,
            b=chance.choice(SCALE),
            bq=chance.choice(SCALE),
            weights=tuple((label, float(chance.randint(0, 100))) for label in study.labels),
        )
        for _ in range(MOVES)
    ]


def graded(study: Study, definition: Definition) -> Study:
    """The study, with grades of its searchers where the definition wants them; no log has any."""
    if definition.grades != "searcher":
        return study
    grades = np.random.default_rng(2008).choice([0.0, 1, 2, 3, np.nan], len(study.results))
    return replace(study, results=study.results.assign(grade=grades))


def drawn(page: Page, counts: Any, numbers: list[Any]) -> list[np.ndarray]:
    """Curves of the browser, (curves, positions) for each set of numbers."""
    return [np.array(each, dtype=float) for each in page.evaluate(CURVES, [counts, numbers])]


def assert_equal(ours: np.ndarray, theirs: np.ndarray) -> None:
    np.testing.assert_allclose(ours[..., : theirs.shape[-1]], theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("name", "words"), CASES)
def test_moved_curves_are_the_servers(page: Page, name: str, words: str) -> None:
    study = graded(at_hand(name), DEFINITIONS[words])
    definitions = moved(study, DEFINITIONS[words])
    systems = list(study.block().system_names)
    numbers = [live_numbers(study, each, ALL) for each in definitions]

    for measure in ("raw", "normalised", SAW_TOOTH):
        counts = live_sessions(study, DEFINITIONS[words], ALL, measure=measure, at_least=(1, 2))
        for curves, each in zip(drawn(page, counts, numbers), definitions, strict=True):
            server = session_curves(study, each, ALL, at_least=(1, 2), saw=measure == SAW_TOOTH)
            for of in server.curves:
                place = len(systems) * (of.at_least > 1) + systems.index(of.system)
                if place < len(curves):
                    assert_equal(curves[place], of.curve(measure).mean)

    shown = CurveChoices(30)
    counts = live_queries(study, DEFINITIONS[words], ALL, drawn=shown)
    deep = [live_numbers(study, each, ALL, depth=30) for each in definitions]
    for curves, each in zip(drawn(page, counts, deep), definitions, strict=True):
        for of in query_order(study, each, ALL, drawn=shown).curves:
            place = 2 * systems.index(of.system) + (of.group == "other")
            assert_equal(curves[place], of.mean)


@pytest.mark.parametrize("words", DEFINITIONS)
def test_moved_gain_by_cost_is_the_servers(page: Page, words: str) -> None:
    study = graded(at_hand(SAMPLES[0]), DEFINITIONS[words])
    chance = np.random.default_rng(2008)
    tokens = np.where(chance.random(len(study.queries)) < 0.1, np.nan, chance.lognormal(size=343))
    study = costly.with_columns(study, queries={"tokens": tokens})
    definitions = moved(study, DEFINITIONS[words])
    numbers = [live_numbers(study, each, ALL) for each in definitions]
    for spent, measure in product(("queries", "tokens (of queries)"), ("raw", "normalised")):
        counts = live_cost(study, DEFINITIONS[words], ALL, measure=measure, spent=spent)
        for curves, each in zip(drawn(page, counts, numbers), definitions, strict=True):
            server = cost(study, each, ALL, spent=spent)
            for own, of in zip(curves, server.curves, strict=True):
                np.testing.assert_allclose(own, of.curve(measure).mean, rtol=1e-9, atol=1e-9)
