"""Who searched what with which system, and how often, in numbers and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sdcg_explorer.questions.overview.numbers import BETWEEN, MIXED, UNKNOWN, WITHIN, Design, design
from sdcg_explorer.questions.wording import counted
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import session_topics
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.study import Study

NAMELESS = "These sessions name no searchers, so each counts on its own."
SOME_NAMELESS = "Some sessions name no searcher; each of these counts on its own."
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
        if not codes[0].size:
            return cls(0, 0, True)
        times = np.unique(np.column_stack(codes), axis=0, return_counts=True)[1]
        every = math.prod(np.unique(code).size for code in codes)
        return cls(int(times.min()), int(times.max()), times.size == every)

    @property
    def words(self) -> str:
        """As "once", "3 times" or "1 to 3 times"; "at most" where some never met.

        >>> Often(1, 1, True).words, Often(1, 3, True).words, Often(1, 1, False).words
        ('once', '1 to 3 times', 'at most once')
        """
        if not self.whole:
            return f"at most {TIMES.get(self.most, f'{self.most:,} times')}"
        if self.least < self.most:
            return f"{self.least:,} to {self.most:,} times"
        return TIMES.get(self.most, f"{self.most:,} times")


@dataclass(frozen=True, eq=False)
class Crossing:
    """Searchers, topics and systems of a study, and how often they met.

    seen : kind of the design, and sessions of each system on each topic · by_topic, by_system,
    by_both : how often searchers met topics, systems, and systems on topics · pairs : how often
    systems met topics · alone : whether each of several topics has one system
    """

    seen: Design
    sessions: int
    topics: int
    by_topic: Often
    by_system: Often
    by_both: Often
    pairs: Often
    alone: bool


def crossing(study: Study, definition: Definition, filters: Filters) -> Crossing:
    """Who met what within the filters; a session on several topics is on all of them."""
    sample = select(study, definition, filters).sample
    topics = np.unique(session_topics(sample), return_inverse=True)[1]
    systems, searchers = sample.systems, sample.block.searchers[sample.sessions]
    pairs = np.unique(np.column_stack([topics, systems]), axis=0)
    several = min(np.unique(topics).size, np.unique(systems).size) > 1
    return Crossing(
        seen=design(study, definition, filters),
        sessions=sample.sessions.size,
        topics=sample.topic_count,
        by_topic=Often.of(searchers, topics),
        by_system=Often.of(searchers, systems),
        by_both=Often.of(searchers, topics, systems),
        pairs=Often.of(topics, systems),
        alone=several and len(pairs) == np.unique(topics).size,
    )


def designed(found: Crossing) -> str:
    """The design in plain words; "" where no session is left."""
    if not found.sessions:
        return ""
    if found.seen.kind == UNKNOWN:
        return f"{of_sessions(found)}. {SOME_NAMELESS if found.seen.searchers else NAMELESS}"
    return f"{who_met_what(found)}{how_often(found)}."


def of_sessions(found: Crossing) -> str:
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


def who_met_what(found: Crossing) -> str:
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


def how_often(found: Crossing) -> str:
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
    """Whether systems met the topics equally often; where searchers met all once, a square."""
    pairs = found.pairs
    if found.alone:
        return _one_system_topics_note(found)
    if pairs.whole and pairs.least == pairs.most:
        once = all(often.whole and often.most == 1 for often in (found.by_topic, found.by_system))
        return " (Latin square)" if once and found.topics > 1 else " (balanced)"
    least = pairs.least if pairs.whole else 0
    return f" (not balanced: {least:,} to {counted(pairs.most, 'session')} per topic and system)"


def _one_system_topics_note(found: Crossing) -> str:
    """Where a topic was searched with one system alone, nobody can tell the two apart."""
    return ", each topic with one system only" if found.alone else ""
