"""The import screen: what each file is, the study as it is understood, and what was repaired."""

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

import streamlit as st

from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.data import figure, numbers, words
from sdcg_explorer.reading import ratings, raw_table, worker
from sdcg_explorer.reading.cells import rule_of
from sdcg_explorer.reading.limits import MOST_RESULTS, MOST_SESSIONS
from sdcg_explorer.reading.log_names import files_of_logs, pattern_for
from sdcg_explorer.reading.mapping import FOLD as ROLES_FOLD
from sdcg_explorer.reading.mapping import given_for
from sdcg_explorer.reading.own_study import About
from sdcg_explorer.reading.propose import Proposal, Reading, are_alike
from sdcg_explorer.reading.read import read_parts, reading_of, study_with_ratings, with_recipe
from sdcg_explorer.reading.recipe import AND, ASKED, DEFAULT, FIELDS, FIXES, FOLD, Recipe
from sdcg_explorer.reading.sources import Source, readable_paths
from sdcg_explorer.reading.table_kinds import Part, needed_roles, of_kind, stem, study_name
from sdcg_explorer.screen import keys, recipe_panel, show, uploads_in_hand
from sdcg_explorer.screen.library import SHORT, keep, kept_of, may_write, open_study
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.study.problems import LONGEST, Problem, UnusableInputError, cut, together
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import counted, listed

# pixels of columns: at 1366, what was found and what to do about it stand beside each other
WIDTHS: dict[str, Any] = {"severity": 80, "file": 120, "line": 60, "found": 320, "remedy": 400}
STALE = "[data-stale=true]"
FOLDS = f"[data-testid=stExpander]:has({STALE}), .st-key-data_data"
OLD = (
    f"<style>[data-testid=stMain] :is({STALE}, {STALE} *, {FOLDS}) {{ visibility: hidden }}</style>"
)
MOST_SHOWN, FEW = 20, 5  # problems one by one; beside the preview
A_ROW = 100  # bytes of a file that a row usually is
HEADER = "Header line"
RATING = "rating, if numeric"  # the role of a column of ratings that has no other
NOT_YET = "These files can't be read as a study yet."


def _of_files(recipe: Recipe) -> Recipe:
    """What of a recipe says how the files themselves are read."""
    own = (name for name in FIELDS if name not in recipe_panel.LATER)
    return replace(DEFAULT, **{name: getattr(recipe, name) for name in own})


def read_uploads(files: Sequence[Any]) -> tuple[About, list[Part]]:
    """The tables of the uploaded files; read once, and anew where it is said how.

    Raises
    ------
    UnusableInputError : a file that can't be read
    """
    place = st.empty()  # always there, so that what stands below stays in place
    ids, known = tuple(file.file_id for file in files), st.session_state.get(keys.UPLOADS)
    if known and known[0] == (ids, _of_files(recipe_panel.chosen_recipe())):
        return known[1]
    before = st.session_state.get(keys.CHOICES, recipe_panel.Choices())
    try:
        about, parts = _tables_of(files, place)
    except UnusableInputError:
        if before.upload == ids:
            raise
        before = recipe_panel.Choices()  # what was chosen for other files may be at fault
        st.session_state[keys.CHOICES] = recipe_panel.Choices(upload=ids)
        about, parts = _tables_of(files, place)
    tables = tuple((part.raw.file, tuple(part.raw.header)) for part in parts)
    if before.upload != ids:
        fitting = before.fitting(parts)
        if not fitting.file_name and len(files_of_logs(parts)) > 1:
            fitting = replace(fitting, file_name=pattern_for(parts))
        st.session_state[keys.CHOICES] = recipe_panel.Choices(fitting, ids, tables)
        if _of_files(fitting) != _of_files(before.recipe):
            about, parts = _tables_of(files, place)
    read_as = ids, _of_files(recipe_panel.chosen_recipe())
    st.session_state[keys.UPLOADS] = read_as, (about, parts)
    return about, parts


def _tables_of(files: Sequence[Any], place: Any) -> tuple[About, list[Part]]:
    """Tables of files, in the order of what they are: what is not known first, then logs."""
    recipe = _of_files(recipe_panel.chosen_recipe())
    with hide_outdated_parts(), place.status("Reading …") as status, readable_paths(files) as paths:
        sources = [Source(file.name, path) for file, path in zip(files, paths, strict=True)]
        found: Any = worker.read_apart(
            read_parts,
            sources,
            recipe,
            where=files[0].name,
            size=sum(file.size for file in files),
            said=lambda file: status.update(label=f"Reading {show.markdown_safe(file)} …"),
        )
    place.empty()
    about, parts = found
    return about, sorted(parts, key=lambda part: ("", *raw_table.KINDS).index(part.kind))


def understood(about: About, parts: list[Part], *, name: str, opened: Study | None) -> Reading:
    """How the tables are read by what was chosen; ratings alone join the study that is opened."""
    joins = opened if {part.kind for part in parts} - {"other"} == {"ratings"} else None
    of = (joins.digest, *sorted(joins.tags.items())) if joins else ""
    key = (st.session_state[keys.UPLOADS][0], str(recipe_panel.chosen_recipe()), of)
    known = st.session_state.get(keys.UNDERSTOOD)
    if not known or known[0] != key:
        try:
            with hide_outdated_parts(), st.spinner("Checking …"):
                known = key, _read_or_join(about, parts, name, joins)
        except UnusableInputError as refused:
            return Reading(None, refusal=refused)
        st.session_state[keys.UNDERSTOOD] = known
    reading: Reading = known[1]
    if joins and reading.taken and not of_kind(reading.taken.parts, "log"):
        st.markdown(f"These ratings are added to the study **{show.markdown_safe(joins.name)}**.")
    return reading


def _read_or_join(about: About, parts: list[Part], name: str, joins: Study | None) -> Reading:
    """Tables by themselves, or the study that they join.

    Ratings of another study don't, where a table beside them may be its log.
    """
    look: dict[str, Any] = {"where": name, "size": A_ROW * sum(len(p.raw.rows) for p in parts)}
    recipe, most = recipe_panel.chosen_recipe(), (MOST_RESULTS, MOST_SESSIONS)
    if joins:
        try:
            study: Any = worker.read_apart(study_with_ratings, about, joins, parts, recipe, **look)
            return Reading(Proposal(recipe, (), parts, study))
        except UnusableInputError:
            if not any(part.raw.header for part in of_kind(parts, "other")):
                raise
    found = worker.read_apart(reading_of, about, parts, **look, name=name, recipe=recipe, most=most)
    return cast(Reading, found)


def import_files(files: Sequence[Any], opened: Study | None, above: Any) -> Study | None:
    """The import screen of these files, and the study that they make; its headline stands `above`.

    Ratings alone join the study that is `opened`.
    """
    try:
        about, found = read_uploads(files)
    except UnusableInputError as refused:
        show.answer(None, NOT_YET, above)
        show_refused(refused.problems)
        recipe_panel.choose_asked(tuple(file.file_id for file in files), refused.problems, [])
        for file in dict.fromkeys(problem.file for problem in refused.problems[:MOST_SHOWN]):
            _offer_header(file, f"{HEADER}: {show.markdown_safe(file)}")
        recipe_panel.show_chosen()
        return None
    parts = with_recipe(found, recipe_panel.chosen_recipe())
    with st.container():
        reading = understood(about, parts, name=default_study_name(files, parts), opened=opened)
    study = reading.taken.study if reading.taken else None
    show.answer(None, _headline(reading), above)
    if reading.taken and study:
        tables = ratings.Tables(study.sessions, study.queries)
        parts = ratings.as_ratings(reading.taken.parts, tables)
    elif reading.offered:  # what they are in all readings, or else by their names
        ways = zip(parts, *(way.parts for way in reading.offered), strict=True)
        parts = [own[0] if len({p.kind for p in own}) == 1 else part for part, *own in ways]
    st.subheader("Files")
    for part in parts:
        _offer_part(part, parts, is_open=not reading.taken and not reading.offered)
    st.subheader("The study as read")
    # of a log that lacks nothing but its judgments there is one, too
    shown = study or (reading.refusal.counted if reading.refusal else None)
    show_import_summary(reading, parts, shown)
    refused = reading.refusal.problems if reading.refusal else []
    offer_repairs(together(study.problems) if study else refused, is_read=bool(shown))
    if shown:
        show_changes(shown, [*map(rule_of, FIXES)])  # which have a switch
    if study:
        ask_name(study)
        with st.expander("Details", key="import_details"):
            show_report(study)
            show.table(words.counts_table(study), "Counts of the import")
    return study


def _headline(reading: Reading) -> str:
    """The design of the study that is read, or that there is none yet."""
    if reading.taken:
        return words.headline(reading.taken.study)
    number = len(reading.offered)
    fit = f"{number} readings fit these files. Choose the right one, if any is."
    fit = fit if number > 1 else "One reading fits these files. Choose it if it is right."
    return fit if number else NOT_YET


def _offer_part(part: Part, parts: list[Part], *, is_open: bool) -> None:
    """What a table is; folded, its kind and the role of each column, which may be chosen.

    It is open where its kind is asked, a role is lacking, or something was chosen.
    """
    raw = part.raw
    seed = keys.file_choice_key("", (raw.file, raw.header))
    size = counted(len(raw.rows), "row") if raw.header else "not read"
    kind = raw_table.KINDS[part.kind] if part.kind else "what is it?"
    has_roles = part.kind in ("log", "judgments", "ratings") and not raw.exact
    has_roles &= not (raw.known.calls and "doc" in raw.header)  # whose log is made of calls
    seen = numbers.columns_seen(part) if has_roles else []
    # which columns together may make
    needed = needed_roles(part) - {"session", "query_number"}
    lacking = has_roles and not needed <= {column.role for column in seen}
    label = f"**{show.markdown_safe(raw.file)}**, {size}: {kind}"
    is_asked = not part.kind or (is_open and lacking)
    is_asked |= raw.file in st.session_state.get(keys.CHOSEN_FOR, ())
    with st.expander(label, expanded=is_asked, key=f"roles_{seed}"):
        left, right, end = st.columns([4, 5, 2], vertical_alignment="bottom")
        key = keys.file_choice_key("kind", (raw.file, raw.header))
        st.session_state[key] = part.kind or None
        left.selectbox(
            ASKED["kinds"],
            [*raw_table.KINDS] if raw.header else ["other"],
            index=0 if part.kind else None,
            format_func=raw_table.KINDS.__getitem__,
            placeholder="Choose what it is",
            key=key,
            on_change=_set_kind,
            args=(part, parts, key),
        )
        kinds = recipe_panel.chosen_recipe().kinds
        said = [p for p in _same_columns(part, parts) if kinds.get(p.raw.file) == part.kind]
        right.markdown(f":small[Because {show.markdown_safe(_reason(part, said, part.why))}.]")
        is_known = raw.exact or raw.known.scored or raw.nested or (raw.known.kind and raw.header)
        if not is_known:
            with end:
                _offer_header(raw.file, HEADER)
        if has_roles:
            _offer_columns(part, parts, seed)


def _same_columns(part: Part, parts: Sequence[Part]) -> list[Part]:
    """Tables of columns alike that are taken for the same, the table itself last."""
    header = part.raw.header
    others = (p for p in parts if p is not part and p.kind == part.kind and p.raw.header)
    alike = (p for p in others if p.raw.header == header or are_alike(p, part))
    return [*alike, part]


def _reason(part: Part, said: Sequence[Part], otherwise: str) -> str:
    """Why a table is read so: it was said of it, and of which others; or `otherwise`."""
    files = [other.raw.file for other in said if other is not part]
    also = f", also for {listed(files)}" if files else ""
    return f"you say so{also}" if part in said else otherwise


def _offer_columns(part: Part, parts: list[Part], seed: str) -> None:
    """One select per column: its role, beside five of its values."""
    st.markdown(f"**{ROLES_FOLD}**")
    options, alike = numbers.roles_of(part.kind), _same_columns(part, parts)
    mapping = recipe_panel.chosen_recipe().mapping
    named = {numbers.NO_ROLE: RATING} if part.kind == "ratings" else {}
    for i, column in enumerate(numbers.columns_seen(part)[: recipe_panel.MOST_COLUMNS]):
        left, right = st.columns([2, 3], vertical_alignment="bottom")
        key = f"role_{seed}_{part.kind}_{i}"
        st.session_state[key] = column.role
        left.selectbox(
            f"Role of {show.markdown_safe(column.name)}",
            options,
            format_func=lambda role: str(named.get(role, role)),
            key=key,
            on_change=_set_role,
            args=([p for p in alike if column.name in p.raw.header], column.name, column.role, key),
        )
        values = ", ".join(column.samples) or "empty"
        ways = [(other, given_for(mapping, other.raw.file)) for other in alike]
        said = [other for other, own in ways if own.get(column.role) == column.name]
        how = f" ({_reason(part, said, column.how)})" if column.how else ""
        right.markdown(f":small[{show.markdown_safe(f'{values}{how}')}]")
    if len(part.raw.header) > recipe_panel.MOST_COLUMNS:
        st.markdown(f":small[Only the first {recipe_panel.MOST_COLUMNS} columns can have a role.]")


def _keep_open(file: str) -> None:
    """Have the fold of a file stay open, whatever its label says next."""
    st.session_state[keys.CHOSEN_FOR] = {*st.session_state.get(keys.CHOSEN_FOR, ()), file}


def _set_kind(part: Part, parts: Sequence[Part], key: str) -> None:
    """Take a file for what was chosen; roles that were chosen for it as another kind are gone.

    Others of the same columns that were set aside like it, and not by hand, go with it.
    """
    recipe, kind = recipe_panel.chosen_recipe(), st.session_state[key]
    alike = _same_columns(part, parts) if part.kind == "other" else [part]
    files = [p.raw.file for p in alike if p is part or p.raw.file not in recipe.kinds]
    mapping = {k: name for k, name in recipe.mapping.items() if k.rpartition(":")[0] not in files}
    _keep_open(part.raw.file)
    kinds = {**recipe.kinds, **dict.fromkeys(files, kind)}
    recipe_panel.set_recipe(replace(recipe, kinds=kinds, mapping=mapping))


def _offer_header(file: str, label: str) -> None:
    """Have it said on which line of a file its header stands."""
    key = keys.file_choice_key("header", file)
    st.session_state[key] = recipe_panel.chosen_recipe().header_line(file)
    look: dict[str, Any] = {"on_change": _set_header, "args": (file, key)}
    st.number_input(label, 0, key=key, help="0: find it automatically.", **look)


def _set_header(file: str, key: str) -> None:
    """Have the header of a file on a line; on line 0 it is looked for."""
    _keep_open(file)
    own, line = f"{file}:header-row", st.session_state[key]
    recipe_panel.set_recipe(_with_fix(own, f"{own}={line}" if line else ""))


def _with_fix(name: str, said: str = "") -> Recipe:
    """The recipe with this said of a repair, or of a file's header, in place of what was."""
    before = recipe_panel.chosen_recipe().fix.split(",")
    others = [each for each in before if each != name and not each.startswith(f"{name}=")]
    return replace(recipe_panel.chosen_recipe(), fix=",".join(filter(None, [*others, said])))


def _set_role(alike: Sequence[Part], column: str, before: str, key: str) -> None:
    """Have a column of tables play the role that was chosen, and no longer the one that it had.

    Another one that had it loses it; where that was said to be the grade, too, both have those of
    an assessor each.
    """
    mapping, role = dict(recipe_panel.chosen_recipe().mapping), st.session_state[key]
    for part in alike:
        file, other = part.raw.file, part.columns.get(role, "")
        both = role == "grade" and mapping.get(f"{file}:grade") == other != ""
        for each, name in ((before, ""), (role, f"{other}{AND}{column}" if both else column)):
            if each != numbers.NO_ROLE:
                mapping[f"{file}:{each}"] = name
    _keep_open(alike[-1].raw.file)
    recipe_panel.set_recipe(replace(recipe_panel.chosen_recipe(), mapping=mapping))


def show_import_summary(reading: Reading, parts: list[Part], shown: Study | None) -> None:
    """What was understood, with the first session beside it, and the choices that would change it.

    Where nothing is certain, the readings that fit are offered, each with its first session.
    """
    upload = st.session_state[keys.UPLOADS][0][0]
    problems = [] if reading.taken or not reading.refusal else reading.refusal.problems
    problems = [*problems, *([] if reading.taken else reading.nearest)]
    left, right = st.columns([2, 3], gap="medium")
    with left:
        offer_reading(upload, reading)
        asked = recipe_panel.choose_asked(upload, problems, parts)
        if reading.taken:
            show.lines(words.details(reading.taken.study))
    with right:
        for way in [] if shown else reading.offered:
            show.small(way.gives, way.why)
            show_preview(way.study, height=230)
        if not reading.taken and not reading.offered:
            fields = f" under “{FOLD}”"  # which stand beside them
            show_refused([replace(p, on_page=p.on_page.replace(fields, "")) for p in problems])
        if shown:
            show_preview(shown)
    if reading.taken:
        show_wary(reading.taken.study)
    recipe_panel.show_meanings(parts)
    is_stuck = not (reading.taken or reading.offered or asked)
    with st.expander(FOLD, key="rules", expanded=is_stuck):
        recipe_panel.offer_all_choices(parts, asked)
    recipe_panel.show_chosen()


def offer_reading(upload: tuple[str, ...], reading: Reading) -> None:
    """Have one of the readings chosen that were offered of an upload, each with its counts."""
    if reading.offered:
        said = "by the column names"
        ways = [(way.recipe, way.why or said, way.gives) for way in reading.offered]
        st.session_state[keys.OFFERED] = (upload, ways)
    known = st.session_state.get(keys.OFFERED)
    if not known or known[0] != upload:
        return
    recipes, why, gives = zip(*known[1], strict=True)
    places = [i for i, recipe in enumerate(recipes) if recipe == recipe_panel.chosen_recipe()]
    st.session_state[keys.READ_AS] = places[0] if places else None
    st.radio(
        "How should these files be read?",
        range(len(recipes)),
        index=None,
        format_func=lambda i: show.markdown_safe(why[i]),
        captions=[show.markdown_safe(each) for each in gives],
        key=keys.READ_AS,
        on_change=lambda: recipe_panel.set_recipe(recipes[st.session_state[keys.READ_AS]]),
    )


def offer_repairs(problems: Sequence[Problem], *, is_read: bool) -> None:
    """A switch for each repair that was made, was undone, or is offered."""
    said = recipe_panel.chosen_recipe().fix.split(",")
    off = [name.removesuffix("=off") for name in said if name.endswith("=off")]
    found: dict[str, list[str]] = {fix: [] for fix in off}
    for problem in problems:
        if problem.fix:
            found.setdefault(problem.fix, []).append(f"{problem.file}: {problem.found}")
    made = recipe_panel.chosen_recipe().fixes
    if found or is_read:
        st.subheader(ASKED["fix"])
    for fix, places in found.items():
        where = cut("; ".join(places), LONGEST) or "switched off"
        key, name = keys.file_choice_key(f"fix_{fix}", ""), fix.partition("=")[0]
        st.session_state[key] = name in made
        left, right = st.columns([2, 3], vertical_alignment="center")
        left.checkbox(FIXES[name], key=key, on_change=_set_fix, args=(fix, key))
        right.markdown(f":small[{show.markdown_safe(where)}]")


def _set_fix(fix: str, key: str) -> None:
    """Make a repair, or leave it."""
    name = fix.partition("=")[0]
    recipe = _with_fix(name)
    if (name in recipe.fixes) != st.session_state[key]:
        recipe = _with_fix(name, fix if st.session_state[key] else f"{name}=off")
    recipe_panel.set_recipe(recipe)


def show_preview(study: Study, **look: Any) -> None:
    """The first session as it is understood."""
    st.markdown(f":small[{show.markdown_safe(words.first_session_text(study))}]")
    show.table(numbers.first_session_results(study), "First session", **look)


def show_wary(study: Study) -> None:
    """Warnings, and which reading was taken; folded, notes on how files were read."""
    problems = together(p for p in study.problems if not p.fix)  # else it has a switch
    first = [p for p in problems if p.severity != "note" or p.file == recipe_panel.READ_AS]
    _list_problems(first, MOST_SHOWN)
    if notes := [problem for problem in problems if problem not in first]:
        with st.expander(f"Notes ({len(notes)})", key="import_notes"):
            _list_problems(notes, MOST_SHOWN)


def _list_problems(problems: Sequence[Problem], most: int) -> None:
    """Problems, a line each with how grave it is, or as a table that a laptop's screen holds."""
    if len(problems) > most:
        show.table(numbers.problems_table([*problems]), "Problems", **WIDTHS)
        return
    for problem in problems:
        severity = "" if problem.severity == "error" else f"**{problem.severity}:** "
        st.markdown(f"- {severity}{show.markdown_safe(str(problem.in_browser))}")


def show_report(study: Study) -> None:
    """The rest of the import report: the files, and the unjudged share by rank."""
    if study.report.files:
        st.subheader("Files")
        show.table(numbers.files_table(study.report), "Files")
    st.subheader("Unjudged results by rank")
    unjudged = numbers.unjudged_by_rank(study)
    if unjudged["unjudged"].any():
        show.figure(figure.draw_data(unjudged), "Unjudged share by rank", "unjudged_by_rank")
    st.markdown(show.markdown_safe(words.figure_notes(unjudged)))


def show_changes(study: Study, but: Collection[str] = ()) -> None:
    """What was repaired or left out of the files of a study, by rule, `but` for some of them."""
    report, switches = study.report, {rule_of(fix): words for fix, words in FIXES.items()}
    for what, counts in (("Repairs", report.repaired), ("Left out", report.left_out)):
        for rule, count in counts.items():
            if rule not in but:
                said = switches.get(rule, f"{what}: {rule}")
                st.markdown(f"- {show.markdown_safe(said)} ({count:,})")
    if report.changes:
        table = numbers.changes_table(report)
        download("changes.csv", lambda: table_bytes(table), "Download the list of changes")
    else:
        st.markdown("Nothing: the files were read as they are.")


def show_refused(problems: Sequence[Problem]) -> None:
    """Every reason why files make no study, once; and beneath, what is no such reason."""
    told = together(problems)
    reasons = [problem for problem in told if problem.severity == "error"]
    st.error(f"{counted(len(reasons), 'reason')} why these files can't be used yet:")
    _list_problems([*reasons, *(problem for problem in told if problem not in reasons)], FEW)


@contextmanager
def hide_outdated_parts(files: Sequence[Any] = ()) -> Generator[None]:
    """Meanwhile, nothing of the page stands that was said of other files, or by another recipe.

    What is drawn next must not be hidden while it is drawn again: a click on it would be lost. So
    where `files` are given, they are others than those that were read last, or nothing is hidden.
    """
    place, known = st.empty(), st.session_state.get(keys.UPLOADS)
    if not (files and known and known[0][0] == tuple(file.file_id for file in files)):
        place.markdown(OLD, unsafe_allow_html=True)
    try:
        yield
    finally:
        place.empty()


def default_study_name(files: Sequence[Any], parts: list[Part]) -> str:
    """What a study is called unless it says so itself: as its only file, its folder, or its log."""
    (first, rest), *others = (file.name.strip("/").partition("/")[::2] for file in files)
    folder = first if rest and all(each == first and name for each, name in others) else ""
    given = folder if others else stem(files[0].name)
    logs = [part.raw.file for part in parts if part.kind == "log"]
    return study_name([*filter(None, [given]), *logs, *(file.name for file in files)])


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


def drop_files(label: str) -> list[Any]:
    """The place to drop a study's files."""
    files = st.file_uploader(
        label,
        accept_multiple_files=True,
        key="files",
        help="CSV, JSON, Parquet, workbooks (xlsx, ods), SQLite, XML, HTML tables, TREC runs and "
        "qrels, plain or compressed, up to 2 million results. You can add ratings (of sessions, "
        "queries or searchers) here, or to the open study later.",
    )
    (uploads_in_hand.hold_upload if files else uploads_in_hand.forget_upload)()
    return files


def ask_name(study: Study) -> None:
    """The study's name, and the button that keeps and opens it."""
    short = study.bare.digest[:SHORT]
    there = kept_of(short) if may_write(short) else None
    fill(keys.STUDY_NAME, there.name if there else study.name, of=study.name)
    # white on the dark theme's light blue can't be read
    st.html("<style>.st-key-accept button * { color: light-dark(#fff, #111) }</style>")
    st.subheader("Accept")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Name of the study",
            max_chars=200,
            key=keys.STUDY_NAME,
            placeholder=f"{study.name} (if left empty)",
        )
        own: dict[str, Any] = {"on_click": _accept, "type": "primary"}  # an argument would live on
        st.button("Accept and open", icon=":material/check:", key="accept", **own)
    st.markdown(":small[Accept before you leave this page, or the upload is lost.]")


def fill(key: str, value: str, of: str) -> None:
    """Fill in a field when what it is about changes; what is typed stays until then."""
    if key not in st.session_state or st.session_state.get(keys.filled_for(key)) != of:
        st.session_state[key] = value
        st.session_state[keys.filled_for(key)] = of


def _accept() -> None:
    """Keep the study that was understood and open it; where it can't be kept, say why."""
    _, reading = st.session_state[keys.UNDERSTOOD]
    study = reading.taken.study
    try:
        open_study(keep(study, st.session_state[keys.STUDY_NAME].strip() or study.name))
        st.session_state[keys.JUST_KEPT] = True
    except UnusableInputError as refused:
        st.session_state[keys.NOT_KEPT] = f"Nothing was saved: {refused.problems[0].sentence()}"
