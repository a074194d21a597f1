"""Numbers in sentences: counts with their noun, shares without the leading zero."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.scoring import measures, scored_sessions, selection
from sdcg_explorer.study.wording import UNDEFINED, counted, short
from sdcg_explorer.study.wording import capital as capital
from sdcg_explorer.study.wording import plain as plain
from sdcg_explorer.study.wording import plural as plural

if TYPE_CHECKING:  # which take their words from here
    from sdcg_explorer.questions.compare_systems.numbers import Comparison
    from sdcg_explorer.questions.robustness.numbers import Robustness
    from sdcg_explorer.questions.view import View

NAMED = 3  # systems that a first line names each; of more, the highest and the lowest
HEADLINE = 180  # letters: two lines of a headline on the narrowest laptop
LENGTHS = "How many queries do sessions have?"  # under this Table 2 stands on Overview
FILTERS = "widen them"
NO_INTERVAL = "Curves have no interval where there are too few data or too little variation."
TOPICS_APART = "No two systems were used on the same topic, so topics may explain differences."
NO_INTERVAL_OF_MEANS = "A mean has no interval if there are too few data or too little variation."


def in_unit(words: str, unit: str) -> str:
    """What is measured with its unit, which the words may name already.

    >>> in_unit("share of the ideal at the end", "nsDCG"), in_unit("DCG of the query", "DCG")
    ('share of the ideal at the end (nsDCG)', 'DCG of the query')
    >>> in_unit("mean ERR", "ERR (rule gdeval)")
    'mean ERR (rule gdeval)'
    """
    name, _, rest = unit.partition(" (")
    if name not in words:
        return f"{words} ({unit})"
    return f"{words} ({rest}" if rest else words


def all_of(number: int) -> str:
    """All of several, to be followed by what they are.

    >>> all_of(2), all_of(1200)
    ('both', 'all 1,200')
    """
    return "both" if number == 2 else f"all {number:,}"


def enumerated(names: Sequence[str], last_by: str = "and") -> str:
    """Names in a row, the last after "and", or what is said instead.

    >>> enumerated(["A", "B", "C"])
    'A, B and C'
    """
    *most, last = names
    return f"{', '.join(most)} {last_by} {last}" if most else last


def first_fit(*forms: str) -> str:
    """The first of several forms of a headline that two lines hold, or else the shortest.

    >>> first_fit("A is ahead of B" + " by far" * 30 + ".", "A is ahead of B.")
    'A is ahead of B.'
    """
    return next((form for form in forms if len(form) <= HEADLINE), min(forms, key=len))


def missing_interval_note(curves: Sequence[tuple[Floats, Floats]]) -> list[str]:
    """What is said of curves, mean and lower end of the interval of each, that lack theirs.

    >>> mean, low = np.array([1.0, 4.0]), np.array([np.nan, 3.0])
    >>> missing_interval_note([(mean, low)]), missing_interval_note([(mean, mean)])
    (['Curves have no interval where there are too few data or too little variation.'], [])
    """
    return [NO_INTERVAL] * any((np.isnan(low) & ~np.isnan(mean)).any() for mean, low in curves)


def why_none(what: str, unjudged: int, undefined: int = 0, *, unit: str = "", do: str = "") -> str:
    """Why there is nothing to show: sessions are there, but have no score, or filters leave none.

    what : that of which there is none · unjudged : sessions without a judged topic · undefined :
    others in which it is undefined · unit : of a score · do : where no session is there at all

    >>> why_none("session with this score", 0)
    'The filters leave no session with this score: widen them.'
    >>> why_none("session with this score", 1)[37:]
    '1 session has no judged topic.'
    >>> why_none("session with this score", 0, 3, unit="nsDCG")[37:]
    'in 3 sessions the ideal gains nothing.'
    """
    if not unjudged + undefined:
        return f"The filters leave no {what}: {do or FILTERS}."
    on = f"{counted(unjudged, 'session has', 'sessions have')} no judged topic"
    why = "the ideal gains nothing" if unit in measures.SHARES else "it is undefined"
    without = f"in {counted(undefined, 'session')} {why}"
    where = [said for said, number in ((on, unjudged), (without, undefined)) if number]
    return f"There is no {what}: {', and '.join(where)}."


def why_no_score(of: Comparison | Robustness, do: str = "") -> str:
    """Why no session has a score."""
    unjudged, undefined = of.without_judgments, of.undefined
    return why_none("session with this score", unjudged, undefined, unit=of.unit, do=do)


def topics_apart(view: View) -> list[str]:
    """What is said of systems that no topic lets one compare."""
    return [TOPICS_APART] if scored_sessions.share_no_topic(selection.select(*view)) else []


def left_out(unjudged: int, *others: tuple[int, str, str]) -> str:
    """What is said of sessions without a judged topic, and of others, that are left out.

    others : how many, of what, and why

    >>> left_out(2), left_out(0)
    (' Left out: 2 sessions without a judged topic.', '')
    >>> left_out(2, (1, "session", "without the score"))
    ' Left out: 2 sessions without a judged topic and 1 session without the score.'
    """
    groups = ((unjudged, "session", "without a judged topic"), *others)
    each = [f"{counted(number, noun)} {why}" for number, noun, why in groups if number]
    return f" Left out: {enumerated(each)}." if each else ""


def sessions_of(numbers: Mapping[str, int]) -> str:
    """How many sessions stand behind each system; of many systems, the fewest and the most.

    >>> sessions_of({"A": 2, "B": 1}), sessions_of({"A": 2, "B": 1, "C": 1, "D": 2, "E": 0})
    ('A: 2 sessions; B: 1 session.', '1 to 2 sessions behind each curve.')
    >>> sessions_of(dict.fromkeys("ABCDE", 0))
    '0 sessions behind each curve.'
    """
    if len(numbers) <= NAMED:
        each = [f"{name}: {counted(number, 'session')}" for name, number in numbers.items()]
        return f"{'; '.join(each)}."
    least, most = min(filter(None, numbers.values()), default=0), max(numbers.values())
    some = f"{least:,} to {counted(most, 'session')}" if least < most else counted(most, "session")
    return f"{some} behind each curve."


def withheld_note(queries: int) -> str:
    """What is said of a log that keeps queries' results back, if it does.

    >>> withheld_note(1)[:51], withheld_note(0)
    ('Final queries whose results the log withholds: 1; h', '')
    """
    last = "here “last” means the last query with results."
    return f"Final queries whose results the log withholds: {queries:,}; {last}" * bool(queries)


def with_sign(value: float) -> str:
    """A difference with its sign and two significant digits, from 100 on without decimals.

    >>> tuple(map(with_sign, (57.6, -9.59, 0.2342, -1503.2, 0, np.nan)))
    ('+58', '−9.6', '+0.23', '−1,503', '±0', '–')
    """
    if np.isnan(value):
        return "–"
    size = abs(value)
    rounded = f"{size:,.0f}" if size >= 99.5 else f"{size:#.2g}".rstrip(".")
    return f"{'−' if value < 0 else '+'}{rounded}" if value else "±0"


def share(value: float) -> str:
    """A share as .31, and 1.20 where it passes 1.

    >>> share(0.314), share(1.2), share(np.nan)
    ('.31', '1.20', 'undefined')
    """
    return UNDEFINED if np.isnan(value) else f"{value:.2f}".removeprefix("0")


def signed(value: float) -> str:
    """A correlation or another number between −1 and 1, with its sign.

    >>> signed(0.314), signed(-0.05), signed(-0.001), signed(-1.0), signed(np.nan)
    ('.31', '−.05', '.00', '−1.00', 'undefined')
    """
    if np.isnan(value):
        return UNDEFINED
    size = f"{abs(value):.2f}".removeprefix("0")
    return f"−{size}" if value < 0 and size != ".00" else size


def percent(share: float, digits: int = 0) -> str:
    """A share in percent; one that is not quite none, or all, is said so.

    >>> percent(0.124), percent(0.001), percent(0.9996, 1), percent(1.0)
    ('12%', 'less than 1%', 'over 99.9%', '100%')
    """
    shown, last = f"{share:.{digits if share < 1 else 0}%}", 10.0**-digits
    if 0 < share < 1 and float(shown[:-1]) in (0, 100):
        return f"over {100 - last:g}%" if share > 1 / 2 else f"less than {last:g}%"
    return shown


def interval(written: Callable[[float], str], low: float, high: float) -> str:
    """An interval behind its mean, where there is one.

    >>> interval(str, 1.5, 2.5), interval(str, np.nan, np.nan)
    (' (95% interval 1.5 to 2.5)', '')
    """
    return "" if np.isnan(low) else f" (95% interval {written(low)} to {written(high)})"


def interval_cells(rows: pd.DataFrame) -> list[str]:
    """Means, each with its interval where there is one, in a cell of a table.

    rows : mean, low and high, which are nan where there is none

    >>> interval_cells(pd.DataFrame([[0.43, 0.31, 0.55], [0.43, np.nan, np.nan], [np.nan] * 3]))
    ['0.430 [0.310, 0.550]', '0.430', '–']
    """
    return [
        ("–" if np.isnan(mean) else short(mean))
        + ("" if np.isnan(low) else f" [{short(low)}, {short(high)}]")
        for mean, low, high in rows.to_numpy(dtype=float).tolist()
    ]


def p_value(p: float) -> str:
    """A p in words.

    >>> p_value(0.0123), p_value(0.00005), p_value(1.0), p_value(np.nan)
    ('p = .012', 'p < .001', 'p = 1', 'p undefined')
    """
    if np.isnan(p):
        return f"p {UNDEFINED}"
    if p < 0.001:
        return "p < .001"
    return "p = 1" if p > 0.9995 else f"p = {p:.3f}".replace("0.", ".")


def tested(low: float, high: float, p: float) -> str:
    """Interval and p of a difference.

    >>> tested(324.0, 381.9, 0.0004), tested(np.nan, np.nan, np.nan)
    ('95% interval 324 to 382, p < .001', 'not tested')
    """
    if np.isnan(low) and np.isnan(p):
        return "not tested"
    around = "no interval" if np.isnan(low) else f"95% interval {short(low)} to {short(high)}"
    return around + ("" if np.isnan(p) else f", {p_value(p)}")


def note_with_question(asked: str, text: str) -> str:
    """A note with the question that it is about.

    >>> note_with_question("What did it cost?", "Little.")
    'What did it cost? – Little.'
    """
    return f"{asked} – {text}"
