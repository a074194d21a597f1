"""An upload is forgotten once its visitor is gone, and not before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from sdcg_explorer.serving import leaving
from tests.support.waiting import until


def test_a_session_is_closed_when_its_browser_has_been_away_and_memory_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, closed, given = {"stays", "goes"}, list[str](), list[int]()
    runtime = SimpleNamespace(
        is_active_session=here.__contains__, clear_user_info_for_session=closed.append
    )
    monkeypatch.setattr(leaving, "exists", lambda: True)
    monkeypatch.setattr(leaving, "get_instance", lambda: runtime)
    monkeypatch.setattr(leaving, "give_back", lambda: given.append(1))
    monkeypatch.setattr(leaving, "LOOKED", 0.01)
    monkeypatch.setattr(leaving, "AWAY", 0.03)
    visitors = leaving.Visitors()
    for session in ("stays", "goes", "accepts"):
        visitors.hold(session)
    visitors.let_go("accepts")
    until(lambda: len(given) >= leaving.TIMES, "memory given back after accepting")
    assert closed == []
    here.discard("goes")
    until(lambda: closed == ["goes"], "the session without a browser is closed")
    until(lambda: len(given) >= 2 * leaving.TIMES, "memory given back after leaving")
    visitors.let_go("stays")
    until(lambda: not visitors._watches, "nobody is watched")  # pyright: ignore[reportPrivateUsage]
    assert closed == ["goes"]
