"""What is kept: studies, names, notes, tags and own judgments, in each mode and other windows."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading import worker
from sdcg_explorer.reading.read import RATED, sample_name
from sdcg_explorer.screen import library, show
from sdcg_explorer.screen.library import load_study, store, studies_not_uploaded
from sdcg_explorer.serving.workers import ANSWERERS
from sdcg_explorer.study import store as kept_in
from sdcg_explorer.study.annotations import SUGGESTED, Tags
from tests.support import kept, plain_files, screen, zips
from tests.support.uploads import (
    accepted,
    button,
    note,
    picked,
    pressed,
    reasons,
    sample,
    texts,
    to_data,
    upload,
    warnings,
)

SAMPLES = [sample_name(each) for each in ("ecir2008", "three_sessions", RATED)]
TOYS = SAMPLES[1]
ANSWER = "2 sessions on 1 topic with 2 systems; 3 queries; results in the top 10: 100% judged."
OWN = {"Delete …", "Save name and note"}  # buttons of whoever may


def offered(app: AppTest) -> list[str]:
    """Names that the sidebar offers."""
    return list(app.sidebar.selectbox(key="study_picked").options)


def own_buttons(app: AppTest) -> set[str]:
    return {each.label for each in app.button} & OWN


def refusals(app: AppTest) -> list[str]:
    """Why something was not kept."""
    assert not app.exception
    return [screen.without_escapes(error.value) for error in app.error]


def noted(app: AppTest, note: str, name: str = "") -> AppTest:
    """The page Data after a note, and perhaps a name, was saved."""
    app.text_input(key="new_note").set_value(note)
    if name:
        app.text_input(key="new_name").set_value(name)
    return pressed(app, "Save name and note")


def test_accepted_study_is_kept_opened_named_and_offered_elsewhere(serve: screen.Serve) -> None:
    folder = serve("")
    app = accepted(name="Pilot")
    assert screen.first_line(app) == ANSWER
    assert {each.name for each in folder.iterdir()} == {kept_in.FILE, kept_in.COPY}
    (found,) = store().kept()
    digest = found.digest[:12]
    assert (picked(app), app.query_params["study"]) == (digest, digest)
    app = noted(to_data(app), "Only two searchers.", "Pilot, spring")
    serve("")  # after a restart
    for page in ("overview", "query_order"):
        linked = screen.opened(page, {"study": digest})
        assert (picked(linked), warnings(linked)) == (digest, [])
        assert note(linked) == "Only two searchers."
    another = screen.opened("overview")
    assert (offered(another), screen.first_line(another)[:12]) == (
        [*SAMPLES, "Pilot, spring"],
        "120 sessions",
    )
    another.sidebar.selectbox(key="study_picked").set_value(digest).run()
    assert (screen.first_line(another), another.query_params["study"]) == (ANSWER, digest)


def test_ratings_alone_join_the_study_that_is_open(folder: Path) -> None:
    toys = screen.opened("data", {"study": sample(TOYS)})
    app = upload({"ratings.csv": "session,satisfaction,remark\nT-1,5,fine\nT-3,3,\n"}, toys)
    assert f"These ratings are added to the study **{TOYS}**." in texts(app)
    app = pressed(app, "Accept and open")
    assert app.query_params["study"] != sample(TOYS)
    study = store().load(picked(app))
    rated = study.sessions.set_index("session").reindex(["T-1", "T-2", "T-3"])
    assert rated["satisfaction"].fillna(0).tolist() == [5.0, 0, 3.0]
    assert rated["remark"].fillna("none").tolist() == ["fine", "none", "none"]
    assert [study.checked()[name] for name in ("sessions", "queries", "results")] == [3, 9, 42]


@pytest.mark.parametrize(
    ("beside", "said"), [({}, "no rating matches"), ({"odd.csv": "one,two\nx,3\ny,4\n"}, "no log")]
)
def test_ratings_of_another_study_join_none(
    beside: dict[str, str], said: str, folder: Path
) -> None:
    toys = screen.opened("data", {"study": sample(TOYS)})
    app = upload({"ratings.csv": "session,satisfaction\nvp1,5\nvp2,3\n", **beside}, toys)
    assert any(said in reason for reason in reasons(app))
    assert not any("are added to the study" in text for text in texts(app))
    assert "Accept and open" not in [each.label for each in app.main.button]


@pytest.mark.usefixtures("visited")
def test_delete_asks_first(folder: Path) -> None:
    app = pressed(to_data(accepted(name="Pilot")), "Delete …")
    assert [body.value for body in app.get("dialog")[0].markdown] == [
        "**Pilot**: this deletes the study, its notes, tags and your judgments from this machine, "
        "for everyone."
    ]
    assert [each.label for each in app.button][-2:] == ["Cancel", "Delete"]
    assert len(store().kept()) == 1


@pytest.mark.parametrize("mode", ["", "shared"])
def test_broken_study_can_be_deleted_by_its_owner_alone_or_mended(
    mode: str, serve: screen.Serve
) -> None:
    folder = serve(mode)
    owner = to_data(accepted(name="Pilot"))
    mine = own_link(owner) if mode else {"study": picked(owner)}
    serve(mode)
    kept.spoil(folder, "results")
    app = screen.opened("data", mine)
    (damage,) = app.main.error
    assert "Delete it, and upload its files again." in screen.without_escapes(damage.value)
    assert button(app, "Delete Pilot, which can't be read")
    if mode:
        follower = screen.opened("data", link_of(owner))
        assert not [each for each in follower.button if each.label.startswith("Delete Pilot")]
    app = upload(app=app)  # its files mend it, too
    assert (screen.first_line(app)[:10], offered(app)) == (ANSWER[:10], [*SAMPLES, "Pilot"])


def test_a_folder_that_can_not_be_written_to_or_has_lost_its_file_is_said(
    serve: screen.Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = serve("")
    accepted()
    serve("")
    monkeypatch.setattr(kept_in, "WAIT", 0.01)
    with kept.another_writer(place):
        app = screen.opened("compare_systems")
    assert not app.exception
    (said,) = (each.value for each in app.warning if "database is locked" in each.value)
    assert "Until then saved studies open, but none can be added" in screen.without_escapes(said)
    assert str(place.parent) not in said
    serve("")
    app = to_data(accepted())
    (place / kept_in.FILE).unlink()
    (gone,) = refusals(app.run())
    assert gone.startswith(f"{kept_in.FILE}: unable to open database file; ")


@pytest.mark.parametrize("mode", ["", "shared"])
def test_what_was_taken_over_is_said_to_one_person_alone(mode: str, serve: screen.Serve) -> None:
    folder = serve(mode)
    with zipfile.ZipFile(plain_files.ROOT / "tests" / "unit" / "workspace_1.0.zip") as archive:
        archive.extractall(folder)
    said = [line for each in screen.opened("data").main.text for line in each.value.splitlines()]
    assert len([line for line in said if "version 1.0" in line]) == (0 if mode else 3)
    assert any(line.endswith("--engine duckdb --out DIR.") for line in said) == (not mode)


def link_of(app: AppTest) -> screen.Params:
    """Study and owner's words, as the address has them."""
    return {name: app.query_params[name] for name in ("study", "of")}


def own_link(app: AppTest) -> screen.Params:
    """The link that the page Data gives its owner."""
    (code,) = app.main.code
    return dict(parse_qsl(urlsplit(code.value).query))


def test_of_several_each_has_words_of_their_own_and_others_read_by_link(
    serve: screen.Serve,
) -> None:
    folder = serve("shared")
    owner = noted(to_data(accepted(name="Mine")), "for us alone")
    digest, mine, shown = picked(owner), own_link(owner), link_of(owner)
    assert (own_buttons(owner), offered(owner)) == (OWN, [*SAMPLES, "Mine"])
    store().tag(digest, "s1", 1, ["typo"], str(shown["of"]))
    assert offered(screen.opened("overview")) == SAMPLES
    for part in (digest[:11], "", "*"):
        assert offered(screen.opened("overview", {"study": part})) == SAMPLES
    for link, name in ((shown, "Mine"), ({"study": digest}, digest[:8])):
        app = screen.opened("data", link)
        assert (offered(app)[-1], own_buttons(app), list(app.main.code)) == (name, set(), [])
        assert note(app) == ("for us alone" if name == "Mine" else "")
        assert not [each for each in app.text_input if each.key in ("new_name", "new_note")]
        queries = screen.opened("individual_sessions", {**link, "session": "s1"})
        assert queries.main.text_input(key="another tag of s1, 1").disabled
    second = to_data(accepted(name="Second"))  # of the same files
    assert (picked(second), offered(second)[-1], note(second)) == (digest, "Second", "")
    noted(second, "mine")
    assert store().tags(digest, str(second.query_params["of"])) == {}
    again = screen.opened("data", mine)  # gives the words back, and leaves the address
    assert (offered(again)[-1], own_buttons(again)) == ("Mine", OWN)
    assert again.query_params["of"] == shown["of"] != second.query_params["of"]
    assert "owner" not in again.query_params
    assert library.owner_id_of_key(str(mine["owner"])) == shown["of"] != mine["owner"]
    forged = screen.opened("data", {**mine, "owner": "x" * 40})
    assert (own_buttons(forged), "owner" in forged.query_params) == (set(), False)
    written = [path for path in folder.rglob("*") if path.is_file()]
    key = str(mine["owner"])  # the secret, which is on no disk
    assert written
    assert not [path for path in written if key.encode() in path.read_bytes() or key in str(path)]


def test_a_server_that_forgets_writes_nothing_and_no_emptied_cache_empties_its_memory(
    serve: screen.Serve, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(place))
    folder, seen, read = serve("ephemeral"), list[list[str]](), worker.read_apart

    def looking(*given: Any, **named: Any) -> object:
        seen.append([str(path) for path in place.rglob("*") if path.is_file()])
        return read(*given, **named)

    if Path("/proc/self/fd").is_dir():  # only Linux reads an open file that has no name
        monkeypatch.setattr(worker, "read_apart", looking)
    app = accepted(name="Demo")
    assert (screen.first_line(app), offered(app)) == (ANSWER, [*SAMPLES, "Demo"])
    assert {*map(len, seen)} <= {0}
    for each in (worker.READERS, ANSWERERS):  # whose own folders are empty
        each.close()
    assert [*folder.rglob("*"), *place.iterdir()] == []
    st.cache_resource.clear()
    st.cache_data.clear()
    linked = screen.opened("query_order", link_of(app))
    assert (offered(linked)[-1], warnings(linked)) == ("Demo", [])
    assert own_buttons(screen.opened("data", link_of(app))) == set()
    serve("ephemeral")
    assert screen.first_line(screen.opened("overview", {"study": picked(app)})).startswith(
        screen.NOT_HERE
    )


def test_a_visitor_is_known_again_by_the_cookie(
    serve: screen.Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookies = {library.COOKIE: "s" * 32}
    monkeypatch.setattr(type(st.context), "cookies", cookies)
    serve("shared")
    digest = picked(accepted(name="Mine"))
    assert own_buttons(screen.opened("data", {"study": digest})) == OWN
    monkeypatch.setitem(cookies, library.COOKIE, "t" * 32)
    assert own_buttons(screen.opened("data", {"study": digest})) == set()


T1, T2, THING = ("T-1", 1), ("T-2", 1), ("topic 2", "u1")


def toys(page: str = "individual_sessions", session: str = "T-1", **more: str) -> AppTest:
    """A window on the toy sessions, which looks into one of them."""
    link = {"system": "all systems", "one_topic": "all topics", "session": session}
    app = screen.opened(page, {**link, "study": sample(TOYS), **more})
    assert not app.exception
    return app


def pills(app: AppTest, session: str = "T-1") -> Any:
    return app.main.pills(key=f"tags of {session}, 1")


def typed(app: AppTest, text: str) -> AppTest:
    """The window after a tag of one's own was typed."""
    return app.main.text_input(key="another tag of T-1, 1").set_value(text).run()


def tags() -> Tags:
    """Tags of the toy sessions."""
    return store().tags(sample(TOYS))


def table(app: AppTest, alt: str) -> Any:
    """The table of this text alternative; none where it is not there."""
    found = [each.value for each in app.main.dataframe if each.proto.alt == alt]
    return found[0] if found else None


def test_tags_are_clicked_typed_counted_and_taken_away(serve: screen.Serve) -> None:
    serve("")
    app = toys()
    assert [screen.without_escapes(tag) for tag in pills(app).options] == [*SUGGESTED]
    assert table(app, "Tags by system") is None
    assert "tags" not in table(app, "Queries of session T-1")
    assert store().kept() == []
    app = pills(app).set_value(["typo", "too broad"]).run()
    (found,) = store().kept()  # a tag keeps the sample
    study = studies_not_uploaded()[sample(TOYS)]
    assert (found.digest, found.name, found.note) == (study.digest, study.name, study.note)
    app = typed(app, "  zu  eng; 太窄 ")
    assert tags() == {T1: ("typo", "too broad", "zu eng, 太窄")}
    assert app.main.text_input(key="another tag of T-1, 1").value == ""
    serve("")
    app = toys()
    assert pills(app).value == ["typo", "too broad", "zu eng, 太窄"]
    assert (offered(app), warnings(app)) == (SAMPLES, [])
    shown = table(app, "Queries of session T-1")["tags"].tolist()
    assert shown == ["typo; too broad; zu eng, 太窄", *[""] * (len(shown) - 1)]
    pills(app).set_value(["typo"]).run()
    app = pills(toys(session="T-3"), "T-3").set_value(["typo", "wrong angle"]).run()
    assert "Why did queries fail?" in [heading.value for heading in app.main.subheader]
    assert "2 of 9 queries tagged." in texts(app)
    counts = table(app, "Tags by system")[["tag", "system", "queries"]].to_numpy().tolist()
    assert counts == [["wrong angle", "B", 1], ["typo", "A", 1], ["typo", "B", 1]]
    app = app.sidebar.pills(key="systems").set_value(["A"]).run()
    assert texts(app)[-1].endswith("(1 more outside the filters).")
    app = toys()
    app = pills(app).set_value([]).run()
    assert (pills(app).value, len(pills(app).options)) == ([], len(SUGGESTED))
    assert "tags" not in table(app, "Queries of session T-1")
    for tag in screen.HOSTILE:
        app = typed(app, tag)
    assert tags()[T1] == tuple(sorted(screen.HOSTILE))
    bodies = [*pills(app).options, *screen.paragraphs(app)]
    for tag in screen.HOSTILE:
        assert any(tag in screen.without_escapes(body) for body in bodies)
        assert not any(tag in body for body in bodies)
    assert table(app, "Queries of session T-1")["tags"][0] == "; ".join(sorted(screen.HOSTILE))


Act = Callable[[AppTest], AppTest]


def widened(app: AppTest) -> AppTest:
    """The window after one more tag was clicked."""
    return pills(app).set_value([*pills(app).value, "too broad"]).run()


# what there was, what is done in one window, and in another that has not seen it; what is left
WINDOWS: list[tuple[list[str], Act, Act, tuple[str, ...]]] = [
    ([], lambda app: pills(app).set_value(["typo"]).run(), widened, ("typo", "too broad")),
    ([], widened, lambda app: typed(app, "typo"), ("typo", "too broad")),
    (["typo"], lambda app: pills(app).set_value([]).run(), widened, ("too broad",)),
]


@pytest.mark.parametrize("place", range(len(WINDOWS)))
def test_a_window_that_is_behind_takes_no_tag_away_and_brings_none_back(
    place: int, folder: Path
) -> None:
    before, first, then, left = WINDOWS[place]
    pills(toys()).set_value(before).run()
    one, two = toys(), toys()
    first(one)
    then(two)
    assert tags() == {T1: left}
    one.run()
    assert pills(one).value == [*left]
    assert table(one, "Queries of session T-1")["tags"][0] == "; ".join(left)


def test_tag_of_a_deleted_study_says_why_it_was_not_kept(folder: Path) -> None:
    digest = picked(accepted())
    app = screen.opened("individual_sessions", {"study": digest, "session": "s1"})
    store().delete(digest)
    (reason,) = refusals(pills(app, "s1").set_value(["typo"]).run())
    assert (store().kept(), store().tags(digest)) == ([], {})
    assert reason.startswith("The tag was not saved: the study was deleted;")


def grades(app: AppTest) -> Any:
    return app.main.pills(key="grade of topic 2, u1")


def gain(app: AppTest) -> float:
    (shown,) = [e.value for e in app.main.dataframe if e.proto.alt.startswith("Results of query 2")]
    return shown["gain"][2]


def test_a_document_is_judged_counted_and_taken_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = toys(session="T-2", query_on_top="2")
    assert app.main.selectbox(key="judging T-2, 2").options == ["u1"]  # others are judged
    first = toys(session="T-2", query_on_top="1")
    assert not [each for each in first.main.selectbox if "judging" in str(each.key)]
    assert (grades(app).options, grades(app).value) == (["0", "1", "2", "3"], None)
    assert gain(app) == 0
    before = screen.definition_in_force(app)
    app = grades(app).set_value("3").run()
    assert (store().layer(sample(TOYS)), grades(app).value, gain(app)) == ({THING: 3.0}, "3", 100)
    named = " Includes 1 judgment of your own (layer 5577f51e)."
    assert screen.definition_in_force(app) == before + named
    assert app.main.pills(key="own_judgments").value == ["topic 2 · u1: 3"]
    assert load_study(sample(TOYS)).digest != studies_not_uploaded()[sample(TOYS)].digest
    assert studies_not_uploaded()[sample(TOYS)].layer == {}
    assert any(named.strip() in text for text in texts(toys("overview")))
    with monkeypatch.context() as patch, kept.another_writer(folder):
        patch.setattr(kept_in, "WAIT", 0.01)
        app = grades(app).set_value("2").run()
    (reason,) = refusals(app)
    assert reason.startswith("The judgment was not saved: database is locked")
    assert grades(app).value == "3"
    app = app.main.pills(key="own_judgments").set_value([]).run()
    assert (store().layer(sample(TOYS)), gain(app)) == ({}, 0)
    app = grades(app).set_value("2").run()
    app = grades(app).set_value(None).run()
    assert (store().layer(sample(TOYS)), screen.definition_in_force(app)) == ({}, before)


FIELD = "note on compare_systems"


def written(app: AppTest, page: str = "compare_systems") -> str | None:
    return app.text_area(key=f"note on {page}").value


def test_a_note_beneath_an_answer_is_kept_changed_and_printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = toys("compare_systems")
    assert written(app) == ""
    app = app.text_area(key=FIELD).set_value(" *Seen* \r\ntwice ").run()
    assert (written(app), written(toys("compare_systems"))) == ("*Seen* \ntwice",) * 2
    assert written(toys("overview"), "overview") == ""
    printed = "Which system is better? – *Seen* \ntwice"
    assert printed in [each.value for each in toys("paper").text]
    assert not [each for each in toys("by_hand").text_area if "note on" in str(each.key)]
    app.text_area(key=FIELD).set_value("").run()
    assert store().written(sample(TOYS)) == {}
    one, other = toys("compare_systems"), toys("compare_systems")
    other.text_area(key=FIELD).set_value("Yours.").run()
    one = one.text_area(key=FIELD).set_value("Mine.").run()
    assert written(one) == written(toys("compare_systems")) == "Yours.\n\nMine."
    monkeypatch.setattr(kept_in, "WAIT", 0.01)
    app = toys("compare_systems")
    with kept.another_writer(folder):
        app = app.text_area(key=FIELD).set_value("Typed long ago.").run()
    (reason,) = refusals(app)
    assert reason.startswith("The note was not saved: database is locked")
    assert written(app) == written(app.run()) == "Typed long ago."


def test_a_zip_brings_tags_notes_and_own_judgments_to_those_that_are_there(folder: Path) -> None:
    pills(toys()).set_value(["too broad"]).run()
    toys("compare_systems").text_area(key=FIELD).set_value("Mine.").run()
    study = studies_not_uploaded()[sample(TOYS)].with_added_judgments({THING: 3.0})
    study = study.put(tags={T1: ("typo", "own"), T2: ("own",)})
    study = study.put(written={"compare_systems": "Yours.", "overview": "New."})
    app = upload({"toys.zip": study_zip(study, *zips.PLAIN)})
    assert picked(pressed(app, "Accept and open")) == sample(TOYS)
    assert tags() == {T1: ("typo", "too broad", "own"), T2: ("own",)}
    assert pills(toys()).value == ["typo", "too broad", "own"]
    assert written(toys("compare_systems")) == "Mine.\n\nYours."
    assert written(toys("overview"), "overview") == "New."
    assert store().layer(sample(TOYS)) == {THING: 3.0}
    assert grades(toys(session="T-2", query_on_top="2")).value == "3"


NOTE = "Only *three* sessions, [look](http://e.example)."


@pytest.mark.usefixtures("visited")
def test_note_and_name_of_a_sample_are_kept_until_they_are_deleted(serve: screen.Serve) -> None:
    serve("")
    assert own_buttons(toys("data")) == {"Save name and note"}
    app = noted(toys("data"), NOTE, "Mine")
    digest = studies_not_uploaded()[sample(TOYS)].digest
    assert [(each.digest, each.name, each.note) for each in store().kept()] == [
        (digest, "Mine", NOTE)
    ]
    assert (picked(app), warnings(app)) == (digest[:12], [])
    serve("")
    for page in ("overview", "compare_systems", "data"):
        app = toys(page)
        assert note(app) == NOTE
        assert not any(NOTE in body for body in screen.paragraphs(app))
        assert offered(app) == [SAMPLES[0], "Mine", SAMPLES[2]]
    assert note(screen.opened("overview")) != NOTE
    pills(toys()).set_value(["typo"]).run()
    app = pressed(toys("data"), "Delete …")
    (body,) = app.get("dialog")[0].markdown
    assert body.value == (
        "**Mine**: this deletes its notes, tags and your judgments from this machine, for "
        "everyone. The study itself stays because it was not uploaded."
    )
    button(app, "Delete …").click()  # AppTest runs no dialog alone: it is opened anew, and then
    pressed(app, "Delete")  # may not turn to another study, as it does in a browser
    assert (store().kept(), tags()) == ([], {})
    app = toys("data")
    assert (offered(app), warnings(app)) == (SAMPLES, [])
    assert screen.first_line(app).startswith("3 sessions by ")
    assert app.text_input(key="new_note").value == studies_not_uploaded()[sample(TOYS)].note
    pills(toys()).set_value(["too broad"]).run()
    assert [each.name for each in store().kept()] == [TOYS]


def test_where_several_people_are_a_sample_takes_no_words(serve: screen.Serve) -> None:
    serve("")
    pills(toys()).set_value(["typo"]).run()  # by the one person who used this folder before
    store().rename(sample(TOYS), "private", "private note")
    serve("shared")
    app = toys(session="T-2", query_on_top="2")
    assert grades(app).disabled
    assert toys("compare_systems").text_area(key=FIELD).disabled
    app = toys()
    assert pills(app).disabled
    assert app.main.text_input(key="another tag of T-1, 1").disabled
    assert show.NOT_YOURS in screen.small_print(app.main)
    assert pills(app).value == []
    assert not any("tags" in each.value for each in app.main.dataframe)
    assert not any("private" in text for text in texts(app))
    pills(app).proto.disabled = False  # as one who sends what no browser would
    assert not pills(app).set_value(["too broad"]).run().exception
    assert "too broad" not in str(tags())
    data = to_data(app)
    assert not [each for each in data.text_input if each.key in ("new_name", "new_note")]
    assert own_buttons(data) == set()
    mine = accepted(name="Mine")
    mine.query_params["session"] = "s1"
    app = mine.switch_page("pages/individual_sessions.py").run()
    pills(app, "s1").set_value(["typo"]).run()
    assert store().tags(picked(mine), str(app.query_params["of"])) == {("s1", 1): ("typo",)}
