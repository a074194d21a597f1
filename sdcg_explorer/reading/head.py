"""The start of a file, by which its reader is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sdcg_explorer.reading.sources import Source

LOOKED_AT = 65_536  # bytes
MOST_LINES = 1_000


@dataclass(frozen=True)
class Head:
    """What readers look at in a file before they read it; `own` where it is a table of ours."""

    source: Source
    own: bool = False

    @cached_property
    def data(self) -> bytes:
        """Its first bytes."""
        with self.source.path.open("rb") as data:
            return data.read(LOOKED_AT)

    @cached_property
    def text(self) -> str:
        """Its first bytes as text, without blanks before; not every letter is the right one."""
        if self.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            whole = self.data[: len(self.data) // 2 * 2]
            return whole.decode("utf-16", errors="ignore").lstrip()
        plain = self.data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()
        return plain.replace("\0", "")  # UTF-16 without its mark is refused, but not set aside

    @cached_property
    def lines(self) -> list[str]:
        """Its first whole lines that are not blank."""
        cut = len(self.text) >= LOOKED_AT // 2
        whole = self.text[: self.text.rfind("\n") + 1] if cut else self.text
        return [line for line in whole.splitlines() if line.strip()][:MOST_LINES]
