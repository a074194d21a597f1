"""Where fewer than ten sessions still run, their mean curve goes on thin, and this is said."""

from __future__ import annotations

from typing import Any

import pytest

from sdcg_explorer.questions.session_curves import words as curve_words
from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import SessionCurves, session_curves
from sdcg_explorer.questions.wording import short
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_figures import figure_two
from tests.support.plain_files import in_files
from tests.support.plain_loop import Choices, PlainSession, PlainStudy
from tests.support.screen import charts, decoded, opened, small_print

JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0}
CHOICES = Choices({1.0: 1.0, 2.0: 10.0}, top=2)
AS_IS = Choices({1.0: 1.0, 2.0: 10.0}, top=5, short="as-is")
PLACES = {1: "u", 2: "a", 3: "b", 4: "u", 5: "u"}
FULL = 2.5
# queries of each session: 9, 10 or 11 of 12 go on after the first; then query 2, X = 2, is where
# fewer than 10 run on, or nowhere
NINE, TEN, ELEVEN = ([1] * (12 - number) + [3] * number for number in (9, 10, 11))


def asked(queries: list[int], system: str = "A") -> PlainStudy:
    """Sessions of so many queries each; the n-th shows its relevant document at rank 1 or 2."""
    lists = [{1: "b"}, {2: "a"}, {1: "a", 2: "b"}]
    made = [
        PlainSession(f"s{i}", [("t", lists[(i + q) % 3]) for q in range(number)], system)
        for i, number in enumerate(queries)
    ]
    return PlainStudy(made, JUDGMENTS)


def listed(lengths: list[int]) -> PlainStudy:
    """Sessions of one query each, with so many results."""
    made = [
        PlainSession(f"s{i}", [("t", {r: PLACES[r] for r in range(1, length + 1)})])
        for i, length in enumerate(lengths)
    ]
    return PlainStudy(made, JUDGMENTS)


def curves_of(plain: PlainStudy, choices: Choices = CHOICES, **more: Any) -> SessionCurves:
    changed = {name: more.pop(name) for name in ("after_stop",) if name in more}
    definition = Definition(top=choices.top, short_lists=choices.short, **changed)
    return session_curves(in_files(plain), definition, Filters(), **more)


def drawn(curves: SessionCurves, name: str = "A", **more: Any) -> list[Any]:
    """The traces of a curve, the one that is named so first."""
    names = (name, f"{name}, few sessions")
    whole = {"length": curves.most_queries, **more}
    traces: Any = draw_session_curves(curves, ["A"], **whole).data
    return [trace for trace in traces if trace.name in names]


def assert_parted(parts: list[Any], expected: list[float], few: int) -> None:
    """Thick to position `few`, and thin from there on; together what is expected."""
    thick, thin = parts
    assert thick.x.tolist() == list(range(1, few + 1))
    assert thin.x.tolist() == list(range(few, len(expected) + 1))
    assert [*thick.y, *thin.y[1:]] == pytest.approx(expected, rel=1e-9)
    assert thin.y[0] == thick.y[-1]
    assert thin.line.width < thick.line.width == FULL
    for look in ("color", "dash"):
        assert thin.line[look] == thick.line[look]
    assert thin.marker.symbol == thick.marker.symbol
    assert thin.hovertemplate == thick.hovertemplate
    assert (thin.showlegend, thick.showlegend) == (False, None)


def shares(plain: PlainStudy, choices: Choices, positions: int, least: int = 1) -> list[float]:
    return figure_two(plain, choices, positions, at_least=least)["A"][1]


STRANGERS = [PlainSession(f"r{i}", [("?", {1: "a"})] * 3, "A") for i in range(5)]
# where nine sessions run on; choices, and the last position before
PARTED: dict[str, tuple[PlainStudy, Choices, int]] = {
    "nine of twelve": (asked(NINE), CHOICES, 2),
    "from the third query": (asked([2] * 3 + [3] * 9), CHOICES, 4),
    "within a query": (listed([2] * 3 + [5] * 9), AS_IS, 2),  # twelve run on to position 2
    "none unjudged": (PlainStudy([*asked(NINE).sessions, *STRANGERS], JUDGMENTS), CHOICES, 2),
}
WHOLE: dict[str, tuple[PlainStudy, Choices]] = {
    "ten": (asked(TEN), CHOICES),
    "eleven": (asked(ELEVEN), CHOICES),
    "ten lists": (listed([3] * 2 + [5] * 10), AS_IS),
    "lists of one length": (listed([3] * 12), AS_IS),
}


@pytest.mark.parametrize("case", PARTED)
def test_curve_goes_on_thin_where_nine_sessions_run_on(case: str) -> None:
    plain, choices, few = PARTED[case]
    curves = curves_of(plain, choices)
    raw, normalised, _ = figure_two(plain, choices, curves.positions)["A"]
    assert_parted(drawn(curves), normalised, few)
    assert_parted(drawn(curves, measure="raw"), raw, few)


@pytest.mark.parametrize("case", WHOLE)
def test_curve_is_whole_where_ten_sessions_run_on(case: str) -> None:
    plain, choices = WHOLE[case]
    curves = curves_of(plain, choices)
    (whole,) = drawn(curves)
    assert whole.x.tolist() == list(range(1, curves.positions + 1))
    assert whole.y.tolist() == pytest.approx(shares(plain, choices, curves.positions), rel=1e-9)
    assert whole.line.width == FULL
    assert curve_words.advice(curves_of(plain, choices), "normalised") == []


@pytest.mark.parametrize(
    ("queries", "length", "when"),
    [(NINE, None, "one query"), (NINE, 2, "two queries"), (NINE, 3, "three queries")],
)
def test_first_line_speaks_of_what_the_axis_shows(
    queries: list[int], length: int | None, when: str
) -> None:
    curves = curves_of(asked(queries))
    told = curve_words.answer(curves, "raw", length)
    shown = drawn(curves, measure="raw", length=length)[-1].y[-1]
    assert told == f"After {when}, A has gained {short(shown)}."


def test_dashes_go_on_into_the_thin_rest() -> None:
    plain = asked([1] * 9 + [2] * 9 + [3] * 9)
    thick, thin = drawn(curves_of(plain, at_least=(1, 2)), "A, at least 2 queries")
    expected = shares(plain, CHOICES, 6, least=2)
    assert (thick.x.tolist(), thick.y.tolist()) == ([1, 2, 3, 4], pytest.approx(expected[:4]))
    # the thin line lies beneath the thick one from its start on, so that both dash in step
    assert (thin.x.tolist(), thin.y.tolist()) == ([1, 2, 3, 4, 5, 6], pytest.approx(expected))
    assert thin.line.dash == thick.line.dash != "solid"
    assert thin.line.dash.replace("px", "").replace(",", "").isdigit()  # not by the line's width
    assert (thin.line.width, thick.line.width) == (1.1, FULL)
    assert [size > 0 for size in thin.marker.size] == [False] * 4 + [True] * 2
    assert (thick.hoverinfo, thick.hovertemplate) == ("skip", None)  # said once
    assert thin.hovertemplate == "%{y:.3f}<extra>A, at least 2 queries</extra>"


FIGURES = {
    "session_curves": "Session curves.",
    "side_by_side": "Side by side. Dynamic Domain",
}


THIN = "Curves are thin where fewer than 10 of their sessions are still running: A from"


SAID: list[tuple[PlainStudy, Choices, list[str]]] = [
    (asked([2] * 10), CHOICES, []),
    (asked([2] * 9), CHOICES, ["A has fewer than 10 sessions, so its curve is thin."]),
    *(
        (plain, choices, [f"{THIN} {place} on."])
        for plain, choices, place in (
            (asked(NINE), CHOICES, "query 2"),
            (listed([2] * 3 + [5] * 9), AS_IS, "position 3"),
        )
    ),
]


def test_few_running_is_said_with_its_place() -> None:
    for plain, choices, lines in SAID:
        curves = curves_of(plain, choices)
        whole = curve_words.advice(curves, "normalised", curves.most_queries)
        assert whole == lines
        at_end = [line for line in whole if not line.startswith("Curves")]  # beyond a usual axis
        assert curve_words.advice(curves, "normalised") == at_end


@pytest.mark.usefixtures("own_samples")
def test_page_shows_the_share_still_searching_and_says_when_searchers_stop() -> None:
    app = opened("session_curves", {"every": "true"})
    figure = next(of for alt, of in charts(app).items() if alt.startswith("Session curves."))
    assert figure["layout"]["yaxis2"]["title"]["text"] == "Still searching"
    strips = {of["name"]: of for of in figure["data"] if of["name"].endswith("still searching")}
    # S08, Table 2, whose printed shares are rounded to four digits
    share = [1, 0.5333, 0.4167, 0.25, 0.1833, 0.1, 0.0333, 0.0167, 0, 0, 0]
    strip = strips["System 1, still searching"]
    assert decoded(strip["y"]) == pytest.approx([s for s in share for _ in "ab"], abs=5e-5)
    counts = [60, 32, 25, 15, 11, 6, 2, 1, 0, 0, 0]
    assert decoded(strip["customdata"]) == [count for count in counts for _ in "ab"]
    (said,) = [text for text in small_print(app.main) if text.startswith("**When searchers stop")]
    assert "Half of the sessions have ended by query 2 with System 1, 3 with System 2." in said
    assert "The systems don't differ clearly in when searchers stop (p = .072, log-rank)." in said
