"""Where did it go wrong, in words: of the sessions that are shown, and of one."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.sessions.inspector import Missed
from sdcg_explorer.analysis.sessions.shortfall import Shortfalls
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.words.wording import counted, enumerated, plural, share, short

MOST_NAMED = 3  # queries, or documents, that a sentence names
MEANS = (
    "A query is the worst where the curve of its session falls behind its ideal most, the first of "
    "several. New are relevant documents that no earlier query of the session had shown, missing "
    "are those of its topic that none has shown so far."
)


def answer(seen: Shortfalls) -> str:
    """At which queries sessions fall behind, what they never show, and when parts were found."""
    number = len(seen.names)
    if not number:
        return ""
    worst = seen.of.worst
    lines = [_worst(worst[worst > 0], number)]
    left, whole = seen.of.left, int((seen.of.left == 0).sum())
    lines.append(
        f"Relevant documents of their topics that are never shown: {short(float(np.median(left)))} "
        f"at the median, none in {whole:,}."
    )
    if seen.of.parts is not None:
        lines.append(_complete(seen.of.complete_at[seen.of.whole > 0]))
    return " ".join(lines)


def _worst(worst: np.ndarray, number: int) -> str:
    if not worst.size:
        return "No session falls behind its ideal."
    queries, counts = np.unique(worst, return_counts=True)
    first = np.argsort(-counts, kind="stable")[:MOST_NAMED]
    named = [f"Q{queries[i]} ({counts[i]:,})" for i in first.tolist()]
    rest = ", …" if queries.size > MOST_NAMED else ""
    listed = enumerated(named) if not rest else f"{', '.join(named)}{rest}"
    return f"{counted(number, 'session')} fell behind the ideal most at {listed}."


def _complete(at: Floats) -> str:
    """When all parts were found, and how often they never were."""
    found = at[~np.isnan(at)]
    if not at.size:
        return "Topics that were judged for their parts: none."
    some = counted(at.size, "session")
    if not found.size:
        return f"All parts of the task were found in none of {some}."
    by = f"there by Q{float(np.median(found)):g} at the median"
    return f"All parts of the task were found in {found.size:,} of {some}, {by}."


def went_wrong(of: Missed) -> list[str]:
    """What one session missed, and opened in vain, a sentence each."""
    if np.isnan(of.behind):
        return ["Nobody judged its topics, so nothing is known to be missing."]
    return [*filter(None, (_fell(of), _stalled(of), _never_shown(of), _parts(of), *_opened(of)))]


def _fell(of: Missed) -> str:
    if not of.worst:
        return "Its curve never falls behind its ideal."
    return (
        f"Its curve fell behind its ideal most at Q{of.worst}: by {short(of.worst_by)} of "
        f"{short(of.behind)} in all."
    )


def _stalled(of: Missed) -> str:
    """The longest stretch of several queries that brought nothing new."""
    first, last = of.stalled
    if last <= first:
        return ""
    return (
        f"Its longest stretch without a new relevant document while some were missing: Q{first} to "
        f"Q{last}."
    )


def _never_shown(of: Missed) -> str:
    left = len(of.never_shown)
    if not of.relevant:
        return "No document of its topics is relevant."
    if not left:
        return f"Every one of {counted(of.relevant, 'relevant document')} was shown."
    return (
        f"{left:,} of {counted(of.relevant, 'relevant document')} never "
        f"{plural(left, 'was', 'were')} shown: {_named(of.never_shown)}."
    )


def _parts(of: Missed) -> str:
    if not of.parts:
        return ""
    known = of.queries["parts_found"].iloc[-1]
    if np.isnan(of.complete_at):
        return f"Of {counted(of.parts, 'part')} of its task {share(known)} were found."
    return f"All of {counted(of.parts, 'part')} of its task were found by Q{of.complete_at:g}."


def _opened(of: Missed) -> tuple[str, ...]:
    """What was shown and never opened, and opened in vain; the log may not know."""
    if of.unopened is None or of.in_vain is None:
        return ("What was opened the log does not say.",)
    unopened, in_vain = len(of.unopened), len(of.in_vain)
    shown = counted(unopened, "relevant document")
    never = f"{shown} shown and never opened: {_named(of.unopened)}." if unopened else ""
    vain = f"{counted(in_vain, 'document')} opened and worth nothing: {_named(of.in_vain)}."
    return never, vain if in_vain else ""


def _named(documents: pd.DataFrame) -> str:
    """The first documents of a list with their grades."""
    first = documents.iloc[:MOST_NAMED]
    named = [f"{doc} ({grade})" for doc, grade in zip(first["doc"], first["grade"], strict=True)]
    return f"{', '.join(named)}{', …' * (len(documents) > MOST_NAMED)}"
