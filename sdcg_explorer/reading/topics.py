"""Topics of a log that names none: by what its judgments go by, or as is chosen (decision 60)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from shlex import quote

from sdcg_explorer.reading.cells import Findings, blank
from sdcg_explorer.reading.judgments import (
    are_apart,
    judgment_key,
    judgment_keys,
    key_words,
    topics_of_key,
)
from sdcg_explorer.reading.mapped_table import Mapped
from sdcg_explorer.reading.mapping import FOLD, say_column
from sdcg_explorer.reading.name_patterns import parts_named, proposed_pattern
from sdcg_explorer.reading.raw_table import in_order, texts_of
from sdcg_explorer.reading.rules import ASKED, Rules
from sdcg_explorer.reading.rules import FOLD as FOLD_RULES
from sdcg_explorer.reading.table_kinds import Part, events_of, of_kind, stem
from sdcg_explorer.study.problems import Problem, Remedy, error, note

# between a topic and what is judged within it: the first that no topic holds
MARKS = tuple(map(chr, (*b"/|", *range(0x2190, 0x2400))))
NONE_NAMED = "no topic named"
ARE_NAMED = "documents are judged for a topic, and neither log nor judgments name any"
ONE = "all queries are on one topic, with one ideal"
EACH = (
    "each session is a topic of its own, a judgment grades its document in each session that "
    "showed it, and the ideal is the best of what that session showed"
)
ASK = Remedy(
    f"Choose: --topics-by one ({ONE}), or --topics-by session ({EACH}). Or name the log's column: "
    "--map topic=NAME.",
    f"Choose: {ASKED['topics_by']} Or give a column of the log the role topic: “{FOLD}”.",
)


def lacks_topics(parts: Sequence[Part], rules: Rules) -> bool:
    """Whether nothing names a topic, so that somebody has to say what is one.

    A table of ours has been accepted, and stays as it is; a run's query ids name its topics.
    """
    logs, judged = of_kind(parts, "log"), of_kind(parts, "judgments")
    logged, graded = _roles(logs) | {*parts_named(rules.file_name)}, _roles(judged)
    if any(events_of(part, rules.events) for part in logs):
        logged |= {"session", "query_number"}
    if any(part.raw.exact for part in logs) or not {"session", "query_number"} <= logged:
        return False
    rated = [_roles([part]) for part in of_kind(parts, "ratings")]
    if any({"session", "topic"} <= roles and "query_number" not in roles for roles in rated):
        return False
    ids = "query_number" in graded and not {"text", "session"} & graded
    key = judgment_key(graded, logged, rules.judged_by)
    return not ("topic" in logged | graded or ids or key)


def possible_keys(parts: Sequence[Part]) -> list[str]:
    """What the judgments could go by, of topic, text and session, where that makes a difference."""
    judged, logged = of_kind(parts, "judgments"), _roles(of_kind(parts, "log"))
    own = not judged and "grade" in logged
    keys = [key[0] for key in judgment_keys(logged if own else _roles(judged), logged, own=own)]
    return keys if len({*keys, *({"topic"} & logged)}) > 1 else []


def _roles(parts: Iterable[Part]) -> set[str]:
    """Roles that columns play; that of a topic only where one is named."""
    return {
        role
        for part in parts
        for role, column in part.columns.items()
        if role != "topic" or not blank(part.raw.rows[column]).all()
    }


def with_chosen_topics(log: Mapped, rules: Rules, found: Findings) -> Mapped:
    """The log with the topics that were chosen; an error until one is."""
    if not rules.topics_by:
        found.problems.append(error(log.raw.file, None, NONE_NAMED, ARE_NAMED, ASK))
        return log
    found.problems.append(as_chosen(log.raw.file, ONE if rules.topics_by == "one" else EACH))
    if rules.topics_by == "one":
        return log
    return replace(log, cells=log.cells.assign(topic=log.cells["session"]))


def check_judged_by(log: Mapped, graded: Mapped | None, rules: Rules, found: Findings) -> None:
    """What judgments are chosen to go by stands in both tables."""
    by = rules.judged_by
    lacking = [t.raw.file for t in (graded or log, log) if by not in t.cells]
    if not by or not lacking:
        return
    found.problems.append(no_key(by, lacking[0], (graded or log).raw.file))


def no_key(by: str, lacking: str, file: str) -> Problem:
    """Error where what judgments of a file are to go by is no column of a file."""
    rule = f"{lacking} has no column for it"
    remedy = Remedy(
        f"Name the column, --map {by}=NAME, or leave out --judged-by {by}.",
        f"Give a column the role {by}: “{FOLD}”; or choose otherwise: {ASKED['judged_by']}.",
    )
    return error(file, None, f"judgments chosen to go by {by}", rule, remedy)


def with_judged_topics(log: Mapped, graded: Mapped, rules: Rules, found: Findings) -> Mapped:
    """The log with the topics that its judgments go by.

    Both name topics; or judgments go by query text or session, which then is the topic where the
    log names none, and a part of it where it was chosen and grades of a topic disagree.
    """
    own = graded is log
    key = judgment_key(graded.cells, log.cells, rules.judged_by, own=own)
    if key == ("topic",) or (rules.judged_by and not key):
        return log
    if key and "topic" in log.cells:
        return _with_topics_apart(log, graded, key, found) if rules.judged_by else log
    if key:
        what = key_words(key)
        rule = f"the log names no topic, so each {what} is judged as a topic of its own"
        remedy = "Add a topic column to the log if several queries share one need."
        found.problems.append(note(graded.raw.file, f"judgments by {what}", rule, remedy))
        topics = in_order(topics_of_key(log.cells, key))
        return replace(log, cells=log.cells.assign(topic=topics))
    if not {"topic"} & {*log.cells, *graded.cells} and found.errors:
        return log  # neither names topics, and what else is lacking is said
    lacking = next(table.raw for table in (log, graded) if "topic" not in table.cells)
    if lacking.first and found.errors:
        return log  # its columns have no names yet
    judged = texts_of(graded.cells["topic"]) if "topic" in graded.cells else []
    files = [file for file, _ in lacking.each_file()]
    pattern = proposed_pattern([*map(stem, files)], judged)
    graded_alone = graded.raw.file if "topic" in graded.cells else ""
    found.problems.append(no_topic(lacking.file, pattern, graded_alone))
    return log


def as_chosen(file: str, rule: str) -> Problem:
    """Note of what was taken for a topic."""
    remedy = "Nothing to do, if so; else name the topic of each query in the log."
    return note(file, NONE_NAMED, f"as chosen, {rule}", remedy)


def no_topic(file: str, pattern: str = "", judgments: str = "") -> Problem:
    """Error for a log or judgments without topics, where the other names them.

    pattern : of the files' names, which may say them · judgments : their file, if it names them
    """
    rule = "log and judgments both name the topic of a row, or neither does"
    remedy = say_column("topic")
    if judgments:
        share = "If all queries share one topic,"
        remedy = Remedy(
            f"{remedy.command} {share} --map {quote(f'{judgments}:topic=(none)')} --topics-by one.",
            f"{remedy.page} {share} take the role topic from the judgments' column there.",
        )
    if "{topic}" in pattern:
        have = "Have the files' names say it"
        remedy = Remedy(
            f"{have}: --file-name '{pattern}'. Or: {remedy.command}",
            f"{have}, {pattern}, under “{FOLD_RULES}”: {ASKED['file_name']}. Or: {remedy.page}",
        )
    return error(file, 1, "topic missing", rule, remedy)


def _with_topics_apart(
    log: Mapped, graded: Mapped, key: tuple[str, ...], found: Findings
) -> Mapped:
    """The log with a topic for each text or session, where their grades of a topic disagree."""
    if not are_apart(graded.raw, graded.cells, log.cells, key):
        return log
    what = key_words(key)
    own = log.cells["topic"]
    mark = next(m for m in MARKS if not any(m in topic for topic in texts_of(own)))
    rule = f"grades of one topic disagree, so each {what} is judged and has its ideal by itself"
    rule = f"{rule}, on a topic named TOPIC{mark}{what.upper()}"
    said = note(graded.raw.file, f"judgments by {what}", rule, "Nothing to do, if so.")
    found.problems.append(said)
    named = zip(own.astype("str"), topics_of_key(log.cells, key), strict=True)
    topics = in_order([f"{topic}{mark}{text}" for topic, text in named])
    return replace(log, cells=log.cells.assign(topic=topics, own_topic=own))
