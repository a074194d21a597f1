"""Numbers that papers printed stay: each golden one comes out again, or a major version says so."""

from __future__ import annotations

import math

import pytest
from sdcg_explorer.metrics import FORMS, WEIGHTINGS

from sdcg_explorer.scoring.definition import CHOICES, DEFAULT, OF_BEHAVIOUR, PRESETS
from sdcg_explorer.scoring.measures import ALL_SESSION_SCORES, QUERY_SCORES
from tests.golden.computed import numbers, options
from tests.golden.kept import FILE, RULE, RefusedError, Release, changed, read, said, written


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


@pytest.mark.parametrize(
    ("version", "said", "why"),
    [
        ("1.9.0", "`dcg`", "since 1.0.0, and this is 1.9.0"),
        ("2.0.0", "None", "the changelog's Numbers of 2.0.0 name no `dcg`"),
        ("2.0.0", "dcg, `ndcg`", "the changelog's Numbers of 2.0.0 name no `dcg`"),
    ],
)
def test_changed_numbers_are_not_written_without_a_major_version_and_a_line(
    version: str, said: str, why: str
) -> None:
    old = "# Numbers since version 1.0.0\nname,value,tolerance\na/dcg,1.0,1e-09\n"
    top = f"2.0.0 (unreleased)\n\n**Numbers.** {said}, of gaps.\n\n**Else.** `dcg` is quick.\n"
    with pytest.raises(RefusedError) as refused:
        written(old, {"a/dcg": (1.1, "1e-09")}, Release(version, top))
    assert why in str(refused.value)
