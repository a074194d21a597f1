"""Paper: its tables are those of `sdcg paper`, with LaTeX to copy and ways to their pages."""

from __future__ import annotations

from sdcg_explorer.export.latex import paper_latex_table
from sdcg_explorer.questions.paper import paper
from sdcg_explorer.questions.paper.bibliography import bibtex
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from tests.support.screen import opened


def test_tables_texts_and_ways_are_those_of_the_view() -> None:
    app = opened("paper", {"printed": ["final", "mean_ndcg"]})
    assert not app.exception
    study = next(study for study in sample_studies() if len(study.sessions) == 120)
    made = paper(StudyView(study, DEFAULT, Filters()), scores=["final", "mean_ndcg"])
    shown = [table.value for table in app.dataframe]
    assert [each.to_dict() for each in shown] == [t.cells.to_dict() for t in made.tables.values()]
    codes = [code.value for code in app.code]
    printed = [
        paper_latex_table(name, t.cells, t.caption, t.best).strip()
        for name, t in made.tables.items()
    ]
    assert [code.strip() for code in codes] == [
        *printed, made.methods.strip(), bibtex(made.methods).strip()
    ]  # fmt: skip
    links = [link.proto for link in app.get("page_link")]
    assert [link.query_string.count("score=") for link in links[:2]] == [1, 1]
    assert links[0].label == "Which system is better? (sDCG at the end)"
