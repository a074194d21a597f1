"""Names of uploads: what they say of the sessions in a log."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.questions.words.wording import enumerated
from sdcg_explorer.reading.file_names import files_of_logs, pattern_for
from sdcg_explorer.reading.patterns import OF_SESSIONS, name_fault
from sdcg_explorer.reading.rules import ASKED
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.show import markdown_safe


def choose_file_name(parts: list[Part]) -> str:
    """Have it said what the names of a log's files say, where there are several."""
    logs = files_of_logs(parts)
    if len(logs) < 2:
        return ""
    pattern = st.text_input(
        f"{ASKED['file_name']} (in braces, {enumerated(OF_SESSIONS)} are roles)",
        pattern_for(parts),
        key=keys.of_files("file_name", logs),
        placeholder="nothing that counts",
    ).strip()
    if pattern and (fault := name_fault(pattern)):
        st.warning(markdown_safe(f"{pattern!r}; {fault}. Correct it."))
        return ""
    return pattern
