"""Studies in memory alone, for public demos."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sdcg_explorer.study.own_judgments import Layer
from sdcg_explorer.study.problems import UnusableInputError, error
from sdcg_explorer.study.store.words import Kept, nameless
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.tags import Tags, cleaned
from sdcg_explorer.study.written import Written, written_of

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
    """Studies in memory alone, at most so many, each for so long: for public demos.

    Where there are too many, or they take more than `room` bytes by `measure` (of a value, by what
    holds them), the oldest gives way of whoever brought the most.
    """

    def __init__(
        self,
        most: int = 20,
        seconds: float = 7_200.0,
        *,
        room: float = math.inf,
        measure: Callable[[Any], Mapping[int, int]] = lambda _: {},
    ) -> None:
        self.most, self.seconds, self.removed = most, seconds, 0
        self.room, self._measure = room, measure
        self._studies: dict[str, tuple[float, Study]] = {}
        self._brought: dict[str, str] = {}  # by whom, by digest
        self._said: dict[str, dict[str, Kept]] = {}  # by digest, then by whose words they are
        self._tags: dict[tuple[str, str], Tags] = {}
        self._layers: dict[tuple[str, str], Layer] = {}
        self._written: dict[tuple[str, str], Written] = {}
        self.lock = threading.RLock()

    @_alone
    def save(self, study: Study, of: str = "", *, by: str = "") -> Kept:
        """Keep a study, brought `by` a visitor. Tags join those of one that is there already."""
        self._current()
        self._studies.setdefault(study.digest, (time.monotonic(), study))
        self._brought.setdefault(study.digest, by)
        said = self._said.setdefault(study.digest, {})
        said.setdefault(of, Kept(study.digest, study.name, study.note))
        tags = self._tags.setdefault((study.digest, of), {})
        tags.update({q: cleaned((*given, *tags.get(q, ()))) for q, given in study.tags.items()})
        while len(self._current()) > self.most:
            del self._studies[self._first_to_go(study.digest, lambda _: 1)]
        while self._bytes(*self._current()) > self.room and len(self._studies) > 1:
            del self._studies[self._first_to_go(study.digest, self._bytes)]
        return self._kept(study.digest, of)

    @_alone
    def load(self, digest: str, of: str = "") -> Study:
        """The study itself."""
        key = self._find(digest)
        kept, tags = self._kept(key, of), self.tags(key, of)
        return self._studies[key][1].put(name=kept.name, note=kept.note, tags=tags)

    @_alone
    def kept(self) -> list[Kept]:
        """All studies that still live."""
        return [self._kept(digest) for digest in self._current()]

    @_alone
    def find(self, digest: str, of: str = "") -> Kept | None:
        """What a study is called."""
        matches = self._known(digest)
        return self._kept(matches[0], of) if matches else None

    @_alone
    def holds(self, digest: str, of: str) -> bool:
        """Whether somebody has words about a study."""
        return any(of in self._said[key] for key in self._known(digest)[:1])

    @_alone
    def rename(self, digest: str, name: str, note: str, of: str = "") -> None:
        """Call a study otherwise."""
        key = self._find(digest, of)
        self._said[key][of] = Kept(key, name, note)

    @_alone
    def tag(
        self, digest: str, session: str, number: int, tags: Iterable[str], of: str = ""
    ) -> None:
        """Give a query these tags, and no others."""
        key = self._find(digest, of), of
        self._tags.setdefault(key, {})[session, number] = cleaned(tags)

    @_alone
    def tags(self, digest: str, of: str = "") -> Tags:
        """Tags of every tagged query."""
        every = [self._tags.get((key, of), {}) for key in self._known(digest)[:1]]
        return {query: given for tags in every for query, given in tags.items() if given}

    @_alone
    def judge(self, digest: str, topic: str, doc: str, grade: float | None, of: str = "") -> None:
        """Give a document this grade, or take it back."""
        key = self._find(digest, of), of
        layer = self._layers.setdefault(key, {})
        layer.pop((topic, doc), None)
        layer |= {} if grade is None else {(topic, doc): grade}

    @_alone
    def layer(self, digest: str, of: str = "") -> Layer:
        """Judgments of one's own."""
        every = [self._layers.get((key, of), {}) for key in self._known(digest)[:1]]
        return dict(every[0]) if every else {}

    @_alone
    def write(self, digest: str, about: str, text: str, of: str = "") -> None:
        """Have a question this text; an empty one takes it back."""
        key = self._find(digest, of), of
        self._written[key] = written_of({**self._written.get(key, {}), about: text})

    @_alone
    def written(self, digest: str, of: str = "") -> Written:
        """Notes beneath answers."""
        every = [self._written.get((key, of), {}) for key in self._known(digest)[:1]]
        return dict(every[0]) if every else {}

    @_alone
    def delete(self, digest: str, of: str = "") -> None:
        """Forget a study; an owner's words alone, as long as another owner has some."""
        key = self._find(digest, of)
        if of:
            del self._said[key][of]
            self._tags.pop((key, of), None)
            self._layers.pop((key, of), None)
            self._written.pop((key, of), None)
        if not of or not self._said[key]:
            del self._studies[key]
            self._current()

    def _first_to_go(self, last: str, size: Callable[[str], int]) -> str:
        """The oldest study of the visitor who brought the most, by size; but for the last one."""
        brought = Counter[str]()
        for digest in self._studies:
            brought[self._brought[digest]] += size(digest)
        others = [digest for digest in self._studies if digest != last]
        return max(others, key=lambda digest: brought[self._brought[digest]])

    def _bytes(self, *digests: str) -> int:
        """What studies take by now: their blocks are made when they are first asked for."""
        return sum(self._measure([self._studies[digest][1] for digest in digests]).values())

    def _current(self) -> dict[str, tuple[float, Study]]:
        old = time.monotonic() - self.seconds
        self._studies = {d: entry for d, entry in self._studies.items() if entry[0] > old}
        self._said = {digest: self._said[digest] for digest in self._studies}
        self._tags = {key: tags for key, tags in self._tags.items() if key[0] in self._studies}
        self._layers = {key: own for key, own in self._layers.items() if key[0] in self._studies}
        self._written = {key: of for key, of in self._written.items() if key[0] in self._studies}
        self._brought = {digest: self._brought[digest] for digest in self._studies}
        return self._studies

    def _known(self, digest: str) -> list[str]:
        return [known for known in self._current() if digest and known.startswith(digest)]

    def _find(self, digest: str, of: str = "") -> str:
        matches = self._known(digest)
        if not matches or (of and not self.holds(digest, of)):
            rule, remedy = "studies live for a while here", "Upload its files again."
            raise UnusableInputError([error("store", None, f"no study {digest}", rule, remedy)])
        return matches[0]

    def _kept(self, digest: str, of: str = "") -> Kept:
        return self._said[digest].get(of) or nameless(digest)
