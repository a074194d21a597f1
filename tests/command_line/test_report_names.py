"""Names in a report stay names: they change no element, colour, column or character of it."""

from __future__ import annotations

import re

from sdcg_explorer.export.report import report
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.wording import in_short
from tests.support.odd_studies import JUDGMENTS, TWO
from tests.support.plain_files import in_files
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.report_page import VILE, Seen, vile


def test_hostile_names_stay_text_and_change_no_element() -> None:
    hostile, harmless = Seen(vile(VILE)), Seen(vile([f"n{i:02}\u200b" for i in range(len(VILE))]))
    shape = [
        [(of, tag, [*own]) for of, tag, own in each.elements if tag not in ("br", "wbr")]
        for each in (hostile, harmless)
    ]  # long names end lines where short ones don't
    assert shape[0] == shape[1]
    assert f"{VILE[0]}: sDCG Explorer" in hostile.text("")
    for page in ("", "overview", "individual_sessions", "compare_systems", "methods"):
        assert [name for name in VILE if name not in hostile.text(page)] == [], page
    assert sorted(hostile.legend("judged_share")) == sorted(map(in_short, VILE))


def test_names_with_a_colour_of_the_screen_stay_names() -> None:
    study = in_files(PlainStudy([PlainSession("#000001", TWO, "#000037", "p")], JUDGMENTS))
    page = Seen(report(study, Definition(), Filters()))
    assert page.legend("judged_share") == ["#000037"]
    assert "#000001" in page.text("individual_sessions")


def test_topic_named_as_a_column_is_reported() -> None:
    sessions = [PlainSession(name, [("system", {1: "a"})], name, "p") for name in "AB"]
    study = in_files(PlainStudy(sessions, {("system", "a"): 1.0}))
    assert "1 topic with 2 systems" in Seen(report(study, Definition(), Filters())).text()


def test_no_character_is_one_that_html_forbids() -> None:
    study = in_files(PlainStudy([PlainSession("s", TWO, "A\x01B", "p")], JUDGMENTS))
    made = report(study, Definition(), Filters()).decode()
    assert {*re.findall("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff]", made)} == set()
