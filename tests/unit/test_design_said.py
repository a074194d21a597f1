"""What is said of a study's design, and of which system searchers began with: worked cases."""

from itertools import product
from pathlib import Path

import pytest

from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.compare_systems.order import IN_PART, KNOWN, order_state
from sdcg_explorer.questions.data import words as data_words
from sdcg_explorer.questions.data.design import design_sentences, headline
from sdcg_explorer.questions.overview import counted
from sdcg_explorer.questions.overview import words as overview_words
from sdcg_explorer.questions.overview.design import crossing, designed
from sdcg_explorer.questions.overview.numbers import design
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.study.study import Study
from tests.support import told
from tests.support.plain_files import study_of, write_rows
from tests.support.plain_loop import PlainSession, PlainStudy


def study(*sessions: tuple[str, str, str]) -> Study:
    """Sessions of one query each: searcher, system, topic."""
    plain = [
        PlainSession(f"s{i}", [(topic, {1: "a"})], system, searcher)
        for i, (searcher, system, topic) in enumerate(sessions)
    ]
    return study_of(PlainStudy(plain, {("t", "a"): 1.0, ("u", "a"): 1.0}))


# searcher, system and topic of each session: what is said of them
SQUARE = [(f"p{p}", "ABC"[(p + t) % 3], f"t{t}") for p, t in product(range(6), range(3))]
SAID = {
    "Latin square": (
        SQUARE,
        "6 searchers × 3 topics with 3 systems, within searchers, each topic and system once "
        "(Latin square); 18 sessions, 18 queries.",
    ),
    "one searcher more than a square": (
        SQUARE[:-3],
        "5 searchers × 3 topics with 3 systems, within searchers, each topic and system once (not "
        "balanced: 1 to 2 sessions per topic and system); 15 sessions, 15 queries.",
    ),
    "a system for each topic": (
        [(f"p{p}", "ABC"[t], f"t{t}") for p, t in product(range(6), range(3))],
        "6 searchers × 3 topics with 3 systems, within searchers, each topic and system once, each "
        "topic with one system only; 18 sessions, 18 queries.",
    ),
    "six topics with two systems": (
        [(f"p{p}", "AB"[(p + t) % 2], f"t{t}") for p, t in product(range(4), range(6))],
        "4 searchers × 6 topics with 2 systems, within searchers, each topic once, each system 3 "
        "times (balanced); 24 sessions, 24 queries.",
    ),
    "every topic with every system": (
        [(f"p{p}", y, t) for p, t, y in product(range(5), "tuv", "AB")],
        "5 searchers × 3 topics × 2 systems, within searchers, each combination once; 30 sessions, "
        "30 queries.",
    ),
    "between": (
        [(f"p{p}", "AB"[p % 2], t) for p, t in product(range(4), "tuv")],
        "4 searchers × 3 topics with 2 systems, between searchers, each topic once; 12 sessions, "
        "12 queries.",
    ),
    "some used both": (
        [("p", "A", "t"), ("p", "B", "t"), ("q", "B", "u")],
        "2 searchers on 2 topics with 2 systems, mixed (1 of 2 searchers used several systems), "
        "each topic at most twice; 3 sessions, 3 queries.",
    ),
    "two of three systems": (
        [("p", "A", "t"), ("p", "B", "t"), ("q", "B", "t"), ("q", "C", "t")],
        "2 searchers × 1 topic with 3 systems, within searchers, each system at most once; 4 "
        "sessions, 4 queries.",
    ),
    "one session": ([("", "A", "t")], "1 session on 1 topic with 1 system; 1 query."),
    "runs of agents": (
        [("", y, f"t{t}") for t, y, _ in product(range(20), "ABC", range(5))],
        "300 sessions: 20 topics × 3 systems, each combination 5 times; 300 queries.",
    ),
    "runs of agents, one of which is missing": (
        [("", y, f"t{t}") for t, y in [*product(range(20), "ABC")][1:]],
        "59 sessions on 20 topics with 3 systems; 59 queries.",
    ),
    "one system": (
        [("", "A", f"t{t}") for t in range(20)],
        "20 sessions: 20 topics, each once, with 1 system; 20 queries.",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_design_is_said_in_a_sentence(name: str) -> None:
    sessions, said = SAID[name]
    assert headline(study(*sessions)) == said


HEADER = ("session", "searcher", "system", "topic", "query_number", "time", "rank", "doc")
# searcher, system, and the times of two queries of each session: with what searchers began
BEGAN = {
    "numbers, not texts": ("p A 10 11, p B 9 9.5", {"B": 1}),
    "zones": ("p A 2008-03-30T10:00:00+02:00 -, p B 2008-03-30T09:00:00Z -", {"A": 1}),
    "days before clocks": ("p A 2008-04-01 -, p B 2008-03-31T23:59 -", {"B": 1}),
    "before 1970": ("p A 1969-12-31T23:59:59Z -, p B 1970-01-01T00:00:01Z -", {"A": 1}),
    "a later query's time serves": ("p A - 5, p B 6 7", {"A": 1}),
    "the earliest, wherever it stands": ("p A 9 2, p B 10 11", {"A": 1}),
    "first of three": ("p C 1 2, p A 3 4, p B 5 6", {"C": 1}),
    "a tie of one system": ("p A 1 2, p A 1 3, p B 4 5", {"A": 1}),
    "a tie later on": ("p A 1 2, p B 3 4, p C 3 4", {"A": 1}),
    "a tie of systems": ("p A 1 2, p B 1 3, p C 4 5", {}),
    "a session without times": ("p A 1 2, p B 3 4, p C - -", {}),
    "words": ("p A morning -, p B evening -", {}),
    "one system": ("p A 1 2, p A 3 4", {}),
    "the same moment in two zones": (
        "p A 2008-03-30T10:00:00+02:00 -, p B 2008-03-30T08:00:00Z -",
        {},
    ),
    "sessions that overlap": ("p A 3.2 60.0, p B 5.1 81.7", {}),
    "nobody": ("- A 1 2, - B 3 4", {}),
    "several searchers": ("p A 1 2, q B 1 2, p B 3 4, q A 5 6, r A 9 -, r B 1 -", {"A": 1, "B": 2}),
    "all with one": ("p A 1 2, p B 3 4, q A 1 2, q B 3 4", {"A": 2}),
    "some whose times don't tell": ("p A 1 2, p B 3 4, q A 1 2, q B 1 2, r C 1 2", {"A": 1}),
}


@pytest.mark.parametrize("what", BEGAN)
def test_order_in_time_is_said_where_times_tell(what: str, tmp_path: Path) -> None:
    told, began = BEGAN[what]
    sessions = [each.split() for each in told.split(", ")]
    rows = [
        (f"s{i}", who.strip("-"), system, "t", q, time if time != "-" else "", 1, "a")
        for i, (who, system, *times) in enumerate(sessions)
        for q, time in enumerate(times, start=1)
    ]
    log = write_rows(tmp_path / "log.csv", HEADER, rows)
    judged = write_rows(tmp_path / "judgments.csv", ("topic", "doc", "grade"), [("t", "a", 1)])
    study = read_study(log, judged)
    seen = design(study, DEFAULT, Filters())
    assert seen.began == began
    several = [
        who
        for who in {each[0] for each in sessions} - {"-"}
        if len({system for other, system, *_ in sessions if other == who}) > 1
    ]
    assert seen.with_several == len(several)
    known, each = sum(began.values()), " and ".join(f"{n} with {s}" for s, n in began.items())
    each = each.replace(" with ", " began with ", 1)
    rest = f"; for {len(several) - known} more the times don't tell" * (len(several) > known)
    said = (
        f"Of {known} searcher{'s' * (known > 1)} who used several systems, {each}{rest}."
        if known
        else ""
    )
    if len(began) == 1 and known == len(several):
        every = f"Each of {known} searchers" if known > 1 else "The searcher"
        said = f"{every} who used several systems began with {next(iter(began))}."
    assert overview_words.began(seen) == said
    known_from = "The order of sessions is known from their times"
    who = f"; of searchers who used several systems, {each}" * (known > 0)
    ordered = [one for one in design_sentences(study) if one.startswith(known_from)]
    assert ordered in ([], [f"{known_from}{who}."])


def test_the_first_session_is_told_in_the_order_of_its_queries(tmp_path: Path) -> None:
    log = (
        "session,topic,query_number,query,rank,doc,mood\ns,t,2,tea pot,1,b,low\ns,t,1,tea,1,a,up\n"
    )
    read = told.made(tmp_path, {"log.csv": log, "j.csv": "topic,doc,grade\nt,a,1\n"})
    assert data_words.about_first(read) == (
        "Session s: 2 queries on topic t, first “tea”, last “tea pot”; its first query has mood up."
    )


def test_session_on_several_topics_is_on_their_combination() -> None:
    both, one = [("t", {1: "a"}), ("u", {1: "a"})], [("t", {1: "a"})]
    sessions = [PlainSession(f"{s}{i}", q, s) for s in "AB" for i, q in enumerate((both, one))]
    shown = crossing(study_of(PlainStudy(sessions, {("t", "a"): 1.0})), DEFAULT, Filters())
    assert shown.seen.crossing.to_dict() == {"t": {"A": 1, "B": 1}, "t; u": {"A": 1, "B": 1}}
    assert designed(shown) == (
        "4 sessions: 2 topics × 2 systems, each combination once. These sessions name no "
        "searchers, so each counts on its own."
    )


def test_an_order_that_is_known_of_some_searchers_is_said_to_be_known_in_part(
    tmp_path: Path,
) -> None:
    rows = [(f"s{i}", who, "AB"[i % 2], "t", 1, i, 1, "a") for i, who in enumerate("ppqq")]
    judged = write_rows(tmp_path / "judgments.csv", ("topic", "doc", "grade"), [("t", "a", 1)])
    for name, whose, known in (("all", "ppqq", "from their times"), ("some", "pp", "only in part")):
        nobody = [(s, who if who in whose else "", *rest) for s, who, *rest in rows]
        study = read_study(write_rows(tmp_path / f"{name}.csv", HEADER, nobody), judged)
        said = [one for one in design_sentences(study) if " known " in one]
        assert [known in one for one in said] == [True], said
        compared = compare_systems(study, DEFAULT, Filters())
        assert order_state(compared) == (IN_PART if name == "some" else KNOWN)


def test_sessions_of_nobody_beside_those_of_searchers_are_said_to_be_some() -> None:
    one = [("t", {1: "a"})]
    sessions = [PlainSession(f"s{i}", one, "A", who) for i, who in enumerate(("p", "q", ""))]
    study = study_of(PlainStudy(sessions, {("t", "a"): 1.0}))
    shown = crossing(study, DEFAULT, Filters())
    said = "Some sessions name no searcher; each of these counts on its own."
    assert designed(shown) == f"3 sessions on 1 topic with 1 system. {said}"
    seen = counted(StudyView(study, DEFAULT, Filters()))
    assert seen.headline.startswith("3 sessions (2 by 2 searchers) on 1 topic with 1 system; ")
