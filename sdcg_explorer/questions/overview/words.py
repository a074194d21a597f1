"""Overview in words: what is in the study, how it was designed, and what sDCG is."""

import numpy as np
import pandas as pd

from sdcg_explorer.questions.overview import numbers
from sdcg_explorer.questions.wording import counted, enumerated, percent, plural, share, why_none

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
    by = f" by {counted(seen.searchers, 'searcher')}" if seen.searchers else ""
    by = f" ({seen.sessions - seen.nameless:,}{by})" if by and seen.nameless else by
    share = f"{percent(seen.judged_overall, 1)} of the"
    share = {1.0: "all", 0.0: "none of the"}.get(seen.judged_overall, share)
    are = "count as" if seen.graded == "seen" else "are"
    judged = f"{share} results in the top {seen.top} {are} {seen.graded}"
    if np.isnan(seen.judged_overall):
        judged = f"there are no results in the top {seen.top}"
    return (
        f"{counted(seen.sessions, 'session')}{by} on {counted(seen.topics, 'topic')} with "
        f"{counted(len(seen.systems), 'system')}; {counted(seen.queries, 'query')}; {judged}."
    )


def repeats_sentence(seen: numbers.Overview) -> str:
    """How many results came again in their session, on one topic and on any."""
    again = f"Results shown again within a session (top {seen.top})"
    once = " A document that occurs twice in one list counts once." * bool(seen.copies)
    if not seen.sessions:
        return ""
    if not any(seen.repeats_by_document):
        twice = "in two lists" if once else "twice"
        return f"No session shows a document {twice} in its top {seen.top}.{once}"
    shown = [int(seen.grades[f"shown by {system}"].sum()) for system in seen.systems]
    of_topic, of_any = (
        "; ".join(f"{s}, {n:,} of {of:,}" for s, n, of in zip(seen.systems, ns, shown, strict=True))
        for ns in (seen.repeats, seen.repeats_by_document)
    )
    if of_topic == of_any:
        return f"{again}: {of_any}.{once}"
    return f"{again}, on the same topic: {of_topic}. On any topic: {of_any}.{once}"


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
    they = plural(seen.empty, "it counts as a query", "they count as queries")
    empty = f"{counted(seen.empty, 'query')} returned no results; {they}."
    left = counted(seen.without_judgments, "session")
    without = f"Left out of every mean: {left} without a judged topic."
    return " ".join([empty] * bool(seen.empty) + [without] * bool(seen.without_judgments))


def began_first(who: numbers.Design) -> str:
    """With which system searchers began, where times tell."""
    if not who.began:
        return ""
    known = sum(who.began.values())
    unknown = who.with_several - known
    rest = f"; for {unknown:,} more the times don't tell" if unknown else ""
    if len(who.began) == 1 and not unknown:
        every = {1: "The searcher", 2: "Both searchers"}.get(known, f"All {known:,} searchers")
        return f"{every} who used several systems began with {next(iter(who.began))}."
    first = began_each(who)
    return f"Of {counted(known, 'searcher')} who used several systems, {first}{rest}."


def began_each(who: numbers.Design) -> str:
    """How many searchers began with each system."""
    each = [f"{count:,} with {system}" for system, count in who.began.items()]
    return enumerated(each).replace(" with ", " began with ", 1)


NAMELESS = "These sessions name no searchers, so each counts on its own."
SOME_NAMELESS = "Some sessions name no searcher; each of these counts on its own."


def design_text(found: numbers.Crossing) -> str:
    """The design in plain words; "" where no session is left."""
    if not found.sessions:
        return ""
    if found.seen.kind == numbers.UNKNOWN:
        return f"{of_sessions(found)}. {SOME_NAMELESS if found.seen.searchers else NAMELESS}"
    return f"{who_met_what(found)}{met_often(found)}."


def of_sessions(found: numbers.Crossing) -> str:
    """The design where no searchers are named."""
    size, on = counted(found.sessions, "session"), counted(found.topics, "topic")
    systems = counted(found.seen.systems, "system")
    if not found.pairs.whole or found.topics == found.seen.systems == 1:
        return f"{size} on {on} with {systems}{_one_system_topics_note(found)}"
    if found.seen.systems == 1:
        return f"{size}: {on}, each {found.pairs.words}, with {systems}"
    if found.topics == 1:
        return f"{size} on {on} with {systems}, each {found.pairs.words}"
    return f"{size}: {on} × {systems}, each combination {found.pairs.words}"


def who_met_what(found: numbers.Crossing) -> str:
    """Searchers, topics and systems, with × between those that all met, and how systems differ."""
    seen = found.seen
    topics = f"{' ×' if found.by_topic.whole else ' on'} {counted(found.topics, 'topic')}"
    systems = f" {'×' if found.by_both.whole else 'with'} {counted(seen.systems, 'system')}"
    some = f"{seen.with_several:,} of {counted(seen.searchers, 'searcher')} used several systems"
    kinds = {
        numbers.WITHIN: ", within searchers",
        numbers.BETWEEN: ", between searchers",
        numbers.MIXED: f", mixed ({some})",
    }
    kind = kinds[seen.kind] if seen.systems > 1 else ""
    return f"{counted(seen.searchers, 'searcher')}{topics}{systems}{kind}"


def met_often(found: numbers.Crossing) -> str:
    """How often searchers met topics and systems, and whether systems met topics equally often."""
    topic, system = found.by_topic, found.by_system
    each = f", each topic {topic.words}"
    if found.topics == 1:
        least = f"{topic.least:,} to " * (topic.least < topic.most)
        each = f", {least}{topic.most:,} sessions each" if topic.most > 1 else ""
    if found.seen.kind != numbers.WITHIN or found.seen.systems == 1:
        return f"{each}{_one_system_topics_note(found)}"
    if found.by_both.whole and found.topics > 1:
        return f", each combination {found.by_both.words}"
    if found.topics == 1:
        return f", each system {system.words}"
    if topic.words == system.words:
        return f", each topic and system {topic.words}{_balance_note(found)}"
    return f"{each}, each system {system.words}{_balance_note(found)}"


def _balance_note(found: numbers.Crossing) -> str:
    """Whether systems met the topics equally often; where searchers met all once, a square."""
    pairs = found.pairs
    if found.alone:
        return _one_system_topics_note(found)
    if pairs.whole and pairs.least == pairs.most:
        once = all(often.whole and often.most == 1 for often in (found.by_topic, found.by_system))
        return " (Latin square)" if once and found.topics > 1 else " (balanced)"
    least = pairs.least if pairs.whole else 0
    return f" (not balanced: {least:,} to {counted(pairs.most, 'session')} per topic and system)"


def _one_system_topics_note(found: numbers.Crossing) -> str:
    """Where a topic was searched with one system alone, nobody can tell the two apart."""
    return ", each topic with one system only" if found.alone else ""
