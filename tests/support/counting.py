"""Logs to count: samples and random sessions as files, and what an engine counts of them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from sdcg_explorer.counting import cells
from sdcg_explorer.counting.count import CountChoices, count
from sdcg_explorer.counting.counted import Counted
from sdcg_explorer.counting.engine import Engine
from sdcg_explorer.reading.cells import COUNTED, NO, NUMBER, WHOLE, YES
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.plain_files import ECIR2008, LOG_HEADER, THREE_SESSIONS, write_study
from tests.support.plain_loop import PlainStudy
from tests.support.random_studies import random_judgments, random_session

SEEDS = 60  # random sessions, in one log
NUMBERS = """0 -0 +0 00 1 01 +1 -1 2 1. 1.0 1.50 .5 -.5 . + 3.5 0.0 100 100.0001 -100.5 310 1e2 1E-2
    1e e1 1e400 -1e400 1e-400 1e308 1.7976931348623157e308 1.8e308 1e999 1e1000 999999999 1000000000
    2147483648 1_000 0x10 0b1 1,5 ١ １ ½ ² --1 1d 1f nan NaN inf -inf Infinity"""
CELLS = (
    *NUMBERS.split(),
    *("", " ", "\t", "\u00a0", "\u3000 ", "\x1c", "\x85", "1 2", "y ", " 7", "7 ", "\t7", "7\n"),
    *("7\u00a0", "\u20287", "~7", "é", "a", "'", "%", "\\", "9" * 20, "9" * 40, "9" * 41),
    *("1." + "0" * 40, "yes", "NO", "True", "f", "maybe", "null", "None"),
)


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
    return count(
        CountChoices(str(log), str(judgments), **asked), engine, out, lambda what, share: None
    )


def assert_alike(one: Counted, two: Counted) -> None:
    """Counts are equal row by row, and so are their digests."""
    for name, table in one.tables.items():
        pd.testing.assert_frame_equal(table, two.tables[name])
    assert (one.systems, one.topics, one.grades) == (two.systems, two.topics, two.grades)
    assert one.digest == two.digest


def assert_cells_alike(rows: Callable[[str], Any]) -> None:
    """SQL says of the cells of a table `texts` what readers say of them."""
    asked = {
        "x": "x",
        "blank": cells.blank("x"),
        "whole": cells.whole("x"),
        "flag": cells.is_flag("x"),
    }
    asked |= {"grade": cells.grade("x"), "fault": cells.grade_fault("x")}
    sql = ", ".join(f"{each} as {name}" for name, each in asked.items())
    for row in rows(f"select {sql} from texts").to_pylist():
        text = row["x"].strip()
        number = float(text) if NUMBER.fullmatch(text) else math.nan
        grade = number if math.isfinite(number) else None
        large = "large_grade" if grade is not None and abs(grade) > 100 else None
        assert row == {
            "x": row["x"],
            "blank": text == "",
            "whole": int(float(text)) if WHOLE.fullmatch(text) else None,
            "flag": text.lower() in YES | NO or bool(COUNTED.fullmatch(text)),
            "grade": grade,
            "fault": "grade" if text and grade is None else large,
        }


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
