"""What a bundle asks more than once, once computed and not kept after (decision 123)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Found = TypeVar("Found")
_known: ContextVar[dict[Any, Any] | None] = ContextVar("known", default=None)


@contextmanager
def asking_once() -> Iterator[None]:
    """For as long as it lasts, answers asked by `once` are kept."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def once(ask: Callable[Asked, Found], *args: Asked.args, **choices: Asked.kwargs) -> Found:
    """An answer, kept where it may be.

    >>> with asking_once():
    ...     once(list, "ab") is once(list, "ab")
    True
    >>> once(list, "ab") is once(list, "ab")
    False
    """
    known = _known.get()
    if known is None:
        return ask(*args, **choices)
    key = ask, args, tuple(sorted(choices.items()))
    if key not in known:
        known[key] = ask(*args, **choices)
    return known[key]
