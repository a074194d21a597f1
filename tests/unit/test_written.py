"""Notes beneath answers, and the plan: kept beside the study, taken along, printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import figure_files
from sdcg_explorer.export.report import report
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.questions.words.registered import AS_PLANNED, ELSE, EXPLORATORY
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store import Store
from sdcg_explorer.study.written import PLAN
from tests.support.plain_files import THREE_SESSIONS
from tests.support.studies import SAMPLES, at_hand, small
from tests.support.zips import unpacked

OWNER, ANOTHER = "a" * 32, "b" * 32
NOTE = 'Twice "<b>seen</b>"; ½ 🙂\n= 1'


@pytest.fixture(params=["file", "memory"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return Store(tmp_path if request.param == "file" else None)


def test_each_owner_writes_changes_and_takes_back(either: Store) -> None:
    digest = either.save(small(), OWNER).digest
    either.save(small(), ANOTHER)
    assert either.written(digest, OWNER) == either.written("nothing such") == {}
    either.write(digest[:12], "cost", "First.", OWNER)
    either.write(digest, "cost", NOTE, OWNER)
    either.write(digest, PLAN, "[plan]", OWNER)
    either.write(digest, "cost", "Other.", ANOTHER)
    assert either.written(digest, OWNER) == {"cost": NOTE, PLAN: "[plan]"}
    either.write(digest, PLAN, "", OWNER)
    assert either.written(digest, OWNER) == {"cost": NOTE}
    either.delete(digest, OWNER)
    assert (either.written(digest, OWNER), either.written(digest, ANOTHER)) == (
        *({}, {"cost": "Other."}),
    )
    with pytest.raises(UnusableInputError, match="Upload its files again"):
        either.write(digest, "cost", "Late.", OWNER)


def test_zip_report_and_paper_have_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = at_hand(SAMPLES[1])
    own = study.put(written={"compare_systems": NOTE, "overview": "Small."})
    packed = tmp_path / "study.zip"
    packed.write_bytes(study_zip(own, Definition(), Filters()))
    again = read_study(packed)
    assert (again.written, again.digest) == (own.written, study.digest)
    page = report(again, Definition(), Filters()).decode()
    assert '</strong> Twice "&lt;b&gt;seen&lt;/b&gt;"; ½ 🙂\n= 1</p>' in page.replace("&#34;", '"')
    assert ELSE not in page
    assert sdcg.main(["paper", str(packed), "--out", str(tmp_path / "paper")]) == 0
    notes = (tmp_path / "paper" / "notes.txt").read_text(encoding="utf-8")
    assert notes == f"What is in this study? Small.\n\nWhich system is better? {NOTE}"
    capsys.readouterr()


def test_bundle_says_what_was_planned_and_is_verified_with_its_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figure_files, "browser_path", lambda: "")  # no figures
    monkeypatch.setattr("sdcg_explorer.study.memory.collect", lambda: None)  # of all tests' objects
    given, plan = str(THREE_SESSIONS), str(tmp_path / "plan" / "plan.toml")
    assert sdcg.main(["plan", given, "--out", str(tmp_path / "plan")]) == 0
    packed = tmp_path / "bundle.zip"
    for choice, said in (((), AS_PLANNED), (("--b", "3"), EXPLORATORY)):
        asked = ["--plan", plan, "--out", str(packed), "--force", *choice]
        assert sdcg.main(["export", given, *asked]) == 0
        out = unpacked(packed.read_bytes(), tmp_path / f"out{len(choice)}")
        assert (out / "comparison" / "compare.txt").read_text().startswith(said)
        page = (out / "report.html").read_text(encoding="utf-8")
        assert re.search(f"Plan:</strong> {re.escape(said)}.* {re.escape(ELSE)}</p>", page)
        assert sdcg.main(["verify", str(packed)]) == 0
    about = out / "study" / "study.toml"
    about.write_text(about.read_text(encoding="utf-8").replace("[plan]", "[odd]", 1))
    capsys.readouterr()
    assert sdcg.main(["compare", str(out / "study"), "--out", str(tmp_path / "c")]) == 0
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith("The plan that is kept with the study can't be read: [odd] is not known")
