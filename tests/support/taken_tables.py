"""Every page's exhibits: what each is called, and its table read as the traces of its figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from sdcg_explorer.questions.reformulations import CAPTIONS
from sdcg_explorer.screen.take_away import MOST_PRINTED
from tests.support.taken import Rows, Traces, agree, column, of_figure, tex_agrees, traces_of

BASES = r"1/(1 + log\_3 r), by query 1/(1 + log\_7 q)"
TWO = "b=3&bq=7&w3=50&topics=A&topics=B"  # own choices, and a filter
ONE = f"{TWO}&systems=System+2"
TOY = "b=3&bq=7&w3=50&study=64b48c2ce3b1"  # whose results are not all judged
SESSIONS = ("S009", "S081")  # that are looked into
AXIS = 60  # positions of Figure 4

Mark = tuple[float, float]
Told = Callable[[Rows], Traces]


def by_system(rows: Rows, name: str = "{system}", **keys: str) -> Traces:
    """Columns of a table as traces, one for each name that its rows give."""
    groups: dict[str, Rows] = {}
    for row in rows:
        groups.setdefault(name.format(**row), []).append(row)
    return {
        of: {key: column(own, what) for key, what in keys.items()} for of, own in groups.items()
    }


def lengths(rows: Rows) -> Traces:
    numbers = [name for name in rows[0] if name.isdigit()]
    return {
        f"{row['system']} (mean {float(row['mean queries']):.2f} queries)": {
            "x": [float(name) for name in numbers],
            "y": [float(row[name]) for name in numbers],
        }
        for row in rows
    }


def curves(rows: Rows) -> Traces:
    """The curves, and the steps of the share still searching beneath them."""
    steps = by_system(rows[::10], "{system}, still searching", y="running")
    for step in steps.values():
        step["y"] = (np.repeat(step["y"], 2) / step["y"][0]).tolist()
    return by_system(rows, x="position", y="normalised") | steps


def sessions(rows: Rows) -> Traces:
    """Each session's curve to its end, level from there on; its marks; to the sixth query."""
    each = by_system(rows, "{session}", y="value")
    x, y, ends, steps = list[float](), list[float](), list[Mark](), list[Mark]()
    for own in each.values():
        curve = level(own["y"])
        x += [*curve["x"], np.nan]
        y += [*curve["y"], np.nan]
        at = range(10, min(len(own["y"]), AXIS) + 1, 10)
        marks = [(float(place), own["y"][place - 1]) for place in at]
        goes_on = len(own["y"]) > AXIS
        steps += marks if goes_on else marks[:-1]
        ends += [] if goes_on else marks[-1:]
    drawn = {"end of the session": ends, "end of a query": steps}
    points = {
        name: {"x": [m[0] for m in of], "y": [m[1] for m in of]} for name, of in drawn.items()
    }
    del points["end of the session"]["x"]  # spread beside each other, where they would overlap
    zeros = Counter(place for place, value in ends if not value)
    many = sorted(place for place, number in zeros.items() if number > 1)
    if many:
        points["sessions that end at 0"] = {"x": many, "y": [0.0] * len(many)}
    chosen = {f"session {of}": level(each[of]["y"]) for of in SESSIONS}
    return {"System 2, each session": {"x": x, "y": y}, **points, **chosen}


def level(values: list[float]) -> dict[str, list[float]]:
    """A session's curve on the axis: cut at its end, or level to there."""
    drawn = [*values[:AXIS], *[values[-1]] * (AXIS - len(values))]
    return {"x": [*range(1, AXIS + 1)], "y": drawn}


def inspected(name: str, rows: Rows) -> Traces:
    x, y = column(rows, "position"), column(rows, "value")
    ideal = column(rows, "ideal")
    quits = {"end of the session": {"x": x[-1:], "y": y[-1:]}}
    ends = range(9, len(x), 10)
    gaps = [0.0, *(ideal[end] - y[end] for end in ends)]
    fell = [after - before for before, after in pairwise(gaps)]
    end = ends[fell.index(max(fell))]
    worst = f"worst query, Q{fell.index(max(fell)) + 1}"
    quits[worst] = {"x": [x[end], x[end]], "y": [y[end], ideal[end]]}
    return {"its ideal": {"x": x, "y": ideal}, name: {"x": x, "y": y}, **quits}


def boxes(place: str, rows: Rows) -> Traces:
    parts = {"q1": "p25", "median": "p50", "q3": "p75", "lowerfence": "p5", "upperfence": "p95"}
    return by_system([row for row in rows if int(row["number"]) >= 10], x=place, **parts)


def did(rows: Rows) -> Traces:
    """Shares of the reformulations of each step that gained, stayed and lost."""
    said: Traces = {}
    for name, word in {"gained": "gained", "unchanged": "stayed", "lost": "lost"}.items():
        said |= by_system(rows, f"{{system}}, {name}", x="step", y=word, up="number")
    for own in said.values():
        own["y"] = np.divide(own["y"], own.pop("up")).tolist()
    return said


def means(rows: Rows) -> Traces:
    said = by_system(rows, "{system}, mean", y="mean", up="high", down="low")
    for own in said.values():
        own["up"] = np.subtract(own["up"], own["y"]).tolist()
        own["down"] = np.subtract(own["y"], own["down"]).tolist()
    return said


def points_of_the_plane(rows: Rows) -> Traces:
    x, y = (np.log10(column(rows, name)).tolist() for name in ("bq", "b"))
    return {"points": {"x": x, "y": y}}


def shares_by_result(rows: Rows) -> Traces:
    """What was looked at in the first six queries, and the weights of sRBP."""
    near = rows[:60]
    place = [float(i) for i in range(1, len(near) + 1)]
    seen = {"x": place, "y": column(near, "share")}
    lines = {
        name: {"x": with_gaps(place), "y": with_gaps(column(near, of))}
        for name, of in (("sRBP", "srbp"), ("in force", "in_force"))
    }
    return {"examined": seen, **lines}


def with_gaps(values: list[float]) -> list[float]:
    """A gap after each query but the last."""
    return np.insert(values, range(10, len(values), 10), np.nan).tolist()


def by_query(measure: str, rows: Rows) -> Traces:
    return by_system(rows, x="query_number", y=measure)


def steps_by_hand(rows: Rows) -> Traces:
    x = [float(place) for place in range(1, len(rows) + 1)]
    drawn = {"its ideal, I": "I", "this session, V": "V"}
    return {name: {"x": x, "y": column(rows, of)} for name, of in drawn.items()}


def unjudged(rows: Rows) -> Traces:
    return {"unjudged": {"x": column(rows, "rank"), "y": column(rows, "unjudged")}}


@dataclass(frozen=True)
class Taken:
    """An exhibit: its name, the figure that it is of, and how rows of its table are traces.

    `only` of the traces, by the end of their names: others come from another exhibit.
    """

    name: str
    figure: str
    told: Told
    only: str = ""


def assert_said(
    exhibit: Taken, rows: Rows, tex: str | None, told: dict[str, Any], *, of_study: bool = False
) -> None:
    """Both tables of an exhibit say the same, under the definition, and what its figure shows."""
    assert rows
    assert (tex is None) <= (len(rows) > MOST_PRINTED)
    if tex is not None:
        assert (BASES in tex) != of_study
        tex_agrees(tex, rows)
    if exhibit.figure:
        shown = traces_of(of_figure(told, exhibit.figure))
        agree({name: of for name, of in shown.items() if name.endswith(exhibit.only)},
              exhibit.told(rows))  # fmt: skip


@dataclass(frozen=True)
class Walk:
    """A page, under choices: its exhibits in their order, and what the figure of the first says."""

    page: str
    query: str
    exhibits: tuple[Taken, ...]
    says: str = ""

    @property
    def address(self) -> str:
        return f"{self.page}?{self.query}"


UNDER = {
    "ecir_2008_changed_weights_b_bq": "ECIR 2008, changed: weights, b, bq",
    "ecir_2008": "ECIR 2008",
    "session_track_kanoulas": "Session track (Kanoulas)",
    "dynamic_domain": "Dynamic Domain",
    "plain_linear": "plain linear",
}
LAST = partial(by_system, name="{system}, {group}", x="rank", y="mean")
POINTS = partial(by_system, name="{system}, each session", y="score")
SHARE = partial(by_system, x="position", y="normalised")
OVERVIEW = (
    Taken("sessions_by_length", "Table 2.", lengths),
    Taken("judged_share", "Judged share by rank", partial(by_system, x="rank", y="judged_share")),
)
INDIVIDUAL = (
    Taken("individual_sessions", "Figure 4.", sessions),
    Taken("wall", "", by_system),
    Taken("session_on_top", f"Session {SESSIONS[0]}", partial(inspected, SESSIONS[0])),
    Taken("session_beside", f"Session {SESSIONS[1]}", partial(inspected, SESSIONS[1])),
)
BY_QUERY = tuple(
    Taken(f"{name}_by_query", CAPTIONS[name], partial(by_query, name))
    for name in ("found", "novelty", "coverage")
)
REFORMULATIONS = (
    Taken("reformulation_shares", "Reformulations.", did),
    Taken("reformulations", "Changes by step", partial(boxes, "step")),
    *BY_QUERY,
    Taken("first_queries", "First queries by session length", partial(boxes, "queries")),
)
COMPARED = (
    Taken("compare_systems", "Comparison.", POINTS, "each session"),
    Taken("means", "Comparison.", means, "mean"),
    Taken("means_by_topic", "Comparison by topic", means, "mean"),
)
HELD = (Taken("robustness", "Map.", points_of_the_plane, "points"),)
SIDES = tuple(Taken(f"under_{key}", f"Side by side. {of}", SHARE) for key, of in UNDER.items())
FITTED = (
    Taken("fit", "Examined results.", shares_by_result),
    Taken("fits", "", by_system),
)
DATA = (Taken("counts", "", by_system), Taken("unjudged_by_rank", "Unjudged share", unjudged))
OPEN = f"{ONE}&by_length=true&judged_by_rank=true"
LOOKED = f"{ONE}&session={SESSIONS[0]}&beside_session={SESSIONS[1]}"
WALKS = (
    Walk("", OPEN, OVERVIEW, says="System 2 (mean 3.20 queries)"),
    Walk("query_order", ONE, (Taken("query_order", "Figure 1.", LAST),), says="System 2, last"),
    Walk(
        "session_curves",
        f"{ONE}&every=true",
        (Taken("session_curves", "Session curves.", curves), Taken("stopping", "", by_system)),
        says="Share of the ideal (nsDCG)",
    ),
    Walk("reformulations", f"{ONE}&every=true&boxes=true", REFORMULATIONS),
    Walk("by_hand", ONE, (Taken("by_hand", "By hand.", steps_by_hand),)),
    Walk("individual_sessions", LOOKED, INDIVIDUAL),
    Walk("compare_systems", TWO, COMPARED),
    Walk("robustness", TWO, HELD),
    Walk("side_by_side", f"{TWO}&every=true", SIDES),
    Walk("fit", f"{ONE}&model=srbp", FITTED),
    Walk("data", TOY, DATA),
)
