"""Whose words a study goes by where several people use one server: by link, upload and secret."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from sdcg_explorer.reading.worker import READERS
from sdcg_explorer.screen import library
from sdcg_explorer.screen.library import store
from tests.support.kept import spoil
from tests.support.screen import Choose, Serve, hostile_study, opened
from tests.support.uploads import accepted, note, picked, pressed, texts, to_data, upload

BOTH = pytest.mark.parametrize("mode", ["shared", "ephemeral"])
OFFERED = {"Delete …", "Save name and note"}


def offered(app: AppTest) -> list[str]:
    return list(app.sidebar.selectbox(key="study_picked").options)


def buttons(app: AppTest) -> set[str]:
    return {each.label for each in app.button} & OFFERED


def noted(app: AppTest, note: str) -> AppTest:
    app.text_input(key="new_note").set_value(note)
    return pressed(app, "Save name and note")


def link_of(app: AppTest, *names: str) -> dict[str, str | list[str]]:
    return {name: app.query_params[name] for name in names}


def own_link(app: AppTest) -> dict[str, str | list[str]]:
    (code,) = app.main.code
    return dict(parse_qsl(urlsplit(code.value).query))


def test_a_second_uploader_has_words_of_their_own(serve: Serve) -> None:
    serve("shared")
    first = noted(to_data(accepted(name="First")), "for us alone")
    digest, place = picked(first), str(first.query_params["of"])
    store().tag(digest, "s1", 1, ["typo"], place)
    second = to_data(accepted(name="Second"))
    assert (picked(second), offered(second)[-1]) == (digest, "Second")
    assert second.query_params["of"] != place
    assert note(second) == ""
    noted(second, "mine")
    assert store().tags(digest, str(second.query_params["of"])) == {}
    again = opened("data", link_of(first, "study", "of"))
    assert (offered(again)[-1], buttons(again)) == ("First", set())
    assert note(again) == "for us alone"
    assert library.store().tags(digest, place) == {("s1", 1): ("typo",)}


@BOTH
def test_a_follower_reads_and_a_digest_alone_says_no_words(mode: str, serve: Serve) -> None:
    serve(mode)
    owner = to_data(accepted(name="Mine"))
    digest = picked(owner)
    assert buttons(owner) == OFFERED
    for link, name in ((link_of(owner, "study", "of"), "Mine"), ({"study": digest}, digest[:8])):
        app = opened("data", link)
        assert (offered(app)[-1], buttons(app), list(app.main.code)) == (name, set(), [])
        queries = opened("individual_sessions", {**link, "session": "s1"})
        assert queries.main.text_input(key="another tag of s1, 1").disabled


def test_the_owners_link_gives_the_words_back_and_leaves_the_address(serve: Serve) -> None:
    serve("shared")
    owner = to_data(accepted(name="Mine"))
    link = own_link(owner)
    again = opened("data", link)
    assert (offered(again)[-1], buttons(again)) == ("Mine", OFFERED)
    assert again.query_params["of"] == owner.query_params["of"]
    assert "owner" not in again.query_params
    stored = library.owner_id(str(link["owner"]))
    assert stored == owner.query_params["of"] != link["owner"]
    forged = opened("data", {**link, "owner": "x" * 40})
    assert (buttons(forged), "owner" in forged.query_params) == (set(), False)


def test_a_damaged_study_can_be_deleted_by_its_owner_alone(serve: Serve) -> None:
    folder = serve("shared")
    owner = to_data(accepted(name="Mine"))
    mine, shown = own_link(owner), link_of(owner, "study", "of")
    serve("shared")
    spoil(folder, "results")
    delete = "Delete Mine, which can't be read"
    follower, app = opened("data", shown), opened("data", mine)
    assert [delete in {each.label for each in of.button} for of in (follower, app)] == [False, True]


def test_a_visitor_is_known_again_by_the_cookie(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookies = {library.COOKIE: "s" * 32}
    monkeypatch.setattr(type(st.context), "cookies", cookies)
    serve("shared")
    digest = picked(accepted(name="Mine"))
    assert buttons(opened("data", {"study": digest})) == OFFERED
    monkeypatch.setitem(cookies, library.COOKIE, "t" * 32)
    assert buttons(opened("data", {"study": digest})) == set()


def test_nobody_empties_the_memory_by_emptying_caches(serve: Serve) -> None:
    serve("ephemeral")
    app = accepted(name="Mine")
    st.cache_resource.clear()
    st.cache_data.clear()
    assert offered(opened("overview", link_of(app, "study", "of")))[-1] == "Mine"


def test_a_shared_folder_has_no_secret(serve: Serve) -> None:
    folder = serve("shared")
    key = str(own_link(to_data(accepted(name="Mine")))["owner"])
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if key.encode() in path.read_bytes() or key in str(path)]


def test_uploads_leave_no_file_even_while_they_are_read(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(place))
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("only Linux reads an open file that has no name")
    serve("ephemeral")
    from sdcg_explorer.screen import importing

    seen: list[list[str]] = []
    read = importing.read_apart

    def looking(*given: Any, **named: Any) -> object:
        seen.append([str(path) for path in place.rglob("*") if path.is_file()])
        return read(*given, **named)

    monkeypatch.setattr(importing, "read_apart", looking)
    assert texts(upload())
    assert seen == [[], []]  # tables, and the study that they make
    READERS.close()
    assert list(place.iterdir()) == []


WORDS = re.compile(r"^[a-z_0-9]+$")


@pytest.mark.parametrize("page", ["compare_systems", "individual_sessions", "data"])
def test_no_headings_address_comes_from_what_was_uploaded(page: str, choose_study: Choose) -> None:
    names = ["alphaville", "betatown"]
    choose_study(hostile_study(names))
    app = opened(page, {"session": f"{names[0]} session"})
    headings = [*app.main.title, *app.main.header, *app.main.subheader]
    assert headings
    for each in headings:
        if any(name in each.value for name in names):
            assert WORDS.match(each.anchor or ""), each.value
            assert not any(name in each.anchor for name in names)
    for body in app.main.markdown:  # a heading in Markdown has its own words for address
        assert not re.search(r"^#+ ", body.value, re.MULTILINE), body.value
