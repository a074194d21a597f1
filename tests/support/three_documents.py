"""Queries that find one of three documents, worth 1, 2 and 3 with linear gain, or nothing."""

from __future__ import annotations

from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_loop import Query

ALL = Filters()
LINEAR = Definition(weights="linear")
GRADES = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0, ("u", "z"): 0.0}
A: Query = ("t", {1: "a"})
B: Query = ("t", {1: "b"})
C: Query = ("t", {1: "c"})
NOTHING: Query = ("t", {})
