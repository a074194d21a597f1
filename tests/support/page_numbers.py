"""What every page shows, beside the numbers of the plain loop."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import unescape
from statistics import fmean

from streamlit.testing.v1 import AppTest

from tests.support.plain_by_hand import LESSONS
from tests.support.plain_figures import figure_one, figure_two
from tests.support.plain_loop import Choices, PlainStudy, factor_of, query_scores, session_vector
from tests.support.plain_session_scores import session_scores
from tests.support.screen import (
    charts,
    decoded,
    lines_of,
)

Numbers = dict[str, float]
Checked = Callable[[AppTest, PlainStudy, Choices], tuple[Numbers, Numbers]]


def lines_at_rank_10(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    shown = lines_of(app, "Figure 1.")
    expected = figure_one(plain, choices, split="last", others="pooled", depth=10)
    named = {", ".join(name): curve[9] for name, curve in expected.items()}
    bands = [name for name in shown if name not in named and "95" in name]  # as on paper
    return {name: curve[9] for name, curve in shown.items() if name not in bands}, named


def small_lines(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    shown = lines_of(app, "Small figure: Query order")
    expected = figure_one(plain, choices, split="last", others="pooled", depth=20)
    named = {", ".join(name): curve[19] for name, curve in expected.items()}
    return {name: shown[name][:20][-1] for name in named}, named


def shares_after_query_2(
    app: AppTest, plain: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """Figure 2, or the first of several: that of the definition in force."""
    shown = lines_of(app, next(iter(charts(app))))
    expected = figure_two(plain, choices, 20)
    return (
        {name: shown[name][19] for name in expected},
        {name: shares[19] for name, (_, shares, _) in expected.items()},
    )


def gain_after_two_queries(
    app: AppTest, plain: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """Mean gain of each system for two queries, which is Figure 3's at the end of the second."""
    shown = lines_of(app, "Gain by cost.")
    expected = figure_two(plain, choices, 20)
    return (
        {name: shown[name][2] for name in expected},
        {name: gains[19] for name, (gains, _, _) in expected.items()},
    )


def at_the_present_point(
    app: AppTest, plain: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """The small curves beside the map; without a common topic there is neither."""
    if not charts(app):
        return {}, {}
    shown = lines_of(app, "Session curves at this point.")
    expected = figure_two(plain, choices, 20)
    return (
        {name: shown[name][19] for name in expected},
        {name: shares[19] for name, (_, shares, _) in expected.items()},
    )


def ends_of_sessions(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Gain at the quitting points of all sessions, on an axis of six queries."""
    (figure,) = charts(app).values()
    marks = next(t for t in figure["data"] if t["name"] == "end of the session")
    own = [s for s in plain.sessions if len(s.queries) <= 6]
    return (
        dict(zip(marks["text"], decoded(marks["y"]), strict=True)),
        {s.name: session_scores(s.queries, plain.judgments, choices)["final"] for s in own},
    )


def changes_at_step_2(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Share of the second queries that bring more DCG than the first."""
    (figure,) = (spec for alt, spec in charts(app).items() if alt.startswith("Reformulations."))
    bars = [trace for trace in figure["data"] if trace["name"].endswith(", gained")]
    changes: dict[str, list[float]] = {}
    for session in plain.sessions:
        if len(session.queries) > 1:
            each = query_scores(session.queries, plain.judgments, choices)
            gained = each[1]["dcg"] - each[0]["dcg"] > 1e-12
            changes.setdefault(session.system, []).append(gained)
    titles = [title["text"].partition("</span> ")[2] for title in figure["layout"]["annotations"]]
    names = [unescape(title.replace("<br>", "")) for title in titles if title]
    shown = [decoded(bar["y"])[0] for bar in bars if decoded(bar["x"])[0] == 2]
    return (
        dict(zip(names, shown, strict=True)),
        {system: fmean(values) for system, values in changes.items()},
    )


def mean_shares(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Mean final share of the ideal of each system."""
    shares: dict[str, list[float]] = {}
    for session in plain.sessions:
        scores = session_scores(session.queries, plain.judgments, choices)
        shares.setdefault(f"{session.system}, mean", []).append(scores["final_normalised"])
    shown = lines_of(app, "Comparison. ")
    return {name: shown[name][0] for name in shares}, {n: fmean(v) for n, v in shares.items()}


def curve_of_the_first_lesson(
    app: AppTest, _: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """By hand, the first lesson is open, whatever study is."""
    first = next(iter(LESSONS.values()))
    expected = session_vector(first.queries, first.judgments, choices)
    shown = lines_of(app, "By hand.")["this session, V"]
    names = [f"V[{p}]" for p in range(1, len(expected) + 1)]
    return dict(zip(names, shown, strict=True)), dict(zip(names, expected, strict=True))


def shares_looked_at(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Weights in force, adding up to 1 over what sessions may show; a query each without clicks."""
    shown = lines_of(app, "Examined results.")["in force"]
    longest = max(len(session.queries) for session in plain.sessions)
    ranks = range(1, 11 if any(map(math.isnan, shown)) else 2)
    told = [factor_of(q, r, choices) for q in range(1, longest + 1) for r in ranks]
    known = [weight for weight in shown if not math.isnan(weight)]
    return (
        {f"w[{place}]": weight for place, weight in enumerate(known)},
        {f"w[{place}]": told[place] / sum(told) for place in range(len(known))},
    )


CHECKS: dict[str, Checked] = {
    "overview": small_lines,
    "query_order": lines_at_rank_10,
    "session_curves": shares_after_query_2,
    "individual_sessions": ends_of_sessions,
    "reformulations": changes_at_step_2,
    "cost": gain_after_two_queries,
    "compare_systems": mean_shares,
    "robustness": at_the_present_point,
    "side_by_side": shares_after_query_2,
    "fit": shares_looked_at,
    "by_hand": curve_of_the_first_lesson,
    "paper": lines_at_rank_10,
}
