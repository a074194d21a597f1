"""What goes into a paper: the pages' own numbers, bold by tests alone, and tables as LaTeX."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import figure_files, into, link
from sdcg_explorer.export.paper_files import ESCAPED, latex_safe, latex_table
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.paper import LINES, SCORES, paper
from sdcg_explorer.questions.paper.words import number_cell, p_cell
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.screen import keys
from tests.support.tables import read

SYSTEMS, TOPICS = "ABCDE", 24


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> StudyView:
    """Five systems, each on all topics, of which C finds more than any other."""
    chance, folder = np.random.default_rng(7), tmp_path_factory.mktemp("five")
    rows = ["session,system,topic,query_number,rank,doc"]
    for system in SYSTEMS:
        for topic in range(TOPICS):
            drawn = chance.random(10) < (0.8 if system == "C" else 0.2)
            rows += [
                f"{system}{topic},{system},t{topic},1,{rank},{'r' if good else 'n'}{rank}"
                for rank, good in enumerate(drawn, start=1)
            ]
    kinds = [f"{kind}{rank},{grade}" for kind, grade in ("r1", "n0") for rank in range(1, 11)]
    graded = [f"t{topic},{each}" for topic in range(TOPICS) for each in kinds]
    judged = "\n".join(["topic,doc,grade", *graded])
    study = read(folder, log_csv="\n".join(rows), judgments_csv=judged)
    return StudyView(study, DEFAULT, Filters())


@pytest.mark.parametrize("baseline", ["", "B"])
def test_results_are_those_of_compare_systems(view: StudyView, baseline: str) -> None:
    table = paper(view, baseline=baseline).tables["results"]
    assert len(table.cells) == len(table.numbers) <= LINES
    scores = table.numbers["score"].unique().tolist()
    assert scores == [*SCORES][: LINES // len(SYSTEMS)]
    for score in scores:
        own = compare_systems(*view, score=score, baseline=baseline)
        rows = table.numbers[table.numbers["score"] == score].set_index("system")
        for system, mean, low in own.systems[["system", "mean", "low"]].itertuples(index=False):
            assert (rows["mean"][system], rows["low"][system]) == (mean, low)
        against = baseline or "C"
        assert np.isnan(rows["p"][against])
        for pair, p in zip(own.pairs, own.p_holm, strict=True):
            if against in (pair.system_a, pair.system_b):
                other, sign = (
                    (pair.system_b, 1) if pair.system_a == against else (pair.system_a, -1)
                )
                assert (rows["p"][other], rows["hedges_g"][other]) == (p, sign * pair.hedges_g)
                above = rows["mean"][other] > rows["mean"][against]
                assert (rows["hedges_g"][other] > 0) == above
        best = [system == "C" and not baseline for system in rows.index]
        assert table.best[(table.numbers["score"] == score).to_numpy()].tolist() == best
    cells = table.cells.set_index(["System", "n"]).iloc[2]
    first = table.numbers.iloc[2]
    assert cells["Mean [95% interval]"] == " ".join(
        [number_cell(first["mean"]), f"[{number_cell(first['low'])}, {number_cell(first['high'])}]"]
    )


def test_command_writes_what_a_paper_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figure_files, "browser_path", lambda: "a browser")
    monkeypatch.setattr(figure_files, "drawn_bytes", lambda figure, form: form.encode())
    samples = Path(sdcg.__file__).parents[2] / "sample_sessions"
    ratings = samples / "ecir2008_rated" / "ratings.csv"
    given = [str(samples / "ecir2008"), "--ratings", str(ratings), "--out", str(tmp_path / "out")]
    assert sdcg.main(["paper", *given, "--score", "final", "--score", "best"]) == 0
    assert "3 tables, 2 figures, methods" in capsys.readouterr().out
    written = {path.name for path in (tmp_path / "out").iterdir() if path.name[0] != "."}
    assert written == {*into.FILES["paper"]} - {"notes.txt"}
    links = (tmp_path / "out" / "links.txt").read_text(encoding="utf-8").splitlines()
    named = dict(line.split(": ", 1) for line in links)
    assert [*named] == ["results final", "results best", *("last_against_others", "agreement"),
                        *("query_order", "session_curves")]  # fmt: skip
    assert re.fullmatch(r"http\S+/compare_systems\?study=\w{12}&score=best", named["results best"])
    assert link.SCORE == keys.SCORE
    numbers = pd.read_csv(tmp_path / "out" / "results.csv")
    assert numbers["score"].unique().tolist() == ["final", "best"]
    printed = (tmp_path / "out" / "results.tex").read_text()
    assert re.search(r"\\begin\{tabular\}\{l+r+\}", printed)  # names to the left
    for p in numbers["p"].dropna():
        assert f" {latex_safe(p_cell(p))} & " in printed
    caption = r"\caption{Correlation (Pearson's r) of scores with satisfaction."
    assert caption in (tmp_path / "out" / "agreement.tex").read_text()
    in_tex = (tmp_path / "out" / "figures.tex").read_text()
    found = re.findall(r"linewidth\]\{(\w+)\}\n\\centering (.*)", in_tex)
    assert found == [("query_order", "(a)"), ("session_curves", "(b)")]
    both = pd.read_csv(tmp_path / "out" / "agreement.csv")
    assert both["score"].tolist() == ["final", "best"]
    assert sdcg.main(["paper", *given, "--score", "odd"]) == 2
    assert "score 'odd'; choose one of " in capsys.readouterr().err


def rows(tex: str) -> list[list[str]]:
    """Cells between the rules."""
    body = tex.split(r"\midrule")[1].split(r"\bottomrule")[0]
    return [line.strip().removesuffix(r" \\").split(" & ") for line in body.strip().splitlines()]


def test_a_columns_decimals_stand_beneath_each_other() -> None:
    tex = latex_table(pd.DataFrame({"x": [123.456, -0.5, np.nan, -1]}), "c")
    assert rows(tex) == [["123"], ["0"], ["--"], ["$-$1"]]
    tex = latex_table(pd.DataFrame({"x": [1.234, -0.5, 0.5, np.inf, -1e-9]}), "c")
    assert rows(tex) == [["1.23"], ["$-$0.50"], ["0.50"], [r"$\infty$"], ["0.00"]]


def test_whole_numbers_have_no_decimals() -> None:
    tex = latex_table(pd.DataFrame({"n": [3.0, 12.0], "i": [1, 20]}), "c")
    assert rows(tex) == [["3", "1"], ["12", "20"]]
    assert r"\begin{tabular}{rr}" in tex


@pytest.mark.parametrize("sign", list(ESCAPED))
def test_no_sign_reaches_latex_as_it_stands(sign: str) -> None:
    tex = latex_table(pd.DataFrame({f"a{sign}": [f"b{sign}c"]}), f"d{sign}")
    for part in (f"a{latex_safe(sign)} \\\\", f"b{latex_safe(sign)}c \\\\", f"d{latex_safe(sign)}"):
        assert part in tex
    assert latex_safe(sign) != sign


def test_text_stays_on_its_line() -> None:
    tex = latex_table(pd.DataFrame({"q": ["two\nlines\tand more"]}), "c\n\nd")
    assert rows(tex) == [["two lines and more"]]
    begun = latex_table(pd.DataFrame({"q": ["[5] x", "*y", "nul\x00"]}), "c")
    assert rows(begun) == [["{}[5] x"], ["{}*y"], ["nul?"]]
    assert r"\caption{c d}" in tex
