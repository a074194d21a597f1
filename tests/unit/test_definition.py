"""The definition: its file; choices and repeats by hand; what a slider of b or bq passes."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.questions.overview import words as overview_words
from sdcg_explorer.questions.overview.numbers import overview
from sdcg_explorer.scoring import definition, live
from sdcg_explorer.study.declared import LARGEST_FILE
from tests.support import refusals
from tests.support.tables import read

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
    f"{LONG} = 1": f"[definition] {'9' * 59}…;",
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
REFUSED |= {"[definition]\nb = '\udcff'": "line 2", "#" * (LARGEST_FILE + 1): "1,000,000 bytes"}


@pytest.mark.parametrize(("text", "named"), REFUSED.items(), ids=lambda text: text[:40])
def test_what_does_not_fit_is_refused_by_its_key(text: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=r"Correct the file\.$") as refused:
        definition.read_definition(path)
    said = str(refused.value).replace(str(path), path.name)
    assert said.startswith("my.toml: ")
    assert named in said
    assert len(said) <= 320
    assert "; " in said  # and a rule


PASSED = [
    *(1.05, 1.1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8, 10, 12.5, 16, 20, 25, 32, 40, 50, 63, 80),
    *(100, 125, 160, 200, 250, 320, 400, 500, 630, 800, 999, math.inf),
]


def test_scale_is_even_in_its_logarithm_and_has_every_preferred_number() -> None:
    assert list(definition.PREFERRED) == PASSED
    assert {*definition.PREFERRED} <= {*definition.SCALE}
    assert (definition.SCALE[0], definition.SCALE[-2:]) == (1.001, (999.0, math.inf))
    middle = (math.log(999) - math.log(1.001)) / (
        len(definition.SCALE) - 2
    )  # of a place to the next
    for place, base in enumerate(definition.SCALE[:-1]):
        assert abs(math.log(base) - math.log(1.001) - place * middle) < 0.55 * middle, base
        assert base in (1.001, float(f"{base:.3g}"))
    between = [
        sum(one < base < two for base in definition.SCALE)
        for one, two in pairwise(definition.PREFERRED[2:-1])
    ]
    assert min(between) >= 3  # that a drag passes
    assert {1.5, 3.0, 6.0, 7.0, 9.0, 15.0, 30.0, 700.0} < {
        *definition.SCALE
    }  # the roundest are chosen


def test_sliders_pass_what_their_tables_hold(tmp_path: Path) -> None:
    log = refusals.HEADER + "s1,1,1,a,t\n"
    study = read(tmp_path, log_csv=log, judgments_csv="topic,doc,grade\nt,a,3\nt,b,4\n")
    ends = {slider.key: slider.scale[-1] for slider in live.study_sliders(study)}
    assert ends == {"b": math.inf, "bq": math.inf, "w3": 100, "w4": 1000}
    tables = live.discount_tables("ecir2008", 3, 2, [2.0])
    rank = np.array([[1.0, 1 / 2, 1 / (1 + math.log2(3))]])
    assert [tables["rank"], tables["query"]] == [live.packed(rank), live.packed(rank[:, :2])]


@given(st.floats(1.001, 999.999))
def test_any_number_stands_where_it_belongs_and_is_said_to_six_digits(own: float) -> None:
    passed = definition.with_own(definition.SCALE, own)
    assert all(one < two for one, two in pairwise(passed))
    assert {*passed} == {*definition.SCALE, own}
    texts = [definition.slider_text(base) for base in passed]
    assert [float(text.replace("∞", "inf")) for text in texts] == pytest.approx(passed, rel=1e-5)
    assert len({*texts}) == len(texts)


# query 2 shows a, which query 1 had, at ranks 1 and 3; and the unjudged x twice
COPIES = refusals.HEADER + (
    "s1,1,1,a,t\ns1,1,2,b,t\ns1,2,3,a,t\ns1,2,1,a,t\ns1,2,2,x,t\ns1,2,4,x,t\ns1,3,1,x,t\n"
)
TURNS = refusals.HEADER + "s1,1,1,a,t\ns1,2,1,a,u\ns1,3,1,a,u\n"  # a second topic from query 2 on


def test_repeats_by_document_are_named_where_they_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = read(tmp_path, log_csv=TURNS, judgments_csv=refusals.JUDGMENTS)
    checked = study.checked()
    assert (checked["repeats"], checked["repeats_by_document"]) == (1, 2)
    seen = overview(study, definition.DEFAULT, definition.Filters())
    assert overview_words.repeats_sentence(seen) == (
        "Results shown again within a session (top 10), on the same topic: the system, 1 of 3. On "
        "any topic: the system, 2 of 3."
    )
    assert sdcg.main(["check", str(tmp_path)]) == 0
    assert "\nrepeats: 1\nrepeats by document: 2\n" in capsys.readouterr().out
    read(tmp_path, log_csv=COPIES, judgments_csv=refusals.JUDGMENTS)
    assert sdcg.main(["check", str(tmp_path)]) == 0
    assert "repeats by document" not in capsys.readouterr().out
