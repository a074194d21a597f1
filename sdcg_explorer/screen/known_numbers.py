"""The literature's numbers beside ours, on By hand."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.examples.literature import (
    DIFFERS,
    SLIP,
    Check,
    literature,
    literature_table,
)
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.show import markdown_safe, show_table
from sdcg_explorer.study.wording import plural

RED = "background-color: #b3261e; color: #ffffff"


def known_numbers() -> list[Check]:
    """The literature's numbers beside ours, once per visit: no slider moves them."""
    checks = st.session_state.get(keys.LITERATURE) or literature()
    st.session_state[keys.LITERATURE] = checks
    return checks


def show_literature(checks: list[Check]) -> None:
    """Every known number beside ours; one that differs is red."""
    st.subheader("Literature check")
    wrong = sum(check.verdict == DIFFERS for check in checks)
    if wrong:
        st.error(f"{wrong} of {len(checks)} lines {plural(wrong, 'differs', 'differ')} from ours.")
    else:
        printed = sum(not check.worked for check in checks)
        st.markdown(
            f"All {len(checks)} lines are ours, known slips of the print aside: {printed} are "
            "printed, the others worked by hand or by the source's own program."
        )
    table = literature_table(checks)
    if wrong:
        table = table.style.apply(
            lambda row: [RED if row["verdict"] == DIFFERS else ""] * len(row), axis=1
        )
    st.dataframe(table, hide_index=True, alt="Literature check")


def show_printed(checks: list[Check]) -> None:
    """Show what the example's source prints, value by value."""
    for check in checks:
        if len(check.given) > 3:
            words = f"{markdown_safe(check.source)}: {markdown_safe(check.what)}, value by value"
            with st.expander(words, expanded=check.verdict == SLIP):
                show_table(check.by_rank(), f"{check.what}, value by value")
                if check.remark:
                    st.markdown(f":small[{markdown_safe(check.remark)}]")
