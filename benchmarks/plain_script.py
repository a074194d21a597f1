"""The script one would write: csv and loops, default definition, no intervals.

It writes the four tables of `sdcg score` but for their intervals, and stands for the private
scripts that this project replaces. Run: python plain_script.py log.csv judgments.csv FOLDER
"""

from __future__ import annotations

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

X, DEPTH, B, BQ = 10, 100, 2.0, 4.0
GAIN = {0: 0.0, 1: 1.0, 2: 10.0, 3: 100.0}
Study = tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]


def read(log: str, judgments: str) -> Study:
    """Sessions as {id: {query: {rank: doc}}}, who did them, gains and ideal lists by topic."""
    grades: dict[str, Any] = defaultdict(dict)
    with open(judgments, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            grades[row["topic"]][row["doc"]] = GAIN[int(float(row["grade"]))]
    sessions: dict[str, Any] = {}
    about: dict[str, Any] = {}
    with open(log, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            name = row["session"]
            about[name] = row["system"], row["searcher"], row["topic"]
            query = sessions.setdefault(name, {}).setdefault(int(row["query_number"]), {})
            query[int(row["rank"])] = row["doc"]
    ideals = {topic: sorted(docs.values(), reverse=True) for topic, docs in grades.items()}
    return sessions, about, grades, ideals


def gain_of(study: Study, name: str, doc: str | None) -> float:
    """Gain of a document in a session."""
    return study[2][study[1][name][2]].get(doc, 0.0)


def curve(study: Study, name: str) -> tuple[list[float], list[float]]:
    """V and V / I at each position of one session."""
    total = best = 0.0
    raw, share = [], []
    ideal = study[3][study[1][name][2]]
    for q, docs in study[0][name].items():
        for r in range(1, X + 1):
            discount = 1 / (1 + math.log(q, BQ)) / (1 + math.log(r, B))
            total += gain_of(study, name, docs.get(r)) * discount
            best += (ideal[r - 1] if r <= len(ideal) else 0.0) * discount
            raw.append(total)
            share.append(total / best if best else math.nan)
    return raw, share


def mean_curves(study: Study) -> dict[str, tuple[list[float], list[float], int]]:
    """Mean V and V / I of each system at each position, held after a session's end."""
    longest = max(len(session) for session in study[0].values()) * X
    sums: dict[str, Any] = {}
    counts: dict[str, int] = defaultdict(int)
    for name in study[0]:
        system = study[1][name][0]
        raw, share = curve(study, name)
        raws, shares = sums.setdefault(system, ([0.0] * longest, [0.0] * longest))
        counts[system] += 1
        for p in range(longest):
            raws[p] += raw[min(p, len(raw) - 1)]
            shares[p] += share[min(p, len(share) - 1)]
    return {
        system: (
            [v / counts[system] for v in raws],
            [v / counts[system] for v in shares],
            counts[system],
        )
        for system, (raws, shares) in sums.items()
    }


def curve_rows(study: Study) -> list[list[object]]:
    """Mean curves as a table, with the sessions still running."""
    rows: list[list[object]] = []
    for system, (raws, shares, count) in mean_curves(study).items():
        for p in range(len(raws)):
            q = p // X + 1
            running = (
                sum(
                    len(session) >= q and study[1][name][0] == system
                    for name, session in study[0].items()
                )
                if p % X == 0
                else rows[-1][4]
            )
            rows.append([system, p + 1, q, p % X + 1, running, count, raws[p], count, shares[p]])
    return rows


def query_rows(study: Study) -> list[list[object]]:
    """Scores of each query."""
    rows: list[list[object]] = []
    for name, session in study[0].items():
        system, searcher, topic = study[1][name]
        before = before_dcg = math.nan
        for q, docs in session.items():
            factor = 1 / (1 + math.log(q, BQ))
            dcg = best = 0.0
            judged = 0
            for r, doc in docs.items():
                if r <= X:
                    judged += doc in study[2][topic]
                    dcg += gain_of(study, name, doc) / (1 + math.log(r, B))
            for r, gain in enumerate(study[3][topic][:X], start=1):
                best += gain / (1 + math.log(r, B))
            worth = dcg * factor
            scores = [len(docs), judged, dcg, worth, best * factor]
            rows.append(
                [name, q, system, searcher, topic, *scores, worth - before, dcg - before_dcg]
            )
            before, before_dcg = worth, dcg
    return rows


def session_rows(study: Study) -> list[list[object]]:
    """Scores of each session."""
    rows: list[list[object]] = []
    for name, session in study[0].items():
        raw, share = curve(study, name)
        n = len(session)
        worth = [raw[X * q - 1] - (raw[X * (q - 1) - 1] if q > 1 else 0) for q in range(1, n + 1)]
        factors = [1 / (1 + math.log(q, BQ)) for q in range(1, n + 1)]
        shown = {doc for docs in session.values() for doc in docs.values()}
        found = sum(gain_of(study, name, doc) > 0 for doc in shown)
        scores = [raw[-1], sum(raw) / len(raw), worth[-1], max(worth), raw[-1] / n]
        scores += [
            raw[-1] / sum(factors),
            sum(w / f for w, f in zip(worth, factors, strict=True)) / n,
        ]
        rows.append([name, *study[1][name], n, *scores, share[-1], sum(share) / len(share), found])
    return rows


def order_rows(study: Study) -> list[list[object]]:
    """Mean sDCG(q) by rank of last and other, best and the rest of the queries of each system."""
    sums: dict[tuple[str, str], list[float]] = {}
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for name, session in study[0].items():
        curves = {}
        for q, docs in session.items():
            total, curves[q] = 0.0, []
            for r in range(1, DEPTH + 1):
                if r in docs:
                    discount = 1 / (1 + math.log(q, BQ)) / (1 + math.log(r, B))
                    total += gain_of(study, name, docs[r]) * discount
                curves[q].append(total)
        best = max(curves, key=lambda q: curves[q][X - 1])
        for q, values in curves.items():
            for group in (
                "last" if q == len(session) else "other",
                "best" if q == best else "rest",
            ):
                key = study[1][name][0], group
                counts[key] += 1
                totals = sums.setdefault(key, [0.0] * DEPTH)
                for r in range(DEPTH):
                    totals[r] += values[r]
    return [
        [*key, r, counts[key], total / counts[key]]
        for key, totals in sums.items()
        for r, total in enumerate(totals, start=1)
    ]


def main(log: str, judgments: str, out: str) -> None:
    """Read, score, write."""
    study = read(log, judgments)
    tables = {
        "queries": query_rows(study),
        "sessions": session_rows(study),
        "query_order": order_rows(study),
        "session_curves": curve_rows(study),
    }
    for name, rows in tables.items():
        with (Path(out) / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
