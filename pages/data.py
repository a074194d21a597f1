"""What was read, and may I trust it?"""

import contextlib
from urllib.parse import urlencode

import streamlit as st

from analysis.data import (
    about_first,
    changes_table,
    counts_table,
    data_answer,
    first_session,
    problems_table,
    unjudged_by_rank,
)
from analysis.overview import overview
from export.bundle import bundle
from export.study_zip import study_zip
from export.tables import table_bytes
from export.template import JUDGMENTS, LOG
from figures.data import draw_data
from pages import (
    Opened,
    ask,
    open_page,
    plain,
    show_answer,
    show_data,
    show_figure,
    show_small,
    show_table,
)
from pages.importing import (
    choose_parts,
    choose_rules,
    name_of,
    read_uploads,
    show_refused,
    understood,
)
from pages.kept import (
    SHORT,
    fixed,
    keep,
    kept_of,
    kept_or_keep,
    listed,
    may_write,
    mode,
    open_study,
    store,
    store_trouble,
)
from study.checks import UnusableInputError
from study.study import Study

opened = open_page()
if st.session_state.pop("just_kept", False):
    st.switch_page("pages/overview.py")
st.title("What was read, and may I trust it?")


def show_wary(study: Study) -> None:
    """Warnings and notes, before anything is accepted."""
    if not study.problems:
        return
    st.subheader("To be wary of")
    for problem in study.problems[:20]:
        st.markdown(f"- **{problem.severity}:** {plain(str(problem))}")
    if len(study.problems) > 20:
        show_table(problems_table(study.problems), "Problems")


def show_report(study: Study) -> None:
    """The rest of the import report: unjudged share by rank, what was changed, every count."""
    st.subheader("How much is unjudged, by rank?")
    unjudged = unjudged_by_rank(study)
    if any(unjudged.share):
        show_figure(draw_data(unjudged), "Unjudged share by rank", "unjudged_by_rank")
        show_small("Behind the picture", unjudged.behind())
    else:
        st.markdown(f"Nothing: {plain(unjudged.behind())}.")
    st.subheader("What was repaired or left out")
    report = study.report
    for words, counts in (("Repaired", report.repaired), ("Left out", report.left_out)):
        for rule, count in counts.items():
            st.markdown(f"- {words}: {plain(rule)} ({count:,})")
    if report.changes:
        st.download_button(
            "Download every line that was (file, line, rule)",
            lambda: table_bytes(changes_table(report)),
            "changes.csv",
            "text/csv",
            on_click="ignore",
        )
    else:
        st.markdown("Nothing: the files were taken as they stand.")


def show_preview(study: Study) -> None:
    """The first session as it is understood."""
    st.subheader("The first session, as it is understood")
    st.markdown(f":small[{plain(about_first(study))}]")
    show_table(first_session(study), "First session as understood")


def proposed(key: str, value: str, of: str) -> None:
    """Fill in a field when what it is about changes; what is typed stays until then."""
    if key not in st.session_state or st.session_state.get(f"{key}_of") != of:
        st.session_state[key] = value
        st.session_state[f"{key}_of"] = of


def accept(study: Study) -> None:
    """Keep the study and open it; where it can't be kept, say why."""
    try:
        keep(study, st.session_state["study_name"].strip() or study.name)
        st.session_state["just_kept"] = True
        for name in ("uploads", "understood"):
            st.session_state.pop(name, None)
    except UnusableInputError as refused:
        st.session_state["not_kept"] = refused.problems[0].sentence()


def show_upload(opened: Opened, files: list) -> None:
    """What was uploaded, on its way to a study."""
    try:
        about, parts = read_uploads(files)
    except UnusableInputError as refused:
        show_refused(refused)
        return
    chosen = choose_parts(parts)
    rules = choose_rules(chosen)
    called = name_of(files, chosen)
    study = understood(about, chosen, rules, name=called, opened=opened.tagged_study)
    if study is None:
        return
    with above:
        show_answer(None, data_answer(study))
    show_preview(study)
    show_wary(study)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        proposed("study_name", study.name, of=study.name)
        st.text_input("Name of the study", max_chars=200, key="study_name")
        check = ":material/check:"
        st.button("Accept and open", icon=check, on_click=accept, args=(study,))
    st.markdown(":small[Accept before you leave this page: an upload is forgotten with it.]")
    show_report(study)
    with st.expander("Every count"):
        show_table(counts_table(study), "Counts of the import")


def rename() -> None:
    """Call the study what was typed."""
    name, note = st.session_state["new_name"], st.session_state["new_note"]
    try:
        kept = kept_or_keep(opened.digest)
        store().rename(kept.digest, name.strip() or kept.name, note)
        st.session_state["study_picked"] = opened.digest  # the picker has another label now
    except UnusableInputError as refused:
        st.session_state["not_kept"] = refused.problems[0].sentence()


@st.dialog("Delete this study?")
def ask_delete(digest: str, name: str) -> None:
    """Delete only when asked twice."""
    what = f"**{plain(name)}**, its note and its tags are removed from this machine, for everybody."
    again = " The study itself stays: it was not uploaded." if digest[:SHORT] in fixed() else ""
    st.markdown(f"{what}{again}")
    if st.button("Keep it"):
        st.rerun()
    if st.button("Delete it"):
        with contextlib.suppress(UnusableInputError):  # another window was faster
            store().delete(digest)
        open_study(next(iter(listed())))
        st.rerun()


def show_own(opened: Opened) -> None:
    """What can be done with the study that is open."""
    study = opened.study
    st.subheader("This study")
    kept = kept_of(opened.digest)
    may_name = mode() != "shared" and may_write(opened.digest)
    if may_name:
        proposed("new_name", study.name, of=f"{opened.digest} {study.name} {study.note}")
        proposed("new_note", study.note, of=f"{opened.digest} {study.name} {study.note}")
        st.text_input("Name", max_chars=200, key="new_name")
        st.text_input("Note, shown on every page", max_chars=500, key="new_note")
    with st.container(horizontal=True):
        if may_name:
            st.button("Save name and note", on_click=rename)
            if kept and st.button("Delete …"):
                ask_delete(kept.digest, kept.name)
        st.download_button(
            "Download as a zip of tables",
            lambda: study_zip(opened.tagged_study, opened.definition, opened.filters),
            f"{opened.digest}.zip",
            "application/zip",
            on_click="ignore",
        )
        if ask(overview, opened).sessions:
            link = f"{st.context.url or ''}?{urlencode(st.query_params.to_dict(), doseq=True)}"
            st.download_button(
                "Download all of this view",
                lambda: bundle(opened.tagged_study, opened.definition, opened.filters, link=link),
                f"{opened.digest}-bundle.zip",
                "application/zip",
                on_click="ignore",
                help="Tables, scores, comparison and figures under the definition in force, and "
                "the line that makes the tables again.",
            )
    st.markdown(f":small[Digest {study.digest}]")
    if left := store().removed:
        st.markdown(f":small[Removed at start: {left} unfinished, of an earlier crash.]")


above = st.container()
if reason := st.session_state.pop("not_kept", ""):
    st.error(plain(f"Nothing was kept: {reason}"))
if trouble := store_trouble():
    st.warning(plain(trouble))
broken = kept_of(st.session_state.get("unreadable", ""))
if broken and mode() != "shared" and st.button(f"Delete {plain(broken.name)}, which can't be read"):
    ask_delete(broken.digest, broken.name)
files = st.file_uploader(
    "Drop a log and its judgments here, or a zip of them",
    accept_multiple_files=True,
    key="files",
    help="CSV, JSON lines, Parquet, xlsx, session XML, TREC runs and qrels, plain or packed, with "
    "at most 2 million results. Ratings (of sessions, queries or searchers) join them, or the "
    "study that is open.",
)
with st.container(horizontal=True):
    for name, text in (("log.csv", LOG), ("judgments.csv", JUDGMENTS)):
        st.download_button(f"Template: {name}", text, name, "text/csv", on_click="ignore")
if files:
    show_upload(opened, files)
else:
    with above:
        show_answer(opened, data_answer(opened.study))
    show_own(opened)
    show_wary(opened.study)
    show_report(opened.study)
    show_data(opened, counts_table(opened.study), "counts")
