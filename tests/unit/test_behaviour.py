"""Clicks: tables and lines that hold them, grades from them against a plain loop."""

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.clicks import clicks_sentence, judgments_and_clicks
from sdcg_explorer.questions.columns import WORDS
from sdcg_explorer.questions.compare_systems import command_result as compared
from sdcg_explorer.questions.individual_sessions import shortfall_exhibit
from sdcg_explorer.questions.overview.numbers import overview
from sdcg_explorer.questions.session_curves import answer as session_curves_answer
from sdcg_explorer.questions.side_by_side.numbers import compare_measures
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_parts, read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import DEFAULT, PRESETS, Definition, Filters
from sdcg_explorer.scoring.measures import compared_score, session_score_of
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.behaviour import Behaviour, behaviour_grades
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written
from tests.support.thorough import THOROUGH

SHOP = """queryId;sessionId;terms;items
11;s1;8,9;1,2,3
12;s1;8;4,5
13;s2;9,9,1;
14;s2;7;6,1
"""
BOUGHT = "queryId;at;itemId\n11;5;2\n14;9;1\n14;9;99\n" + "14;10;1\n" * 8
QRELS = "topic,doc,grade\nt,1,2\nt,2,1\nt,9,1\nt,a,1\nt,hit b,1\n"
ONE_TOPIC = Recipe().with_texts(["mapping=judgments.csv:topic=", "topics_by=one"])


def of(folder: Path, recipe: Recipe = ONE_TOPIC, **files: str) -> Study:
    written(folder, judgments_csv=QRELS, **files)
    return read_study(folder, recipe=recipe)


def rows(study: Study) -> list[str]:
    """Session, query number, document, and a star where it was clicked."""
    table = study.results[["session", "query_number", "doc"]].astype("str").agg(" ".join, axis=1)
    stars = study.results["clicked"].map({True: "*", False: ""}).fillna("")
    return [f"{row}{star}" for row, star in zip(table, stars, strict=True)]


def test_a_table_of_clicks_marks_the_results_of_its_queries(tmp_path: Path) -> None:
    study = of(tmp_path, shop_csv=SHOP, shop_clicks_csv=BOUGHT)
    assert rows(study) == [
        "s1 1 1", "s1 1 2*", "s1 1 3", "s1 2 4", "s1 2 5", "s2 2 6", "s2 2 1*",
    ]  # fmt: skip
    left_out = [(change.rule, change.lines.tolist()) for change in study.report.changes]
    assert ("a click on a document that no list shows", [4]) in left_out


def test_a_table_that_meets_no_list_is_not_taken_for_clicks(tmp_path: Path) -> None:
    other = "queryId;at;itemId\n11;5;70\n14;9;71\n"
    with pytest.raises(UnusableInputError, match=r"--set kinds=shop_clicks\.csv=other"):
        of(tmp_path, shop_csv=SHOP, shop_clicks_csv=other)
    study = of(tmp_path, ONE_TOPIC.with_texts(["kinds=shop_clicks.csv=other"]), shop_csv=SHOP)
    assert study.results["clicked"].isna().all()


SHOWN = "id,session,topic,query_number,rank,doc\n" + "".join(
    f"{i},{row}\n"
    for i, row in enumerate(
        ("s1,t,1,1,1", "s1,t,1,2,2", "s1,t,2,1,3", "s2,t,1,1,1", "s2,t,1,2,3"), 1
    )
)
# clicks whose id is their own searcher's, or the result's that was clicked, twice
IDS = {
    "another key beside": ("id,result_id\n1,2\n1,3\n2,4\n", ["2", "3", "1"]),
    "sessions and queries": ("id,session,query_number,doc\n1,s1,1,2\n1,s1,2,3\n2,s2,1,1\n", "231"),
    "sessions": ("id,session,doc\n1,s1,2\n1,s1,3\n2,s2,1\n", "231"),
    "its own": ("id,doc\n2,2\n2,2\n4,1\n", "21"),
}


@pytest.mark.parametrize("case", IDS)
def test_an_id_that_means_another_thing_in_clicks_joins_none(case: str, tmp_path: Path) -> None:
    study = of(tmp_path, Recipe(), results_csv=SHOWN, clicks_csv=IDS[case][0])
    assert study.results[study.results["clicked"]]["doc"].tolist() == [*IDS[case][1]]


def test_a_table_of_queries_whose_ids_join_others_is_not_joined(tmp_path: Path) -> None:
    results = "id,session,query_number,topic,rank,doc\n1,s,1,t,1,a\n2,s,1,t,2,9\n1,s,2,t,1,9\n"
    queries = "id,topic,text\n1,t,tea\n2,u,milk\n"
    study = of(tmp_path, Recipe(), results_csv=results, queries_csv=queries)
    assert study.queries["text"].tolist() == ["", ""]
    assert any(p.found == "ignored" for p in study.report.problems)


LINES = "0\t0\tQ\t7\t1\t10\t11\n0\t5\tC\t11\n0\t9\tQ\t7\t1\t12\t13\n1\t0\tQ\t7\t2\t10\t11\n"


def test_lines_of_queries_and_clicks_are_judged_by_query_and_region(tmp_path: Path) -> None:
    written(tmp_path, clicks_txt=LINES, labels_txt="7\t1\t10\t1\n7\t2\t10\t0\n7\t1\t12\t0\n")
    study = read_study(tmp_path)
    assert rows(study) == ["0 1 10", "0 1 11*", "0 2 12", "0 2 13", "1 1 10", "1 1 11"]
    assert study.queries["topic"].tolist() == ["7/1", "7/1", "7/2"]
    assert study.judgments["topic"].tolist() == ["7/1", "7/2", "7/1"]


VECTORS = """session,query_number,vector,clicked_hash,product_hash
s1,1,"[0.5, -1.0]",['b'],"['a', 'b']"
s1,2,"[0.1, 2.0]",,['c']
s2,1,"[0.1, 2.0]",,
"""


def test_documents_are_the_lists_that_hold_the_clicked_ones(tmp_path: Path) -> None:
    assert rows(of(tmp_path, log_csv=VECTORS)) == ["s1 1 a", "s1 1 b*", "s1 2 c"]


OUT_OF_ORDER = """session_hash,sent_epoch_ms,hits
s1,1550000100000,"['a', 'b']"
s1,1550000050000,['c']
s2,1550000200000,
"""


def test_rows_of_lists_are_queries_in_the_order_of_their_times(tmp_path: Path) -> None:
    assert rows(of(tmp_path / "a", log_csv=OUT_OF_ORDER)) == ["s1 2 a", "s1 2 b", "s1 1 c"]
    either = OUT_OF_ORDER.replace("_ms,hits", "_ms,seen_date,hits").replace(
        "00,", "00,2026-05-01 10:00:00,"
    )
    written(tmp_path / "b", log_csv=either.replace("00:00,['c']", "00:01,['c']"))
    _, (log,) = read_parts([tmp_path / "b" / "log.csv"])
    assert log.kind == "other"  # of two orders none is taken by the columns alone


CLICKS = PRESETS["behaviour"]
HEADER = "session,system,query_number,rank,doc,clicked,dwell,saved,time,topic\n"
Row = tuple[str, int, int, str, bool, float, bool, float]


def plain_grades(rows: list[Row], how: Definition) -> dict[tuple[str, int, int], float]:
    """Grade of each place (session, query, rank), result by result; none where nobody saw it."""
    found: dict[tuple[str, int, int], float] = {}
    opened = [row for row in rows if row[4] or row[6]]
    in_order = sorted(opened, key=lambda r: (-1 if math.isnan(r[7]) else r[7], r[1:3]))
    last = {row[0]: row for row in in_order}
    lists: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        lists.setdefault(row[:2], []).append(row)
    for session, query, rank, doc, clicked, dwell, saved, _ in rows:
        own = lists[session, query]
        if not any((r[4] or r[6]) and r[2] >= rank for r in own):
            continue
        grade = 0
        if clicked or saved:
            is_last = last[session][:3] == (session, query, rank)
            read = dwell >= how.read_seconds or (how.last_click == "satisfies" and is_last)
            grade = 3 if saved else 2 if read else 1
        for other in own:  # a document twice in a list has the better grade at both
            if other[3] == doc:
                place = (session, query, other[2])
                found[place] = max(found.get(place, 0), grade)
    return found


def plain_final(rows: list[Row], how: Definition) -> dict[str, tuple[float, float]]:
    """Final gain of each session, and its share of the best lists of its own documents."""
    grades, found = plain_grades(rows, how), {}
    for session in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == session]
        best: dict[str, float] = {}
        for _, query, rank, doc, *_ in own:
            best[doc] = max(best.get(doc, 0), grades.get((session, query, rank), 0))
        ideal = sorted(best.values(), reverse=True)[: how.top]
        total = whole = 0.0
        lists: dict[int, list[Row]] = {}
        for row in own:
            lists.setdefault(row[1], []).append(row)
        for query in range(1, max(lists) + 1):
            factor = 1 / (1 + math.log(query, how.bq))
            seen = set()
            for _, _, rank, doc, *_ in sorted(lists.get(query, [])):
                if rank <= how.top and doc not in seen:
                    grade = grades.get((session, query, rank), 0)
                    total += factor * grade / (1 + math.log(rank, how.b))
                seen.add(doc)
            whole += factor * sum(g / (1 + math.log(r, how.b)) for r, g in enumerate(ideal, 1))
        found[session] = total, total / whole if whole else math.nan
    return found


def random_rows(chance: random.Random) -> list[Row]:
    """Sessions with gaps, documents again and twice in a list, and queries without a click."""
    timed, rows = chance.random() < 0.5, list[Row]()
    for session in range(chance.randint(1, 5)):
        clock = chance.randint(0, 9)
        for query in range(1, chance.randint(1, 4) + 1):
            for rank in sorted(chance.sample(range(1, 13), chance.randint(1, 6))):
                clicked, clock = chance.random() < 0.4, clock + chance.randint(1, 40)
                dwell = float(chance.randint(1, 60)) if clicked and not timed else math.nan
                at, saved = float(clock) if timed else math.nan, chance.random() < 0.1
                doc = chance.choice("abcdefgh")
                rows.append((f"s{session}", query, rank, doc, clicked, dwell, saved, at))
    return rows


def put(folder: Path, rows: list[Row]) -> Study:
    lines = [
        f"{s},A,{q},{r},{d},{int(c)},{'' if w != w else w},{int(v)},{'' if t != t else t},1\n"
        for s, q, r, d, c, w, v, t in rows
    ]
    (folder / "log.csv").write_text(HEADER + "".join(lines), encoding="utf-8")
    return read_study(folder / "log.csv")


def with_time_to_next(rows: list[Row]) -> list[Row]:
    """Rows whose clicks last until the session's next click or query, where times are logged."""
    made, asked = list[Row](), dict[tuple[str, int], float]()
    for row in rows:
        asked[row[:2]] = min(asked.get(row[:2], math.inf), row[7])
    for row in rows:
        if math.isnan(row[7]) or not (row[4] or row[6]):
            made.append(row)
            continue
        clicks = [r[7] for r in rows if r[0] == row[0] and (r[4] or r[6])]
        queries = [time for (session, _), time in asked.items() if session == row[0]]
        later = [time for time in (*clicks, *queries) if time > row[7]]
        made.append((*row[:5], min(later) - row[7] if later else math.nan, *row[6:]))
    return made


@pytest.mark.parametrize("seed", range(12 * THOROUGH))
def test_gains_from_clicks_equal_a_plain_loop(seed: int, tmp_path: Path) -> None:
    rows = random_rows(random.Random(seed))
    if not any(row[4] or row[6] for row in rows):
        rows[0] = (*rows[0][:4], True, *rows[0][5:])
    study, looked = put(tmp_path, rows), with_time_to_next(rows)
    for how in (CLICKS, replace(CLICKS, b=3.0, bq=1.5, last_click="as-read", read_seconds=12)):
        chosen, plain = select(study, how, Filters()), plain_final(looked, how)
        names = study.sessions["session"].astype(str)
        for score, place in (("final", 0), ("final_normalised", 1)):
            wanted = [plain[name][place] for name in names]
            own = session_score_of(score, chosen)
            np.testing.assert_allclose(own, wanted, rtol=1e-9, atol=1e-12)


GRADED = "topic,session,query_number,rank,doc,grade\nt,s1,1,1,a,1\n"
LOG = """session,system,searcher,query_number,query,rank,doc,clicked
s1,A,p1,1,foot,1,a,1
s1,A,p1,1,foot,2,b,0
s1,A,p1,2,ulcer,1,c,0
s2,B,p2,1,foot,1,a,0
s2,B,p2,1,foot,2,b,0
"""


def test_a_log_that_nobody_judged_opens_with_its_clicks(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(LOG, encoding="utf-8")
    study = read_study(tmp_path / "log.csv")
    view = StudyView(study, CLICKS, Filters())
    assert session_score_of("final", select(*view)).tolist() == [2.0, 0.0]
    assert advice(*view)[-1] == (
        "80% of the results in the top 10 are below the lowest click of their list, or in a list "
        "without a click (2 lists): nobody knows whether they were seen, and they gain 0. Systems "
        "without a clicked result, whose sessions gain nothing: B."
    )
    (tmp_path / "empty.csv").write_text(f"{LOG}s2,B,p2,2,foot,,,\n", encoding="utf-8")
    with_empty = StudyView(read_study(tmp_path / "empty.csv"), CLICKS, Filters())
    assert advice(*with_empty)[-1] == advice(*view)[-1]  # no results are no list without a click
    (tmp_path / "full.csv").write_text(LOG.replace(",0\n", ",1\n"), encoding="utf-8")
    full = StudyView(read_study(tmp_path / "full.csv"), CLICKS, Filters())
    assert not [each for each in advice(*full) if "seen" in each]  # all are
    usual = compared_score("final_normalised", CLICKS), compared_score("mean_ndcg", DEFAULT)
    assert usual == ("final", "mean_ndcg")  # shares of clicks compare no systems
    with pytest.raises(
        ValueError, match="with gains from clicks, shares of the ideal can't compare"
    ):
        compared_score("mean_ndcg", CLICKS)
    shown = session_curves_answer(view)
    assert "ideal" not in shown.headline
    assert [*shown.exhibits] == ["session_curves", "stopping"]
    assert view.study.digest == study.digest
    assert view.study.graded_by(None) is study
    with pytest.raises(UnusableInputError, match="take gains from clicks: --preset behaviour"):
        select(study, DEFAULT, Filters())


@pytest.mark.parametrize(
    ("log", "how", "said"),
    [
        (LOG.replace(",1\n", ",\n").replace(",0\n", ",\n"), CLICKS, "no judgments"),
        (LOG, replace(CLICKS, ideal="spread"), "ideal spread"),
        (GRADED, CLICKS, "no click is logged"),
        (LOG, DEFAULT, "no judgments; this definition takes gains from judgments"),
    ],
)
def test_what_clicks_can_not_say_is_refused(
    log: str, how: Definition, said: str, tmp_path: Path
) -> None:
    (tmp_path / "log.csv").write_text(log, encoding="utf-8")
    with pytest.raises(UnusableInputError, match=said):
        select(read_study(tmp_path / "log.csv"), how, Filters())


def test_what_nobody_saw_leaves_nothing_open_of_a_comparison(tmp_path: Path) -> None:
    log = "session,system,topic,query_number,rank,doc,clicked\n" + "".join(
        f"s{i},{'AB'[i % 2]},t,1,{rank},d{rank + i % 3},{int(rank == 1 + i % 3)}\n"
        for i in range(6)
        for rank in (1, 2, 3, 4)
    )
    study = read_study(*written(tmp_path, log_csv=log).values())
    made = compared(StudyView(study, PRESETS["behaviour"], Filters()), with_residuals=True)
    assert "Gains don't come from judgments, so unjudged results have no range." in made.sentence


def test_a_log_in_which_nothing_was_clicked_has_no_gains_from_clicks(tmp_path: Path) -> None:
    none = LOG.replace(",1\n", ",0\n")
    study = of(tmp_path, log_csv=none)
    assert judgments_and_clicks(study, DEFAULT, Filters()) is None
    with pytest.raises(UnusableInputError, match="no click is logged"):
        select(study, CLICKS, Filters())
    with pytest.raises(UnusableInputError, match="no judgments"):
        read_study(tmp_path / "log.csv")


def test_clicks_stand_beside_judgments_also_under_searchers_own_grades(tmp_path: Path) -> None:
    # documents in order, those clicked with their searcher's grade, by which A would be first
    lists = {"s1": "9*5 1 2", "s2": "2*0 9", "s3": "1 2*5 9", "s4": "9 1 2"}
    log = "session,system,topic,query_number,rank,doc,clicked,grade\n"
    for system, (name, cells) in zip("ABAB", lists.items(), strict=True):
        for rank, cell in enumerate(cells.split(), 1):
            doc, clicked, grade = cell.partition("*")
            log += f"{name},{system},t,1,{rank},{doc},{len(clicked)},{grade}\n"
    files = written(tmp_path, log_csv=log, judgments_csv="topic,doc,grade\nt,9,1\nt,2,2\nt,1,0\n")
    own = Definition(weights="linear", grades="searcher")
    study = read_study(*files.values())
    both = judgments_and_clicks(own.graded(study), own, Filters())
    seen, view = overview(study, own, Filters()), StudyView(study, own, Filters())
    assert seen.grades.filter(like="shown").to_numpy().T.tolist() == [
        [0, 0, 0, 2, 4],  # of grades 0, 1, 2, 5, and of none
        [1, 0, 0, 0, 4],
    ]
    assert "73% of the results in the top 10 are unjudged; on judged topics they gain 0." in advice(
        *view
    )
    assert shortfall_exhibit(view).said.endswith(
        "The median session misses 1.5 of the relevant documents; 0 of 4 sessions found all. "
        "Here a document is relevant if any searcher's grade says so, and a session misses it "
        "unless its own grades do."
    )
    by_clicks = compare_measures(
        study, CLICKS, Filters(), entries=[("final", ""), ("final", "linear")]
    )
    assert by_clicks.table["order"].tolist() == ["A > B", "A > B"]  # B > A by judgments
    assert both is not None
    # by judgments 1 + 2d and 1 + d with A, 2 + 1/2 and 1 + 2d with B, d being 1/(1 + log_2 3)
    assert both.table["judgments"].tolist() == pytest.approx([1.580279, 2.136853], abs=1e-6)
    assert WORDS["rank_correlation"] == "Spearman's ρ"  # here not of cost
    assert clicks_sentence(both) == (
        "Rank correlation of gains from clicks and from judgments in 4 sessions (1 without a gain "
        "from clicks): .50. First by mean gain: B by judgments, A by clicks. Top-ranked results "
        "get more clicks, and a result that nobody saw can't gain anything."
    )


OF_QUERIES = "session,query_number,time,query,rank,doc{}\n" + "".join(
    f"s1,{query},{f'{text},{rank},{doc}'}{{{doc}}}\n"
    for query, text, docs in (("1,0", "tea", ("d1", "d2")), ("2,95", "tee", ("d3", "d4")))
    for rank, doc in enumerate(docs, 1)
)
TIMES = {"d1": ",110", "d2": ",12", "d3": ",100", "d4": ","}  # d1 is clicked last, again
CLICK_FORMS = {
    "events": {
        "log_csv": "session,time,event,query,doc\ns1,0,search,tea,\ns1,1,result,,d1\n"
        "s1,1,result,,d2\ns1,12,click,,d2\ns1,95,search,tee,\ns1,96,result,,d3\n"
        "s1,96,result,,d4\ns1,100,click,,d3\ns1,110,click,,d1\ns1,115,click,,d1\n"
    },
    "a table of clicks": {
        "log_csv": OF_QUERIES.format("", **dict.fromkeys(TIMES, "")),
        "clicks_csv": "session,query_number,doc,time\n"
        "s1,1,d1,115\ns1,1,d2,12\ns1,2,d3,100\ns1,1,d1,110\n",
    },
    "a column": {"log_csv": OF_QUERIES.format(",click_time", **TIMES)},
}


@pytest.mark.parametrize("form", CLICK_FORMS)
def test_the_time_from_a_click_to_the_next_event_is_its_reading_time(
    form: str, tmp_path: Path
) -> None:
    study = read_study([*written(tmp_path, **CLICK_FORMS[form]).values()])
    assert study.queries["time"].tolist() == ["0", "95"]
    opened = dict(zip(study.results["doc"], study.results["opened_at"], strict=True))
    assert opened == pytest.approx({"d1": 110, "d2": 12, "d3": 100, "d4": math.nan}, nan_ok=True)
    grades = behaviour_grades(study.queries, study.results, Behaviour())
    np.testing.assert_array_equal(grades, [2, 2, 1, np.nan])  # d1: the last; d2: 83 s; d3: 10 s


def test_a_table_of_what_was_saved_marks_results_and_what_the_log_says_itself_stays(
    tmp_path: Path,
) -> None:
    log = "session,topic,query_number,rank,doc,clicked\ns,t,1,1,a,1\ns,t,1,2,b,0\n"
    rows, judged = "session,query_number,doc\ns,1,b\n", "topic,doc,grade\nt,a,1\n"
    files = {"log_csv": log, "saved_csv": rows, "clicks_csv": rows, "judgments_csv": judged}
    study = read_study([*written(tmp_path, **files).values()])
    assert study.results["saved"].tolist() == [0, 1]
    assert study.results["clicked"].tolist() == [1, 0]
    told = {each.file: (each.role, each.reason) for each in study.report.files}
    assert told["clicks.csv"] == (
        "set aside",
        "it is called as marks are, and the log says itself which results were clicked",
    )


def test_click_times_are_used_and_those_that_cant_be_read_are_counted(tmp_path: Path) -> None:
    times = {"d1": ",2026-04-16 10:00:20", "d2": ",noon", "d3": ",N/A", "d4": ","}
    log = OF_QUERIES.format(",clickTime", **times)
    study = read_study(*written(tmp_path, log_csv=log).values())
    assert study.results["clicked"].tolist() == [True, True, False, False]
    assert study.report.left_out == {}
    assert [str(p) for p in study.report.problems if p.severity == "note"] == [
        "log.csv: 1 click time that can't be read ('noon'); its result counts as clicked, at an "
        "unknown time. Correct the cells."
    ]


@pytest.mark.parametrize("unjudged", ["zero", "condense"])
def test_a_blank_cell_is_no_click_and_a_list_may_end_at_its_first_place(
    unjudged: str, tmp_path: Path
) -> None:
    log = "session,query_number,topic,rank,doc,clicked\ns,1,t,1,a,1\ns,1,t,2,b,\ns,1,t,3,c,\n"
    judged = "topic,doc,grade\nt,a,1\nt,b,0\nt,c,1\n"
    study = read_study(*written(tmp_path, log_csv=log, judgments_csv=judged).values())
    found = scores(study, Definition(short_lists="observed", unjudged=unjudged), Filters())
    assert found.sessions["final_normalised"].tolist() == [1.0]  # one place, and all of it
    assert found.queries["ideal_sdcg"].tolist() == found.queries["sdcg"].tolist()
