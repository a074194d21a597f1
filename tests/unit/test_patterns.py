"""Every pattern of ours takes time in proportion to what it scans, whatever that holds."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from sdcg_explorer.reading import patterns, recipe
from tests.support import imports, plain_files, thorough
from tests.support.refusals import refusal
from tests.support.told import made

SEARCHING = ("search", "sub", "subn", "split", "findall", "finditer")
LONG = 200_000  # characters
SOON, NOISE = 1.0, 0.03  # seconds


@dataclass(frozen=True)
class Scan:
    """A pattern, where it stands, and whether it is looked for or has to fit from the start."""

    place: str
    pattern: re.Pattern[Any]
    searched: bool

    def seconds(self, text: str) -> float:
        """How long it scans a text; as bytes where it is of bytes."""
        given = text if isinstance(self.pattern.pattern, str) else text.encode()
        started = process_time()
        self.pattern.fullmatch(given)
        if self.searched:
            for _ in self.pattern.finditer(given):
                pass
        return process_time() - started

    def units(self) -> Iterator[str]:
        """What hostile texts repeat: pairs of the signs that the pattern names, and of others."""
        named = str(self.pattern.pattern)
        signs = {sign for sign in named if not sign.isalnum()} | {" ", "a", "0", "\\", "'"}
        yield from map("".join, product(sorted(signs)[-9:], repeat=2))
        yield from re.findall(r"[A-Za-z]{2,}", named)


@cache
def scans() -> tuple[Scan, ...]:
    """Every pattern at the top of a module, and those that stand in a call."""
    found: dict[tuple[str | bytes, int], Scan] = {}
    for path in imports.product():
        name, text = str(path.relative_to(plain_files.ROOT)), path.read_text(encoding="utf-8")
        if "re.compile(" in text and name.startswith("sdcg_explorer/"):
            module = import_module(name.removesuffix(".py").replace("/", "."))
            for called, made in vars(module).items():
                if isinstance(made, re.Pattern):
                    # the first of them alone begins where the text does
                    used = re.search(rf"(?<!next\()\b{called}\.({'|'.join(SEARCHING)})\(", text)
                    found[made.pattern, made.flags] = Scan(f"{name}:{called}", made, bool(used))
        for call in ast.walk(ast.parse(text)):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=used),
                    args=[ast.Constant(value=str() | bytes() as given), *_],
                ) if used not in ("escape", "compile"):
                    made = re.compile(given)
                    place = f"{name}:{call.lineno}"
                    found[made.pattern, made.flags] = Scan(place, made, used in SEARCHING)
                case _:
                    pass
    return tuple(found.values())


def test_every_pattern_scans_200_kb_of_anything_in_a_second() -> None:
    found = scans()
    assert len(found) > 30
    assert {scan.searched for scan in found} == {True, False}
    slow: dict[str, float] = {}
    for scan in found[:: 1 if thorough.THOROUGH > 1 else 3]:  # all in make soak
        worst = max(scan.units(), key=lambda unit: scan.seconds((unit * 500)[:500] + "\1"))
        for size in (8_000, LONG):  # what grows with the square is found out before it takes hours
            seconds = scan.seconds((worst * size)[:size] + "\1")
            if seconds > SOON * size / LONG + NOISE:
                slow[scan.place] = seconds
                break
    assert slow == {}


BUSY = r"(?P<session>(?:(?:.?){30}){30})(?P<query>\d+)"
OF_RE2 = "{} (patterns are those of RE2)"
NO_PATTERNS = {
    "(" * 1_000: "its groups are nested too deeply",
    "(?P<session>a)(?P<query>b)" + "c" * 1_000: "a pattern has at most 1,000 characters",
    "(?P<session>a)(?P<query>b)(?=c)": OF_RE2.format("invalid perl operator: (?="),
    r"(?P<session>a)(?P<query>b)\1": OF_RE2.format(r"invalid escape sequence: \1"),
    "(?P<session>a)(?P<query>b)c{1001}": OF_RE2.format("invalid repetition size: {1001}"),
    "(?P<session>a)(?P<query>b)" + "(c)" * 8: "a pattern has at most 9 groups",
}


@pytest.mark.parametrize("pattern", NO_PATTERNS)
def test_a_pattern_that_can_t_be_bounded_is_no_pattern(pattern: str) -> None:
    assert patterns.pattern_fault(pattern) == NO_PATTERNS[pattern]


def test_ids_are_split_as_python_would_split_them() -> None:
    ids = ["t-1", "a_b-Q7", "101", "q.2.3", "x", "", "s:1 2", "é-1", "-1", "--1", "a-1\n"]
    own = r"(?P<topic>\w)?([-.])(?P<session>.*?)(?P<query>[0-9]+)"
    classes = r"(?P<session>[]\w^[]+)[^\w](?P<query>\d)"
    for pattern in (recipe.QUERY_ID, own, classes):
        fits = [re.fullmatch(pattern, one) for one in ids]
        plain = [fit and {k: v or "" for k, v in fit.groupdict().items()} for fit in fits]
        assert patterns.match_groups(ids, pattern) == plain


def test_a_slow_pattern_is_refused_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "PATIENCE", 0.02)
    log = "".join(f"{'a' * 190}{i} Q0 d 1 1 x\n" for i in range(1_000))
    files = {"a.run": log, "qrels.txt": "t 0 d 1\n"}
    assert refusal(lambda: made(tmp_path, files, query_id=BUSY)) == (
        f"a.run: a slow pattern, {BUSY}; a pattern reads 100,000 ids a second. Say how they "
        "split into session and query: --query-id REGEX, or whole."
    )
