"""Individual sessions in words: how they end, what was drawn, and one that is looked into."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.inventory.data import Tagged
from sdcg_explorer.analysis.sessions.individual_sessions import MOST_LINES, IndividualSessions
from sdcg_explorer.analysis.sessions.inspector import Inspected
from sdcg_explorer.analysis.sessions.session_list import ALL, ENDS, GAVE_UP, LAST_ONLY, NOTHING
from sdcg_explorer.analysis.sessions.wall import (
    MOST_CELLS,
    MOST_QUERIES,
    NOBODY,
    OF_PARTS,
    SHADES,
    Wall,
)
from sdcg_explorer.questions.words.wording import (
    counted,
    enumerated,
    left_out,
    none_left,
    plural,
    share,
    short,
)
from sdcg_explorer.study.tags import Tags, joined

GAIN = "A query gains where its list is worth more than 0 before the query discount (dcg)."
FOUND, *_ = ENDS
IS_FOUND = "a result worth more than 0 in the last query, none in the one before it, if any"
THAT = {  # said after a number of sessions
    ALL: "",
    NOTHING: " that gained nothing",
    GAVE_UP: " that gave up after a first success",
    LAST_ONLY: " of which only the last query gained",
}
LENGTH = 6  # queries on the axis of Figure 4, unless another number is asked for
AS_BEFORE = 1e-12
WHOLE, LARGE = 1000, 1e15  # between which worth is a whole number, and not three digits
NOT_JUDGED, NO_WORTH_BEFORE = "nobody judged its topic", "the query before has no worth"


def adding_up(of: Inspected) -> str:
    """What the contributions of a session's results come to, and to what they could."""
    said = f"Contributions of all results add up to {short(of.final)}"
    if not of.highest > of.final:
        return f"{said}."
    most = f"they would to {short(of.highest)}, were all that is unjudged worth the highest gain"
    return f"{said}; {most}."


def sessions_that(number: int, only: str) -> str:
    """So many sessions, by what they gained.

    >>> sessions_that(16, NOTHING), sessions_that(1, ALL)
    ('16 sessions that gained nothing', '1 session')
    """
    return f"{counted(number, 'session')}{THAT[only]}"


def none_by(only: str) -> str:
    """What is said where a filter keeps no session.

    >>> none_by(NOTHING)
    'No session is left by “gained nothing”; “all” shows every one again.'
    """
    return f"No session is left by “{only}”; “{ALL}” shows every one again."


def worth(value: float) -> str:
    """What a session is worth, as the wall has it: three digits, or a whole number.

    >>> worth(17.26), worth(1175.7)
    ('17.3', '1,176')
    """
    return f"{value:,.0f}" if WHOLE <= abs(value) < LARGE else short(value)


def answer(each: IndividualSessions, length: int = LENGTH) -> str:
    """The page's first line, beside a figure of so many queries."""
    if each.only != ALL:
        return _of_those(each, length)
    if not each.names:
        what, do = f"session{_whose(each)} on a judged topic", "choose another topic"
        return none_left(what, each.without_judgments, do=do)
    least, most = map(worth, (each.scores["final"].min(), each.scores["final"].max()))
    if len(each.names) == 1:
        queries = counted(int(each.scores["queries"].iloc[0]), "query")
        return f"The one session shown ends at {least}, after {queries}{_beyond(each, length)}."
    at = f"at {least}" if least == most else f"between {least} and {most}"
    end = f"the {len(each.names):,} sessions shown end {at}{_beyond(each, length)}."
    if not each.several:
        return f"No session asked more than one query; {end}"
    gain = plural(each.silent, "gains nothing before its", "gain nothing before their")
    several = counted(each.several, "session")
    return f"{each.silent:,} of {several} with several queries {gain} last query; {end}"


def _beyond(each: IndividualSessions, length: int) -> str:
    """How many of the ends that are said the figure does not show."""
    beyond = int((each.ends > each.end(length)).sum())
    if not beyond:
        return ""
    return ", beyond the axis" if len(each.names) == 1 else f", {beyond:,} of them beyond the axis"


def _of_those(each: IndividualSessions, length: int) -> str:
    """How those end that gained so, and after how many queries."""
    if not each.names:
        return none_by(each.only)
    final, queries = each.scores["final"], each.scores["queries"]
    least, most = worth(final.min()), worth(final.max())
    end = plural(len(each.names), "ends", "end")
    at = f"at {least}" if least == most else f"between {least} and {most}"
    fewest, longest = int(queries.min()), int(queries.max())
    asked = f"{fewest:,} to " if fewest < longest else ""
    which = sessions_that(len(each.names), each.only)
    after = f"after {asked}{counted(longest, 'query')}"
    return f"The {which} {end} {at}, {after}{_beyond(each, length)}."


def _whose(each: IndividualSessions) -> str:
    return f" of {each.system}" if each.system else ""


def goes_on(each: IndividualSessions, length: int) -> str:
    """How many sessions go on beyond an axis of so many queries, if any do."""
    beyond = int((each.ends > each.end(length)).sum())
    if not beyond:
        return ""
    go = plural(beyond, "goes", "go")
    return f"{beyond:,} of {counted(len(each.names), 'session')} {go} on beyond the axis."


def behind(each: IndividualSessions) -> str:
    """What stands behind the picture: sessions drawn, and what was left out."""
    drawn = sessions_that(len(each.names), each.only)
    how = "as median and bands" if len(each.names) > MOST_LINES else "one line each"
    return f"{drawn}{_whose(each)}, {how}.{left_out(each.without_judgments)}"


def of_wall(seen: Wall) -> str:
    """How sessions ended, and how many each filter keeps."""
    if not seen.names:
        if seen.only != ALL:
            return none_by(seen.only)
        what, do = "session on a judged topic", "choose another topic"
        return none_left(what, seen.without_judgments, do=do)
    counts = {end: f"{count:,} {end}" for end, count in seen.ended.items()}
    ends = enumerated([*(counts | {FOUND: f"{counts[FOUND]} ({IS_FOUND})"}).values()])
    those = f"Of {sessions_that(len(seen.names), seen.only)}, by their ends: {ends}."
    if seen.only != ALL:
        return those
    return (
        f"{those} {seen.kept[NOTHING]:,} gained nothing, {seen.kept[GAVE_UP]:,} gave up after "
        f"a first success, and in {seen.kept[LAST_ONLY]:,} only the last of several queries "
        "gained."
    )


def behind_wall(seen: Wall) -> str:
    """What its cells show, which have no colours or columns, what is undefined or left out."""
    about = (SHADES | OF_PARTS)[seen.shade]
    lines = [f"A row is a session, Q1, Q2 … its queries. {seen.shade}: {about}."]
    queries, longest = seen.shown_queries, int(seen.queries.max(initial=1))
    if (seen.looks == NOBODY).any():
        lines.append("Grey: nobody judged the query's topic.")
    if not seen.is_coloured:
        most = f"{MOST_CELLS:,} cells and {MOST_QUERIES} queries"
        have = f"{len(seen.names) * longest:,} cells and {counted(longest, 'query')}"
        lines.append(f"Cells are coloured up to {most}; these sessions have {have}.")
    if queries < longest:
        lines.append(f"The table shows {queries:,} of {longest:,} queries; the CSV has all.")
    if undefined := len(seen.names) - sum(seen.ended.values()):
        ended = counted(undefined, "session")
        lines.append(f"Of {ended} the end is undefined: nobody judged its last topics.")
    if seen.not_whole:
        some = counted(seen.not_whole, "session")
        lines.append(f"{some} with a query on a topic nobody judged: in no filter but all.")
    return " ".join(lines) + left_out(seen.without_judgments)


def title(seen: Inspected) -> str:
    """Who did what, and what it was worth."""
    by = f" by {seen.searcher}" if seen.searcher else ""
    who = f"{seen.session}, {seen.system}{by}: {counted(len(seen.queries), 'query')}"
    if np.isnan(seen.final):
        return f"{who} on topics nobody judged"
    of = "" if np.isnan(seen.share) else f", {share(seen.share)} of the ideal"
    return f"{who}, worth {worth(seen.final)}{of}"


def listed(seen: Inspected, tags: Tags) -> pd.DataFrame:
    """Queries with their changes in words, and with tags where any has some."""
    queries = seen.queries.rename(columns={"query_number": "query"})
    changes = queries[["dcg", "change_dcg"]].to_numpy()
    words = [_changed(*each, first=not q) for q, each in enumerate(changes.tolist())]
    queries.insert([*queries.columns].index("change_dcg") + 1, "in words", words)
    if not queries["time"].astype(bool).any():
        queries = queries.drop(columns="time")
    given = [joined(tags, seen.session, number) for number in queries["query"].tolist()]
    return queries.assign(tags=given) if any(given) else queries


def _changed(dcg: float, change: float, *, first: bool) -> str:
    """A change of DCG."""
    if np.isnan(dcg):
        return NOT_JUDGED
    if first:
        return ""
    if np.isnan(change):
        return NO_WORTH_BEFORE
    if abs(change) <= AS_BEFORE:
        return "as before"
    return f"{'▲ gained' if change > 0 else '▼ lost'} {short(abs(change))}"


def tags(counts: Tagged) -> str:
    """How many queries are tagged, and how each system's most often."""
    left = f" {counts.elsewhere:,} more beyond the filters." if counts.elsewhere else ""
    if not counts.tagged:
        return f"None of {counted(counts.queries, 'query')} is tagged.{left}"
    often = counts.table.sort_values("queries", ascending=False, kind="stable")
    first = often.drop_duplicates("system").sort_values("system")
    most = [f"{row.system}: {row.tag} ({row.queries:,})" for row in first.itertuples()]
    of = f"{counts.tagged:,} of {counted(counts.queries, 'query')} tagged"
    return f"{of}; most often in {'; '.join(most)}.{left}"
