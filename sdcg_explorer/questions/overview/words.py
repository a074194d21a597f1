"""Overview in words: what is in the study, how it was designed, and what sDCG is."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sdcg_explorer.questions.overview.numbers import BETWEEN, UNKNOWN, WITHIN, Design, Overview
from sdcg_explorer.questions.wording import counted, each_of, share

WHAT = (
    "sDCG, session-discounted cumulated gain, is what a session is worth to its searcher. A result "
    "brings the gain of its grade: less, the further down its list it stands, and less, the later "
    "the query that found it."
)
GONE = {  # pages of older versions, by what the address says of them
    "words": "The page Words is gone. A term is explained where it stands: point at one that is "
    "underlined with dots. All of them are in the documentation's [glossary]"
    "(https://sdcg-explorer.github.io/sdcg-explorer/glossary.html)."
}
PAIRED = "Paired by topic: systems share topics, {} each, so topics are compared."


def answer(seen: Overview) -> str:
    """The page's first line."""
    if not seen.sessions:
        return "No session is left: widen the filters under Show."
    by = f" by {counted(seen.searchers, 'searcher')}" if seen.searchers else ""
    topics = counted(seen.topics, "topic")
    return (
        f"{counted(seen.sessions, 'session')}{by} on {topics} with "
        f"{counted(len(seen.systems), 'system')}; {counted(seen.queries, 'query')}; "
        f"{_judged(seen)}."
    )


def _judged(seen: Overview) -> str:
    if np.isnan(seen.judged_overall):
        return f"no result is shown in the top {seen.top}"
    if seen.judged_overall == 1:
        return f"every shown result in the top {seen.top} is judged"
    return f"{seen.judged_overall:.1%} of the results in the top {seen.top} are judged"


def repeated(seen: Overview) -> str:
    """How many results came again in their session, on one topic and on any."""
    again = f"Results in the top {seen.top} that their session had shown before"
    of_topic, of_any = (_of_shown(seen, n) for n in (seen.repeats, seen.repeats_by_document))
    if of_topic == of_any:
        return f"{again}: {of_any}."
    return f"{again} on the same topic: {of_topic}; on any topic: {of_any}."


def _of_shown(seen: Overview, numbers: tuple[int, ...]) -> str:
    """Each system's number of its results."""
    return ", ".join(
        f"{system} {number:,} of {int(seen.grades[f'shown by {system}'].sum()):,}"
        for system, number in zip(seen.systems, numbers, strict=True)
    )


def spread(runs: pd.DataFrame) -> list[str]:
    """How far several sessions of one system on one topic lie apart, a sentence a system."""
    return [
        f"{counted(sessions, 'session')} of {system} on {counted(topics, 'topic')}, several on "
        f"each: the share of the ideal has a standard deviation of {share(within)} between "
        f"sessions on one topic, and of {share(between)} between topics."
        for system, topics, sessions, within, between in runs.to_numpy(dtype=object).tolist()
    ]


def behind(seen: Overview) -> str:
    """What a reader should know of the counts."""
    parts = []
    if seen.empty:
        parts.append(f"{counted(seen.empty, 'query')} without results, counted as queries.")
    if seen.without_judgments:
        parts.append(
            f"{counted(seen.without_judgments, 'session')} on topics nobody judged: their worth is "
            "undefined, and they are left out of every mean."
        )
    return " ".join(parts)


def designed(who: Design) -> list[str]:
    """The design in plain words."""
    if not len(who.cells):
        return []
    each = "one session" if int(who.cells["sessions"].max()) == 1 else "several sessions"
    paired = PAIRED.format(each) if who.is_paired else ""
    return [*filter(None, (_who(who), paired, _cells(who), _order(who)))]


def _who(who: Design) -> str:
    used = "both systems" if who.systems == 2 else "several systems"
    if who.kind == UNKNOWN:
        return "No searchers are named: each session stands for itself."
    searchers, each = counted(who.searchers, "searcher"), each_of(who.searchers, "searcher")
    if who.systems == 1:
        return f"One system, used by {searchers}."
    if who.kind == WITHIN:
        return f"Within searchers: {each} used {used}."
    if who.kind == BETWEEN:
        return f"Between searchers: {each} used one of {who.systems} systems."
    return f"Mixed: {who.with_several:,} of {searchers} used {used}, the others one."


def _cells(who: Design) -> str:
    least, most = int(who.cells["sessions"].min()), int(who.cells["sessions"].max())
    cells = f"{counted(len(who.cells), 'cell')} of system and topic"
    if who.is_balanced:
        each = "each of " if len(who.cells) > 1 else ""
        return f"Balanced: {counted(most, 'session')} in {each}{cells}."
    crossed = "" if least else "; some systems never met some topics"
    return f"Not balanced: {least:,} to {counted(most, 'session')} in the {cells}{crossed}."


def _order(who: Design) -> str:
    """With which system searchers began."""
    if not who.began:
        return ""
    known = sum(who.began.values())
    each = ", ".join(f"{count:,} with {system}" for system, count in who.began.items())
    unknown = who.with_several - known
    rest = f"; of {unknown:,} more the times do not tell" if unknown else ""
    return f"Order in time: of {counted(known, 'searcher')} began {each}{rest}."
