"""Another study is opened: nothing of the one before stands as if it were new."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from sdcg_explorer.screen import keys, library
from sdcg_explorer.screen.importing import OLD
from tests.support.screen import first_line, opened


def hides_old(app: AppTest) -> bool:
    return OLD in [each.proto.body for each in app.get("html")]


def test_while_another_study_is_read_the_old_page_is_hidden_and_only_then() -> None:
    app = opened("query_order")
    before = first_line(app)
    assert not hides_old(app)
    app.session_state[keys.STUDY_WANTED] = [*library.fixed()][1]
    app.run()
    assert hides_old(app)
    assert first_line(app) != before
    assert not hides_old(app.run())
