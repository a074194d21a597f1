"""Every choice of the definition: it changes a number, is named, and travels by each road."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.questions.methods import sentence
from sdcg_explorer.scoring.definition import (
    DEFAULT,
    OF_BEHAVIOUR,
    Definition,
    Filters,
    from_toml,
    to_toml,
)
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.module import BRING
from tests.support.plain_files import written
from tests.support.screen import definition_in_force, opened

FURTHER = ("rbp", "srbp", "inst", "err", "esndcg")
PARAMETERS = ("p", "srbp_b", "inst_t", "err_rule", "p_reform", "p_down")
ASKED = [word for name in FURTHER for word in ("--measure", name)]
# each field off its default, the parameters of the link, and the options of the command line
CHANGED: dict[str, tuple[Any, dict[str, Any], list[str]]] = {
    "weights": (
        ((0.0, 0.0), (1.0, 2.0), (2.0, 10.0), (3.0, 100.0)),
        {"w1": "2"},
        ["--weights", "0=0,1=2,2=10,3=100"],
    ),
    "b": (3.0, {"b": "3"}, ["--b", "3"]),
    "bq": (8.0, {"bq": "8"}, ["--bq", "8"]),
    "top": (2, {"top": "2"}, ["--top", "2"]),
    "discount": ("kanoulas2011", {"discount": "kanoulas2011"}, ["--discount", "kanoulas2011"]),
    "repeats": ("first", {"repeats": "first"}, ["--repeats", "first"]),
    "ideal": ("spread", {"ideal": "spread"}, ["--ideal", "spread"]),
    "short_lists": ("observed", {"short": "observed"}, ["--short-lists", "observed"]),
    "unjudged": ("condense", {"unjudged": "condense"}, ["--unjudged", "condense"]),
    "after_stop": (
        "ideal-continues",
        {"after_stop": "ideal-continues"},
        ["--after-stop", "ideal-continues"],
    ),
    "average": (
        "ratio-of-means",
        {"average": "ratio-of-means"},
        ["--average", "ratio-of-means"],
    ),
    "others": ("per-session", {"others": "per-session"}, ["--others", "per-session"]),
    "grades": ("searcher", {"grades": "searcher"}, ["--grades", "searcher"]),
    "read_seconds": (5, {"read_seconds": "5"}, ["--read-seconds", "5"]),
    "last_click": ("as-read", {"last_click": "as-read"}, ["--last-click", "as-read"]),
    "measures": (FURTHER, {"measures": [*FURTHER]}, ASKED),
    "p": (0.8, {"p": "0.8"}, ["--p", "0.8"]),
    "srbp_b": (0.5, {"srbp_b": "0.5"}, ["--srbp-b", "0.5"]),
    "inst_t": (3.0, {"inst_t": "3"}, ["--inst-t", "3"]),
    "err_rule": ("ntcir", {"err_rule": "ntcir"}, ["--err-rule", "ntcir"]),
    "p_reform": (0.5, {"p_reform": "0.5"}, ["--p-reform", "0.5"]),
    "p_down": (0.5, {"p_down": "0.5"}, ["--p-down", "0.5"]),
}
CLICKS = ["--grades", "behaviour"]
LABELS = (0.0, 1.0, 2.0, 3.0)
NAMES = tuple(field.name for field in fields(Definition) if field.name != "fitted_to")
# a study on which every choice shows: repeats, unjudged results, clicks, own grades, three lengths
LOG = """session,system,searcher,topic,query_number,rank,doc,clicked,grade,dwell
s1,A,p1,t,1,1,a,1,1,9
s1,A,p1,t,1,2,x,0,,
s1,A,p1,t,1,3,b,0,2,
s1,A,p1,t,2,1,a,1,3,40
s1,A,p1,t,2,2,c,0,,
s1,A,p1,t,3,1,d,1,0,2
s2,A,p2,t,1,1,x,0,,
s2,A,p2,t,1,2,d,1,3,3
s2,A,p2,t,2,1,d,1,1,1
s3,B,p1,u,1,1,e,1,2,4
s3,B,p1,u,1,3,f,0,,
s3,B,p1,u,2,1,e,0,1,
"""
JUDGMENTS = "topic,doc,grade\nt,a,3\nt,b,2\nt,c,1\nt,d,1\nt,g,0\nu,e,1\nu,f,2\n"


def test_every_field_is_walked() -> None:
    assert tuple(CHANGED) == NAMES, "a field lacks a line in CHANGED of this file"
    assert [name for name in NAMES if CHANGED[name][0] == getattr(DEFAULT, name)] == []


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    both = written(tmp_path_factory.mktemp("study"), log_csv=LOG, judgments_csv=JUDGMENTS)
    return [str(path) for path in both.values()]


def tables(files: list[str], folder: Path, *options: str) -> dict[str, str]:
    """What `sdcg score` writes under these options."""
    assert sdcg.main(["score", *files, "--out", str(folder), *options]) == 0
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def plain(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return tables(files, tmp_path_factory.mktemp("plain"))


def changed(*names: str) -> Definition:
    asked = {"measures": FURTHER} if {*names} & {*PARAMETERS} else {}
    asked |= {"grades": "behaviour"} if {*names} <= {*OF_BEHAVIOUR} else {}
    return replace(DEFAULT, **asked, **{n: CHANGED[n][0] for n in names if n not in asked})


@pytest.fixture(scope="module")
def asked(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Tables with what a field needs to change a number, by its name."""
    needed = {PARAMETERS: ASKED, OF_BEHAVIOUR: CLICKS}
    made = {of: tables(files, tmp_path_factory.mktemp("asked"), *how) for of, how in needed.items()}
    return {name: found for of, found in made.items() for name in of}


@pytest.mark.parametrize("name", NAMES)
def test_choice_changes_a_number_and_is_named(
    name: str,
    files: list[str],
    plain: dict[str, str],
    asked: dict[str, dict[str, str]],
    tmp_path: Path,
) -> None:
    more = ASKED if name in PARAMETERS else CLICKS if name in OF_BEHAVIOUR else []
    plain = asked.get(name, plain)
    now = tables(files, tmp_path, *CHANGED[name][2], *more)
    numbers = [table for table in plain if table.endswith(".csv")]
    changed_tables = [table for table in numbers if now[table] != plain[table]]
    assert changed_tables, "computed in none of grade_cube.py, selection.py, mean_curves.py"
    words = sentence(changed(name), LABELS)
    assert words != sentence(DEFAULT, LABELS)
    assert words in now["methods.txt"]
    assert from_toml(now["definition.toml"])[0].named(LABELS) == changed(name)


def test_choices_come_back_from_toml(files: list[str], tmp_path: Path) -> None:
    for name in NAMES:
        assert from_toml(to_toml(changed(name), Filters())) == (changed(name), Filters())
    file = tmp_path / "definition.toml"
    file.write_text(to_toml(changed(*NAMES), Filters()), encoding="utf-8")
    by_file = tables(files, tmp_path / "file", "--definition", str(file))
    options = [word for _, _, words in CHANGED.values() for word in words]
    assert by_file == tables(files, tmp_path / "options", *options)


@pytest.fixture
def study(files: list[str], monkeypatch: pytest.MonkeyPatch, own_workspace: None) -> Iterator[None]:
    import streamlit as st

    monkeypatch.setenv("SDCG_STUDY", json.dumps(files))
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def test_choices_come_back_from_a_link(study: None) -> None:
    for names in (tuple(name for name in NAMES if name not in OF_BEHAVIOUR), OF_BEHAVIOUR):
        links = [CHANGED[name][1] for name in names]
        link = {key: value for each in links for key, value in each.items()}
        link |= {"grades": "behaviour"} if names == OF_BEHAVIOUR else {}
        app = opened("session_curves", {**link})
        assert definition_in_force(app) == sentence(changed(*names), LABELS)
        assert {key: app.query_params[key] for key in link} == link
        assert asdict(app.session_state["opened"].definition) == asdict(changed(*names))


def test_a_changed_preset_has_a_way_back() -> None:
    app = opened("session_curves", {"b": "3", "w1": "5", "unjudged": "condense"})
    changed = "ECIR 2008, changed: weights, b, unjudged"
    assert definition_in_force(app).startswith(f"{changed}. ")
    (back,) = [button for button in app.sidebar.button if button.label.startswith("Back to")]
    app = back.click().run()
    assert definition_in_force(app).startswith("ECIR 2008. Gain by grade (paper)")
    assert [name for name in ("b", "w1", "unjudged") if name in app.query_params] == []
    (back,) = [button for button in app.sidebar.button if button.label.startswith("Back to")]
    assert back.disabled


def test_doors_lead_to_the_same_view() -> None:
    app = opened("overview", {"topics": ["A", "B"], "b": "3"})
    links = [each for each in app.main.get("page_link") if each.proto.label != BRING]
    doors = [each for each in links if keys.SEE not in parse_qs(each.proto.query_string)]
    assert len(doors) > 6
    for door in doors:
        link = parse_qs(door.proto.query_string)
        assert (link["b"], sorted(link["topics"])) == (["3"], ["A", "B"])
