"""A published number or sentence beside ours, and tables of these."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

EQUAL, SLIP, HOLDS, DIFFERS = "equal", "slip", "holds", "DIFFERS"
WORKED = " (worked)"  # after what no source prints


@dataclass(frozen=True)
class Row:
    """What a source says and what comes out here, as they are shown.

    verdict : EQUAL to the printed digits, SLIP where ours is equal once the source's slip is made,
    HOLDS of a sentence that our numbers bear out, or DIFFERS
    """

    what: str
    printed: str
    ours: str
    verdict: str
    remark: str = ""

    @property
    def beside(self) -> str:
        """Ours, verdict and remark; where ours are the printed digits, no number."""
        same = self.verdict == EQUAL and self.ours == self.printed.removesuffix(WORKED)
        said = self.verdict if same else f"{self.ours} ({self.verdict})"
        return f"{said}: {self.remark}" if self.remark else said


@dataclass(frozen=True)
class Part:
    """One source: its title, words before its table, and its rows, none where it was left out.

    needs : whether it takes files that are not in this repository
    """

    title: str
    words: str
    rows: tuple[Row, ...] = ()
    needs: bool = False


def number(what: str, printed: str, ours: float, remark: str = "") -> Row:
    """A row of one number, which is shown with a digit more than the printed one.

    >>> number("mean", "2.53", 152 / 60).verdict, number("mean", "2.54", 152 / 60).verdict
    ('equal', 'DIFFERS')
    """
    digits = len(printed.partition(".")[2])
    near = abs(float(printed.replace(",", "")) - ours) <= 0.5 * 10.0**-digits + 1e-9
    shown = f"{ours:.{digits + 1 if digits else 0}f}"
    return Row(what, printed, shown, EQUAL if near else DIFFERS, remark)


def sentence(what: str, printed: str, ours: str, holds: bool, remark: str = "") -> Row:
    """A row of a sentence that our numbers bear out, or do not."""
    return Row(what, f"“{printed}”", ours, HOLDS if holds else DIFFERS, remark)


def markdown(part: Part) -> str:
    """A part as a section of a page: heading, words, table."""
    head = "what | printed | ours\n---|---|---\n"
    lines = [f"{row.what} | {row.printed} | {row.beside}\n" for row in part.rows]
    table = f"\n{head}{''.join(lines)}" if part.rows else ""
    return f"## {part.title}\n\n{part.words}\n{table}"


def counted(parts: list[Part]) -> str:
    """How many rows have which verdict, in a line."""
    verdicts = [row.verdict for part in parts for row in part.rows]
    named = [f"{verdicts.count(each)} {each}" for each in (EQUAL, SLIP, HOLDS, DIFFERS)]
    return f"{len(verdicts)} rows: {', '.join(named)}"


@cache
def _texts() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def words(part: str) -> str:
    """What stands before a part's table."""
    return _texts()[part].strip()
