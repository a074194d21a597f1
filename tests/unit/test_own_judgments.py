"""Judgments of one's own: a layer over those of a study, kept beside it, taken back as given."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.export.link import view_link
from sdcg_explorer.export.study_zip import study_files, study_zip, zipped
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store import Store
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainStudy
from tests.support.random_studies import often, studies
from tests.support.studies import small
from tests.unit.test_residuals import two_systems

OWNER, ANOTHER = "a" * 32, "b" * 32


@pytest.fixture(params=["file", "memory"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return Store(tmp_path if request.param == "file" else None)


@often
@given(studies(), st.integers(0, 3))
def test_layer_is_what_these_judgments_would_be_in_the_files(plain: PlainStudy, way: int) -> None:
    """Whatever is judged already, or is not known, is left as it is."""
    study, labels = study_of(plain), sorted({*plain.judgments.values()})
    shown = {(topic, doc) for s in plain.sessions for topic, r in s.queries for doc in r.values()}
    wanted = dict.fromkeys(shown - {*plain.judgments}, labels[way % len(labels)])
    others = dict.fromkeys([("nowhere", "a"), ("t1", "nothing"), *plain.judgments], labels[0])
    over = study.with_added_judgments(wanted | others | ({("t1", "u"): 77.0} if way == 3 else {}))
    wanted = {thing: g for thing, g in wanted.items() if way < 3 or thing != ("t1", "u")}
    told = study_of(PlainStudy(plain.sessions, plain.judgments | wanted))
    assert (over.layer, over.digest) == (wanted, told.digest)
    assert (over is study) == (not wanted)
    assert over.bare.digest == study.digest
    view = Definition(), Filters()
    pd.testing.assert_frame_equal(scores(over, *view).sessions, scores(told, *view).sessions)
    assert study.layer == {}


def test_judgments_are_given_replaced_and_taken_back(either: Store) -> None:
    digest = either.save(small()).digest
    assert either.layer(digest) == either.layer("nothing such") == {}
    either.judge(digest, "t", "a “b”\n🙂", 2.0)
    either.judge(digest[:12], "t", "c", 0.0)
    assert either.layer(digest[:12]) == {("t", "a “b”\n🙂"): 2.0, ("t", "c"): 0.0}
    either.judge(digest, "t", "c", 1.0)
    either.judge(digest, "t", "a “b”\n🙂", None)
    assert either.layer(digest) == {("t", "c"): 1.0}
    assert either.load(digest).digest == digest
    either.delete(digest)
    assert either.layer(digest) == {}
    with pytest.raises(UnusableInputError, match="Upload its files again"):
        either.judge(digest, "t", "c", 1.0)


def test_each_owner_has_judgments_of_their_own(either: Store) -> None:
    digest = either.save(small(), OWNER).digest
    either.save(small(), ANOTHER)
    either.judge(digest, "t", "c", 1.0, OWNER)
    either.judge(digest, "t", "c", 3.0, ANOTHER)
    assert either.layer(digest, OWNER) == {("t", "c"): 1.0}
    either.delete(digest, OWNER)
    assert (either.layer(digest, OWNER), either.layer(digest, ANOTHER)) == ({}, {("t", "c"): 3.0})


def test_zip_brings_the_layer_along_and_leaves_the_link_to_the_study(tmp_path: Path) -> None:
    study = study_of(two_systems())
    over = study.with_added_judgments({("t", "u1"): 1.0, ("t", "u2"): 0.0})
    plain = Definition(), Filters()
    (tmp_path / "study.zip").write_bytes(study_zip(over, *plain))
    read = read_study(tmp_path / "study.zip")
    assert (read.layer, read.digest, read.bare.digest) == (over.layer, over.digest, study.digest)
    assert [problem.found for problem in read.problems] == [p.found for p in over.problems]
    assert view_link(over, *plain) == view_link(study, *plain)
    assert b"own_judgments" not in study_files(study, *plain)["study.toml"]
    assert read.put(layer={("t", "u1"): 0.0, ("t", "u9"): 1.0}).layer == {}


@pytest.mark.parametrize("odd", ["1", "[1]", '[["t", "u1"]]', '[["t", "u1", "x"]]'])
def test_odd_layer_of_a_zip_says_nothing(odd: str, tmp_path: Path) -> None:
    over = study_of(two_systems()).with_added_judgments({("t", "u1"): 1.0})
    files = study_files(over, Definition(), Filters())
    known, _, _ = files["study.toml"].decode().partition("own_judgments = ")
    text = f"{known}own_judgments = {odd}"
    (tmp_path / "study.zip").write_bytes(zipped(files | {"study.toml": text.encode()}))
    read = read_study(tmp_path / "study.zip")
    assert (read.layer, read.digest) == ({}, over.digest)
