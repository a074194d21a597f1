"""What else is known of sessions and queries: tables of ratings, and columns of the log itself."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from sdcg_explorer.export.bundle import bundle
from sdcg_explorer.questions.methods import methods_text
from sdcg_explorer.reading import read, sources
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support import plain_files, refusals

HEADER = "session,searcher,query_number,topic,query,rank,doc\n"
LOG = (
    HEADER
    + "s1,p1,1,t,tea,1,a\n"
    + "s1,p1,2,t,café,1,b\n"
    + "s2,p2,1,u,tea,1,a\n"
    + "s3,p1,1,u,milk,1,b\n"
)
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,0\nu,a,2\nu,b,0\n"


def rated(folder: Path, *ratings: str, log: str = LOG) -> Study:
    """Study of the log above with tables of ratings."""
    files = plain_files.written(folder, log_csv=log, judgments_csv=JUDGMENTS)
    tables = {f"ratings{i}_csv": table for i, table in enumerate(ratings, start=1)}
    paths = plain_files.written(folder, **tables)
    return read.read_study(*files.values(), ratings=[*paths.values()])


def of(study: Study, name: str) -> dict[str, object]:
    """A rating of each session, or query, that has it."""
    keys = ["session"] if name in study.sessions else ["session", "query_number"]
    table = (study.sessions if len(keys) == 1 else study.queries)[[*keys, name]].dropna()
    return dict(zip(table[keys].astype("str").agg(" ".join, axis=1), table[name], strict=True))


def left_out(study: Study) -> list[tuple[str, int, str]]:
    """File, line and rule of all that was left out."""
    assert study.report.repaired == {}
    return [(file, line, rule) for file, line, _, rule in study.report.rows()]


GAPS = HEADER + "s1,p1,2,t,tea,1,a\ns1,p1,5,t,milk,1,b\ns2,p2,1,u,tea,1,a\n"


def test_query_numbers_of_ratings_are_those_of_the_log_or_shifted_from_0(tmp_path: Path) -> None:
    study = rated(tmp_path, "session,query_number,ease\ns1,0,3\ns1,1,4\ns2,0,5\n")
    assert of(study, "ease") == {"s1 1": 3.0, "s1 2": 4.0, "s2 1": 5.0}
    rule = "query numbers of ratings from 0 are renumbered from 1"
    assert [*study.report.rows()] == [
        ("ratings1.csv", line, "repaired", rule) for line in (2, 3, 4)
    ]
    study = rated(tmp_path, "session,query_number,ease\ns1,2,4\ns1,5,1\n", log=GAPS)
    # the queries numbered 2 and 5 in both files are the session's first and second
    assert of(study, "ease") == {"s1 1": 4.0, "s1 2": 1.0}


def test_ratings_of_keys_that_the_log_does_not_have_are_left_out(tmp_path: Path) -> None:
    study = rated(
        tmp_path,
        "session,satisfaction\ns1,4\ns9,1\nS2,1\n",
        "session,query_number,ease\ns1,3,1\ns1,1,2\n",
        "searcher,topic,known\np2,t,1\np2,u,2\n",
    )
    assert of(study, "satisfaction") == {"s1": 4.0}
    assert of(study, "ease") == {"s1 1": 2.0}
    rule = "ratings of a {} that the log does not have"
    assert left_out(study) == [
        ("ratings1.csv", 3, rule.format("session")),
        ("ratings1.csv", 4, rule.format("session")),
        ("ratings2.csv", 2, rule.format("session and query number")),
        ("ratings3.csv", 2, rule.format("searcher and topic")),
    ]
    assert study.report.left_out[rule.format("session")] == 2
    said = [
        "Left out of ratings1.csv: 2 ratings without a match in the log (by session): s9; S2.",
        "Left out of ratings2.csv: 1 rating without a match in the log (by session and query "
        "number): s1, 3.",
        "Left out of ratings3.csv: 1 rating without a match in the log (by searcher and "
        "topic): p2, t.",
    ]
    assert study.report.methods == said
    assert " ".join(said) in methods_text(study, Definition(), Filters())
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle(study, Definition(), Filters()))
    with ZipFile(path) as archive:
        for name in ("README.txt", "scores/methods.txt", "report.html"):
            assert all(each in archive.read(name).decode() for each in said), name
    assert read.read_study(path).report.methods == said
    (more,) = plain_files.written(tmp_path, more_csv="session,mood\ns7,1\ns1,2\n").values()
    about, parts = read.read_parts([sources.Source("more.csv", more)])
    both = read.study_with_ratings(about, study, parts)
    assert both.report.methods[3:] == [
        "Left out of more.csv: 1 rating without a match in the log (by session): s7."
    ]
    assert [f"{each.found}; {each.rule}" for each in study.report.problems] == [
        "ratings joined for 1 of 3 sessions; they are matched by session; not found in the log: "
        "s9; S2",
        "ratings joined for 1 of 4 queries; they are matched by session and query number; not "
        "found in the log: s1, 3",
        "ratings joined for 1 of 3 sessions; they are matched by searcher and topic; not found in "
        "the log: p2, t",
    ]


def test_ratings_that_all_miss_the_log_are_warned_of(tmp_path: Path) -> None:
    study = rated(tmp_path, "session,satisfaction\n1,4\n2,1\n")
    assert "satisfaction" not in study.sessions
    assert [str(problem) for problem in study.report.problems] == [
        "ratings1.csv: no rating matches; ratings are matched by session, and the log has none of "
        "theirs. Check that both files write these ids alike."
    ]
    lost = "ratings of a session that the log does not have"
    empty = "column 'satisfaction' has no value for the log's sessions"
    assert study.report.left_out == {lost: 2, empty: 1}


NO_KEY = (
    "line 1: no column to match with the log; ratings are by session (and query number), or "
    "searcher (and topic, or system). Name its columns so, or leave the table out."
)
OTHER = (
    "{0} 'another', which is not the log's; ratings and log must agree on the {0}. Correct one of "
)
REFUSED = {
    "system,satisfaction\nA,3\n": NO_KEY,
    "query_id,satisfaction\n1,3\n": NO_KEY,
    "CONV,satisfaction\ns1,3\ns3,3\ns9,3\n": NO_KEY,
    "session,topic,joy\ns1,another,3\n": f"line 2: {OTHER.format('topic')}the two.",
}


@pytest.mark.parametrize("ratings", REFUSED)
def test_what_can_not_be_joined_is_refused(ratings: str, tmp_path: Path) -> None:
    assert refusals.refusal(lambda: rated(tmp_path, ratings)) == f"ratings1.csv, {REFUSED[ratings]}"


OF_SEVERAL = [("ann", "t", "A"), ("ann", "u", "B"), ("bob", "t", "B"), ("bob", "u", "A")]
WITH_SYSTEMS = HEADER.replace(",topic", ",system,topic") + "".join(
    f"{who}{task}{system}{extra},{who},1,{system},{task},tea,1,a\n"
    for who, task, system in OF_SEVERAL
    for extra in (("", "2") if (who, system) == ("bob", "A") else ("",))
)
TWICE = (
    "line 3: a second ease, '2' (and 1 more); a session or query has one rating of each kind. Keep "
    "one of the two, or, if a column has the topics, say so: --map ratings1.csv:topic=NAME."
)


@pytest.mark.parametrize(
    ("ratings", "joined"),
    [  # by system, whose name is known; of both sessions of Bob's with A
        ("searcher,system,ease\nann,A,1\nann,B,2\nbob,A,3\nbob,B,4\n", "1 2 4 3 3"),
        ("user,Which?,ease\nann,t,1\nann,u,2\n7,u,3\n", "1 2 - - -"),  # a number may be a name
        # nobody's name says it; Eve is not the log's, and Bob's B is missing
        ("Code,What was it?,ease\nann,A,1\nann,B,2\neve,A,5\nbob,A,3\n", "1 2 - 3 3"),
        ("Code,Which?,ease\nann,t,1\nann,u,2\nbob,t,3\n", "1 2 3 - -"),
        ("Code,Which?,ease\nann,t,1\nann,,2\nbob,t,3\neve,u,9\n", "1 - 3 - -"),
        # a row for each item, which all have but one; a value of another kind tells nothing apart
        ("user,item,value\nann,mood,7\nann,ease ,1\n bob,ease,3\n", "1 1 3 3 3"),
        ("user,system,item,value\nann,A,mood,7\nann,A,ease,1\nann,B,ease,2\nbob,A,ease,3\n"
         "bob,B,ease,4\n", "1 2 4 3 3"),
        # when each was answered says nothing; what was sent twice counts once
        ("user,item,value,at\nann,mood,7,9:00\nann,ease,1,9:01\nann,ease,1,9:02\n"
         "bob,ease,3,9:01\n", "1 1 3 3 3"),
        # words beside numbers that no name calls the answers
        ("user,item,answer,ms\nann,mood,so,900\nann,ease,1,950\nbob,ease,3,950\n", "1 1 3 3 3"),
        ("user,item,value\nann,1,7\nann,2,1\nbob,1,3\nbob,2,5\n", "1 1 5 5 5"),
        ("user,place,ease\nann,1,1\nann,2,2\nbob,1,3\n", TWICE),
        ("user,item,ease\nann,x,1\nann,x,2\nbob,x,3\n", TWICE),
        ("user,item,ease\nann,user,1\nann,x,2\nbob,x,3\n", TWICE),  # it is a column already
        # a column for each topic, or system, however these are called; other columns are of all
        ("user,Age,ease t,ease u\nann,30,1,2\nbob,40,3,\n", "1 2 3 - -"),
        ("user,easeTask_t,u: ease\nann,1,2\nbob,3,\n", "1 2 3 - -"),
        ("user,ease_A,ease (System B)\nann,1,2\nbob,3,4\n", "1 2 4 3 3"),
        ("user,A,B\nann,1,2\nbob,3,4\n", "1 2 4 3 3"),
        ("user,system,ease\nann,System A,1\nann,System_B,2\n", "1 2 - - -"),
        ("participant,ease\nann,1\nann,2\nbob,3\n", TWICE),
        ("participant,Which?,ease\nann,t,1\nann,t,2\nbob,u,3\n", TWICE),
    ],
)  # fmt: skip
def test_ratings_of_searchers_go_by_what_tells_these_apart(
    ratings: str, joined: str, tmp_path: Path
) -> None:
    def read_them() -> Study:
        return rated(tmp_path, ratings, log=WITH_SYSTEMS)

    if joined == TWICE:
        assert f"ratings1.csv, {TWICE}" in refusals.refusal(read_them)
        return
    study = read_them()
    found = of(study, next(name for name in ("rating", "item 2", "ease") if name in study.sessions))
    each = [found.get(session, "-") for session in study.sessions["session"]]
    assert " ".join(f"{value:.0f}" if value != "-" else "-" for value in each) == joined


def test_columns_that_may_be_other_items_stay_and_those_of_one_topic_are_warned_of(
    tmp_path: Path,
) -> None:
    head = "user,A,B,C,ease t,ease u,sure u,task t,task u\n"  # items, ratings, one alone, orders
    study = rated(tmp_path, f"{head}ann,1,2,3,4,5,6,t,u\n", log=WITH_SYSTEMS)
    assert of(study, "ease") == {"anntA": 4.0, "annuB": 5.0}
    assert [of(study, name)["anntA"] for name in ("A", "B", "sure u", "task t")] == [1, 2, 6, "t"]
    (said,) = (p.found for p in study.problems if "goes to all sessions" in p.rule)
    assert said == "a topic or system in the name of a column (sure u)"
    recipe = Recipe(fix="rated-names=off")
    files = plain_files.written(tmp_path, log_csv=WITH_SYSTEMS, judgments_csv=JUDGMENTS)
    paths = [*files.values(), tmp_path / "ratings1.csv"]
    assert of(read.read_study(paths, recipe=recipe), "ease u")["anntA"] == 5.0


def test_columns_called_as_systems_that_differ_by_a_sign_rate_these(tmp_path: Path) -> None:
    log = WITH_SYSTEMS.replace(",A,", ",Base,").replace(",B,", ",Base+,")
    study = rated(tmp_path, "user,Base,Base+\nann,1,2\nbob,3,4\n", log=log)
    assert [*of(study, "rating").values()] == [1, 2, 4, 3, 3]


def test_files_called_as_systems_rate_these(tmp_path: Path) -> None:
    for name, value in (("A", 1), ("B", 2)):
        (tmp_path / f"{name}.csv").write_text(f"user,ease\nann,{value}\nbob,{value + 2}\n")
    files = plain_files.written(tmp_path, log_csv=WITH_SYSTEMS, judgments_csv=JUDGMENTS)
    study = read.read_study([*files.values(), tmp_path / "A.csv", tmp_path / "B.csv"])
    assert [*of(study, "ease").values()] == [1, 2, 4, 3, 3]
    both = (tmp_path / "A.csv").rename(tmp_path / "A and B.csv")
    assert [*of(read.read_study([*files.values(), both]), "ease").values()] == [1, 1, 3, 3, 3]


def test_a_table_of_clicks_is_none_of_ratings(tmp_path: Path) -> None:
    clicks = "session,page\ns1,x\ns2,y\n"
    tables = {"log_csv": LOG, "judgments_csv": JUDGMENTS, "clicks_csv": clicks}
    study = read.read_study([*plain_files.written(tmp_path, **tables).values()])
    assert "page" not in study.sessions


def test_ratings_of_a_session_without_queries_are_its_own(tmp_path: Path) -> None:
    study = rated(tmp_path, "session,joy\ns0,9\ns1,1\ns2,2\n", log=f"{LOG}s0,p1,,t,,,\n")
    assert of(study, "joy") == {"s0": 9.0, "s1": 1.0, "s2": 2.0}


def test_ratings_by_searcher_and_query_number_are_of_one_session(tmp_path: Path) -> None:
    table = "user,query_number,ease\np2,1,3\n"
    assert of(rated(tmp_path, table), "ease") == {"s2 1": 3.0}
    said = refusals.refusal(lambda: rated(tmp_path, table.replace("p2", "p1")))
    assert "searcher 'p1' has several sessions; a rating by searcher and query number" in said


def test_ratings_of_searchers_queries_go_by_their_texts(tmp_path: Path) -> None:
    study = rated(tmp_path, "user,query,ease\np1,tea,1\np1,milk,2\np2,tea,3\n")
    assert of(study, "ease") == {"s1 1": 1.0, "s2 1": 3.0, "s3 1": 2.0}


def test_columns_of_ratings_without_a_name_or_value_are_left_out(tmp_path: Path) -> None:
    study = rated(tmp_path, ",session,mood,ease\n0,s1,,3\n1,s2, ,4\n")
    assert study.sessions.columns[3:].tolist() == ["ease"]
    empty = "column 'mood' has no value for the log's sessions"
    assert left_out(study) == [
        ("ratings1.csv", 1, "column 1 has no name"),
        ("ratings1.csv", 1, empty),
    ]


def test_ratings_tell_the_system_where_the_log_names_none(tmp_path: Path) -> None:
    study = rated(tmp_path, "session,system,satisfaction\ns1,another,3\n")
    assert study.sessions.set_index("session")["system"]["s1"] == "another"
    (told,) = [str(each) for each in study.report.problems if each.found == "a column for system"]
    assert told == (
        "ratings1.csv: a column for system; the log's sessions take their system from this table. "
        "Nothing to do if this is right."
    )


WITH_EXTRAS = (
    "age,engine_time,place,empty,mixed," + HEADER + "30,0.5,1,,,s1,p1,1,t,tea,1,a\n"
    "30,0.5,2,,x,s1,p1,1,t,tea,2,b\n"
    "30,0.75,2,,y,s1,p1,2,t,milk,1,a\n"
    ",,1,,,s2,p2,1,u,tea,1,a\n"
)


def test_columns_of_the_log_without_a_role_are_of_sessions_or_of(tmp_path: Path) -> None:
    study = rated(tmp_path, log=WITH_EXTRAS)
    assert study.sessions.columns.tolist() == ["session", "system", "searcher", "age"]
    assert of(study, "age") == {"s1": 30.0}
    assert of(study, "engine_time") == {"s1 1": 0.5, "s1 2": 0.75}
    assert of(study, "mixed") == {"s1 1": "x", "s1 2": "y"}
    assert study.checked()["extras"] == {"age": 1, "engine_time": 2, "mixed": 2}
    assert left_out(study) == [
        ("log.csv", 1, "column 'place' has no role and differs within a query"),
        ("log.csv", 1, "column 'empty' has no role and is empty"),
    ]
