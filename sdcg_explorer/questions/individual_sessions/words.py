"""Individual sessions in words: how they end, what was drawn, and one that is looked into."""

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.questions.data.numbers import Tagged
from sdcg_explorer.questions.individual_sessions import numbers
from sdcg_explorer.questions.wording import (
    FILTERS,
    all_of,
    capital,
    counted,
    enumerated,
    first_fit,
    left_out,
    plain,
    plural,
    share,
    short,
    why_none,
)
from sdcg_explorer.study.annotations import Layer, Tags, joined_tags, layer_name
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.wording import LARGE, WHOLE

GAIN = "A query gains if its DCG is above 0."
IN_WORDS = {  # how sessions end, and what filters keep, behind a number where it has other words
    "found and stopped": "found something and stopped",
    "still gaining": "stopped while still gaining",
    numbers.NOTHING: "gained nothing at all",
    numbers.LAST_ONLY: "gained only with the last of several queries",
}
LENGTH = 6  # queries on the axis of Figure 4, unless another number is asked for
AS_BEFORE = 1e-12


def contribution_total(of: numbers.Inspected) -> str:
    """What the contributions of a session's results come to, and to what they could."""
    if np.isnan(of.final):
        return ""
    most = f" ({short(of.highest)} if every unjudged result had the highest gain)"
    total = f"{short(of.final)}{most if of.highest > of.final else ''}"
    return f"Contributions of all queries add up to {total}."


def worth_text(value: float) -> str:
    """What a session is worth, as the wall has it: three digits, or a whole number.

    >>> worth_text(17.26), worth_text(1175.7)
    ('17.3', '1,176')
    """
    return f"{value:,.0f}" if WHOLE <= abs(value) < LARGE else short(value)


def headline(each: numbers.IndividualSessions) -> str:
    """The page's first line."""
    if not each.where:
        return _shown_headline(each)
    asked = enumerated([f"“{one}”" for one in each.where])
    if not each.names:
        return f"No session is left with {asked}. Clear “Only with” to see more."
    said = _shown_headline(each)
    said = f"{said[0].lower()}{said[1:]}"
    return first_fit(f"With {asked}: {said}", f"With the values chosen: {said}")


def _shown_headline(each: numbers.IndividualSessions) -> str:
    """The first line on the sessions that are left."""
    if not each.names and each.only != numbers.ALL:
        return f"No session matches “{each.only}”. Choose “{numbers.ALL}” to see every session."
    if not each.names:
        what = f"session{f' of {each.system}' if each.system else ''} on a judged topic"
        return why_none(what, each.without_judgments, do=f"{FILTERS}, or choose another topic")
    scores, queries = each.scores["final"], each.scores["queries"]
    least, most = worth_text(scores.min()), worth_text(scores.max())
    if each.only != numbers.ALL:
        only_last = "in which only the last query gained"
        that = only_last if each.only == numbers.LAST_ONLY else f"that {each.only}"
        fewest, longest = int(queries.min()), int(queries.max())
        asked = f"{fewest:,} {'or' if fewest + 1 == longest else 'to'} " * (fewest < longest)
        at = f", with a final sDCG of {least}{'' if least == most else f' to {most}'}"
        size = counted(len(each.names), "session")
        ended = f"The {size} {that} ended after".replace("The 1 ", "The one ")
        return f"{ended} {asked}{counted(longest, 'query')}{at if scores.max() > 0 else ''}."
    if len(each.names) == 1:
        asked = counted(int(queries.iloc[0]), "query")
        return f"The session ends at an sDCG of {least} after {asked}."
    every = "all scored sessions" if scores.isna().any() else "all sessions"
    ends = f"over {every} ranges from {least} to {most}"
    final = f"is {least} in all" if least == most else ends
    if not each.several:
        return f"Every session has one query; final sDCG {final}."
    several = f"{counted(each.several, 'session')} with several queries"
    gained, rest = f"Of {several}, {each.silent:,} gained nothing", ""
    if each.untold:
        gained = f"Of {several}, {each.several - each.silent - each.untold:,} gained something"
        rest = f", {each.silent:,} nothing; {each.untold:,} undefined (topic unjudged)"
    elif each.several == 1:
        what = "nothing" if each.silent else "something"
        gained = f"The one session with several queries gained {what}"
    elif not each.silent:
        every = capital(all_of(each.several))
        gained = f"{every} sessions with several queries gained something"
    elif each.silent == each.several:
        none = "Neither" if each.several == 2 else "None"
        gained = f"{none} of the {several} gained anything"
    return f"{gained} before the last query{rest}; final sDCG {final}."


def axis_note(each: numbers.IndividualSessions, length: int) -> str:
    """How many sessions go on beyond an axis of so many queries, if any do."""
    beyond = int((each.ends > each.end(length)).sum())
    if not beyond:
        return ""
    return f"{counted(beyond, 'session continues', 'sessions continue')} beyond the axis."


def figure_notes(each: numbers.IndividualSessions) -> str:
    """What stands behind the picture: how sessions are drawn, and what was left out."""
    how = "Lines are medians; bands hold 50% and 80% of the sessions."
    drawn = how if len(each.names) > numbers.MOST_LINES else ""
    return f"{drawn}{left_out(each.without_judgments)}".strip()


def wall_note(each: numbers.IndividualSessions) -> str:
    """How sessions ended, and how many each filter keeps."""
    if not each.names:
        return headline(each)
    numbered = [(end, int((each.ended == place).sum())) for place, end in enumerate(numbers.ENDS)]
    ended = ", ".join(f"{n:,} {IN_WORDS.get(end, end)}" for end, n in numbered if n)
    those = f"How they ended: {ended}." if ended else ""
    kept = [f"{n:,} {IN_WORDS.get(only, only)}" for only, n in each.by_filter.items() if n]
    return those if each.only != numbers.ALL or not kept else f"{those} {enumerated(kept)}.".strip()


def heatmap_note(each: numbers.IndividualSessions) -> str:
    """What its cells show, which have no colours or columns, what is undefined or left out."""
    cells = f"{each.shade.replace('dcg', 'DCG')}: {numbers.SHADES[each.shade][1]}"
    lines = [f"Each row is a session, Q1, Q2 … its queries. Cells show {cells}."]
    if each.where:
        lines.insert(0, f"Only sessions with {'; '.join(each.where)}.")
    if each.group == numbers.TAG:
        lines.append("A session counts under every tag of its queries.")
    if each.unjudged.any():
        lines.append("Grey: topic unjudged.")
    if not each.is_coloured:
        lines.append("The table is too large to colour.")
    if each.shown_queries < each.longest:
        shown = f"{each.shown_queries:,} of {each.longest:,}"
        lines.append(f"The table shows {shown} queries; the CSV has all.")
    if undefined := int((each.ended == numbers.UNKNOWN_END).sum()):
        some = counted(undefined, "session has", "sessions have")
        where = "the last query, or the one before it, is on an unjudged topic"
        lines.append(f"{some} no defined end: {where}.")
    if each.not_whole:
        some = counted(each.not_whole, "session")
        appear = plural(each.not_whole, "appears", "appear")
        lines.append(
            f"{some} with a query on an unjudged topic {appear} only under “{numbers.ALL}”."
        )
    return " ".join(lines) + left_out(each.without_judgments)


def session_title(seen: numbers.Inspected) -> str:
    """Who did what, and what it was worth."""
    by = f" by {seen.searcher}" if seen.searcher else ""
    who = f"{seen.session}, {seen.system}{by}: {counted(len(seen.queries), 'query')}"
    if np.isnan(seen.final):
        return f"{who} without a judged topic"
    of = "" if np.isnan(seen.share) else f", {share(seen.share)} of the ideal"
    return f"{who}, sDCG {worth_text(seen.final)}{of}"


def queries_in_words(seen: numbers.Inspected, tags: Tags) -> pd.DataFrame:
    """Queries with their changes in words, and with tags where any has some."""
    queries = seen.queries.rename(columns={"query_number": "query"})
    changes = queries[["dcg", "change_dcg"]].to_numpy()
    words = [_dcg_change_text(*each, first=not q) for q, each in enumerate(changes.tolist())]
    queries.insert([*queries.columns].index("change_dcg") + 1, "in words", words)
    if not queries["time"].astype(bool).any():
        queries = queries.drop(columns="time")
    given = [joined_tags(tags, seen.session, number) for number in queries["query"].tolist()]
    return queries.assign(tags=given) if any(given) else queries


def _dcg_change_text(dcg: float, change: float, *, first: bool) -> str:
    """A change of DCG."""
    if np.isnan(dcg):
        return "topic unjudged"
    if first:
        return ""
    if np.isnan(change):
        return "no score before"
    if abs(change) <= AS_BEFORE:
        return "unchanged"
    return f"{'▲ gained' if change > 0 else '▼ lost'} {short(abs(change))}"


def tag_counts_sentence(counts: Tagged) -> str:
    """How many queries are tagged, and how each system's most often."""
    left = f" ({counts.elsewhere:,} outside the filters)" if counts.elsewhere else ""
    if not counts.tagged:
        return f"No query is tagged{left}."
    often = counts.table.sort_values("queries", ascending=False, kind="stable")
    first = often.drop_duplicates("system").sort_values("system")
    most = [f"{row.system}: {row.tag} ({row.queries:,})" for row in first.itertuples()]
    of = f"{counts.tagged:,} of {counted(counts.queries, 'query')} tagged{left}"
    return f"{of}; most often with {'; '.join(most)}."


MOST_NAMED = 3  # queries, or documents, that a sentence names
MEANS = "New: relevant documents in no earlier top X of the session. Missing: those not new so far."
OWN_GRADES = (
    "Here a document is relevant if any searcher's grade says so, and a session misses it unless "
    "its own grades do."
)


def shortfall_headline(seen: numbers.Shortfall, *, grades: str = "judgments") -> str:
    """At which queries sessions fall behind, what they miss, and when parts were found.

    grades : of a definition; behaviour makes none of documents that weren't shown
    """
    number = len(seen.names)
    if not number:
        return ""
    worst = seen.worst[seen.has_ideal]
    lines = [_worst_queries_sentence(worst[worst > 0], worst.size)] if worst.size else []
    if grades != "behaviour":
        lines.append(_missed_documents_sentence(seen, number))
    lines += [OWN_GRADES] * (grades == "searcher")
    if "parts_found" in seen.columns:
        lines.append(_task_completion_sentence(seen.complete_at[seen.whole > 0]))
    return " ".join(lines)


def _missed_documents_sentence(seen: numbers.Shortfall, number: int) -> str:
    """How many relevant documents of their topics are in no top X of their sessions."""
    median, whole = float(np.median(seen.left)), int((seen.left == 0).sum())
    every = capital(all_of(number))
    if whole == number and not np.nansum(seen.columns["new"]):
        return f"{plural(number, 'Its topic has', 'The topics have')} no relevant documents."
    if whole == number == 1:
        return "It misses no relevant document of its topics."
    if not median:
        if whole == number:
            return f"{every} sessions show every relevant document of their topics."
        return f"{whole:,} of {number:,} sessions miss no relevant document of their topics."
    rest = f"; {counted(whole, 'session misses', 'sessions miss')} none" if whole else ""
    who = "The median session" if number > 1 else "It"
    return f"{who} misses {plain(median)} of the relevant documents{rest}."


def _worst_queries_sentence(worst: Ints, number: int) -> str:
    """At which queries sessions fall behind; `worst` are those of the sessions that ever do."""
    if not worst.size:
        return "No session falls behind its ideal."
    queries, counts = np.unique(worst, return_counts=True)
    first = np.argsort(-counts, kind="stable")[:MOST_NAMED]
    named = [f"Q{queries[i]} ({counts[i]:,})" for i in first.tolist()]
    if queries.size > MOST_NAMED:
        named.append(f"other queries ({int(worst.size - counts[first].sum()):,})")
    if (never := number - worst.size) or queries.size > 1:
        falls = f" {counted(never, 'session')} never {plural(never, 'falls', 'fall')} behind."
        lose = f"Sessions lose most against their ideal at {enumerated(named)}."
        if worst.size == 1:
            lose = f"One session loses against its ideal, most at Q{queries[0]}."
        return f"{lose}{falls * (never > 0)}"
    if number == 1:
        return f"The session loses most against its ideal at Q{queries[0]}."
    return f"{capital(all_of(number))} sessions lose most against their ideal at Q{queries[0]}."


def _task_completion_sentence(at: Floats) -> str:
    """When all parts were found, and how often they never were."""
    found = at[~np.isnan(at)]
    if not at.size:
        return "No topic was judged by parts."
    if not found.size:
        return "No session found all parts of its task."
    of = f"{found.size:,} of {counted(at.size, 'session')}"
    return f"{of} found all parts of the task, at the median by Q{float(np.median(found)):g}."


def shortcomings(of: numbers.Inspected) -> list[str]:
    """What one session missed, and opened in vain, a sentence each."""
    if np.isnan(of.behind):
        return ["Its topics are unjudged, so what it missed is unknown."]
    said = ["It never falls behind its ideal."]
    if of.worst:
        worst = short(float(of.brought["behind"].iloc[of.worst - 1]))
        end = f"it was {short(abs(of.behind))} {'behind' if of.behind > 0 else 'ahead'}"
        said = [f"It lost most against its ideal at Q{of.worst} ({worst}); at the end {end}."]
        if len(of.queries) == 1:
            said = [f"It lost {short(of.behind)} against its ideal."]
    first, last = of.stalled
    if last > first:
        said.append(f"From Q{first} to Q{last} no top {of.top} had a new relevant document.")
    return [*said, _never_shown(of), *_parts_found_sentences(of), *_opened_documents_sentences(of)]


def _never_shown(of: numbers.Inspected) -> str:
    left, relevant = len(of.never_shown), counted(of.relevant, "relevant document")
    if not of.relevant:
        return "No document that counts for it is relevant."
    if not left:
        which = "The one relevant document"
        if of.relevant > 1:
            which = f"{capital(all_of(of.relevant))} relevant documents"
        return f"{which} reached a top {of.top}."
    if left == of.relevant:
        few = {1: "The one relevant document never", 2: "Neither of the 2 relevant documents"}
        return f"{few.get(left, f'None of the {relevant}')} reached a top {of.top}."
    return f"{left:,} of {relevant} never reached a top {of.top}."


def _parts_found_sentences(of: numbers.Inspected) -> list[str]:
    if not of.parts:
        return []
    known = of.brought["parts_found"].iloc[-1]
    if np.isnan(of.complete_at):
        return [f"It found {share(known)} of the {counted(of.parts, 'part')} of its task."]
    found = f"{all_of(of.parts)} parts" if of.parts > 1 else "the one part"
    return [f"It had found {found} by Q{of.complete_at:g}."]


def _opened_documents_sentences(of: numbers.Inspected) -> list[str]:
    """What was shown and never opened, and opened in vain; the log may not know."""
    if of.unopened is None or of.in_vain is None:
        return ["The log doesn't say what was opened."]
    said, unopened, in_vain = list[str](), len(of.unopened), len(of.in_vain)
    if unopened:
        were = f"{counted(unopened, 'relevant document')} in a top {of.top}"
        were = f"{were} {plural(unopened, 'was', 'were')} not opened"
        said.append(f"{were}: {_documents_with_grades(of.unopened)}.")
    if in_vain:
        vain = counted(in_vain, "opened document")
        said.append(f"{vain} gained nothing: {_documents_with_grades(of.in_vain)}.")
    return said


def _documents_with_grades(documents: pd.DataFrame) -> str:
    """The first documents of a list with their grades."""
    first = documents.iloc[:MOST_NAMED]
    named = [f"{doc} ({grade})" for doc, grade in zip(first["doc"], first["grade"], strict=True)]
    return f"{', '.join(named)}{', …' * (len(documents) > MOST_NAMED)}"


HELP = (
    "Your judgments are a layer over the study's: every number counts them, the definition names "
    "the layer, and the study's files stay unchanged."
)
NOT_HERE = "This server is shared. Upload your own study to judge its documents."
TAKE_BACK = "Click to remove"


def reader_judgments_sentence(layer: Layer) -> str:
    """How many there are, and what they are called."""
    count, they = counted(len(layer), "document"), plural(len(layer), "It counts", "They count")
    return f"{count} (layer {layer_name(layer)}). {they} on every page and in every download."


def judgment_line(topic: str, doc: str, grade: float) -> str:
    """One of them.

    >>> judgment_line("t1", "d1", 2.0)
    't1 · d1: 2'
    """
    return f"{topic} · {doc}: {label(grade)}"
