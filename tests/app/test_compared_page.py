"""Compare systems and Robustness on studies with several assessors, or with gains from clicks."""

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from tests.support import plain_files, screen, uploads

LOG = "session,system,searcher,topic,query_number,rank,doc\n" + "".join(
    f"s{i},{'AB'[i % 2]},p{i // 2},t,1,1,d{i % 3}\n" for i in range(8)
)
CLICKED = "session,system,searcher,topic,query_number,rank,doc,clicked\n" + "".join(
    f"s{i},{'ABC'[i % 3]},p{i // 3},t,1,{rank},d{rank},{int(rank == 1 + i % 2)}\n"
    for i in range(12)
    for rank in (1, 2, 3)
)


def kept(folder: Path, assessors: str = "", **files: str) -> screen.Params:
    """The link to a study of these files that the server has."""
    recipe, paths = Recipe(assessors=assessors), plain_files.written(folder, **files).values()
    return uploads.link_to(read_study(*paths, recipe=recipe))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("assessors", "is_shown"), [(2, True), (13, False)])
def test_a_fold_of_assessors_is_never_empty(assessors: int, is_shown: bool, tmp_path: Path) -> None:
    every = [(d, who) for d in range(3) for who in range(assessors)]
    judged = "topic,doc,assessor,grade\n" + "".join(
        f"t,d{d},R{who},{(d + who % 2) % 3}\n" for d, who in every
    )
    folds = screen.opened("robustness", kept(tmp_path, "mean", log_csv=LOG, judgments_csv=judged))
    labels = [fold.label for fold in folds.main.expander]
    assert ("Each assessor, and how far they agree" in labels) == is_shown


@pytest.mark.usefixtures("folder")
def test_a_paper_on_gains_from_clicks_has_their_sum(tmp_path: Path) -> None:
    link = kept(tmp_path, log_csv=CLICKED, judgments_csv="topic,doc,grade\nt,d1,1\n")
    app = screen.opened("paper", link | {"printed": ["mean_ndcg", "final"]})
    assert app.main.multiselect(key="printed").value == ["mean_ndcg", "final"]
    app = screen.opened("paper", link | {"grades": "behaviour", "weights": "linear"})
    assert not app.exception
    assert "ready for a paper" in screen.first_line(app)
    assert app.main.multiselect(key="printed").value == ["final"]
    drawn = [alt for alt in screen.charts(app) if alt.startswith("Session curves.")]
    assert drawn
    assert "ideal" not in drawn[0]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", ["compare_systems", "robustness"])
def test_shares_of_an_ideal_of_clicks_are_never_compared(page: str, tmp_path: Path) -> None:
    link = kept(tmp_path, log_csv=CLICKED, judgments_csv="topic,doc,grade\nt,d1,1\n")
    asked = link | {"grades": "behaviour", "weights": "linear", "score": "average_normalised"}
    app = screen.opened(page, asked)
    assert not app.exception
    names = app.main.selectbox(key="score").options
    assert "sDCG at the end · final" in names
    assert not [name for name in names if "share of the ideal" in name]
