"""Individual sessions in words: how they end, what was drawn, and one that is looked into."""

import numpy as np
import pandas as pd

from sdcg_explorer.questions import wording
from sdcg_explorer.questions.data.numbers import Tagged
from sdcg_explorer.questions.individual_sessions import numbers
from sdcg_explorer.questions.wording import capital, counted, enumerated, left_out, share, short
from sdcg_explorer.study.annotations import Layer, Tags, joined_tags, layer_name
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.wording import LARGE, UNDEFINED, WHOLE, listed

GAIN = "A query gains if its DCG is above 0."
UNKNOWN_END = "unjudged topics leave it open"
LENGTH = 6  # queries on the axis of Figure 4, unless another number is asked for


def highest_note(of: numbers.Inspected) -> str:
    """What a session could be worth, where unjudged results leave that open."""
    judged = "if each unjudged result on judged topics had the highest gain"
    most = f"sDCG would be {short(of.highest)} {judged}."
    return most if of.highest > of.final else ""


def worth_text(value: float) -> str:
    """What a session is worth, as the wall has it: three digits, or a whole number.

    >>> worth_text(17.26), worth_text(1175.7)
    ('17.3', '1,176')
    """
    return f"{value:,.0f}" if WHOLE <= abs(value) < LARGE else short(value)


def headline(each: numbers.IndividualSessions) -> str:
    """The page's first line."""
    asked = [f"“{one}”" for one in (each.only, *each.where) if one != numbers.ALL]
    if not each.names and asked:
        every = f"Choose “{numbers.ALL}” and clear “Only with” to see every session."
        return f"No session matches {enumerated(asked)}. {every}"
    if not each.names:
        what = f"session{f' of {each.system}' if each.system else ''} on a judged topic"
        widen = f"{wording.FILTERS}, or choose another topic"
        return wording.why_none(what, each.without_judgments, do=widen)
    several = "no session has several queries"
    has_several, undefined = each.scores["queries"] > 1, int(np.isnan(each.early).sum())
    if has_several.any():
        which = f"{counted(int(has_several.sum()), 'session')} with several queries"
        silent = int((has_several & (each.early == 0)).sum())
        untold = f" (undefined in {undefined:,}: topic unjudged)" if undefined else ""
        several = f"{silent:,} of {which} gained nothing before the last query{untold}"
    least, most = (worth_text(end) for end in each.scores["final"].agg(["min", "max"]))
    final = f"is {least}" if least == most else f"ranges from {least} to {most}"
    said = f"{several}; final sDCG {final}."
    if not asked:
        return capital(said)
    return wording.first_fit(f"With {enumerated(asked)}: {said}", f"With the values chosen: {said}")


def axis_note(each: numbers.IndividualSessions, length: int) -> str:
    """How many sessions go on beyond an axis of so many queries, if any do."""
    beyond = int((each.ends > each.end(length)).sum())
    going_on = counted(beyond, "session continues", "sessions continue")
    return f"{going_on} beyond the axis." if beyond else ""


def wall_note(each: numbers.IndividualSessions) -> str:
    """How sessions ended, and how many each filter keeps."""
    if not each.names:
        return headline(each)
    ends = each.ended_so
    ended = [f"{ends.count(end):,} {end}" for end in (*numbers.ENDS, UNDEFINED)]
    kept = [f"{only} ({number:,})" for only, number in each.by_filter.items()]
    return (
        f"How they ended: {', '.join(ended)}. Sessions that each filter keeps: {', '.join(kept)}."
    )


def heatmap_note(each: numbers.IndividualSessions) -> str:
    """What its cells show, which have no colours or columns, and what is undefined or left out."""
    cells = f"“{each.shade.replace('dcg', 'DCG')}”: {numbers.SHADES[each.shade][1]}"
    whole = f"{counted(each.not_whole, 'session')} with a query on an unjudged topic"
    lines = {
        f"Cells show {cells}.": True,
        "A session counts under every tag of its queries.": each.group == numbers.TAG,
        "Grey: topic unjudged.": each.unjudged.any(),
        "The table is too large to colour.": not each.is_coloured,
        f"The table shows {each.shown_queries:,} of {each.longest:,} queries; the CSV has all.": (
            each.shown_queries < each.longest
        ),
        f"Only under “{numbers.ALL}”: {whole}.": each.not_whole,
    }
    said = " ".join(line for line, holds in lines.items() if holds)
    return said + left_out(each.without_judgments)


def session_title(seen: numbers.Inspected) -> str:
    """Who did what, and what it was worth."""
    by = f" by {seen.searcher}" if seen.searcher else ""
    who = f"{seen.session}, {seen.system}{by}: {counted(len(seen.queries), 'query')}"
    if np.isnan(seen.final):
        return f"{who} without a judged topic"
    of = "" if np.isnan(seen.share) else f", {share(seen.share)} of the ideal"
    return f"{who}, sDCG {worth_text(seen.final)}{of}"


def queries_with_tags(seen: numbers.Inspected, tags: Tags) -> pd.DataFrame:
    """Queries with their times where any is known, and with tags where any has some."""
    queries = seen.queries.rename(columns={"query_number": "query"})
    if not queries["time"].astype(bool).any():
        queries = queries.drop(columns="time")
    given = [joined_tags(tags, seen.session, number) for number in queries["query"].tolist()]
    return queries.assign(tags=given) if any(given) else queries


def tag_counts_sentence(counts: Tagged) -> str:
    """How many queries are tagged."""
    left = f" ({counts.elsewhere:,} more outside the filters)" if counts.elsewhere else ""
    return f"{counts.tagged:,} of {counted(counts.queries, 'query')} tagged{left}."


MOST_NAMED = 3  # queries, or documents, that a sentence names
MEANS = "New: relevant documents in no earlier top X of the session. Missing: those not yet found."


def shortfall_headline(seen: numbers.Shortfall, *, grades: str = "judgments") -> str:
    """At which queries sessions fall behind, what they miss, and when parts were found.

    grades : of a definition; behaviour makes none of documents that weren't shown
    """
    number, lines = len(seen.names), list[str]()
    if not number:
        return ""
    worst = seen.worst[seen.has_ideal]
    if worst.size:
        queries, counts = np.unique(worst[worst > 0], return_counts=True)
        order = np.argsort(-counts, kind="stable")
        named = {f"Q{queries[i]}": counts[i] for i in order[:MOST_NAMED].tolist()}
        named["other queries"] = counts[order[MOST_NAMED:]].sum()
        named["none"] = (worst == 0).sum()
        each = [f"{query} ({count:,})" for query, count in named.items() if count]
        lines.append(f"Largest loss against the ideal, by query: {', '.join(each)}.")
    left = seen.left[seen.left + np.nansum(seen.columns["new"], axis=1) > 0]  # something to find
    if grades != "behaviour" and left.size:
        median, whole = wording.plain(float(np.median(left))), int((left == 0).sum())
        none = f"{whole:,} of {counted(left.size, 'session')} found all"
        lines.append(f"The median session misses {median} of the relevant documents; {none}.")
    if grades == "searcher":
        lines.append(
            "Here a document is relevant if any searcher's grade says so, and a session misses it "
            "unless its own grades do."
        )
    if "parts_found" in seen.columns:
        at = seen.complete_at[seen.whole > 0]
        found = at[~np.isnan(at)]
        when = f", at the median by Q{np.median(found):g}" if found.size else ""
        of = counted(at.size, "session")
        lines.append(f"{found.size:,} of {of} found all parts of the task{when}.")
    return " ".join(lines)


def shortcomings(of: numbers.Inspected) -> list[str]:
    """What one session missed, and opened in vain, a sentence each."""
    if np.isnan(of.behind):
        return ["Its topics are unjudged, so what it missed is unknown."]
    said = ["It never falls behind its ideal."]
    if of.worst:
        worst = short(float(of.brought["behind"].iloc[of.worst - 1]))
        end = f"it was {short(abs(of.behind))} {'ahead' if of.behind < 0 else 'behind'}"
        said = [f"It lost most against its ideal at Q{of.worst} ({worst}); at the end {end}."]
    missed = f"{len(of.never_shown):,} of {of.relevant:,}"
    said.append(f"Relevant documents that never reached a top {of.top}: {missed}.")
    if of.parts:
        found = share(of.brought["parts_found"].iloc[-1])
        said.append(f"It found {found} of the {counted(of.parts, 'part')} of its task.")
    if of.unopened is None or of.in_vain is None:
        return [*said, "The log doesn't say what was opened."]
    unopened = f"Relevant in a top {of.top}, but not opened"
    for what, documents in {unopened: of.unopened, "Opened without gain": of.in_vain}.items():
        each = zip(documents["doc"], documents["grade"], strict=True)
        named = listed([f"{doc} ({grade})" for doc, grade in each], MOST_NAMED)
        said += [f"{what} ({len(documents):,}): {named}."] if named else []
    return said


HELP = (
    "Your judgments are a layer over the study's: every number counts them, the definition names "
    "the layer, and the study's files stay unchanged."
)
TAKE_BACK = "Click to remove"


def reader_judgments_sentence(layer: Layer) -> str:
    """How many there are, and what they are called."""
    return f"{counted(len(layer), 'document')} (layer {layer_name(layer)})."


def judgment_line(topic: str, doc: str, grade: float) -> str:
    """One of them.

    >>> judgment_line("t1", "d1", 2.0)
    't1 · d1: 2'
    """
    return f"{topic} · {doc}: {label(grade)}"
