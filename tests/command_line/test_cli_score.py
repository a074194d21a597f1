"""What `sdcg score` writes: files, columns, numbers, and a definition that reads back."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.scoring.measures import SESSION_SCORES
from tests.support.plain_files import THREE_SESSIONS, read_plain, rows_in, written
from tests.support.plain_loop import Choices
from tests.support.plain_other_measures import every_query_score
from tests.support.plain_session_scores import session_scores
from tests.support.refusals import JUDGMENTS, LOG

STUDY = THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv"
LINEAR = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})
WHO = ["session", "system", "searcher", "topic", "queries"]
SCORES = list(SESSION_SCORES)
COLUMNS = {
    "queries.csv": [
        *("session", "query_number", "system", "searcher", "topic", "results", "judged"),
        *("dcg", "sdcg", "ideal_sdcg", "change", "change_dcg"),
    ],
    "sessions.csv": WHO + SCORES,
    "session_curves.csv": [
        *("system", "position", "query_number", "rank", "running", "sessions", "mean", "low"),
        *("high", "sessions_normalised", "normalised", "normalised_low", "normalised_high"),
    ],
    "query_order.csv": ["system", "group", "rank", "queries", "mean", "low", "high"],
}
FILES = {*COLUMNS, "definition.toml", "methods.txt"}


def score(out: Path, *options: str, study: tuple[Path, ...] = STUDY) -> Path:
    """Folder of what `sdcg score` writes."""
    assert sdcg.main(["score", *map(str, study), "--out", str(out), *options]) == 0
    return out


def definition(folder: Path) -> dict[str, dict[str, object]]:
    """The definition and filters as written."""
    return tomllib.loads((folder / "definition.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def linear(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return score(tmp_path_factory.mktemp("score") / "new" / "folder", "--preset", "linear")


def test_cells_are_the_plain_loop_to_ten_digits_and_undefined_is_empty(linear: Path) -> None:
    plain = read_plain(*STUDY)
    rows = rows_in(linear / "sessions.csv")
    assert [rows[1][column] for column in WHO] == ["T-2", "A", "searcher 2", "topic 2", "4"]
    for row, session in zip(rows, plain.sessions, strict=True):
        expected = session_scores(session.queries, plain.judgments, LINEAR)
        assert {name: row[name] for name in SCORES} == {
            name: written_as(value) for name, value in expected.items()
        }
    asked = [
        row for s in plain.sessions for row in every_query_score(s.queries, plain.judgments, LINEAR)
    ]
    for row, expected in zip(rows_in(linear / "queries.csv"), asked, strict=True):
        assert [row[name] for name in expected] == [written_as(v) for v in expected.values()]


def written_as(value: float) -> str:
    """A number in ten significant digits, as short as can be; empty where undefined."""
    return "" if math.isnan(value) else f"{value:.10g}"


MANY = (
    *("--preset", "dynamic-domain", "--weights", "0=0,1=0.1,2=5,3=7.25", "--b", "1.5"),
    *("--bq", "inf", "--top", "7", "--discount", "jk2002", "--repeats", "every"),
    *("--short-lists", "3", "--others", "per-session", "--systems", "A", "--min-queries", "2"),
    *("--max-queries", "4", "--topics", "topic 1,topic 2"),
)


@pytest.mark.parametrize("options", [("--preset", "session-track"), MANY])
def test_definition_reads_back_to_identical_outputs(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    first = score(tmp_path / "first", *options)
    file = str(first / "definition.toml")
    again = score(tmp_path / "again", "--definition", file)
    for name in FILES:
        assert (again / name).read_bytes() == (first / name).read_bytes(), name


def test_option_beats_file_and_file_beats_preset(tmp_path: Path) -> None:
    text = '[definition]\nweights = "linear"\nb = 3\nbq = 3\n[filters]\nsystems = ["A"]\n'
    file = written(tmp_path, my_toml=text + "min_queries = 4\n")["my_toml"]
    options = ("--preset", "session-track", "--definition", str(file), "--b", "5")
    out = score(tmp_path / "out", *options, "--min-queries", "3")
    chosen = definition(out)
    names = ("discount", "weights", "bq", "b")
    assert [chosen["definition"][name] for name in names] == ["kanoulas2011", "linear", 3, 5]
    assert (chosen["filters"]["systems"], chosen["filters"]["min_queries"]) == (["A"], 3)
    assert [row["session"] for row in rows_in(out / "sessions.csv")] == ["T-1", "T-2"]


@pytest.mark.parametrize("preset", ["linear", "session-track"])
def test_definition_keeps_the_weighting_chosen_where_another_gives_the_same_gains(
    preset: str, tmp_path: Path
) -> None:
    files = written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)  # grades 0 and 1 alone
    out = score(tmp_path / "out", "--preset", preset, study=(*files.values(),))
    named = {
        "linear": ("linear", "plain linear."),
        "session-track": ("exponential", "Session track (Kanoulas)."),
    }
    weights, name = named[preset]
    assert definition(out)["definition"]["weights"] == weights
    assert name in (out / "methods.txt").read_text(encoding="utf-8")
