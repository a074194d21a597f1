"""The front door for notebooks: files' own studies of whatever holds them, and plain refusals."""

import ast
import io
import json
import re
from collections.abc import Callable
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

import sdcg_explorer as sx
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.notebook.opening import FilterChoices
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.study.study import Study
from tests.support.formats import put
from tests.support.plain_figures import figure_one
from tests.support.plain_files import ECIR2008, ROOT, THREE_SESSIONS, in_files, read_plain
from tests.support.plain_loop import Choices
from tests.support.rated import rated_files
from tests.support.screen import HOSTILE, hostile_study

LOG, JUDGMENTS = THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv"


def toys(**changes: Any) -> Study:
    return sx.read(LOG, JUDGMENTS, **changes)


class Opened(io.StringIO):
    """An open text file."""

    name = "deep/folder/judgments.csv"


def test_whatever_holds_a_study_is_the_study_of_its_files() -> None:
    read_before = io.BytesIO(LOG.read_bytes())
    read_before.read(1000)
    opened = sx.read(read_before, Opened(JUDGMENTS.read_text(encoding="utf-8")))
    named = sx.read(LOG, pd.read_csv(JUDGMENTS).set_index(["topic", "doc"]))
    assert opened.digest == named.digest == read_study(LOG, JUDGMENTS).digest
    assert opened.name == "file 1"


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "nothing": (sx.read, "files: no table; a study needs a log and judgments. Give their files."),
    "values of two kinds": (
        lambda: sx.read(LOG, pd.read_csv(JUDGMENTS).assign(doc=[1, *["a"] * 24])),
        "DataFrame 2: Could not convert 'a' with type str: tried to convert to int64",
    ),
    "no file at all": (
        lambda: sx.read(LOG, 3),  # pyright: ignore[reportArgumentType]
        "argument 2 is of type int; a study is read of paths, DataFrames and open files.",
    ),
    "unknown rule": (
        lambda: toys(rank=0),
        "choice 'rank'; choose one of kinds, mapping, columns, lists, cells, leave_out, ",
    ),
    "unknown filter": (
        lambda: sx.score(toys(), system=["A"]),  # pyright: ignore[reportCallIssue]
        "filter 'system'; choose one of systems, topics, searchers, min_queries, max_queries.",
    ),
    "unknown figure": (
        lambda: sx.figure("figure 1", toys()),
        "figure 'figure 1'; choose one of sessions_by_length, judged_share, query_order, ",
    ),
    "a figure of other definitions": (
        lambda: sx.figure("under_mine", toys()),
        "figure 'under_mine'; of this study and view there are under_ecir_2008, ",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_names_and_values_that_are_not_known_are_refused_in_words(case: str) -> None:
    ask, said = REFUSED[case]
    with pytest.raises(ValueError) as raised:  # noqa: PT011  its words are compared
        ask()
    assert str(raised.value).startswith(said)
    is_of_files = said.startswith(("files: ", "DataFrame "))  # a list of problems
    assert isinstance(raised.value, sx.UnusableInputError) == is_of_files


def test_names_of_choices_are_those_of_filters() -> None:
    assert [*FilterChoices.__annotations__] == [field.name for field in fields(Filters)]
    assert {*sx.__all__} == {*dir(sx)}
    assert [getattr(sx, name).__name__ for name in ("read", "Definition")] == ["read", "Definition"]
    with pytest.raises(AttributeError, match="no attribute 'door'"):
        sx.door  # noqa: B018  # pyright: ignore


def test_gains_are_a_dict_and_numbers_those_of_numpy() -> None:
    made = sx.Definition(b=pd.Series([3]).iloc[0], weights={1: 5, 2: pd.Series([9]).iloc[0]})  # pyright: ignore
    assert made == sx.Definition(b=3, weights=((1, 5), (2, 9)))
    assert (type(made.b), hash(made)) == (int, hash(sx.Definition(b=3, weights=((1, 5), (2, 9)))))
    for weights, said in (
        ({"a": 1}, "weights: grade 'a'; a grade is a number"),
        ({1: "x"}, "weights.1 'x'; a gain is from 0 to 1e+100"),
    ):
        with pytest.raises(ValueError, match=re.escape(said)):
            sx.Definition(weights=weights)  # pyright: ignore[reportArgumentType]


# what a notebook is answered: the commands' numbers, figures by name, texts that don't act


PAPER = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
NOTEBOOK = json.loads((ROOT / "docs" / "figures.ipynb").read_text(encoding="utf-8"))
LINEAR = sx.Definition(weights="linear", b=3, bq=2, top=5)
SCORED: dict[str, tuple[Path, list[str], sx.Definition, dict[str, Any]]] = {
    "toys": (THREE_SESSIONS, [], sx.Definition(), {}),
    "toys otherwise": (
        *(THREE_SESSIONS, ["--preset", "linear", "--b", "3", "--bq", "2", "--top", "5"]),
        *(LINEAR, {"systems": ["A"], "depth": 7}),
    ),
    "sample": (ECIR2008, [], sx.Definition(), {"min_queries": 2, "topics": ["A", "C"]}),
}
TABLES = ("queries", "sessions", "session_curves", "query_order")


def options(choices: dict[str, Any]) -> list[str]:
    """Filters and choices as options."""
    return [
        text
        for name, value in choices.items()
        for text in (
            f"--{name.replace('_', '-')}",
            ",".join(value) if isinstance(value, list) else str(value),
        )
    ]


def run(command: str, files: list[Path], out: Path, *more: str) -> Path:
    assert sdcg.main([command, *map(str, files), "--out", str(out), *more]) == 0
    return out


@pytest.mark.parametrize("case", SCORED)
def test_scores_are_the_bytes_of_the_command(case: str, tmp_path: Path) -> None:
    folder, asked, definition, choices = SCORED[case]
    files = [folder / "log.csv", folder / "judgments.csv"]
    out = run("score", files, tmp_path / "out", *asked, *options(choices))
    tables = sx.score(sx.read(*map(pd.read_csv, files)), definition, **choices)
    for name in TABLES:
        assert table_bytes(getattr(tables, name)) == (out / f"{name}.csv").read_bytes(), name
    longest = pd.read_csv(files[0])["rank"].max()
    assert tables.query_order["rank"].max() == min(longest, choices.get("depth", 100))


def assert_same(out: Path, found: Any, text: str) -> None:
    """Tables and sentences are those of the folder, and all of them."""
    assert found.sentence == (out / text).read_text(encoding="utf-8")
    assert {name: table_bytes(table) for name, table in found.tables.items()} == {
        path.stem: path.read_bytes() for path in out.glob("*.csv")
    }


def test_answers_are_the_bytes_of_their_commands(tmp_path: Path) -> None:
    files = put(tmp_path / "given", rated_files())
    asked = "--preset", "linear", "--b", "3", "--bq", "2", "--top", "5", "--searchers", "p,q,r,s,t"
    study = sx.read(*files)
    view: Any = {"searchers": list("pqrst")}
    more: Any = {"score": "final", "plan_for": 0.5}
    folder = [tmp_path / "given"]
    out = run("compare", folder, tmp_path / "1", *asked, *options(more))
    assert_same(out, sx.compare(study, LINEAR, **more, **view), "compare.txt")
    out = run("robustness", folder, tmp_path / "2", *asked, "--all-definitions")
    found = sx.robustness(study, LINEAR, all_definitions=True, **view)
    assert_same(out, found, "robustness.txt")
    assert [*found.tables] == ["robustness", "all_definitions"]
    how: Any = {"coefficient": "kendall", "version": "centred"}
    with_effort = *asked, "--with", "effort", "--low-is-good", *options(how)
    out = run("agreement", folder, tmp_path / "3", *with_effort)
    found = sx.agreement(study, LINEAR, "effort", low_is_good=True, **how, **view)
    assert_same(out, found, "agreement.txt")
    assert ("agreement_systems" in found.tables, "low is good" in found.sentence) == (True, True)


class Tags(HTMLParser):
    """Tags and their attributes, and the text between."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags, self.names, self.text = set[str](), set[str](), ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_no_name_acts_where_a_notebook_shows_it() -> None:
    names = [*HOSTILE, "</td><script>alert(1)</script>", '" onmouseover="alert(1)']
    study = in_files(hostile_study(names)).put(name=names[-2], note=names[-1])
    answers = study, sx.score(study), sx.compare(study), sx.robustness(study)
    for answer in answers:
        html = answer._repr_html_()
        shown = Tags(html)
        assert shown.tags <= {"div", "p", "b", "table", "thead", "tbody", "tr", "th", "td"}
        assert shown.names <= {"class", "border", "style"}
        assert html.startswith('<div class="tex2jax_ignore mathjax_ignore">')  # $ stays a sign
        assert names[-2] in shown.text
    assert HOSTILE[2] in Tags(answers[1]._repr_html_()).text
    assert names[-1] in Tags(study._repr_html_()).text


def shown(cell: dict[str, Any], names: dict[str, Any]) -> Any:
    """What a cell of code shows: the value of its last line."""
    *body, last = ast.parse("".join(cell["source"])).body
    exec(compile(ast.Module(body, []), cell["id"], "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)


def test_notebook_makes_the_figures_of_the_paper(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    code = {cell["id"]: cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"}
    assert all(cell["outputs"] == [] for cell in code.values())
    aggregate = code.pop("ir-measures")
    made = {name: shown(cell, names) for name, cell in code.items()}
    drawn = {name: each for name, each in made.items() if name.startswith("figure")}
    assert [*drawn] == ["figure-1", "figure-2", "figure-3", "figure-3-long", "figure-4"]
    assert all(isinstance(each, go.Figure) and each.data for each in drawn.values())
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    curves = figure_one(plain, PAPER, split="last", others="pooled", depth=100)
    lines = {line.name: line.y for line in made["figure-1"].data}
    for (system, group), curve in curves.items():
        assert lines[f"{system}, {group}"].tolist() == pytest.approx(curve)
    pytest.importorskip("ir_measures")
    found = {str(measure): value for measure, value in shown(aggregate, names).items()}
    files = [tmp_path / "run.txt", tmp_path / "qrels.txt"]
    for path, line in zip(files, ("{} Q0 {} {rank} {} tag\n", "{} 0 {} {}\n"), strict=True):
        ranks = names[path.stem].groupby(names[path.stem].columns[0]).cumcount() + 1
        rows = zip(names[path.stem].itertuples(index=False), ranks, strict=True)
        path.write_text("".join(line.format(*row, rank=rank) for row, rank in rows))
    out = run("score", files, tmp_path / "out", "--bq", "4")
    mean = pd.read_csv(out / "sessions.csv")[["final", "final_normalised"]].mean()
    assert found == pytest.approx({"sDCG": mean["final"], "nsDCG": mean["final_normalised"]})


def test_the_plain_mean_over_judgments_by_session_is_the_mean_over_sessions() -> None:
    """As PyTerrier's Experiment takes it: the sum of all values by their number."""
    tool = pytest.importorskip("ir_measures")
    log = pd.read_csv(ECIR2008 / "log.csv", dtype="str").dropna(subset=["doc"])
    judged = pd.read_csv(ECIR2008 / "judgments.csv", dtype={"doc": "str"})
    run = log.assign(query_id=log["session"] + "-" + log["query_number"], doc_id=log["doc"])
    run["score"] = -run["rank"].astype(int)
    qrels = log[["session", "topic"]].drop_duplicates().merge(judged, on="topic")
    names = {"session": "query_id", "doc": "doc_id", "grade": "relevance"}
    definition = sx.Definition(b=4, bq=4)
    measures = [sx.ir_measure(definition, score) for score in ("final", "final_normalised")]
    each = pd.DataFrame(tool.iter_calc(measures, qrels.rename(columns=names), run))
    study = sx.read(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    mean = sx.sessions(study, definition)[["final", "final_normalised"]].mean()
    assert each["query_id"].value_counts().unique().tolist() == [2]
    found = each.groupby(each["measure"].astype("str"))["value"].mean().to_dict()
    assert found == pytest.approx({"sDCG": mean["final"], "nsDCG": mean["final_normalised"]})
