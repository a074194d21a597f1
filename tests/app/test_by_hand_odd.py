"""The page By hand under odd links: emptied tables, long lists, hostile names, no cells."""

from __future__ import annotations

import re

import pytest

from tests.app.test_by_hand_page import (
    BACK,
    EDIT,
    SLIDERS,
    assert_shows,
    buttons,
    on_example,
    table,
)
from tests.support.plain_by_hand import WORTH, Plain
from tests.support.plain_loop import Choices
from tests.support.screen import HOSTILE, Params, charts, first_line, small_print

pytestmark = pytest.mark.usefixtures("own_samples")


@pytest.mark.parametrize("emptied", [{"judged": ""}, {"lists": ""}])
def test_link_keeps_a_table_that_was_emptied(emptied: Params) -> None:
    app = on_example("T-2", SLIDERS | EDIT | emptied)
    assert first_line(app) != "This session's sDCG is 7.17, .60 of its ideal."
    assert BACK in buttons(app)


@pytest.mark.parametrize("lists", ["||", "-", "- -|-"])
def test_session_of_empty_lists_is_worth_nothing_or_says_what_to_do(lists: str) -> None:
    said = first_line(on_example("T-2", {"judged": "a1:1", "lists": lists}))
    assert said.startswith(("This session's sDCG is 0, .00 of", "No number yet: "))
    assert "Check the columns" not in said  # there are none to check on this page


def test_long_link_opens() -> None:
    judged = " ".join(f"doc{i}:{i % 4}" for i in range(1300))
    assert len(judged) > 10_000
    app = on_example("T-1", {"judged": judged, "lists": "doc3 doc2"})
    judgments = {("t", f"doc{i}"): float(i % 4) for i in range(1300)}
    session = Plain([("t", {1: "doc3", 2: "doc2"})], judgments)
    assert_shows(app, session, Choices(WORTH["paper"]))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_no_markdown(name: str) -> None:
    doc = re.sub(r"\s", "_", name)
    app = on_example("T-2", {"judged": f"{doc}:1 {doc}:2", "lists": doc})
    assert first_line(app).startswith("No number yet: grades, line 2")
    last = re.sub("[|:/]", "_", doc.rpartition("/")[2])
    assert f"'{last}'" in first_line(app)
    bodies = [*app.markdown, *app.caption, *app.warning, *app.error, *app.latex]
    assert not any(f"'{last}'" in body.value for body in bodies)


def test_no_axes_are_drawn_where_there_is_no_cell() -> None:
    link: Params = {"judged": "a1:1", "lists": "u v", "short": "as-is", "unjudged": "condense"}
    assert not charts(on_example("T-2", link))


def test_lists_rated_above_a_perfect_one_are_said() -> None:
    # one document of grade 3, nine of grade 2: (7 + 3 · 3.544) / (7 · 2.494) = 1.010
    docs = [f"x{i}" for i in range(10)]
    judged = " ".join(f"{doc}:{3 if doc == 'x0' else 2}" for doc in docs)
    app = on_example("T-1", {"judged": judged, "lists": " ".join(docs)})
    assert table(app, "Other")["lndcg"].tolist() == pytest.approx([1.010], abs=5e-4)
    assert any("LNDCG exceeds 1 for 1 query" in text for text in small_print(app.main))
    shorter = on_example("T-1", {"judged": judged, "lists": " ".join(docs[:9])})
    assert not any("LNDCG exceeds 1" in text for text in small_print(shorter.main))
