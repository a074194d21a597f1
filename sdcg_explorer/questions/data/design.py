"""How a study was designed, as its sessions tell: who met what, how often, and in which order."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sdcg_explorer.questions.overview.numbers import (
    BETWEEN,
    MIXED,
    UNKNOWN,
    WITHIN,
    Design,
    design,
    is_whole,
    positions,
)
from sdcg_explorer.questions.wording import capital, counted, enumerated, fitting
from sdcg_explorer.reading.ratings import NO_MATCH, not_found
from sdcg_explorer.scoring.definition import Filters, usual_definition
from sdcg_explorer.scoring.ratings import study_ratings
from sdcg_explorer.scoring.scores import session_topics
from sdcg_explorer.scoring.selection import Sample, select
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.assessors import alpha, grades_by_assessor, weighted_kappa
from sdcg_explorer.study.columns import PLACES
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import Study, extra_columns

RATED = ("session", "query")
TIMES = {1: "once", 2: "twice"}


@dataclass(frozen=True)
class Often:
    """How often each of some met each of others: least and most times, of those that met at all.

    whole : whether each met each of them
    """

    least: int
    most: int
    whole: bool

    @classmethod
    def of(cls, *codes: Ints) -> Often:
        """Of meetings (N,), by the codes of who and what met in each."""
        times = np.unique(np.column_stack(codes), axis=0, return_counts=True)[1]
        every = math.prod(np.unique(code).size for code in codes)
        return cls(int(times.min()), int(times.max()), times.size == every)

    @property
    def words(self) -> str:
        """As "once", "3 times" or "1 to 3 times".

        >>> Often(1, 1, True).words, Often(1, 3, True).words
        ('once', '1 to 3 times')
        """
        if self.least < self.most:
            return f"{self.least:,} to {self.most:,} times"
        return TIMES.get(self.most, f"{self.most:,} times")


@dataclass(frozen=True, eq=False)
class Crossing:
    """Searchers, topics and systems of a study, and how often they met.

    seen : kind of the design, and sessions of each system on each topic · topics : how many ·
    by_topic, by_system, by_both : how often searchers met topics, systems, and systems on topics ·
    pairs : how often systems met topics · alone : whether each of several topics has one system
    """

    seen: Design
    topics: int
    by_topic: Often
    by_system: Often
    by_both: Often
    pairs: Often
    alone: bool

    @property
    def is_latin(self) -> bool:
        """Whether searchers met topics and systems once each, and these met equally often."""
        once = all(often.whole and often.most == 1 for often in (self.by_topic, self.by_system))
        return once and self.topics > 1 and self.pairs.whole and self.pairs.least == self.pairs.most


def crossing(study: Study) -> Crossing:
    """Who met what, over all sessions of a study; a session on several topics is on all of them."""
    sample = select(study, usual_definition(study), Filters()).sample
    topics = np.unique(session_topics(sample), return_inverse=True)[1]
    systems, searchers = sample.systems, sample.block.searchers[sample.sessions]
    pairs = np.unique(np.column_stack([topics, systems]), axis=0)
    several = min(np.unique(topics).size, np.unique(systems).size) > 1
    return Crossing(
        seen=design(study, usual_definition(study), Filters()),
        topics=len(study.topics),
        by_topic=Often.of(searchers, topics),
        by_system=Often.of(searchers, systems),
        by_both=Often.of(searchers, topics, systems),
        pairs=Often.of(topics, systems),
        alone=several and len(pairs) == np.unique(topics).size,
    )


def headline(study: Study) -> str:
    """The design and the size of a study in a sentence that two lines hold.

    As "18 searchers × 3 topics with 3 systems, within searchers, each topic and system once (Latin
    square); 54 sessions, 173 queries, 12 of them without results."
    """
    found, checked = crossing(study), study.checked()
    empty = int(str(checked["queries_without_results"]))
    without = f", {empty:,} of them without results" if empty else ""
    queries = f"{counted(len(study.queries), 'query')}{without}"
    if found.seen.kind == UNKNOWN:
        return f"{_of_sessions(len(study.sessions), found)}; {queries}."
    size = f"{counted(len(study.sessions), 'session')}, {queries}"
    return fitting(f"{_who(found)}{_how(found)}; {size}.", f"{_who(found)}; {size}.")


def _of_sessions(sessions: int, found: Crossing) -> str:
    """The design where no searchers are named."""
    size, on = counted(sessions, "session"), counted(found.topics, "topic")
    systems = counted(found.seen.systems, "system")
    if not found.pairs.whole or found.topics == found.seen.systems == 1:
        return f"{size} on {on} with {systems}{_one_system_topics_note(found)}"
    if found.seen.systems == 1:
        return f"{size}: {on}, each {found.pairs.words}, with {systems}"
    if found.topics == 1:
        return f"{size} on {on} with {systems}, each {found.pairs.words}"
    return f"{size}: {on} × {systems}, each combination {found.pairs.words}"


def _who(found: Crossing) -> str:
    """Searchers, topics and systems, with × between those that all met, and how systems differ."""
    seen = found.seen
    topics = f"{' ×' if found.by_topic.whole else ' on'} {counted(found.topics, 'topic')}"
    systems = f" {'×' if found.by_both.whole else 'with'} {counted(seen.systems, 'system')}"
    some = f"{seen.with_several:,} of {counted(seen.searchers, 'searcher')} used several systems"
    kinds = {
        WITHIN: ", within searchers",
        BETWEEN: ", between searchers",
        MIXED: f", mixed ({some})",
    }
    kind = kinds[seen.kind] if seen.systems > 1 else ""
    return f"{counted(seen.searchers, 'searcher')}{topics}{systems}{kind}"


def _how(found: Crossing) -> str:
    """How often searchers met topics and systems, and whether systems met topics equally often."""
    topic, system = found.by_topic, found.by_system
    each = f", each topic {topic.words}"
    if found.topics == 1:
        each = f", {topic.least:,} to {topic.most:,} sessions each" if topic.most > 1 else ""
    if found.seen.kind != WITHIN or found.seen.systems == 1:
        return f"{each}{_one_system_topics_note(found)}"
    if found.by_both.whole and found.topics > 1:
        return f", each combination {found.by_both.words}"
    if found.topics == 1:
        return f", each system {system.words}"
    if topic.words == system.words:
        return f", each topic and system {topic.words}{_balance_note(found)}"
    return f"{each}, each system {system.words}{_balance_note(found)}"


def _balance_note(found: Crossing) -> str:
    """Whether systems met the topics equally often."""
    pairs = found.pairs
    if found.alone:
        return _one_system_topics_note(found)
    if pairs.whole and pairs.least == pairs.most:
        return " (Latin square)" if found.is_latin else " (balanced)"
    least = pairs.least if pairs.whole else 0
    return f" (not balanced: {least:,} to {counted(pairs.most, 'session')} per topic and system)"


def _one_system_topics_note(found: Crossing) -> str:
    """Where a topic was searched with one system alone, nobody can tell the two apart."""
    return ", each topic with one system only" if found.alone else ""


def design_sentences(study: Study) -> list[str]:
    """The headline, and what else is to be known of a study before it is believed."""
    return [headline(study), *more(study)]


def more(study: Study) -> list[str]:
    """Order of sessions, judgments and best grade, ratings that were joined, and assessors."""
    sample = select(study, usual_definition(study), Filters()).sample
    said = [_session_order_sentence(study, sample), _results_sentence(study)]
    if study.labels and (alone := int(str(study.checked()["sessions_without_judgments"]))):
        said.append(f"{counted(alone, 'session is', 'sessions are')} on unjudged topics.")
    return [*filter(None, said), *_ratings_sentences(study), *_assessor_agreement_sentences(study)]


def _session_order_sentence(study: Study, sample: Sample) -> str:
    """Whether it is known in which order searchers had their sessions."""
    searchers = sample.block.searchers[sample.sessions]
    if np.bincount(searchers[searchers >= 0], minlength=1).max() < 2:
        return ""
    if not is_whole(positions(study, sample)):
        return "The order of each searcher's sessions is unknown."
    named = [name for name in PLACES if name in study.sessions.columns]
    source = named[0] if named else "their times"
    began = design(study, usual_definition(study), Filters()).began
    first = [f"{system} ({number:,})" for system, number in began.items()]
    systems = f"; first came {enumerated(first)}" if first else ""
    return f"The order of sessions is known from {source}{systems}."


def _results_sentence(study: Study) -> str:
    """How many results there are, the share that is judged, and which grade is best."""
    results = counted(len(study.results), "result")
    share = study.checked()["judged_share"]
    if not isinstance(share, float) or not share:
        return f"{results}, none of them judged."
    judged = "all" if share == 1 else f"{share:.1%} of them"
    worst, best = (label(study.labels[i]) for i in (0, -1))
    grades = (
        f"grade {best} only" if worst == best else f"grades {worst} to {best}, best grade: {best}"
    )
    return f"{results}, {judged} judged; {grades}."


def _ratings_sentences(study: Study) -> list[str]:
    """How many sessions, or else queries, tables of ratings were joined for, and what was left."""
    files = {file.file for file in study.report.files if file.role == "ratings"}
    if not files:
        return []
    missing = not_found(study.report.methods)
    rest = f"; not found in the log: {'; '.join(missing)}" if missing else ""
    if files <= {problem.file for problem in study.report.problems if problem.found == NO_MATCH}:
        return [f"No rating matches the log{rest}."]
    rated = {of: [r.column for r in study_ratings(study).values() if r.of == of] for of in RATED}
    columns = rated["session"] or extra_columns(study.sessions)
    of, table = ("session", study.sessions) if columns else ("query", study.queries)
    columns = columns or rated["query"] or extra_columns(study.queries)
    number = int(table[columns].notna().any(axis=1).sum())
    what = "Ratings" if rated[of] else "Background columns"
    return [f"{what} joined for {number:,} of {counted(len(table), of)}{rest}."]


def _assessor_agreement_sentences(study: Study) -> list[str]:
    """How many assessors there are, and how far two of them, or all, agree."""
    given = grades_by_assessor(study.judgments)
    if (number := given.shape[1]) < 2:
        return []
    unit, who = np.nonzero(~np.isnan(given))
    shared = (~np.isnan(given)).sum(axis=1) > 1
    said = capital(f"{number} assessors") if number > 2 else "Two assessors"
    if not shared.any():
        return [f"{said}, who judged no document in common."]
    both = counted(int(shared.sum()), "document")
    if number == 2:
        value, sign = weighted_kappa(*given[shared].T), "weighted κ"
    else:
        codes = np.unique(given[unit, who], return_inverse=True)[1]
        value, sign = alpha(unit, codes), "Krippendorff's α"
    agree = "undefined" if np.isnan(value) else f"{value:.2f}".replace("0.", ".", 1)
    by = "both" if number == 2 else "several"
    return [f"{said}, {sign} = {agree.replace('-', '−')} ({both} judged by {by})."]
