"""Numbers that papers printed stay: each golden one comes out again, or a major version says so."""

from tests.golden.computed import numbers
from tests.golden.kept import FILE, RULE, changed, read, said


def test_golden_numbers_come_out_again() -> None:
    since, kept = read(FILE.read_text(encoding="utf-8"))
    now = numbers()
    names = changed(kept, now)
    assert not names, f"{said(names)} since version {since}: {RULE}"
    added = now.keys() - kept.keys()
    assert not added, f"make golden writes what was added: {sorted(added)[:9]}"
