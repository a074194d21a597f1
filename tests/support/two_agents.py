"""Two agents on twelve tasks by hand: what each found first, and whether its answer was right."""

import json
from fractions import Fraction
from pathlib import Path

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.plain_statistics import Row

TASKS = tuple(f"task{n:02}" for n in range(1, 13))
GRADES = {  # of the one document that each agent's one call listed, task by task
    "A": (1, 2, 0, 3, 1, 2, 0, 1, 2, 3, 1, 0),
    "B": (2, 2, 1, 3, 3, 1, 2, 2, 3, 3, 2, 0),
}
RIGHT = {"A": (1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0), "B": (1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1)}
AGAIN = {("B", 0): 3, ("B", 4): 1, ("A", 11): 1}  # grade of a second run of a few


def agents_rows(*, several: bool = False) -> list[Row]:
    """Their sessions, scores being grades."""
    rows = [
        Row(Fraction(grade), system, "", TASKS[i])
        for system, grades in GRADES.items()
        for i, grade in enumerate(grades)
    ]
    more = [Row(Fraction(grade), system, "", TASKS[i]) for (system, i), grade in AGAIN.items()]
    return rows + more * several


def write_agents(folder: Path) -> tuple[Path, Path]:
    """Their runs, a line each, and the judgments; the document of a grade is called by it."""
    runs = [(s, i, grade) for s, grades in GRADES.items() for i, grade in enumerate(grades)]
    told: list[str] = []
    for system, i, grade in runs:
        call = {
            "type": "tool_call",
            "tool_name": "search",
            "arguments": {"query": f"{TASKS[i]} 1"},
            "output": json.dumps([{"docid": f"d{grade}"}]),
        }
        own = {"metadata": {"model": system}, "query_id": TASKS[i], "result": [call]}
        own |= {"status": "completed", "correct": bool(RIGHT[system][i])}
        told.append(json.dumps(own))
    folder.mkdir(exist_ok=True)
    log, judgments = folder / "runs.jsonl", folder / "judgments.tsv"
    log.write_text("\n".join(told), encoding="utf-8")
    lines = [f"{task}\td{grade}\t{grade}" for task in TASKS for grade in range(4)]
    judgments.write_text("\n".join(["topic\tdoc\tgrade", *lines]), encoding="utf-8")
    return log, judgments


def agents_study(folder: Path) -> Study:
    """Their study, as it is read."""
    return read_study(*write_agents(folder))
