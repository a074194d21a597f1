"""Studies in memory alone, for public demos."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from study.problems import UnusableInputError, error
from study.store.folder import Kept
from study.study import Study
from study.tags import Tags, cleaned

Given = ParamSpec("Given")
Made = TypeVar("Made")


def _alone(method: Callable[Concatenate[MemoryStore, Given], Made]) -> Callable[..., Made]:
    """Let one thread at a time into a store."""

    @wraps(method)
    def run(self: MemoryStore, *args: Given.args, **named: Given.kwargs) -> Made:
        with self.lock:
            return method(self, *args, **named)

    return run


class MemoryStore:
    """Studies in memory alone, at most so many, each for so long: for public demos."""

    def __init__(self, most: int = 20, seconds: float = 7_200.0) -> None:
        self.most, self.seconds, self.removed = most, seconds, 0
        self._studies: dict[str, tuple[float, Study]] = {}
        self._tags: dict[str, Tags] = {}
        self.lock = threading.RLock()

    @_alone
    def save(self, study: Study) -> Kept:
        """Keep a study; the oldest gives way. Tags join those of one that is there already."""
        self._current()
        self._studies.setdefault(study.digest, (time.monotonic(), study))
        tags = self._tags.setdefault(study.digest, {})
        tags.update({q: cleaned((*given, *tags.get(q, ()))) for q, given in study.tags.items()})
        while len(self._current()) > self.most:
            del self._studies[next(iter(self._studies))]
        return self._kept(study.digest)

    @_alone
    def load(self, digest: str) -> Study:
        """The study itself."""
        return self._current()[self._find(digest)][1].put(tags=self.tags(digest))

    @_alone
    def kept(self) -> list[Kept]:
        """All studies that still live."""
        return [self._kept(digest) for digest in self._current()]

    @_alone
    def find(self, digest: str) -> Kept | None:
        """What a study is called."""
        matches = self._known(digest)
        return self._kept(matches[0]) if matches else None

    @_alone
    def rename(self, digest: str, name: str, note: str) -> None:
        """Call a study otherwise."""
        key = self._find(digest)
        since, study = self._studies[key]
        self._studies[key] = since, replace(study, name=name, note=note)

    @_alone
    def tag(self, digest: str, session: str, number: int, tags: Iterable[str]) -> None:
        """Give a query these tags, and no others."""
        self._tags[self._find(digest)][session, number] = cleaned(tags)

    @_alone
    def tags(self, digest: str) -> Tags:
        """Tags of every tagged query."""
        every = [self._tags[key] for key in self._known(digest)[:1]]
        return {query: given for tags in every for query, given in tags.items() if given}

    @_alone
    def delete(self, digest: str) -> None:
        """Forget a study."""
        key = self._find(digest)
        del self._studies[key], self._tags[key]

    def _current(self) -> dict[str, tuple[float, Study]]:
        old = time.monotonic() - self.seconds
        self._studies = {d: entry for d, entry in self._studies.items() if entry[0] > old}
        self._tags = {digest: self._tags[digest] for digest in self._studies}
        return self._studies

    def _known(self, digest: str) -> list[str]:
        return [known for known in self._current() if digest and known.startswith(digest)]

    def _find(self, digest: str) -> str:
        matches = self._known(digest)
        if not matches:
            rule, remedy = "studies live for a while here", "Upload its files again."
            raise UnusableInputError([error("store", None, f"no study {digest}", rule, remedy)])
        return matches[0]

    def _kept(self, digest: str) -> Kept:
        study = self._studies[digest][1]
        return Kept(digest, study.name, study.note)
