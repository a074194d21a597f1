"""The literature check: its lines are the published numbers, its verdicts strict, and can fail."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import metrics
from analysis.examples.literature import AGREES, DIFFERS, SLIP, Check, literature, literature_table
from tests.support.screen import opened

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

Change = Callable[[Any], Any]

# docs/methods.md, Numbers to test against, written down again: a line's numbers, and digits
PRINTED: dict[str, tuple[str, int]] = {
    "S08 CG": ("3 5 8 8 8 9 11 13 16 16", 0),
    "S08 DCG": ("3 4.333 6.007 6.007 6.007 6.443 7.275 8.075 9.236 9.236", 3),
    "S08 DCG slips": ("3 4 5.67 5.67 5.67 6.11 6.94 8.14 9.30 9.30", 2),
    "W DCG": ("8.097", 3),
    "W ideal": ("8.693", 3),
    "W nDCG": ("0.9315", 4),
    "W rank 2": ("1 0.631", 3),
    "Y DCG1": (
        "1 1 1.631 1.631 1.631 2.791 2.791 2.791 2.791 3.394 3.394 3.394 3.394 3.394 4.161",
        3,
    ),
    "Y DCG2": (
        "0 0 1.262 1.262 1.262 1.262 1.262 1.595 1.595 1.595 1.595 1.595 1.595 1.595 2.363",
        3,
    ),
    "Y NCG": (".167 .091 .286 .267 .25 .438 .438 .5 .5 .625 .625 .625 .625 .625 1", 3),
    "Y NDCG": (
        ".167 .091 .224 .216 .209 .293 .293 .317 .317 .361 .361 .361 .361 .361 .472",
        3,
    ),
    "Y NDCG judged": (
        ".167 .091 .214 .199 .188 .251 .245 .260 .256 .286 .286 .286 .286 .286 .374",
        3,
    ),
    "L14 LDCG": (
        "6.393 5.534 4.573 4.409 3.740 3.232 3.094 2.885 2.755 2.131 1.524 .962",
        3,
    ),
    "L14 LDCG slips": ("6.40 5.54 4.58", 2),
    "L14 LNDCG": ("1 .866 .715 .690 .585 .506 .484 .451 .431 .333 .238 .150", 3),
    # of T-1, T-2, T-3
    "every, bq 4": ("8.7398771 7.1666667 7.9254330", 7),
    "first, bq 4": ("8.7398771 4.1666667 4.9254330", 7),
    "repeated, bq 4": ("20.170005 11.952211 12.868129", 6),
    "spread, bq 4": ("11.139613 4.891219 8.853679", 6),
    "every/repeated": (".433311 .599610 .615896", 6),
    "every/spread": (".784576 1.465211 .895157", 6),
    "every, bq 2": ("7.1651529 6.1666667 6.8244050", 7),
    "first, bq 2": ("7.1651529 4.0 4.5744050", 7),
    "repeated, bq 2": ("17.108083 9.739630 11.581316", 6),
    "spread, bq 2": ("9.994583 4.5 8.282995", 6),
    "average": ("5.5910 5.7208 4.9094", 4),
    "last": ("2.9213 1 4.4041", 4),
    "best": ("3.1021 3.5 4.4041", 4),
    "per_query": ("2.9133 1.7917 3.9627", 4),
    "weighted_mean": ("3.9288 2.6304 4.7553", 4),
    "mean_dcg": ("4.1377 2.375 5.0637", 4),
    "average_normalised": (".4173 .7293 .4813", 4),
    "track": ("23.5405742 17.4280046 23.1280322", 7),
    "track, normalised": (".4048587 .5542887 .6762446", 7),
}
SLIPS = {"S08 DCG slips", "L14 LDCG slips"}


def numbers(line: str) -> tuple[float, ...]:
    return tuple(float(text) for text in line.split())


def by_line(checks: list[Check]) -> dict[str, Check]:
    """The check of each line written down here, known by its numbers alone."""
    found = {}
    for name, (line, _) in PRINTED.items():
        same = [check for check in checks if check.printed == numbers(line)]
        assert len(same) == 1, name
        found[name] = same[0]
    return found


def differing(checks: dict[str, Check]) -> set[str]:
    return {name for name, check in checks.items() if check.verdict == DIFFERS}


def test_every_published_line_is_checked() -> None:
    checks = by_line(literature())
    assert {name: check.digits for name, check in checks.items()} == {
        name: digits for name, (_, digits) in PRINTED.items()
    }


def test_known_slip_of_ndcg_is_among_the_lines() -> None:
    # L14's errata in docs/methods.md: NDCG@2 and @3 of P and PB are printed .82 for .826
    ideal = 3 + 1 / math.log2(3)
    assert 3 / ideal == pytest.approx(0.826, abs=5e-4)
    assert any(set(check.printed) == {0.82} for check in literature())


@pytest.mark.parametrize("name", list(PRINTED))
def test_line_agrees_or_is_a_known_slip(name: str) -> None:
    check = by_line(literature())[name]
    assert check.verdict == (SLIP if name in SLIPS else AGREES)
    digits = PRINTED[name][1]
    near = [
        abs(a - b) <= 0.501 * 10**-digits for a, b in zip(check.printed, check.ours, strict=True)
    ]
    assert all(near) == (name not in SLIPS)
    assert (check.difference > 0.501 * 10**-digits) == (name in SLIPS)


def test_slips_of_the_paper_are_said_and_are_where_they_are() -> None:
    check = by_line(literature())["S08 DCG slips"]
    assert "rank 2 adds 1 " in check.remark
    assert "rank 8 adds 1.2 " in check.remark
    table = check.by_rank()
    added = (table["printed"] - table["ours"]).diff()[1:]
    assert [i + 1 for i in added.index[added.abs() > 0.02]] == [2, 8]
    assert table.loc[table["mark"] == "slip", "value"].tolist() == [2, 8]


@pytest.mark.parametrize("name", list(PRINTED))
@pytest.mark.parametrize("by", [1, -1])
def test_print_that_is_off_by_one_last_digit_differs(name: str, by: int) -> None:
    check = by_line(literature())[name]
    halves = [abs(p - o) * 10**check.digits for p, o in zip(check.printed, check.ours, strict=True)]
    for i, half in enumerate(halves):
        if half == pytest.approx(0.5, abs=1e-9):  # .4375, which is as near to .437 as to .438
            continue
        off = [p + by * 10.0**-check.digits * (j == i) for j, p in enumerate(check.printed)]
        assert replace(check, printed=tuple(off)).verdict == DIFFERS


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        ((1.0, 2.1251), AGREES),
        ((1.0049, 2.1349), AGREES),
        ((1.006, 2.13), DIFFERS),
        ((1.0, 2.13505), DIFFERS),  # which is 2.14
        ((1.0, math.nan), DIFFERS),
        ((1.0, math.inf), DIFFERS),
    ],
)
def test_verdict_goes_by_the_last_printed_digit(ours: tuple[float, ...], verdict: str) -> None:
    assert Check("T-1", "a source", "what", (1.0, 2.13), ours, 2).verdict == verdict


def test_slip_is_excused_only_as_it_was_made() -> None:
    slip = Check("T-1", "a source", "what", (4.0,), (4.33,), 2, "adds 1", slipped=(4.0,))
    assert slip.verdict == SLIP
    assert replace(slip, slipped=(4.01,)).verdict == DIFFERS
    assert replace(slip, slipped=()).verdict == DIFFERS


def test_table_writes_both_as_they_are() -> None:
    check = Check("T-1", "a source", "what", (10.0, 9.3), (100.0, 0.0), 1, "a remark")
    (row,) = literature_table([check]).to_dict("records")
    assert (row["verdict"], row["source"], row["remark"]) == (DIFFERS, "a source", "a remark")
    assert numbers(row["printed"]) == (10.0, 9.3)
    assert numbers(row["ours"]) == (100.0, 0.0)
    assert row["largest difference"] == 90.0


def test_table_writes_whole_numbers_whole() -> None:
    check = Check("T-1", "a source", "what", (3.0, 0.0), (30.0, 100.0), 0)
    (row,) = literature_table([check]).to_dict("records")
    assert (row["printed"], row["ours"]) == ("3 0", "30 100")


def plus(amount: float) -> Change:
    return lambda value: value + amount


def column(name: str) -> Change:
    """A change of one score or curve alone."""
    return lambda found: found | {name: found[name] + 0.01}


SCORES = ("average", "last", "best", "per_query", "weighted_mean", "mean_dcg")
SHARES = ("every/repeated", "every/spread", "average_normalised", "track, normalised")
FINALS = ("every, bq 4", "first, bq 4", "every, bq 2", "first, bq 2", "track")
IDEALS = ("repeated, bq 4", "repeated, bq 2", "spread, bq 4", "spread, bq 2")
OF_SESSIONS = {*FINALS, *IDEALS, *SHARES, *SCORES}
OF_DISCOUNT = set(PRINTED) - {"S08 CG", "Y NCG"}
OF_DCG = {"S08 DCG", "S08 DCG slips", "W DCG", "W ideal", "W nDCG", "W rank 2"}
OF_DCG |= {"Y DCG1", "Y DCG2", "Y NDCG", "Y NDCG judged"}
OF_LDCG = {"L14 LDCG", "L14 LDCG slips", "L14 LNDCG"}
OF_REPEATED = {*IDEALS[:2], *SHARES} - {"every/spread"}
OF_ENDS = {"every/repeated", "every/spread", "track, normalised"}
OF_AVERAGES = {"Y NCG", "Y NDCG", "Y NDCG judged"}
# metric, how its result is changed, and the lines that depend on it
ALTERED: dict[str, tuple[str, Change, set[str]]] = {
    "cg": ("cg", plus(0.6), {"S08 CG", "Y NCG"}),
    "dcg": ("dcg", plus(0.05), OF_DCG),
    "ndcg": ("ndcg", plus(0.001), {"W nDCG"}),
    "ideal_list": ("ideal_list", plus(0.1), {"W ideal", "W nDCG", *OF_AVERAGES}),
    "rank_discount": ("rank_discount", lambda d: d**1.05, OF_DISCOUNT),
    "query_discount": ("query_discount", lambda d: d**1.05, OF_SESSIONS - {"mean_dcg"}),
    "average_curves": (
        "average_curves",
        lambda f: {k: v + 0.01 for k, v in f.items()},
        OF_AVERAGES,
    ),
    "ncg alone": ("average_curves", column("ncg"), {"Y NCG"}),
    "ndcg alone": ("average_curves", column("ndcg"), {"Y NDCG", "Y NDCG judged"}),
    "ldcg": ("ldcg", plus(0.05), OF_LDCG),
    "lndcg": ("lndcg", plus(0.01), {"L14 LNDCG"}),
    "repeated_ideal": ("repeated_ideal", plus(0.01), OF_REPEATED),
    "spread_ideal": ("spread_ideal", plus(0.01), {*IDEALS[2:], "every/spread"}),
    "best_gains": ("best_gains", plus(0.01), {*IDEALS, *SHARES}),
    "session_vector": ("session_vector", plus(0.05), OF_REPEATED | {"average", "every/spread"}),
    "query_scores": ("query_scores", column("sdcg"), {*FINALS, *SCORES} - {"average", "mean_dcg"}),
    "final": ("session_scores", column("final"), {*FINALS}),
    "final_normalised": ("session_scores", column("final_normalised"), OF_ENDS),
    **{name: ("session_scores", column(name), {name}) for name in (*SCORES, "average_normalised")},
}


def alter(monkeypatch: pytest.MonkeyPatch, name: str, change: Change) -> None:
    """Change what a metric returns, wherever it is used."""
    right = getattr(metrics, name)
    for module in list(sys.modules.values()):
        within = getattr(module, "__name__", "").partition(".")[0] in ("analysis", "metrics")
        if within and getattr(module, name, None) is right:
            monkeypatch.setattr(module, name, lambda *a, **k: change(right(*a, **k)))


@pytest.mark.parametrize("alteration", list(ALTERED))
def test_altered_metric_differs_in_its_lines_alone(
    alteration: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, change, lines = ALTERED[alteration]
    alter(monkeypatch, name, change)
    assert differing(by_line(literature())) == lines
    monkeypatch.undo()
    assert not differing(by_line(literature()))


def red_rows(app: AppTest) -> set[int]:
    """Rows of the literature check that are red throughout."""
    (shown,) = [t for t in app.main.dataframe if t.proto.alt == "Literature check"]
    styles = shown.proto.arrow_data.styler.styles
    cells = set()
    for places, look in re.findall(r"([^{}]+)\{([^}]*)\}", styles):
        if "background-color: #b3261e" in look:
            cells |= set(re.findall(r"row(\d+)_col(\d+)", places))
    width = shown.value.shape[1]
    rows = {int(row) for row, _ in cells}
    assert len(cells) == width * len(rows)
    return rows


@pytest.mark.parametrize("alteration", ["cg", "ldcg", "rank_discount", "mean_dcg"])
def test_altered_metric_turns_its_rows_red(
    alteration: str, monkeypatch: pytest.MonkeyPatch, own_samples: None
) -> None:
    name, change, lines = ALTERED[alteration]
    alter(monkeypatch, name, change)
    app = opened("by_hand")
    assert not app.exception
    (said,) = app.main.error
    assert said.value == f"{len(lines)} of {len(literature())} published lines differ from ours."
    checks = literature()
    known = by_line(checks)
    assert red_rows(app) == {checks.index(known[line]) for line in lines}


def test_page_says_that_every_line_agrees(own_samples: None) -> None:
    app = opened("by_hand")
    assert not app.main.error
    assert red_rows(app) == set()
    said = f"All {len(literature())} published lines are ours, known slips of the print aside."
    assert said in [text.value for text in app.main.markdown]


@pytest.mark.parametrize(("example", "lines"), [("ecir2008", 3), ("yukawa-judged", 1), ("l14", 3)])
def test_printed_values_stand_beside_ours(example: str, lines: int, own_samples: None) -> None:
    tables = opened("by_hand", {"example": example}).main.dataframe
    printed = [t.value for t in tables if t.proto.alt.endswith("value by value")]
    assert len(printed) == lines
    for each in printed:
        assert (each["printed"] - each["ours"]).tolist() == each["difference"].tolist()
