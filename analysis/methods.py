"""The methods text: a paragraph for a paper that says what was computed, on what."""

from __future__ import annotations

from analysis.definition import Definition, Filters
from analysis.selection import select
from analysis.sentence import sentence
from study.study import Study

SOURCES = {
    "ecir2008": (
        "K. Järvelin, S. L. Price, L. M. L. Delcambre, M. Lykke Nielsen: Discounted cumulated gain "
        "based evaluation of multiple-query IR sessions. ECIR 2008."
    ),
    "jk2002": (
        "K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM "
        "Transactions on Information Systems 20(4), 2002."
    ),
    "kanoulas2011": (
        "E. Kanoulas, B. Carterette, P. D. Clough, M. Sanderson: Evaluating multi-query sessions. "
        "SIGIR 2011."
    ),
}


def methods_text(study: Study, definition: Definition, filters: Filters) -> str:
    """Paragraph and references, numbers of sessions, queries and exclusions filled in."""
    sample = select(study, definition, filters).sample
    total, sessions = len(study.sessions), int(sample.judged.sum())
    queries = int(sample.queries[sample.judged].sum())
    filtered = total - sample.sessions.size
    unjudged = sample.sessions.size - sessions
    named = definition.named(study.labels)
    sources = dict.fromkeys(["ecir2008", named.discount])
    average = (
        "Raw gain stays level after a session's last query. Intervals are pointwise 95 % "
        "percentile bootstrap intervals (1,000 resamples of searchers, fixed seed)."
    )
    parts = [
        f"Study: {study.name}, digest {study.digest[:12]}. {study.note}{' ' if study.note else ''}"
        f"{sessions:,} sessions with {queries:,} queries were scored; of {total:,} sessions "
        f"{filtered:,} did not pass the filters and {unjudged:,} had no judged topic.",
        "Sessions were scored by session-discounted cumulated gain (sDCG). "
        f"Definition: {sentence(named, study.labels)}",
        average,
        "References: " + " ".join(SOURCES[name] for name in sources),
    ]
    return "\n\n".join(parts) + "\n"
