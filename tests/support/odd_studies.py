"""Studies at whose ends sentences go wrong: of one thing, of none, of equals, of very many."""

import random
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.plain_files import write_rows, write_study
from tests.support.plain_loop import PlainSession, PlainStudy

JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0}
ONE = PlainSession("s", [("t", {1: "a", 2: "b"})], "A", "p")
TWO = [("t", {1: "b", 2: "a"}), ("t", {1: "a"})]
DOCS = "abcdefgh"


def _drawn(systems: str, searchers: str, topics: str, *, every: bool = False) -> PlainStudy:
    """Sessions of searchers on topics; each with one system in turn, or with every one."""
    chance, sessions = random.Random(1), list[PlainSession]()
    for i, searcher in enumerate(searchers):
        for j, topic in enumerate(topics):
            for system in systems if every else systems[(i + j) % len(systems)]:
                lists = [chance.sample(DOCS, 4) for _ in range(chance.randint(1, 4))]
                queries = [(topic, dict(enumerate(docs, start=1))) for docs in lists]
                name = f"s{len(sessions)}"
                sessions.append(PlainSession(name, queries, system, searcher.strip("-")))
    grades = {(t, doc): float((i + ord(t)) % 4) for t in topics for i, doc in enumerate(DOCS)}
    return PlainStudy(sessions, grades)


ODD = {
    "one session": PlainStudy([ONE], JUDGMENTS),
    "one session of each system": PlainStudy([ONE, PlainSession("r", TWO, "B", "q")], JUDGMENTS),
    "one empty query": PlainStudy(
        [replace(ONE, queries=[("t", {})]), PlainSession("r", TWO, "A", "p")], JUDGMENTS
    ),
    "no searchers": PlainStudy(
        [PlainSession("s", TWO, "A", ""), PlainSession("r", TWO, "B", "")], JUDGMENTS
    ),
    "one topic unjudged": PlainStudy(
        [ONE, PlainSession("r", [("u", {1: "a"})], "A", "p")], JUDGMENTS
    ),
    "nothing judged that was asked": PlainStudy(
        [replace(ONE, queries=[("u", {1: "a"})])], JUDGMENTS
    ),
    "nothing relevant": PlainStudy([ONE], {("t", "a"): 0.0, ("t", "b"): 0.0}),
    "undefined after three queries": PlainStudy(
        [replace(ONE, queries=[("z", {1: "a"})] * 3 + [("t", {1: "a"})])],
        JUDGMENTS | {("z", "a"): 0.0},
    ),
    "negative grades": PlainStudy([ONE], {("t", "a"): -1.0, ("t", "b"): 1.0}),
    "a gain of a hundred digits": PlainStudy([ONE], {("t", "a"): 1.0, ("t", "b"): 100.0}),
    "all alike": PlainStudy(
        [PlainSession(f"s{i}", TWO, "AB"[i % 2], f"p{i // 2}") for i in range(12)], JUDGMENTS
    ),
    "one searcher": _drawn("AB", "p", "tuvw"),
    "one system": _drawn("A", "pqrstu", "tu"),
    "three searchers": _drawn("ABC", "pqr", "tu"),
    "topics as units": _drawn("AB", "-", "qrstuvwx", every=True),
}


@cache
def rated(name: str) -> Study:
    """The study of one of these in files, each session rated and right or wrong."""
    plain = ODD[name]
    rows = [(of.name, i % 5 + 1, int(i % 3 > 0)) for i, of in enumerate(plain.sessions)]
    with tempfile.TemporaryDirectory() as folder:
        log, judgments = write_study(plain, Path(folder))
        header = ("session", "satisfaction", "correct")
        ratings = write_rows(Path(folder) / "ratings.csv", header, rows)
        return read_study(log, judgments, ratings=[ratings])
