"""Uploads on their way to a study: what each file is, its columns by role, the rules of reading.

From dropped files to a kept study: looked over, named, accepted; with the import report, which says
what was read, what to be wary of, and what was changed on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import streamlit as st

from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.data.figure import draw_data
from sdcg_explorer.questions.data.numbers import (
    NO_ROLE,
    changes_table,
    columns_seen,
    files_table,
    first_session,
    needed_roles,
    problems_table,
    roles_of,
    unjudged_by_rank,
)
from sdcg_explorer.questions.data.words import about_first, behind, counts_table
from sdcg_explorer.questions.wording import enumerated
from sdcg_explorer.reading.calls import OPEN, SEARCH, calls_by_tool, kind_of_tool, tools_table
from sdcg_explorer.reading.judgments import (
    assessors_of,
    columns_of_parts,
    lacks_topics,
    possible_keys,
)
from sdcg_explorer.reading.limits import MOST_RESULTS, MOST_SESSIONS
from sdcg_explorer.reading.log_names import files_of_logs, pattern_for
from sdcg_explorer.reading.log_rows import has_scores
from sdcg_explorer.reading.mapping import FOLD as ROLES_FOLD
from sdcg_explorer.reading.own_study import About
from sdcg_explorer.reading.patterns import (
    MEANINGS,
    NOT_USED,
    OF_SESSIONS,
    events_fault,
    name_fault,
    pattern_fault,
    seconds_of_gap,
)
from sdcg_explorer.reading.raw_table import KINDS, aligned, joined
from sdcg_explorer.reading.read import proposed, study_of_tables, study_with_ratings, tables_of
from sdcg_explorer.reading.recipe import (
    ASKED,
    ASSESSORS,
    FIELDS,
    FIXES,
    FOLD,
    GUESSED,
    OFF,
    QUERY_ID,
    Recipe,
)
from sdcg_explorer.reading.shapes import events_table
from sdcg_explorer.reading.sources import Source, aside
from sdcg_explorer.reading.table_kinds import (
    Part,
    events_of,
    of_kind,
    shapes_of,
    stem,
    study_name,
    taken_as,
)
from sdcg_explorer.reading.worker import read_apart
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.library import SHORT, keep, kept_of, may_write, open_study
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.screen.uploads_in_hand import forget_upload, hold_upload
from sdcg_explorer.study.problems import Problem, UnusableInputError
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import counted

# pixels of columns: at 1366, what was found and what to do about it stand beside each other
WIDTHS: dict[str, Any] = {"severity": 80, "file": 120, "line": 60, "found": 320, "remedy": 400}


def show_preview(study: Study) -> None:
    """The first session as it is understood."""
    st.subheader("How the first session was read")
    st.markdown(f":small[{show.markdown_safe(about_first(study))}]")
    show.table(first_session(study), "First session")


def show_wary(study: Study) -> None:
    """Warnings and notes, before anything is accepted."""
    if not study.problems:
        return
    st.subheader("Warnings")
    for problem in study.problems[:20]:
        st.markdown(f"- **{problem.severity}:** {show.markdown_safe(str(problem.in_browser))}")
    if len(study.problems) > 20:
        show_problems(study.problems)


def show_problems(problems: Sequence[Problem]) -> None:
    """Show problems as a table, whose remedies stand on a laptop's screen."""
    show.table(problems_table(list(problems)), "Problems", **WIDTHS)


def show_report(study: Study) -> None:
    """The rest of the import report: the files, unjudged share by rank, what was changed."""
    if study.report.files:
        st.subheader("Files")
        show.table(files_table(study.report), "Files")
    st.subheader("Unjudged results by rank")
    unjudged = unjudged_by_rank(study)
    if unjudged["unjudged"].any():
        show.figure(draw_data(unjudged), "Unjudged share by rank", keys.UNJUDGED_BY_RANK)
        show.small("Data behind the figure", behind(unjudged))
    else:
        st.markdown(show.markdown_safe(behind(unjudged)))
    st.subheader("What was repaired or left out")
    report = study.report
    for words, counts in (("Repaired", report.repaired), ("Left out", report.left_out)):
        for rule, count in counts.items():
            st.markdown(f"- {words}: {show.markdown_safe(rule)} ({count:,})")
    if report.changes:
        words = "Download the list of changes"
        download(words, lambda: table_bytes(changes_table(report)), "changes.csv", "text/csv")
    else:
        st.markdown("Nothing: the files were read as they are.")


OLD = "<style>[data-testid=stMain] [data-stale=true] { display: none }</style>"
NONE = "none"  # where no tool is chosen, whatever their names say
LACKING = "missing_sessions"  # which is asked where systems lack some
MOST_COLUMNS = 60  # that are offered a role each
A_ROW = 100  # bytes of a file that a row usually is


def read_uploads(files: Sequence[Any]) -> tuple[About, list[Part]]:
    """The tables of the uploaded files; read once per set of files.

    Raises
    ------
    UnusableInputError : a file that can't be read
    """
    place = st.empty()  # always there, so that what stands below stays in place
    key = tuple(file.file_id for file in files)
    known = st.session_state.get(keys.UPLOADS)
    if known and known[0] == key:
        return known[1]
    with nothing_old(), place.status("Reading …") as status, aside(files) as paths:
        sources = [Source(file.name, path) for file, path in zip(files, paths, strict=True)]
        found: Any = read_apart(
            tables_of,
            sources,
            where=files[0].name,
            size=sum(file.size for file in files),
            said=lambda file: status.update(label=f"Reading {show.markdown_safe(file)} …"),
        )
    place.empty()
    st.session_state[keys.UPLOADS] = (key, found)
    return found


def _choose_part(part: Part, place: int) -> Part:
    """Have the kind and the columns of a table looked over."""
    about = place, part.raw.file, part.raw.header
    seed = keys.of_files("", about)
    with st.container(border=True):
        size = counted(len(part.raw.rows), "row") if part.raw.header else "not read"
        st.markdown(f"**{show.markdown_safe(part.raw.file)}**, {size}")
        offered = [*KINDS] if part.raw.header else ["other"]
        kind = st.selectbox(
            ASKED["kinds"],
            offered,
            index=offered.index(part.kind) if part.kind else None,
            format_func=KINDS.__getitem__,
            placeholder="Choose what it is",
            key=keys.of_files("kind", about),
        )
        why = part.why if (kind or "") == part.kind else "you say so"
        st.markdown(f":small[{'Because' if kind else 'Asked because'} {show.markdown_safe(why)}.]")
        if kind is None:
            return part
        chosen = replace(part, why=why)
        if kind != part.kind:
            chosen = proposed(taken_as(replace(part, given={}), kind, why))
        of_calls = part.raw.known.calls and "doc" in part.raw.header  # whose log is made of them
        if kind in ("topics", "other") or part.raw.exact or of_calls:
            return chosen
        doubtful = _is_doubtful(chosen)
        with st.expander(ROLES_FOLD, expanded=doubtful, key=keys.roles(seed, kind)):
            return _choose_columns(chosen, seed)


def _is_doubtful(part: Part) -> bool:
    """Whether a role is missing, or was found by values alone."""
    seen = columns_seen(part)
    by_values = any(column.how == "by its values" for column in seen)
    return by_values or not needed_roles(part) <= {column.role for column in seen}


def _choose_columns(part: Part, seed: str) -> Part:
    """One select per column: its role, beside five of its values."""
    given = dict.fromkeys(roles_of(part.kind)[1:], "")
    options = roles_of(part.kind)
    for i, column in enumerate(columns_seen(part)[:MOST_COLUMNS]):
        left, right = st.columns([2, 3], vertical_alignment="bottom")
        with left:
            role = st.selectbox(
                f"Role of {show.markdown_safe(column.name)}",
                options,
                index=options.index(column.role),
                key=keys.role(seed, part.kind, i),
            )
        values = ", ".join(column.samples) or "nothing"
        how = f" ({column.how})" if column.how and role == column.role else ""
        right.markdown(f":small[{show.markdown_safe(f'holds {values}{how}')}]")
        if role == NO_ROLE:
            continue
        if given[role]:
            twice = f"{role} is chosen for {given[role]} and {column.name}; the first counts."
            st.warning(show.markdown_safe(twice))
        given[role] = given[role] or column.name
    if len(part.raw.header) > MOST_COLUMNS:
        st.markdown(f":small[Columns after the first {MOST_COLUMNS} have no role.]")
    return replace(part, given=given)


def choose_topics(parts: list[Part], recipe: Recipe) -> Recipe:
    """Have it said what a topic is, where neither log nor judgments name any."""
    if not lacks_topics(parts, recipe):
        return recipe
    of = [part.raw.file for part in of_kind(parts, "log")]
    more = " The log names none, and the judgments neither."
    return replace(recipe, topics_by=_ask_of("topics_by", of, more))


def choose_missing_sessions(parts: list[Part], recipe: Recipe) -> Recipe:
    """Have it said what sessions are that a system lacks, where there were some."""
    if LACKING not in asked_of(parts):
        return recipe
    return replace(recipe, missing_sessions=_ask_of(LACKING, shapes_of(parts)))


def _ask_of(name: str, of: Sequence[Any], more: str = "") -> str:
    """What is chosen for these files; "" until something is."""
    options = FIELDS[name].options
    chosen = st.radio(
        f"{ASKED[name]}{more}",
        [value for value in options if value],
        index=None,
        format_func=options.__getitem__,
        key=keys.of_files(name, of),
    )
    return chosen or ""


def choose_rules(parts: list[Part]) -> Recipe:
    """Have the rules of reading looked over."""
    logs, judgment_keys = of_kind(parts, "log"), possible_keys(parts)
    seed = shapes_of(parts)
    with st.expander(FOLD, key=keys.DOUBTFUL):
        every = ("rank_base", "same_rank", "conflicts", "query_numbers")
        chosen: dict[str, Any] = {name: _pick(name) for name in every}
        if judgment_keys:
            chosen["judged_by"] = _pick("judged_by", ("", *judgment_keys))
        if any(map(has_scores, logs)):
            chosen["order"] = _pick("order")
        pattern = st.text_input(ASKED["query_id"], QUERY_ID, key=keys.rule("query_id"))
        if assessors := assessors_of(parts):
            offered = *ASSESSORS, *assessors[:MOST_COLUMNS]
            chosen["assessors"] = _pick("assessors", offered, keys.of_files("assessors", seed))
        if columns := columns_of_parts(parts):
            offered = "", *columns[:MOST_COLUMNS]
            chosen["parts"] = _pick("parts", offered, keys.of_files("parts", seed))
        if len(files_of_logs(parts)) > 1:
            name = "system_by_file"
            chosen[name] = st.checkbox(ASKED[name], key=keys.rule(name))
    recipe = Recipe(**chosen, file_name=choose_file_name(parts))
    if fault := pattern_fault(pattern):
        said = f"{ASKED['query_id']} {pattern!r}; {fault}. Correct it."
        st.warning(show.markdown_safe(f"{said} The pattern that is offered is used meanwhile."))
        return recipe
    return replace(recipe, query_id=pattern)


def _pick(name: str, offered: Sequence[str] = (), key: str = "") -> str:
    """A choice between values that have words, or are names; all unless some are offered."""
    options = FIELDS[name].options
    return st.selectbox(
        ASKED[name],
        offered or [*options],
        format_func=lambda value: options.get(value) or value or "no column",
        key=key or keys.rule(name),
    )


def name_of(files: Sequence[Any], parts: list[Part]) -> str:
    """What a study is called unless it says so itself: as its only file, its folder, or its log."""
    logs = [part.raw.file for part in parts if part.kind == "log"]
    given = _given_name(files)
    return study_name([*([given] if given else []), *logs, *(file.name for file in files)])


def _given_name(files: Sequence[Any]) -> str:
    """The name of the one file or zip, or of the folder that all files lie in; "" where none is."""
    if len(files) == 1:
        return stem(files[0].name)
    folders = {file.name.strip("/").partition("/")[::2] for file in files}
    (first, _), *_ = folders
    return first if all(folder == first and rest for folder, rest in folders) else ""


def is_nameless(name: str, files: Sequence[Any]) -> bool:
    """Whether a study is called as one of several files, for want of a name."""
    return not _given_name(files) and name in {stem(file.name) for file in files}


def understood(
    about: About, parts: list[Part], recipe: Recipe, *, name: str, opened: Study | None
) -> Study | None:
    """The study that the parts make; where they make none, the reasons are shown.

    Ratings alone join the study that is opened, if one is.
    """
    ratings = {part.kind for part in parts} - {"other"} == {"ratings"}
    joined = opened if ratings else None
    if joined:
        st.markdown(f"These ratings join the study **{show.markdown_safe(joined.name)}**.")
    if not joined and not recipe.topics_by and lacks_topics(parts, recipe):
        st.warning(
            "The study isn't made yet: choose here what a topic is. Documents are judged for a "
            "topic, and all sessions on one topic share its judgments and its ideal."
        )
        return None
    tables = tuple((id(part.raw), part.kind, *sorted(part.given.items())) for part in parts)
    key = (tables, recipe, (joined.digest, *sorted(joined.tags.items())) if joined else "")
    known = st.session_state.get(keys.UNDERSTOOD)
    if known and known[0] == key:
        return known[1]
    try:
        with nothing_old(), st.spinner("Checking …"):
            study = _checked(about, parts, recipe, name, joined)
        st.session_state[keys.UNDERSTOOD] = (key, study)
        ask(parts, study.problems)
        return study
    except UnusableInputError as refused:
        ask(parts, refused.problems)
        show_refused(refused)
        return None


def _checked(
    about: About, parts: list[Part], recipe: Recipe, name: str, joined: Study | None
) -> Any:
    """The study that the parts make, or the one they join."""
    look: dict[str, Any] = {"where": name, "size": A_ROW * sum(len(p.raw.rows) for p in parts)}
    if joined:
        return read_apart(study_with_ratings, about, joined, parts, **look)
    look["most"] = MOST_RESULTS, MOST_SESSIONS
    return read_apart(study_of_tables, about, parts, **look, name=name, recipe=recipe)


def show_refused(refused: UnusableInputError) -> None:
    """Every reason why files make no study, once; and beneath, what is no such reason."""
    count = sum(problem.severity == "error" for problem in refused.problems)
    st.error(f"{count} {'reason' if count == 1 else 'reasons'} why this can't be used yet:")
    for is_reason in (True, False):
        own = [each for each in refused.problems if (each.severity == "error") == is_reason]
        if own and not is_reason:
            st.markdown("Noticed as well:")
        if len(own) > 5:
            show_problems(own)
        for each in own if len(own) <= 5 else ():
            st.markdown(f"- {show.markdown_safe(str(each.in_browser))}")


@contextmanager
def nothing_old() -> Generator[None]:
    """Meanwhile, nothing of the page stands that was said of other files, or by another recipe.

    What is drawn next must not be hidden while it is drawn again: a click on it would be lost.
    """
    place = st.empty()
    place.markdown(OLD, unsafe_allow_html=True)
    try:
        yield
    finally:
        place.empty()


def choose_tools(parts: Sequence[Part], recipe: Recipe) -> Recipe:
    """The recipe with what the tools of agents do, where a log is one of their calls."""
    raws = [part.raw for part in of_kind(parts, "log") if part.raw.known.calls]
    if not raws:
        return recipe
    counts = calls_by_tool(joined(aligned(raws)))
    st.markdown("**This log holds calls of tools.** Each call that searched is a query:")
    columns = zip(st.columns(2), (("search_tools", SEARCH), ("open_tools", OPEN)), strict=True)
    said: dict[str, str] = {}
    for column, (name, kind) in columns:
        usual = [tool for tool in counts if kind_of_tool(tool) == kind]
        key = keys.of_files(name, sorted(counts))
        chosen = column.multiselect(ASKED[name], sorted(counts), usual, key=key)
        said[name] = ",".join(chosen) or NONE
    recipe = replace(recipe, **said)
    show.table(
        tools_table(counts, recipe),
        "tools, how often they were called, and what they do",
        ours=False,
    )
    doc_id = _typed(
        f"{ASKED['doc_id']} (a pattern with (?P<doc>…), where results are chunks)",
        lambda pattern: pattern_fault(pattern, ("doc",)),
        key=keys.of_files("doc_id", sorted(counts)),
        placeholder="(?P<doc>.+)#[0-9]+",
    )
    return replace(recipe, doc_id=doc_id)


def _typed(words: str, fault_of: Callable[[str], str], value: str = "", **look: Any) -> str:
    """What is typed into a field; "" of what has a fault, which is shown."""
    typed = st.text_input(words, value, **look).strip()
    if typed and (fault := fault_of(typed)):
        st.warning(show.markdown_safe(f"{typed!r}; {fault}. Correct it."))
        return ""
    return typed


def choose_events(parts: Sequence[Part], recipe: Recipe) -> Recipe:
    """The recipe with what events mean and what a session is, where a log is one of events."""
    logs = [part for part in of_kind(parts, "log") if events_of(part)]
    if not logs:
        return _with_sessions(parts, recipe)
    part = logs[0]
    st.markdown("**The rows of this log are events.** Queries and their results come of them:")
    said = _typed(
        f"{ASKED['events']}, where names don't say ({', '.join(MEANINGS)} or {NOT_USED})",
        events_fault,
        key=keys.of_files("events", shapes_of(parts)),
        placeholder=f"{MEANINGS[0]}=NAME,{MEANINGS[1]}=NAME,{NOT_USED}=NAME",
    )
    recipe = replace(recipe, events=said)
    if events := events_of(part, recipe.events):
        about = "events, how many there are, and what they mean"
        show.table(events_table(part.raw, events), about, ours=False)
    return _with_sessions(parts, recipe)


def _with_sessions(parts: Sequence[Part], recipe: Recipe) -> Recipe:
    """The recipe with what a session is, where a log names searchers, and no session."""
    logs = [{*part.columns} for part in of_kind(parts, "log")]
    if any("session" in there for there in logs) or not any("searcher" in there for there in logs):
        return recipe
    seed, timed = shapes_of(parts), any({"searcher", "time"} <= there for there in logs)
    by_topic = not timed and any("topic" in there for there in logs)
    usual = "searcher, topic" if by_topic else "searcher"
    left, right = st.columns(2)
    key = keys.of_files("session_by", seed)
    by = left.text_input(f"{ASKED['session_by']} (columns)", usual, key=key).strip()
    recipe = replace(recipe, session_by=", ".join(filter(None, by.split(","))))
    if not timed:  # a pause is seen by times
        return recipe
    gap = right.text_input(
        f"{ASKED['session_gap']} more than", "30m", key=keys.of_files("session_gap", seed)
    ).strip()
    if gap and not seconds_of_gap(gap):
        st.warning(show.markdown_safe(f"{gap!r} is no pause as 90s, 30m or 1h. Correct it."))
        gap = ""
    return replace(recipe, session_gap=gap)


def choose_repairs(parts: Sequence[Part], recipe: Recipe) -> Recipe:
    """A recipe with the repairs that are ticked, of those that were made or offered here."""
    asked = [each for each in asked_of(parts) if each != LACKING]
    if not asked:
        return recipe
    st.markdown(f"**{ASKED['fix']}**; what is not ticked stays as it is:")
    said: list[str] = []
    for fix in asked:
        is_made, key = fix not in GUESSED, keys.of_files(f"fix_{fix}", shapes_of(parts))
        if st.checkbox(FIXES[fix], is_made, key=key) != is_made:
            said.append(f"{fix}={OFF}" if is_made else fix)
    return replace(recipe, fix=",".join(said))


def asked_of(parts: Sequence[Part]) -> list[str]:
    """What problems of these tables had asked: repairs, and about sessions that a system lacks."""
    return st.session_state.get(keys.of_files("asked", shapes_of(parts)), [])


def ask(parts: Sequence[Part], problems: Sequence[Problem]) -> None:
    """Ask from now on what problems name; the page is drawn anew where it was not asked before."""
    lacks = [LACKING for problem in problems if ASKED[LACKING] in problem.on_page]
    before = asked_of(parts)
    fixes = (problem.fix for problem in problems if problem.fix)
    new = [each for each in dict.fromkeys([*fixes, *lacks]) if each not in before]
    if new:
        st.session_state[keys.of_files("asked", shapes_of(parts))] = [*before, *new]
        st.rerun()


def choose_file_name(parts: list[Part]) -> str:
    """Have it said what the names of a log's files say, where there are several."""
    logs = files_of_logs(parts)
    if len(logs) < 2:
        return ""
    return _typed(
        f"{ASKED['file_name']} (in braces, {enumerated(OF_SESSIONS)} are roles)",
        name_fault,
        value=pattern_for(parts),
        key=keys.of_files("file_name", logs),
        placeholder="nothing that counts",
    )


# white on the dark theme's light blue can't be read
READABLE = f".st-key-{keys.ACCEPT} button * {{ color: light-dark(#fff, #111) }}"


# Two tiny tables to start from
LOG = """session,system,searcher,topic,query_number,query,rank,doc,clicked
S1,A,P1,7,1,foot ulcer,1,d42,0
S1,A,P1,7,1,foot ulcer,2,d17,1
S1,A,P1,7,2,diabetic foot ulcer,1,d17,1
S2,B,P2,7,1,no result for this,,,
"""
JUDGMENTS = """topic,doc,grade
7,d42,0
7,d17,3
7,d99,2
"""


def drop_files(words: str) -> list[Any]:
    """The place to drop a study's files."""
    files = st.file_uploader(
        words,
        accept_multiple_files=True,
        key=keys.FILES,
        help="CSV, JSON, Parquet, xlsx, session XML, TREC runs and qrels, plain or packed, "
        "with at most 2 million results. Ratings (of sessions, queries or searchers) join "
        "them, or the study that is open.",
    )
    if files:
        hold_upload()
    else:
        forget_upload()
    return files


def study_of_files(files: Sequence[Any], opened: Study | None, above: Any) -> Study | None:
    """The study that files make, once they are looked over; what they lack is shown `above`.

    Ratings alone join the study that is `opened`.
    """
    try:
        about, parts = read_uploads(files)
    except UnusableInputError as refused:
        with above:
            show_refused(refused)
        return None
    chosen = [_choose_part(part, place) for place, part in enumerate(parts)]
    recipe = choose_rules(chosen)
    with above:
        recipe = choose_tools(chosen, choose_events(chosen, recipe))
        recipe = choose_missing_sessions(chosen, choose_topics(chosen, recipe))
        recipe = choose_repairs(chosen, recipe)
        return understood(about, chosen, recipe, name=name_of(files, chosen), opened=opened)


def ask_name(study: Study, files: Sequence[Any]) -> None:
    """The study's name, and the button that keeps and opens it; files alone have not named it."""
    short = study.bare.digest[:SHORT]
    there = kept_of(short) if may_write(short) else None
    name = there.name if there else "" if is_nameless(study.name, files) else study.name
    fill(keys.STUDY_NAME, name, of=f"{study.digest} {study.name}")
    st.html(f"<style>{READABLE}</style>")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Name of the study",
            max_chars=200,
            key=keys.STUDY_NAME,
            placeholder=f"{study.name}, unless you name it",
        )
        own: dict[str, Any] = {"on_click": _accept, "type": "primary"}  # an argument would live on
        st.button("Accept and open", icon=":material/check:", key=keys.ACCEPT, **own)
    st.markdown(":small[Accept before you leave this page: an upload is forgotten with it.]")


def look_over(study: Study) -> None:
    """The study as it is understood."""
    show_preview(study)
    show_wary(study)
    show_report(study)
    with st.expander("Every count"):
        show.table(counts_table(study), "Counts of the import")


def fill(key: str, value: str, of: str) -> None:
    """Fill in a field when what it is about changes; what is typed stays until then."""
    if key not in st.session_state or st.session_state.get(keys.filled_for(key)) != of:
        st.session_state[key] = value
        st.session_state[keys.filled_for(key)] = of


def _accept() -> None:
    """Keep the study that was understood and open it; where it can't be kept, say why."""
    _, study = st.session_state[keys.UNDERSTOOD]
    try:
        open_study(keep_upload(study, st.session_state[keys.STUDY_NAME].strip() or study.name))
        st.session_state[keys.JUST_KEPT] = True
    except UnusableInputError as refused:
        st.session_state[keys.NOT_KEPT] = f"Nothing was kept: {refused.problems[0].sentence()}"


def keep_upload(study: Study, name: str = "") -> str:
    """Keep a study, and forget its upload; the first characters of its digest.

    Raises
    ------
    UnusableInputError : it can't be written
    """
    short = keep(study, name)
    forget_upload()
    return short
