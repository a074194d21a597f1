"""What `sdcg compare` writes: the comparison as a table and in words, and what it refuses."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.into import WRITTEN
from sdcg_explorer.questions.compare_systems import plan_of, words
from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems
from sdcg_explorer.questions.query_order import words as last_words
from sdcg_explorer.questions.query_order.numbers import last_against_others
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Definition, Filters, from_toml
from tests.support.plain_files import ECIR2008, rows_in, write_study
from tests.support.plain_statistics import PlainPair, Row, as_study
from tests.support.two_agents import write_agents
from tests.unit.test_compare_odd import rows_of

COLUMNS = [
    *("system_a", "system_b", "score", "design", "n_a", "n_b", "unit", "units", "mean_a"),
    *("mean_b", "difference", "low", "high", "p_t", "p_permutation", "arrangements", "p_holm"),
    *("hedges_g", "superiority", "superiority_low", "superiority_high"),
]
approx = partial(pytest.approx, nan_ok=True)
FILES = {
    *("comparison.csv", "last_against_others.csv", "next_study.csv", "compare.txt"),
    *("summary.csv", "definition.toml", "methods.txt"),
}
SAMPLE = ECIR2008 / "log.csv", ECIR2008 / "judgments.csv"
THREE = rows_of(
    *("1 A p t", "2 B p t", "6 C p u", "0 A q u", "3 B q t", "5 C q t", "2 A r u", "2 B r u"),
    *("8 C r t", "3 A s t", "3 B s u", "4 C s u", "1 A v t", "2 B w t", "0 C x u"),
)


def run(out: Path, *options: str, files: tuple[Path, ...] = SAMPLE) -> int:
    return sdcg.main(["compare", *map(str, files), "--out", str(out), *options])


def compared(out: Path, *options: str, files: tuple[Path, ...] = SAMPLE) -> Path:
    assert run(out, *options, files=files) == 0
    return out


def table(folder: Path) -> list[dict[str, str]]:
    return rows_in(folder / "comparison.csv")


def text(folder: Path) -> str:
    return (folder / "compare.txt").read_text(encoding="utf-8")


def read(value: str) -> Any:
    """A cell as a number, undefined where it is empty, or else as it stands."""
    try:
        return float(value or "nan")
    except ValueError:
        return value


def assert_same(rows: list[dict[str, str]], shown: Comparison) -> None:
    """The table holds the analysis' numbers, to ten significant digits."""
    expected = shown.table().to_dict("records")
    for row, own in zip(rows, expected, strict=True):
        found = {name: read(value) for name, value in row.items()}
        near = {n: v if isinstance(v, str) else approx(v, rel=1e-9) for n, v in own.items()}
        assert found == near


def files_of(rows: list[Row], folder: Path) -> tuple[Path, ...]:
    folder.mkdir(exist_ok=True)
    return write_study(as_study(rows), folder)


@pytest.fixture(scope="module")
def default(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compared(tmp_path_factory.mktemp("compare") / "new" / "folder")


def test_folder_holds_the_table_the_sentences_and_the_definition(default: Path) -> None:
    assert {path.name for path in default.iterdir()} == {*FILES, WRITTEN}
    header = (default / "comparison.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.split(",") == COLUMNS


def test_values_and_sentences_are_the_analysis(default: Path) -> None:
    asked = read_study(*SAMPLE), Definition(), Filters()
    shown = compare_systems(*asked)
    assert_same(table(default), shown)
    compared_last = last_against_others(*asked)
    last = "\n".join(last_words.sentences(compared_last))
    assert (default / "methods.txt").read_text(encoding="utf-8").count(
        last_words.method(compared_last)
    ) == 1
    planned = "\n".join(words.next_study_paragraphs(plan_of(shown, 0)))
    order = words.NO_ORDER[words.ORDER_UNTOLD]
    assert text(default) == f"{words.sentences(shown)}\n{last}\n\n{order}\n\n{planned}\n"


def test_next_study_is_planned_for_a_difference_and_refused_for_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = compared(tmp_path, "--plan-for", "0.05")
    rows = rows_in(folder / "next_study.csv")
    shown = compare_systems(read_study(*SAMPLE), Definition(), Filters())
    own = plan_of(shown, 0, plan_for=0.05)
    assert words.next_study_headline(own) in capsys.readouterr().out
    assert [row["planned_for"] for row in rows] == [plan.words for plan in own.plans]
    assert [(int(row["units_80"]), int(row["units_90"])) for row in rows] == [
        plan.units for plan in own.plans
    ]
    assert run(tmp_path, "--plan-for", "-1") == 2
    refused = "a difference of -1 to plan for; it has to be above 0.\n"
    assert capsys.readouterr().err == refused


def test_words_are_printed_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = compared(tmp_path / "out", "--score", "final", files=files_of(THREE, tmp_path / "files"))
    assert capsys.readouterr().out == text(out)


def test_changed_weights_and_filters_change_the_numbers_and_read_back(tmp_path: Path) -> None:
    files = files_of(THREE, tmp_path / "files")
    weights = ",".join(f"{grade}={grade * grade}" for grade in (0, 1, 2, 3, 4, 5, 6, 8))
    options = "--weights", weights, "--systems", "A,B", "--score", "final"
    out = compared(tmp_path / "out", *options, files=files)
    (row,) = table(out)
    squared = [r._replace(score=r.score**2) for r in THREE if r.system != "C"]
    assert float(row["difference"]) == pytest.approx(PlainPair(squared, "A", "B").value)
    definition, filters = from_toml((out / "definition.toml").read_text(encoding="utf-8"))
    assert filters == Filters(systems=("A", "B"))
    assert_same(table(out), compare_systems(read_study(*files), definition, filters, score="final"))
    again = "--definition", str(out / "definition.toml"), "--score", "final"
    assert table(compared(tmp_path / "again", *again, files=files)) == table(out)


def test_two_agents_have_topics_and_outcomes_against_a_baseline(tmp_path: Path) -> None:
    files = write_agents(tmp_path / "files")
    options = ("--score", "final", "--weights", "linear", "--baseline", "B", "--right", "correct")
    out = compared(tmp_path / "out", *options, files=files)
    more = {"topics.csv", "outcomes.csv", "outcome_corners.csv", "outcome_pairs.csv"}
    assert {path.name for path in out.iterdir()} == FILES | more | {WRITTEN}
    (pair,) = table(out)
    assert (pair["system_a"], pair["system_b"]) == ("B", "A")
    topics = rows_in(out / "topics.csv")
    apart = [float(row["difference"]) for row in topics]
    assert fmean(apart) == approx(float(pair["difference"]), rel=1e-9)
    assert [row["result"] for row in topics].count("lost") == 7
    assert "Against B, A won 1 of 12 topics, lost 7 and tied 4." in text(out)
    assert "B alone got 5 right and A alone 1" not in text(out)  # the baseline stands last
    assert "A alone got 1 right and B alone 5, both 4 and neither 2" in text(out)
    methods = (out / "methods.txt").read_text(encoding="utf-8")
    assert "Whether a session was right is its column correct." in methods
    compared(out, files=SAMPLE)  # what the run before has left goes
    assert {path.name for path in out.iterdir()} == FILES | {WRITTEN}


def test_undefined_numbers_are_empty_cells(tmp_path: Path) -> None:
    files = files_of(rows_of("1 A p t", "2 A q t", "3 B r u", "5 B s u"), tmp_path / "files")
    out = compared(tmp_path / "out", "--score", "final", files=files)
    (row,) = table(out)
    empty = "difference", "low", "high", "p_permutation", "p_t", "p_holm", "hedges_g"
    assert {name: row[name] for name in empty} == dict.fromkeys(empty, "")
    assert "nan" not in text(out)


REFUSED = {
    "unknown score": (("--score", "finale"), "score 'finale'; choose one of final_normalised, "),
    "score of nothing": (("--score", ""), "score ''; choose one of "),
    "unknown option": (("--scores", "final"), "No such option: --scores"),
    "wrong base": (("--b", "one"), "b 'one'; a base is above 1 and below 1,000, or inf"),
    "unknown system": (("--systems", "System 9"), "no system 'System 9'; the study has "),
    "no session left": (
        ("--min-queries", "50"),
        "The filters leave no session with this score: widen them.",
    ),
    "unknown baseline": (("--baseline", "C"), "baseline 'C'; systems are System 1, System 2."),
    "no such column": (("--right", "odd"), "outcome 'odd'; columns of sessions that say yes or no"),
    "depth is not asked": (("--depth", "5"), "No such option: --depth"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_option_is_refused_in_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, line = REFUSED[case]
    assert run(tmp_path / "out", *options) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(line)
    assert told.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
