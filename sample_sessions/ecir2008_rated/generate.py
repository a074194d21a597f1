"""Write invented ratings of the sample study's sessions and queries.

Each is drawn from one seed around what was found: ``python
sample_sessions/ecir2008_rated/generate.py`` writes ratings.csv and query_ratings.csv beside this
file, the same bytes every time.
"""

import csv
import random
from collections import defaultdict
from pathlib import Path

SEED = 2008
HERE = Path(__file__).parent
RATED = HERE.parent / "ecir2008"
TOP = 10  # results of a query that a searcher looks at
WORTH = {0: 0.0, 1: 0.4, 2: 1.2, 3: 2.5}  # of a grade, to the one who rates
TIRING = 0.25  # what each further query takes off
SPREAD = {"satisfaction": 0.9, "usefulness": 0.8}
LOWEST, HIGHEST = 1, 5
MISSING = 0.05  # share of sessions that nobody rated


def rows_of(name: str) -> list[dict[str, str]]:
    """Read a table of the rated sample."""
    with (RATED / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def found() -> dict[str, dict[int, float]]:
    """Worth of what each query shows near the top for the first time in its session."""
    grades = {(row["topic"], row["doc"]): int(row["grade"]) for row in rows_of("judgments.csv")}
    worth: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    seen = set[tuple[str, str]]()
    for row in rows_of("log.csv"):
        session, query = row["session"], int(row["query_number"])
        worth[session][query] += 0.0
        if row["rank"] and int(row["rank"]) <= TOP and (session, row["doc"]) not in seen:
            seen.add((session, row["doc"]))
            worth[session][query] += WORTH[grades.get((row["topic"], row["doc"]), 0)]
    return worth


def rating(around: float, spread: float, chance: random.Random) -> int:
    """Draw a whole number of the scale."""
    return min(max(round(chance.gauss(LOWEST + around, spread)), LOWEST), HIGHEST)


def write(name: str, columns: tuple[str, ...], rows: list[tuple[str | int, ...]]) -> None:
    """Write a table beside this file."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([columns, *rows])


def main() -> None:
    """Write both tables."""
    chance = random.Random(SEED)
    sessions: list[tuple[str | int, ...]] = []
    queries: list[tuple[str | int, ...]] = []
    for session, worth in found().items():
        around = sum(worth.values()) ** 0.5 - TIRING * (len(worth) - 1)
        said = rating(around, SPREAD["satisfaction"], chance)
        if chance.random() >= MISSING:
            sessions.append((session, said))
        for query, own in worth.items():
            said = rating(own**0.5, SPREAD["usefulness"], chance)
            queries.append((session, query, said))
    write("ratings.csv", ("session", "satisfaction"), sessions)
    write("query_ratings.csv", ("session", "query_number", "usefulness"), queries)


if __name__ == "__main__":
    main()
