"""Scenes of a talk: how scenes.toml is read and refused, their code, and their figures' texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.analysis.definition.definition import DEFAULT, Filters
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.figures.talk import TEXT, enlarged
from sdcg_explorer.questions.catalogue import QUESTIONS, each_answer
from sdcg_explorer.questions.scenes import MOST, read_talk, talk_of
from sdcg_explorer.screen.talk_code import LONGEST, code_or_why
from sdcg_explorer.study.study import Study
from tests.support.many_systems import many_systems
from tests.support.plain_files import in_files
from tests.support.studies import SAMPLES, at_hand

SCENE = '[[scene]]\ntitle = "T"\nlink = "?b=2"\n'
PAGES = ", ".join(q.name for q in QUESTIONS if q.name not in ("data",))
COPY = "Copy link to this view, in the sidebar, gives a link."


def test_a_scene_is_the_page_and_parameters_of_any_form_of_its_link() -> None:
    text = """title = "Mine"
    [[scene]]
    title = "First"
    link = "https://sdcg.example.org/app/ratings?b=3&topics=A+1&topics=B&kept="
    notes = '''
    Say  this,
    then that.'''
    play = "b"
    [[scene]]
    title = "Second"
    link = "?study=e425"
    """
    talk = talk_of(text, "scenes.toml")
    first, second = talk.scenes
    assert (talk.title, first.title, first.page, first.path) == (
        *("Mine", "First", "agreement", "agreement"),
    )
    assert first.says == {"b": ["3"], "topics": ["A 1", "B"], "kept": [""]}
    assert (first.notes, first.play) == ("Say this, then that.", "b")
    assert (second.page, second.path, second.says) == ("overview", "", {"study": ["e425"]})
    assert (second.notes, second.play) == ("", "bq")


REFUSED = {
    "scene = 3": "s.toml: scene; there is a title, which is a text, and [[scene]] for each scene. "
    "Correct the file.",
    f"titel = 'x'\n{SCENE}": "s.toml: titel; there is a title, which is a text, and [[scene]] for "
    "each scene. Correct the file.",
    "title = 'none'": f"s.toml: 0 scenes; a talk has 1 to {MOST} scenes. Write [[scene]] before "
    "each.",
    "= 3": "s.toml: not TOML: Invalid statement (at line 1, column 1); "
    "scenes are tables of NAME = VALUE, each beneath [[scene]]. Correct the file.",
    f"{SCENE}note = 'x'": "s.toml, scene 1: note; a scene has title, link, notes, play. Leave it "
    "out.",
    f"{SCENE}notes = 3": "s.toml, scene 1: notes; it is a text of at most 5,000 letters, in "
    "quotes. Correct the file.",
    f"{SCENE}play = 'w2'": "s.toml, scene 1: play 'w2'; play moves bq or b. Correct the file.",
    "[[scene]]\nlink = 'cost'": "s.toml, scene 1: no title; a scene has a title and a link. Write "
    f"title = “…”. {COPY}",
    f"{SCENE}[[scene]]\ntitle = 'x'\nlink = '/data?b=2'": "s.toml, scene 2: link "
    f"'/data?b=2'; a link leads to a page with a figure: {PAGES}. {COPY}",
    "[[scene]]\ntitle = 'x'\nlink = 'http://[x'": "s.toml, scene 1: link 'http://[x'; a link "
    f"leads to a page with a figure: {PAGES}. {COPY}",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_scene_is_refused_with_place_rule_and_remedy(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^s\.toml") as refused:
        read_talk(file)
    assert str(refused.value) == REFUSED[text]
    assert sdcg.main(["app", "--scenes", str(file)]) == 2
    assert capsys.readouterr().err.strip() == REFUSED[text]


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes("\n# ü".encode("latin-1"))
    (tmp_path / "large.toml").write_bytes(b"#" * 1_000_001)
    rules = {
        "latin": "latin.toml, line 2: no UTF-8; scenes are text in UTF-8. Save it as UTF-8.",
        "large": "large.toml: larger; at most 1,000,000 bytes are read. Part the talk.",
        "none": "none.toml: no file; scenes are a file of TOML. Correct its path.",
    }
    for name, said in rules.items():
        with pytest.raises(ValueError, match=name) as refused:
            read_talk(tmp_path / f"{name}.toml")
        assert str(refused.value) == said


def test_a_code_is_of_the_view_where_others_reach_it_and_else_says_why() -> None:
    found = code_or_why("https://sdcg.example.org/session_curves?talk=3&bq=1.5&topics=A+1#x")
    assert found["link"] == "https://sdcg.example.org/session_curves?bq=1.5&topics=A+1"
    assert found["picture"].startswith("data:image/svg+xml")
    other = code_or_why("https://sdcg.example.org/session_curves?bq=1.6&topics=A+1")
    assert other["picture"] != found["picture"]
    for host in ("127.0.0.1:8501", "localhost", "[::1]:8501", "x.localhost"):
        assert code_or_why(f"http://{host}/?b=2")["why"].endswith("open it under that name.")
    for link in ("javascript:alert(1)", "http://[x", "", "http:///x"):
        assert code_or_why(link)["why"].startswith("No code: this is no address of a page.")
    long = f"http://sdcg.example.org/?topics={'A' * LONGEST}"
    said = f"No code: this link has {len(long):,} letters; at most {LONGEST} are read from afar."
    assert code_or_why(long)["why"].startswith(said)


def sizes(part: Any) -> Iterator[float]:
    """Sizes of all fonts in a figure."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        if str(key).endswith("font") and isinstance(value, dict):
            yield value["size"]
        elif isinstance(value, dict | list):
            yield from sizes(value)


@pytest.mark.parametrize(
    "study", [at_hand(SAMPLES[0]), in_files(many_systems())], ids=["two", "twelve"]
)
def test_every_text_of_every_figure_is_as_large_as_a_talk_needs(study: Study) -> None:
    drawn = 0
    for _, answer in each_answer(study, DEFAULT, Filters()):
        for exhibit in answer.exhibits.values():
            if exhibit.figure is not None:
                before = exhibit.figure.to_json()
                assert {*sizes(enlarged(exhibit.figure).to_plotly_json())} == {TEXT}
                assert exhibit.figure.to_json() == before
                drawn += 1
    assert drawn > 10
