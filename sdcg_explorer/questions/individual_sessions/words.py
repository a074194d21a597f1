"""Individual sessions in words: how they end, what was drawn, and one that is looked into."""

from __future__ import annotations

from math import isnan

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.data.numbers import Tagged
from sdcg_explorer.questions.individual_sessions.inspector import Inspected, Missed, Shortfalls
from sdcg_explorer.questions.individual_sessions.numbers import (
    ALL,
    ENDS,
    GAVE_UP,
    LAST_ONLY,
    MOST_LINES,
    NOTHING,
    IndividualSessions,
)
from sdcg_explorer.questions.individual_sessions.wall import (
    MOST_CELLS,
    MOST_QUERIES,
    NOBODY,
    OF_PARTS,
    SHADES,
    Wall,
)
from sdcg_explorer.questions.individual_sessions.weightings import Weightings
from sdcg_explorer.questions.wording import (
    counted,
    enumerated,
    left_out,
    none_left,
    plural,
    share,
    short,
)
from sdcg_explorer.scoring.definition import (
    PRESET_NAMES,
    Definition,
    further_of,
    under_preset,
    with_parameters,
)
from sdcg_explorer.scoring.measures import ALL_SESSION_SCORES
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.own_judgments import Layer, layer_name
from sdcg_explorer.study.tags import Tags, joined

GAIN = "A query gains where its list is worth more than 0 before the query discount (dcg)."
FOUND, *_ = ENDS
IS_FOUND = "a result worth more than 0 in the last query, none in the one before it, if any"
THAT = {  # said after a number of sessions
    ALL: "",
    NOTHING: " that gained nothing",
    GAVE_UP: " that gave up after a first success",
    LAST_ONLY: " of which only the last query gained",
}
LENGTH = 6  # queries on the axis of Figure 4, unless another number is asked for
AS_BEFORE = 1e-12
WHOLE, LARGE = 1000, 1e15  # between which worth is a whole number, and not three digits
NOT_JUDGED, NO_WORTH_BEFORE = "nobody judged its topic", "the query before has no worth"


def adding_up(of: Inspected) -> str:
    """What the contributions of a session's results come to, and to what they could."""
    said = f"Contributions of all results add up to {short(of.final)}"
    if not of.highest > of.final:
        return f"{said}."
    most = f"they would to {short(of.highest)}, were all that is unjudged worth the highest gain"
    return f"{said}; {most}."


def sessions_that(number: int, only: str) -> str:
    """So many sessions, by what they gained.

    >>> sessions_that(16, NOTHING), sessions_that(1, ALL)
    ('16 sessions that gained nothing', '1 session')
    """
    return f"{counted(number, 'session')}{THAT[only]}"


def none_by(only: str) -> str:
    """What is said where a filter keeps no session.

    >>> none_by(NOTHING)
    'No session is left by “gained nothing”; “all” shows every one again.'
    """
    return f"No session is left by “{only}”; “{ALL}” shows every one again."


def worth(value: float) -> str:
    """What a session is worth, as the wall has it: three digits, or a whole number.

    >>> worth(17.26), worth(1175.7)
    ('17.3', '1,176')
    """
    return f"{value:,.0f}" if WHOLE <= abs(value) < LARGE else short(value)


def answer(each: IndividualSessions, length: int = LENGTH) -> str:
    """The page's first line, beside a figure of so many queries."""
    if each.only != ALL:
        return _of_those(each, length)
    if not each.names:
        what, do = f"session{_whose(each)} on a judged topic", "choose another topic"
        return none_left(what, each.without_judgments, do=do)
    least, most = map(worth, (each.scores["final"].min(), each.scores["final"].max()))
    if len(each.names) == 1:
        queries = counted(int(each.scores["queries"].iloc[0]), "query")
        return f"The one session shown ends at {least}, after {queries}{_beyond(each, length)}."
    at = f"at {least}" if least == most else f"between {least} and {most}"
    end = f"the {len(each.names):,} sessions shown end {at}{_beyond(each, length)}."
    if not each.several:
        return f"No session asked more than one query; {end}"
    gain = plural(each.silent, "gains nothing before its", "gain nothing before their")
    several = counted(each.several, "session")
    return f"{each.silent:,} of {several} with several queries {gain} last query; {end}"


def _beyond(each: IndividualSessions, length: int) -> str:
    """How many of the ends that are said the figure does not show."""
    beyond = int((each.ends > each.end(length)).sum())
    if not beyond:
        return ""
    return ", beyond the axis" if len(each.names) == 1 else f", {beyond:,} of them beyond the axis"


def _of_those(each: IndividualSessions, length: int) -> str:
    """How those end that gained so, and after how many queries."""
    if not each.names:
        return none_by(each.only)
    final, queries = each.scores["final"], each.scores["queries"]
    least, most = worth(final.min()), worth(final.max())
    end = plural(len(each.names), "ends", "end")
    at = f"at {least}" if least == most else f"between {least} and {most}"
    fewest, longest = int(queries.min()), int(queries.max())
    asked = f"{fewest:,} to " if fewest < longest else ""
    which = sessions_that(len(each.names), each.only)
    after = f"after {asked}{counted(longest, 'query')}"
    return f"The {which} {end} {at}, {after}{_beyond(each, length)}."


def _whose(each: IndividualSessions) -> str:
    return f" of {each.system}" if each.system else ""


def goes_on(each: IndividualSessions, length: int) -> str:
    """How many sessions go on beyond an axis of so many queries, if any do."""
    beyond = int((each.ends > each.end(length)).sum())
    if not beyond:
        return ""
    go = plural(beyond, "goes", "go")
    return f"{beyond:,} of {counted(len(each.names), 'session')} {go} on beyond the axis."


def behind(each: IndividualSessions) -> str:
    """What stands behind the picture: sessions drawn, and what was left out."""
    drawn = sessions_that(len(each.names), each.only)
    how = "as median and bands" if len(each.names) > MOST_LINES else "one line each"
    return f"{drawn}{_whose(each)}, {how}.{left_out(each.without_judgments)}"


def of_wall(seen: Wall) -> str:
    """How sessions ended, and how many each filter keeps."""
    if not seen.names:
        if seen.only != ALL:
            return none_by(seen.only)
        what, do = "session on a judged topic", "choose another topic"
        return none_left(what, seen.without_judgments, do=do)
    counts = {end: f"{count:,} {end}" for end, count in seen.ended.items()}
    ends = enumerated([*(counts | {FOUND: f"{counts[FOUND]} ({IS_FOUND})"}).values()])
    those = f"Of {sessions_that(len(seen.names), seen.only)}, by their ends: {ends}."
    if seen.only != ALL:
        return those
    return (
        f"{those} {seen.kept[NOTHING]:,} gained nothing, {seen.kept[GAVE_UP]:,} gave up after "
        f"a first success, and in {seen.kept[LAST_ONLY]:,} only the last of several queries "
        "gained."
    )


def behind_wall(seen: Wall) -> str:
    """What its cells show, which have no colours or columns, what is undefined or left out."""
    about = (SHADES | OF_PARTS)[seen.shade]
    lines = [f"A row is a session, Q1, Q2 … its queries. {seen.shade}: {about}."]
    queries, longest = seen.shown_queries, int(seen.queries.max(initial=1))
    if (seen.looks == NOBODY).any():
        lines.append("Grey: nobody judged the query's topic.")
    if not seen.is_coloured:
        most = f"{MOST_CELLS:,} cells and {MOST_QUERIES} queries"
        have = f"{len(seen.names) * longest:,} cells and {counted(longest, 'query')}"
        lines.append(f"Cells are coloured up to {most}; these sessions have {have}.")
    if queries < longest:
        lines.append(f"The table shows {queries:,} of {longest:,} queries; the CSV has all.")
    if undefined := len(seen.names) - sum(seen.ended.values()):
        ended = counted(undefined, "session")
        lines.append(f"Of {ended} the end is undefined: nobody judged its last topics.")
    if seen.not_whole:
        some = counted(seen.not_whole, "session")
        lines.append(f"{some} with a query on a topic nobody judged: in no filter but all.")
    return " ".join(lines) + left_out(seen.without_judgments)


def title(seen: Inspected) -> str:
    """Who did what, and what it was worth."""
    by = f" by {seen.searcher}" if seen.searcher else ""
    who = f"{seen.session}, {seen.system}{by}: {counted(len(seen.queries), 'query')}"
    if np.isnan(seen.final):
        return f"{who} on topics nobody judged"
    of = "" if np.isnan(seen.share) else f", {share(seen.share)} of the ideal"
    return f"{who}, worth {worth(seen.final)}{of}"


def listed(seen: Inspected, tags: Tags) -> pd.DataFrame:
    """Queries with their changes in words, and with tags where any has some."""
    queries = seen.queries.rename(columns={"query_number": "query"})
    changes = queries[["dcg", "change_dcg"]].to_numpy()
    words = [_changed(*each, first=not q) for q, each in enumerate(changes.tolist())]
    queries.insert([*queries.columns].index("change_dcg") + 1, "in words", words)
    if not queries["time"].astype(bool).any():
        queries = queries.drop(columns="time")
    given = [joined(tags, seen.session, number) for number in queries["query"].tolist()]
    return queries.assign(tags=given) if any(given) else queries


def _changed(dcg: float, change: float, *, first: bool) -> str:
    """A change of DCG."""
    if np.isnan(dcg):
        return NOT_JUDGED
    if first:
        return ""
    if np.isnan(change):
        return NO_WORTH_BEFORE
    if abs(change) <= AS_BEFORE:
        return "as before"
    return f"{'▲ gained' if change > 0 else '▼ lost'} {short(abs(change))}"


def tags(counts: Tagged) -> str:
    """How many queries are tagged, and how each system's most often."""
    left = f" {counts.elsewhere:,} more beyond the filters." if counts.elsewhere else ""
    if not counts.tagged:
        return f"None of {counted(counts.queries, 'query')} is tagged.{left}"
    often = counts.table.sort_values("queries", ascending=False, kind="stable")
    first = often.drop_duplicates("system").sort_values("system")
    most = [f"{row.system}: {row.tag} ({row.queries:,})" for row in first.itertuples()]
    of = f"{counts.tagged:,} of {counted(counts.queries, 'query')} tagged"
    return f"{of}; most often in {'; '.join(most)}.{left}"


MOST_NAMED = 3  # queries, or documents, that a sentence names
MEANS = (
    "A query is the worst where the curve of its session falls behind its ideal most, the first of "
    "several. New are relevant documents that no earlier query of the session had shown, missing "
    "are those of its topic that none has shown so far."
)


def shortfall_answer(seen: Shortfalls) -> str:
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


SDCG = "sDCG"
PICTURE = (
    "A line is the weight of each cell, all adding up to 1: solid by sDCG in force, dashed by the "
    "other measure; marks are cells that gained."
)


def names(definition: Definition, score: str, preset: str = "") -> tuple[str, str]:
    """What two weightings are called.

    >>> names(Definition(), "rbp_last")[1], names(Definition(), "final", "linear")[1]
    ('RBP (p = 0.9), last', 'sDCG (final), plain linear')
    """
    own, name = under_preset(definition, preset), further_of(score)
    other = f"{ALL_SESSION_SCORES[score].unit} ({score})"
    if name:
        which = score.partition("_")[2]
        other = f"{with_parameters(name, own)}{which and f', {which}'}"
    return f"{SDCG} in force", f"{other}{preset and f', {PRESET_NAMES[preset]}'}"


def weightings_sentences(of: Weightings, called: tuple[str, str]) -> str:
    """How much of each weighting lies where the session gained."""
    first, other = of.where_it_gained
    if isnan(other):
        return f"{called[1]} is not defined for this session: its cells have no weight by it."
    if isnan(first):
        return f"{called[0]} is not defined for this session: its cells have no weight by it."
    parts = f"{share(first)} of all weight by {called[0]}, and {share(other)} by {called[1]}"
    return f"The cells that gained have {parts}."


HELP = (
    "A judgment of your own lies over the study's as a layer: every number here counts it, the "
    "definition beneath each figure names it, and the study's files stay as they are."
)
NOT_HERE = "Several people use this server: upload a study of your own to judge its documents."
TAKE_BACK = "A click takes one back"


def own_judgments_sentence(layer: Layer) -> str:
    """How many there are, and what they are called."""
    count = counted(len(layer), "document")
    return (
        f"{count}, layer {layer_name(layer)}: counted on every page and in all that is taken away, "
        "whose study has a digest of its own."
    )


def line(topic: str, doc: str, grade: float) -> str:
    """One of them.

    >>> line("t1", "d1", 2.0)
    't1 · d1: 2'
    """
    return f"{topic} · {doc}: {label(grade)}"
