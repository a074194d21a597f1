"""The methods text: a paragraph for a paper that says what was computed, on what."""

from __future__ import annotations

from sdcg_explorer.analysis.definition.definition import (
    CHOICES,
    FURTHER,
    OVER_HIGHEST,
    REFERENCES,
    Definition,
    Filters,
)
from sdcg_explorer.analysis.selection.selection import Sample, Selection, select
from sdcg_explorer.analysis.sessions.family import footing
from sdcg_explorer.metrics.interval import FEWEST_RESAMPLED
from sdcg_explorer.questions.words.definition import filter_words, in_force
from sdcg_explorer.questions.words.further import stands_on
from sdcg_explorer.questions.words.wording import counted, plural, withheld
from sdcg_explorer.study.study import Study


def methods_text(study: Study, definition: Definition, filters: Filters, *more: str) -> str:
    """Paragraph and references, numbers of sessions, queries and exclusions filled in.

    `more` paragraphs say what else was done.
    """
    sample = select(study, definition, filters).sample
    total, sessions = len(study.sessions), int(sample.judged.sum())
    queries = int(sample.queries[sample.judged].sum())
    filtered = total - sample.sessions.size
    unjudged = sample.sessions.size - sessions
    shown = filter_words(filters)
    named = definition.named(study.labels)
    average = (
        "Raw gain stays level after a session's last query. Intervals are pointwise 95 % "
        f"bootstrap-t intervals (1,000 resamples of {_resampled(sample)}, fixed seed), those of a "
        f"group's mean by t where fewer than {FEWEST_RESAMPLED} stand behind it."
    )
    average = f"{average} {withheld(study.report.withheld)}".strip()
    parts = [
        f"Study: {study.name}, digest {study.digest[:12]}. {study.note}{' ' if study.note else ''}"
        f"{counted(sessions, 'session')} with {counted(queries, 'query')} "
        f"{plural(sessions, 'was', 'were')} scored; of {counted(total, 'session')} "
        f"{filtered:,} did not pass the filters and {unjudged:,} had no judged topic."
        f"{' ' * bool(shown)}{shown}",
        *([" ".join(study.report.methods)] if study.report.methods else []),
        "Sessions were scored by session-discounted cumulated gain (sDCG). "
        f"Definition: {in_force(named, study)}"
        f"{' LDCG and LNDCG count repeats.' if named.repeats == 'first' else ''}",
        average,
        *filter(None, [_further(select(study, named, filters)), *more]),
        "References: " + " ".join(REFERENCES[key] for key in _references(named)),
    ]
    return "\n\n".join(parts) + "\n"


def _further(chosen: Selection) -> str:
    """What further measures stand on that the definition does not say."""
    asked = {*chosen.definition.measures} - OVER_HIGHEST
    return " ".join(filter(None, (stands_on(footing(chosen, name)) for name in sorted(asked))))


def _resampled(sample: Sample) -> str:
    """What intervals resample: searchers, and sessions that name none."""
    named = sample.block.searchers[sample.sessions] >= 0
    if named.all():
        return "searchers"
    return "searchers, and of sessions that name none" if named.any() else "sessions"


def _references(definition: Definition) -> list[str]:
    """Keys of the sources of what was chosen, the paper's own first."""
    chosen = [definition.option(name).reference for name in (*CHOICES, "weights", "short_lists")]
    chosen += [FURTHER[name].reference for name in definition.measures]
    return [key for key in dict.fromkeys(["S08", *chosen]) if key]
