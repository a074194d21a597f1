"""Studies in memory alone, for public demos."""

from __future__ import annotations

import time
from dataclasses import replace

from study.checks import UnusableInputError, error
from study.store import Kept
from study.study import Study


class MemoryStore:
    """Studies in memory alone, at most so many, each for so long: for public demos."""

    def __init__(self, most: int = 20, seconds: float = 7_200.0) -> None:
        self.most, self.seconds, self.removed = most, seconds, 0
        self._studies: dict[str, tuple[float, Study]] = {}

    def save(self, study: Study) -> Kept:
        """Keep a study; the oldest gives way."""
        self._studies.setdefault(study.digest, (time.monotonic(), study))
        while len(self._current()) > self.most:
            del self._studies[next(iter(self._studies))]
        return self._kept(study.digest)

    def load(self, digest: str) -> Study:
        """The study itself."""
        return self._current()[self._find(digest)][1]

    def kept(self) -> list[Kept]:
        """All studies that still live."""
        return [self._kept(digest) for digest in self._current()]

    def rename(self, digest: str, name: str, note: str) -> None:
        """Call a study otherwise."""
        found = self._find(digest)
        since, study = self._studies[found]
        self._studies[found] = since, replace(study, name=name, note=note)

    def delete(self, digest: str) -> None:
        """Forget a study."""
        found = self._find(digest)
        del self._studies[found]

    def _current(self) -> dict[str, tuple[float, Study]]:
        old = time.monotonic() - self.seconds
        self._studies = {d: kept for d, kept in self._studies.items() if kept[0] > old}
        return self._studies

    def _find(self, digest: str) -> str:
        found = [known for known in self._current() if digest and known.startswith(digest)]
        if not found:
            rule, remedy = "studies live for a while here", "Upload its files again."
            raise UnusableInputError([error("store", None, f"no study {digest}", rule, remedy)])
        return found[0]

    def _kept(self, digest: str) -> Kept:
        study = self._studies[digest][1]
        return Kept(digest, study.name, study.note)
