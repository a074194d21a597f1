"""Logs that researchers released, where they are at hand: counts, and scores by the plain loop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import PRESETS, Filters
from sdcg_explorer.scoring.scores import Scores, scores
from sdcg_explorer.study.study import Study
from tests.support.plain_files import read_plain, report_of
from tests.support.plain_loop import Choices, Judgments, PlainSession, PlainStudy, Query
from tests.support.plain_session_scores import session_scores
from tests.support.studies import CHIIR, TREC, real_logs

pytestmark = real_logs


@dataclass(frozen=True)
class RealLog:
    """Files of a released study, and the facts counted independently in its README."""

    files: tuple[Path, Path]
    counts: dict[str, object]


LOGS = {
    "trec-session-2013": RealLog(
        (TREC / "sessiontrack2013.xml", TREC / "qrels.txt"),
        {
            **{"sessions": 133, "queries": 401, "results": 4449, "queries_without_results": 2},
            **{"withheld_queries": 87, "systems": 1, "searchers": None, "topics": 61},
            **{"topics_judged": 49, "judgments": 13132, "sessions_without_judgments": 17},
            **{"repeats": 1171, "clicked": 558, "rank_clashes": 0},
            "query_lengths": {
                **{"1": 66, "2": 18, "3": 14, "4": 6, "5": 7, "6": 6, "7": 4, "8": 5},
                **{"10": 1, "11": 2, "12": 2, "18": 1, "20": 1},
            },
            "grades": {"-2": 113, "0": 9591, "1": 2647, "2": 665, "3": 72, "4": 44},
            "judged_share": pytest.approx(0.955, abs=0.0005),
        },
    ),
    "chiir24-layouts": RealLog(
        (CHIIR / "log.csv", CHIIR / "judgments.csv"),
        {
            **{"sessions": 327, "queries": 1366, "results": 21765, "judgments": 755, "topics": 4},
            **{"topics_judged": 4, "systems": 5, "searchers": 165, "repeats": 0, "clicked": 5764},
            **{"lists_with_rank_gaps": 744, "sessions_without_judgments": 0, "judged_share": 1.0},
            "grades": {"0": 460, "1": 295},
        },
    ),
}


def plain_trec(log: Path, qrels: Path) -> PlainStudy:
    """Session Track log and qrels, by the standard library's tree of elements."""
    sessions = []
    for element in ElementTree.parse(log).getroot().iter("session"):
        topic = element.find("topic")
        assert topic is not None
        queries: list[Query] = []
        for interaction in element.iter("interaction"):
            shown = {int(r.attrib["rank"]): r for r in interaction.iter("result")}
            docs = {rank: r.findtext("clueweb12id") or "" for rank, r in shown.items()}
            queries.append((topic.attrib["num"], docs))
        sessions.append(PlainSession(element.attrib["num"], queries))
    rows = [line.split() for line in qrels.read_text(encoding="utf-8").splitlines()]
    return PlainStudy(sessions, {(row[0], row[2]): float(row[3]) for row in rows})


def plain(name: str) -> PlainStudy:
    """A real log as plain data, not by our readers."""
    if name == "trec-session-2013":
        return plain_trec(*LOGS[name].files)
    columns = {"session": "session_id", "query_number": "query_no", "doc": "doc_id"}
    return read_plain(*LOGS[name].files, columns)


@pytest.fixture(scope="module", params=LOGS)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def study(name: str) -> Study:
    return read_study(*LOGS[name].files)


def own_judgments(session: PlainSession, judgments: dict[str, Judgments]) -> Judgments:
    """Judgments of the session's own topics: the others change nothing."""
    own: Judgments = {}
    for topic in {topic for topic, _ in session.queries}:
        own |= judgments.get(topic, {})
    return own


def by_loop(plain: PlainStudy, choices: Choices) -> dict[str, list[float]]:
    """Every score of every session, by the plain loop."""
    by_topic: dict[str, Judgments] = {}
    for (topic, doc), grade in plain.judgments.items():
        by_topic.setdefault(topic, {})[topic, doc] = grade
    rows = [session_scores(s.queries, own_judgments(s, by_topic), choices) for s in plain.sessions]
    return {score: [row[score] for row in rows] for score in rows[0]}


def assert_equal_the_loop(ours: Scores, plain: PlainStudy, choices: Choices) -> None:
    """Each score of each session is the plain loop's, undefined in the same places."""
    assert ours.sessions["session"].astype(str).tolist() == [s.name for s in plain.sessions]
    for score, expected in by_loop(plain, choices).items():
        np.testing.assert_allclose(ours.sessions[score], expected, rtol=1e-9, err_msg=score)


def test_check_reports_the_counts_of_the_readme(name: str) -> None:
    report: dict[str, Any] = report_of(*LOGS[name].files)
    assert report["exit"] == 0
    assert {key: report[key] for key in LOGS[name].counts} == LOGS[name].counts


def test_every_session_scores_as_the_plain_loop_by_default(name: str, study: Study) -> None:
    paper = {-2.0: 0.0, 0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0, 4.0: 1000.0}
    ours = scores(study, PRESETS["ecir2008"], Filters())
    assert_equal_the_loop(ours, plain(name), Choices(gains=paper))


def test_every_session_scores_as_the_plain_loop_with_repeats_once(name: str, study: Study) -> None:
    linear = {-2.0: 0.0, 0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0, 4.0: 4.0}
    ours = scores(study, PRESETS["dynamic-domain"], Filters())
    once = Choices(gains=linear, repeats="first", ideal="spread")
    assert_equal_the_loop(ours, plain(name), once)


def test_every_session_scores_as_the_plain_loop_with_short_lists(name: str, study: Study) -> None:
    doubled = {-2.0: 0.0, 0.0: 0.0, 1.0: 1.0, 2.0: 3.0, 3.0: 7.0, 4.0: 15.0}
    definition = PRESETS["session-track"]
    ours = scores(study, type(definition)(**{**vars(definition), "short_lists": 5}), Filters())
    choices = Choices(gains=doubled, form="kanoulas2011", short=5)
    assert_equal_the_loop(ours, plain(name), choices)


def test_top_ten_results_on_judged_topics_of_trec_are_all_judged() -> None:
    study = read_study(*LOGS["trec-session-2013"].files)
    table = scores(study, PRESETS["ecir2008"], Filters()).queries
    judged = table[table["topic"].isin(study.judgments["topic"].astype(str).unique())]
    assert len(judged) < len(table)
    assert judged["judged"].tolist() == judged["results"].tolist()
    assert table["judged"].sum() == judged["judged"].sum()
