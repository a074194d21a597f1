"""Parts of Compare systems: the pair, topics, outcomes, the next study."""

from typing import Any

import streamlit as st

from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions import compare_systems as question
from sdcg_explorer.questions.compare_systems import numbers, words
from sdcg_explorer.questions.view import Answer
from sdcg_explorer.screen import inspecting, keys, link, show, take_away
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.wording import counted

CLEAREST = "the clearest pair"
PAIRS = (
    "difference (B − A) of each pair with its own 95% interval; a filled mark is a clear "
    "difference (the interval excludes 0 and p after Holm is at most .05)"
)
SUMMED = (
    "means over sessions with 95% intervals (over searchers, or over sessions where none is "
    "named); each mean leaves out sessions without its value"
)
MOST_LISTED = 200  # documents on screen; the file has all
MOST_LINES = 100  # of topics lost worst and won most: a browser draws each as a part of its own
LIST = 330  # pixels that the list takes, which scrolls
NO_BASELINE = "none (all pairs)"
NO_OUTCOME = "none"


def choose_baseline(opened: Opened) -> str:
    """The system that others are compared with; of two the first unless another is chosen."""
    systems = [*opened.shown_systems]
    if len(systems) < 2:
        return ""
    names = [NO_BASELINE, *systems] if len(systems) > 2 else systems
    chosen = link.pick("Baseline", names, keys.BASELINE)
    return "" if chosen == names[0] else chosen


def compared_by(opened: Opened, asked: dict[str, Any]) -> numbers.Comparison:
    """The systems compared; what is counted is said meanwhile."""
    with st.spinner(f"Comparing systems over {counted(len(opened.study.sessions), 'session')} …"):
        return opened.ask(numbers.compare_systems, **asked)


def choose_pair(compared: numbers.Comparison) -> int:
    """Which two systems are looked into; the clearest pair unless another is chosen."""
    if len(compared.pairs) < 2:
        return 0
    names = {f"{pair.system_a} and {pair.system_b}": i for i, pair in enumerate(compared.pairs)}
    pair = link.pick("Pair", [CLEAREST, *names], keys.PAIR)
    return compared.clearest_place if pair == CLEAREST else names[pair]


def show_pairs(opened: Opened, compared: numbers.Comparison, shown: Answer) -> None:
    """Show every pair of more than two systems, as lines and as a table."""
    if len(compared.pairs) < 2:
        return
    pairs = shown.exhibits["pairs"]
    st.subheader(pairs.caption)
    if pairs.figure is not None:
        show.exhibit(pairs, "pairs")
        show.small("Marks", PAIRS)
    show.table(question.pairs_with_ranges(opened, compared, pairs.table), pairs.caption)


def show_summary(opened: Opened, compared: numbers.Comparison, place: int) -> Answer:
    """Show a row per system as papers print it, and a sentence to copy, once the fold is open."""
    fold = st.expander("Summary to report", key="summary_fold", on_change="rerun")
    shown = question.summary_answer(opened, compared, place)
    if not fold.open:
        return shown
    with fold:
        for line in shown.more:
            st.code(line, None, wrap_lines=True)
        for exhibit in shown.exhibits.values():
            show.table(exhibit.brief() if exhibit.brief else exhibit.table, exhibit.caption)
            show.small("Cells", SUMMED)
    return shown


def show_order(opened: Opened, compared: numbers.Comparison) -> Answer:
    """Show what the place among a searcher's sessions does, once the fold is open."""
    if not compared.pairs or compared.topics_are == "sample":
        return Answer("")
    if why := numbers.why_no_order(compared):
        show.lines([words.NO_ORDER[why]])
        return Answer("")
    fold = st.expander("Learning and order", key="order_fold", on_change="rerun")
    if not fold.open:
        return Answer("")
    shown = question.order_answer(opened, compared)
    with fold:
        show.lines(shown.more)
        show.small("Place", "of a session among those of its searcher, 1 for the first")
        for exhibit in shown.exhibits.values():
            show.exhibit(exhibit, "order_figure")
            show.table(exhibit.table, exhibit.caption)
    return shown


def show_left_open_by_unjudged(opened: Opened, compared: numbers.Comparison, place: int) -> Answer:
    """Show whether who is ahead of a pair could turn, and the list to judge next in a fold."""
    if not compared.pairs:
        return Answer("")
    of = question.left_open_of_pair(opened, compared, place)
    if not words.is_worth_saying(of):
        return Answer("")
    shown = question.left_open_answer(of)
    st.subheader("What do unjudged documents leave open?")
    show.lines(shown.more)
    if listed := shown.exhibits.get("judge_next"):
        with st.expander("Which documents should be judged next?", key="judge_next"):
            table = listed.table
            show.small(question.JUDGE_NEXT, words.JUDGE_NEXT_FILES.format(MOST_LISTED))
            show.table(table.iloc[:MOST_LISTED].drop(columns="grade"), question.JUDGE_NEXT)
            with st.container(horizontal=True):
                take_away.download("judge_next.csv", lambda: table_bytes(table))
                take_away.download("judge_next.qrels", lambda: question.qrels_to_judge(of))
    return shown


def show_topic_by_topic(opened: Opened, compared: numbers.Comparison, place: int) -> Answer:
    """Show a pair's topics by difference, where no searchers stand between."""
    shown = question.topics_answer(compared, place)
    if not shown.more:
        return shown
    st.subheader(question.TOPIC_BY_TOPIC)
    show.lines(shown.more)
    for exhibit in shown.exhibits.values():
        show.small("Lines", words.LINES)
        pair, rows = compared.pairs[place], numbers.by_topic(compared, place).to_dict("records")
        half, few = MOST_LINES // 2, len(rows) <= MOST_LINES
        with st.container(height="content" if len(rows) < 8 else LIST, border=True, gap=None):
            for row in rows if few else [*rows[:half], *rows[-half:]]:
                topic = row["topic"] if row["topic"] in opened.topics else inspecting.ALL
                asked = {
                    **{keys.SYSTEM: inspecting.EVERY, keys.ONE_TOPIC: topic},
                    **{keys.SESSION: row["session_b"], keys.BESIDE_SESSION: row["session_a"]},
                }
                label = words.topic_line(row, pair.system_a, pair.system_b)
                show.way("individual_sessions", show.markdown_safe(label), asked)
        if not few:
            show.small("Shown", words.LINES_SHOWN)
        show.table(exhibit.table, exhibit.caption)
    return shown


def show_outcome(opened: Opened, baseline: str) -> Answer:
    """Show whether answers were right, where a column of the sessions says so."""
    if not (known := numbers.outcome_columns(opened.study)):
        return Answer("")
    st.subheader(words.TITLE)
    names = [*known, NO_OUTCOME]
    first = numbers.usual_outcome(opened.study) or NO_OUTCOME
    column = link.pick("Outcome column", names, keys.OUTCOME, names.index(first), width=320)
    if column == NO_OUTCOME:
        return Answer("")
    shown = question.outcome_answer(opened, column, baseline)
    show.part(shown)
    return shown


def show_next_study(opened: Opened, compared: numbers.Comparison, place: int) -> Answer:
    """Show what a next study of a pair needs, computed once the fold is open; none before."""
    if not compared.pairs:
        return Answer("")
    label = f"How many {compared.pairs[place].unit}s would the next study need?"
    is_open = keys.PLAN_FOR in st.query_params
    fold = st.expander(label, expanded=is_open, key="next_study_fold", on_change="rerun")
    if not fold.open:
        return Answer("")
    with fold:
        answer = st.container()
        asked = f"Smallest difference that matters ({compared.unit})"
        look = {"placeholder": "none", "format": "%g", "width": 320}
        entered = link.number(asked, 0.0, None, None, keys.PLAN_FOR, **look)
        planned = question.plan_study(compared, place, plan_for=entered or None)
        said = show.markdown_safe(opened.shorten_names(words.next_study_headline(planned)))
        answer.markdown(f"**{said}**")
        exhibits = question.next_study_exhibits(planned)
        for exhibit in exhibits.values():
            show.exhibit(exhibit, "next_study")
        show.lines(words.next_study_sentences(planned))
        for exhibit in exhibits.values():
            show.table(exhibit.table.drop(columns=list(numbers.WIDE_PLAN)), exhibit.caption)
    return Answer("", exhibits)
