"""A plan before the data: it comes back from its file, and every departure from it is named."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.analysis.definition.choices import NAMES
from sdcg_explorer.analysis.definition.definition import DEFAULT, Definition, Filters
from sdcg_explorer.analysis.systems.compare_systems import compare_systems
from sdcg_explorer.analysis.systems.registered import (
    Planned,
    Registered,
    departures,
    read_plan,
)
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.questions.words.registered import AS_PLANNED, EXPLORATORY, said
from sdcg_explorer.study.written import GIVE_PLAN
from tests.support.plain_files import ECIR2008
from tests.support.studies import SAMPLES, at_hand

PAIR = '[plan]\nscore = "final"\nsystems = ["A", "B"]\n'
PLAN = Planned("final", ("System 1", "System 2"), difference=0.1, unit="searcher", units=40)
OTHERS: dict[str, Any] = {  # another value of each field
    **{"weights": "linear", "b": 3.0, "bq": 5.0, "top": 5, "discount": "jk2002"},
    **{"repeats": "first", "ideal": "spread", "short_lists": "as-is", "unjudged": "condense"},
    **{"after_stop": "ideal-continues", "average": "ratio-of-means", "others": "per-session"},
    **{"grades": "searcher"},
    **{"systems": ("System 1", "System 2"), "topics": ("A", "B"), "searchers": ("S01", "S02")},
    **{"min_queries": 2, "max_queries": 6, "score": "best", "topics_are": "sample"},
    **{"with_order": True, "baseline": "System 1"},
}


def others() -> list[tuple[Definition, Filters]]:
    """Definition and filters with one field each that is another."""
    unused = {"measures", "fitted_to", *NAMES}  # of further measures, which the score is none of
    own = [f.name for f in fields(Definition) if f.name not in unused]
    kept = [f.name for f in fields(Filters)]
    changed = [(replace(DEFAULT, **{name: OTHERS[name]}), Filters()) for name in own]
    return changed + [(DEFAULT, replace(Filters(), **{name: OTHERS[name]})) for name in kept]


def test_a_plan_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    for plan in (PLAN, replace(PLAN, topics_are="sample", baseline="System 2", units=0)):
        for definition, filters in others():
            made = Registered(plan, definition, filters)
            path.write_text(made.to_toml(), encoding="utf-8")
            assert read_plan(path) == made
    plain = Registered(PLAN, DEFAULT, Filters())
    path.write_text(plain.to_toml(), encoding="utf-8-sig")  # as Windows writes
    assert read_plan(path) == plain
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ValueError, match="fifo"):
        read_plan(path)


def test_each_departure_is_named_and_nothing_else() -> None:
    study = at_hand(SAMPLES[0])
    plan = Registered(PLAN, DEFAULT, Filters())
    as_planned: Any = {"score": "final"}
    compared = compare_systems(study, DEFAULT, Filters(), **as_planned)
    assert departures(plan, compared, DEFAULT, Filters()) == {}
    assert said({}) == AS_PLANNED
    for definition, filters in others():
        (name,) = departures(plan, compared, definition, filters)
        own = filters if hasattr(filters, name) else definition
        assert departures(plan, compared, definition, filters)[name][1] == getattr(own, name)
    ordered = departures(plan, replace(compared, with_order=True), DEFAULT, Filters())
    assert ordered == {"with_order": (False, True)}
    for name in ("score", "topics_are", "baseline"):
        asked: Any = as_planned | {name: OTHERS[name]}
        apart = departures(
            plan, compare_systems(study, DEFAULT, Filters(), **asked), DEFAULT, Filters()
        )
        assert [*apart] == [name]
        assert said(apart).startswith(f"{EXPLORATORY}: {name} is ")
    odd = replace(plan, planned=replace(plan.planned, systems=("System 1", "System 3")))
    pair = departures(odd, compared, DEFAULT, Filters())
    assert pair == {"pair": (("System 1", "System 3"), compared.names)}


def test_commands_say_what_was_planned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, plan = str(ECIR2008), str(tmp_path / "plan" / "plan.toml")
    asked = ["--out", str(tmp_path / "plan"), "--plan-for", "0.05"]
    assert sdcg.main(["plan", given, *asked]) == 0
    text = (tmp_path / "plan" / "plan.txt").read_text(encoding="utf-8")
    assert "Size: 52 searchers, for 80 % power to find 0.0500 nsDCG.\n" in text
    assert capsys.readouterr().out == text
    out = ["--out", str(tmp_path / "out"), "--plan", plan]
    assert sdcg.main(["compare", given, *out]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    sized = "Planned were 52 searchers for System 1 and System 2; here are 30."
    assert first == f"{AS_PLANNED} {sized}"
    assert sdcg.main(["compare", given, *out, "--b", "3"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"{EXPLORATORY}: b is 3, planned 2. Planned were 52 searchers for ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[definition]\nb = 3.0\n", "no table [plan]; a plan has one"),
        ("[plan]\nformat = 9\n", "another format."),
        ('[plan]\nscore = "final"\nodd = 1\n', "[plan] odd; known are score, systems"),
        ("no", "Expected"),
        (f'{PAIR}topics_are = "odd"\n', "topics_are 'odd'"),
        (f'{PAIR}units = "many"\n', "units 'many'; a whole number"),
        (f"{PAIR}units = true\n", "units True; a whole number"),
        (f'{PAIR}with_order = "no"\n', "with_order 'no'; true or false"),
        ('[plan]\nscore = "final"\nsystems = ["A"]\n', "systems ['A']; a plan compares two"),
        ('[plan]\nscore = "final"\nsystems = ["A", "A"]\n', "a plan compares two"),
        (f"{PAIR}units = {'9' * 5000}\n", "a number of thousands of digits"),
        (f"{PAIR}difference = inf\n", "difference inf; a number"),
    ],
)
def test_what_is_no_plan_is_refused(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    given = [str(ECIR2008), "--out", str(tmp_path / "out"), "--plan", str(path)]
    assert sdcg.main(["compare", *given]) == 2
    refused = capsys.readouterr().err
    assert why in refused
    assert refused.endswith(f"{GIVE_PLAN}\n")
    assert not (tmp_path / "out").exists()
