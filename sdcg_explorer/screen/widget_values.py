"""Values of widgets as a browser sends them: what no widget can send is dropped (decision 135).

A browser says with each rerun what every widget stands at, and anybody may write such a message by
hand. Streamlit believes it: a value of the wrong kind ends the script of its sender, and stays in
the session. Here each is looked at where it comes in, before any callback hears of it; of one that
is dropped, what was in force goes on. All of this is Streamlit's own, and private
(docs/streamlit.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import Serialized, SessionState, WStates

from sdcg_explorer.reading.limits import MOST_ENTRIES
from sdcg_explorer.screen.shapes import LONGEST_TEXT, Shape, has_shape, parsed

FILES = "file_uploader_state_value"
MODULES = {"json_value", "json_trigger_value"}  # what stands, and what happened, in a module
NUMBERS = {"double_value", "int_value"}  # a number box is registered by the one and sends either
MISFITS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
_expected: ContextVar[Shape] = ContextVar("expected", default=...)
_put, _register = WStates.set_widget_from_proto, SessionState.register_widget


@contextmanager
def sends(shape: Shape) -> Iterator[None]:
    """Say what a table, figure or module that is drawn within can send: screen/shapes.py."""
    before = _expected.set(shape)
    try:
        yield
    finally:
        _expected.reset(before)


def drop_impossible() -> None:
    """Have all sessions drop what no widget can send; a second time changes nothing."""
    WStates.set_widget_from_proto = _put_possible
    SessionState.register_widget = _register_possible


def _put_possible(self: WStates, widget_state: Any) -> None:
    """Take a value over, unless its widget was drawn before and can't send it."""
    metadata = self.widget_metadata.get(widget_state.id)
    if metadata is None or can_send(metadata, widget_state):
        _put(self, widget_state)


def _register_possible(self: SessionState, metadata: Any, user_key: str | None) -> Any:
    """Draw a widget; a value that came before it was ever drawn is looked at now."""
    shape, states = _expected.get(), self._new_widget_state.states
    if shape is not ... or metadata.value_type in MODULES:
        shape = {} if shape is ... else shape  # of a module that sends nothing
        metadata = replace(metadata, deserializer=_Shaped(metadata.deserializer, shape))
    came, known = states.get(metadata.id), self.get_widget_metadata(metadata.id)
    if known is None and isinstance(came, Serialized) and not can_send(metadata, came.value):
        del states[metadata.id]
    return _register(self, metadata, user_key)


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
            return _are_files(state.file_uploader_state_value.uploaded_file_info)
        if isinstance(reading := metadata.deserializer, _Shaped):
            return reading.fits(getattr(state, field) if field else None, field)
        return _comes_back(metadata, unpack_widget_state_value(state))
    except MISFITS:
        return False


def _are_files(files: Any) -> bool:
    """Whether every file is named once."""
    return len({file.file_id for file in files}) == len(files) <= MOST_ENTRIES


def _comes_back(metadata: WidgetMetadata[Any], sent: Any) -> bool:
    """Whether a widget reads a value as what it says, and offers it."""
    back = metadata.serializer(metadata.deserializer(sent))
    if sent is None or isinstance(sent, bool | int | float):
        return back == sent
    if isinstance(sent, str):
        return back == sent and _are_offered(metadata, [sent])
    return list(back) == list(sent) and _are_offered(metadata, list(sent))


def _are_offered(metadata: WidgetMetadata[Any], sent: list[Any]) -> bool:
    """Whether texts are among those to choose from, each once; numbers are what they are."""
    texts, offered = [each for each in sent if isinstance(each, str)], metadata.formatted_options
    known = offered is None or {*texts} <= {*offered}
    once = metadata.allow_url_duplicates or len({*texts}) == len(texts)
    few = len(sent) <= (metadata.max_array_length or len(sent))
    return known and once and few and all(len(text) <= LONGEST_TEXT for text in texts)
