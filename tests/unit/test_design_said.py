"""What is said of a study's design, and of which system searchers began with: worked cases."""

import math
import re
from itertools import product
from pathlib import Path

import pytest

from sdcg_explorer.questions.compare_systems.numbers import WITHIN, compare_systems
from sdcg_explorer.questions.data import words as data_words
from sdcg_explorer.questions.data.numbers import first_session_results
from sdcg_explorer.questions.data.words import headline
from sdcg_explorer.questions.overview import answer
from sdcg_explorer.questions.overview import words as overview_words
from sdcg_explorer.questions.overview.figure import draw_discount_example
from sdcg_explorer.questions.overview.numbers import design, example_gains
from sdcg_explorer.questions.view import Answer, StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
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


def test_design_is_said_in_a_sentence() -> None:
    sessions = [(f"p{p}", "ABC"[t], f"t{t}") for p, t in product(range(6), range(3))]
    assert headline(study(*sessions)) == (
        "18 sessions by 6 searchers on 3 topics with 3 systems, within searchers, 1 session per "
        "searcher and topic, 0 to 6 sessions per topic and system, each topic with one system "
        "only; 18 queries."
    )
    square = [(f"p{p}", "AB"[(p + t) % 2], "tu"[t]) for p, t in product(range(4), range(2))]
    assert "2 sessions per topic and system (Latin square); 8" in headline(study(*square))


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
    seen = design(read_study(log, judged), DEFAULT, Filters())
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
    assert overview_words.began_first(seen) == said


def test_the_first_session_is_told_with_what_came_with_its_first_query(tmp_path: Path) -> None:
    log = (
        "session,topic,query_number,query,rank,doc,mood\ns,t,2,tea pot,1,b,low\ns,t,1,tea,1,a,up\n"
    )
    read = told.made(tmp_path, {"log.csv": log, "j.csv": "topic,doc,grade\nt,a,1\n"})
    said = "Session s: 2 queries on topic t; its first query: mood up."
    assert data_words.first_session_text(read) == said


def test_sessions_of_nobody_beside_those_of_searchers_are_said_to_be_some() -> None:
    some = study(*((who, "A", "t") for who in ("p", "q", "")))
    seen = answer(StudyView(some, DEFAULT, Filters()))
    assert seen.headline.startswith(
        "3 sessions by 2 searchers (1 without a searcher) on 1 topic with 1 system; "
    )
    assert seen.more[0].endswith(" Each session that names no searcher counts on its own.")


def test_a_session_on_several_topics_is_on_each_in_whichever_order() -> None:
    both = [("t", {1: "a"}), ("u", {1: "a"})]
    plain = [
        PlainSession(f"s{i}", both[:: 1 if i % 2 else -1], "AB"[i // 2 % 2], f"p{i // 4}")
        for i in range(8)
    ]
    of = study_of(PlainStudy(plain, {("t", "a"): 1.0, ("u", "a"): 1.0}))
    seen = design(of, DEFAULT, Filters())
    assert (seen.met["topic and system"], seen.alone, seen.is_square) == ((4, 4), False, False)
    assert [*seen.crossed()] == ["system", "t; u"]
    pair = compare_systems(of, DEFAULT, Filters()).pairs[0]
    assert (pair.design, pair.n_a, pair.n_b) == (WITHIN, 4, 4)


def test_a_document_twice_in_a_list_counts_once_whether_judged_or_not() -> None:
    def answered(*lists: str) -> Answer:
        queries = [("t", dict(enumerate(docs, start=1))) for docs in lists]
        plain = PlainStudy([PlainSession("s", queries)], {("t", "a"): 1.0, ("t", "b"): 0.0})
        return answer(StudyView(study_of(plain), DEFAULT, Filters()))

    seen = answered("auaub", "xxyua")  # without copies: a, u and b, then x, y, u and a
    again = "Results shown again within a session (top 10), on the same topic: A, "
    assert seen.more[-1] == f"{again}2 of 7."
    grades = "Grades of judgments and of results in the top 10 (each document once per list)"
    assert seen.tables[grades]["shown by A"].tolist() == [1, 2, 4]
    assert answered("auu").more[-1] == answered("aau").more[-1] == f"{again}0 of 2."


# the first screen: what a document found early and late is worth, as the plain formulas say
LABELS = (0.0, 1.0, 2.0, 3.0)


def test_without_discounts_and_without_gain() -> None:
    shown = example_gains(Definition(b=math.inf, bq=math.inf), LABELS)
    assert [gains[-1] for gains in shown.values()] == [100, 100]
    nothing = Definition(weights=tuple((label, 0.0) for label in LABELS))
    drawn = draw_discount_example(example_gains(nothing, LABELS), (2, math.inf), 3, "red")
    assert re.findall(r'data-value="(.*?)"', drawn) == ["0.0"] * 6
    assert '<span data-base="bq">∞</span>: patience with asking again' in drawn
    assert example_gains(Definition(), ())[1][0] == 1  # nobody judged anything


def test_bars_are_as_long_as_their_values_and_say_them() -> None:
    worths = {1: (100.0, 50.0, 50.0), 3: (100.0, 50.0, 1 / 3)}
    drawn = draw_discount_example(worths, (2, 4), 3, "red")
    values = [float(value) for value in re.findall(r'data-value="(.*?)"', drawn)]
    assert values == [100, 50, 50, 100, 50, 1 / 3]
    widths = [float(width) for width in re.findall(r"width: (.*?)%", drawn)]
    assert widths == pytest.approx(values, abs=1e-4)
    assert re.findall(r'worth">(.*?)<', drawn) == ["100", "50", "50", "100", "50", "0.333"]
    assert "after the query discount 0.333" in drawn
    assert '<span data-base="b">2</span>: patience with the list' in drawn


def test_a_first_session_that_found_nothing_is_shown() -> None:
    sessions = [PlainSession("s0", [("t", {})]), PlainSession("s1", [("t", {1: "a"})])]
    shown = first_session_results(study_of(PlainStudy(sessions, {("t", "a"): 1.0})))
    assert shown.to_dict("records") == [{"query_number": 1, "topic": "t", "grade": ""}]
