"""Grades from what searchers did with a result: clicked, read for a while, saved."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.study.arrays import Bools, Floats, Ints, category_codes, whole
from sdcg_explorer.study.columns import seconds_of

DWELL, SAVED, OPENED = "dwell", "saved", "opened_at"  # columns of results, where they are logged
PASSED_OVER, CLICKED, READ, KEPT = BEHAVIOUR_GRADES = (0.0, 1.0, 2.0, 3.0)
COARSE = 10  # seconds: where times are multiples of so many, they tell nothing of reading


@dataclass(frozen=True)
class Behaviour:
    """What a click says: seconds of reading that satisfy, and whether a session's last click does.

    Source: Fox et al., ACM Transactions on Information Systems 23(2), 2005.
    """

    seconds: float = 30.0
    last_satisfies: bool = True


def is_logged(results: pd.DataFrame) -> bool:
    """Whether some results of a study were clicked or saved; of none clicks tell nothing."""
    marks = (results[name] for name in ("clicked", SAVED) if name in results)
    return any(bool((mark.astype("boolean").fillna(False)).any()) for mark in marks)


def behaviour_grades(queries: pd.DataFrame, results: pd.DataFrame, how: Behaviour) -> Floats:
    """Grade of each result (N,) by what the session's searcher did with it there.

    3 where it was saved; 2 where it was clicked and read for long enough, or clicked last in its
    session; 1 where it was clicked; 0 where a result further down its list was. nan where nothing
    at its rank or below was clicked: nobody knows that it was seen. A document that stands twice
    in a list has the higher grade at both.

    Source: Fox et al., ACM Transactions on Information Systems 23(2), 2005.
    """
    session, number = category_codes(results["session"]), whole(results["query_number"])
    rank, saved = whole(results["rank"]), _column_as_numbers(results, SAVED) > 0
    opened = (_column_as_numbers(results, "clicked") > 0) | saved
    deepest = pd.Series(np.where(opened, rank, 0)).groupby([session, number]).transform("max")
    satisfied = reading_seconds(queries, results) >= how.seconds
    if how.last_satisfies:
        satisfied |= _is_last(session, _column_as_numbers(results, OPENED), number, rank, opened)
    grades = np.where(rank <= deepest, PASSED_OVER, np.nan)
    grades[opened] = np.where(satisfied, READ, CLICKED)[opened]
    grades[saved] = KEPT
    appearances = pd.Series(grades).groupby([session, number, category_codes(results["doc"])])
    return appearances.transform("max").to_numpy()


def _column_as_numbers(results: pd.DataFrame, name: str) -> Floats:
    """A column of results as numbers (N,); nan where it says nothing."""
    if name not in results:
        return np.full(len(results), np.nan)
    return results[name].to_numpy(dtype=float, na_value=np.nan)


def reading_seconds(queries: pd.DataFrame, results: pd.DataFrame) -> Floats:
    """Seconds that each result (N,) was read for; nan where they aren't known.

    Where no reading time is logged, the time from a click to the session's next click or query
    stands in, unless all times are multiples of 10 s or more. After a session's last event none
    is known.
    """
    logged = _column_as_numbers(results, DWELL)
    clicked = _column_as_numbers(results, OPENED)
    if not np.isnan(logged).all() or np.isnan(clicked).all():
        return logged
    session = np.append(category_codes(results["session"]), category_codes(queries["session"]))
    time = np.append(clicked, seconds_of(queries["time"].astype("str").astype("category")))
    if are_coarse_times(time[~np.isnan(time)]):
        return logged
    events = pd.DataFrame({"session": session, "time": time})
    distinct = events.dropna().drop_duplicates().sort_values(["session", "time"])
    distinct["seconds"] = -distinct.groupby("session")["time"].diff(-1)
    return events.merge(distinct, how="left")["seconds"].to_numpy()[: len(results)]


def is_time_to_next(queries: pd.DataFrame, results: pd.DataFrame) -> bool:
    """Whether the time to the next event stands in for reading times, which aren't logged."""
    logged = _column_as_numbers(results, DWELL)
    return bool(np.isnan(logged).all() and (~np.isnan(reading_seconds(queries, results))).any())


def are_coarse_times(times: Floats) -> bool:
    """Whether all times are multiples of some 10 seconds or more, as of whole minutes.

    >>> are_coarse_times(np.array([60.0, 120.0, 3600.0])), are_coarse_times(np.array([60.0, 121.0]))
    (True, False)
    """
    whole_seconds = np.round(times).astype(np.int64)
    return bool(np.gcd.reduce(whole_seconds) >= COARSE and (times == whole_seconds).all())


def _is_last(session: Ints, time: Floats, number: Ints, rank: Ints, opened: Bools) -> Bools:
    """Whether a result (N,) is the last that its session opened: by time, or where it stands."""
    places = {"session": session, "time": time, "number": number, "rank": rank}
    in_order = pd.DataFrame(places)[opened].sort_values([*places], na_position="first")
    return np.isin(np.arange(session.size), in_order.drop_duplicates("session", keep="last").index)
