"""What a comparison of systems says: small and odd studies, worked by hand, in whole sentences."""

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sdcg_explorer.questions.compare_systems import methods_of, words
from sdcg_explorer.questions.compare_systems.numbers import Comparison, by_topic, compare_systems
from sdcg_explorer.questions.overview.numbers import has_order
from sdcg_explorer.questions.paper import paper
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scored_sessions import share_no_topic
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.study import Study
from tests.support import tables
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.plain_statistics import as_study, of, rows_of

LINEAR = Definition(weights="linear")
BARE = "A mean has no interval if there are too few data or too little variation."
ONE_TOPIC = "The answer holds for these topics only; 1 of 1 were searched with both systems."
ALONE = "Only one searcher has scored sessions with {}; the difference may be due to that one."
BY_T = "The interval is by t (df = {}); p is from a t test. "
SIZE = "Effect size (B − A): Hedges' g = {}. "
WINS = (
    "With topic effects removed, a session with B scores higher than one with A in {}% of pairs{}, "
    "counting ties as half."
)
FOR_ONE = WINS[:-1].format("{}", " of the same searcher") + "{}."
UNTESTED = "The difference B − A is {} sDCG, without an interval or a test."
NO_CLEAR = "A and B don't differ clearly: B − A = "
NO_INTERVAL = "There is no interval: too few {}s, or too little variation."
ALIKE = NO_INTERVAL.format("searcher")
# score, system, searcher (- for none), topic of each session: answer, details, advice on its own
CLEAR = "1 A p* t × 7, 4 B p0 t, 5 B p1 t, 4 B p2 t, 5 B p3 t, 4 B p4 t, 5 B p5 t, 4 B p6 t"
PAIRED = "1 A - t, 3 B - t, 2 A - u, 5 B - u, 1 A - v, 2 B - v, 3 A - w, 6 B - w, 9 A - x"
SAID: dict[str, tuple[str, list[str], list[str]]] = {
    "1 A p t, 2 B p t, 1 A q t, 4 B q t, 9 A - t, 8 B - t": (
        f"{NO_CLEAR}1.91 sDCG (95% interval −7.56 to 11.4, p = .278).",
        [
            "Mixed design: 2 searchers used both systems here, 2 only one. Sessions without "
            f"a named searcher (2) each count as a searcher. {ONE_TOPIC}",
            BY_T.format(1.13) + SIZE.format(0.275) + FOR_ONE.format(100, ""),
        ],
        [],
    ),
    "1 A p t, 2 B p t, 6 C p t, 0 A q t, 3 B q t, 5 C q t, 2 A r t, 2 B r t, 8 C r t": (
        "C is ahead of A by 5.33 sDCG (95% interval 3.90 to 6.77, p = .012 after Holm); A and B "
        "don't differ clearly; B and C don't differ clearly.",
        [
            f"{NO_CLEAR}1.33 sDCG (95% interval −2.46 to 5.13, p = .270 after Holm).",
            f"Within-searcher comparison: 3 searchers used both systems. {ONE_TOPIC}",
            BY_T.format(2) + FOR_ONE.format(83, " (95% interval 3 to 100%)"),
        ],
        [],
    ),
    # differences of searchers 3, 4, 3, 4, 3, 4, 3: 24/7 ± 2.447 × √(2/7 / 7)
    CLEAR: (
        "B is ahead of A by 3.43 sDCG (95% interval 2.93 to 3.92, p = .016).",
        [
            f"Within-searcher comparison: 7 searchers used both systems. {ONE_TOPIC}",
            "The interval is by t (df = 6); p is from a permutation test (127 arrangements). "
            + SIZE.format(7.63)
            + FOR_ONE.format(100, ""),
        ],
        [BARE],
    ),
    # differences 2, 3, 1, 3: 2.25 ± 3.182 × √(11/12 / 4)
    PAIRED: (
        "B is ahead of A by 2.25 sDCG (95% interval 0.727 to 3.77, p = .018).",
        [
            "Paired by topic: 4 topics with both systems (sessions per topic: 1 with A, 1 with B); "
            "here, no searcher used both. The topics are the sample: the result speaks for topics "
            "like these. Left out: 1 session on topics of only one system.",
            BY_T.format(3) + SIZE.format(0.871) + WINS.format(100, " of the same topic"),
        ],
        [BARE],
    ),
    "1 A p t, 3 B p t × 2": (
        UNTESTED.format("2.00"),
        [
            f"Within-searcher comparison: 1 searcher used both systems. {ONE_TOPIC}",
            WINS.format(100, ""),
        ],
        [ALONE.format("A"), ALONE.format("B"), ALIKE, BARE],
    ),
}
THIRD = "8 C p0 t, 9 C p1 t, 8 C p2 t, 9 C p3 t, 8 C p4 t, 9 C p5 t, 8 C p6 t"
ODD = {  # answer, and advice of its own
    "1/10 A p* t × 2, 1/10 B r* t × 1, 1/10 A u* u × 3, 1/10 B v* u × 4": (
        *(f"{NO_CLEAR}0 sDCG (no interval, p = 1).", ALIKE, BARE),
    ),
    "1 A p t × 2, 4 B q t × 3": (
        UNTESTED.format("3.00"),
        *(ALONE.format("A"), ALONE.format("B"), ALIKE, BARE),
    ),
    "1 A p t, 2 B p u, 3 A q u, 7 B q t, 2 A r t, 9 B r u": (
        *(f"{NO_CLEAR}4.00 sDCG (no interval, p = .500).", ALIKE, BARE),
    ),
    "1 A p t, 2 B p t, 4 A q t, 5 B q t": (
        *(f"{NO_CLEAR}1.00 sDCG (no interval, p = .500).", ALIKE),
    ),
    CLEAR.translate(str.maketrans("AB", "ZA")): (
        *("A is ahead of Z by 3.43 sDCG (95% interval 2.93 to 3.92, p = .016).", BARE),
    ),
    f"{CLEAR}, 1 C p* t × 7": (
        "B is ahead of A by 3.43 sDCG (p = .047 after Holm); B is ahead of C by 3.43 sDCG "
        "(p = .047 after Holm); A and C don't differ clearly.",
        BARE,
    ),
    f"{CLEAR}, {THIRD}": (
        "B is ahead of A by 3.43 sDCG (p = .047 after Holm); C is ahead of A by 7.43 sDCG "
        "(p = .047 after Holm); C is ahead of B by 4.00 sDCG (p = .047 after Holm).",
        BARE,
    ),
}


@cache
def read(told: str) -> Study:
    """Sessions of one query whose gain at the first rank is their score."""
    return study_of(as_study(rows_of(*told.split(", "))))


@cache
def compared(told: str, *, score: str = "final", filters: Filters | None = None) -> Comparison:
    return compare_systems(read(told), LINEAR, filters or Filters(), score=score)


@pytest.mark.parametrize("told", [*SAID, *ODD])
def test_answer_details_and_advice_in_full(told: str) -> None:
    shown = compared(told)
    if told in SAID:
        answer, details, advice = SAID[told]
        assert words.pair_details(shown) == details
    else:
        answer, *advice = ODD[told]
    assert words.headline(shown) == answer
    either = [words.EITHER_MAY_LEAD] * any(pair.low < 0 < pair.high for pair in shown.pairs)
    assert words.cautions(shown) == [*advice, words.GROWS, *either, words.FURTHER_VIEW]


def test_where_nothing_swaps_there_is_no_test_over_all_systems() -> None:
    assert words.figure_notes(compared("1 A p t, 2 B q u, 3 C r v, 4 C s v")) == (
        "There is no test over all 3 systems: the design leaves nothing to swap, or there are more "
        "than 100 systems."
    )
    apart = compared(
        "1 A p t, 2 B p u, 3 C p v, 2 A q t, 4 B q u, 1 C q v, 3 A r t, 1 B r u, 2 C r v"
    )
    assert (apart.omnibus[1], words.figure_notes(apart)) == (6**3 - 1, "")


WITHIN = "2 A p t, 4 B p t, 1 A q t, 5 B q t, 3 A r u, 4 B r u, 0 A s u, 5 B s u"


def test_topics_like_these_are_answered_by_the_crossed_model() -> None:
    view = read(WITHIN), LINEAR, Filters()
    shown = compare_systems(*view, score="final", topics_are="sample")
    (pair,) = shown.pairs
    crossed = of(shown.scored)
    ends = crossed.value, *crossed.interval(), crossed.p
    assert (pair.difference, pair.low, pair.high, pair.p) == ends
    fixed = pair.p_permutation, pair.hedges_g, pair.superiority_low
    assert all(map(math.isnan, fixed))  # these speak for the study's own topics
    with pytest.raises(ValueError, match="adjusted for only where topics are fixed"):
        compare_systems(*view, topics_are="sample", with_order=True)
    assert "topics and searchers like these (2 and 4); " in words.pair_details(shown)[0]
    assert words.FURTHER_VIEW in words.cautions(shown)
    assert "crossed mixed model" in words.method(shown)[0]
    refused = compare_systems(
        read("2 A p t, 2 A q t, 2 B p t, 2 B q t"),
        LINEAR,
        Filters(),
        score="final",
        topics_are="sample",
    )
    assert words.headline(refused) == (
        "A and B can't be compared: a single topic says nothing about others."
    )
    assert words.cautions(refused)[0].startswith("Show other systems or topics, or add sessions of")
    with pytest.raises(ValueError, match="they can be fixed or sample"):
        compare_systems(*view, topics_are="drawn")


def ordered(folder: Path, first_a: int, *, timed: bool = True) -> Study:
    """Ten searchers with A and B, some with A first; B is worth 1 more, a later session 2 more."""
    log, judged = ["session,system,searcher,topic,query_number,rank,doc,time"], ["topic,doc,grade"]
    for i in range(10):
        for place, system in enumerate("AB" if i < first_a else "BA"):
            name, grade = f"s{i}{system}", 5 + i % 2 + 2 * place + (system == "B")
            time = f"2026-01-{1 + place:02}T10:00:00" if timed else ""
            log.append(f"{name},{system},p{i},t,1,1,of {name},{time}")
            judged.append(f"t,of {name},{grade}")
    return tables.read(folder, log_csv="\n".join(log), judgments_csv="\n".join(judged))


def test_order_of_sessions_is_said_and_taken_off(tmp_path: Path) -> None:
    view = ordered(tmp_path, 7), LINEAR, Filters()
    plain = compare_systems(*view, score="final")
    # 3 for seven of the ten, −1 for the others
    assert plain.pairs[0].difference == pytest.approx(1.8)
    assert (
        "Mean place among a searcher's sessions: 1.30 with A, 1.70 with B; if these differ, "
        "practice or fatigue may explain part of the difference." in words.cautions(plain)
    )
    taken = compare_systems(*view, score="final", with_order=True)
    assert taken.pairs[0].difference == pytest.approx(1.0)
    assert words.FURTHER_VIEW in words.cautions(taken)
    assert "place among those of its searcher was a covariate" in words.method(taken)[0]
    assert has_order(*view)
    always_first = compare_systems(*(ordered(tmp_path, 10), *view[1:]), with_order=True)
    assert words.headline(always_first) == (
        "A and B can't be compared: they were not used on the same topics, or all searchers used "
        "them in the same order."
    )
    assert words.cautions(always_first)[0] == "Leave out the adjustment for session order."


def test_an_unknown_order_is_refused(tmp_path: Path) -> None:
    view = ordered(tmp_path, 5, timed=False), LINEAR, Filters()
    assert "Mean place" not in " ".join(words.cautions(compare_systems(*view)))
    assert not has_order(*view)
    with pytest.raises(ValueError, match="the order of searchers' sessions is not known"):
        compare_systems(*view, with_order=True)


def test_pairs_that_cant_be_compared_are_not_called_alike() -> None:
    told = "1 A p t, 2 B p t, 3 A q t, 2 B q t, 2 A r t, 4 B r t, 2 C s u, 3 C v u, 9 D w x"
    assert words.headline(compared(told)).startswith(
        "No compared pair of systems differs clearly; largest difference: B − A"
    )
    of_first_topic = select(read("1 A p t, 2 B p t, 3 A q u, 2 B q v"), LINEAR, Filters())
    assert not share_no_topic(of_first_topic)


NEVER = "1 A p t, 2 B p u"


def test_where_nothing_is_compared_nobody_reads_of_a_test() -> None:
    assert methods_of(compared(NEVER)) == []
    made = paper(StudyView(read(NEVER), LINEAR, Filters()))
    assert "Hedges" not in made.tables["results"].caption


def test_a_reported_measure_names_its_unit_once() -> None:
    told = "1 A p t, 2 B p t, 3 A q t, 2 B q t, 2 A r t, 5 B r t"
    assert " on sDCG at the end, t(2) = " in words.apa_report(compared(told), 0)
    assert compared(told, score="union_recall").unit == "recall"


def test_no_place_is_taken_off_where_topics_are_the_units() -> None:
    told = ", ".join(f"{t % 5} A a t{t}, {t % 3 + 2} B b t{t}" for t in range(9))
    known = read(told)
    known = replace(known, sessions=known.sessions.assign(session_position=range(18)))
    shown, taken = (compare_systems(known, LINEAR, Filters(), with_order=w) for w in (False, True))
    assert "Paired by topic: " in words.pair_details(taken)[0]
    assert words.apa_report(shown, 0) == words.apa_report(taken, 0) != ""
    assert words.method(shown) == words.method(taken)


def test_sessions_on_several_topics_are_on_combinations_by_which_they_are_counted() -> None:
    asked = "A ut 1, B tu 2, A w 1, B w 3, A v 3, B vv 2, B vt 2"  # topics of queries; their grade
    sessions = [
        PlainSession(f"s{i}", [(topic, {1: f"of-{grade}"}) for topic in topics], system)
        for i, (system, topics, grade) in enumerate(map(str.split, asked.split(", ")))
    ]
    judged = {(topic, f"of-{grade}"): float(grade) for topic in "tuvw" for grade in (1, 2, 3)}
    view = LINEAR, Filters()
    shown = compare_systems(study_of(PlainStudy(sessions, judged)), *view, score="mean_dcg")
    assert words.pair_details(shown)[0] == (
        "Paired by topic combination: 3 topic combinations with both systems (sessions per topic "
        "combination: 1 with A, 1 with B); here, no searcher used both. The topic combinations are "
        "the sample: the result speaks for topic combinations like these. Left out: 1 session on "
        "topic combinations of only one system."
    )
    assert words.by_topic_sentence(shown.pairs[0], by_topic(shown, 0)) == (
        "Against A, B won 2 of 3 topic combinations, lost 1 and tied 0."
    )
    means = shown.by_topic[["topic", "system", "mean"]].to_numpy().tolist()
    assert means[:3] == [["t; u", "A", 1.0], ["t; u", "B", 2.0], ["t; v", "B", 2.0]]
    same = "A and B can't be compared: they were not used on the same"
    assert words.headline(compared(NEVER)) == f"{same} topics."
    apart = compare_systems(study_of(PlainStudy([sessions[0], sessions[3]], judged)), *view)
    assert words.headline(apart) == f"{same} topic combinations."
