"""Logs to count: samples and random sessions as files, and what an engine counts of them."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from study.counting.count import Asked, count
from study.counting.counted import Counted
from study.counting.engine import Engine
from study.reading.read import read_study
from study.study import Study
from tests.support.plain_files import ECIR2008, LOG_HEADER, THREE_SESSIONS, write_study
from tests.support.plain_loop import PlainStudy
from tests.support.random_studies import random_judgments, random_session

SEEDS = 60  # random sessions, in one log


def random_log(folder: Path) -> tuple[Path, Path]:
    """Files of many random sessions: repeats, copies, gaps, changing and unjudged topics."""
    chance = random.Random(2008)
    sessions = [random_session(chance, f"s{i}") for i in range(SEEDS)]
    judgments = random_judgments(chance)
    while len(judgments) < 7:
        judgments = random_judgments(chance)
    return write_study(PlainStudy(sessions, judgments), folder)


def counted(engine: Engine, folder: Path, log: Path, judgments: Path, **asked: Any) -> Counted:
    """What an engine counts of two files."""
    out = folder / "counts"
    out.mkdir(parents=True)
    return count(Asked(str(log), str(judgments), **asked), engine, out, lambda what, share: None)


def assert_alike(one: Counted, two: Counted) -> None:
    """Counts are equal row by row, and so are their digests."""
    for name, table in one.tables.items():
        pd.testing.assert_frame_equal(table, two.tables[name])
    assert (one.systems, one.topics, one.grades) == (two.systems, two.topics, two.grades)
    assert one.digest == two.digest


def everything(folder: Path) -> tuple[Path, Path]:
    """Files of both samples and the random log as one log, for an engine that is slow to begin."""
    studies = [read_study(*random_log(folder)), *map(sample, (ECIR2008, THREE_SESSIONS))]
    rows, judged = [], []
    for study in studies:
        log = study.queries.merge(study.sessions, on="session").merge(
            study.results, on=["session", "query_number"], how="left"
        )
        rows.append(log.astype({"rank": "Int64"})[[*LOG_HEADER]].astype("str"))
        judged.append(study.judgments.astype("str"))
    files = folder / "every_log.csv", folder / "every_judgment.csv"
    for path, tables in zip(files, (rows, judged), strict=True):
        table = pd.concat(tables)
        table.mask(table.isin(["<NA>", "nan", "None"])).to_csv(path, index=False)
    return files


@cache
def sample(folder: Path) -> Study:
    """A sample study."""
    return read_study(folder / "log.csv", folder / "judgments.csv")
