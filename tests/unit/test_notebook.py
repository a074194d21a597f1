"""The front door for notebooks: files' own studies of whatever holds them, and plain refusals."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pandas as pd
import pytest

import sdcg_explorer as sx
from sdcg_explorer.notebook.choices import FilterChoices
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import THREE_SESSIONS
from tests.support.rated import rated_files, rated_study

LOG, JUDGMENTS = THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv"


def frames(**more: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    return pd.read_csv(LOG, **more), pd.read_csv(JUDGMENTS, **more)


def toys(**changes: Any) -> Study:
    return sx.read(LOG, JUDGMENTS, **changes)


class Opened(io.StringIO):
    """An open text file."""

    name = "deep/folder/judgments.csv"


LATER = io.BytesIO(LOG.read_bytes())
LATER.read(1000)
GIVEN: dict[str, Callable[[], Study]] = {
    "paths": lambda: sx.read(str(JUDGMENTS), LOG),
    "folder": lambda: sx.read(THREE_SESSIONS),
    "frames of numbers and text": lambda: sx.read(*frames()),
    "frames of objects and categories": lambda: sx.read(
        frames()[0].astype({"doc": "object"}), frames()[1].astype("category")
    ),
    "an index with names": lambda: sx.read(LOG, frames()[1].set_index(["topic", "doc"])),
    "open files": lambda: sx.read(LATER, Opened(JUDGMENTS.read_text(encoding="utf-8"))),
    "judgments by themselves": lambda: sx.read(frames()[0], judgments=frames()[1]),
}


@pytest.mark.parametrize("given", GIVEN)
def test_whatever_holds_a_study_is_the_study_of_its_files(given: str) -> None:
    study = GIVEN[given]()
    assert study.digest == read_study(LOG, JUDGMENTS).digest
    named = {"folder": "Three toy sessions", "paths": "three_sessions", "open files": "file 1"}
    assert study.name == named.get(given, study.name)


def test_ids_stay_text_and_ratings_and_rules_are_taken() -> None:
    log = pd.DataFrame({"session": ["01", "1"], "doc": ["007", "7"], "rank": 0, "query_number": 1})
    log["topic"] = [7.0, None]  # whole numbers that pandas made floats are "7" as the judgments'
    judged = pd.DataFrame({"topic": [7, 7], "doc": ["007", "7"], "grade": [1, 2]})
    study = sx.read(log.fillna({"topic": 7.0}), judged, rank_base=0, name="ours")
    assert study.sessions["session"].tolist() == ["01", "1"]
    assert study.results["doc"].astype("str").tolist() == ["007", "7"]
    assert study.results["rank"].tolist() == [1, 1]
    assert (study.topics, study.name, study.labels) == (("7",), "ours", (1.0, 2.0))
    texts = {name: io.StringIO(text) for name, text in rated_files().items()}
    log_file, judged_file, *ratings = texts.values()
    assert sx.read(log_file, judged_file, ratings=ratings).digest == rated_study().digest
    named = frames()[0].rename(columns={"session": "Who?"})
    assert sx.read(named, JUDGMENTS, mapping={"session": "Who?"}).digest == toys().digest


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "nothing": (sx.read, "files: no table; a study needs a log and judgments. Give their files."),
    "no file": (lambda: sx.read("no.csv"), "no.csv: no such file; each file to be read exists."),
    "a wrong cell": (
        lambda: sx.read(LOG, frames()[1].assign(grade="x")),
        "DataFrame 2, line 1: grades in words (x); which of them is better is asked, not assumed.",
    ),
    "values of two kinds": (
        lambda: sx.read(LOG, frames()[1].assign(doc=[1, *["a"] * 24])),
        "DataFrame 2: Could not convert 'a' with type str: tried to convert to int64",
    ),
}
MISTAKEN: dict[str, tuple[Callable[[], Any], str]] = {
    "no file at all": (
        lambda: sx.read(LOG, 3),  # pyright: ignore[reportArgumentType]
        "argument 2 is of type int; a study is read of paths, DataFrames and open files.",
    ),
    "unknown rule": (
        lambda: toys(rank=0),
        "choice 'rank'; known are kinds, mapping, columns, lists, cells, leave_out, ",
    ),
    "unknown value": (lambda: toys(rank_base=2), "rank_base '2'; choices are auto, 0, 1"),
    "unknown filter": (
        lambda: sx.score(toys(), system=["A"]),  # pyright: ignore[reportCallIssue]
        "filter 'system'; known are systems, topics, searchers, min_queries, max_queries.",
    ),
    "a name for a list": (
        lambda: sx.score(toys(), systems="A"),
        "systems: 'A'; a list of names, each in quotes",
    ),
    "unknown figure": (
        lambda: sx.figure("figure 1", toys()),
        "figure 'figure 1'; known are sessions_by_length, judged_share, query_order, ",
    ),
    "a figure of other definitions": (
        lambda: sx.figure("under_mine", toys()),
        "figure 'under_mine'; of this study and view there are under_ecir_2008, ",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_files_are_refused_with_a_list_of_problems(case: str) -> None:
    ask, said = REFUSED[case]
    with pytest.raises(sx.UnusableInputError) as raised:
        ask()
    assert str(raised.value.problems[0]).startswith(said)


@pytest.mark.parametrize("case", MISTAKEN)
def test_names_and_values_that_are_not_known_are_refused_in_words(case: str) -> None:
    ask, said = MISTAKEN[case]
    with pytest.raises(ValueError) as raised:  # noqa: PT011  its words are compared
        ask()
    assert str(raised.value).startswith(said)


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
