"""The import report: what was read of a study, what to be wary of, what was changed on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.inventory.data import (
    changes_table,
    files_table,
    first_session,
    problems_table,
    unjudged_by_rank,
)
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.figures.data import draw_data
from sdcg_explorer.questions.words.data import about_first, behind
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.show import markdown_safe, show_figure, show_small, show_table
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.study.problems import Problem
from sdcg_explorer.study.study import Study

# pixels of columns: at 1366, what was found and what to do about it stand beside each other
WIDTHS: dict[str, Any] = {"severity": 80, "file": 120, "line": 60, "found": 320, "remedy": 400}


def show_preview(study: Study) -> None:
    """The first session as it is understood."""
    st.subheader("The first session, as it is understood")
    st.markdown(f":small[{markdown_safe(about_first(study))}]")
    show_table(first_session(study), "First session as understood")


def show_wary(study: Study) -> None:
    """Warnings and notes, before anything is accepted."""
    if not study.problems:
        return
    st.subheader("To be wary of")
    for problem in study.problems[:20]:
        st.markdown(f"- **{problem.severity}:** {markdown_safe(str(problem.in_browser))}")
    if len(study.problems) > 20:
        show_problems(study.problems)


def show_problems(problems: Sequence[Problem]) -> None:
    """Show problems as a table, whose remedies stand on a laptop's screen."""
    show_table(problems_table(list(problems)), "Problems", **WIDTHS)


def show_report(study: Study) -> None:
    """The rest of the import report: the files, unjudged share by rank, what was changed."""
    if study.report.files:
        st.subheader("Every file that was given")
        show_table(files_table(study.report), "Files")
    st.subheader("How much is unjudged, by rank?")
    unjudged = unjudged_by_rank(study)
    if unjudged["unjudged"].any():
        show_figure(draw_data(unjudged), "Unjudged share by rank", keys.UNJUDGED_BY_RANK)
        show_small("Behind the picture", behind(unjudged))
    else:
        st.markdown(f"Nothing: {markdown_safe(behind(unjudged))}.")
    st.subheader("What was repaired or left out")
    report = study.report
    for words, counts in (("Repaired", report.repaired), ("Left out", report.left_out)):
        for rule, count in counts.items():
            st.markdown(f"- {words}: {markdown_safe(rule)} ({count:,})")
    if report.changes:
        words = "Download every line that was (file, line, rule)"
        download(words, lambda: table_bytes(changes_table(report)), "changes.csv", "text/csv")
    else:
        st.markdown("Nothing: the files were taken as they stand.")
