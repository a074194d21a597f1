"""Released studies as their folders lie: log, judgments and ratings are found and counted."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.calls import NOT_RUN
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.plain_files import report_of
from tests.support.studies import DATA, REAL, real_logs
from tests.unit.test_real_logs import LOGS

pytestmark = real_logs

THUIR_COUNTS: dict[str, object] = {
    **{"sessions": 225, "queries": 935, "results": 10_904, "queries_without_results": 1},
    **{"pages_folded": 176, "rank_clashes": 46, "searchers": 25, "topics": 9, "systems": 1},
    **{"topics_judged": 9, "sessions_without_judgments": 0, "withheld_queries": 0},
    **{"judgments_matched": 2_969, "judgments_never_shown": 136, "judgments": 2_969 + 136},
    "grades_matched": {"0": 54, "1": 294, "2": 1_083, "3": 1_051, "4": 487},
    "judged_share": pytest.approx(0.57, abs=0.005),
    # of sessions: the searchers' own, and the annotation; of queries: likewise
    "extras": {
        "dwell": 722,
        **{"satisfaction": 225, "task_satisfaction_annotation": 225},
        **{"query_satisfaction": 935, "query_satisfaction_annotation": 935},
    },
}
COUNTS: dict[str, dict[str, object]] = {
    "thuir-usefulness": THUIR_COUNTS,
    "trec-session-2013": LOGS["trec-session-2013"].counts
    | {"extras": {"dwell": 246}, "pages_folded": 0},
    "chiir24-layouts": LOGS["chiir24-layouts"].counts
    | {"extras": {"satisfaction": 320}, "judgments_never_shown": 0, "rank_clashes": 0},
}
SET_ASIDE = {
    "thuir-usefulness": ["topics.xml", "usefulness_annotation.tsv"],
    "trec-session-2013": ["topics.txt"],
    "chiir24-layouts": ["LICENSE", "README-of-the-authors.md"],
}


@cache
def checked(name: str) -> dict[str, Any]:
    """What `sdcg check --json` says of a folder."""
    return report_of(DATA / name)


@cache
def study_of(name: str) -> Study:
    """Study of a folder."""
    return read_study(DATA / name)


@pytest.mark.parametrize("name", COUNTS)
def test_check_of_a_folder_reports_the_counts_of_the_readme(name: str) -> None:
    said = checked(name)
    assert said["exit"] == 0
    assert {key: said[key] for key in COUNTS[name]} == COUNTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_check_of_a_folder_finds_log_judgments_and_ratings(name: str) -> None:
    log, judgments, ratings = REAL[name]
    one_by_one = read_study(log, judgments, ratings=ratings)
    assert study_of(name).digest == one_by_one.digest
    aside = "a file that was set aside"
    notes = [each for each in study_of(name).report.problems if each.found == aside]
    assert sorted(each.file for each in notes) == SET_ASIDE[name]


def test_simulated_searchers_are_counted_as_the_readme_has_them() -> None:
    pattern = "{collection}-{system}-{topic}-{searcher}-{kind}-{stop}"
    study = read_study(DATA / "simiir", recipe=Recipe(file_name=pattern))
    asked, shown = study.queries, study.results
    assert (len(study.sessions), len(asked), len(shown)) == (8, 798, 5_628)
    keys = ["session", "query_number"]
    assert len(asked) - len(shown[keys].drop_duplicates()) == 2
    assert shown.duplicated(["session", "doc"]).sum() == 2_487
    assert (shown["clicked"].sum(), asked["marked"].sum()) == (1_592, 160)
    assert study.judgments["grade"].value_counts().to_dict() == {0: 1_808, 1: 242}
    assert study.sessions["seconds"].agg(["min", "max"]).tolist() == [7_164, 8_981]
    assert sorted(study.sessions["system"].value_counts().items()) == [("bm25", 4), ("monoT5", 4)]
    assert sorted(asked["topic"].unique()) == ["321", "336", "341", "347"]


def test_turns_of_ikat_are_counted_as_the_readme_has_them(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("0_1 0 clueweb22-en0025-76-08262:14 2\n", encoding="utf-8")
    study = read_study(DATA / "ikat" / "sample_run.json", qrels)
    counts = len(study.sessions), len(study.queries), len(study.results)
    assert (*counts, study.results["clicked"].sum()) == (17, 218, 2_180, 1_308)
    assert study.results.duplicated(["session", "doc"]).sum() == 182
    assert len(study.queries["topic"].unique()) == 218  # each turn is judged by itself


# by folder: sessions, queries, results, queries without, repeats, opened or used, and left out
OF_AGENTS: dict[str, tuple[int, int, int, int, int, int | None, dict[str, int]]] = {
    "agent-runs": (10, 102, 1_020, 0, 396, 28, {NOT_RUN: 117}),
    "agent-messages": (10, 102, 1_020, 0, 396, 28, {NOT_RUN: 117}),
    "mtrag": (2, 10, 23, 1, 0, None, {}),
    "ikat": (17, 218, 2_180, 0, 0, 1_308, {}),
}


@cache
def agents(folder: str) -> Study:
    """The log of a folder, which need not have judgments."""
    try:
        return read_study(DATA / folder)
    except UnusableInputError as refused:
        return refused.counted


@pytest.mark.parametrize("folder", OF_AGENTS)
def test_released_runs_and_conversations_have_the_counts_of_their_folder(folder: str) -> None:
    study = agents(folder)
    report = study.checked()
    names = ("sessions", "queries", "results", "queries_without_results", "repeats", "clicked")
    assert (*(report[name] for name in names), study.report.left_out) == OF_AGENTS[folder]


def test_runs_and_messages_of_the_same_tasks_are_the_same_log() -> None:
    both = agents("agent-runs"), agents("agent-messages")
    about = {"queries": ["topic", "text"], "results": ["rank", "doc", "clicked"]}
    for name, columns in about.items():
        names = ["session", "query_number", *columns]
        one, other = (getattr(study, name)[names].astype("str") for study in both)
        assert sorted(one.to_numpy().tolist()) == sorted(other.to_numpy().tolist())
