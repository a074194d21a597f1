"""What a study is warned of: each warning word for word, and the study that just escapes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from tests.support.plain_files import written

HEADER = "session,system,query_number,rank,doc,topic\n"
SESSIONS = [f"s{i}" for i in range(10)]
JUDGMENTS = "topic,doc,grade\nt,a,1\n"


def log_of(sessions: list[str], queries: int = 2, system: str = "A") -> str:
    """Rows of sessions whose queries all show document a."""
    numbers = range(1, queries + 1)
    return "".join(f"{name},{system},{n},1,a,t\n" for name in sessions for n in numbers)


QUIET = log_of(SESSIONS)


def warned(folder: Path, rows: str = QUIET, judged: str = "") -> list[str]:
    """All that a study is warned of."""
    files = written(folder, log_csv=HEADER + rows, judgments_csv=JUDGMENTS + judged)
    problems = read_study(*files.values()).problems
    assert {problem.severity for problem in problems} <= {"warning"}
    return [str(problem) for problem in problems]


def test_study_with_enough_of_everything_is_warned_of_nothing(tmp_path: Path) -> None:
    assert warned(tmp_path) == []


def withheld(queries: int) -> str:
    """A session log of ten sessions, the first with this many queries withheld."""
    result = '<results><result rank="1"><docno>a</docno></result></results>'
    asked = "".join(f'<interaction num="{n}">{result}</interaction>' for n in (1, 2))
    extra = "<currentquery><query>x</query></currentquery>" * queries
    sessions = "".join(
        f'<session num="{i}"><topic num="t"/>{asked}{"" if i else extra}</session>'
        for i in range(10)
    )
    return f"<log>{sessions}</log>"


@pytest.mark.parametrize("queries", [0, 3])
def test_withheld_queries_are_warned_of(queries: int, tmp_path: Path) -> None:
    files = written(tmp_path, log_xml=withheld(queries), judgments_csv=JUDGMENTS)
    expected = [
        f"log.xml: {queries} queries whose results the log withholds; they are left out of their "
        f"sessions, so the last query here is not the searcher's last. Read 'last' as the last "
        "query with results."
    ]
    said = [str(problem) for problem in read_study(*files.values()).problems]
    assert said == (expected if queries else [])


def on_topics(*topics: str) -> str:
    """The quiet log, with a further query of the first session on each of these topics."""
    return QUIET + "".join(f"s0,A,{n},1,a,{topic}\n" for n, topic in enumerate(topics, start=3))


ON_TOPICS = (
    "; sessions only on these topics have no score and are left out of every mean. Add judgments "
    "for them, or expect fewer sessions."
)


@pytest.mark.parametrize(
    ("topics", "found"),
    [
        (["u"], "1 unjudged topic (u)"),
        (["w", "u", "v"], "3 unjudged topics (u, v, w)"),
        (["x", "w", "u", "v"], "4 unjudged topics (u, v, w …)"),
    ],
    ids=["one", "three", "four"],
)
def test_topics_without_judgments_are_warned_of(
    topics: list[str], found: str, tmp_path: Path
) -> None:
    assert warned(tmp_path, on_topics(*topics)) == [f"log.csv: {found}{ON_TOPICS}"]


def test_a_topic_with_a_judgment_of_a_document_never_shown_is_judged(tmp_path: Path) -> None:
    assert warned(tmp_path, on_topics("u"), "u,never,1\n") == []


def more_results(count: int, rank: int = 2) -> str:
    """The quiet log's 20 judged results, and so many that nobody judged."""
    places = [(name, n) for name in SESSIONS for n in (1, 2)]
    rows = [f"{name},A,{n},{{}},x,t\n" for name, n in places]
    return QUIET + "".join(rows[i % 20].format(rank + i // 20) for i in range(count))


def test_more_than_half_of_the_top_unjudged_is_warned_of(tmp_path: Path) -> None:
    assert warned(tmp_path, more_results(21)) == [
        "log.csv: 51% of the results in the top 10 unjudged; an unjudged result counts as gain 0. "
        "Check that the judgments name topics and documents as the log does."
    ]


def test_half_of_the_top_unjudged_is_not_warned_of(tmp_path: Path) -> None:
    assert warned(tmp_path, more_results(20)) == []


def test_unjudged_results_below_rank_10_are_not_warned_of(tmp_path: Path) -> None:
    assert warned(tmp_path, more_results(60, rank=11)) == []
    assert warned(tmp_path / "near", more_results(60, rank=9)) != []


def almost(found: str) -> str:
    """The warning that ids almost match."""
    rule = "texts are compared letter by letter. Correct the file, or take the repair"
    return f"judgments.csv: {found}; {rule}: --set fix=alike-ids."


@pytest.mark.parametrize("other", ["b", "00B", "  B "])
def test_documents_that_almost_match_are_warned_of(other: str, tmp_path: Path) -> None:
    expected = almost(f"1 document id written differently in the log ('B' and {other!r})")
    assert warned(tmp_path, QUIET + "s0,A,1,2,B,t\n", f"t,{other},0\n") == [expected]


@pytest.mark.parametrize("other", ["b.", "B0", "B B"])
def test_documents_that_differ_by_more_are_not_warned_of(other: str, tmp_path: Path) -> None:
    assert warned(tmp_path, QUIET + "s0,A,1,2,B,t\n", f"t,{other},0\n") == []


def test_documents_that_match_elsewhere_are_not_warned_of(tmp_path: Path) -> None:
    rows = QUIET + "s0,A,1,2,B,t\ns1,A,1,2,b,t\n"
    assert warned(tmp_path, rows, "t,b,0\nt,B,1\n") == []


def test_four_documents_that_almost_match_are_counted_and_three_named(tmp_path: Path) -> None:
    rows = "".join(f"s0,A,1,{rank},D{rank},t\n" for rank in (2, 3, 4, 5))
    judged = "".join(f"t,d{rank},0\n" for rank in (2, 3, 4, 5))
    some = "'D2' and 'd2'; 'D3' and 'd3'; 'D4' and 'd4'"
    expected = almost(f"4 document ids written differently in the log ({some})")
    assert warned(tmp_path, QUIET + rows, judged) == [expected]


def test_topics_that_almost_match_are_warned_of(tmp_path: Path) -> None:
    expected = almost("1 topic written differently in the log ('7' and '007')")
    assert warned(tmp_path, on_topics("7"), "007,a,1\n")[:1] == [expected]
    assert warned(tmp_path / "below", on_topics("7"), "70,a,1\n")[1:] == []


def test_sessions_of_one_query_each_are_warned_of(tmp_path: Path) -> None:
    assert warned(tmp_path, log_of(SESSIONS, 1)) == [
        "log.csv: every session has only one query; Session curves and Query order need sessions "
        "of several queries. Check that the session column says which queries belong together."
    ]
    rows = log_of(SESSIONS[1:], 1) + log_of(SESSIONS[:1], 2)
    assert warned(tmp_path / "below", rows) == []


def few(found: str) -> str:
    """The warning that systems have few sessions."""
    rule = "means over fewer than 10 sessions tell little. Read their intervals, or gather more"
    return f"log.csv: systems with few sessions ({found}); {rule} sessions."


def test_systems_with_nine_sessions_are_warned_of(tmp_path: Path) -> None:
    other = [f"z{i}" for i in range(10)]
    assert warned(tmp_path, QUIET + log_of(other[:9], system="B")) == [few("B: 9")]
    assert warned(tmp_path / "below", QUIET + log_of(other, system="B")) == []


def test_of_four_systems_with_few_sessions_three_are_named(tmp_path: Path) -> None:
    sizes = {"A": 4, "B": 3, "C": 2, "D": 1}
    rows = [log_of([f"{s}{i}" for i in range(n)], system=s) for s, n in sizes.items()]
    assert warned(tmp_path, "".join(rows)) == [few("A: 4, B: 3, C: 2 …")]


def test_warnings_of_reader_and_tables_are_all_in_the_report(tmp_path: Path) -> None:
    log = HEADER.replace("topic", "query") + "s1,A,1,0,a,tea\n"
    files = written(tmp_path, log_csv=log, judgments_csv="query,doc,grade\nmilk,a,1\n")
    problems = read_study(*files.values()).problems
    assert [problem.found for problem in problems if problem.severity == "warning"] == [
        "ranks from 0 (1 result)",
        "1 judgment by a query text that the log does not have",
        "1 unjudged topic (tea)",
        "100% of the results in the top 10 unjudged",
        "every session has only one query",
        "systems with few sessions (A: 1)",
    ]
