"""Figure 4 of ECIR 2008: the curve of each session, with the point where its searcher quit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from sdcg_explorer.figures import style
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.questions.individual_sessions import numbers
from sdcg_explorer.questions.individual_sessions.numbers import IndividualSessions, Inspected
from sdcg_explorer.study.annotations import JOINED
from sdcg_explorer.study.wording import WHOLE

MOST_SYSTEMS, MOST_BANDS = 8, 3  # so that at most 12 traces are drawn
FEW_LINES = 40  # beyond them they are fainter, so that marks stand out
# of the wall: what gains, what loses, in colours that no system has; how strong each colour is, up
# to twice the value of the one before
HUES = ("100,80,190", "160,40,60")
STRENGTHS = (0.1, 0.18, 0.28, 0.4, 0.55)
NEAR_0 = f"rgba({HUES[0]},0.08)"  # of what is worth nothing, beside sessions that had ended
HIGH, LOW = (f"rgb({hue})" for hue in HUES)


def draw_individual_sessions(
    sessions: IndividualSessions,
    systems: Sequence[str],
    *,
    chosen: Sequence[str] = (),
    length: int = 6,
    small: bool = False,
    least: float = 0.0,
) -> go.Figure:
    """All sessions of a system as one trace with gaps, a mark where each ends, the chosen on top.

    Beyond ``MOST_LINES`` sessions (`small` beyond ``FEW_LINES``): medians, and bands of the middle
    half and of eight tenths. The axis is cut at `length` queries, and the other ends at `least` or
    higher; after its end a session stays level. Marks carry the name of their session as custom
    data.
    """
    end = sessions.end(length)
    drawn = sessions.vectors[:, :end]
    whose = sessions.scores["system"].to_numpy()
    groups: dict[str, Ints] = {
        name: rows for name in systems if (rows := np.flatnonzero(whose == name)).size
    }
    if len(groups) > MOST_SYSTEMS:
        groups = {"all systems": np.arange(len(drawn))}
    colours = {
        name: style.COLOURS[style.place(systems, name)] if name in systems else style.GREY
        for name in groups
    }
    top = style.ceiling([drawn], least)
    if len(drawn) > (FEW_LINES if small else numbers.MOST_LINES):
        traces = _medians_and_bands(drawn, groups, colours, systems)
    else:
        traces = _session_lines(sessions, drawn, groups, colours)
        traces += _session_end_marks(sessions, systems, length, top if not small else 0.0)
    x = np.arange(1, end + 1)
    free = style.COLOURS[len(systems) :]  # no session takes a system's
    for i, name in enumerate(one for one in chosen if one in sessions.names):
        row, own = sessions.names.index(name), (len(systems) + i) % len(style.MARKS)
        colour, dash = (*free, style.GREY)[min(i, len(free))], max(i - len(free), 0)
        title = style.plotly_safe(f"session {name}", name)
        look = {
            "line": {"color": colour, "width": 4, "dash": style.DASHES[dash % len(style.DASHES)]},
            "marker": {"color": colour, "symbol": style.MARKS[own], "size": 10, "maxdisplayed": 6},
            "customdata": [name] * x.size,  # a click on it chooses it again
            "hovertemplate": _value_text(drawn[row]),
            **style.live_runs((int(sessions.places[row]), 0, x.size)),
        }
        traces.append(style.scatter(x, drawn[row], title, "lines+markers") | look)
    across = style.position_axis(sessions.per_query, -(-end // sessions.top), end)
    counts_zeros = any("text" in trace.get("mode", "") for trace in traces)
    low = -(0.08 if counts_zeros else 0.02) * top  # room for counts, beneath 0
    up = style.axis("sDCG (gain)", (low, top))
    return style.figure(traces, across, up, small=small, hovermode="closest")


def _session_lines(
    sessions: IndividualSessions, drawn: Floats, groups: dict[str, Ints], colours: dict[str, str]
) -> list[style.Parts]:
    """A line per session, a trace per system: its rows with gaps between them."""
    lines, positions = list[style.Parts](), np.append(np.arange(1, drawn.shape[1] + 1), np.nan)
    for name, rows in groups.items():
        x = np.tile(positions, rows.size).astype(np.float32)
        y = np.pad(drawn[rows], ((0, 0), (0, 1)), constant_values=np.nan).ravel().astype(np.float32)
        curve = style.scatter(x, y, style.plotly_safe(f"{name}, each session", name), "lines")
        look = {
            "line": {"color": colours[name], "width": 1.2},
            "opacity": 0.8 if len(drawn) <= FEW_LINES else 0.35,
            "hoverinfo": "skip",
        }
        runs = [(i, 0, drawn.shape[1]) for i in sessions.places[rows].tolist()]
        lines.append({**curve, **look, **style.live_runs(*runs, gaps=True)})
    return lines


def _session_end_marks(
    sessions: IndividualSessions, systems: Sequence[str], length: int, top: float
) -> list[style.Parts]:
    """A mark where each session ends, and dots where its queries do.

    Ends that lie on each other are spread, and counted, if the axis has a `top`.
    """
    shown = sessions.end(length)
    quits = np.flatnonzero((sessions.ends <= shown) & (sessions.ends > 0))
    ends = sessions.ends[quits]
    steps = sessions.steps
    row, query = np.nonzero((steps > 0) & (steps <= shown) & (steps < sessions.ends[:, None]))
    marks = _system_marks_on_lines(sessions, systems, quits, ends, "end of the session", 9)
    dots = _system_marks_on_lines(sessions, systems, row, steps[row, query], "end of a query", 5)
    if not top:
        return [marks, dots]
    values = sessions.vectors[quits, ends - 1]
    marks["x"] = spread_marks(ends, values, top, sessions.top)
    counts = zero_mark_counts(ends, values, sessions.places[quits])
    return [*([counts] if counts else []), marks | {"cliponaxis": False}, dots]


def _system_marks_on_lines(
    sessions: IndividualSessions,
    systems: Sequence[str],
    rows: Ints,
    positions: Ints,
    words: str,
    size: int,
) -> style.Parts:
    """Marks on the lines, by colour and form of their systems; they can be clicked."""
    each = [style.place(systems, name) for name in sessions.scores["system"].iloc[rows]]
    look = {"color": [style.COLOURS[i] for i in each], "symbol": [style.MARKS[i] for i in each]}
    if len(set(each)) == 1:  # then the legend shows it too
        look = {name: values[0] for name, values in look.items()}
    names = [sessions.names[i] for i in rows.tolist()]
    values = sessions.vectors[rows, positions - 1]
    places = zip(sessions.places[rows].tolist(), (positions - 1).tolist(), strict=True)
    return style.scatter(positions, values, words, "markers") | {
        "marker": {**look, "size": size},
        "text": [style.plotly_safe(name) for name in names],
        "customdata": names,
        "hovertemplate": f"%{{text}}: {_value_text(values)}<extra></extra>",
        "showlegend": size > 5,
        **style.live_runs(*((curve, place, 1) for curve, place in places)),
    }


def _value_text(values: Floats) -> str:
    """How values are written: three digits, but large ones whole, as wall and first line do."""
    return "%{y:,.1f}" if values.max(initial=0.0) >= WHOLE else "%{y:,.3r}"


def _medians_and_bands(
    drawn: Floats, groups: dict[str, Ints], colours: dict[str, str], systems: Sequence[str]
) -> list[style.Parts]:
    """Median of each system's many sessions, and bands around it where there is room for them."""
    x = np.arange(1, drawn.shape[1] + 1)
    bands, medians = list[style.Parts](), list[style.Parts]()
    for name, rows in groups.items():
        quantiles = np.quantile(drawn[rows], (0.1, 0.25, 0.5, 0.75, 0.9), axis=0)
        low, lower, middle, upper, high = quantiles
        edges = ((low, high, "80% of the sessions"), (lower, upper, "half of the sessions"))
        for below, above, words in edges if len(groups) <= MOST_BANDS else ():
            shown = style.plotly_safe(f"{name}, {words}" if len(groups) > 1 else words, name)
            bands.append(style.area(x, below, above, shown, colours[name], opacity=0.18))
        words = f"{name}, median"
        if name in systems:
            medians.append(style.line(systems, name, x, middle, "%{y:,.3r}", name=words))
        else:
            own = {"line": {"color": style.GREY, "width": 2.5}, "hovertemplate": "%{y:,.3r}"}
            medians.append({"type": "scatter", "x": x, "y": middle, "name": words, **own})
    return [*bands, *medians]


def draw_wall(seen: IndividualSessions) -> go.Figure:
    """What each query of each session brought: a row a session, in their order, a column a query.

    Grey where nobody judged the query's topic; nothing where the session had ended.
    """
    queries, rows, top = seen.shown_queries, len(seen.names), colour_scale_top(seen)
    x, y = np.arange(1, queries + 1), np.arange(1, rows + 1)
    grid = {"type": "heatmap", "x": x, "y": y, "xgap": 1, "ygap": 1 if rows <= 150 else 0}
    loses = bool((seen.shown_values < 0).any())
    names = np.array([*map(style.plotly_safe, seen.names)], dtype=object)
    text = {"size": 14, "color": style.GREY}
    worth = grid | {
        "z": seen.shown_values,
        "name": seen.shade,
        "zmin": -loses * top,
        "zmax": top,
        "colorbar": {
            "thickness": 12,
            "tickfont": text | {"size": 13},
            "title": {"text": seen.shade, "font": text},
        },
        "customdata": names[:, None].repeat(queries, axis=1),
        "hovertemplate": "%{customdata}, query %{x}: %{z:.3g}<extra></extra>",
        "colorscale": [[0, LOW], [0.5, NEAR_0], [1, HIGH]] if loses else [[0, NEAR_0], [1, HIGH]],
    }
    nobody = grid | {
        "z": np.where(seen.unjudged, 1.0, np.nan),
        "name": "topic unjudged",
        "colorscale": [[0, style.FAINT], [1, style.FAINT]],
        "showscale": False,
        "hoverinfo": "skip",
    }
    numbers = range(1, queries + 1, max(1, -(-queries // 14)))
    ticks = style.ticks(numbers, [f"Q{q}" for q in numbers])
    return style.figure(
        [worth, *([nobody] if seen.unjudged.any() else [])],
        style.axis("Query", (0.5, queries + 0.5), **ticks, showgrid=False),
        style.axis("Session", (rows + 0.5, 0.5), showgrid=False),
        hovermode="closest",
        showlegend=False,
    )


def session_by_query_table(seen: IndividualSessions) -> tuple[pd.DataFrame, Any]:
    """A row a session with its scores, and a column a query; plain, and coloured where it is."""
    queries = [f"Q{number}" for number in range(1, seen.shown_queries + 1)]
    by = f"by {seen.group}"
    taken = {name: f"{name} (rating)" for name in (*queries, "end", "tags", by)}
    listed = seen.session_list_table().rename(columns=taken)
    cells = pd.DataFrame(seen.shown_values, columns=pd.Index(queries)).astype("float32")
    first = ["session", "final"]
    parts = [listed[first], cells.assign(end=seen.ended_so), listed.drop(columns=first)]
    table = pd.concat(parts, axis=1)
    if any(seen.tags):
        table["tags"] = seen.tags
    if (of := seen.grouped) is not None:
        table.insert(0, by, of.astype(str).groupby(level=0).agg(JOINED.join))
    if not seen.is_coloured:
        return table, table
    colours = pd.DataFrame(wall_colours(seen), table.index, cells.columns)
    return table, table.style.apply(lambda _: colours, axis=None, subset=cells.columns)


def wall_colours(seen: IndividualSessions) -> NDArray[np.object_]:
    """The ground of each cell as CSS, (N, Q), on which text is read in light and dark."""
    ends = colour_scale_top(seen) / 2.0 ** np.arange(len(STRENGTHS) - 1, -1, -1)
    values = np.nan_to_num(seen.shown_values)
    level = np.minimum(np.searchsorted(ends, np.abs(values)), len(STRENGTHS) - 1)
    grounds = np.array([[f"background-color: rgba({of},{by})" for by in STRENGTHS] for of in HUES])
    css = np.where(values == 0, "", grounds[(values < 0).astype(int), level])
    return np.where(seen.unjudged, f"background-color: {style.FAINT}", css).astype(object)


def colour_scale_top(seen: IndividualSessions) -> float:
    """The round number that the strongest colour of the wall goes to."""
    return style.ceiling([np.abs(seen.shown_values)])


ROOM = 0.6  # of a query's width, that marks of one place take at most
APART = 0.12  # and one of its neighbour, where there is room
FEWEST = 2  # marks at 0, from which on their number is written


def spread_marks(x: Ints, y: Floats, top: float, wide: int) -> Floats:
    """Places at which no mark lies on another, (N,), beside each other about where they belong.

    x, y : where marks belong · top : end of the upward axis · wide : positions of a query
    """
    # marks within a hundredth of the axis lie on each other
    place = pd.DataFrame({"x": x, "y": np.where(y == 0, -1.0, np.round(100 * y / top))})
    group = place.groupby(["x", "y"])
    among, each = group.cumcount().to_numpy(), group["x"].transform("size").to_numpy()
    return x + (among - (each - 1) / 2) * (np.minimum(APART, ROOM / np.maximum(each - 1, 1)) * wide)


def zero_mark_counts(x: Ints, y: Floats, curves: Ints) -> style.Parts | None:
    """How many marks lie at 0 at each place, as text beneath them; it moves with their `curves`."""
    zero = np.flatnonzero(y == 0)
    _, first, count = np.unique(x[zero], return_index=True, return_counts=True)
    at, number = zero[first[count >= FEWEST]], count[count >= FEWEST].tolist()
    if not at.size:
        return None
    places = zip(curves[at].tolist(), x[at].tolist(), strict=True)
    words = [f"×{many} at 0" for many in number]
    return style.scatter(x[at], y[at], "sessions that end at 0", "markers+text", text=words) | {
        "marker": {"size": 10, "opacity": 0},  # keeps the number off the marks, of 9 pixels
        "textposition": "bottom center",
        "textfont": {"color": style.GREY, "size": 13},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
        **style.live_runs(*[(curve, place - 1, 1) for curve, place in places]),
    }


def draw_inspector(session: Inspected, systems: Sequence[str]) -> go.Figure:
    """V and I by position, a faint vertical at each query's end, a mark where the searcher quit.

    A line goes up to the ideal at the end of the query at which the session fell behind most.
    """
    own = style.place(systems, session.system)
    x = np.arange(1, session.vector.size + 1)
    traces = [
        style.scatter(x, session.ideal, "its ideal", "lines")
        | {"line": {"color": style.GREY, "width": 1.5}},
        style.scatter(x, session.vector, style.plotly_safe(session.session), "lines")
        | {"line": {"color": style.COLOURS[own], "width": 3}},
        style.scatter(x[-1:], session.vector[-1:], "end of the session", "markers")
        | {"marker": {"color": style.COLOURS[own], "symbol": style.MARKS[own], "size": 11}},
    ]
    if session.worst:
        end = session.ends[session.worst - 1]
        gap = np.array([session.vector[end - 1], session.ideal[end - 1]])
        fell = style.scatter(np.array([end, end]), gap, f"worst query, Q{session.worst}", "lines")
        traces.append(fell | {"line": {"color": style.GREY, "width": 3, "dash": "2px,2px"}})
    traces = [trace | {"hovertemplate": "%{y:,.3r}"} for trace in traces]
    across = style.query_ends_axis(session.ends, x.size)
    top = style.ceiling([session.vector, session.ideal])
    return style.figure(traces, across, style.axis("sDCG (gain)", (-0.02 * top, top)), height=320)
