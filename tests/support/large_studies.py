"""Studies of any size to measure on: random documents and grades, up to 11 queries × 10 ranks."""

from pathlib import Path

import numpy as np
import pandas as pd

from sdcg_explorer.study.report import Report
from sdcg_explorer.study.study import Study

QUERIES, RANKS, TOPICS, DOCS = 11, 10, 20, 500


def random_study(sessions: int, seed: int = 11) -> Study:
    """Study of so many sessions by a quarter as many searchers, with two systems."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, QUERIES + 1, sessions)
    session = np.repeat(np.arange(sessions), lengths)
    number = np.concatenate([np.arange(1, n + 1) for n in lengths])
    names = pd.Index([f"s{i:06}" for i in range(sessions)])
    topic_names = pd.Index([f"t{i:02}" for i in range(TOPICS)])
    doc_names = pd.Index([f"d{i:03}" for i in range(DOCS)])
    docs = np.argsort(rng.random((session.size, 40)), axis=1)[:, :RANKS]
    docs = (docs + rng.integers(0, DOCS, (session.size, 1))) % DOCS
    pair = np.flatnonzero(rng.random(TOPICS * DOCS) < 0.7)
    who = pd.DataFrame(
        {
            "session": pd.Categorical.from_codes(np.arange(sessions), names),
            "system": np.array(["A", "B"])[np.arange(sessions) % 2],
            "searcher": [f"p{i // 4:06}" for i in range(sessions)],
        }
    )
    queries = pd.DataFrame(
        {
            "session": pd.Categorical.from_codes(session, names),
            "query_number": number,
            "topic": pd.Categorical.from_codes(
                rng.integers(0, TOPICS, sessions)[session], topic_names
            ),
            "text": "words of a query",
            "time": "",
        }
    )
    results = pd.DataFrame(
        {
            "session": pd.Categorical.from_codes(np.repeat(session, RANKS), names),
            "query_number": np.repeat(number, RANKS),
            "rank": np.tile(np.arange(1, RANKS + 1), session.size),
            "doc": pd.Categorical.from_codes(docs.ravel(), doc_names),
            "clicked": pd.array(np.full(docs.size, None), dtype="boolean"),
            "examined": pd.array(np.full(docs.size, None), dtype="boolean"),
            "grade": np.full(docs.size, np.nan),
        }
    )
    judgments = pd.DataFrame(
        {
            "topic": pd.Categorical.from_codes(pair // DOCS, topic_names),
            "doc": pd.Categorical.from_codes(pair % DOCS, doc_names),
            "grade": rng.choice([0.0, 1.0, 2.0, 3.0], pair.size, p=[0.7, 0.15, 0.1, 0.05]),
        }
    )
    return Study("random", who, queries, results, judgments, Report())


def write_files(study: Study, folder: Path) -> tuple[Path, Path]:
    """Write a study as log.csv and judgments.csv."""
    log = study.results.merge(study.queries, on=["session", "query_number"])
    log = log.merge(study.sessions, on="session")
    columns = ["session", "searcher", "system", "topic", "query_number", "text", "rank", "doc"]
    log[columns].to_csv(folder / "log.csv", index=False)
    study.judgments.to_csv(folder / "judgments.csv", index=False)
    return folder / "log.csv", folder / "judgments.csv"
