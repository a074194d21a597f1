"""Overview in words: what is in the study, how it was designed, and what sDCG is."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sdcg_explorer.questions.overview.numbers import Design, Overview
from sdcg_explorer.questions.wording import counted, enumerated, plural, share

WHAT = (
    "sDCG (session-based discounted cumulated gain) measures how useful a session's results are. "
    "Each result adds the gain of its grade, discounted the further down the list it is and "
    "the later its query comes in the session."
)
GONE = {  # pages of older versions, by what the address says of them
    "words": "The Words page no longer exists. Hover over a term with a dotted underline, or see "
    "the [glossary](https://sdcg-explorer.github.io/sdcg-explorer/glossary.html)."
}


def answer(seen: Overview) -> str:
    """The page's first line."""
    if not seen.sessions:
        return "The filters leave no session: widen them."
    by = f" by {counted(seen.searchers, 'searcher')}" if seen.searchers else ""
    by = f" ({seen.sessions - seen.nameless:,}{by})" if by and seen.nameless else by
    share = f"{seen.judged_overall:.1%}"
    share = {"100.0%": "over 99.9%", "0.0%": "less than 0.1%"}.get(share, share) + " of the"
    share = {1.0: "all", 0.0: "none of the"}.get(seen.judged_overall, share)
    are = "count as" if seen.graded == "seen" else "are"
    judged = f"{share} results in the top {seen.top} {are} {seen.graded}"
    if np.isnan(seen.judged_overall):
        judged = f"there are no results in the top {seen.top}"
    return (
        f"{counted(seen.sessions, 'session')}{by} on {counted(seen.topics, 'topic')} with "
        f"{counted(len(seen.systems), 'system')}; {counted(seen.queries, 'query')}; {judged}."
    )


def repeated(seen: Overview) -> str:
    """How many results came again in their session, on one topic and on any."""
    again = f"Results shown again within a session (top {seen.top})"
    if not seen.sessions:
        return ""
    if not any(seen.repeats_by_document):
        return f"No session shows a document twice in its top {seen.top}."
    shown = [int(seen.grades[f"shown by {system}"].sum()) for system in seen.systems]
    of_topic, of_any = (
        "; ".join(f"{s}, {n:,} of {of:,}" for s, n, of in zip(seen.systems, ns, shown, strict=True))
        for ns in (seen.repeats, seen.repeats_by_document)
    )
    if of_topic == of_any:
        return f"{again}: {of_any}."
    return f"{again}, on the same topic: {of_topic}. On any topic: {of_any}."


def spread(runs: pd.DataFrame) -> list[str]:
    """How far several sessions of one system on one topic lie apart, a sentence a system."""
    return [
        f"{system}: the share of the ideal varies by {share(within)} between sessions on the same "
        f"topic and by {share(between)} between topics (standard deviations; "
        f"{counted(sessions, 'session')} on {counted(topics, 'topic')})."
        for system, topics, sessions, within, between in runs.to_numpy(dtype=object).tolist()
    ]


def behind(seen: Overview) -> str:
    """What a reader should know of the counts."""
    they = plural(seen.empty, "it counts as a query", "they count as queries")
    empty = f"{counted(seen.empty, 'query')} returned no results; {they}."
    left = counted(seen.without_judgments, "session")
    without = f"Left out of every mean: {left} without a judged topic."
    return " ".join([empty] * bool(seen.empty) + [without] * bool(seen.without_judgments))


def began(who: Design) -> str:
    """With which system searchers began, where times tell."""
    if not who.began:
        return ""
    known = sum(who.began.values())
    unknown = who.with_several - known
    each = [f"{count:,} with {system}" for system, count in who.began.items()]
    rest = f"; for {unknown:,} more the times don't tell" if unknown else ""
    if len(each) == 1 and not unknown:
        every = {1: "The searcher", 2: "Both searchers"}.get(known, f"All {known:,} searchers")
        return f"{every} who used several systems began with {next(iter(who.began))}."
    each[0] = each[0].replace(" with ", " began with ", 1)
    return f"Of {counted(known, 'searcher')} who used several systems, {enumerated(each)}{rest}."
