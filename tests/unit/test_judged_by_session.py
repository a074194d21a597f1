"""Sessions that grade one topic differently: each by its own judgments, as by a plain loop."""

from __future__ import annotations

from pathlib import Path

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written
from tests.support.refusals import refused as lines_of_refusal

LOG = (
    "session,searcher,system,topic,query_number,rank,doc\n"
    "s1,p,A,t,1,1,a\ns1,p,A,t,1,2,b\ns1,p,A,t,2,1,a\n"
    "s2,q,A,t,1,1,b\ns2,q,A,t,1,2,c\n"
    "s3,r,A,u,1,1,a\ns3,r,A,u,2,1,d\n"
)
JUDGED = "session,topic,doc,grade\n"
# of t, s1 and s2 grade two documents differently; c was judged in s2 alone
GRADES = "s1,t,a,3\ns1,t,b,1\ns2,t,a,1\ns2,t,b,2\ns2,t,c,1\ns3,u,a,2\ns3,u,d,2\n"
RATED = "searcher,topic,ease\np,t,4\nq,t,2\nr,u,1\n"
PLAIN = Definition(weights="linear", b=float("inf"), bq=float("inf"))


def finals(study: Study) -> dict[str, tuple[float, float]]:
    """Final and final over its ideal, without any discount, of each session."""
    table = scores(study, PLAIN, Filters()).sessions
    names = ["session", "final", "final_normalised"]
    return {name: (total, share) for name, total, share in table[names].to_numpy()}


def refused(folder: Path) -> str:
    """The one refusal of a folder."""
    (line,) = lines_of_refusal(lambda: read_study(folder))
    return line


def test_sessions_that_disagree_are_each_judged_by_themselves(tmp_path: Path) -> None:
    written(tmp_path, log_csv=LOG, judgments_csv=JUDGED + GRADES, ratings_csv=RATED)
    assert refused(tmp_path) == (
        "judgments.csv, line 4: another grade, 1, for 'a' of topic 't' (and 1 more: line 5); a "
        "document has one grade for a topic. Matched by session, none of the 2 conflicts is left: "
        "--set judged_by=session. Keep one of the two, or choose: --set conflicts=first, last or "
        "highest."
    )
    study = read_study(tmp_path, recipe=Recipe(judged_by="session"))
    assert study.topics == ("t/s1", "t/s2", "u/s3")
    # s1 shows 3 + 1 and 3, where each of its queries could have shown 3 + 1 at best
    assert finals(study) == {"s1": (7, 7 / 8), "s2": (2 + 1, 3 / 4), "s3": (4, 4 / 8)}
    assert study.sessions["ease"].tolist() == [4.0, 2.0, 1.0]  # by the log's own topics
    assert str(study.report.problems[0]) == (
        "judgments.csv: judgments by session; grades of one topic disagree, so each session has "
        "judgments and an ideal of its own, on a topic named TOPIC/SESSION. Fine if intended."
    )
    highest = read_study(tmp_path, recipe=Recipe(conflicts="highest"))
    assert finals(highest)["s1"][0] == 3 + 2 + 3
    assert highest.report.left_out == {"conflicting judgments: the highest counts": 2}


def test_what_a_session_says_twice_is_left_and_counted(tmp_path: Path) -> None:
    written(tmp_path, log_csv=LOG, judgments_csv=JUDGED + GRADES + "s2,t,c,2\n")
    assert "Matched by session, 1 of the 3 conflicts is left: --set judged_by=session." in refused(
        tmp_path
    )
    rules = Recipe(judged_by="session", conflicts="highest")
    study = read_study(tmp_path, recipe=rules)
    assert finals(study)["s2"][0] == 2 + 2
    assert study.report.left_out == {"conflicting judgments: the highest counts": 1}


def test_topics_that_hold_the_mark_stay_apart(tmp_path: Path) -> None:
    log, grades = (text.replace(",t,", ",t/1,") for text in (LOG, GRADES))
    written(tmp_path, log_csv=log, judgments_csv=JUDGED + grades)
    study = read_study(tmp_path, recipe=Recipe(judged_by="session"))
    assert study.topics == ("t/1|s1", "t/1|s2", "u|s3")
