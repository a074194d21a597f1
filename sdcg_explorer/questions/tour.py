"""A tour of six steps: which page, under which definition, and what a newcomer is to look at.

Every step is drawable for every study: where one system is left, or no session of several queries,
others take the place of the questions that need them. What a page answers is left to the page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sdcg_explorer.analysis.curves.session_curves import THIN, session_curves
from sdcg_explorer.analysis.definition.definition import DEFAULT, Definition, Filters
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import Selection, select
from sdcg_explorer.analysis.sessions.registry import USUAL
from sdcg_explorer.analysis.sessions.scores import session_topics
from sdcg_explorer.questions.words.wording import LENGTHS, counted, share, short
from sdcg_explorer.study.study import Study

STEPS = 6
LOW, HIGH = 1.5, 100.0  # between which a base is turned
READ_AT = 3  # query after which Session curves answers
ALL_TOPICS = "all topics"  # as Individual sessions calls them
ORDINALS = {1: "first", 2: "second", 3: "third"}
LINES = {"split": "last", "curve": "sdcg", "undiscounted": False}
SHARES = {"measure": "normalised", "topic": None, "at_least": 1}


@dataclass(frozen=True)
class Step:
    """A step: a page, what is in force there, and a sentence that asks and lets the reader look.

    kept : definition whose curves stay beside, faint · choices : of the page, by their names in
    its link; None for what a link leaves out · title : where it is not the page's
    """

    page: str
    words: str
    definition: Definition = DEFAULT
    kept: Definition | None = None
    choices: tuple[tuple[str, str | int | bool | None], ...] = ()
    title: str = ""


@dataclass(frozen=True, eq=False)
class Seen:
    """What the sentences need to know of the sessions that the filters leave."""

    study: Study
    filters: Filters
    chosen: Selection

    @property
    def sample(self) -> Sample:
        """The sessions."""
        return self.chosen.sample

    @property
    def systems(self) -> list[str]:
        """Names of the systems that have a judged session."""
        codes = np.unique(self.sample.systems[self.sample.judged])
        return [self.sample.block.system_names[code] for code in codes]

    @property
    def several(self) -> int:
        """Sessions that asked more than once."""
        return int((self.sample.queries > 1).sum())

    @property
    def most(self) -> int:
        """Queries of the longest session."""
        return self.sample.most_queries

    @property
    def read_at(self) -> str:
        """The query after which Session curves answers, in words."""
        return ORDINALS[min(READ_AT, self.most)]

    def ahead(self, definition: Definition) -> str:
        """The system of the highest share there; "" where none is, to two digits."""
        curves = session_curves(self.study, definition, self.filters)
        place = min(READ_AT, self.most) * definition.top - 1
        reached = [
            (float(of.normalised.mean[place]), of.system)
            for of in curves.curves
            if of.normalised.sessions[place]
        ]
        if len(reached) < 2:
            return ""
        (second, _), (first, system) = sorted(reached)[-2:]
        return "" if share(first) == share(second) else system


def tour(study: Study, definition: Definition, filters: Filters) -> tuple[Step, ...]:
    """The steps for a study and filters; `definition` is what they start from."""
    seen = Seen(study, filters, select(study, definition, filters))
    base = "bq" if seen.several else "b"
    return (
        _what_is_there(seen),
        Step("query_order", _last_query(seen), definition, None, tuple(LINES.items())),
        Step("session_curves", _whole_sessions(seen), definition, None, tuple(SHARES.items())),
        _turned(seen, base),
        _one_session(seen),
        _is_it_clear(seen),
    )


def _what_is_there(seen: Seen) -> Step:
    """The size of the study; the table of lengths is opened, which the sentence names."""
    sessions = counted(seen.sample.sessions.size, "session")
    if not seen.several:
        words = (
            f"What is in the study: {sessions}, none of more than one query. Look at the answer "
            "below: is all that was shown judged? What nobody judged is unknown, not worthless."
        )
        return Step("overview", words, seen.chosen.definition)
    words = (
        f"What is in the study: {sessions}; the longest asked {counted(seen.most, 'query')}. Go "
        f"down to “{LENGTHS}”: from which query on are fewer than {THIN} sessions of a system left?"
    )
    return Step("overview", words, seen.chosen.definition, None, (("by_length", True),))


def _last_query(seen: Seen) -> str:
    if not seen.several:
        return (
            "Every session asked once, so that no query is another's last. How far down the list "
            "does it still gain? Look where the curve levels off."
        )
    asked = f"{seen.several:,} of {counted(seen.sample.sessions.size, 'session')}"
    return (
        f"{asked} asked more than once. Is the last query of a session (solid) worth more than "
        "those before it (dashed)? Guess why, then read the answer to its end."
    )


def _whole_sessions(seen: Seen) -> str:
    words = (
        "From queries to whole sessions: a curve adds up what query after query brought, as a "
        "share of the ideal, whose every query returns its topic's best list. bq is "
        f"{seen.chosen.definition.bq:g}."
    )
    if len(seen.systems) > 1:
        return f"{words} Which system is ahead after the {seen.read_at} query, and by how much?"
    return f"{words} How much of the ideal is reached after the {seen.read_at} query?"


def _turned(seen: Seen, base: str) -> Step:
    """The same curves with a base from low to high, the low ones faint."""
    started = seen.chosen.definition
    low, high = (replace(started, **{base: value}) for value in (LOW, HIGH))
    patience = {"bq": "late queries count nearly in full", "b": "low ranks count nearly in full"}
    words = (
        f"The same study, {base} from {LOW:g} to {HIGH:g}: {patience[base]}. The faint curves are "
        f"{base} {LOW:g}"
    )
    if len(seen.systems) < 2:
        asked = f"{words}. Gain and ideal are both discounted: does the share move much?"
    else:
        ahead = seen.ahead(low)
        known = f", where {ahead} is ahead after the {seen.read_at} query" if ahead else ""
        asked = f"{words}{known}. Who is ahead now?"
    title = f"{base} from {LOW:g} to {HIGH:g}"
    return Step("session_curves", asked, high, low, tuple(SHARES.items()), title)


def _one_session(seen: Seen) -> Step:
    """The session that asked most and gained nothing, or else the one that gained least."""
    started = seen.chosen.definition
    rows = np.flatnonzero(seen.sample.judged)
    if not rows.size:
        words = "No session is on a judged topic: none is worth a number. Widen the filters."
        return Step("individual_sessions", words, started)
    gained = seen.chosen.session_scores["final"][rows]
    row = int(rows[np.lexsort((-seen.sample.queries[rows], gained))[0]])
    names = seen.study.sessions["session"].astype(str).to_numpy()
    name = str(names[seen.sample.sessions[row]])
    system = seen.sample.block.system_names[seen.sample.systems[row]]
    topic = session_topics(seen.sample)[row]
    known = seen.filters.topics or seen.study.topics
    choices = {
        "system": system,
        "one_topic": topic if topic in known else ALL_TOPICS,
        "order": "worth",
        "session": name,
        "beside_session": None,
    }
    asked = counted(int(seen.sample.queries[row]), "query")
    return Step(
        "individual_sessions",
        f"A mean hides its searchers. {_worth(name, system, asked, float(gained.min()))} "
        "Its queries are listed beneath the figure: what was asked, and what did the lists show?",
        started,
        None,
        tuple(choices.items()),
    )


def _worth(name: str, system: str, asked: str, gained: float) -> str:
    if gained > 0:
        return f"Session {name} ({system}, {asked}) gained least, {short(gained)}."
    return f"Session {name} ({system}) gained nothing in {asked}."


def _is_it_clear(seen: Seen) -> Step:
    started = seen.chosen.definition
    if len(seen.systems) < 2:
        words = (
            "How is such a number made? One short session, counted by hand: give a document "
            "another grade, or another rank, and see what becomes of the sum."
        )
        return Step("by_hand", words, started, None, (("example", "T-1"),))
    words = (
        "Back to all sessions. Which system is better, and is it clear? Ahead is not enough: does "
        "the interval hold 0, and what would other searchers have done?"
    )
    choices = ("score", USUAL), ("topics_are", "fixed"), ("with_order", False)
    return Step("compare_systems", words, started, None, choices)
