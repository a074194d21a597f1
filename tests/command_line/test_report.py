"""The report: closed in itself, its numbers those of the pages, whatever names are read."""

import base64
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.io import templates
from plotly.offline import get_plotlyjs_version

from sdcg_explorer.export.report import (
    FIGURE_ROWS,
    HERE,
    MOST_ROWS,
    PLOTLY,
    figure_json,
    report,
    report_of,
)
from sdcg_explorer.questions import catalogue, methods
from sdcg_explorer.questions.view import Answer, StudyView
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import in_short
from tests.support import server, thorough
from tests.support.large_studies import random_study
from tests.support.odd_studies import JUDGMENTS, ODD, TWO
from tests.support.plain_files import ROOT, in_files
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.report_page import VILE, Seen, figures_of, same_as, vile
from tests.support.studies import SAMPLES, at_hand

OWN = Definition(weights=((0, 0), (1, 1), (2, 10), (3, 50)), b=3.0, bq=7.0)
SHOWN = Filters(systems=("System 2",), topics=("A", "B"))
# of the odd studies; in make soak all
SOME = ("one session", "one topic unjudged", "negative grades")
UNDEFINED = re.compile(r"(?<![\w#&])(nan|NaN|None|NaT|inf|<NA>)(?!\w)")


def tables(content: bytes) -> list[tuple[str, list[list[str]]]]:
    """Caption and cells of each table."""
    found = re.findall(
        r'aria-label="([^"]*)"><table[^>]*>.*?<tbody>(.*?)</table>', content.decode(), 16
    )
    rows = [(unescape(caption), body.strip().split("<tr>")[1:]) for caption, body in found]
    return [
        (caption, [[unescape(cell.strip("\n")) for cell in row.split("<td>")[1:]] for row in of])
        for caption, of in rows
    ]


STUDIES: dict[str, Callable[[], Study]] = {
    **{name: partial(at_hand, name) for name in SAMPLES},
    **{name: partial(in_files, ODD[name]) for name in ([*ODD] if thorough.THOROUGH > 1 else SOME)},
    "hostile names": lambda: vile(VILE)[0],
    "1,100 sessions": lambda: random_study(1_100),  # more than tables and definitions take
}
every_study = pytest.mark.parametrize("name", list(STUDIES))


@cache
def view(name: str) -> tuple[Study, Definition, Filters]:
    if name == SAMPLES[0]:
        return STUDIES[name](), OWN, SHOWN
    if name == "hostile names":
        return vile(VILE)
    return STUDIES[name](), Definition(), Filters()


@cache
def answered(name: str) -> tuple[tuple[catalogue.Question, Answer], ...]:
    return tuple(catalogue.iterate_answers(*view(name)))


@cache
def made(name: str) -> bytes:
    return report_of(answered(name), StudyView(*view(name)))


def told(name: str) -> dict[str, Answer]:
    return {question.name: answer for question, answer in answered(name)}


@cache
def seen(name: str) -> Seen:
    return Seen(made(name))


@every_study
def test_figures_have_the_data_that_the_answers_draw(name: str) -> None:
    exhibits = {k: v for answer in told(name).values() for k, v in answer.exhibits.items()}
    known = {name: each.figure for name, each in exhibits.items() if each.figure is not None}
    shared, found = figures_of(made(name))
    assert [*found] == [*known]
    for of, figure in known.items():
        theirs, ours = figure.to_plotly_json(), found[of]
        meta = ours["layout"].setdefault("meta", {})
        assert ("live" in meta) == (of in shared["counts"])
        theirs["layout"].setdefault("meta", {})
        theirs["layout"]["template"] = templates["plotly"].to_plotly_json()  # whatever is loaded
        meta.pop("live", None)
        same_as(ours, theirs, of)


def test_numbers_of_figures_have_the_digits_of_tables_and_what_is_none_stays_none() -> None:
    figure = go.Figure({"data": [{"x": np.arange(3), "y": np.array([1 / 3, np.nan, 2e10 / 7])}]})
    arrays = json.loads(figure_json(figure, None))["arrays"]
    assert arrays == [[0, 1, 2], [0.3333333333, None, 2857142857.0]]
    assert [type(each) for each in arrays[0]] == [int] * 3


@every_study
def test_file_is_closed_in_itself(name: str) -> None:
    elements = [(tag, own) for _, tag, own in seen(name).elements]
    ids = [own["id"] for _, own in elements if "id" in own]
    assert len(ids) == len({*ids})
    links = [str(own["href"]) for tag, own in elements if tag == "a"]
    assert links == [f"#{page}" for page in (*server.OF_STUDY, "methods")]
    assert {str(own["href"]) for _, own in elements if "href" in own} <= {
        f"#{each}" for each in ids
    }
    tags = [tag for tag, _ in elements]
    assert tags.count("script") == 3  # figures, Plotly, and what draws them
    assert not {*tags} & {"link", "img", "iframe", "object", "base", "form"}
    attributes = {attribute for _, own in elements for attribute in own}
    assert not attributes & {"src", "srcset", "data", "action", "background", "ping"}
    assert not [attribute for attribute in attributes if attribute.startswith("on")]
    assert not re.search(rb"url\(|@import", made(name).split(b"</style>")[0])
    assert not re.search(rb"localhost|127\.0\.0\.1|https?://[^ ]*[?]study=", made(name))
    assert f"?study={view(name)[0].digest[:12]}" in seen(name).text("")


def test_policy_allows_no_source_and_comes_before_what_it_governs() -> None:
    elements = [(tag, own) for _, tag, own in seen(SAMPLES[1]).elements]
    place = next(i for i, (_, own) in enumerate(elements) if "http-equiv" in own)
    assert not {tag for tag, _ in elements[:place]} & {"script", "style", "title"}
    rules = dict(rule.split(maxsplit=1) for rule in str(elements[place][1]["content"]).split(";"))
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("style-src") == "'unsafe-inline'"
    assert rules.pop("img-src") == "data: blob:"  # heatmaps, and figures that are saved
    *_, plotly, own = [text for _, inner, text in seen(SAMPLES[1]).said if inner == "script"]
    run = gzip.decompress(base64.b64decode(plotly)), own.encode()
    sums = {f"'sha256-{base64.b64encode(hashlib.sha256(of).digest()).decode()}'" for of in run}
    assert {*rules.pop("script-src").split()} == sums  # and no other script
    assert rules == {}


def test_drawing_library_is_of_the_installed_version_and_has_its_licence() -> None:
    script = gzip.decompress((HERE / PLOTLY).read_bytes())
    assert f"plotly.js (cartesian - minified) v{get_plotlyjs_version()}\n".encode() in script
    assert "MIT License" in (HERE / "plotly.LICENSE").read_text(encoding="utf-8")


@every_study
def test_all_that_is_answered_is_said_in_its_section(name: str) -> None:
    study, definition, filters = view(name)
    for page, answer in told(name).items():
        text = seen(name).text(page)
        assert all(
            said in text for said in (answer.headline, *answer.figure_paragraphs, *answer.more)
        )
        assert methods.say_definition(definition, study.labels) not in text  # said once, above
    head = seen(name).text("")
    assert f"{methods.say_definition(definition, study.labels)}\n" in head
    assert all(said in head for said in (study.name, study.note, methods.filters_sentence(filters)))
    assert not UNDEFINED.search(seen(name).text())


@every_study
def test_tables_have_what_is_exported_and_a_dash_where_nothing_is_defined(name: str) -> None:
    kept: list[tuple[str, Any, float]] = []
    for answer in told(name).values():
        for exhibit in answer.exhibits.values():
            step = max(1, -(-len(exhibit.table) // FIGURE_ROWS))
            kept.append((exhibit.caption, exhibit.table.iloc[::step], 1e-9))
        kept += [(of, table, 6e-3) for of, table in answer.tables.items() if len(table)]
    for (caption, rows), (same, whole, error) in zip(tables(made(name)), kept, strict=True):
        table = whole.head(MOST_ROWS)
        assert caption == same
        for column, cells in zip(table.columns, zip(*rows, strict=True), strict=bool(rows)):
            values = table[column].astype(object).where(table[column].notna(), "–").tolist()
            if table[column].dtype == float:
                of = [cell.replace("–", "nan").replace("−", "-").replace(",", "") for cell in cells]
                expected = pytest.approx(table[column].tolist(), rel=error, nan_ok=True)
                assert [*map(float, of)] == expected, (caption, column)
            else:
                assert [*cells] == [*map(str, values)], (caption, column)


def test_same_view_gives_the_same_bytes_in_another_process() -> None:
    ask = """import sys
from sdcg_explorer import samples
from sdcg_explorer.export.report import report
from sdcg_explorer.questions.robustness.numbers import VARIED
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.thorough import FEWER
VARIED |= FEWER
sys.stdout.buffer.write(report([*samples().values()][1], Definition(), Filters()))"""
    elsewhere = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    given = dict[str, Any](cwd=ROOT, env={**os.environ, **elsewhere}, capture_output=True)
    other = subprocess.run([sys.executable, "-c", ask], check=True, **given).stdout
    assert made(SAMPLES[1]) == other


@pytest.mark.parametrize("filters", [Filters(min_queries=50), Filters((), (), (), 3, 2)])
@pytest.mark.parametrize("name", [SAMPLES[1], "one session"])
def test_filters_that_leave_nothing_are_refused(name: str, filters: Filters) -> None:
    with pytest.raises(ValueError, match=r"widen them\.$"):
        report(view(name)[0], OWN if name in SAMPLES else Definition(), filters)


def test_warnings_of_the_import_are_said_as_on_the_overview() -> None:
    study = view("negative grades")[0]
    found = [each.sentence() for each in study.problems if each.severity == "warning"]
    warned = [f"{said[0].upper()}{said[1:]}" for said in found]
    assert [said for said in warned if said in seen("negative grades").text()] == warned != []


def test_many_sessions_weigh_no_more_than_a_mail_takes() -> None:
    assert len(made("1,100 sessions")) <= 1_270_000


def test_hostile_names_stay_text_and_change_no_element() -> None:
    names = [f"n{i:02}\u200b" for i in range(len(VILE))]
    hostile, harmless = seen("hostile names"), Seen(report(*vile(names)))
    shape = [
        [(of, tag, [*own]) for of, tag, own in each.elements if tag not in ("br", "wbr")]
        for each in (hostile, harmless)
    ]  # long names end lines where short ones don't
    assert shape[0] == shape[1]
    assert f"{VILE[0]}: sDCG Explorer" in hostile.text("")
    for page in ("", "overview", "individual_sessions", "compare_systems", "methods"):
        assert [name for name in VILE if name not in hostile.text(page)] == [], page
    assert sorted(hostile.legend("judged_share")) == sorted(map(in_short, VILE))


def test_names_of_colours_columns_and_signs_that_html_forbids() -> None:
    sessions = [PlainSession("#000001", TWO, "#000037", "p"), PlainSession("s", TWO, "A\x01B", "p")]
    sessions += [PlainSession(name, [("system", {1: "a"})], name, "p") for name in "AB"]
    study = in_files(PlainStudy(sessions, JUDGMENTS | {("system", "a"): 1.0}))
    content = report(study, Definition(), Filters())
    assert "#000037" in Seen(content).legend("judged_share")
    assert "#000001" in Seen(content).text("individual_sessions")
    forbidden = "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff]"
    assert not re.search(forbidden, content.decode())
