"""A link to a study that is not here: a page says which, and its files open the link's view."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.questions.data.numbers import NO_ROLE
from sdcg_explorer.screen.library import load_study
from sdcg_explorer.study.study import Study
from tests.support.screen import NOT_HERE, Params, first_line, opened, without_escapes
from tests.support.uploads import (
    accepted,
    give,
    picked,
    upload,
)


@pytest.fixture
def gone(folder: Path) -> Study:
    """A study that was here, and is no more."""
    from sdcg_explorer.screen.library import store

    study = load_study(picked(accepted()))
    store().delete(study.digest)
    return study


def link(study: Study) -> Params:
    return {"study": study.digest[:12]}


def test_role_corrected_opens_the_view(folder: Path) -> None:
    from sdcg_explorer.screen.library import store

    right = give(give(upload(), "position", NO_ROLE), "order", "rank")
    right = next(each for each in right.button if each.label == "Accept and open").click().run()
    digest = str(picked(right))
    store().delete(load_study(digest).digest)
    app = upload(app=opened("query_order", {"study": digest}))
    assert first_line(app) == f"{NOT_HERE} {digest}…)."
    app = give(give(app, "position", NO_ROLE), "order", "rank")
    assert (picked(app), first_line(app)[:7]) == (digest, "Last qu")


def test_study_that_cannot_be_kept_says_why(
    gone: Study, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdcg_explorer.study.problems import UnusableInputError, error
    from sdcg_explorer.study.store import Store

    def full(*_: object, **__: object) -> None:
        raise UnusableInputError([error("store", None, "no room", "rule", "Make room.")])

    monkeypatch.setattr(Store, "save", full)
    app = upload(app=opened("overview", link(gone)))
    said = [without_escapes(each.value) for each in app.error]
    assert said == ["Nothing was saved: no room; rule. Make room."]
    assert first_line(app).startswith(NOT_HERE)
