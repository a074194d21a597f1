"""What sessions cost: queries, results, documents, seconds, or a column that is called a cost."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import Score, gain_per_cost, session_score
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.scoring import cache, mean_curves, measures, ratings
from sdcg_explorer.scoring.selection import Sample
from sdcg_explorer.study.arrays import category_codes
from sdcg_explorer.study.columns import is_dwell_time, is_in_ms, plain_name, seconds_of
from sdcg_explorer.study.study import Study

RATE = "gain per: "  # before a cost's name, in that of a score
SECONDS = "seconds"
OF_SESSIONS = " (of sessions)"  # after a column's name that is that of a cost of ours


@dataclass(frozen=True)
class Cost:
    """What something cost, and how it is counted.

    name : in links, and after ``RATE`` · unit : what is counted, of many · per : how many
    units a rate of gain counts as one, called `rate` · column : that it is read off, if any · of :
    query or session, whose column that is · by_query : whether what each query cost is known
    """

    name: str
    unit: str
    per: float = 1.0
    rate: str = ""
    column: str = ""
    of: str = "query"
    by_query: bool = True

    @property
    def score(self) -> str:
        """The rate of gain, by the name of its score."""
        return "per_query" if self.name == "queries" else f"{RATE}{self.name}"


QUERIES = Cost("queries", "queries", rate="query")
RESULTS_SEEN = Cost("results", "results seen", 10.0, "10 results seen")
OPENED = Cost("opened", "documents opened", rate="document opened")
TIME = Cost(SECONDS, "seconds", 60.0, "minute")
BUILT_IN = {cost.name: cost for cost in (QUERIES, RESULTS_SEEN, OPENED, TIME)}
PER = (  # how many of a column's numbers count as one, and what these are called, by its name
    (re.compile("token"), 1000.0, "1,000 {}"),
    (re.compile(r"(^|_)(ms|millis|milliseconds)(_|$)"), 60_000.0, "minute of {}"),
    (re.compile(r"(^|_)(s|sec|secs|seconds)(_|$)"), 60.0, "minute of {}"),
)

# words of a column's name, as `plain_name` has it, that make it a cost: other numbers are ratings
SPENT = {
    *("call", "calls", "token", "tokens", "requests", "clicks", "keystrokes", "steps", "turns"),
    *("cost", "costs", "price", "money", "usd", "eur", "euro", "euros", "dollars", "cents"),
    *("seconds", "sec", "secs", "ms", "millis", "milliseconds", "minutes", "hours", "duration"),
    *("dwell", "dwelltime", "latency", "elapsed", "runtime", "bytes", "energy", "kwh", "joules"),
    *("kosten", "preis", "klicks", "sekunden", "minuten", "stunden", "dauer", "verweildauer"),
    *("cout", "couts", "prix", "secondes", "duree", "costo", "coste", "precio", "segundos"),
    *("minutos", "duracion", "energie", "energia"),
}
SPENT_LAST = {"s", "time", "zeit", "temps", "tiempo"}  # at its end: time_pressure is a rating


def is_cost(column: str) -> bool:
    """Whether a column of numbers says what was spent, by its name.

    >>> is_cost("response_time"), is_cost("tokensOut"), is_cost("satisfaction")
    (True, True, False)
    """
    words = plain_name(column).split("_")
    return column in BUILT_IN or not SPENT.isdisjoint(words) or words[-1] in SPENT_LAST


@cache.kept
def study_costs(study: Study) -> dict[str, Cost]:
    """Everything that sessions of a study may have cost, by name: ours first, then its columns.

    A column of numbers of queries or sessions is one where its name says so: a rating is none.
    """
    clicked = study.results["clicked"].notna().any()
    found = [QUERIES, RESULTS_SEEN, *([OPENED] if clicked else []), *_time_cost(study)]
    for label, rating in ratings.study_number_columns(study).items():
        if (rating.of, label) == ("session", SECONDS) or not is_cost(rating.column):
            continue  # is part of ours, or a rating
        per, rate = _scale_and_unit(rating.column)
        name = f"{label}{OF_SESSIONS}" if label in BUILT_IN else label
        own = {"per": per, "rate": rate, "column": rating.column, "of": rating.of}
        found.append(Cost(name, rating.column, **own, by_query=rating.of == "query"))
    return {cost.name: cost for cost in found}


def cost_by_name(study: Study, name: str) -> Cost:
    """A cost by its name; the usual one where none is given.

    Raises
    ------
    ValueError : the study has no such cost
    """
    known = study_costs(study)
    name = name or usual_cost(study)
    if name not in known:
        raise ValueError(f"cost {name!r}; choose one of {', '.join(known)}.")
    return known[name]


def usual_cost(study: Study) -> str:
    """The cost to open on: seconds where they are known to the end of most sessions, or queries."""
    if SECONDS in study_costs(study):
        cost = study_costs(study)[SECONDS]
        if cost.by_query and np.isfinite(totals_of(study, SECONDS)).mean() > 0.5:
            return SECONDS
    return QUERIES.name


def rates_of(study: Study) -> list[str]:
    """Rates of gain to choose from: by costs that some session is known to have had in all."""
    known = study_costs(study).values()
    return [cost.score for cost in known if np.isfinite(totals_of(study, cost.name)).any()]


@cache.kept
def spent_of(study: Study, name: str) -> Floats:
    """Cost of every session of a study to the end of each of its queries, (S, Q), never falling.

    nan beyond a session's last query, from the first query on whose own cost is not known or below
    0, and throughout where only sessions have it.
    """
    each = _query_costs(study, cost_by_name(study, name))
    return np.cumsum(np.where(np.isfinite(each) & (each >= 0), each, np.nan), axis=1)


@cache.kept
def totals_of(study: Study, name: str) -> Floats:
    """What every session of a study cost in all, (S,); nan where that is not known."""
    cost = cost_by_name(study, name)
    if not cost.by_query:
        return _session_amounts(study, cost.column or SECONDS)
    ends = study.block().queries[:, None] - 1
    last = np.take_along_axis(spent_of(study, name), ends, axis=1)[:, 0]
    if name != SECONDS:
        return last
    return np.where(np.isnan(last), _session_amounts(study, SECONDS), last)


def has_unknown_end(study: Study, cost: Cost) -> Bools:
    """Sessions of a study, timed query by query, of whose last query nobody knows the end, (S,)."""
    if not cost.by_query or cost.name != SECONDS:
        return np.zeros(len(study.sessions), dtype=bool)
    ends = study.block().queries[:, None] - 1
    last = np.take_along_axis(_query_costs(study, cost), ends, axis=1)[:, 0]
    return np.isnan(totals_of(study, cost.name)) & np.isnan(last)


def rate_of(study: Study, name: str) -> Score[measures.Measured]:
    """Gain at a session's end for each so many units of a cost, as a score by its whole name."""
    cost = cost_by_name(study, name.removeprefix(RATE))

    def rate(of: measures.Measured) -> Floats:
        total = totals_of(study, cost.name)[of.chosen.sample.sessions]
        return gain_per_cost(session_score("final", of.chosen.worth), total, cost.per)

    return Score(rate, f"sDCG per {cost.rate}", f"sDCG per {cost.rate}")


def _scale_and_unit(column: str) -> tuple[float, str]:
    """As many of a column's numbers as count as one, and what these are called.

    >>> _scale_and_unit("progress"), _scale_and_unit("calls"), _scale_and_unit("tokens")
    ((1.0, 'unit of progress'), (1.0, 'call'), (1000.0, '1,000 tokens'))
    >>> _scale_and_unit("wait_s"), _scale_and_unit("latency_ms")
    ((60.0, 'minute of wait_s'), (60000.0, 'minute of latency_ms'))
    """
    name = plain_name(column)
    found = [(per, words.format(column)) for form, per, words in PER if form.search(name)]
    is_plural = column.endswith("s") and not column.endswith(("ss", "us", "is"))
    one = column[:-1] if is_plural else f"unit of {column}"
    return found[0] if found else (1.0, one)


def _time_cost(study: Study) -> list[Cost]:
    """Seconds, where queries have times, or sessions say how many they took."""
    if np.isfinite(_query_durations(study)).any():
        return [TIME]
    is_number = SECONDS in study.sessions and pd.api.types.is_numeric_dtype(study.sessions[SECONDS])
    return [replace(TIME, by_query=False)] if is_number else []


def _session_amounts(study: Study, column: str) -> Floats:
    """A column of sessions, (S,); nan where it is no amount, or there is none."""
    if column not in study.sessions or not pd.api.types.is_numeric_dtype(study.sessions[column]):
        return np.full(len(study.sessions), np.nan)
    values = study.sessions[column].to_numpy(dtype=float, na_value=np.nan)
    return np.where(np.isfinite(values) & (values >= 0), values, np.nan)


def _query_costs(study: Study, cost: Cost) -> Floats:
    """What each query of each session cost, (S, Q); nan where that is not known."""
    if not cost.by_query:
        return np.full(study.block().topics.shape, np.nan)
    if cost.column:
        return per_query(study, study.queries[cost.column].to_numpy(dtype=float, na_value=np.nan))
    if cost.name == SECONDS:
        return _query_durations(study)
    if cost == QUERIES:
        return per_query(study, np.ones(len(study.queries)))
    shown, of = study.results_looked_at(), study.results
    counted = shown.noticed if of["examined"].notna().any() else shown.rank > 0
    if cost == OPENED:
        counted = of["clicked"].to_numpy(dtype=float, na_value=0.0) > 0
    return per_query(study, np.bincount(shown.query[counted], minlength=len(study.queries)))


def _query_durations(study: Study) -> Floats:
    """Seconds from each query's start to that of the next, or to the session's end, (S, Q).

    A session starts with its first query; at 0, where its times and its seconds count from there.
    Where it does not say how many seconds it took in all, its last query takes as long as its
    results were looked at; nan where nobody knows that either, and where time would go back.
    """
    began, start = _query_and_session_starts(study)
    total = _session_amounts(study, SECONDS)
    place, end = np.arange(len(began)), study.block().queries - 1
    last = began[place, end]
    ends = np.append(began[:, 1:], np.full((len(began), 1), np.nan), axis=1) - start[:, None]
    ends[place, end] = total
    took = np.diff(ends, axis=1, prepend=0.0)
    looked = _looking_seconds(study)[place, end]
    took[place, end] = np.where(np.isnan(total) & np.isfinite(last), looked, took[place, end])
    return np.where(took >= 0, took, np.nan)


def _query_and_session_starts(study: Study) -> tuple[Floats, Floats]:
    """Times of queries in seconds, (S, Q), and where the session of each counts from, (S,)."""
    began = per_query(study, seconds_of(study.queries["time"].astype("category")))
    last = began[np.arange(len(began)), study.block().queries - 1]
    first, total = began[:, 0], _session_amounts(study, SECONDS)
    return began, np.where((last <= total) & (first >= 0), 0.0, first)


def query_starts(study: Study) -> Floats:
    """Seconds from a session's start to that of each row of queries; nan where it's not known."""
    began, start = _query_and_session_starts(study)
    session = category_codes(study.queries["session"])
    number = study.queries["query_number"].to_numpy(dtype=np.int64)
    return began[session, number - 1] - start[session]


def _looking_seconds(study: Study) -> Floats:
    """Seconds that results of each query were looked at, (S, Q); nan where that is not known."""
    for name in study.queries.columns:
        column = study.queries[name]
        if is_dwell_time(str(name)) and pd.api.types.is_numeric_dtype(column):
            values = per_query(study, column.to_numpy(dtype=float, na_value=np.nan))
            return np.where(values > 0, values / (1000.0 if is_in_ms(str(name)) else 1.0), np.nan)
    return np.full(study.block().topics.shape, np.nan)


def per_query(study: Study, values: Floats | Ints) -> Floats:
    """What is known of each query, in the order of their table, by session and number, (S, Q)."""
    whole = np.full(study.block().topics.shape, np.nan)
    session = study.queries["session"].cat.codes.to_numpy()
    whole[session, study.queries["query_number"].to_numpy(dtype=np.int64) - 1] = values
    return whole


STEPS = 100  # of an axis over amounts
MOST_WHOLE = 200  # up to which each is a step of an axis over whole numbers


@dataclass(frozen=True, eq=False)
class Spending:
    """What sessions of a sample (S,) spend, and when they gain, whatever gain is worth.

    spent (S, Q) : what each had spent by the end of each query · last (S,) : the largest amount
    that is known, nan where none is · is_whole (S,) : whether that is what it cost in all ·
    amounts (P,) : of the axis · bounds (S, Q + 2) : the places from which on a session has had no
    query, one, …, and that from which on it has left the means
    """

    spent: Floats
    last: Floats
    is_whole: Bools
    amounts: Floats
    bounds: Ints

    def over(self, amounts: Floats) -> Spending:
        """The same over other amounts.

        A session whose cost is known in part leaves after the last amount that is.
        """
        part = np.searchsorted(amounts, np.nan_to_num(self.last, nan=-1.0), side="right")
        stop = np.where(self.is_whole, amounts.size, part)
        begun = np.searchsorted(amounts, self.spent)  # nan lies behind all
        bounds = np.column_stack([0 * stop, np.minimum(begun, stop[:, None]), stop])
        return replace(self, amounts=amounts, bounds=bounds)

    def running(self, rows: Bools) -> Ints:
        """How many of these sessions cost so much, or more, at each amount, (P,)."""
        own = np.sort(self.last[rows])
        return own.size - np.searchsorted(own, self.amounts)

    def sums(
        self, rows: Bools, groups: tuple[Ints, Ints], values: Floats, of: Floats | None
    ) -> mean_curves.Sums:
        """Sums of the values (S, Q + 1) of these rows after so many queries, at each amount.

        groups : cluster and system of each row, from 0 · of : what values are a share of, (S,
        Q + 1), else each is one of a mean
        """
        shape = tuple(int(each.max(initial=0)) + 1 for each in groups)
        owner, bounds = groups[0] * shape[1] + groups[1], self.bounds[rows]
        defined = ~np.isnan(values[rows])

        def added(each: Floats) -> Floats:
            """Each is put on at the first of its places, and taken off behind the last."""
            width = self.amounts.size + 1
            ends = owner[:, None] * width + bounds
            size, weights = shape[0] * shape[1] * width, np.where(defined, each, 0.0).ravel()
            on, off = (np.bincount(at.ravel(), weights, size) for at in (ends[:, :-1], ends[:, 1:]))
            return (on - off).reshape(*shape, width).cumsum(axis=2)[..., :-1]

        number = added(np.ones(defined.shape))
        below = number if of is None else np.maximum(added(of[rows]), 0)
        # what was put on and taken off again leaves a rounding
        known = np.where(number > 0, np.maximum(added(values[rows]), 0), 0)
        return mean_curves.Sums(known, number.sum(axis=0, keepdims=True), below)


def sample_spending(study: Study, sample: Sample, asked: Cost, *, every: bool = False) -> Spending:
    """What the sessions of a sample spend; amounts go to the last that ``THIN`` judged ones reach.

    Or to the last of all, if `every` one is asked for.
    """

    def made() -> Spending:
        spent = spent_of(study, asked.name)[sample.sessions, : sample.most_queries]
        known = np.isfinite(spent)
        last = np.max(spent, axis=1, where=known, initial=-np.inf)
        last = np.where(known.any(axis=1), last, np.nan)
        nowhere = np.zeros(0), np.zeros((0, 0), dtype=np.int64)
        bare = Spending(spent, last, known.sum(axis=1) == sample.queries, *nowhere)
        return bare.over(_axis_amounts(spent[sample.judged], last[sample.judged], every=every))

    return sample.kept(("spending", asked.name, every), made)


def _axis_amounts(spent: Floats, last: Floats, *, every: bool) -> Floats:
    """Amounts of the axis, equal steps from 0: whole numbers where all are, each where few."""
    known, reached = np.sort(last[~np.isnan(last)]), spent[np.isfinite(spent)]
    if not known.size:
        return np.zeros(0)
    end = known[-1 if every or known.size < mean_curves.THIN else -mean_curves.THIN]
    are_whole = (reached == np.floor(reached)).all()
    amounts = np.linspace(0.0, end, int(end if are_whole and end <= MOST_WHOLE else STEPS) + 1)
    return np.round(amounts) if are_whole else amounts
