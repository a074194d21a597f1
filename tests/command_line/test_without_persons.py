"""A bundle without persons: no old id in any byte, equal numbers, which verify makes again."""

import base64
import gzip
import io
import re
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sdcg_explorer.export.bundle import bundle
from sdcg_explorer.export.verification import verify
from sdcg_explorer.export.without_persons import PAGE, without_persons
from sdcg_explorer.questions.overview.numbers import positions
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.assemble import NO_GRADES
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import PRESETS, Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.study.study import Study

SEARCHERS = ("vp007", "P-Müller", "Kimberly Duckworth", "Kimberly")
ASSESSORS = ("grade by Annalena", "grade by Bertram")
SECRET = (
    "vp007",
    "Müller",
    "Duckworth",
    "Kimberly",
    "Annalena",
    "Bertram",
    "confidential",
    "2026-03",
    "whispered",
)
PACKED = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study whose ids stand wherever they may."""
    rows, rated, draw = list[str](), list[str](), np.random.default_rng(3)
    for place in range(4):
        for number, searcher in enumerate(SEARCHERS):
            session, system = f"{searcher}_s{place}", "AB"[(place + number) % 2]
            rated.append(
                f"{session},{1 + int(draw.integers(5))},whispered by {searcher},{searcher},{place}"
            )
            for query in range(1, 3 + place % 2):
                time = f"2026-03-0{5 - place}T10:{query:02}:30.5Z"
                topic = f"t{place % 2}" if place else f"{session} own"
                for rank in range(1, 4):
                    doc = int(draw.integers(9))
                    rows.append(
                        f"{session},{system},{searcher},{query},{topic},asks {searcher},{time},"
                        f"{rank},d{rank}{doc},{int(doc == rank)}"
                    )
    folder = tmp_path_factory.mktemp("Kimberly")
    head = "session,system,searcher,query_number,topic,text,time,rank,doc,clicked\n"
    (folder / "vp007.csv").write_text(head + "\n".join(rows), encoding="utf-8")
    pairs = pd.read_csv(folder / "vp007.csv")[["topic", "doc"]].drop_duplicates()
    grades = draw.integers(0, 4, len(pairs))
    pairs.assign(grade=grades).to_csv(folder / "judgments.csv", index=False)
    head = "session,satisfaction,remark,who,vp007 trust\n"
    (folder / "Kimberly.csv").write_text(head + "\n".join(rated), encoding="utf-8")
    made = read_study([folder / f"{name}.csv" for name in ("vp007", "judgments", "Kimberly")])
    judgments = made.judgments.assign(
        **{name: made.judgments["grade"].astype("str") for name in ASSESSORS}
    )
    return replace(
        made,
        name="Pilot of VP007",
        note="Kimberly Duckworth was ill; P-Mu\u0308ller came late.",
        written={"overview": "Kimberly searched twice."},
        tags={("vp007_s1", 1): ("as Kimberly",)},
        judgments=judgments,
        report=replace(
            made.report,
            recipe={"mapping": {"session": "confidential"}},
            methods=["Grades are those of Annalena alone.", "Left out of confidential.csv: 1."],
        ),
    )


FILTERS, FITTED_TO = Filters(searchers=SEARCHERS[:3]), "b from vp007's sessions"
DEFINITIONS = [replace(each, fitted_to=FITTED_TO) for each in (Definition(), PRESETS["behaviour"])]


def layers(content: bytes) -> list[bytes]:
    """Bytes, and what is packed in them."""
    found = [PACKED.sub(b"", content)]
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found += [
                each
                for name in archive.namelist()
                for each in (name.encode(), *layers(archive.read(name)))
            ]
    for packed in PACKED.findall(content):
        try:
            inner = base64.b64decode(packed)
            found += layers(zlib.decompress(inner) if inner[:1] == b"x" else gzip.decompress(inner))
        except (ValueError, zlib.error, OSError):
            continue
    return found


@pytest.mark.parametrize("definition", DEFINITIONS, ids=("judgments", "clicks"))
def test_names_nobody(definition: Definition, study: Study, tmp_path: Path) -> None:
    """No old id in any byte; its page says what was replaced; numbers come again."""
    if definition.behaviour:  # as of a log that nobody judged
        left = study.judgments.iloc[:0]
        study = replace(study, judgments=left, report=replace(study.report, problems=[NO_GRADES]))
    view, page = without_persons(StudyView(study, definition, FILTERS))
    made = bundle(*view, removed=page)
    every = [each.lower() for each in layers(made)]
    assert len(every) > 40
    for secret in SECRET:
        for code in ("utf-8", "utf-16-le"):
            sign = secret.lower().encode(code)
            assert not [each[:200] for each in every if sign in each], secret
    for place in ("the study's name", "the study's note", "the note on overview", "tags"):
        assert place in page
    assert "not kept: 4 searchers, 16 sessions, 2 assessors.\n" in page
    assert "since the old held one of a person: 4 topics.\n" in page
    assert "Columns left out: 2." in page
    assert "Read the name, notes and tags" not in page  # no old name is a number, or a topic's
    assert "numbers that stay: satisfaction, searcher " in page
    path = tmp_path / "shared.zip"
    path.write_bytes(made)
    with zipfile.ZipFile(path) as archive:
        assert archive.read(PAGE).decode() == page
    assert verify(path).differing == ()


def test_keeps_numbers_order_and_texts_by_choice(study: Study) -> None:
    """Scores, places and times are those of the study, and names are drawn anew each time."""
    asked = StudyView(study, Definition(), Filters())
    (one, page), (other, _) = (without_persons(asked, with_texts=t) for t in (True, False))
    assert "Texts of queries stay" in page
    assert one.study.queries["text"].str.startswith("asks searcher ").all()
    assert (other.study.queries["text"] == "").all()
    was, now, again = (
        scores(*view).sessions.assign(
            place=positions(view.study, select(*view).sample),
            key=view.study.sessions["satisfaction"].to_numpy(),
        )
        for view in (asked, one, other)
    )
    keys = [*was.select_dtypes("number").columns]
    for made in (now, again):
        left, right = (t[keys].sort_values(keys, ignore_index=True) for t in (was, made))
        pd.testing.assert_frame_equal(left, right, check_dtype=False)
    assert {*one.study.queries["time"]} == {"0", "60", "120"}
    assert [*now["searcher"]] != [*again["searcher"]]
    assert not {*one.study.extras} & {"remark", "who"}
    assert [*one.study.sessions][3::2] == ["satisfaction", "session_order"]


def test_a_new_name_is_none_of_the_old(study: Study) -> None:
    """Where somebody was searcher 1 before, nobody is now."""
    known = study.sessions["searcher"].astype(object).replace("vp007", "searcher 1")
    of_her = dict.fromkeys(("Kimberly", "kimberly"), range(16))  # columns that her name names
    asked = study.sessions.assign(searcher=pd.Categorical(known), **of_her)
    view, _ = without_persons(StudyView(replace(study, sessions=asked), Definition(), Filters()))
    new = {f"new searcher {n}" for n in range(1, 5)}
    assert {*view.study.sessions["searcher"]} == new
    one, other = [n for n in map(str, view.study.sessions) if n.startswith("new")]
    assert (one in new, other) == (True, f"{one}_2")


def test_a_log_that_names_nobody_stays_one(study: Study) -> None:
    """Columns keep their type without a name, too: the digest that is written is the one read."""
    nobody = study.sessions.assign(searcher=study.sessions["searcher"].where(pd.Series(False)))
    asked = StudyView(replace(study, sessions=nobody), Definition(), Filters())
    (view, page), types = without_persons(asked), nobody.dtypes.drop(["remark", "who"])
    assert [*map(str, view.study.sessions.dtypes[types.index])] == [*map(str, types)]
    assert "0 searchers" in page
