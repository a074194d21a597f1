"""A small study with ratings of sessions and of queries, as texts of files and as lists."""

import random
import tempfile
from functools import cache
from pathlib import Path

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.formats import put

SEARCHERS, TOPICS, DOCS = "pqrstuvw", "xyz", "abcdefgh"
LOG = "session,searcher,system,topic,query_number,rank,doc\n"


@cache
def rated_files() -> dict[str, str]:
    """Eight searchers, three sessions each, with either of two systems, on three topics."""
    chance = random.Random(8)
    log, ratings, eases = [LOG], ["session,satisfaction,effort,age\n"], []
    for i, who in enumerate(SEARCHERS):
        for j, topic in enumerate(TOPICS):
            name, system, queries = f"{who}{topic}", "AB"[(i + j) % 2], chance.randint(1, 4)
            for q in range(1, queries + 1):
                rows = enumerate(chance.sample(DOCS, 4), start=1)
                log += [f"{name},{who},{system},{topic},{q},{r},{doc}\n" for r, doc in rows]
                eases.append(f"{name},{q},{chance.randint(1, 5)}\n")
            effort = 3 * queries + chance.random() - i % 2
            ratings.append(f"{name},{chance.randint(1, 5)},{effort:.3f},{20 + i}\n")
    grades = [f"{t},{doc},{chance.randint(0, 3)}\n" for t in TOPICS for doc in DOCS]
    return {
        "log.csv": "".join(log),
        "judgments.csv": "".join(["topic,doc,grade\n", *grades]),
        "ratings.csv": "".join(ratings),
        "eases.csv": "".join(["session,query_number,ease\n", *eases]),
    }


@cache
def rated_study() -> Study:
    """The study of these files."""
    with tempfile.TemporaryDirectory() as name:
        log, judgments, *ratings = put(Path(name), rated_files())
        return read_study(log, judgments, ratings=ratings)
