"""Values of widgets as a browser sends them: what no widget can send, or was not moved, is dropped.

A browser says with each rerun what every widget stands at, and anybody may write such a message by
hand. Streamlit believes it: a value of the wrong kind ends the script of its sender, and stays in
the session. Here each is looked at where it comes in, before any callback hears of it; of one that
is dropped, what was in force goes on. All of this is Streamlit's own, and private
(docs/contributing.md).

What tables, figures and modules of our own say of themselves is JSON, of a shape. A shape is `Any`,
a type, `None`, a function that says whether a value has it, or a collection of the values there
are. `[shape]` is a list of such; a tuple has several shapes to choose from; a dict has all its
names, each with its shape, and with `...: Any` whatever others.
"""

import json
import math
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import Serialized, SessionState, WStates

from sdcg_explorer.reading.limits import MOST_ENTRIES
from sdcg_explorer.screen import keys

Shape = Any
LONGEST_TEXT = 10_000  # characters that are typed, or a name has
LONGEST_JSON = 1_000_000
MOST_LISTED = 10_000  # values in one list
DEEPEST = 10  # lists and objects in one another
CELL: Shape = (str, float, bool, None)


def clicks(customdata: Shape) -> Shape:
    """What a figure sends after a click on a point that has such custom data."""
    return {"selection": {"points": [{"customdata": customdata, ...: Any}], ...: Any}}


def edits(count: int, columns: Collection[str]) -> Shape:
    """What a table of so many rows sends that is typed into: all that differs from what it had."""
    names, places = {*columns, "_index"}, {str(place) for place in range(count)}

    def is_row(row: dict[str, Any]) -> bool:
        return {*row} <= names and has_shape([*row.values()], [CELL])

    return {
        "edited_rows": lambda edited: {*edited} <= places and all(map(is_row, edited.values())),
        "added_rows": [is_row],
        "deleted_rows": [range(count)],
    }


def has_shape(value: Any, shape: Shape) -> bool:
    """Whether a value from JSON has a shape.

    Raises
    ------
    TypeError, AttributeError, UnicodeEncodeError : it hasn't, and can't even be asked
    """
    if shape is Any or shape is None:
        return shape is Any or value is None
    if shape is str:
        return isinstance(value, str) and len(value.encode()) <= LONGEST_TEXT  # no lone surrogate
    if isinstance(shape, type):
        return type(value) is shape or (shape is float and type(value) is int)
    if isinstance(shape, tuple):
        return any(has_shape(value, one) for one in shape)
    if isinstance(shape, list):
        listed = isinstance(value, list) and len(value) <= MOST_LISTED
        return listed and all(has_shape(each, shape[0]) for each in value)
    if isinstance(shape, dict):
        names = {*shape} - {...}
        whole = isinstance(value, dict) and names <= {*value}
        known = whole and (... in shape or names == {*value})
        return known and all(has_shape(value[name], shape[name]) for name in names)
    if isinstance(shape, Collection):
        return type(value) in (int, str) and value in shape
    return shape(value)


def parsed(text: str) -> Any:
    """JSON as a browser writes it.

    Raises
    ------
    ValueError, RecursionError : another text, too long or too deep a one, or one with nan in it
    """
    if len(text) > LONGEST_JSON:
        raise ValueError(f"{len(text):,} characters")
    value = json.loads(text, parse_float=_parse_finite_number, parse_constant=_parse_finite_number)
    layer = [value]
    for _ in range(DEEPEST):
        layer = [part for whole in layer for part in _container_values(whole)]
    if layer:
        raise ValueError("deeper than anything that is sent")
    return value


def _parse_finite_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _container_values(value: Any) -> Collection[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


FILES = "file_uploader_state_value"
MODULES = {"json_value", "json_trigger_value"}  # what stands, and what happened, in a module
NUMBERS = {"double_value", "int_value"}  # a number box is registered by the one and sends either
MISFITS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
ON_ITS_WAY = 0.5  # seconds after a run in which a browser may send what it has not heard
_expected: ContextVar[Shape] = ContextVar("expected", default=...)
_put, _register = WStates.set_widget_from_proto, SessionState.register_widget
_begin, _finish = SessionState.on_script_will_rerun, SessionState.on_script_finished


@contextmanager
def sends(shape: Shape) -> Iterator[None]:
    """Say what a table, figure or module that is drawn within can send: a shape."""
    before = _expected.set(shape)
    try:
        yield
    finally:
        _expected.reset(before)


def drop_impossible() -> None:
    """Have all sessions drop what no widget can send; a second time changes nothing."""
    WStates.set_widget_from_proto = _put_possible
    SessionState.register_widget = _register_widget
    SessionState.on_script_will_rerun = _begin_run
    SessionState.on_script_finished = _finish_run


def _begin_run(self: SessionState, fresh_widget_states: WidgetStates | None, **how: Any) -> None:
    """Begin a run with what a browser sends; a widget that no hand moved stays where it was put.

    A browser is told of that with the run that puts it. Where this is cut short by the next wish,
    or the wish was already on its way, what comes along for the widget is where it stood before or
    was put before.
    """
    sent, kept = fresh_widget_states, dict[str, Any]()
    if sent is not None:
        has_heard = self._old_state.get(keys.HEARD, 0.0) <= time.monotonic()
        past = {} if has_heard else self._old_state.get(keys.PAST, {})
        put, key_of = self._new_session_state, self._key_id_mapper.id_key_mapping
        stood, moved = dict[str, list[Any]](), []
        for state in sent.widgets:
            value, key = getattr(state, state.WhichOneof("value") or "", None), key_of.get(state.id)
            before = past.get(state.id, [])
            if value in before and key in put:
                kept[key] = put[key]
                before = [*before, put[key]]
            else:
                moved.append(state)
            stood[state.id] = before if value in before else [value]
        sent = WidgetStates(widgets=moved)
        self._old_state |= {keys.PAST: stood, keys.HEARD: math.inf}
    try:
        _begin(self, sent, **how)
    finally:
        self._new_session_state = kept | self._new_session_state


def _finish_run(
    self: SessionState, widget_ids_this_run: frozenset[str], *, remove_stale_widgets: bool = True
) -> None:
    """End a run; soon after a whole one a browser has heard where its widgets were put.

    On the way to another page Streamlit ends one that may have been cut short, with other widgets.
    """
    _finish(self, widget_ids_this_run, remove_stale_widgets=remove_stale_widgets)
    at = get_script_run_ctx()
    is_whole = at and widget_ids_this_run == at.shared.widget_ids_this_run.snapshot()
    if remove_stale_widgets and is_whole:
        self._old_state[keys.HEARD] = time.monotonic() + ON_ITS_WAY


def _put_possible(self: WStates, widget_state: Any) -> None:
    """Take a value over, unless its widget was drawn before and can't send it."""
    metadata = self.widget_metadata.get(widget_state.id)
    if metadata is None or can_send(metadata, widget_state):
        _put(self, widget_state)


def _register_widget(self: SessionState, metadata: Any, user_key: str | None) -> Any:
    """Draw a widget; a value that came before it was ever drawn is looked at now."""
    shape, states = _expected.get(), self._new_widget_state.states
    if metadata.value_type in NUMBERS:
        metadata = replace(metadata, deserializer=_refusing_infinity(metadata.deserializer))
    if shape is not ... or metadata.value_type in MODULES:
        shape = {} if shape is ... else shape  # of a module that sends nothing
        metadata = replace(metadata, deserializer=_Shaped(metadata.deserializer, shape))
    came, known = states.get(metadata.id), self.get_widget_metadata(metadata.id)
    if known is None and isinstance(came, Serialized) and not can_send(metadata, came.value):
        del states[metadata.id]
    return _register(self, metadata, user_key)


def _refusing_infinity(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A number's reading whose error at 1e999 in a link is one that Streamlit expects."""

    def refusing(value: Any) -> Any:
        try:
            return read(value)
        except OverflowError as endless:
            raise ValueError(value) from endless

    return refusing


@dataclass(frozen=True)
class _Shaped:
    """A widget's own reading of JSON, and the shape that it must have to be read."""

    read: Callable[[Any], Any]
    shape: Shape

    def __call__(self, value: Any) -> Any:
        return self.read(value)

    def fits(self, sent: Any, field: str | None) -> bool:
        """Whether JSON has the shape; of a module's events, what came last under each name."""
        if sent is None:
            return True
        value = parsed(sent)
        if field == "json_trigger_value":
            value = {event["event"]: event["value"] for event in value}
        return has_shape(value, self.shape)


def can_send(metadata: WidgetMetadata[Any], state: Any) -> bool:
    """Whether a widget can send a value: one that comes back from its own reading as it went in."""
    field, usual = state.WhichOneof("value"), metadata.value_type
    if field not in (None, usual) and not {field, usual} <= NUMBERS:
        return False
    try:
        if field == FILES:
            files = state.file_uploader_state_value.uploaded_file_info  # each named once
            return len({file.file_id for file in files}) == len(files) <= MOST_ENTRIES
        if isinstance(reading := metadata.deserializer, _Shaped):
            return reading.fits(getattr(state, field) if field else None, field)
        return _round_trips(metadata, unpack_widget_state_value(state))
    except MISFITS:
        return False


def _round_trips(metadata: WidgetMetadata[Any], sent: Any) -> bool:
    """Whether a widget reads a value as what it says, and offers it."""
    back = metadata.serializer(metadata.deserializer(sent))
    if sent is None or isinstance(sent, bool | int | float):
        return back == sent
    listed, known = ([sent], [back]) if isinstance(sent, str) else ([*sent], [*back])
    texts, offered = [each for each in listed if isinstance(each, str)], metadata.formatted_options
    there = known == listed and (offered is None or {*texts} <= {*offered})
    once = metadata.allow_url_duplicates or len({*texts}) == len(texts)
    few = len(listed) <= (metadata.max_array_length or len(listed))
    return there and once and few and all(len(text) <= LONGEST_TEXT for text in texts)
