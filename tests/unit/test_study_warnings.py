"""What a study is warned of: each warning word for word, and the study that just escapes it."""

from pathlib import Path

import pytest

from tests.support.tables import read

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
    problems = read(folder, log_csv=HEADER + rows, judgments_csv=JUDGMENTS + judged).problems
    assert {problem.severity for problem in problems} <= {"warning"}
    return [str(problem) for problem in problems]


def on_topics(*topics: str) -> str:
    """The quiet log, with a further query of the first session on each of these topics."""
    return QUIET + "".join(f"s0,A,{n},1,a,{topic}\n" for n, topic in enumerate(topics, start=3))


def more_results(count: int, rank: int = 2) -> str:
    """The quiet log's 20 judged results, and so many that nobody judged."""
    places = [(name, n) for name in SESSIONS for n in (1, 2)]
    rows = [f"{name},A,{n},{{}},x,t\n" for name, n in places]
    return QUIET + "".join(rows[i % 20].format(rank + i // 20) for i in range(count))


def of_systems(**sizes: int) -> str:
    """Rows of systems with so many sessions."""
    return "".join(log_of([f"{s}{i}" for i in range(n)], system=s) for s, n in sizes.items())


ON_TOPIC = (
    "; sessions on such topics alone have no score. Add judgments for them, or expect fewer "
    "sessions."
)
ALMOST = (
    "; texts are compared letter by letter. Correct the file, or take the repair: "
    "--set fix=alike-ids."
)
FOUR = "".join(f"s0,A,1,{rank},D{rank},t\n" for rank in (2, 3, 4, 5))
FEW = (
    "log.csv: systems with few sessions ({}); means over fewer than 10 sessions tell little. "
    "Gather more sessions, or don't rely on these means."
)
# rows of the log, further judgments, and what is warned of, if anything
WARNED: dict[str, tuple[str, str, str]] = {
    "enough of everything": (QUIET, "", ""),
    "a topic": (on_topics("u"), "", f"log.csv: 1 unjudged topic (u){ON_TOPIC}"),
    "three topics": (on_topics("w", "u", "v"), "",
                     f"log.csv: 3 unjudged topics (u, v, w){ON_TOPIC}"),
    "four topics": (on_topics("x", "w", "u", "v"), "",
                    f"log.csv: 4 unjudged topics (u, v, w, …){ON_TOPIC}"),
    "a topic of what was never shown": (on_topics("u"), "u,never,1\n", ""),
    **{f"{share} unjudged": (rows, "",
        f"log.csv: {share} of the results in the top 10 are unjudged; an unjudged result gains "
        "0. Check that the judgments name topics and documents as the log does.")
       for share, rows in (("51%", more_results(21)), ("67%", more_results(60, rank=9)))},
    "half unjudged": (more_results(20), "", ""),
    "nothing in the top 10": (QUIET.replace(",1,a,", ",11,a,"), "", ""),
    "unjudged below rank 10": (more_results(60, rank=11), "", ""),
    **{f"a document as {other!r}": (QUIET + "s0,A,1,2,B,t\n", f"t,{other},0\n",
        f"judgments.csv: 1 document id written differently in the log ('B' and {other!r}){ALMOST}")
       for other in ("b", "00B", "  B ")},
    **{f"a document as {other!r}": (QUIET + "s0,A,1,2,B,t\n", f"t,{other},0\n", "")
       for other in ("b.", "B0", "B B")},
    "documents that match elsewhere": (QUIET + "s0,A,1,2,B,t\ns1,A,1,2,b,t\n", "t,b,0\nt,B,1\n",
                                       ""),
    "a document as two": (QUIET + "s0,A,1,2,B,t\ns1,A,1,2,b,t\n", "t,b,0\n",
        f"judgments.csv: 1 document id written differently in the log ('B' and 'b'){ALMOST}"),
    "four documents": (QUIET + FOUR, "".join(f"t,d{rank},0\n" for rank in (2, 3, 4, 5)),
        "judgments.csv: 4 document ids written differently in the log ('D2' and 'd2'; 'D3' and "
        f"'d3'; 'D4' and 'd4'){ALMOST}"),
    "a topic as another": (on_topics("7"), "007,a,1\n",
        f"judgments.csv: 1 topic written differently in the log ('7' and '007'){ALMOST}\n"
        f"log.csv: 1 unjudged topic (7){ON_TOPIC}"),
    "names alike": (QUIET + log_of([f"z{i}" for i in range(10)], system="a "), "",
        "log.csv: 2 systems whose names differ only in case or spaces ('A', 'a '); names are "
        "compared letter by letter. Correct the file, or take the repair: --set fix=alike-names."),
    "a query without a topic": (on_topics(""), "",
        f"log.csv: 1 unjudged topic (the nameless one){ON_TOPIC}\n"
        "log.csv: 1 query without a topic; queries without a topic share one nameless topic, and "
        "one ideal. Fill in the topic of each query."),
    "sessions of one query": (log_of(SESSIONS, 1), "",
        "log.csv: every session has only one query; Query order and Reformulations need sessions "
        "of several queries. Check which queries belong together."),
    "all but one": (log_of(SESSIONS[1:], 1) + log_of(SESSIONS[:1], 2), "", ""),
    "nine sessions": (QUIET + of_systems(B=9), "", FEW.format("B: 9")),
    "ten sessions": (QUIET + of_systems(B=10), "", ""),
    "few sessions of four systems": (of_systems(A=4, B=3, C=2, D=1), "",
                                     FEW.format("A: 4, B: 3, C: 2, …")),
}  # fmt: skip


@pytest.mark.parametrize("what", WARNED)
def test_a_study_is_warned_of_what_it_lacks(what: str, tmp_path: Path) -> None:
    rows, judged, said = WARNED[what]
    assert "\n".join(warned(tmp_path, rows, judged)) == said


@pytest.mark.parametrize(("marks", "is_said"), [("12", True), ("02", False), ("11", False)])
def test_clicks_coded_1_and_2_are_asked_about(marks: str, is_said: bool, tmp_path: Path) -> None:
    rows = "".join(f"s{i},A,1,1,a,t,{marks[i % 2]}\n" for i in range(4))
    log = HEADER.replace("topic", "topic,clicked") + rows
    study = read(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    assert ("clicked is 1 or 2 in every row" in str([*map(str, study.problems)])) == is_said
