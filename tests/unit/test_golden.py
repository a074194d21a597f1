"""Numbers that papers printed stay: each golden one comes out again, or a major version says so."""

from __future__ import annotations

import math

from sdcg_explorer.metrics import FORMS, WEIGHTINGS

from sdcg_explorer.scoring.definition import CHOICES, DEFAULT, OF_BEHAVIOUR, PRESETS
from sdcg_explorer.scoring.measures import ALL_SESSION_SCORES, QUERY_SCORES
from tests.golden.computed import numbers, options
from tests.golden.kept import FILE, RULE, changed, read, said


def test_golden_numbers_come_out_again() -> None:
    since, kept = read(FILE.read_text(encoding="utf-8"))
    now = numbers()
    names = changed(kept, now)
    assert not names, f"{said(names)} since version {since}: {RULE}"
    added = now.keys() - kept.keys()
    assert not added, f"make golden writes what was added: {sorted(added)[:9]}"


def test_golden_numbers_touch_every_score_and_every_option() -> None:
    _, kept = read(FILE.read_text(encoding="utf-8"))
    assert 450 <= len(kept) <= 650
    assert sum(map(math.isnan, (value for value, _ in kept.values()))) < 20
    seen = {name.rpartition("/")[2] for name in kept}
    assert {*QUERY_SCORES, *ALL_SESSION_SCORES} <= seen
    tried = options()
    for names, word in ((FORMS, "discount"), (WEIGHTINGS, "weights"), (PRESETS, "preset")):
        assert {f"{word} {n}" for n in names} - tried.keys() <= {
            # gains from clicks have numbers of their own
            *("discount ecir2008", "weights paper", "preset ecir2008", "preset behaviour")
        }
    assert any(name.startswith("clicks as read/") for name in kept)
    others = CHOICES.keys() - {*OF_BEHAVIOUR}
    unseen = {f"{c} {o}" for c in others for o in CHOICES[c]} - tried.keys()
    usual = {f"{name} {getattr(DEFAULT, name)}" for name in others}
    assert unseen == {*usual, "grades searcher", "grades behaviour"}  # whose grades no sample has
