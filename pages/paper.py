"""What goes into the paper?"""

from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.export.paper_files import paper_files, paper_latex_table
from sdcg_explorer.export.study_zip import zipped
from sdcg_explorer.questions import bibliography, catalogue, glossary, wording
from sdcg_explorer.questions.paper import paper, table_pages, usual_scores
from sdcg_explorer.questions.paper.words import headline, score_label
from sdcg_explorer.scoring import measures, ratings, scores
from sdcg_explorer.screen import comparing, controls, keys, link, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened

EDGES, LETTER, WIDEST = 20, 8, 40  # pixels of a cell's sides and of a letter; letters at most
FIGURES = {"query_order": "paper_1", "session_curves": "paper_2"}


def view(opened: Opened) -> None:
    """Tables as they are printed, both figures, methods and BibTeX, and all of it as a zip."""
    with controls.toolbar() as above:
        about = glossary.meaning("sDCG", "nsDCG")
        own: dict[str, Any] = {"key": keys.PAPER_SCORES, "help": about, **link.LINKED}
        known = [name for name in measures.SCORES if name in scores.scores_of(opened.study)]
        if chosen := st.session_state.get(keys.PAPER_SCORES):
            st.session_state[keys.PAPER_SCORES] = [name for name in chosen if name in known]
        usual = usual_scores(opened.definition)
        asked: dict[str, Any] = {"scores": st.multiselect("Scores", known, usual, width=470, **own)}
        if len(opened.shown_systems) > 2:  # of two each is set against the other
            asked["baseline"] = comparing.choose_baseline(opened)
        if rated := [*ratings.study_ratings(opened.study)]:
            asked["rating"] = link.pick("Rating", rated, keys.PAPER_RATING)
        whole = st.container(width="content")
    try:
        made = paper(opened, **asked)
    except ValueError as why:
        show.answer(opened, str(why), above)
        return
    show.answer(opened, headline(len(made.tables), len(made.figures)), above)
    with whole:
        files = partial(paper_files, made, opened, at=link.address())
        take_away.download("paper.zip", lambda: zipped(files()), "Download all (zip)")
    for name, table in made.tables.items():  # each as it is printed, and the way to its numbers
        st.markdown(show.markdown_safe(table.caption))
        with st.container(key=f"printed-{name}"):
            first = str(table.cells.columns[0])  # the grid's own widths cut it beside long names
            wide = EDGES + LETTER * min(max(map(len, table.cells[first]), default=0), WIDEST)
            show.table(table.cells, table.caption, ours=False, **{first: wide})
        with st.expander("LaTeX"):
            latex = paper_latex_table(name, table.cells, table.caption, table.best)
            st.code(latex, "latex", wrap_lines=True)
        with st.container(horizontal=True):
            for page, score in (each[1:] for each in table_pages(made) if each[0] == name):
                words = catalogue.question_of(page).words
                label = f"{words} ({score_label(score)})" if score else words
                show.way(page, label, {keys.SCORE: [score]} if score else {})
    st.markdown(show.markdown_safe(made.caption))
    for column, (name, exhibit) in zip(st.columns(2), made.figures.items(), strict=False):
        with column:
            show.exhibit(exhibit, FIGURES[name])
    sidebar.show_at_hand()
    show.beneath(opened, "")
    st.subheader("Methods")
    st.code(made.methods, None, wrap_lines=True)
    st.subheader("BibTeX")
    st.code(bibliography.bibtex(made.methods), "latex", wrap_lines=True)
    if made.notes:
        st.subheader("Notes")
    for each in made.notes.items():
        st.text(wording.note_with_question(*each))
    if made.figures:
        take_away.offer(opened, "paper", lambda: made.figures, methods=made.more)


show.run_page("paper", view, alone=False)  # its links hold the address as it is
