"""Widget values that no widget sends: they are dropped, and the page shows what was in force."""

import json
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.screen import keys
from tests.support import plain_files, screen, uploads, waiting
from tests.support.thorough import THOROUGH

NAN = float("nan")
# of what kind widgets are; in make soak all
PAGES = ("individual_sessions", "by_hand", "compare_systems", "data")
PAGES = [q.name for q in QUESTIONS if q.name in PAGES or THOROUGH > 1]
EACH = 4 * THOROUGH**2  # odd values that a widget gets, in make soak all; the next one gets others
IN_FORCE: screen.Params = {"b": "7", "bq": "3", "top": "5", "repeats": "first", "at_least": "2"}
EMPTY: dict[str, dict[str, Any]] = {
    "edited": {"edited_rows": {}, "added_rows": [], "deleted_rows": []},
    "chosen": {"selection": {"rows": [], "columns": [], "cells": []}},
    "clicked": {"selection": {"points": [], "point_indices": [], "box": [], "lasso": []}},
}
ODD = {
    **{f"edited {i}": rows for i, rows in enumerate([{"999": {"Q1": "x"}}, {"0": {"no": 1}}, [1]])},
    **{f"added {i}": rows for i, rows in enumerate([[7], [{"no": 1}], {"0": {}}])},
    **{f"deleted {i}": rows for i, rows in enumerate([["x"], [-1], [10**9]])},
}
NAMES = {"edited": "edited_rows", "added": "added_rows", "deleted": "deleted_rows"}
TABLES = [  # and figures: what stands in them is a text
    *("{", "[" * 900 + "]" * 900, '{"selection": 5}', "NaN"),
    *(json.dumps({**EMPTY["edited"], NAMES[odd.split()[0]]: rows}) for odd, rows in ODD.items()),
    *(
        json.dumps({"selection": {**EMPTY["chosen"]["selection"], "rows": rows}})
        for rows in ([10**9], ["x"], [[0]], 0)
    ),
    *(
        json.dumps({"selection": {**EMPTY["clicked"]["selection"], "points": points}})
        for points in ([{"customdata": [1e308, 2.0]}], [{"customdata": {}}], [5], {"0": 1})
    ),
]
CARDS = {"of": "T-1", "turn": 1, "lists": [["x"]], "graded": []}
BOARD = [
    json.dumps({"arranged": {**CARDS, **odd}})
    for odd in (
        *({"turn": 1e300}, {"turn": "x"}, {"lists": [1]}, {"lists": {}}, {"of": []}),
        *({"graded": [["x"]]}, {"graded": [["t", "d", "☃"]]}, {"more": 1}),
    )
]
VALUES: dict[str, list[Any]] = {
    "double_array_value": [[NAN], [1e308], [], [2.0, 3.0, 4.0]],
    "double_value": [-1e300, NAN],
    "string_array_value": [["☃"], ["☃", "☃"], ["\0"] * 9],
    "string_value": ["\0☃", "☃" * 20_000],
    "json_value": ["{", "[" * 100_000, '{"opened": 5}', '{"arranged": 1}'],
    "json_trigger_value": [
        *('{"event": 5}', "[[]]", '[{"event": "opened", "value": [5]}]'),
        '[{"event": "opened", "value": "\\ud800"}]',
    ],
}
OTHER = [("double_array_value", [4.0]), ("bytes_value", b"\xff\0"), ("bool_value", True)]


def widgets(app: AppTest) -> dict[str, WidgetMetadata[Any]]:
    """What a page has drawn, by id, but for fields in which anything may be typed."""
    typed = [each.proto.id for each in app.text_input]
    typed += [each.proto.id for each in app.selectbox if each.proto.accept_new_options]
    state: Any = app.session_state
    known = state._state._state._new_widget_state.widget_metadata
    return {each: what for each, what in known.items() if each not in typed}


def impossible(widget: str, what: WidgetMetadata[Any], place: int) -> list[Any]:
    """What a widget can't send, though it is of its kind: from a place on, and round again."""
    is_table = what.value_type == "string_value" and what.formatted_options is None
    values = TABLES if is_table else VALUES.get(what.value_type, [])
    begin = EACH * place % (len(values) or 1)
    more = BOARD if widget.endswith(f"-{keys.CARDS}") else []
    return [*more, *[*values[begin:], *values[:begin]][:EACH]]


def sent(app: AppTest, values: dict[str, tuple[str, Any]]) -> AppTest:
    """The page after a message that somebody has written by hand: kind and value by widget."""
    message = WidgetStates()
    for widget, (kind, value) in values.items():
        state = message.widgets.add(id=widget)
        if isinstance(value, list):
            getattr(state, kind).data.extend(value)
            getattr(state, kind).SetInParent()
        else:
            setattr(state, kind, value)
    return app._run(message)


def shown(app: AppTest) -> tuple[list[str], Any]:
    return uploads.texts(app), screen.charts(app)


@pytest.fixture(scope="module")
def tried() -> set[str]:
    """Widgets of pages that were tried: those of the sidebar stand on every page."""
    return set()


@pytest.mark.parametrize("page", PAGES)
def test_what_no_widget_sends_is_dropped_and_the_page_shows_what_was_in_force(
    page: str, tried: set[str]
) -> None:
    app = screen.opened(page, IN_FORCE)
    before = shown(app)
    known = {each: what for each, what in widgets(app).items() if each not in tried}
    every = {
        each: impossible(each, what, place)
        for place, (each, what) in enumerate(known.items(), start=len(tried))
    }
    tried |= known.keys()
    odd: dict[str, tuple[str, Any]] = {}
    for i in range(max(map(len, every.values()), default=0)):
        odd = {each: (known[each].value_type, of[i % len(of)]) for each, of in every.items() if of}
        assert shown(sent(app, odd)) == before, odd
    for kind, value in OTHER:
        odd = {each: (kind, value) for each, what in known.items() if what.value_type != kind}
        assert shown(sent(app, odd)) == before, kind
    fresh = AppTest.from_file(str(plain_files.ROOT / "app.py"), default_timeout=waiting.PATIENCE)
    for name, value in IN_FORCE.items():
        fresh.query_params[name] = value
    assert shown(sent(fresh.switch_page(f"pages/{page}.py"), odd)) == before
