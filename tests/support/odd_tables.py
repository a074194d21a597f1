"""Tables of text with one fault or oddity each: a log, its judgments, and options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sdcg_explorer.commands.options import named

HEAD = "session,query_number,rank,doc,topic"
ROWS = "s1,1,1,a,t\ns1,1,2,b,t\ns1,2,1,b,t\ns2,1,1,c,u\n"
LOG = f"{HEAD}\n{ROWS}"
JUDGED = "topic,doc,grade\nt,a,1\nt,b,0\nu,c,2\n"


@dataclass(frozen=True)
class Odd:
    """Contents of a log and of judgments, and options that both commands have."""

    log: str | bytes = LOG
    judgments: str | bytes = JUDGED
    options: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, list[str]]:
        """Names that the options give to the columns of the log."""
        return named([*self.options[1:]] if "--columns" in self.options else None)

    def written(self, folder: Path) -> list[Path]:
        """The files, log and judgments."""
        files = {folder / "log.csv": self.log, folder / "judgments.csv": self.judgments}
        for path, content in files.items():
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return [*files]


def log(text: str | bytes, *options: str) -> Odd:
    """A log with the usual judgments."""
    return Odd(text, JUDGED, options)
