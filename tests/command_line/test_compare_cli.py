"""What `sdcg compare` writes, and what it, `robustness` and `agreement` refuse.

Their tables and words are those of a notebook, byte for byte (tests/unit/test_notebook_answers.py).
"""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.into import WRITTEN
from sdcg_explorer.questions.compare_systems import plan_of, words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import ECIR2008, rows_in, write_study, written
from tests.support.plain_statistics import as_study
from tests.support.rated import rated_files
from tests.support.two_agents import write_agents
from tests.unit.test_compare_odd import rows_of

FILES = {
    *("comparison.csv", "last_against_others.csv", "next_study.csv", "compare.txt"),
    *("summary.csv", "definition.toml", "methods.txt"),
}
SAMPLE = ECIR2008 / "log.csv", ECIR2008 / "judgments.csv"


def run(command: str, out: Path, *options: str, files: tuple[Path, ...] = SAMPLE) -> int:
    return sdcg.main([command, *map(str, files), "--out", str(out), *options])


def test_next_study_is_planned_for_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("compare", tmp_path, "--plan-for", "0.05") == 0
    rows = rows_in(tmp_path / "next_study.csv")
    shown = compare_systems(read_study(*SAMPLE), Definition(), Filters())
    own = plan_of(shown, 0, plan_for=0.05)
    said = capsys.readouterr().out
    assert words.next_study_headline(own) in said
    assert said == (tmp_path / "compare.txt").read_text(encoding="utf-8")
    assert [row["planned_for"] for row in rows] == [plan.words for plan in own.plans]
    assert [(int(row["units_80"]), int(row["units_90"])) for row in rows] == [
        plan.units for plan in own.plans
    ]


def test_two_agents_have_topics_and_outcomes_against_a_baseline(tmp_path: Path) -> None:
    files, out = write_agents(tmp_path / "files"), tmp_path / "out"
    options = ("--score", "final", "--weights", "linear", "--baseline", "B", "--right", "correct")
    assert run("compare", out, *options, files=files) == 0
    more = {"topics.csv", "outcomes.csv", "outcome_corners.csv", "outcome_pairs.csv"}
    assert {path.name for path in out.iterdir()} == FILES | more | {WRITTEN}
    (pair,) = rows_in(out / "comparison.csv")
    assert (pair["system_a"], pair["system_b"]) == ("B", "A")
    topics = rows_in(out / "topics.csv")
    apart = [float(row["difference"]) for row in topics]
    assert fmean(apart) == pytest.approx(float(pair["difference"]), rel=1e-9)
    assert [row["result"] for row in topics].count("lost") == 7
    text = (out / "compare.txt").read_text(encoding="utf-8")
    assert "Against B, A won 1 of 12 topics, lost 7 and tied 4." in text
    assert "B alone got 5 right and A alone 1" not in text  # the baseline stands last
    assert "A alone got 1 right and B alone 5, both 4 and neither 2" in text
    methods = (out / "methods.txt").read_text(encoding="utf-8")
    assert "Whether a session was right is its column correct." in methods
    assert run("compare", out) == 0  # what the run before has left goes
    assert {path.name for path in out.iterdir()} == FILES | {WRITTEN}


def test_undefined_numbers_are_empty_cells(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    study = as_study(rows_of("1 A p t", "2 A q t", "3 B r u", "5 B s u"))
    files, out = write_study(study, tmp_path / "files"), tmp_path / "out"
    assert run("compare", out, "--score", "final", files=files) == 0
    (row,) = rows_in(out / "comparison.csv")
    empty = "difference", "low", "high", "p_permutation", "p_t", "p_holm", "hedges_g"
    assert {name: row[name] for name in empty} == dict.fromkeys(empty, "")
    assert "nan" not in (out / "compare.txt").read_text(encoding="utf-8")


REFUSED = {
    "compare --score finale": "score 'finale'; known are final_normalised, ",
    "compare --scores final": "No such option: --scores",
    "compare --plan-for -1": "a difference of -1 to plan for; it has to be above 0.\n",
    "compare --systems Odd": "no system 'Odd'; the study has ",
    "compare --min-queries 50": "The filters leave no session with this score: widen them.",
    "compare --baseline C": "baseline 'C'; systems are System 1, System 2.",
    "compare --right odd": "outcome 'odd'; columns of sessions that say yes or no",
    "robustness --score finale": "score 'finale'; known are ",
    "robustness --pair A B": "no pair A and B; systems are System 1, System 2.",
    "robustness --min-queries 50": "The filters leave no session with this score: widen them.",
    "score --residuals --unjudged condense": "unjudged condense; residuals are of unjudged zero. ",
    "agreement --with mood": "rating 'mood'; known are satisfaction, effort, age, ",
    "agreement --with ease --score final": "score 'final'; known are dcg, sdcg",
}


@pytest.mark.parametrize("asked", REFUSED)
def test_wrong_option_is_refused_in_one_line(
    asked: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = asked.split()
    files = SAMPLE
    if command == "agreement":
        texts = {name.replace(".", "_"): text for name, text in rated_files().items()}
        log, judgments, *ratings = written(tmp_path, **texts).values()
        files = log, judgments
        options += [option for path in ratings for option in ("--ratings", str(path))]
    assert run(command, tmp_path / "out", *options, files=files) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(REFUSED[asked])
    assert told.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
