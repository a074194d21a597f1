"""Logs that researchers released, where they are at hand: found, counted, and scored by loops."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.questions.ratings import words
from sdcg_explorer.questions.ratings.numbers import RatingChoices, agreement
from sdcg_explorer.reading import event_logs, read, recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.studies import DATA, at_hand, real_logs

pytestmark = real_logs
# the facts that the README of each folder counts by itself
COUNTS: dict[str, dict[str, object]] = {
    "trec-session-2013": {
        **{"sessions": 133, "queries": 401, "results": 4449, "queries_without_results": 2},
        **{"withheld_queries": 87, "systems": 1, "searchers": None, "topics": 61},
        **{"topics_judged": 49, "judgments": 13132, "sessions_without_judgments": 17},
        **{"repeats": 1171, "clicked": 558, "rank_clashes": 0, "pages_folded": 0},
        "query_lengths": {
            **{"1": 66, "2": 18, "3": 14, "4": 6, "5": 7, "6": 6, "7": 4, "8": 5},
            **{"10": 1, "11": 2, "12": 2, "18": 1, "20": 1},
        },
        "grades": {"-2": 113, "0": 9591, "1": 2647, "2": 665, "3": 72, "4": 44},
        **{"judged_share": pytest.approx(0.955, abs=0.0005), "extras": {"dwell": 246}},
    },
    "chiir24-layouts": {
        **{"sessions": 327, "queries": 1366, "results": 21765, "judgments": 755, "topics": 4},
        **{"topics_judged": 4, "systems": 5, "searchers": 165, "repeats": 0, "clicked": 5764},
        **{"lists_with_rank_gaps": 744, "sessions_without_judgments": 0, "judged_share": 1.0},
        **{"grades": {"0": 460, "1": 295}, "extras": {"satisfaction": 320}},
        **{"judgments_never_shown": 0, "rank_clashes": 0},
    },
    "thuir-usefulness": {
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
    },
}
SET_ASIDE = {
    "thuir-usefulness": ["topics.xml", "usefulness_annotation.tsv"],
    "trec-session-2013": ["topics.txt"],
    "chiir24-layouts": ["LICENSE", "README-of-the-authors.md"],
}


@pytest.mark.parametrize("name", COUNTS)
def test_a_folder_is_found_and_counted_as_its_readme_has_it(name: str) -> None:
    study = read.read_study(DATA / name)
    said: dict[str, Any] = study.checked()
    assert {key: said[key] for key in COUNTS[name]} == COUNTS[name]
    assert study.digest == at_hand(name).digest  # whose files are given one by one
    aside = [each["file"] for each in said["files"] if each["role"] == "set aside"]
    assert sorted(aside) == SET_ASIDE[name]


# by folder: sessions, queries, results, queries without, repeats, opened or used, and left out
OF_AGENTS: dict[str, tuple[int, int, int, int, int, int | None, dict[str, int]]] = {
    "agent-runs": (10, 102, 1_020, 0, 396, 28, {event_logs.NOT_RUN: 117}),
    "agent-messages": (10, 102, 1_020, 0, 396, 28, {event_logs.NOT_RUN: 117}),
    "mtrag": (2, 10, 23, 1, 0, None, {}),
    "ikat": (17, 218, 2_180, 0, 0, 1_308, {}),
}


@cache
def agents(folder: str) -> Study:
    """The log of a folder, which need not have judgments."""
    try:
        return read.read_study(DATA / folder)
    except UnusableInputError as refused:
        return refused.counted


@pytest.mark.parametrize("folder", OF_AGENTS)
def test_released_runs_and_conversations_have_the_counts_of_their_folder(folder: str) -> None:
    study = agents(folder)
    report = study.checked()
    names = ("sessions", "queries", "results", "queries_without_results", "repeats", "clicked")
    assert (*(report[name] for name in names), study.report.left_out) == OF_AGENTS[folder]
    if folder == "agent-messages":  # of the same tasks
        for table in ("queries", "results"):
            one, other = (
                getattr(each, table).drop(columns="time", errors="ignore").astype(str)
                for each in (study, agents("agent-runs"))
            )
            names = sorted({*one} & {*other} - {"query_seconds"})
            assert sorted(one[names].values.tolist()) == sorted(other[names].values.tolist())


def test_simulated_searchers_are_counted_as_the_readme_has_them() -> None:
    pattern = "{collection}-{system}-{topic}-{searcher}-{kind}-{stop}"
    study = read.read_study(DATA / "simiir", recipe=recipe.Recipe(file_name=pattern))
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


def test_turns_of_ikat_are_each_judged_by_themselves(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("0_1 0 clueweb22-en0025-76-08262:14 2\n", encoding="utf-8")
    study = read.read_study(DATA / "ikat" / "sample_run.json", qrels)
    assert len(study.queries["topic"].unique()) == 218


# THUIR's raw files, worked out apart from this program
RAW = {
    **{"final": -0.335, "queries": -0.416, "per_query": 0.437},
    **{"final_normalised": 0.409, "mean_dcg": 0.425},
}
PARTIAL = {"final": 0.167, "per_query": 0.188, "final_normalised": 0.222}


def test_satisfaction_goes_with_scores_as_was_worked_out_apart() -> None:
    definition = Definition(weights="linear", b=2.0, bq=4.0)
    asked = RatingChoices("satisfaction", "final")
    shown = agreement(at_hand("thuir-usefulness"), definition, Filters(), asked=asked)
    of = {name: versions for name, (_, _, versions) in shown.found.items()}
    assert shown.number == 225
    assert {name: of[name]["raw"].value for name in RAW} == pytest.approx(RAW, abs=0.0006)
    found = {name: of[name]["partial"].value for name in PARTIAL}
    assert found == pytest.approx(PARTIAL, abs=0.001)
    assert "; with the number of queries partialled out .17 (clear)" in words.headline(shown)
