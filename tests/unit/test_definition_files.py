"""definition.toml: what does not fit is refused by its key, in a line that any screen holds."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from sdcg_explorer.questions.methods import sentence
from sdcg_explorer.scoring.definition import (
    DEFAULT,
    Definition,
    Filters,
    from_toml,
    read_definition,
    to_toml,
)
from sdcg_explorer.study.declared import LARGEST_FILE

LONG = "9" * 400
DEEP = "[" * 1000 + "]" * 1000
LINES = {  # of a definition, and the key that its refusal names
    f'weights = {{ "3" = {LONG} }}': "weights.3",
    '"weights" = { "3" = 1e308 }': "weights.3",
    'weights = { "3" = 1e400 }': "weights.3",
    'weights = { "3" = inf }': "weights.3",
    'weights = { "3" = nan }': "weights.3",
    'weights = { "3" = -1 }': "weights.3",
    'weights = { "3" = true }': "weights.3",
    'weights = { "3" = "3" }': "weights.3",
    "weights.0.5 = 1": "weights.0",
    'weights = { "1" = 1, "1.0" = 2 }': "weights",
    'weights = { "nan" = 1 }': "weights.nan",
    'weights = { "1e400" = 1 }': "weights",
    'weights = { "３" = 1 }': "weights.３",
    f'weights = {{ "{LONG}" = 1 }}': "weights",
    "weights = {}": "weights",
    f'weights = "{LONG}"': "weighting",
    f"b = {LONG}": "b",
    "b = 1e400": "b",
    "b = -inf": "b",
    "b = nan": "b",
    f"top = {LONG}": "top",
    "top = true": "top",
    f"short_lists = {LONG}": "short_lists",
    "short_lists = 1.5": "short_lists",
    "measures = 5": "measure",
    "ideal = 1": "ideal",
    f'ideal = "{LONG}"': "ideal",
    'Ideal = "repeated"': "Ideal",
    f"{LONG} = 1": "999",
    f"b = 1{'0' * 5000}": "number of thousands of digits",
    f"weights = {DEEP}": "nested",
    "b = 2\nb = 3": "line 3",
    "b == 2": "line 2",
    "x" + ".x" * 5000 + " = 1": "x",
}
FILES = {  # whole ones
    "b = 3": "b is before any table",
    "systems = ['A']\n[definition]": "systems is before any table; it belongs",
    "c = 3": "c is not known",
    "[definitions]\nb = 3": "[definitions] is not known",
    "definition = 3": "definition: 3",
    "[definition.b]": "b is a table",
    "[filters]\nsystems = 'A'": "systems: 'A'",
    "[filters]\nsystems = [1]": "systems: 1",
    "[filters]\nsystems = {}": "systems: is a table",
    f"[filters]\nmin_queries = {LONG}": "min_queries",
    "[filters]\nmax_queries = inf": "max_queries",
    "[filters]\nuser = ['A']": "user",
    "\x00": "not TOML",
    "[definition": "not TOML",
}
REFUSED = {f"[definition]\n{line}\n": key for line, key in LINES.items()} | FILES


@pytest.mark.parametrize(("text", "named"), REFUSED.items(), ids=lambda text: text[:40])
def test_what_does_not_fit_is_refused_by_its_key(text: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"Correct the file\.$") as refused:
        read_definition(path)
    said = str(refused.value).replace(str(path), path.name)
    assert said.startswith("my.toml: ")
    assert named in said
    assert len(said) <= 320
    assert "; " in said  # and a rule


@pytest.mark.parametrize(
    ("content", "named"),
    [(b"[definition]\nb = '\xff'", "line 2"), (b"#" * (LARGEST_FILE + 1), "1,000,000 bytes")],
)
def test_bytes_that_are_no_definition_are_refused(
    content: bytes, named: str, tmp_path: Path
) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=named):
        read_definition(path)


def test_a_mark_of_byte_order_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text("[definition]\nb = 3\n", encoding="utf-8-sig")
    assert read_definition(path) == (Definition(b=3), Filters())


def test_what_is_written_reads_back_at_the_ends_of_every_rule() -> None:
    own = Definition(weights=((-1.5, 0.0), (0.1 + 0.2, 1e-300), (3.0, 1e100)), b=float("inf"))
    kept = Filters(systems=('"', "\x7f", "ü\u202e"), min_queries=1, max_queries=1_000_000)
    assert from_toml(to_toml(own, kept)) == (own, kept)


def test_missing_grades_are_said_in_short() -> None:
    with pytest.raises(ValueError, match=r"no gain for grade 1, 2, .*…") as refused:
        Definition(weights=((0.0, 0.0),)).gains(tuple(float(g) for g in range(120)))
    assert len(str(refused.value)) < 150


def test_a_definition_is_said_in_one_sentence() -> None:
    other = replace(DEFAULT, weights="linear", grades="searcher", ideal="spread", repeats="first")
    other = replace(other, unjudged="condense", short_lists=3, average="ratio-of-means", top=5)
    other = replace(other, bq=math.inf, discount="jk2002")
    level = "after the last query a session keeps its share of the ideal; "
    pooled = "in Query order, all other queries weigh the same"
    assert [sentence(each, (0.0, 1.0, 2.0, 3.0)) for each in (DEFAULT, other)] == [
        "ECIR 2008. Gain by grade (paper): 0 → 0, 1 → 1, 2 → 10, 3 → 100; discount by rank "
        "1/(1 + log_2 r), by query 1/(1 + log_4 q); top 10 results per query, short lists padded "
        "with gain 0; repeats count every time; ideal: each query returns its topic's best list; "
        f"an unjudged result gains 0; {level}mean of the sessions' shares; {pooled}.",
        "Dynamic Domain, changed: bq, top, discount, short lists, unjudged, average, grades. Gain "
        "by grade (linear): 0 → 0, 1 → 1, 2 → 2, 3 → 3; discount by rank 1/log_2 r from r = 2 on, "
        "none by query; top 5 results per query, short lists padded to 3, and so is their ideal; "
        "repeats count once; ideal: each judged document once, best order at every position; "
        "unjudged results are removed and ranks renumbered; "
        f"{level}mean gain divided by mean ideal; {pooled}; grades by the searchers; the ideal "
        "uses each document's best grade on the topic.",
    ]
