"""Overview in words: what is in the study, how it was designed, and what sDCG is."""

import numpy as np
import pandas as pd

from sdcg_explorer.questions.overview import numbers
from sdcg_explorer.questions.wording import counted, enumerated, percent, share, why_none

WHAT = (
    "sDCG (session-based discounted cumulated gain) measures how useful a session's results are. "
    "Each result adds the gain of its grade, discounted more the lower it is in the list and "
    "the later its query is in the session."
)
GONE = {  # pages of older versions, by what the address says of them
    "words": "The Words page no longer exists. Hover over a term with a dotted underline, or see "
    "the [glossary](https://sdcg-explorer.github.io/sdcg-explorer/glossary.html)."
}


def headline(seen: numbers.Overview) -> str:
    """The page's first line."""
    if not seen.sessions:
        return why_none("session", 0)
    share = percent(seen.judged_overall, 1) if seen.judged_overall else "none"
    judged = "none" if np.isnan(seen.judged_overall) else f"{share} {seen.graded}"
    size = f"{size_text(seen, len(seen.systems))}; {counted(seen.queries, 'query')}"
    return f"{size}; results in the top {seen.top}: {judged}."


def size_text(of: numbers.Overview | numbers.Design, systems: int) -> str:
    """Sessions, searchers, topics and systems."""
    by = f" by {counted(of.searchers, 'searcher')}" if of.searchers else ""
    nameless = f" ({of.nameless:,} without a searcher)" * bool(by and of.nameless)
    on = f"on {counted(of.topics, 'topic')} with {counted(systems, 'system')}"
    return f"{counted(of.sessions, 'session')}{by}{nameless} {on}"


def repeats_sentence(seen: numbers.Overview) -> str:
    """How many results came again in their session, on one topic and on any."""
    shown = [int(seen.grades[f"shown by {system}"].sum()) for system in seen.systems]
    of_topic, of_any = (
        "; ".join(f"{s}, {n:,} of {of:,}" for s, n, of in zip(seen.systems, ns, shown, strict=True))
        for ns in (seen.repeats, seen.repeats_by_document)
    )
    other = f". On any topic: {of_any}" * (of_topic != of_any)
    again = f"Results shown again within a session (top {seen.top}), on the same topic"
    return f"{again}: {of_topic}{other}."


def spread_text(runs: pd.DataFrame) -> list[str]:
    """How far several sessions of one system on one topic lie apart, a sentence a system."""
    return [
        f"{system}: the share of the ideal varies by {share(within)} between sessions on the same "
        f"topic and by {share(between)} between topics (standard deviations; "
        f"{counted(sessions, 'session')} on {counted(topics, 'topic')})."
        for system, topics, sessions, within, between in runs.to_numpy(dtype=object).tolist()
    ]


def counting_notes(seen: numbers.Overview) -> str:
    """What a reader should know of the counts."""
    empty = f"Queries without results, which count as queries: {seen.empty:,}." * bool(seen.empty)
    left = f"Sessions without a judged topic, which have no score: {seen.without_judgments:,}."
    return " ".join(filter(None, (empty, left * bool(seen.without_judgments))))


def began_first(who: numbers.Design) -> str:
    """With which system searchers began, where times tell."""
    if not who.began:
        return ""
    known = sum(who.began.values())
    each = enumerated([f"{count:,} with {system}" for system, count in who.began.items()])
    first = each.replace(" with ", " began with ", 1)
    if rest := who.with_several - known:
        first += f"; for {rest:,} more the times don't tell"
    return f"Of {counted(known, 'searcher')} who used several systems, {first}."


NAMELESS = "Each session that names no searcher counts on its own."


def design_text(of: numbers.Design) -> str:
    """How systems differ, and how often they met topics."""
    kind = {
        numbers.WITHIN: "within searchers, ",
        numbers.BETWEEN: "between searchers, ",
        numbers.MIXED: f"mixed ({of.with_several:,} of {counted(of.searchers, 'searcher')} "
        "with several systems), ",
    }.get(of.kind, "")
    times = (
        f"{f'{least:,} {joint} ' * (least < most)}{counted(most, 'session')} per {what}"
        for what, (least, most) in of.met.items()
        for joint in ("or" if most == least + 1 else "to",)
    )
    square = " (Latin square)" * of.is_square
    alone = ", each topic with one system only" * of.alone
    return f"{kind * (of.systems > 1)}{', '.join(times)}{square}{alone}"


def design_sentence(of: numbers.Design) -> str:
    """The same as a sentence of its own, and what sessions without a searcher stand for."""
    return f"Design: {design_text(of)}.{f' {NAMELESS}' * bool(of.nameless)}"
