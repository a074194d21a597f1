"""The bundle: everything of one study and view, and the line that makes its tables again."""

import base64
import hashlib
import io
import json
import re
import shutil
import zlib
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd
import pytest
from plotly.io import templates

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import bundle as bundling
from sdcg_explorer.export import figure_files, into, verification
from sdcg_explorer.export.bundle import bundle, write_bundle
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.own_study import RULE, is_beside, sums_text
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.live import packed
from sdcg_explorer.study.study import Study
from tests.support import plain_files, zips

OWN = Definition(weights="linear", b=3.0, bq=7.0, top=5, repeats="first", ideal="spread")
VIEWS = {
    "ecir2008, filtered": (plain_files.ECIR2008, OWN, Filters(topics=("A", "B"), min_queries=2)),
    "three sessions": (plain_files.THREE_SESSIONS, OWN, Filters()),
}


def sample(folder: Path) -> Study:
    study = read_study(folder / "log.csv", folder / "judgments.csv")
    first = study.queries.iloc[0]
    return replace(study, tags={(str(first["session"]), 1): ("typo", "=SUM(A1)")})


@cache
def made(view: str) -> bytes:
    """A view's bundle."""
    folder, definition, filters = VIEWS[view]
    return bundle(sample(folder), definition, filters)


def test_command_line_writes_the_same_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = zips.unpacked(made("ecir2008, filtered"), tmp_path / "ours")
    asked = "--preset linear --b 3 --bq 7 --top 5 --repeats first --ideal spread --min-queries 2"
    options = [*asked.split(), "--topics", "A,B", "--out", str(tmp_path / "theirs.zip")]
    monkeypatch.setattr(bundling, "report_of", lambda answers, *_, **__: b"%d" % len([*answers]))
    assert sdcg.main(["export", str(ours / "study"), *options]) == 0
    theirs = zips.unpacked((tmp_path / "theirs.zip").read_bytes(), tmp_path / "theirs")
    tables = sorted(path.relative_to(ours) for path in ours.rglob("*.csv"))
    # queries, their order, curves, sessions; comparison, last queries, next study, summary; the
    # study's log, judgments, tags
    assert sum(path.parts[0] != "figures" for path in tables) == 4 + 4 + 3
    for table in tables:
        assert (ours / table).read_bytes() == (theirs / table).read_bytes(), table


def test_every_file_of_a_bundle_is_known_beside_its_study() -> None:
    folders = {"score": "scores", "compare": "comparison", "agreement": "agreement"}
    for command, folder in folders.items():
        kept = {*into.FILES["score"]} if command != "score" else {*into.OF_PARTS}  # of any command
        names = [name for name in into.FILES[command] if name not in kept]
        assert [n for n in names if not is_beside(f"{folder}/{n}", own="study/study.toml")] == []


def told(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """What check finds beside the study of a bundle, by file."""
    assert sdcg.main(["check", str(folder), "--json"]) == 0
    problems = json.loads(capsys.readouterr().out)["problems"]
    return {each["file"]: each["found"] for each in problems if each["rule"] == RULE}


def test_check_says_what_in_a_bundle_was_not_made_of_its_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = zips.unpacked(made("three sessions"), tmp_path / "made")
    files = {str(path.relative_to(out)): path for path in out.rglob("*.*")}
    first, *lines = files.pop("sums.txt").read_text().splitlines()
    assert first == f"# study {read_study(out / 'study').digest}"
    sums = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    assert sorted(lines) == sorted(f"{found}  {name}" for name, found in sums.items())
    assert told(out, capsys) == {}
    with (out / "scores" / "queries.csv").open("a") as file:
        file.write("s,1\n")
    changed = out / "comparison" / "comparison.csv"
    changed.write_text(changed.read_text().replace("1", "2", 1))
    (out / "comparison" / "methods.txt").write_text("made up")
    names = ("comparison/comparison.csv", "comparison/methods.txt", "scores/queries.csv")
    assert told(out, capsys) == dict.fromkeys(names, "changed since it was made")
    (out / "sums.txt").rename(tmp_path / "sums.txt")
    tables = [name for name in files if name.startswith(("scores/", "comparison/"))]
    untold = "no sums.txt to say which study it was made from"
    assert told(out, capsys) == dict.fromkeys([*tables, "comparison/methods.txt"], untold)


def test_check_says_that_tables_were_made_of_another_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = zips.unpacked(made("three sessions"), tmp_path / "made")
    own = read_study(out / "study").digest[:12]
    shutil.rmtree(out / "study")
    zips.unpacked(study_zip(sample(plain_files.ECIR2008), Definition(), Filters()), out / "study")
    found = told(out, capsys)
    assert {*found.values()} == {f"made from another study, whose digest begins with {own}"}
    assert {"scores/queries.csv", "comparison/comparison.csv", "report.html"} <= {*found}


def test_one_system_has_no_comparison_and_a_link_is_told(tmp_path: Path) -> None:
    study, filters = sample(plain_files.THREE_SESSIONS), Filters(systems=("A",))
    out = zips.unpacked(bundle(study, OWN, filters, at="http://x/"), tmp_path)
    assert not (out / "comparison").exists()
    assert "    http://x/?study=" in (out / "README.txt").read_text()


AGAIN = dict[str, bytes]()  # what verify makes, by study and view


def verified(bundle: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str], str]:
    """Exit code of `sdcg verify`, what differs, and its last line; it makes a view again once."""

    def again(sink: IO[bytes], view: StudyView, *, drawing: bool) -> None:
        asked = repr((view.study.digest, view.study.tags, view.definition, view.filters))
        if asked not in AGAIN:
            write_bundle(made := io.BytesIO(), view, drawing=drawing)
            AGAIN[asked] = made.getvalue()
        sink.write(AGAIN[asked])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "write_bundle", again)
        code = sdcg.main(["verify", str(bundle)])
    said = capsys.readouterr()
    return code, said.err.splitlines(), said.out.strip()


def test_a_bundle_of_the_app_is_what_the_command_makes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (folder, definition, filters), command = VIEWS["three sessions"], made("three sessions")
    monkeypatch.setattr(templates, "default", "ggplot2")  # Streamlit has its own
    assert bundle(sample(folder), definition, filters) == command


def test_verify_names_each_number_that_is_not_of_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = zips.unpacked(made("ecir2008, filtered"), tmp_path / "made")
    sessions = out / "scores" / "sessions.csv"
    table = pd.read_csv(sessions, dtype=str)
    right, table.loc[1, "final"] = str(table["final"][1]), "1.5"
    table.loc[0, "best"] = str(float(str(table["best"][0])) * (1 + 1e-12))  # as machines round
    table.to_csv(sessions, index=False)
    text = out / "comparison" / "compare.txt"
    text.write_text(text.read_text().replace("95%", "94%", 1))
    (out / "figures" / "query_order.csv").unlink()
    (out / "figures" / "odd.csv").write_text("x\n")
    swapped = out / "figures" / "means.csv"
    swapped.write_text(swapped.read_text().replace("low,high", "high,low", 1))
    code, differing, said = verified(out, capsys)
    assert code == 2
    key = f"session {table['session'][1]}, system {table['system'][1]}"
    cell, words, lost, turned, odd = differing
    assert turned.startswith("figures/means.csv, line 1: ")
    assert cell.startswith(
        f"scores/sessions.csv: row 2 ({key}): final is '1.5', made again '{right}'; "
    )
    assert words.startswith("comparison/compare.txt, line ")
    assert "94%" in words.split(", made again ")[0]
    assert "95%" in words.split(", made again ")[1]
    assert lost.startswith("figures/query_order.csv: no such file; ")
    assert odd.startswith("figures/odd.csv: a file that sums.txt does not name; ")
    assert " numbers rebuilt: 5 differ; " in said


# what is changed in a report, into what, and what is said of it
REVERSED = (
    (
        '<p class="verdict made">A and B ',
        '<p class="verdict made">B and A ',
        "\"B and A can't be compared",
    ),
    (r"(<tr><td>A<td>)0(<td>)", r"\g<1>987\2", "'A 987 0 "),
    ("<tr><td>B<td>.*\n", "", "no line, made again 'B 0 1 0 0 1 2'"),
    ('(<p class="small">Made with .*)', r"\1<p>B leads.</p>", ". B leads."),
    (' id="figures">', ' id="figure">', 'id="figure">'),
    (r"draw\(figures\[0\]\)", "alert('A is ahead')", "alert('A is ahead')"),
)


def test_verify_names_what_was_changed_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = zips.unpacked(made("three sessions"), tmp_path)
    text = (out / "report.html").read_text(encoding="utf-8")
    for old, new, _ in REVERSED:
        text, times = re.subn(old, new, text, count=1)
        assert times == 1
    (out / "report.html").write_text(text, encoding="utf-8")
    code, differing, last = verified(out, capsys)
    assert code == 2
    for found, (_, _, said) in zip(differing, REVERSED, strict=True):
        assert found.startswith("report.html, line ")
        assert said in found
    assert f": {len(REVERSED)} differ; " in last


def test_verify_compares_the_data_of_figures_as_machines_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = zips.unpacked(made("three sessions"), tmp_path)
    page = (out / "report.html").read_text(encoding="utf-8")
    (packed,) = re.findall(' id="figures">([^<]*)<', page)
    lines = zlib.decompress(base64.b64decode(packed)).decode().split("\n")
    found = [json.loads(line) for line in lines]
    first, second = (found[0]["counts"][name]["grades"] for name in [*found[0]["counts"]][:2])
    first["type"], second["data"] = "odd", "AAAA"
    found[0]["round"][0] = 10**400
    names = [None, *re.findall('<figure data-figure="([^"]*)"', page)]
    for name, by in (("query_order", 1 + 1e-12), ("session_curves", 1 + 1e-7), ("fit", 1 + 1e-7)):
        arrays = found[names.index(name)]["arrays"]
        place = next(i for i, each in enumerate(arrays) if isinstance(each[-1], float) and each[-1])
        arrays[place][-1] *= by

    def differing(parts: list[object]) -> list[str]:
        text = "\n".join(json.dumps(each, separators=(",", ":")) for each in parts)
        changed = base64.b64encode(zlib.compress(text.encode())).decode()
        (out / "report.html").write_text(page.replace(packed, changed), encoding="utf-8")
        code, said, _ = verified(out, capsys)
        assert code == 2
        return said

    *shared, moved = differing(found)
    kinds = ['"type":"odd"', '"data":"AAAA"', '"round":[1000']
    assert [kind in said for kind, said in zip(kinds, shared, strict=True)] == [True] * 3
    assert "report.html: figure session_curves: '" in moved
    *_, fewer = differing(found[:-1])
    assert f"'figure {names[-1]}:', made again '" in fewer


def test_arrays_with_gaps_are_equal_but_for_what_machines_round() -> None:
    one, other, moved = (
        json.dumps(packed(np.array([np.nan, 1.0 + by])), separators=(",", ":"))
        for by in (0.0, 1e-12, 1e-7)
    )
    equal = [verification._is_close(one, each, 1e-9) for each in (other, moved)]  # pyright: ignore[reportPrivateUsage]
    assert equal == [True, False]


def test_verify_holds_pictures_and_texts_to_their_sums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figure_files, "browser_path", lambda: "a browser")
    monkeypatch.setattr(figure_files, "drawn_bytes", lambda figure, form: form.encode())
    out = zips.unpacked(bundle(sample(plain_files.THREE_SESSIONS), OWN, Filters()), tmp_path)
    pictures = sorted([*out.rglob("*.svg"), *out.rglob("*.pdf")])
    assert len(pictures) > 20
    monkeypatch.setattr(figure_files, "drawn_bytes", None)  # nothing is drawn again
    code, differing, said = verified(out, capsys)
    assert (code, differing) == (0, [])
    assert said.endswith(f": all equal; {len(pictures) + 7} other files unchanged, by checksum")
    pictures[0].write_bytes(b"another")
    pictures[1].unlink()
    (out / "figures" / "odd.pdf").write_bytes(b"%PDF")
    (out / "README.txt").write_text((out / "README.txt").read_text() + "B leads.\n")
    code, differing, said = verified(out, capsys)
    assert said.endswith(f"; {len(pictures) + 4} other files unchanged, by checksum")
    assert (code, [each.split("; ")[0] for each in differing]) == (
        2,
        [
            "README.txt: changed since it was made (its checksum differs)",
            f"figures/{pictures[0].name}: changed since it was made (its checksum differs)",
            f"figures/{pictures[1].name}: no such file",
            "figures/odd.pdf: a file that sums.txt does not name",
        ],
    )


def test_verify_of_an_older_bundle_names_the_version_and_what_changed_since(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = "scores/*", ("last",), "undefined, where it was 0", ""
    elsewhere = "figures/*", ("final",), "counted otherwise", ""
    monkeypatch.setattr(verification, "CHANGED_SINCE_1", (moved, elsewhere))
    out = zips.unpacked(made("three sessions"), tmp_path)
    readme, sessions = out / "README.txt", out / "scores" / "sessions.csv"
    ours = version("sdcg-explorer")
    readme.write_text(readme.read_text().replace(f"explorer {ours}", "explorer 1.0.3"))
    table = pd.read_csv(sessions, dtype=str).drop(columns="best").assign(gone="1", last="7")
    table.to_csv(sessions, index=False)
    text = out / "scores" / "methods.txt"
    text.write_text("Other words.")
    (out / "figures" / "no_more.csv").write_text("x\n")
    files = [path for path in out.rglob("*.*") if path.name != "sums.txt"]
    sums = {str(f.relative_to(out)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}
    (out / "sums.txt").write_text(sums_text(read_study(out / "study").digest, sums))
    code, differing, said = verified(out, capsys)
    made_by, since, all_equal = said.splitlines()
    assert (code, differing) == (0, [])
    assert made_by == f"{out}: made by 1.0; its texts are compared by checksum"
    assert (
        since == f"{out}: last of scores/sessions.csv changed since 1.0: undefined, where it was 0"
    )
    assert " numbers rebuilt: all equal; " in all_equal
    table.assign(final="7").to_csv(sessions, index=False)
    (out / "figures" / "query_order.csv").unlink()
    (out / "scores" / "query_order.csv").write_text("rank,rank\n1,2\n")  # of one name
    code, differing, _ = verified(out, capsys)
    assert code == 2
    places = [each.split(" ")[0] for each in differing]
    assert {*places[:-4]} == {"scores/query_order.csv,"}  # line by line
    assert places[-4:] == [*["scores/sessions.csv:"] * 3, "figures/query_order.csv:"]


def test_verify_says_that_the_study_was_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = zips.unpacked(made("three sessions"), tmp_path)
    judgments = out / "study" / "judgments.csv"
    judgments.write_text(judgments.read_text().replace(",2\n", ",1\n", 1))
    code, differing, _ = verified(out, capsys)
    assert code == 2
    assert differing[0].startswith("study/log.csv: another digest than study.toml names; ")
    assert any(each.startswith("scores/sessions.csv: row ") for each in differing)
    assert sdcg.main(["verify", str(out / "study")]) == 2
    assert capsys.readouterr().err.startswith("study: no bundle; a bundle has scores/definition.")
