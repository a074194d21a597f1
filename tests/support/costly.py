"""A small study of agents by hand, and the loop that mean gain by cost is checked against."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np

from sdcg_explorer.study.study import Study
from tests.support.plain_loop import (
    NAN,
    Choices,
    PlainSession,
    PlainStudy,
    cells_of,
    ideal_of,
    is_judged,
    session_vector,
)

# two agents, two tasks; tokens of each call, of one of which nobody knows; money of whole runs, and
# whether they were right
LOG = """session,system,topic,query_number,tokens,rank,doc,clicked,money,right
a1,A,t,1,1,1,d1,0,0.02,yes
a1,A,t,1,1,2,d2,1,0.02,yes
a1,A,t,2,3,1,d3,1,0.02,yes
b1,B,t,1,2,1,d3,0,0.04,no
a2,A,u,1,1,1,e1,1,0.01,no
a2,A,u,2,,1,e2,0,0.01,no
b2,B,u,1,4,1,e2,0,,no
"""
# a searcher's sessions, timed to their ends
SHORT_LOG = """session,searcher,system,topic,query_number,time,rank,doc,seconds
s1,p,A,t,1,10,1,d2,60
s1,p,A,t,2,40,1,d3,60
s2,p,B,u,1,5,1,e2,20
s3,q,A,u,1,5,1,e1,80
"""
GRADED = "topic,doc,grade\nt,d1,0\nt,d2,3\nt,d3,1\nu,e1,2\n"
FILES = {"log.csv": LOG, "judgments.csv": GRADED}


def with_columns(study: Study, **tables: dict[str, Any]) -> Study:
    """The study with more columns of its tables."""
    more = {name: getattr(study, name).assign(**columns) for name, columns in tables.items()}
    return replace(study, **more, _blocks={})


def plain_curve(
    plain: PlainStudy, costs: list[list[float]], choices: Choices, system: str, spent: float
) -> dict[str, tuple[float, int]]:
    """Mean gain and share of a system's sessions once so much was spent, each with its sessions."""
    found: dict[str, list[float]] = {"raw": [], "normalised": []}
    for session, own in zip(plain.sessions, costs, strict=True):
        if session.system != system or not is_judged(session.queries, plain.judgments):
            continue
        for name, value in _reached(session, own, plain, choices, spent).items():
            if not math.isnan(value):
                found[name].append(value)
    return {name: (fmean(each) if each else NAN, len(each)) for name, each in found.items()}


def _reached(
    session: PlainSession, costs: list[float], plain: PlainStudy, choices: Choices, spent: float
) -> dict[str, float]:
    """Gain, and share of the ideal, of one session; nan where nobody knows what it had spent."""
    nothing = {"raw": NAN, "normalised": NAN}
    done, total = 0, 0.0
    for cost in costs:
        if math.isnan(cost):
            if done == 0 or spent > total:
                return nothing
            break
        if total + cost > spent:
            break
        done, total = done + 1, total + cost
    asked = session.queries, plain.judgments, choices
    ends = [sum(1 for q, _ in cells_of(session.queries, choices) if q <= k) for k in (done, 1)]
    vector, ideal = session_vector(*asked), ideal_of(*asked)
    worth, best = (each[ends[0] - 1] if ends[0] and done else 0.0 for each in (vector, ideal))
    first = ideal[ends[1] - 1] if ends[1] else 0.0
    share = (worth / best if best else NAN) if done else (0.0 if first else NAN)
    return {"raw": worth, "normalised": share}


def random_costs(plain: PlainStudy, seed: int) -> list[list[float]]:
    """What each query cost: whole numbers or not, some 0, some unknown."""
    chance = np.random.default_rng(seed)
    whole = chance.random() < 0.5
    kinds = [0.0, 1.0, 2.0, 3.0, NAN] if whole else [0.0, 0.3, 1.7, 250.25, NAN]
    shares = [0.2, 0.25, 0.25, 0.2, 0.1]
    return [[float(chance.choice(kinds, p=shares)) for _ in s.queries] for s in plain.sessions]
